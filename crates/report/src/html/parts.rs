//! A page put together from words, tables and figures.

use super::escape::text;
use super::shell;
use crate::prose::with_minus;

/// A part of a page. Its texts are plain: nothing in them is read as markup.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Part {
    /// Paragraphs, each with a heading of its own.
    Words {
        /// What stands above.
        heading: String,
        /// Headings and paragraphs.
        paragraphs: Vec<(String, String)>,
    },
    /// Steps in order, each with its name.
    Steps {
        /// What stands above.
        heading: String,
        /// Names and sentences.
        steps: Vec<(String, String)>,
    },
    /// A table; its first row is its head.
    Table {
        /// What stands above.
        heading: String,
        /// Rows of cells.
        rows: Vec<Vec<String>>,
    },
    /// A drawing.
    Figure {
        /// What stands above.
        heading: String,
        /// What stands below.
        caption: String,
        /// The drawing as SVG.
        svg: String,
    },
}

/// A page of parts, complete in one file.
pub fn page_html(title: &str, sub: &str, parts: &[Part]) -> String {
    let mut page = shell::head(title);
    page.push_str(&shell::header(&text(title), &text(sub)));
    page.push_str("<main class=\"parts\">\n");
    for (k, part) in parts.iter().enumerate() {
        page.push_str(&section(k, part));
    }
    page.push_str("</main>\n<footer>Drawn by Carom; SI units, radians.</footer>\n");
    page.push_str(shell::END);
    page
}

/// Rows, or columns, from which a table takes the whole width.
const MANY_ROWS: usize = 40;
const MANY_COLUMNS: usize = 6;

fn is_large(rows: &[Vec<String>]) -> bool {
    let columns = rows.first().map_or(0, Vec::len);
    rows.len() >= MANY_ROWS || columns >= MANY_COLUMNS
}

fn section(k: usize, part: &Part) -> String {
    let wide = match part {
        Part::Words { .. } => " class=\"wide\"",
        Part::Table { rows, .. } if is_large(rows) => " class=\"wide\"",
        _ => "",
    };
    let (heading, inside) = match part {
        Part::Words {
            heading,
            paragraphs,
        } => (
            heading,
            format!("<div class=\"prose\">{}</div>", prose(paragraphs)),
        ),
        Part::Steps { heading, steps } => (heading, listed(steps)),
        Part::Table { heading, rows } => (heading, table(heading, rows)),
        Part::Figure {
            heading,
            caption,
            svg,
        } => (heading, figure(caption, svg)),
    };
    format!(
        "<section{wide} aria-labelledby=\"h-{k}\"><h2 id=\"h-{k}\">{}</h2>\n{inside}</section>\n",
        text(heading)
    )
}

fn prose(paragraphs: &[(String, String)]) -> String {
    let one = |(heading, words): &(String, String)| {
        format!(
            "<div><h3>{}</h3><p>{}</p></div>\n",
            text(heading),
            prose_lines(words)
        )
    };
    paragraphs.iter().map(one).collect()
}

fn prose_lines(words: &str) -> String {
    let lines = words.split('\n').map(|line| text(&with_minus(line)));
    lines.collect::<Vec<_>>().join("<br>")
}

fn listed(steps: &[(String, String)]) -> String {
    let one = |(name, words): &(String, String)| {
        let words = text(&with_minus(words));
        format!("<li><b>{}:</b> {words}</li>", text(name))
    };
    let inside: String = steps.iter().map(one).collect();
    format!("<ol class=\"steps\">{inside}</ol>\n")
}

fn table(heading: &str, rows: &[Vec<String>]) -> String {
    let Some((head, body)) = rows.split_first() else {
        return String::new();
    };
    let count = head.len();
    let is_words: Vec<bool> = (0..count)
        .map(|k| {
            !body
                .iter()
                .all(|row| row.get(k).is_none_or(|cell| is_number(cell)))
        })
        .collect();
    let mut out = format!("{}<table><thead><tr>", scroll_box(heading, body.len()));
    let class = |k: usize| if is_words[k] { " class=\"word\"" } else { "" };
    for (k, name) in head.iter().enumerate() {
        out.push_str(&format!(
            "<th scope=\"col\"{}>{}</th>",
            class(k),
            text(name)
        ));
    }
    out.push_str("</tr></thead><tbody>\n");
    for row in body {
        out.push_str("<tr>");
        for (k, cell) in row.iter().take(count).enumerate() {
            let (tag, scope) = match k {
                0 => ("th", " scope=\"row\""),
                _ => ("td", ""),
            };
            let shown = match is_number(cell) {
                true => text(&cell.replace('-', "−")),
                false => text(&with_minus(cell)),
            };
            out.push_str(&format!("<{tag}{scope}{}>{shown}</{tag}>", class(k)));
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</tbody></table></div>");
    out.push_str(&scroll_hint(body.len()));
    out
}

/// Rows of a table that is shown whole.
const WHOLE: usize = 60;

/// The box of a table: it scrolls sideways where it must, and downwards where it is long.
pub(super) fn scroll_box(label: &str, rows: usize) -> String {
    let tall = if rows > WHOLE { " tall" } else { "" };
    format!(
        "<div class=\"scroll{tall}\" tabindex=\"0\" role=\"region\" aria-label=\"{}\">",
        text(label)
    )
}

/// What stands below a table that scrolls downwards.
pub(super) fn scroll_hint(rows: usize) -> String {
    match rows > WHOLE {
        true => format!("<p class=\"hint\">{rows} rows: scroll inside the table.</p>"),
        false => String::new(),
    }
}

/// Whether a cell is a number, or empty, or the mark of a missing one; a `!` may follow.
fn is_number(cell: &str) -> bool {
    let cell = cell.trim_end_matches('!').trim();
    matches!(cell, "" | "-" | "–") || cell.parse::<f64>().is_ok()
}

/// A drawing as an image: its names stay inside it and nothing in it runs.
fn figure(caption: &str, svg: &str) -> String {
    let mut address = String::with_capacity(svg.len() + svg.len() / 4);
    for c in svg.chars() {
        match c {
            '%' | '#' | '"' | '\'' | '<' | '>' | '&' | '\n' | '\r' | '\t' => {
                address.push_str(&format!("%{:02X}", u32::from(c)));
            }
            c => address.push(c),
        }
    }
    let caption = text(caption);
    format!(
        "<figure><img src=\"data:image/svg+xml,{address}\" alt=\"{caption}\">\
         <figcaption>{caption}</figcaption></figure>\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_column_of_numbers_is_told_from_a_column_of_words() {
        let rows = [
            ["law", "p", "then"],
            ["newton", "-1.5", "slips"],
            ["moreau", "-", ""],
        ];
        let rows: Vec<Vec<String>> = rows.map(|row| row.map(str::to_owned).to_vec()).to_vec();
        let shown = table("laws", &rows);
        assert!(
            shown.contains("<td>−1.5</td><td class=\"word\">slips</td>"),
            "{shown}"
        );
    }

    #[test]
    fn a_drawing_cannot_leave_its_image() {
        let shown = figure("<b>", "<svg><text>\"</text></svg>");
        assert!(
            shown.contains("src=\"data:image/svg+xml,%3Csvg%3E"),
            "{shown}"
        );
        assert_eq!(
            shown.matches('<').count(),
            5,
            "figure, img, caption: {shown}"
        );
    }
}
