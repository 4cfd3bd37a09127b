//! The path of an impact in space as CSV.

use carom_contact::impact::Phase;
use carom_contact::impact::spatial::{Hodograph, SpatialMode};

use super::csv::Csv;

/// The points of the hodograph and of the path through impulse space, one row each; phase and mode are those of
/// the piece that starts there.
pub fn hodograph_csv(drawn: &Hodograph) -> String {
    let header = [
        "p_n_Ns",
        "p_t1_Ns",
        "p_t2_Ns",
        "v_n_m_per_s",
        "v_t1_m_per_s",
        "v_t2_m_per_s",
        "phase",
        "mode",
    ];
    let mut csv = Csv::with_header(&header.map(str::to_owned));
    for point in &drawn.path {
        let ([p_1, p_2], [v_1, v_2]) = (point.p_t, point.v_t);
        for number in [point.p_n, p_1, p_2, point.v_n, v_1, v_2] {
            csv.number(Some(number));
        }
        csv.words(match point.phase {
            Phase::Compression => "compression",
            Phase::Restitution => "restitution",
        });
        csv.words(match point.mode {
            SpatialMode::Slip => "slip",
            SpatialMode::Stick => "stick",
        });
        csv.end_row();
    }
    csv.finish()
}
