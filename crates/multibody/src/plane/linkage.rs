//! Accelerations of few bodies on revolute joints, from couplings computed once.
//!
//! The mass centre of body b is a sum of vectors, each fixed in one body a of the way to b and turned
//! by that body's angle: `c_b = Σ_a R(φ_a) d_a^b`. Written in the rates ω of these angles, the mass
//! matrix and the forces depend on differences of angles only. With `δ = φ_j − φ_i`
//!
//! ```text
//! P_ij = Σ_b m_b d_i·d_j,   X_ij = Σ_b m_b d_i × d_j,   s_i = Σ_b m_b d_i
//! M_ij = P_ij cos δ − X_ij sin δ              (and on the diagonal P_ii + I_i)
//! C_ij = P_ij sin δ + X_ij cos δ,   C_ji = −C_ij
//! Σ_j M_ij ω̇_j = (R(φ_i) s_i) × g + Σ_j C_ij ω_j² + τ_i − Σ τ of the joints that body i carries
//! ```
//!
//! Limits: up to [`MOST`] bodies, every joint revolute, no prescribed motion, no load on a body, no loop.

use super::{Plane, PlaneJoint, sine};
use crate::algebra::Algebra;
use crate::dynamics::{PIVOT_TOLERANCE, State};
use crate::mechanism::Derivative;
use crate::model::{Model, Passive};
use crate::vector::{Linear, Vector};

/// Most bodies of a linkage.
const MOST: usize = 4;

/// Body with the joint that leads to it.
#[derive(Debug, Clone, Copy)]
struct Link {
    /// The body it hangs on; none is the world.
    parent: Option<usize>,
    /// Place of its coordinate and of its rate.
    at: (usize, usize),
    /// Angle in its parent at a zero coordinate (rad).
    offset: f64,
    /// `s` (kg·m)
    pull: Vector<2>,
    passive: Option<Passive>,
}

/// Couplings of a mechanism of revolute joints.
#[derive(Debug, Clone)]
pub struct Linkage {
    /// Parents before children.
    links: Vec<Link>,
    gravity: Vector<2>,
    /// `P + I` and `X`, row by row, [`MOST`] to a row; the second index is the smaller.
    couplings: [[(f64, f64); MOST]; MOST],
    /// Every body hangs on the one before, and its coordinate comes after that one's.
    is_chain: bool,
}

impl Linkage {
    /// The couplings of a model, where it is a linkage.
    pub(crate) fn of(model: &Model<Plane>) -> Option<Self> {
        let bodies = &model.nodes[1..];
        let is_bare = model.loads.is_empty() && model.closures.is_empty();
        let fits = (1..=MOST).contains(&bodies.len()) && is_bare;
        let turns = |kind| kind == PlaneJoint::Revolute;
        if !fits || bodies.iter().any(|b| !turns(b.kind) || !b.is_free()) {
            return None;
        }
        let mut linkage = Self {
            links: Vec::new(),
            gravity: model.gravity,
            couplings: Default::default(),
            is_chain: false,
        };
        for node in bodies {
            linkage.links.push(Link {
                parent: node.parent.checked_sub(1),
                at: (node.q_at, node.v_at),
                offset: node.base.rotation.radians(),
                pull: Vector::default(),
                passive: node.passive.map(|index| model.passives[index]),
            });
        }
        for (b, node) in bodies.iter().enumerate() {
            linkage.couplings[b][b].0 += node.inertia;
            linkage.add_body(model, b);
        }
        let mut links = linkage.links.iter().enumerate();
        linkage.is_chain =
            links.all(|(i, link)| link.parent == i.checked_sub(1) && link.at == (i, i));
        Some(linkage)
    }

    /// Adds what the mass of body `b` couples: the bodies of the way that leads to it.
    fn add_body(&mut self, model: &Model<Plane>, b: usize) {
        let mass = model.nodes[b + 1].mass;
        let mut way = Vec::new();
        let (mut at, mut tip) = (Some(b), model.nodes[b + 1].center);
        while let Some(a) = at {
            let node = &model.nodes[a + 1];
            way.push((a, tip - node.child_at));
            tip = node.base.origin;
            at = self.links[a].parent;
        }
        for &(i, d_i) in &way {
            self.links[i].pull = self.links[i].pull + d_i * mass;
            for &(j, d_j) in way.iter().filter(|(j, _)| *j <= i) {
                let (p, x) = &mut self.couplings[i][j];
                *p += mass * d_i.dot(d_j);
                *x += mass * Plane::moment(d_i, d_j);
            }
        }
    }

    /// Rates of change of positions and rates; false where a pivot is too small to be trusted.
    ///
    /// State and result by reference: a copy of what was just written piece by piece waits for it.
    #[inline]
    pub(crate) fn rates(&self, state: &State<'_>, force: &[f64], out: &mut Derivative<'_>) -> bool {
        match (self.links.len(), self.is_chain) {
            (2, true) => self.solve::<2, true>(state, force, out),
            _ => self.rates_of_others(state, force, out),
        }
    }

    /// The same but for two bodies in a chain, which have a function to themselves.
    #[inline(never)]
    fn rates_of_others(&self, state: &State<'_>, force: &[f64], out: &mut Derivative<'_>) -> bool {
        match self.links.len() {
            1 => self.solve::<1, true>(state, force, out),
            2 => self.solve::<2, false>(state, force, out),
            3 => self.solve::<3, false>(state, force, out),
            _ => self.solve::<MOST, false>(state, force, out),
        }
    }

    #[inline(always)]
    fn solve<const N: usize, const CHAIN: bool>(
        &self,
        state: &State<'_>,
        force: &[f64],
        out: &mut Derivative<'_>,
    ) -> bool {
        let Ok(links) = <&[Link; N]>::try_from(&self.links[..]) else {
            return false;
        };
        assert_eq!(state.q.len(), N, "q has one number per position");
        assert_eq!(state.v.len(), N, "v has one number per rate");
        assert_eq!(force.len(), N, "one force per rate");
        assert_eq!(out.q.len(), N, "one rate of change per position");
        assert_eq!(out.v.len(), N, "one acceleration per rate");
        // What a chain makes known here keeps the numbers in registers, and their places side by side.
        let parent = |i: usize| match CHAIN {
            true => i.checked_sub(1),
            false => links[i].parent,
        };
        let at = |i: usize| match CHAIN {
            true => (i, i),
            false => links[i].at,
        };
        let (mut phi, mut omega) = ([0.0; N], [0.0; N]);
        let mut right = [0.0; N];
        for i in 0..N {
            let link = &links[i];
            let (q, v) = (state.q[at(i).0], state.v[at(i).1]);
            let carried = parent(i).map_or((0.0, 0.0), |p| (phi[p], omega[p]));
            // Summed as the placing of bodies sums them.
            (phi[i], omega[i]) = (carried.0 + link.offset + q, carried.1 + v);
            let torque = force[at(i).1] + link.passive.map_or(0.0, |p| p.force(state.t, q, v));
            right[i] += torque;
            if let Some(parent) = parent(i) {
                right[parent] -= torque;
            }
        }
        let (mut sin, mut cos) = ([0.0; N], [0.0; N]);
        for i in 0..N {
            (sin[i], cos[i]) = sine::sin_cos(phi[i]);
            let Vector([x, y]) = links[i].pull;
            let turned = Vector([cos[i] * x - sin[i] * y, sin[i] * x + cos[i] * y]);
            right[i] += Plane::moment(turned, self.gravity);
        }
        let mut mass = self.couple(&sin, &cos, &omega, &mut right);
        if !eliminate(&mut mass, &mut right) {
            return false;
        }
        let mut acceleration = right;
        for i in 0..N {
            acceleration[i] -= parent(i).map_or(0.0, |p| right[p]);
        }
        if CHAIN {
            out.q.copy_from_slice(state.v);
            out.v.copy_from_slice(&acceleration);
            return true;
        }
        for i in 0..N {
            out.q[at(i).0] = state.v[at(i).1];
            out.v[at(i).1] = acceleration[i];
        }
        true
    }

    /// Mass matrix, its lower triangle; what the turning of each body does to the others is added to
    /// `right`.
    #[inline(always)]
    fn couple<const N: usize>(
        &self,
        sin: &[f64; N],
        cos: &[f64; N],
        omega: &[f64; N],
        right: &mut [f64; N],
    ) -> [[f64; N]; N] {
        let mut mass = [[0.0; N]; N];
        for i in 0..N {
            mass[i][i] = self.couplings[i][i].0;
            for j in 0..i {
                let (p, x) = self.couplings[i][j];
                let cos_d = cos[i] * cos[j] + sin[i] * sin[j];
                let sin_d = sin[j] * cos[i] - cos[j] * sin[i];
                mass[i][j] = p * cos_d - x * sin_d;
                let turning = p * sin_d + x * cos_d;
                right[i] += turning * (omega[j] * omega[j]);
                right[j] -= turning * (omega[i] * omega[i]);
            }
        }
        mass
    }
}

/// Replaces `right` by `mass⁻¹ right`, the outermost bodies eliminated first; the lower triangle of
/// `mass` is read.
#[inline(always)]
fn eliminate<const N: usize>(mass: &mut [[f64; N]; N], right: &mut [f64; N]) -> bool {
    let mut whole = [0.0; N];
    for k in 0..N {
        whole[k] = mass[k][k];
    }
    for k in (0..N).rev() {
        let row = mass[k];
        // Written so that an undefined inertia fails too.
        if !(row[k] > PIVOT_TOLERANCE * whole[k]) {
            return false;
        }
        let inverse = row[k].recip();
        for l in 0..k {
            let factor = row[l] * inverse;
            mass[k][l] = factor;
            for j in 0..=l {
                mass[l][j] -= factor * row[j];
            }
            right[l] -= factor * right[k];
        }
        right[k] /= row[k];
    }
    for k in 0..N {
        for l in 0..k {
            right[k] -= mass[k][l] * right[l];
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use crate::mechanism::{Derivative, PlaneMechanism};
    use crate::model::{Body, Drive, Joint, Motion, Spring};
    use crate::plane::PlaneJoint::{Prismatic, Revolute};
    use crate::{PlaneModelBuilder, State};

    /// Bodies on revolute joints, each on a random earlier one or on the world.
    fn random_tree(rng: &mut fastrand::Rng, n: usize) -> PlaneModelBuilder {
        let mut builder = PlaneModelBuilder::new();
        let mut number = || 2.0 * rng.f64() - 1.0;
        builder.gravity([number(), -9.81]);
        for i in 0..n {
            let pick = ((number() + 1.0) * 0.5 * (i + 1) as f64) as usize;
            let parent = pick
                .checked_sub(1)
                .map_or("world".to_owned(), |p| format!("b{p}"));
            let body = Body {
                center: [number(), number()].into(),
                ..Body::new(1.5 + number(), 0.6 + 0.5 * number())
            };
            let spring = Spring {
                stiffness: 3.0,
                rest: number(),
            };
            let drive = Drive {
                amplitude: number(),
                frequency: 2.0,
                phase: number(),
            };
            let joint = Joint {
                parent_at: [number(), number()].into(),
                parent_rotation: number().into(),
                child_at: [number(), number()].into(),
                damping: if i % 2 == 0 { 0.3 } else { 0.0 },
                spring: (i % 3 == 0).then_some(spring),
                drive: (i % 3 == 1).then_some(drive),
                ..Joint::new(Revolute, &parent, &format!("b{i}"))
            };
            builder.body(&format!("b{i}"), body);
            builder.joint(&format!("j{i}"), joint);
        }
        builder
    }

    #[test]
    fn a_linkage_accelerates_as_its_articulated_bodies_do() {
        let mut rng = fastrand::Rng::with_seed(31);
        for round in 0..400 {
            let n = 1 + round % super::MOST;
            let model = random_tree(&mut rng, n).build().unwrap();
            let mut numbers = || -> Vec<f64> { (0..n).map(|_| 6.0 * rng.f64() - 3.0).collect() };
            let (q, v, force) = (numbers(), numbers(), numbers());
            let linkage = super::Linkage::of(&model).unwrap();
            let state = State::new(q[0], &q, &v);
            let mut mechanism = PlaneMechanism::new(model, Vec::new());
            assert!(mechanism.is_linkage());
            let (mut short, mut long) = (vec![0.0; n], vec![0.0; n]);
            let mut q_rate = vec![0.0; n];
            let mut out = Derivative {
                q: &mut q_rate,
                v: &mut short,
            };
            assert!(linkage.rates(&state, &force, &mut out));
            assert_eq!(q_rate, v);
            let mut placed = mechanism.place(state);
            placed.accelerations(&force, &mut long).unwrap();
            let size = long.iter().fold(1.0, |a: f64, b| a.max(b.abs()));
            for (a, b) in short.iter().zip(&long) {
                assert!((a - b).abs() <= 1e-12 * size, "{n} bodies: {a} for {b}");
            }
        }
    }

    #[test]
    fn slides_and_prescribed_motions_are_no_linkage() {
        let axis = [1.0, 0.0].into();
        let swing = Motion {
            rate: 1.0,
            ..Motion::default()
        };
        for (kind, motion) in [(Prismatic { axis }, None), (Revolute, Some(swing))] {
            let mut builder = PlaneModelBuilder::new();
            let joint = Joint {
                motion,
                ..Joint::new(kind, "world", "b")
            };
            builder.body("b", Body::new(1.0, 1.0)).joint("j", joint);
            let model = builder.build().unwrap();
            assert!(!PlaneMechanism::new(model, Vec::new()).is_linkage());
        }
    }
}
