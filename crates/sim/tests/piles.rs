//! Impacts that pile up, and long series that do not.
#![allow(clippy::unwrap_used)]

use carom_contact::contact_space::Friction;
use carom_contact::impact::Law;
use carom_multibody::contact::{Outline, Shape};
use carom_multibody::mechanism::PlaneMechanism;
use carom_multibody::plane::PlaneJoint::{Prismatic, Revolute};
use carom_multibody::{Body, Joint, Motion, PlaneModelBuilder};
use carom_sim::{End, Options, Rule, Run, Setup, run};
use carom_support::random::full_or;

const G: f64 = 9.81;

fn rules(restitution: f64, count: usize) -> Vec<Rule> {
    let rule = |k: usize| Rule {
        name: format!("hit.{k}"),
        law: Law::Newton,
        friction: Friction::NONE,
        restitution,
        spin_radius: 0.0,
        tangential_restitution: None,
    };
    (0..count).map(rule).collect()
}

fn options(duration: f64) -> Options {
    Options {
        duration,
        sustained: false,
        ..Options::default()
    }
}

/// A disk dropped from `height` above a table that rises at `rate`, inclined by `slope`.
fn bounce(radius: f64, height: f64, restitution: f64, (rate, slope): (f64, f64)) -> Run {
    let mut builder = PlaneModelBuilder::new();
    let disk = Body {
        shapes: vec![("skin".to_owned(), Shape::new(Outline::Disk { radius }))],
        ..Body::new(1.0, 0.5 * radius * radius)
    };
    let normal = [-slope.sin(), slope.cos()];
    let outline = Outline::HalfSpace {
        normal: normal.into(),
    };
    let table = Body {
        shapes: vec![("top".to_owned(), Shape::new(outline))],
        ..Body::new(1.0, 1.0)
    };
    let axis = [0.0, 1.0].into();
    let lift = Joint {
        motion: Some(Motion {
            rate,
            ..Motion::default()
        }),
        ..Joint::new(Prismatic { axis }, "world", "table")
    };
    builder.gravity([0.0, -G]).body("disk", disk);
    builder.body("table", table).joint("lift", lift);
    let model = builder.build().unwrap();
    let features = model.features(("disk", "skin"), ("table", "top")).unwrap();
    let lifted = radius / slope.cos() + height;
    let v = rate; // at rest as seen from the table
    run(&mut Setup {
        mechanism: PlaneMechanism::new(model, features),
        rules: rules(restitution, 1),
        q: vec![0.0, lifted, 0.0],
        v: vec![0.0, v, 0.0],
        options: options(2000.0),
    })
    .unwrap()
}

/// `t∞ = √(2h/g) (1+e)/(1−e)`: on an incline both h and g count along its normal.
#[test]
fn a_disk_piles_up_at_the_instant_of_the_closed_form() {
    let mut worst: f64 = 0.0;
    for restitution in [0.01, 0.1, 0.5, 0.9, 0.99] {
        for radius in full_or(&[0.001, 0.1, 10.0][..], &[0.1]) {
            for height in full_or(&[1e-3, 1.0, 100.0][..], &[1.0]) {
                for table in [(0.0, 0.0), (0.3, 0.0), (0.0, 0.4)] {
                    let (radius, height) = (*radius, *height);
                    let run = bounce(radius, height, restitution, table);
                    let End::Accumulates { limit, bound, .. } = run.end else {
                        unreachable!("{restitution} {radius} {height} {table:?}: {:?}", run.end);
                    };
                    let fall = (2.0 * height / G).sqrt();
                    let wanted = fall * (1.0 + restitution) / (1.0 - restitution);
                    let miss = (limit - wanted).abs();
                    // The gap carries the round-off of the place: on the slope up to 100 km away.
                    let slope = if table.1 > 0.0 { 1e2 } else { 1.0 };
                    let allowed = 1e-9 * slope * wanted.max(1.0) + 10.0 * bound;
                    assert!(
                        miss < allowed,
                        "{restitution} {radius} {height} {table:?}: {miss:e} bound {bound:e}"
                    );
                    worst = worst.max(miss);
                }
            }
        }
    }
    assert!(worst < 1e-4, "{worst:e}");
}

/// A pendulum falls against a wall that it leans on: gravity turns it back, the ratio of flights
/// tends to the restitution, and that of a chain of two to something else.
#[test]
fn a_pendulum_piles_up_on_a_wall_it_leans_on() {
    for links in [1, 2] {
        let mut builder = PlaneModelBuilder::new();
        builder.gravity([0.0, -G]);
        let mut parent = "world".to_owned();
        for k in 0..links {
            let name = format!("rod{k}");
            let body = Body {
                center: [0.0, -0.5].into(),
                shapes: vec![("tip".to_owned(), Shape::new(Outline::Point).at([0.0, -1.0]))],
                ..Body::new(1.0, 1.0 / 12.0)
            };
            let joint = Joint {
                parent_at: [0.0, if k == 0 { 0.0 } else { -1.0 }].into(),
                ..Joint::new(Revolute, &parent, &name)
            };
            builder.body(&name, body).joint(&format!("j{k}"), joint);
            parent = name;
        }
        let normal = [1.0, 0.0].into();
        let wall = Shape::new(Outline::HalfSpace { normal }).at([0.3, 0.0]);
        builder.world_shape("wall", wall);
        let model = builder.build().unwrap();
        let features = model.features((&parent, "tip"), ("world", "wall")).unwrap();
        let run = run(&mut Setup {
            mechanism: PlaneMechanism::new(model, features),
            rules: rules(0.5, 1),
            q: vec![0.9, 0.1][..links].to_vec(),
            v: vec![0.0; links],
            options: options(30.0),
        })
        .unwrap();
        let End::Accumulates {
            ratio,
            limit,
            bound,
            ..
        } = run.end
        else {
            unreachable!("{links}: {:?} after {}", run.end, run.events.len());
        };
        assert!((ratio - 0.5).abs() < 1e-3, "{links}: {ratio}");
        assert!(limit >= run.time && limit - run.time < 1e-3 && bound < 1e-8);
    }
}

/// Block of mass `ratio` runs at a ball before a wall, all elastic; lengths in units of `scale`.
fn galperin(ratio: f64, scale: f64) -> (usize, End) {
    let mut builder = PlaneModelBuilder::new();
    let axis = [1.0, 0.0].into();
    for (name, mass) in [("block", ratio), ("ball", 1.0)] {
        let disk = Shape::new(Outline::Disk {
            radius: 0.1 * scale,
        });
        let body = Body {
            shapes: vec![("skin".to_owned(), disk)],
            ..Body::new(mass, 1.0)
        };
        builder.body(name, body);
        builder.joint(name, Joint::new(Prismatic { axis }, "world", name));
    }
    builder.world_shape("wall", Shape::new(Outline::HalfSpace { normal: axis }));
    let model = builder.build().unwrap();
    let mut features = model.features(("block", "skin"), ("ball", "skin")).unwrap();
    features.extend(model.features(("ball", "skin"), ("world", "wall")).unwrap());
    let run = run(&mut Setup {
        mechanism: PlaneMechanism::new(model, features),
        rules: rules(1.0, 2),
        q: vec![3.0 * scale, scale],
        v: vec![-1.0, 0.0],
        options: options(200.0 * scale),
    })
    .unwrap();
    (run.events.len(), run.end)
}

/// Galperin's block in millimetres was taken for a pile: the flights shrink by a ratio that hardly
/// changes, down to nanoseconds. But the ball strikes ever harder.
#[test]
fn galperins_block_is_no_pile_at_any_scale() {
    for scale in full_or(&[1.0, 1e-3, 1e-5][..], &[1e-3]).iter().copied() {
        assert_eq!(galperin(1e4, scale), (314, End::Duration), "{scale}");
        assert_eq!(galperin(1e6, scale), (3141, End::Duration), "{scale}");
    }
}

#[test]
fn a_ball_in_an_elastic_box_goes_on_and_keeps_its_energy() {
    let mut builder = PlaneModelBuilder::new();
    let radius = 0.1;
    let disk = Body {
        shapes: vec![("skin".to_owned(), Shape::new(Outline::Disk { radius }))],
        ..Body::new(1.0, 0.01)
    };
    builder.gravity([0.0, -G]).body("disk", disk);
    let walls = [([0.0, 1.0], [0.0, 0.0]), ([1.0, 0.0], [-0.5, 0.0])];
    let walls = walls
        .into_iter()
        .chain([([-1.0, 0.0], [0.7, 0.0]), ([0.0, -1.0], [0.0, 1.0])]);
    for (k, (normal, at)) in walls.enumerate() {
        let normal = normal.into();
        let shape = Shape::new(Outline::HalfSpace { normal }).at(at);
        builder.world_shape(&format!("w{k}"), shape);
    }
    let model = builder.build().unwrap();
    let all = (0..4).flat_map(|k| {
        let name = format!("w{k}");
        model.features(("disk", "skin"), ("world", &name)).unwrap()
    });
    let features = all.collect();
    let run = run(&mut Setup {
        mechanism: PlaneMechanism::new(model, features),
        rules: rules(1.0, 4),
        q: vec![0.0, 0.5, 0.0],
        v: vec![7.0, 3.0, 0.0],
        options: options(full_or(200.0, 20.0)),
    })
    .unwrap();
    assert_eq!(run.end, End::Duration);
    assert!(run.events.len() > 200);
    let mut heights = run.events.iter().map(|event| event.q[1]);
    assert!(heights.all(|y| (0.1 - 1e-9..=0.9 + 1e-9).contains(&y)));
    let ledger = run.ledger.unwrap();
    assert!((ledger.end - ledger.start).abs() < 1e-9 * ledger.largest);
}
