//! The case file: claims with their places, and the frames they are tried on.

use carom::{ImpactInputError, InputError};
use serde::Deserialize;

use super::frames::Frames;
use crate::claim::Claim;

/// The case file.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Book {
    pub(super) systems: Systems,
    pub(super) claims: Vec<Claim>,
}

/// Frames of Fig. 1; the paper prints no numbers.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Systems {
    /// Five different dimensions and directions without a zero: no term of an equation hides.
    pub(super) general: Frames,
    /// The dimensions and directions of the particular case.
    pub(super) singular: Frames,
}

pub(super) const NAME: &str = "cases/paper-003/printed.toml";

impl Book {
    pub(super) fn read(text: &str) -> Result<Self, InputError> {
        toml::from_str(text).map_err(|error| InputError::whole(NAME, error.message().to_owned()))
    }
}

/// What the library refuses is an error of the case file.
pub(super) fn refused(error: ImpactInputError) -> InputError {
    InputError::whole(NAME, error.to_string())
}
