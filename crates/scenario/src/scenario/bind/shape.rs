//! Shapes: exactly one outline each.

use super::{Binder, each};
use crate::InputError;
use crate::scenario::MAX_VERTICES;
use crate::scenario::dialect::{Dialect, Form};
use crate::scenario::raw::{RawCorners, RawShape};
use crate::scenario::spot::Spot;
use crate::scenario::value::{Named, RawRotation};

/// Shapes by name.
pub(super) type Shapes<A> = Vec<(String, <A as carom_multibody::Algebra>::Shape)>;

impl<A: Dialect> Binder<'_, A> {
    pub(super) fn shapes(&self, path: &str, raw: Named<RawShape>) -> Result<Shapes<A>, InputError> {
        each(raw, |name, shape| {
            self.shape(&self.spot(format!("{path}.{name}")), shape)
        })
    }

    fn shape(&self, spot: &Spot<'_>, raw: RawShape) -> Result<A::Shape, InputError> {
        let at = self.vector(&spot.key("at"), raw.at)?;
        let angle = raw.angle.map(|angle| RawRotation::Angle(angle.0));
        let turned = self.rotation(&spot.key("rotation"), raw.rotation.or(angle))?;
        Ok(A::shape(self.form(spot, raw)?, at, turned))
    }

    /// The one outline of a shape. Those of the other space are refused before.
    fn form(&self, spot: &Spot<'_>, raw: RawShape) -> Result<Form<A::Vector>, InputError> {
        let vector = |key: &str, tuple| self.vector(&spot.key(key), Some(tuple));
        let corners = raw.polygon.or(raw.polyhedron);
        let forms = [
            raw.point.map(|_| Ok(Form::Point)),
            raw.disk.map(|disk| Ok(A::disk(disk.radius.0))),
            raw.ball.map(|ball| {
                let radius = ball.radius.0;
                Ok(Form::Round { radius })
            }),
            raw.cylinder.map(|cylinder| {
                let (radius, length) = (cylinder.radius.0, cylinder.length.0);
                Ok(Form::Cylinder { radius, length })
            }),
            raw.ellipsoid.map(|own| {
                let semi_axes = vector("ellipsoid.semi_axes", own.semi_axes)?;
                Ok(Form::Ellipsoid { semi_axes })
            }),
            raw.bowl.map(|bowl| {
                let radius = bowl.radius.0;
                Ok(Form::Bowl { radius })
            }),
            raw.tube.map(|tube| {
                let radius = tube.radius.0;
                Ok(Form::Tube { radius })
            }),
            raw.capsule.map(|capsule| {
                let (length, radius) = (capsule.length.0, capsule.radius.0);
                Ok(Form::Capsule { length, radius })
            }),
            raw.r#box.map(|r#box| {
                let size = vector("box.size", r#box.size)?;
                Ok(Form::Box { size })
            }),
            corners.map(|corners| self.corners(&spot.key(A::CORNERED).key("vertices"), &corners)),
            raw.half_space.map(|half| {
                let normal = vector("half_space.normal", half.normal)?;
                Ok(Form::HalfSpace { normal })
            }),
        ];
        let mut given: Vec<_> = forms.into_iter().flatten().collect();
        let found = given.len();
        match (given.pop(), found) {
            (Some(form), 1) => form,
            _ => Err(spot.error(format!(
                "found {found} outlines, expected exactly one of {}",
                A::OUTLINES
            ))),
        }
    }

    fn corners(&self, spot: &Spot<'_>, raw: &RawCorners) -> Result<Form<A::Vector>, InputError> {
        let found = raw.vertices.len();
        if found > MAX_VERTICES {
            let message = format!("found {found} vertices, expected at most {MAX_VERTICES}");
            return Err(spot.error(message));
        }
        let numbered = raw.vertices.iter().enumerate();
        let vertices = numbered.map(|(i, tuple)| self.vector(&spot.item(i), Some(*tuple)));
        Ok(Form::Corners {
            vertices: vertices.collect::<Result<_, _>>()?,
        })
    }
}
