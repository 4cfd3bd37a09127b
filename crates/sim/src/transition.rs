//! Changes of mode as events.

use carom_multibody::mechanism::Mechanism;

use crate::event::{Event, Happening, Transition};
use crate::mode::ContactMode;
use crate::modes::Cause;
use crate::run::Course;

const KINDS: [Transition; 4] = [
    Transition::Release,
    Transition::Stick,
    Transition::Slip,
    Transition::Reverse,
];

/// What a change of mode is called; landing belongs to the impact before it.
fn kind(old: ContactMode, new: ContactMode) -> Option<Transition> {
    match (old, new) {
        (old, new) if old == new => None,
        (ContactMode::Open, _) => None,
        (_, ContactMode::Open) => Some(Transition::Release),
        (_, ContactMode::Stick) => Some(Transition::Stick),
        (ContactMode::Stick, _) => Some(Transition::Slip),
        _ => Some(Transition::Reverse),
    }
}

impl<M: Mechanism> Course<'_, M> {
    /// Records which contacts changed their mode, one event per kind; after a jump the modes belong to
    /// its event.
    pub(crate) fn record_modes(&mut self, old: &[(usize, ContactMode)], cause: &Cause) {
        let Some(sustained) = &self.flow.sustained else {
            return;
        };
        let mut modes = sustained.modes();
        let new = |contact: usize| sustained.mode(contact);
        let has_opened = |(c, _): &&(usize, ContactMode)| new(*c) == ContactMode::Open;
        let opened = old.iter().filter(has_opened);
        modes.extend(opened.map(|(contact, _)| (*contact, ContactMode::Open)));
        modes.sort_unstable_by_key(|(contact, _)| *contact);
        let changes = old.iter().map(|(c, was)| (*c, kind(*was, new(*c))));
        let changes: Vec<(usize, Option<Transition>)> = changes.collect();
        let time = self.motion.time();
        if let Some(last) = self.events.last_mut().filter(|last| last.time == time) {
            last.modes_after.clone_from(&modes);
        }
        if cause.has_jumped {
            return;
        }
        for kind in KINDS {
            let changed = changes.iter().filter(|(_, found)| *found == Some(kind));
            let contacts: Vec<usize> = changed.map(|(contact, _)| *contact).collect();
            if !contacts.is_empty() {
                self.record_transition(kind, contacts, &modes);
            }
        }
    }

    fn record_transition(
        &mut self,
        kind: Transition,
        contacts: Vec<usize>,
        modes: &[(usize, ContactMode)],
    ) {
        let (time, q, v) = self.now();
        self.book(Event {
            time,
            q_post: q.clone(),
            v_post: v.clone(),
            q,
            v_pre: v,
            what: Happening::Transition { kind, contacts },
            energy_change: Some(0.0),
            motion_work: 0.0,
            joint_impulses: Vec::new(),
            modes_before: Vec::new(),
            modes_after: modes.to_vec(),
        });
    }
}
