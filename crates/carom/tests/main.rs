//! The facade: all tests in one binary, which builds faster than one for each file.

mod collisions;
mod contact_report;
mod figures;
mod said;
mod space_report;
mod walkers;
mod woodpecker;
