//! What a run tells beside its numbers: modes at the start, shares of forces, how a start was changed.
#![allow(clippy::unwrap_used)]

use carom_contact::impact::NoteCode;
use carom_scenario::examples::SUSTAINED;
use carom_sim::record::{EndKind, RunRecord};
use carom_support::scenario::changed;
use carom_support::sim::recorded;

fn ran(name: &str, set: &[&str]) -> RunRecord {
    sampled(name, set, 50)
}

fn sampled(name: &str, set: &[&str], samples: usize) -> RunRecord {
    let mut setup = changed(name, set).build().unwrap();
    setup.options.samples = samples;
    recorded(&mut setup).1
}

fn modes(record: &RunRecord) -> Vec<(&str, &str)> {
    let modes = record.modes_at_start.iter();
    modes.map(|(name, mode)| (&name[..], &mode[..])).collect()
}

#[test]
fn contacts_closed_from_the_start_are_told_with_or_without_samples() {
    for samples in [0, 50] {
        let told = |name: &str| sampled(name, &["run.duration=0.01"], samples);
        assert_eq!(modes(&told("stick-slip")), [("belt", "stick")]);
        assert_eq!(modes(&told("cue-ball")), [("cloth", "slide+")]);
        let ladder = [("floor", "closed"), ("wall", "closed")];
        assert_eq!(modes(&told("ladder")), ladder);
        assert_eq!(modes(&told("bouncing-ball")), []);
        // A collision at the start comes first: nothing is closed before it.
        assert_eq!(modes(&told("rod-landing-flat")), []);
    }
}

#[test]
fn a_rough_contact_left_closed_sticks_or_slides_and_a_smooth_one_is_closed() {
    let mut count = 0;
    for example in SUSTAINED {
        for event in ran(example.name, &[]).events {
            let Some(posed) = &event.problem else {
                continue;
            };
            for contact in &posed.problem.contacts {
                let mode = &event.modes_after[&contact.name];
                let is_smooth = contact.friction.is_none();
                let allowed: &[&str] = match is_smooth {
                    true => &["open", "closed"],
                    false => &["open", "stick", "slide+", "slide-", "slide"],
                };
                let at = (example.name, event.index);
                assert!(allowed.contains(&mode.as_str()), "{at:?}: {mode}");
                count += usize::from(mode != "open");
            }
        }
    }
    assert!(
        count > 100,
        "the examples must stay in contact, got {count}"
    );
}

#[test]
fn the_largest_energy_is_one_of_the_motion_and_the_terms_of_impacts_stand_apart() {
    // A wheel of inertia 1e-6 has an inverse inertia of a million at the tips of its spokes.
    let ledger = ran("rimless-wheel", &[]).ledger.unwrap().entries;
    assert!(
        ledger.largest < 30.0 && ledger.largest > 10.0,
        "{}",
        ledger.largest
    );
    assert!(ledger.scale > 1e3 * ledger.largest, "{}", ledger.scale);
    let ledger = ran("bouncing-ball", &[]).ledger.unwrap().entries;
    assert!(ledger.scale >= ledger.largest && ledger.scale < 4.0 * ledger.largest);
}

#[test]
fn a_slip_of_round_off_is_not_remarked_upon() {
    let record = ran("rimless-wheel", &[]);
    let notes = record.events.iter().flat_map(|event| &event.notes);
    assert_eq!(notes.filter(|n| n.code == NoteCode::JamSlope).count(), 0);
}

#[test]
fn contacts_that_share_their_forces_in_more_than_one_way_are_named() {
    let shared = |name: &str| ran(name, &[]).shared_forces;
    assert_eq!(shared("rocking-block"), ["floor.0", "floor.1"]);
    assert_eq!(shared("falling-stick"), ["foot", "top"]);
    for name in [
        "stick-slip",
        "cue-ball",
        "ladder",
        "rimless-wheel",
        "woodpecker",
    ] {
        assert!(shared(name).is_empty(), "{name}");
    }
}

#[test]
fn a_start_that_was_solved_for_tells_its_residual_and_its_largest_change() {
    let assembly = ran("four-bar", &["run.duration=0.01"]).assembly.unwrap();
    assert_eq!((&assembly.joint[..], &assembly.unit[..]), ("B", "m"));
    assert!(assembly.residual.abs() > 1e-5 && assembly.residual.abs() < 1e-3);
    let moved = assembly.moved.unwrap();
    assert_eq!(moved.unit, "rad");
    assert!(moved.change.abs() > 1e-5 && moved.change.abs() < 1e-3);
    assert_eq!(ran("stick-slip", &["run.duration=0.01"]).assembly, None);
}

/// `v_n⁺ = e (−v_n⁻ + v_t W_nt/W_tt)` where the tip sticks from compression on, and `v_t = 2 v_n tan β`
/// after a flight.
#[test]
fn a_leaning_rod_on_a_steep_slope_chatters_out_of_rest_by_the_ratio_of_its_inertia() {
    let record = ran("reverse-chatter", &[]);
    assert_eq!(record.end.kind, EndKind::NoAnswer);
    let (sin, cos) = 20f64.to_radians().sin_cos();
    let lean = 3.0 * sin * cos / (1.0 + 3.0 * cos * cos);
    let ratio = 0.8 * (1.0 + 2.0 * 60f64.to_radians().tan() * lean);
    let found = record.end.accumulation.unwrap().ratio;
    assert!((found - ratio).abs() < 1e-3, "{found} for {ratio}");
    // Put down without height it sticks, and nothing leaps.
    let resting = ran(
        "reverse-chatter",
        &["bodies.rod.start.position=[0, 0, 0.3490658503988659]"],
    );
    assert_eq!(resting.end.kind, EndKind::Duration);
    assert_eq!(modes(&resting), [("tip", "stick")]);
}
