//! What a contact does at its place.

use carom_contact::impact::ContactResult;

use crate::record::PlaceRecord;

impl PlaceRecord {
    /// The impulse of a contact here, on its first body, in world axes (N·s); none of an impact without end.
    pub fn impulse(&self, contact: &ContactResult) -> Option<Vec<f64>> {
        let p_n = contact.impulse.normal?;
        let p_t = contact.impulse.tangent;
        let along = p_t.as_ref().map_or(&[][..], |tangent| tangent.numbers());
        let mut impulse: Vec<f64> = self.normal.iter().map(|n| p_n * n).collect();
        for (tangent, p_t) in self.tangents.iter().zip(along) {
            for (sum, t) in impulse.iter_mut().zip(tangent) {
                *sum += p_t * t;
            }
        }
        Some(impulse)
    }
}
