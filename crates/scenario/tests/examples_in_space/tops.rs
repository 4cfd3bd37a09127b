//! Tops that turn over, and stones that turn back.

use carom_sim::record::{EventKind, RunRecord};
use carom_support::near::assert_close;

use super::{Vec3, cross, dot, finished, sample, turned};

const GRAVITY: f64 = 9.81;
const UP: Vec3 = [0.0, 0.0, 1.0];

fn plus(a: Vec3, b: Vec3) -> Vec3 {
    std::array::from_fn(|i| a[i] + b[i])
}

fn times(a: Vec3, x: f64) -> Vec3 {
    a.map(|own| own * x)
}

fn rows(record: &RunRecord) -> impl Iterator<Item = (f64, Vec<f64>, Vec<f64>)> {
    let trajectory = record.trajectory.as_ref().unwrap();
    let name = trajectory.coordinates.keys().next().unwrap().clone();
    let times = trajectory.time.iter().enumerate();
    times.map(move |(row, time)| {
        let (coordinates, rates) = sample(record, &name, row);
        (*time, coordinates, rates)
    })
}

/// `L·(a e − R z)` does not change, whatever the force where a ball touches the floor.
#[test]
fn a_tippe_top_keeps_jelletts_integral_from_its_foot_to_its_head() {
    let (moment, off, radius) = (2.2e-6, 0.004, 0.02);
    let record = finished("tippe-top", &[]);
    assert_eq!(record.events.len(), 1);
    assert_eq!(record.events[0].kind, EventKind::Stick);
    let jellett = |coordinates: &[f64], rates: &[f64]| {
        let e = turned(&coordinates[3..], UP);
        moment * dot(&rates[3..], &plus(times(e, off), times(UP, -radius)))
    };
    let all: Vec<_> = rows(&record).collect();
    let first = jellett(&all[0].1, &all[0].2);
    let (mut upright, mut upside_down) = (false, false);
    for (time, coordinates, rates) in all {
        let now = jellett(&coordinates, &rates);
        assert_close(&format!("at {time}"), now, first, 1e-9 * first.abs());
        let lift = turned(&coordinates[3..], UP)[2];
        upright |= lift > 0.99;
        upside_down |= lift < -0.9;
    }
    assert!(upright && upside_down);
}

/// The stone of `rattleback`, in the axes of its mass.
struct Stone {
    mass: f64,
    moments: Vec3,
    semi_axes: Vec3,
    /// Height of the middle of its ellipsoid above the mass centre (m).
    middle: f64,
    /// Angle by which the ellipsoid is turned (rad).
    angle: f64,
}

/// The vertical and the angular velocity in those axes.
type Rolling = [Vec3; 2];

/// Rolling without slip, all else follows from the vertical n and the angular velocity ω. With r from the mass centre to
/// the contact, v = −ω × r, and the force at the contact F = m (v̇ + g n),
///
/// ```text
/// ṅ = n × ω      I ω̇ + ω × I ω = r × F
/// ```
impl Stone {
    const fn new() -> Self {
        Self {
            mass: 0.1,
            moments: [3.05e-5, 1.725e-4, 1.78e-4],
            semi_axes: [0.1, 0.03, 0.025],
            middle: 0.008,
            angle: std::f64::consts::PI / 60.0,
        }
    }

    /// A vector turned about z.
    fn about_z(r: Vec3, angle: f64) -> Vec3 {
        let (sin, cos) = angle.sin_cos();
        [cos * r[0] - sin * r[1], sin * r[0] + cos * r[1], r[2]]
    }

    /// From the mass centre to the contact, and the rate of that as the vertical turns.
    fn contact(&self, n: Vec3, n_rate: Vec3) -> [Vec3; 2] {
        let [n, n_rate] = [n, n_rate].map(|r| Self::about_z(r, -self.angle));
        let square = |k: usize| self.semi_axes[k].powi(2);
        let stretched = |r: Vec3| -> Vec3 { std::array::from_fn(|k| square(k) * r[k]) };
        let size = dot(&n, &stretched(n)).sqrt();
        let size_rate = dot(&n_rate, &stretched(n)) / size;
        let turning = plus(
            times(n_rate, 1.0 / size),
            times(n, -size_rate / size.powi(2)),
        );
        let back = |r: Vec3| Self::about_z(times(stretched(r), -1.0), self.angle);
        [
            plus(back(times(n, 1.0 / size)), [0.0, 0.0, self.middle]),
            back(turning),
        ]
    }

    fn rate(&self, [n, w]: Rolling) -> Rolling {
        let n_rate = cross(n, w);
        let [r, r_rate] = self.contact(n, n_rate);
        let spun: Vec3 = std::array::from_fn(|k| self.moments[k] * w[k]);
        // v̇ without what ω̇ adds to it, −ω̇ × r.
        let carried = times(cross(w, plus(r_rate, cross(w, r))), -1.0);
        let force = times(plus(carried, times(n, GRAVITY)), self.mass);
        let moment = plus(cross(r, force), times(cross(w, spun), -1.0));
        let inertia: [Vec3; 3] = std::array::from_fn(|i| {
            std::array::from_fn(|k| {
                let own = if i == k {
                    self.moments[i] + self.mass * dot(&r, &r)
                } else {
                    0.0
                };
                own - self.mass * r[i] * r[k]
            })
        });
        let volume = dot(&inertia[0], &cross(inertia[1], inertia[2]));
        let across = |i: usize| cross(inertia[(i + 1) % 3], inertia[(i + 2) % 3]);
        let w_rate = (0..3).fold([0.0; 3], |sum, i| {
            plus(sum, times(across(i), moment[i] / volume))
        });
        [n_rate, w_rate]
    }

    /// Later, by Runge and Kutta.
    fn after(&self, from: Rolling, time: f64, steps: usize) -> Rolling {
        let h = time / steps as f64;
        let on = |x: Rolling, r: Rolling, h: f64| [0, 1].map(|k| plus(x[k], times(r[k], h)));
        (0..steps).fold(from, |x, _| {
            let a = self.rate(x);
            let b = self.rate(on(x, a, 0.5 * h));
            let c = self.rate(on(x, b, 0.5 * h));
            let d = self.rate(on(x, c, h));
            let ends = on(on(x, a, h / 6.0), d, h / 6.0);
            on(on(ends, b, h / 3.0), c, h / 3.0)
        })
    }

    /// The same of a sample, and how fast the stone moves where it touches (m/s).
    fn read(&self, coordinates: &[f64], rates: &[f64]) -> (Rolling, f64) {
        let q = &coordinates[3..7];
        let back = [q[0], -q[1], -q[2], -q[3]];
        let (v, w) = (&rates[..3], &rates[3..]);
        let [n, w, v] = [UP, [w[0], w[1], w[2]], [v[0], v[1], v[2]]].map(|r| turned(&back, r));
        let slip = plus(v, cross(w, self.contact(n, [0.0; 3])[0]));
        ([n, w], dot(&slip, &slip).sqrt())
    }
}

/// The spin of the stone about the vertical, sample by sample. It rolls, keeps its energy, and goes as the second route does.
fn spins(set: &[&str]) -> Vec<(f64, f64)> {
    let stone = Stone::new();
    let record = finished("rattleback", set);
    assert!(record.events.is_empty(), "{:?}", record.events);
    let trajectory = record.trajectory.as_ref().unwrap();
    let energies = trajectory.kinetic.iter().zip(&trajectory.potential);
    let energies: Vec<f64> = energies
        .map(|(kinetic, potential)| kinetic + potential)
        .collect();
    for energy in &energies {
        assert_close("energy", *energy, energies[0], 1e-9 * energies[0]);
    }
    let all: Vec<_> = rows(&record).collect();
    let (mut rolling, _) = stone.read(&all[0].1, &all[0].2);
    let mut before = 0.0;
    all.into_iter()
        .map(|(time, coordinates, rates)| {
            let ([n, w], slip) = stone.read(&coordinates, &rates);
            assert_close("slip", slip, 0.0, 1e-10);
            if time > before {
                rolling = stone.after(rolling, time - before, 40);
                before = time;
            }
            for (found, wanted) in [(n, rolling[0]), (times(w, 0.2), times(rolling[1], 0.2))] {
                let apart = plus(found, times(wanted, -1.0));
                assert_close("second route", dot(&apart, &apart).sqrt(), 0.0, 1e-8);
            }
            (time, dot(&n, &w))
        })
        .collect()
}

#[test]
fn a_rattleback_turns_back_in_one_sense_and_goes_on_in_the_other() {
    let counter_clockwise = spins(&[]);
    let turned_back = counter_clockwise.iter().find(|(_, spin)| *spin < 0.0);
    let (time, _) = turned_back.unwrap();
    assert_close("turns back", *time, 3.323, 0.01);
    assert!(counter_clockwise.last().unwrap().1 < -4.9);
    let start = "bodies.stone.start";
    let clockwise = spins(&[
        &format!("{start}.angular_velocity=[0, 0, -5]"),
        &format!("{start}.velocity=[-0.0008296034961235729, 0.016657904400720874, 0]"),
    ]);
    assert!(clockwise.iter().all(|(_, spin)| *spin < -4.9));
}
