//! Random starts at which contacts touch.

use super::make::{Family, stack};
use super::mechanisms::four_bar;
use super::parts::Maker;
use super::scene::{Outline, Scene};
use super::turn::NO_TURN;

/// Families that touch at the start.
const TOUCHING: &[Family] = &[
    ("bench", bench),
    ("wedge", wedge),
    ("stack", stack),
    ("touching row", touching_row),
    ("leaning crank", leaning_crank),
    ("bench", bench),
];

/// A start of a seed at which contacts touch; bodies approach where an impact is asked for.
pub(crate) fn touching_scene(seed: u64, is_impact: bool) -> Scene {
    let which = (seed % TOUCHING.len() as u64) as usize;
    let is_plane = which + 1 < TOUCHING.len();
    let (name, fill) = TOUCHING[which];
    let mut maker = Maker::new(fastrand::Rng::with_seed(seed), name, is_plane);
    fill(&mut maker);
    let up = maker.scene.up();
    let fall = maker.number(0.2, 2.0);
    for start in maker
        .scene
        .bodies
        .iter_mut()
        .filter_map(|body| body.start.as_mut())
    {
        match is_impact {
            true => start.velocity[up] -= fall,
            false => start.velocity[up] = 0.0,
        }
    }
    maker.scene
}

/// A table on two to four feet, some of them at one place in the plane.
fn bench(m: &mut Maker) {
    let (wide, high) = (m.number(0.2, 0.5), m.number(0.1, 0.3));
    m.free("a", Outline::Round(0.02));
    let feet = m.rng.usize(2..5);
    let body = m.scene.bodies.last_mut().expect("a body");
    let foot = body.shapes.remove(0);
    body.inertia = [0.1 * body.mass; 3];
    for k in 0..feet {
        let mut shape = foot.clone();
        shape.name = format!("foot{k}");
        let along = [-1.0, 1.0, 0.0, 0.5][k] * wide;
        let aside = [-1.0, -1.0, 1.0, 1.0][k] * wide;
        shape.at = match m.scene.is_plane {
            true => [along, -high, 0.0],
            false => [along, aside, -high],
        };
        m.scene.bodies[0].shapes.push(shape);
    }
    let start = m.vector(0.0, high + 0.02);
    let push = m.signed(1.0);
    let free = m.scene.bodies[0].start.as_mut().expect("a free body");
    (free.at, free.velocity[0]) = (start, push);
    m.floor();
    for k in 0..feet {
        m.contact(&format!("a.foot{k}"), "world.floor");
    }
    let angle = m.signed(0.4);
    m.tilt(angle);
}

/// A disk between two slopes, at rest.
fn wedge(m: &mut Maker) {
    let radius = m.number(0.05, 0.3);
    m.free("a", Outline::Round(radius));
    let angles = [m.number(0.2, 1.5), m.number(0.2, 1.5)];
    for (name, angle, side) in [("left", angles[0], 1.0), ("right", angles[1], -1.0)] {
        let normal = [side * angle.sin(), angle.cos(), 0.0];
        m.wall(name, normal.map(|x| -radius * x), normal);
        m.contact("a.skin", &format!("world.{name}"));
    }
}

/// Disks that touch in a row, thrown together.
fn touching_row(m: &mut Maker) {
    let (count, radius) = (m.rng.usize(2..4), m.number(0.05, 0.1));
    m.floor();
    for k in 0..count {
        m.free(&format!("d{k}"), Outline::Round(radius));
        m.put([2.0 * radius * k as f64, 0.0], NO_TURN, [0.0; 3]);
        m.contact(&format!("d{k}.skin"), "world.floor");
        if k > 0 {
            m.contact(&format!("d{k}.skin"), &format!("d{}.skin", k - 1));
        }
    }
}

/// A four-bar with a ball that lies on its rocker's wall side.
fn leaning_crank(m: &mut Maker) {
    four_bar(m);
    let radius = m.number(0.05, 0.1);
    m.free("ball", Outline::Round(radius));
    m.put([-1.0, -1.0], NO_TURN, [0.0; 3]);
    m.wall("floor", [0.0, -1.0, 0.0], [0.0, 1.0, 0.0]);
    m.wall("side", [-1.0 - radius, 0.0, 0.0], [1.0, 0.0, 0.0]);
    m.contact("ball.skin", "world.floor");
    m.contact("ball.skin", "world.side");
}
