//! Bugs that were, each with its story.
#![allow(clippy::unwrap_used)]

#[path = "../common/mod.rs"]
mod common;
mod contacts;
mod cornered;
mod motions;
