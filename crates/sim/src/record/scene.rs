//! What the bodies look like, each in its own frame.

use serde::{Deserialize, Serialize};

/// The bodies of a run, to be drawn at their poses.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Scene {
    /// What stands still.
    pub world: BodyScene,
    /// The bodies, in order.
    pub bodies: Vec<BodyScene>,
}

/// One body.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct BodyScene {
    /// Its name.
    pub name: String,
    /// Its outlines in its frame.
    pub outlines: Vec<Outline>,
    /// Where joints and the mass centre sit in its frame, mass centre last (m): drawn as a bar
    /// where the body has no outline there.
    pub points: Vec<[f64; 2]>,
}

/// An outline in the frame of its body (m).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outline {
    /// All points within a radius of a segment; a disk where its ends coincide, a point where the
    /// radius is zero too.
    Round {
        /// One end.
        from: [f64; 2],
        /// The other.
        to: [f64; 2],
        /// Radius.
        radius: f64,
    },
    /// A convex polygon.
    Polygon {
        /// Its corners, counter-clockwise.
        corners: Vec<[f64; 2]>,
    },
    /// Everything on one side of a line.
    HalfSpace {
        /// A point of the line.
        point: [f64; 2],
        /// Unit normal out of the material.
        normal: [f64; 2],
    },
}
