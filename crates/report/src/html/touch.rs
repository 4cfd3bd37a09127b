//! Where the outlines of a scene touch: the places of the impulse arrows.
//!
//! A record tells which contacts collide, not where; the outlines at the poses of the event do.

use carom_sim::record::{Bodies, Outline};

/// Place and turn of a body frame: x (m), y (m), angle (rad).
pub(super) type Pose = [f64; 3];

type Point = [f64; 2];

/// Outlines nearer than this part of the size of the scene touch.
const TOUCHING: f64 = 1e-7;

/// A place where two outlines touch.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Touch {
    /// The point (m).
    pub(super) at: Point,
    /// Unit normal, from the second outline to the first.
    pub(super) normal: Point,
    /// Whether the second outline stands still.
    pub(super) on_world: bool,
}

/// Every place where outlines of different bodies touch, bodies in order, the world last.
pub(super) fn touches(scene: &Bodies, poses: &[Pose]) -> Vec<Touch> {
    let still = [0.0; 3];
    let bodies = scene.bodies.iter().zip(poses);
    let mut placed: Vec<Vec<Placed>> = bodies
        .map(|(body, pose)| {
            body.outlines
                .iter()
                .map(|o| Placed::new(o, *pose))
                .collect()
        })
        .collect();
    let world = scene.world.outlines.iter();
    placed.push(world.map(|o| Placed::new(o, still)).collect());
    let near = TOUCHING * size(&placed);
    let mut found = Vec::new();
    for (i, first) in placed.iter().enumerate() {
        for (j, second) in placed.iter().enumerate().skip(i + 1) {
            let start = found.len();
            for a in first {
                for b in second {
                    pair(a, b, near, &mut found);
                }
            }
            let on_world = j + 1 == placed.len();
            found[start..]
                .iter_mut()
                .for_each(|t| t.on_world = on_world);
        }
    }
    let mut apart: Vec<Touch> = Vec::new();
    for touch in found {
        if apart.iter().all(|t| distance(t.at, touch.at) > near) {
            apart.push(touch);
        }
    }
    apart
}

/// An outline in the world.
enum Placed {
    /// All points within a radius of a convex core.
    Core { corners: Vec<Point>, radius: f64 },
    /// Everything below a line.
    Half { point: Point, normal: Point },
}

impl Placed {
    fn new(outline: &Outline, [x, y, angle]: Pose) -> Self {
        let (sin, cos) = angle.sin_cos();
        let turned = |p: Point| [cos * p[0] - sin * p[1], sin * p[0] + cos * p[1]];
        let of = |p: Point| plus(turned(p), [x, y]);
        match outline {
            Outline::Round { from, to, radius } => Self::Core {
                corners: if from == to {
                    vec![of(*from)]
                } else {
                    vec![of(*from), of(*to)]
                },
                radius: *radius,
            },
            Outline::Polygon { corners } | Outline::Polyhedron { corners, .. } => Self::Core {
                corners: corners.iter().map(|p| of(*p)).collect(),
                radius: 0.0,
            },
            Outline::HalfSpace { point, normal } => Self::Half {
                point: of(*point),
                normal: turned(*normal),
            },
        }
    }
}

/// Largest distance of anything drawn from the origin (m).
fn size(placed: &[Vec<Placed>]) -> f64 {
    let reach = |outline: &Placed| match outline {
        Placed::Core { corners, radius } => {
            let far = corners.iter().map(|p| p[0].hypot(p[1]) + radius);
            far.fold(0.0, f64::max)
        }
        Placed::Half { .. } => 0.0,
    };
    placed.iter().flatten().map(reach).fold(0.0, f64::max)
}

fn pair(a: &Placed, b: &Placed, near: f64, found: &mut Vec<Touch>) {
    match (a, b) {
        (Placed::Core { corners, radius }, Placed::Half { point, normal }) => {
            found.extend(on_half_space(corners, *radius, (*point, *normal), near));
        }
        (Placed::Half { point, normal }, Placed::Core { corners, radius }) => {
            let touches = on_half_space(corners, *radius, (*point, *normal), near);
            found.extend(touches.map(turned_round));
        }
        (
            Placed::Core {
                corners: p,
                radius: r,
            },
            Placed::Core {
                corners: q,
                radius: s,
            },
        ) => {
            found.extend(on_core(p, *r, q, *s, near));
            found.extend(on_core(q, *s, p, *r, near).map(turned_round));
        }
        (Placed::Half { .. }, Placed::Half { .. }) => {}
    }
}

fn on_half_space(
    corners: &[Point],
    radius: f64,
    (point, normal): (Point, Point),
    near: f64,
) -> impl Iterator<Item = Touch> {
    corners.iter().filter_map(move |corner| {
        let gap = dot(minus(*corner, point), normal) - radius;
        let at = plus(*corner, scaled(normal, -radius));
        (gap.abs() <= near).then_some(Touch {
            at,
            normal,
            on_world: false,
        })
    })
}

/// Corners of the first core against the sides of the second.
fn on_core(
    corners: &[Point],
    radius: f64,
    sides: &[Point],
    other: f64,
    near: f64,
) -> impl Iterator<Item = Touch> {
    let ends = (0..sides.len()).map(|k| (sides[k], sides[(k + 1) % sides.len()]));
    let pairs = ends.flat_map(|(a, b)| corners.iter().map(move |p| (*p, a, b)));
    pairs.filter_map(move |(p, a, b)| {
        let along = minus(b, a);
        let length = dot(along, along);
        let share = match length > 0.0 {
            true => (dot(minus(p, a), along) / length).clamp(0.0, 1.0),
            false => 0.0,
        };
        let foot = plus(a, scaled(along, share));
        let apart = distance(p, foot);
        // A corner on a side has no direction of its own: that of the side, counter-clockwise.
        let normal = match apart > near {
            true => scaled(minus(p, foot), 1.0 / apart),
            false => scaled([along[1], -along[0]], 1.0 / length.sqrt()),
        };
        let at = plus(foot, scaled(normal, other));
        let touches = (apart - radius - other).abs() <= near && normal[0].is_finite();
        touches.then_some(Touch {
            at,
            normal,
            on_world: false,
        })
    })
}

fn turned_round(touch: Touch) -> Touch {
    Touch {
        normal: scaled(touch.normal, -1.0),
        ..touch
    }
}

fn plus(a: Point, b: Point) -> Point {
    [a[0] + b[0], a[1] + b[1]]
}

fn minus(a: Point, b: Point) -> Point {
    [a[0] - b[0], a[1] - b[1]]
}

fn scaled(a: Point, factor: f64) -> Point {
    [factor * a[0], factor * a[1]]
}

fn dot(a: Point, b: Point) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

fn distance(a: Point, b: Point) -> f64 {
    let d = minus(a, b);
    d[0].hypot(d[1])
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom_sim::record::BodyScene;

    fn body(outline: Outline) -> BodyScene {
        BodyScene {
            name: String::new(),
            outlines: vec![outline],
            points: Vec::new(),
        }
    }

    fn disk(radius: f64) -> BodyScene {
        let centre = [0.0; 2];
        body(Outline::Round {
            from: centre,
            to: centre,
            radius,
        })
    }

    fn square() -> BodyScene {
        let corners = vec![[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]];
        body(Outline::Polygon { corners })
    }

    fn floor() -> BodyScene {
        body(Outline::HalfSpace {
            point: [0.0; 2],
            normal: [0.0, 1.0],
        })
    }

    fn found(bodies: Vec<BodyScene>, world: BodyScene, poses: &[Pose]) -> Vec<Touch> {
        touches(&Bodies { world, bodies }, poses)
    }

    #[test]
    fn a_disk_on_the_floor_touches_below_its_centre() {
        let on_floor = found(vec![disk(0.5)], floor(), &[[2.0, 0.5, 0.3]]);
        let expected = Touch {
            at: [2.0, 0.0],
            normal: [0.0, 1.0],
            on_world: true,
        };
        assert_eq!(on_floor, [expected]);
        let above = found(vec![disk(0.5)], floor(), &[[2.0, 0.51, 0.3]]);
        assert!(above.is_empty());
    }

    #[test]
    fn a_box_landing_flat_touches_at_two_corners_in_their_order() {
        let flat = found(vec![square()], floor(), &[[0.0, 1.0, 0.0]]);
        let at: Vec<Point> = flat.iter().map(|t| t.at).collect();
        assert_eq!(at, [[-1.0, 0.0], [1.0, 0.0]]);
    }

    #[test]
    fn a_disk_beside_a_box_is_pushed_along_the_normal_of_the_side() {
        let poses = [[0.0, 0.0, 0.0], [1.25, 0.5, 0.0]];
        let beside = found(vec![square(), disk(0.25)], BodyScene::default(), &poses);
        assert_eq!(beside.len(), 1, "{beside:?}");
        assert!(distance(beside[0].at, [1.0, 0.5]) < 1e-12);
        assert!(distance(beside[0].normal, [-1.0, 0.0]) < 1e-12);
    }

    #[test]
    fn bodies_that_overlap_do_not_touch() {
        let poses = [[0.0; 3], [0.3, 0.0, 0.0]];
        assert!(found(vec![disk(1.0), disk(0.2)], floor(), &poses).is_empty());
    }
}
