//! Closed contacts, and what is seen of them at a place.

use carom_sim::ContactMode;

use super::course::Arrow;
use super::form::{Form, Touch};
use super::frame::{Frame, cross, norm, unit};

/// A contact that is closed.
#[derive(Debug, Clone)]
pub struct Held {
    pub name: String,
    pub contact: Kind,
    pub mode: ContactMode,
    pub mu: f64,
    /// Radius at which friction resists pivoting (m).
    pub radius: f64,
    /// The last way along which it slipped, world axes.
    pub way: [f64; 3],
    /// Whether its slip has begun just now.
    pub begins: bool,
}

/// What is closed.
#[derive(Debug, Clone)]
pub enum Kind {
    Shapes(Form),
    Stop { link: usize, sense: f64 },
}

/// Force of a contact on its first body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Push {
    /// World axes (N).
    pub force: [f64; 3],
    /// Along the normal; of a stop the force along the coordinate.
    pub normal: f64,
    /// Torque about the normal (N·m).
    pub spin: f64,
    pub is_unique: bool,
    /// How fast it slips (m/s).
    pub slip: f64,
}

/// Sizes that differences are measured by.
#[derive(Debug, Clone, Copy)]
pub struct Sizes {
    /// Of the way.
    pub length: f64,
    /// Of the bodies.
    pub reach: f64,
    pub speed: f64,
    pub time: f64,
}

pub(super) const AXES: [[f64; 3]; 3] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

/// A contact at a place, and the velocity of its first body's material against the second's.
#[derive(Debug, Clone, Copy)]
pub struct Look {
    pub touch: Touch,
    pub slip: Arrow,
}

impl Look {
    pub(super) fn of(form: &Form, frames: &[Frame]) -> Self {
        let touch = form.touch(|body| frames[body]);
        let [a, b] = form.bodies().map(|body| frames[body].velocity(touch.point));
        Self { touch, slip: a - b }
    }
}

impl Held {
    /// Constraints that it makes.
    pub(super) fn rows(&self) -> usize {
        let sticks = if self.mode.is_sticking() { 2 } else { 0 };
        let is_held = self.radius > 0.0
            && self.mode.pivot().is_none()
            && matches!(self.contact, Kind::Shapes(_));
        1 + sticks + usize::from(is_held)
    }
}

/// t1 is what of world x is across the normal, of y where nothing is; t2 is n × t1.
pub fn tangents(normal: [f64; 3]) -> [[f64; 3]; 2] {
    let guide = match normal[1].hypot(normal[2]) > 1e-8 {
        true => AXES[0],
        false => AXES[1],
    };
    let second = unit(cross(normal, guide));
    [cross(second, normal), second]
}

pub(super) fn way(slip: [f64; 3]) -> [f64; 3] {
    match norm(slip) > 0.0 {
        true => unit(slip),
        false => [0.0; 3],
    }
}
