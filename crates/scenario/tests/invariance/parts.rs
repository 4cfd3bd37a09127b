//! What random scenes are made of.

use super::scene::{
    Body, Contact, Free, Joint, Kind, MAX_EVENTS, Outline, Scene, Shape, Skin, WORLD,
};
use super::turn::{NO_TURN, Turn, Vector, about, length, turned};

/// A scene in the making; the floor is at height zero, and up is the last axis.
pub(crate) struct Maker {
    pub(crate) rng: fastrand::Rng,
    pub(crate) scene: Scene,
    pub(crate) skin: Skin,
}

impl Maker {
    pub(crate) fn new(mut rng: fastrand::Rng, family: &'static str, is_plane: bool) -> Self {
        let skin = skin(&mut rng, is_plane);
        let g = [9.81, 9.81, 1.0, 1.62][rng.usize(..4)];
        let mut scene = Scene {
            family,
            is_plane,
            gravity: [0.0; 3],
            bodies: Vec::new(),
            world: Vec::new(),
            joints: Vec::new(),
            contacts: Vec::new(),
            loads: Vec::new(),
            duration: 1.0,
            method: "",
            max_events: MAX_EVENTS,
        };
        scene.gravity[scene.up()] = -g;
        Self { rng, scene, skin }
    }

    /// A number of the range: mostly any, sometimes one with few digits.
    pub(crate) fn number(&mut self, low: f64, high: f64) -> f64 {
        let any = low + (high - low) * self.rng.f64();
        match self.rng.u8(..4) {
            0 => (any * 20.0).round() / 20.0,
            _ => any,
        }
        .clamp(low, high)
    }

    /// The same with either sign, or zero.
    pub(crate) fn signed(&mut self, size: f64) -> f64 {
        match self.rng.u8(..5) {
            0 => 0.0,
            1 | 2 => -self.number(0.1 * size, size),
            _ => self.number(0.1 * size, size),
        }
    }

    pub(crate) fn is_chosen(&mut self, probability: f64) -> bool {
        self.rng.f64() < probability
    }

    /// A turn of the plane, or any turn.
    pub(crate) fn any_turn(&mut self) -> Turn {
        match self.scene.is_plane {
            true => about([0.0, 0.0, 1.0], self.number(-3.1, 3.1)),
            false => {
                let axis = std::array::from_fn(|_| 2.0 * self.rng.f64() - 1.0);
                about(axis, self.number(0.1, 3.1))
            }
        }
    }

    /// A vector along the floor and upwards.
    pub(crate) fn vector(&self, along: f64, up: f64) -> Vector {
        let mut v = [along, 0.0, 0.0];
        v[self.scene.up()] = up;
        v
    }

    /// Tilts gravity, as on a slope.
    pub(crate) fn tilt(&mut self, angle: f64) {
        let up = self.scene.up();
        let g = self.scene.gravity[up];
        (self.scene.gravity[0], self.scene.gravity[up]) = (-g * angle.sin(), g * angle.cos());
    }

    /// A convex outline of about the size; `which` is the kind.
    pub(crate) fn outline(&mut self, which: usize) -> Outline {
        let size = self.number(0.05, 0.4);
        match (which % 5, self.scene.is_plane) {
            (0, _) => Outline::Round(size),
            (1, _) => Outline::Capsule {
                length: 2.0 * size,
                radius: 0.2 * size,
            },
            (2, true) => {
                let skew = self.number(0.1, 0.5) * size;
                let all = [[-size, -size], [size, -0.8 * size], [skew, size]];
                Outline::Corners(all.map(|[x, y]| [x, y, 0.0]).to_vec())
            }
            (3, true) => Outline::Point,
            _ => {
                let height = self.number(0.3, 1.2) * size;
                Outline::Box([size, height, if self.scene.is_plane { 0.0 } else { height }])
            }
        }
    }

    /// A free body with one shape, at rest.
    pub(crate) fn free(&mut self, name: &str, outline: Outline) -> &mut Body {
        let mass = self.number(0.2, 3.0);
        let body = Body {
            name: name.to_owned(),
            mass,
            inertia: inertia(&outline, mass, self.scene.is_plane),
            center: [0.0; 3],
            shapes: vec![shape("skin", outline)],
            start: Some(Free {
                at: [0.0; 3],
                turn: NO_TURN,
                velocity: [0.0; 3],
                spin: [0.0; 3],
            }),
        };
        let bodies = &mut self.scene.bodies;
        bodies.push(body);
        bodies.last_mut().expect("one was pushed")
    }

    /// Puts the last free body at a place, its lowest point at a height, and moves it.
    pub(crate) fn put(&mut self, [along, height]: [f64; 2], turn: Turn, rates: [f64; 3]) {
        let (is_plane, up) = (self.scene.is_plane, self.scene.up());
        let body = self.scene.bodies.last_mut().expect("a body");
        let lowest = lowest(&body.shapes[0].outline, turn, up);
        let start = body.start.as_mut().expect("a free body");
        start.turn = turn;
        start.at[0] = along;
        start.at[up] = height - lowest;
        start.velocity[0] = rates[0];
        start.velocity[up] = rates[1];
        start.spin[if is_plane { 2 } else { 1 }] = rates[2];
    }

    /// A half-space of the world.
    pub(crate) fn wall(&mut self, name: &str, at: Vector, normal: Vector) {
        let mut shape = shape(name, Outline::HalfSpace(normal));
        shape.at = at;
        self.scene.world.push(shape);
    }

    pub(crate) fn floor(&mut self) {
        let up = self.vector(0.0, 1.0);
        self.wall("floor", [0.0; 3], up);
    }

    pub(crate) fn contact(&mut self, a: &str, b: &str) {
        let name = format!("{a}-{b}").replace('.', "_");
        self.scene.contacts.push(Contact {
            name,
            between: [a.to_owned(), b.to_owned()],
            skin: self.skin,
        });
    }

    /// A joint to the last body, which is free no longer.
    pub(crate) fn joint(&mut self, name: &str, kind: Kind, parent: &str) -> &mut Joint {
        let body = self.scene.bodies.last_mut().expect("a body");
        body.start = None;
        let child = body.name.clone();
        self.link(name, kind, [parent, &child])
    }

    /// A joint between two bodies.
    pub(crate) fn link(
        &mut self,
        name: &str,
        kind: Kind,
        [parent, child]: [&str; 2],
    ) -> &mut Joint {
        let hinge = match self.scene.is_plane {
            true => [0.0, 0.0, 1.0],
            false => [0.0, 1.0, 0.0],
        };
        self.scene.joints.push(Joint {
            name: name.to_owned(),
            kind,
            parent: parent.to_owned(),
            child: child.to_owned(),
            parent_at: [0.0; 3],
            child_at: [0.0; 3],
            turn: NO_TURN,
            axis: if kind == Kind::Prismatic {
                [1.0, 0.0, 0.0]
            } else {
                hinge
            },
            start: [0.0; 2],
            ball: (NO_TURN, [0.0; 3]),
            damping: 0.0,
            spring: None,
            drive: None,
            motion: None,
            limits: None,
            closes: false,
        });
        self.scene.joints.last_mut().expect("one was pushed")
    }

    /// A link of a mechanism: a rod along its −up axis with a round end.
    pub(crate) fn rod(&mut self, name: &str, length: f64) -> &mut Body {
        let end = self.vector(0.0, -length);
        let radius = 0.1 * length;
        let body = self.free(name, Outline::Round(radius));
        body.center = end.map(|x| 0.5 * x);
        body.inertia = [body.mass * length * length / 12.0; 3];
        body.shapes[0].at = end;
        body
    }
}

impl Scene {
    /// The axis that points up.
    pub(crate) fn up(&self) -> usize {
        if self.is_plane { 1 } else { 2 }
    }
}

fn shape(name: &str, outline: Outline) -> Shape {
    Shape {
        name: name.to_owned(),
        outline,
        at: [0.0; 3],
        turn: NO_TURN,
    }
}

/// Restitution and friction as users write them; contacts in space have none of the latter.
fn skin(rng: &mut fastrand::Rng, is_plane: bool) -> Skin {
    let law = [
        "newton",
        "poisson",
        "poisson",
        "newton",
        "poisson",
        "energetic",
    ][rng.usize(..6)];
    let restitution = match rng.u8(..6) {
        0 => 0.0,
        1 => 0.5,
        2 => 0.3 * rng.f64(),
        _ => 0.2 + 0.75 * rng.f64(),
    };
    let mu = match rng.u8(..3) {
        0 => 0.3,
        _ => 0.05 + 0.8 * rng.f64(),
    };
    let friction = match (is_plane, rng.u8(..5)) {
        (false, _) | (_, 0) => [0.0, 0.0],
        (_, 1 | 2) => [mu, (0.4 + 0.5 * rng.f64()) * mu],
        _ => [mu, mu],
    };
    Skin {
        law,
        restitution,
        friction,
    }
}

/// Moments of a body of even density, or about that.
fn inertia(outline: &Outline, mass: f64, is_plane: bool) -> Vector {
    let square = |v: &Vector| v.iter().map(|x| x * x).sum::<f64>();
    match outline {
        Outline::Round(radius) if is_plane => [0.5 * mass * radius * radius; 3],
        Outline::Round(radius) => [0.4 * mass * radius * radius; 3],
        Outline::Capsule { length, radius } => {
            let across = mass * (length * length / 12.0 + radius * radius / 4.0);
            [0.5 * mass * radius * radius, across, across]
        }
        Outline::Box(size) => size.map(|x| mass * (square(size) - x * x) / 12.0),
        Outline::Corners(all) => [0.2 * mass * all.iter().map(square).fold(0.0, f64::max); 3],
        Outline::Disk(radius) => {
            let across = 0.25 * mass * radius * radius;
            [across, across, 2.0 * across]
        }
        Outline::Cylinder { length, radius } => {
            let across = mass * (length * length / 12.0 + radius * radius / 4.0);
            [across, across, 0.5 * mass * radius * radius]
        }
        Outline::Ellipsoid(a) => a.map(|x| 0.2 * mass * (square(a) - x * x)),
        _ => [0.01 * mass; 3],
    }
}

/// Height of the lowest point of an outline above its origin.
fn lowest(outline: &Outline, turn: Turn, up: usize) -> f64 {
    let least = |all: &[Vector]| {
        let heights = all.iter().map(|v| turned(turn, *v)[up]);
        heights.fold(f64::INFINITY, f64::min)
    };
    let rim = |radius: f64| {
        radius
            * (1.0 - turned(turn, [0.0, 0.0, 1.0])[up].powi(2))
                .max(0.0)
                .sqrt()
    };
    match outline {
        Outline::Disk(radius) => -rim(*radius),
        Outline::Cylinder { length, radius } => {
            let half = [0.0, 0.0, 0.5 * length];
            least(&[half, half.map(|x| -x)]) - rim(*radius)
        }
        Outline::Round(radius) => -radius,
        Outline::Capsule { length, radius } => {
            let half = [0.5 * length, 0.0, 0.0];
            least(&[half, half.map(|x| -x)]) - radius
        }
        Outline::Corners(all) => least(all),
        Outline::Box(size) => {
            let corner = |k: usize| -> Vector {
                std::array::from_fn(|i| if k >> i & 1 == 0 { -0.5 } else { 0.5 } * size[i])
            };
            least(&std::array::from_fn::<Vector, 8, _>(corner))
        }
        Outline::Ellipsoid(semi_axes) => {
            let along = |k: usize| {
                let mut axis = [0.0; 3];
                axis[k] = semi_axes[k];
                turned(turn, axis)[up]
            };
            -length(std::array::from_fn(along))
        }
        _ => 0.0,
    }
}

/// Parent of joints to what does not move.
pub(crate) const GROUND: &str = WORLD;
