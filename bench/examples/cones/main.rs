//! Contacts with friction in space: the problems of `cases/fclib`, printed and timed; read by `bench/siconos/cones.sh`.
//!
//! `cones problems`: a line per problem, name, contacts, coefficients, q, W row by row. `cones time`: a line of JSON per
//! problem, least time of a call (s), the natural residual of the scaled problem, iterations.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

use std::hint::black_box;
use std::time::{Duration, Instant};

use carom_contact::cone::ConeSolver;
use carom_support::contact::cone::{Posed, fclib};

/// How long one problem is repeated.
const PATIENCE: Duration = Duration::from_millis(300);

fn main() {
    let is_time = std::env::args().nth(1).as_deref() == Some("time");
    for posed in fclib() {
        match is_time {
            true => time(&posed),
            false => print(&posed),
        }
    }
}

fn print(posed: &Posed) {
    let mu = posed.contacts.iter().map(|contact| contact.mu);
    let numbers = mu
        .chain(posed.q.iter().copied())
        .chain(posed.w.iter().copied());
    let numbers: Vec<String> = numbers.map(|x| format!("{x:e}")).collect();
    println!(
        "{} {} {}",
        posed.name,
        posed.contacts.len(),
        numbers.join(" ")
    );
}

fn time(posed: &Posed) {
    let mut solver = ConeSolver::new();
    let problem = posed.problem();
    let end = solver.solve(&problem).unwrap();
    let (start, mut least) = (Instant::now(), f64::INFINITY);
    while start.elapsed() < PATIENCE {
        let call = Instant::now();
        black_box(solver.solve(black_box(&problem)).is_ok());
        least = least.min(call.elapsed().as_secs_f64());
    }
    println!(
        "{{\"solver\":\"carom\",\"problem\":\"{}\",\"contacts\":{},\"seconds\":{least:e},\"residual\":{:e},\
         \"iterations\":{}}}",
        posed.name,
        posed.contacts.len(),
        end.residual.natural,
        end.newton,
    );
}
