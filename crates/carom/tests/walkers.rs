//! Walking machines as users' own systems: M, h, a guard that switches off, a reset map.
#![allow(clippy::unwrap_used, dead_code)]

#[path = "../examples/walkers/compass.rs"]
mod compass;
#[path = "../examples/walkers/simplest.rs"]
mod simplest;

use carom::multibody::Mechanism;
use carom::sim::{End, Options, Run, Setup, run};
use compass::CompassGait;
use simplest::SimplestWalker;

fn walk<M: Mechanism>(mechanism: M, (q, v): (&[f64], &[f64]), options: Options) -> Run {
    let mut setup = Setup {
        mechanism,
        rules: Vec::new(),
        q: q.to_vec(),
        v: v.to_vec(),
        options,
    };
    run(&mut setup).unwrap()
}

fn steps(count: usize) -> Options {
    Options {
        duration: 1e4,
        max_events: count,
        ..Options::default()
    }
}

const SIMPLEST: SimplestWalker = SimplestWalker { slope: 0.009 };

/// One step of the simplest walker, from just after a heel strike to just after the next.
fn simplest_step([theta, rate]: [f64; 2]) -> ([f64; 2], f64) {
    let (q, v) = SimplestWalker::after_strike(theta, rate);
    let run = walk(SIMPLEST, (&q, &v), steps(1));
    assert_eq!((run.events.len(), &run.end), (1, &End::EventLimit));
    ([run.q[0], run.v[0]], run.time)
}

/// P23: the long-period gait of Garcia et al. (1998), by iterating the map of steps.
#[test]
fn the_simplest_walker_settles_into_its_long_period_gait() {
    let (q, v) = SimplestWalker::after_strike(0.2, -0.2);
    let run = walk(SIMPLEST, (&q, &v), steps(80));
    assert_eq!(run.events.len(), 80);
    let (gait, period) = simplest_step([run.q[0], run.v[0]]);
    assert!((gait[0] - 0.200310900544).abs() < 1e-11, "{gait:?}");
    assert!((gait[1] + 0.199832473005).abs() < 1e-11, "{gait:?}");
    assert!((period - 3.882463752851).abs() < 1e-11, "{period}");
    let ledger = run.ledger.unwrap();
    assert!(ledger.residual().abs() < 1e-10 * ledger.largest);
}

/// The eigenvalues of the map of steps, -.19009984 ± .55759878 i, as trace and determinant.
#[test]
fn a_disturbed_simplest_walker_returns_at_the_published_rate() {
    let gait = [0.200310900544, -0.199832473005];
    let (h, mut map) = (1e-6, [[0.0; 2]; 2]);
    for column in 0..2 {
        let mut ends = [gait, gait];
        ends[0][column] += h;
        ends[1][column] -= h;
        let [(more, _), (less, _)] = ends.map(simplest_step);
        for row in 0..2 {
            map[row][column] = (more[row] - less[row]) / (2.0 * h);
        }
    }
    let (re, im) = (-0.19009984, 0.55759878);
    let trace = map[0][0] + map[1][1];
    let det = map[0][0] * map[1][1] - map[0][1] * map[1][0];
    assert!((trace - 2.0 * re).abs() < 1e-6, "{trace}");
    assert!((det - (re * re + im * im)).abs() < 1e-6, "{det}");
}

fn compass() -> CompassGait {
    CompassGait {
        slope: 3f64.to_radians(),
        leg: 5.0,
        hip: 10.0,
        below: 0.5,
        above: 0.5,
        gravity: 9.81,
    }
}

/// P24: Goswami's compass, by iterating the map of steps.
#[test]
fn the_compass_gait_settles_on_its_slope() {
    let start = ([0.2, -0.2 - 6f64.to_radians(), 0.0], [-1.1, -0.4]);
    let run = walk(compass(), (&start.0, &start.1), steps(120));
    assert_eq!(run.events.len(), 120, "{:?}", run.end);
    let wanted = [0.218668802939, -0.323388558059];
    for (angle, wanted) in run.q.iter().zip(wanted) {
        assert!((angle - wanted).abs() < 1e-10, "{:?}", run.q);
    }
    let wanted = [-1.092383589884, -0.377373948906];
    for (rate, wanted) in run.v.iter().zip(wanted) {
        assert!((rate - wanted).abs() < 1e-10, "{:?}", run.v);
    }
    let period = run.events[119].time - run.events[118].time;
    assert!((period - 0.734346391159).abs() < 1e-10, "{period}");
    let ledger = run.ledger.unwrap();
    assert!(ledger.residual().abs() < 1e-10 * ledger.largest);
    assert!(ledger.resets < 0.0);
}

/// Published moduli of the eigenvalues of the map of (stance, both rates): .57995233 twice and
/// .13157262; their product is the determinant.
#[test]
fn a_disturbed_compass_returns_at_the_published_rate() {
    let slope = 3f64.to_radians();
    let gait = [0.218668802939, -1.092383589884, -0.377373948906];
    let step = |[stance, w, w_swing]: [f64; 3]| {
        let q = [stance, -stance - 2.0 * slope, 0.0];
        let run = walk(compass(), (&q, &[w, w_swing]), steps(1));
        [run.q[0], run.v[0], run.v[1]]
    };
    let (h, mut map) = (1e-6, [[0.0; 3]; 3]);
    for column in 0..3 {
        let mut ends = [gait, gait];
        ends[0][column] += h;
        ends[1][column] -= h;
        let [more, less] = ends.map(step);
        for row in 0..3 {
            map[row][column] = (more[row] - less[row]) / (2.0 * h);
        }
    }
    let minor =
        |i: usize, j: usize, k: usize, l: usize| map[i][k] * map[j][l] - map[i][l] * map[j][k];
    let det = map[0][0] * minor(1, 2, 1, 2) - map[0][1] * minor(1, 2, 0, 2)
        + map[0][2] * minor(1, 2, 0, 1);
    let wanted: f64 = 0.57995233 * 0.57995233 * 0.13157262;
    assert!((det.abs() - wanted).abs() < 1e-6, "{det} {wanted}");
}
