//! `carom impact`: one collision, laws side by side.

use std::io::{BufRead, BufWriter, Write};

use carom::{
    Answer, Asked, CollisionAnswer, ImpactPicture, InputError, Law, Method, Override, ProblemFile,
};
use clap::Args;

use crate::exit::{Exit, Failure};
use crate::input::{Input, Inputs, no_problem};
use crate::output::{
    ErrorLine, Show, complain, json, refuse_existing, say, say_json, tell, write_file,
};

/// Solve one collision with friction: laws side by side, impulses, works, energy
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    carom impact --example rod\n  \
    carom impact --example rod --plot rod.svg --html rod.html\n  \
    carom impact rod.toml --set contacts.0.friction=0.4 --law energetic\n  \
    carom impact out/run.json --event 3 --law all\n  \
    carom impact --example four-legged-table --plot table.svg\n  \
    carom impact scenario.toml --method complementarity --law newton\n  \
    carom impact - --json < problems.jsonl > results.jsonl\n\n\
    Laws: newton, poisson, energetic (Routh's path); moreau, whittaker (for comparison).\n\
    Standard input is JSON Lines when its first line is a complete JSON value; a bad line gives \
    {\"error\": …} and the others go on.")]
pub(crate) struct Impact {
    #[command(flatten)]
    inputs: Inputs,

    /// Solve by one law instead of all: newton, poisson, energetic, moreau, whittaker, all
    #[arg(long, value_name = "LAW", value_parser = law)]
    law: Option<LawChoice>,

    /// How several contacts are solved together: linear, complementarity, sequential, all. Default: as
    /// the problem says, of a scenario all
    #[arg(long, value_name = "METHOD", value_parser = method)]
    method: Option<MethodChoice>,

    /// The impact of an event of a run (run.json), from 1
    #[arg(long, value_name = "N")]
    event: Option<usize>,

    /// Draw the impulse plane or, where slip turns in space, its hodograph; of a scenario and of several
    /// contacts of an event the bodies with their impulses, into a file, .svg or .png
    #[arg(long, value_name = "FILE", value_parser = picture)]
    plot: Option<String>,

    /// Write the answer as a page, .html
    #[arg(long, value_name = "FILE", value_parser = page)]
    html: Option<String>,

    /// Significant digits of the table
    #[arg(long, value_name = "N", default_value_t = 7, value_parser = clap::value_parser!(u8).range(1..=17))]
    digits: u8,

    /// Overwrite files that exist
    #[arg(long)]
    force: bool,
}

/// The answer to one line of a stream.
enum Solved {
    Problem(Answer),
    Scenario(Box<CollisionAnswer>),
}

#[derive(Debug, Clone, Copy)]
enum LawChoice {
    All,
    One(Law),
}

#[derive(Debug, Clone, Copy)]
enum MethodChoice {
    All,
    One(Method),
}

fn method(name: &str) -> Result<MethodChoice, String> {
    if name == "all" {
        return Ok(MethodChoice::All);
    }
    let found = Method::ALL.into_iter().find(|method| method.name() == name);
    let expected = "expected linear, complementarity, sequential or all";
    found.map(MethodChoice::One).ok_or(expected.to_owned())
}

fn law(name: &str) -> Result<LawChoice, String> {
    if name == "all" {
        return Ok(LawChoice::All);
    }
    let law = name.parse().map(LawChoice::One);
    law.map_err(|error: carom::UnknownName| format!("expected all or one of {}", error.allowed))
}

pub(super) fn picture(path: &str) -> Result<String, String> {
    let lower = path.to_lowercase();
    if lower.ends_with(".svg") || lower.ends_with(".png") {
        Ok(path.to_owned())
    } else {
        Err("expected a file name that ends in .svg or .png".to_owned())
    }
}

fn page(path: &str) -> Result<String, String> {
    let lower = path.to_lowercase();
    if lower.ends_with(".html") || lower.ends_with(".htm") {
        Ok(path.to_owned())
    } else {
        Err("expected a file name that ends in .html".to_owned())
    }
}

impl Impact {
    pub(crate) fn run(&self, show: Show) -> Result<Exit, Failure> {
        let overrides = self.inputs.overrides()?;
        for path in self.plot.iter().chain(&self.html) {
            refuse_existing(path, self.force)?;
        }
        let (mut failed, mut done) = (0, 0);
        for input in self.inputs.open()? {
            let is_single = self.plot.is_some() || self.html.is_some() || self.event.is_some();
            let input = match is_single {
                true => self.single(input)?,
                false => input,
            };
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

    /// A picture shows one problem, an event belongs to one run: a stream of one line is one, several
    /// inputs are not.
    fn single(&self, input: Input) -> Result<Input, Failure> {
        let many = "--plot, --html and --event take one input: give a single file or example";
        if self.inputs.count() > 1 {
            return Err(Failure::Said(many.to_owned()));
        }
        let Input::Lines { name, reader } = input else {
            return Ok(input);
        };
        let mut lines: Vec<_> = carom::lines(&name, reader).take(2).collect();
        match (lines.pop(), lines.is_empty()) {
            (Some((_, text)), true) => Ok(Input::Document { name, text }),
            (None, _) => Err(Failure::Input(no_problem(&name))),
            _ => Err(Failure::Said(many.to_owned())),
        }
    }

    fn chosen(&self, mut file: ProblemFile) -> ProblemFile {
        match self.law {
            None => {}
            Some(LawChoice::All) => file.law = None,
            Some(LawChoice::One(law)) => file.law = Some(law),
        }
        if let Some(MethodChoice::One(method)) = self.method {
            file.method = method;
        }
        file
    }

    /// Solves a problem by the methods asked for.
    fn solved(&self, file: &ProblemFile) -> Result<Answer, InputError> {
        let answer = match self.method {
            Some(MethodChoice::All) => carom::impact_by(file, &Method::ALL),
            _ => carom::impact(file),
        };
        answer.map_err(|error| self.asked_here(error))
    }

    /// A refusal of the law or the method that the command line chose is not about the file.
    fn asked_here(&self, error: InputError) -> InputError {
        let option = match (error.path.as_deref(), self.law, self.method) {
            (Some("law"), Some(LawChoice::One(law)), _) => format!("--law {law}"),
            (Some("method"), _, Some(MethodChoice::One(method))) => {
                format!("--method {}", method.name())
            }
            _ => return error,
        };
        InputError {
            path: error.path,
            ..InputError::whole(&option, error.message)
        }
    }

    /// What is asked of a scenario.
    fn asked(&self) -> Asked {
        Asked {
            law: match self.law {
                Some(LawChoice::One(law)) => Some(law),
                _ => None,
            },
            method: match self.method {
                Some(MethodChoice::One(method)) => Some(method),
                _ => None,
            },
        }
    }

    /// A problem, or the one that an event of a run solved.
    fn read(
        &self,
        name: &str,
        text: &str,
        overrides: &[Override],
    ) -> Result<ProblemFile, InputError> {
        match self.event {
            Some(number) => carom::read_event(name, text, number, overrides),
            None if carom::is_run(name, text) => Err(InputError::whole(
                name,
                "this is a run: choose one of its events with --event N",
            )),
            None => carom::read_problem(name, text, overrides),
        }
    }

    /// Solves one document; `None`: it could not be solved.
    fn document(
        &self,
        name: &str,
        text: Result<String, InputError>,
        overrides: &[Override],
        show: Show,
    ) -> Result<Option<bool>, Failure> {
        let text = match text {
            Ok(text) => text,
            Err(error) => {
                tell(&error, show)?;
                return Ok(None);
            }
        };
        let is_run = self.event.is_some() || carom::is_run(name, &text);
        if !is_run && carom::is_scenario(name, &text) {
            return self.scenario(name, &text, overrides, show);
        }
        let solved = self
            .read(name, &text, overrides)
            .map(|file| self.chosen(file))
            .and_then(|file| self.solved(&file).map(|answer| (file, answer)));
        let (file, answer) = match solved {
            Ok(solved) => solved,
            Err(error) => {
                tell(&error, show)?;
                return Ok(None);
            }
        };
        if show.json {
            say_json(&answer)?;
        } else if !show.quiet {
            say(&carom::table(&file, &answer, self.digits.into()))?;
        }
        if let Some(path) = &self.plot {
            self.draw_solved(&file, &answer, &text, path, show)?;
        }
        if let Some(path) = &self.html {
            let page = carom::impact_report(&file, &answer, self.digits.into());
            self.write_page(&page, path, show)?;
        }
        Ok(Some(true))
    }

    /// The impulse plane or the hodograph; of several contacts of an event the bodies with their impulses.
    fn draw_solved(
        &self,
        file: &ProblemFile,
        answer: &Answer,
        text: &str,
        path: &str,
        show: Show,
    ) -> Result<(), Failure> {
        let drawn = match (self.event, file.problem.contacts.len()) {
            (Some(number), 2..) => carom::event_svg(file, text, number, answer)?,
            _ => None,
        };
        match drawn {
            Some(svg) => self.draw(svg, path, "bodies and impulses", show),
            None => {
                let picture = carom::impact_picture(file)?;
                let what = match picture {
                    ImpactPicture::Plane(_) => "impulse plane",
                    ImpactPicture::Space(_) => "slip and impulses",
                };
                self.draw(carom::picture_svg(file, &picture), path, what, show)
            }
        }
    }

    /// The collision of a scenario at its start; `None`: it could not be solved.
    fn scenario(
        &self,
        name: &str,
        text: &str,
        overrides: &[Override],
        show: Show,
    ) -> Result<Option<bool>, Failure> {
        let read = carom::read_scenario(name, text, overrides);
        let solved = read.and_then(|scenario| {
            let answer = carom::collide(&scenario, self.asked())?;
            Ok((scenario, answer))
        });
        let (scenario, answer) = match solved {
            Ok(solved) => solved,
            Err(error) => {
                tell(&error, show)?;
                return Ok(None);
            }
        };
        if show.json {
            say_json(&answer)?;
        } else if !show.quiet {
            say(&carom::collision_table(
                &scenario,
                &answer,
                self.digits.into(),
            ))?;
        }
        if let Some(path) = &self.plot {
            let svg = carom::collision_svg(&scenario, &answer).ok_or_else(|| {
                Failure::Said("the bodies have no place to be drawn at".to_owned())
            })?;
            self.draw(svg, path, "bodies and impulses", show)?;
        }
        if let Some(path) = &self.html {
            let page = carom::collision_report(&scenario, &answer, self.digits.into());
            self.write_page(&page, path, show)?;
        }
        Ok(Some(true))
    }

    fn write_page(&self, page: &str, path: &str, show: Show) -> Result<(), Failure> {
        write_file(path, page.as_bytes(), self.force)?;
        if !show.quiet && !show.json {
            say(&format!("page written in {path}\n"))?;
        }
        Ok(())
    }

    fn draw(&self, svg: String, path: &str, what: &str, show: Show) -> Result<(), Failure> {
        let bytes = if path.to_lowercase().ends_with(".png") {
            carom::to_png(&svg, 2.0).map_err(|error| Failure::Said(error.to_string()))?
        } else {
            svg.into_bytes()
        };
        write_file(path, &bytes, self.force)?;
        if !show.quiet && !show.json {
            say(&format!("{what} drawn in {path}\n"))?;
        }
        Ok(())
    }

    /// Solves one line of a stream: a problem, or a scenario at its start.
    fn line(
        &self,
        name: &str,
        line: usize,
        text: &str,
        overrides: &[Override],
    ) -> Result<Solved, InputError> {
        if carom::is_scenario(name, text) {
            let scenario = carom::read_scenario_in(name, line, text, overrides)?;
            let answer = carom::collide(&scenario, self.asked())?;
            return Ok(Solved::Scenario(Box::new(answer)));
        }
        let file = carom::read_problem_in(name, line, text, overrides)?;
        self.solved(&self.chosen(file)).map(Solved::Problem)
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
        let (mut is_good, mut is_empty) = (true, true);
        for (line, text) in carom::lines(name, reader) {
            is_empty = false;
            let answer = text.and_then(|text| self.line(name, line, &text, overrides));
            let row = match &answer {
                Ok(Solved::Problem(answer)) => json(answer)?,
                Ok(Solved::Scenario(answer)) => json(answer)?,
                Err(error) => {
                    is_good = false;
                    json(&ErrorLine { error })?
                }
            };
            if !show.quiet || show.json {
                writeln!(out, "{row}")?;
            } else if let Err(error) = &answer {
                complain(&error.render());
            }
        }
        out.flush()?;
        if is_empty {
            complain(&no_problem(name).render());
            return Ok(None);
        }
        Ok(Some(is_good))
    }
}
