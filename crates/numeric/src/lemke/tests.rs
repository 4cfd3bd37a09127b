use super::*;
use carom_support::random::count;
use fastrand::Rng;
use nalgebra::{DMatrix, DVector};

/// `XᵀX` of rank at most `rank`, and a `q` that leaves the problem feasible or not.
fn semidefinite(rng: &mut Rng, n: usize, rank: usize) -> DMatrix<f64> {
    let x = DMatrix::from_fn(rank, n, |_, _| rng.f64() - 0.5);
    x.transpose() * x
}

fn vector(rng: &mut Rng, n: usize) -> DVector<f64> {
    DVector::from_fn(n, |_, _| rng.f64() - 0.5)
}

/// Largest breach of `w = M z + q, z >= 0, w >= 0, zᵀw = 0`.
fn breach(m: &DMatrix<f64>, q: &DVector<f64>, z: &[f64], w: &[f64]) -> f64 {
    let sum = m * DVector::from_column_slice(z) + q;
    let each = (0..q.len()).map(|i| {
        let sign = (-z[i]).max(-w[i]).max(0.0);
        sign.max((sum[i] - w[i]).abs()).max((z[i] * w[i]).abs())
    });
    each.fold(0.0, f64::max)
}

/// Second route for few rows: every choice of which of `z_i`, `w_i` vanishes. The slacks of a
/// complementary basis that is feasible by a margin, if there is one.
fn by_enumeration(m: &DMatrix<f64>, q: &DVector<f64>) -> Option<DVector<f64>> {
    let n = q.len();
    (0..1usize << n).find_map(|choice| {
        let basis = DMatrix::from_fn(n, n, |i, j| match choice >> j & 1 {
            1 => -m[(i, j)],
            _ => f64::from(u8::from(i == j)),
        });
        let lu = basis.clone().full_piv_lu();
        if lu.determinant().abs() < 1e-12 {
            return None;
        }
        let x = lu.solve(q)?;
        let slack = |j: usize| if choice >> j & 1 == 1 { 0.0 } else { x[j] };
        let is_feasible = x.iter().all(|x| *x > -1e-10);
        is_feasible.then(|| DVector::from_fn(n, |j, _| slack(j)))
    })
}

#[test]
fn the_slack_of_few_rows_is_that_of_every_complementary_basis() {
    let mut rng = Rng::with_seed(1);
    let mut lemke = Lemke::new();
    let (mut solved, mut rays) = (0, 0);
    for _ in 0..count(20_000) {
        let n = rng.usize(1..7);
        let rank = rng.usize(1..n + 1);
        let m = semidefinite(&mut rng, n, rank);
        let q = vector(&mut rng, n);
        let other = by_enumeration(&m, &q);
        match lemke.solve(m.as_slice(), q.as_slice()) {
            LemkeEnd::Solved => {
                solved += 1;
                let size = lemke.z().iter().fold(1.0f64, |a, b| a.max(*b));
                assert!(breach(&m, &q, lemke.z(), lemke.w()) < 1e-11 * size);
                let other = other.unwrap_or_else(|| panic!("no basis solves {m} {q}"));
                for i in 0..n {
                    assert!((lemke.w()[i] - other[i]).abs() < 1e-9 * size, "{m} {q}");
                }
            }
            LemkeEnd::Ray => {
                rays += 1;
                assert_eq!(other, None, "{m} {q}");
                let y = DVector::from_column_slice(lemke.ray());
                assert!(y.min() >= 0.0 && (&m * &y).amax() < 1e-9 * y.amax());
                assert!(q.dot(&y) < 0.0, "{m} {q} {y}");
            }
            end => panic!("{end:?}: {m} {q}"),
        }
    }
    assert!(
        solved > count(10_000) && rays > count(500),
        "{solved} {rays}"
    );
}

#[test]
fn many_rows_of_any_rank_are_solved_to_round_off() {
    let mut rng = Rng::with_seed(2);
    let mut lemke = Lemke::new();
    for round in 0..count(400).max(12) {
        let n = if round < 2 { 200 } else { rng.usize(7..60) };
        let rank = rng.usize(1..n + 1);
        let m = semidefinite(&mut rng, n, rank);
        let inside = &m * vector(&mut rng, n); // q in the range of M: feasible
        let q = inside.map(|x| if rng.u8(0..4) == 0 { x + rng.f64() } else { x });
        assert_eq!(lemke.solve(m.as_slice(), q.as_slice()), LemkeEnd::Solved);
        let size = lemke.z().iter().fold(1.0f64, |a, b| a.max(*b));
        let miss = breach(&m, &q, lemke.z(), lemke.w());
        assert!(miss < 1e-9 * size, "n = {n}, rank {rank}: {miss:e}");
        assert!(lemke.pivots() < 6 * n + 20, "{n}: {}", lemke.pivots());
    }
}

/// Second route for many rows: projected Gauss–Seidel started at the solution stays there.
#[test]
fn a_sweep_of_projected_gauss_seidel_leaves_the_solution_where_it_is() {
    let mut rng = Rng::with_seed(3);
    let mut lemke = Lemke::new();
    for _ in 0..count(1_000) {
        let n = rng.usize(7..40);
        let m = semidefinite(&mut rng, n, n) + DMatrix::identity(n, n) * 0.1;
        let q = vector(&mut rng, n);
        assert_eq!(lemke.solve(m.as_slice(), q.as_slice()), LemkeEnd::Solved);
        let mut swept = DVector::from_column_slice(lemke.z());
        for i in 0..n {
            let slack = m.row(i).transpose().dot(&swept) + q[i];
            swept[i] = (swept[i] - slack / m[(i, i)]).max(0.0);
        }
        let moved = (&swept - DVector::from_column_slice(lemke.z())).amax();
        assert!(moved < 1e-12 * swept.amax().max(1.0), "{moved:e}");
    }
}

#[test]
fn a_problem_without_a_solution_ends_on_a_ray_that_proves_it() {
    let mut lemke = Lemke::new();
    // z1 − z2 + q1 >= 0 and z2 − z1 + q2 >= 0 ask q1 + q2 >= 0.
    let end = lemke.solve(&[1.0, -1.0, -1.0, 1.0], &[-2.0, 1.0]);
    assert_eq!(end, LemkeEnd::Ray);
    assert_eq!(lemke.ray()[0], lemke.ray()[1]);
    assert!(lemke.ray()[0] > 0.0);
    assert_eq!(lemke.solve(&[0.0], &[-1.0]), LemkeEnd::Ray);
    assert_eq!(lemke.solve(&[0.0], &[1.0]), LemkeEnd::Solved);
}

#[test]
fn ties_and_repeated_rows_do_not_cycle() {
    let mut rng = Rng::with_seed(4);
    let mut lemke = Lemke::new();
    for _ in 0..count(5_000) {
        let n = rng.usize(1..9);
        let rank = rng.usize(1..4);
        let x = DMatrix::from_fn(rank, n, |_, _| f64::from(rng.i8(-1..=1)));
        let m = x.transpose() * &x;
        let drive = DVector::from_fn(rank, |_, _| f64::from(rng.i8(-2..=2)));
        let q = x.transpose() * drive; // feasible, full of zeros and ties
        assert_eq!(lemke.solve(m.as_slice(), q.as_slice()), LemkeEnd::Solved);
        assert!(breach(&m, &q, lemke.z(), lemke.w()) < 1e-11, "{m} {q}");
    }
    assert_eq!(lemke.solve(&[1.0; 9], &[-1.0; 3]), LemkeEnd::Solved);
    assert_eq!(lemke.solve(&[0.0; 9], &[0.0; 3]), LemkeEnd::Solved);
    assert_eq!((lemke.z(), lemke.w()), (&[0.0; 3][..], &[0.0; 3][..]));
    assert_eq!(lemke.solve(&[], &[]), LemkeEnd::Solved);
}

#[test]
fn units_of_rows_and_of_q_scale_the_solution_exactly() {
    let mut rng = Rng::with_seed(5);
    for _ in 0..count(2_000) {
        let n = rng.usize(1..7);
        let m = semidefinite(&mut rng, n, n);
        let q = vector(&mut rng, n);
        let mut plain = Lemke::new();
        let mut scaled = Lemke::new();
        let units: Vec<f64> = (0..n).map(|_| f64::from(rng.i32(-60..60)).exp2()).collect();
        let size = f64::from(rng.i32(-60..60)).exp2();
        let m_scaled = DMatrix::from_fn(n, n, |i, j| units[i] * m[(i, j)] * units[j]);
        let q_scaled = DVector::from_fn(n, |i, _| units[i] * q[i] * size);
        let end = plain.solve(m.as_slice(), q.as_slice());
        assert_eq!(scaled.solve(m_scaled.as_slice(), q_scaled.as_slice()), end);
        for i in 0..n {
            assert_eq!(scaled.z()[i], plain.z()[i] * size / units[i]);
            assert_eq!(scaled.w()[i], plain.w()[i] * size * units[i]);
        }
    }
}

#[test]
fn undefined_and_overflowing_numbers_are_an_end_of_their_own() {
    let mut lemke = Lemke::new();
    assert_eq!(lemke.solve(&[f64::NAN], &[1.0]), LemkeEnd::NotFinite);
    assert_eq!(lemke.solve(&[1.0], &[f64::INFINITY]), LemkeEnd::NotFinite);
    assert_eq!(lemke.solve(&[1e-300], &[-1e300]), LemkeEnd::NotFinite);
    assert_eq!(lemke.z(), [0.0]);
}

#[test]
fn any_matrix_ends_within_the_limit_and_never_with_a_nan() {
    let mut rng = Rng::with_seed(6);
    let mut lemke = Lemke::new();
    for _ in 0..count(20_000) {
        let n = rng.usize(1..9);
        let wild = |rng: &mut Rng| match rng.u8(0..5) {
            0 => 0.0,
            1 => (rng.f64() - 0.5) * f64::from(rng.i32(-400..400)).exp2(),
            _ => rng.f64() - 0.5,
        };
        let m: Vec<f64> = (0..n * n).map(|_| wild(&mut rng)).collect();
        let q: Vec<f64> = (0..n).map(|_| wild(&mut rng)).collect();
        lemke.solve(&m, &q);
        assert!(lemke.pivots() <= Lemke::pivot_limit(n));
        let mut numbers = lemke.z().iter().chain(lemke.w()).chain(lemke.ray());
        assert!(numbers.all(|x| x.is_finite() && *x >= 0.0));
    }
}
