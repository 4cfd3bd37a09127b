//! Motion with collisions: all tests in one binary, which builds faster than one for each file.

use carom_support::sim as common;

mod answers;
mod chatter;
mod compliant;
mod endings;
mod extremes;
mod grazing;
mod invariance;
mod loops;
mod loops_of_rank;
mod motions;
mod own_guards;
mod pendulum;
mod piles;
mod random;
mod records;
mod regressions;
mod rocking;
mod scenes;
mod solids;
mod space;
mod space_closed;
mod space_contacts;
mod space_curved;
mod space_quaternions;
mod stick_slip;
mod stops;
mod sustained;
