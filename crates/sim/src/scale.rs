//! The sizes that tolerances are measured by.
//!
//! A length comes from shapes and links, a time from the rates and accelerations of the motion, an energy
//! from both; angles and their rates are measured by one turn of a radian. Scaling the lengths, masses or
//! times of a model scales them alike, and with them everything that is called small.

use std::f64::consts::PI;

use carom_multibody::State;
use carom_multibody::mechanism::{Contacts, Dynamics, Gap, MassSolver};
use carom_numeric::dot;

use crate::Options;
use crate::contact::closed::Trigger;

/// Spacings of a position within which a gap is closed …
const CLOSED_ULPS: f64 = 16_384.0;
/// … and within which a contact takes part in the impact of another.
const TOUCHING_ULPS: f64 = 512.0;
/// Gap, as a part of what it is measured by, that passes as touching at an instant asked for by itself.
const MEETING: f64 = 1e-9;
/// Part of the error allowed per step that a gap is not told from zero by.
const ALLOWED: f64 = 0.1;
/// Overlap at the start, in spacings of a position, that passes as touching.
const OVERLAP_ULPS: f64 = 4096.0;
/// Depth, in spacings of a position, down to which an open contact that seems to come off is let be.
const SHALLOW_ULPS: f64 = 65_536.0;
/// Flight, in spacings of a position, of a contact that did not part.
const PARTED_ULPS: f64 = 64.0;
/// Way, in spacings of a position, that a contact which opens goes in the time of the motion.
const OPENING_ULPS: f64 = 2048.0;
/// Part of the time of the motion that is soon.
const SOON: f64 = 1e-3;
/// Part of the speeds of the motion that counts by its sign alone.
const LEAST_SPEED: f64 = 1e-30;
/// Part of the speeds of the motion below which a slip in space keeps its way. What is left of the slip then
/// goes in a time as short: the error is of second order.
const SLOW_SLIP: f64 = 1e-8;
/// Overlap on the way, as a part of the lengths of the model, that no round-off makes.
const MISSED: f64 = 1e-7;
/// The same in errors allowed per step, where these are larger.
const MISSED_TOLERANCES: f64 = 16.0;

/// The sizes of a model and of its motion.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Scale {
    /// Length of what moves and touches (m).
    pub(crate) length: f64,
    /// Time in which the motion changes (s): it never grows.
    pub(crate) time: f64,
    /// Energy of the motion (J).
    pub(crate) energy: f64,
    /// Error allowed per step, as a part of the sizes: what is off by no more is not told from what is right.
    pub(crate) tolerance: f64,
    /// What each position is measured by.
    pub(crate) positions: Vec<f64>,
    /// What each rate is measured by.
    pub(crate) rates: Vec<f64>,
    /// What each gap is measured by: the length, or a radian at a stop of an angle.
    pub(crate) gaps: Vec<f64>,
}

impl Scale {
    /// The sizes of a mechanism at its start; the duration of the run counts where nothing moves.
    pub(crate) fn of(mechanism: &mut dyn Contacts, start: State<'_>, options: &Options) -> Self {
        let duration = options.duration;
        let mut free = vec![0.0; start.v.len()];
        let moved = mechanism.accelerations(start, &mut MassSolver::default(), &mut free);
        if moved.is_err() || free.iter().any(|a| !a.is_finite()) {
            free.fill(0.0); // the motion will say so
        }
        let inertia = Inertia::of(mechanism, start);
        let turn = turn(mechanism, start, &free, &inertia, duration);
        let length = length(mechanism, start, &free, turn.unwrap_or(duration));
        let (mut positions, mut rates) = (vec![0.0; start.q.len()], vec![0.0; start.v.len()]);
        mechanism.sizes(length, 1.0, &mut positions, &mut rates);
        let whole = inertia.whole(&rates);
        let time = turn.and_then(|turn| inertia.time(start.v, &free, turn, whole));
        let time = time.unwrap_or(duration);
        let energy = energy(whole, time);
        rates.iter_mut().for_each(|rate| *rate /= time);
        let size = |contact| match mechanism.gap_unit(contact) {
            "rad" => 1.0,
            _ => length,
        };
        Self {
            gaps: (0..mechanism.contacts()).map(size).collect(),
            length,
            time,
            energy,
            tolerance: options.tolerance,
            positions,
            rates,
        }
    }

    /// How many times its size the largest position is, at least once: round-off grows with it.
    fn stretch(&self, q: &[f64]) -> f64 {
        let parts = q
            .iter()
            .zip(&self.positions)
            .map(|(q, size)| q.abs() / size);
        parts.fold(1.0, f64::max)
    }

    /// Spacing of a position (m).
    pub(crate) fn spacing(&self, q: &[f64]) -> f64 {
        f64::EPSILON * self.length * self.stretch(q)
    }

    /// Spacing of the gap of a contact, in its unit.
    fn gap_spacing(&self, contact: usize, q: &[f64]) -> f64 {
        f64::EPSILON * self.gap(contact) * self.stretch(q)
    }

    /// What the gap of a contact is measured by.
    pub(crate) fn gap(&self, contact: usize) -> f64 {
        self.gaps.get(contact).copied().unwrap_or(self.length)
    }

    /// So many spacings of a gap, or the error allowed where that is more.
    fn gap_room(&self, contact: usize, spacings: f64, q: &[f64]) -> f64 {
        let allowed = ALLOWED * self.tolerance * self.gap(contact);
        allowed.max(spacings * self.gap_spacing(contact, q))
    }

    /// Whether a gap is closed: zero but for round-off, and for the error allowed.
    pub(crate) fn is_closed(&self, contact: usize, gap: f64, q: &[f64]) -> bool {
        gap.abs() <= self.gap_room(contact, CLOSED_ULPS, q)
    }

    /// Whether a contact takes part in the impact of another: its gap is less than any flight of it. What the
    /// tolerance allows a gap to be off by does not bring contacts together that strike one after another.
    pub(crate) fn touches(&self, contact: usize, gap: f64, q: &[f64]) -> bool {
        gap.abs() <= TOUCHING_ULPS * self.gap_spacing(contact, q)
    }

    /// Gap of a contact that passes as touching at an instant asked for by itself, in its unit.
    pub(crate) fn meeting(&self, contact: usize, q: &[f64]) -> f64 {
        MEETING * self.gap(contact) * self.stretch(q)
    }

    /// Whether a gap at the start is an overlap.
    pub(crate) fn overlaps(&self, contact: usize, gap: f64, q: &[f64]) -> bool {
        gap < -OVERLAP_ULPS * self.gap_spacing(contact, q)
    }

    /// Whether a gap is so deep that its touching was missed.
    pub(crate) fn is_missed(&self, contact: usize, gap: f64, q: &[f64]) -> bool {
        let depth = MISSED.max(MISSED_TOLERANCES * self.tolerance) * self.gap(contact);
        gap < -depth.max(SHALLOW_ULPS * self.gap_spacing(contact, q))
    }

    /// How deep an open contact that seems to come off may be before it is asked again.
    pub(crate) fn shallow(&self, contact: usize, q: &[f64]) -> f64 {
        self.gap_room(contact, SHALLOW_ULPS, q)
    }

    /// Whether the acceleration of a gap, or of a slip, is zero: round-off of its terms, or too little to open
    /// it beyond round-off in the time of the motion.
    pub(crate) fn keeps_still(&self, contact: usize, a_n: f64, terms: f64) -> bool {
        let least = self.gap(contact) / (self.time * self.time);
        a_n.abs() <= OPENING_ULPS * f64::EPSILON * terms.max(least)
    }

    /// Whether the rate of a pivoting is zero: round-off of its terms, or too little to turn it beyond round-off in
    /// the time of the motion.
    pub(crate) fn keeps_pivot(&self, rate: f64, terms: f64) -> bool {
        let least = 1.0 / (self.time * self.time);
        rate.abs() <= OPENING_ULPS * f64::EPSILON * terms.max(least)
    }

    /// How high a contact may fly that did not part beyond round-off.
    pub(crate) fn parted(&self, q: &[f64]) -> f64 {
        PARTED_ULPS * self.spacing(q)
    }

    /// How far ahead a contact looks for the piece of surface that it moves onto (s).
    pub(crate) fn soon(&self) -> f64 {
        SOON * self.time
    }

    /// A speed that has a sign and nothing else (m/s).
    pub(crate) fn least_speed(&self) -> f64 {
        LEAST_SPEED * self.length / self.time
    }

    /// Slip in space below which its way is held fixed: it has none at zero (m/s).
    pub(crate) fn slow(&self) -> f64 {
        SLOW_SLIP * self.length / self.time
    }

    /// Pivoting that ends with a slip which is held fixed (rad/s).
    pub(crate) fn slow_pivot(&self) -> f64 {
        SLOW_SLIP / self.time
    }

    /// A pivoting that has a sense and nothing else (rad/s).
    pub(crate) fn least_pivot(&self) -> f64 {
        LEAST_SPEED / self.time
    }

    /// What a guard of closed contacts is measured by: forces are parts of the largest.
    pub(crate) fn trigger(&self, trigger: Trigger) -> f64 {
        match trigger {
            Trigger::Slip(_) | Trigger::Turn(_) => self.length / self.time,
            Trigger::Pivot(_) => 1.0 / self.time,
            Trigger::End(_) => self.length,
            _ => 1.0,
        }
    }

    /// Notes rates of the motion: where they are faster than before, times are shorter.
    pub(crate) fn saw(&mut self, v: &[f64]) {
        let pairs = v.iter().zip(&self.rates);
        let fastest = pairs.fold(0.0, |f: f64, (v, size)| f.max(v.abs() / size)) / PI;
        if fastest > 1.0 && fastest.is_finite() {
            self.time /= fastest;
            self.rates.iter_mut().for_each(|rate| *rate *= fastest);
        }
    }
}

/// The extent of a mechanism; of one that has none the gaps of its contacts, or the way in which its
/// motion turns.
fn length(mechanism: &mut dyn Contacts, start: State<'_>, free: &[f64], turn: f64) -> f64 {
    let extent = mechanism.extent();
    if extent > 0.0 && extent.is_finite() {
        return extent;
    }
    let largest = |list: &[f64]| list.iter().fold(0.0f64, |size, x| size.max(x.abs()));
    let (speed, pull) = (largest(start.v), largest(free));
    let mut gaps = vec![Gap::default(); mechanism.contacts()];
    mechanism.gaps(start, &mut gaps);
    let gaps = gaps.iter().map(|gap| gap.gap.abs());
    let apart = gaps.filter(|gap| gap.is_finite()).fold(0.0, f64::max);
    let found = [
        apart.max(speed * speed / pull),
        apart,
        speed * turn + pull * turn * turn,
    ];
    let mut found = found.into_iter().filter(|x| *x > 0.0 && x.is_finite());
    found.next().unwrap_or(1.0)
}

/// Halvings of the duration after which nothing turns.
const MOST_HALVINGS: u32 = 60;
/// Part of the accelerations to come that those of the start are round-off of.
const AT_EASE: f64 = 1e-9;

/// The time in which a motion begins to turn (s): over half of it the accelerations would change the rates by
/// half of what they are, both measured by the mass; the duration where they stay as they are. None where
/// nothing moves or pulls at the start.
fn turn(
    mechanism: &mut dyn Dynamics,
    start: State<'_>,
    free: &[f64],
    inertia: &Inertia,
    duration: f64,
) -> Option<f64> {
    let (mut solver, mut later) = (MassSolver::default(), vec![0.0; free.len()]);
    let mut drift = vec![0.0; start.q.len()];
    mechanism.position_rate(start, &mut drift);
    let (speed, pull) = (inertia.norm(start.v), inertia.norm(free));
    let (mut time, mut hardest) = (duration, pull);
    for _ in 0..MOST_HALVINGS {
        let ahead = |(x, rate): (&f64, &f64)| x + rate * time;
        let q: Vec<f64> = start.q.iter().zip(&drift).map(ahead).collect();
        let v: Vec<f64> = start.v.iter().zip(free).map(ahead).collect();
        let state = State::new(start.t + time, &q, &v);
        let moved = mechanism.accelerations(state, &mut solver, &mut later);
        hardest = inertia.norm(&later).max(hardest);
        let change: Vec<f64> = later.iter().zip(free).map(|(x, y)| x - y).collect();
        if moved.is_ok() && inertia.norm(&change) * time <= 0.5 * (speed + pull * time) {
            break;
        }
        time *= 0.5;
    }
    (speed + pull * duration > AT_EASE * hardest * duration).then_some(time)
}

/// The mass matrix.
struct Inertia {
    mass: Vec<f64>,
}

impl Inertia {
    fn of(mechanism: &mut dyn Dynamics, start: State<'_>) -> Self {
        let n = start.v.len();
        let mut mass = vec![0.0; n * n];
        mechanism.mass(start, &mut mass);
        Self { mass }
    }

    /// `√(xᵀ M x)`.
    fn norm(&self, x: &[f64]) -> f64 {
        let rows = self.mass.chunks_exact(x.len().max(1)).zip(x);
        let sum: f64 = rows.map(|(row, x_i)| x_i * dot(row, x)).sum();
        sum.max(0.0).sqrt()
    }

    /// `√(Σ M_ii s_i²)`: what it comes to when everything moves by its size.
    fn whole(&self, sizes: &[f64]) -> f64 {
        let n = sizes.len();
        let own = sizes.iter().enumerate();
        let whole = own.map(|(i, size)| self.mass[i * n + i] * size * size);
        whole.sum::<f64>().sqrt()
    }

    /// Half the period of a pendulum that is as large and turns, or falls, as the mechanism does (s): one
    /// second where that is a metre long and falls on Earth. None where nothing moves. Accelerations count
    /// over the way they last, until the motion begins to turn: a stiff spring pulls hard, and not far.
    fn time(&self, v: &[f64], free: &[f64], turn: f64, whole: f64) -> Option<f64> {
        let pull = self.norm(free) / whole;
        let frequency = (self.norm(v) / whole).max(pull.sqrt().min(pull * turn));
        let time = PI / frequency;
        (time > 0.0 && time.is_finite()).then_some(time)
    }
}

/// Energy of a mechanism when everything moves by its size in a time (J).
fn energy(whole: f64, time: f64) -> f64 {
    let speed = whole / time;
    let energy = speed * speed;
    let is_known = energy > 0.0 && energy.is_finite();
    if is_known { energy } else { 1.0 }
}
