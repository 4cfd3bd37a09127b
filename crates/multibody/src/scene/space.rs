//! Outlines of space.

use super::{Bodies, Outline, Scene, round};
use crate::model::Model;
use crate::space::Space;
use crate::space::contact::{Solid, SolidShape};
use crate::vector::Vector;

impl Scene {
    /// The bodies of a model in space.
    pub fn of_space(model: &Model<Space>) -> Self {
        Self::Space(Bodies::of(model, outline))
    }
}

fn outline(shape: &SolidShape) -> Outline<[f64; 3]> {
    let point = |r: [f64; 3]| shape.point(Vector(r)).0;
    let center = point([0.0; 3]);
    match &shape.solid {
        Solid::Point => round(center, center, 0.0),
        Solid::Ball { radius } => round(center, center, *radius),
        Solid::Capsule { length, radius } => {
            let half = 0.5 * length;
            round(point([-half, 0.0, 0.0]), point([half, 0.0, 0.0]), *radius)
        }
        Solid::Box { .. } | Solid::Polyhedron { .. } => {
            let (corners, faces) = shape.faces();
            Outline::Polyhedron {
                corners: corners.into_iter().map(|r| shape.point(r).0).collect(),
                faces,
            }
        }
        Solid::Disk { radius } => Outline::Cylinder {
            center,
            axis: axis(shape),
            radius: *radius,
            length: 0.0,
        },
        Solid::Cylinder { radius, length } => Outline::Cylinder {
            center,
            axis: axis(shape),
            radius: *radius,
            length: *length,
        },
        Solid::Ellipsoid { semi_axes } => {
            let [a, b, c] = semi_axes.0;
            let along = |r: [f64; 3]| shape.rotation.apply(Vector(r)).0;
            let semi_axes = [[a, 0.0, 0.0], [0.0, b, 0.0], [0.0, 0.0, c]].map(along);
            Outline::Ellipsoid { center, semi_axes }
        }
        Solid::Bowl { radius } => Outline::Bowl {
            center,
            radius: *radius,
        },
        Solid::Tube { radius } => Outline::Tube {
            center,
            axis: axis(shape),
            radius: *radius,
        },
        Solid::HalfSpace { normal } => Outline::HalfSpace {
            point: center,
            normal: shape.rotation.apply(*normal * normal.norm().recip()).0,
        },
    }
}

/// The z axis of a shape, in the frame of its body.
fn axis(shape: &SolidShape) -> [f64; 3] {
    shape.rotation.apply(Vector([0.0, 0.0, 1.0])).0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::space::Rotation;

    /// Volume of a polyhedron by the cones from the origin to its faces; positive where these are
    /// counter-clockwise seen from outside.
    fn volume(corners: &[[f64; 3]], faces: &[Vec<usize>]) -> f64 {
        let mut sixfold = 0.0;
        for face in faces {
            let [a, b] = [face[0], face[1]].map(|k| Vector(corners[k]));
            let mut last = b;
            for k in &face[2..] {
                let next = Vector(corners[*k]);
                sixfold += crate::Linear::dot(a, last.cross(next));
                last = next;
            }
        }
        sixfold / 6.0
    }

    #[test]
    fn the_faces_of_a_turned_box_close_around_its_volume() {
        let size = [0.3, 0.5, 0.7].into();
        let shape = SolidShape::new(Solid::Box { size })
            .at([1.0, -2.0, 0.5])
            .turned(Rotation::about([1.0, 2.0, -0.4], 0.8));
        let Outline::Polyhedron { corners, faces } = outline(&shape) else {
            panic!("a box is a polyhedron");
        };
        assert_eq!((corners.len(), faces.len()), (8, 6));
        assert!(faces.iter().all(|face| face.len() == 4));
        assert!((volume(&corners, &faces) - 0.3 * 0.5 * 0.7).abs() < 1e-15);
    }

    #[test]
    fn the_faces_of_a_tetrahedron_are_its_triangles_whatever_the_order_of_its_corners() {
        let corners = [[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0; 3]];
        for turn in 0..4 {
            let mut vertices = corners.map(Vector).to_vec();
            vertices.rotate_left(turn);
            let shape = SolidShape::new(Solid::Polyhedron { vertices });
            let Outline::Polyhedron { corners, faces } = outline(&shape) else {
                panic!("a tetrahedron is a polyhedron");
            };
            assert!(faces.len() == 4 && faces.iter().all(|face| face.len() == 3));
            assert!((volume(&corners, &faces) - 1.0 / 6.0).abs() < 1e-15);
        }
    }
}
