//! Remarks of contacts that go along Routh's path together.

use super::super::path::PathSolution;
use super::super::{Law, Outcome};
use super::{Note, NoteCode, STATIC_ONLY, gain_sentence};

impl Note {
    /// The remarks of a path of contacts `names`, in the order of [`NoteCode`].
    pub(in super::super) fn of_path(s: &PathSolution, law: Law, names: &[&str]) -> Vec<Self> {
        let mut notes = Vec::new();
        match s.outcome {
            Outcome::NoImpact => return notes,
            Outcome::Jammed => notes.push(Self::new(NoteCode::Jammed, DRIVEN)),
            Outcome::Infeasible => notes.push(Self::new(NoteCode::Infeasible, unended(s))),
            _ => {}
        }
        if s.slip_also_consistent {
            notes.push(Self::new(NoteCode::ReverseSlipAlsoConsistent, STATIC_ONLY));
        }
        if s.energy_gain && s.outcome == Outcome::Solved {
            let sentence = gain_sentence(law, s.energy_change);
            notes.push(Self::new(NoteCode::EnergyGain, sentence));
        }
        if s.left > 0.0 && s.outcome == Outcome::Solved {
            notes.push(Self::new(NoteCode::StillApproaching, left(s)));
        }
        if s.friction_shared {
            notes.push(Self::new(NoteCode::ImpulsesNotUnique, FRICTION));
        }
        if s.outcome == Outcome::Solved {
            notes.push(Self::new(NoteCode::Modes, phases(s, names)));
        }
        notes
    }
}

const DRIVEN: &str = "no finite impulse ends the path: a contact is driven and nothing parts it";
const FRICTION: &str = "contacts that stick share their friction in more than one way: the velocities are \
    unique, their tangent impulses are one choice";

fn unended(s: &PathSolution) -> String {
    format!(
        "the path has not ended after {} changes of mode, which do not die out",
        s.phases
    )
}

fn left(s: &PathSolution) -> String {
    format!(
        "contacts strike without end, ever more weakly: after {} changes of mode approaches below {:.0e} of the \
         largest were left",
        s.phases, s.left
    )
}

/// How often each contact was compressed.
fn phases(s: &PathSolution, names: &[&str]) -> String {
    let pairs = names.iter().zip(&s.contacts);
    let told: Vec<String> = pairs
        .map(|(name, end)| match end.compression.count {
            0 => format!("{name} not compressed"),
            1 => format!("{name} compressed once"),
            2 => format!("{name} compressed twice"),
            n => format!("{name} compressed {n} times"),
        })
        .collect();
    format!("along one path: {}", told.join(", "))
}
