//! What acts on the bodies and what constrains them, at a place.

use nalgebra::DMatrix;

use super::balance::{Balance, Balanced, Constraint};
use super::course::{Arrow, Course};
use super::equations::Equations;
use super::form::Form;
use super::frame::{Frame, cross, dot, minus};
use super::held::{Held, Kind, Look, Push, tangents};

impl Equations<'_> {
    /// Bodies, joints and closed contacts at a place.
    pub(super) fn balance(&self, t: f64, frames: &[Frame]) -> Balance {
        let mut balance = self.bodies(t, frames);
        let mut constraints = self.joints(t, frames, &mut balance.force);
        for held in &self.held {
            constraints.extend(self.contact(held, frames));
        }
        balance.constraints = constraints;
        balance
    }

    /// Accelerations under given pushes of the contacts, in the order of those that are closed.
    pub fn pushed(&self, t: f64, frames: &[Frame], pushes: &[Push]) -> Balanced {
        let mut balance = self.bodies(t, frames);
        balance.constraints = self.joints(t, frames, &mut balance.force);
        for (held, push) in self.held.iter().zip(pushes) {
            let column = match &held.contact {
                Kind::Shapes(form) => {
                    let look = Look::of(form, frames);
                    let normal = look.touch.normal.at();
                    let force = self.wrench(form, frames, look.touch.point.at(), push.force);
                    let spin = self.couple(form, normal.map(|x| push.spin * x));
                    force.iter().zip(&spin).map(|(x, y)| x + y).collect()
                }
                Kind::Stop { link, sense } => {
                    let row = self.coordinate_row(*link, frames).0;
                    row.iter()
                        .map(|x| x * sense * push.normal)
                        .collect::<Vec<_>>()
                }
            };
            balance
                .force
                .iter_mut()
                .zip(column)
                .for_each(|(f, x)| *f += x);
        }
        let is_regular = balance.is_regular();
        balance.solve(is_regular)
    }

    /// Mass, weight, gyroscopic moments and loads.
    fn bodies(&self, t: f64, frames: &[Frame]) -> Balance {
        let n = 6 * self.model.bodies.len();
        let (mut mass, mut force, mut sizes) = (DMatrix::zeros(n, n), vec![0.0; n], vec![0.0; n]);
        for (k, body) in self.model.bodies.iter().enumerate() {
            let frame = &frames[k + 1];
            let turn = frame.turn.map(Arrow::at);
            let rows = body.inertia.rows().map(|row| row.0);
            let element = |i: usize, j: usize| {
                let parts = (0..3).flat_map(|a| (0..3).map(move |b| (a, b)));
                let part = |(a, b): (usize, usize)| turn[a][i] * rows[a][b] * turn[b][j];
                parts.map(part).sum::<f64>()
            };
            let mut spun = [0.0; 3];
            for i in 0..3 {
                mass[(6 * k + i, 6 * k + i)] = body.mass;
                for j in 0..3 {
                    mass[(6 * k + 3 + i, 6 * k + 3 + j)] = element(i, j);
                    spun[i] += element(i, j) * frame.angular[j];
                }
            }
            let weight = self.model.gravity.map(|g| body.mass * g);
            add(&mut force, k + 1, weight, cross(spun, frame.angular));
            let least = 1e-3 * body.mass * self.sizes.reach.powi(2);
            let moment = (0..3).map(|i| rows[i][i]).fold(least, f64::max);
            sizes[6 * k..6 * k + 3].fill(body.mass.sqrt().recip());
            sizes[6 * k + 3..6 * k + 6].fill(moment.sqrt().recip());
        }
        for (body, load) in &self.model.loads {
            let frame = &frames[*body];
            let (at, pull) = (frame.point(load.at.0).at(), load.force.at(t).0);
            let lever = cross(minus(at, frame.center.at()), pull);
            let torque = load.torque.at(t).0;
            add(
                &mut force,
                *body,
                pull,
                [0, 1, 2].map(|i| lever[i] + torque[i]),
            );
        }
        Balance {
            mass,
            force,
            sizes,
            constraints: Vec::new(),
        }
    }

    /// What the joints forbid; what acts along their coordinates goes to the forces.
    fn joints(&self, t: f64, frames: &[Frame], force: &mut [f64]) -> Vec<Constraint> {
        let mut found = Vec::new();
        for (k, link) in self.model.links.iter().enumerate() {
            if link.is_passive() {
                let (row, coordinate) = self.coordinate_row(k, frames);
                let way = link.way(&frames[link.parent], &frames[link.child], self.known[k]);
                let along = link.force(t, way, coordinate.rate);
                force
                    .iter_mut()
                    .zip(&row)
                    .for_each(|(f, x)| *f += along * x);
            }
            let ends = [link.parent, link.child];
            let rows = self.rows(ends, frames, |frame| {
                link.forbidden(&frame(link.parent), &frame(link.child))
            });
            let now = link.forbidden(&frames[link.parent], &frames[link.child]);
            let bends = now.iter().map(|value| value.bend);
            for (row, drift) in rows.into_iter().zip(bends) {
                found.push(Constraint {
                    force: row.clone(),
                    row,
                    drift,
                    is_contact: false,
                });
            }
            if let (Some(motion), Some(last)) = (link.joint.motion, found.last_mut()) {
                last.drift -= motion.at(t)[2];
            }
        }
        found
    }

    pub(super) fn coordinate_row(&self, link: usize, frames: &[Frame]) -> (Vec<f64>, Course) {
        let link = &self.model.links[link];
        let rows = self.rows([link.parent, link.child], frames, |frame| {
            vec![link.coordinate(&frame(link.parent), &frame(link.child))]
        });
        let now = link.coordinate(&frames[link.parent], &frames[link.child]);
        (rows.into_iter().next().unwrap(), now)
    }

    /// Rates of some values by the velocities of two bodies: each moved alone by one unit.
    fn rows(
        &self,
        bodies: [usize; 2],
        frames: &[Frame],
        values: impl Fn(&dyn Fn(usize) -> Frame) -> Vec<Course>,
    ) -> Vec<Vec<f64>> {
        let still: Vec<Frame> = frames.iter().map(|f| f.moved([0.0; 3], [0.0; 3])).collect();
        let mut rows = Vec::new();
        for body in bodies.into_iter().filter(|body| *body > 0) {
            for k in 0..6 {
                let mut unit = [0.0; 6];
                unit[k] = 1.0;
                let [x, y, z, about_x, about_y, about_z] = unit;
                let alone = still[body].moved([x, y, z], [about_x, about_y, about_z]);
                let moved = |other: usize| match other == body {
                    true => alone,
                    false => still[other],
                };
                let found = values(&moved);
                rows.resize(found.len(), vec![0.0; 6 * self.model.bodies.len()]);
                for (row, value) in rows.iter_mut().zip(found) {
                    row[6 * (body - 1) + k] = value.rate;
                }
            }
        }
        rows
    }

    pub(super) fn couple(&self, form: &Form, moment: [f64; 3]) -> Vec<f64> {
        let mut column = vec![0.0; 6 * self.model.bodies.len()];
        for (body, sign) in form.bodies().into_iter().zip([1.0, -1.0]) {
            add(&mut column, body, [0.0; 3], moment.map(|x| sign * x));
        }
        column
    }

    /// What a closed contact demands.
    fn contact(&self, held: &Held, frames: &[Frame]) -> Vec<Constraint> {
        let plain = |row: Vec<f64>, drift: f64| Constraint {
            force: row.clone(),
            row,
            drift,
            is_contact: true,
        };
        let form = match &held.contact {
            Kind::Shapes(form) => form,
            Kind::Stop { link, sense } => {
                let (row, coordinate) = self.coordinate_row(*link, frames);
                let row = row.iter().map(|x| sense * x).collect();
                return vec![plain(row, sense * coordinate.bend)];
            }
        };
        let look = Look::of(form, frames);
        let (normal, point) = (look.touch.normal, look.touch.point.at());
        let rows = self.rows(form.bodies(), frames, |frame| vec![form.touch(frame).gap]);
        let mut along = self.wrench(form, frames, point, normal.at());
        if held.mode.is_sliding() {
            let rubs = self.wrench(form, frames, point, held.way.map(|x| -held.mu * x));
            along.iter_mut().zip(rubs).for_each(|(f, x)| *f += x);
        }
        let sense = held.mode.pivot().map_or(0.0, |pivot| pivot.sense());
        let torque = -held.mu * held.radius * sense;
        let couple = self.couple(form, normal.at().map(|x| torque * x));
        along.iter_mut().zip(couple).for_each(|(f, x)| *f += x);
        let mut found = vec![Constraint {
            row: rows.into_iter().next().unwrap(),
            force: along,
            drift: look.touch.gap.bend,
            is_contact: true,
        }];
        if held.mode.is_sticking() {
            for tangent in tangents(normal.at()) {
                let row = self.wrench(form, frames, point, tangent);
                found.push(plain(row, dot(tangent, look.slip.rate())));
            }
        }
        if held.radius > 0.0 && held.mode.pivot().is_none() {
            let [a, b] = form.bodies().map(|body| frames[body].angular);
            let drift = held.radius * dot(normal.rate(), minus(a, b));
            let row = self.couple(form, normal.at().map(|x| held.radius * x));
            found.push(plain(row, drift));
        }
        found
    }

    /// A unit force on the first body of a contact and its opposite on the second, as a column.
    pub(super) fn wrench(
        &self,
        form: &Form,
        frames: &[Frame],
        point: [f64; 3],
        axis: [f64; 3],
    ) -> Vec<f64> {
        let mut column = vec![0.0; 6 * self.model.bodies.len()];
        for (body, sign) in form.bodies().into_iter().zip([1.0, -1.0]) {
            let force = axis.map(|x| sign * x);
            let moment = cross(minus(point, frames[body].center.at()), force);
            add(&mut column, body, force, moment);
        }
        column
    }
}

fn add(column: &mut [f64], body: usize, force: [f64; 3], moment: [f64; 3]) {
    let Some(at) = body.checked_sub(1).map(|k| 6 * k) else {
        return;
    };
    for (slot, x) in column[at..at + 6].iter_mut().zip([force, moment].concat()) {
        *slot += x;
    }
}
