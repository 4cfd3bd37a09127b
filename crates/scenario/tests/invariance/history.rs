//! The history of a run, and where two of them part.

use std::fmt;

use carom_multibody::mechanism::Mechanism;
use carom_scenario::read_scenario;
use carom_sim::record::{EndKind, EventKind, RunRecord, record};
use carom_sim::{End, Setup, Watch, run_watched};

use super::scene::Scene;

/// One event: what, who, and what the contacts do then. Contacts go by the pair they belong to: corners
/// are numbered otherwise in a mirror or with the pair swapped.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Moment {
    pub(crate) time: f64,
    pub(crate) kind: EventKind,
    pub(crate) contacts: Vec<String>,
    /// Closed contacts afterwards, with their modes.
    pub(crate) modes: Vec<(String, String)>,
    /// Of an accumulation: how far its limit may be off.
    pub(crate) bound: f64,
    /// Of an impact: the fastest approach.
    pub(crate) speed: f64,
}

/// A run as it is told, in the time of the scene it is a twin of.
#[derive(Debug, Clone)]
pub(crate) struct History {
    pub(crate) at_start: Vec<(String, String)>,
    pub(crate) moments: Vec<Moment>,
    pub(crate) end: EndKind,
    pub(crate) end_contacts: Vec<String>,
    pub(crate) time: f64,
    /// Whether it ended for the want of a unique answer.
    pub(crate) is_tie: bool,
}

impl fmt::Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let modes: Vec<String> = self.modes.iter().map(|(c, m)| format!("{c} {m}")).collect();
        let (kind, contacts) = (self.kind.name(), self.contacts.join(" "));
        write!(
            f,
            "{kind} [{contacts}] then [{}] at {:?}",
            modes.join(", "),
            self.time
        )
    }
}

impl fmt::Display for History {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "start {:?}", self.at_start)?;
        for (k, moment) in self.moments.iter().enumerate() {
            writeln!(f, "{k} {moment}")?;
        }
        writeln!(
            f,
            "{} {:?} at {:?}",
            self.end.name(),
            self.end_contacts,
            self.time
        )
    }
}

/// The pair a contact belongs to.
fn pair(name: &str) -> String {
    match name.rsplit_once('.') {
        Some((pair, number)) if number.parse::<u32>().is_ok() => pair.to_owned(),
        _ => name.to_owned(),
    }
}

/// A stop of a joint whose coordinate has the other sign is the other stop.
fn named(name: &str, is_mirror: bool) -> String {
    let name = pair(name);
    match name.rsplit_once('.') {
        Some((joint, "lower")) if is_mirror => format!("{joint}.upper"),
        Some((joint, "upper")) if is_mirror => format!("{joint}.lower"),
        _ => name,
    }
}

/// How to read the run of a twin as one of its scene.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Reading {
    pub(crate) time: f64,
    pub(crate) reverses_slip: bool,
    /// Whether angles of hinges, and so their stops, have the other sign.
    pub(crate) reverses_hinges: bool,
}

impl Reading {
    pub(crate) const PLAIN: Self = Self {
        time: 1.0,
        reverses_slip: false,
        reverses_hinges: false,
    };

    fn mode(self, mode: &str) -> String {
        match (self.reverses_slip, mode) {
            (true, "slide+") => "slide-".to_owned(),
            (true, "slide-") => "slide+".to_owned(),
            _ => mode.to_owned(),
        }
    }

    fn modes<'a>(
        self,
        modes: impl Iterator<Item = (&'a String, &'a String)>,
        scene: &Scene,
    ) -> Vec<(String, String)> {
        let closed = modes.filter(|(_, mode)| *mode != "open");
        let mut all: Vec<_> = closed
            .map(|(name, mode)| (self.named(name, scene), self.mode(mode)))
            .collect();
        all.sort();
        all
    }

    /// Slides along a rail keep their sign in a mirror.
    pub(crate) fn named(self, name: &str, scene: &Scene) -> String {
        let is_rail = |joint: &str| {
            let mut joints = scene.joints.iter();
            joints.any(|j| j.name == joint && j.kind == super::scene::Kind::Prismatic)
        };
        let joint = name.split('.').next().unwrap_or_default();
        named(name, self.reverses_hinges && !is_rail(joint))
    }

    fn names<'a>(self, all: impl Iterator<Item = &'a String>, scene: &Scene) -> Vec<String> {
        let mut all: Vec<String> = all.map(|name| self.named(name, scene)).collect();
        all.sort();
        all
    }
}

/// Steps of a run: no scene of a few bodies needs more.
const MOST_STEPS: usize = 100_000;

fn told(setup: &mut Setup<dyn Mechanism>) -> Result<RunRecord, String> {
    setup.options.samples = 0;
    let mut steps = 0;
    let mut watch = |_| {
        steps += 1;
        if steps > MOST_STEPS {
            Watch::Stop
        } else {
            Watch::GoOn
        }
    };
    let done = run_watched(setup, &mut watch).map_err(|error| error.to_string())?;
    if done.end == End::Interrupted {
        return Err(format!(
            "no end after {MOST_STEPS} steps, at {} s",
            done.time
        ));
    }
    record(setup, &done).map_err(|error| error.to_string())
}

impl History {
    /// Runs a scene; an error is a text.
    pub(crate) fn of(scene: &Scene, reading: Reading) -> Result<Self, String> {
        let text = scene.toml();
        let scenario = read_scenario("scene.toml", &text, &[]).map_err(|e| e.render())?;
        let told = told(&mut *scenario.build().map_err(|e| e.render())?)?;
        let moments = told.events.iter().map(|event| Moment {
            time: event.time / reading.time,
            kind: event.kind,
            contacts: reading.names(event.contacts.iter().map(|c| &c.name), scene),
            modes: reading.modes(event.modes_after.iter(), scene),
            bound: event.accumulation.map_or(0.0, |a| a.bound / reading.time),
            speed: event.contacts.iter().fold(0.0, |most: f64, contact| {
                most.max(-contact.velocity_before.normal.unwrap_or(0.0))
            }),
        });
        Ok(Self {
            at_start: reading.modes(told.modes_at_start.iter(), scene),
            moments: moments.collect(),
            end: told.end.kind,
            end_contacts: reading.names(told.end.end_contacts.iter(), scene),
            time: told.time / reading.time,
            is_tie: told.end.kind == EndKind::SeveralAnswers,
        })
    }
}

impl History {
    /// How high the contacts of an event flew since the last event of one of them, by their speed at its end
    /// (m, in the lengths of the run); of an accumulation its last impact.
    pub(crate) fn height(&self, event: usize) -> f64 {
        let is_impact = |k: &usize| self.moments[*k].kind == EventKind::Impact;
        let up_to = 0..self.moments.len().min(event + 1);
        let Some(event) = up_to.rev().find(is_impact) else {
            return f64::INFINITY;
        };
        let moment = &self.moments[event];
        let is_shared = |earlier: &&Moment| {
            let mut contacts = earlier.contacts.iter();
            contacts.any(|contact| moment.contacts.contains(contact))
        };
        let before = self.moments[..event].iter().rev().find(is_shared);
        let flight = before.map_or(f64::INFINITY, |earlier| moment.time - earlier.time);
        0.25 * moment.speed * flight
    }
}

/// Where two histories part.
#[derive(Debug, Clone)]
pub(crate) struct Parting {
    /// The event of the first history, from 0; that after the last is its end.
    pub(crate) event: usize,
    pub(crate) what: &'static str,
    pub(crate) said: String,
}

/// Events this close to the limit of an accumulation, as part of the time of the run, may differ: how many
/// impacts are computed before the jump is not part of the history.
const TAIL: f64 = 1e-3;

/// Walks two histories side by side; instants may differ by `leeway` of the event. Pairs of events that
/// correspond, and where the histories part, if they do.
pub(crate) fn walk(
    a: &History,
    b: &History,
    leeway: impl Fn(usize) -> f64,
) -> (Vec<[usize; 2]>, Option<Parting>) {
    let (mut i, mut j, mut pairs) = (0, 0, Vec::new());
    let part = |event: usize, what: &'static str, one: String, two: String| Parting {
        event,
        what,
        said: format!("event {event}: {one} | {two}"),
    };
    if a.at_start != b.at_start {
        let said = [a, b].map(|h| format!("start {:?}", h.at_start));
        let [one, two] = said;
        return (pairs, Some(part(0, "start", one, two)));
    }
    while i < a.moments.len() && j < b.moments.len() {
        let (one, two) = (&a.moments[i], &b.moments[j]);
        let Some(what) = difference(one, two, leeway(i)) else {
            pairs.push([i, j]);
            (i, j) = (i + 1, j + 1);
            continue;
        };
        match limits(a, b, [i, j], leeway(i)) {
            Some([p, q]) => (i, j) = (p, q),
            None => {
                let apart = (one.time - two.time).abs();
                let two = format!("{two} ({apart:.1e} apart, {:.1e} allowed)", leeway(i));
                let parting = part(i, what, one.to_string(), two);
                return (pairs, Some(parting));
            }
        }
    }
    let rest = |history: &History, k: usize| match history.moments.get(k) {
        Some(moment) => moment.to_string(),
        None => format!(
            "end {} {:?} at {:?}",
            history.end.name(),
            history.end_contacts,
            history.time
        ),
    };
    let is_over = i == a.moments.len() && j == b.moments.len();
    let is_alike = a.end == b.end && a.end_contacts == b.end_contacts;
    let is_timely = (a.time - b.time).abs() <= leeway(i);
    let what = match (is_over, is_alike, is_timely) {
        (true, true, true) => return (pairs, None),
        (false, ..) => "another event",
        (_, false, _) => "another end",
        _ => "instant of the end",
    };
    (pairs, Some(part(i, what, rest(a, i), rest(b, j))))
}

fn difference(a: &Moment, b: &Moment, leeway: f64) -> Option<&'static str> {
    let apart = (a.time - b.time).abs();
    match () {
        () if a.kind != b.kind => Some("kind"),
        () if a.contacts != b.contacts => Some("contacts"),
        () if apart > leeway + a.bound + b.bound => Some("instant"),
        () if a.modes != b.modes => Some("modes"),
        () => None,
    }
}

/// The limit at which two histories agree again that part in the tail of an accumulation: the number of
/// impacts before the jump, and how accumulations within it are taken, are not part of the history.
fn limits(a: &History, b: &History, [i, j]: [usize; 2], leeway: f64) -> Option<[usize; 2]> {
    for p in tail(a, i) {
        for q in tail(b, j) {
            let is_later = (p, q) != (i, j);
            if is_later && is_same_limit(&a.moments[p], &b.moments[q], leeway) {
                return Some([p + 1, q + 1]);
            }
        }
    }
    None
}

/// A corner may be at rest already when the others come to their limit.
fn is_same_limit(a: &Moment, b: &Moment, leeway: f64) -> bool {
    let is_timely = (a.time - b.time).abs() <= leeway + a.bound + b.bound;
    let is_shared = a
        .contacts
        .iter()
        .any(|contact| b.contacts.contains(contact));
    is_timely && is_shared && a.modes == b.modes
}

/// The accumulations that an event may belong to the tail of.
fn tail(history: &History, from: usize) -> impl Iterator<Item = usize> {
    let first = history.moments[from].time;
    let is_near = move |moment: &Moment| moment.time - first <= TAIL * history.time;
    let near = history.moments[from..]
        .iter()
        .take_while(move |moment| is_near(moment));
    let is_limit = |moment: &Moment| moment.kind == EventKind::Accumulation;
    let limits = near.enumerate().filter(move |(_, moment)| is_limit(moment));
    limits.map(move |(k, _)| from + k)
}
