//! Dry friction through time, against closed forms: belts, oscillators, ladders, spheres.
#![allow(clippy::unwrap_used)]

use crate::common;

use carom_contact::contact_space::Friction;
use carom_contact::impact::Law;
use carom_multibody::contact::{ContactComponents, Outline};
use carom_multibody::mechanism::{ContactDrift, Contacts, Drawing, Dynamics, Gap, Guards, Rows};
use carom_multibody::{Energy, Powers, State};
use carom_sim::{End, Event, Happening, Options, Rule, Run, Setup, Transition, run};
use carom_support::near::assert_close;
use carom_support::sim::assert_balanced;
use common::scene::Scene;

fn transitions(run: &Run) -> Vec<(Transition, &Event)> {
    let mut found = Vec::new();
    for event in &run.events {
        if let Happening::Transition { kind, .. } = &event.what {
            found.push((*kind, event));
        }
    }
    found
}

/// A unit mass on a unit spring, pressed by a unit load on a belt and driven: `x` along, `y` off it.
struct Block {
    belt: f64,
    /// Amplitude and angular frequency of the drive.
    drive: (f64, f64),
}

impl Dynamics for Block {
    fn rates(&self) -> usize {
        2
    }

    fn mass(&mut self, _: State<'_>, out: &mut [f64]) {
        out.copy_from_slice(&[1.0, 0.0, 0.0, 1.0]);
    }

    fn bias(&mut self, state: State<'_>, out: &mut [f64]) {
        let (size, frequency) = self.drive;
        out[0] = state.q[0] - size * (frequency * state.t).cos();
        out[1] = 1.0;
    }

    fn energy(&mut self, state: State<'_>) -> Option<Energy> {
        let [v, w] = [state.v[0], state.v[1]];
        Some(Energy {
            kinetic: 0.5 * (v * v + w * w),
            gravity: state.q[1],
            springs: 0.5 * state.q[0] * state.q[0],
        })
    }

    fn does_work(&self) -> bool {
        true
    }

    fn powers(&mut self, state: State<'_>, _: &[f64]) -> Powers {
        let (size, frequency) = self.drive;
        Powers {
            drives: size * (frequency * state.t).cos() * state.v[0],
            ..Powers::default()
        }
    }
}

impl Contacts for Block {
    fn contacts(&self) -> usize {
        1
    }

    fn gaps(&mut self, state: State<'_>, out: &mut [Gap]) {
        out[0] = Gap {
            gap: state.q[1],
            v_n: state.v[1],
        };
    }

    fn contact_rows(&mut self, _: State<'_>, _: usize, rows: Rows<'_>) -> ContactDrift {
        rows.normal[1] = 1.0;
        rows.tangent[0] = 1.0;
        ContactDrift {
            velocity: ContactComponents {
                n: 0.0,
                t: -self.belt,
            },
            ..ContactDrift::default()
        }
    }
}

impl Guards for Block {}

impl Drawing for Block {}

fn slide(block: Block, friction: [f64; 2], start: [f64; 2], duration: f64) -> Run {
    let mut setup = Setup {
        mechanism: block,
        rules: vec![Rule {
            name: "belt".to_owned(),
            law: Law::Poisson,
            friction: Friction::new(friction[0], friction[1]).unwrap(),
            restitution: 0.0,
            spin_radius: 0.0,
            tangential_restitution: None,
        }],
        q: vec![start[0], 0.0],
        v: vec![start[1], 0.0],
        options: Options {
            duration,
            ..Options::default()
        },
    };
    let run = run(&mut setup).unwrap();
    assert_eq!(run.end, End::Duration);
    assert_balanced(&run, 1e-10);
    assert!(run.ledger.unwrap().friction < 0.0);
    run
}

#[test]
fn a_block_on_a_belt_sticks_and_slips_in_the_cycle_of_the_closed_form() {
    let belt = Block {
        belt: 0.1,
        drive: (0.0, 0.0),
    };
    let run = slide(belt, [0.4, 0.25], [0.0, 0.1], 40.0);
    let slip = 2.0 * (std::f64::consts::PI - 1.5f64.atan());
    let mut expected = 4.0;
    let found = transitions(&run);
    assert!(found.len() > 6);
    for (k, (kind, event)) in found.iter().enumerate() {
        assert_close("time", event.time, expected, 1e-9);
        let (due, lasts) = match k % 2 {
            0 => (Transition::Slip, slip),
            _ => (Transition::Stick, 3.0),
        };
        assert_eq!(*kind, due);
        expected += lasts;
    }
}

#[test]
fn a_driven_oscillator_with_dry_friction_swings_as_den_hartog_says() {
    let driven = Block {
        belt: 0.0,
        drive: (1.0, 0.7),
    };
    let run = slide(driven, [0.3; 2], [1.8, 0.0], 600.0);
    let found = transitions(&run);
    let (kind, last) = found.last().unwrap();
    assert_eq!(*kind, Transition::Reverse);
    assert_close("greatest", last.q[0].abs(), 1.885699850414, 1e-8);
}

#[test]
fn a_smooth_ladder_leaves_the_wall_at_two_thirds_of_its_height() {
    let (start, radius) = (60f64.to_radians(), 0.01);
    let run = run(&mut Scene {
        inertia: 1.0 / 12.0,
        skin: Outline::Capsule {
            length: 1.0,
            radius,
        },
        q: [
            radius + 0.5 * start.cos(),
            radius + 0.5 * start.sin(),
            std::f64::consts::PI - start,
        ],
        walls: vec![([0.0, 1.0], [0.0, 0.0]), ([1.0, 0.0], [0.0, 0.0])],
        duration: 0.7,
        ..Scene::default()
    }
    .setup())
    .unwrap();
    let (kind, event) = transitions(&run)[0];
    assert_eq!(kind, Transition::Release);
    assert_close("height", event.q[2].sin(), 2.0 / 3.0 * start.sin(), 1e-10);
}
