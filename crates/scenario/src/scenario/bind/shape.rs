//! Shapes: exactly one outline each.

use carom_multibody::Vector;
use carom_multibody::contact::{Outline, Shape};

use super::{Binder, each, vector};
use crate::InputError;
use crate::scenario::MAX_VERTICES;
use crate::scenario::raw::RawShape;
use crate::scenario::value::Named;

/// Shapes by name.
pub(super) type Shapes = Vec<(String, Shape)>;

impl Binder<'_> {
    pub(super) fn shapes(&self, path: &str, raw: Named<RawShape>) -> Result<Shapes, InputError> {
        each(raw, |name, shape| {
            self.shape(&format!("{path}.{name}"), shape)
        })
    }

    fn shape(&self, path: &str, raw: RawShape) -> Result<Shape, InputError> {
        let outlines = [
            raw.point.map(|_| Outline::Point),
            raw.disk.map(|disk| Outline::Disk {
                radius: disk.radius.0,
            }),
            raw.capsule.map(|capsule| Outline::Capsule {
                length: capsule.length.0,
                radius: capsule.radius.0,
            }),
            raw.r#box.map(|r#box| Outline::Box {
                size: Vector(r#box.size.0),
            }),
            raw.polygon.map(|polygon| Outline::Polygon {
                vertices: polygon.vertices.iter().map(|r| Vector(r.0)).collect(),
            }),
            raw.half_space.map(|half| Outline::HalfSpace {
                normal: Vector(half.normal.0),
            }),
        ];
        let mut given: Vec<Outline> = outlines.into_iter().flatten().collect();
        let found = given.len();
        let (Some(outline), 1) = (given.pop(), found) else {
            let message = format!(
                "found {found} outlines, expected exactly one of point, disk, capsule, box, \
                 polygon, half_space"
            );
            return Err(self.file.error(path, message));
        };
        self.refuse_long(path, &outline)?;
        Ok(Shape {
            outline,
            at: vector(raw.at),
            angle: raw.angle.map_or(0.0, |angle| angle.0),
        })
    }

    fn refuse_long(&self, path: &str, outline: &Outline) -> Result<(), InputError> {
        match outline {
            Outline::Polygon { vertices } if vertices.len() > MAX_VERTICES => {
                let found = vertices.len();
                let message = format!("found {found} vertices, expected at most {MAX_VERTICES}");
                Err(self
                    .file
                    .error(&format!("{path}.polygon.vertices"), message))
            }
            _ => Ok(()),
        }
    }
}
