//! Many impacts at once: the same closed form, run over lanes.

use carom_numeric::lanes::{Lanes, WIDTH};

use super::lanes::{LaneEnds, LaneInputs, lanes};
use super::problem::PlanarImpact;
use super::solve::solve;
use crate::contact_space::{Friction, PlanarDelassus, PlanarVector};
use crate::impact::Law;
use crate::impact::restitution::{Energetic, Newton, Poisson, Restitution};
use crate::impact::{ContactType, Outcome};

/// Impacts as parallel slices, one element each.
#[derive(Debug, Clone, Copy)]
pub struct Batch<'a> {
    /// `W_nn`, `W_nt`, `W_tt` (1/kg).
    pub w_nn: &'a [f64],
    /// See `w_nn`.
    pub w_nt: &'a [f64],
    /// See `w_nn`.
    pub w_tt: &'a [f64],
    /// Velocities before (m/s).
    pub v_n: &'a [f64],
    /// See `v_n`.
    pub v_t: &'a [f64],
    /// Static and kinetic friction.
    pub mu_s: &'a [f64],
    /// See `mu_s`.
    pub mu_d: &'a [f64],
    /// Coefficients of restitution.
    pub restitution: &'a [f64],
}

/// Ends of a batch, one element per impact; zeros where there is no end.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct BatchResults {
    /// What became of it; `None`: the input was refused, ask [`PlanarImpact::new`] why.
    pub outcome: Vec<Option<Outcome>>,
    /// Type of contact.
    pub contact_type: Vec<ContactType>,
    /// Impulses (N·s).
    pub p_n: Vec<f64>,
    /// See `p_n`.
    pub p_t: Vec<f64>,
    /// Velocities after (m/s).
    pub v_n: Vec<f64>,
    /// See `v_n`.
    pub v_t: Vec<f64>,
    /// Works of the normal and of the friction impulse (J); their sum is the change of energy.
    pub work_n: Vec<f64>,
    /// See `work_n`.
    pub work_t: Vec<f64>,
}

/// The slices of a batch differ in length.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BatchError {
    /// Which slice.
    pub which: &'static str,
    /// Its length.
    pub found: usize,
    /// The length of `w_nn`.
    pub expected: usize,
}

impl std::fmt::Display for BatchError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self {
            which,
            found,
            expected,
        } = self;
        write!(
            f,
            "batch: {which} has {found} elements, expected {expected} as w_nn"
        )
    }
}

impl std::error::Error for BatchError {}

impl Batch<'_> {
    fn len(&self) -> Result<usize, BatchError> {
        let expected = self.w_nn.len();
        let others = [
            ("w_nt", self.w_nt.len()),
            ("w_tt", self.w_tt.len()),
            ("v_n", self.v_n.len()),
            ("v_t", self.v_t.len()),
            ("mu_s", self.mu_s.len()),
            ("mu_d", self.mu_d.len()),
            ("restitution", self.restitution.len()),
        ];
        match others.into_iter().find(|(_, found)| *found != expected) {
            Some((which, found)) => Err(BatchError {
                which,
                found,
                expected,
            }),
            None => Ok(expected),
        }
    }

    fn get(&self, i: usize) -> Option<PlanarImpact> {
        let w = PlanarDelassus::new(self.w_nn[i], self.w_nt[i], self.w_tt[i]).ok()?;
        let friction = Friction::new(self.mu_s[i], self.mu_d[i]).ok()?;
        let v = PlanarVector {
            n: self.v_n[i],
            t: self.v_t[i],
        };
        PlanarImpact::new(w, v, friction, self.restitution[i]).ok()
    }
}

impl BatchResults {
    /// Room for `n` results; calling it again with the same `n` allocates nothing.
    fn resize(&mut self, n: usize) {
        self.outcome.resize(n, None);
        self.contact_type.resize(n, ContactType::NoImpact);
        for column in [
            &mut self.p_n,
            &mut self.p_t,
            &mut self.v_n,
            &mut self.v_t,
            &mut self.work_n,
            &mut self.work_t,
        ] {
            column.resize(n, 0.0);
        }
    }
}

/// Solves every impact of a batch by one law, into `results`.
///
/// Newton, Poisson and energetic run over lanes of the processor and give the same bits as
/// [`solve`]; Moreau and Whittaker run one by one. A refused element leaves `outcome` empty and
/// does not touch the others.
pub fn solve_batch(
    batch: &Batch<'_>,
    law: Law,
    results: &mut BatchResults,
) -> Result<(), BatchError> {
    let n = batch.len()?;
    results.resize(n);
    match law {
        Law::Newton => dispatch::<Newton>(batch, results),
        Law::Poisson => dispatch::<Poisson>(batch, results),
        Law::Energetic => dispatch::<Energetic>(batch, results),
        Law::Moreau | Law::Whittaker => one_by_one(batch, law, results, n),
    }
    Ok(())
}

fn one_by_one(batch: &Batch<'_>, law: Law, results: &mut BatchResults, n: usize) {
    for i in 0..n {
        let solution = batch.get(i).and_then(|impact| solve(&impact, law).ok());
        let end = solution.and_then(|s| s.end);
        results.outcome[i] = solution.map(|s| s.outcome);
        results.contact_type[i] = solution.map_or(ContactType::NoImpact, |s| s.contact_type);
        results.p_n[i] = end.map_or(0.0, |e| e.impulse.n);
        results.p_t[i] = end.map_or(0.0, |e| e.impulse.t);
        results.v_n[i] = end.map_or(0.0, |e| e.v_post.n);
        results.v_t[i] = end.map_or(0.0, |e| e.v_post.t);
        results.work_n[i] = end.map_or(0.0, |e| e.work.n);
        results.work_t[i] = end.map_or(0.0, |e| e.work.t);
    }
}

/// What the lanes say became of an impact.
const OUTCOMES: [Option<Outcome>; 4] = [
    Some(Outcome::Solved),
    Some(Outcome::NoImpact),
    Some(Outcome::Jammed),
    None,
];

/// Runs the lanes with the widest vectors this processor has; the bits are the same with any.
fn dispatch<L: Restitution>(batch: &Batch<'_>, results: &mut BatchResults) {
    #[cfg(target_arch = "x86_64")]
    {
        if std::arch::is_x86_feature_detected!("avx512f")
            && std::arch::is_x86_feature_detected!("avx512dq")
            && std::arch::is_x86_feature_detected!("avx512vl")
        {
            #[allow(unsafe_code)]
            // SAFETY: the processor was just found to have the features the function is built for.
            return unsafe { passes_avx512::<L>(batch, results) };
        }
        if std::arch::is_x86_feature_detected!("avx2") {
            #[allow(unsafe_code)]
            // SAFETY: as above.
            return unsafe { passes_avx2::<L>(batch, results) };
        }
    }
    passes::<L>(batch, results);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512dq,avx512vl")]
fn passes_avx512<L: Restitution>(batch: &Batch<'_>, results: &mut BatchResults) {
    passes::<L>(batch, results);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn passes_avx2<L: Restitution>(batch: &Batch<'_>, results: &mut BatchResults) {
    passes::<L>(batch, results);
}

#[inline(always)]
fn passes<L: Restitution>(batch: &Batch<'_>, results: &mut BatchResults) {
    let n = batch.w_nn.len();
    let mut start = 0;
    while start + WIDTH <= n {
        let ends = lanes::<L>(&load(batch, start, WIDTH));
        store(&ends, results, start, WIDTH);
        start += WIDTH;
    }
    if start < n {
        let ends = lanes::<L>(&load(batch, start, n - start));
        store(&ends, results, start, n - start);
    }
}

#[inline(always)]
fn load(batch: &Batch<'_>, start: usize, count: usize) -> LaneInputs {
    let column = |values: &[f64]| {
        let mut lanes = [0.0; WIDTH];
        lanes[..count].copy_from_slice(&values[start..start + count]);
        Lanes(lanes)
    };
    LaneInputs {
        a: column(batch.w_nn),
        c: column(batch.w_nt),
        b: column(batch.w_tt),
        v_n: column(batch.v_n),
        v_t: column(batch.v_t),
        mu_s: column(batch.mu_s),
        mu_d: column(batch.mu_d),
        restitution: column(batch.restitution),
    }
}

#[inline(always)]
fn store(ends: &LaneEnds, results: &mut BatchResults, start: usize, count: usize) {
    let put = |column: &mut [f64], lanes: &Lanes| {
        column[start..start + count].copy_from_slice(&lanes.0[..count]);
    };
    put(&mut results.p_n, &ends.p_n);
    put(&mut results.p_t, &ends.p_t);
    put(&mut results.v_n, &ends.v_n);
    put(&mut results.v_t, &ends.v_t);
    put(&mut results.work_n, &ends.w_n);
    put(&mut results.work_t, &ends.w_t);
    for i in 0..count {
        results.outcome[start + i] = OUTCOMES[ends.outcome.0[i] as usize & 3];
        results.contact_type[start + i] = ContactType::ALL[(ends.kind.0[i] as usize).min(6)];
    }
}
