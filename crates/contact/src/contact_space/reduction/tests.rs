//! Reduction against the saddle-point system, and its refusals.

use super::*;
use nalgebra::{DMatrix, DVector};

struct Sample {
    mass: DMatrix<f64>,
    rows: DMatrix<f64>,
    joints: DMatrix<f64>,
    velocity: DVector<f64>,
}

fn sample(rng: &mut fastrand::Rng, n: usize, m: usize) -> Sample {
    let mut matrix = |rows, columns| DMatrix::from_fn(rows, columns, |_, _| rng.f64() - 0.5);
    let a = matrix(n, n);
    Sample {
        mass: &a * a.transpose() + DMatrix::identity(n, n) * 0.05,
        rows: matrix(2, n),
        joints: matrix(m, n),
        velocity: matrix(n, 1).column(0).into_owned(),
    }
}

fn row_major(m: &DMatrix<f64>) -> Vec<f64> {
    m.transpose().as_slice().to_vec()
}

fn reduce(s: &Sample) -> ContactSpace {
    let mut space = ContactSpace::new();
    space
        .reduce(&Mechanism {
            mass: s.mass.as_slice(),
            velocity: s.velocity.as_slice(),
            rows: &row_major(&s.rows),
            constraints: &row_major(&s.joints),
        })
        .unwrap();
    space
}

/// Second route: the textbook saddle-point system of multipliers, by LU.
fn saddle_point(s: &Sample, p: &DVector<f64>) -> (DVector<f64>, DVector<f64>) {
    let (n, m) = (s.mass.nrows(), s.joints.nrows());
    let mut k = DMatrix::zeros(n + m, n + m);
    k.view_mut((0, 0), (n, n)).copy_from(&s.mass);
    k.view_mut((0, n), (n, m))
        .copy_from(&(-s.joints.transpose()));
    k.view_mut((n, 0), (m, n)).copy_from(&s.joints);
    let mut b = DVector::zeros(n + m);
    b.rows_mut(0, n).copy_from(&(s.rows.transpose() * p));
    let x = k.lu().solve(&b).unwrap();
    (x.rows(0, n).into_owned(), x.rows(n, m).into_owned())
}

#[test]
fn impulses_move_a_constrained_mechanism_as_the_saddle_point_system_says() {
    let mut rng = fastrand::Rng::with_seed(6);
    for _ in 0..300 {
        let n = rng.usize(2..13);
        let m = rng.usize(0..n - 1);
        let s = sample(&mut rng, n, m);
        let space = reduce(&s);
        assert_eq!(space.degrees_of_freedom(), n - m);
        let p = DVector::from_vec(vec![rng.f64(), rng.f64() - 0.5]);
        let (jump, multipliers) = saddle_point(&s, &p);
        let mut found = vec![0.0; n];
        space.apply(p.as_slice(), &mut found);
        let mut impulses = vec![0.0; m];
        space.constraint_impulses(p.as_slice(), &mut impulses);
        let scale = jump.amax().max(1.0);
        for i in 0..n {
            assert!((found[i] - jump[i]).abs() < 1e-10 * scale);
        }
        let scale = multipliers.iter().fold(1.0f64, |a, b| a.max(b.abs()));
        for j in 0..m {
            assert!((impulses[j] - multipliers[j]).abs() < 1e-9 * scale);
            assert!(space.constraint_is_unique(j));
        }
        let (w, _) = space.planar(0, 1).unwrap();
        let gained = &s.rows * jump;
        let expected = w.times(crate::contact_space::PlanarVector { n: p[0], t: p[1] });
        let scale = (w.nn() + w.tt()).max(1.0);
        assert!((gained[0] - expected.n).abs() < 1e-10 * scale);
        assert!((gained[1] - expected.t).abs() < 1e-10 * scale);
    }
}

#[test]
fn a_doubled_constraint_changes_no_motion_and_shares_its_impulse() {
    let mut rng = fastrand::Rng::with_seed(7);
    let mut s = sample(&mut rng, 5, 2);
    let once = reduce(&s);
    s.joints = s.joints.clone().insert_row(2, 0.0);
    let copy = s.joints.row(1).into_owned();
    s.joints.row_mut(2).copy_from(&copy);
    let twice = reduce(&s);
    let p = [0.7, -0.2];
    let (mut a, mut b) = (vec![0.0; 5], vec![0.0; 5]);
    once.apply(&p, &mut a);
    twice.apply(&p, &mut b);
    for i in 0..5 {
        assert!((a[i] - b[i]).abs() < 1e-13);
    }
    let (mut single, mut shared) = (vec![0.0; 2], vec![0.0; 3]);
    once.constraint_impulses(&p, &mut single);
    twice.constraint_impulses(&p, &mut shared);
    assert!((shared[0] - single[0]).abs() < 1e-12);
    assert!((shared[1] - 0.5 * single[1]).abs() < 1e-12);
    assert_eq!(
        [0, 1, 2].map(|j| twice.constraint_is_unique(j)),
        [true, false, false]
    );
}

#[test]
fn a_contact_on_a_constrained_point_has_no_mobility_at_all() {
    let mut space = ContactSpace::new();
    space
        .reduce(&Mechanism {
            mass: &[2.0, 0.3, 0.3, 1.0],
            velocity: &[0.0, 1.0],
            rows: &[0.3, 0.1, 1.0, 0.0],
            constraints: &[3.0, 1.0],
        })
        .unwrap();
    let (w, _) = space.planar(0, 1).unwrap();
    assert_eq!((w.nn(), w.nt()), (0.0, 0.0));
    assert!(w.tt() > 0.0);
}

fn refusal(mass: &[f64], velocity: &[f64], rows: &[f64]) -> String {
    ContactSpace::new()
        .reduce(&Mechanism {
            mass,
            velocity,
            rows,
            constraints: &[],
        })
        .unwrap_err()
        .to_string()
}

#[test]
fn a_malformed_mechanism_is_refused_with_its_fault() {
    let unit = [1.0, 0.0, 0.0, 1.0];
    let (v, j) = ([0.0, -1.0], [0.0, 1.0, 1.0, 0.0]);
    assert!(refusal(&[1.0, 0.5, 0.1, 1.0], &v, &j).contains("[0][1] is 0.5 but [1][0] is 0.1"));
    assert!(refusal(&[1.0, 2.0, 2.0, 1.0], &v, &j).contains("pivot 1 is -3.0"));
    assert!(refusal(&[-1.0, 0.0, 0.0, 1.0], &v, &j).contains("pivot 0 is -1.0"));
    assert!(refusal(&unit[..3], &v, &j).contains("mass has 3 elements, expected 4"));
    assert!(refusal(&unit, &[0.0, f64::NAN], &j).contains("velocity: element 1 is NaN"));
    assert!(refusal(&unit, &v, &j[..3]).contains("contact rows has 3 elements"));
    assert!(refusal(&unit, &[1e300, 0.0], &[0.0, 1.0, 1e300, 0.0]).contains("overflows"));
    assert!(refusal(&[], &[], &[]).contains("velocity has 0 elements"));
}

#[test]
fn after_a_refusal_nothing_of_an_earlier_mechanism_is_left() {
    let mut rng = fastrand::Rng::with_seed(8);
    let mut space = reduce(&sample(&mut rng, 4, 1));
    let refused = space.reduce(&Mechanism {
        mass: &[1.0, 2.0, 2.0, 1.0],
        velocity: &[0.0, -1.0],
        rows: &[0.0, 1.0],
        constraints: &[],
    });
    assert!(refused.is_err());
    assert_eq!(
        (space.coordinates(), space.rows(), space.constraints()),
        (0, 0, 0)
    );
    space.apply(&[], &mut []);
    space.constraint_impulses(&[], &mut []);
    assert_eq!(space.degrees_of_freedom(), 0);
}

/// A locked rotation (inertia 1e30) or a light wheel (1e-40) made W look singular, because the
/// judgement compared pivots of different units.
#[test]
fn whether_w_is_singular_does_not_depend_on_units() {
    for power in (-40..=40).step_by(5) {
        let inertia = 10f64.powi(power);
        let arm = inertia.sqrt(); // so that the rotation matters at the contact
        let mut space = ContactSpace::new();
        space
            .reduce(&Mechanism {
                mass: &[1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, inertia],
                velocity: &[0.3, -1.0, 0.0],
                rows: &[0.0, 1.0, 0.5 * arm, 1.0, 0.0, arm],
                constraints: &[],
            })
            .unwrap();
        let (w, _) = space.planar(0, 1).unwrap();
        // W = [[1.25, 0.5], [0.5, 2]] in every unit.
        assert!((w.nn_stuck() - 1.125).abs() < 1e-12, "1e{power}: {w:?}");
    }
}
