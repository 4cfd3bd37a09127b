//! One free body among walls.

use carom_contact::contact_space::Friction;
use carom_contact::impact::Law;
use carom_multibody::contact::{Outline, Shape};
use carom_multibody::mechanism::PlaneMechanism;
use carom_multibody::plane::PlaneJoint::Free;
use carom_multibody::{Body, Joint, PlaneModelBuilder};
use carom_sim::{Options, Rule, Setup};

/// A free body, thrown.
#[derive(Debug, Clone)]
pub struct Scene {
    pub mass: f64,
    pub inertia: f64,
    pub skin: Outline,
    pub q: [f64; 3],
    pub v: [f64; 3],
    /// Normal and a point of each wall.
    pub walls: Vec<([f64; 2], [f64; 2])>,
    /// Centre and radius of each fixed disk.
    pub pegs: Vec<([f64; 2], f64)>,
    pub gravity: f64,
    pub law: Law,
    pub restitution: f64,
    /// Static and kinetic friction.
    pub friction: [f64; 2],
    pub duration: f64,
}

impl Default for Scene {
    fn default() -> Self {
        Self {
            mass: 1.0,
            inertia: 1.0,
            skin: Outline::Point,
            q: [0.0; 3],
            v: [0.0; 3],
            walls: vec![([0.0, 1.0], [0.0, 0.0])],
            pegs: Vec::new(),
            gravity: 9.81,
            law: Law::Poisson,
            restitution: 0.0,
            friction: [0.0; 2],
            duration: 1.0,
        }
    }
}

impl Scene {
    pub fn setup(&self) -> Setup {
        let mut builder = PlaneModelBuilder::new();
        let body = Body {
            shapes: vec![("skin".to_owned(), Shape::new(self.skin.clone()))],
            ..Body::new(self.mass, self.inertia)
        };
        builder.gravity([0.0, -self.gravity]).body("body", body);
        builder.joint("body", Joint::new(Free, "world", "body"));
        for (k, (normal, at)) in self.walls.iter().enumerate() {
            let normal = (*normal).into();
            let wall = Shape::new(Outline::HalfSpace { normal }).at(*at);
            builder.world_shape(&format!("wall{k}"), wall);
        }
        for (k, (at, radius)) in self.pegs.iter().enumerate() {
            let radius = *radius;
            let peg = Shape::new(Outline::Disk { radius }).at(*at);
            builder.world_shape(&format!("peg{k}"), peg);
        }
        let model = builder.build().unwrap();
        let walls = (0..self.walls.len()).map(|k| format!("wall{k}"));
        let pegs = (0..self.pegs.len()).map(|k| format!("peg{k}"));
        let mut features = Vec::new();
        for shape in walls.chain(pegs) {
            features.extend(model.features(("body", "skin"), ("world", &shape)).unwrap());
        }
        let rule = |k: usize| Rule {
            name: format!("hit.{k}"),
            law: self.law,
            friction: Friction::new(self.friction[0], self.friction[1]).unwrap(),
            restitution: self.restitution,
            spin_radius: 0.0,
            tangential_restitution: None,
        };
        Setup {
            rules: (0..features.len()).map(rule).collect(),
            mechanism: PlaneMechanism::new(model, features),
            q: self.q.to_vec(),
            v: self.v.to_vec(),
            options: Options {
                duration: self.duration,
                ..Options::default()
            },
        }
    }
}
