//! Laws that look at total impulses only, for comparison: no path, no phases.
//!
//! Both take Newton's ratio `v_n⁺ = −e v_n⁻` and ask Coulomb's law of the totals: stick (`v_t⁺ = 0`,
//! `|p_t| <= μ p_n`) or slide (`p_t = −μ p_n u` with `v_t⁺ = α u`, `α >= 0`). Both may create energy, and
//! in space both may have several answers. A contact that grips ([`grip`]) has totals only too.

use super::flow::{Flow, dot, length};
use super::problem::SpatialImpact;
use super::quartic::positive_roots;
use super::solution::{SpatialFindings, SpatialSolution, SpatialWork};
use super::solve::{gains_energy, no_impact, with_residuals};
use super::state::State;
use crate::contact_space::{SpatialVector, TIE};
use crate::impact::PointImpactError;
use crate::impact::planar::contact_type;
use crate::impact::{ContactType, Law, Outcome};

/// Newton's ratio with Coulomb's law on totals, by the one (kinetic) coefficient that time-stepping
/// engines have. Reference: `Moreau1988`.
pub(super) fn moreau(impact: &SpatialImpact) -> Result<SpatialSolution, PointImpactError> {
    one_mode(impact, Law::Moreau, impact.friction().mu_d())
}

/// One mode assumed throughout: sticking if the static cone allows its impulse, else sliding.
/// Reference: `Whittaker1904` as told in `ElkaranshawyBajaba`.
pub(super) fn whittaker(impact: &SpatialImpact) -> Result<SpatialSolution, PointImpactError> {
    one_mode(impact, Law::Whittaker, impact.friction().mu_s())
}

/// A total impulse, in the axes and units of the flow.
#[derive(Debug, Clone, Copy)]
struct Total {
    p: f64,
    p_t: [f64; 2],
    /// Direction of the slip after; none where it sticks.
    u: Option<[f64; 2]>,
}

fn one_mode(
    impact: &SpatialImpact,
    law: Law,
    mu_stick: f64,
) -> Result<SpatialSolution, PointImpactError> {
    let base = no_impact(impact, law);
    if impact.v_pre().n >= 0.0 {
        return Ok(base);
    }
    let (flow, start) = Flow::of(impact);
    let totals = Totals::of(impact, &flow, &start, 0.0);
    let stuck = totals.stick(mu_stick);
    let (slides, count) = totals.slides();
    let slides = &slides[..count];
    let onward = |total: &Total| total.u.map_or(0.0, |u| dot(u, start.x));
    let best = |a: Total, b: Total| if onward(&b) > onward(&a) { b } else { a };
    let chosen = stuck.or_else(|| slides.iter().copied().reduce(best));
    let Some(total) = chosen else {
        return Ok(SpatialSolution {
            outcome: Outcome::Infeasible,
            contact_type: ContactType::NonSlidingCompression,
            end: None,
            ..base
        });
    };
    let others = slides.iter().filter(|s| totals.leads_elsewhere(s, &total));
    let is_back = onward(&total) < 0.0;
    let contact_type = match total.u {
        None => ContactType::NonSlidingCompression,
        Some(_) if is_back => ContactType::ReverseCompression,
        Some(_) => ContactType::PermanentSliding,
    };
    let slip_also_consistent = others.count() > 0;
    let end = totals.end(impact, &total)?;
    Ok(SpatialSolution {
        outcome: Outcome::Solved,
        contact_type,
        end: Some(end),
        findings: SpatialFindings {
            energy_gain: gains_energy(&end),
            tangent_impulse_undetermined: total.u.is_none() && flow.lambda[0] == 0.0,
            slip_contradicted: is_back,
            slip_also_consistent,
            ..SpatialFindings::default()
        },
        ..base
    })
}

/// The impact where it grips: `v_n⁺ = −e v_n⁻`, `v_t⁺ = −β v_t⁻` by an impulse that static friction holds. As in
/// the plane; its plane is that of the normal and of no direction in particular.
pub(super) fn grip(impact: &SpatialImpact) -> Result<Option<SpatialSolution>, PointImpactError> {
    let beta = impact.tangential_restitution().unwrap_or(0.0);
    let (flow, start) = Flow::of(impact);
    let totals = Totals::of(impact, &flow, &start, beta);
    let Some(total) = totals.stick(impact.friction().mu_s()) else {
        return Ok(None);
    };
    let end = totals.end(impact, &total)?;
    Ok(Some(SpatialSolution {
        outcome: Outcome::Solved,
        contact_type: contact_type(end.v_post.t == [0.0; 2]),
        end: Some(end),
        findings: SpatialFindings {
            energy_gain: gains_energy(&end),
            tangent_impulse_undetermined: flow.lambda[0] == 0.0,
            grips: true,
            ..SpatialFindings::default()
        },
        ..no_impact(impact, Law::Newton)
    }))
}

/// Whether there is a slip to give back, and an impact to do it.
pub(super) fn has_use(impact: &SpatialImpact) -> bool {
    let v = impact.v_pre();
    impact.tangential_restitution().is_some() && v.n < 0.0 && v.t != [0.0; 2]
}

/// Normal impulse and size of the friction impulse that tangential restitution asks for; none where there is
/// nothing to ask, or where no impulse meets both ratios.
pub(in crate::impact) fn asked(impact: &SpatialImpact) -> Option<[f64; 2]> {
    let beta = impact
        .tangential_restitution()
        .filter(|_| has_use(impact))?;
    let (flow, start) = Flow::of(impact);
    let total = Totals::of(impact, &flow, &start, beta).both_ratios()?;
    Some([total.p, length(total.p_t)].map(|p| flow.units.p * p))
}

struct Totals<'a> {
    flow: &'a Flow,
    start: &'a State,
    /// `v_n⁺ − v_n⁻`
    rise: f64,
    /// What a contact that sticks gives back of its slip.
    beta: f64,
}

impl<'a> Totals<'a> {
    fn of(impact: &SpatialImpact, flow: &'a Flow, start: &'a State, beta: f64) -> Self {
        Self {
            flow,
            start,
            rise: -(1.0 + impact.restitution()) * start.v_n,
            beta,
        }
    }

    /// Impulse of `v_n⁺ = −e v_n⁻`, `v_t⁺ = −β v_t⁻`, if the cone of `mu` holds it.
    fn stick(&self, mu: f64) -> Option<Total> {
        self.both_ratios().filter(|total| {
            let (p, p_t) = (total.p, length(total.p_t));
            let slack = 2.0 * TIE * (mu * p.abs() + p_t);
            p >= 0.0 && p_t <= mu * p + slack
        })
    }

    /// Impulse of `v_n⁺ = −e v_n⁻`, `v_t⁺ = −β v_t⁻`.
    fn both_ratios(&self) -> Option<Total> {
        let flow = self.flow;
        let x = self.start.x.map(|x| (1.0 + self.beta) * x);
        let is_held = (0..2).any(|i| flow.lambda[i] == 0.0 && x[i] != 0.0);
        if flow.sigma == 0.0 || is_held {
            return None; // the conditions are not independent
        }
        let p = (self.rise + dot(flow.c, x)) / flow.sigma;
        let part = |i: usize| match flow.lambda[i] {
            0.0 => 0.0,
            lambda => -(x[i] / lambda + flow.c[i] * p),
        };
        let p_t = [part(0), part(1)];
        Some(Total { p, p_t, u: None })
    }

    /// Impulses of `v_n⁺ = −e v_n⁻`, `p_t = −μ p_n u`, that end with slip along `u`.
    ///
    /// With `ρ = α/p_n`, `R = v_n⁺ − v_n⁻ = p_n k(u)` and `x = v_t⁻`
    ///
    /// ```text
    /// (ρ + B) u = f,   |u| = 1,   B = μ(Λ + x bᵀ/R),   f = b + x W_nn/R
    /// det(ρ + B)² = |adj(ρ + B) f|²
    /// ```
    ///
    /// a quartic in ρ, of which the positive roots with `k(u) > 0` are answers.
    fn slides(&self) -> ([Total; 4], usize) {
        let (flow, x) = (self.flow, self.start.x);
        let (mu, [b_1, b_2]) = (flow.mu, flow.b);
        let y = x.map(|x| x / self.rise);
        let [m_11, m_12] = [mu * (flow.lambda[0] + y[0] * b_1), mu * y[0] * b_2];
        let [m_21, m_22] = [mu * y[1] * b_1, mu * (flow.lambda[1] + y[1] * b_2)];
        let f = [b_1 + y[0] * flow.nn, b_2 + y[1] * flow.nn];
        let h = [m_22 * f[0] - m_12 * f[1], m_11 * f[1] - m_21 * f[0]];
        let (trace, det) = (m_11 + m_22, m_11 * m_22 - m_12 * m_21);
        let roots = positive_roots([
            det * det - dot(h, h),
            2.0 * (trace * det - dot(f, h)),
            trace * trace + 2.0 * det - dot(f, f),
            2.0 * trace,
            1.0,
        ]);
        let none = Total {
            p: 0.0,
            p_t: [0.0; 2],
            u: None,
        };
        let (mut found, mut count) = ([none; 4], 0);
        for rho in roots.iter() {
            let below = (rho + trace) * rho + det;
            let u = [(rho * f[0] + h[0]) / below, (rho * f[1] + h[1]) / below];
            let size = length(u);
            let u = [u[0] / size, u[1] / size];
            let k = flow.normal_slope(u);
            if !(k > 0.0 && size.is_finite()) {
                continue;
            }
            let p = self.rise / k;
            let p_t = [-mu * p * u[0], -mu * p * u[1]];
            if let Some(slot) = found.get_mut(count) {
                *slot = Total { p, p_t, u: Some(u) };
                count += 1;
            }
        }
        (found, count)
    }

    /// Slip after a total impulse.
    fn slip(&self, total: &Total) -> [f64; 2] {
        let (flow, x) = (self.flow, self.start.x);
        [0, 1].map(|i| x[i] + flow.b[i] * total.p + flow.lambda[i] * total.p_t[i])
    }

    /// Whether two impulses end with different slip, beyond round-off.
    fn leads_elsewhere(&self, a: &Total, b: &Total) -> bool {
        let (one, other) = (self.slip(a), self.slip(b));
        let apart = length([one[0] - other[0], one[1] - other[1]]);
        let terms = |t: &Total| {
            length(self.flow.b) * t.p + self.flow.lambda[1] * length(t.p_t) + self.start.slip()
        };
        apart > SAME * (terms(a) + terms(b))
    }

    fn end(
        &self,
        impact: &SpatialImpact,
        total: &Total,
    ) -> Result<super::SpatialEnd, PointImpactError> {
        let (w, v, units) = (impact.w(), impact.v_pre(), self.flow.units);
        let outward = |x: [f64; 2], unit: f64| w.to_tangents(x).map(|x| unit * x + 0.0);
        let slip = match total.u {
            None => v.t.map(|x| -self.beta * x + 0.0),
            Some(_) => outward(self.slip(total), units.v),
        };
        let impulse = SpatialVector {
            n: units.p * total.p,
            t: outward(total.p_t, units.p),
        };
        let v_post = SpatialVector {
            n: -impact.restitution() * v.n + 0.0,
            t: slip,
        };
        // Along the straight line from 0 to p the mean velocity does the work.
        let part = |i: usize| 0.5 * (v.t[i] + v_post.t[i]) * impulse.t[i] + 0.0;
        let work = SpatialWork {
            n: 0.5 * (v.n + v_post.n) * impulse.n + 0.0,
            t: [part(0), part(1)],
        };
        let change = work.n + work.t[0] + work.t[1];
        with_residuals(impact, impulse, v_post, work, change)
    }
}

/// Slips this close (of their terms) are one answer: roots of a quartic near a double one lose half their
/// digits.
const SAME: f64 = 1e-7;
