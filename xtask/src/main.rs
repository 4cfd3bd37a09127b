//! Tasks of the workspace.
//!
//! `cargo xtask test` runs every check there is, in the order in which failing is cheapest;
//! `--no-browser` leaves out the last, which needs Node and Chromium.
//! `cargo xtask browser` runs the last of them alone: the report of a run in Chromium.
//! `cargo xtask pictures` draws the pictures of the gallery in `docs/images` anew.

mod browser;

use std::process::{Command, ExitCode};
use std::time::Instant;

use browser::Outcome;

/// A step: what it shows, the arguments for cargo, and an environment variable.
type Step = (
    &'static str,
    &'static [&'static str],
    Option<(&'static str, &'static str)>,
);

/// The benches measure and assert nothing; they stay out. Debug finds integers that overflow and assertions
/// of debug alone: it runs the crates that compute, without the examples of their documentation. The others
/// check their integers in release (`Cargo.toml`). Programs of `examples/` are compiled by the lints, and those that
/// compute are parts of tests.
const STEPS: &[Step] = &[
    ("formatting", &["fmt", "--all", "--check"], None),
    (
        "lints",
        &[
            "clippy",
            "--workspace",
            "--exclude",
            "carom-bench",
            "--all-targets",
            "--locked",
            "--",
            "-D",
            "warnings",
        ],
        None,
    ),
    (
        "documentation",
        &[
            "doc",
            "--workspace",
            "--exclude",
            "carom-bench",
            "--no-deps",
            "--locked",
            "--quiet",
        ],
        Some(("RUSTDOCFLAGS", "-D warnings")),
    ),
    (
        "tests, debug",
        &[
            "test",
            "--locked",
            "--lib",
            "--tests",
            "--package",
            "carom-numeric",
            "--package",
            "carom-ode",
            "--package",
            "carom-contact",
            "--package",
            "carom-multibody",
            "--package",
            "carom-sim",
        ],
        None,
    ),
    (
        "tests, release",
        &[
            "test",
            "--workspace",
            "--exclude",
            "carom-bench",
            "--locked",
            "--release",
            "--tests",
        ],
        None,
    ),
    (
        "examples of the documentation",
        &[
            "test",
            "--workspace",
            "--exclude",
            "carom-bench",
            "--locked",
            "--release",
            "--doc",
        ],
        None,
    ),
];

/// The test of the gallery writes what it would compare.
const PICTURES: &[Step] = &[(
    "pictures",
    &[
        "test",
        "--release",
        "--locked",
        "--package",
        "carom-cli",
        "--test",
        "all",
        "gallery",
    ],
    Some(("CAROM_DRAW_PICTURES", "1")),
)];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["test"] => match run(STEPS) {
            Ok(()) => in_browser(),
            Err(code) => code,
        },
        ["test", "--no-browser"] => run(STEPS).map_or_else(|code| code, |()| all_good()),
        ["browser"] => in_browser(),
        ["pictures"] => run(PICTURES).map_or_else(|code| code, |()| all_good()),
        _ => {
            say(
                "usage: cargo xtask test        (formatting, lints, documentation, tests in debug and release,\n       \
                 \x20                        reports in a browser; --no-browser leaves the last out)\n       \
                 cargo xtask browser     (reports in a browser)\n       \
                 cargo xtask pictures    (draws docs/images of the gallery anew)",
            );
            ExitCode::from(2)
        }
    }
}

#[allow(clippy::print_stderr)]
fn say(text: &str) {
    eprintln!("{text}");
}

fn cargo() -> String {
    std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned())
}

fn all_good() -> ExitCode {
    say("\n== every check is good");
    ExitCode::SUCCESS
}

/// The reports in a browser, the last of the checks.
fn in_browser() -> ExitCode {
    say("\n== reports in a browser: tests/browser");
    let start = Instant::now();
    match browser::check(&cargo()) {
        Outcome::Good => {
            let seconds = start.elapsed().as_secs_f64();
            say(&format!("== reports in a browser: good, {seconds:.0} s"));
            all_good()
        }
        Outcome::Failed(why) => {
            say(&format!("== reports in a browser: FAILED: {why}"));
            ExitCode::from(1)
        }
        Outcome::CouldNotRun(why) => {
            say(&format!("== reports in a browser: COULD NOT RUN: {why}"));
            say(
                "\n== the reports were NOT opened in a browser (cargo xtask test --no-browser leaves them out)",
            );
            ExitCode::from(2)
        }
    }
}

fn run(steps: &[Step]) -> Result<(), ExitCode> {
    let cargo = cargo();
    for (name, arguments, variable) in steps {
        say(&format!("\n== {name}: cargo {}", arguments.join(" ")));
        let start = Instant::now();
        let mut command = Command::new(&cargo);
        command.args(*arguments);
        if let Some((key, value)) = variable {
            command.env(key, value);
        }
        match command.status() {
            Ok(status) if status.success() => {
                say(&format!(
                    "== {name}: good, {:.0} s",
                    start.elapsed().as_secs_f64()
                ));
            }
            Ok(_) => {
                say(&format!("== {name}: FAILED"));
                if ["fmt", "clippy"].contains(&arguments[0]) {
                    say("   (if cargo has no such command: rustup component add rustfmt clippy)");
                }
                return Err(ExitCode::from(1));
            }
            Err(error) => {
                say(&format!("== {name}: cannot start {cargo}: {error}"));
                return Err(ExitCode::from(2));
            }
        }
    }
    Ok(())
}
