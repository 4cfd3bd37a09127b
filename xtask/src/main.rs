//! Tasks of the workspace.
//!
//! `cargo xtask test` runs every check there is, in the order in which failing is cheapest.
//! `cargo xtask pictures` draws the pictures of the gallery in `docs/images` anew.

use std::process::{Command, ExitCode};
use std::time::Instant;

/// A step: what it shows, the arguments for cargo, and an environment variable.
type Step = (
    &'static str,
    &'static [&'static str],
    Option<(&'static str, &'static str)>,
);

/// The benches measure and assert nothing; they stay out.
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
            "--workspace",
            "--exclude",
            "carom-bench",
            "--locked",
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
        "readme",
        "gallery",
    ],
    Some(("CAROM_DRAW_PICTURES", "1")),
)];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["test"] => run(STEPS),
        ["pictures"] => run(PICTURES),
        _ => {
            say(
                "usage: cargo xtask test        (formatting, lints, documentation, tests in debug and release)\n       \
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

fn run(steps: &[Step]) -> ExitCode {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
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
                return ExitCode::from(1);
            }
            Err(error) => {
                say(&format!("== {name}: cannot start {cargo}: {error}"));
                return ExitCode::from(2);
            }
        }
    }
    say("\n== every check is good");
    ExitCode::SUCCESS
}
