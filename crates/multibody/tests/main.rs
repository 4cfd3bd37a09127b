//! Mechanisms: all tests in one binary, which builds faster than one for each file.

mod contact_cases;
mod contacts;
mod double_pendulum;
mod ellipsoids;
mod gap_speed;
mod invariance;
mod loops;
mod plane_routes;
mod refusals;
mod scales;
mod screws;
mod second_routes;
mod space_contacts;
mod space_drift;
mod space_invariance;
mod space_motion;
mod space_refusals;
mod space_routes;
mod tiny;
