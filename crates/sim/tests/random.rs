//! Mechanisms nobody has seen: whatever is drawn, a run keeps its promises.
#![allow(clippy::unwrap_used)]

use crate::common;

use carom_contact::impact::{Law, Method, solve};
use carom_multibody::State;
use carom_multibody::mechanism::Contacts;
use carom_sim::record::{RunRecord, record};
use carom_sim::{End, Happening, Run, Setup, run};
use carom_support::random::seeds;
use common::spec::{Draw, Spec};
use common::unbounded::Unbounded;

const ALL: Draw = Draw {
    laws: &[Law::Newton, Law::Poisson, Law::Energetic, Law::Moreau],
    max_friction: 1.2,
    max_frequency: 100.0,
    max_stiffness: 3000.0,
    duration: 2.0,
};

/// The shortcut over steps in which no gap can close loses no event and moves no bit.
#[test]
fn a_bound_on_the_speed_of_gaps_changes_no_bit_of_a_run() {
    let (mut runs, mut events, mut saved) = (0, 0, 0);
    for seed in seeds(800) {
        let draw = Draw {
            max_frequency: [30.0, 300.0, 3000.0][seed as usize % 3],
            max_stiffness: [100.0, 1e4, 1e6][seed as usize / 3 % 3],
            ..ALL
        };
        let mut spec = Spec::random(seed, &draw);
        spec.options.duration = 0.5;
        spec.options.max_events = 100;
        spec.options.tolerance = [1e-12, 1e-9, 1e-6][seed as usize / 9 % 3];
        let Some(mut setup) = spec.setup() else {
            continue;
        };
        let mut plain = Setup {
            mechanism: Unbounded(setup.mechanism.clone()),
            rules: setup.rules.clone(),
            q: setup.q.clone(),
            v: setup.v.clone(),
            options: setup.options.clone(),
        };
        let (short, long) = (run(&mut setup), run(&mut plain));
        let (Ok(short), Ok(long)) = (&short, &long) else {
            assert_eq!(short.err(), long.err(), "seed {seed}");
            continue;
        };
        let times = |run: &Run| -> Vec<f64> { run.events.iter().map(|e| e.time).collect() };
        let differs = times(short)
            .iter()
            .zip(times(long))
            .position(|(a, b)| *a != b);
        assert_eq!(differs, None, "seed {seed}: first event that differs");
        assert_eq!(short.events.len(), long.events.len(), "seed {seed}");
        assert_eq!((&short.end, &short.q), (&long.end, &long.q), "seed {seed}");
        runs += 1;
        events += short.events.len();
        let work = |run: &Run| run.effort.guard_evaluations;
        saved += usize::from(work(short) < work(long));
    }
    assert!(
        runs > seeds(800).end / 2 && events > runs as usize,
        "{runs}, {events}"
    );
    assert!(saved > runs as usize / 2, "the bound is not idle: {saved}");
}

/// What may be wrong with a run, in few words.
fn fault(setup: &mut Setup, run: &Run) -> Option<String> {
    let finite = |xs: &[f64]| xs.iter().all(|x| x.is_finite());
    let samples = run.samples.iter();
    if !(finite(&run.q) && finite(&run.v) && samples.clone().all(|s| finite(&s.q) && finite(&s.v)))
    {
        return Some("a state is not finite".to_owned());
    }
    let mut gaps = vec![Default::default(); setup.mechanism.contacts()];
    for s in samples {
        let state = State::new(s.time, &s.q, &s.v);
        setup.mechanism.gaps(state, &mut gaps);
        // Round-off counts in the positions, and an impact near a singular placement throws far.
        let size = s.q.iter().fold(1.0f64, |size, x| size.max(x.abs()));
        for (contact, gap) in gaps.iter().enumerate() {
            if gap.gap < -1e-9 * size && setup.mechanism.owns_touch(state, contact) {
                let name = &setup.rules[contact].name;
                return Some(format!("{name} is {:e} deep at {}", gap.gap, s.time));
            }
        }
    }
    for (k, event) in run.events.iter().enumerate() {
        let finite = finite(&event.q_post) && finite(&event.v_post);
        if !(finite && event.energy_change.is_none_or(f64::is_finite)) {
            return Some(format!("event {k} is not finite"));
        }
        if let Some(fault) = gain(event) {
            return Some(format!("event {k}: {fault}"));
        }
    }
    let ledger = run.ledger.unwrap();
    // Near a jam works are small differences of large terms.
    let miss = ledger.residual().abs() / ledger.scale;
    (!(miss <= 3e-10)).then(|| format!("the ledger misses {miss:e} of {:e} J", ledger.scale))
}

/// Energy that an impact made, unless Newton's law made it and says so.
fn gain(event: &carom_sim::Event) -> Option<String> {
    let work: f64 = event.works().iter().sum();
    let (scale, law, told) = match &event.what {
        Happening::Impact(impact) => (
            impact.solution.end?.energy_scale,
            impact.solution.law,
            impact.solution.findings.energy_gain,
        ),
        Happening::Collision(collision) => {
            let terms = collision.impulses.iter().zip(&collision.v_n_pre);
            let scale = terms.map(|(p, v)| (p * v).abs()).sum();
            let may = matches!(collision.law, Law::Newton | Law::Moreau);
            (scale, collision.law, may)
        }
        _ => return None,
    };
    let gains = work > 1e-12 * scale;
    let excused = matches!(law, Law::Newton | Law::Moreau) && told;
    (gains && !excused).then(|| format!("{law} gains {work:e} J of {scale:e}, told: {told}"))
}

/// An impact that would jam were it not for round-off of its rows: its works are differences of terms that
/// have no digits in common.
fn is_jam_but_for_round_off(impact: &carom_sim::Impact) -> bool {
    let end = impact.solution.end;
    end.is_some_and(|end| end.energy_scale > 1e12 * end.energy_change.abs())
}

/// Every event as it is written solves again to the same velocities.
fn replay_fault(setup: &mut Setup, run: &Run) -> Option<String> {
    let written = match record(setup, run) {
        Ok(written) => written,
        Err(error) => return Some(error.to_string()),
    };
    let text = serde_json::to_string(&written).unwrap();
    let back: RunRecord = serde_json::from_str(&text).unwrap();
    if back != written {
        return Some("the record changed on its way".to_owned());
    }
    for (event, seen) in back.events.iter().zip(&run.events) {
        let is_taken = seen.v_post != seen.v_pre; // of several outcomes none may have been
        if seen.impact().is_some_and(is_jam_but_for_round_off) {
            continue;
        }
        let Some(posed) = event.problem.as_ref().filter(|_| is_taken) else {
            continue;
        };
        let again = solve(&posed.problem, posed.law, Method::Complementarity).unwrap();
        let Some(v) = again.velocity else {
            continue;
        };
        let size = seen
            .v_post
            .iter()
            .chain(&seen.v_pre)
            .fold(1.0f64, |a, b| a.max(b.abs()));
        let pairs = v.iter().zip(&seen.v_post);
        let miss = pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        if !(miss <= 1e-9 * size) {
            return Some(format!("event {} replays with {miss:e}", event.index));
        }
    }
    None
}

#[test]
fn a_random_mechanism_runs_to_a_named_end_and_keeps_its_promises() {
    let (mut runs, mut impacts, mut ends) = (0, 0, std::collections::BTreeMap::new());
    let mut faults = Vec::new();
    for seed in seeds(1500) {
        let mut spec = Spec::random(seed + 10_000, &ALL);
        spec.options.duration = 2.0 + 3.0 * (seed % 7) as f64 / 6.0;
        spec.options.max_events = 400;
        spec.options.samples = 101;
        spec.options.sustained = seed % 6 == 0;
        let Some(mut setup) = spec.setup() else {
            continue;
        };
        let run = match run(&mut setup) {
            Ok(run) => run,
            Err(error) => {
                faults.push(format!("seed {seed}: {error}"));
                continue;
            }
        };
        runs += 1;
        impacts += run.events.len();
        let words = format!("{:?}", run.end);
        let kind = words.split([' ', '{']).next().unwrap_or("").to_owned();
        *ends.entry(kind).or_insert(0) += 1;
        match &run.end {
            End::Duration => assert_eq!(run.time, spec.options.duration, "seed {seed}"),
            End::Failed { error } => faults.push(format!("seed {seed}: {error}")),
            _ => {}
        }
        if let Some(fault) = fault(&mut setup, &run).or_else(|| replay_fault(&mut setup, &run)) {
            faults.push(format!("seed {seed}: {fault}"));
        }
    }
    let shown = &faults[..faults.len().min(30)];
    assert!(
        faults.is_empty(),
        "{} of {runs} ({impacts} impacts, {ends:?}): {shown:#?}",
        faults.len()
    );
    assert!(
        runs > seeds(1500).end / 2 && impacts > runs as usize,
        "{runs}, {impacts}"
    );
}
