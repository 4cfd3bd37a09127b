//! From named parts to a frozen model.

use std::collections::{BTreeMap, BTreeSet};

use super::check::{self, Names};
use super::{Body, BodyId, BoundLoad, Joint, Load, Model, ModelError, WORLD, tree};
use crate::algebra::{Algebra, JointKind};
use crate::loops::{ClosingKind, ClosureRecord};

/// Collects bodies, joints and loads by name; [`ModelBuilder::build`] checks and freezes them.
#[derive(Debug, Clone)]
pub struct ModelBuilder<A: Algebra> {
    gravity: A::Vector,
    bodies: Vec<(String, Body<A>)>,
    joints: Vec<(String, Joint<A>)>,
    closures: Vec<(String, Joint<A>)>,
    loads: Vec<(String, Load<A>)>,
    world_shapes: Vec<(String, A::Shape)>,
}

impl<A: Algebra> Default for ModelBuilder<A> {
    fn default() -> Self {
        Self {
            gravity: A::Vector::default(),
            bodies: Vec::new(),
            joints: Vec::new(),
            closures: Vec::new(),
            loads: Vec::new(),
            world_shapes: Vec::new(),
        }
    }
}

type Failure<A> = ModelError<<A as Algebra>::ShapeFault>;

/// Place of the body of a name, none for the world; `element` is who asks.
fn place_of<F>(
    body: &str,
    places: &BTreeMap<&str, usize>,
    element: impl Fn() -> String,
) -> Result<Option<usize>, ModelError<F>> {
    if body == WORLD {
        return Ok(None);
    }
    match places.get(body) {
        Some(place) => Ok(Some(*place)),
        None => Err(ModelError::UnknownBody {
            element: element(),
            body: body.to_owned(),
        }),
    }
}

/// Joints with their bodies found: place of the child, place of the parent (none: the world).
pub(super) struct Links {
    pub(super) children: Vec<usize>,
    pub(super) parents: Vec<Option<usize>>,
    /// How many joints were given; the others are those of free bodies.
    pub(super) explicit: usize,
}

impl<A: Algebra> ModelBuilder<A> {
    /// An empty world without gravity.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets gravity (m/s²).
    pub fn gravity(&mut self, gravity: impl Into<A::Vector>) -> &mut Self {
        self.gravity = gravity.into();
        self
    }

    /// Adds a body.
    pub fn body(&mut self, name: &str, body: Body<A>) -> &mut Self {
        self.bodies.push((name.to_owned(), body));
        self
    }

    /// Adds a joint.
    pub fn joint(&mut self, name: &str, joint: Joint<A>) -> &mut Self {
        self.joints.push((name.to_owned(), joint));
        self
    }

    /// Adds a load.
    pub fn load(&mut self, name: &str, load: Load<A>) -> &mut Self {
        self.loads.push((name.to_owned(), load));
        self
    }

    /// Adds a shape that does not move.
    pub fn world_shape(&mut self, name: &str, shape: A::Shape) -> &mut Self {
        self.world_shapes.push((name.to_owned(), shape));
        self
    }

    /// Checks everything, orders the tree and freezes it.
    ///
    /// A body to which no joint leads gets a free joint from the world, named after the body. The
    /// first joint that leads to a body is the tree's; further ones close loops ([`crate::loops`]).
    pub fn build(self) -> Result<Model<A>, Failure<A>> {
        self.check()?;
        let builder = self.with_unit_axes()?.with_closures()?;
        let explicit = builder.joints.len();
        let builder = builder.with_free_bodies()?;
        let links = builder.link(explicit)?;
        let names: Vec<&str> = builder.bodies.iter().map(|(name, _)| &**name).collect();
        let mut hangs_on = vec![None; names.len()];
        for (child, parent) in links.children.iter().zip(&links.parents) {
            hangs_on[*child] = *parent;
        }
        let order = tree::outward(&hangs_on, &names);
        if order.len() < names.len() {
            return Err(builder.ring(&links, &order));
        }
        builder.freeze(&links, &order).with_inertia()
    }

    fn check(&self) -> Result<(), Failure<A>> {
        check::gravity::<A>(self.gravity)?;
        let mut names = Names::of("body");
        names.take(WORLD)?;
        for (name, body) in &self.bodies {
            names.take(name)?;
            check::body(name, body)?;
        }
        let mut names = Names::of("joint");
        for (name, joint) in &self.joints {
            names.take(name)?;
            check::joint(name, joint)?;
        }
        let mut names = Names::of("load");
        for (name, load) in &self.loads {
            names.take(name)?;
            check::load(name, load)?;
        }
        check::shapes::<A>(WORLD, &self.world_shapes)
    }

    fn with_unit_axes(mut self) -> Result<Self, Failure<A>> {
        for (name, joint) in &mut self.joints {
            let normalised = joint.kind.normalised();
            joint.kind = normalised.map_err(|fault| ModelError::of_axis(name, fault))?;
        }
        Ok(self)
    }

    /// Sets apart the joints that lead to bodies which others, given before, lead to already.
    fn with_closures(mut self) -> Result<Self, Failure<A>> {
        let mut led_to = BTreeSet::new();
        let given = std::mem::take(&mut self.joints);
        for (name, joint) in given {
            let closes = joint.child != WORLD && !led_to.insert(joint.child.clone());
            if closes {
                check::closure(&name, &joint)?;
                self.closures.push((name, joint));
            } else {
                self.joints.push((name, joint));
            }
        }
        Ok(self)
    }

    /// Joins bodies that no joint leads to with the world. Their joints keep the bodies' names.
    fn with_free_bodies(mut self) -> Result<Self, Failure<A>> {
        let led_to: BTreeSet<&str> = self.joints.iter().map(|(_, j)| &*j.child).collect();
        let joints = self.joints.iter().chain(&self.closures);
        let joint_names: BTreeSet<&str> = joints.map(|(name, _)| &**name).collect();
        let mut added = Vec::new();
        for (name, _) in &self.bodies {
            if led_to.contains(&**name) {
                continue;
            }
            if joint_names.contains(&**name) {
                let (what, name) = ("joint", name.clone());
                return Err(ModelError::NameTaken { what, name });
            }
            let joint = Joint::new(A::Joint::free(), WORLD, name);
            added.push((name.clone(), joint));
        }
        self.joints.extend(added);
        Ok(self)
    }

    /// Finds the bodies of the joints.
    fn link(&self, explicit: usize) -> Result<Links, Failure<A>> {
        let places = self.places();
        let mut links = Links {
            children: Vec::new(),
            parents: Vec::new(),
            explicit,
        };
        for (name, joint) in &self.joints {
            let element = || format!("joint {name}");
            let child = place_of(&joint.child, &places, element)?;
            let Some(child) = child else {
                let joint = name.clone();
                return Err(ModelError::WorldAsChild { joint });
            };
            links.children.push(child);
            let parent = place_of(&joint.parent, &places, element)?;
            links.parents.push(parent);
        }
        for (name, joint) in &self.closures {
            place_of(&joint.parent, &places, || format!("joint {name}"))?;
        }
        for (name, load) in &self.loads {
            let element = format!("load {name}");
            if place_of(&load.body, &places, || element.clone())?.is_none() {
                let body = WORLD.to_owned();
                return Err(ModelError::UnknownBody { element, body });
            }
        }
        Ok(links)
    }

    fn places(&self) -> BTreeMap<&str, usize> {
        let numbered = self.bodies.iter().enumerate();
        numbered.map(|(i, (name, _))| (&**name, i)).collect()
    }

    /// The first joint, in the order given, whose body was never reached from the world.
    fn ring(&self, links: &Links, order: &[usize]) -> Failure<A> {
        let reached: BTreeSet<usize> = order.iter().copied().collect();
        let lost = links
            .children
            .iter()
            .position(|child| !reached.contains(child));
        let (name, joint) = &self.joints[lost.unwrap_or(0)];
        ModelError::Cycle {
            joint: name.clone(),
            body: joint.child.clone(),
        }
    }

    fn freeze(self, links: &Links, order: &[usize]) -> Model<A> {
        let mut ids = vec![0; order.len()];
        for (place, body) in order.iter().enumerate() {
            ids[*body] = place + 1;
        }
        let closures = self.bound_closures(&ids);
        let mut model = Model {
            nodes: Vec::new(),
            passives: Vec::new(),
            loads: self.bound_loads(&ids),
            gravity: self.gravity,
            columns: 0,
            positions: 0,
            rates: 0,
            bodies: Vec::new(),
            joints: Vec::new(),
            closures,
            world_shapes: self.world_shapes,
            extent: 0.0,
        };
        model.number_joints(self.joints, links, &ids);
        model.number_bodies(self.bodies, links, &ids);
        model.lay_out(order);
        model.with_extent()
    }

    fn bound_closures(&self, ids: &[usize]) -> Vec<ClosureRecord<A>> {
        let places = self.places();
        let id = |body: &str| BodyId(places.get(body).map_or(0, |place| ids[*place]));
        let mut at = 0;
        let bind = |(name, joint): &(String, Joint<A>)| {
            let rows = at..at + joint.kind.constraints();
            at = rows.end;
            ClosureRecord {
                name: name.clone(),
                joint: joint.clone(),
                parent: id(&joint.parent),
                child: id(&joint.child),
                rows,
            }
        };
        self.closures.iter().map(bind).collect()
    }

    /// Loads in the order of their names, so that the order of the input changes no digit of sums.
    fn bound_loads(&self, ids: &[usize]) -> Vec<BoundLoad<A>> {
        let places = self.places();
        let acts = |load: &&(String, Load<A>)| !(load.1.force.is_zero() && load.1.torque.is_zero());
        let mut loads: Vec<&(String, Load<A>)> = self.loads.iter().filter(acts).collect();
        loads.sort_by(|a, b| a.0.cmp(&b.0));
        let bind = |(_, load): &(String, Load<A>)| BoundLoad {
            body: places.get(&*load.body).map_or(0, |place| ids[*place]),
            at: load.at,
            force: load.force,
            torque: load.torque,
        };
        loads.into_iter().map(bind).collect()
    }
}
