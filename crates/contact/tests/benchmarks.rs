//! Benchmark problems with closed answers: rows P1–P8, P15, P34 of `benchmarks.md`.
#![allow(clippy::unwrap_used)]

use crate::common;

use carom_contact::contact_space::{
    ContactSpace, Friction, Mechanism, PlanarDelassus, PlanarVector,
};
use carom_contact::impact::Law;
use carom_contact::impact::planar::{ImpactEnd, PlanarImpact, PlanarSolution, solve};
use carom_contact::impact::{ContactType, Outcome, PointImpactError};
use common::{Problem, ROUTH, assert_close};

/// Closed values hold to this, relative to the larger of the value and 1.
const CLOSED: f64 = 1e-12;

/// Half a unit of the twelfth and of the tenth printed decimal.
const TWELVE_DECIMALS: f64 = 0.5e-12 + 1e-15;
const TEN_DECIMALS: f64 = 0.5e-10 + 1e-15;

/// A mechanism with one contact.
struct Struck {
    space: ContactSpace,
    velocity: Vec<f64>,
}

impl Struck {
    fn new(mass: &[f64], velocity: &[f64], rows: &[f64], constraints: &[f64]) -> Self {
        let mut space = ContactSpace::new();
        space
            .reduce(&Mechanism {
                mass,
                velocity,
                rows,
                constraints,
            })
            .unwrap();
        Self {
            space,
            velocity: velocity.to_vec(),
        }
    }

    fn impact(&self, mu_s: f64, mu_d: f64, restitution: f64) -> PlanarImpact {
        let (w, v) = self.space.planar(0, 1).unwrap();
        let friction = Friction::new(mu_s, mu_d).unwrap();
        PlanarImpact::new(w, v, friction, restitution).unwrap()
    }

    fn velocity_after(&mut self, impulse: PlanarVector) -> Vec<f64> {
        let mut after = self.velocity.clone();
        self.space.apply(&[impulse.n, impulse.t], &mut after);
        after
    }
}

fn end(impact: &PlanarImpact, law: Law) -> ImpactEnd {
    solve(impact, law).unwrap().end.unwrap()
}

#[track_caller]
fn assert_closed(what: &str, found: f64, wanted: f64) {
    assert_close(what, found, wanted, CLOSED * wanted.abs().max(1.0));
}

/// Uniform rod of 1 kg and 1 m at 45°, struck at its end, as in theory/planar-impact.md.
fn rod() -> Struck {
    let half = 0.5 * 45f64.to_radians().cos();
    Struck::new(
        &[1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0 / 12.0],
        &[0.6, -1.0, 0.0],
        &[0.0, 1.0, -half, 1.0, 0.0, half],
        &[],
    )
}

#[test]
fn the_rod_of_the_paper_sticks_in_compression_and_ends_as_each_law_says() {
    let mut rod = rod();
    let impact = rod.impact(0.73, 0.7, 0.82);
    let w = impact.w();
    assert_closed("W_nn", w.nn(), 2.5);
    assert_closed("W_nt", w.nt(), -1.5);
    assert_closed("W_tt", w.tt(), 2.5);
    // v_n, p_n, p_t, ΔT, and the velocity after with four printed decimals.
    let expected = [
        ([0.82, 0.9125, 0.3075, 0.010125], [0.9075, -0.0875, -2.5668]),
        (
            [0.5248, 0.728, 0.1968, -0.1139328],
            [0.7968, -0.272, -2.2537],
        ),
    ];
    for (law, (numbers, after)) in [Law::Newton, Law::Poisson].into_iter().zip(expected) {
        let found = end(&impact, law);
        assert_closed("v_n", found.v_post.n, numbers[0]);
        assert_closed("p_n", found.impulse.n, numbers[1]);
        assert_closed("p_t", found.impulse.t, numbers[2]);
        assert_closed("ΔT", found.energy_change, numbers[3]);
        for (a, b) in rod.velocity_after(found.impulse).into_iter().zip(after) {
            assert_close("q̇", a, b, 0.5e-4);
        }
    }
    let energetic = end(&impact, Law::Energetic);
    assert_close("v_n", energetic.v_post.n, 0.588_996_622_7, TEN_DECIMALS);
    assert_close("p_n", energetic.impulse.n, 0.768_122_889_2, TEN_DECIMALS);
    assert_close("p_t", energetic.impulse.t, 0.220_873_733_5, TEN_DECIMALS);
    assert_close(
        "ΔT",
        energetic.energy_change,
        -0.091_588_430_8,
        TEN_DECIMALS,
    );
    for law in ROUTH {
        let s = solve(&impact, law).unwrap();
        assert_eq!(s.contact_type, ContactType::NonSlidingCompression);
        assert_eq!(s.findings.energy_gain, law == Law::Newton);
        assert_closed("W_t", s.end.unwrap().work.t, -0.504 / 13.0);
        assert_closed("p_c", s.compression.unwrap().p_n, 0.4);
        assert_closed("p_h", s.path()[1].p_n, 2.4 / 13.0);
    }
}

#[test]
fn an_elastic_rod_gains_energy_by_newton_and_loses_only_to_friction_by_the_energetic_law() {
    let impact = rod().impact(0.73, 0.7, 1.0);
    assert_closed("Newton", end(&impact, Law::Newton).energy_change, 0.1125);
    assert_closed("Poisson", end(&impact, Law::Poisson).energy_change, -0.072);
    let energetic = end(&impact, Law::Energetic);
    assert_closed("energetic", energetic.energy_change, -0.504 / 13.0);
    assert_eq!(energetic.work.n, 0.0);
}

/// The rod in contact space, falling at 1 m/s with e = 1/2.
fn falling_rod(v_t: f64, mu: f64) -> Problem {
    Problem {
        a: 2.5,
        c: -1.5,
        b: 2.5,
        v_n: -1.0,
        v_t,
        mu_s: mu,
        mu_d: mu,
        restitution: 0.5,
    }
}

/// Type, and `v_n⁺`, `v_t⁺` by Newton, Poisson and energetic law, to twelve printed decimals.
fn assert_ends(x: &Problem, contact_type: ContactType, v_n: [f64; 3], v_t: [f64; 3]) {
    for ((law, v_n), v_t) in ROUTH.into_iter().zip(v_n).zip(v_t) {
        let s = x.solve(law);
        assert_eq!(s.contact_type, contact_type, "{law}");
        let v = s.end.unwrap().v_post;
        assert_close(law.name(), v.n, v_n, TWELVE_DECIMALS);
        assert_close(law.name(), v.t, v_t, TWELVE_DECIMALS);
    }
}

#[test]
fn a_fast_rod_slides_throughout_and_the_laws_agree() {
    let x = falling_rod(2.0, 0.3);
    let v_t = [0.855_932_203_390; 3];
    assert_ends(&x, ContactType::PermanentSliding, [0.5; 3], v_t);
    for law in ROUTH {
        let end = x.solve(law).end.unwrap();
        assert_close("p_n", end.impulse.n, 0.508_474_576_271, TWELVE_DECIMALS);
        assert_close("ΔT", end.energy_change, -0.344_943_981_614, TWELVE_DECIMALS);
    }
}

#[test]
fn a_rough_rod_halts_in_restitution_and_sticks() {
    let v_n = [0.5, 0.262_068_965_517, 0.336_763_955_443];
    let x = falling_rod(1.0, 0.75);
    assert_ends(&x, ContactType::NonSlidingRestitution, v_n, [0.0; 3]);
}

#[test]
fn a_smooth_rod_halts_in_restitution_and_slips_back() {
    let v_n = [0.5, 0.399_354_838_710, 0.418_954_151_006];
    let v_t = [-0.068_421_052_632, -0.041_935_483_871, -0.047_093_197_633];
    let x = falling_rod(1.0, 0.4);
    assert_ends(&x, ContactType::ReverseRestitution, v_n, v_t);
}

#[test]
fn a_slow_rough_rod_halts_in_compression_and_sticks() {
    let v_n = [0.5, 0.41, 0.417_731_971_484];
    let x = falling_rod(0.3, 0.75);
    assert_ends(&x, ContactType::NonSlidingCompression, v_n, [0.0; 3]);
}

#[test]
fn a_slow_smooth_rod_halts_in_compression_and_slips_back() {
    let v_n = [0.5, 0.452, 0.456_017_543_522];
    let v_t = [-0.329_473_684_211, -0.316_842_105_263, -0.317_899_353_558];
    let x = falling_rod(0.2, 0.4);
    assert_ends(&x, ContactType::ReverseCompression, v_n, v_t);
}

/// Kane and Levinson's double pendulum: uniform rods of 1 kg and 1 m, absolute angles from the
/// downward vertical, the tip on a horizontal floor.
fn double_pendulum() -> (Struck, f64) {
    let (th_1, th_2) = (20f64.to_radians(), 30f64.to_radians());
    let coupling = 0.5 * (th_1 - th_2).cos();
    let mass = [4.0 / 3.0, coupling, coupling, 1.0 / 3.0];
    let rows = [th_1.sin(), th_2.sin(), th_1.cos(), th_2.cos()];
    let rates = [-0.1, -0.2];
    let twice = mass[0] * 0.01 + 2.0 * coupling * 0.02 + mass[3] * 0.04;
    (Struck::new(&mass, &rates, &rows, &[]), 0.5 * twice)
}

#[test]
fn the_double_pendulum_of_kane_and_levinson_gains_energy_by_their_rule() {
    let (pendulum, energy) = double_pendulum();
    let impact = pendulum.impact(0.5, 0.5, 0.5);
    assert_close("T", energy, 0.023_181_410_863, TWELVE_DECIMALS);
    assert_close("v_n", impact.v_pre().n, -0.134_202_014_333, TWELVE_DECIMALS);
    assert_close("v_t", impact.v_pre().t, -0.267_174_342_835, TWELVE_DECIMALS);
    for law in [Law::Whittaker, Law::Moreau] {
        let s = solve(&impact, law).unwrap();
        let end = s.end.unwrap();
        assert_eq!(s.contact_type, ContactType::NonSlidingCompression);
        assert_eq!(end.v_post.t, 0.0);
        let ratio = end.impulse.t.abs() / end.impulse.n;
        assert_close("|p_t|/p_n", ratio, 0.430_643, 0.5e-6);
        assert_close("ΔT", end.energy_change, 0.013_618_955_718, TWELVE_DECIMALS);
        assert_close("gain", end.energy_change / energy, 0.587, 0.5e-3);
        assert!(s.findings.energy_gain);
    }
}

#[test]
fn the_double_pendulum_reverses_in_restitution_and_loses_energy_by_routh() {
    let (mut pendulum, _) = double_pendulum();
    let impact = pendulum.impact(0.5, 0.5, 0.5);
    let poisson = solve(&impact, Law::Poisson).unwrap();
    assert_eq!(poisson.contact_type, ContactType::ReverseRestitution);
    let end = poisson.end.unwrap();
    assert_close("p_n", end.impulse.n, 0.113_716_732_017, TWELVE_DECIMALS);
    assert_close("p_t", end.impulse.t, 0.040_597_960_082, TWELVE_DECIMALS);
    assert_close("ΔT", end.energy_change, -0.010_545_734_099, TWELVE_DECIMALS);
    let rates = pendulum.velocity_after(end.impulse);
    assert_close("ω_1", rates[0], -0.197_179_706_138, TWELVE_DECIMALS);
    assert_close("ω_2", rates[1], 0.219_606_684_404, TWELVE_DECIMALS);
    let energetic = solve(&impact, Law::Energetic).unwrap();
    assert_eq!(energetic.contact_type, ContactType::ReverseRestitution);
    let lost = energetic.end.unwrap().energy_change;
    assert_close("ΔT", lost, -0.010_357_732_895, TWELVE_DECIMALS);
}

#[test]
fn the_livelier_double_pendulum_slides_against_its_own_slip_by_kane_and_levinsons_rule() {
    let (pendulum, energy) = double_pendulum();
    let impact = pendulum.impact(0.5, 0.5, 0.7);
    for law in [Law::Whittaker, Law::Moreau] {
        let s = solve(&impact, law).unwrap();
        let end = s.end.unwrap();
        assert!(end.v_post.t > 0.0 && impact.v_pre().t < 0.0);
        assert!(s.findings.slip_contradicted);
        assert_closed("p_t", end.impulse.t, -0.5 * end.impulse.n);
        assert_close("ΔT", end.energy_change, 0.040_743_904_6, TEN_DECIMALS);
        assert_close("gain", end.energy_change / energy, 1.76, 0.5e-2);
    }
}

/// Rod of half-length 1 and 1 kg, mass centre at tip + (cos 60°, sin 60°), tip dragged backward.
fn dragged_rod(restitution: f64) -> PlanarImpact {
    let (sin, cos) = 60f64.to_radians().sin_cos();
    Struck::new(
        &[1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0 / 3.0],
        &[-1.0, 0.0, 0.0],
        &[0.0, 1.0, -cos, 1.0, 0.0, sin],
        &[],
    )
    .impact(2.0, 2.0, restitution)
}

#[test]
fn a_dragged_rod_has_an_impact_without_collision() {
    let plastic = dragged_rod(0.0);
    let w = plastic.w();
    assert_closed("W_nn", w.nn(), 1.75);
    assert_closed("W_tt", w.tt(), 3.25);
    assert_close("W_nt", w.nt(), -1.299_038_105_677, TWELVE_DECIMALS);
    let slope = w.nn() + 2.0 * w.nt();
    assert_close("slope", slope, -0.848_076_211_353, TWELVE_DECIMALS);
    for law in ROUTH {
        let s = solve(&plastic, law).unwrap();
        assert!(s.findings.without_collision && s.findings.jam_slope);
        assert_eq!(s.contact_type, ContactType::NonSlidingCompression);
        let end = s.end.unwrap();
        assert_close("p_n", end.impulse.n, 0.324_759_526_419, TWELVE_DECIMALS);
        assert_closed("p_t", end.impulse.t, 0.4375);
        assert_closed("ΔT", end.energy_change, -0.21875);
        assert_eq!((end.v_post.n, end.v_post.t), (0.0, 0.0));
    }
    let expected = [
        (Law::Poisson, 0.199_852_016_258, -0.202_524_038_462),
        (Law::Energetic, 0.127_648_252_579, -0.212_130_531_468),
    ];
    for (law, v_n, energy_change) in expected {
        let end = end(&dragged_rod(0.5), law);
        assert_close("v_n", end.v_post.n, v_n, TWELVE_DECIMALS);
        assert_close("ΔT", end.energy_change, energy_change, TWELVE_DECIMALS);
        assert_eq!(end.v_post.t, 0.0);
    }
}

#[test]
fn a_blow_at_the_centre_of_percussion_does_not_shake_the_pivot() {
    // A free rod along x whose end at the origin is held by two constraint rows.
    let mass = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0 / 12.0];
    let pivot = [1.0, 0.0, 0.0, 0.0, 1.0, -0.5];
    let swinging = [0.0, -0.5, -1.0];
    for (d, shake) in [(0.5, -0.25), (2.0 / 3.0, 0.0), (1.0, 0.5)] {
        let rows = [0.0, 1.0, d - 0.5, 1.0, 0.0, 0.0];
        let mut pendulum = Struck::new(&mass, &swinging, &rows, &pivot);
        assert_eq!(pendulum.space.degrees_of_freedom(), 1);
        let impact = pendulum.impact(0.0, 0.0, 0.6);
        let s = solve(&impact, Law::Energetic).unwrap();
        assert!(s.findings.tangent_impulse_undetermined);
        let blow = s.end.unwrap().impulse;
        assert_closed("blow", blow.n, 1.6 / (3.0 * d));
        let mut held = [0.0; 2];
        pendulum
            .space
            .constraint_impulses(&[blow.n, blow.t], &mut held);
        assert_close("pivot along the blow", held[1] / blow.n, shake, CLOSED);
        assert_close("pivot across the blow", held[0], 0.0, CLOSED);
        let after = pendulum.velocity_after(blow);
        assert_closed("ω", after[2], 0.6);
        assert_close("pivot at rest", after[1] - 0.5 * after[2], 0.0, CLOSED);
    }
}

/// A link on a pivot, its tip striking at an angle: W is singular.
fn one_degree_of_freedom(mu: f64, law: Law) -> PlanarSolution {
    let link = Struck::new(&[2.0], &[-1.0], &[0.6, 0.3], &[]);
    solve(&link.impact(mu, mu, 0.5), law).unwrap()
}

#[test]
fn a_stuck_mechanism_of_one_degree_of_freedom_rebounds_by_no_finite_impulse() {
    // One freedom: slip and approach vanish together, and friction then holds the tip.
    for law in [Law::Newton, Law::Energetic] {
        let s = one_degree_of_freedom(3.0, law);
        assert_eq!((s.outcome, s.end), (Outcome::Jammed, None), "{law}");
        assert_eq!(s.contact_type, ContactType::NonSlidingRestitution);
    }
    let s = one_degree_of_freedom(3.0, Law::Poisson);
    assert_eq!(s.outcome, Outcome::Solved);
    let (end, compression) = (s.end.unwrap(), s.compression.unwrap());
    assert_eq!((end.v_post.n, end.v_post.t), (0.0, 0.0));
    assert_closed("p_n", end.impulse.n, 1.5 * compression.p_n);
}

#[test]
fn a_slippery_mechanism_of_one_degree_of_freedom_rebounds_by_every_law() {
    for law in ROUTH {
        let end = one_degree_of_freedom(0.2, law).end.unwrap();
        assert!(end.v_post.n > 0.0 && end.v_post.t > 0.0);
        assert_closed("one freedom", end.v_post.t, 0.5 * end.v_post.n);
        assert!(end.energy_change < 0.0);
    }
}

#[test]
fn numbers_that_overflow_are_an_error_and_never_undefined() {
    let friction = Friction::uniform(1e100).unwrap();
    // Too small or too large for their products: refused where they enter.
    for (inverse_mass, v_n) in [
        (1e-300, -1e10),
        (1e200, -1.0),
        (1.0, -1e150),
        (1.0, -1e-150),
    ] {
        let v = PlanarVector { n: v_n, t: 0.0 };
        let refused = match PlanarDelassus::new(inverse_mass, 0.0, inverse_mass) {
            Ok(w) => PlanarImpact::new(w, v, friction, 0.5)
                .unwrap_err()
                .to_string(),
            Err(error) => error.to_string(),
        };
        assert!(refused.contains("from 1e-100 to 1e100"), "{refused}");
    }
    // Each in range, and yet the work of friction at a driven point is not.
    let w = PlanarDelassus::new(1e-100, 0.0, 0.0).unwrap();
    let v = PlanarVector {
        n: -1e100,
        t: 1e100,
    };
    let impact = PlanarImpact::new(w, v, friction, 0.5).unwrap();
    for law in Law::ALL {
        assert_eq!(
            solve(&impact, law),
            Err(PointImpactError::Overflow),
            "{law}"
        );
    }
}
