//! `carom run`: a mechanism in motion, with its collisions.

use std::io::{BufRead, IsTerminal};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use carom::figure::RunFigure;
use carom::sim::record::{EndKind, RunRecord};
use carom::sim::{Progress, Watch};
use carom::{InputError, Override, RunFiles, Scenario};
use clap::{Args, ValueEnum};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::exit::{Exit, Failure};
use crate::input::{Input, Inputs, no_problem};
use crate::output::{ErrorLine, Show, complain, say, say_json, tell, write_file};

/// Simulate a mechanism with collisions: events, energy ledger, figures
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    carom run --example pendulum-rough\n  \
    carom run --example pendulum-rough -o pendulum\n  \
    carom run scenario.toml --set contacts.hit.friction=0.3 -o out --force\n  \
    carom run scenario.toml -o out --energy --gaps\n  \
    carom run scenario.toml --json > run.json\n  \
    carom impact pendulum/run.json --event 3\n\n\
    The folder gets report.html (open it in a browser), run.json, figures and their data: events.csv,\n\
    impacts.csv, trajectory.csv, around_events.csv.\n\
    Ctrl-C ends the run at its next step and writes what there is.")]
pub(crate) struct Run {
    #[command(flatten)]
    inputs: Inputs,

    /// Write report.html, run.json, tables (CSV) and figures into a folder
    #[arg(long = "output", short, value_name = "DIR")]
    output: Option<PathBuf>,

    /// Figures in the folder
    #[arg(long, value_name = "KIND", default_value = "svg")]
    figures: Figures,

    #[command(flatten)]
    only: Only,

    /// Impulse planes to draw, of the first impacts
    #[arg(long, value_name = "N", default_value_t = 200)]
    planes: usize,

    /// Leave report.html out
    #[arg(long)]
    no_report: bool,

    /// Events shown in the table
    #[arg(long, value_name = "N", default_value_t = 40)]
    rows: usize,

    /// Overwrite files that exist
    #[arg(long)]
    force: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Figures {
    /// As SVG
    Svg,
    /// As SVG and PNG
    Png,
    /// None
    None,
}

/// Figures named one by one.
#[derive(Debug, Args)]
#[command(next_help_heading = "Figures, where not all are wanted")]
struct Only {
    /// The mechanism at its start, its impacts, its end
    #[arg(long)]
    motion: bool,
    /// Coordinates over time
    #[arg(long)]
    coordinates: bool,
    /// Rates over time
    #[arg(long)]
    rates: bool,
    /// Rates against coordinates
    #[arg(long)]
    phase: bool,
    /// Energies over time
    #[arg(long)]
    energy: bool,
    /// Reactions of the joints over time, and their impulses
    #[arg(long)]
    reactions: bool,
    /// Gaps over time
    #[arg(long)]
    gaps: bool,
    /// Modes and forces of the contacts that stay closed
    #[arg(long)]
    contacts: bool,
    /// The impulse plane of every impact
    #[arg(long)]
    impulse_planes: bool,
}

impl Only {
    /// The figures of the motion that are named, and whether the impulse planes are; all where none
    /// is.
    fn chosen(&self) -> (Vec<RunFigure>, bool) {
        let is_named = |figure: &RunFigure| match figure {
            RunFigure::Motion => self.motion,
            RunFigure::Coordinates => self.coordinates,
            RunFigure::Rates => self.rates,
            RunFigure::Phase => self.phase,
            RunFigure::Energy => self.energy,
            RunFigure::Reactions => self.reactions,
            RunFigure::Gaps => self.gaps,
            RunFigure::Contacts => self.contacts,
            _ => false,
        };
        let named: Vec<RunFigure> = RunFigure::ALL.into_iter().filter(is_named).collect();
        match (named.is_empty(), self.impulse_planes) {
            (true, false) => (RunFigure::ALL.to_vec(), true),
            (_, planes) => (named, planes),
        }
    }
}

impl Run {
    pub(crate) fn run(&self, show: Show) -> Result<Exit, Failure> {
        let overrides = self.inputs.overrides()?;
        if let Some(folder) = &self.output {
            if self.inputs.count() > 1 {
                let one = "-o takes one scenario: give a single file or example";
                return Err(Failure::Said(one.to_owned()));
            }
            refuse_full(folder, self.force)?;
        }
        let (mut failed, mut early, mut done) = (0, 0, 0);
        let mut count = |end: Option<EndKind>| match end {
            None => failed += 1,
            Some(EndKind::Duration) => done += 1,
            Some(_) => (early, done) = (early + 1, done + 1),
        };
        for input in self.inputs.open()? {
            match input {
                Input::Document { name, text } => {
                    let read = text.and_then(|text| carom::read_scenario(&name, &text, &overrides));
                    count(self.one(&name, read, show)?);
                }
                Input::Lines { name, reader } => {
                    for end in self.stream(&name, reader, &overrides)? {
                        count(end);
                    }
                }
            }
        }
        Ok(match (failed, early, done) {
            (0, 0, _) => Exit::Done,
            (_, _, 0) => Exit::CouldNotRun,
            _ => Exit::SomeFailed,
        })
    }

    /// Runs one scenario; how it ended, unless it could not be run, or not to its end: then what there is of
    /// it is shown and written all the same.
    fn one(
        &self,
        name: &str,
        read: Result<Scenario, InputError>,
        show: Show,
    ) -> Result<Option<EndKind>, Failure> {
        let mut watcher = Watcher::new(show);
        let ran = read.and_then(|scenario| {
            carom::simulate_watched(&scenario, &mut |progress| watcher.see(progress))
        });
        watcher.finish();
        let record = match ran {
            Ok(record) => record,
            Err(error) => {
                tell(&error, show)?;
                return Ok(None);
            }
        };
        let end = record.end.kind;
        let is_told = show.quiet && !show.json && end != EndKind::Duration;
        if is_told || end == EndKind::Failed {
            complain(&format!("{name}: {}", record.end.reason));
        }
        let is_for_people = !show.json && !show.quiet;
        // First what needs no disk.
        if is_for_people {
            if self.inputs.count() > 1 {
                say(&format!("== {name}\n"))?;
            }
            say(&carom::run_table(&record, self.rows))?;
        }
        if let Some(folder) = &self.output {
            let written = self.write(&record, folder)?;
            if is_for_people {
                say(&format!("\n{written}\n"))?;
            }
        }
        if show.json {
            say_json(&brief(record))?;
        }
        Ok(finished(end))
    }

    /// Runs a stream of scenarios, one a line.
    fn stream(
        &self,
        name: &str,
        reader: Box<dyn BufRead>,
        overrides: &[Override],
    ) -> Result<Vec<Option<EndKind>>, Failure> {
        if self.output.is_some() {
            let one = "-o takes one scenario, not a stream of them";
            return Err(Failure::Said(one.to_owned()));
        }
        let mut ends = Vec::new();
        for (line, text) in carom::lines(name, reader) {
            let ran = text
                .and_then(|text| carom::read_scenario_in(name, line, &text, overrides))
                .and_then(|scenario| carom::simulate(&scenario));
            let end = ran.as_ref().ok().map(|record| record.end.kind);
            ends.push(end.and_then(finished));
            match ran {
                Ok(record) => say_json(&brief(record))?,
                Err(error) => say_json(&ErrorLine { error: &error })?,
            }
        }
        if ends.is_empty() {
            complain(&no_problem(name).render());
            ends.push(None);
        }
        Ok(ends)
    }

    /// Writes the folder; a sentence about what is in it.
    fn write(&self, record: &RunRecord, folder: &Path) -> Result<String, Failure> {
        let (figures, impulse_planes) = match self.figures {
            Figures::None => (Vec::new(), false),
            _ => self.only.chosen(),
        };
        let what = RunFiles {
            figures,
            impulse_planes,
            png: self.figures == Figures::Png,
            planes: self.planes,
            report: !self.no_report,
        };
        let cannot = |path: &Path, error: std::io::Error| {
            Failure::Said(format!("{} cannot be written: {error}", path.display()))
        };
        clear_old(folder);
        let (mut names, mut planes) = (Vec::new(), 0);
        for file in carom::run_files(record, what) {
            let file = file.map_err(Failure::Said)?;
            let path = folder.join(&file.name);
            if let Some(parent) = path.parent() {
                std::fs::create_dir_all(parent).map_err(|error| cannot(parent, error))?;
            }
            write_file(&path.to_string_lossy(), &file.bytes, true)?;
            match file.name.starts_with("impacts/") {
                true => planes += 1,
                false => names.push(file.name),
            }
        }
        let planes = match planes {
            0 => String::new(),
            1 => ", impacts/ (1 picture)".to_owned(),
            n => format!(", impacts/ ({n} pictures)"),
        };
        Ok(format!(
            "written in {}: {}{planes}",
            folder.display(),
            names.join(", ")
        ))
    }
}

/// How a run ended; nothing where it failed on the way.
fn finished(end: EndKind) -> Option<EndKind> {
    (end != EndKind::Failed).then_some(end)
}

/// What `--json` prints: everything but the sampled motion.
fn brief(record: RunRecord) -> RunRecord {
    RunRecord {
        scene: None,
        trajectory: None,
        around_events: None,
        ..record
    }
}

/// Refuses a folder that has something in it, unless overwriting is asked for.
fn refuse_full(folder: &Path, force: bool) -> Result<(), Failure> {
    let name = folder.display();
    if folder.exists() && !folder.is_dir() {
        return Err(Failure::Said(format!("{name} is not a folder")));
    }
    let is_full = std::fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_some());
    if is_full && !force {
        return Err(Failure::Said(format!(
            "{name} is not empty: choose another folder, or --force to overwrite what is in it"
        )));
    }
    std::fs::create_dir_all(folder)
        .map_err(|error| Failure::Said(format!("{name} cannot be made: {error}")))
}

/// Pictures and page of an older run that this one may not overwrite.
fn clear_old(folder: &Path) {
    let _ = std::fs::remove_file(folder.join("report.html"));
    let impacts = std::fs::read_dir(folder.join("impacts"));
    let top = std::fs::read_dir(folder);
    for entry in impacts.into_iter().chain(top).flatten().flatten() {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        let is_ours = name.starts_with("impact-") || carom::is_run_figure(&name);
        if is_ours && (name.ends_with(".svg") || name.ends_with(".png")) {
            let _ = std::fs::remove_file(entry.path());
        }
    }
}

/// The bar, and the ear for Ctrl-C.
struct Watcher {
    bar: Option<ProgressBar>,
    started: Instant,
    shown: Duration,
    is_silent: bool,
}

/// The bar appears after this time, and is redrawn no more often.
const PATIENCE: Duration = Duration::from_millis(200);
const TICKS: u64 = 1000;

impl Watcher {
    fn new(show: Show) -> Self {
        let _ = interrupted(); // listen from the start
        Self {
            bar: None,
            started: Instant::now(),
            shown: Duration::ZERO,
            is_silent: show.quiet || show.json || !std::io::stderr().is_terminal(),
        }
    }

    fn see(&mut self, progress: Progress) -> Watch {
        let elapsed = self.started.elapsed();
        if !self.is_silent && elapsed > self.shown + PATIENCE {
            self.shown = elapsed;
            self.draw(progress);
        }
        match interrupted().load(Ordering::Relaxed) {
            true => Watch::Stop,
            false => Watch::GoOn,
        }
    }

    fn draw(&mut self, progress: Progress) {
        let bar = self.bar.get_or_insert_with(|| {
            let bar = ProgressBar::with_draw_target(Some(TICKS), ProgressDrawTarget::stderr());
            let style =
                ProgressStyle::with_template("{wide_bar} {percent:>3} %  {msg}  {eta} left");
            match style {
                Ok(style) => bar.with_style(style),
                Err(_) => bar,
            }
        });
        let share = (progress.time / progress.duration).clamp(0.0, 1.0);
        bar.set_position((share * TICKS as f64) as u64);
        bar.set_message(format!(
            "{:.3} of {} s, {} events",
            progress.time, progress.duration, progress.events
        ));
    }

    fn finish(&mut self) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
    }
}

/// Raised by Ctrl-C; a second one ends the program at once.
fn interrupted() -> &'static AtomicBool {
    static RAISED: AtomicBool = AtomicBool::new(false);
    static LISTENING: OnceLock<()> = OnceLock::new();
    LISTENING.get_or_init(|| {
        let heard = ctrlc::set_handler(|| {
            if RAISED.swap(true, Ordering::Relaxed) {
                std::process::exit(130);
            }
        });
        if let Err(error) = heard {
            complain(&format!("Ctrl-C will not be heard: {error}"));
        }
    });
    &RAISED
}
