//! From a scenario to what a run starts from.

use std::collections::BTreeMap;

use carom_multibody::mechanism::{Mechanism, PlaneMechanism, SpaceMechanism};
use carom_multibody::{Model, ModelBuilder};
use carom_sim::{Rule, Setup};

use super::dialect::Dialect;
use super::{MAX_CONTACTS, Mechanics, Pairing, Parts, Scenario, Start};
use crate::InputError;

impl Scenario {
    /// The mechanism with its contacts, in the plane or in space, a rule for each, the start and the options.
    ///
    /// Every error points at the key it is about. Overlap at the start is judged by the run:
    /// [`Scenario::locate`] finds its place.
    pub fn build(&self) -> Result<Box<Setup<dyn Mechanism>>, InputError> {
        self.refuse_instants()?;
        Ok(match &self.mechanics {
            Mechanics::Plane(parts) => self.setup(parts)?.into(),
            Mechanics::Space(parts) => self.setup(parts)?.into(),
        })
    }

    /// The same of a scenario that must be in the plane.
    pub fn build_plane(&self) -> Result<Setup<PlaneMechanism>, InputError> {
        self.refuse_instants()?;
        let elsewhere = || self.file.error("space", "found space, expected the plane");
        self.setup(self.plane().ok_or_else(elsewhere)?)
    }

    /// The same of a scenario that must be in space.
    pub fn build_space(&self) -> Result<Setup<SpaceMechanism>, InputError> {
        self.refuse_instants()?;
        let elsewhere = || self.file.error("space", "found the plane, expected space");
        self.setup(self.space().ok_or_else(elsewhere)?)
    }

    pub(super) fn setup<A: Dialect>(
        &self,
        parts: &Parts<A>,
    ) -> Result<Setup<A::Mechanism>, InputError> {
        self.setup_with(parts, |_| true)
    }

    /// What a motion does not have, and an instant does.
    fn refuse_instants(&self) -> Result<(), InputError> {
        self.refuse_friction("a run")?;
        self.refuse_spots()?;
        let (place, key) = match self.file.has("", "run") {
            true => ("run", "duration"),
            false => ("", "run"),
        };
        let message = format!(
            "the key \"{key}\" is missing, expected the simulated time (s) as run.duration; `carom \
             impact` and `carom forward` solve the start without one"
        );
        match self.has_duration {
            true => Ok(()),
            false => Err(self.file.error(place, message)),
        }
    }

    /// The same with some of the contacts.
    pub(super) fn setup_with<A: Dialect>(
        &self,
        parts: &Parts<A>,
        is_in: impl Fn(&Pairing) -> bool,
    ) -> Result<Setup<A::Mechanism>, InputError> {
        let model = self.model(parts)?;
        let (features, mut rules) = self.contact_rules(&model, is_in)?;
        let (q, v) = state(&model, &parts.starts);
        let mechanism = A::mechanism(model, features);
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
    pub(super) fn model<A: Dialect>(&self, parts: &Parts<A>) -> Result<Model<A>, InputError> {
        let mut builder = ModelBuilder::<A>::new();
        builder.gravity(parts.gravity);
        for (name, body) in &parts.bodies {
            builder.body(name, body.clone());
        }
        for (name, joint) in &parts.joints {
            builder.joint(name, joint.clone());
        }
        for (name, load) in &parts.loads {
            builder.load(name, load.clone());
        }
        for (name, shape) in &parts.world_shapes {
            builder.world_shape(name, shape.clone());
        }
        let built = builder.build();
        built.map_err(|error| self.locate_model(parts, &error))
    }

    /// The smooth contacts of every pair of shapes, and a rule for each.
    ///
    /// A pair of one contact keeps its name; one of several numbers them, `hit.0`, `hit.1`, ….
    /// The stops of joints come after them.
    fn contact_rules<A: Dialect>(
        &self,
        model: &Model<A>,
        is_in: impl Fn(&Pairing) -> bool,
    ) -> Result<(Vec<A::Feature>, Vec<Rule>), InputError> {
        let (mut features, mut rules) = (Vec::new(), Vec::new());
        for (name, pairing) in self.contacts.iter().filter(|(_, pair)| is_in(pair)) {
            self.refuse_crowd(name, features.len() + A::fewest_features(model, pairing))?;
            let found = A::features(model, pairing).map_err(|why| self.locate_pair(name, why))?;
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
                    spin_radius: pairing.spin_radius,
                    tangential_restitution: pairing.tangential_restitution,
                });
            }
            features.extend(found);
            self.refuse_crowd(name, features.len())?;
        }
        Ok((features, rules))
    }

    fn refuse_crowd(&self, contact: &str, count: usize) -> Result<(), InputError> {
        if count <= MAX_CONTACTS {
            return Ok(());
        }
        let message = format!(
            "the pairs up to this one expand into {count} contacts, expected at most {MAX_CONTACTS}"
        );
        Err(self.file.error(&format!("contacts.{contact}"), message))
    }

    /// What a scenario holds, in one line.
    pub fn summary(&self, setup: &Setup<dyn Mechanism>) -> String {
        let count =
            |n: usize, one: &str, many: &str| format!("{n} {}", [many, one][usize::from(n == 1)]);
        let (bodies, joints, space) = match &self.mechanics {
            Mechanics::Plane(parts) => (parts.bodies.len(), parts.joints.len(), ""),
            Mechanics::Space(parts) => (parts.bodies.len(), parts.joints.len(), " in space"),
        };
        let freedom = setup.mechanism.rates();
        let closures = setup.mechanism.closures().len();
        let loops = match closures {
            0 => String::new(),
            n => format!(
                " of the tree, {} closing loops",
                count(n, "joint", "joints")
            ),
        };
        format!(
            "scenario{space} with {}, {}, {}{loops}, {}, {} s",
            count(bodies, "body", "bodies"),
            count(joints, "joint", "joints"),
            count(freedom, "degree of freedom", "degrees of freedom"),
            count(setup.rules.len(), "contact", "contacts"),
            self.options.duration
        )
    }
}

/// Positions and rates at t = 0; zero, and quaternions that turn nothing, where the file gives none.
fn state<A: Dialect>(model: &Model<A>, starts: &[(String, Start)]) -> (Vec<f64>, Vec<f64>) {
    let starts: BTreeMap<&str, &Start> = starts
        .iter()
        .map(|(name, start)| (name.as_str(), start))
        .collect();
    let (mut q, mut v) = (model.reference(), vec![0.0; model.rates()]);
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
