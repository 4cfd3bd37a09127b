//! The direction in which a closed contact slips, or is about to.

/// Along which unit vector of (t1, t2) a contact slips.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Way {
    /// Along this one: in the plane forward or backward, in space where the slip begins or is about to end.
    Fixed([f64; 2]),
    /// Along its velocity, which may turn.
    Turning,
}

impl Way {
    /// No way: a contact that does not slip.
    pub(crate) const NONE: Self = Self::Fixed([0.0; 2]);

    /// The unit vector at a slip; zero where a slip that may turn has none.
    pub(crate) fn along(self, slip: [f64; 2]) -> [f64; 2] {
        match self {
            Self::Fixed(way) => way,
            Self::Turning => unit(slip).unwrap_or_default(),
        }
    }
}

/// Unit vectors along (t1, t2) of contacts in space that slide along fixed ways: a slip that begins, or is about to
/// end, has no direction of its own.
pub type FixedWays = Vec<(usize, [f64; 2])>;

/// The unit vector along a slip; none where it rests.
pub(crate) fn unit([a, b]: [f64; 2]) -> Option<[f64; 2]> {
    let size = a.hypot(b);
    (size > 0.0 && size.is_finite()).then(|| [a / size, b / size])
}

/// How fast a slip is (m/s).
pub(crate) fn speed([a, b]: [f64; 2]) -> f64 {
    a.hypot(b)
}

/// Component of one along another.
pub(crate) fn inner(a: [f64; 2], b: [f64; 2]) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}
