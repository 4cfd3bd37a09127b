//! `carom papers`: the source papers recomputed, with a verdict per cell and claim.

use std::path::Path;

use carom_papers::{Figure, Item, PAPERS, Paper, Verdict, figures, recompute, report_html, title};
use clap::Args;

use crate::exit::{Exit, Failure};
use crate::output::{Show, refuse_existing, say, say_json, write_file};

/// Recompute the tables and claims of the source papers, with a verdict for each
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    carom papers\n  \
    carom papers 001 --proofs\n  \
    carom papers 003 --values\n  \
    carom papers 001 -o figures\n\n\
    Exit code 0 when every disagreement is a proved misprint or correction, 1 otherwise.")]
pub(crate) struct Papers {
    /// Key of the paper, as in 000 (default: every paper)
    key: Option<String>,

    /// Write report.html and the figures of the paper, as .svg and .png, into a directory
    #[arg(long, short, value_name = "DIR")]
    output: Option<String>,

    /// Print the proof of every item, not only of those that disagree
    #[arg(long)]
    proofs: bool,

    /// Print the equations that are evaluated symbol by symbol, with the value of each symbol
    #[arg(long)]
    values: bool,

    /// Overwrite files that exist
    #[arg(long)]
    force: bool,
}

impl Papers {
    pub(crate) fn run(&self, show: Show) -> Result<Exit, Failure> {
        let mut exit = Exit::Done;
        let keys = PAPERS.iter().map(|entry| entry.key);
        let keys: Vec<&str> = match &self.key {
            Some(key) => vec![key.as_str()],
            None => keys.collect(),
        };
        let page = self
            .output
            .as_ref()
            .map(|folder| Path::new(folder).join("report.html"));
        if let Some(page) = &page {
            refuse_existing(&page.to_string_lossy(), self.force)?;
        }
        let mut pages = Vec::new();
        for key in keys {
            let paper = recompute(key).ok_or_else(|| unknown(key))??;
            if !paper.is_explained() {
                exit = Exit::SomeFailed;
            }
            // Figures first: a folder that is refused is refused before anything is said.
            let written = match &self.output {
                Some(folder) => {
                    let drawn = figures(key).ok_or_else(|| unknown(key))??;
                    let written = self.write(key, &drawn, Path::new(folder))?;
                    pages.push((paper.clone(), drawn));
                    Some(written)
                }
                None => None,
            };
            if show.json {
                say_json(&paper)?;
                continue;
            }
            say(&self.text(&paper, show.quiet))?;
            if let Some(written) = written {
                say(&listed(&written, show.quiet))?;
            }
        }
        if let Some(page) = &page {
            let page = page.to_string_lossy();
            write_file(&page, report_html(&pages).as_bytes(), self.force)?;
            if !show.json {
                say(&format!("{page}\n"))?;
            }
        }
        Ok(exit)
    }

    /// Writes the figures of a paper; what was written, with captions.
    fn write(&self, key: &str, drawn: &[Figure], folder: &Path) -> Result<Vec<Written>, Failure> {
        let cannot = |error: std::io::Error| {
            Failure::Said(format!("{} cannot be made: {error}", folder.display()))
        };
        std::fs::create_dir_all(folder).map_err(cannot)?;
        let files = |figure: &Figure| {
            ["svg", "png"].map(|ending| {
                let file = format!("paper-{key}-{}.{ending}", figure.name);
                folder.join(file).display().to_string()
            })
        };
        for path in drawn.iter().flat_map(files) {
            refuse_existing(&path, self.force)?;
        }
        let mut written = Vec::with_capacity(drawn.len());
        for figure in drawn {
            let picture = carom::to_png(&figure.svg, PIXELS);
            let picture = picture.map_err(|error| Failure::Said(error.to_string()))?;
            let files = files(figure);
            write_file(&files[0], figure.svg.as_bytes(), self.force)?;
            write_file(&files[1], &picture, self.force)?;
            written.push(Written {
                files,
                caption: figure.caption,
            });
        }
        Ok(written)
    }

    fn text(&self, paper: &Paper, quiet: bool) -> String {
        let mut out = heading(paper);
        if !quiet {
            out.push_str(&rows(&paper.items));
            out.push('\n');
            out.push_str(&proofs(&paper.items, self.proofs));
        }
        if self.values {
            out.push_str(&values(paper));
        }
        out.push_str(&summary(paper));
        out
    }
}

/// Every symbol with its value, equation by equation.
fn values(paper: &Paper) -> String {
    let mut out = String::new();
    for equation in &paper.equations {
        out.push_str(&format!("{}, {}\n", equation.place, equation.system));
        let lines = equation.symbols.iter();
        out.extend(lines.map(|s| format!("    {} = {}\n", s.symbol, s.value)));
    }
    if paper.equations.is_empty() {
        out.push_str("no equation of this paper is evaluated symbol by symbol\n");
    }
    out.push('\n');
    out
}

/// Pixels per unit of a drawing.
const PIXELS: f32 = 2.0;

/// A figure on disk.
struct Written {
    files: [String; 2],
    caption: &'static str,
}

fn listed(written: &[Written], quiet: bool) -> String {
    let line = |figure: &Written| format!("{}\n", figure.files.join(", "));
    let lines = written.iter().map(|figure| match quiet {
        true => line(figure),
        false => format!("{}    {}\n", line(figure), figure.caption),
    });
    match written {
        [] => "no figures to draw\n".to_owned(),
        _ => lines.collect(),
    }
}

fn heading(paper: &Paper) -> String {
    format!("paper {}: {}\n\n", paper.paper, title(paper.paper))
}

fn summary(paper: &Paper) -> String {
    format!(
        "{} items: {} agree, {} misprints proved, {} hold with a correction, {} refuted, {} unexplained\n",
        paper.items.len(),
        paper.count(Verdict::Agrees),
        paper.count(Verdict::Misprint),
        paper.count(Verdict::HoldsWithCorrection),
        paper.count(Verdict::False),
        paper.count(Verdict::Unexplained)
    )
}

/// Claims and proofs of the items that disagree, or of all.
fn proofs(items: &[Item], all: bool) -> String {
    let mut out = String::new();
    for item in items {
        let Some(proof) = &item.proof else { continue };
        if all || item.verdict != Verdict::Agrees {
            out.push_str(&format!(
                "{} [{}]\n    claim: {}\n    proof: {proof}\n",
                item.place,
                item.verdict.name(),
                item.claim
            ));
        }
    }
    out.push('\n');
    out
}

fn unknown(key: &str) -> Failure {
    let known: Vec<&str> = PAPERS.iter().map(|entry| entry.key).collect();
    Failure::Said(format!(
        "there is no paper \"{key}\", expected one of {}",
        known.join(", ")
    ))
}

fn rows(items: &[Item]) -> String {
    let head = ["where", "printed", "computed", "verdict"].map(str::to_owned);
    let body = items.iter().map(|item| {
        let verdict = item.verdict.name().to_owned();
        let cell = |text: String| cut(&text, WIDEST);
        [
            cell(item.place.clone()),
            cell(item.printed.to_string()),
            cell(item.computed.to_string()),
            verdict,
        ]
    });
    let table: Vec<[String; 4]> = std::iter::once(head).chain(body).collect();
    let width = |k: usize| {
        table
            .iter()
            .map(|row| row[k].chars().count())
            .max()
            .unwrap_or(0)
    };
    let (a, b, c) = (width(0), width(1), width(2));
    let line = |[w, x, y, z]: &[String; 4]| format!("{w:<a$}  {x:>b$}  {y:>c$}  {z}\n");
    table.iter().map(line).collect()
}

/// Widest cell of the table (characters).
const WIDEST: usize = 52;

/// A text cut to a width, with an ellipsis where something is missing.
fn cut(text: &str, width: usize) -> String {
    if text.chars().count() <= width {
        return text.to_owned();
    }
    let kept: String = text.chars().take(width - 1).collect();
    format!("{}…", kept.trim_end())
}
