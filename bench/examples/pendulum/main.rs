//! Time of the double pendulum of paper 001, run over and over; read by `bench/pendulum/run.sh`.
//!
//! One line of JSON: least and median time of a run (s), impact times (s), what the integration cost.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

mod pendulum;

use std::hint::black_box;
use std::time::Instant;

fn main() {
    let argument = std::env::args().nth(1);
    let count: usize = argument.map_or(200, |text| text.parse().unwrap());
    let mut setup = pendulum::setup();
    let (impacts, effort) = pendulum::simulate(&mut setup);
    let mut seconds: Vec<f64> = (0..count.max(1))
        .map(|_| {
            let setup = black_box(&mut setup);
            let start = Instant::now();
            let result = black_box(pendulum::simulate(setup));
            let taken = start.elapsed().as_secs_f64();
            assert_eq!(result.0, impacts, "equal runs give equal bytes");
            taken
        })
        .collect();
    seconds.sort_by(f64::total_cmp);
    let (least, median) = (seconds[0], seconds[seconds.len() / 2]);
    println!(
        "{{\"engine\":\"carom\",\"seconds\":{least:?},\"median\":{median:?},\
         \"impacts\":{impacts:?},\"note\":\"{effort}\"}}"
    );
}
