//! Where one looks from, and where a body is.

use carom_sim::record::RunRecord;

use super::super::super::frame::Point;
use super::super::super::run::series::between;
use super::super::when::When;
use super::Vec3;

/// Direction to the eye (rad): turned from x about z, then raised.
const AZIMUTH: f64 = -1.05;
const ELEVATION: f64 = 0.38;

/// Directions of the paper in the world: right, up, and toward the eye.
pub(super) struct View {
    right: Vec3,
    up: Vec3,
    toward: Vec3,
}

impl View {
    pub(super) fn first() -> Self {
        let (sin_a, cos_a) = AZIMUTH.sin_cos();
        let (sin_e, cos_e) = ELEVATION.sin_cos();
        Self {
            right: [-sin_a, cos_a, 0.0],
            up: [-sin_e * cos_a, -sin_e * sin_a, cos_e],
            toward: [cos_e * cos_a, cos_e * sin_a, sin_e],
        }
    }

    /// A point of the world on paper (m).
    pub(super) fn at(&self, p: Vec3) -> Point {
        (dot(self.right, p), dot(self.up, p))
    }

    /// Whether a face with this normal is seen.
    pub(super) fn faces(&self, normal: Vec3) -> bool {
        dot(normal, self.toward) > 0.0
    }
}

/// Place and turn of a body frame: origin (m) and unit quaternion (w, x, y, z).
pub(super) struct Pose {
    origin: Vec3,
    scalar: f64,
    vector: Vec3,
}

impl Pose {
    pub(super) const STILL: Self = Self {
        origin: [0.0; 3],
        scalar: 1.0,
        vector: [0.0; 3],
    };

    /// Reads x, y, z, qw, qx, qy, qz; none where they are no pose.
    pub(super) fn new(value: impl Fn(usize) -> Option<f64>) -> Option<Self> {
        let mut read = [0.0; 7];
        for (k, number) in read.iter_mut().enumerate() {
            *number = value(k).filter(|x| x.is_finite())?;
        }
        let [x, y, z, w, a, b, c] = read;
        let norm = (w * w + a * a + b * b + c * c).sqrt();
        (norm > 0.0).then(|| Self {
            origin: [x, y, z],
            scalar: w / norm,
            vector: [a / norm, b / norm, c / norm],
        })
    }

    /// Pose of a body; none where it is not recorded. Between samples its columns lie on straight
    /// lines.
    pub(super) fn at(record: &RunRecord, body: &str, when: When) -> Option<Self> {
        let trajectory = match when {
            When::Around(_) => record.around_events.as_ref()?,
            _ => record.trajectory.as_ref()?,
        };
        let columns = trajectory.poses.get(body)?;
        Self::new(|k| match when {
            When::Sample(row) | When::Around(row) => columns.get(k)?.get(row).copied(),
            When::Instant(instant) => between(trajectory, columns.get(k)?, instant),
        })
    }

    /// A direction of the body in the world, `p + 2 w u × p + 2 u × (u × p)`.
    pub(super) fn turned(&self, p: Vec3) -> Vec3 {
        let once = cross(self.vector, p);
        let twice = cross(self.vector, once);
        std::array::from_fn(|k| p[k] + 2.0 * (self.scalar * once[k] + twice[k]))
    }

    pub(super) fn of(&self, p: Vec3) -> Vec3 {
        let turned = self.turned(p);
        std::array::from_fn(|k| self.origin[k] + turned[k])
    }
}

pub(super) fn dot(a: Vec3, b: Vec3) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub(super) fn cross(a: Vec3, b: Vec3) -> Vec3 {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quarter_turn_about_z_takes_x_to_y() {
        let half = std::f64::consts::FRAC_1_SQRT_2;
        let read = [1.0, 2.0, 3.0, half, 0.0, 0.0, half];
        let pose = Pose::new(|k| read.get(k).copied()).unwrap_or(Pose::STILL);
        let [x, y, z] = pose.of([1.0, 0.0, 0.0]);
        assert!((x - 1.0).abs() + (y - 3.0).abs() + (z - 3.0).abs() < 1e-15);
        assert!(Pose::new(|_| Some(f64::NAN)).is_none());
    }

    #[test]
    fn what_is_higher_is_higher_on_paper_and_tops_are_seen() {
        let view = View::first();
        assert!(view.at([0.0, 0.0, 1.0]).1 > 0.9);
        assert!(view.faces([0.0, 0.0, 1.0]) && !view.faces([0.0, 0.0, -1.0]));
    }
}
