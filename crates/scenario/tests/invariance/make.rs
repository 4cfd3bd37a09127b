//! Random scenes, family by family.

use super::mechanisms::{belt, four_bar, pendulum, slider, slider_crank, table};
use super::parts::Maker;
use super::scene::{Load, Outline, Scene};
use super::turn::NO_TURN;
use super::twin::{shift, turn_world};

pub(crate) type Family = (&'static str, fn(&mut Maker));

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
    let (height, rates) = (
        m.number(0.01, 0.8),
        [m.signed(1.5), m.signed(1.0), m.signed(4.0)],
    );
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
    let height = if m.is_chosen(0.3) {
        0.0
    } else {
        m.number(0.05, 0.5)
    };
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
    let height = if m.is_chosen(0.6) {
        0.0
    } else {
        m.number(0.02, 0.3)
    };
    let rates = [m.number(0.3, 2.0), 0.0, m.signed(2.0)];
    let rates = if which == 0 {
        rates
    } else {
        [rates[0], 0.0, 0.0]
    };
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
        let space = if is_touching && k > 1 {
            0.0
        } else {
            0.1 + 0.01 * k as f64
        };
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
pub(crate) fn stack(m: &mut Maker) {
    let (wide, high) = (m.number(0.2, 0.5), m.number(0.1, 0.2));
    m.free("low", Outline::Box([wide, high, 0.0]));
    let push = if m.is_chosen(0.5) { m.signed(1.0) } else { 0.0 };
    m.put([0.0, 0.0], NO_TURN, [push, 0.0, 0.0]);
    let part = if m.is_chosen(0.3) {
        1.0
    } else {
        m.number(0.4, 0.9)
    };
    m.free("high", Outline::Box([part * wide, high, 0.0]));
    let off = if m.is_chosen(0.5) {
        0.0
    } else {
        m.signed(0.1) * wide
    };
    let lift = if m.is_chosen(0.5) { 0.0 } else { 0.05 };
    let push = m.signed(1.0);
    m.put([off, high + lift], NO_TURN, [push, 0.0, 0.0]);
    m.floor();
    m.contact("low.skin", "world.floor");
    m.contact("high.skin", "low.skin");
    m.skin.law = "poisson";
    m.scene.duration = m.number(0.2, 0.5);
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
    let lift = if m.is_chosen(0.4) {
        m.number(0.1, 1.3) * weight
    } else {
        0.0
    };
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
