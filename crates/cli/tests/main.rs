//! The command line: all tests in one binary, which builds faster than one for each file.

mod collisions;
mod common;
mod forward;
mod forward_in_space;
mod impact;
mod other_commands;
mod readme;
mod regressions;
mod run;
