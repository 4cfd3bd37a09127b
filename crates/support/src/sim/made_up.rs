//! Runs made up by hand: what they show is known in closed form.

use std::f64::consts::PI;

use carom_contact::impact::{ContactResult, ContactType, Law, Method, Pair, Tangential};
use carom_sim::record::*;
use indexmap::IndexMap;

pub fn list<T>(pairs: impl IntoIterator<Item = (&'static str, T)>) -> IndexMap<String, T> {
    pairs.into_iter().map(|(k, v)| (k.to_owned(), v)).collect()
}

fn pair(normal: f64, tangent: f64) -> Pair {
    Pair {
        normal: Some(normal),
        tangent: Some(Tangential::Plane(tangent)),
    }
}

/// A contact that turns `v_n` round.
pub fn contact(name: &str, p: (f64, f64), v_n: (f64, f64)) -> ContactResult {
    ContactResult {
        name: name.to_owned(),
        contact_type: ContactType::NonSlidingCompression,
        started_at_rest: false,
        impulse: pair(p.0, p.1),
        velocity_before: pair(v_n.0, 0.3),
        velocity_after: pair(v_n.1, 0.0),
        work: pair(-0.2, -0.1),
        path: Vec::new(),
        spatial: None,
    }
}

pub fn impact(index: usize, time: f64, contacts: Vec<ContactResult>) -> EventRecord {
    EventRecord {
        places: IndexMap::new(),
        guard: None,
        coordinates_after: None,
        index,
        time,
        kind: EventKind::Impact,
        contacts,
        law: Some(Law::Poisson),
        method: Some(Method::Complementarity),
        energy_change: None,
        energy_before: None,
        coordinates: IndexMap::new(),
        rates_before: IndexMap::new(),
        rates_after: None,
        joint_impulses: IndexMap::new(),
        modes_after: IndexMap::new(),
        notes: Vec::new(),
        determinacy: None,
        outcomes: Vec::new(),
        accumulation: None,
        problem: None,
    }
}

/// A run in which nothing is recorded.
pub fn empty() -> RunRecord {
    RunRecord {
        around_events: None,
        title: None,
        end: EndRecord {
            kind: EndKind::Duration,
            reason: "the time asked for was reached".to_owned(),
            end_contacts: Vec::new(),
            accumulation: None,
            answers: Vec::new(),
            continua: Vec::new(),
        },
        time: 6.0,
        duration: 6.0,
        assembly: None,
        modes_at_start: IndexMap::new(),
        shared_forces: Vec::new(),
        chosen_forces: Vec::new(),
        events: Vec::new(),
        ledger: Some(LedgerRecord {
            entries: carom_sim::Ledger::default(),
            residual: 0.0,
        }),
        effort: EffortRecord {
            steps_accepted: 0,
            steps_rejected: 0,
            evaluations: 0,
            guard_evaluations: 0,
            polish_steps: 0,
            events: 0,
        },
        last: FinalState {
            coordinates: IndexMap::new(),
            rates: IndexMap::new(),
        },
        joints: Vec::new(),
        scene: None,
        trajectory: None,
    }
}

pub fn joint(name: &str, kind: &str, columns: &[(&str, &str)]) -> JointColumns {
    JointColumns {
        name: name.to_owned(),
        kind: kind.to_owned(),
        coordinates: columns.iter().map(|c| c.0.to_owned()).collect(),
        units: columns.iter().map(|c| c.1.to_owned()).collect(),
    }
}

const GRAVITY: f64 = 9.81;
const BALL: f64 = 0.05;

/// A ball of 1 kg dropped from 1 m onto the floor, restitution 0.8, drifting and spinning.
pub fn ball(samples: usize) -> RunRecord {
    let (mut instants, mut speeds) = (vec![(2.0 / GRAVITY).sqrt()], vec![0.0]);
    for k in 1..8 {
        let speed = 0.8_f64.powi(k) * (2.0 * GRAVITY).sqrt();
        instants.push(instants[instants.len() - 1] + 2.0 * speed / GRAVITY);
        speeds.push(speed);
    }
    let duration = 2.6;
    let height = |t: f64| {
        let k = instants.partition_point(|i| *i <= t);
        match k {
            0 => (1.0 - GRAVITY * t * t / 2.0, -GRAVITY * t),
            k => {
                let (s, v) = (
                    t - instants[k - 1],
                    0.8_f64.powi(k as i32) * (2.0 * GRAVITY).sqrt(),
                );
                (v * s - GRAVITY * s * s / 2.0, v - GRAVITY * s)
            }
        }
    };
    let time: Vec<f64> = (0..samples)
        .map(|k| duration * k as f64 / (samples.max(2) - 1) as f64)
        .collect();
    let of = |f: &dyn Fn(f64) -> f64| time.iter().map(|t| f(*t)).collect::<Vec<f64>>();
    let (x, y, angle) = (of(&|t| 0.6 * t), of(&|t| BALL + height(t).0), of(&|t| -t));
    let rates = vec![of(&|_| 0.6), of(&|t| height(t).1), of(&|_| -1.0)];
    let mut record = empty();
    record.title = Some("Ball <dropped>".to_owned());
    record.duration = duration;
    record.time = duration;
    record.joints = vec![joint(
        "ball",
        "free",
        &[("x", "m"), ("y", "m"), ("angle", "rad")],
    )];
    record.trajectory = Some(Trajectory {
        shared_forces: Vec::new(),
        chosen_forces: Vec::new(),
        contact_forces: Default::default(),
        modes: Default::default(),
        gap_units: Default::default(),
        kinetic: of(&|t| 0.5 * (0.36 + height(t).1.powi(2))),
        potential: of(&|t| GRAVITY * (BALL + height(t).0)),
        coordinates: list([("ball", vec![x.clone(), y.clone(), angle.clone()])]),
        rates: list([("ball", rates)]),
        reactions: IndexMap::new(),
        gaps: list([("floor", of(&|t| height(t).0))]),
        poses: list([("ball", vec![x, y, angle])]),
        time: time.clone(),
    });
    record.events = instants
        .iter()
        .take_while(|t| **t < duration)
        .enumerate()
        .map(|(k, t)| ball_event(k, *t))
        .collect();
    record.scene = Some(ball_scene());
    record
}

fn ball_scene() -> Scene {
    Scene::Plane(Bodies {
        world: BodyScene {
            name: "world".to_owned(),
            outlines: vec![floor(0.0)],
            points: Vec::new(),
        },
        bodies: vec![BodyScene {
            name: "ball".to_owned(),
            outlines: vec![disk([0.0, 0.0], BALL)],
            points: vec![[0.0, 0.0]],
        }],
    })
}

fn ball_event(k: usize, t: f64) -> EventRecord {
    let speed = 0.8_f64.powi(k as i32) * (2.0 * GRAVITY).sqrt();
    let rates = |v: f64| list([("ball", vec![0.6, v, -1.0])]);
    let touching = contact("floor", (1.8 * speed, 0.0), (-speed, 0.8 * speed));
    EventRecord {
        energy_before: Some(0.5 * (0.36 + speed * speed) + GRAVITY * BALL),
        energy_change: Some(-0.5 * 0.36 * speed * speed),
        coordinates: list([("ball", vec![0.6 * t, BALL, -t])]),
        rates_before: rates(-speed),
        rates_after: Some(rates(0.8 * speed)),
        modes_after: list([("floor", "open".to_owned())]),
        ..impact(k + 1, t, vec![touching])
    }
}

pub fn floor(height: f64) -> Outline {
    Outline::HalfSpace {
        point: [0.0, height],
        normal: [0.0, 1.0],
    }
}

pub fn disk(at: [f64; 2], radius: f64) -> Outline {
    Outline::Round {
        from: at,
        to: at,
        radius,
    }
}

const BEAT: f64 = 3.3;

/// Upper and relative lower angle and their rates; `side` is the sense just after a beat.
fn swing(t: f64, k: f64) -> [f64; 4] {
    let sense = if (k as i64) % 2 == 0 { 1.0 } else { -1.0 };
    let (s, c) = ((BEAT * t).sin() * sense, (BEAT * t).cos() * sense);
    let sway = 0.35 * (0.9 * t).cos();
    [
        sway + 1.1 * s,
        -sway - 1.9 * s,
        -0.315 * (0.9 * t).sin() + 1.1 * BEAT * c,
        0.315 * (0.9 * t).sin() - 1.9 * BEAT * c,
    ]
}

/// A fake double pendulum over a floor: two joints, an impact at every half beat, 2 J lost at each.
pub fn pendulum(samples: usize) -> RunRecord {
    let duration = 6.0;
    let time: Vec<f64> = (0..samples)
        .map(|k| duration * k as f64 / (samples.max(2) - 1) as f64)
        .collect();
    let beat = |t: f64| (BEAT * t / PI).floor();
    let of = |f: &dyn Fn(f64) -> f64| time.iter().map(|t| f(*t)).collect::<Vec<f64>>();
    let state = |i: usize| of(&|t| swing(t, beat(t))[i]);
    let height = |t: f64| {
        let [a, b, ..] = swing(t, beat(t));
        -20.0 * a.cos() - 13.5 * (a + b).cos()
    };
    let total = |t: f64| 40.0 - 2.0 * beat(t);
    let mut record = empty();
    record.title = Some("Double pendulum on a rough obstacle".to_owned());
    record.joints = vec![
        joint("O", "revolute", &[("angle", "rad")]),
        joint("A", "revolute", &[("angle", "rad")]),
    ];
    let force = |size: f64| {
        let x = of(&|t| size * (BEAT * t).cos() * (1.0 + 0.1 * beat(t)));
        let y = of(&|t| 68.0 + size * (2.0 * BEAT * t).cos() - 4.0 * beat(t));
        ReactionSeries {
            force: vec![x, y],
            moment: Moment::Plane(vec![0.0; time.len()]),
        }
    };
    record.trajectory = Some(Trajectory {
        shared_forces: Vec::new(),
        chosen_forces: Vec::new(),
        contact_forces: Default::default(),
        modes: Default::default(),
        gap_units: Default::default(),
        coordinates: list([("O", vec![state(0)]), ("A", vec![state(1)])]),
        rates: list([("O", vec![state(2)]), ("A", vec![state(3)])]),
        kinetic: of(&|t| total(t) - height(t)),
        potential: of(&height),
        reactions: list([("O", force(90.0)), ("A", force(55.0))]),
        gaps: list([("hit", of(&|t| 0.4 * (BEAT * t).sin().abs()))]),
        poses: list([
            ("upper", vec![of(&|_| 0.0), of(&|_| 0.0), state(0)]),
            ("lower", lower_poses(&time)),
        ]),
        time,
    });
    let count = (BEAT * duration / PI).floor() as usize;
    record.events = (1..=count).map(pendulum_event).collect();
    record.scene = Some(pendulum_scene());
    record
}

fn lower_poses(time: &[f64]) -> Vec<Vec<f64>> {
    let angles = time.iter().map(|t| swing(*t, (BEAT * t / PI).floor()));
    let poses: Vec<[f64; 3]> = angles
        .map(|[a, b, ..]| [0.5 * a.sin(), -0.5 * a.cos(), a + b])
        .collect();
    (0..3)
        .map(|k| poses.iter().map(|pose| pose[k]).collect())
        .collect()
}

fn pendulum_event(k: usize) -> EventRecord {
    let t = k as f64 * PI / BEAT;
    let (before, after) = (swing(t, k as f64 - 1.0), swing(t, k as f64));
    let rates = |state: [f64; 4]| list([("O", vec![state[2]]), ("A", vec![state[3]])]);
    let impulse = |x: f64, y: f64| JointImpulseRecord {
        force: vec![x, y],
        moment: Moment::Plane(0.0),
        unique: true,
        unique_components: None,
    };
    let touching = contact("hit", (26.49606526 - k as f64, -2.34764101), (-5.1, 4.6));
    EventRecord {
        energy_before: Some(40.0 - 2.0 * (k as f64 - 1.0)),
        energy_change: Some(-2.0),
        coordinates: list([("O", vec![before[0]]), ("A", vec![before[1]])]),
        rates_before: rates(before),
        rates_after: Some(rates(after)),
        joint_impulses: list([
            ("O", impulse(1.3 * k as f64 - 5.0, 12.0 - k as f64)),
            ("A", impulse(4.0, -8.0 + 2.0 * k as f64)),
        ]),
        modes_after: list([("hit", "open".to_owned())]),
        ..impact(k, t, vec![touching])
    }
}

fn pendulum_scene() -> Scene {
    Scene::Plane(Bodies {
        world: BodyScene {
            name: "world".to_owned(),
            outlines: vec![floor(-1.2)],
            points: vec![[0.0, 0.0]],
        },
        bodies: vec![
            BodyScene {
                name: "upper".to_owned(),
                outlines: Vec::new(),
                points: vec![[0.0, 0.0], [0.0, -0.5], [0.0, -0.25]],
            },
            BodyScene {
                name: "lower".to_owned(),
                outlines: vec![disk([0.0, -0.65], 0.05)],
                points: vec![[0.0, 0.0], [0.0, -0.3627]],
            },
        ],
    })
}

/// A run with everything a figure or a file could stumble over, in names and in numbers.
pub fn hostile(samples: usize) -> RunRecord {
    let mut record = pendulum(samples);
    record.title = Some("<script>\"&\u{1}".repeat(40));
    let names = [
        "a \"quoted\", name".to_owned(),
        "</text><script>".to_owned(),
        "very_long^name ".repeat(30),
        "new\nline".to_owned(),
        " ".to_owned(),
        "tiny".to_owned(),
        "huge".to_owned(),
        "\\".to_owned(),
    ];
    let value = |column: usize, k: usize| match column {
        0 => 1e-30 * (k as f64).sin(),
        1 => 1e30 * (k as f64 / 7.0).cos(),
        2 => 1e308 * (k as f64).cos(),
        3 => 5.0,
        4 if k.is_multiple_of(3) => f64::NAN,
        5 => 5e-324 * k as f64,
        6 => f64::INFINITY,
        _ => 1e6 + 1e-3 * (k as f64).sin(),
    };
    let column = |c: usize| (0..samples).map(|k| value(c, k)).collect::<Vec<f64>>();
    let trajectory = record.trajectory.as_mut().unwrap();
    for (c, name) in names.iter().enumerate() {
        let unit = ["rad", "m", "", "kg"][c % 4];
        record.joints.push(joint(name, "own", &[("q_0", unit)]));
        let short = column(c).into_iter().take(samples / 2).collect();
        let gap = column(c);
        trajectory.coordinates.insert(name.clone(), vec![column(c)]);
        trajectory.rates.insert(name.clone(), vec![short]);
        trajectory.gaps.insert(name.clone(), gap);
        let reaction = ReactionSeries {
            force: vec![column(c), column(7), column(0), column(1)],
            moment: Moment::Plane(column(c)),
        };
        trajectory.reactions.insert(name.clone(), reaction);
    }
    for c in 0..40 {
        let name = format!("contact number {c}");
        trajectory.gaps.insert(name, column(7));
    }
    trajectory.poses.insert("absent".to_owned(), Vec::new());
    let mut user = impact(99, 3.0, Vec::new());
    user.kind = EventKind::User;
    let mut jam = impact(
        100,
        5.9,
        vec![contact(&names[2], (1e30, -1e-30), (-1e-12, 1e12))],
    );
    jam.contacts
        .push(contact(&names[3], (-1.2345678e-30, 2.0), (-1.0, 1.0)));
    record.events.extend([user, jam]);
    record.events.sort_by(|a, b| a.time.total_cmp(&b.time));
    record
}
