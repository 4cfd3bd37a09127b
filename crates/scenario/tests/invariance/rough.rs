//! Random scenes with friction in space.

use super::make::Family;
use super::parts::Maker;
use super::scene::{Outline, Scene, Skin};
use super::turn::{NO_TURN, Turn, about, after, times};

/// The families, in turn.
pub(crate) const ROUGH: &[Family] = &[
    ("thrown", thrown),
    ("laid", laid),
    ("corner", corner),
    ("on a ball", on_a_ball),
    ("bowl", bowl),
    ("tube", tube),
    ("two", two),
    ("cradle", cradle),
    ("table", table),
];

/// Laws and methods that contacts which close together may have.
const LAWS: [(&str, &str); 6] = [
    ("poisson", "path"),
    ("poisson", "complementarity"),
    ("energetic", "path"),
    ("newton", "complementarity"),
    ("moreau", "complementarity"),
    ("poisson", ""),
];

/// The scene of a seed.
pub(crate) fn rough_scene(seed: u64) -> Scene {
    let (name, fill) = ROUGH[(seed % ROUGH.len() as u64) as usize];
    let mut maker = Maker::new(fastrand::Rng::with_seed(seed), name, false);
    let (law, method) = LAWS[maker.rng.usize(..LAWS.len())];
    maker.scene.method = method;
    maker.skin = skin(&mut maker, law);
    (maker.scene.duration, maker.scene.max_events) = (5.0, 20_000);
    fill(&mut maker);
    maker.scene
}

/// Restitution up to 0.9 and friction up to 1.2.
fn skin(m: &mut Maker, law: &'static str) -> Skin {
    let restitution = match m.rng.u8(..5) {
        0 => 0.0,
        _ => m.number(0.0, 0.9),
    };
    let mu = m.number(0.0, 1.2);
    let friction = match m.rng.u8(..4) {
        0 => [mu, m.number(0.5, 1.0) * mu],
        _ => [mu, mu],
    };
    Skin {
        law,
        restitution,
        friction,
    }
}

/// Any body that a floor carries.
fn body(m: &mut Maker, name: &str, kinds: &[usize]) {
    let size = m.number(0.05, 0.4);
    let outline = match kinds[m.rng.usize(..kinds.len())] {
        0 => Outline::Round(size),
        1 => Outline::Capsule {
            length: 2.0 * size,
            radius: m.number(0.1, 0.5) * size,
        },
        2 => Outline::Box([size, m.number(0.3, 1.2) * size, m.number(0.2, 1.2) * size]),
        3 => Outline::Cylinder {
            length: m.number(0.2, 3.0) * size,
            radius: 0.5 * size,
        },
        4 => Outline::Disk(size),
        _ => {
            let skew = m.number(-0.5, 0.5) * size;
            Outline::Corners(vec![
                [-size, -size, -0.4 * size],
                [size, -0.8 * size, -0.4 * size],
                [skew, size, -0.4 * size],
                [0.1 * size, -0.1 * size, size],
            ])
        }
    };
    m.free(name, outline);
}

/// The last body moves along the floor and turns about the normal too.
fn spin(m: &mut Maker, along: f64, turning: f64) {
    let [across, roll, pivot] = [m.signed(along), m.signed(turning), m.signed(turning)];
    let last = m.scene.bodies.last_mut().expect("a body");
    let start = last.start.as_mut().expect("a free body");
    start.velocity[1] = across;
    (start.spin[0], start.spin[2]) = (roll, pivot);
}

fn slope(m: &mut Maker, probability: f64) {
    if m.is_chosen(probability) {
        let angle = m.signed(0.6);
        m.tilt(angle);
    }
}

const EVERY_KIND: [usize; 6] = [0, 1, 2, 3, 4, 5];

/// A body thrown onto a floor or a slope.
fn thrown(m: &mut Maker) {
    body(m, "a", &EVERY_KIND);
    let (turn, height) = (m.any_turn(), m.number(0.01, 0.8));
    let rates = [m.signed(2.0), m.signed(1.0), m.signed(8.0)];
    m.put([0.0, height], turn, rates);
    spin(m, 1.0, 8.0);
    m.floor();
    m.contact("a.skin", "world.floor");
    slope(m, 0.3);
}

/// A way in which a body lies or stands, turned about the vertical.
fn lying(m: &mut Maker) -> Turn {
    let outline = &m.scene.bodies.last().expect("a body").shapes[0].outline;
    let is_round = matches!(outline, Outline::Cylinder { .. } | Outline::Disk(_));
    let is_box = matches!(outline, Outline::Box(_));
    let quarter = about([1.0, 0.0, 0.0], std::f64::consts::FRAC_PI_2);
    let posture = match is_box || is_round {
        true if m.is_chosen(0.5) => quarter,
        _ => NO_TURN,
    };
    let pivot = m.number(-3.0, 3.0);
    after(about([0.0, 0.0, 1.0], pivot), posture)
}

/// A body that lies on the floor or falls flat, pushed and spinning.
fn laid(m: &mut Maker) {
    body(m, "a", &EVERY_KIND);
    let turn = lying(m);
    let height = match m.is_chosen(0.6) {
        true => 0.0,
        false => m.number(0.01, 0.3),
    };
    let roll = m.signed(4.0);
    m.put([0.0, height], turn, [m_rate(roll), 0.0, roll]);
    spin(m, 1.0, 0.0);
    let pivot = m.signed(6.0);
    let last = m.scene.bodies.last_mut().expect("a body");
    last.start.as_mut().expect("a free body").spin[2] = pivot;
    m.floor();
    m.contact("a.skin", "world.floor");
    slope(m, 0.4);
}

fn m_rate(roll: f64) -> f64 {
    0.3 * roll
}

/// A body thrown into a corner of a floor and one or two walls.
fn corner(m: &mut Maker) {
    body(m, "a", &[0, 0, 1, 2, 5]);
    let (turn, height) = (m.any_turn(), m.number(0.01, 0.5));
    let rates = [m.number(0.5, 3.0), m.signed(1.0), m.signed(8.0)];
    m.put([0.0, height], turn, rates);
    spin(m, 1.5, 8.0);
    m.floor();
    m.contact("a.skin", "world.floor");
    m.wall("wall", [0.7, 0.0, 0.0], [-1.0, 0.0, 0.0]);
    m.contact("a.skin", "world.wall");
    if m.is_chosen(0.5) {
        m.wall("side", [0.0, 0.7, 0.0], [0.0, -1.0, 0.0]);
        m.contact("a.skin", "world.side");
    }
    if m.is_chosen(0.3) {
        let angle = -m.number(0.1, 0.6);
        m.tilt(angle);
    }
}

/// A shape of the world.
fn stands(m: &mut Maker, name: &str, outline: Outline, height: f64) {
    m.wall(name, [0.0, 0.0, height], [0.0; 3]);
    m.scene.world.last_mut().expect("a shape").outline = outline;
}

/// A body that falls on a ball that stands fast, and from it onto the floor.
fn on_a_ball(m: &mut Maker) {
    body(m, "a", &[0, 0, 1, 2]);
    let radius = m.number(0.3, 0.8);
    let (turn, height) = (m.any_turn(), 2.0 * radius + m.number(0.01, 0.4));
    let along = m.signed(0.3) * radius;
    let rates = [m.signed(0.5), m.signed(1.0), m.signed(8.0)];
    m.put([along, height], turn, rates);
    spin(m, 0.5, 8.0);
    stands(m, "ball", Outline::Round(radius), radius);
    m.contact("a.skin", "world.ball");
    m.floor();
    m.contact("a.skin", "world.floor");
}

/// A body in a bowl.
fn bowl(m: &mut Maker) {
    body(m, "a", &[0, 0, 1, 2]);
    inside(m, Outline::Bowl);
}

/// A body in a tube that lies, leans or stands.
fn tube(m: &mut Maker) {
    body(m, "a", &[0, 0, 1, 2]);
    inside(m, Outline::Tube);
    let angle = m.number(0.0, 3.1);
    let tube = m.scene.world.last_mut().expect("a tube");
    tube.turn = about([1.0, 0.3, 0.0], angle);
}

fn inside(m: &mut Maker, hollow: fn(f64) -> Outline) {
    let radius = m.number(0.8, 1.5);
    let (turn, along) = (m.any_turn(), m.signed(0.2));
    let rates = [m.signed(1.5), m.signed(1.0), m.signed(8.0)];
    m.put([along, 0.0], turn, rates);
    spin(m, 1.5, 8.0);
    let place = m.scene.bodies[0].start.as_mut().expect("a free body");
    place.at = times(place.at, 0.3);
    stands(m, "hollow", hollow(radius), 0.0);
    m.contact("a.skin", "world.hollow");
}

/// One body falls on another that lies or falls.
fn two(m: &mut Maker) {
    body(m, "low", &[0, 1, 2]);
    let is_lying = m.is_chosen(0.5);
    let turn = if is_lying { lying(m) } else { m.any_turn() };
    let height = if is_lying { 0.0 } else { 0.05 };
    let slides = m.signed(0.5);
    m.put([0.0, height], turn, [slides, 0.0, 0.0]);
    body(m, "high", &[0, 1, 2]);
    let (turn, off) = (m.any_turn(), m.signed(0.05));
    let rates = [m.signed(0.3), -m.number(0.0, 1.0), m.signed(5.0)];
    m.put([off, 1.1], turn, rates);
    spin(m, 0.3, 5.0);
    m.floor();
    m.contact("low.skin", "world.floor");
    m.contact("high.skin", "world.floor");
    m.contact("high.skin", "low.skin");
}

/// Balls that roll and slide into each other.
fn cradle(m: &mut Maker) {
    let count = m.rng.usize(2..4);
    let radius = m.number(0.05, 0.1);
    for k in 0..count {
        m.free(&format!("b{k}"), Outline::Round(radius));
        let rate = if k == 0 { m.number(0.5, 2.0) } else { 0.0 };
        let along = 3.0 * radius * k as f64;
        let spin = if k == 0 { m.signed(30.0) } else { 0.0 };
        m.put([along, 0.0], NO_TURN, [rate, 0.0, spin]);
        let aside = m.signed(0.5) * radius;
        let last = m.scene.bodies.last_mut().expect("a body");
        last.start.as_mut().expect("a free body").at[1] = aside;
    }
    m.floor();
    for k in 0..count {
        m.contact(&format!("b{k}.skin"), "world.floor");
        for other in 0..k {
            m.contact(&format!("b{k}.skin"), &format!("b{other}.skin"));
        }
    }
}

/// A table on three or four feet that slides, turns and may fall.
fn table(m: &mut Maker) {
    let (wide, high) = (m.number(0.1, 0.4), m.number(0.05, 0.3));
    m.free("a", Outline::Round(0.02));
    let feet = m.rng.usize(3..5);
    let body = m.scene.bodies.last_mut().expect("a body");
    let foot = body.shapes.remove(0);
    body.inertia = [0.08, 0.1, 0.12].map(|x| x * body.mass * wide);
    let is_pointed = m.is_chosen(0.5);
    for k in 0..feet {
        let mut shape = foot.clone();
        shape.name = format!("foot{k}");
        let angle = std::f64::consts::TAU * k as f64 / feet as f64;
        shape.at = [wide * angle.cos(), wide * angle.sin(), -high];
        if is_pointed {
            shape.outline = Outline::Point;
        }
        m.scene.bodies[0].shapes.push(shape);
    }
    let drop = if m.is_chosen(0.5) {
        0.0
    } else {
        m.number(0.01, 0.2)
    };
    let at = m.vector(0.0, high + drop + if is_pointed { 0.0 } else { 0.02 });
    let (push, across, pivot) = (m.signed(1.5), m.signed(1.0), m.signed(6.0));
    let free = m.scene.bodies[0].start.as_mut().expect("a free body");
    free.at = at;
    (free.velocity[0], free.velocity[1], free.spin[2]) = (push, across, pivot);
    m.floor();
    for k in 0..feet {
        m.contact(&format!("a.foot{k}"), "world.floor");
    }
    slope(m, 0.4);
}
