//! A run under its names: what files and figures are made from.
#![allow(clippy::unwrap_used)]

use crate::common;

use carom_contact::impact::{Method, Tangential, solve};
use carom_sim::record::{EndKind, EventKind, Moment, RunRecord, record};
use carom_sim::run;
use common::{pendulum, table};

#[test]
fn every_impact_solved_again_alone_gives_the_numbers_of_the_run() {
    let mut setup = pendulum(0.9, 0.15, 6.0, 301);
    let run = run(&mut setup).unwrap();
    let record = record(&mut setup, &run).unwrap();
    assert_eq!(record.events.len(), 10);
    for (k, (written, event)) in record.events.iter().zip(&run.events).enumerate() {
        assert_eq!((written.index, written.kind), (k + 1, EventKind::Impact));
        let problem = &written.problem.as_ref().unwrap().problem;
        let again = solve(problem, written.law.unwrap(), Method::Complementarity).unwrap();
        assert_eq!(again.contacts, written.contacts);
        // In the rates of the whole mechanism, where the run has those of its contact: a last digit apart.
        for (alone, moved) in again.velocity.iter().flatten().zip(&event.v_post) {
            assert!((alone - moved).abs() <= 1e-15 * (1.0 + moved.abs()), "{k}");
        }
        let end = event.impact().unwrap().solution.end.unwrap();
        assert_eq!(again.contacts[0].impulse.normal, Some(end.impulse.n));
        assert_eq!(
            again.contacts[0].impulse.tangent,
            Some(Tangential::Plane(end.impulse.t))
        );
        assert_eq!(
            written.rates_after.as_ref().unwrap()["O"],
            event.v_post[..1]
        );
        let [x, y, _] = event.joint_impulses[1].force;
        assert_eq!(written.joint_impulses["A"].force, [x, y]);
    }
}

#[test]
fn the_impact_against_a_moving_table_can_be_solved_alone_too() {
    let mut setup = table();
    let run = run(&mut setup).unwrap();
    let record = record(&mut setup, &run).unwrap();
    assert!(record.events.len() > 5);
    for (written, event) in record.events.iter().zip(&run.events) {
        let problem = &written.problem.as_ref().unwrap().problem;
        let again = solve(problem, written.law.unwrap(), Method::Complementarity).unwrap();
        let (v, wanted) = (again.velocity.unwrap(), &event.v_post);
        assert!((v[0] - wanted[0]).abs() < 1e-12 * wanted[0].abs().max(1.0));
        let change = event.energy_change.unwrap();
        assert!((again.energy_change.unwrap() - change).abs() < 1e-12 * change.abs().max(1.0));
    }
}

#[test]
fn a_record_read_back_is_the_record_written() {
    let mut setup = pendulum(0.9, 0.15, 3.0, 101);
    let run = run(&mut setup).unwrap();
    let record = record(&mut setup, &run).unwrap();
    let text = serde_json::to_string(&record).unwrap();
    let back: RunRecord = serde_json::from_str(&text).unwrap();
    assert!(back == record, "the record changed on its way");
    assert!(serde_json::to_string(&back).unwrap() == text);
}

#[test]
fn a_record_carries_the_motion_energies_reactions_gaps_and_poses() {
    let mut setup = pendulum(0.9, 0.0, 1.0, 11);
    let run = run(&mut setup).unwrap();
    let record = record(&mut setup, &run).unwrap();
    assert_eq!(record.end.kind, EndKind::Duration);
    let motion = record.trajectory.unwrap();
    assert_eq!(motion.time.len(), 11);
    assert_eq!(motion.coordinates["A"][0].len(), 11);
    assert_eq!(motion.gaps["hit"].len(), 11);
    let total = motion.kinetic[10] + motion.potential[10];
    assert!((total - record.ledger.unwrap().entries.start).abs() < 1e-10);
    // The reference gives the reactions at the start; its x axis points left.
    let force = &motion.reactions["O"].force;
    assert!((force[0][0] - 16.642061006377414).abs() < 1e-10);
    assert!((force[1][0] - 31.78543025188385).abs() < 1e-10);
    // The lower body hangs where the upper one ends.
    let (upper, lower) = (&motion.poses["upper"], &motion.poses["lower"]);
    let x = upper[0][3] + 0.5 * upper[2][3].sin();
    assert!((lower[0][3] - x).abs() < 1e-14);
}

/// A ball that is asked for an hour and comes to rest after four seconds is drawn over those four.
#[test]
fn a_run_that_ends_early_is_sampled_over_the_time_there_was() {
    let mut setup = pendulum(0.0, 0.15, 3600.0, 101);
    setup.options.sustained = false;
    let run = run(&mut setup).unwrap();
    assert!(run.time < 2.0);
    assert_eq!(run.samples.len(), 101);
    assert_eq!(run.samples[100].time, run.time);
    let gap = run.samples[50].time - 0.5 * run.time;
    assert!(gap.abs() < 1e-12);
}

#[test]
fn a_scene_says_that_it_is_of_the_plane_and_files_without_that_word_are_read_so() {
    let mut setup = pendulum(0.9, 0.15, 1.0, 10);
    let run = run(&mut setup).unwrap();
    let record = record(&mut setup, &run).unwrap();
    let mut written = serde_json::to_value(&record).unwrap();
    let scene = written["scene"].as_object_mut().unwrap();
    assert_eq!(scene.remove("space").unwrap(), "plane");
    let again: RunRecord = serde_json::from_value(written).unwrap();
    assert_eq!(again.scene, record.scene);
}

#[test]
fn an_impact_is_placed_at_the_lowest_point_of_the_tip() {
    let mut setup = pendulum(0.9, 0.15, 4.0, 0);
    let run = run(&mut setup).unwrap();
    let record = record(&mut setup, &run).unwrap();
    assert!(record.events.len() > 2);
    for event in &record.events {
        let place = &event.places["hit"];
        let [point, normal] = [&place.point, &place.normal];
        assert_eq!(
            (normal[..].to_vec(), place.tangents.clone()),
            (vec![0.0, 1.0], vec![vec![1.0, 0.0]])
        );
        assert!((point[1] + 0.9).abs() < 1e-12, "on the obstacle: {point:?}");
        let q = &event.coordinates;
        let (first, second) = (q["O"][0], q["O"][0] + q["A"][0]);
        let tip = 0.5 * first.sin() + 0.65 * second.sin();
        assert!((point[0] - tip).abs() < 1e-12, "{point:?} {tip}");
        assert!(matches!(event.joint_impulses["O"].moment, Moment::Plane(_)));
    }
}
