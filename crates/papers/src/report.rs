//! Recomputed papers as one page: verdicts, proofs, figures.

use carom::{Part, page_html};

use crate::{Figure, Item, Paper, Verdict, title};

/// Papers with their figures, complete in one file.
pub fn report_html(papers: &[(Paper, Vec<Figure>)]) -> String {
    let parts: Vec<Part> = papers.iter().flat_map(of_paper).collect();
    match papers {
        [(paper, _)] => page_html(
            &format!("Paper {}", paper.paper),
            title(paper.paper),
            &parts,
        ),
        _ => page_html(
            "Source papers",
            "recomputed, with a verdict for each cell and claim",
            &parts,
        ),
    }
}

fn of_paper((paper, figures): &(Paper, Vec<Figure>)) -> Vec<Part> {
    let key = paper.paper;
    let mut parts = vec![Part::Words {
        heading: format!("Paper {key}: {}", title(key)),
        paragraphs: summary(paper),
    }];
    parts.extend(figures.iter().map(|figure| Part::Figure {
        heading: format!("Paper {key}: {}", figure.name.replace('-', " ")),
        caption: figure.caption.to_owned(),
        svg: figure.svg.clone(),
    }));
    let disagreeing = || {
        paper
            .items
            .iter()
            .filter(|item| item.verdict != Verdict::Agrees)
    };
    let proofs = disagreeing().filter_map(|item| {
        let proof = item.proof.as_ref()?;
        let name = format!("{}, {}", item.place, words(item.verdict));
        Some((name, format!("{} — {proof}", item.claim)))
    });
    let proofs: Vec<(String, String)> = proofs.collect();
    if !proofs.is_empty() {
        parts.push(Part::Steps {
            heading: format!("Paper {key}: disagreements and their proofs"),
            steps: proofs,
        });
    }
    parts.push(Part::Table {
        heading: format!("Paper {key}: every cell and claim"),
        rows: rows(&paper.items),
    });
    parts
}

fn words(verdict: Verdict) -> String {
    verdict.name().replace('_', " ")
}

fn summary(paper: &Paper) -> Vec<(String, String)> {
    let count = |verdict| paper.count(verdict);
    let line = format!(
        "{} items: {} agree, {} are misprints, proved; {} hold with a correction; {} are refuted; {} \
         are unexplained.",
        paper.items.len(),
        count(Verdict::Agrees),
        count(Verdict::Misprint),
        count(Verdict::HoldsWithCorrection),
        count(Verdict::False),
        count(Verdict::Unexplained)
    );
    let rule = "An item agrees when the computed value rounds to the printed digits, or the claim \
                holds. A misprint violates an identity that the computed value satisfies.";
    vec![
        ("Verdicts".to_owned(), line),
        ("How it is judged".to_owned(), rule.to_owned()),
    ]
}

fn rows(items: &[Item]) -> Vec<Vec<String>> {
    let head = ["where", "claim", "printed", "computed", "verdict"].map(str::to_owned);
    let body = items.iter().map(|item| {
        let cells = [
            item.place.clone(),
            item.claim.clone(),
            item.printed.to_string(),
            item.computed.to_string(),
            words(item.verdict),
        ];
        cells.to_vec()
    });
    std::iter::once(head.to_vec()).chain(body).collect()
}
