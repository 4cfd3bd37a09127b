//! Bugs that were, each with its story.
#![allow(clippy::unwrap_used)]

mod contacts;
mod cornered;
mod motions;
