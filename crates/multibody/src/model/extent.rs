//! How large the things are that move and touch, and what coordinates are measured by.

use super::{BodyId, BodyRecord, Joint, JointRecord, Limits, Model};
use crate::algebra::{Algebra, JointKind};
use crate::vector::Linear;

/// All points within a distance of one: a corner with no radius, a disk, the cap of a capsule.
#[derive(Debug, Clone, Copy)]
pub struct Round<V> {
    /// Its centre in the body frame (m).
    pub at: V,
    /// Its radius (m).
    pub radius: f64,
}

impl<V> Round<V> {
    /// A point.
    pub fn point(at: V) -> Self {
        Self { at, radius: 0.0 }
    }
}

/// Greatest distance between points of things fixed to each other (m); zero of a single point.
fn diameter<V: Linear>(all: &[Round<V>]) -> f64 {
    let mut most: f64 = 0.0;
    for (i, a) in all.iter().enumerate() {
        most = most.max(2.0 * a.radius);
        for b in &all[..i] {
            let apart = a.at - b.at;
            most = most.max(apart.dot(apart).sqrt() + a.radius + b.radius);
        }
    }
    most
}

impl<A: Algebra> Model<A> {
    /// Largest of the lengths that do not depend on where the mechanism stands (m): diameters of bodies,
    /// as their shapes, joints and mass centres span them, and of shapes of the world; radii of
    /// gyration; ways between stops; leads of screws. Zero where it has none of these.
    pub fn extent(&self) -> f64 {
        self.extent
    }

    /// What lengths are measured by (m): the extent, or 1 where there is none.
    pub(crate) fn length(&self) -> f64 {
        if self.extent > 0.0 { self.extent } else { 1.0 }
    }

    /// What each free position and rate is measured by, given a length (m) and a time (s): for a length
    /// and its rate L and L/T, for an angle or a quaternion 1 and 1/T.
    pub fn sizes(&self, length: f64, time: f64, q: &mut [f64], v: &mut [f64]) {
        for record in &self.joints {
            let is_length = |k: usize| record.joint.kind.is_length(k);
            let size = |k: usize| if is_length(k) { length } else { 1.0 };
            for (k, i) in record.positions.clone().enumerate() {
                q[i] = size(k);
            }
            for (k, i) in record.rates.clone().enumerate() {
                v[i] = size(k) / time;
            }
        }
    }

    pub(super) fn with_extent(self) -> Self {
        let world = self.world_shapes.iter();
        let world = world.map(|(_, shape)| diameter(&A::rounds(shape)));
        let bodies = self.bodies.iter().map(|record| {
            let gyration = match record.body.mass > 0.0 {
                true => (A::greatest_inertia(record.body.inertia) / record.body.mass).sqrt(),
                false => 0.0,
            };
            diameter(&self.fixed_to(record)).max(gyration)
        });
        let joints = self.joints.iter().map(way);
        let extent = world.chain(bodies).chain(joints).fold(0.0, f64::max);
        Self { extent, ..self }
    }

    /// What is fixed to a body: its shapes, joints and mass centre. Where a joint lets everything move,
    /// its points are an origin of coordinates, not a place.
    fn fixed_to(&self, record: &BodyRecord<A>) -> Vec<Round<A::Vector>> {
        let BodyRecord { body, id, .. } = record;
        let shapes = body.shapes.iter();
        let mut all: Vec<_> = shapes.flat_map(|(_, shape)| A::rounds(shape)).collect();
        if body.mass > 0.0 {
            all.push(Round::point(body.center));
        }
        let mut join = |joint: &Joint<A>, parent: BodyId, child: BodyId| {
            if joint.kind == A::Joint::free() {
                return;
            }
            if parent == *id {
                all.push(Round::point(joint.parent_at));
            }
            if child == *id {
                all.push(Round::point(joint.child_at));
            }
        };
        for record in &self.joints {
            join(&record.joint, record.parent, record.child);
        }
        for record in &self.closures {
            join(&record.joint, record.parent, record.child);
        }
        all
    }
}

/// The way between the stops of a joint, where it is a length, or its lead (m).
fn way<A: Algebra>(record: &JointRecord<A>) -> f64 {
    let range = |limits: Limits| limits.upper - limits.lower;
    let way = record.joint.limits.map_or(0.0, range);
    let counts = way.is_finite() && record.joint.kind.is_length(0);
    let way = if counts { way } else { 0.0 };
    way.max(record.joint.kind.lead().abs())
}

#[cfg(test)]
mod tests {
    use crate::ModelBuilder;
    use crate::contact::{Outline, Shape};
    use crate::mechanism::{Dynamics, PlaneMechanism, SpaceMechanism};
    use crate::model::{Body, Joint, Limits, WORLD};
    use crate::plane::{Plane, PlaneJoint};
    use crate::space::contact::{Solid, SolidShape};
    use crate::space::{Space, SpaceJoint, Symmetric};

    fn disk(radius: f64) -> Shape {
        Shape::new(Outline::Disk { radius })
    }

    fn plane(builder: &ModelBuilder<Plane>) -> PlaneMechanism {
        PlaneMechanism::new(builder.clone().build().unwrap(), Vec::new())
    }

    fn space(builder: &ModelBuilder<Space>) -> SpaceMechanism {
        SpaceMechanism::new(builder.clone().build().unwrap(), Vec::new())
    }

    fn floor() -> Shape {
        let normal = [0.0, 1.0].into();
        Shape::new(Outline::HalfSpace { normal })
    }

    /// A body that hangs on a point far from the origin, with a disk at its end, above a floor.
    fn pendulum(size: f64, at: f64) -> PlaneMechanism {
        let mut body = Body::new(2.0, 0.02 * size * size);
        body.center = [0.5 * size, 0.0].into();
        let tip = disk(0.1 * size).at([size, 0.0]);
        body.shapes.push(("tip".into(), tip));
        let mut joint = Joint::new(PlaneJoint::Revolute, WORLD, "arm");
        joint.parent_at = [at, -at].into();
        let mut builder = ModelBuilder::new();
        builder.body("arm", body).joint("pivot", joint);
        builder.world_shape("floor", floor().at([0.0, -at]));
        plane(builder.world_shape("bump", disk(0.2 * size).at([at, 0.0])))
    }

    #[test]
    fn the_extent_of_a_pendulum_is_its_length_with_the_disk_wherever_it_hangs() {
        for at in [0.0, 3.0, 1e9] {
            assert_eq!(pendulum(1.0, at).extent(), 1.1);
            for size in [2f64.powi(-20), 2f64.powi(30)] {
                assert_eq!(pendulum(size, at).extent(), 1.1 * size);
            }
        }
    }

    #[test]
    fn a_free_body_is_as_large_as_its_shape_wherever_its_frame_is() {
        for at in [[0.0, 0.0], [5.0, -7.0]] {
            let mut body = Body::new(1.0, 0.01);
            body.center = at.into();
            let size = [0.6, 0.8].into();
            let shape = Shape::new(Outline::Box { size }).at(at);
            body.shapes.push(("box".into(), shape));
            let extent = plane(ModelBuilder::new().body("b", body)).extent();
            assert!((extent - 1.0).abs() < 1e-14, "{extent}");
        }
    }

    #[test]
    fn a_slider_without_shape_is_measured_by_its_way_and_its_gyration() {
        let mut slide = Joint::new(
            PlaneJoint::Prismatic {
                axis: [1.0, 0.0].into(),
            },
            WORLD,
            "b",
        );
        let limits = Limits {
            lower: -0.25,
            upper: 0.5,
            restitution: 0.0,
        };
        let model = |joint: Joint<Plane>, inertia: f64| {
            let body = Body::new(4.0, inertia);
            plane(ModelBuilder::new().body("b", body).joint("slide", joint))
        };
        assert_eq!(model(slide.clone(), 0.0).extent(), 0.0);
        assert_eq!(model(slide.clone(), 4.0).extent(), 1.0);
        slide.limits = Some(limits);
        assert_eq!(model(slide.clone(), 0.0).extent(), 0.75);
        slide.kind = PlaneJoint::Revolute;
        assert_eq!(model(slide, 4.0).extent(), 1.0, "angles are no lengths");
    }

    #[test]
    fn the_extent_in_space_is_that_of_the_largest_body() {
        let mut ball = Body::new(1.0, Symmetric::from([0.1; 3]));
        let shape = SolidShape::new(Solid::Ball { radius: 0.3 });
        ball.shapes.push(("skin".into(), shape.at([9.0, 9.0, 9.0])));
        ball.center = [9.0, 9.0, 9.0].into();
        let rod = Body::new(1.0, Symmetric::from([0.01, 0.09, 0.25]));
        let mut model = ModelBuilder::new();
        model.body("ball", ball);
        assert_eq!(space(&model).extent(), 0.6);
        let axis = [0.0, 0.0, 1.0].into();
        let thread = Joint::new(SpaceJoint::Screw { axis, lead: -0.7 }, WORLD, "nut");
        model.body("rod", rod);
        assert_eq!(space(&model).extent(), 0.6);
        let nut = Body::new(1.0, Symmetric::from([0.01; 3]));
        model.body("nut", nut).joint("thread", thread);
        assert_eq!(space(&model).extent(), 0.7);
    }

    #[test]
    fn lengths_are_measured_by_the_length_and_turns_by_one() {
        let axis = [0.0, 0.0, 1.0].into();
        let body = || Body::new(1.0, Symmetric::from([1.0; 3]));
        let mut model = ModelBuilder::new();
        for (name, kind) in [
            ("slider", SpaceJoint::Prismatic { axis }),
            ("pin", SpaceJoint::Cylindrical { axis }),
            ("ball", SpaceJoint::Spherical),
            ("stone", SpaceJoint::Free),
        ] {
            let joint = Joint::new(kind, WORLD, name);
            model
                .body(name, body())
                .joint(&format!("{name} joint"), joint);
        }
        let mechanism = space(&model);
        let (mut q, mut v) = (vec![0.0; 14], vec![0.0; 12]);
        mechanism.sizes(3.0, 2.0, &mut q, &mut v);
        let (l, a) = (3.0, 1.0);
        assert_eq!(q, [l, a, l, a, a, a, a, l, l, l, a, a, a, a]);
        let rates = [l, a, l, a, a, a, l, l, l, a, a, a].map(|size| size / 2.0);
        assert_eq!(v, rates);
    }
}
