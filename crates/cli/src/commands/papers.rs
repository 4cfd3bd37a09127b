//! `carom papers`: the source papers recomputed, with a verdict per cell and claim.

use carom_papers::{Item, PAPERS, Paper, Verdict, recompute};
use clap::Args;

use crate::exit::{Exit, Failure};
use crate::output::{Show, say, say_json};

/// Recompute the tables and claims of the source papers, with a verdict for each
#[derive(Debug, Args)]
#[command(
    after_help = "Exit code 0 when every disagreement is a proved misprint or correction, 1 otherwise."
)]
pub(crate) struct Papers {
    /// Key of the paper, as in 000 (default: every paper)
    key: Option<String>,
}

impl Papers {
    pub(crate) fn run(&self, show: Show) -> Result<Exit, Failure> {
        let mut exit = Exit::Done;
        let keys = PAPERS.iter().map(|entry| entry.key);
        let keys: Vec<&str> = match &self.key {
            Some(key) => vec![key.as_str()],
            None => keys.collect(),
        };
        for key in keys {
            let paper = recompute(key).ok_or_else(|| unknown(key))??;
            if !paper.is_explained() {
                exit = Exit::SomeFailed;
            }
            if show.json {
                say_json(&paper)?;
            } else {
                say(&text(&paper, show.quiet))?;
            }
        }
        Ok(exit)
    }
}

fn text(paper: &Paper, quiet: bool) -> String {
    let title = PAPERS.iter().find(|entry| entry.key == paper.paper);
    let mut out = format!(
        "paper {}: {}\n\n",
        paper.paper,
        title.map_or("", |t| t.title)
    );
    if !quiet {
        out.push_str(&rows(&paper.items));
        out.push('\n');
        out.push_str(&proofs(&paper.items));
    }
    out.push_str(&format!(
        "{} items: {} agree, {} misprints proved, {} hold with a correction, {} unexplained\n",
        paper.items.len(),
        paper.count(Verdict::Agrees),
        paper.count(Verdict::Misprint),
        paper.count(Verdict::HoldsWithCorrection),
        paper.count(Verdict::False)
    ));
    out
}

fn proofs(items: &[Item]) -> String {
    let mut out = String::new();
    for item in items {
        if let Some(proof) = &item.proof {
            out.push_str(&format!(
                "{} [{}]\n    {proof}\n",
                item.place,
                item.verdict.name()
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
        [
            item.place.clone(),
            item.printed.to_string(),
            item.computed.to_string(),
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
