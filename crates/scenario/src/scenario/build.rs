//! From a scenario to what a run starts from.

use std::collections::BTreeMap;

use carom_multibody::contact::Feature;
use carom_multibody::mechanism::PlaneMechanism;
use carom_multibody::{PlaneModel, PlaneModelBuilder};
use carom_sim::{Rule, Setup};

use super::{MAX_CONTACTS, Scenario, Start};
use crate::InputError;

impl Scenario {
    /// The mechanism with its contacts, a rule for each, the start and the options.
    ///
    /// Every error points at the key it is about. Overlap at the start is judged by the run:
    /// [`Scenario::locate`] finds its place.
    pub fn build(&self) -> Result<Setup, InputError> {
        let model = self.model()?;
        let (features, mut rules) = self.contact_rules(&model)?;
        let (q, v) = self.state(&model);
        let mechanism = PlaneMechanism::new(model, features);
        rules.extend(Rule::of_limits(&mechanism));
        Ok(Setup {
            mechanism,
            rules,
            q,
            v,
            options: self.options.clone(),
        })
    }

    /// The frozen model.
    pub fn model(&self) -> Result<PlaneModel, InputError> {
        let mut builder = PlaneModelBuilder::new();
        builder.gravity(self.gravity);
        for (name, body) in &self.bodies {
            builder.body(name, body.clone());
        }
        for (name, joint) in &self.joints {
            builder.joint(name, joint.clone());
        }
        for (name, load) in &self.loads {
            builder.load(name, load.clone());
        }
        for (name, shape) in &self.world_shapes {
            builder.world_shape(name, shape.clone());
        }
        builder.build().map_err(|error| self.locate_model(&error))
    }

    /// The smooth contacts of every pair of shapes, and a rule for each.
    ///
    /// A pair of one contact keeps its name; one of several numbers them, `hit.0`, `hit.1`, ….
    /// The stops of joints come after them.
    fn contact_rules(&self, model: &PlaneModel) -> Result<(Vec<Feature>, Vec<Rule>), InputError> {
        let (mut features, mut rules) = (Vec::new(), Vec::new());
        for (name, pairing) in &self.contacts {
            let (first, second) = (&pairing.first, &pairing.second);
            let found = model
                .features((&first.0, &first.1), (&second.0, &second.1))
                .map_err(|error| self.locate_pair(name, &error))?;
            let is_one = found.len() == 1;
            for i in 0..found.len() {
                rules.push(Rule {
                    name: match is_one {
                        true => name.clone(),
                        false => format!("{name}.{i}"),
                    },
                    law: pairing.law,
                    friction: pairing.friction,
                    restitution: pairing.restitution,
                });
            }
            features.extend(found);
            if features.len() > MAX_CONTACTS {
                let message = format!(
                    "the pairs up to this one expand into {} contacts, expected at most \
                     {MAX_CONTACTS}",
                    features.len()
                );
                return Err(self.file.error(&format!("contacts.{name}"), message));
            }
        }
        Ok((features, rules))
    }

    /// Positions and rates at t = 0; zero where the file gives none.
    fn state(&self, model: &PlaneModel) -> (Vec<f64>, Vec<f64>) {
        let starts: BTreeMap<&str, &Start> = self
            .starts
            .iter()
            .map(|(name, start)| (name.as_str(), start))
            .collect();
        let (mut q, mut v) = (vec![0.0; model.positions()], vec![0.0; model.rates()]);
        for record in model.joints() {
            let Some(start) = starts.get(record.name.as_str()) else {
                continue;
            };
            for (slot, x) in q[record.positions.clone()].iter_mut().zip(&start.position) {
                *slot = *x;
            }
            for (slot, x) in v[record.rates.clone()].iter_mut().zip(&start.rate) {
                *slot = *x;
            }
        }
        (q, v)
    }

    /// What a scenario holds, in one line.
    pub fn summary(&self, setup: &Setup) -> String {
        let count =
            |n: usize, one: &str, many: &str| format!("{n} {}", [many, one][usize::from(n == 1)]);
        let freedom = setup.mechanism.model().rates();
        format!(
            "scenario with {}, {}, {}, {}, {} s",
            count(self.bodies.len(), "body", "bodies"),
            count(self.joints.len(), "joint", "joints"),
            count(freedom, "degree of freedom", "degrees of freedom"),
            count(setup.rules.len(), "contact", "contacts"),
            self.options.duration
        )
    }
}
