//! What is said of a start does not depend on the units, the frame or the listing: rank and uniqueness of
//! its collision, number and modes of the accelerations consistent with friction.

use carom_contact::forward::{Mode, solve as solve_forward};
use carom_contact::impact::{Law, Method, Prepared};
use carom_scenario::{Collision, Scenario, read_scenario};
use carom_sim::{Setup, touching};

use carom_multibody::mechanism::Mechanism;

use super::history::Reading;
use super::scene::Scene;
use super::starts::touching_scene;
use super::twin::BASE;
use super::{Tally, changes, parting, reading};
use carom_support::random::full_or;

/// Laws and methods whose statements are compared.
const ASKED: [(Law, Method); 4] = [
    (Law::Newton, Method::Complementarity),
    (Law::Poisson, Method::Complementarity),
    (Law::Newton, Method::Linear),
    (Law::Poisson, Method::Sequential),
];

fn read(scene: &Scene) -> Scenario {
    read_scenario("scene.toml", &scene.toml(), &[]).expect("a scenario")
}

/// What the collision of a start determines, a line for each law and method.
fn collision(scene: &Scene, reading: Reading) -> Result<String, String> {
    match read(scene).collision().map_err(|e| e.render())? {
        Collision::Plane(mut found) => determined(&mut found.setup, scene, reading),
        Collision::Space(mut found) => determined(&mut found.setup, scene, reading),
    }
}

fn determined<M: Mechanism>(
    setup: &mut Setup<M>,
    scene: &Scene,
    reading: Reading,
) -> Result<String, String> {
    let found = touching(setup, &[]).map_err(|e| e.to_string())?;
    let prepared = Prepared::new(&found.problem).map_err(|e| e.to_string())?;
    let mut text = String::new();
    for (law, method) in ASKED {
        let name = format!("{} {}", law.name(), method.name());
        let Ok(result) = prepared.solve(law, method) else {
            text += &format!("{name}: refused\n");
            continue;
        };
        let told = &result.determinacy;
        let contacts = result.contacts.iter().zip(&told.impulses_unique);
        let contacts = sorted(contacts.map(|(contact, unique)| {
            let name = reading.named(&contact.name, scene);
            format!("{name} {unique}")
        }));
        let joints = found.joint_impulses(&mut setup.mechanism, &result);
        let joints = joints.iter().filter(|(name, _)| *name != BASE);
        let joints = sorted(joints.map(|(name, joint)| format!("{name} {}", joint.unique)));
        text += &format!(
            "{name}: {} rank {} null {} velocity {} {contacts:?} {joints:?}\n",
            result.outcome.name(),
            told.rank,
            told.null_space.len(),
            told.velocity_unique,
        );
    }
    Ok(text)
}

fn sorted(all: impl Iterator<Item = String>) -> Vec<String> {
    let mut all: Vec<String> = all.collect();
    all.sort();
    all
}

/// The accelerations of a start: how many, in which modes, whether forces are unique.
fn accelerations(scene: &Scene, reading: Reading) -> Result<String, String> {
    let instant = read(scene).instant().map_err(|e| e.render())?;
    let result = solve_forward(&instant.problem).map_err(|e| e.to_string())?;
    let modes = |all: &[Mode]| {
        let own = all.len() - instant.contacts.len();
        let named = instant.contacts.iter().zip(&all[own..]);
        sorted(named.map(|(contact, mode)| {
            let name = reading.named(contact, scene);
            format!("{name} {}", sense(*mode, reading))
        }))
    };
    let answers = result.answers.iter();
    let answers =
        sorted(answers.map(|one| format!("{:?} {}", modes(&one.mode), one.forces_unique)));
    let continua = result.continua.iter();
    let continua =
        sorted(continua.map(|one| format!("{:?} of {}", modes(&one.mode), one.dimension)));
    Ok(format!(
        "{answers:?} {continua:?} unique {:?}, degree {:?}, witness {}, margin {}",
        result.unique_for_every_force,
        result.degree,
        result.witness.is_some(),
        // Five digits, for a number found by bisection.
        result
            .friction_margin
            .map_or("none".to_owned(), |x| format!("{x:.4e}"))
    ))
}

fn sense(mode: Mode, reading: Reading) -> &'static str {
    match (mode, reading.reverses_slip) {
        (Mode::OnsetForward, true) => Mode::OnsetBackward.name(),
        (Mode::OnsetBackward, true) => Mode::OnsetForward.name(),
        _ => mode.name(),
    }
}

type Statement = fn(&Scene, Reading) -> Result<String, String>;

/// Compares what is said of a start and of its twins.
fn compare(tally: &mut Tally, seed: u64, what: &'static str, said: Statement) {
    let scene = touching_scene(seed, what == "impact");
    tally.scenes += 1;
    let plain = said(&scene, Reading::PLAIN);
    let kind = if plain.is_ok() { what } else { "refused" };
    *tally.events.entry(kind.to_owned()).or_default() += 1;
    *tally.families.entry(scene.family).or_default() += 1;
    for (name, change) in changes(&scene, seed) {
        tally.twins += 1;
        let twin = said(&change.of(&scene), reading(&scene, change));
        let is_alike = match (&plain, &twin) {
            (Ok(one), Ok(two)) => one == two,
            (one, two) => one.is_err() && two.is_err(),
        };
        if !is_alike {
            let parting = parting(what, &format!("{plain:?}"), &format!("{twin:?}"));
            tally.fail(seed, scene.family, name, parting);
        }
    }
}

const STARTS: u64 = full_or(360, 5);

#[test]
fn rank_and_uniqueness_of_a_collision_do_not_depend_on_units_frame_or_listing() {
    let mut tally = Tally::default();
    (0..STARTS).for_each(|seed| compare(&mut tally, seed, "impact", collision));
    assert!(tally.failures.is_empty(), "{}", tally.told());
    assert!(
        tally.events["impact"] as u64 >= STARTS * 9 / 10,
        "{}",
        tally.told()
    );
}

#[test]
fn accelerations_with_friction_do_not_depend_on_units_frame_or_listing() {
    let mut tally = Tally::default();
    (0..STARTS).for_each(|seed| compare(&mut tally, seed, "forward", accelerations));
    assert!(tally.failures.is_empty(), "{}", tally.told());
    assert!(
        tally.events["forward"] as u64 >= STARTS * 9 / 10,
        "{}",
        tally.told()
    );
}
