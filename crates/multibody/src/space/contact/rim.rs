//! The rim of a disk or cylinder on a plane: its lowest point, which travels, or four points where it lies flat.
//!
//! With n the normal of the plane, a the axis, k the centre of the rim and r its radius,
//!
//! ```text
//! m = n − a (a·n),   s = |m|,   lowest point: k − r m/s,   gap: n·(k − p) − r s
//! ```
//!
//! Where s vanishes every point of the rim is lowest. It is then carried by four spokes, which stand still on the
//! body: one along the direction in which it tilts, or would fall, and the others at right angles to it. Its
//! velocities across the plane are linear over the disk, so that no point of the rim approaches faster, or leaves
//! slower, than the spokes along the tilting.

use super::feature::SolidFeature;
use super::motion::ContactMotion;
use super::reach::Reach;
use super::touch::SolidTouch;
use crate::contact::closeness::AHEAD;
use crate::dynamics::Placed;
use crate::model::BodyId;
use crate::piece;
use crate::space::Space;
use crate::vector::{Linear, Vector};

/// Points of a rim that carry it where it lies flat.
pub(super) const SPOKES: u8 = 4;
/// Sine of the angle between axis and normal below which a rim lies flat.
const FLAT: f64 = 1e-8;
/// Sine of that angle below which a rim has no lowest point but by round-off.
const LEVEL: f64 = 1e-12;
/// A tilting below this part of all turning and moving is round-off; so is a slope below this part of gravity.
const STILL: f64 = 1e-9;
/// The sense of a direction is that in which it leads along this angle of the rim (rad): one along which nothing
/// is likely to be built, so that opposite directions are told apart the same way at all times.
const UNLIKELY: f64 = 0.3;

/// How a rim lies on a plane.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Piece {
    /// On its lowest point, which travels.
    Leaning,
    /// Flat, on a point at an angle around it (rad).
    Flat(f64),
}

/// A half-space, in the frame of its body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Plane {
    pub(super) body: BodyId,
    pub(super) point: Vector<3>,
    pub(super) normal: Vector<3>,
}

/// The rim of a disk in the frame of its body, over a plane.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Rim {
    pub(super) body: BodyId,
    pub(super) center: Vector<3>,
    /// Unit vectors along the axis and across it, to where angles around the rim begin.
    pub(super) axis: Vector<3>,
    pub(super) across: Vector<3>,
    pub(super) radius: f64,
    pub(super) plane: Plane,
    /// Which of the points that carry it; the first is also the lowest.
    pub(super) spoke: u8,
    /// The rim is on the second body of the pair.
    pub(super) is_flipped: bool,
}

/// A rim and its plane in world axes.
struct Lean {
    normal: Vector<3>,
    normal_rate: Vector<3>,
    axis: Vector<3>,
    /// Unit vectors from which angles around the rim begin, and a quarter further.
    across: [Vector<3>; 2],
    center: Vector<3>,
    /// Height of the centre (m).
    height: f64,
    /// What of the normal is across the axis, and its rate.
    aside: Vector<3>,
    aside_rate: Vector<3>,
    /// Sine of the angle between axis and normal.
    sine: f64,
}

impl Lean {
    fn sine_rate(&self) -> f64 {
        match self.sine > 0.0 {
            true => self.aside.dot(self.aside_rate) / self.sine,
            false => self.aside_rate.norm(),
        }
    }

    fn is_flat(&self) -> bool {
        self.sine <= FLAT
    }

    /// Unit vector at an angle around the rim.
    fn spoke(&self, angle: f64) -> Vector<3> {
        let (sin, cos) = angle.sin_cos();
        self.across[0] * cos + self.across[1] * sin
    }

    /// The angle of a direction or its opposite, whichever leads along the unlikely one.
    fn angle(&self, direction: Vector<3>) -> f64 {
        let sense = self.spoke(UNLIKELY).dot(direction).signum();
        let [x, y] = self.across.map(|e| sense * e.dot(direction));
        y.atan2(x)
    }
}

/// The point of a rim that a contact is at.
#[derive(Debug, Clone, Copy)]
enum Spot {
    /// The lowest (−1) or the highest (+1).
    Extreme(f64),
    /// One that stands still on the body: unit vector from the centre.
    Fixed(Vector<3>),
}

impl Placed<'_, Space> {
    fn lean(&self, rim: &Rim) -> Lean {
        let (pose, frame) = (self.pose(rim.body), self.pose(rim.plane.body));
        let normal = frame.rotation.apply(rim.plane.normal);
        let axis = pose.rotation.apply(rim.axis);
        let across = pose.rotation.apply(rim.across);
        let center = pose.point(rim.center);
        let normal_rate = self.twist(rim.plane.body).angular.cross(normal);
        let axis_rate = self.twist(rim.body).angular.cross(axis);
        let along = axis.dot(normal);
        let aside = normal - axis * along;
        let along_rate = axis_rate.dot(normal) + axis.dot(normal_rate);
        Lean {
            normal,
            normal_rate,
            axis,
            across: [across, axis.cross(across)],
            center,
            height: normal.dot(center - frame.point(rim.plane.point)),
            aside,
            aside_rate: normal_rate - axis_rate * along - axis * along_rate,
            sine: aside.norm(),
        }
    }

    /// The angle of the first spoke of a rim that lies flat: along its tilting, else downhill, else where
    /// angles begin.
    fn first_spoke(&self, rim: &Rim, lean: &Lean) -> f64 {
        let across = |r: Vector<3>| r - lean.axis * lean.axis.dot(r);
        let tilting = across(lean.aside_rate);
        let gravity = self.model.gravity;
        let moving =
            self.velocity(rim.body, lean.center) - self.velocity(rim.plane.body, lean.center);
        let turning = [rim.body, rim.plane.body].map(|body| self.twist(body).angular.norm());
        let all = turning[0] + turning[1] + moving.norm() / rim.radius;
        if tilting.norm() > STILL * (all + (gravity.norm() / rim.radius).sqrt()) {
            return lean.angle(tilting);
        }
        let downhill = across(gravity);
        match downhill.norm() > STILL * gravity.norm() {
            true => lean.angle(downhill),
            false => 0.0,
        }
    }

    /// Where a contact of a rim is, and whether a touching there is its own.
    fn spot_on_rim(&self, rim: &Rim, lean: &Lean, piece: Option<Piece>) -> (Spot, bool) {
        let quarter = std::f64::consts::FRAC_PI_2 * f64::from(rim.spoke);
        match piece {
            Some(Piece::Leaning) => (Spot::Extreme(-1.0), true),
            Some(Piece::Flat(angle)) => (Spot::Fixed(lean.spoke(angle)), true),
            None if lean.is_flat() => {
                let angle = self.first_spoke(rim, lean) + quarter;
                (Spot::Fixed(lean.spoke(angle)), true)
            }
            // What leans touches with its lowest point alone; the other contacts are out of the way.
            None if rim.spoke == 0 => (Spot::Extreme(-1.0), true),
            None => (Spot::Extreme(1.0), false),
        }
    }

    pub(super) fn reach_of_rim(
        &self,
        feature: &SolidFeature,
        rim: &Rim,
        piece: Option<piece::Piece>,
    ) -> Reach {
        let lean = self.lean(rim);
        let (spot, is_owned) = self.spot_on_rim(rim, &lean, piece.and_then(piece::Piece::of_rim));
        let (out, rise) = match spot {
            Spot::Extreme(sense) => (outward(&lean, sense), sense * lean.sine),
            Spot::Fixed(out) => (out, lean.normal.dot(out)),
        };
        let distance = lean.height + rim.radius * rise;
        let on_rim = lean.center + out * rim.radius;
        let (normal, point_a) = match rim.is_flipped {
            false => (lean.normal, on_rim),
            true => (-lean.normal, on_rim - lean.normal * distance),
        };
        Reach {
            bodies: feature.bodies(),
            normal,
            point_a,
            distance,
            is_owned,
            is_round_off: false,
            elsewhere: None,
        }
    }

    /// The lowest point travels around the rim as the normal turns across the axis.
    pub(super) fn motion_of_rim(&self, rim: &Rim, touch: &SolidTouch) -> ContactMotion {
        let lean = self.lean(rim);
        let piece = touch.piece.and_then(piece::Piece::of_rim);
        let on_rim = match self.spot_on_rim(rim, &lean, piece).0 {
            Spot::Fixed(out) => self.velocity(rim.body, lean.center + out * rim.radius),
            Spot::Extreme(sense) => {
                let out = outward(&lean, sense);
                let turning = lean.aside_rate - out * out.dot(lean.aside_rate);
                let way = turning * (sense * rim.radius / lean.sine);
                self.velocity(rim.body, lean.center) + way
            }
        };
        let on_plane = on_rim - lean.normal * touch.v_n - lean.normal_rate * touch.gap;
        let (sense, point_a, point_b) = match rim.is_flipped {
            false => (1.0, on_rim, on_plane),
            true => (-1.0, on_plane, on_rim),
        };
        ContactMotion {
            normal: lean.normal_rate * sense,
            point_a,
            point_b,
        }
    }

    /// How a rim lies or comes to lie.
    pub(super) fn rim_ahead(&self, rim: &Rim, soon: f64) -> Option<piece::Piece> {
        let lean = self.lean(rim);
        let far = AHEAD / lean.aside_rate.norm(); // infinite at rest
        let ahead = lean.sine + lean.sine_rate() * far.min(soon);
        let piece = match ahead > FLAT {
            true if rim.spoke == 0 => Some(Piece::Leaning),
            true => None,
            false => {
                let quarter = std::f64::consts::FRAC_PI_2 * f64::from(rim.spoke);
                let first = match lean.sine > LEVEL {
                    true => lean.angle(lean.aside),
                    false => self.first_spoke(rim, &lean),
                };
                Some(Piece::Flat(first + quarter))
            }
        };
        piece.map(|piece| piece::Piece(piece::Kind::Rim(piece)))
    }

    /// How far the lean of a rim is from where it would lie otherwise (m), and the rate of that.
    pub(super) fn room_of_rim(&self, rim: &Rim, piece: piece::Piece) -> Option<(f64, f64)> {
        let lean = self.lean(rim);
        let (room, rate) = (lean.sine - FLAT, lean.sine_rate());
        let sense = match piece.of_rim()? {
            Piece::Leaning => rim.radius,
            Piece::Flat(_) => -rim.radius,
        };
        Some((sense * room, sense * rate))
    }
}

/// Unit vector from the centre to the lowest (−1) or highest (+1) point.
fn outward(lean: &Lean, sense: f64) -> Vector<3> {
    match lean.sine > 0.0 {
        true => lean.aside * (sense / lean.sine),
        false => lean.across[0] * sense, // every point is lowest
    }
}
