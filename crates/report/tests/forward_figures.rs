//! Diagrams of forward dynamics, drawn and looked at by number.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::path::Path;

use carom_contact::forward::ForwardProblem;
use carom_contact::forward::counts::count_along;
use carom_contact::forward::lines::acceleration_plane;
use carom_contact::forward::map::{region_label, region_map, rod_map};
use carom_contact::forward::rod::Rod;
use carom_contact::forward::scalar::ScalarFriction;
use carom_contact::impact::Law;
use carom_report::figure::forward::{
    GraphLabels, MapAxis, counts_svg, graph_svg, graph_window, line_counts_svg, lines_svg, map_svg,
};
use carom_report::figure::{Axis, to_png};

/// Keeps a drawing and its picture for the eye.
fn keep(name: &str, svg: &str) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let png = to_png(svg, 2.0).unwrap();
    std::fs::write(folder.join(format!("{name}.svg")), svg).unwrap();
    std::fs::write(folder.join(format!("{name}.png")), png).unwrap();
}

fn scalar(mu: f64) -> ScalarFriction {
    ScalarFriction::new(1.0, 0.2, 2.0, 3.0, mu.into()).unwrap()
}

fn graph(mu: f64, tau: f64) -> String {
    let scalar = scalar(mu);
    let [low, high] = graph_window(&scalar, tau).unwrap();
    let graph = scalar.graph(tau, low, high).unwrap();
    let labels = GraphLabels {
        title: "",
        acceleration: Axis::new("acceleration q̈", "rad/s²"),
        force: Axis::new("torque τ", "N·m"),
        points: &[],
    };
    graph_svg(&[&graph], &scalar.count_diagram(), &labels).unwrap()
}

/// How often a mark of a velocity is drawn beyond its place in the legend.
fn marks(svg: &str, colour: &str) -> usize {
    let own =
        |line: &&str| line.contains(&format!("fill=\"{colour}\"")) && line.contains("<circle");
    svg.lines().filter(own).count() - 1
}

#[test]
fn a_graph_marks_every_answer_at_its_force() {
    let blue = "#0072b2";
    let unique = graph(0.3, 0.5);
    keep("forward-graph-unique", &unique);
    assert_eq!(marks(&unique, blue), 1);
    let several = graph(0.8, 0.5);
    keep("forward-graph-several", &several);
    assert_eq!(marks(&several, blue), 2);
    let none = graph(0.8, -3.0);
    keep("forward-graph-none", &none);
    assert_eq!(marks(&none, blue), 0);
    let critical = graph(0.5, 0.7);
    keep("forward-graph-critical", &critical);
    assert_eq!(graph(0.8, 0.5), several, "same input, same bytes");
}

#[test]
fn the_strip_beside_a_graph_writes_the_counts_of_each_velocity() {
    // Above the vertex force (-1.3): two answers moving +, none moving −.
    let svg = graph(0.8, 0.5);
    let written = |text: &str| svg.matches(&format!(">{text}</text>")).count();
    for (text, least) in [("answers", 1), ("2", 2), ("0", 2), ("1", 1), ("3", 1)] {
        assert!(written(text) >= least, "{text}: {}", written(text));
    }
}

#[test]
fn counts_are_drawn_for_each_velocity_and_at_the_breaks() {
    for (name, mu) in [("unique", 0.3), ("several", 0.8), ("critical", 0.5)] {
        let axis = Axis::new("torque τ", "N·m");
        let svg = counts_svg(&scalar(mu).count_diagram(), &axis, "").unwrap();
        keep(&format!("forward-counts-{name}"), &svg);
        let dots = svg.matches("<circle").count();
        assert_eq!(dots > 0, mu > 0.4, "{name}: {dots}");
        assert_eq!(svg.contains('∞'), mu == 0.5, "{name}");
    }
}

fn two(velocity: [f64; 2], force: [f64; 2]) -> ForwardProblem {
    ForwardProblem {
        inertia: vec![vec![2.0, 0.6], vec![0.6, 1.0]],
        bias: vec![0.3, -0.2],
        load_matrix: vec![vec![3.0, 0.5], vec![0.5, 2.0]],
        load_offset: vec![1.5, 1.0],
        friction: vec![1.1.into(), 0.9.into()],
        velocity: velocity.to_vec(),
        force: force.to_vec(),
        contacts: Vec::new(),
    }
}

#[test]
fn constraint_lines_show_one_disk_per_answer() {
    let axes = [Axis::new("q̈_1", "rad/s²"), Axis::new("q̈_2", "rad/s²")];
    let mut counts = Vec::new();
    for (name, velocity) in [("moving", [1.0, 1.0]), ("rest", [0.0, 1.0])] {
        let plane = acceleration_plane(&two(velocity, [2.0, 1.5])).unwrap();
        let svg = lines_svg(&plane, [&axes[0], &axes[1]], "").unwrap();
        keep(&format!("forward-lines-{name}"), &svg);
        let disks = svg.matches("r=\"4\" fill=\"#000000\"").count();
        assert_eq!(disks, plane.intersections.len());
        counts.push(disks);
    }
    assert!(counts.iter().any(|count| *count > 1), "{counts:?}");
    let line = count_along(&two([1.0, 1.0], [0.0, 0.0]), &[1.0, 0.7]).unwrap();
    let svg = line_counts_svg(&line, &Axis::new("t along the direction", ""), "").unwrap();
    keep("forward-counts-line", &svg);
}

fn grid(low: f64, high: f64, count: usize) -> Vec<f64> {
    let step = (high - low) / (count - 1) as f64;
    (0..count).map(|k| low + step * k as f64).collect()
}

fn rod() -> Rod {
    Rod {
        mass: 1.0,
        half_length: 0.5,
        inertia: 1.0 / 12.0,
        angle: 1.0,
        rate: 0.0,
        slip: -1.0,
        friction: 1.8.into(),
        gravity: 9.81,
        force: [0.0; 2],
        torque: 0.0,
        restitution: 0.0,
        law: Law::Poisson,
    }
}

#[test]
fn the_map_of_a_rod_names_its_four_regions() {
    let map = rod_map(&rod(), &grid(0.1, 1.5, 60), &grid(0.0, 8.0, 50)).unwrap();
    let svg = map_svg(
        &map,
        &MapAxis::degrees("angle φ"),
        &MapAxis::new("rate", "rad/s"),
        "",
    )
    .unwrap();
    keep("forward-map-rod", &svg);
    for name in ["slides", "lifts off", "inconsistent", "indeterminate"] {
        assert!(svg.contains(&format!(">{name}</text>")), "{name}");
    }
    assert!(svg.len() < 60_000, "{}", svg.len());
}

#[test]
fn a_map_of_counts_names_its_regions_and_keeps_its_bytes() {
    let at = |force: f64, mu: f64| ForwardProblem {
        inertia: vec![vec![1.0]],
        bias: vec![0.2],
        load_matrix: vec![vec![2.0]],
        load_offset: vec![3.0],
        friction: vec![mu.into()],
        velocity: vec![0.0],
        force: vec![force],
        contacts: Vec::new(),
    };
    let draw = || {
        let label = |f, mu| region_label(&at(f, mu));
        let (x, y) = (grid(-4.0, 4.0, 41), grid(0.05, 1.2, 31));
        let map = region_map(&x, &y, label, |_, _| Vec::new()).unwrap();
        map_svg(
            &map,
            &MapAxis::new("torque τ", "N·m"),
            &MapAxis::new("friction μ", ""),
            "",
        )
        .unwrap()
    };
    let svg = draw();
    keep("forward-map-counts", &svg);
    assert!(svg.contains("3 answers") && svg.contains("1 answer"));
    assert_eq!(svg, draw(), "same input, same bytes");
}

fn labels() -> GraphLabels<'static> {
    GraphLabels {
        title: "a <title> & more",
        acceleration: Axis::new("acceleration q̈", "rad/s²"),
        force: Axis::new("torque τ", "N·m"),
        points: &[("P", [0.0, 0.0]), ("far", [1e9, 1e9])],
    }
}

#[test]
fn loads_that_vanish_or_never_change_and_numbers_of_any_size_leave_no_undefined_number() {
    let sizes = [1e-80, 1e-6, 1.0, 1e7, 1e80];
    let mut drawn = 0;
    for (c, d) in [(2.0, 3.0), (-2.0, 3.0), (0.0, 3.0), (2.0, 0.0), (0.0, 0.0)] {
        for size in sizes {
            for mu in [0.0, 0.3, 0.5, 0.8] {
                let (b, d) = (0.2 * size, d * size);
                let scalar = ScalarFriction::new(1.0, b, c, d, mu.into()).unwrap();
                let tau = 0.5 * size;
                let [low, high] = graph_window(&scalar, tau).unwrap();
                let graph = scalar.graph(tau, low, high).unwrap();
                let counts = scalar.count_diagram();
                let svg = graph_svg(&[&graph], &counts, &labels()).unwrap();
                assert!(!svg.contains("NaN") && !svg.contains("inf"), "{c} {d} {mu}");
                assert!(!svg.contains("<title> "));
                let svg = counts_svg(&counts, &Axis::new("τ", ""), "").unwrap();
                assert!(!svg.contains("NaN") && !svg.contains("inf"), "{c} {d} {mu}");
                drawn += 1;
            }
        }
    }
    assert_eq!(drawn, 100);
    assert_eq!(
        graph_svg(&[], &scalar(0.3).count_diagram(), &labels()),
        None
    );
}

#[test]
fn a_map_of_one_region_is_drawn_and_one_without_a_cell_is_not() {
    let label = |_: f64, _: f64| Ok::<String, ()>("slide".to_owned());
    let draw = |count: usize| {
        let map = region_map(
            &grid(0.0, 1.0, count),
            &grid(0.0, 1.0, count),
            label,
            |_, _| vec![],
        );
        let axis = MapAxis::new("x", "");
        map_svg(&map.unwrap(), &axis, &axis, "")
    };
    assert!(draw(2).unwrap().contains(">slides</text>"));
    assert_eq!(draw(1), None);
}

#[test]
fn a_region_too_thin_for_its_name_is_named_below_the_map() {
    let label = |x: f64, _: f64| {
        let name = if (0.49..0.51).contains(&x) {
            "indeterminate"
        } else {
            "slide"
        };
        Ok::<String, ()>(name.to_owned())
    };
    let map = region_map(
        &grid(0.0, 1.0, 101),
        &grid(0.0, 1.0, 5),
        label,
        |_, _| vec![],
    )
    .unwrap();
    let axis = MapAxis::new("x", "");
    let svg = map_svg(&map, &axis, &axis, "").unwrap();
    keep("forward-map-thin", &svg);
    assert!(svg.contains(">indeterminate (several answers)</text>"));
}
