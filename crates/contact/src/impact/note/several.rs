//! Remarks of several contacts that close together.

use super::super::simultaneous::rough::{Ending, OutcomeSet, PATTERN_LIMIT, Way};
use super::super::simultaneous::{Closing, Simultaneous, SimultaneousEnd, sequence};
use super::super::{ContactType, Law, Method, Outcome};
use super::{Note, NoteCode, gain_sentence};

/// Coefficients are dissipative up to this excess of the norm over one, which is round-off.
const NORM_TOLERANCE: f64 = 1e-12;

impl Note {
    /// The remarks of contacts `names` solved together without friction, in the order of
    /// [`NoteCode`].
    pub(in super::super) fn of_several(
        solver: &Simultaneous,
        end: &SimultaneousEnd,
        (method, closing): (Method, &Closing<'_>),
        names: &[&str],
    ) -> Vec<Self> {
        let law = end.law;
        let mut notes = Vec::new();
        notes.extend(no_answer(solver, end, method, names));
        if end.energy_gain {
            let gain = end.energy_change;
            notes.push(Self::new(NoteCode::EnergyGain, gain_sentence(law, gain)));
        }
        if end.is_shared {
            let is_least = end.is_least_norm;
            notes.push(shared(solver.impulses_unique(), is_least, names));
        }
        if end.outcome == Outcome::Undetermined {
            notes.push(Self::new(NoteCode::VelocityNotUnique, WEIGHED.to_owned()));
        }
        if method == Method::Linear && end.has_end() && end.outcome != Outcome::NoImpact {
            notes.extend(pulls(solver, names));
            notes.extend(approaches(solver, closing, names));
        }
        if law == Law::Newton && end.outcome != Outcome::NoImpact {
            notes.extend(dissipative(solver, closing, method));
        }
        notes
    }

    /// The remarks of a set of outcomes as a whole.
    pub(in super::super) fn of_set(
        set: &OutcomeSet,
        (law, method): (Law, Method),
        names: &[&str],
    ) -> Vec<Self> {
        let mut notes = Vec::new();
        let count = set.endings.len();
        if count > 1 {
            let how = match method {
                Method::Sequential => "the end depends on the order of the collisions",
                _ => "more than one combination of stick, slip and separation is consistent",
            };
            let sentence = format!("{how}: {count} outcomes, of which the first is given");
            notes.push(Self::new(NoteCode::SeveralOutcomes, sentence));
        }
        if set.depends_on_share {
            notes.push(Self::new(NoteCode::VelocityNotUnique, SHARED.to_owned()));
        }
        if !set.is_complete {
            let sentence = match method {
                Method::Sequential => format!(
                    "the {} contacts collide in the order they are listed; all orders are tried for \
                     up to {} contacts",
                    names.len(),
                    sequence::ORDERED_LIMIT
                ),
                _ => format!(
                    "one outcome of {} contacts was sought; all are found for up to {PATTERN_LIMIT} \
                     combinations of modes (4 contacts with friction)",
                    names.len()
                ),
            };
            notes.push(Self::new(NoteCode::OutcomesNotSought, sentence));
        }
        let is_on_totals = law == Law::Newton && method == Method::Complementarity;
        let is_met = |e: &Ending| matches!(e.way, Way::Modes(_));
        if is_on_totals && set.endings.iter().any(is_met) {
            notes.push(Self::new(NoteCode::FrictionOnTotals, TOTALS.to_owned()));
        }
        notes
    }

    /// The remarks of one outcome.
    pub(in super::super) fn of_ending(
        ending: &Ending,
        (law, method): (Law, Method),
        names: &[&str],
    ) -> Vec<Self> {
        let mut notes = Vec::new();
        match ending.outcome {
            Outcome::Jammed => notes.push(Self::new(NoteCode::Jammed, jammed(method))),
            Outcome::Infeasible => {
                notes.push(Self::new(
                    NoteCode::Infeasible,
                    infeasible(law, &ending.way),
                ));
            }
            _ => {}
        }
        if ending.energy_gain {
            let sentence = gain_sentence(law, ending.energy_change);
            notes.push(Self::new(NoteCode::EnergyGain, sentence));
        }
        if ending.impulses_unique.iter().any(|is_unique| !is_unique) {
            let is_least = ending.is_least_norm;
            notes.push(shared(&ending.impulses_unique, is_least, names));
        }
        notes.extend(way(ending, names));
        notes
    }

    /// Whether the remark says how an outcome comes about.
    pub(in super::super) fn is_way(&self) -> bool {
        matches!(self.code, NoteCode::Modes | NoteCode::Order)
    }
}

const WEIGHED: &str = "contacts share the compression in more than one way and return it by unequal \
    coefficients: the velocities depend on the share; given are those of the least-norm share";
const SHARED: &str = "contacts share the compression in more than one way and the velocities depend on \
    the share: first come the outcomes of the least-norm share, then those of the ends of the set";
const TOTALS: &str = "with friction at several contacts newton asks Coulomb's law of total impulses, \
    as moreau does; it has a path only where one contact acts alone";

/// Why there are no impulses, with the certificate.
fn no_answer(
    solver: &Simultaneous,
    end: &SimultaneousEnd,
    method: Method,
    names: &[&str],
) -> Option<Note> {
    let law = end.law;
    let which = opposed(solver, names);
    match end.outcome {
        Outcome::Jammed => Some(Note::new(
            NoteCode::Jammed,
            format!(
                "no finite impulse stops the approach: impulses at {which} move nothing, and these \
                 contacts are driven together"
            ),
        )),
        Outcome::Infeasible if method == Method::Linear => Some(Note::new(
            NoteCode::Infeasible,
            format!(
                "the linear law contradicts itself: impulses at {which} move nothing, and the \
                 velocities asked there do not cancel"
            ),
        )),
        Outcome::Infeasible => Some(Note::new(
            NoteCode::Infeasible,
            format!(
                "{law} has no solution: impulses at {which} move nothing, and the velocities the law \
                 asks of these contacts contradict each other"
            ),
        )),
        _ => None,
    }
}

/// The contacts whose impulses cancel, and in which ratio.
fn opposed(solver: &Simultaneous, names: &[&str]) -> String {
    let shares = solver.opposed();
    let pushed = names.iter().zip(&shares).filter(|(_, y)| **y != 0.0);
    let (names, shares): (Vec<&str>, Vec<String>) =
        pushed.map(|(name, y)| (*name, format!("{y:.6}"))).unzip();
    format!("{} (in the ratio {})", names.join(", "), shares.join(" : "))
}

fn shared(unique: &[bool], is_least_norm: bool, names: &[&str]) -> Note {
    let open = names
        .iter()
        .zip(unique)
        .filter(|(_, is_unique)| !**is_unique);
    let open: Vec<&str> = open.map(|(name, _)| *name).collect();
    let which = match is_least_norm {
        true => "those of least norm",
        false => "one choice among them",
    };
    let sentence = format!(
        "the impulses at {} are not unique: given are {which}",
        open.join(", ")
    );
    Note::new(NoteCode::ImpulsesNotUnique, sentence)
}

fn pulls(solver: &Simultaneous, names: &[&str]) -> Option<Note> {
    let largest = solver.impulses().iter().fold(0.0f64, |a, b| a.max(b.abs()));
    let floor = -Simultaneous::CLOSED_TOLERANCE * largest;
    let pulled = names.iter().zip(solver.impulses());
    let pulled = pulled.filter(|(_, p)| **p < floor);
    let told: Vec<String> = pulled
        .map(|(name, p)| format!("{name} ({} N s)", plain(*p)))
        .collect();
    let sentence = format!(
        "the linear law pulls at {}: contacts that only push part there, and complementarity gives \
         another answer",
        told.join(", ")
    );
    (!told.is_empty()).then(|| Note::new(NoteCode::PullingImpulse, sentence))
}

fn approaches(solver: &Simultaneous, closing: &Closing<'_>, names: &[&str]) -> Option<Note> {
    let largest = closing.v_n.iter().fold(0.0f64, |a, b| a.max(b.abs()));
    let floor = -Simultaneous::CLOSED_TOLERANCE * largest;
    let left = names
        .iter()
        .zip(solver.v_post())
        .filter(|(_, v)| **v < floor);
    let told: Vec<&str> = left.map(|(name, _)| *name).collect();
    let sentence = format!(
        "the linear law turns the receding contacts {} back: they approach after it",
        told.join(", ")
    );
    (!told.is_empty()).then(|| Note::new(NoteCode::StillApproaching, sentence))
}

/// Of the linear law always, of complementarity where the coefficients may create energy.
fn dissipative(solver: &Simultaneous, closing: &Closing<'_>, method: Method) -> Option<Note> {
    let norm = solver.kinetic_norm(closing.restitution);
    let is_equal = closing
        .restitution
        .windows(2)
        .all(|pair| pair[0] == pair[1]);
    let sentence = match norm {
        Some(norm) if norm > 1.0 + NORM_TOLERANCE => format!(
            "the coefficients create energy for some approach by the linear law: |W^(-1/2) K W^(1/2)| = \
             {norm:.6} > 1"
        ),
        _ if method != Method::Linear => return None,
        Some(norm) => format!(
            "the coefficients lose energy for every approach: |W^(-1/2) K W^(1/2)| = {norm:.6} <= 1"
        ),
        None if is_equal => {
            "equal coefficients lose energy for every approach the contacts allow".to_owned()
        }
        None => return None,
    };
    Some(Note::new(NoteCode::Dissipative, sentence))
}

fn jammed(method: Method) -> String {
    match method {
        Method::Sequential => {
            "no finite impulse ends a collision of this sequence: a contact sticks where it can move \
             along one line only, or nothing moves it"
        }
        _ => "no finite impulses stop the approach: no combination of stick, slip and separation is \
              consistent",
    }
    .to_owned()
}

fn infeasible(law: Law, way: &Way) -> String {
    match way {
        Way::Order { collisions, .. } => {
            format!(
                "the sequence has not ended after {collisions} collisions, which do not die out"
            )
        }
        _ => format!(
            "{law} has no solution: no combination of stick, slip and separation gives the velocities \
             asked"
        ),
    }
}

fn way(ending: &Ending, names: &[&str]) -> Option<Note> {
    match &ending.way {
        Way::Nothing => None,
        Way::Alone(i) => Some(Note::new(
            NoteCode::Modes,
            format!("{} acts alone, along Routh's path", names[*i]),
        )),
        Way::Modes(modes) => {
            let mode = |i: usize| match modes.get(i).copied().flatten() {
                Some(mode) => mode.name(),
                None if ending.contacts[i].impulse.n <= 0.0 => "open",
                None if ending.contacts[i].contact_type == ContactType::Frictionless => {
                    "frictionless"
                }
                None => "without impulse in the restitution",
            };
            let told = names.iter().enumerate();
            let told: Vec<String> = told.map(|(i, n)| format!("{n} {}", mode(i))).collect();
            let share = match ending.is_share_end {
                true => "; from an end of the shares of the compression",
                false => "",
            };
            let sentence = format!("modes at the end: {}{share}", told.join(", "));
            Some(Note::new(NoteCode::Modes, sentence))
        }
        Way::Order {
            order,
            collisions,
            orders,
        } => {
            let told: Vec<&str> = order.iter().map(|i| names[*i]).collect();
            let others = match orders {
                1 => String::new(),
                2 => ", and another order".to_owned(),
                n => format!(", and {} other orders", n - 1),
            };
            let sentence = format!(
                "{collisions} {} in the order {}{others}",
                if *collisions == 1 {
                    "collision"
                } else {
                    "collisions"
                },
                told.join(", ")
            );
            Some(Note::new(NoteCode::Order, sentence))
        }
    }
}

/// A number in plain digits, with an exponent where those are few or many.
fn plain(x: f64) -> String {
    match (1e-3..1e6).contains(&x.abs()) || x == 0.0 {
        true => format!("{x:.6}"),
        false => format!("{x:.6e}"),
    }
}
