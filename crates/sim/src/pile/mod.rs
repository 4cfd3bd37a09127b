//! Impacts without number in finite time: how they are recognised, where they lead.

pub(crate) mod accumulate;
pub(crate) mod piling;
pub(crate) mod unresisted;
