//! The report of a run in a real browser: installs what that needs, then runs `tests/browser`.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::say;

/// How a check went.
pub(crate) enum Outcome {
    Good,
    Failed(String),
    /// The machine lacks what cannot be installed: nothing was checked.
    CouldNotRun(String),
}

/// Places of a Chromium, in order of choice.
const BROWSERS: [&str; 4] = [
    "/usr/bin/chromium",
    "/usr/bin/chromium-browser",
    "/usr/bin/google-chrome-stable",
    "/usr/bin/google-chrome",
];
/// Where the tests are.
const FOLDER: &str = "tests/browser";

/// Opens reports in Chromium and uses them as a reader would.
pub(crate) fn check(cargo: &str) -> Outcome {
    match prepare(cargo) {
        Ok(ready) => ready.run(),
        Err(outcome) => outcome,
    }
}

/// What the tests need.
struct Ready {
    chromium: PathBuf,
    carom: PathBuf,
    out: PathBuf,
}

fn prepare(cargo: &str) -> Result<Ready, Outcome> {
    for tool in ["node", "npm"] {
        if !works(Command::new(tool).arg("--version")) {
            let why = format!("this machine has no {tool}");
            return Err(Outcome::CouldNotRun(why));
        }
    }
    let chromium = chromium()?;
    packages()?;
    let build = ["build", "--release", "--locked", "--package", "carom-cli"];
    if !succeeds(Command::new(cargo).args(build)) {
        return Err(Outcome::Failed("carom does not build".to_owned()));
    }
    let target = target()?;
    Ok(Ready {
        chromium,
        carom: target.join("release/carom"),
        out: target.join("browser"),
    })
}

impl Ready {
    fn run(&self) -> Outcome {
        let mut command = Command::new("node");
        command
            .args(["--test", "--test-reporter=spec", "report.test.mjs"])
            .current_dir(FOLDER)
            .env("CHROMIUM", &self.chromium)
            .env("CAROM", &self.carom)
            .env("OUT", &self.out);
        if !succeeds(&mut command) {
            return Outcome::Failed("a report misbehaves, see above".to_owned());
        }
        say(&format!("   screenshots: {}", self.out.display()));
        Outcome::Good
    }
}

/// The folder of what cargo builds: this program lies in `debug` inside it.
fn target() -> Result<PathBuf, Outcome> {
    let own = std::env::current_exe().ok();
    let folder = own.as_deref().and_then(Path::parent).and_then(Path::parent);
    let missing = || Outcome::Failed("cannot tell where cargo builds".to_owned());
    folder.map(Path::to_path_buf).ok_or_else(missing)
}

/// A Chromium: that of `CHROMIUM`, one of the machine, else Debian's, which is installed.
fn chromium() -> Result<PathBuf, Outcome> {
    let answers = |path: &PathBuf| works(Command::new(path).arg("--version"));
    if let Some(chosen) = std::env::var_os("CHROMIUM").map(PathBuf::from) {
        let why = format!("CHROMIUM is {}, which does not start", chosen.display());
        let is_good = answers(&chosen);
        return is_good.then_some(chosen).ok_or(Outcome::CouldNotRun(why));
    }
    let present = || BROWSERS.iter().map(PathBuf::from).find(answers);
    if let Some(path) = present() {
        return Ok(path);
    }
    say("   no Chromium here: installing Debian's");
    if !works(Command::new("apt-get").args(["update", "--quiet"])) {
        let why = "this machine has no Chromium, and apt-get update fails (no apt, no network or \
                   not root); set CHROMIUM to a browser to run it";
        return Err(Outcome::CouldNotRun(why.to_owned()));
    }
    let install = ["install", "--yes", "--no-install-recommends", "chromium"];
    let mut apt = Command::new("apt-get");
    let is_installed = works(apt.args(install).env("DEBIAN_FRONTEND", "noninteractive"));
    let found = present().filter(|_| is_installed);
    let why = "this machine has no Chromium, and apt-get install chromium fails; set CHROMIUM to a \
               browser to run it";
    found.ok_or_else(|| Outcome::CouldNotRun(why.to_owned()))
}

/// The packages of the lock file, installed where they are not.
fn packages() -> Result<(), Outcome> {
    let npm = |arguments: &[&str]| {
        let mut command = Command::new("npm");
        command.args(arguments).current_dir(FOLDER);
        command
    };
    if works(&mut npm(&["ls", "--all"])) {
        return Ok(());
    }
    if works(&mut npm(&[
        "ci",
        "--no-audit",
        "--no-fund",
        "--loglevel=error",
    ])) {
        return Ok(());
    }
    // Offline is no fault of ours; a lock file that does not install is.
    match works(&mut npm(&["view", "playwright-core", "version"])) {
        true => Err(Outcome::Failed(format!("npm ci fails in {FOLDER}"))),
        false => {
            let why = "the packages of tests/browser are not installed and npm has no network";
            Err(Outcome::CouldNotRun(why.to_owned()))
        }
    }
}

/// Runs quietly; whether it succeeded.
fn works(command: &mut Command) -> bool {
    succeeds(command.stdout(Stdio::null()).stderr(Stdio::null()))
}

fn succeeds(command: &mut Command) -> bool {
    command.status().is_ok_and(|status| status.success())
}
