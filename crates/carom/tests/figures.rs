//! Figures of every built-in example.
#![allow(clippy::unwrap_used)]

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

/// An impact in space whose slip turns, with friction to choose: it sticks from 0.352062138632 on.
fn free_body(mu: f64) -> carom::ProblemFile {
    let text = format!(
        r#"{{"mass": [[1, 0, 0, 0, 0, 0], [0, 1, 0, 0, 0, 0], [0, 0, 1, 0, 0, 0],
                     [0, 0, 0, 0.2, 0, 0], [0, 0, 0, 0, 0.3, 0], [0, 0, 0, 0, 0, 0.1]],
            "velocity": [0.3, -0.5, -1, 0, 0, 0],
            "contacts": [{{"normal": [0, 0, 1, -0.2, -0.3, 0],
                          "tangents": [[1, 0, 0, 0, -0.5, 0.2], [0, 1, 0, 0.5, 0, 0.3]],
                          "friction": {mu}, "restitution": 0.6}}]}}"#
    );
    carom::read_problem("body.json", &text, &[]).unwrap()
}

#[test]
fn a_slip_that_turns_is_drawn_from_its_start_to_the_ends_of_the_laws() {
    for (mu, sticks) in [(0.9, true), (0.1, false)] {
        let file = free_body(mu);
        let picture = carom::impact_picture(&file).unwrap();
        let carom::ImpactPicture::Space(drawn) = &picture else {
            panic!("a slip that turns has no impulse plane");
        };
        assert!((drawn.facts.stick_threshold - 0.352_062_138_632).abs() < 1e-12);
        let outgoing = drawn.facts.invariant_directions.iter();
        assert_eq!(
            outgoing.filter(|d| d.is_outgoing).count(),
            usize::from(!sticks)
        );
        let (first, last) = (drawn.path.first().unwrap(), drawn.path.last().unwrap());
        assert_eq!(first.p_n, 0.0);
        for (at, before) in first.v_t.iter().zip(&drawn.v_pre[1..]) {
            assert!((at - before).abs() < 1e-15); // turned to the axes of W and back
        }
        assert_eq!(last.v_t[0].hypot(last.v_t[1]) < 1e-14, sticks);
        // The results of the laws are the ends of the picture.
        let answer = carom::impact(&file).unwrap();
        assert_eq!(drawn.ends.len(), answer.results.len());
        for (end, result) in drawn.ends.iter().zip(&answer.results) {
            assert_eq!(Some(end.p_n), result.contacts[0].impulse.normal);
            assert_eq!(result.contacts[0].spatial.as_ref(), Some(&drawn.facts));
        }
        let svg = carom::picture_svg(&file, &picture);
        assert!(!svg.contains("NaN") && !svg.contains("inf,"));
        assert_eq!(svg.contains("sticks (right: dashed)"), sticks);
        assert_eq!(svg.contains(">outgoing<"), !sticks);
        assert!(carom::to_png(&svg, 0.5).unwrap().len() > 1000);
        let page = carom::impact_report(&file, &answer, 7);
        assert!(page.contains("Slip and impulses"));
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
