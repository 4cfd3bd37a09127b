//! Where a path stands: velocities, impulses, and what every contact does.

use super::problem::PathImpact;
use crate::impact::Law;

/// What the spring of a contact does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Press {
    /// No force; a gap, or none.
    Open,
    /// `v_n < 0`: the force grows.
    Loading,
    /// `v_n > 0`: the force falls.
    Unloading,
}

/// What friction does at a contact.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Grip {
    /// No friction.
    Smooth,
    /// `v_t = 0`, and what follows is not decided.
    Rest,
    /// `v_t = 0` within the cone.
    Stick,
    /// `v_t ≠ 0`, or about to be, along this direction; in the plane its first number is the sign.
    Slip([f64; 2]),
    /// `v_t = 0` on the cone: what moves with it is held by others.
    Held([f64; 2]),
}

/// One contact on its way.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Site {
    pub(super) press: Press,
    pub(super) grip: Grip,
    /// Normal force F.
    pub(super) load: f64,
    /// The other component of Poisson's pulse, `F_c sin Ωτ`.
    pub(super) swing: f64,
    /// Ω of Poisson's pulse.
    pub(super) pulse: f64,
    /// Impulse that Poisson's restitution has still to answer, at `mark`.
    pub(super) account: f64,
    /// Normal impulse when the present phase began.
    pub(super) mark: f64,
    /// Distance that the bodies have parted by.
    pub(super) gap: f64,
    /// It has just passed the static cone, and slips.
    pub(super) is_broken: bool,
    /// Weight of its friction where contacts that stick share theirs.
    pub(super) weight: f64,
}

/// All contacts at a moment. Units: the largest `W_nn` and the largest speed are one.
#[derive(Debug, Clone)]
pub(super) struct State {
    pub(super) v: Vec<f64>,
    pub(super) p: Vec<f64>,
    pub(super) work: Vec<f64>,
    pub(super) sites: Vec<Site>,
    /// Largest size that each velocity has had, or the terms of it.
    pub(super) reach: Vec<f64>,
    /// Part of its largest size below which a slip has halted.
    pub(super) halted: f64,
}

/// A velocity below this part of the largest it has been is round-off.
pub(super) const NOISE: f64 = 1e-14;

/// An approach or a slip below this part of the largest at its row is rest.
pub(super) const AT_REST: f64 = 1e-13;

/// A slip below this part of its largest size has halted.
pub(super) const HALTED: f64 = 1e-14;

/// Tangents whose determinant is below this part of its terms hardly move along one direction.
const STIFF: f64 = 1e-6;

/// The terms of each velocity, or what the fastest normal velocity can make of it.
fn first_reach(impact: &PathImpact) -> Vec<f64> {
    let n = impact.rows();
    let size = |row: usize| impact.w[row * (n + 1)].max(0.0).sqrt();
    let speeds = impact.starts.iter().filter(|row| size(**row) > 0.0);
    let speeds = speeds.map(|row| impact.v[*row].abs() / size(*row));
    let speed = speeds.fold(0.0, f64::max);
    let rows = impact.terms.iter().enumerate();
    rows.map(|(row, terms)| terms.max(speed * size(row)))
        .collect()
}

impl State {
    pub(super) fn start(impact: &PathImpact) -> Self {
        let still = |(v, terms): (&f64, &f64)| match v.abs() <= AT_REST * terms {
            true => 0.0,
            false => *v,
        };
        let site = Site {
            press: Press::Open,
            grip: Grip::Smooth,
            load: 0.0,
            swing: 0.0,
            pulse: 0.0,
            account: 0.0,
            mark: 0.0,
            gap: 0.0,
            is_broken: false,
            weight: 1.0,
        };
        let rows = impact.rows();
        Self {
            v: impact.v.iter().zip(&impact.terms).map(still).collect(),
            p: vec![0.0; rows],
            work: vec![0.0; rows],
            sites: vec![site; impact.contacts.len()],
            reach: first_reach(impact),
            halted: HALTED,
        }
    }

    pub(super) fn is_loaded(&self, contact: usize) -> bool {
        self.sites[contact].press != Press::Open
    }

    /// Size of the slip of a contact.
    pub(super) fn slip(&self, impact: &PathImpact, contact: usize) -> f64 {
        let span = impact.span(contact);
        let squares = self.v[span.start + 1..span.end].iter().map(|x| x * x);
        squares.sum::<f64>().sqrt()
    }

    /// The largest slip a contact has had.
    pub(super) fn slip_reach(&self, impact: &PathImpact, contact: usize) -> f64 {
        let span = impact.span(contact);
        let squares = self.reach[span.start + 1..span.end].iter().map(|x| x * x);
        squares.sum::<f64>().sqrt()
    }

    /// The contact begins to be pressed.
    pub(super) fn press(&mut self, impact: &PathImpact, contact: usize) {
        let start = impact.starts[contact];
        let grip = self.first_grip(impact, contact);
        let site = &mut self.sites[contact];
        site.press = Press::Loading;
        site.grip = grip;
        (site.load, site.gap, site.account) = (0.0, 0.0, 0.0);
        site.mark = self.p[start];
    }

    fn first_grip(&self, impact: &PathImpact, contact: usize) -> Grip {
        if !impact.contacts[contact].is_rough() {
            return Grip::Smooth;
        }
        let slip = self.slip(impact, contact);
        match slip <= AT_REST * self.slip_reach(impact, contact) {
            true => Grip::Rest,
            false => Grip::Slip(self.direction(impact, contact, slip)),
        }
    }

    fn direction(&self, impact: &PathImpact, contact: usize, slip: f64) -> [f64; 2] {
        let span = impact.span(contact);
        let mut u = [0.0; 2];
        for (u, v) in u.iter_mut().zip(&self.v[span.start + 1..span.end]) {
            *u = v / slip;
        }
        u
    }

    /// Greatest compression: the force begins to fall, or is gone at once. Whether it is gone.
    pub(super) fn turn(&mut self, impact: &PathImpact, contact: usize) -> bool {
        let start = impact.starts[contact];
        let rules = &impact.contacts[contact];
        let restitution = rules.returns();
        let site = &mut self.sites[contact];
        self.v[start] = 0.0;
        site.account += self.p[start] - site.mark;
        site.mark = self.p[start];
        let is_nothing = site.account <= f64::EPSILON * site.mark;
        if restitution == 0.0 || site.load == 0.0 || (rules.law == Law::Poisson && is_nothing) {
            let is_jump = site.load > 0.0;
            self.open(contact);
            return is_jump;
        }
        site.press = Press::Unloading;
        if rules.law == Law::Poisson {
            site.swing = 0.0;
            site.pulse = site.load / (restitution * site.account);
        }
        false
    }

    /// The bodies approach again before they have parted.
    pub(super) fn press_again(&mut self, impact: &PathImpact, contact: usize) {
        let start = impact.starts[contact];
        let restitution = impact.contacts[contact].returns();
        let site = &mut self.sites[contact];
        self.v[start] = 0.0;
        site.press = Press::Loading;
        site.account -= (self.p[start] - site.mark) / restitution;
        site.mark = self.p[start];
    }

    /// The force is used up.
    pub(super) fn open(&mut self, contact: usize) {
        let site = &mut self.sites[contact];
        site.press = Press::Open;
        site.grip = Grip::Smooth;
        (site.load, site.gap, site.account) = (0.0, 0.0, 0.0);
        site.is_broken = false;
    }

    /// Forces jump: what rests is decided anew.
    pub(super) fn ask_again(&mut self) {
        for site in &mut self.sites {
            if matches!(site.grip, Grip::Stick | Grip::Held(_)) {
                site.grip = Grip::Rest;
            }
        }
    }

    /// The friction that stops the slip of a contact; none where its tangents hardly move.
    fn last_push(&self, impact: &PathImpact, contact: usize) -> [f64; 2] {
        let (row, n) = (impact.starts[contact] + 1, impact.rows());
        let w = |a: usize, b: usize| impact.w[(row + a) * n + row + b];
        if impact.contacts[contact].tangents < 2 {
            return match w(0, 0) > 0.0 {
                true => [-self.v[row] / w(0, 0), 0.0],
                false => [0.0; 2],
            };
        }
        let determinant = w(0, 0) * w(1, 1) - w(0, 1) * w(1, 0);
        if determinant <= STIFF * w(0, 0) * w(1, 1) {
            return [0.0; 2];
        }
        let (x, y) = (self.v[row], self.v[row + 1]);
        [
            -(w(1, 1) * x - w(0, 1) * y) / determinant,
            -(w(0, 0) * y - w(1, 0) * x) / determinant,
        ]
    }

    /// What others held may be free to slip.
    pub(super) fn let_go(&mut self) {
        for site in &mut self.sites {
            if let Grip::Held(u) = site.grip {
                site.grip = Grip::Slip(u);
            }
        }
    }

    /// Slip has halted; what is left of it is taken from all that moves with it.
    pub(super) fn halt(&mut self, impact: &PathImpact, contact: usize) {
        let span = impact.span(contact);
        let n = impact.rows();
        for (row, push) in span.clone().skip(1).zip(self.last_push(impact, contact)) {
            self.p[row] += push;
            let each = self.v.iter_mut().enumerate();
            each.for_each(|(other, v)| *v += impact.w[other * n + row] * push);
        }
        self.sites[contact].grip = Grip::Rest;
        self.sites[contact].is_broken = false;
        self.ask_again();
        for (i, site) in self.sites.iter().enumerate() {
            if site.grip == Grip::Rest {
                let span = impact.span(i);
                self.v[span.start + 1..span.end].fill(0.0);
            }
        }
    }
}
