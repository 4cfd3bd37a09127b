//! Screws.
