//! Many impacts at once: the same closed form, run over lanes.

use super::closed_form::{Inputs, closed_form};
use super::problem::PlanarImpact;
use super::solution::{ContactType, Outcome};
use super::solve::solve;
use crate::impact::Law;
use crate::impact::restitution::{Energetic, Newton, Poisson, Restitution};
use crate::space::{Friction, PlanarDelassus, PlanarVector, delassus};

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
        Law::Newton => lanes::<Newton>(batch, results, n),
        Law::Poisson => lanes::<Poisson>(batch, results, n),
        Law::Energetic => lanes::<Energetic>(batch, results, n),
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

/// Impacts per pass of the lanes.
const LANES: usize = 8;

/// One pass of inputs, and what it gives.
#[derive(Clone, Copy)]
struct Pass {
    inputs: [[f64; LANES]; 8],
    ends: [[f64; LANES]; 6],
    codes: [[u64; LANES]; 2],
}

const REFUSED: u64 = 3;
const OUTCOMES: [Option<Outcome>; 4] = [
    Some(Outcome::Solved),
    Some(Outcome::NoImpact),
    Some(Outcome::Jammed),
    None,
];

fn lanes<L: Restitution>(batch: &Batch<'_>, results: &mut BatchResults, n: usize) {
    pulp::Arch::new().dispatch(
        #[inline(always)]
        || {
            let mut start = 0;
            while start < n {
                let count = LANES.min(n - start);
                let mut pass = load(batch, start, count);
                run::<L>(&mut pass);
                store(&pass, results, start, count);
                start += count;
            }
        },
    );
}

#[inline(always)]
fn load(batch: &Batch<'_>, start: usize, count: usize) -> Pass {
    let columns = [
        batch.w_nn,
        batch.w_nt,
        batch.w_tt,
        batch.v_n,
        batch.v_t,
        batch.mu_s,
        batch.mu_d,
        batch.restitution,
    ];
    let mut inputs = [[0.0; LANES]; 8];
    for (lanes, column) in inputs.iter_mut().zip(columns) {
        if count == LANES {
            lanes.copy_from_slice(&column[start..start + LANES]);
        } else {
            lanes[..count].copy_from_slice(&column[start..start + count]);
        }
    }
    Pass {
        inputs,
        ends: [[0.0; LANES]; 6],
        codes: [[0; LANES]; 2],
    }
}

#[inline(always)]
fn run<L: Restitution>(pass: &mut Pass) {
    for i in 0..LANES {
        let [a, c, b, v_n, v_t, mu_s, mu_d, restitution] = pass.inputs.map(|column| column[i]);
        let x = Inputs {
            a,
            c,
            b,
            a_stuck: delassus::stuck_slope(a, c, b),
            v_n,
            v_t,
            mu_s,
            mu_d,
            restitution,
        };
        let y = closed_form::<L>(&x);
        let total = y.p_n + y.p_t + y.v_n + y.v_t + y.w_n + y.w_t;
        let is_solved = y.strikes & !y.jams;
        let is_refused = !is_legal(&x) | (is_solved & !(total.abs() <= f64::MAX));
        let code = if y.jams { 2 } else { 0 };
        let code = if y.strikes { code } else { 1 };
        pass.codes[0][i] = if is_refused { REFUSED } else { code };
        // Indices into ContactType::ALL.
        let compression = if y.sticks { 1 } else if x.v_t == 0.0 { 0 } else { 3 };
        let restitution = if y.sticks { 2 } else { 4 };
        let kind = if y.halts_in_restitution { restitution } else { 0 };
        let kind = if y.halts_in_compression { compression } else { kind };
        pass.codes[1][i] = if y.strikes & !is_refused { kind } else { 6 };
        let keep = is_solved & !is_refused;
        let unmoved = !y.strikes & !is_refused;
        let ends = [y.p_n, y.p_t, y.v_n, y.v_t, y.w_n, y.w_t];
        let rest = [0.0, 0.0, x.v_n, x.v_t, 0.0, 0.0];
        for k in 0..6 {
            let idle = if unmoved { rest[k] } else { 0.0 };
            pass.ends[k][i] = if keep { ends[k] + 0.0 } else { idle };
        }
    }
}

/// The checks of [`PlanarDelassus::new`], [`Friction::new`] and [`PlanarImpact::new`], as one mask.
#[inline(always)]
fn is_legal(x: &Inputs) -> bool {
    let finite = |y: f64| y.abs() <= f64::MAX;
    (x.a >= 0.0)
        & (x.b >= 0.0)
        & (x.a_stuck >= 0.0)
        & finite(x.a)
        & finite(x.b)
        & finite(x.c)
        & finite(x.v_n)
        & finite(x.v_t)
        & (x.mu_d >= 0.0)
        & (x.mu_s >= x.mu_d)
        & finite(x.mu_s)
        & (x.restitution >= 0.0)
        & (x.restitution <= 1.0)
}

#[inline(always)]
fn store(pass: &Pass, results: &mut BatchResults, start: usize, count: usize) {
    let columns = [
        &mut results.p_n,
        &mut results.p_t,
        &mut results.v_n,
        &mut results.v_t,
        &mut results.work_n,
        &mut results.work_t,
    ];
    for (lanes, column) in pass.ends.iter().zip(columns) {
        column[start..start + count].copy_from_slice(&lanes[..count]);
    }
    for i in 0..count {
        results.outcome[start + i] = OUTCOMES[pass.codes[0][i] as usize & 3];
        results.contact_type[start + i] = ContactType::ALL[(pass.codes[1][i] as usize).min(6)];
    }
}
