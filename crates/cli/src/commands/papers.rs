//! `carom papers`: the source papers recomputed, with a verdict per cell and claim.

use carom_papers::{Item, PAPERS, Paper, Verdict, recompute};
use clap::Args;

use crate::exit::{Exit, Failure};
use crate::output::{say, say_json};

/// Recompute the tables and claims of the source papers, with a verdict for each
#[derive(Debug, Args)]
#[command(
    after_help = "Exit code 0 when every disagreement is a proved misprint or correction, 1 otherwise."
)]
pub(crate) struct Papers {
    /// Key of the paper, as in 000 (default: every paper)
    key: Option<String>,

    /// Print JSON, one object per paper, on standard output and nothing else
    #[arg(long)]
    json: bool,

    /// Print only the summary
    #[arg(long, short)]
    quiet: bool,
}

impl Papers {
    pub(crate) fn run(&self) -> Result<Exit, Failure> {
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
            if self.json {
                say_json(&paper)?;
            } else {
                say(&self.text(&paper))?;
            }
        }
        Ok(exit)
    }

    fn text(&self, paper: &Paper) -> String {
        let title = PAPERS.iter().find(|entry| entry.key == paper.paper);
        let mut out = format!(
            "paper {}: {}\n\n",
            paper.paper,
            title.map_or("", |t| t.title)
        );
        if !self.quiet {
            out.push_str(&rows(&paper.items));
            out.push('\n');
        }
        for item in paper.items.iter().filter(|item| item.proof.is_some()) {
            let proof = item.proof.as_deref().unwrap_or_default();
            out.push_str(&format!(
                "{} [{}]\n    {proof}\n",
                item.place,
                item.verdict.name()
            ));
        }
        out.push_str(&format!(
            "\n{} items: {} agree, {} misprints proved, {} hold with a correction, {} unexplained\n",
            paper.items.len(),
            paper.count(Verdict::Agrees),
            paper.count(Verdict::Misprint),
            paper.count(Verdict::HoldsWithCorrection),
            paper.count(Verdict::False)
        ));
        out
    }
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
            item.printed.clone(),
            item.computed.clone(),
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
