//! A collision of two bodies in screws.

use carom_multibody::SpaceMechanism;
use carom_multibody::screws::{ScrewContact, Screws};

use super::touching::Touching;

impl Touching {
    /// The screws of a collision without friction between two bodies jointed to the world; none of any
    /// other.
    ///
    /// `pairs` are the bodies of each contact of the problem: the one that its normal pushes, the other.
    pub fn screws(&self, mechanism: &SpaceMechanism, pairs: &[[&str; 2]]) -> Option<Screws> {
        let contacts = &self.problem.contacts;
        if contacts.iter().any(|contact| contact.friction.mu_s != 0.0) {
            return None;
        }
        let &[pushed, other] = pairs.first()?;
        let mut along = Vec::with_capacity(contacts.len());
        for ((contact, length), pair) in contacts.iter().zip(&self.lengths).zip(pairs) {
            let place = self.places.get(&contact.name)?;
            let sense = match (*pair == [pushed, other], *pair == [other, pushed]) {
                (true, _) => 1.0,
                (_, true) => -1.0,
                _ => return None,
            };
            let vector = |numbers: &[f64]| -> Option<[f64; 3]> { numbers.try_into().ok() };
            along.push(ScrewContact {
                point: vector(&place.point)?.into(),
                normal: vector(&place.normal)?.map(|x| sense * length * x).into(),
            });
        }
        let model = mechanism.model();
        let bodies = [model.body(other)?, model.body(pushed)?]; // a normal pushes body 2
        let mut work = model.workspace();
        let placed = model.place(&mut work, self.state());
        placed.screws(bodies, &along).ok()
    }
}
