//! A contact on one smooth piece of each of its surfaces: gap, normal and point along a motion.

use super::course::{Arrow, Course};
use super::frame::Frame;
use super::meeting::Side;
use super::surface::{Circle, Surface};

/// A contact on a smooth piece.
#[derive(Debug, Clone)]
pub enum Form {
    Probe {
        body: usize,
        at: [f64; 3],
        radius: f64,
        target: usize,
        surface: Surface,
        is_flipped: bool,
    },
    /// A rim that leans on a plane, on its lowest point.
    Leaning {
        body: usize,
        circle: Circle,
        plane: usize,
        surface: Surface,
        is_flipped: bool,
    },
    /// Rods that cross, and the sense of `A × B` along the normal.
    Rods { sides: [Side; 2], sense: f64 },
}

/// A contact along a motion: normal from B to A, and the point that both share.
#[derive(Debug, Clone, Copy)]
pub struct Touch {
    pub gap: Course,
    pub normal: Arrow,
    pub point: Arrow,
}

impl Form {
    /// First and second body.
    pub fn bodies(&self) -> [usize; 2] {
        let ordered = |a: usize, b: usize, is_flipped: bool| match is_flipped {
            true => [b, a],
            false => [a, b],
        };
        match self {
            Self::Probe {
                body,
                target,
                is_flipped,
                ..
            } => ordered(*body, *target, *is_flipped),
            Self::Leaning {
                body,
                plane,
                is_flipped,
                ..
            } => ordered(*body, *plane, *is_flipped),
            Self::Rods { sides, .. } => sides.map(|side| side.body),
        }
    }

    pub fn touch(&self, frame: impl Fn(usize) -> Frame) -> Touch {
        let told = |gap: Course, normal: Arrow, point: Arrow, is_flipped: bool| Touch {
            gap,
            normal: if is_flipped { -normal } else { normal },
            point,
        };
        match self {
            Self::Probe {
                body,
                at,
                radius,
                target,
                surface,
                is_flipped,
            } => {
                let center = frame(*body).point(*at);
                let (distance, normal) = surface.reach(&frame(*target), center);
                let radius = Course::fixed(*radius);
                told(
                    distance - radius,
                    normal,
                    center - normal * radius,
                    *is_flipped,
                )
            }
            Self::Leaning {
                body,
                circle,
                plane,
                surface,
                is_flipped,
            } => {
                let (rim, floor) = (frame(*body), frame(*plane));
                let (_, normal) = surface.reach(&floor, rim.point(circle.center));
                let axis = rim.direction(circle.axis);
                let up = (normal - axis * axis.dot(normal)).unit();
                let lowest = rim.point(circle.center) - up * Course::fixed(circle.radius);
                let (gap, normal) = surface.reach(&floor, lowest);
                told(gap, normal, lowest, *is_flipped)
            }
            Self::Rods { sides, sense } => {
                let [a, b] = sides.map(|side| frame(side.body).direction(side.rod.along));
                let [p, r] = sides.map(|side| frame(side.body).point(side.rod.start));
                let (up, apart) = (a.cross(b), p - r);
                let normal = up.unit() * Course::fixed(*sense);
                let square = up.dot(up).recip();
                let way = -apart.cross(b).dot(up) * square;
                let [thick, other] = sides.map(|side| Course::fixed(side.rod.radius));
                let gap = normal.dot(apart) - thick - other;
                told(gap, normal, p + a * way - normal * thick, false)
            }
        }
    }
}
