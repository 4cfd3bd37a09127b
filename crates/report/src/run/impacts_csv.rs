//! The paths of the impacts of a run as CSV.

use carom_contact::impact::{Mode, PathCorner, Phase};
use carom_sim::record::RunRecord;

use super::csv::Csv;
use super::events_csv::strikes_angles;
use crate::columns::{is_angular, tangent_names};

/// The corners of every path through the impulse plane, one row each; phase and mode are those of
/// the segment that starts there. The stops of angles have columns of their own, at the end.
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
    let has_angles = strikes_angles(record);
    if has_angles {
        header.extend(["p_n_Nms", "v_n_rad_per_s"].map(str::to_owned));
    }
    let mut csv = Csv::with_header(&header);
    for event in &record.events {
        for contact in &event.contacts {
            for (k, corner) in contact.path.iter().enumerate() {
                csv.words(&event.index.to_string());
                csv.number(Some(event.time));
                csv.words(&contact.name);
                csv.words(&k.to_string());
                let is_angle = is_angular(record, &contact.name);
                corner_cells(&mut csv, corner, is_angle, tangents.len());
                if has_angles {
                    csv.number(is_angle.then_some(corner.p_n));
                    csv.number(is_angle.then_some(corner.v_n));
                }
                csv.end_row();
            }
        }
    }
    csv.finish()
}

fn corner_cells(csv: &mut Csv, corner: &PathCorner, is_angle: bool, tangents: usize) {
    let pairs = [(corner.p_n, Some(corner.p_t)), (corner.v_n, corner.v_t)];
    for (normal, along) in pairs {
        csv.number(Some(normal).filter(|_| !is_angle));
        let along = along.filter(|_| !is_angle);
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
