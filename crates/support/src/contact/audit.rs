//! What every solution of an impact must satisfy, recomputed from the problem alone.

use carom_contact::impact::Law;
use carom_contact::impact::planar::{ImpactEnd, PathPoint, PlanarImpact, PlanarSolution};
use carom_contact::impact::{ContactType, Mode, Outcome, Phase};

use crate::near::{assert_close, largest};

/// Round-off allowed, over the largest term of a balance.
pub const BALANCE: f64 = 1e-12;

/// Terms of `vᵀp + ½ pᵀWp` (J).
fn energy_terms(impact: &PlanarImpact, end: &ImpactEnd) -> [f64; 5] {
    let (w, v, p) = (impact.w(), impact.v_pre(), end.impulse);
    [
        v.n * p.n,
        v.t * p.t,
        0.5 * w.nn() * p.n * p.n,
        w.nt() * p.n * p.t,
        0.5 * w.tt() * p.t * p.t,
    ]
}

/// Everything a solution by a law of Routh's path must satisfy.
pub fn audit(impact: &PlanarImpact, s: &PlanarSolution) {
    let (v, path) = (impact.v_pre(), s.path());
    assert_finite(s, &path);
    let pressed = -impact.friction().mu_d() * v.t.signum() * impact.w().nt();
    let slope = impact.w().nn() + if v.t == 0.0 { 0.0 } else { pressed };
    if s.outcome == Outcome::NoImpact {
        assert!(v.n >= 0.0);
        assert!(v.n > 0.0 || slope >= -BALANCE * pressed.abs());
        assert!(path.is_empty() && s.end.unwrap().v_post == v);
        return;
    }
    assert!(v.n < 0.0 || (v.n == 0.0 && slope < 0.0));
    assert_eq!(s.findings.without_collision, v.n == 0.0);
    check_path(impact, &path);
    let Some(end) = s.end else {
        assert_eq!(s.outcome, Outcome::Jammed);
        let w = impact.w();
        assert!(
            w.nn_stuck() <= BALANCE * w.nn(),
            "only a singular W jams: {w:?}"
        );
        return;
    };
    assert_eq!(s.outcome, Outcome::Solved);
    assert_eq!(s.contact_type, type_of(&path, v.t == 0.0), "{path:?}");
    check_balances(impact, &end, &path);
    check_energy_promise(impact, s, &end);
    check_law(impact, s, &end, &path);
}

fn assert_finite(s: &PlanarSolution, path: &[PathPoint]) {
    let mut numbers: Vec<f64> = Vec::new();
    if let Some(end) = s.end {
        for vector in [end.impulse, end.v_post, end.work] {
            numbers.extend([vector.n, vector.t]);
        }
        numbers.extend([
            end.energy_change,
            end.energy_residual,
            end.momentum_residual,
        ]);
    }
    numbers.extend(s.compression.iter().flat_map(|c| [c.p_n, c.work]));
    numbers.extend(path.iter().flat_map(|x| [x.p_n, x.p_t, x.v_n, x.v_t]));
    assert!(numbers.iter().all(|x| x.is_finite()), "{s:?}");
}

/// The path starts at zero, obeys `v = v⁻ + W p` at its corners and Coulomb's law between them.
fn check_path(impact: &PlanarImpact, path: &[PathPoint]) {
    let (w, v) = (impact.w(), impact.v_pre());
    assert!((1..=4).contains(&path.len()), "{path:?}");
    assert_eq!((path[0].p_n, path[0].p_t), (0.0, 0.0));
    assert_eq!((path[0].v_n, path[0].v_t), (v.n, v.t));
    for x in path {
        let (nn, nt_t) = (w.nn() * x.p_n, w.nt() * x.p_t);
        let (nt_n, tt) = (w.nt() * x.p_n, w.tt() * x.p_t);
        let (scale_n, scale_t) = (largest(&[v.n, nn, nt_t]), largest(&[v.t, nt_n, tt]));
        assert_close(
            "v_n at a corner",
            x.v_n,
            v.n + (nn + nt_t),
            BALANCE * scale_n,
        );
        assert_close(
            "v_t at a corner",
            x.v_t,
            v.t + (nt_n + tt),
            BALANCE * scale_t,
        );
    }
    for pair in path.windows(2) {
        check_segment(impact, &pair[0], &pair[1]);
    }
}

fn check_segment(impact: &PlanarImpact, from: &PathPoint, to: &PathPoint) {
    let (dp_n, dp_t) = (to.p_n - from.p_n, to.p_t - from.p_t);
    let (mu, w, v) = (impact.friction(), impact.w(), impact.v_pre());
    let round_off = BALANCE * largest(&[mu.mu_s() * to.p_n, from.p_t, to.p_t]);
    let still_n = BALANCE * largest(&[v.n, w.nn() * to.p_n, w.nt() * to.p_t]);
    let still_t = BALANCE * largest(&[v.t, w.nt() * to.p_n, w.tt() * to.p_t]);
    let at = || format!("{from:?} {to:?}");
    assert!(dp_n >= 0.0, "{}", at());
    match from.phase {
        Phase::Compression => assert!(from.v_n <= 0.0 && to.v_n <= still_n, "{}", at()),
        Phase::Restitution => assert!(from.v_n >= 0.0 && to.v_n >= 0.0, "{}", at()),
    }
    let sigma = match from.mode {
        Mode::SlipForward => 1.0,
        Mode::SlipBackward => -1.0,
        Mode::Slip => panic!("a slip of the plane has a sign: {}", at()),
        Mode::Stick => {
            assert_eq!((from.v_t, to.v_t), (0.0, 0.0));
            assert!(dp_t.abs() <= mu.mu_s() * dp_n + round_off, "{}", at());
            return;
        }
    };
    assert!(sigma * from.v_t >= -still_t, "{}", at());
    assert!(sigma * to.v_t >= -still_t, "{}", at());
    let wanted = -mu.mu_d() * sigma * dp_n;
    assert_close("friction while slipping", dp_t, wanted, round_off);
}

/// The type of contact as a reader of the path would name it.
fn type_of(path: &[PathPoint], is_at_rest: bool) -> ContactType {
    let first = path[0].mode;
    if is_at_rest {
        return match first {
            Mode::Stick => ContactType::NonSlidingCompression,
            _ => ContactType::PermanentSliding,
        };
    }
    let Some(halt) = path.iter().find(|x| x.mode != first) else {
        // Without friction slip may pass through zero; the mode then changes all the same.
        return ContactType::PermanentSliding;
    };
    match (halt.phase, halt.mode) {
        (Phase::Compression, Mode::Stick) => ContactType::NonSlidingCompression,
        (Phase::Compression, _) => ContactType::ReverseCompression,
        (Phase::Restitution, Mode::Stick) => ContactType::NonSlidingRestitution,
        (Phase::Restitution, _) => ContactType::ReverseRestitution,
    }
}

/// `ΔT = W_n + W_t = vᵀp + ½ pᵀWp`, works by the trapezoid along the path.
fn check_balances(impact: &PlanarImpact, end: &ImpactEnd, path: &[PathPoint]) {
    let terms = energy_terms(impact, end);
    let scale = BALANCE * largest(&terms);
    let total: f64 = terms.iter().sum();
    assert_close("energy change", end.energy_change, total, scale);
    assert_close("W_n + W_t", end.work.n + end.work.t, total, scale);
    let (mut work_n, mut work_t) = (0.0, 0.0);
    for pair in path.windows(2) {
        work_n += 0.5 * (pair[0].v_n + pair[1].v_n) * (pair[1].p_n - pair[0].p_n);
        work_t += 0.5 * (pair[0].v_t + pair[1].v_t) * (pair[1].p_t - pair[0].p_t);
    }
    assert_close("W_n", end.work.n, work_n, scale);
    assert_close("W_t", end.work.t, work_t, scale);
    let last = path.last().unwrap();
    assert_eq!((last.p_n, last.p_t), (end.impulse.n, end.impulse.t));
    assert_eq!((last.v_n, last.v_t), (end.v_post.n, end.v_post.t));
}

/// Poisson's and the energetic law never create energy; Newton says so when it does.
fn check_energy_promise(impact: &PlanarImpact, s: &PlanarSolution, end: &ImpactEnd) {
    let terms = energy_terms(impact, end);
    let total: f64 = terms.iter().sum();
    if total > BALANCE * largest(&terms) {
        assert_eq!(s.law, Law::Newton, "a gain of {total}: {s:?}");
        assert!(s.findings.energy_gain, "a gain of {total}: {s:?}");
    }
    assert!(end.work.t <= 0.0, "friction does no positive work: {s:?}");
}

/// Whether a gain is announced that is no more than round-off of the works of the two phases.
pub fn is_false_alarm(s: &PlanarSolution) -> bool {
    let Some((end, compression)) = s.end.zip(s.compression) else {
        return s.findings.energy_gain;
    };
    let scale = largest(&[compression.work, end.work.n, end.work.t]);
    let is_round_off = end.energy_change <= 8.0 * f64::EPSILON * scale;
    s.findings.energy_gain && (s.law != Law::Newton || is_round_off)
}

/// The law's own end, and `v_n⁺ >= 0`.
fn check_law(impact: &PlanarImpact, s: &PlanarSolution, end: &ImpactEnd, path: &[PathPoint]) {
    let (e, compression) = (impact.restitution(), s.compression.unwrap());
    let (p_c, w_c) = (compression.p_n, compression.work);
    assert!(end.v_post.n >= 0.0 && w_c <= 0.0, "{s:?}");
    assert!(p_c <= end.impulse.n);
    if let Some(x) = path.iter().find(|x| x.phase == Phase::Restitution) {
        assert_eq!((x.p_n, x.v_n), (p_c, 0.0), "{path:?}");
    }
    match s.law {
        Law::Newton => assert_eq!(end.v_post.n, -e * impact.v_pre().n),
        Law::Poisson => {
            let wanted = (1.0 + e) * p_c;
            assert_close("p_n", end.impulse.n, wanted, BALANCE * wanted);
        }
        _ => {
            let scale = BALANCE * largest(&[w_c, end.impulse.n * impact.v_pre().n]);
            assert_close("W_n", end.work.n, (1.0 - e * e) * w_c, scale);
        }
    }
}
