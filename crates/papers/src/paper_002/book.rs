//! The case file: claims with their places, and the systems they are tried on.

use carom::InputError;
use serde::Deserialize;

use super::systems::Systems;
use crate::claim::Claim;

/// The case file.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Book {
    pub(super) systems: Systems,
    pub(super) claims: Vec<Claim>,
}

pub(super) const NAME: &str = "cases/paper-002/printed.toml";

impl Book {
    pub(super) fn read(text: &str) -> Result<Self, InputError> {
        toml::from_str(text).map_err(|error| InputError::whole(NAME, error.message().to_owned()))
    }
}
