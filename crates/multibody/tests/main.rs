//! Mechanisms: all tests in one binary, which builds faster than one for each file.

use carom_support::multibody as common;

mod contact_cases;
mod contacts;
mod double_pendulum;
mod gap_speed;
mod invariance;
mod loops;
mod loops_space;
mod refusals;
mod screws;
mod second_routes;
mod space_contacts;
mod space_invariance;
mod space_motion;
mod space_refusals;
mod space_routes;
