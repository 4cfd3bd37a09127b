//! Smooth contacts whose points travel: balls in bowls and tubes and over cylinders, disks on their rims, lying
//! flat, rocking, ellipsoids.
#![allow(clippy::unwrap_used)]

use carom_contact::contact_space::Friction;
use carom_contact::impact::Law;
use carom_multibody::mechanism::{Contacts as _, Gap, SpaceMechanism};
use carom_multibody::space::contact::{Solid, SolidShape};
use carom_multibody::space::{Rotation, SpaceJoint};
use carom_multibody::{Body, Joint, Linear as _, SpaceModelBuilder, State, Vector};
use carom_sim::{End, Happening, Options, Rule, Run, Setup, Transition, run};
use carom_support::near::assert_close;
use carom_support::random::full_or;
use carom_support::sim::assert_balanced;

const G: f64 = 9.81;

/// A free body of mass 1 with principal moments, and a fixed solid turned somehow, in gravity.
struct Scene {
    skin: Solid,
    moments: [f64; 3],
    fixed: SolidShape,
    gravity: [f64; 3],
    restitution: f64,
}

impl Scene {
    fn setup(self) -> Setup<SpaceMechanism> {
        let body = Body {
            shapes: vec![("skin".to_owned(), SolidShape::new(self.skin))],
            ..Body::new(1.0, self.moments.into())
        };
        let mut builder = SpaceModelBuilder::new();
        builder.gravity(self.gravity).body("body", body);
        builder.joint("body", Joint::new(SpaceJoint::Free, "world", "body"));
        builder.world_shape("fixed", self.fixed);
        let model = builder.build().unwrap();
        let pair = (("body", "skin"), ("world", "fixed"));
        let features = model.features(pair.0, pair.1).unwrap();
        let rule = |k: usize| Rule {
            name: format!("hit.{k}"),
            law: Law::Poisson,
            friction: Friction::uniform(0.0).unwrap(),
            restitution: self.restitution,
            spin_radius: 0.0,
            tangential_restitution: None,
        };
        Setup {
            rules: (0..features.len()).map(rule).collect(),
            q: model.reference(),
            v: vec![0.0; model.rates()],
            mechanism: SpaceMechanism::new(model, features),
            options: Options {
                samples: 101,
                ..Options::default()
            },
        }
    }
}

fn ball_on(radius: f64, fixed: SolidShape) -> Scene {
    Scene {
        skin: Solid::Ball { radius },
        moments: [0.4 * radius * radius; 3],
        fixed,
        gravity: [0.0, 0.0, -G],
        restitution: 0.0,
    }
}

fn floor() -> SolidShape {
    let normal = Vector([0.0, 0.0, 1.0]);
    SolidShape::new(Solid::HalfSpace { normal })
}

/// A thin disk of radius r over a floor.
fn coin(radius: f64, restitution: f64) -> Scene {
    let across = 0.25 * radius * radius;
    Scene {
        skin: Solid::Disk { radius },
        moments: [across, across, 2.0 * across],
        fixed: floor(),
        gravity: [0.0, 0.0, -G],
        restitution,
    }
}

fn rotate(setup: &mut Setup<SpaceMechanism>, rotation: Rotation) {
    setup.q[3..7].copy_from_slice(&rotation.quaternion());
}

/// The run, whose energy is accounted for, and which never goes through a surface.
fn simulate(setup: &mut Setup<SpaceMechanism>) -> Run {
    let run = run(setup).unwrap();
    assert_eq!(run.end, End::Duration);
    assert_balanced(&run, 1e-9);
    let mut gaps = vec![Gap::default(); setup.rules.len()];
    for sample in &run.samples {
        let state = State::new(sample.time, &sample.q, &sample.v);
        setup.mechanism.gaps(state, &mut gaps);
        for Gap { gap, .. } in &gaps {
            assert!(*gap > -1e-10, "{gap:e} at {}", sample.time);
        }
    }
    run
}

fn rotation_of(q: &[f64]) -> Rotation {
    Rotation::new([q[3], q[4], q[5], q[6]])
}

/// Angular velocity in world axes; the rates of a free body are in these.
fn omega(v: &[f64]) -> Vector<3> {
    Vector([v[3], v[4], v[5]])
}

/// Complete elliptic integral of the first kind by the arithmetic-geometric mean.
fn elliptic(modulus: f64) -> f64 {
    let (mut a, mut b) = (1.0, (1.0 - modulus * modulus).sqrt());
    for _ in 0..20 {
        (a, b) = (0.5 * (a + b), (a * b).sqrt());
    }
    std::f64::consts::FRAC_PI_2 / a
}

#[test]
fn a_ball_that_slides_in_a_bowl_is_a_pendulum() {
    let (bowl, small, start) = (1.0, 0.2, 1.2f64);
    let fixed = SolidShape::new(Solid::Bowl { radius: bowl }).at([0.3, -0.2, 0.5]);
    let mut setup = ball_on(small, fixed).setup();
    let long = bowl - small;
    let aside = long * start.sin();
    let at = [
        0.3 + 0.6 * aside,
        -0.2 + 0.8 * aside,
        0.5 - long * start.cos(),
    ];
    setup.q[..3].copy_from_slice(&at);
    let period = 4.0 * (long / G).sqrt() * elliptic((0.5 * start).sin());
    setup.options.duration = period;
    let run = simulate(&mut setup);
    assert!(run.events.is_empty());
    for (k, wanted) in at.into_iter().enumerate() {
        assert_close("back after a period", run.q[k], wanted, 1e-9);
    }
    setup.options.duration = 0.5 * period;
    let half = simulate(&mut setup);
    assert_close("on the other side", half.q[0], 0.3 - 0.6 * aside, 1e-9);
}

#[test]
fn a_ball_that_slides_round_a_vertical_tube_falls_as_if_it_were_alone() {
    let (tube, small, speed) = (0.7, 0.1, 3.0);
    let fixed = SolidShape::new(Solid::Tube { radius: tube });
    let mut setup = ball_on(small, fixed).setup();
    let wide = tube - small;
    setup.q[..3].copy_from_slice(&[wide, 0.0, 0.0]);
    setup.v[1] = speed;
    setup.options.duration = 2.0;
    let run = simulate(&mut setup);
    assert!(run.events.is_empty());
    let turn = 2.0 * speed / wide;
    assert_close("x", run.q[0], wide * turn.cos(), 1e-10);
    assert_close("y", run.q[1], wide * turn.sin(), 1e-10);
    assert_close("z", run.q[2], -0.5 * G * 4.0, 1e-10);
}

#[test]
fn a_ball_in_a_tube_bounces_along_equal_chords() {
    let (tube, small) = (0.7, 0.1);
    let axis = Rotation::about([0.3, -0.5, 0.2], 0.8);
    let fixed = SolidShape::new(Solid::Tube { radius: tube }).turned(axis);
    let mut scene = ball_on(small, fixed);
    scene.gravity = [0.0; 3];
    scene.restitution = 1.0;
    let mut setup = scene.setup();
    let (wide, slant) = (tube - small, 0.7f64);
    // From the wall inward, at an angle to the radius, and along the tube.
    let start = axis.apply(Vector([wide, 0.0, 0.0])) * (1.0 - 1e-3);
    let v = axis.apply(Vector([-slant.cos(), slant.sin(), 0.4])) * 2.0;
    setup.q[..3].copy_from_slice(&start.0);
    setup.v[..3].copy_from_slice(&v.0);
    setup.options.duration = 5.0;
    let run = simulate(&mut setup);
    let times: Vec<f64> = run.events.iter().map(|event| event.time).collect();
    assert!(times.len() > 8, "{times:?}");
    let later: Vec<f64> = times.windows(2).map(|pair| pair[1] - pair[0]).collect();
    for time in &later {
        assert_close("chord", *time, later[0], 1e-10);
    }
    // The chord of the start, a little off the wall, makes a like angle with the wall: r sin is kept.
    let sine = (1.0 - 1e-3) * slant.sin();
    let chord = 2.0 * wide * (1.0 - sine * sine).sqrt() / 2.0;
    assert_close("time", later[0], chord, 1e-10);
}

#[test]
fn a_box_in_a_bowl_comes_to_rest_on_four_corners() {
    let size = Vector([0.6, 0.4, 0.2]);
    let mut scene = ball_on(0.1, SolidShape::new(Solid::Bowl { radius: 1.0 }));
    scene.skin = Solid::Box { size };
    scene.moments = [0.02, 0.03, 0.04];
    let mut setup = scene.setup();
    let deep = (1.0 - 0.3f64 * 0.3 - 0.2 * 0.2).sqrt();
    setup.q[2] = 0.1 - deep;
    setup.options.duration = 3.0;
    let run = simulate(&mut setup);
    assert_eq!(run.modes.len(), 4);
    assert_close("deep", run.q[2], 0.1 - deep, 1e-13);
}

#[test]
fn a_ball_leaves_a_smooth_cylinder_on_its_side_at_two_thirds_of_its_height() {
    let (big, small, start) = (0.8, 0.2, 0.3f64);
    let across = Rotation::about([0.0, 1.0, 0.0], std::f64::consts::FRAC_PI_2);
    let solid = Solid::Cylinder {
        radius: big,
        length: 4.0,
    };
    let fixed = SolidShape::new(solid).turned(across);
    let mut setup = ball_on(small, fixed).setup();
    let reach = big + small;
    setup.q[..3].copy_from_slice(&[0.2, reach * start.sin(), reach * start.cos()]);
    setup.v[0] = 0.5;
    setup.options.duration = 0.9;
    let run = simulate(&mut setup);
    let event = &run.events[0];
    let release = Transition::Release;
    assert!(matches!(event.what, Happening::Transition { kind, .. } if kind == release));
    assert_close("height", event.q[2] / reach, 2.0 / 3.0 * start.cos(), 1e-11);
    assert_close("along", event.q[0], 0.2 + 0.5 * event.time, 1e-11);
}

/// Over the rim of a cap, and of a disk, a ball turns about the edge until it flies.
#[test]
fn a_ball_that_slides_off_a_cap_or_a_disk_turns_about_the_rim_until_it_leaves() {
    let (wide, small, speed) = (0.5, 0.3, 0.4f64);
    let cap = |solid: Solid, top: f64| (SolidShape::new(solid).at([0.0, 0.0, -top]), 0.0);
    let cylinder = Solid::Cylinder {
        radius: wide,
        length: 1.0,
    };
    for (fixed, top) in [cap(cylinder, 0.5), cap(Solid::Disk { radius: wide }, 0.0)] {
        let mut setup = ball_on(small, fixed).setup();
        setup.q[..3].copy_from_slice(&[0.3, 0.2, top + small]);
        setup.v[..2].copy_from_slice(&[0.6 * speed, 0.8 * speed]);
        setup.options.duration = 2.0;
        let run = simulate(&mut setup);
        let left = run.events.iter().find(|event| {
            let release = Transition::Release;
            matches!(event.what, Happening::Transition { kind, .. } if kind == release)
        });
        let left = left.unwrap();
        // Straight to the rim, which it meets at a slant; then energy, and the force across the rim: with the
        // part of the motion along the rim kept by the turning of the meridian this is no plane problem, so
        // that the gap is looked at instead.
        assert!(left.q[2] < top + small && left.q[2] > top);
        let rho = left.q[0].hypot(left.q[1]);
        let apart = (rho - wide).hypot(left.q[2] - top);
        assert_close("on the rim", apart, small, 1e-11);
    }
    // Straight over it: cos θ = (2 + v²/(g r))/3.
    let (fixed, top) = cap(Solid::Disk { radius: wide }, 0.0);
    let mut setup = ball_on(small, fixed).setup();
    setup.q[..3].copy_from_slice(&[0.3, 0.0, top + small]);
    setup.v[0] = speed;
    setup.options.duration = 2.0;
    let run = simulate(&mut setup);
    let left = run.events.last().unwrap();
    let cos = (2.0 + speed * speed / (G * small)) / 3.0;
    assert_close("leaves at", left.q[2] / small, cos, 1e-10);
}

/// No moment about the axis of a smooth disk, none about the vertical.
#[test]
fn a_leaning_disk_on_a_smooth_floor_keeps_its_spin_its_vertical_moment_and_its_energy() {
    let radius = 0.4;
    let mut setup = coin(radius, 0.0).setup();
    let lean = 1.1f64; // of the axis from the vertical
    rotate(&mut setup, Rotation::about([0.3, 0.7, 0.0], lean));
    setup.q[2] = radius * lean.sin();
    let rotation = rotation_of(&setup.q);
    let axis = rotation.apply(Vector([0.0, 0.0, 1.0]));
    let start = axis * 8.0 + Vector([0.0, 0.0, 3.0]);
    setup.v[..2].copy_from_slice(&[0.5, -0.3]);
    setup.v[3..6].copy_from_slice(&start.0);
    setup.options.duration = 6.0;
    let run = simulate(&mut setup);
    assert!(run.events.is_empty(), "{:?}", run.events[0].what);
    assert_eq!(run.modes.len(), 1);
    let (across, along) = (0.25 * radius * radius, 0.5 * radius * radius);
    let kept = |q: &[f64], v: &[f64]| {
        let axis = rotation_of(q).apply(Vector([0.0, 0.0, 1.0]));
        let spin = axis.dot(omega(v));
        let vertical = across * omega(v).0[2] + (along - across) * spin * axis.0[2];
        (spin, vertical)
    };
    let first = kept(&setup.q, &setup.v);
    let last = kept(&run.q, &run.v);
    assert_close("spin", last.0, first.0, 1e-9);
    assert_close("vertical moment", last.1, first.1, 1e-9);
    assert_close("x", run.q[0], 3.0, 1e-9);
    let axis = rotation_of(&run.q).apply(Vector([0.0, 0.0, 1.0]));
    let sine = axis.0[0].hypot(axis.0[1]);
    assert_close("on its rim", run.q[2], radius * sine, 1e-10);
}

#[test]
fn a_spinning_coin_that_is_dropped_on_its_rim_bounces_and_never_goes_through_the_floor() {
    for restitution in [1.0, 0.6] {
        let mut setup = coin(0.3, restitution).setup();
        rotate(&mut setup, Rotation::about([1.0, 0.4, 0.0], 0.9));
        setup.q[2] = 0.6;
        setup.v[3..6].copy_from_slice(&[0.3, -0.2, 12.0]);
        setup.options.duration = 1.5;
        let run = simulate(&mut setup);
        let impacts = run.events.iter();
        let impacts = impacts.filter(|event| matches!(event.what, Happening::Impact(_)));
        assert!(impacts.count() > 2);
    }
}

#[test]
fn a_coin_dropped_flat_lands_on_all_of_its_rim_and_glides_on_spinning() {
    for restitution in [0.0, 0.5] {
        let mut setup = coin(0.3, restitution).setup();
        rotate(&mut setup, Rotation::about([0.0, 0.0, 1.0], 0.7));
        setup.q[2] = 0.2;
        setup.v = vec![0.4, 0.1, 0.0, 0.0, 0.0, 5.0];
        setup.options.duration = 3.0;
        let run = simulate(&mut setup);
        let fall = (2.0 * 0.2 / G).sqrt();
        assert_close("lands", run.events[0].time, fall, 1e-12);
        assert_eq!(run.modes.len(), 4);
        assert_close("flat", run.q[2], 0.0, 1e-12);
        assert_close("glides", run.q[0], 1.2, 1e-10);
        assert_close("spins", run.v[5], 5.0, 1e-10);
    }
}

/// Two points of a rim along the rocking: with `w = 1/m ∓ r²/I` the blow of one leaves the other with
/// `w₋/w₊` of its speed where that is positive; a flat coin stops.
#[test]
fn a_cylinder_rocks_over_its_rim_in_any_direction_and_a_coin_stops_flat() {
    let (radius, length) = (0.1, 0.5);
    let solid = Solid::Cylinder { radius, length };
    let across = 0.25 * radius * radius + length * length / 12.0;
    for direction in [0.7, 0.0, 2.5].into_iter().take(full_or(3, 1)) {
        let mut scene = coin(radius, 0.0);
        (scene.skin, scene.moments) = (solid.clone(), [across, across, 0.5 * radius * radius]);
        let mut setup = scene.setup();
        let tilt = 0.1f64;
        let about = [-f64::sin(direction), f64::cos(direction), 0.0];
        rotate(&mut setup, Rotation::about(about, tilt));
        setup.q[2] = 0.5 * length * tilt.cos() + radius * tilt.sin();
        setup.options.duration = 0.6;
        let run = simulate(&mut setup);
        let is_blow = |happening: &Happening| {
            matches!(happening, Happening::Impact(_) | Happening::Collision(_))
        };
        let blow = run
            .events
            .iter()
            .find(|event| is_blow(&event.what))
            .unwrap();
        let before = Vector([blow.v_pre[3], blow.v_pre[4], blow.v_pre[5]]);
        let after = Vector([blow.v_post[3], blow.v_post[4], blow.v_post[5]]);
        let arm = radius * radius / across;
        let ratio = (1.0 - arm) / (1.0 + arm);
        // A rim that leans by less than a sine of 1e-8 is let fall flat.
        assert_close("kept", after.norm() / before.norm(), ratio, 1e-6);
        assert_close(
            "plane",
            after.dot(Vector(about)).abs() / after.norm(),
            1.0,
            1e-6,
        );
    }
    let mut setup = coin(0.3, 0.0).setup();
    rotate(&mut setup, Rotation::about([0.6, 0.8, 0.0], 0.2));
    setup.q[2] = 0.3 * 0.2f64.sin();
    setup.options.duration = 2.0;
    let run = simulate(&mut setup);
    assert_eq!(run.modes.len(), 4);
    assert!(omega(&run.v).norm() < 1e-12 && run.q[2].abs() < 1e-12);
}

#[test]
fn a_cylinder_on_its_side_slides_down_a_slope_on_both_rims() {
    let (radius, length, slope) = (0.1, 0.6, 0.4f64);
    let normal = Vector([0.0, slope.sin(), slope.cos()]);
    let mut scene = coin(radius, 0.0);
    scene.skin = Solid::Cylinder { radius, length };
    scene.moments = [0.03, 0.03, 0.005];
    scene.fixed = SolidShape::new(Solid::HalfSpace { normal });
    let mut setup = scene.setup();
    let lying = Rotation::about([0.0, 1.0, 0.0], std::f64::consts::FRAC_PI_2);
    rotate(&mut setup, lying);
    setup.q[..3].copy_from_slice(&(normal * radius).0);
    setup.v[3] = 4.0; // it spins about its axis, which does nothing
    setup.options.duration = 1.0;
    let run = simulate(&mut setup);
    assert_eq!(run.modes.len(), 2);
    let way = 0.5 * G * slope.sin();
    assert_close(
        "down",
        run.q[2] - radius * slope.cos(),
        -way * slope.sin(),
        1e-11,
    );
    assert_close("spin", run.v[3], 4.0, 1e-12);
}

/// An ellipsoid of mass 1 and even density over a floor.
fn egg(semi_axes: [f64; 3], restitution: f64) -> Scene {
    let [a, b, c] = semi_axes.map(|x| 0.2 * x * x);
    Scene {
        skin: Solid::Ellipsoid {
            semi_axes: semi_axes.into(),
        },
        moments: [b + c, c + a, a + b],
        fixed: floor(),
        gravity: [0.0, 0.0, -G],
        restitution,
    }
}

/// A smooth spheroid that stands on its point falls over and comes up again: neither its spin, nor its moment about the
/// vertical, nor its energy changes.
#[test]
fn a_spheroid_on_a_smooth_floor_keeps_its_spin_its_vertical_moment_and_its_energy() {
    let (across, along) = (0.2, 0.35);
    let mut setup = egg([across, across, along], 0.0).setup();
    rotate(&mut setup, Rotation::about([0.3, 0.7, 0.0], 0.2));
    let axis = |q: &[f64]| rotation_of(q).apply(Vector([0.0, 0.0, 1.0]));
    let height = |q: &[f64]| {
        let z = axis(q).0[2];
        (across * across * (1.0 - z * z) + along * along * z * z).sqrt()
    };
    setup.q[2] = height(&setup.q);
    let start = axis(&setup.q) * 6.0 + Vector([0.0, 0.0, 1.5]);
    setup.v[..2].copy_from_slice(&[0.4, -0.2]);
    setup.v[3..6].copy_from_slice(&start.0);
    setup.options.duration = 3.0;
    let run = simulate(&mut setup);
    assert!(run.events.is_empty(), "{:?}", run.events[0].what);
    let [moment, _, spun] = egg([across, across, along], 0.0).moments;
    let kept = |q: &[f64], v: &[f64]| {
        let spin = axis(q).dot(omega(v));
        (
            spin,
            moment * omega(v).0[2] + (spun - moment) * spin * axis(q).0[2],
        )
    };
    let first = kept(&setup.q, &setup.v);
    let mut least = 1.0f64;
    for sample in &run.samples {
        let now = kept(&sample.q, &sample.v);
        assert_close("spin", now.0, first.0, 1e-9);
        assert_close("vertical moment", now.1, first.1, 1e-9);
        assert_close("on the floor", sample.q[2], height(&sample.q), 1e-10);
        least = least.min(axis(&sample.q).0[2]);
    }
    assert!(least < 0.5, "it falls over: {least}");
}

/// On its flat side a smooth ellipsoid rocks about each of its level axes as a pendulum of length `a²/c − c` under the
/// weight: ω² = m g (a²/c − c)/I.
#[test]
fn a_smooth_ellipsoid_rocks_at_the_rates_that_its_radii_of_curvature_give() {
    let semi_axes = [0.3, 0.2, 0.1];
    let moments = egg(semi_axes, 0.0).moments;
    for (about, along) in [(1, 0), (0, 1)] {
        let mut setup = egg(semi_axes, 0.0).setup();
        let mut axis = [0.0; 3];
        axis[about] = 1.0;
        let small = 1e-4f64;
        rotate(&mut setup, Rotation::about(axis, small));
        setup.q[2] = (0.1 * small.cos()).hypot(semi_axes[along] * small.sin());
        let arm = semi_axes[along].powi(2) / 0.1 - 0.1;
        let period = std::f64::consts::TAU / (G * arm / moments[about]).sqrt();
        setup.options.duration = period;
        let run = simulate(&mut setup);
        let turned = 2.0 * run.q[4 + about] / small;
        assert_close("back after a period", turned, 1.0, 1e-6);
        setup.options.duration = 0.25 * period;
        let quarter = simulate(&mut setup);
        assert_close("level", 2.0 * quarter.q[4 + about] / small, 0.0, 1e-6);
    }
}

#[test]
fn an_ellipsoid_that_is_dropped_bounces_and_never_goes_through_the_floor() {
    for restitution in [1.0, 0.6] {
        let mut setup = egg([0.3, 0.1, 0.05], restitution).setup();
        rotate(&mut setup, Rotation::about([1.0, 0.4, 0.2], 0.9));
        setup.q[2] = 0.6;
        setup.v[3..6].copy_from_slice(&[3.0, -2.0, 5.0]);
        setup.options.duration = 1.5;
        let run = simulate(&mut setup);
        let impacts = run.events.iter();
        let impacts = impacts.filter(|event| matches!(event.what, Happening::Impact(_)));
        assert!(impacts.count() > 2);
    }
}
