//! Scenarios: all tests in one binary, which builds faster than one for each file.

use carom_support::scenario as common;

mod around_events;
mod contact_space;
mod edges;
mod examples;
mod examples_in_space;
mod flush;
mod format;
mod forward;
mod forward_in_space;
mod forward_loops;
mod friction_in_space;
mod invariance;
mod path;
mod pivoting;
mod refused;
mod refused_in_space;
mod rough;
mod second_route;
mod shared;
mod space;
mod stories;
mod stories_of_the_end;
mod super_ball;
mod sustained;
mod tables_in_space;
mod told;
mod twins;
