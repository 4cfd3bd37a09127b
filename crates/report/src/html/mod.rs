//! Pages that need no network: of a run, of one impact, or put together from parts.
//!
//! The page of a run is drawn from the record alone; its scripts draw the numbers embedded in it.
//! Equal answers give equal bytes.

mod changes;
mod curves;
mod data;
mod escape;
mod impact;
mod parts;
mod phases;
mod plotly;
mod shell;
mod summary;
mod tables;

use carom_contact::impact::ImpactPicture;
use carom_sim::record::RunRecord;

pub use impact::{collision_html, impact_html, picture_part};
pub use parts::{Part, page_html};

use crate::figure::sparse_note;
use data::Data;
use escape::{json, text};

/// In the order they need each other.
const SCRIPTS: [&str; 9] = [
    include_str!("shared.js"),
    include_str!("plane.js"),
    include_str!("camera.js"),
    include_str!("space.js"),
    include_str!("motion.js"),
    include_str!("plots.js"),
    include_str!("hodograph.js"),
    include_str!("impact.js"),
    include_str!("page.js"),
];

/// The report of a run, complete in one file.
///
/// `pictures` are the impulse planes and hodographs of impacts, by the number of the event.
pub fn report_html(
    record: &RunRecord,
    pictures: &[(usize, ImpactPicture)],
) -> Result<String, serde_json::Error> {
    let data = json(&Data::of(record, pictures))?;
    let title = record.title.as_deref().unwrap_or("Run").trim();
    let title = if title.is_empty() { "Run" } else { title };
    let plotly = plotly::script();
    let mut page = String::with_capacity(plotly.len() + data.len() + (1 << 18));
    page.push_str(&shell::head(title));
    page.push_str(&body(record, &text(title)));
    page.push_str("<script id=\"data\" type=\"application/json\">");
    page.push_str(&data);
    page.push_str("</script>\n<script>\n\"use strict\";\n");
    for script in SCRIPTS {
        page.push_str(script);
    }
    // Read by the page once everything else answers: it takes the browser longest.
    page.push_str("</script>\n<script id=\"plotly\" type=\"text/plain\">");
    page.push_str(&plotly);
    page.push_str("</script>\n");
    page.push_str(shell::END);
    Ok(page)
}

fn body(record: &RunRecord, title: &str) -> String {
    let events = record.events.len();
    let early = match record.end.kind {
        carom_sim::record::EndKind::Duration => String::new(),
        kind => format!(
            " <span class=\"early\">ended early: {}</span>",
            kind.name().replace('_', " ")
        ),
    };
    let noun = if events == 1 { "event" } else { "events" };
    let time = crate::significant(record.time, 7);
    let (summary, table) = (summary::summary(record), tables::events(record));
    let ended = ended(record);
    let sparse = sparse_note(record).map_or(String::new(), |words| {
        format!(
            "<p class=\"note\">{}</p>\n",
            text(&summary::sentence(&words))
        )
    });
    let (ledger, effort) = (tables::ledger(record), tables::effort(record));
    format!(
        include_str!("body.html"),
        header = shell::header(title, &format!("{time} s, {events} {noun}{early}")),
        summary = summary,
        ended = ended,
        halted = halted(record),
        sparse = sparse,
        events = table,
        ledger = ledger,
        effort = effort,
    )
}

/// What stopped the run before its time, with the contacts it is about; empty where nothing did.
fn ended(record: &RunRecord) -> String {
    if record.end.kind == carom_sim::record::EndKind::Duration {
        return String::new();
    }
    format!(
        "<p class=\"note ended\">{}</p>\n",
        text(&summary::ending(record))
    )
}

/// The same in a few words, below the motion.
fn halted(record: &RunRecord) -> String {
    if record.end.kind == carom_sim::record::EndKind::Duration {
        return String::new();
    }
    let contacts = match record.end.end_contacts.is_empty() {
        true => String::new(),
        false => format!(" of {}", record.end.end_contacts.join(", ")),
    };
    let kind = record.end.kind.name().replace('_', " ");
    let time = crate::significant(record.time, 7);
    let words = format!("Ends at {time} s: {kind}{contacts}.");
    format!("<p class=\"note\">{}</p>\n", text(&words))
}
