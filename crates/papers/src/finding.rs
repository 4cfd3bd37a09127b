//! What the computation says of a claim.

use carom::significant;

use crate::{Shown, Verdict};

/// An identity holds when its residual is below this fraction of its largest term: round-off.
pub(crate) const ROUND_OFF: f64 = 1e-12;

/// The computed side of an item.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Finding {
    pub(crate) computed: Shown,
    pub(crate) verdict: Verdict,
    pub(crate) proof: String,
}

/// A finding under the key of its claim in the case book.
pub(crate) type Keyed = (&'static str, Finding);

impl Finding {
    /// A claim that holds or does not.
    pub(crate) fn holds(
        is_true: bool,
        computed: impl Into<String>,
        proof: impl Into<String>,
    ) -> Self {
        Self::judged(verdict(is_true, Verdict::Agrees), computed, proof)
    }

    /// A claim that fails as printed and holds as corrected; both are evaluated.
    pub(crate) fn corrected(
        [as_printed, as_corrected]: [bool; 2],
        computed: impl Into<String>,
        proof: impl Into<String>,
    ) -> Self {
        let otherwise = verdict(as_corrected, Verdict::HoldsWithCorrection);
        Self::judged(unless(as_printed, otherwise), computed, proof)
    }

    /// A printed sign or number that violates an identity which its correction satisfies.
    pub(crate) fn misprint(
        [as_printed, as_corrected]: [bool; 2],
        computed: impl Into<String>,
        proof: impl Into<String>,
    ) -> Self {
        let otherwise = verdict(as_corrected, Verdict::Misprint);
        Self::judged(unless(as_printed, otherwise), computed, proof)
    }

    /// A claim that a counterexample refutes; both are evaluated.
    pub(crate) fn refuted(
        [as_printed, counterexample]: [bool; 2],
        computed: impl Into<String>,
        proof: impl Into<String>,
    ) -> Self {
        let otherwise = verdict(counterexample, Verdict::False);
        Self::judged(unless(as_printed, otherwise), computed, proof)
    }

    /// An identity evaluated many times; its residuals are relative to its terms.
    pub(crate) fn identity(worst: f64, what: &str, proof: impl Into<String>) -> Self {
        let residual = show(worst);
        let proof = format!(
            "{}: {residual} of its largest term, bound {ROUND_OFF:e}",
            proof.into()
        );
        Self::holds(
            worst <= ROUND_OFF,
            format!("residual {residual} {what}"),
            proof,
        )
    }

    fn judged(verdict: Verdict, computed: impl Into<String>, proof: impl Into<String>) -> Self {
        Self {
            computed: Shown::Words(computed.into()),
            verdict,
            proof: proof.into(),
        }
    }
}

fn verdict(is_true: bool, verdict: Verdict) -> Verdict {
    if is_true {
        verdict
    } else {
        Verdict::Unexplained
    }
}

/// What is said of a claim that fails as printed; one that holds agrees.
fn unless(as_printed: bool, otherwise: Verdict) -> Verdict {
    if as_printed {
        Verdict::Agrees
    } else {
        otherwise
    }
}

/// A number in a sentence.
pub(crate) fn show(x: f64) -> String {
    match x.abs() {
        0.0 => "0".to_owned(),
        size if size < 1e-4 => format!("{x:.1e}"),
        _ => significant(x, 7),
    }
}

/// Largest of some residuals; not a number where one of them is not.
pub(crate) fn worst(residuals: impl IntoIterator<Item = f64>) -> f64 {
    let larger = |a: f64, b: f64| if b.is_nan() || b > a { b } else { a };
    residuals.into_iter().map(f64::abs).fold(0.0, larger)
}

/// `|Σ terms|` over the largest term.
pub(crate) fn balance(terms: &[f64]) -> f64 {
    let largest = worst(terms.iter().copied());
    let sum: f64 = terms.iter().sum();
    if largest == 0.0 {
        0.0
    } else {
        sum.abs() / largest
    }
}
