//! The frames of Fig. 1 in the particular case, with normals and impulses.

use carom::figure::sketch::{Place, Role, Sketch};
use carom::{InputError, Law, Method, significant};

use super::book::Systems;
use super::neighbours::on_a_ball;
use super::pair::impulses;
use crate::Figure;

pub(super) fn figures(systems: &Systems) -> Result<Vec<Figure>, InputError> {
    let frames = &systems.singular;
    let singular = frames
        .hinged()
        .solved(Law::Newton, Method::Complementarity)?;
    let ball = on_a_ball(frames).solved(Law::Newton, Method::Complementarity)?;
    let [p, q] = [impulses(&singular), impulses(&ball)];
    let together = significant(p[0] + p[2], 5);
    let first = draw(systems, &p)
        .note(&format!(
            "Determined: P_1 + P_3 = {together} N·s, velocities and ΔT. Drawn: the"
        ))
        .note("share of least norm. P_2 is free: its line meets both axes.");
    let second =
        draw(systems, &q).note("Frame 1 on a ball joint: three impulses, each determined.");
    let figure = |name, caption, sketch: Sketch| {
        let svg = sketch.svg(caption)?;
        Some(Figure { name, caption, svg })
    };
    let drawn = [
        figure(
            "figure-1",
            "Fig. 1: mass centres C, joints O and points of contact A of the two frames, as arms; directions of the impulses (grey) and the impulses on frame 2 (green)",
            first,
        ),
        figure(
            "figure-1-ball",
            "The same with frame 1 on a ball joint at O1: the well-posed neighbour",
            second,
        ),
    ];
    Ok(drawn.into_iter().flatten().collect())
}

/// Both frames, the normals, and impulses on frame 2.
fn draw(systems: &Systems, p: &[f64]) -> Sketch {
    let frames = &systems.singular;
    let (centers, joints, points) = (frames.centers(), frames.joints(), frames.points());
    let mut sketch = Sketch::default();
    for (i, role) in [Role::First, Role::Second].into_iter().enumerate() {
        sketch = sketch.line(role, &[joints[i], centers[i]]);
        for point in points {
            sketch = sketch.line(role, &[centers[i], point]);
        }
    }
    let largest = p.iter().fold(f64::MIN_POSITIVE, |m, x| m.max(x.abs()));
    for (k, n) in frames.directions.iter().enumerate() {
        let by = |length: f64| -> Place { n.map(|x| length * x) };
        let name = format!("n_{}", k + 1);
        sketch = sketch.arrow(Role::Direction, &name, [points[k], by(0.75 * frames.a[0])]);
        if p[k].abs() > 1e-9 * largest {
            let name = format!("P_{} = {}", k + 1, significant(p[k], 4));
            let length = 0.55 * frames.a[0] * p[k] / largest;
            sketch = sketch.arrow(Role::Impulse, &name, [points[k], by(length)]);
        }
    }
    let named = |name: &str, list: &[Place], mut sketch: Sketch| {
        for (k, at) in list.iter().enumerate() {
            sketch = sketch.point(&format!("{name}_{}", k + 1), *at);
        }
        sketch
    };
    let sketch = named("A", &points, sketch);
    named("O", &joints, named("C", &centers, sketch))
}
