//! The answer does not depend on the units, the frame or the listing.
//!
//! Random scenes, each with twins in other units, turned, mirrored, shifted, on a moving base, relisted and
//! with its pairs swapped, tell the same history at the same scaled instants.
//!
//! A scene multiplies errors of round-off as any other disturbance. How much is measured: it runs twice
//! more with its numbers changed by [`NUDGE`], and instants may differ by [`AGREE`] of the time of the run
//! and of their shift per nudge. Where such a shift exceeds [`LOST`], or the nudged scene tells another
//! story, the digits are used up and the comparison ends there; the share of such scenes is bounded.
//! Histories may also part at a flight lower than [`LOW`]: which contacts strike together, and which are at
//! rest already, is then below the round-off of the positions, which grows far from the origin; the share of
//! such twins is bounded too.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout)]

mod ellipsoids;
mod history;
mod instants;
mod make;
mod mechanisms;
mod parts;
pub(crate) mod rough;
pub(crate) mod scene;
mod starts;
pub(crate) mod turn;
mod twin;

use std::collections::BTreeMap;

use carom_sim::record::EventKind;
use carom_support::random::full_or;
use history::{History, Parting, Reading, walk};
use scene::Scene;
use turn::about;
use twin::{Change, nudged};

/// Change of the numbers of a scene, as part of each.
const NUDGE: f64 = 1e-9;
/// Difference of instants, as part of the time of the run, for a motion that multiplies nothing.
const AGREE: f64 = 1e-10;
/// Error of a gap (m) in scenes of some metres: the tolerance of a step, and room for what steps add up
/// to.
const GAP: f64 = 4e-12;
/// Shift of an instant by a nudge, as part of the time of the run, beyond which nothing is compared.
const LOST: f64 = 1e-2;

/// Flight, in spacings of a position, that is not told from rest.
const LOW: f64 = 65_536.0;

/// Units of length, mass and time at the ends of their ranges: MEMS to planets.
const EXTREMES: [[f64; 3]; 4] = [
    [1e-6, 1e-12, 1e-3],
    [1e-6, 1e-12, 1e3],
    [1e6, 1e12, 1e3],
    [1e6, 1e12, 1e-3],
];

/// The twins of a scene, with their names.
fn changes(scene: &Scene, seed: u64) -> Vec<(&'static str, Change)> {
    let mut rng = fastrand::Rng::with_seed(!seed);
    let mut power = |decades: f64| 10f64.powf(decades * (2.0 * rng.f64() - 1.0));
    let (l, m, t) = (power(6.0), power(12.0), power(3.0));
    let far = 300.0 * power(0.5);
    let extreme = EXTREMES[rng.usize(..EXTREMES.len())];
    let axis = match scene.is_plane {
        true => [0.0, 0.0, 1.0],
        false => std::array::from_fn(|_| 2.0 * rng.f64() - 1.0),
    };
    let turn = about(axis, 0.2 + 2.7 * rng.f64());
    let mut aside = |size: f64| -> turn::Vector {
        let v: turn::Vector = std::array::from_fn(|_| size * (2.0 * rng.f64() - 1.0));
        if scene.is_plane { [v[0], v[1], 0.0] } else { v }
    };
    vec![
        ("length", Change::Units([l, 1.0, 1.0])),
        ("mass", Change::Units([1.0, m, 1.0])),
        ("time", Change::Units([1.0, 1.0, t])),
        ("units", Change::Units(extreme)),
        ("turned", Change::Turned(turn)),
        ("mirrored", Change::Mirrored),
        ("shifted", Change::Shifted(aside(far))),
        ("carried", Change::Carried(aside(3.0))),
        ("relisted", Change::Relisted(seed)),
        ("swapped", Change::Swapped),
    ]
}

fn reading(scene: &Scene, change: Change) -> Reading {
    Reading {
        time: change.time(),
        reverses_slip: change.reverses_slip(),
        reverses_hinges: change.reverses_slip() && scene.is_plane,
    }
}

/// How far the instants of a scene can be told.
struct Digits {
    /// Leeway of every event and of the end; beyond the last nothing is compared.
    leeway: Vec<f64>,
    /// Leeway of every event for an error of its gap.
    late: Vec<f64>,
    /// Whether that is before the end.
    is_lost: bool,
}

impl Digits {
    fn of(scene: &Scene, history: &History, seed: u64) -> Self {
        let events = history.moments.len() + 1;
        let (mut shifts, mut known) = (vec![0.0f64; events], events);
        for k in 0..2 {
            let nudged = nudged(scene, 2 * seed + k, NUDGE);
            let Ok(other) = History::of(&nudged, Reading::PLAIN) else {
                known = 0;
                continue;
            };
            let (pairs, parting) = walk(history, &other, |_| LOST * history.time);
            for [i, j] in pairs {
                let apart = history.moments[i].time - other.moments[j].time;
                shifts[i] = shifts[i].max(apart.abs() / NUDGE);
            }
            known = parting.map_or(known, |parting| known.min(parting.event));
        }
        let mut most = history.time;
        let leeway = shifts.iter().map(|shift| {
            most = most.max(*shift);
            AGREE * most
        });
        let mut leeway: Vec<f64> = leeway.collect();
        leeway.truncate(known);
        Self {
            is_lost: known < events,
            leeway,
            late: late(history),
        }
    }

    /// Leeway of an event, with errors of gaps times `rough`.
    fn leeway(&self, event: usize, rough: f64) -> f64 {
        let of = |all: &[f64]| all.get(event).copied().unwrap_or(0.0);
        of(&self.leeway) + rough * of(&self.late)
    }

    fn knows(&self, event: usize) -> bool {
        event < self.leeway.len()
    }
}

/// How much an error of the gap delays each event, the greatest so far: an impact at a low speed is known
/// less well, to the time of its flight at worst.
fn late(history: &History) -> Vec<f64> {
    let (mut most, mut before) = (0.0f64, 0.0);
    let mut all: Vec<f64> = Vec::new();
    for moment in &history.moments {
        let flight = moment.time - before;
        before = moment.time;
        if moment.kind == EventKind::Impact {
            most = most.max((GAP / moment.speed).min(flight));
        }
        all.push(most);
    }
    all.push(most);
    all
}

/// A twin that tells another story.
struct Failure {
    seed: u64,
    family: &'static str,
    twin: &'static str,
    parting: Parting,
}

/// Two statements that differ.
fn parting(what: &'static str, one: &str, two: &str) -> Parting {
    Parting {
        event: 0,
        what,
        said: format!("{one} | {two}"),
    }
}

/// What a sweep met.
#[derive(Default)]
struct Tally {
    scenes: usize,
    twins: usize,
    /// Scenes whose digits are used up before their end.
    lost: Vec<u64>,
    /// Scenes of the twins that part at a flight too low to be told.
    low: Vec<u64>,
    /// Scenes that end for the want of a unique answer.
    ties: usize,
    events: BTreeMap<String, usize>,
    families: BTreeMap<&'static str, usize>,
    failures: Vec<Failure>,
}

impl Tally {
    fn count(&mut self, scene: &Scene, history: &History) {
        self.ties += usize::from(history.is_tie);
        *self.families.entry(scene.family).or_default() += 1;
        *self
            .events
            .entry(format!("end {}", history.end.name()))
            .or_default() += 1;
        for moment in &history.moments {
            *self
                .events
                .entry(moment.kind.name().to_owned())
                .or_default() += 1;
            for contact in &moment.contacts {
                let is_stop = contact.ends_with(".lower") || contact.ends_with(".upper");
                *self.events.entry("at a stop".to_owned()).or_default() += usize::from(is_stop);
            }
            for (_, mode) in &moment.modes {
                *self.events.entry(format!("mode {mode}")).or_default() += 1;
            }
        }
    }

    fn fail(&mut self, seed: u64, family: &'static str, twin: &'static str, parting: Parting) {
        self.failures.push(Failure {
            seed,
            family,
            twin,
            parting,
        });
    }

    /// Runs the scene of a seed and those of its twins that are asked for.
    fn take(&mut self, seed: u64, is_asked: impl Fn(&str) -> bool) {
        self.compare(&make::scene(seed), seed, is_asked);
    }

    /// Runs a scene and those of its twins that are asked for.
    fn compare(&mut self, scene: &Scene, seed: u64, is_asked: impl Fn(&str) -> bool) {
        self.scenes += 1;
        let error = |said: String| Parting {
            event: 0,
            what: "error",
            said,
        };
        let history = match History::of(scene, Reading::PLAIN) {
            Ok(history) => history,
            Err(said) => return self.fail(seed, scene.family, "scene", error(said)),
        };
        self.count(scene, &history);
        let digits = Digits::of(scene, &history, seed);
        if digits.is_lost {
            self.lost.push(seed);
        }
        let asked = changes(scene, seed).into_iter();
        for (name, change) in asked.filter(|(name, _)| is_asked(name)) {
            self.twins += 1;
            let twin = change.of(scene);
            match History::of(&twin, reading(scene, change)) {
                Err(said) => self.fail(seed, scene.family, name, error(said)),
                Ok(other) => {
                    let leeway = |k: usize| digits.leeway(k, change.roughness());
                    let (_, parting) = walk(&history, &other, leeway);
                    let Some(parting) = parting.filter(|p| digits.knows(p.event)) else {
                        continue;
                    };
                    let low = LOW * f64::EPSILON * (1.0 + change.distance());
                    match history.height(parting.event) <= low {
                        true => self.low.push(seed),
                        false => self.fail(seed, scene.family, name, parting),
                    }
                }
            }
        }
    }

    /// The sweep has reached what it is about.
    fn assert_regimes(&self) {
        assert!(self.families.len() == make::KINDS, "{}", self.told());
        for (what, least) in [
            ("impact", 2000),
            ("accumulation", 100),
            ("release", 15),
            ("stick", 30),
            ("slip", 15),
            ("reverse", 5),
            ("at a stop", 30),
            ("mode closed", 200),
            ("mode stick", 150),
            ("mode slide+", 100),
            ("mode slide-", 100),
            ("end duration", 300),
        ] {
            let met = self.events.get(what).copied().unwrap_or_default();
            assert!(met >= least, "{what}: {met}\n{}", self.told());
        }
    }

    /// Failures, one line each, then how many of each kind.
    fn told(&self) -> String {
        let mut text = String::new();
        let mut classes: BTreeMap<(&str, &str, &str), usize> = BTreeMap::new();
        for failure in &self.failures {
            let Failure {
                seed,
                family,
                twin,
                parting,
            } = failure;
            text += &format!(
                "{seed} {family}, {twin}: {}; {}\n",
                parting.what, parting.said
            );
            *classes.entry((family, twin, parting.what)).or_default() += 1;
        }
        for ((family, twin, what), count) in classes {
            text += &format!("{count:4} {family}, {twin}: {what}\n");
        }
        text += &format!(
            "{} scenes, {} twins, {} lost {:?}, {} low {:?}, {} ties\n{:?}\n{:?}\n{} fail",
            self.scenes,
            self.twins,
            self.lost.len(),
            self.lost,
            self.low.len(),
            self.low,
            self.ties,
            self.families,
            self.events,
            self.failures.len()
        );
        text
    }
}

/// Scenes: as many of each kind in release, a few in debug.
const SCENES: u64 = full_or(15 * make::KINDS as u64, 4);

/// Runs the scenes, in debug from all over the kinds.
fn sweep(is_asked: impl Fn(&str) -> bool) -> Tally {
    let mut tally = Tally::default();
    let step = full_or(1, 7);
    (0..SCENES).for_each(|k| tally.take(step * k, &is_asked));
    assert!(tally.failures.is_empty(), "{}", tally.told());
    assert!(tally.lost.len() as u64 <= SCENES / 30, "{}", tally.told());
    assert!(tally.low.len() <= tally.twins / 100, "{}", tally.told());
    if !cfg!(debug_assertions) {
        tally.assert_regimes();
    }
    tally
}

#[test]
fn a_scene_and_its_twins_tell_the_same_history() {
    let tally = sweep(|_| true);
    assert_eq!(tally.twins, 10 * tally.scenes);
}

#[test]
fn a_scene_with_other_numbers_tells_another_history() {
    let mut noticed = 0;
    for seed in (0..make::KINDS as u64).step_by(3) {
        let scene = make::scene(seed);
        let other = nudged(&scene, seed, 1e-6);
        let [one, two] = [&scene, &other].map(|s| History::of(s, Reading::PLAIN).unwrap());
        let digits = Digits::of(&scene, &one, seed);
        let (_, parting) = walk(&one, &two, |k| digits.leeway(k, 1.0));
        noticed += usize::from(parting.is_some());
    }
    assert!(noticed >= 5, "{noticed} of 8");
}

/// The seeds that the environment asks for: `CAROM_SEEDS=3,17` or `CAROM_SEEDS=0..400`.
fn asked() -> Option<Vec<u64>> {
    let text = std::env::var("CAROM_SEEDS").ok()?;
    Some(match text.split_once("..") {
        Some((from, to)) => (from.parse().unwrap()..to.parse().unwrap()).collect(),
        None => text.split(',').map(|seed| seed.parse().unwrap()).collect(),
    })
}

/// Prints where the twins of `CAROM_SEEDS` part, and writes them into the folder `CAROM_FOLDER`; of the rough scenes
/// in space if `CAROM_ROUGH` is set.
#[test]
#[ignore = "a tool: CAROM_SEEDS=3,17 CAROM_FOLDER=target/twins cargo test -p carom-scenario dump -- --ignored --nocapture"]
fn dump() {
    let mut tally = Tally::default();
    let folder = std::env::var("CAROM_FOLDER").ok();
    let is_rough = std::env::var("CAROM_ROUGH").is_ok();
    for seed in asked().unwrap_or_default() {
        let scene = match is_rough {
            true => rough::rough_scene(seed),
            false => make::scene(seed),
        };
        if let Some(folder) = &folder {
            write(&scene, seed, folder);
        }
        tally.compare(&scene, seed, |_| true);
    }
    println!("{}", tally.told());
}

/// Writes a scene and its twins, with their histories in the time of the scene, into a folder.
fn write(scene: &Scene, seed: u64, folder: &str) {
    std::fs::create_dir_all(folder).unwrap();
    let write = |name: &str, scene: &Scene, reading: Reading| {
        let path = format!("{folder}/{seed}-{name}");
        std::fs::write(format!("{path}.toml"), scene.toml()).unwrap();
        let told = match History::of(scene, reading) {
            Ok(history) => history.to_string(),
            Err(said) => said,
        };
        std::fs::write(format!("{path}.txt"), told).unwrap();
    };
    write("scene", scene, Reading::PLAIN);
    for (name, change) in changes(scene, seed) {
        write(name, &change.of(scene), reading(scene, change));
    }
}
