//! Contacts that stay closed keep to one smooth piece of a surface until its end, as in the plane
//! ([`crate::contact`]).

use super::crossing::{self, Rod, leads_out};
use super::distance;
use super::feature::{Kind, Probe, SolidFeature};
use crate::contact::closeness::AHEAD;
use crate::dynamics::Placed;
use crate::piece::{self, Piece};
use crate::space::Space;
use crate::vector::{Linear, Vector};

impl Placed<'_, Space> {
    /// The piece that a contact is on or moves onto; none where that belongs to another contact, or is a
    /// sharp edge or corner that a point leaves. It is looked for no further ahead than it moves in a time
    /// `soon` (s).
    pub fn piece_ahead(&self, feature: &SolidFeature, soon: f64) -> Option<Piece> {
        match &feature.0 {
            Kind::Probe(probe) => self.ahead_of_probe(probe, soon),
            Kind::Crossing(a, b) => {
                let sense = self.sense_ahead(a, b, soon);
                sense.map(|sense| Piece(piece::Kind::Crossed(sense)))
            }
            Kind::Rim(rim) => self.rim_ahead(rim, soon),
            Kind::Ellipsoid(_) => Some(Piece::WHOLE),
        }
    }

    /// The piece that a probe is on or moves onto.
    fn ahead_of_probe(&self, probe: &Probe, soon: f64) -> Option<Piece> {
        let (local, u) = self.seen_from_target(probe);
        let far = AHEAD * probe.target.size() / u.norm(); // infinite at rest
        let ahead = self.spot(probe, local).moved(u * far.min(soon));
        let near = self.near_any(probe, ahead);
        let is_edge = matches!(
            near.piece,
            Some(distance::Piece::Edge(_) | distance::Piece::Vertex(_))
        );
        let is_sharp = is_edge && probe.radius == 0.0 && !probe.target.is_round();
        let is_owned = near.is_on_side || !probe.owns_sides_only;
        (is_owned && !is_sharp).then(|| near.piece.into())
    }

    /// The sense of the normal of rods that cross or come to cross within their lengths; none where their
    /// solids touch elsewhere.
    fn sense_ahead(&self, a: &Rod, b: &Rod, soon: f64) -> Option<f64> {
        let poses = [self.pose(a.body), self.pose(b.body)];
        let (on_a, on_b) = (a.segment(&poses[0]), b.segment(&poses[1]));
        let cross = on_a.along.cross(on_b.along);
        if cross.norm() <= crossing::PARALLEL {
            return None;
        }
        let feet = crossing::endless_feet(&on_a, &on_b);
        let slides = self.sliding_feet(a, b, &feet);
        let is_inside = |i: usize, length: f64| {
            let far = AHEAD * length / slides[i].abs();
            let way = feet.ways[i] + slides[i] * far.min(soon);
            0.0 < way && way < length
        };
        if !(is_inside(0, a.length) && is_inside(1, b.length)) {
            return None;
        }
        let turned = |rod: &Rod, i: usize| {
            let bounds = rod.bounds.as_ref()?;
            Some(bounds.wedge.map(|side| poses[i].rotation.apply(side)))
        };
        let wedges = [turned(a, 0), turned(b, 1)];
        let normal = cross * cross.norm().recip();
        let away = normal.dot(feet.points[0] - feet.points[1]);
        let senses = match away < 0.0 {
            true => [-1.0, 1.0],
            false => [1.0, -1.0],
        };
        let is_round = a.radius + b.radius > 0.0;
        let leads = |sense: &f64| leads_out(wedges, normal * *sense, crossing::FLAT);
        match is_round {
            true => Some(senses[0]),
            false => senses.into_iter().find(leads),
        }
    }

    /// How far a contact is from the end of a piece (m), and the rate of that (m/s); none where there is no
    /// end.
    pub fn room(&self, feature: &SolidFeature, piece: Piece) -> Option<(f64, f64)> {
        match &feature.0 {
            Kind::Probe(probe) => {
                let piece = piece.of_space()?;
                let (local, u) = self.seen_from_target(probe);
                let (value, gradient) = probe.target.room(piece, local);
                Some((value, gradient.dot(u)))
            }
            Kind::Crossing(a, b) => {
                piece.sense()?;
                let poses = [self.pose(a.body), self.pose(b.body)];
                let (on_a, on_b) = (a.segment(&poses[0]), b.segment(&poses[1]));
                let feet = crossing::endless_feet(&on_a, &on_b);
                let slides = self.sliding_feet(a, b, &feet);
                let ends = [a.length, b.length].into_iter().enumerate();
                let rooms = ends.flat_map(|(i, length)| {
                    let (way, rate) = (feet.ways[i], slides[i]);
                    [(way, rate), (length - way, -rate)]
                });
                rooms.min_by(|x, y| x.0.total_cmp(&y.0))
            }
            Kind::Rim(rim) => self.room_of_rim(rim, piece),
            Kind::Ellipsoid(_) => None,
        }
    }

    /// Place and velocity of a probe in the frame of its target.
    fn seen_from_target(&self, probe: &Probe) -> (Vector<3>, Vector<3>) {
        let frame = self.pose(probe.target_body);
        let center = self.pose(probe.body).point(probe.at);
        let u = self.velocity(probe.body, center) - self.velocity(probe.target_body, center);
        let undo = |r| frame.rotation.undo(r);
        (undo(center - frame.origin), undo(u))
    }
}
