//! One scenario in, one run out; and the files that tell of it.

use carom_contact::impact::{ImpactPicture, Law, Prepared};
use carom_report::figure::{self, RunFigure};
use carom_report::{
    around_events_csv, end_sentence, event_table, events_csv, hodograph_csv, impacts_csv,
    ledger_table, report_html, trajectory_csv,
};
use carom_scenario::{InputError, Scenario};
use carom_sim::record::{EventRecord, RunRecord, record};
use carom_sim::{Progress, Watch, run_watched};

/// Runs a scenario.
///
/// ```
/// let ball = carom::read_scenario("ball.toml", r#"
///     bodies.ball = { mass = 1, inertia = 0.1, shapes.skin.point = {}, start.position = [0, 1, 0] }
///     world.shapes.floor = { half_space = { normal = [0, 1] } }
///     contacts.hit = { between = ["ball.skin", "world.floor"], restitution = 0.8 }
///     run.duration = 1.0
/// "#, &[])?;
/// let run = carom::simulate(&ball)?;
/// assert_eq!(run.events.len(), 1);
/// assert!((run.events[0].time - (2.0f64 / 9.81).sqrt()).abs() < 1e-13);
/// # Ok::<(), carom::InputError>(())
/// ```
pub fn simulate(scenario: &Scenario) -> Result<RunRecord, InputError> {
    simulate_watched(scenario, &mut |_| Watch::GoOn)
}

/// The same, with a watcher that is asked after every step and may stop the run.
pub fn simulate_watched(
    scenario: &Scenario,
    watch: &mut dyn FnMut(Progress) -> Watch,
) -> Result<RunRecord, InputError> {
    let mut setup = scenario.build()?;
    let ran = run_watched(&mut setup, watch).and_then(|run| record(&mut setup, &run));
    let record = ran.map_err(|error| scenario.locate(&error))?;
    Ok(RunRecord {
        title: scenario.title.clone(),
        ..record
    })
}

/// What a file holds, and what a run of it may meet that is not offered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checked {
    /// What it holds, in a few words.
    pub holds: String,
    /// Sentences on what may end a run of it early, for want of a method.
    pub warnings: Vec<String>,
}

impl From<String> for Checked {
    fn from(holds: String) -> Self {
        let warnings = Vec::new();
        Self { holds, warnings }
    }
}

/// Checks a scenario as far as a run would before it starts, and says what it holds.
///
/// One with friction in a joint is checked as the forward problem of its start.
pub fn check_scenario(scenario: &Scenario) -> Result<Checked, InputError> {
    if scenario.has_joint_friction() {
        let problem = scenario.instant()?.problem;
        return Ok(format!(
            "scenario with friction in joints, at its start a forward problem of {} coordinates and {} \
             contacts",
            problem.coordinates(),
            problem.contacts.len()
        )
        .into());
    }
    if scenario.has_spots() || !scenario.has_duration() {
        let answer = crate::collide(scenario, crate::Asked::default())?;
        return Ok(format!(
            "scenario whose start is a collision of {} contacts, {} coordinates",
            answer.problem.contacts.len(),
            answer.problem.velocity.len()
        )
        .into());
    }
    let mut setup = scenario.build()?;
    carom_sim::check(&mut setup).map_err(|error| scenario.locate(&error))?;
    let missing = carom_sim::not_offered(&setup).into_iter();
    let warned = missing.map(|what| {
        format!("should several contacts collide at one instant, the run ends there with not_offered: {what}")
    });
    Ok(Checked {
        holds: scenario.summary(&setup),
        warnings: warned.collect(),
    })
}

/// A run for people: its events (at most `limit`), its ledger, how it ended.
pub fn run_table(record: &RunRecord, limit: usize) -> String {
    let title = record.title.as_ref().map(|title| format!("{title}\n\n"));
    format!(
        "{}{}\n{}\n{}\n",
        title.unwrap_or_default(),
        event_table(record, limit),
        ledger_table(record),
        end_sentence(record).trim_end()
    )
}

/// What to write of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunFiles {
    /// Figures of the motion.
    pub figures: Vec<RunFigure>,
    /// Figures of the impacts: their impulse planes.
    pub impulse_planes: bool,
    /// Figures as PNG beside the SVG.
    pub png: bool,
    /// Impacts to draw the impulse plane of, as figures and in the page: the first ones.
    pub planes: usize,
    /// The page `report.html`.
    pub report: bool,
}

/// A file of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunFile {
    /// Name in the folder of the run, `/` between folders.
    pub name: String,
    /// What is in it.
    pub bytes: Vec<u8>,
}

/// The files of a run, one after another: `run.json`, `report.html`, the tables `events.csv`,
/// `impacts.csv`, `trajectory.csv`, `around_events.csv`, then figures.
///
/// They are made as they are asked for, so that a folder of many figures shows progress.
pub fn run_files(
    record: &RunRecord,
    what: RunFiles,
) -> impl Iterator<Item = Result<RunFile, String>> + '_ {
    let json = std::iter::once_with(move || {
        let mut text = serde_json::to_string(record).map_err(|error| error.to_string())?;
        text.push('\n');
        Ok(file("run.json", text))
    });
    let report = std::iter::once_with(move || run_report(record, what.planes));
    let report = report
        .take(usize::from(what.report))
        .map(|text| Ok(file("report.html", text?)));
    let figures = what.figures.into_iter().filter_map(move |figure| {
        let svg = figure.svg(record)?;
        Some((figure.name().to_owned(), svg))
    });
    let impacts = record.events.iter().filter(move |_| what.impulse_planes);
    let drawn = figures.flat_map(move |(name, svg)| pictures(name, svg, what.png));
    let planes = impacts.filter_map(|event| Some((event, picture(event)?)));
    let planes = planes.take(what.planes);
    let planes = planes.flat_map(move |(event, picture)| impact_files(event, &picture, what.png));
    let all = json.chain(report).chain(tables(record));
    all.chain(drawn).chain(planes)
}

/// The data of the figures as CSV.
fn tables(record: &RunRecord) -> impl Iterator<Item = Result<RunFile, String>> + '_ {
    type Table = fn(&RunRecord) -> Option<String>;
    let tables: [(&str, Table); 4] = [
        ("events.csv", |record| Some(events_csv(record))),
        ("impacts.csv", |record| Some(impacts_csv(record))),
        ("trajectory.csv", trajectory_csv),
        ("around_events.csv", around_events_csv),
    ];
    let written = tables
        .into_iter()
        .filter_map(|(name, table)| Some(file(name, table(record)?)));
    written.map(Ok)
}

fn file(name: &str, text: String) -> RunFile {
    RunFile {
        name: name.to_owned(),
        bytes: text.into_bytes(),
    }
}

/// A figure as SVG and, where asked for, as PNG.
fn pictures(name: String, svg: String, png: bool) -> Vec<Result<RunFile, String>> {
    let image = png.then(|| {
        let bytes = figure::to_png(&svg, 2.0).map_err(|error| error.to_string())?;
        let name = format!("{name}.png");
        Ok(RunFile { name, bytes })
    });
    let drawn = Ok(file(&format!("{name}.svg"), svg));
    std::iter::once(drawn).chain(image).collect()
}

/// The report of a run: one page that needs no network.
///
/// It has the impulse planes and hodographs of the first `planes` impacts.
pub fn run_report(record: &RunRecord, planes: usize) -> Result<String, String> {
    let drawn = record.events.iter().filter_map(|event| {
        let picture = picture(event)?;
        Some((event.index, picture))
    });
    let drawn: Vec<(usize, ImpactPicture)> = drawn.take(planes).collect();
    report_html(record, &drawn).map_err(|error| error.to_string())
}

/// The impulse plane of an impact of one contact with a tangent, or its hodograph where slip turns.
fn picture(event: &EventRecord) -> Option<ImpactPicture> {
    let posed = event.problem.as_ref()?;
    let [_] = &event.contacts[..] else {
        return None;
    };
    posed
        .problem
        .contacts
        .first()
        .filter(|c| c.tangent.is_some() || (c.tangents.is_some() && c.friction.mu_s > 0.0))?;
    let laws: &[Law] = &[posed.law];
    Prepared::new(&posed.problem).ok()?.picture(laws).ok()
}

/// The picture of an impact under its own heading, and the lines of a hodograph as CSV.
fn impact_files(
    event: &EventRecord,
    picture: &ImpactPicture,
    png: bool,
) -> Vec<Result<RunFile, String>> {
    let name = format!("impacts/impact-{:03}", event.index);
    let contact = event.contacts.first().map_or("", |contact| &contact.name);
    let title = format!("{contact}, impact {} at {} s", event.index, event.time);
    let svg = figure::impact_svg(picture, &title);
    let lines = match picture {
        ImpactPicture::Space(drawn) => Some(hodograph_csv(drawn)),
        ImpactPicture::Plane(_) => None, // its corners are in impacts.csv
    };
    let lines = lines.map(|text| Ok(file(&format!("{name}.csv"), text)));
    let mut files = pictures(name, svg, png);
    files.extend(lines);
    files
}

/// Whether a file name is that of a figure of a run.
pub fn is_run_figure(name: &str) -> bool {
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    RunFigure::ALL.iter().any(|figure| figure.name() == stem)
}
