pub(crate) mod check;
pub(crate) mod examples;
pub(crate) mod forward;
pub(crate) mod impact;
pub(crate) mod papers;
pub(crate) mod run;
pub(crate) mod schema;
