//! The forward problem of contacts that touch: which accelerations are consistent with friction.

use carom_contact::contact_space::GivenFriction;
use carom_contact::forward::{
    Answer, ForwardAnswers, ForwardContact, ForwardInputError, ForwardProblem, Mode, answers,
};
use carom_multibody::mechanism::{Contacts, Dynamics, MassSolver, MotionFault};
use carom_multibody::{ConstraintRows, State};
use carom_numeric::{Cholesky, CompleteOrthogonal, dot};

use super::closed::Held;
use super::mode::ContactMode;
use super::rows::ContactRows;
use crate::Rule;
use crate::scale::Scale;

/// A contact that touches and neither approaches nor leaves.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Touch {
    pub(crate) contact: usize,
    /// Its slip along (t1, t2), or the way of it; 0 is rest (m/s).
    pub(crate) slip: [f64; 2],
    /// The rate at which it pivots about its normal, or the sense of that; 0 is rest (rad/s).
    pub(crate) spin: f64,
    pub(crate) friction: GivenFriction,
    /// Radius at which friction resists its pivoting; zero where nothing does (m).
    pub(crate) radius: f64,
}

impl Touch {
    pub(crate) fn of(
        mechanism: &dyn Contacts,
        contact: usize,
        slip: [f64; 2],
        rule: &Rule,
    ) -> Self {
        let friction = match mechanism.has_tangent(contact) {
            true => rule.friction.into(),
            false => GivenFriction::default(),
        };
        let is_rough = friction.mu_s > 0.0;
        Self {
            contact,
            slip: if is_rough { slip } else { [0.0; 2] },
            spin: 0.0,
            friction,
            radius: match is_rough && mechanism.has_pivot(contact) {
                true => rule.spin_radius,
                false => 0.0,
            },
        }
    }

    /// The same where it pivots about its normal.
    pub(crate) fn pivoting(self, spin: f64) -> Self {
        let spin = if self.radius > 0.0 { spin } else { 0.0 };
        Self { spin, ..self }
    }

    /// Whether it has friction.
    pub(crate) fn is_rough(&self) -> bool {
        self.friction.mu_s > 0.0
    }

    /// Whether it does not slip.
    pub(crate) fn rests(&self) -> bool {
        self.slip == [0.0; 2]
    }

    /// What the contact does in a mode of an answer.
    fn mode(&self, mode: Mode) -> ContactMode {
        match mode {
            Mode::LiftOff => ContactMode::Open,
            _ if self.friction.mu_s == 0.0 => ContactMode::Closed,
            Mode::Stick => ContactMode::Stick,
            Mode::OnsetForward => ContactMode::SlideForward,
            Mode::OnsetBackward => ContactMode::SlideBackward,
            Mode::Slide | Mode::Onset => ContactMode::sliding(self.slip[0]),
        }
    }

    /// What the contact does by its acceleration, zero up to round-off.
    fn seen(&self, [a_n, a_t]: [f64; 2], round_off: f64) -> ContactMode {
        match self.friction.mu_s > 0.0 {
            _ if a_n > round_off => ContactMode::Open,
            false => ContactMode::Closed,
            true if !self.rests() => ContactMode::sliding(self.slip[0]),
            true if a_t.abs() > round_off => ContactMode::sliding(a_t),
            true => ContactMode::Stick,
        }
    }
}

/// An acceleration below this part of the accelerations there are is zero.
const SEEN_STILL: f64 = 1e-9;

/// Contacts that touch at a state, with their forward problem.
pub(crate) struct Standing {
    pub(crate) touches: Vec<Touch>,
    pub(crate) problem: ForwardProblem,
    /// Accelerations without contact forces.
    free: Vec<f64>,
    /// Tangents of a contact: one in the plane, two in space.
    tangents: usize,
    /// Where loops are closed: the motions they leave, one after another, of unit inertia.
    ways: Option<Vec<f64>>,
}

impl Standing {
    /// The forward problem of contacts at a state.
    pub(crate) fn pose(
        mechanism: &mut dyn Contacts,
        state: State<'_>,
        touches: Vec<Touch>,
        scale: &Scale,
    ) -> Result<Self, MotionFault> {
        let n = state.v.len();
        let (mut mass, mut bias, mut free) = (vec![0.0; n * n], vec![0.0; n], vec![0.0; n]);
        mechanism.mass(state, &mut mass);
        mechanism.bias(state, &mut bias);
        mechanism.accelerations(state, &mut MassSolver::default(), &mut free)?;
        let mut problem = ForwardProblem {
            inertia: mass.chunks(n.max(1)).map(<[f64]>::to_vec).collect(),
            bias,
            load_matrix: Vec::new(),
            load_offset: Vec::new(),
            friction: Vec::new(),
            velocity: Vec::new(),
            force: vec![0.0; n],
            contacts: Vec::with_capacity(touches.len()),
        };
        for touch in &touches {
            let rows = ContactRows::of(mechanism, state, touch.contact);
            problem.contacts.push(contact(&rows, touch, &free, scale));
        }
        let ways = match mechanism.constraints() {
            0 => None,
            _ => Some(ways(mechanism, state, &mass)?),
        };
        let mut standing = Self {
            touches,
            problem,
            free,
            tangents: mechanism.dimension().tangents(),
            ways,
        };
        standing.reduce(&mass);
        standing.clean();
        Ok(standing)
    }

    /// The problem in the motions that closed loops leave.
    fn reduce(&mut self, mass: &[f64]) {
        let Some(ways) = &self.ways else {
            return;
        };
        let n = self.free.len();
        let count = ways.len() / n.max(1);
        let onto =
            |row: &[f64]| -> Vec<f64> { ways.chunks_exact(n).map(|w| dot(w, row)).collect() };
        let rows = mass.chunks_exact(n);
        let pushed: Vec<f64> = rows.map(|row| dot(row, &self.free)).collect();
        let unit = |i: usize| (0..count).map(|j| f64::from(u8::from(i == j))).collect();
        self.problem.inertia = (0..count).map(unit).collect();
        self.problem.bias = onto(&pushed).iter().map(|x| -x).collect();
        self.problem.force = vec![0.0; count];
        for contact in &mut self.problem.contacts {
            contact.normal = onto(&contact.normal);
            contact.tangent = contact.tangent.as_deref().map(onto);
        }
    }

    /// Takes out numbers that are too small to mean anything.
    fn clean(&mut self) {
        let problem = &mut self.problem;
        let lists = problem.inertia.iter_mut().chain([&mut problem.bias]);
        lists.flatten().for_each(clean);
        for contact in &mut problem.contacts {
            let tangent = contact.tangent.iter_mut().flatten();
            let rows = contact.normal.iter_mut().chain(tangent);
            rows.chain(&mut contact.drift).for_each(clean);
        }
    }

    /// All consistent accelerations.
    pub(crate) fn answers(&self) -> Result<ForwardAnswers, ForwardInputError> {
        if self.touches.is_empty() {
            return Ok(ForwardAnswers {
                answers: vec![self.alone()],
                continua: Vec::new(),
            });
        }
        answers(&self.problem)
    }

    /// Without the answers in which a contact begins to slip that another holds: within the band of static
    /// friction what rests stays at rest.
    pub(crate) fn at_rest(&self, mut found: ForwardAnswers) -> ForwardAnswers {
        let all: Vec<_> = found.answers.iter().map(|one| self.modes(one)).collect();
        let is_held = |slips: &[(usize, ContactMode)], holds: &[(usize, ContactMode)]| {
            let mut differs = false;
            let modes = slips.iter().zip(holds).zip(&self.touches);
            let follows = modes.into_iter().all(|(((_, slip), (_, hold)), touch)| {
                let has_band = touch.friction.mu_s > touch.friction.mu_d && touch.rests();
                let is_band = slip.is_sliding() && *hold == ContactMode::Stick && has_band;
                differs |= is_band;
                slip == hold || is_band
            });
            follows && differs
        };
        let mut modes = all.iter();
        found.answers.retain(|_| {
            let slips = modes.next();
            slips.is_none_or(|slips| !all.iter().any(|holds| is_held(slips, holds)))
        });
        found
    }

    /// The answer where nothing touches.
    fn alone(&self) -> Answer {
        let own = self.problem.bias.iter().map(|x| -x);
        Answer {
            acceleration: match self.ways {
                Some(_) => own.collect(),
                None => self.free.clone(),
            },
            normal_load: Vec::new(),
            friction_force: Vec::new(),
            mode: Vec::new(),
            contact_acceleration: Vec::new(),
            tip_acceleration: None,
            index: 1,
            forces_unique: true,
        }
    }

    /// Modes of the contacts in an answer.
    ///
    /// Where forces may be shared in more than one way the same motion has several names: a foot of a bench
    /// that others can do without may be called open, or at its cone. What it does is then read off its
    /// acceleration.
    pub(crate) fn modes(&self, answer: &Answer) -> Vec<(usize, ContactMode)> {
        match answer.forces_unique {
            true => {
                let pairs = self.touches.iter().zip(&answer.mode);
                let named = pairs.map(|(touch, mode)| (touch.contact, touch.mode(*mode)));
                named.collect()
            }
            false => self.seen(answer),
        }
    }

    /// What the contacts do by their accelerations in an answer.
    pub(crate) fn seen(&self, answer: &Answer) -> Vec<(usize, ContactMode)> {
        let drifts = self.problem.contacts.iter().flat_map(|c| c.drift);
        let seen = answer.contact_acceleration.iter().flatten().copied();
        let size = drifts.chain(seen).fold(0.0f64, |size, x| size.max(x.abs()));
        let pairs = self.touches.iter().zip(&answer.contact_acceleration);
        let named = pairs.map(|(touch, a)| (touch.contact, touch.seen(*a, SEEN_STILL * size)));
        named.collect()
    }

    /// Of contacts without friction, whose accelerations are unique, the answer that closes most: others differ
    /// from it by round-off.
    pub(crate) fn of_smooth<'f>(&self, found: &'f ForwardAnswers) -> Option<&'f Answer> {
        let is_smooth = self.touches.iter().all(|touch| touch.friction.mu_s == 0.0);
        let closed = |answer: &&Answer| {
            let modes = answer.mode.iter();
            modes.filter(|mode| **mode != Mode::LiftOff).count()
        };
        let answers = found.answers.iter().filter(|_| is_smooth);
        answers.max_by_key(closed)
    }

    /// The contacts that stay closed in an answer.
    pub(crate) fn held(&self, answer: &Answer) -> Vec<Held> {
        let modes = self.modes(answer);
        let pairs = self.touches.iter().zip(modes);
        let held = pairs.map(|(touch, (contact, mode))| Held {
            contact,
            mode,
            way: mode.way(),
            tangents: self.tangents,
            mu_s: touch.friction.mu_s,
            mu_d: touch.friction.mu_d,
            radius: touch.radius,
        });
        held.filter(|held| held.mode != ContactMode::Open).collect()
    }

    /// A vector of the problem, of accelerations or of jumps, in the rates of the mechanism.
    pub(crate) fn jump(&self, reduced: &[f64]) -> Vec<f64> {
        let Some(ways) = &self.ways else {
            return reduced.to_vec();
        };
        let n = self.free.len();
        let mut all = vec![0.0; n];
        for (way, x) in ways.chunks_exact(n.max(1)).zip(reduced) {
            all.iter_mut().zip(way).for_each(|(a, w)| *a += w * x);
        }
        all
    }

    /// Answers in the rates of the mechanism.
    pub(crate) fn told(&self, answers: Vec<Answer>) -> Vec<Answer> {
        let told = answers.into_iter().map(|answer| Answer {
            acceleration: self.acceleration(&answer),
            ..answer
        });
        told.collect()
    }

    /// Accelerations of the mechanism in an answer.
    pub(crate) fn acceleration(&self, answer: &Answer) -> Vec<f64> {
        if self.ways.is_none() {
            return answer.acceleration.clone();
        }
        let pairs = answer.acceleration.iter().zip(&self.problem.bias);
        let beyond: Vec<f64> = pairs.map(|(a, b)| a + b).collect();
        let beyond = self.jump(&beyond);
        beyond.iter().zip(&self.free).map(|(a, b)| a + b).collect()
    }
}

/// Numbers below this are zero: their products have no digits left.
const LEAST: f64 = 1e-90;

fn clean(x: &mut f64) {
    if x.abs() < LEAST {
        *x = 0.0;
    }
}

/// A contact that touches, with what its accelerations are without contact forces; zero where those are
/// round-off.
pub(crate) fn contact(
    rows: &ContactRows,
    touch: &Touch,
    free: &[f64],
    scale: &Scale,
) -> ForwardContact {
    let drift = rows.drift(0).acceleration;
    let along = |row: &[f64], drift: f64| {
        let terms = row.iter().zip(free).map(|(j, a)| (j * a).abs());
        let (sum, size) = (dot(row, free) + drift, terms.sum::<f64>() + drift.abs());
        match scale.keeps_still(touch.contact, sum, size) {
            true => 0.0,
            false => sum,
        }
    };
    let tangent = rows.tangents(0).next();
    let tangent = tangent.filter(|_| touch.friction.mu_s > 0.0);
    ForwardContact {
        normal: rows.normal(0).to_vec(),
        tangent: tangent.map(<[f64]>::to_vec),
        drift: [
            along(rows.normal(0), drift.n),
            tangent.map_or(0.0, |row| along(row, drift.t[0])),
        ],
        slip: touch.slip[0],
        friction: touch.friction,
    }
}

/// The motions that closed loops leave, orthonormal in the norm of the mass matrix.
fn ways(
    mechanism: &mut dyn Dynamics,
    state: State<'_>,
    mass: &[f64],
) -> Result<Vec<f64>, MotionFault> {
    let n = state.v.len();
    let mut factor = Cholesky::new();
    factor.factor(mass, n).map_err(MotionFault::Mass)?;
    let mut closures = ConstraintRows::default();
    mechanism.constraint_rows(state, &mut closures);
    for row in closures.rows.chunks_exact_mut(n.max(1)) {
        factor.solve_lower(row);
    }
    let m = closures.count();
    let transposed = (0..n).flat_map(|k| (0..m).map(move |i| (i, k)));
    let transposed: Vec<f64> = transposed.map(|(i, k)| closures.rows[i * n + k]).collect();
    let mut found = CompleteOrthogonal::new();
    found.decompose(&transposed, m, n);
    let mut ways = Vec::new();
    found.null_space(&mut ways);
    for way in ways.chunks_exact_mut(n.max(1)) {
        factor.solve_lower_transposed(way);
    }
    Ok(ways)
}
