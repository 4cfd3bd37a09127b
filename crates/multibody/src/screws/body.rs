//! The screws of one body.

use carom_numeric::{Cholesky, NotPositiveDefinite};

use super::{BodyScrews, Screw, ScrewContact, ScrewFault, combine, power, screw};
use crate::algebra::{InertiaMap, Pose, RigidMap, Twist, Wrench};
use crate::dynamics::Placed;
use crate::loops::ClosingKind;
use crate::model::BodyId;
use crate::space::{Space, SpaceInertia, SpaceJoint};
use crate::vector::Vector;

/// A body at its mass centre, world axes.
struct Central {
    at: Vector<3>,
    mass: f64,
    inertia: SpaceInertia,
    /// Of the inertia about the mass centre.
    factor: Cholesky,
}

impl Central {
    /// `M v`
    fn momentum(&self, [a, b, c, d, e, f]: Screw) -> Screw {
        let moved = self.inertia.times(Twist {
            angular: Vector([a, b, c]),
            linear: Vector([d, e, f]),
        });
        screw(moved.force, moved.moment)
    }

    /// `M⁻¹ w`
    fn moved_by(&self, [a, b, c, mut x, mut y, mut z]: Screw) -> Screw {
        let mut turn = [x, y, z];
        self.factor.solve_lower(&mut turn);
        self.factor.solve_lower_transposed(&mut turn);
        [x, y, z] = turn;
        let per_mass = self.mass.recip();
        [x, y, z, a * per_mass, b * per_mass, c * per_mass]
    }
}

/// Rows, or columns.
type Lists = Vec<Vec<f64>>;

/// Solves with the symmetric matrix of the products of columns, for each right-hand side.
fn solve(
    n: usize,
    element: impl Fn(usize, usize) -> f64,
    right: impl Iterator<Item = Vec<f64>>,
) -> Result<(Lists, Lists), NotPositiveDefinite> {
    let rows: Lists = (0..n)
        .map(|i| (0..n).map(|j| element(i, j)).collect())
        .collect();
    let mut factor = Cholesky::new();
    factor.factor(&rows.concat(), n)?;
    let solved = right.map(|mut b| {
        factor.solve_lower(&mut b);
        factor.solve_lower_transposed(&mut b);
        b
    });
    Ok((rows, solved.collect()))
}

impl Placed<'_, Space> {
    pub(super) fn body_screws(
        &self,
        body: BodyId,
        contacts: &[ScrewContact],
    ) -> Result<BodyScrews, ScrewFault> {
        self.refuse_company(body)?;
        let name = self.body_name(body);
        let fault = |source| ScrewFault::NoInertia {
            body: name.clone(),
            source,
        };
        let central = self.central(body).map_err(fault)?;
        let wrench = |c: &ScrewContact| screw(c.normal, (c.point - central.at).cross(c.normal));
        let u: Vec<Screw> = contacts.iter().map(wrench).collect();
        let (q, s) = (
            self.permitted(body, central.at),
            self.exerted(body, central.at),
        );
        let momenta: Vec<Screw> = q.iter().map(|motion| central.momentum(*motion)).collect();
        let along = |w: &Screw, motions: &[Screw]| -> Vec<f64> {
            motions.iter().map(|motion| power(w, motion)).collect()
        };
        let pushed = u.iter().map(|w| along(w, &q));
        let (reduced, rates) =
            solve(q.len(), |i, j| power(&momenta[i], &q[j]), pushed).map_err(fault)?;
        let moved: Vec<Screw> = s.iter().map(|w| central.moved_by(*w)).collect();
        let held = u.iter().map(|w| along(w, &moved));
        let (_, answer) = solve(s.len(), |i, j| power(&s[i], &moved[j]), held).map_err(fault)?;
        let response: Vec<Screw> = rates.iter().map(|rates| combine(&q, rates)).collect();
        let unit = |k: usize| std::array::from_fn(|i| f64::from(u8::from(i == k)));
        let columns: [Screw; 6] = std::array::from_fn(|k| central.momentum(unit(k)));
        let twist = self.twist(body).at(central.at - self.pose(body).origin);
        Ok(BodyScrews {
            g: u.iter().map(|w| along(w, &response)).collect(),
            inertia: std::array::from_fn(|i| std::array::from_fn(|j| columns[j][i])),
            velocity: screw(twist.angular, twist.linear),
            name,
            u,
            q,
            s,
            reduced,
            response,
            answer,
        })
    }

    /// A body on which nothing hangs, itself on the world, through which no loop leads.
    fn refuse_company(&self, body: BodyId) -> Result<(), ScrewFault> {
        if body == BodyId::WORLD {
            return Ok(());
        }
        let mut joints = self.model.joints().iter();
        let mut closures = self.model.closures().iter();
        let node = &self.model.nodes[body.0];
        let is_joined = joints.any(|joint| joint.parent == body)
            || closures.any(|joint| joint.parent == body || joint.child == body);
        let body = self.body_name(body);
        match (node.parent == 0 && !is_joined, node.is_free()) {
            (false, _) => Err(ScrewFault::NotAlone { body }),
            (true, false) => Err(ScrewFault::Prescribed { body }),
            (true, true) => Ok(()),
        }
    }

    /// The world stands in with unit masses at its origin.
    fn central(&self, body: BodyId) -> Result<Central, NotPositiveDefinite> {
        let node = &self.model.nodes[body.0];
        let (mass, inertia) = match body {
            BodyId::WORLD => (1.0, [1.0; 3].into()),
            _ => (node.mass, node.inertia),
        };
        let turned = Pose {
            rotation: self.pose(body).rotation,
            origin: Vector::default(),
        };
        let mut central = Central {
            at: self.center(body),
            mass,
            inertia: SpaceInertia::rigid(mass, inertia, turned),
            factor: Cholesky::new(),
        };
        let unit = |k: usize| std::array::from_fn(|i| f64::from(u8::from(i == k)));
        let columns = [0, 1, 2].map(|k| {
            let [.., x, y, z] = central.momentum(unit(k));
            [x, y, z]
        });
        central.factor.factor(columns.as_flattened(), 3)?;
        Cholesky::new().factor(&[mass], 1)?;
        Ok(central)
    }

    /// Q: the motions that the joint of a body permits.
    fn permitted(&self, body: BodyId, center: Vector<3>) -> Vec<Screw> {
        let node = &self.model.nodes[body.0];
        let arm = center - self.pose(body).origin;
        let columns = &self.work.columns[node.column..node.column + node.columns];
        let motions = columns.iter().map(|column| column.at(arm));
        motions
            .map(|motion| screw(motion.angular, motion.linear))
            .collect()
    }

    /// S: the wrenches that the joint of a body exerts; the world is held as by a fixed joint.
    fn exerted(&self, body: BodyId, center: Vector<3>) -> Vec<Screw> {
        let node = &self.model.nodes[body.0];
        let pose = self.pose(body);
        let own = Pose {
            rotation: pose.rotation,
            origin: pose.point(node.child_at),
        };
        let relative = SpaceJoint::relative(&node.base, &own);
        let wrenches = (0..node.kind.constraints()).map(|k| {
            let Wrench { moment, force } = node.kind.forbidden(&relative, k).wrench;
            let turn = |r: Vector<3>| node.base.rotation.apply(r);
            let held = Wrench::<Space> {
                moment: turn(moment),
                force: turn(force),
            };
            let held = held.about(own.origin - center);
            screw(held.force, held.moment)
        });
        wrenches.collect()
    }
}
