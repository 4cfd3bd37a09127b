//! From coordinates to contact space, through the impact, and back.

use super::planar::{
    ContactType, ImpactEnd, ImpulsePlane, Mode, PlanarImpact, PlanarSolution, impulse_plane,
};
use super::result::{
    ConstraintResult, ContactResult, Determinacy, ImpactResult, Pair, PathCorner, Residuals,
};
use super::{Contact, ImpactInputError, ImpactProblem, Law, Method, Note, planar};
use crate::space::{ContactSpace, Friction, Mechanism, PlanarDelassus, PlanarVector};

/// Solves an impact problem by one law.
///
/// With one contact the method makes no difference; it is carried into the result.
pub fn solve(
    problem: &ImpactProblem,
    law: Law,
    method: Method,
) -> Result<ImpactResult, ImpactInputError> {
    let mut reduced = Reduced::of(problem)?;
    let overflow = |_| ImpactInputError::Overflow { contact: 0 };
    let solution = planar::solve(&reduced.impact, law).map_err(overflow)?;
    let contact = &problem.contacts[0];
    let velocity = solution
        .end
        .map(|end| reduced.velocity_after(problem, &end));
    let (residuals, constraints) = reduced.balances(problem, &solution, velocity.as_deref());
    let result = ImpactResult {
        law,
        method,
        outcome: solution.outcome,
        energy_change: solution.end.map(|end| end.energy_change),
        contacts: vec![contact_result(contact, &reduced.impact, &solution)],
        constraints,
        determinacy: determinacy(&reduced.impact.w(), contact, &solution),
        residuals,
        notes: notes(problem, contact, &solution, &reduced.joint_rates),
        velocity,
    };
    let is_finite = |values: &[f64]| values.iter().all(|x| x.is_finite());
    let lambdas = result
        .constraints
        .iter()
        .filter_map(|c| c.impulse.as_deref());
    if result.velocity.as_deref().is_none_or(is_finite) && lambdas.into_iter().all(is_finite) {
        Ok(result)
    } else {
        Err(ImpactInputError::Overflow { contact: 0 })
    }
}

/// The impulse plane of the problem's contact, with the ends of the laws asked for.
pub fn diagram(problem: &ImpactProblem, laws: &[Law]) -> Result<ImpulsePlane, ImpactInputError> {
    let reduced = Reduced::of(problem)?;
    let overflow = |_| ImpactInputError::Overflow { contact: 0 };
    let solutions = laws
        .iter()
        .map(|law| planar::solve(&reduced.impact, *law).map_err(overflow))
        .collect::<Result<Vec<_>, _>>()?;
    Ok(impulse_plane(&reduced.impact, &solutions))
}

/// The problem in contact space.
struct Reduced {
    space: ContactSpace,
    mass: Vec<f64>,
    rows: Vec<f64>,
    joints: Vec<f64>,
    joint_rates: Vec<f64>,
    impact: PlanarImpact,
}

impl Reduced {
    fn of(problem: &ImpactProblem) -> Result<Self, ImpactInputError> {
        problem.check()?;
        let contact = &problem.contacts[0];
        let mass = problem.mass.concat();
        let mut rows = contact.normal.clone();
        rows.extend(contact.tangent.iter().flatten());
        let joint_rows = problem.constraints.iter().flat_map(|c| c.rows.iter());
        let joints: Vec<f64> = joint_rows.flatten().copied().collect();
        let mut space = ContactSpace::new();
        space
            .reduce(&Mechanism {
                mass: &mass,
                velocity: &problem.velocity,
                rows: &rows,
                constraints: &joints,
            })
            .map_err(ImpactInputError::Mechanism)?;
        let n = problem.velocity.len();
        let joint_rates = joints
            .chunks_exact(n)
            .map(|row| dot(row, &problem.velocity));
        let joint_rates = joint_rates.collect();
        let impact = planar_impact(&space, contact)?;
        Ok(Self {
            space,
            mass,
            rows,
            joints,
            joint_rates,
            impact,
        })
    }

    fn velocity_after(&mut self, problem: &ImpactProblem, end: &ImpactEnd) -> Vec<f64> {
        let mut velocity = problem.velocity.clone();
        self.space.apply(&self.impulses(end), &mut velocity);
        velocity
    }

    /// One impulse per contact row.
    fn impulses(&self, end: &ImpactEnd) -> Vec<f64> {
        let rows = self.rows.len() / self.space.coordinates();
        [end.impulse.n, end.impulse.t][..rows].to_vec()
    }

    /// Residuals in generalised coordinates, and the constraint impulses they need.
    fn balances(
        &mut self,
        problem: &ImpactProblem,
        solution: &PlanarSolution,
        velocity: Option<&[f64]>,
    ) -> (Residuals, Vec<ConstraintResult>) {
        let (Some(end), Some(after)) = (solution.end, velocity) else {
            let none = Residuals {
                momentum: None,
                energy: None,
                cone: None,
            };
            return (none, self.constraint_results(problem, None));
        };
        let p = self.impulses(&end);
        let n = self.space.coordinates();
        let mut lambda = vec![0.0; self.joints.len() / n];
        self.space.constraint_impulses(&p, &mut lambda);
        let before = &problem.velocity;
        let momentum = self.momentum_residual(before, after, &p, &lambda);
        let kinetic = |v: &[f64]| -> f64 {
            let rows = self.mass.chunks_exact(n);
            0.5 * rows.zip(v).map(|(row, x)| x * dot(row, v)).sum::<f64>()
        };
        let (t_before, t_after) = (kinetic(before), kinetic(after));
        let miss = (t_after - t_before - end.energy_change).abs();
        let energy = ratio(miss, t_before.max(t_after)).max(end.energy_residual);
        let residuals = Residuals {
            momentum: Some(momentum.max(end.momentum_residual)),
            energy: Some(energy),
            cone: Some(cone_residual(&self.impact, solution)),
        };
        (residuals, self.constraint_results(problem, Some(&lambda)))
    }

    fn momentum_residual(&self, before: &[f64], after: &[f64], p: &[f64], lambda: &[f64]) -> f64 {
        let n = before.len();
        let change: Vec<f64> = after.iter().zip(before).map(|(a, b)| a - b).collect();
        let (mut worst, mut largest) = (0.0f64, 0.0f64);
        for i in 0..n {
            let gained = dot(&self.mass[i * n..(i + 1) * n], &change);
            let column = |rows: &[f64], x: &[f64]| -> f64 {
                rows.chunks_exact(n).zip(x).map(|(row, x)| row[i] * x).sum()
            };
            let (pushed, held) = (column(&self.rows, p), column(&self.joints, lambda));
            worst = worst.max((gained - pushed - held).abs());
            largest = largest.max(gained.abs()).max(pushed.abs()).max(held.abs());
        }
        ratio(worst, largest)
    }

    fn constraint_results(
        &self,
        problem: &ImpactProblem,
        lambda: Option<&[f64]>,
    ) -> Vec<ConstraintResult> {
        let mut start = 0;
        let mut results = Vec::with_capacity(problem.constraints.len());
        for constraint in &problem.constraints {
            let range = start..start + constraint.rows.len();
            start = range.end;
            results.push(ConstraintResult {
                name: constraint.name.clone(),
                impulse: lambda.map(|x| x[range.clone()].iter().map(|x| x + 0.0).collect()),
                unique: range.map(|j| self.space.constraint_is_unique(j)).collect(),
            });
        }
        results
    }
}

fn dot(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).map(|(a, b)| a * b).sum()
}

fn ratio(miss: f64, largest: f64) -> f64 {
    if largest == 0.0 { 0.0 } else { miss / largest }
}

/// The contact in its own plane. Without a tangent row nothing moves it sideways.
fn planar_impact(
    space: &ContactSpace,
    contact: &Contact,
) -> Result<PlanarImpact, ImpactInputError> {
    let overflow = ImpactInputError::Overflow { contact: 0 };
    let (w, v_t, friction) = if contact.tangent.is_some() {
        let friction = contact.coefficients();
        let friction =
            friction.map_err(|source| ImpactInputError::Friction { contact: 0, source })?;
        (space.planar(0, 1), space.v(1), friction)
    } else {
        let nn = dot(space.vector(0), space.vector(0));
        (PlanarDelassus::new(nn, 0.0, 0.0), 0.0, Friction::NONE)
    };
    let v = PlanarVector {
        n: space.v(0),
        t: v_t,
    };
    let w = w.map_err(|_| overflow.clone())?;
    PlanarImpact::new(w, v, friction, contact.restitution).map_err(|_| overflow)
}

fn contact_result(contact: &Contact, impact: &PlanarImpact, s: &PlanarSolution) -> ContactResult {
    let has_tangent = contact.tangent.is_some();
    let pair = |v: Option<PlanarVector>, tangent_is_known: bool| Pair {
        normal: v.map(|v| v.n),
        tangent: v.map(|v| v.t).filter(|_| tangent_is_known),
    };
    let contact_type = match s.contact_type {
        ContactType::NoImpact => ContactType::NoImpact,
        _ if !has_tangent => ContactType::Frictionless,
        known => known,
    };
    let corner = |point: &planar::PathPoint| PathCorner {
        p_n: point.p_n,
        p_t: point.p_t,
        v_n: point.v_n,
        v_t: has_tangent.then_some(point.v_t),
        phase: point.phase,
        mode: has_tangent.then_some(point.mode),
    };
    ContactResult {
        name: contact.name.clone(),
        contact_type,
        started_at_rest: has_tangent && s.started_at_rest,
        impulse: pair(s.end.map(|end| end.impulse), true),
        velocity_before: pair(Some(impact.v_pre()), has_tangent),
        velocity_after: pair(s.end.map(|end| end.v_post), has_tangent),
        work: pair(s.end.map(|end| end.work), true),
        path: s.path().iter().map(corner).collect(),
    }
}

/// Worst excess of `|dp_t|` over the cone, on the segments of the path or on the totals.
fn cone_residual(impact: &PlanarImpact, s: &PlanarSolution) -> f64 {
    let friction = impact.friction();
    let path = s.path();
    let excess = |p_n: f64, p_t: f64, mu: f64| (p_t.abs() - mu * p_n).max(0.0);
    let total = s.end.map_or(0.0, |end| end.impulse.n);
    if !s.law.follows_the_path() {
        let p_t = s.end.map_or(0.0, |end| end.impulse.t);
        return ratio(excess(total, p_t, friction.mu_s()), total);
    }
    let worst = path.windows(2).map(|ends| {
        let mu = match ends[0].mode {
            Mode::Stick => friction.mu_s(),
            Mode::SlipForward | Mode::SlipBackward => friction.mu_d(),
        };
        excess(ends[1].p_n - ends[0].p_n, ends[1].p_t - ends[0].p_t, mu)
    });
    ratio(worst.fold(0.0, f64::max), total)
}

fn determinacy(w: &PlanarDelassus, contact: &Contact, s: &PlanarSolution) -> Determinacy {
    let has_tangent = contact.tangent.is_some();
    let rank = if has_tangent {
        w.rank()
    } else {
        usize::from(w.nn() > 0.0)
    };
    Determinacy {
        rank,
        null_space: null_space(w, has_tangent),
        velocity_unique: s.end.is_some(),
        impulses_unique: vec![
            s.end.is_some() && !(has_tangent && s.findings.tangent_impulse_undetermined),
        ],
        compatibility_residual: 0.0,
        condition: condition(w, has_tangent),
    }
}

/// Impulses that change no contact velocity, as unit vectors (normal, tangent).
fn null_space(w: &PlanarDelassus, has_tangent: bool) -> Vec<Vec<f64>> {
    if !has_tangent {
        return if w.nn() > 0.0 {
            vec![]
        } else {
            vec![vec![1.0]]
        };
    }
    match w.rank() {
        2 => vec![],
        0 => vec![vec![1.0, 0.0], vec![0.0, 1.0]],
        // W = x xᵀ: the null vector is orthogonal to either row; the longer row is the safer.
        _ => {
            let (x, y) = if w.nn() >= w.tt() {
                (-w.nt(), w.nn())
            } else {
                (w.tt(), -w.nt())
            };
            let length = x.hypot(y);
            vec![vec![x / length + 0.0, y / length + 0.0]]
        }
    }
}

/// Ratio of the eigenvalues of W, the small one by its stable form `det/λ_max`.
fn condition(w: &PlanarDelassus, has_tangent: bool) -> Option<f64> {
    if !has_tangent {
        return (w.nn() > 0.0).then_some(1.0);
    }
    let mean = 0.5 * (w.nn() + w.tt());
    let large = mean + (0.5 * (w.nn() - w.tt())).hypot(w.nt());
    let small = w.nn_stuck() * (w.tt() / large);
    (w.rank() == 2)
        .then(|| large / small)
        .filter(|x| x.is_finite())
}

fn notes(
    problem: &ImpactProblem,
    contact: &Contact,
    solution: &PlanarSolution,
    joint_rates: &[f64],
) -> Vec<Note> {
    let mut notes = Note::of(solution);
    if contact.tangent.is_none() {
        notes.retain(|note| note.code != "tangent_impulse_undetermined");
        if contact.friction.0 > 0.0 {
            notes.push(Note::new(
                "friction_without_tangent",
                format!(
                    "contact {} has friction {} but no tangent row: it is solved as frictionless",
                    contact.name, contact.friction.0
                ),
            ));
        }
    }
    let fastest = joint_rates.iter().fold(0.0f64, |a, b| a.max(b.abs()));
    let scale = problem.velocity.iter().fold(0.0f64, |a, b| a.max(b.abs()));
    if fastest > MOVING * scale {
        notes.push(Note::new(
            "moving_constraint",
            format!(
                "the velocity given moves a constraint (G q̇ up to {fastest:e}): the impact keeps that \
                 rate"
            ),
        ));
    }
    notes
}

/// A constraint rate above this fraction of the fastest coordinate is more than round-off.
const MOVING: f64 = 1e-9;
