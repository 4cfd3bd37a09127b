//! Reports: all tests in one binary, which builds faster than one for each file.

mod common;
mod figures;
mod forward_figures;
mod html;
mod tables;
