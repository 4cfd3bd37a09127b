//! A batch gives, element by element, what one impact alone gives.
#![allow(clippy::unwrap_used, clippy::panic)]

use crate::common;

use carom_contact::impact::Law;
use carom_contact::impact::planar::{Batch, BatchResults, PlanarSolution, solve, solve_batch};
use carom_contact::impact::{ContactType, Outcome};
use common::{Problem, ROUTH, chance, count, either_sign};
use fastrand::Rng;

/// Impacts as columns.
#[derive(Debug, Default)]
struct Columns {
    w_nn: Vec<f64>,
    w_nt: Vec<f64>,
    w_tt: Vec<f64>,
    v_n: Vec<f64>,
    v_t: Vec<f64>,
    mu_s: Vec<f64>,
    mu_d: Vec<f64>,
    restitution: Vec<f64>,
}

impl Columns {
    fn of(problems: &[Problem]) -> Self {
        let column = |f: fn(&Problem) -> f64| problems.iter().map(f).collect();
        Self {
            w_nn: column(|x| x.a),
            w_nt: column(|x| x.c),
            w_tt: column(|x| x.b),
            v_n: column(|x| x.v_n),
            v_t: column(|x| x.v_t),
            mu_s: column(|x| x.mu_s),
            mu_d: column(|x| x.mu_d),
            restitution: column(|x| x.restitution),
        }
    }

    fn batch(&self) -> Batch<'_> {
        Batch {
            w_nn: &self.w_nn,
            w_nt: &self.w_nt,
            w_tt: &self.w_tt,
            v_n: &self.v_n,
            v_t: &self.v_t,
            mu_s: &self.mu_s,
            mu_d: &self.mu_d,
            restitution: &self.restitution,
        }
    }
}

/// One element of the answer, its numbers as bits.
#[derive(Debug, PartialEq)]
struct Row {
    outcome: Option<Outcome>,
    contact_type: ContactType,
    bits: [u64; 6],
}

fn row(results: &BatchResults, i: usize) -> Row {
    let columns = [
        &results.p_n,
        &results.p_t,
        &results.v_n,
        &results.v_t,
        &results.work_n,
        &results.work_t,
    ];
    Row {
        outcome: results.outcome[i],
        contact_type: results.contact_type[i],
        bits: columns.map(|column| column[i].to_bits()),
    }
}

/// The row that one impact alone gives: zeros without an end, no outcome when it is refused.
fn row_alone(x: &Problem, law: Law) -> Row {
    let solution: Option<PlanarSolution> = x.try_impact().and_then(|i| solve(&i, law).ok());
    let end = solution.and_then(|s| s.end);
    let numbers = end.map_or([0.0; 6], |end| {
        let (p, v, work) = (end.impulse, end.v_post, end.work);
        [p.n, p.t, v.n, v.t, work.n, work.t]
    });
    Row {
        outcome: solution.map(|s| s.outcome),
        contact_type: solution.map_or(ContactType::NoImpact, |s| s.contact_type),
        bits: numbers.map(f64::to_bits),
    }
}

/// Spoils one number of a legal problem.
fn spoil(rng: &mut Rng, x: &mut Problem) {
    let bad = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -1.0][rng.usize(0..4)];
    let beyond = [f64::NAN, 1.0 + f64::EPSILON, -f64::MIN_POSITIVE, 2.0][rng.usize(0..4)];
    match rng.u8(0..10) {
        0 => x.a = bad,
        1 => x.b = bad,
        2 => x.c = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY][rng.usize(0..3)],
        3 => x.c = 1.1 * (x.a * x.b).sqrt() + 1e-3,
        4 => x.v_n = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY][rng.usize(0..3)],
        5 => x.v_t = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY][rng.usize(0..3)],
        6 => x.mu_s = [f64::NAN, -0.1, f64::INFINITY][rng.usize(0..3)],
        7 => x.mu_d = [f64::NAN, -0.1, f64::INFINITY][rng.usize(0..3)],
        8 => (x.mu_s, x.mu_d) = (0.3, 0.3 + f64::EPSILON),
        _ => x.restitution = beyond,
    }
}

/// Legal, delicate, spoiled and negative-zero problems, of ordinary size.
fn draw(rng: &mut Rng) -> Problem {
    let mut x = if rng.bool() {
        Problem::delicate(rng)
    } else {
        Problem::general(rng)
    };
    if chance(rng, 0.1) {
        spoil(rng, &mut x);
    }
    for number in [&mut x.v_n, &mut x.v_t, &mut x.c, &mut x.mu_d] {
        if *number == 0.0 && rng.bool() {
            *number = -0.0;
        }
    }
    x
}

fn assert_batch_is_each_alone(problems: &[Problem], law: Law, results: &mut BatchResults) {
    let columns = Columns::of(problems);
    solve_batch(&columns.batch(), law, results).unwrap();
    assert_eq!(results.outcome.len(), problems.len());
    for (i, x) in problems.iter().enumerate() {
        let (found, alone) = (row(results, i), row_alone(x, law));
        assert_eq!(
            found,
            alone,
            "element {i} of {}, {law}: {x:?}",
            problems.len()
        );
    }
}

/// Lengths on both sides of the lanes' width, and none.
const LENGTHS: [usize; 12] = [0, 1, 3, 7, 8, 9, 15, 16, 17, 63, 250, 1001];

#[test]
fn a_batch_gives_the_bits_each_impact_gives_alone() {
    let mut rng = Rng::with_seed(51);
    let mut results = BatchResults::default();
    let (mut done, mut reached) = (0usize, [0usize; 4]);
    let n = count(1_200_000);
    while done < n {
        let length = LENGTHS[rng.usize(0..LENGTHS.len())];
        let problems: Vec<_> = (0..length).map(|_| draw(&mut rng)).collect();
        let law = ROUTH[rng.usize(0..3)];
        assert_batch_is_each_alone(&problems, law, &mut results);
        done += length;
        let kinds = [
            Some(Outcome::Solved),
            Some(Outcome::NoImpact),
            Some(Outcome::Jammed),
            None,
        ];
        for (n, kind) in reached.iter_mut().zip(kinds) {
            *n += results.outcome.iter().filter(|o| **o == kind).count();
        }
    }
    assert!(reached.iter().all(|k| *k > n / 100), "{reached:?}");
}

#[test]
fn a_batch_by_a_law_of_totals_gives_what_each_impact_gives_alone() {
    let mut rng = Rng::with_seed(52);
    let mut results = BatchResults::default();
    for _ in 0..count(1_000) {
        let length = LENGTHS[rng.usize(0..LENGTHS.len())];
        let problems: Vec<_> = (0..length).map(|_| draw(&mut rng)).collect();
        for law in [Law::Moreau, Law::Whittaker] {
            assert_batch_is_each_alone(&problems, law, &mut results);
        }
    }
}

#[test]
fn a_batch_of_numbers_of_any_size_refuses_what_one_impact_alone_refuses() {
    let mut rng = Rng::with_seed(53);
    let mut results = BatchResults::default();
    for _ in 0..count(20_000) {
        let problems: Vec<_> = (0..13)
            .map(|_| {
                let mut x = draw(&mut rng);
                let mass = 10f64.powf(either_sign(&mut rng, 250.0));
                let speed = 10f64.powf(either_sign(&mut rng, 250.0));
                (x.a, x.b, x.c) = (x.a / mass, x.b / mass, x.c / mass);
                (x.v_n, x.v_t) = (x.v_n * speed, x.v_t * speed);
                x
            })
            .collect();
        for law in ROUTH {
            assert_batch_is_each_alone(&problems, law, &mut results);
        }
    }
}

#[test]
fn a_bad_element_leaves_its_neighbours_unharmed() {
    let mut rng = Rng::with_seed(54);
    let (mut clean, mut spoiled) = (BatchResults::default(), BatchResults::default());
    for _ in 0..count(20_000) {
        let mut problems: Vec<_> = (0..11).map(|_| Problem::delicate(&mut rng)).collect();
        let law = ROUTH[rng.usize(0..3)];
        solve_batch(&Columns::of(&problems).batch(), law, &mut clean).unwrap();
        let bad = rng.usize(0..11);
        spoil(&mut rng, &mut problems[bad]);
        if problems[bad].try_impact().is_some() {
            continue; // -1 for a spoiled c may still be legal
        }
        solve_batch(&Columns::of(&problems).batch(), law, &mut spoiled).unwrap();
        for i in 0..11 {
            if i == bad {
                assert_eq!(spoiled.outcome[i], None, "{:?}", problems[i]);
                assert_eq!(row(&spoiled, i).bits, [0; 6]);
            } else {
                assert_eq!(row(&spoiled, i), row(&clean, i));
            }
        }
    }
}

#[test]
fn results_used_again_keep_nothing_of_the_batch_before() {
    let mut rng = Rng::with_seed(55);
    let draws: Vec<_> = (0..40).map(|_| Problem::delicate(&mut rng)).collect();
    let mut used = BatchResults::default();
    solve_batch(&Columns::of(&draws).batch(), Law::Newton, &mut used).unwrap();
    for length in [13, 0, 27] {
        let mut fresh = BatchResults::default();
        let columns = Columns::of(&draws[40 - length..]);
        solve_batch(&columns.batch(), Law::Energetic, &mut used).unwrap();
        solve_batch(&columns.batch(), Law::Energetic, &mut fresh).unwrap();
        assert_eq!(used, fresh);
    }
}

#[test]
fn columns_of_different_lengths_are_an_error_that_names_the_column() {
    let mut rng = Rng::with_seed(56);
    let problems: Vec<_> = (0..9).map(|_| Problem::general(&mut rng)).collect();
    let columns = Columns::of(&problems);
    let full = columns.batch();
    let short = &columns.v_t[..8];
    let cases = [
        (
            "w_nt",
            Batch {
                w_nt: short,
                ..full
            },
        ),
        (
            "w_tt",
            Batch {
                w_tt: short,
                ..full
            },
        ),
        ("v_n", Batch { v_n: short, ..full }),
        ("v_t", Batch { v_t: short, ..full }),
        (
            "mu_s",
            Batch {
                mu_s: short,
                ..full
            },
        ),
        (
            "mu_d",
            Batch {
                mu_d: short,
                ..full
            },
        ),
        (
            "restitution",
            Batch {
                restitution: short,
                ..full
            },
        ),
    ];
    for (which, batch) in cases {
        let mut results = BatchResults::default();
        let error = solve_batch(&batch, Law::Poisson, &mut results).unwrap_err();
        assert_eq!((error.which, error.found, error.expected), (which, 8, 9));
        assert!(error.to_string().contains("8 elements, expected 9"));
        assert!(results.p_n.is_empty(), "nothing is written");
    }
    let longer = Batch {
        w_nn: &columns.w_nn[..8],
        ..full
    };
    let mut results = BatchResults::default();
    assert!(solve_batch(&longer, Law::Newton, &mut results).is_err());
}
