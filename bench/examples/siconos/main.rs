//! Complementarity problems of several contacts, printed and timed; read by `bench/siconos/run.sh`.
//!
//! `siconos problems`: a line per problem, name, contacts, W row by row, q. `siconos time ROUNDS`: a line per problem
//! and question, name, contacts, least time of a call (ns), sum of squares of W P, by which an answer is
//! known to be the same in another program.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

use std::hint::black_box;
use std::time::Instant;

use carom_bench::Several;
use carom_contact::impact::Law;
use carom_contact::impact::simultaneous::Simultaneous;
use carom_numeric::dot;
use carom_numeric::lemke::Lemke;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let problems = [3, 10].map(|k| [("legs", Several::legs(k, 1)), ("balls", Several::balls(k))]);
    for (name, several) in problems.iter().flatten() {
        let problem = Problem::new(several);
        match arguments.first().map(String::as_str) {
            Some("problems") => problem.print(name),
            _ => {
                let rounds = arguments.get(1).map_or(5, |text| text.parse().unwrap());
                problem.time(name, rounds);
                whole(name, several, &problem, rounds);
            }
        }
    }
}

/// `0 ≤ P ⟂ W P + q ≥ 0` with `q = v⁻ + K v⁻`, K at approaching contacts.
struct Problem {
    w: Vec<f64>,
    q: Vec<f64>,
}

impl Problem {
    fn new(several: &Several) -> Self {
        let (space, closing) = (&several.space, several.closing());
        let k = closing.rows.len();
        let w = (0..k * k).map(|n| space.w(closing.rows[n / k], closing.rows[n % k]));
        let asked = |(v, e): (&f64, &f64)| if *v < 0.0 { v + e * v } else { *v };
        let q = closing.v_n.iter().zip(closing.restitution).map(asked);
        Self {
            w: w.collect(),
            q: q.collect(),
        }
    }

    fn print(&self, name: &str) {
        let numbers = self.w.iter().chain(&self.q).map(|x| format!("{x:e}"));
        let numbers: Vec<String> = numbers.collect();
        println!("{name} {} {}", self.q.len(), numbers.join(" "));
    }

    fn time(&self, name: &str, rounds: usize) {
        let mut lemke = Lemke::new();
        let time = least_ns(rounds, || {
            black_box(lemke.solve(black_box(&self.w), black_box(&self.q)));
        });
        say("carom-lemke", name, time, self, lemke.z());
    }
}

/// The impact: rank, velocities, which impulses are unique, the share of least norm.
fn whole(name: &str, several: &Several, problem: &Problem, rounds: usize) {
    let mut solver = Simultaneous::new();
    let time = least_ns(rounds, || {
        let end = solver.solve(&several.space, black_box(&several.closing()), Law::Newton);
        black_box(end.is_ok());
    });
    say("carom-impact", name, time, problem, solver.impulses());
}

fn say(engine: &str, name: &str, time: f64, problem: &Problem, p: &[f64]) {
    let rows = problem.w.chunks_exact(p.len()).map(|row| dot(row, p));
    let squares: f64 = rows.map(|x| x * x).sum();
    println!("{engine} {name} {} {time:.1} {squares:e}", p.len());
}

/// Least time of one call over several rounds (ns).
fn least_ns(rounds: usize, mut call: impl FnMut()) -> f64 {
    const CALLS: u32 = 4_000;
    let round = |_| {
        let start = Instant::now();
        (0..CALLS).for_each(|_| call());
        start.elapsed().as_secs_f64() * 1e9 / f64::from(CALLS)
    };
    (0..rounds).map(round).fold(f64::INFINITY, f64::min)
}
