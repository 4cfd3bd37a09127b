use super::*;

fn close(a: f64, b: f64, bound: f64) -> bool {
    (a - b).abs() <= bound
}

#[test]
fn a_free_body_has_its_threshold_of_sticking() {
    let w = [[1.5, 0.5, -0.5], [0.5, 67.0 / 30.0, 0.6], [-0.5, 0.6, 3.15]];
    let w = SpatialDelassus::new(w).unwrap();
    assert!(close(w.stick_threshold(), 0.352062138632, 1e-12));
    assert_eq!(w.rank(), 3);
    assert!(close(w.jam_threshold(), 1.5 / 0.5f64.sqrt(), 1e-15));
}

#[test]
fn principal_axes_carry_vectors_there_and_back() {
    let mut rng = fastrand::Rng::with_seed(3);
    for _ in 0..1000 {
        let rows: Vec<[f64; 3]> = (0..3)
            .map(|_| [rng.f64() - 0.5, rng.f64() - 0.5, rng.f64() - 0.5])
            .collect();
        let w = SpatialDelassus::from_vectors(&rows[0], [&rows[1], &rows[2]], 1e-15).unwrap();
        let plain = SpatialDelassus::new(*w.matrix()).unwrap();
        let t = [rng.f64() - 0.5, rng.f64() - 0.5];
        let back = w.to_tangents(w.to_axes(t));
        assert!(close(back[0], t[0], 1e-15) && close(back[1], t[1], 1e-15));
        // W_tt t by the axes is W_tt t by the elements.
        let x = w.to_axes(t);
        let moved = w.to_tangents([w.lambda[0] * x[0], w.lambda[1] * x[1]]);
        let direct = w.times(SpatialVector { n: 0.0, t }).t;
        assert!(close(moved[0], direct[0], 1e-15) && close(moved[1], direct[1], 1e-15));
        assert!(
            close(w.sigma, plain.sigma, 1e-11 * w.nn()),
            "{w:?} {plain:?}"
        );
    }
}

#[test]
fn few_degrees_of_freedom_leave_exactly_no_slope_when_stuck() {
    let mut rng = fastrand::Rng::with_seed(4);
    for degrees in [1, 2] {
        for _ in 0..1000 {
            let rows: Vec<Vec<f64>> = (0..3)
                .map(|_| (0..degrees).map(|_| rng.f64() - 0.5).collect())
                .collect();
            let w = SpatialDelassus::from_vectors(&rows[0], [&rows[1], &rows[2]], 1e-15).unwrap();
            assert_eq!((w.nn_stuck(), w.rank()), (0.0, degrees), "{w:?}");
            let plain = SpatialDelassus::new(*w.matrix()).unwrap();
            assert_eq!((plain.nn_stuck(), plain.rank()), (0.0, degrees), "{w:?}");
        }
    }
}

#[test]
fn a_matrix_that_would_create_energy_is_refused_with_its_elements() {
    let bad = [
        [[-1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
        [[1.0, 0.0, 0.0], [0.0, 1.0, 2.0], [0.0, 2.0, 1.0]],
        [[1.0, 0.9, 0.9], [0.9, 1.0, 0.0], [0.9, 0.0, 1.0]],
        [[1.0, 0.1, 0.0], [0.1, 0.0, 0.0], [0.0, 0.0, 1.0]],
        [[1.0, 0.1, 0.0], [0.1, 0.0, 0.0], [0.0, 0.0, 0.0]],
    ];
    for w in bad {
        let error = SpatialDelassus::new(w).unwrap_err();
        assert_eq!(error, DelassusError::NotPositiveInSpace { w });
    }
    let lopsided = [[1.0, 0.1, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let said = SpatialDelassus::new(lopsided).unwrap_err().to_string();
    assert_eq!(
        said,
        "W_nt1 is 0.1 and its mirror image 0, expected W to be symmetric"
    );
}

#[test]
fn no_inertia_at_all_is_rank_zero() {
    let w = SpatialDelassus::new([[0.0; 3]; 3]).unwrap();
    assert_eq!((w.rank(), w.stick_threshold()), (0, 0.0));
}
