//! The paths of the impacts of a run as CSV.

use carom_contact::impact::{Mode, PathCorner, Phase};
use carom_sim::record::RunRecord;

use super::csv::Csv;

const HEADER: [&str; 10] = [
    "index",
    "time_s",
    "contact",
    "corner",
    "p_n_Ns",
    "p_t_Ns",
    "v_n_m_per_s",
    "v_t_m_per_s",
    "phase",
    "mode",
];

/// The corners of every path through the impulse plane, one row each; phase and mode are those of
/// the segment that starts there.
pub fn impacts_csv(record: &RunRecord) -> String {
    let mut csv = Csv::with_header(&HEADER.map(str::to_owned));
    for event in &record.events {
        for contact in &event.contacts {
            for (k, corner) in contact.path.iter().enumerate() {
                csv.words(&event.index.to_string());
                csv.number(Some(event.time));
                csv.words(&contact.name);
                csv.words(&k.to_string());
                corner_cells(&mut csv, corner);
                csv.end_row();
            }
        }
    }
    csv.finish()
}

fn corner_cells(csv: &mut Csv, corner: &PathCorner) {
    csv.number(Some(corner.p_n));
    csv.number(Some(corner.p_t));
    csv.number(Some(corner.v_n));
    csv.number(corner.v_t);
    csv.words(match corner.phase {
        Phase::Compression => "compression",
        Phase::Restitution => "restitution",
    });
    csv.words(match corner.mode {
        Some(Mode::SlipForward) => "slip+",
        Some(Mode::SlipBackward) => "slip-",
        Some(Mode::Stick) => "stick",
        None => "",
    });
}
