//! One scenario in, the collision at its start out.

use carom_contact::impact::{ImpactInputError, ImpactProblem, ImpactResult, Law, Method, Prepared};
use carom_multibody::{Algebra, Mechanism};
use carom_report::figure::{self, Blow, Push};
use carom_report::{CollisionResult, Heading, collision_html, collision_table as table_of};
use carom_scenario::{Colliding, Collision, InputError, Mechanics, Pairing, Parts, Scenario};
use carom_sim::record::{PlaceRecord, RunRecord};
use carom_sim::{Touching, sequence, touching};
use indexmap::IndexMap;
use serde::{Serialize, Serializer};

use crate::left_out::{self, LeftOut};
use crate::picture;

/// The collision of a mechanism at its start, by one or several laws and methods.
#[derive(Debug, Clone)]
pub struct CollisionAnswer {
    /// One result per method and law.
    pub results: Vec<CollisionResult>,
    /// Several laws or methods were asked for, not one of each.
    pub is_all: bool,
    /// Where several were asked for: those that are not offered, each with its reason.
    pub left_out: Vec<LeftOut>,
    /// The problem that was solved.
    pub problem: ImpactProblem,
    /// Names of the contacts that are stops of an angle: p_n in N·m·s, v_n in rad/s.
    pub angles: Vec<String>,
    /// Where each contact is, by name.
    pub places: IndexMap<String, PlaceRecord>,
    /// The start, to draw.
    record: RunRecord,
    /// Impulses of the contacts in world axes, a list per result.
    impulses: Vec<Vec<(String, Vec<f64>)>>,
    /// The method of the scenario.
    method: Method,
    /// The order of a sequence, by names.
    order: Vec<String>,
}

/// One law and method: its result. Several: `{"results": […]}`, with the places of the contacts, and
/// `left_out` where something is.
impl Serialize for CollisionAnswer {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct One<'a> {
            #[serde(flatten)]
            result: &'a CollisionResult,
            places: &'a IndexMap<String, PlaceRecord>,
        }
        #[derive(Serialize)]
        struct All<'a> {
            results: &'a [CollisionResult],
            #[serde(skip_serializing_if = "<[LeftOut]>::is_empty")]
            left_out: &'a [LeftOut],
            places: &'a IndexMap<String, PlaceRecord>,
        }
        let (places, left_out) = (&self.places, &self.left_out[..]);
        match (&self.results[..], self.is_all) {
            ([result], false) => One { result, places }.serialize(serializer),
            (results, _) => All {
                results,
                left_out,
                places,
            }
            .serialize(serializer),
        }
    }
}

/// What of a collision is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Asked {
    /// The law; `None`: every one.
    pub law: Option<Law>,
    /// The method; `None`: every one. A single contact has the same answer by each.
    pub method: Option<Method>,
}

/// Solves the collision of a scenario at its start: all contacts that touch, at once.
///
/// ```
/// let bar = carom::read_scenario("bar.toml", r#"
///     bodies.bar = { mass = 1, inertia = 0.1, start.rate = [0, -1, 0] }
///     contacts.left = { between = ["bar", "world"], point = [-0.5, 0], normal = [0, 1], restitution = 0.5 }
///     contacts.right = { between = ["bar", "world"], point = [0.5, 0], normal = [0, 1], restitution = 0.5 }
///     run.duration = 1
/// "#, &[])?;
/// let answer = carom::collide(&bar, carom::Asked { law: Some(carom::Law::Newton), ..Default::default() })?;
/// let linear = &answer.results[0].result;
/// assert!((linear.velocity.as_ref().unwrap()[1] - 0.5).abs() < 1e-14);
/// # Ok::<(), carom::InputError>(())
/// ```
pub fn collide(scenario: &Scenario, asked: Asked) -> Result<CollisionAnswer, InputError> {
    match scenario.collision()? {
        Collision::Plane(mut colliding) => Ok(solved(scenario, &mut colliding, asked)?.0),
        Collision::Space(mut colliding) => {
            let (mut answer, posed) = solved(scenario, &mut colliding, asked)?;
            let contacts = posed.problem.contacts.iter();
            let pairs = contacts.map(|contact| {
                let (_, pair) = paired(scenario, &contact.name)?;
                Some([pair.first.0.as_str(), pair.second.0.as_str()])
            });
            let pairs: Option<Vec<[&str; 2]>> = pairs.collect();
            let mechanism = &colliding.setup.mechanism;
            let screws = pairs.and_then(|pairs| posed.screws(mechanism, &pairs));
            for found in &mut answer.results {
                let impulses = found.result.contacts.iter().map(|c| c.impulse.normal);
                let impulses: Option<Vec<f64>> = impulses.collect();
                let both = screws.as_ref().zip(impulses);
                found.screws = both.map(|(screws, impulses)| screws.struck(&impulses));
            }
            Ok(answer)
        }
    }
}

/// The pair of shapes or bodies that a contact belongs to.
fn paired<'a>(scenario: &'a Scenario, contact: &str) -> Option<&'a (String, Pairing)> {
    let is_own = |name: &str| {
        let rest = contact.strip_prefix(name);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    };
    scenario.contacts.iter().find(|(name, _)| is_own(name))
}

fn solved<M: Mechanism>(
    scenario: &Scenario,
    colliding: &mut Colliding<M>,
    asked: Asked,
) -> Result<(CollisionAnswer, Touching), InputError> {
    let locate = |error| scenario.locate(&error);
    let posed = touching(&mut colliding.setup, &colliding.lengths).map_err(locate)?;
    let record = posed.record(&mut colliding.bare).map_err(locate)?;
    let methods = match (asked.method, &posed.problem.contacts[..]) {
        (Some(method), _) => vec![method],
        (None, [_]) => vec![Method::Complementarity],
        (None, _) => Method::ALL.to_vec(),
    };
    let laws = asked.law.map_or(Law::ALL.to_vec(), |law| vec![law]);
    let mut answer = CollisionAnswer {
        results: Vec::new(),
        is_all: methods.len() * laws.len() > 1,
        left_out: Vec::new(),
        problem: posed.problem.clone(),
        angles: posed.angles.clone(),
        places: posed.places.clone(),
        record,
        impulses: Vec::new(),
        method: scenario.options.simultaneous,
        order: scenario.options.order.clone(),
    };
    let first = answer.solve(&mut colliding.setup.mechanism, &posed, &methods, &laws);
    let refused = |error| scenario.locate_impact(&posed.problem, &error);
    match first.map_err(refused)? {
        Some(error) if answer.results.is_empty() => Err(refused(error)),
        _ => Ok((answer, posed)),
    }
}

impl CollisionAnswer {
    /// Solves by every method and law; the first refusal, if there is one.
    fn solve<M: Mechanism>(
        &mut self,
        mechanism: &mut M,
        posed: &Touching,
        methods: &[Method],
        laws: &[Law],
    ) -> Result<Option<ImpactInputError>, ImpactInputError> {
        let prepared = Prepared::new(&posed.problem)?;
        let names: Vec<&str> = posed.problem.contacts.iter().map(|c| &c.name[..]).collect();
        let order = sequence(&self.order, &names);
        let solve = |law, method| match (&order, method) {
            (Some(order), Method::Sequential) => prepared.solve_in_order(law, order),
            _ => prepared.solve(law, method),
        };
        let mut first = None;
        for &method in methods {
            for &law in laws {
                match solve(law, method) {
                    Ok(result) => {
                        self.impulses.push(posed.impulses(&result));
                        let joint_impulses = posed.joint_impulses(mechanism, &result);
                        self.results.push(CollisionResult {
                            result,
                            joint_impulses,
                            screws: None,
                        });
                    }
                    Err(error) => {
                        let reason = error.to_string();
                        self.left_out.push(LeftOut {
                            law,
                            method,
                            reason,
                        });
                        first = first.or(Some(error));
                    }
                }
            }
        }
        Ok(first)
    }

    /// Which result a picture shows: the first that ends, of the scenario's own method if it is there.
    fn shown(&self) -> Option<usize> {
        let ends = |r: &CollisionResult| r.result.velocity.is_some();
        let own = |r: &CollisionResult| ends(r) && r.result.method == self.method;
        let results = &self.results;
        let found = results.iter().position(own);
        found.or_else(|| results.iter().position(ends))
    }
}

/// The answer for people, a table per method, with `digits` significant digits.
pub fn collision_table(scenario: &Scenario, answer: &CollisionAnswer, digits: usize) -> String {
    let heading = heading(scenario, answer, digits);
    let mut table = table_of(&heading, &answer.problem, &answer.results);
    table.push_str(&left_out::lines(&answer.left_out));
    table
}

fn heading<'a>(scenario: &'a Scenario, answer: &'a CollisionAnswer, digits: usize) -> Heading<'a> {
    Heading {
        title: scenario.title.as_deref(),
        file: scenario.name(),
        digits,
        angles: &answer.angles,
    }
}

/// The bodies at the instant with the impulses of the contacts as arrows; none of a scenario whose
/// bodies are not drawn.
pub fn collision_svg(scenario: &Scenario, answer: &CollisionAnswer) -> Option<String> {
    let place = answer.shown();
    let impulse = |name: &str| {
        let all = place.and_then(|i| answer.impulses.get(i))?;
        let own = all.iter().find(|(known, _)| known == name);
        own.map(|(_, impulse)| picture::three(impulse))
    };
    let push = |(name, at): (&String, &PlaceRecord)| Push {
        name: name.clone(),
        point: picture::three(&at.point),
        impulse: impulse(name).unwrap_or([0.0; 3]),
        ties: match paired(scenario, name) {
            Some((_, pair)) if pair.spot.is_some() => {
                vec![pair.first.0.clone(), pair.second.0.clone()]
            }
            _ => Vec::new(),
        },
    };
    let pushes: Vec<Push> = answer.places.iter().map(push).collect();
    let results: Vec<&ImpactResult> = answer.results.iter().map(|r| &r.result).collect();
    let told = picture::told(&results, place);
    let title = scenario.title.as_deref().unwrap_or(scenario.name());
    figure::collision_svg(
        &answer.record,
        &Blow {
            pushes: &pushes,
            told: &told,
            hinges: &hinges(scenario),
            event: None,
            description: &format!("{title}: {told}"),
        },
    )
}

/// The joints of the tree, each with the body it leads to.
fn hinges(scenario: &Scenario) -> Vec<(String, String)> {
    fn of<A: Algebra>(parts: &Parts<A>) -> Vec<(String, String)> {
        let joints = parts.joints.iter();
        joints
            .map(|(name, joint)| (name.clone(), joint.child.clone()))
            .collect()
    }
    match &scenario.mechanics {
        Mechanics::Plane(parts) => of(parts),
        Mechanics::Space(parts) => of(parts),
    }
}

/// The answer as one page that needs no network, with the picture.
pub fn collision_report(scenario: &Scenario, answer: &CollisionAnswer, digits: usize) -> String {
    let left_out = left_out::sentences(&answer.left_out);
    collision_html(
        &heading(scenario, answer, digits),
        &answer.problem,
        &answer.results,
        &left_out,
        collision_svg(scenario, answer).as_deref(),
    )
}
