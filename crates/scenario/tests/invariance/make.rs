//! Random scenes, family by family.

use super::parts::{GROUND, Maker};
use super::scene::{Kind, Limits, Load, Motion, Outline, Scene, Wave};
use super::turn::{NO_TURN, about};
use super::twin::{shift, turn_world};

type Family = (&'static str, fn(&mut Maker));

/// The families, in turn.
const FAMILIES: &[Family] = &[
    ("drop", drop_body),
    ("flat", drop_flat),
    ("slide", slide),
    ("corner", corner),
    ("walls", walls),
    ("pair", pair),
    ("row", row),
    ("stack", stack),
    ("pendulum", pendulum),
    ("slider", slider),
    ("table", table),
    ("belt", belt),
    ("four-bar", four_bar),
    ("slider-crank", slider_crank),
    ("pulled", pulled),
];

/// How many of the families are made in space too; friction is of the plane.
const IN_SPACE: &[Family] = &[
    ("drop in space", drop_body),
    ("flat in space", drop_flat),
    ("slide in space", slide),
    ("corner in space", corner),
    ("pair in space", pair),
    ("pendulum in space", pendulum),
    ("slider in space", slider),
    ("table in space", table),
    ("four-bar in space", four_bar),
];

/// Kinds of scenes.
pub(crate) const KINDS: usize = FAMILIES.len() + IN_SPACE.len();

/// The scene of a seed.
pub(crate) fn scene(seed: u64) -> Scene {
    let which = (seed % KINDS as u64) as usize;
    let is_plane = which < FAMILIES.len();
    let (name, fill) = match is_plane {
        true => FAMILIES[which],
        false => IN_SPACE[which - FAMILIES.len()],
    };
    let mut maker = Maker::new(fastrand::Rng::with_seed(seed), name, is_plane);
    fill(&mut maker);
    // Most scenes stand as one draws them; some are turned and off the origin already.
    if maker.is_chosen(0.25) {
        let turn = maker.any_turn();
        turn_world(&mut maker.scene, turn);
        let [along, up] = [maker.rng.f64(), -maker.rng.f64()];
        let by = maker.vector(along, up);
        shift(&mut maker.scene, by);
    }
    maker.scene
}

/// A body dropped or thrown onto a floor or a slope.
fn drop_body(m: &mut Maker) {
    let which = m.rng.usize(..5);
    let outline = m.outline(which);
    m.free("a", outline);
    let turn = m.any_turn();
    let (height, rates) = (m.number(0.01, 0.8), [m.signed(1.5), m.signed(1.0), m.signed(4.0)]);
    m.put([0.0, height], turn, rates);
    m.floor();
    m.contact("a.skin", "world.floor");
    if m.is_chosen(0.3) {
        let angle = m.signed(0.4);
        m.tilt(angle);
    }
    m.scene.duration = m.number(1.0, 2.5);
}

/// A box or a capsule that falls flat, or stands already.
fn drop_flat(m: &mut Maker) {
    let which = [1, 4, 4][m.rng.usize(..3)];
    let outline = m.outline(which);
    m.free("a", outline);
    let height = if m.is_chosen(0.3) { 0.0 } else { m.number(0.05, 0.5) };
    let rates = [m.signed(1.0), 0.0, 0.0];
    m.put([0.0, height], NO_TURN, rates);
    m.floor();
    m.contact("a.skin", "world.floor");
    if m.is_chosen(0.2) {
        let angle = m.signed(0.3);
        m.tilt(angle);
    }
    m.scene.duration = m.number(1.0, 2.0);
}

/// A body that slides or rolls over a floor from the start, downhill or uphill.
fn slide(m: &mut Maker) {
    let which = [0, 1, 3, 4][m.rng.usize(..4)];
    let outline = m.outline(which);
    let is_round = matches!(outline, Outline::Round(_));
    m.free("a", outline);
    let spin = if is_round { m.signed(8.0) } else { 0.0 };
    let rates = [m.signed(2.0), 0.0, spin];
    m.put([0.0, 0.0], NO_TURN, rates);
    m.floor();
    m.contact("a.skin", "world.floor");
    let angle = m.signed(0.5);
    m.tilt(angle);
    m.scene.duration = m.number(0.5, 1.5);
}

/// A body that runs over a floor against a wall.
fn corner(m: &mut Maker) {
    let which = [0, 0, 4, 1][m.rng.usize(..4)];
    let outline = m.outline(which);
    m.free("a", outline);
    let height = if m.is_chosen(0.6) { 0.0 } else { m.number(0.02, 0.3) };
    let rates = [m.number(0.3, 2.0), 0.0, m.signed(2.0)];
    let rates = if which == 0 { rates } else { [rates[0], 0.0, 0.0] };
    m.put([0.0, height], NO_TURN, rates);
    m.floor();
    let (lean, far) = (m.signed(0.4), m.number(0.7, 1.2));
    let (at, normal) = (m.vector(far, 0.0), m.vector(-lean.cos(), lean.sin()));
    m.wall("wall", at, normal);
    m.contact("a.skin", "world.floor");
    m.contact("a.skin", "world.wall");
    if m.is_chosen(0.5) {
        let angle = -m.number(0.05, 0.4);
        m.tilt(angle);
    }
    m.scene.duration = m.number(1.0, 2.0);
}

/// A disk between two walls, with and without weight.
fn walls(m: &mut Maker) {
    let radius = m.number(0.05, 0.2);
    m.free("a", Outline::Round(radius));
    let rates = [m.number(0.5, 2.0), m.signed(1.0), m.signed(5.0)];
    m.put([0.0, 0.3], NO_TURN, rates);
    let right = [m.number(0.3, 0.8), 0.0, 0.0];
    m.wall("left", [-0.5, 0.0, 0.0], [1.0, 0.0, 0.0]);
    m.wall("right", right, [-1.0, 0.0, 0.0]);
    m.contact("a.skin", "world.left");
    m.contact("a.skin", "world.right");
    if m.is_chosen(0.5) {
        m.scene.gravity = [0.0; 3];
    } else {
        m.floor();
        m.contact("a.skin", "world.floor");
    }
    m.scene.duration = m.number(1.0, 2.0);
}

/// One body falls on another that lies or falls.
fn pair(m: &mut Maker) {
    let rounds = [[0, 0], [0, 4], [0, 1], [0, 2]][m.rng.usize(..4)];
    let lower = m.outline(rounds[1]);
    m.free("low", lower);
    let is_lying = m.is_chosen(0.5);
    let turn = if is_lying { NO_TURN } else { m.any_turn() };
    let height = if is_lying { 0.0 } else { 0.1 };
    m.put([0.0, height], turn, [0.0; 3]);
    let upper = m.outline(rounds[0]);
    m.free("high", upper);
    let off = m.signed(0.05);
    let rates = [m.signed(0.3), -m.number(0.0, 1.0), m.signed(3.0)];
    m.put([off, 1.1], NO_TURN, rates);
    m.floor();
    m.contact("low.skin", "world.floor");
    m.contact("high.skin", "world.floor");
    m.contact("high.skin", "low.skin");
    m.scene.duration = m.number(0.7, 1.2);
}

/// Two to four disks in a row, as a cradle has them: some touch, some are equal.
fn row(m: &mut Maker) {
    let count = m.rng.usize(2..5);
    let (is_equal, is_touching) = (m.is_chosen(0.6), m.is_chosen(0.4));
    let (radius, speed) = (m.number(0.05, 0.1), m.number(0.5, 2.0));
    for k in 0..count {
        m.free(&format!("d{k}"), Outline::Round(radius));
        let space = if is_touching && k > 1 { 0.0 } else { 0.1 + 0.01 * k as f64 };
        let before = match k {
            0 => 0.0,
            _ => m.scene.bodies[k - 1].start.expect("a free body").at[0] + 2.0 * radius,
        };
        let rate = if k == 0 { speed } else { 0.0 };
        m.put([before + space, 0.0], NO_TURN, [rate, 0.0, 0.0]);
        if is_equal {
            let first = (m.scene.bodies[0].mass, m.scene.bodies[0].inertia);
            (m.scene.bodies[k].mass, m.scene.bodies[k].inertia) = first;
        }
    }
    let has_floor = m.is_chosen(0.3);
    if has_floor {
        m.floor();
    } else {
        m.scene.gravity = [0.0; 3];
        m.skin.friction = [0.0; 2];
    }
    for k in 0..count {
        if has_floor {
            m.contact(&format!("d{k}.skin"), "world.floor");
        }
        if k > 0 {
            m.contact(&format!("d{k}.skin"), &format!("d{}.skin", k - 1));
        }
    }
    m.scene.duration = m.number(0.5, 1.0);
}

/// Two boxes on each other, flush or not, at rest or pushed.
fn stack(m: &mut Maker) {
    let (wide, high) = (m.number(0.2, 0.5), m.number(0.1, 0.2));
    m.free("low", Outline::Box([wide, high, 0.0]));
    let push = if m.is_chosen(0.5) { m.signed(1.0) } else { 0.0 };
    m.put([0.0, 0.0], NO_TURN, [push, 0.0, 0.0]);
    let part = if m.is_chosen(0.3) { 1.0 } else { m.number(0.4, 0.9) };
    m.free("high", Outline::Box([part * wide, high, 0.0]));
    let off = if m.is_chosen(0.5) { 0.0 } else { m.signed(0.1) * wide };
    let lift = if m.is_chosen(0.5) { 0.0 } else { 0.05 };
    let push = m.signed(1.0);
    m.put([off, high + lift], NO_TURN, [push, 0.0, 0.0]);
    m.floor();
    m.contact("low.skin", "world.floor");
    m.contact("high.skin", "low.skin");
    m.skin.law = "poisson";
    m.scene.duration = m.number(0.2, 0.5);
}

/// One or two links against a wall or their stops.
fn pendulum(m: &mut Maker) {
    let (count, length) = (m.rng.usize(1..3), m.number(0.3, 0.8));
    let is_spherical = !m.scene.is_plane && m.is_chosen(0.5);
    for k in 0..count {
        let name = format!("link{k}");
        m.rod(&name, length);
        let parent = if k == 0 { GROUND.to_owned() } else { format!("link{}", k - 1) };
        let kind = if is_spherical { Kind::Spherical } else { Kind::Revolute };
        let start = [m.number(0.2, 1.5), m.signed(2.0)];
        let ball = (about([0.3, 1.0, 0.1], -start[0]), [m.signed(2.0), start[1], m.signed(1.0)]);
        let at = if k == 0 { [0.0; 3] } else { m.vector(0.0, -length) };
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
    if !m.scene.is_plane {
        // Hinges about y turn the other way round than in the plane.
        m.scene.joints.iter_mut().for_each(|joint| joint.axis = [0.0, -1.0, 0.0]);
    }
    m.scene.duration = m.number(1.0, 2.5);
}

/// A mass on a rail with spring, damper, drive and stops.
fn slider(m: &mut Maker) {
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
    joint.turn = about(if is_plane { [0.0, 0.0, 1.0] } else { [0.0, 1.0, 0.3] }, tilt);
    let at = [0.25, 0.0, 0.0];
    m.wall("wall", at, [-1.0, 0.0, 0.0]);
    m.contact("a.skin", "world.wall");
    m.scene.duration = m.number(1.0, 3.0);
}

/// A body on a table that shakes.
fn table(m: &mut Maker) {
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
    let height = if m.is_chosen(0.5) { 0.0 } else { m.number(0.01, 0.2) };
    m.put([0.0, height], NO_TURN, [0.0; 3]);
    m.contact("a.skin", "table.skin");
    m.scene.duration = m.number(0.5, 1.2);
}

/// A block held by a spring on a belt: stick-slip.
fn belt(m: &mut Maker) {
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
    let outline = if m.is_chosen(0.5) { Outline::Point } else { Outline::Box([0.2, 0.1, 0.0]) };
    let foot = if matches!(outline, Outline::Point) { 0.0 } else { -0.05 };
    m.free("block", outline);
    let joint = m.joint("rise", Kind::Prismatic, "carriage");
    joint.axis = up;
    joint.child_at = [0.0, foot, 0.0];
    m.contact("block.skin", "belt.skin");
    m.scene.duration = m.number(2.0, 5.0);
}

/// Four bars with a drive, whose coupler hits a post.
fn four_bar(m: &mut Maker) {
    let (side, base) = (m.number(0.3, 0.6), m.number(0.6, 1.0));
    // A parallelogram: one angle for both cranks, its opposite for the coupler.
    let (angle, rate) = (m.signed(0.8), m.signed(3.0));
    let sign = if m.scene.is_plane { 1.0 } else { -1.0 };
    let end = m.vector(0.0, -side);
    for (name, at) in [("left", 0.0), ("right", base)] {
        m.rod(name, side);
        let joint = m.joint(&format!("{name}_pin"), Kind::Revolute, GROUND);
        joint.parent_at = [at, 0.0, 0.0];
        joint.start = [sign * angle, sign * rate];
    }
    let torque = Wave {
        amplitude: m.signed(3.0),
        frequency: m.number(1.0, 6.0),
        phase: 0.0,
    };
    let (is_driven, has_stops, bounce) = (m.is_chosen(0.7), m.is_chosen(0.5), m.skin.restitution);
    let crank = &mut m.scene.joints[0];
    crank.drive = is_driven.then_some(torque);
    crank.limits = has_stops.then_some(Limits {
        lower: -1.0,
        upper: 1.0,
        restitution: bounce,
    });
    let radius = 0.08 * side;
    let coupler = m.free("coupler", Outline::Capsule { length: base, radius });
    coupler.center = [0.5 * base, 0.0, 0.0];
    coupler.shapes[0].at = [0.5 * base, 0.0, 0.0];
    let joint = m.joint("top_left", Kind::Revolute, "left");
    joint.parent_at = end;
    joint.start = [-sign * angle, -sign * rate];
    let joint = m.link("top_right", Kind::Revolute, ["right", "coupler"]);
    (joint.parent_at, joint.child_at) = (end, [base, 0.0, 0.0]);
    joint.closes = true;
    let far = side * angle.abs().sin() + base + radius + 0.05;
    m.wall("wall", [far, 0.0, 0.0], [-1.0, 0.0, 0.0]);
    m.contact("coupler.skin", "world.wall");
    m.scene.duration = m.number(1.0, 2.0);
}

/// A crank that drives a slider against a stop.
fn slider_crank(m: &mut Maker) {
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
        let joint = m.link(["shaft", "pin", "wrist"][k], Kind::Revolute, [chain[k], chain[k + 1]]);
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

/// A box on the floor pulled by a force that grows and reverses.
fn pulled(m: &mut Maker) {
    let which = [4, 4, 0, 1][m.rng.usize(..4)];
    let outline = m.outline(which);
    m.free("a", outline);
    m.put([0.0, 0.0], NO_TURN, [0.0; 3]);
    m.floor();
    m.contact("a.skin", "world.floor");
    let g = -m.scene.gravity[1];
    let weight = m.scene.bodies[0].mass * g;
    let pull = m.number(0.2, 1.0) * weight;
    let lift = if m.is_chosen(0.4) { m.number(0.1, 1.3) * weight } else { 0.0 };
    let pulling = Load {
        name: "pull".to_owned(),
        body: "a".to_owned(),
        at: [0.0; 3],
        constant: [0.0; 3],
        amplitude: [pull, lift, 0.0],
        frequency: m.number(1.0, 6.0),
        phase: -std::f64::consts::FRAC_PI_2,
        torque: [0.0, 0.0, m.signed(0.02) * weight],
    };
    m.scene.loads.push(pulling);
    m.scene.duration = m.number(1.0, 2.0);
}
