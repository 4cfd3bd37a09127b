//! Tangential restitution of a solid ball: the super-ball, the closed form of a sphere, what is refused.
#![allow(clippy::unwrap_used, clippy::panic)]

use carom_contact::impact::{
    Contact, ContactSpaceProblem, ContactType, ImpactProblem, ImpactResult, Law, Method, NoteCode,
    Prepared, StatedContact, solve,
};
use carom_support::near::assert_near;
use carom_support::random::{between, count, either_sign};
use fastrand::Rng;

/// A solid sphere: `W_tt = (1 + 5/2)/m`.
const PART: f64 = 0.4;

/// A ball of mass m and radius R above or below a plane: `side` 1 strikes a floor, -1 the underside of a table.
#[derive(Debug, Clone, Copy)]
struct Ball {
    mass: f64,
    radius: f64,
    friction: f64,
    restitution: f64,
    beta: Option<f64>,
}

impl Ball {
    const SUPER: Self = Self {
        mass: 0.08,
        radius: 0.025,
        friction: 100.0,
        restitution: 1.0,
        beta: Some(1.0),
    };

    fn contact(&self, normal: Vec<f64>, tangents: [Option<Vec<f64>>; 2]) -> Contact {
        let [first, second] = tangents;
        let (tangent, tangents) = match (first, second) {
            (Some(a), Some(b)) => (None, Some([a, b])),
            (tangent, _) => (tangent, None),
        };
        Contact {
            name: "hit".to_owned(),
            normal,
            tangent,
            tangents,
            stiffness: 1.0,
            friction: self.friction.into(),
            restitution: self.restitution,
            tangential_restitution: self.beta,
        }
    }

    /// In the plane, rates (x, y, angle).
    fn plane(&self, side: f64, velocity: [f64; 3]) -> ImpactProblem {
        let inertia = PART * self.mass * self.radius * self.radius;
        let diagonal = [self.mass, self.mass, inertia];
        let tangent = vec![side, 0.0, self.radius];
        let contact = self.contact(vec![0.0, side, 0.0], [Some(tangent), None]);
        posed(&diagonal, &velocity, vec![contact])
    }

    /// In space, rates (velocity, angular velocity).
    fn space(&self, side: f64, velocity: [f64; 6]) -> ImpactProblem {
        let (m, inertia) = (self.mass, PART * self.mass * self.radius * self.radius);
        let r = self.radius;
        let t_1 = vec![1.0, 0.0, 0.0, 0.0, -side * r, 0.0];
        let t_2 = vec![0.0, side, 0.0, r, 0.0, 0.0];
        let normal = vec![0.0, 0.0, side, 0.0, 0.0, 0.0];
        let contact = self.contact(normal, [Some(t_1), Some(t_2)]);
        let diagonal = [m, m, m, inertia, inertia, inertia];
        posed(&diagonal, &velocity, vec![contact])
    }
}

fn posed(diagonal: &[f64], velocity: &[f64], contacts: Vec<Contact>) -> ImpactProblem {
    let row = |i: usize| -> Vec<f64> {
        let element = |j: usize| if i == j { diagonal[i] } else { 0.0 };
        (0..diagonal.len()).map(element).collect()
    };
    ImpactProblem {
        mass: (0..diagonal.len()).map(row).collect(),
        velocity: velocity.to_vec(),
        contacts,
        constraints: vec![],
    }
}

fn newton(problem: &ImpactProblem) -> ImpactResult {
    solve(problem, Law::Newton, Method::default()).unwrap()
}

fn has(result: &ImpactResult, code: NoteCode) -> bool {
    result.notes.iter().any(|note| note.code == code)
}

/// P28: vx after floor, underside of the table, floor.
const RETURNS: [f64; 3] = [3.0 / 7.0, -31.0 / 49.0, -333.0 / 343.0];

#[test]
fn a_super_ball_comes_back_from_the_underside_of_a_table() {
    let mut v = [1.0, -2.0, 0.0];
    for (side, wanted) in [1.0, -1.0, 1.0].into_iter().zip(RETURNS) {
        v[1] = -2.0 * side;
        let result = newton(&Ball::SUPER.plane(side, v));
        let after = result.velocity.as_ref().unwrap();
        assert_near("vx", after[0], wanted, 1e-12);
        assert_near("vy", after[1], 2.0 * side, 1e-12);
        assert_near("dE", result.energy_change.unwrap(), 0.0, 1e-15);
        assert!(has(&result, NoteCode::TangentialRebound));
        v = [after[0], after[1], after[2]];
    }
    assert_near("vx", v[0], -0.970845481050, 1e-12);
}

#[test]
fn a_super_ball_in_space_comes_back_along_the_way_it_was_thrown() {
    for angle in [0.0, 0.7, 2.0, -1.5] {
        let (sin, cos) = f64::sin_cos(angle);
        let mut v = [cos, sin, 0.0, 0.0, 0.0, 0.3];
        for (side, wanted) in [1.0, -1.0, 1.0].into_iter().zip(RETURNS) {
            v[2] = -2.0 * side;
            let result = newton(&Ball::SUPER.space(side, v));
            let after = result.velocity.as_ref().unwrap();
            assert_near("along", cos * after[0] + sin * after[1], wanted, 1e-12);
            assert_near("across", cos * after[1] - sin * after[0], 0.0, 1e-12);
            assert_near("spin about n", after[5], 0.3, 0.0);
            assert_near("dE", result.energy_change.unwrap(), 0.0, 1e-15);
            assert_eq!(
                result.contacts[0].contact_type,
                ContactType::ReverseCompression
            );
            v.copy_from_slice(after);
        }
    }
}

/// Slip after an impact of a ball, where it slipped with `v` and approached with `u`: it grips, or friction holds
/// it, or it slides to the end.
fn slip_after(ball: &Ball, v: f64, u: f64) -> (f64, usize) {
    let turned = (1.0 + 1.0 / PART) * ball.friction * (1.0 + ball.restitution) * u;
    match ball.beta {
        Some(beta) if (1.0 + beta) * v <= turned => (-beta * v, 0),
        _ if v <= turned => (0.0, 1),
        _ => (v - turned, 2),
    }
}

#[test]
fn a_ball_of_any_restitutions_follows_its_closed_form() {
    let mut rng = Rng::with_seed(2801);
    let mut reached = [0usize; 3];
    for _ in 0..count(20_000) {
        let ball = Ball {
            mass: between(&mut rng, 0.01, 3.0),
            radius: between(&mut rng, 0.01, 0.5),
            friction: between(&mut rng, 0.0, 1.0),
            restitution: rng.f64(),
            beta: Some(rng.f64()),
        };
        let mut v: [f64; 6] = std::array::from_fn(|_| either_sign(&mut rng, 2.0));
        (v[2], v[3], v[4]) = (-0.1 - v[2].abs(), v[3] / ball.radius, v[4] / ball.radius);
        let slip = [v[0] - ball.radius * v[4], v[1] + ball.radius * v[3]];
        let size = slip[0].hypot(slip[1]);
        let (after, which) = slip_after(&ball, size, -v[2]);
        reached[which] += 1;
        let result = newton(&ball.space(1.0, v));
        let w = result.velocity.as_ref().unwrap();
        assert_near("v_n", w[2], -ball.restitution * v[2], 1e-13);
        let found = [w[0] - ball.radius * w[4], w[1] + ball.radius * w[3]];
        for k in 0..2 {
            assert_near("slip", found[k], after / size * slip[k], 1e-12);
            // Friction turns the ball about the contact point, along the slip.
            let gone = (slip[k] - found[k]) / (1.0 + 1.0 / PART);
            assert_near("v", w[k], v[k] - gone, 1e-12);
        }
        assert_eq!(has(&result, NoteCode::TangentialRebound), which == 0);
        assert_eq!(has(&result, NoteCode::NoTangentialRebound), which != 0);
        // The same in the plane of its slip.
        let plane = [v[0], v[2], -v[4]];
        let (after, _) = slip_after(&ball, slip[0].abs(), -v[2]);
        let result = newton(&ball.plane(1.0, plane));
        let w = result.velocity.as_ref().unwrap();
        let found = w[0] + ball.radius * w[2];
        assert_near("slip", found, after * slip[0].signum(), 1e-12);
    }
    assert!(reached.iter().all(|n| *n >= count(2_000)), "{reached:?}");
}

#[test]
fn at_the_edge_of_the_cone_a_ball_stops_where_it_came_back_before() {
    let v = [1.0, -2.0, 0.0];
    // It asks for |p_t| = (2/7)(1 + β) |v_t| m and presses with (1 + e) |v_n| m.
    let edge = 2.0 / 7.0 * 1.5 / (1.5 * 2.0);
    let ball = |friction| Ball {
        friction,
        restitution: 0.5,
        beta: Some(0.5),
        ..Ball::SUPER
    };
    let inside = newton(&ball(edge * (1.0 + 1e-12)).plane(1.0, v));
    assert!(has(&inside, NoteCode::TangentialRebound));
    assert!(inside.contacts[0].path.is_empty());
    assert!(inside.residuals.cone.unwrap() < 1e-15);
    let outside = newton(&ball(edge * (1.0 - 1e-12)).plane(1.0, v));
    assert!(has(&outside, NoteCode::NoTangentialRebound));
    let note = &outside.notes[0].sentence;
    let asked = format!("|p_t| = {edge:.4} p_n");
    assert!(note.contains(&asked), "{note}");
    // Outside, every number but the note is that of the contact without the key.
    let without = Ball {
        beta: None,
        ..ball(edge * (1.0 - 1e-12))
    };
    let without = newton(&without.plane(1.0, v));
    assert_eq!(outside.velocity, without.velocity);
    assert_eq!(outside.contacts, without.contacts);
    let slip = outside.contacts[0].velocity_after.tangent.unwrap();
    assert_near("slip", slip.value(), 0.0, 1e-15);
}

#[test]
fn a_slip_that_is_not_there_and_friction_that_is_not_there_have_no_use_for_it() {
    let still = [0.0, -2.0, 0.0];
    let ball = Ball::SUPER;
    let bare = Ball { beta: None, ..ball };
    let same = newton(&ball.plane(1.0, still));
    assert_eq!(same, newton(&bare.plane(1.0, still)));
    assert!(!same.contacts[0].path.is_empty());
    let parting = [1.0, 2.0, 0.0];
    assert_eq!(
        newton(&ball.plane(1.0, parting)),
        newton(&bare.plane(1.0, parting))
    );
    let smooth = Ball {
        friction: 0.0,
        ..ball
    };
    for result in [
        newton(&smooth.plane(1.0, [1.0, -2.0, 0.0])),
        newton(&smooth.space(1.0, [1.0, 0.5, -2.0, 0.0, 0.0, 0.0])),
    ] {
        assert!(has(&result, NoteCode::NoTangentialRebound), "{result:?}");
        assert_near("vx", result.velocity.unwrap()[0], 1.0, 0.0);
    }
}

#[test]
fn coefficients_out_of_range_and_contacts_without_a_tangent_are_refused_where_they_stand() {
    for beta in [-0.1, 1.5, f64::NAN] {
        let ball = Ball {
            beta: Some(beta),
            ..Ball::SUPER
        };
        let error = ball.plane(1.0, [1.0, -1.0, 0.0]).check().unwrap_err();
        assert_eq!(error.path(), "contacts[0].tangential_restitution");
        let said = format!("tangential restitution is {beta}, expected a number from 0 to 1");
        assert!(error.to_string().contains(&said), "{error}");
    }
    let mut problem = Ball::SUPER.plane(1.0, [1.0, -1.0, 0.0]);
    problem.contacts[0].tangent = None;
    let error = problem.check().unwrap_err();
    assert_eq!(error.path(), "contacts[0].tangential_restitution");
    assert!(error.to_string().contains("without a tangent"), "{error}");
}

#[test]
fn laws_that_have_none_are_refused_with_their_reason_and_left_out_of_pictures() {
    let problem = Ball::SUPER.space(1.0, [1.0, 0.2, -1.0, 0.0, 0.0, 0.0]);
    let prepared = Prepared::new(&problem).unwrap();
    for law in Law::ALL {
        let result = prepared.solve(law, Method::default());
        let Err(error) = result else {
            assert_eq!(law, Law::Newton);
            continue;
        };
        assert_eq!(error.path(), "law");
        let said = error.to_string();
        assert!(
            said.starts_with(&format!("{law} has no tangential_restitution")),
            "{said}"
        );
        assert!(said.ends_with("expected newton"), "{said}");
        assert!(prepared.hodograph(&[law]).is_err());
    }
    let drawn = prepared.hodograph(&Law::ALL).unwrap();
    assert_eq!((drawn.ends.len(), drawn.path.len()), (1, 0));
    let plane = prepared.diagram(&Law::ALL).unwrap();
    assert_eq!((plane.ends.len(), plane.path.len()), (1, 0));
}

/// A ball in the corner of floor and wall: the wall is to the left, its tangent points down.
fn in_the_corner(ball: &Ball, velocity: [f64; 3]) -> ImpactProblem {
    let mut problem = ball.plane(1.0, velocity);
    problem.contacts[0].name = "floor".to_owned();
    let wall = ball.contact(
        vec![1.0, 0.0, 0.0],
        [Some(vec![0.0, -1.0, ball.radius]), None],
    );
    problem.contacts.push(Contact {
        name: "wall".to_owned(),
        ..wall
    });
    problem
}

#[test]
fn several_contacts_have_it_one_after_another_and_by_no_other_method() {
    let ball = Ball {
        restitution: 0.8,
        beta: Some(0.6),
        ..Ball::SUPER
    };
    let start = [-1.0, -2.0, 30.0];
    let problem = in_the_corner(&ball, start);
    let prepared = Prepared::new(&problem).unwrap();
    for method in [Method::Linear, Method::Complementarity] {
        let error = prepared.solve(Law::Newton, method).unwrap_err();
        assert_eq!(error.path(), "method");
        let said = error.to_string();
        assert!(said.contains("tangential_restitution"), "{said}");
        assert!(said.ends_with("expected sequential"), "{said}");
    }
    assert!(prepared.solve(Law::Poisson, Method::Path).is_err());
    assert!(prepared.solve(Law::Poisson, Method::Sequential).is_err());
    let result = prepared.solve_in_order(Law::Newton, &[0, 1]).unwrap();
    // The second route: floor, then wall, each alone.
    let first = newton(&ball.plane(1.0, start)).velocity.unwrap();
    let mut then = in_the_corner(&ball, [first[0], first[1], first[2]]);
    then.contacts.remove(0);
    let wanted = newton(&then).velocity.unwrap();
    for (a, b) in result.velocity.as_ref().unwrap().iter().zip(&wanted) {
        assert_near("velocity", *a, *b, 1e-12);
    }
    let told = |n: &carom_contact::impact::Note| n.code == NoteCode::TangentialRebound;
    let note = result.notes.iter().find(|note| told(note)).unwrap();
    assert!(
        note.sentence.ends_with("the slip of floor once, wall once"),
        "{note:?}"
    );
}

#[test]
fn a_problem_in_contact_space_grips_as_its_ball_does() {
    let ball = Ball {
        beta: Some(0.7),
        restitution: 0.4,
        ..Ball::SUPER
    };
    let (m, v) = (ball.mass, [-1.0, 0.5, -0.25]);
    let stated = ContactSpaceProblem {
        delassus: vec![
            vec![1.0 / m, 0.0, 0.0],
            vec![0.0, 3.5 / m, 0.0],
            vec![0.0, 0.0, 3.5 / m],
        ],
        contact_velocity: v.to_vec(),
        contacts: vec![StatedContact {
            name: "hit".to_owned(),
            friction: ball.friction.into(),
            restitution: ball.restitution,
            tangential_restitution: ball.beta,
            stiffness: 1.0,
        }],
    };
    let prepared = Prepared::stated(&stated).unwrap();
    let result = prepared.solve(Law::Newton, Method::default()).unwrap();
    let after = result.contacts[0].velocity_after;
    let slip = after.tangent.unwrap();
    assert_near("v_n", after.normal.unwrap(), 0.4, 1e-15);
    assert_near("v_t1", slip.numbers()[0], -0.7 * v[1], 1e-15);
    assert_near("v_t2", slip.numbers()[1], -0.7 * v[2], 1e-15);
}
