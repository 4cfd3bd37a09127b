//! Motion with collisions: all tests in one binary, which builds faster than one for each file.

mod common;
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
mod solids;
mod space;
mod space_contacts;
mod space_quaternions;
mod stops;
