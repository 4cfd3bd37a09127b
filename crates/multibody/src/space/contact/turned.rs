//! Disks and cylinders as targets: two caps, a flank and rims, all turned about an axis.

use super::distance::{Nearest, Piece, about_line, above_face, across};
use crate::vector::{Linear, Vector};

/// A cylinder in the frame of its body; a disk where it has no length.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Turned {
    pub(super) center: Vector<3>,
    /// Unit vector along the axis.
    pub(super) axis: Vector<3>,
    pub(super) radius: f64,
    /// Half of its length (m); zero of a disk.
    pub(super) half: f64,
}

/// The pieces in their order: upper and lower cap, flank; upper and lower rim.
const UPPER: Piece = Piece::Face(0);
const LOWER: Piece = Piece::Face(1);
const FLANK: Piece = Piece::Face(2);
const UPPER_RIM: Piece = Piece::Edge(0);
const LOWER_RIM: Piece = Piece::Edge(1);

/// A point in the meridian plane of a cylinder.
struct Meridian {
    /// Height above the middle (m).
    z: f64,
    /// Distance from the axis (m).
    rho: f64,
    /// Unit vector from the axis.
    outward: Vector<3>,
}

impl Turned {
    fn meridian(&self, point: Vector<3>) -> Meridian {
        let from = point - self.center;
        let z = self.axis.dot(from);
        let aside = from - self.axis * z;
        let rho = aside.norm();
        let outward = match rho > 0.0 {
            true => aside * rho.recip(),
            false => across(self.axis), // on the axis every direction is as good
        };
        Meridian { z, rho, outward }
    }

    /// The place next to a point.
    pub(super) fn nearest(&self, point: Vector<3>) -> Nearest {
        let at = self.meridian(point);
        self.on(self.piece(&at), point)
    }

    fn piece(&self, at: &Meridian) -> Piece {
        let (above, beside) = (at.z.abs() - self.half, at.rho - self.radius);
        let is_disk = self.half == 0.0; // both of its caps end at one rim
        let (cap, rim) = match at.z < 0.0 {
            true if is_disk => (LOWER, UPPER_RIM),
            true => (LOWER, LOWER_RIM),
            false => (UPPER, UPPER_RIM),
        };
        match (above > 0.0 || is_disk, beside > 0.0) {
            (true, true) => rim,
            (true, false) => cap,
            (false, true) => FLANK,
            (false, false) if above > beside => cap,
            (false, false) => FLANK,
        }
    }

    /// The place of one piece next to a point, which may be beyond the end of the piece.
    pub(super) fn on(&self, piece: Piece, point: Vector<3>) -> Nearest {
        let near = match piece {
            FLANK => {
                let foot = self.center + self.axis * self.axis.dot(point - self.center);
                about_line(foot, self.axis, self.radius, point)
            }
            UPPER => self.above_cap(1.0, point),
            Piece::Face(_) => self.above_cap(-1.0, point),
            LOWER_RIM => self.about_rim(-1.0, point),
            Piece::Edge(_) | Piece::Vertex(_) => self.about_rim(1.0, point),
        };
        Nearest {
            piece: Some(piece),
            ..near
        }
    }

    fn above_cap(&self, sense: f64, point: Vector<3>) -> Nearest {
        let z = self.axis.dot(point - self.center);
        above_face(self.axis * sense, sense * z - self.half)
    }

    /// Around a rim the distance curves as about a point in the meridian plane, and along the rim by the
    /// turning of the meridian: with d the distance and ρ that from the axis,
    ///
    /// ```text
    /// 1/d,   (n·outward)/ρ
    /// ```
    fn about_rim(&self, sense: f64, point: Vector<3>) -> Nearest {
        let at = self.meridian(point);
        let (out, up) = (at.rho - self.radius, at.z - sense * self.half);
        let distance = out.hypot(up);
        if distance == 0.0 {
            // On the rim every direction between the cap's and the flank's is as good.
            return above_face(at.outward, 0.0);
        }
        Nearest {
            distance,
            normal: (at.outward * out + self.axis * up) * distance.recip(),
            curvature: distance.recip(),
            along: self.axis.cross(at.outward),
            curvature_along: match at.rho > 0.0 {
                true => out / (distance * at.rho),
                false => 0.0,
            },
            is_on_side: true,
            piece: None,
        }
    }

    pub(super) fn size(&self) -> f64 {
        2.0 * self.radius.max(self.half)
    }

    /// How far the place next to a point is from the ends of a piece, and the gradient of that.
    pub(super) fn room(&self, piece: Piece, point: Vector<3>) -> (f64, Vector<3>) {
        let at = self.meridian(point);
        let beside = (at.rho - self.radius, at.outward);
        let above = |sense: f64| (sense * at.z - self.half, self.axis * sense);
        let back = |(way, gradient): (f64, Vector<3>)| (-way, -gradient);
        let least = |a: (f64, Vector<3>), b: (f64, Vector<3>)| if a.0 <= b.0 { a } else { b };
        match piece {
            FLANK => least(back(above(1.0)), back(above(-1.0))),
            Piece::Face(_) => back(beside),
            LOWER_RIM => least(beside, above(-1.0)),
            // Around the rim of a disk both of its faces are reached within.
            Piece::Edge(_) | Piece::Vertex(_) if self.half == 0.0 => beside,
            Piece::Edge(_) | Piece::Vertex(_) => least(beside, above(1.0)),
        }
    }
}
