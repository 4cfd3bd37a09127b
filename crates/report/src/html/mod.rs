//! A run as one page that needs no network: summary, motion, impacts, plots, tables.
//!
//! The page is drawn from the record alone; its scripts draw the numbers embedded in it. Equal
//! records give equal bytes.

mod curves;
mod data;
mod escape;
mod phases;
mod plotly;
mod summary;
mod tables;
mod touch;

use carom_contact::impact::planar::ImpulsePlane;
use carom_sim::record::RunRecord;

use data::Data;
use escape::{json, text};

const STYLE: &str = include_str!("page.css");
/// In the order they need each other.
const SCRIPTS: [&str; 5] = [
    include_str!("shared.js"),
    include_str!("motion.js"),
    include_str!("plots.js"),
    include_str!("impact.js"),
    include_str!("page.js"),
];
/// Nothing is loaded from anywhere: not even a mistake could ask the network.
const POLICY: &str = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; \
                      img-src data: blob:";

/// The report of a run, complete in one file.
///
/// `planes` are the impulse planes of impacts, by the number of the event.
pub fn report_html(
    record: &RunRecord,
    planes: &[(usize, ImpulsePlane)],
) -> Result<String, serde_json::Error> {
    let data = json(&Data::of(record, planes))?;
    let title = record.title.as_deref().unwrap_or("Run").trim();
    let title = text(if title.is_empty() { "Run" } else { title });
    let plotly = plotly::script();
    let mut page = String::with_capacity(plotly.len() + data.len() + (1 << 18));
    page.push_str(&format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<link rel=\"icon\" href=\"data:,\">\n\
         <title>{title} – Carom</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n"
    ));
    page.push_str(&body(record, &title));
    page.push_str("<script id=\"data\" type=\"application/json\">");
    page.push_str(&data);
    page.push_str("</script>\n<script>\n\"use strict\";\n");
    for script in SCRIPTS {
        page.push_str(script);
    }
    // Read by the page once everything else answers: it takes the browser longest.
    page.push_str("</script>\n<script id=\"plotly\" type=\"text/plain\">");
    page.push_str(&plotly);
    page.push_str("</script>\n</body>\n</html>\n");
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
    let (ledger, effort) = (tables::ledger(record), tables::effort(record));
    format!(
        include_str!("body.html"),
        title = title,
        head = format_args!("{time} s, {events} {noun}{early}"),
        summary = summary,
        events = table,
        ledger = ledger,
        effort = effort,
    )
}
