//! What may happen next on a step of the path, and what it changes.

use super::guard::{Crossing, first_crossing, product, value};
use super::problem::PathImpact;
use super::series::{Coefficients, ORDER, Series, is_turning, load_scale};
use super::state::{AT_REST, Grip, NOISE, Press, State};

/// What happens at one contact.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Greatest compression.
    Turn,
    /// The bodies approach again before the force is gone.
    PressAgain,
    /// The force is gone.
    Part,
    /// The gap has closed.
    Close,
    /// The cone is reached.
    Break,
    /// Slip halts.
    Halt,
    /// A slip that was to start does not.
    Stay,
    /// A slip that was to start is held by other contacts.
    Hold,
}

/// An event and its place on the step; 0 is its start.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Happening {
    pub(super) contact: usize,
    pub(super) kind: Kind,
    pub(super) at: f64,
}

/// Events closer than this part of the step are one.
const TOGETHER: f64 = 1e-13;

/// Where another halts, one below this part has too.
const HALTED_TOO: f64 = 1e-12;

/// A load below this part of its size is gone: the impulse it still gives goes with its square, and is round-off.
const FADED: f64 = 1e-7;

/// The next events of a step of length `rho` that count, those at one place; none where it has none.
pub(super) fn next(
    series: &Series,
    impact: &PathImpact,
    state: &State,
    rho: f64,
    counts: impl Fn(&Happening) -> bool,
) -> Vec<Happening> {
    let mut found = Vec::new();
    for i in 0..impact.contacts.len() {
        presses(series, impact, state, i, rho, &mut found);
        if state.is_loaded(i) {
            grips(series, impact, state, i, rho, &mut found);
        }
    }
    found.retain(counts);
    let first = found.iter().map(|h| h.at).fold(f64::INFINITY, f64::min);
    found.retain(|h| h.at <= first + TOGETHER * rho);
    halt_together(series, impact, state, &mut found);
    found
}

/// Contacts of the same bodies halt in one instant; round-off must not tell their instants apart.
fn halt_together(series: &Series, impact: &PathImpact, state: &State, found: &mut Vec<Happening>) {
    let Some(at) = found.iter().find(|h| h.kind == Kind::Halt).map(|h| h.at) else {
        return;
    };
    for i in 0..impact.contacts.len() {
        let is_found = found.iter().any(|h| h.contact == i);
        if !is_found && state.is_loaded(i) && is_turning(impact, state, i) {
            let row = impact.starts[i] + 1;
            let [x, y] = [row, row + 1].map(|row| value(&series.v[row], at));
            if x.hypot(y) <= HALTED_TOO.max(state.halted) * state.slip_reach(impact, i) {
                add(found, Crossing::At(at), i, Kind::Halt);
            }
        }
    }
}

fn add(found: &mut Vec<Happening>, crossing: Crossing, contact: usize, kind: Kind) {
    let at = match crossing {
        Crossing::Never => return,
        Crossing::AtStart => 0.0,
        Crossing::At(at) => at,
    };
    found.push(Happening { contact, kind, at });
}

/// Events along the normal of a contact.
fn presses(
    series: &Series,
    impact: &PathImpact,
    state: &State,
    i: usize,
    rho: f64,
    found: &mut Vec<Happening>,
) {
    let row = impact.starts[i];
    let v = &series.v[row];
    let noise = NOISE * state.reach[row];
    match state.sites[i].press {
        Press::Loading => {
            let crossing = first_crossing(&v.map(|x| -x), rho, noise);
            add(found, crossing, i, Kind::Turn);
        }
        Press::Unloading => {
            add(found, first_crossing(v, rho, noise), i, Kind::PressAgain);
            let noise = NOISE * load_scale(impact, state, i);
            let crossing = first_crossing(&series.load[i], rho, noise);
            add(found, crossing, i, Kind::Part);
        }
        Press::Open => {
            let crossing = first_crossing(&series.gap[i], rho, noise * series.h * rho);
            add(found, crossing, i, Kind::Close);
        }
    }
}

/// Events of friction at a contact that is pressed.
fn grips(
    series: &Series,
    impact: &PathImpact,
    state: &State,
    i: usize,
    rho: f64,
    found: &mut Vec<Happening>,
) {
    match state.sites[i].grip {
        Grip::Smooth | Grip::Rest | Grip::Held(_) => {}
        Grip::Stick => {
            let crossing = leaves_cone(series, impact, state, i, rho);
            if !is_fading(series, impact, state, i, crossing) {
                add(found, crossing, i, Kind::Break);
            }
        }
        Grip::Slip(_) if is_turning(impact, state, i) => {
            let floor = state.halted * state.slip_reach(impact, i);
            let mut s = series.slip[i];
            s[ORDER] = 0.0; // not computed
            let crossing = match s[0] <= floor {
                true => Crossing::AtStart,
                false => {
                    s[0] -= floor;
                    first_crossing(&s, rho, 0.0)
                }
            };
            add(found, crossing, i, Kind::Halt);
        }
        Grip::Slip(_) if series.onset(i).is_some() => {
            let crossing = first_crossing(&series.slip[i], rho, 0.0);
            add(found, crossing, i, Kind::Halt);
        }
        Grip::Slip(u) => {
            let row = impact.starts[i] + 1;
            let mut along: Coefficients = series.v[row].map(|x| x * u[0]);
            if impact.contacts[i].tangents == 2 {
                let other = &series.v[row + 1];
                along
                    .iter_mut()
                    .zip(other)
                    .for_each(|(a, x)| *a += x * u[1]);
            }
            let scale = state.slip_reach(impact, i).max(state.reach[row - 1]);
            let starts = along[0].abs() <= AT_REST * scale;
            let crossing = first_crossing(&along, rho, NOISE * scale);
            let kind = if starts { Kind::Stay } else { Kind::Halt };
            match starts && series.is_held(impact, i) {
                true => add(found, Crossing::AtStart, i, Kind::Hold),
                false => add(found, crossing, i, kind),
            }
        }
    }
}

/// Where a contact that sticks reaches its static cone.
fn leaves_cone(
    series: &Series,
    impact: &PathImpact,
    state: &State,
    i: usize,
    rho: f64,
) -> Crossing {
    let mu = impact.contacts[i].friction.mu_s();
    let row = impact.starts[i] + 1;
    let scale = mu * load_scale(impact, state, i);
    let mut load = series.load[i];
    load[ORDER] = 0.0; // forces are known to one order less
    let cone = load.map(|x| mu * x);
    if impact.contacts[i].tangents == 1 {
        let sides = [1.0, -1.0].map(|sign| {
            let mut margin = cone;
            let pairs = margin.iter_mut().zip(&series.f[row]);
            pairs.for_each(|(m, f)| *m += sign * f);
            first_crossing(&margin, rho, NOISE * scale)
        });
        return earlier(sides);
    }
    let mut margin = product(&cone, &cone);
    for f in &series.f[row..row + 2] {
        let square = product(f, f);
        margin.iter_mut().zip(&square).for_each(|(m, s)| *m -= s);
    }
    // A difference of squares is as uncertain as its parts are, times their sum.
    let reach: f64 = value(&cone.map(f64::abs), rho);
    first_crossing(&margin, rho, NOISE * scale * reach.min(scale))
}

/// Whether the load of a contact that expands is all but gone where its cone is reached. Cone and friction end there
/// together, and which is first is round-off.
fn is_fading(
    series: &Series,
    impact: &PathImpact,
    state: &State,
    i: usize,
    crossing: Crossing,
) -> bool {
    let at = match crossing {
        Crossing::Never => return false,
        Crossing::AtStart => 0.0,
        Crossing::At(at) => at,
    };
    let is_expanding = state.sites[i].press == Press::Unloading;
    is_expanding && value(&series.load[i], at) <= FADED * load_scale(impact, state, i)
}

fn earlier([a, b]: [Crossing; 2]) -> Crossing {
    match (a, b) {
        (Crossing::AtStart, _) | (_, Crossing::AtStart) => Crossing::AtStart,
        (Crossing::At(x), Crossing::At(y)) => Crossing::At(x.min(y)),
        (Crossing::At(x), Crossing::Never) | (Crossing::Never, Crossing::At(x)) => Crossing::At(x),
        (Crossing::Never, Crossing::Never) => Crossing::Never,
    }
}

/// Changes what the contact does. `force` is its friction at that moment.
pub(super) fn apply(impact: &PathImpact, state: &mut State, happening: Happening, force: [f64; 2]) {
    let i = happening.contact;
    if happening.kind != Kind::Hold {
        state.let_go();
    }
    match happening.kind {
        Kind::Turn => {
            if state.turn(impact, i) {
                state.ask_again();
            }
        }
        Kind::PressAgain => state.press_again(impact, i),
        Kind::Part => state.open(i),
        Kind::Close => state.press(impact, i),
        Kind::Halt => state.halt(impact, i),
        Kind::Stay => {
            let span = impact.span(i);
            state.v[span.start + 1..span.end].fill(0.0);
            state.sites[i].grip = Grip::Stick;
        }
        Kind::Hold => {
            if let Grip::Slip(u) = state.sites[i].grip {
                state.sites[i].grip = Grip::Held(u);
            }
        }
        Kind::Break => {
            let size = force[0].hypot(force[1]);
            break_away(impact, state, i, force.map(|f| -f / size));
        }
    }
}

/// A contact that stuck slips, or is about to by its kinetic coefficient.
pub(super) fn break_away(impact: &PathImpact, state: &mut State, i: usize, way: [f64; 2]) {
    let friction = impact.contacts[i].friction;
    if friction.mu_s() > friction.mu_d() || way.iter().any(|x| !x.is_finite()) {
        state.ask_again();
        state.sites[i].is_broken = true;
    } else {
        state.let_go();
        state.sites[i].grip = Grip::Slip(way);
    }
}
