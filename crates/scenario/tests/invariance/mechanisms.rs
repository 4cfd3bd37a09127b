//! Random mechanisms: pendulums, sliders, shaking tables, belts, closed loops.

use super::parts::{GROUND, Maker};
use super::scene::{Kind, Limits, Motion, Outline, Wave};
use super::turn::{NO_TURN, about};

/// One or two links against a wall or their stops.
pub(crate) fn pendulum(m: &mut Maker) {
    let (count, length) = (m.rng.usize(1..3), m.number(0.3, 0.8));
    let is_spherical = !m.scene.is_plane && m.is_chosen(0.5);
    for k in 0..count {
        let name = format!("link{k}");
        m.rod(&name, length);
        let parent = if k == 0 {
            GROUND.to_owned()
        } else {
            format!("link{}", k - 1)
        };
        let kind = if is_spherical {
            Kind::Spherical
        } else {
            Kind::Revolute
        };
        let start = [m.number(0.2, 1.5), m.signed(2.0)];
        let ball = (
            about([0.3, 1.0, 0.1], -start[0]),
            [m.signed(2.0), start[1], m.signed(1.0)],
        );
        let at = if k == 0 {
            [0.0; 3]
        } else {
            m.vector(0.0, -length)
        };
        let (damping, has_limits) = (m.signed(0.1).max(0.0), m.is_chosen(0.4));
        let bounce = m.skin.restitution;
        let joint = m.joint(&format!("pin{k}"), kind, &parent);
        joint.parent_at = at;
        if kind == Kind::Spherical {
            joint.ball = ball;
            continue;
        }
        (joint.start, joint.damping) = (start, damping);
        joint.limits = has_limits.then_some(Limits {
            lower: -0.4,
            upper: 1.7,
            restitution: bounce,
        });
    }
    let at = [-m.number(0.0, 0.2), 0.0, 0.0];
    m.wall("wall", at, [1.0, 0.0, 0.0]);
    let tip = format!("link{}.skin", count - 1);
    m.contact(&tip, "world.wall");
    hinges_as_in_the_plane(m);
    m.scene.duration = m.number(1.0, 2.5);
}

/// A mass on a rail with spring, damper, drive and stops.
pub(crate) fn slider(m: &mut Maker) {
    let size = m.number(0.05, 0.1);
    m.free("a", Outline::Round(size));
    let start = [m.signed(0.1), m.signed(1.0)];
    let stiffness = m.number(5.0, 60.0);
    let drive = Wave {
        amplitude: m.number(1.0, 8.0),
        frequency: m.number(2.0, 12.0),
        phase: m.signed(1.5),
    };
    let (damping, rest, bounce) = (m.signed(0.5).max(0.0), m.signed(0.1), m.skin.restitution);
    let (tilt, is_driven, has_stops) = (m.signed(0.5), m.is_chosen(0.7), m.is_chosen(0.7));
    let is_plane = m.scene.is_plane;
    let joint = m.joint("rail", Kind::Prismatic, GROUND);
    (joint.start, joint.damping) = (start, damping);
    joint.spring = Some([stiffness, rest]);
    joint.drive = is_driven.then_some(drive);
    joint.limits = has_stops.then_some(Limits {
        lower: -0.15,
        upper: 0.2,
        restitution: bounce,
    });
    joint.turn = about(
        if is_plane {
            [0.0, 0.0, 1.0]
        } else {
            [0.0, 1.0, 0.3]
        },
        tilt,
    );
    let at = [0.25, 0.0, 0.0];
    m.wall("wall", at, [-1.0, 0.0, 0.0]);
    m.contact("a.skin", "world.wall");
    m.scene.duration = m.number(1.0, 3.0);
}

/// A body on a table that shakes.
pub(crate) fn table(m: &mut Maker) {
    m.free("table", Outline::HalfSpace([0.0; 3]));
    let up = m.vector(0.0, 1.0);
    m.scene.bodies[0].shapes[0].outline = Outline::HalfSpace(up);
    let frequency = m.number(8.0, 25.0);
    let g = -m.scene.gravity[m.scene.up()];
    let amplitude = m.number(0.3, 2.5) * g / (frequency * frequency);
    let is_upright = !m.scene.is_plane || m.is_chosen(0.5);
    let joint = m.joint("shaker", Kind::Prismatic, GROUND);
    joint.axis = if is_upright { up } else { [1.0, 0.0, 0.0] };
    joint.motion = Some(Motion {
        offset: if is_upright { -amplitude } else { 0.0 },
        rate: 0.0,
        wave: Wave {
            amplitude,
            frequency,
            phase: std::f64::consts::FRAC_PI_2,
        },
    });
    let which = [0, 4, 1][m.rng.usize(..3)];
    let outline = m.outline(which);
    m.free("a", outline);
    let height = if m.is_chosen(0.5) {
        0.0
    } else {
        m.number(0.01, 0.2)
    };
    m.put([0.0, height], NO_TURN, [0.0; 3]);
    m.contact("a.skin", "table.skin");
    m.scene.duration = m.number(0.5, 1.2);
}

/// A block held by a spring on a belt: stick-slip.
pub(crate) fn belt(m: &mut Maker) {
    let up = m.vector(0.0, 1.0);
    m.free("belt", Outline::HalfSpace(up));
    let rate = m.number(0.05, 0.4);
    m.joint("drum", Kind::Prismatic, GROUND).motion = Some(Motion {
        offset: 0.0,
        rate,
        wave: Wave {
            amplitude: 0.0,
            frequency: 0.0,
            phase: 0.0,
        },
    });
    let block = m.free("carriage", Outline::Point);
    block.shapes.clear();
    let stiffness = m.number(10.0, 60.0);
    let is_carried = m.is_chosen(0.6);
    let damping = m.signed(0.3).max(0.0);
    let joint = m.joint("spring", Kind::Prismatic, GROUND);
    joint.start = [0.0, if is_carried { rate } else { 0.0 }];
    (joint.spring, joint.damping) = (Some([stiffness, 0.0]), damping);
    let outline = if m.is_chosen(0.5) {
        Outline::Point
    } else {
        Outline::Box([0.2, 0.1, 0.0])
    };
    let foot = if matches!(outline, Outline::Point) {
        0.0
    } else {
        -0.05
    };
    m.free("block", outline);
    let joint = m.joint("rise", Kind::Prismatic, "carriage");
    joint.axis = up;
    joint.child_at = [0.0, foot, 0.0];
    m.contact("block.skin", "belt.skin");
    m.scene.duration = m.number(2.0, 5.0);
}

/// A crank-rocker with a drive, whose rocker hits a wall.
pub(crate) fn four_bar(m: &mut Maker) {
    let bars = [
        m.number(0.15, 0.25),
        m.number(0.5, 0.6),
        m.number(0.45, 0.55),
    ];
    let (base, angle, rate) = (m.number(0.6, 0.7), m.number(0.5, 2.5), m.signed(4.0));
    let (angles, rates) = closed([base, bars[0], bars[1], bars[2]], angle, rate);
    let radius = 0.03;
    for (name, length) in ["crank", "coupler", "rocker"].into_iter().zip(bars) {
        let body = m.free(name, Outline::Capsule { length, radius });
        body.center = [0.5 * length, 0.0, 0.0];
        body.shapes[0].at = body.center;
        body.start = None;
    }
    let ends = |k: usize| [bars[k], 0.0, 0.0];
    m.link("shaft", Kind::Revolute, [GROUND, "crank"]).start = [angles[0], rates[0]];
    let joint = m.link("pin", Kind::Revolute, ["crank", "coupler"]);
    joint.parent_at = ends(0);
    joint.start = [angles[1] - angles[0], rates[1] - rates[0]];
    let joint = m.link("foot", Kind::Revolute, [GROUND, "rocker"]);
    joint.parent_at = [base, 0.0, 0.0];
    joint.start = [angles[2], rates[2]];
    let joint = m.link("knee", Kind::Revolute, ["coupler", "rocker"]);
    (joint.parent_at, joint.child_at) = (ends(1), ends(2));
    joint.closes = true;
    hinges_as_in_the_plane(m);
    drive_crank(m, angle);
    let end = base + (bars[2] * angles[2].cos()).max(0.0) + radius;
    let off = m.number(0.02, 0.1);
    m.wall("wall", [end + off, 0.0, 0.0], [-1.0, 0.0, 0.0]);
    m.contact("rocker.skin", "world.wall");
    m.scene.duration = m.number(1.0, 2.0);
}

/// Drive, damper and stops of a crank.
fn drive_crank(m: &mut Maker, angle: f64) {
    let torque = Wave {
        amplitude: m.signed(3.0),
        frequency: m.number(1.0, 6.0),
        phase: 0.0,
    };
    let (is_driven, has_stops, bounce) = (m.is_chosen(0.7), m.is_chosen(0.5), m.skin.restitution);
    let damping = m.signed(0.1).max(0.0);
    let crank = &mut m.scene.joints[0];
    (crank.drive, crank.damping) = (is_driven.then_some(torque), damping);
    crank.limits = has_stops.then_some(Limits {
        lower: angle - 1.0,
        upper: angle + 0.8,
        restitution: bounce,
    });
}

/// Hinges in space about −y, so that angles are those of the plane with z for y.
fn hinges_as_in_the_plane(m: &mut Maker) {
    if !m.scene.is_plane {
        let joints = m.scene.joints.iter_mut();
        let hinges = joints.filter(|joint| joint.kind == Kind::Revolute);
        hinges.for_each(|joint| joint.axis = [0.0, -1.0, 0.0]);
    }
}

/// Angles and rates of crank, coupler and rocker, against the base, of a loop that closes: the coupler
/// ends where circles about the end of the crank and the far end of the base meet.
fn closed([base, crank, coupler, rocker]: [f64; 4], angle: f64, rate: f64) -> ([f64; 3], [f64; 3]) {
    let (x, y) = (base - crank * angle.cos(), -crank * angle.sin());
    let far = x.hypot(y);
    let inner = (coupler * coupler + far * far - rocker * rocker) / (2.0 * coupler * far);
    let b = y.atan2(x) + inner.acos();
    let (px, py) = (coupler * b.cos() - x, coupler * b.sin() - y);
    let c = py.atan2(px);
    // crank ω e'(a) + coupler β e'(b) = rocker γ e'(c), seen along the rocker and along the coupler
    let beta = -crank * rate * (angle - c).sin() / (coupler * (b - c).sin());
    let gamma = crank * rate * (angle - b).sin() / (rocker * (c - b).sin());
    ([angle, b, c], [rate, beta, gamma])
}

/// A crank that drives a slider against a stop.
pub(crate) fn slider_crank(m: &mut Maker) {
    let (crank, rod) = (m.number(0.1, 0.2), m.number(0.3, 0.6));
    let rate = m.number(3.0, 10.0);
    // In line at the start: the crank turns by `rate`, the rod back by rate·(1 + crank/rod).
    let back = rate * (1.0 + crank / rod);
    for (name, length) in [("crank", crank), ("rod", rod)] {
        m.free(name, Outline::Point);
        let body = m.scene.bodies.last_mut().expect("a body");
        body.center = [0.5 * length, 0.0, 0.0];
        body.inertia = [body.mass * length * length / 12.0; 3];
    }
    let size = m.number(0.04, 0.1);
    m.free("slider", Outline::Box([size, 0.5 * size, 0.0]));
    let starts = [[0.0, rate], [0.0, -back], [0.0, back - rate]];
    let chain = [GROUND, "crank", "rod", "slider"];
    let ends = [0.0, crank, rod];
    for k in 0..3 {
        m.scene.bodies[k].start = None;
        let joint = m.link(
            ["shaft", "pin", "wrist"][k],
            Kind::Revolute,
            [chain[k], chain[k + 1]],
        );
        joint.parent_at = [ends[k], 0.0, 0.0];
        joint.start = starts[k];
    }
    let (amplitude, frequency) = (m.signed(1.0), m.number(2.0, 8.0));
    m.scene.joints[0].drive = Some(Wave {
        amplitude,
        frequency,
        phase: 0.0,
    });
    let joint = m.link("guide", Kind::Prismatic, [GROUND, "slider"]);
    joint.closes = true;
    let ball = m.number(0.03, 0.06);
    m.free("ball", Outline::Round(ball));
    let reach = crank + rod + 0.5 * size;
    let speed = m.number(0.2, 1.0);
    m.put([reach + ball + 0.02, -ball], NO_TURN, [-speed, 0.0, 0.0]);
    m.scene.gravity = [0.0; 3];
    m.contact("ball.skin", "slider.skin");
    m.wall("wall", [reach + 0.3, 0.0, 0.0], [-1.0, 0.0, 0.0]);
    m.contact("ball.skin", "world.wall");
    m.scene.duration = m.number(1.0, 2.0);
}
