//! The paths of the impacts of a run as CSV.

use carom_contact::impact::{Mode, PathCorner, Phase};
use carom_sim::record::RunRecord;

use super::csv::Csv;
use crate::columns::tangent_names;

/// The corners of every path through the impulse plane, one row each; phase and mode are those of
/// the segment that starts there.
pub fn impacts_csv(record: &RunRecord) -> String {
    let tangents = tangent_names(record);
    let along = |before: &str, after: &str| -> Vec<String> {
        let components = std::iter::once(&"n").chain(tangents);
        components
            .map(|component| format!("{before}{component}{after}"))
            .collect()
    };
    let mut header = ["index", "time_s", "contact", "corner"]
        .map(str::to_owned)
        .to_vec();
    header.extend(along("p_", "_Ns"));
    header.extend(along("v_", "_m_per_s"));
    header.extend(["phase", "mode"].map(str::to_owned));
    let mut csv = Csv::with_header(&header);
    for event in &record.events {
        for contact in &event.contacts {
            for (k, corner) in contact.path.iter().enumerate() {
                csv.words(&event.index.to_string());
                csv.number(Some(event.time));
                csv.words(&contact.name);
                csv.words(&k.to_string());
                corner_cells(&mut csv, corner, tangents.len());
                csv.end_row();
            }
        }
    }
    csv.finish()
}

fn corner_cells(csv: &mut Csv, corner: &PathCorner, tangents: usize) {
    let pairs = [(corner.p_n, Some(corner.p_t)), (corner.v_n, corner.v_t)];
    for (normal, along) in pairs {
        csv.number(Some(normal));
        for k in 0..tangents {
            csv.number(along.and_then(|t| t.numbers().get(k).copied()));
        }
    }
    csv.words(match corner.phase {
        Phase::Compression => "compression",
        Phase::Restitution => "restitution",
    });
    csv.words(corner.mode.map_or("", Mode::name));
}
