//! How motions end, and motions with known answers.
#![allow(clippy::unwrap_used)]

use std::f64::consts::PI;

use carom_contact::contact_space::Friction;
use carom_contact::impact::{Law, Method, Outcome};
use carom_multibody::contact::{Outline, Shape};
use carom_multibody::mechanism::PlaneMechanism;
use carom_multibody::plane::PlaneJoint::Prismatic;
use carom_multibody::{Body, Joint, Motion, PlaneModelBuilder, Spring};
use carom_sim::{
    End, Happening, NoAnswer, NotOffered, Options, Rule, Run, Setup, Several, SimError, run,
};
use carom_support::sim::assert_balanced;

fn rule(restitution: f64) -> Rule {
    Rule {
        name: "hit".to_owned(),
        law: Law::Newton,
        friction: Friction::NONE,
        restitution,
        spin_radius: 0.0,
        tangential_restitution: None,
    }
}

/// The same rule for several contacts.
fn rules(rule: &Rule, count: usize) -> Vec<Rule> {
    let named = |k: usize| Rule {
        name: format!("{}.{k}", rule.name),
        ..rule.clone()
    };
    (0..count).map(named).collect()
}

fn options(duration: f64) -> Options {
    Options {
        duration,
        sustained: false,
        ..Options::default()
    }
}

fn vertical(child: &str) -> Joint<carom_multibody::plane::Plane> {
    let axis = [0.0, 1.0].into();
    Joint::new(Prismatic { axis }, "world", child)
}

/// A point mass on a vertical line above a floor at height zero.
fn ball(height: f64, restitution: f64, duration: f64) -> Result<Run, SimError> {
    let mut builder = PlaneModelBuilder::new();
    let body = Body {
        shapes: vec![("skin".to_owned(), Shape::new(Outline::Point))],
        ..Body::new(1.0, 1.0)
    };
    let up = [0.0, 1.0].into();
    let floor = Shape::new(Outline::HalfSpace { normal: up });
    builder.gravity([0.0, -9.81]).body("ball", body);
    builder
        .joint("line", vertical("ball"))
        .world_shape("floor", floor);
    let model = builder.build().unwrap();
    let features = model
        .features(("ball", "skin"), ("world", "floor"))
        .unwrap();
    run(&mut Setup {
        mechanism: PlaneMechanism::new(model, features),
        rules: vec![rule(restitution)],
        q: vec![height],
        v: vec![0.0],
        options: options(duration),
    })
}

#[test]
fn a_bouncing_ball_piles_up_at_the_instant_of_the_closed_form() {
    let run = ball(1.0, 0.8, 10.0).unwrap();
    let End::Accumulates { ratio, limit, .. } = run.end else {
        unreachable!("{:?}", run.end);
    };
    assert!((ratio - 0.8).abs() < 1e-6);
    assert!((limit - 4.063712768872).abs() < 1e-9, "{limit}");
    let fall = (2.0f64 / 9.81).sqrt();
    let mut expected = fall;
    for (k, event) in run.events.iter().take(30).enumerate() {
        assert!((event.time - expected).abs() < 1e-12, "{k}");
        expected += 2.0 * fall * 0.8f64.powi(k as i32 + 1);
    }
    assert!(run.ledger.unwrap().residual().abs() < 1e-11);
}

#[test]
fn a_plastic_ball_stays_and_the_run_says_so() {
    let run = ball(1.0, 0.0, 10.0).unwrap();
    assert_eq!(run.end, End::ContactPersists { contacts: vec![0] });
    assert_eq!(run.events.len(), 1);
}

#[test]
fn a_ball_in_the_floor_or_in_no_time_is_refused() {
    let overlap = ball(-0.1, 0.5, 1.0).unwrap_err().to_string();
    assert!(overlap.contains("overlaps at the start"), "{overlap}");
    for duration in [0.0, f64::INFINITY, f64::NAN, -1.0] {
        let refused = ball(1.0, 0.5, duration).unwrap_err().to_string();
        assert!(refused.contains("duration is"), "{refused}");
    }
    let refused = ball(1.0, 1.5, 1.0).unwrap_err().to_string();
    assert!(
        refused.contains("restitution of contact hit is 1.5"),
        "{refused}"
    );
}

/// Block of mass `ratio` runs at a ball of mass 1 at rest before a wall; all elastic.
fn galperin(ratio: f64) -> usize {
    let mut builder = PlaneModelBuilder::new();
    let axis = [1.0, 0.0].into();
    let skin = || vec![("skin".to_owned(), Shape::new(Outline::Disk { radius: 0.1 }))];
    for (name, mass) in [("block", ratio), ("ball", 1.0)] {
        let body = Body {
            shapes: skin(),
            ..Body::new(mass, 1.0)
        };
        builder.body(name, body);
        builder.joint(name, Joint::new(Prismatic { axis }, "world", name));
    }
    let right = [1.0, 0.0].into();
    builder.world_shape("wall", Shape::new(Outline::HalfSpace { normal: right }));
    let model = builder.build().unwrap();
    let mut features = model.features(("block", "skin"), ("ball", "skin")).unwrap();
    features.extend(model.features(("ball", "skin"), ("world", "wall")).unwrap());
    let run = run(&mut Setup {
        mechanism: PlaneMechanism::new(model, features),
        rules: rules(&rule(1.0), 2),
        q: vec![3.0, 1.0],
        v: vec![-1.0, 0.0],
        options: options(200.0),
    })
    .unwrap();
    assert_eq!(run.end, End::Duration);
    run.events.len()
}

#[test]
fn galperins_billiard_counts_the_digits_of_pi() {
    assert_eq!([1.0, 100.0, 10_000.0].map(galperin), [3, 31, 314]);
}

/// Impact oscillator P32: x'' + 2ζx' + x = cos(ωt) against a stop at 0, one impact a period.
#[test]
fn the_impact_oscillator_settles_on_one_impact_a_period() {
    let (zeta, omega, restitution) = (0.05, 2.2, 0.8);
    let mut builder = PlaneModelBuilder::new();
    let body = Body {
        shapes: vec![("skin".to_owned(), Shape::new(Outline::Point))],
        ..Body::new(1.0, 1.0)
    };
    let axis = [1.0, 0.0].into();
    let joint = Joint {
        damping: 2.0 * zeta,
        spring: Some(Spring {
            stiffness: 1.0,
            rest: 0.0,
        }),
        drive: Some(carom_multibody::Drive {
            amplitude: 1.0,
            frequency: omega,
            phase: 0.0,
        }),
        ..Joint::new(Prismatic { axis }, "world", "mass")
    };
    let left = [-1.0, 0.0].into();
    builder.body("mass", body).joint("line", joint);
    builder.world_shape("stop", Shape::new(Outline::HalfSpace { normal: left }));
    let model = builder.build().unwrap();
    let features = model.features(("mass", "skin"), ("world", "stop")).unwrap();
    let period = 2.0 * PI / omega;
    let run = run(&mut Setup {
        mechanism: PlaneMechanism::new(model, features),
        rules: vec![rule(restitution)],
        q: vec![-0.3],
        v: vec![0.0],
        options: options(200.0 * period),
    })
    .unwrap();
    assert_eq!(run.end, End::Duration);
    let last = run.events.last().unwrap();
    let phase = (omega * last.time).rem_euclid(2.0 * PI);
    assert!((phase - 2.578738027547).abs() < 1e-9, "{phase}");
    assert!((last.v_post[0] + 1.394111903296).abs() < 1e-9, "{last:?}");
    let ledger = run.ledger.unwrap();
    assert!(
        ledger.residual().abs() < 1e-10 * ledger.largest,
        "{ledger:?}"
    );
    assert!(ledger.damping < 0.0 && ledger.drives > 0.0);
}

/// Ball on a table A sin(ωt), P31: one impact each period where v_n⁻ meets the table's motion.
#[test]
fn a_ball_on_a_vibrating_table_locks_to_it_and_the_table_pays() {
    let (restitution, omega) = (0.5, 60.0);
    let amplitude = 1.2 * 9.81 / (omega * omega); // Γ = 1.2, between existence and flip
    // One impact a period: cos(ωt) = π(1−e)/(Γ(1+e)) at the impact, and the ball flies for 2π/ω.
    let cosine = PI * (1.0 - restitution) / (1.2 * (1.0 + restitution));
    let (phase, period) = (cosine.acos(), 2.0 * PI / omega);
    let mut builder = PlaneModelBuilder::new();
    let body = Body {
        shapes: vec![("skin".to_owned(), Shape::new(Outline::Point))],
        ..Body::new(1.0, 1.0)
    };
    let up = [0.0, 1.0].into();
    let plate = Body {
        shapes: vec![(
            "top".to_owned(),
            Shape::new(Outline::HalfSpace { normal: up }),
        )],
        ..Body::new(5.0, 1.0)
    };
    let shaken = Joint {
        motion: Some(Motion {
            offset: 0.0,
            rate: 0.0,
            amplitude,
            frequency: omega,
            phase,
        }),
        ..vertical("table")
    };
    builder
        .gravity([0.0, -9.81])
        .body("table", plate)
        .body("ball", body);
    builder
        .joint("shaker", shaken)
        .joint("line", vertical("ball"));
    let model = builder.build().unwrap();
    let features = model.features(("ball", "skin"), ("table", "top")).unwrap();
    let run = run(&mut Setup {
        mechanism: PlaneMechanism::new(model, features),
        rules: vec![rule(restitution)],
        q: vec![amplitude * phase.sin() + 1e-6],
        v: vec![1.02 * 9.81 * period / 2.0], // a little off the periodic motion
        options: options(400.0 * period),
    })
    .unwrap();
    assert_eq!(run.end, End::Duration, "{:?}", run.events.len());
    let times: Vec<f64> = run.events.iter().map(|e| e.time).collect();
    let last = times.windows(2).last().unwrap();
    assert!((last[1] - last[0] - period).abs() < 1e-9, "{last:?}");
    assert!(((omega * last[1] + phase).cos() - cosine).abs() < 1e-8);
    let ledger = run.ledger.unwrap();
    assert!(
        ledger.residual().abs() < 1e-10 * ledger.largest,
        "{ledger:?}"
    );
    assert!(ledger.motions > 0.0);
}

/// A box dropped flat: two corners land together.
fn box_landing_flat(rule: &Rule, duration: f64) -> Run {
    box_thrown_flat(rule, 0.0, options(duration))
}

fn box_thrown_flat(rule: &Rule, speed: f64, options: Options) -> Run {
    let mut builder = PlaneModelBuilder::new();
    let size = [1.0, 0.5].into();
    let shape = Shape::new(Outline::Box { size });
    let body = Body {
        shapes: vec![("skin".to_owned(), shape)],
        ..Body::new(1.0, 0.1)
    };
    let up = [0.0, 1.0].into();
    builder.gravity([0.0, -9.81]).body("box", body);
    builder.world_shape("floor", Shape::new(Outline::HalfSpace { normal: up }));
    let model = builder.build().unwrap();
    let features = model.features(("box", "skin"), ("world", "floor")).unwrap();
    let rules = rules(rule, features.len());
    run(&mut Setup {
        mechanism: PlaneMechanism::new(model, features),
        rules,
        q: vec![0.0, 1.0, 0.0],
        v: vec![speed, 0.0, 0.0],
        options,
    })
    .unwrap()
}

/// Flat with friction: both corners take the same v_n after, so that nothing spins; sliding all
/// through, the friction is μ times what the normals take together.
#[test]
fn a_box_thrown_flat_slides_through_its_impact_and_does_not_spin() {
    let (mu, e, fall) = (0.2, 0.5, (1.5f64 / 9.81).sqrt());
    for law in [Law::Newton, Law::Moreau, Law::Poisson] {
        let rough = Rule {
            friction: Friction::uniform(mu).unwrap(),
            law,
            ..rule(e)
        };
        let run = box_thrown_flat(&rough, 5.0, options(0.6));
        let event = &run.events[0];
        let Happening::Collision(all) = &event.what else {
            unreachable!("{event:?}");
        };
        assert!((event.time - fall).abs() < 1e-12);
        let together: f64 = all.impulses.iter().sum();
        let slowed = 5.0 - mu * (1.0 + e) * 9.81 * fall;
        assert!((together - (1.0 + e) * 9.81 * fall).abs() < 1e-11, "{law}");
        assert!((event.v_post[0] - slowed).abs() < 1e-11, "{law}");
        assert!(event.v_post[2].abs() < 1e-11, "{law}: no spin");
        assert!((all.friction_impulses.iter().sum::<f64>() + mu * together).abs() < 1e-11);
        assert!(all.friction_work < 0.0);
        assert_balanced(&run, 1e-11);
        assert_eq!(run.end, End::Duration, "{law}");
    }
}

/// One corner after the other: which comes first decides, and both orders are legitimate.
#[test]
fn corners_that_strike_in_either_order_have_two_outcomes_and_the_run_stops_or_keeps_one() {
    let energetic = Rule {
        law: Law::Energetic,
        friction: Friction::uniform(0.2).unwrap(),
        ..rule(0.5)
    };
    let sequential = Options {
        simultaneous: Method::Sequential,
        ..options(0.6)
    };
    let stopped = box_thrown_flat(&energetic, 5.0, sequential.clone());
    assert_eq!(
        stopped.end,
        End::SeveralAnswers {
            contacts: vec![0, 1],
            answers: Vec::new(),
            continua: Vec::new(),
        }
    );
    let last = stopped.events.last().unwrap();
    assert!(last.is_open(), "none of them happened");
    assert_eq!((&last.v_post, &last.v_post), (&last.v_pre, &stopped.v));
    assert_eq!((last.energy_change, last.works()), (None, [0.0; 2]));
    let kept = box_thrown_flat(
        &energetic,
        5.0,
        Options {
            several: Several::Keep,
            ..sequential.clone()
        },
    );
    let stated = |order: [&str; 2]| {
        let order = order.map(str::to_owned).to_vec();
        let options = sequential.clone();
        box_thrown_flat(&energetic, 5.0, Options { order, ..options })
    };
    let names = ["hit.0", "hit.1"];
    let (one, other) = (stated(names), stated([names[1], names[0]]));
    let after = |run: &Run| run.events[0].v_post[2];
    assert!(!one.events[0].is_open() && !other.events[0].is_open());
    assert!(
        (after(&one) - after(&other)).abs() > 0.1,
        "each order has its end"
    );
    assert!(
        kept.events.len() > 1 || kept.end == End::Duration,
        "{:?}",
        kept.end
    );
    let energies = kept.events.iter().filter_map(|event| event.energy_change);
    assert!(energies.into_iter().all(|change| change <= 1e-12));
}

#[test]
fn a_box_that_lands_flat_bounces_off_two_corners_at_once_and_stays_flat() {
    for law in [Law::Newton, Law::Poisson] {
        let run = box_landing_flat(&Rule { law, ..rule(0.5) }, 1.5);
        let fall = (1.5f64 / 9.81).sqrt();
        assert!((run.events[0].time - fall).abs() < 1e-12);
        let Happening::Collision(collision) = &run.events[0].what else {
            unreachable!("{:?}", run.events[0]);
        };
        assert_eq!(collision.contacts, [0, 1]);
        let half = 0.75 * 9.81 * fall; // (1 + e) v / 2, unit mass
        assert!(
            (collision.impulses[0] - half).abs() < 1e-11,
            "{collision:?}"
        );
        assert!((collision.impulses[1] - half).abs() < 1e-11);
        assert!((run.events[1].time - 2.0 * fall).abs() < 1e-11);
        assert!(run.events.iter().all(|e| e.v_post[2].abs() < 1e-12));
        assert_balanced(&run, 1e-11);
        assert!(matches!(run.end, End::Accumulates { .. }), "{:?}", run.end);
    }
}

#[test]
fn contacts_that_close_together_without_a_method_for_their_law_end_the_run_and_say_why() {
    let rough = Rule {
        friction: Friction::uniform(0.2).unwrap(),
        ..rule(0.5)
    };
    let energetic = Rule {
        law: Law::Energetic,
        ..rule(0.5)
    };
    let linear = Method::Linear;
    let together = Method::Complementarity;
    for (rule, method, wanted) in [
        (rough, linear, NotOffered::Friction(linear)),
        (
            energetic,
            together,
            NotOffered::Law(Law::Energetic, together),
        ),
    ] {
        let options = Options {
            simultaneous: method,
            ..options(2.0)
        };
        let run = box_thrown_flat(&rule, 0.0, options);
        let End::NotOffered { contacts, reason } = &run.end else {
            unreachable!("{:?}", run.end);
        };
        assert_eq!((contacts.as_slice(), *reason), (&[0, 1][..], wanted));
        assert!((run.time - (1.5f64 / 9.81).sqrt()).abs() < 1e-12);
    }
}

/// P18: three equal balls in line, the second and third touching. The contact that only touches
/// takes part in the impact.
#[test]
fn a_ball_that_touches_the_struck_one_takes_part_in_the_impact() {
    let mut builder = PlaneModelBuilder::new();
    let axis = [1.0, 0.0].into();
    for name in ["a", "b", "c"] {
        let disk = Shape::new(Outline::Disk { radius: 0.5 });
        let body = Body {
            shapes: vec![("skin".to_owned(), disk)],
            ..Body::new(1.0, 1.0)
        };
        builder.body(name, body);
        builder.joint(name, Joint::new(Prismatic { axis }, "world", name));
    }
    let model = builder.build().unwrap();
    let mut features = model.features(("a", "skin"), ("b", "skin")).unwrap();
    features.extend(model.features(("b", "skin"), ("c", "skin")).unwrap());
    let run = run(&mut Setup {
        mechanism: PlaneMechanism::new(model, features),
        rules: rules(&rule(1.0), 2),
        q: vec![0.0, 2.0, 3.0],
        v: vec![1.0, 0.0, 0.0],
        options: options(3.0),
    })
    .unwrap();
    assert_eq!((run.end, run.events.len()), (End::Duration, 1));
    for (v, wanted) in run.v.iter().zip([-1.0 / 3.0, 2.0 / 3.0, 2.0 / 3.0]) {
        assert!((v - wanted).abs() < 1e-14, "{:?}", run.v);
    }
}

/// A slider on a steep line strikes a rough floor: one degree of freedom, friction above 1/3. A law
/// without a solution was struck again and again like a fresh approach.
#[test]
fn a_slider_that_jams_ends_the_run_with_its_last_event() {
    for (law, outcome) in [
        (Law::Newton, Outcome::Jammed),
        (Law::Energetic, Outcome::Jammed),
        (Law::Moreau, Outcome::Infeasible),
    ] {
        let mut builder = PlaneModelBuilder::new();
        let body = Body {
            shapes: vec![("skin".to_owned(), Shape::new(Outline::Point))],
            ..Body::new(2.0, 1.0)
        };
        let axis = [3.0, 1.0].into();
        let up = [0.0, 1.0].into();
        builder.gravity([0.0, -9.81]).body("slider", body);
        builder.joint("line", Joint::new(Prismatic { axis }, "world", "slider"));
        builder.world_shape("floor", Shape::new(Outline::HalfSpace { normal: up }));
        let model = builder.build().unwrap();
        let features = model
            .features(("slider", "skin"), ("world", "floor"))
            .unwrap();
        let rough = Rule {
            law,
            friction: Friction::uniform(0.4).unwrap(),
            ..rule(0.7)
        };
        let run = run(&mut Setup {
            mechanism: PlaneMechanism::new(model, features),
            rules: vec![rough],
            q: vec![1.0],
            v: vec![-2.0],
            options: options(5.0),
        })
        .unwrap();
        let end = match outcome {
            Outcome::Jammed => End::Jammed {
                contacts: vec![0],
                is_prescribed: false,
            },
            _ => End::NoAnswer {
                contacts: vec![0],
                reason: NoAnswer::Infeasible,
            },
        };
        assert_eq!(run.end, end, "{law}");
        assert_eq!(run.events.len(), 1, "{law}");
        assert_eq!(run.events[0].impact().unwrap().solution.outcome, outcome);
    }
}

/// Two rough balls land on a floor at the same instant: neither feels the other, and the run went
/// no further.
#[test]
fn contacts_that_do_not_feel_each_other_are_impacts_of_their_own_at_one_instant() {
    let mut builder = PlaneModelBuilder::new();
    builder.gravity([0.0, -9.81]);
    for name in ["a", "b"] {
        let disk = Shape::new(Outline::Disk { radius: 0.1 });
        let body = Body {
            shapes: vec![("skin".to_owned(), disk)],
            ..Body::new(1.0, 0.005)
        };
        builder.body(name, body);
    }
    let up = [0.0, 1.0].into();
    builder.world_shape("floor", Shape::new(Outline::HalfSpace { normal: up }));
    let model = builder.build().unwrap();
    let mut features = model.features(("a", "skin"), ("world", "floor")).unwrap();
    features.extend(model.features(("b", "skin"), ("world", "floor")).unwrap());
    let rough = Rule {
        friction: Friction::uniform(0.3).unwrap(),
        ..rule(0.5)
    };
    let run = run(&mut Setup {
        mechanism: PlaneMechanism::new(model, features),
        rules: rules(&rough, 2),
        q: vec![0.0, 1.1, 0.0, 3.0, 1.1, 0.0],
        v: vec![0.0, 0.0, 5.0, 0.0, 0.0, 0.0],
        options: options(0.6),
    })
    .unwrap();
    assert_eq!(run.end, End::Duration);
    let contacts: Vec<&[usize]> = run.events.iter().map(|e| e.contacts()).collect();
    assert_eq!(contacts, [&[0][..], &[1][..]]);
    assert_eq!(run.events[0].time, run.events[1].time);
    // The spinning one is thrown sideways, the other straight up.
    assert!(run.events[0].v_post[0] < -0.1 && run.events[1].v_post[3] == 0.0);
    let fall = (2.0f64 * 9.81).sqrt();
    assert!((run.events[1].v_post[1] - 0.5 * fall).abs() < 1e-12);
    assert!((run.events[1].v_post[4] - 0.5 * fall).abs() < 1e-12);
    assert_balanced(&run, 1e-12);
}

/// A pendulum tip that dips 1e-12 m under a floor at its lowest point was struck where its approach
/// was round-off, with an impulse of 1e16 N s.
#[test]
fn a_dip_so_flat_that_its_approach_is_round_off_is_a_graze() {
    for depth in [1e-9, 1e-11, 1e-12, 1e-13, 1e-14] {
        let mut builder = PlaneModelBuilder::new();
        let tip = Shape::new(Outline::Point).at([0.0, -1.0]);
        let rod = Body {
            center: [0.0, -1.0].into(),
            shapes: vec![("tip".to_owned(), tip)],
            ..Body::new(1.0, 0.0)
        };
        let up = [0.0, 1.0].into();
        let floor = Shape::new(Outline::HalfSpace { normal: up }).at([0.0, depth - 1.0]);
        builder.gravity([0.0, -9.81]).body("rod", rod);
        let hinge = Joint::new(carom_multibody::plane::PlaneJoint::Revolute, "world", "rod");
        builder.joint("hinge", hinge).world_shape("floor", floor);
        let model = builder.build().unwrap();
        let features = model.features(("rod", "tip"), ("world", "floor")).unwrap();
        let run = run(&mut Setup {
            mechanism: PlaneMechanism::new(model, features),
            rules: vec![rule(1.0)],
            q: vec![-0.5],
            v: vec![0.0],
            options: options(0.7),
        })
        .unwrap();
        // With elastic impacts the speed is kept: either it passes, or it turns back.
        let speed = run.v[0].abs();
        assert!(speed < 3.0, "{depth}: {speed}");
        let struck = run.events.iter().filter_map(|e| e.impact());
        for impact in struck {
            let v_n = impact.problem.v_pre().n;
            assert!(v_n < -1e-8, "{depth}: {v_n}");
        }
        assert_eq!(run.events.is_empty(), depth < 2e-12, "{depth}");
    }
}
