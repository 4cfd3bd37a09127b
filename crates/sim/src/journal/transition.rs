//! Changes of mode as events.

use super::Journal;
use super::event::{Event, Happening, Transition};
use crate::contact::mode::{ContactMode, Pivot};
use crate::contact::{Cause, Change};
use crate::world::Now;

const KINDS: [Transition; 4] = [
    Transition::Release,
    Transition::Stick,
    Transition::Slip,
    Transition::Reverse,
];

/// What a change of mode is called; landing belongs to the impact before it. Where nothing changes along the
/// surface, a pivoting about the normal ends, begins and turns round as a slip does.
fn kind(old: ContactMode, new: ContactMode) -> Option<Transition> {
    match (old.without_pivot(), new.without_pivot()) {
        (slide, same) if slide == same => pivoting(old.pivot(), new.pivot()),
        (ContactMode::Open, _) => None,
        (_, ContactMode::Open) => Some(Transition::Release),
        (_, ContactMode::Stick) => Some(Transition::Stick),
        (ContactMode::Stick, _) => Some(Transition::Slip),
        _ => Some(Transition::Reverse),
    }
}

/// What a change of the pivoting of a contact is called.
fn pivoting(old: Option<Pivot>, new: Option<Pivot>) -> Option<Transition> {
    match (old, new) {
        (old, new) if old == new => None,
        (Some(Pivot::Free), _) | (_, Some(Pivot::Free)) => None,
        (_, None) => Some(Transition::Stick),
        (None, _) => Some(Transition::Slip),
        _ => Some(Transition::Reverse),
    }
}

impl Journal {
    /// Notes which contacts changed their mode; the events it makes, one per kind. After a jump the modes
    /// belong to its event.
    pub(crate) fn note_modes(&mut self, change: Change, cause: &Cause, now: &Now) -> Vec<Event> {
        if !change.is_taken {
            return Vec::new();
        }
        let Change {
            old,
            new,
            ways,
            turned,
            ..
        } = change;
        let mode = |contact: usize| {
            let found = new.iter().find(|(closed, _)| *closed == contact);
            found.map_or(ContactMode::Open, |(_, mode)| *mode)
        };
        let opened = old.iter().filter(|(c, _)| mode(*c) == ContactMode::Open);
        let opened = opened.map(|(contact, _)| (*contact, ContactMode::Open));
        let mut modes: Vec<_> = new.iter().copied().chain(opened).collect();
        modes.sort_unstable_by_key(|(contact, _)| *contact);
        if let Some(last) = self.last_at(now.t) {
            last.modes_after.clone_from(&modes);
            last.ways_after.clone_from(&ways);
        }
        if cause.has_jumped {
            return Vec::new();
        }
        let changes = old.iter().map(|(c, was)| match turned.contains(c) {
            true => (*c, Some(Transition::Reverse)),
            false => (*c, kind(*was, mode(*c))),
        });
        let changes: Vec<(usize, Option<Transition>)> = changes.collect();
        let told = KINDS.into_iter().filter_map(|kind| {
            let changed = changes.iter().filter(|(_, found)| *found == Some(kind));
            let contacts: Vec<usize> = changed.map(|(contact, _)| *contact).collect();
            let what = Happening::Transition { kind, contacts };
            (!what_contacts(&what).is_empty()).then(|| Event {
                modes_after: modes.clone(),
                ways_after: ways.clone(),
                ..Event::at(now.state(), what)
            })
        });
        told.collect()
    }

    /// Contacts of the last impact that did not stay closed are open after it, slow as they may be.
    pub(crate) fn tell_open(&mut self, landed: &[usize], time: f64) {
        let Some(last) = self.last_at(time) else {
            return;
        };
        for contact in landed {
            if last.modes_after.iter().all(|(known, _)| known != contact) {
                last.modes_after.push((*contact, ContactMode::Open));
            }
        }
        last.modes_after
            .sort_unstable_by_key(|(contact, _)| *contact);
    }
}

fn what_contacts(what: &Happening) -> &[usize] {
    match what {
        Happening::Transition { contacts, .. } => contacts,
        _ => &[],
    }
}
