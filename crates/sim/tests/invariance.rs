//! Mirror image, other places, other names, other units: the same events.
#![allow(clippy::unwrap_used)]

use crate::common;

use carom_contact::impact::Law;
use carom_sim::{Run, run};
use carom_support::random::full_or;
use common::spec::{Draw, Spec};

const DRAW: Draw = Draw {
    laws: &[Law::Poisson, Law::Energetic],
    max_friction: 0.5,
    max_frequency: 30.0,
    max_stiffness: 300.0,
    duration: 1.5,
};

fn seeds() -> std::ops::Range<u64> {
    0..full_or(600, 10)
}

/// Runs a spec; none where it has no setup or fails, which is judged elsewhere.
fn events(spec: &Spec) -> Option<Run> {
    run(&mut spec.setup()?).ok()
}

/// The spec with every start moved a little.
fn shaken(spec: &Spec, by: f64) -> Spec {
    let mut other = spec.clone();
    for (k, start) in other.starts.iter_mut().enumerate() {
        let sign = if k % 2 == 0 { by } else { -by };
        start
            .q
            .iter_mut()
            .for_each(|q| *q += sign * (1.0 + q.abs()));
    }
    other
}

/// Compares events one by one, as long as a motion shaken by 1e-8 stays near: what that moves an
/// event by is how much the motion amplifies, and a hundredth of it is allowed. Where impacts pile
/// up they end in round-off, and their last ones are not compared.
fn compare(what: &str, change: impl Fn(&Spec) -> Spec, energy: f64, relative: f64) {
    let (mut compared, mut runs) = (0, 0);
    for seed in seeds() {
        let mut spec = Spec::random(seed + 50_000, &DRAW);
        spec.options.max_events = 25;
        let Some(plain) = events(&spec) else { continue };
        let Some(near) = events(&shaken(&spec, 1e-8)) else {
            continue;
        };
        let Some(other) = events(&change(&spec)) else {
            unreachable!("{what}, seed {seed}: the change fails");
        };
        runs += 1;
        let (mut spread, mut last): (f64, f64) = (1e-7, f64::NEG_INFINITY);
        for (k, event) in plain.events.iter().enumerate() {
            let Some(moved) = near.events.get(k) else {
                break;
            };
            spread = spread.max((moved.time - event.time).abs());
            let is_piling = event.time - last < 1e-3;
            last = event.time;
            if is_piling || spread > 1e-5 || moved.contacts().len() != event.contacts().len() {
                break;
            }
            let Some(same) = other.events.get(k) else {
                unreachable!(
                    "{what}, seed {seed}: event {k} is missing: {:?} {} {:?} {} {}",
                    other.end, other.time, plain.end, plain.time, event.time
                );
            };
            let miss = (same.time - event.time).abs();
            assert!(
                miss < relative * spread,
                "{what}, seed {seed}, event {k}: {miss:e}, {spread:e}"
            );
            if let (Some(a), Some(b)) = (event.energy_change, same.energy_change) {
                let change = (moved.energy_change.unwrap_or(a) - a).abs().max(1e-8);
                let size = a.abs().max(1.0);
                let miss = (b / energy - a).abs();
                let allowed = relative * (change + spread * size / 1e-2);
                assert!(miss < allowed, "{what}, seed {seed}, event {k}: {miss:e} J");
            }
            compared += 1;
        }
    }
    assert!(
        compared > runs && runs > seeds().end / 2,
        "{what}: {compared} of {runs}"
    );
}

#[test]
fn a_mirror_image_has_the_same_events() {
    compare("mirror", Spec::mirrored, 1.0, 1e-2);
}

#[test]
fn another_place_has_the_same_events() {
    compare("place", |spec| spec.moved([3.0, -7.0]), 1.0, 1e-2);
}

#[test]
fn other_names_in_another_order_have_the_same_events() {
    compare("names", Spec::renamed, 1.0, 1e-2);
}

#[test]
fn other_units_of_length_and_mass_have_the_same_events() {
    compare("grams", |spec| spec.scaled(1.0, 1000.0), 1000.0, 1e-2);
    compare("millimetres", |spec| spec.scaled(1000.0, 1.0), 1e6, 1e-2);
    compare("kilometres", |spec| spec.scaled(0.001, 1.0), 1e-6, 1e-1);
}
