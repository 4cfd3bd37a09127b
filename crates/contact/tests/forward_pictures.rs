//! Graphs, counts, lines, maps and families: what is drawn is what is solved.
#![allow(clippy::unwrap_used, clippy::panic)]

use crate::common;
use crate::forward_common;

use carom_contact::forward::counts::count_along;
use carom_contact::forward::lines::acceleration_plane;
use carom_contact::forward::map::{region_label, region_map};
use carom_contact::forward::scalar::ScalarFriction;
use carom_contact::forward::{ForwardProblem, Mode, answers, solve};
use common::{assert_close, between, count};
use fastrand::Rng;
use forward_common::{dupont, list, random_problem};

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
            let i = line.rows.iter().rposition(|row| row.at <= t).unwrap_or(0);
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
