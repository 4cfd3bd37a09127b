//! Closed contacts that stand for impacts up to their limit: like these they do not resist pivoting.

use crate::Rule;
use crate::contact::closed::Held;
use crate::contact::mode::Pivot;
use crate::contact::standing::Touch;

/// The contacts of a pile on the way to its limit that have a spin radius.
#[derive(Debug, Default)]
pub(crate) struct Unresisted {
    contacts: Vec<usize>,
    /// Whether the limit is reached and they are to be asked what they do.
    pub(crate) is_over: bool,
}

impl Unresisted {
    /// From here on these contacts, those of them that resist pivoting otherwise.
    pub(crate) fn begin(&mut self, contacts: &[usize], rules: &[Rule]) {
        let resists = |contact: &&usize| rules[**contact].spin_radius > 0.0;
        self.contacts.clear();
        self.contacts.extend(contacts.iter().filter(resists));
    }

    /// None any longer.
    pub(crate) fn end(&mut self) {
        self.is_over |= !self.contacts.is_empty();
        self.contacts.clear();
    }

    /// A contact that touches, without friction against pivoting where it is one of these.
    pub(crate) fn let_pivot(&self, touch: Touch) -> Touch {
        match self.contacts.contains(&touch.contact) {
            true => Touch {
                radius: 0.0,
                ..touch
            },
            false => touch,
        }
    }

    /// Says of the closed contacts that are among these that they pivot freely.
    pub(crate) fn name_free(&self, held: &mut [Held], rules: &[Rule]) {
        for held in held.iter_mut() {
            if self.contacts.contains(&held.contact) {
                held.radius = rules[held.contact].spin_radius;
                held.mode = held.mode.with_pivot(Some(Pivot::Free));
            }
        }
    }
}
