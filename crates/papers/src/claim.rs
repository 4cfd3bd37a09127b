//! Printed equations and sentences of a case book.

use serde::Deserialize;

use crate::finding::{Finding, Keyed};
use crate::{Item, Shown, Verdict};

/// A printed equation or sentence.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Claim {
    pub(crate) key: String,
    #[serde(rename = "where")]
    place: String,
    claim: String,
    printed: String,
}

impl Claim {
    /// The claim with the finding under its key; unexplained where nothing evaluates it.
    pub(crate) fn item(&self, findings: &[Keyed]) -> Item {
        let found = findings.iter().find(|(key, _)| *key == self.key);
        let missing = || Finding {
            computed: "-".into(),
            verdict: Verdict::Unexplained,
            proof: "nothing evaluates this claim".to_owned(),
        };
        let finding = found.map_or_else(missing, |(_, finding)| finding.clone());
        Item {
            place: self.place.clone(),
            claim: self.claim.clone(),
            printed: Shown::Words(self.printed.clone()),
            computed: finding.computed,
            verdict: finding.verdict,
            proof: Some(finding.proof),
        }
    }
}
