//! The contacts in contact space, three rows each, and back.

use super::super::SpatialClosing;
use super::super::ending::{Choice, ContactEnd, Ending, Way, slip_type};
use crate::cone::{ConeImpact, ConeImpactEnd, ConeMode, Verdict};
use crate::contact_space::{ContactSpace, Friction, SpatialVector};
use crate::impact::{ContactType, Mode, Outcome};

/// Contacts as a cone impact. A row that a contact has not is zero.
pub(super) struct Posed<'a> {
    closing: &'a SpatialClosing<'a>,
    w: Vec<f64>,
    v: Vec<f64>,
    friction: Vec<Friction>,
    /// What the rows of each contact are multiplied by.
    scale: Vec<f64>,
}

impl<'a> Posed<'a> {
    pub(super) fn of(space: &ContactSpace, closing: &'a SpatialClosing<'a>) -> Self {
        let k = closing.normals.len();
        let scale = scales(space, closing);
        let rows: Vec<Option<usize>> = (0..k).flat_map(|i| closing.rows(i)).collect();
        let element = |a: usize, b: usize| match (rows[a], rows[b]) {
            (Some(i), Some(j)) => scale[a / 3] * scale[b / 3] * space.w(i, j),
            _ => 0.0,
        };
        let w = (0..3 * k).flat_map(|a| (0..3 * k).map(move |b| (a, b)));
        let w = w.map(|(a, b)| element(a, b)).collect();
        let v = closing.v.iter().zip(&scale);
        let v = v.flat_map(|(v, s)| [v.n, v.t[0], v.t[1]].map(|x| s * x));
        let friction = (0..k).map(|i| match closing.tangents[i] {
            [None, _] => Friction::NONE,
            _ => closing.friction[i],
        });
        Self {
            w,
            v: v.collect(),
            friction: friction.collect(),
            scale,
            closing,
        }
    }

    pub(super) fn impact(&self) -> ConeImpact<'_> {
        ConeImpact {
            w: &self.w,
            v: &self.v,
            friction: &self.friction,
            restitution: self.closing.restitution,
        }
    }

    /// An end in the units of the contacts; `impulses`: whether those of the first end are unique.
    pub(super) fn ending(&self, end: &ConeImpactEnd, impulses: Verdict) -> Ending {
        let k = self.scale.len();
        let contacts: Vec<ContactEnd> = (0..k).map(|i| self.contact(end, i)).collect();
        let misses = end.phases.iter().map(|phase| phase.residual.natural);
        let slack = Ending::ENERGY_TOLERANCE * end.energy_scale;
        Ending {
            contacts,
            energy_change: end.energy_change + 0.0,
            energy_scale: end.energy_scale,
            energy_gain: end.energy_change > slack.max(GAIN * end.energy_scale),
            impulses_unique: vec![impulses != Verdict::Several; k],
            complementarity: misses.fold(0.0, f64::max),
            choice: Choice::EqualCompliance,
            ..Ending::without(Outcome::Solved, Way::Modes(self.modes(end)))
        }
    }

    fn contact(&self, end: &ConeImpactEnd, i: usize) -> ContactEnd {
        let s = self.scale[i];
        let at = |list: &[f64], unit: f64| SpatialVector {
            n: list[3 * i] * unit + 0.0,
            t: [1, 2].map(|k| list[3 * i + k] * unit + 0.0),
        };
        let [n, t_1, t_2] = end.work[i].map(|x| x + 0.0);
        let (impulse, v_post) = (at(&end.impulse, s), at(&end.v_post, 1.0 / s));
        let is_rough = self.friction[i].mu_s() > 0.0;
        let v_t_comp = match &end.phases[..] {
            [first, _] => at(&first.v, 1.0 / s).t,
            _ => v_post.t,
        };
        let contact_type = match self.closing.tangents[i] {
            _ if impulse.n == 0.0 => ContactType::NoImpact,
            [None, _] => ContactType::Frictionless,
            [_, Some(_)] if !is_rough => ContactType::Frictionless,
            _ => slip_type([self.closing.v[i].t, v_t_comp, v_post.t]),
        };
        ContactEnd {
            impulse,
            v_post,
            work: SpatialVector { n, t: [t_1, t_2] },
            contact_type,
        }
    }

    /// Modes in the last phase; none where a contact is open or without friction.
    fn modes(&self, end: &ConeImpactEnd) -> Vec<Option<Mode>> {
        let mode = |(i, mode): (usize, &ConeMode)| match (mode, self.closing.tangents[i]) {
            _ if self.friction[i].mu_s() == 0.0 => None,
            (ConeMode::Open, _) => None,
            (ConeMode::Stick, _) => Some(Mode::Stick),
            (ConeMode::Slide, [_, Some(_)]) => Some(Mode::Slip),
            (ConeMode::Slide, _) => Some(Mode::slip(end.v_post[3 * i + 1])),
        };
        end.modes.iter().enumerate().map(mode).collect()
    }
}

/// A gain of energy below this part of the works is what an answer may miss of its laws.
const GAIN: f64 = 1e-9;

/// Rows of a contact without a tangent may be in units of their own (the stop of an angle): they are brought to
/// the size of the others. Compliances are equal beside that.
fn scales(space: &ContactSpace, closing: &SpatialClosing<'_>) -> Vec<f64> {
    let size = |i: usize| space.w(closing.normals[i], closing.normals[i]);
    let k = closing.normals.len();
    let with: Vec<f64> = (0..k)
        .filter(|&i| closing.tangents[i][0].is_some())
        .map(size)
        .collect();
    let mean = with.iter().sum::<f64>() / with.len() as f64;
    let scale = |i: usize| match closing.tangents[i][0] {
        None if size(i) > 0.0 && mean > 0.0 => (mean / size(i)).sqrt(),
        _ => 1.0,
    };
    (0..k).map(scale).collect()
}
