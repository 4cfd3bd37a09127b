//! Impact, forward dynamics and resolution: all tests in one binary, which builds faster than one for each file.

use carom_support::contact as common;
use carom_support::contact::forward as forward_common;

mod batch;
mod benchmarks;
mod compliant;
mod cone;
mod cone_impact;
mod contact_space;
mod exact_rough;
mod exact_smooth;
mod forward_contacts;
mod forward_input;
mod forward_pictures;
mod forward_properties;
mod forward_reference;
mod forward_resolution;
mod forward_rest;
mod forward_second_route;
mod forward_space;
mod forward_units;
mod marching;
mod path;
mod properties;
mod reference_cases;
mod regressions;
mod simultaneous_cases;
mod simultaneous_dependent;
mod simultaneous_friction;
mod simultaneous_methods;
mod simultaneous_properties;
mod simultaneous_space;
mod spatial;
mod spatial_properties;
mod spatial_reference;
mod units;
mod whole_problems;
