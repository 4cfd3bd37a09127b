//! The forward problem of contacts that touch in space.

use carom_contact::cone::PivotMode;
use carom_contact::contact_space::{self, ContactSpace};
use carom_contact::forward::space::{
    TouchAnswer, TouchContact, TouchMode, TouchPivot, TouchProblem, answers, equally_stiff,
};
use carom_contact::forward::{Answer, Mode};
use carom_multibody::mechanism::{MassSolver, Mechanism};
use carom_multibody::{ConstraintRows, State};
use carom_numeric::dot;

use crate::Stuck;
use crate::contact::closed::Held;
use crate::contact::mode::{ContactMode, Pivot};
use crate::contact::pivot::PivotRows;
use crate::contact::rows::ContactRows;
use crate::contact::standing::Touch;
use crate::contact::way::{Way, speed, unit};
use crate::scale::Scale;

/// An acceleration below this part of the accelerations there are is zero.
const SEEN_AT_REST: f64 = 1e-9;
/// Slips up to so many of the slowest keep their ways.
const KEEPS_WAY: f64 = 2.0;

/// Contacts that touch at a state, as rows (n, t1, t2) of a problem of accelerations, and those that resist
/// pivoting as one row more each.
pub(super) struct SpaceStanding {
    pub(super) touches: Vec<Touch>,
    pivots: Vec<Pivoting>,
    space: ContactSpace,
    w: Vec<f64>,
    pub(super) drift: Vec<f64>,
    /// Accelerations without contact forces.
    free: Vec<f64>,
    /// A slip up to this keeps its way (m/s).
    slow: f64,
}

/// A contact that resists pivoting, as a row: its rate times a length at which it turns as easily as it is pushed.
struct Pivoting {
    /// Its place among those that touch.
    place: usize,
    length: f64,
}

/// One motion that friction allows.
#[derive(Debug, Clone)]
pub(super) struct SpaceAnswer {
    /// What each contact does.
    pub(super) modes: Vec<(usize, ContactMode)>,
    /// Forces, three for each contact, then one for each pivot (N).
    pub(super) force: Vec<f64>,
    /// Accelerations of the contacts, in the same order (m/s²).
    pub(super) acceleration: Vec<f64>,
    is_force_unique: bool,
}

/// The motions that were found.
pub(super) struct Found {
    pub(super) answers: Vec<SpaceAnswer>,
    /// Whether there is no other.
    pub(super) is_complete: bool,
}

impl SpaceStanding {
    /// The forward problem of contacts at a state.
    pub(super) fn pose(
        mechanism: &mut dyn Mechanism,
        state: State<'_>,
        touches: Vec<Touch>,
        scale: &Scale,
    ) -> Result<Self, Stuck> {
        let n = state.v.len();
        let mut free = vec![0.0; n];
        let moved = mechanism.accelerations(state, &mut MassSolver::default(), &mut free);
        moved.map_err(Stuck::Fault)?;
        let mut mass = vec![0.0; n * n];
        mechanism.mass(state, &mut mass);
        let mut closures = ConstraintRows::default();
        if mechanism.constraints() > 0 {
            mechanism.constraint_rows(state, &mut closures);
        }
        let contacts: Vec<usize> = touches.iter().map(|touch| touch.contact).collect();
        let mut rows = ContactRows::default();
        rows.look(mechanism, state, &contacts);
        let mut turns = PivotRows::default();
        let resisted = touches.iter().filter(|touch| touch.radius > 0.0);
        turns.look(mechanism, state, resisted.map(|touch| (touch.contact, 1.0)));
        let mut space = ContactSpace::new();
        let at = contact_space::Mechanism {
            mass: &mass,
            velocity: &vec![0.0; n],
            rows: &[rows.all(), turns.all()].concat(),
            constraints: &closures.rows,
        };
        space.reduce(&at).map_err(Stuck::Reduction)?;
        let pivots = pivots(&touches, &space);
        let each = touches.iter().enumerate();
        let drifts = each.flat_map(|(i, touch)| drift(&rows, i, touch.contact, &free, scale));
        let mut drift: Vec<f64> = drifts.collect();
        let turned = (0..pivots.len()).map(|j| pivots[j].length * turn(&turns, j, &free, scale));
        drift.extend(turned);
        let m = drift.len();
        let pairs = (0..m).flat_map(|i| (0..m).map(move |j| (i, j)));
        let first = 3 * touches.len();
        let length = |i: usize| i.checked_sub(first).map_or(1.0, |j| pivots[j].length);
        let w = pairs.map(|(i, j)| length(i) * length(j) * space.w(i, j));
        Ok(Self {
            w: w.collect(),
            drift,
            touches,
            pivots,
            space,
            free,
            slow: KEEPS_WAY * scale.slow(),
        })
    }

    /// The contacts that touch.
    pub(super) fn contacts(&self) -> Vec<usize> {
        self.touches.iter().map(|touch| touch.contact).collect()
    }

    fn told_contacts(&self) -> Result<Vec<TouchContact>, Stuck> {
        self.touches.iter().map(contact).collect()
    }

    fn told_pivots(&self) -> Result<Vec<TouchPivot>, Stuck> {
        let told = self.pivots.iter().map(|pivot| {
            let touch = &self.touches[pivot.place];
            let friction = touch.friction.times(touch.radius / pivot.length);
            Ok(TouchPivot {
                contact: pivot.place,
                friction: friction.checked().map_err(Stuck::Friction)?,
                sense: Pivot::of(touch.spin).map(Pivot::sense),
            })
        });
        told.collect()
    }

    /// The motions that friction allows.
    pub(super) fn answers(&self) -> Result<Found, Stuck> {
        let found = answers(&TouchProblem {
            w: &self.w,
            drift: &self.drift,
            contacts: &self.told_contacts()?,
            pivots: &self.told_pivots()?,
        });
        let found = found.map_err(Stuck::Cone)?;
        Ok(Found {
            is_complete: found.is_complete,
            answers: found
                .answers
                .into_iter()
                .map(|one| self.seen(one))
                .collect(),
        })
    }

    /// Where contacts slide different ways and their loads repeat each other's work, the motion of equally stiff
    /// ones; none where one of them would pull, or none repeat.
    pub(super) fn shared_equally(&self) -> Result<Option<SpaceAnswer>, Stuck> {
        let found = equally_stiff(&TouchProblem {
            w: &self.w,
            drift: &self.drift,
            contacts: &self.told_contacts()?,
            pivots: &self.told_pivots()?,
        });
        Ok(found.map(|answer| self.seen(answer)))
    }

    /// Without the answers in which a contact begins to slip that another holds: within the band of static
    /// friction what rests stays at rest.
    pub(super) fn at_rest(&self, mut found: Found) -> Found {
        let all: Vec<_> = found.answers.iter().map(|one| one.modes.clone()).collect();
        let is_held = |slips: &[(usize, ContactMode)], holds: &[(usize, ContactMode)]| {
            let mut differs = false;
            let modes = slips.iter().zip(holds).zip(&self.touches);
            let follows = modes.into_iter().all(|(((_, slip), (_, hold)), touch)| {
                let has_band = touch.friction.mu_s > touch.friction.mu_d;
                let is_one = slip.without_pivot() == hold.without_pivot();
                let slips = slip.is_sliding() && hold.is_sticking() && has_band && touch.rests();
                let is_held = slip.pivot() == hold.pivot();
                let pivots = hold.pivot().is_none() && has_band && touch.spin == 0.0;
                let (is_along, is_about) = (is_one || slips, is_held || pivots);
                differs |= is_along && is_about && slip != hold;
                is_along && is_about
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

    /// What the contacts do in an answer: as it names them where its forces are unique, else by their
    /// accelerations.
    fn seen(&self, answer: TouchAnswer) -> SpaceAnswer {
        let largest = |list: &[f64]| list.iter().fold(0.0f64, |size, x| size.max(x.abs()));
        let size = largest(&self.drift).max(largest(&answer.acceleration));
        let noise = SEEN_AT_REST * size;
        let each = self.touches.iter().enumerate();
        let modes = each.map(|(i, touch)| {
            let (a_n, a_t) = (
                answer.acceleration[3 * i],
                tangential(&answer.acceleration, i),
            );
            let mode = match (answer.is_force_unique, answer.modes[i]) {
                (true, TouchMode::Lift) => ContactMode::Open,
                (false, _) if a_n > noise => ContactMode::Open,
                _ if !touch.is_rough() => ContactMode::Closed,
                _ if !touch.rests() => ContactMode::Slide,
                // On its cone, and held by others.
                _ if speed(a_t) <= noise => ContactMode::Stick,
                (true, TouchMode::Stick) => ContactMode::Stick,
                _ => ContactMode::Slide,
            };
            let pivot = self.pivot(i, &answer, noise);
            (touch.contact, mode.with_pivot(pivot))
        });
        SpaceAnswer {
            modes: modes.collect(),
            force: answer.force,
            acceleration: answer.acceleration,
            is_force_unique: answer.is_force_unique,
        }
    }

    /// How contact `i` pivots in an answer: as it did, or as it begins to.
    fn pivot(&self, i: usize, answer: &TouchAnswer, noise: f64) -> Option<Pivot> {
        let j = self.pivots.iter().position(|pivot| pivot.place == i)?;
        let rate = match (Pivot::of(self.touches[i].spin), answer.is_force_unique) {
            (Some(pivot), _) => pivot.sense(),
            (None, true) => answer.pivots.get(j).copied().map_or(0.0, PivotMode::sense),
            (None, false) => match answer.acceleration[3 * self.touches.len() + j] {
                a if a.abs() > noise => a,
                _ => 0.0,
            },
        };
        Pivot::of(rate)
    }

    /// Whether contacts that are about to pivot do so in an answer, up to so much of its terms.
    pub(super) fn all_pivot(
        &self,
        answer: &SpaceAnswer,
        noise: f64,
        begins: impl Fn(usize) -> bool,
    ) -> bool {
        let first = 3 * self.touches.len();
        self.pivots.iter().enumerate().all(|(j, pivot)| {
            let touch = &self.touches[pivot.place];
            let (a, drift) = (answer.acceleration[first + j], self.drift[first + j]);
            let room = noise * (a.abs() + drift.abs());
            !begins(touch.contact) || a * touch.spin.signum() >= -room
        })
    }

    /// The contacts that stay closed in an answer, each with the way it slips.
    pub(super) fn held(&self, answer: &SpaceAnswer) -> Vec<Held> {
        let each = self.touches.iter().zip(&answer.modes).enumerate();
        let held = each.map(|(i, (touch, (contact, mode)))| Held {
            contact: *contact,
            mode: *mode,
            way: match mode.is_sliding_in_space() {
                true => self.way(touch, tangential(&answer.acceleration, i)),
                false => Way::NONE,
            },
            tangents: 2,
            mu_s: touch.friction.mu_s,
            mu_d: touch.friction.mu_d,
            radius: touch.radius,
        });
        held.filter(|held| held.mode != ContactMode::Open).collect()
    }

    /// The way of a contact that slips, or begins to.
    fn way(&self, touch: &Touch, a_t: [f64; 2]) -> Way {
        match unit(touch.slip) {
            Some(_) if speed(touch.slip) > self.slow => Way::Turning,
            Some(way) => Way::Fixed(way),
            None => unit(a_t).map_or(Way::NONE, Way::Fixed),
        }
    }

    /// Accelerations of the mechanism in an answer.
    pub(super) fn acceleration(&self, answer: &SpaceAnswer) -> Vec<f64> {
        let (mut all, mut force) = (self.free.clone(), answer.force.clone());
        let turns = force.iter_mut().skip(3 * self.touches.len());
        turns
            .zip(&self.pivots)
            .for_each(|(torque, pivot)| *torque *= pivot.length);
        self.space.apply(&force, &mut all);
        all
    }

    /// An answer in the rates of the mechanism.
    pub(super) fn told(&self, answer: &SpaceAnswer) -> Answer {
        let each = || 0..self.touches.len();
        let mode = |(_, mode): &(usize, ContactMode)| match mode.without_pivot() {
            ContactMode::Open => Mode::LiftOff,
            ContactMode::Stick => Mode::Stick,
            _ => Mode::Slide,
        };
        Answer {
            acceleration: self.acceleration(answer),
            normal_load: each().map(|i| answer.force[3 * i]).collect(),
            friction_force: each()
                .map(|i| speed(tangential(&answer.force, i)))
                .collect(),
            mode: answer.modes.iter().map(mode).collect(),
            contact_acceleration: each()
                .map(|i| {
                    [
                        answer.acceleration[3 * i],
                        speed(tangential(&answer.acceleration, i)),
                    ]
                })
                .collect(),
            tip_acceleration: None,
            index: 0,
            forces_unique: answer.is_force_unique,
        }
    }
}

/// The tangential pair of contact `i` in a list of three for each.
pub(super) fn tangential(list: &[f64], i: usize) -> [f64; 2] {
    [list[3 * i + 1], list[3 * i + 2]]
}

/// A contact as the problem sees it; without friction it slides along any way.
fn contact(touch: &Touch) -> Result<TouchContact, Stuck> {
    Ok(TouchContact {
        friction: touch.friction.checked().map_err(Stuck::Friction)?,
        slip: match touch.is_rough() {
            true => unit(touch.slip),
            false => Some([1.0, 0.0]),
        },
    })
}

/// Accelerations of contact `i` without contact forces, zero where they are round-off.
fn drift(rows: &ContactRows, i: usize, contact: usize, free: &[f64], scale: &Scale) -> [f64; 3] {
    let drift = rows.drift(i).acceleration;
    let drifts = [drift.n, drift.t[0], drift.t[1]];
    let mut along = [rows.normal(i)]
        .into_iter()
        .chain(rows.tangents(i))
        .zip(drifts);
    std::array::from_fn(|_| {
        let Some((row, drift)) = along.next() else {
            return 0.0;
        };
        let terms = row.iter().zip(free).map(|(j, a)| (j * a).abs());
        let (sum, size) = (dot(row, free) + drift, terms.sum::<f64>() + drift.abs());
        match scale.keeps_still(contact, sum, size) {
            true => 0.0,
            false => sum,
        }
    })
}

/// The contacts that resist pivoting, each with the length at which it turns as easily as it is pushed; where it
/// cannot turn, the radius of its friction.
fn pivots(touches: &[Touch], space: &ContactSpace) -> Vec<Pivoting> {
    let resisted = touches.iter().enumerate();
    let resisted = resisted.filter(|(_, touch)| touch.radius > 0.0);
    let pivots = resisted.enumerate().map(|(j, (place, touch))| {
        let row = 3 * touches.len() + j;
        let length = (space.w(3 * place, 3 * place) / space.w(row, row)).sqrt();
        Pivoting {
            place,
            length: match length.is_normal() {
                true => length,
                false => touch.radius,
            },
        }
    });
    pivots.collect()
}

/// Rate of the pivoting of contact `j` without contact forces, zero where that is round-off (rad/s²).
fn turn(rows: &PivotRows, j: usize, free: &[f64], scale: &Scale) -> f64 {
    let Some((row, drift)) = rows.row(j) else {
        return 0.0;
    };
    let terms = row.iter().zip(free).map(|(j, a)| (j * a).abs());
    let size = terms.sum::<f64>() + drift.acceleration.abs();
    let sum = rows.acceleration(j, free);
    if scale.keeps_pivot(sum, size) {
        0.0
    } else {
        sum
    }
}
