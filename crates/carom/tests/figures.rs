//! Figures of every built-in example.

use carom::examples::PROBLEMS;

#[test]
fn every_example_draws_and_every_drawing_becomes_a_picture() {
    for example in PROBLEMS {
        let file = carom::read_problem(example.file, example.text, &[]).unwrap();
        if file.problem.contacts.len() > 1 {
            assert!(carom::impulse_plane_svg(&file).is_err()); // a plane is of one contact
            continue;
        }
        let svg = carom::impulse_plane_svg(&file).unwrap();
        assert!(
            !svg.contains("NaN") && !svg.contains("inf,"),
            "{}",
            example.name
        );
        let png = carom::to_png(&svg, 0.5).unwrap();
        assert!(png.len() > 1000, "{}", example.name);
    }
}

#[test]
fn the_rod_is_drawn_with_the_lines_a_reader_of_the_paper_expects() {
    let rod = carom::examples::example("rod").unwrap();
    let file = carom::read_problem(rod.file, rod.text, &[]).unwrap();
    let plane = carom::impulse_plane(&file).unwrap();
    let sticking = plane.sticking.unwrap();
    let compression = plane.compression.unwrap();
    // The path's corners lie on the lines they are named after.
    assert!(sticking.at(plane.path[1].p_n, plane.path[1].p_t).abs() < 1e-15);
    assert!(compression.at(plane.path[2].p_n, plane.path[2].p_t).abs() < 1e-15);
    for end in &plane.ends {
        let miss = end.line.map_or(0.0, |line| line.at(end.p_n, end.p_t));
        assert!(miss.abs() < 1e-14, "{end:?}");
    }
    assert_eq!(plane.friction_slope, Some(-0.7));
    assert!((plane.sticking_angle.tan() - 0.6).abs() < 1e-15);
    let svg = carom::impulse_plane_svg(&file).unwrap();
    for name in [
        "line of sticking",
        "line of maximum compression",
        "line of friction",
        "path of the impact",
    ] {
        assert!(svg.contains(name), "{name}");
    }
}
