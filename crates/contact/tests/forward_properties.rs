//! What does not depend on names, units and handedness; and questions that are refused.
#![allow(clippy::unwrap_used, clippy::panic)]

mod common;

use carom_contact::forward::counts::count_along;
use carom_contact::forward::lines::acceleration_plane;
use carom_contact::forward::map::{region_label, region_map};
use carom_contact::forward::rod::Rod;
use carom_contact::forward::scalar::ScalarFriction;
use carom_contact::forward::screw::Screw;
use carom_contact::forward::{
    ForwardInputError, ForwardProblem, ForwardResult, Mode, answers, pieces, solve,
};
use carom_contact::impact::Law;
use carom_contact::resolution::{seizures, solve_and_resolve};
use common::{assert_close, between, chance, count, either_sign};
use fastrand::Rng;

fn list(rng: &mut Rng, n: usize, most: f64) -> Vec<f64> {
    (0..n).map(|_| either_sign(rng, most)).collect()
}

fn spd(rng: &mut Rng, n: usize) -> Vec<Vec<f64>> {
    let a: Vec<Vec<f64>> = (0..n).map(|_| list(rng, n, 1.0)).collect();
    let dot = |i: usize, j: usize| a[i].iter().zip(&a[j]).map(|(x, y)| x * y).sum::<f64>();
    let element = |i: usize, j: usize| dot(i, j) + if i == j { 0.3 } else { 0.0 };
    (0..n)
        .map(|i| (0..n).map(|j| element(i, j)).collect())
        .collect()
}

fn random_problem(rng: &mut Rng, n: usize) -> ForwardProblem {
    let strength = between(rng, 0.0, 1.5);
    ForwardProblem {
        inertia: spd(rng, n),
        bias: list(rng, n, 1.0),
        load_matrix: (0..n).map(|_| list(rng, n, 1.0)).collect(),
        load_offset: list(rng, n, 1.0),
        friction: (0..n).map(|_| (strength * rng.f64()).into()).collect(),
        velocity: (0..n)
            .map(|_| {
                if chance(rng, 0.3) {
                    0.0
                } else {
                    either_sign(rng, 1.0)
                }
            })
            .collect(),
        force: list(rng, n, 3.0),
        contacts: Vec::new(),
    }
}

/// P33: a = 1, b = 0.2, c = 2, d = 3.
fn dupont(mu: f64, tau: f64, velocity: f64) -> ForwardProblem {
    ForwardProblem {
        inertia: vec![vec![1.0]],
        bias: vec![0.2],
        load_matrix: vec![vec![2.0]],
        load_offset: vec![3.0],
        friction: vec![mu.into()],
        velocity: vec![velocity],
        force: vec![tau],
        contacts: Vec::new(),
    }
}

#[test]
fn the_scalar_benchmark_is_met() {
    let wanted: [(f64, f64, &[f64]); 6] = [
        (1.0, 1.0, &[-5.3333333333, -0.6153846154]),
        (1.0, -1.0, &[]),
        (1.0, 0.0, &[0.0]),
        (-3.0, 1.0, &[]),
        (-3.0, -1.0, &[-2.1538461538, 1.3333333333]),
        (-3.0, 0.0, &[-2.1538461538]),
    ];
    for (tau, velocity, accelerations) in wanted {
        let found = solve(&dupont(0.8, tau, velocity)).unwrap();
        assert!(!found.unique_for_every_force);
        assert_eq!(found.answers.len(), accelerations.len(), "{tau} {velocity}");
        for (answer, x) in found.answers.iter().zip(accelerations) {
            assert_close("q̈", answer.acceleration[0], *x, 1e-10);
        }
    }
    for velocity in [1.0, 0.0, -1.0] {
        assert!(
            solve(&dupont(0.3, 1.0, velocity))
                .unwrap()
                .unique_for_every_force
        );
        for k in -40..40 {
            let found = answers(&dupont(0.3, 0.3 * f64::from(k), velocity)).unwrap();
            assert_eq!(found.count(), Some(1));
        }
    }
}

#[test]
fn the_mirror_image_has_mirrored_answers() {
    let mut rng = Rng::with_seed(301);
    for _ in 0..count(4_000) {
        let n = rng.usize(1..5);
        let problem = random_problem(&mut rng, n);
        let minus = |list: &[f64]| list.iter().map(|x| -x).collect::<Vec<f64>>();
        let mirrored = ForwardProblem {
            bias: minus(&problem.bias),
            load_offset: minus(&problem.load_offset),
            velocity: minus(&problem.velocity),
            force: minus(&problem.force),
            ..problem.clone()
        };
        let (a, b) = (answers(&problem).unwrap(), answers(&mirrored).unwrap());
        assert_eq!(a.count(), b.count());
        for (x, y) in a.answers.iter().zip(b.answers.iter().rev()) {
            for (p, q) in x.acceleration.iter().zip(&y.acceleration) {
                assert_close("q̈", *p, -q, 1e-12 * (1.0 + p.abs()));
            }
            for (p, q) in x.mode.iter().zip(&y.mode) {
                let turned = match q {
                    Mode::OnsetForward => Mode::OnsetBackward,
                    Mode::OnsetBackward => Mode::OnsetForward,
                    other => *other,
                };
                assert_eq!(*p, turned);
            }
        }
    }
}

#[test]
fn other_units_and_another_order_of_coordinates_change_nothing() {
    let mut rng = Rng::with_seed(302);
    for _ in 0..count(4_000) {
        let n = rng.usize(2..5);
        let problem = random_problem(&mut rng, n);
        let mut order: Vec<usize> = (0..n).collect();
        rng.shuffle(&mut order);
        let unit: Vec<f64> = (0..n)
            .map(|_| 10f64.powf(either_sign(&mut rng, 4.0)))
            .collect();
        let force_unit: Vec<f64> = unit.iter().map(|x| 1.0 / x).collect();
        // q = unit·q': forces and inertia follow; loads keep their own unit.
        let list = |from: &[f64], factor: &[f64]| -> Vec<f64> {
            order.iter().map(|i| from[*i] / factor[*i]).collect()
        };
        let moved = ForwardProblem {
            inertia: order
                .iter()
                .map(|i| {
                    order
                        .iter()
                        .map(|j| problem.inertia[*i][*j] * unit[*i] * unit[*j])
                        .collect()
                })
                .collect(),
            bias: list(&problem.bias, &force_unit),
            force: list(&problem.force, &force_unit),
            load_matrix: order
                .iter()
                .map(|i| {
                    order
                        .iter()
                        .map(|j| problem.load_matrix[*i][*j] * unit[*j])
                        .collect()
                })
                .collect(),
            load_offset: order.iter().map(|i| problem.load_offset[*i]).collect(),
            friction: order
                .iter()
                .map(|i| (problem.friction[*i].mu_d * unit[*i]).into())
                .collect(),
            velocity: order.iter().map(|i| problem.velocity[*i]).collect(),
            contacts: Vec::new(),
        };
        let (a, b) = (answers(&problem).unwrap(), answers(&moved).unwrap());
        assert_eq!(a.count(), b.count(), "{problem:?}");
        for answer in &a.answers {
            let size = answer
                .acceleration
                .iter()
                .fold(1.0f64, |most, x| most.max(x.abs()));
            let is_it = |other: &&carom_contact::forward::Answer| {
                order.iter().enumerate().all(|(k, i)| {
                    (other.acceleration[k] * unit[*i] - answer.acceleration[*i]).abs() < 1e-8 * size
                })
            };
            assert!(b.answers.iter().any(|o| is_it(&o)), "{problem:?}");
        }
    }
}

#[test]
fn friction_never_feeds_a_moving_coordinate() {
    let mut rng = Rng::with_seed(303);
    let mut checked = 0;
    for _ in 0..count(10_000) {
        let n = rng.usize(1..6);
        let problem = random_problem(&mut rng, n);
        for answer in answers(&problem).unwrap().answers {
            let power = answer
                .friction_force
                .iter()
                .zip(&problem.velocity)
                .map(|(f, v)| f * v);
            assert!(power.clone().all(|p| p >= 0.0), "{problem:?}");
            checked += 1;
        }
    }
    assert!(checked > 50, "{checked}");
}

#[test]
fn every_piece_is_an_answer_or_refuted() {
    let mut rng = Rng::with_seed(304);
    for _ in 0..count(2_000) {
        let n = rng.usize(1..5);
        let problem = random_problem(&mut rng, n);
        let result = solve(&problem).unwrap();
        let table = pieces(&problem).unwrap();
        let consistent = table.iter().filter(|row| row.is_consistent).count();
        assert_eq!(consistent, result.answers.len());
        assert_eq!(table.len(), consistent + result.refuted.len());
        assert_eq!(result.refuted_count, result.refuted.len());
        for refuted in &result.refuted {
            assert!(
                refuted.missed_by.is_some_and(|miss| miss > 0.0),
                "{refuted:?}"
            );
            assert!(refuted.sentence.contains(refuted.inequality.text()));
        }
    }
}

#[test]
fn a_result_survives_the_file_it_is_written_to() {
    let mut rng = Rng::with_seed(305);
    for _ in 0..count(1_000) {
        let n = rng.usize(1..4);
        let mut problem = random_problem(&mut rng, n);
        if chance(&mut rng, 0.3) {
            problem.friction[0].mu_s *= 1.5;
        }
        let text = serde_json::to_string(&problem).unwrap();
        assert_eq!(
            serde_json::from_str::<ForwardProblem>(&text).unwrap(),
            problem
        );
        let result = solve_and_resolve(&problem, 0.0, Law::Poisson).unwrap();
        let text = serde_json::to_string(&result).unwrap();
        assert_eq!(
            serde_json::from_str::<ForwardResult>(&text).unwrap(),
            result,
            "{text}"
        );
    }
    let result = solve(&dupont(0.3, 1.0, 1.0)).unwrap();
    let value = serde_json::to_value(&result).unwrap();
    for key in [
        "count",
        "answers",
        "continua",
        "refuted",
        "unique_for_every_force",
        "friction_margin",
        "degree",
        "condition",
        "witness",
        "resolution",
    ] {
        assert!(value.get(key).is_some(), "{key}");
    }
    assert!(value["resolution"].is_null() && value["witness"].is_null());
}

#[test]
fn counts_along_a_line_of_forces_change_only_at_the_breaks() {
    let mut rng = Rng::with_seed(306);
    let mut changes = 0;
    for _ in 0..count(2_000) {
        let n = rng.usize(1..4);
        let mut problem = random_problem(&mut rng, n);
        let direction = list(&mut rng, n, 1.0);
        let line = count_along(&problem, &direction).unwrap();
        let start = problem.force.clone();
        let (low, high) = match (line.breaks.first(), line.breaks.last()) {
            (Some(low), Some(high)) => (low - 1.0, high + 1.0),
            _ => (-5.0, 5.0),
        };
        for _ in 0..20 {
            let t = between(&mut rng, low, high);
            let i = line.rows.iter().rposition(|row| row.at <= t).unwrap();
            let row = &line.rows[i];
            let between_rows = if row.at_break { &line.rows[i + 1] } else { row };
            let gap = line
                .breaks
                .iter()
                .map(|b| (b - t).abs())
                .fold(f64::INFINITY, f64::min);
            if gap < 1e-9 * (1.0 + t.abs()) {
                continue;
            }
            for k in 0..n {
                problem.force[k] = start[k] + t * direction[k];
            }
            let found = answers(&problem).unwrap().count();
            assert_eq!(found, between_rows.count, "{t} {line:?} {problem:?}");
        }
        let counts = line.rows.iter().filter(|row| !row.at_break);
        let list: Vec<_> = counts.map(|row| row.count).collect();
        changes += list.windows(2).filter(|pair| pair[0] != pair[1]).count();
    }
    assert!(changes > 3, "{changes}");
}

#[test]
fn lines_of_two_constraints_meet_in_the_answers() {
    let mut rng = Rng::with_seed(307);
    let mut met = 0;
    for _ in 0..count(4_000) {
        let problem = random_problem(&mut rng, 2);
        let plane = acceleration_plane(&problem).unwrap();
        for q in &plane.intersections {
            for line in &plane.constraints {
                let holds = |arm: &carom_contact::forward::lines::Arm| {
                    let offset = [q[0] - arm.point[0], q[1] - arm.point[1]];
                    let t = offset[0] * arm.direction[0] + offset[1] * arm.direction[1];
                    let off = offset[0] * arm.direction[1] - offset[1] * arm.direction[0];
                    let room = 1e-9 * (1.0 + q[0].abs() + q[1].abs());
                    off.abs() < room
                        && arm.bounds[0].is_none_or(|low| t > low - room)
                        && arm.bounds[1].is_none_or(|high| t < high + room)
                };
                assert!(line.arms.iter().any(holds), "{problem:?} {q:?}");
                met += 1;
            }
        }
    }
    assert!(met > 40, "{met}");
}

#[test]
fn the_graph_shows_the_vertex_the_band_and_the_jumps() {
    let scalar = ScalarFriction::of(&dupont(0.3, 0.0, 1.0)).unwrap();
    // Inside the static band a slowing slide ends in stick; below it the velocity reverses.
    let graph = scalar.graph(0.5, -4.0, 4.0).unwrap();
    assert_close("band", graph.static_band[0], 0.2 - 0.9, 1e-15);
    assert_close("band", graph.static_band[1], 0.2 + 0.9, 1e-15);
    assert_close("vertex", graph.vertex.unwrap().acceleration, -1.5, 1e-15);
    assert_close("zero load", graph.zero_load.unwrap(), -1.5, 1e-15);
    assert_eq!(graph.branches.len(), 4);
    assert_eq!(graph.answers.len(), 3);
    let stick = graph.transitions.iter().find(|t| t.velocity == 1).unwrap();
    assert_eq!((stick.mode, stick.to), (Mode::Stick, 0.0));
    let low = scalar.graph(-1.0, -4.0, 4.0).unwrap();
    let reversal = low.transitions.iter().find(|t| t.velocity == 1).unwrap();
    assert_eq!(reversal.mode, Mode::OnsetBackward);
    let lower = low.answers.iter().find(|a| a.velocity == -1).unwrap();
    assert_close("reversal", reversal.to, lower.acceleration, 1e-15);
    for branch in &graph.branches {
        for end in branch.ends {
            let found = scalar.answers(end.force, f64::from(branch.velocity));
            let near = |a: &carom_contact::forward::scalar::ScalarAnswer| {
                (a.acceleration - end.acceleration).abs() < 1e-9
            };
            assert!(found.iter().any(near), "{branch:?}");
        }
    }
    assert!(scalar.graph(0.0, 1.0, -1.0).is_err());
}

#[test]
fn a_seizure_is_admissible_exactly_above_the_critical_friction() {
    let mut rng = Rng::with_seed(308);
    let mut seized = 0;
    for _ in 0..count(10_000) {
        let mut problem = random_problem(&mut rng, 1);
        problem.velocity[0] = between(&mut rng, 0.1, 2.0);
        let (a, c) = (problem.inertia[0][0], problem.load_matrix[0][0]);
        let jumps = seizures(&problem).unwrap();
        assert_eq!(
            jumps.len(),
            usize::from(problem.friction[0].mu_d * c.abs() >= a)
        );
        for jump in jumps {
            seized += 1;
            assert_close(
                "P_f",
                jump.friction_impulse[0],
                -a * problem.velocity[0],
                1e-14,
            );
            assert_close(
                "P_n",
                jump.normal_impulse[0],
                -c * problem.velocity[0],
                1e-14,
            );
            assert_eq!(jump.velocity_after, Some(vec![0.0]));
        }
    }
    assert!(seized > 3, "{seized}");
}

#[test]
fn seizures_of_several_coordinates_obey_coulomb_on_impulses_and_lose_energy() {
    let mut rng = Rng::with_seed(309);
    let (mut found, mut resolved, mut none) = (0, 0, 0);
    for _ in 0..count(6_000) {
        let n = rng.usize(2..5);
        let mut problem = random_problem(&mut rng, n);
        problem.velocity = list(&mut rng, n, 1.0);
        for given in &mut problem.friction {
            *given = (2.0 * given.mu_d).into();
        }
        for jump in seizures(&problem).unwrap() {
            found += 1;
            assert!(jump.energy_loss > 0.0, "{problem:?} {jump:?}");
            for i in 0..n {
                let most = problem.friction[i].mu_d * jump.normal_impulse[i].abs();
                assert!(jump.friction_impulse[i].abs() <= most * (1.0 + 1e-9) + 1e-12);
                let after = jump.velocity_after.as_ref().unwrap()[i];
                assert!(after * problem.velocity[i] >= 0.0);
            }
        }
        if answers(&problem).unwrap().count() == Some(0) {
            none += 1;
            let result = solve_and_resolve(&problem, 0.0, Law::Poisson).unwrap();
            resolved += usize::from(result.resolution.is_some());
        }
    }
    assert!(
        found > 0 && none > 0 && resolved > 0,
        "{found} {none} {resolved}"
    );
}

#[test]
fn screw_forms_agree_and_past_a_right_angle_only_first_principles_hold() {
    let mut rng = Rng::with_seed(310);
    let mut compared = 0;
    for _ in 0..count(20_000) {
        let screw = Screw {
            inertia: between(&mut rng, 1e-4, 1e-2),
            mass: between(&mut rng, 1.0, 400.0),
            lead: between(&mut rng, 1e-3, 1e-2),
            helix: between(&mut rng, 0.05, 1.2),
            thread: between(&mut rng, 0.0, 0.5),
            friction: between(&mut rng, 0.0, 0.6).into(),
            gravity: 9.81,
            velocity: if rng.bool() { 1.0 } else { -1.0 },
            force: either_sign(&mut rng, 5.0),
        };
        let numbers = screw.numbers().unwrap();
        if screw.helix + numbers.rho > 1.5 {
            continue;
        }
        compared += 1;
        // The textbook's efficiencies: slope and load by the sign of the load torque.
        let weight = screw.mass * screw.gravity * screw.lead;
        let mut wanted: Vec<f64> = Vec::new();
        for (inverse, slope, same) in [
            (
                numbers.inverse_efficiency_driving,
                numbers.slope_driving,
                true,
            ),
            (
                numbers.inverse_efficiency_driven,
                numbers.slope_driven,
                false,
            ),
        ] {
            let x = (screw.force - weight * inverse) / slope;
            let load = screw.mass * screw.lead * screw.lead * x + weight;
            if (load * screw.velocity > 0.0) == same {
                wanted.push(x);
            }
        }
        wanted.sort_by(f64::total_cmp);
        let found = answers(&screw.problem().unwrap()).unwrap();
        assert_eq!(found.count(), Some(wanted.len()), "{screw:?}");
        let closed = screw.scalar().unwrap().answers(screw.force, screw.velocity);
        for ((a, b), x) in found.answers.iter().zip(closed.iter()).zip(&wanted) {
            assert_close("q̈", a.acceleration[0], *x, 1e-8 * (1.0 + x.abs()));
            assert_close("q̈", b.acceleration, *x, 1e-8 * (1.0 + x.abs()));
        }
        let unique = solve(&screw.problem().unwrap())
            .unwrap()
            .unique_for_every_force;
        let below = numbers
            .critical_friction
            .is_none_or(|mu| screw.friction.mu_d < mu);
        assert_eq!(unique, below, "{screw:?}");
    }
    assert!(compared > 100, "{compared}");
}

#[test]
fn a_map_of_counts_has_its_boundary_on_the_vertex_and_band_forces() {
    let forces: Vec<f64> = (0..12).map(|k| -4.0 + 0.71 * f64::from(k)).collect();
    let offsets: Vec<f64> = (0..10).map(|k| 0.53 + 0.31 * f64::from(k)).collect();
    let at = |force, offset| ForwardProblem {
        load_offset: vec![offset],
        ..dupont(0.8, force, 1.0)
    };
    let map = region_map(
        &forces,
        &offsets,
        |f, d| region_label(&at(f, d)),
        |_, _| Vec::new(),
    )
    .unwrap();
    let [boundary] = &map.boundaries[..] else {
        panic!("{:?}", map.boundaries)
    };
    assert_eq!(boundary.between, ["0".to_owned(), "2".to_owned()]);
    for [force, offset] in boundary.segments.iter().flatten() {
        assert_close("vertex", *force, 0.2 - offset / 2.0, 1e-10);
    }
    assert!(boundary.segments.len() > 8);
}

#[test]
fn families_of_two_dimensions_are_boxed() {
    let problem = ForwardProblem {
        inertia: vec![vec![1.0, 0.0], vec![0.0, 1.0]],
        bias: vec![0.0, 0.0],
        load_matrix: vec![vec![2.0, 0.0], vec![0.0, 2.0]],
        load_offset: vec![1.0, -1.0],
        friction: vec![0.5.into(), 0.5.into()],
        velocity: vec![1.0, 1.0],
        force: vec![-0.5, 0.5],
        contacts: Vec::new(),
    };
    let result = solve(&problem).unwrap();
    assert_eq!((result.count, result.degree), (None, None));
    assert!(result.answers.is_empty(), "{:?}", result.answers);
    let family = &result.continua[0];
    assert_eq!((result.continua.len(), family.dimension), (1, 2));
    for (direction, bounds) in family.direction.iter().zip(&family.bounds) {
        let axis = usize::from(direction[1] == 1.0);
        assert_eq!(bounds[0], None);
        assert_close("bound", bounds[1].unwrap(), [-0.5, 0.5][axis], 1e-12);
    }
    // At rest the same singular pieces are cut by the sign of the acceleration.
    let rest = ForwardProblem {
        velocity: vec![0.0, 0.0],
        ..problem
    };
    let result = solve(&rest).unwrap();
    assert_eq!(result.count, None);
    let text = serde_json::to_string(&result).unwrap();
    assert!(!text.contains("NaN") && !text.contains("inf"));
}

#[track_caller]
fn refused(problem: &ForwardProblem, path: &str, said: &str) {
    let error = solve(problem).unwrap_err();
    assert_eq!(error.path(), path, "{error}");
    assert!(error.to_string().contains(said), "{error}");
}

#[test]
fn malformed_questions_are_refused_with_place_and_what_is_allowed() {
    let good = dupont(0.3, 1.0, 1.0);
    let with = |change: &dyn Fn(&mut ForwardProblem)| {
        let mut bad = good.clone();
        change(&mut bad);
        bad
    };
    refused(
        &with(&|p| p.force.clear()),
        "force",
        "expected at least one",
    );
    refused(
        &with(&|p| p.bias.push(1.0)),
        "bias",
        "has 2 elements, expected 1",
    );
    refused(
        &with(&|p| p.force[0] = f64::NAN),
        "force[0]",
        "is NaN, expected zero or a size",
    );
    refused(
        &with(&|p| p.inertia[0][0] = -1.0),
        "inertia[0]",
        "not positive definite",
    );
    refused(
        &with(&|p| p.inertia[0][0] = f64::INFINITY),
        "inertia[0][0]",
        "is inf",
    );
    refused(
        &with(&|p| p.load_matrix[0][0] = 1e200),
        "load_matrix[0][0]",
        "from 1e-100 to 1e100",
    );
    refused(
        &with(&|p| p.load_offset.clear()),
        "load_offset",
        "has 0 elements, expected 1",
    );
    refused(
        &with(&|p| p.friction[0] = (-0.1).into()),
        "friction[0]",
        "expected a finite number >= 0",
    );
    refused(
        &with(&|p| p.friction[0].mu_s = 0.1),
        "friction[0]",
        "expected static >= kinetic",
    );
    refused(
        &with(&|p| p.velocity.clear()),
        "velocity",
        "has 0 elements, expected 1",
    );
    let mut rng = Rng::with_seed(311);
    let mut skew = random_problem(&mut rng, 2);
    skew.inertia[0][1] += 0.1;
    refused(&skew, "inertia[0][1]", "is not symmetric");
    let mut many = random_problem(&mut rng, 13);
    for given in &mut many.friction {
        *given = 0.1.into();
    }
    let error = solve(&many).unwrap_err();
    assert_eq!(error, ForwardInputError::TooManyElements { found: 13 });
    assert!(error.to_string().contains("expected at most 12"), "{error}");
    // A coordinate without friction has one pattern and does not count.
    many.friction[3] = 0.0.into();
    assert!(answers(&many).is_ok());
}

#[test]
fn malformed_shorthands_are_refused() {
    let screw = Screw {
        inertia: 0.002,
        mass: 50.0,
        lead: 0.003,
        helix: 0.3,
        thread: 0.25,
        friction: 0.1.into(),
        gravity: 9.81,
        velocity: 1.0,
        force: 2.5,
    };
    let error = Screw {
        helix: 1.6,
        ..screw
    }
    .solve()
    .unwrap_err();
    assert_eq!(
        (
            error.path().as_str(),
            error.to_string().contains("between 0 and 90 deg")
        ),
        ("screw.helix", true)
    );
    let error = Screw { mass: 0.0, ..screw }.solve().unwrap_err();
    assert_eq!(
        error.to_string(),
        "screw.mass is 0, expected a positive number"
    );
    let rod: Rod = serde_json::from_str(
        r#"{"mass": 1, "half_length": 1, "inertia": 0.3, "angle": 1, "slip": -1, "friction": 0.5, "gravity": 9.81}"#,
    )
    .unwrap();
    assert!(rod.solve().is_ok());
    let error = Rod {
        restitution: 1.5,
        ..rod.clone()
    }
    .solve()
    .unwrap_err();
    assert_eq!(
        error.to_string(),
        "rod.restitution is 1.5, expected a number from 0 to 1"
    );
    let error = Rod {
        inertia: f64::NAN,
        ..rod
    }
    .solve()
    .unwrap_err();
    assert_eq!(error.path(), "rod.inertia");
}
