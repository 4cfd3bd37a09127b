//! Accelerations in a number of steps proportional to the number of bodies.

use super::place::{Placed, State};
use super::workspace::{Felt, Pivot};
use crate::algebra::{Algebra, InertiaMap, JointKind, RigidMap, YieldingMap};
use crate::model::{JointId, Model, Motion, Node};

/// At this configuration nothing resists a coordinate: the mass matrix is singular.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SingularMass {
    /// The joint of the coordinate.
    pub joint: JointId,
    /// Index of the coordinate in the joint.
    pub coordinate: usize,
    /// Inertia left in its direction (kg or kg·m²).
    pub value: f64,
}

impl std::fmt::Display for SingularMass {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self {
            joint,
            coordinate,
            value,
        } = self;
        write!(
            f,
            "joint number {}: coordinate {coordinate} moves an inertia of {value:e} here, expected a \
             positive number above round-off",
            joint.0
        )
    }
}

impl std::error::Error for SingularMass {}

/// An inertia left in the direction of a coordinate below this part of the terms it is made of counts as
/// zero.
pub(crate) const PIVOT_TOLERANCE: f64 = 64.0 * f64::EPSILON;

/// Configurations at which a model is asked for coordinates without inertia.
const CONFIGURATIONS: usize = 5;

impl<A: Algebra> Placed<'_, A> {
    /// Accelerations `v̇` of `M v̇ + h = force`; `force` has one number per rate, as `Jᵀ f` has.
    ///
    /// Articulated bodies: the rates of the outermost joints are eliminated first, one at a time,
    ///
    /// ```text
    /// U = I S,  d = S·U,  u = τ − S·p,   I ← I − U Uᵀ/d,   p ← p + U u/d
    /// v̇ = (u − U·A)/d                                        (outwards)
    /// ```
    ///
    /// with p the force at no acceleration. M is not formed.
    ///
    /// # Panics
    ///
    /// When `force` or `out` have not the length of the rates.
    pub fn accelerations(&mut self, force: &[f64], out: &mut [f64]) -> Result<(), SingularMass> {
        assert_eq!(force.len(), self.model.rates, "one force per rate");
        assert_eq!(out.len(), self.model.rates, "one acceleration per rate");
        self.weigh();
        self.gather_composites();
        for (felt, inert) in self.work.subtree.iter_mut().zip(&self.work.inert) {
            let inertia = A::Yielding::of(&inert.inertia);
            let force = inert.force;
            *felt = Felt { inertia, force };
        }
        for i in (1..self.model.nodes.len()).rev() {
            self.eliminate(i, force)?;
        }
        self.work.accelerations[0] = self.work.moving[0].carried;
        for (i, node) in self.model.nodes.iter().enumerate().skip(1) {
            let moving = &self.work.moving[i];
            let parent = self.work.accelerations[node.parent];
            let mut acceleration = parent.at(moving.r).plus(moving.drift);
            if node.is_free() {
                for c in 0..node.columns {
                    let Pivot { u, inverse, excess } = self.work.pivots[node.column + c];
                    let rate = (excess - u.power(acceleration)) * inverse;
                    out[node.v_at + c] = rate;
                    let column = self.work.columns[node.column + c];
                    acceleration = acceleration.plus(column.times(rate));
                }
            }
            self.work.accelerations[i] = acceleration;
        }
        Ok(())
    }

    /// Lets the joint of body `i` give way and hands what is felt through it to the parent.
    fn eliminate(&mut self, i: usize, force: &[f64]) -> Result<(), SingularMass> {
        let node = &self.model.nodes[i];
        let mut felt = self.work.subtree[i];
        let columns = if node.is_free() { node.columns } else { 0 };
        for coordinate in (0..columns).rev() {
            let acting = force[node.v_at + coordinate];
            felt = self.give_way(i, coordinate, felt, acting)?;
        }
        if node.parent == 0 {
            return Ok(()); // the world feels, but does not move
        }
        let moving = &self.work.moving[i];
        let at_rest = felt.force.plus(felt.inertia.times(moving.drift));
        let parent = &mut self.work.subtree[node.parent];
        parent.inertia = parent.inertia.plus(&felt.inertia.seen_from(moving.r));
        parent.force = parent.force.plus(at_rest.about(moving.r));
        Ok(())
    }

    /// What is felt of a subtree when one more coordinate gives way.
    #[inline(always)]
    fn give_way(
        &mut self,
        i: usize,
        coordinate: usize,
        felt: Felt<A>,
        acting: f64,
    ) -> Result<Felt<A>, SingularMass> {
        let (node, work) = (&self.model.nodes[i], &mut *self.work);
        let k = node.column + coordinate;
        let column = work.columns[k];
        let u = felt.inertia.times(column);
        let d = u.power(column);
        let whole = work.composite[i].terms(column);
        // Written so that an undefined inertia fails too.
        if !(d > PIVOT_TOLERANCE * whole) {
            return Err(SingularMass {
                joint: JointId(node.joint),
                coordinate,
                value: d,
            });
        }
        let inverse = d.recip();
        let excess = work.passive[k] + acting - felt.force.power(column);
        work.pivots[k] = Pivot { u, inverse, excess };
        Ok(Felt {
            inertia: felt.inertia.deflated(u, inverse),
            force: felt.force.plus(u.times(excess * inverse)),
        })
    }
}

impl<A: Algebra> Model<A> {
    /// Time in which the fastest prescribed motion goes a radian, or the length of the mechanism (s);
    /// zero where none moves.
    fn pace_of_motions(&self) -> f64 {
        let fastest = |node: &Node<A>| {
            let size = if node.kind.is_length(0) {
                self.length()
            } else {
                1.0
            };
            let pace = |motion: Motion| motion.frequency.abs().max((motion.rate / size).abs());
            node.motion.map_or(0.0, pace)
        };
        let rate = self.nodes.iter().map(fastest).fold(0.0, f64::max);
        if rate > 0.0 { rate.recip() } else { 0.0 }
    }

    /// The first coordinate without inertia at one of a few configurations in which no links are in line.
    ///
    /// At one alone round-off may leave a little where there is nothing; at all of them it does not.
    pub(crate) fn singular_coordinate(&self) -> Option<SingularMass> {
        (0..CONFIGURATIONS).find_map(|k| self.singular_at(k))
    }

    /// The first coordinate without inertia at a configuration, of which there are as many as one likes.
    fn singular_at(&self, configuration: usize) -> Option<SingularMass> {
        /// The golden ratio's fraction: its multiples never line up.
        const SPREAD: f64 = 0.618_033_988_749_894_9;
        let mut zero = vec![0.0; self.rates];
        let mut q = vec![0.0; self.positions];
        self.sizes(self.length(), 1.0, &mut q, &mut zero);
        let first = configuration * (q.len() + 1);
        for (i, q) in q.iter_mut().enumerate() {
            *q *= 0.2 + ((first + i) as f64 * SPREAD).fract();
        }
        zero.fill(0.0);
        let mut work = self.workspace();
        let state = State::new(
            SPREAD * (configuration + 1) as f64 * self.pace_of_motions(),
            &q,
            &zero,
        );
        let mut out = zero.clone();
        self.place(&mut work, state)
            .accelerations(&zero, &mut out)
            .err()
    }
}
