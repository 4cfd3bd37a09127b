//! `carom forward`: all accelerations consistent with friction.

use std::io::{BufRead, BufWriter, Write};

use carom::{ForwardFile, InputError, Override, Span};
use clap::Args;

use super::impact::picture;
use crate::exit::{Exit, Failure};
use crate::input::{Input, Inputs, no_problem};
use crate::output::{ErrorLine, Show, complain, json, refuse_existing, say, tell, write_file};

/// Find every acceleration consistent with friction: existence, uniqueness, margin
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    carom forward --example screw-unique\n  \
    carom forward --example screw-paradox --plot screw.svg\n  \
    carom forward --example screw-paradox --diagram\n  \
    carom forward --example rod-inconsistent --map angle=0.1:1.5:60,rate=0:3:60 --plot map.svg\n  \
    carom forward --example slider-in-guide --set joints.guide.friction.kinetic=0.2\n  \
    carom forward - --json < problems.jsonl > results.jsonl\n\n\
    A file is a forward problem (inertia, screw or rod) or a scenario: its start, with friction in its \
    joints and at the contacts that touch.")]
pub(crate) struct Forward {
    #[command(flatten)]
    inputs: Inputs,

    /// Draw into a file, .svg or .png: force against acceleration, the diagram or the map
    #[arg(long, value_name = "FILE", value_parser = picture)]
    plot: Option<String>,

    /// Count the answers against the force instead
    #[arg(long, conflicts_with = "map")]
    diagram: bool,

    /// With --diagram: direction of the line of forces, as in 1,0.5 (default: the force of one coordinate)
    #[arg(long, value_name = "NUMBERS", value_parser = numbers, requires = "diagram", allow_hyphen_values = true)]
    along: Option<Direction>,

    /// Map regions over two numbers of the file instead, as in angle=0.1:1.5:200,rate=0:3:200
    #[arg(long, value_name = "X=LOW:HIGH:COUNT,Y=…", value_parser = spans)]
    map: Option<Spans>,

    /// Significant digits of the tables
    #[arg(long, value_name = "N", default_value_t = 7, value_parser = clap::value_parser!(u8).range(1..=17))]
    digits: u8,

    /// Overwrite files that exist
    #[arg(long)]
    force: bool,
}

/// Numbers of a direction.
#[derive(Debug, Clone)]
struct Direction(Vec<f64>);

fn numbers(typed: &str) -> Result<Direction, String> {
    let parsed = typed.split(',').map(|part| part.trim().parse());
    let parsed: Result<Vec<f64>, _> = parsed.collect();
    let expected = "expected numbers with commas between, as in 1,0.5";
    parsed.map(Direction).map_err(|_| expected.to_owned())
}

/// The two parameters of a map.
#[derive(Debug, Clone)]
struct Spans([Span; 2]);

fn spans(typed: &str) -> Result<Spans, String> {
    let parts: Vec<&str> = typed.split(',').collect();
    match parts[..] {
        [x, y] => Ok(Spans([x.parse()?, y.parse()?])),
        _ => Err(format!(
            "found {} parameters, expected two, as in angle=0.1:1.5:200,rate=0:3:200",
            parts.len()
        )),
    }
}

/// What was computed, in the forms it may leave in.
struct Answered {
    json: String,
    text: String,
    svg: Option<String>,
}

impl Forward {
    pub(crate) fn run(&self, show: Show) -> Result<Exit, Failure> {
        let overrides = self.inputs.overrides()?;
        if let Some(path) = &self.plot {
            refuse_existing(path, self.force)?;
            if self.inputs.count() > 1 {
                let one = "--plot takes one input: give a single file or example";
                return Err(Failure::Said(one.to_owned()));
            }
        }
        let (mut failed, mut done) = (0, 0);
        for input in self.inputs.open()? {
            let is_good = match input {
                Input::Lines { name, reader } => self.stream(&name, reader, &overrides, show)?,
                Input::Document { name, text } => self.document(&name, text, &overrides, show)?,
            };
            match is_good {
                Some(true) => done += 1,
                Some(false) => (failed, done) = (failed + 1, done + 1),
                None => failed += 1,
            }
        }
        Ok(match (failed, done) {
            (0, _) => Exit::Done,
            (_, 0) => Exit::CouldNotRun,
            _ => Exit::SomeFailed,
        })
    }

    /// The answers, the diagram or the map of a file.
    fn answered(&self, file: &ForwardFile) -> Result<Answered, Failure> {
        let digits = usize::from(self.digits);
        let is_drawn = self.plot.is_some();
        if let Some(Spans([x, y])) = &self.map {
            let map = carom::forward_map(file, [x, y])?;
            return Ok(Answered {
                json: json(&map)?,
                text: carom::map_table(&map, digits),
                svg: is_drawn
                    .then(|| carom::forward_map_svg(file, &map))
                    .transpose()?,
            });
        }
        if self.diagram {
            let along = self.along.as_ref().map(|direction| &direction.0[..]);
            let diagram = carom::forward_diagram(file, along)?;
            return Ok(Answered {
                json: json(&diagram)?,
                text: carom::diagram_table(&diagram, digits),
                svg: is_drawn
                    .then(|| carom::diagram_svg(file, &diagram))
                    .transpose()?,
            });
        }
        let result = carom::forward(file)?;
        Ok(Answered {
            json: json(&result)?,
            text: carom::forward_table(file, &result, digits)?,
            svg: is_drawn.then(|| carom::forward_svg(file)).transpose()?,
        })
    }

    /// Solves one document; `None`: it could not be solved.
    fn document(
        &self,
        name: &str,
        text: Result<String, InputError>,
        overrides: &[Override],
        show: Show,
    ) -> Result<Option<bool>, Failure> {
        let read = text.and_then(|text| carom::read_forward(name, &text, overrides));
        let solved = read
            .map_err(Failure::Input)
            .and_then(|file| self.answered(&file));
        let answered = match solved {
            Ok(answered) => answered,
            Err(Failure::Input(error)) => {
                tell(&error, show)?;
                return Ok(None);
            }
            Err(failure) => return Err(failure),
        };
        if show.json {
            say(&format!("{}\n", answered.json))?;
        } else if !show.quiet {
            let is_several = self.inputs.count() > 1;
            let between = if is_several { "\n" } else { "" };
            say(&format!("{}{between}", answered.text))?;
        }
        if let (Some(path), Some(svg)) = (&self.plot, answered.svg) {
            self.draw(&svg, path, show)?;
        }
        Ok(Some(true))
    }

    fn draw(&self, svg: &str, path: &str, show: Show) -> Result<(), Failure> {
        let bytes = if path.to_lowercase().ends_with(".png") {
            carom::to_png(svg, 2.0).map_err(|error| Failure::Said(error.to_string()))?
        } else {
            svg.as_bytes().to_vec()
        };
        write_file(path, &bytes, self.force)?;
        if !show.quiet && !show.json {
            say(&format!("drawn in {path}\n"))?;
        }
        Ok(())
    }

    /// Solves a stream line by line; `Some(false)`: some lines failed.
    fn stream(
        &self,
        name: &str,
        reader: Box<dyn BufRead>,
        overrides: &[Override],
        show: Show,
    ) -> Result<Option<bool>, Failure> {
        let mut out = BufWriter::new(std::io::stdout().lock());
        let (mut is_good, mut count) = (true, 0);
        let mut lines = carom::lines(name, reader).peekable();
        while let Some((line, text)) = lines.next() {
            count += 1;
            if self.plot.is_some() && lines.peek().is_some() {
                let one = "--plot takes one problem, not a stream of them";
                return Err(Failure::Said(one.to_owned()));
            }
            let read = text.and_then(|text| carom::read_forward_in(name, line, &text, overrides));
            let solved = read
                .map_err(Failure::Input)
                .and_then(|file| self.answered(&file));
            match solved {
                Ok(answered) => {
                    if !show.quiet || show.json {
                        writeln!(out, "{}", answered.json)?;
                    }
                    if let (Some(path), Some(svg)) = (&self.plot, &answered.svg) {
                        out.flush()?;
                        self.draw(
                            svg,
                            path,
                            Show {
                                quiet: true,
                                ..show
                            },
                        )?;
                    }
                }
                Err(Failure::Input(error)) => {
                    is_good = false;
                    match show.quiet && !show.json {
                        true => complain(&error.render()),
                        false => writeln!(out, "{}", json(&ErrorLine { error: &error })?)?,
                    }
                }
                Err(failure) => return Err(failure),
            }
        }
        out.flush()?;
        if count == 0 {
            complain(&no_problem(name).render());
            return Ok(None);
        }
        Ok(Some(is_good))
    }
}
