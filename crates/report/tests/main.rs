//! Reports: all tests in one binary, which builds faster than one for each file.

use carom_support::sim::made_up as common;

mod figures;
mod forward_figures;
mod html;
mod tables;
