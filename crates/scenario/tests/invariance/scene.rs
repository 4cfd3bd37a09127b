//! A scenario as data, and as the file it is read from.

use std::fmt::Write;

use super::turn::{NO_TURN, Turn, Vector, angle};

/// Name of what does not move.
pub(crate) const WORLD: &str = "world";

#[derive(Debug, Clone)]
pub(crate) struct Scene {
    /// What kind of scene it is.
    pub(crate) family: &'static str,
    pub(crate) is_plane: bool,
    pub(crate) gravity: Vector,
    pub(crate) bodies: Vec<Body>,
    pub(crate) world: Vec<Shape>,
    pub(crate) joints: Vec<Joint>,
    pub(crate) contacts: Vec<Contact>,
    pub(crate) loads: Vec<Load>,
    pub(crate) duration: f64,
    /// How contacts that close together are solved; empty where that is left to the default.
    pub(crate) method: &'static str,
    pub(crate) max_events: usize,
}

#[derive(Debug, Clone)]
pub(crate) struct Body {
    pub(crate) name: String,
    pub(crate) mass: f64,
    /// Principal moments; the last is that of the plane.
    pub(crate) inertia: Vector,
    pub(crate) center: Vector,
    pub(crate) shapes: Vec<Shape>,
    /// Of a free body.
    pub(crate) start: Option<Free>,
}

/// Place and velocity of a frame.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Free {
    pub(crate) at: Vector,
    pub(crate) turn: Turn,
    pub(crate) velocity: Vector,
    pub(crate) spin: Vector,
}

#[derive(Debug, Clone)]
pub(crate) struct Shape {
    pub(crate) name: String,
    pub(crate) outline: Outline,
    pub(crate) at: Vector,
    pub(crate) turn: Turn,
}

#[derive(Debug, Clone)]
pub(crate) enum Outline {
    Point,
    Round(f64),
    Capsule {
        length: f64,
        radius: f64,
    },
    Box(Vector),
    Corners(Vec<Vector>),
    HalfSpace(Vector),
    /// Across z, in space.
    Disk(f64),
    /// Along z, in space.
    Cylinder {
        length: f64,
        radius: f64,
    },
    /// By its semi-axes, in space.
    Ellipsoid(Vector),
    /// The inside of a sphere, in space.
    Bowl(f64),
    /// The inside of a cylinder along z, in space.
    Tube(f64),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Revolute,
    Prismatic,
    Spherical,
}

#[derive(Debug, Clone)]
pub(crate) struct Joint {
    pub(crate) name: String,
    pub(crate) kind: Kind,
    pub(crate) parent: String,
    pub(crate) child: String,
    pub(crate) parent_at: Vector,
    pub(crate) child_at: Vector,
    pub(crate) turn: Turn,
    /// In the joint's axes; z of a revolute joint in the plane.
    pub(crate) axis: Vector,
    /// Coordinate and rate at the start.
    pub(crate) start: [f64; 2],
    /// Of a spherical joint: rotation and angular velocity at the start.
    pub(crate) ball: (Turn, Vector),
    pub(crate) damping: f64,
    /// Stiffness and rest.
    pub(crate) spring: Option<[f64; 2]>,
    pub(crate) drive: Option<Wave>,
    pub(crate) motion: Option<Motion>,
    pub(crate) limits: Option<Limits>,
    /// Whether it closes a loop.
    pub(crate) closes: bool,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Wave {
    pub(crate) amplitude: f64,
    pub(crate) frequency: f64,
    pub(crate) phase: f64,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Motion {
    pub(crate) offset: f64,
    pub(crate) rate: f64,
    pub(crate) wave: Wave,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    pub(crate) lower: f64,
    pub(crate) upper: f64,
    pub(crate) restitution: f64,
}

#[derive(Debug, Clone)]
pub(crate) struct Contact {
    pub(crate) name: String,
    pub(crate) between: [String; 2],
    pub(crate) skin: Skin,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Skin {
    pub(crate) law: &'static str,
    pub(crate) restitution: f64,
    /// Static and kinetic.
    pub(crate) friction: [f64; 2],
}

/// A force that varies, and a steady torque.
#[derive(Debug, Clone)]
pub(crate) struct Load {
    pub(crate) name: String,
    pub(crate) body: String,
    pub(crate) at: Vector,
    pub(crate) constant: Vector,
    pub(crate) amplitude: Vector,
    pub(crate) frequency: f64,
    pub(crate) phase: f64,
    /// About z in the plane.
    pub(crate) torque: Vector,
}

/// Events allowed: no scene of a few bodies in the plane, or without friction, has more.
pub(crate) const MAX_EVENTS: usize = 500;

impl Scene {
    /// The file, in TOML.
    pub(crate) fn toml(&self) -> String {
        let space = if self.is_plane { "plane" } else { "space" };
        let mut text = format!("title = \"{}\"\nspace = \"{space}\"\n", self.family);
        let mut line = |path: &str, value: &str| {
            writeln!(text, "{path} = {value}").expect("a string takes all");
        };
        line("gravity", &self.vector(self.gravity));
        for body in &self.bodies {
            line(&format!("bodies.{}", body.name), &self.body(body));
        }
        for shape in &self.world {
            line(&format!("world.shapes.{}", shape.name), &self.shape(shape));
        }
        for joint in &self.joints {
            line(&format!("joints.{}", joint.name), &self.joint(joint));
        }
        for contact in &self.contacts {
            let [a, b] = &contact.between;
            let Skin {
                law,
                restitution,
                friction: [s, k],
            } = contact.skin;
            let friction = match s == k {
                true => format!("{s:?}"),
                false => format!("{{ static = {s:?}, kinetic = {k:?} }}"),
            };
            let value = format!(
                "{{ between = [\"{a}\", \"{b}\"], law = \"{law}\", restitution = {restitution:?}, \
                 friction = {friction} }}"
            );
            line(&format!("contacts.{}", contact.name), &value);
        }
        for load in &self.loads {
            line(&format!("loads.{}", load.name), &self.load(load));
        }
        let method = match self.method {
            "" => String::new(),
            method => format!(", simultaneous = \"{method}\""),
        };
        let run = format!(
            "{{ duration = {:?}, max_events = {}{method} }}",
            self.duration, self.max_events
        );
        line("run", &run);
        text
    }

    fn vector(&self, v: Vector) -> String {
        let axes = if self.is_plane { 2 } else { 3 };
        format!("{:?}", &v[..axes])
    }

    fn rotation(&self, turn: Turn) -> String {
        match self.is_plane {
            true => format!("{:?}", angle(turn)),
            false => format!("{turn:?}"),
        }
    }

    /// A moment or an angular velocity.
    fn spin(&self, v: Vector) -> String {
        match self.is_plane {
            true => format!("{:?}", v[2]),
            false => format!("{v:?}"),
        }
    }

    fn body(&self, body: &Body) -> String {
        let mut text = format!(
            "{{ mass = {:?}, inertia = {}, center = {}",
            body.mass,
            self.spin(body.inertia),
            self.vector(body.center)
        );
        for shape in &body.shapes {
            text += &format!(", shapes.{} = {}", shape.name, self.shape(shape));
        }
        if let Some(start) = body.start {
            text += &format!(", start = {}", self.start(start));
        }
        text + " }"
    }

    fn start(&self, start: Free) -> String {
        let Free {
            at: [x, y, _],
            turn,
            velocity: [u, v, _],
            spin,
        } = start;
        match self.is_plane {
            true => format!(
                "{{ position = [{x:?}, {y:?}, {:?}], rate = [{u:?}, {v:?}, {:?}] }}",
                angle(turn),
                spin[2]
            ),
            false => format!(
                "{{ position = {:?}, rotation = {turn:?}, velocity = {:?}, angular_velocity = {spin:?} }}",
                start.at, start.velocity
            ),
        }
    }

    fn shape(&self, shape: &Shape) -> String {
        let [round, corners, rotation] = match self.is_plane {
            true => ["disk", "polygon", "angle"],
            false => ["ball", "polyhedron", "rotation"],
        };
        let outline = match &shape.outline {
            Outline::Point => "point = {}".to_owned(),
            Outline::Round(radius) => format!("{round} = {{ radius = {radius:?} }}"),
            Outline::Capsule { length, radius } => {
                format!("capsule = {{ length = {length:?}, radius = {radius:?} }}")
            }
            Outline::Box(size) => format!("box = {{ size = {} }}", self.vector(*size)),
            Outline::Corners(all) => {
                let all: Vec<String> = all.iter().map(|v| self.vector(*v)).collect();
                format!("{corners} = {{ vertices = [{}] }}", all.join(", "))
            }
            Outline::HalfSpace(normal) => {
                format!("half_space = {{ normal = {} }}", self.vector(*normal))
            }
            Outline::Disk(radius) => format!("disk = {{ radius = {radius:?} }}"),
            Outline::Cylinder { length, radius } => {
                format!("cylinder = {{ length = {length:?}, radius = {radius:?} }}")
            }
            Outline::Ellipsoid(semi_axes) => {
                format!("ellipsoid = {{ semi_axes = {semi_axes:?} }}")
            }
            Outline::Bowl(radius) => format!("bowl = {{ radius = {radius:?} }}"),
            Outline::Tube(radius) => format!("tube = {{ radius = {radius:?} }}"),
        };
        let at = self.vector(shape.at);
        match shape.turn == NO_TURN {
            true => format!("{{ {outline}, at = {at} }}"),
            false => format!(
                "{{ {outline}, at = {at}, {rotation} = {} }}",
                self.rotation(shape.turn)
            ),
        }
    }

    fn joint(&self, joint: &Joint) -> String {
        let kind = match joint.kind {
            Kind::Revolute => "revolute",
            Kind::Prismatic => "prismatic",
            Kind::Spherical => "spherical",
        };
        let mut text = format!(
            "{{ kind = \"{kind}\", parent = \"{}\", child = \"{}\", parent_at = {}, child_at = {}",
            joint.parent,
            joint.child,
            self.vector(joint.parent_at),
            self.vector(joint.child_at)
        );
        if joint.turn != NO_TURN {
            text += &format!(", parent_rotation = {}", self.rotation(joint.turn));
        }
        let is_axial = !self.is_plane && joint.kind == Kind::Revolute;
        if is_axial || joint.kind == Kind::Prismatic {
            text += &format!(", axis = {}", self.vector(joint.axis));
        }
        if !joint.closes {
            text += &along(joint);
        }
        text + " }"
    }

    fn load(&self, load: &Load) -> String {
        format!(
            "{{ body = \"{}\", at = {}, force = {{ constant = {}, amplitude = {}, frequency = {:?}, \
             phase = {:?} }}, torque = {} }}",
            load.body,
            self.vector(load.at),
            self.vector(load.constant),
            self.vector(load.amplitude),
            load.frequency,
            load.phase,
            self.spin(load.torque)
        )
    }
}

/// What acts along the coordinate of a joint of the tree.
fn along(joint: &Joint) -> String {
    let [q, v] = joint.start;
    let mut text = match (joint.motion, joint.kind) {
        (Some(motion), _) => {
            let Wave {
                amplitude,
                frequency,
                phase,
            } = motion.wave;
            format!(
                ", motion = {{ offset = {:?}, rate = {:?}, amplitude = {amplitude:?}, frequency = \
                 {frequency:?}, phase = {phase:?} }}",
                motion.offset, motion.rate
            )
        }
        (None, Kind::Spherical) => {
            let (turn, spin) = joint.ball;
            return format!(", start = {{ rotation = {turn:?}, angular_velocity = {spin:?} }}");
        }
        _ => format!(", start = {{ position = {q:?}, rate = {v:?} }}"),
    };
    if joint.damping > 0.0 {
        text += &format!(", damping = {:?}", joint.damping);
    }
    if let Some([stiffness, rest]) = joint.spring {
        text += &format!(", spring = {{ stiffness = {stiffness:?}, rest = {rest:?} }}");
    }
    if let Some(wave) = joint.drive {
        text += &format!(
            ", drive = {{ amplitude = {:?}, frequency = {:?}, phase = {:?} }}",
            wave.amplitude, wave.frequency, wave.phase
        );
    }
    if let Some(limits) = joint.limits {
        text += &format!(
            ", limits = {{ lower = {:?}, upper = {:?}, restitution = {:?} }}",
            limits.lower, limits.upper, limits.restitution
        );
    }
    text
}
