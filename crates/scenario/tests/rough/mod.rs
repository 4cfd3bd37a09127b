//! Random scenes with friction in space end at their time or with a named outcome; bodies do not overlap; energy
//! does not grow.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout)]

use std::time::Instant;

use carom_multibody::State;
use carom_multibody::mechanism::{Contacts, Gap};
use carom_scenario::read_scenario;
use carom_sim::record::{EventKind, RunRecord, record};
use carom_sim::{Watch, run_watched};

use crate::invariance::rough::rough_scene;

fn seeds() -> Vec<u64> {
    let Ok(text) = std::env::var("CAROM_SEEDS") else {
        return Vec::new();
    };
    match text.split_once("..") {
        Some((from, to)) => (from.parse().unwrap()..to.parse().unwrap()).collect(),
        None => text.split(',').map(|seed| seed.parse().unwrap()).collect(),
    }
}

/// Prints how the scenes of `CAROM_SEEDS` go, and writes them into the folder `CAROM_FOLDER`.
#[test]
#[ignore = "a tool: CAROM_SEEDS=0..100 CAROM_FOLDER=/tmp/rough cargo test -p carom-scenario rough::tell -- --ignored --nocapture"]
fn tell() {
    let folder = std::env::var("CAROM_FOLDER").ok();
    let limit: f64 = std::env::var("CAROM_LIMIT").map_or(30.0, |s| s.parse().unwrap());
    for seed in seeds() {
        let scene = rough_scene(seed);
        let text = scene.toml();
        if let Some(folder) = &folder {
            std::fs::create_dir_all(folder).unwrap();
            std::fs::write(format!("{folder}/{seed}.toml"), &text).unwrap();
        }
        let skin = scene.contacts[0].skin;
        print!(
            "{seed} {} {} {} e={:.2} mu={:.2}/{:.2}: ",
            scene.family,
            skin.law,
            scene.method,
            skin.restitution,
            skin.friction[0],
            skin.friction[1]
        );
        let start = Instant::now();
        let scenario = match read_scenario("scene.toml", &text, &[]) {
            Ok(scenario) => scenario,
            Err(error) => {
                println!("ERROR {}", error.render());
                continue;
            }
        };
        let Ok(mut setup) = scenario.build_space() else {
            println!("ERROR build");
            continue;
        };
        setup.options.samples = 501;
        let mut watch = |_| match start.elapsed().as_secs_f64() > limit {
            true => Watch::Stop,
            false => Watch::GoOn,
        };
        let done = match run_watched(&mut setup, &mut watch) {
            Ok(done) => done,
            Err(error) => {
                println!("ERROR {error}");
                continue;
            }
        };
        let seconds = start.elapsed().as_secs_f64();
        let told = record(&mut setup, &done).unwrap();
        let mut gaps = vec![Gap::default(); setup.mechanism.contacts()];
        let mut deepest = (0.0f64, 0.0, 0);
        for sample in &done.samples {
            let state = State::new(sample.time, &sample.q, &sample.v);
            setup.mechanism.gaps(state, &mut gaps);
            for (k, gap) in gaps.iter().enumerate() {
                if gap.gap < deepest.0 && setup.mechanism.owns_touch(state, k) {
                    deepest = (gap.gap, sample.time, k);
                }
            }
        }
        println!("{}", line(&told, seconds, deepest));
    }
}

fn line(told: &RunRecord, seconds: f64, deepest: (f64, f64, usize)) -> String {
    let ledger = told.ledger.as_ref().unwrap();
    let entries = &ledger.entries;
    let count = |kind| told.events.iter().filter(|e| e.kind == kind).count();
    let gained = told
        .events
        .iter()
        .filter_map(|e| e.energy_change)
        .fold(0.0f64, f64::max);
    let mut modes: std::collections::BTreeSet<&str> = Default::default();
    for event in &told.events {
        modes.extend(event.modes_after.values().map(String::as_str));
    }
    format!(
        "{} t={:.3} events={} (impacts {} acc {} stick {} slip {} rev {} rel {}) {:.1}s steps={} pen={:.1e}@{:.3}#{} res={:.1e} gain={:.1e} fric={:.1e} modes={:?} | {} ",
        told.end.kind.name().to_uppercase(),
        told.time,
        told.events.len(),
        count(EventKind::Impact),
        count(EventKind::Accumulation),
        count(EventKind::Stick),
        count(EventKind::Slip),
        count(EventKind::Reverse),
        count(EventKind::Release),
        seconds,
        told.effort.steps_accepted,
        -deepest.0,
        deepest.1,
        deepest.2,
        ledger.residual / entries.scale,
        gained / entries.scale,
        entries.friction / entries.scale,
        modes,
        told.end.reason
    )
}
