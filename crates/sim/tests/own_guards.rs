//! Guards and reset maps of a user's own system.
#![allow(clippy::unwrap_used)]

use carom_contact::contact_space::Friction;
use carom_contact::impact::Law;
use carom_multibody::State;
use carom_multibody::mechanism::{
    ContactDrift, Contacts, Crossing, Drawing, Dynamics, Gap, GuardValue, Guards, Reset, Rows,
};
use carom_sim::{End, Happening, Options, Rule, Run, Setup, SimError, run};

/// What a guard at a height does when a falling particle passes.
#[derive(Clone, Copy)]
struct Mark {
    height: f64,
    crossing: Crossing,
    knows_rate: bool,
    is_on: bool,
    act: fn(&mut f64, &mut f64) -> Reset,
}

/// A particle of unit mass that falls along a line; a floor at height 0 where wanted.
struct Particle {
    marks: Vec<Mark>,
    has_floor: bool,
    mass: fn(f64) -> f64,
}

impl Dynamics for Particle {
    fn rates(&self) -> usize {
        1
    }
    fn mass(&mut self, state: State<'_>, out: &mut [f64]) {
        out[0] = (self.mass)(state.q[0]);
    }
    fn bias(&mut self, state: State<'_>, out: &mut [f64]) {
        out[0] = 10.0 * (self.mass)(state.q[0]);
    }
}

impl Contacts for Particle {
    fn contacts(&self) -> usize {
        usize::from(self.has_floor)
    }
    fn gaps(&mut self, state: State<'_>, out: &mut [Gap]) {
        for gap in out {
            (gap.gap, gap.v_n) = (state.q[0], state.v[0]);
        }
    }
    fn contact_rows(&mut self, _: State<'_>, _: usize, rows: Rows<'_>) -> ContactDrift {
        rows.normal[0] = 1.0;
        ContactDrift::default()
    }
    fn has_tangent(&self, _: usize) -> bool {
        false
    }
}

impl Guards for Particle {
    fn guards(&self) -> usize {
        self.marks.len()
    }
    fn guard_crossing(&self, guard: usize) -> Crossing {
        self.marks[guard].crossing
    }
    fn guard_values(&mut self, state: State<'_>, _: &[f64], out: &mut [GuardValue]) {
        for (value, mark) in out.iter_mut().zip(&self.marks) {
            value.value = state.q[0] - mark.height;
            value.rate = if mark.knows_rate {
                state.v[0]
            } else {
                f64::NAN
            };
        }
    }
    fn is_switched_on(&mut self, _: State<'_>, guard: usize) -> bool {
        self.marks[guard].is_on
    }
    fn reset(&mut self, guard: usize, _: f64, q: &mut [f64], v: &mut [f64]) -> Reset {
        (self.marks[guard].act)(&mut q[0], &mut v[0])
    }
}

impl Drawing for Particle {}

fn nothing(_: &mut f64, _: &mut f64) -> Reset {
    Reset::GoOn
}

fn mark(height: f64, act: fn(&mut f64, &mut f64) -> Reset) -> Mark {
    Mark {
        height,
        crossing: Crossing::Falling,
        knows_rate: true,
        is_on: true,
        act,
    }
}

/// Drops the particle from rest at height 1.
fn drop(marks: &[Mark], floor: Option<f64>, duration: f64) -> Result<Run, SimError> {
    drop_mass(marks, floor, duration, |_| 1.0)
}

fn drop_mass(
    marks: &[Mark],
    floor: Option<f64>,
    duration: f64,
    mass: fn(f64) -> f64,
) -> Result<Run, SimError> {
    let rule = |restitution: f64| Rule {
        name: "floor".to_owned(),
        law: Law::Newton,
        friction: Friction::NONE,
        restitution,
        spin_radius: 0.0,
        tangential_restitution: None,
    };
    let mut setup = Setup {
        mechanism: Particle {
            marks: marks.to_vec(),
            has_floor: floor.is_some(),
            mass,
        },
        rules: floor.map(rule).into_iter().collect(),
        q: vec![1.0],
        v: vec![0.0],
        options: Options {
            duration,
            ..Options::default()
        },
    };
    run(&mut setup)
}

fn guards_of(run: &Run) -> Vec<usize> {
    let guard = |what: &Happening| match what {
        Happening::Reset { guard } => Some(*guard),
        _ => None,
    };
    run.events.iter().filter_map(|e| guard(&e.what)).collect()
}

#[test]
fn a_reset_that_changes_nothing_is_an_event_once() {
    for knows_rate in [true, false] {
        let marks = [Mark {
            knows_rate,
            ..mark(0.5, nothing)
        }];
        let run = drop(&marks, None, 1.0).unwrap();
        assert_eq!((run.events.len(), &run.end), (1, &End::Duration));
        assert!((run.events[0].time - 0.1f64.sqrt()).abs() < 1e-14);
        assert!((run.q[0] + 4.0).abs() < 1e-13);
    }
}

#[test]
fn a_guard_that_is_switched_off_passes_unnoticed_and_does_not_disturb_the_others() {
    let off = Mark {
        is_on: false,
        ..mark(0.5, nothing)
    };
    let run = drop(&[off, mark(0.5, nothing), mark(0.2, nothing)], None, 1.0).unwrap();
    assert_eq!(guards_of(&run), [1, 2]);
}

/// A particle that loses half its speed at a line used to lose it again and again in that instant,
/// until 100 000 events were used up: the reset left the guard where it fires.
#[test]
fn a_reset_that_lets_the_guard_fall_on_is_applied_once() {
    fn halve(_: &mut f64, v: &mut f64) -> Reset {
        *v *= 0.5;
        Reset::GoOn
    }
    for knows_rate in [true, false] {
        let marks = [Mark {
            knows_rate,
            ..mark(0.5, halve)
        }];
        let run = drop(&marks, None, 1.0).unwrap();
        assert_eq!((run.events.len(), &run.end), (1, &End::Duration));
        let (t, v) = (0.1f64.sqrt(), -10.0 * 0.1f64.sqrt());
        let rest = 1.0 - t;
        let wanted = 0.5 + 0.5 * v * rest - 5.0 * rest * rest;
        assert!((run.q[0] - wanted).abs() < 1e-12, "{} {wanted}", run.q[0]);
    }
}

#[test]
fn a_reset_to_a_deeper_place_lets_the_guard_pass_too() {
    fn sink(q: &mut f64, _: &mut f64) -> Reset {
        *q -= 0.1;
        Reset::GoOn
    }
    let run = drop(&[mark(0.5, sink)], None, 1.0).unwrap();
    assert_eq!((run.events.len(), &run.end), (1, &End::Duration));
}

#[test]
fn a_reset_that_brings_the_guard_back_lets_it_fire_again() {
    fn lift(q: &mut f64, _: &mut f64) -> Reset {
        *q += 0.3;
        Reset::GoOn
    }
    let run = drop(&[mark(0.5, lift)], None, 1.0).unwrap();
    assert!(run.events.len() > 10 && run.end == End::Duration);
    assert!(run.events.windows(2).all(|w| w[0].time < w[1].time));
}

/// Resets without end in one instant have a name: the run does not use up its events.
#[test]
fn resets_that_hold_the_guard_at_zero_end_the_run_by_name() {
    fn halt(_: &mut f64, v: &mut f64) -> Reset {
        *v = 0.0;
        Reset::GoOn
    }
    fn bounce(_: &mut f64, v: &mut f64) -> Reset {
        *v *= -0.5;
        Reset::GoOn
    }
    for (name, act) in [
        ("halt", halt as fn(&mut f64, &mut f64) -> Reset),
        ("bounce", bounce),
    ] {
        for knows_rate in [true, false] {
            let run = drop(
                &[Mark {
                    knows_rate,
                    ..mark(0.5, act)
                }],
                None,
                3.0,
            )
            .unwrap();
            assert_eq!(
                run.end,
                End::ResetsRepeat { guard: 0 },
                "{name} {knows_rate} {}",
                run.events.len()
            );
            assert!(run.events.len() < 100, "{}", run.events.len());
            assert!((run.q[0] - 0.5).abs() < 1e-9);
        }
    }
}

#[test]
fn guards_of_one_instant_are_all_honoured() {
    fn kick(_: &mut f64, v: &mut f64) -> Reset {
        *v += 20.0;
        Reset::GoOn
    }
    for crossing in [Crossing::Falling, Crossing::Either] {
        let at = |act| Mark {
            crossing,
            ..mark(0.5, act)
        };
        // The first turns the particle back: the second and third have fired all the same.
        let run = drop(&[at(kick), at(nothing), at(kick)], None, 0.35).unwrap();
        assert_eq!(guards_of(&run), [0, 1, 2]);
        let v = -10.0 * 0.1f64.sqrt() + 40.0;
        assert!((run.events[2].v_post[0] - v).abs() < 1e-12);
    }
}

#[test]
fn a_guard_that_fires_with_a_contact_is_honoured_after_the_impact() {
    for crossing in [Crossing::Falling, Crossing::Either] {
        let run = drop(
            &[Mark {
                crossing,
                ..mark(0.0, nothing)
            }],
            Some(1.0),
            0.6,
        )
        .unwrap();
        assert_eq!((run.events.len(), &run.end), (2, &End::Duration));
        assert!(run.events[0].impact().is_some());
        assert_eq!(run.events[1].what, Happening::Reset { guard: 0 });
        assert_eq!(run.events[0].time, run.events[1].time);
        assert!(run.events[1].v_pre[0] > 0.0, "the state after the impact");
    }
}

#[test]
fn a_stop_ends_the_run_at_its_guard() {
    fn stop(_: &mut f64, _: &mut f64) -> Reset {
        Reset::Stop
    }
    let run = drop(&[mark(0.5, nothing), mark(0.25, stop)], None, 1.0).unwrap();
    assert_eq!(run.end, End::Stopped { guard: 1 });
    assert!((run.time - 0.15f64.sqrt()).abs() < 1e-14);
}

#[test]
fn a_mass_that_is_lost_on_the_way_is_an_error_with_its_time() {
    let lost = drop_mass(&[], None, 1.0, |q| if q > 0.5 { 1.0 } else { -1.0 }).unwrap();
    let End::Failed { error } = lost.end else {
        unreachable!("{:?}", lost.end);
    };
    let SimError::Singular { time, source } = *error else {
        unreachable!("{error:?}");
    };
    assert!((time - 0.1f64.sqrt()).abs() < 1e-6, "{time}");
    assert!(source.to_string().contains("mass matrix"), "{source}");
}
