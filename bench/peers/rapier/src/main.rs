//! The rod in Rapier. Reads runs from stdin (`case v_x v_y mu restitution step gap`), writes result
//! lines (`engine step_name case step gap restitution_measured v_x v_y omega`) to stdout.
use rapier2d_f64::prelude::*;
use std::io::{stdin, BufRead};

const MASS: f64 = 1.0;
const INERTIA: f64 = 1.0 / 12.0;
const RADIUS: f64 = 0.01;

/// Flies the body with its ball at `ball` from the centre, by the rule of `settle` in problem.py.
/// Returns (v_x, v_y, omega) after the impact.
fn fly(
    v: Vector,
    mu: f64,
    restitution: f64,
    step: f64,
    height: f64,
    ball: Vector,
    tuned: bool,
) -> [f64; 3] {
    let mut world = PhysicsWorld {
        gravity: Vector::ZERO,
        ..Default::default()
    };
    let p = &mut world.integration_parameters;
    p.dt = step;
    if tuned {
        p.num_solver_iterations = 1;
        p.num_internal_pgs_iterations = 200;
        p.num_internal_stabilization_iterations = 200;
        p.friction_in_bias_pass = true;
        p.contact_recycling = false;
        p.max_ccd_substeps = 0;
    }
    let material = |c: ColliderBuilder| c.friction(mu).restitution(restitution).density(0.0);
    world.insert(
        RigidBodyBuilder::fixed(),
        material(ColliderBuilder::new(SharedShape::halfspace(Vector::Y))),
    );
    let body = RigidBodyBuilder::dynamic()
        .translation(Vector::new(0.0, height))
        .linvel(v)
        .can_sleep(false)
        .additional_mass_properties(MassProperties::new(Vector::ZERO, MASS, INERTIA));
    let (body, _) = world.insert(
        body,
        material(ColliderBuilder::ball(RADIUS).translation(ball)),
    );
    let state = |world: &PhysicsWorld| {
        let b = &world.bodies[body];
        [b.linvel().x, b.linvel().y, b.angvel()]
    };
    let apart =
        |a: &[f64; 3], b: &[f64; 3]| (0..3).map(|i| (a[i] - b[i]).abs()).fold(0.0, f64::max);
    let start = state(&world);
    let (mut last, mut calm) = (start, 0);
    for _ in 0..(0.2 / step) as usize {
        world.step();
        let now = state(&world);
        let v_n = now[1] + now[2] * ball.x;
        let quiet = apart(&now, &last) < 1e-9 && apart(&now, &start) > 1e-6 && v_n > -1e-9;
        calm = if quiet { calm + 1 } else { 0 };
        last = now;
        if calm == 3 {
            break;
        }
    }
    last
}

fn main() {
    let end = 0.5 * std::f64::consts::FRAC_1_SQRT_2;
    let lines: Vec<String> = stdin()
        .lock()
        .lines()
        .map(|l| l.expect("stdin is text"))
        .collect();
    for (name, tuned) in [("rapier-default", false), ("rapier-tuned", true)] {
        for line in &lines {
            let (case, numbers) = line.split_once(' ').expect("a case name and six numbers");
            let n: Vec<f64> = numbers
                .split(' ')
                .map(|x| x.parse().expect("a number"))
                .collect();
            let [v_x, v_y, mu, restitution, step, gap] = n[..] else {
                panic!("six numbers: {line}")
            };
            let bounce = fly(
                -Vector::Y,
                0.0,
                restitution,
                step,
                RADIUS + 1e-6,
                Vector::ZERO,
                tuned,
            )[1];
            let arm = Vector::new(-end, -end + RADIUS);
            let [x, y, omega] = fly(
                Vector::new(v_x, v_y),
                mu,
                restitution,
                step,
                end + gap,
                arm,
                tuned,
            );
            let label = if step > 0.01 { "default" } else { "tenth" };
            println!("{name} {label} {case} {step} {gap} {bounce:.4} {x} {y} {omega}");
        }
    }
}
