//! Contacts with friction in space: the problems of `cases/fclib`, one line each.
//!
//! `cargo bench -p carom-bench --bench cone`. Times of Siconos are those stored with the problems: they were
//! measured elsewhere, on another machine.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

use std::hint::black_box;
use std::time::{Duration, Instant};

use carom_contact::cone::{ConeSolver, Verdict};
use carom_support::contact::cone::{Posed, fclib, fclib_reference};

/// How long one problem is repeated.
const PATIENCE: Duration = Duration::from_millis(300);

/// The solvers of Siconos that solved most of the problems, and its Gauss-Seidel.
const PEERS: [&str; 4] = ["PROX", "NSN_AC", "ADMM", "NSGS"];

/// A solver that stops above this residual did not solve the problem.
const SOLVED: f64 = 1e-8;

fn main() {
    let reference = fclib_reference();
    println!(
        "Carom: least time of a call, measured here. Siconos 4.4 (PROX, NSN_AC, ADMM, NSGS): CPU times stored"
    );
    println!(
        "with the problems, measured elsewhere on another machine; '-' where it stopped above {SOLVED:e}.\n"
    );
    println!(
        "| problem | contacts | residual | outer | Newton | velocities | Carom (ms) | PROX (ms) | NSN_AC (ms) | ADMM (ms) | NSGS (ms) |"
    );
    println!("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |");
    for posed in fclib() {
        let peers = &reference[&posed.name]["siconos_4_4"];
        let peer = |name: &&str| {
            let is_solved = peers[name]["natural_residual"]
                .as_f64()
                .is_some_and(|x| x < SOLVED);
            match peers[name]["cpu_ms"].as_f64() {
                Some(time) if is_solved => format!("{time:.3}"),
                _ => "-".to_owned(),
            }
        };
        let peers: Vec<String> = PEERS.iter().map(peer).collect();
        println!("| {} | {} |", line(&posed), peers.join(" | "));
    }
}

/// What Carom does with a problem.
fn line(posed: &Posed) -> String {
    let mut solver = ConeSolver::new();
    let problem = posed.problem();
    let end = solver.solve(&problem).unwrap();
    let verdict = match solver.uniqueness().velocity {
        Verdict::Unique => "unique",
        Verdict::Several => "several",
        Verdict::Undecided => "undecided",
    };
    let (start, mut least) = (Instant::now(), f64::INFINITY);
    while start.elapsed() < PATIENCE {
        let call = Instant::now();
        black_box(solver.solve(black_box(&problem)).is_ok());
        least = least.min(call.elapsed().as_secs_f64());
    }
    let (name, contacts) = (&posed.name, posed.contacts.len());
    let (residual, outer, newton) = (end.residual.natural, end.outer, end.newton);
    let time = least * 1e3;
    format!("{name} | {contacts} | {residual:.1e} | {outer} | {newton} | {verdict} | {time:.4}")
}
