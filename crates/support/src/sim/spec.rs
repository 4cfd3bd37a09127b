//! Mechanisms as plain descriptions: drawn at random ([`Draw`]), or changed as a whole.

mod draw;
mod twin;

use carom_multibody::contact::{Feature, Shape};
use carom_multibody::mechanism::PlaneMechanism;
use carom_multibody::plane::Plane;
use carom_multibody::{Body, Joint, PlaneModelBuilder};
use carom_sim::{Options, Rule, Setup};

pub use draw::Draw;

/// A pair of shapes that may touch, and how.
#[derive(Debug, Clone)]
pub struct Pair {
    pub first: String,
    /// A body, or `world` for a world shape of that name.
    pub second: (String, String),
    pub rule: Rule,
}

/// A joint with its coordinates and rates at the start.
#[derive(Debug, Clone)]
pub struct Start {
    pub name: String,
    pub joint: Joint<Plane>,
    pub q: Vec<f64>,
    pub v: Vec<f64>,
}

/// Everything that makes a setup; every body has one shape, `skin`.
#[derive(Debug, Clone)]
pub struct Spec {
    pub gravity: [f64; 2],
    pub bodies: Vec<(String, Body<Plane>)>,
    pub starts: Vec<Start>,
    pub world: Vec<(String, Shape)>,
    pub pairs: Vec<Pair>,
    pub options: Options,
}

impl Spec {
    fn model(&self) -> Option<carom_multibody::PlaneModel> {
        let mut builder = PlaneModelBuilder::new();
        builder.gravity(self.gravity);
        for (name, body) in &self.bodies {
            builder.body(name, body.clone());
        }
        for start in &self.starts {
            builder.joint(&start.name, start.joint.clone());
        }
        for (name, shape) in &self.world {
            builder.world_shape(name, shape.clone());
        }
        builder.build().ok()
    }

    fn start_of(&self, model: &carom_multibody::PlaneModel) -> (Vec<f64>, Vec<f64>) {
        let (mut q, mut v) = (vec![0.0; model.positions()], vec![0.0; model.rates()]);
        for record in model.joints() {
            let start = self.starts.iter().find(|s| s.name == record.name).unwrap();
            if record.joint.motion.is_none() {
                q[record.positions.clone()].copy_from_slice(&start.q);
                v[record.rates.clone()].copy_from_slice(&start.v);
            }
        }
        (q, v)
    }

    /// The setup; none where no mechanism can be made, or nothing is left free.
    pub fn setup(&self) -> Option<Setup> {
        let model = self.model()?;
        if model.rates() == 0 {
            return None;
        }
        let (q, v) = self.start_of(&model);
        let (mut all, mut rules) = (Vec::new(), Vec::new());
        for pair in &self.pairs {
            for (k, feature) in features(&model, pair)?.into_iter().enumerate() {
                all.push(feature);
                rules.push(Rule {
                    name: format!("{}.{k}", pair.rule.name),
                    ..pair.rule.clone()
                });
            }
        }
        let mechanism = PlaneMechanism::new(model, all);
        rules.extend(Rule::of_limits(&mechanism));
        Some(Setup {
            mechanism,
            rules,
            q,
            v,
            options: self.options.clone(),
        })
    }
}

fn features(model: &carom_multibody::PlaneModel, pair: &Pair) -> Option<Vec<Feature>> {
    let first = (pair.first.as_str(), "skin");
    let second = (pair.second.0.as_str(), pair.second.1.as_str());
    model.features(first, second).ok()
}
