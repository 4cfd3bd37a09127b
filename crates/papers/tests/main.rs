//! The papers: all tests in one binary, which builds faster than one for each file.

mod common;
mod paper_001;
mod paper_002;
mod paper_003;
