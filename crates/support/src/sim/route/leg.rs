//! The smooth motions of a run between its events, each once more by the second route.

use carom_ode::{Integrator, Options};
use carom_sim::record::RunRecord;
use carom_sim::{ContactMode, Happening, Rule, Run};

use super::apart::Apart;
use super::equations::Equations;
use super::form::Form;
use super::frame::{Frame, NUMBERS, minus, norm};
use super::held::{Held, Kind, Push, Sizes, tangents};
use super::meeting::Meeting;
use super::model::{Closing, Model};
use crate::ode::free;

/// A state of a run.
#[derive(Debug, Clone, Copy)]
pub struct Stop<'a> {
    pub t: f64,
    pub q: &'a [f64],
    pub v: &'a [f64],
    /// Where the run tells its forces there: row of the samples, or of the states around events.
    row: Row,
}

#[derive(Debug, Clone, Copy)]
enum Row {
    Sample(usize),
    Around(usize),
    None,
}

/// A smooth motion: where it starts, where it was looked at, and what its contacts do.
#[derive(Debug, Clone)]
pub struct Leg<'a> {
    pub stops: Vec<Stop<'a>>,
    pub modes: Vec<(usize, ContactMode)>,
    /// Whether impacts without number were left out on the way.
    pub is_piled: bool,
}

/// The smooth motions of a run.
pub fn legs(run: &Run) -> Vec<Leg<'_>> {
    let first = &run.samples[0];
    let mut start = Stop {
        t: first.time,
        q: &first.q,
        v: &first.v,
        row: Row::Sample(0),
    };
    let mut found = Vec::new();
    for (k, event) in run.events.iter().enumerate() {
        let end = Stop {
            t: event.time,
            q: &event.q,
            v: &event.v_pre,
            row: Row::Around(2 * k),
        };
        let is_piled = matches!(event.what, Happening::Accumulation(_));
        found.push(Leg {
            is_piled,
            ..Leg::between(run, [start, end], &event.modes_before)
        });
        start = Stop {
            q: &event.q_post,
            v: &event.v_post,
            row: Row::Around(2 * k + 1),
            ..end
        };
    }
    let end = Stop {
        t: run.time,
        q: &run.q,
        v: &run.v,
        row: Row::None,
    };
    found.push(Leg::between(run, [start, end], &run.modes));
    found.retain(|leg| leg.time() > 0.0);
    found
}

impl<'a> Leg<'a> {
    fn between(run: &'a Run, [start, end]: [Stop<'a>; 2], modes: &[(usize, ContactMode)]) -> Self {
        let inside = run.samples.iter().enumerate();
        let inside = inside.filter(|(_, at)| start.t < at.time && at.time < end.t);
        let inside = inside.map(|(row, at)| Stop {
            t: at.time,
            q: &at.q,
            v: &at.v,
            row: Row::Sample(row),
        });
        Self {
            stops: std::iter::once(start).chain(inside).chain([end]).collect(),
            modes: modes.to_vec(),
            is_piled: false,
        }
    }

    /// First and last state.
    pub fn ends(&self) -> [Stop<'a>; 2] {
        [self.stops[0], self.stops[self.stops.len() - 1]]
    }

    /// How long it takes (s).
    pub fn time(&self) -> f64 {
        let [start, end] = self.ends();
        end.t - start.t
    }
}

/// A run with what the second route knows of it.
pub struct Route<'a> {
    pub model: &'a Model,
    pub rules: &'a [Rule],
    pub record: &'a RunRecord,
}

/// Why a motion is not taken a second time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Skipped {
    /// A contact of a kind that is not offered is closed in it.
    NotOffered,
    /// Impacts without number are left out in it.
    Piled,
    /// It is over before anything has moved.
    Short,
    /// A contact comes to another piece of its surface on the way, which is no event.
    OtherPiece,
    /// The run sets its bodies on their surfaces at the start.
    Settled(f64),
    /// The run holds the way of a slip that is as slow.
    Slow,
    /// The integration came to no end.
    NotIntegrated,
}

/// Tolerance of the second integration.
const TOLERANCE: f64 = 1e-13;
/// Longest step (rad): the error of an orientation adds up over many turns.
const PART_OF_A_TURN: f64 = 0.25;
/// A start that misses its surfaces by more is not the one that the run goes on from.
const SETTLED: f64 = 1e-12;
/// Part of the speeds below which a run holds the way of a slip.
const HELD_WAY: f64 = 1e-7;
/// A way as short as this part of the size of the bodies is none.
const SHORT: f64 = 1e-5;
/// Steps allowed for a leg.
const STEPS: u64 = 1000;
/// Part of a leg that pieces of surface are looked for ahead of its start, and behind its end.
const AHEAD: f64 = 1e-3;
/// Part of the speeds below which the way of a slip is not seen.
const UNSEEN: f64 = 1e-6;

impl Route<'_> {
    /// One leg once more.
    pub fn take(&self, leg: &Leg<'_>) -> Result<Apart, Skipped> {
        let sizes = self.sizes(leg);
        if leg.is_piled {
            return Err(Skipped::Piled);
        }
        if sizes.time * sizes.speed < SHORT * sizes.reach {
            return Err(Skipped::Short);
        }
        let held = self.held(leg)?;
        let start = leg.stops[0];
        let frames = self.model.frames(start.t, start.q, start.v);
        let mut equations = Equations::new(self.model, held, sizes, start.q);
        let violation = equations.violation(&frames);
        if violation > SETTLED {
            return Err(Skipped::Settled(violation));
        }
        if self.is_slow(&equations, leg) {
            return Err(Skipped::Slow);
        }
        equations.begin(start.t, &frames);
        let begun = equations.held.clone();
        let mut apart = Apart {
            begins: begun.iter().any(|held| held.begins),
            ..Apart::default()
        };
        self.integrate(&mut equations, leg, &mut apart)?;
        for stop in &leg.stops {
            equations.held.clone_from(&begun);
            self.weigh(&mut equations, stop, &mut apart);
        }
        Ok(apart)
    }

    /// Integrates from the start of a leg, and compares its states.
    fn integrate(
        &self,
        equations: &mut Equations<'_>,
        leg: &Leg<'_>,
        apart: &mut Apart,
    ) -> Result<(), Skipped> {
        let (start, sizes) = (leg.stops[0], equations.sizes);
        let all = leg.stops.iter();
        let frames = all.flat_map(|stop| self.model.frames(stop.t, stop.q, stop.v));
        let spin = frames.fold(f64::MIN_POSITIVE, |most, frame| {
            most.max(norm(frame.angular))
        });
        let options = Options {
            sizes: measures(self.model, sizes),
            time: sizes.time,
            max_steps: STEPS,
            max_step: PART_OF_A_TURN / spin,
            ..Options::with_tolerance(TOLERANCE)
        };
        let y = Model::state(&self.model.frames(start.t, start.q, start.v));
        let mut motion = Integrator::new(y, Vec::new(), options).unwrap();
        motion.set_time(start.t);
        for stop in &leg.stops[1..] {
            let mut problem = free(|t, y: &[f64], dy: &mut [f64]| equations.rate(t, y, dy));
            let advanced = motion.advance(&mut problem, stop.t);
            advanced.map_err(|_| Skipped::NotIntegrated)?;
            drop(problem);
            let frames = self.model.frames(stop.t, stop.q, stop.v);
            let is_between = stop.t < leg.ends()[1].t;
            apart.see(
                [&self.model.read(motion.state()), &frames],
                sizes,
                is_between,
            );
        }
        Ok(())
    }

    /// Whether some contact slides so slowly all the way that the run does not turn its way.
    fn is_slow(&self, equations: &Equations<'_>, leg: &Leg<'_>) -> bool {
        let mut fastest: Vec<f64> = Vec::new();
        for stop in &leg.stops {
            let slips = equations.slips(&self.model.frames(stop.t, stop.q, stop.v));
            fastest.resize(slips.len(), 0.0);
            fastest
                .iter_mut()
                .zip(slips)
                .for_each(|(most, slip)| *most = most.max(slip));
        }
        fastest
            .iter()
            .any(|slip| *slip <= HELD_WAY * equations.sizes.speed)
    }

    fn sizes(&self, leg: &Leg<'_>) -> Sizes {
        let (length, time) = (self.model.length(), leg.time());
        let mut sizes = Sizes {
            length,
            reach: length,
            speed: norm(self.model.gravity) * time + (norm(self.model.gravity) * length).sqrt(),
            time,
        };
        for stop in &leg.stops {
            for frame in &self.model.frames(stop.t, stop.q, stop.v)[1..] {
                let speed = norm(frame.linear).max(length * norm(frame.angular));
                sizes.speed = sizes.speed.max(speed);
                sizes.length = sizes.length.max(norm(frame.center.at()));
            }
        }
        sizes
    }

    /// The closed contacts, each on the piece that it lies on all the way.
    fn held(&self, leg: &Leg<'_>) -> Result<Vec<Held>, Skipped> {
        let ([first, last], away) = (leg.ends(), AHEAD * leg.time());
        let [from, to] = [self.drifted(first, away), self.drifted(last, -away)];
        let mut held = Vec::new();
        for (contact, mode) in leg.modes.iter().filter(|(_, m)| *m != ContactMode::Open) {
            let rule = &self.rules[*contact];
            let closing = self.model.closings.get(&rule.name);
            let contact = match closing.ok_or(Skipped::NotOffered)? {
                Closing::Stop { link, sense } => Kind::Stop {
                    link: *link,
                    sense: *sense,
                },
                Closing::Shapes(meeting) => Kind::Shapes(one_piece(meeting, &from, &to)?),
            };
            held.push(Held {
                name: rule.name.clone(),
                contact,
                mode: *mode,
                mu: rule.friction.mu_d(),
                radius: rule.spin_radius,
                way: [0.0; 3],
                begins: false,
            });
        }
        Ok(held)
    }

    /// Bodies a little later or earlier, as their velocities take them.
    fn drifted(&self, stop: Stop<'_>, time: f64) -> Vec<Frame> {
        let mut frames = self.model.frames(stop.t, stop.q, stop.v);
        for frame in &mut frames {
            let mut moving = frame.moving();
            let rate = super::frame::quaternion_rate(moving.angular, moving.quaternion);
            moving.center = [0, 1, 2].map(|i| moving.center[i] + time * moving.linear[i]);
            moving.quaternion = [0, 1, 2, 3].map(|i| moving.quaternion[i] + time * rate[i]);
            *frame = moving.frame(frame.origin);
        }
        frames
    }

    /// Compares the forces at a state of the run.
    fn weigh(&self, equations: &mut Equations<'_>, stop: &Stop<'_>, apart: &mut Apart) {
        let Some(told) = self.told(equations, stop) else {
            return;
        };
        let frames = self.model.frames(stop.t, stop.q, stop.v);
        let (balanced, looks) = equations.solve(stop.t, &frames);
        let found = equations.pushes(&balanced, &looks);
        let speed = equations.sizes.speed;
        let is_seen = |push: &Push, held: &Held| {
            !held.mode.is_sliding() || held.mu == 0.0 || push.slip > UNSEEN * speed
        };
        let pairs = || found.iter().zip(&told).zip(&equations.held);
        let weights = self.model.bodies.iter().map(|body| body.mass);
        let weight = weights.fold(0.0, f64::max) * norm(self.model.gravity);
        let sizes = found
            .iter()
            .map(|push| norm(push.force).max(push.normal.abs()));
        let size = sizes.fold(weight, f64::max);
        if !pairs().all(|((found, _), held)| is_seen(found, held)) {
            return;
        }
        for ((found, told), _) in pairs().filter(|((found, _), _)| found.is_unique) {
            let off = norm(minus(found.force, told.force)).max((found.normal - told.normal).abs());
            let twist = (found.spin - told.spin).abs() / equations.sizes.reach;
            apart.force = apart.force.max(off.max(twist) / size);
            apart.forces += 1;
        }
        let pushed = equations.pushed(stop.t, &frames, &told);
        apart.see_accelerations(&balanced.acceleration, &pushed.acceleration, equations);
    }

    /// The forces that the run tells at a state.
    fn told(&self, equations: &Equations<'_>, stop: &Stop<'_>) -> Option<Vec<Push>> {
        let (columns, row) = match stop.row {
            Row::Sample(row) => (self.record.trajectory.as_ref()?, row),
            Row::Around(row) => (self.record.around_events.as_ref()?, row),
            Row::None => return None,
        };
        let frames = self.model.frames(stop.t, stop.q, stop.v);
        let pushes = equations.held.iter().map(|held| {
            let is_closed = columns.modes.get(&held.name)?[row] != "open";
            let series = columns
                .contact_forces
                .get(&held.name)
                .filter(|_| is_closed)?;
            let Kind::Shapes(form) = &held.contact else {
                return Some(Push {
                    force: [0.0; 3],
                    normal: series.normal[row],
                    spin: 0.0,
                    is_unique: true,
                    slip: 0.0,
                });
            };
            let normal = form.touch(|body| frames[body]).normal.at();
            let [t1, t2] = tangents(normal);
            let (n, a) = (series.normal[row], series.tangent[row]);
            let b = series.second_tangent.get(row).copied().unwrap_or(0.0);
            Some(Push {
                force: [0, 1, 2].map(|i| n * normal[i] + a * t1[i] + b * t2[i]),
                normal: n,
                spin: series.spin.get(row).copied().unwrap_or(0.0),
                is_unique: true,
                slip: 0.0,
            })
        });
        pushes.collect()
    }
}

/// A contact on its piece, where it keeps to one.
fn one_piece(meeting: &Meeting, from: &[Frame], to: &[Frame]) -> Result<Form, Skipped> {
    let [first, last] = [meeting.on_piece(from), meeting.on_piece(to)];
    let is_same = match (&first, &last) {
        (Form::Probe { surface: a, .. }, Form::Probe { surface: b, .. }) => a == b,
        (Form::Leaning { .. }, Form::Leaning { .. }) => true,
        (Form::Rods { sense: a, .. }, Form::Rods { sense: b, .. }) => a == b,
        _ => false,
    };
    is_same.then_some(first).ok_or(Skipped::OtherPiece)
}

/// What each number of the state is measured by.
fn measures(model: &Model, sizes: Sizes) -> Vec<f64> {
    let Sizes {
        length,
        reach,
        speed,
        ..
    } = sizes;
    let mut one = [1.0; NUMBERS];
    one[..3].fill(length);
    one[7..10].fill(speed);
    one[10..].fill(speed / reach);
    one.repeat(model.bodies.len())
}
