//! Which contacts of an instant feel each other.

use carom_contact::contact_space;
use carom_multibody::State;
use carom_multibody::mechanism::Contacts;

use super::Collider;

/// An element of W below this part of its diagonal elements is round-off: no coupling.
const UNCOUPLED: f64 = 1e-13;

impl Collider {
    /// The contacts, in groups that are coupled through the mechanism: an impulse of one group moves
    /// no contact of another, so that each is an impact of its own.
    ///
    /// Groups stand in the order of their first contact. Where W cannot be had, all are one group.
    pub(crate) fn coupled(
        &mut self,
        mechanism: &mut dyn Contacts,
        state: State<'_>,
        contacts: &[usize],
    ) -> Vec<Vec<usize>> {
        self.look(mechanism, state, contacts);
        let at = contact_space::Mechanism {
            mass: &self.mass,
            velocity: state.v,
            rows: self.rows.all(),
            constraints: &self.closures.rows,
        };
        if contacts.len() < 2 || self.space.reduce(&at).is_err() {
            return vec![contacts.to_vec()];
        }
        let mut group: Vec<usize> = (0..contacts.len()).collect();
        for i in 0..contacts.len() {
            for j in 0..i {
                if group[i] != group[j] && self.feels(i, j) {
                    let (from, to) = (group[i].max(group[j]), group[i].min(group[j]));
                    for g in group.iter_mut().filter(|g| **g == from) {
                        *g = to;
                    }
                }
            }
        }
        let members = |g: usize| -> Vec<usize> {
            let all = contacts.iter().zip(&group);
            all.filter(|(_, own)| **own == g).map(|(c, _)| *c).collect()
        };
        let groups = (0..contacts.len()).map(members);
        groups.filter(|members| !members.is_empty()).collect()
    }

    /// Whether an impulse at contact `i` moves contact `j` (rows of the last reduction).
    fn feels(&self, i: usize, j: usize) -> bool {
        let width = self.rows.width();
        let rows = |k: usize| width * k..width * (k + 1);
        let is_coupled = |a: usize, b: usize| {
            let size = (self.space.w(a, a) * self.space.w(b, b)).sqrt();
            self.space.w(a, b).abs() > UNCOUPLED * size
        };
        rows(i).any(|a| rows(j).any(|b| is_coupled(a, b)))
    }
}
