//! A cue ball with side spin and a ball on a turntable, run over and over; read by `bench/rolling/run.sh`.
//!
//! One line of JSON per scene: least time of a run (s), where the ball is at the end (m).
#![allow(clippy::unwrap_used, clippy::print_stdout)]

use std::hint::black_box;
use std::time::Instant;

use carom_multibody::SpaceMechanism;
use carom_scenario::Override;
use carom_scenario::examples::example;
use carom_scenario::read_scenario;
use carom_sim::{Setup, run};

/// Scenes: name, built-in scenario, what is changed in it.
const SCENES: [(&str, &str, &[&str]); 4] = [
    ("cue ball", "masse", &["run.duration=1"]),
    ("cue ball, 10 s", "masse", &["run.duration=10"]),
    (
        "rolling from the start, 10 s",
        "masse",
        &[
            "run.duration=10",
            "bodies.ball.start.velocity=[1.0, 0.5, 0.0]",
            "bodies.ball.start.angular_velocity=[-17.4978127734033, 34.9956255468066, 20.0]",
        ],
    ),
    ("turntable", "turntable", &["run.duration=10"]),
];

fn main() {
    let argument = std::env::args().nth(1);
    let count: usize = argument.map_or(100, |text| text.parse().unwrap());
    for (scene, name, changes) in SCENES {
        let example = example(name).unwrap();
        let set = changes
            .iter()
            .map(|change| Override::parse(change).unwrap());
        let set: Vec<Override> = set.collect();
        let scenario = read_scenario(example.file, example.text, &set).unwrap();
        let mut setup = scenario.build_space().unwrap();
        setup.options.samples = 0;
        let place = place(&mut setup);
        let mut least = f64::INFINITY;
        for _ in 0..count.max(1) {
            let setup = black_box(&mut setup);
            let start = Instant::now();
            black_box(run(setup).is_ok());
            least = least.min(start.elapsed().as_secs_f64());
        }
        println!(
            "{{\"engine\":\"carom\",\"variant\":\"default\",\"scene\":\"{scene}\",\"step\":null,\
             \"seconds\":{least:e},\"place\":{place:?}}}"
        );
    }
}

/// Where the ball, the last body, is at the end: x, y (m).
fn place(setup: &mut Setup<SpaceMechanism>) -> [f64; 2] {
    let end = run(setup).unwrap();
    let ball = end.q.len() - 7; // position, then a quaternion
    [end.q[ball], end.q[ball + 1]]
}
