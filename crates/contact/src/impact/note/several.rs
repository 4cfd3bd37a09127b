//! Remarks of several contacts that close together.

use super::super::simultaneous::ending::Choice;
use super::super::simultaneous::rough::{Ending, OutcomeSet, PATTERN_LIMIT, Way};
use super::super::simultaneous::{Closing, Simultaneous, SimultaneousEnd, sequence};
use super::super::{ContactType, Law, Method, Outcome};
use super::{Note, NoteCode, STATIC_ONLY, gain_sentence};
use crate::contact_space::SpatialVector;

/// Coefficients are dissipative up to this excess of the norm over one, which is round-off.
const NORM_TOLERANCE: f64 = 1e-12;

impl Note {
    /// The remarks of contacts `names` solved together without friction, in the order of
    /// [`NoteCode`].
    pub(in super::super) fn of_several(
        solver: &Simultaneous,
        end: &SimultaneousEnd,
        method: Method,
        closing: &Closing<'_>,
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
            let choice = match end.is_least_norm {
                true => Choice::LeastNorm,
                false => Choice::OneOfThem,
            };
            notes.push(shared("impulses", solver.impulses_unique(), choice, names));
        }
        if end.outcome == Outcome::Undetermined {
            notes.push(Self::new(NoteCode::VelocityNotUnique, WEIGHED.to_owned()));
        }
        if solver.is_unsettled() {
            notes.push(Self::new(NoteCode::VelocityNotUnique, UNSETTLED.to_owned()));
        }
        if method == Method::Linear && end.has_end() && end.outcome != Outcome::NoImpact {
            notes.extend(pulls(solver, names));
            notes.extend(approaches(solver, names));
        }
        if law == Law::Newton && end.outcome != Outcome::NoImpact {
            notes.extend(dissipative(solver, closing, method));
        }
        notes
    }

    /// The remarks of a set of outcomes as a whole.
    pub(in super::super) fn of_set(
        set: &OutcomeSet,
        law: Law,
        method: Method,
        names: &[&str],
    ) -> Vec<Self> {
        let mut notes = Vec::new();
        let count = set.endings.len();
        if count > 1 {
            let is_one = set
                .endings
                .windows(2)
                .all(|pair| pair[0].way == pair[1].way);
            let sentence = match method {
                Method::Sequential => format!(
                    "the end depends on the order of the collisions: {count} outcomes; where one \
                     is shown it is the first"
                ),
                _ if set.in_space => format!(
                    "more than one velocity is consistent: {count} were found, and there may be others; where \
                     one is shown it is the first, {COMPLIANT}"
                ),
                _ if is_one => format!(
                    "the velocities are a continuum: the {count} outcomes are members of it, the ends \
                     found among them; where one is shown it is the first"
                ),
                _ => format!(
                    "more than one combination of stick, slip and separation is consistent: {count} \
                     outcomes; where one is shown it is the first"
                ),
            };
            notes.push(Self::new(NoteCode::SeveralOutcomes, sentence));
        }
        if set.depends_on_share {
            notes.push(Self::new(NoteCode::VelocityNotUnique, SHARED.to_owned()));
        }
        let is_said = set.in_space && (count > 1 || !set.has_end());
        if !set.is_complete && !is_said {
            let sentence = match method {
                _ if set.in_space => UNDECIDED.to_owned(),
                Method::Sequential => format!(
                    "the {} contacts collide in the order they are listed; all orders are tried for \
                     up to {} contacts",
                    names.len(),
                    sequence::ORDERED_LIMIT
                ),
                _ => format!(
                    "one outcome of {} contacts was sought, and nothing is known to be unique; all are \
                     found for up to {PATTERN_LIMIT} combinations of modes (4 contacts with friction)",
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
        law: Law,
        method: Method,
        names: &[&str],
        is_complete: bool,
    ) -> Vec<Self> {
        let mut notes = Vec::new();
        match ending.outcome {
            Outcome::Jammed => {
                notes.push(Self::new(NoteCode::Jammed, jammed(method, is_complete)));
            }
            Outcome::Infeasible => {
                let sentence = match ending.complementarity > 0.0 {
                    true => not_found(law, ending.complementarity),
                    false => infeasible(law, &ending.way, is_complete),
                };
                notes.push(Self::new(NoteCode::Infeasible, sentence));
            }
            _ => {}
        }
        if ending.energy_gain {
            let sentence = gain_sentence(law, ending.energy_change);
            notes.push(Self::new(NoteCode::EnergyGain, sentence));
        }
        if ending.impulses_unique.iter().any(|is_unique| !is_unique) {
            notes.extend(shared_sides(ending, names));
        }
        if ending.could_reverse {
            let sentence = STATIC_ONLY.to_owned();
            notes.push(Self::new(NoteCode::ReverseSlipAlsoConsistent, sentence));
        }
        notes.extend(Self::of_grips(&ending.gripped, names));
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
const UNSETTLED: &str = "contacts share the compression in more than one way and return it by unequal \
    coefficients: whether the velocities depend on the share is not settled; all shares tried lead to \
    those given";
const SHARED: &str = "contacts share the compression in more than one way and the velocities depend on \
    the share: first come the outcomes of the least-norm share, then those of the ends of the set";
const COMPLIANT: &str = "that of contacts that are equally compliant";
const UNDECIDED: &str = "one answer was found, that of contacts that are equally compliant: nothing is proved about \
    others (the velocity is unique for certain where no contact has friction enough: mu^2 lambda_max((W^-1)_NN) \
    lambda_max(W_TT) < 4 with W regular)";
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

fn shared(what: &str, unique: &[bool], choice: Choice, names: &[&str]) -> Note {
    let open = names
        .iter()
        .zip(unique)
        .filter(|(_, is_unique)| !**is_unique);
    let open: Vec<&str> = open.map(|(name, _)| *name).collect();
    let which = match choice {
        Choice::LeastNorm => "those of least norm",
        Choice::OneOfThem => "one choice among them",
        Choice::EqualCompliance => "those of contacts that are equally compliant",
    };
    let sentence = format!(
        "the {what} at {} are not unique: given are {which}",
        open.join(", ")
    );
    Note::new(NoteCode::ImpulsesNotUnique, sentence)
}

/// The same of an outcome with friction, normal and tangent impulses apart.
fn shared_sides(ending: &Ending, names: &[&str]) -> Vec<Note> {
    let moves = |i: usize, part: fn(&SpatialVector) -> f64| {
        let mut shares = ending.shares.iter();
        shares.any(|share| share.get(i).is_some_and(|p| part(p) != 0.0))
    };
    let is_side = |i: usize| moves(i, |p| p.t[0].hypot(p.t[1])) && !moves(i, |p| p.n);
    let sides: Vec<bool> = (0..names.len()).map(|i| !is_side(i)).collect();
    let whole = ending.impulses_unique.iter().zip(&sides);
    let whole: Vec<bool> = whole
        .map(|(unique, not_side)| *unique || !*not_side)
        .collect();
    let side = ending.impulses_unique.iter().zip(&sides);
    let side: Vec<bool> = side
        .map(|(unique, not_side)| *unique || *not_side)
        .collect();
    let told = [("impulses", whole), ("tangent impulses", side)];
    let told = told
        .into_iter()
        .filter(|(_, unique)| unique.contains(&false));
    told.map(|(what, unique)| shared(what, &unique, ending.choice, names))
        .collect()
}

fn pulls(solver: &Simultaneous, names: &[&str]) -> Option<Note> {
    let pulled = solver.pulling().into_iter();
    let told: Vec<String> = pulled
        .map(|i| format!("{} ({} N s)", names[i], plain(solver.impulses()[i])))
        .collect();
    let sentence = format!(
        "the linear law pulls at {}: contacts that only push part there, and complementarity gives \
         another answer",
        told.join(", ")
    );
    (!told.is_empty()).then(|| Note::new(NoteCode::PullingImpulse, sentence))
}

fn approaches(solver: &Simultaneous, names: &[&str]) -> Option<Note> {
    let left = solver.left_approaching().into_iter();
    let told: Vec<&str> = left.map(|i| names[i]).collect();
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

fn jammed(method: Method, is_complete: bool) -> String {
    match method {
        Method::Sequential => {
            "no finite impulse ends a collision of this sequence: a contact sticks where it can move \
             along one line only, or nothing moves it"
        }
        _ if is_complete => {
            "no finite impulses stop the approach: no combination of stick, slip and separation is \
             consistent"
        }
        _ => "no finite impulses that stop the approach were found; not every combination of modes was \
              tried",
    }
    .to_owned()
}

fn infeasible(law: Law, way: &Way, is_complete: bool) -> String {
    match way {
        Way::Order { collisions, .. } => {
            format!(
                "the sequence has not ended after {collisions} collisions, which do not die out"
            )
        }
        _ if is_complete => format!(
            "{law} has no solution: no combination of stick, slip and separation gives the velocities \
             asked"
        ),
        _ => format!(
            "no solution by {law} was found; not every combination of stick, slip and separation was \
             tried"
        ),
    }
}

fn not_found(law: Law, miss: f64) -> String {
    format!(
        "no answer by {law} was found: the nearest misses the laws of its contacts by {miss:.1e} of their size; \
         whether there is one is not known"
    )
}

fn way(ending: &Ending, names: &[&str]) -> Option<Note> {
    match &ending.way {
        Way::Nothing => None,
        Way::Alone(which) => {
            let told: Vec<&str> = which.iter().map(|i| names[*i]).collect();
            let sentence = match &told[..] {
                [one] => format!("{one} acts alone, along Routh's path"),
                all => format!("{} act as one, along Routh's path", all.join(", ")),
            };
            Some(Note::new(NoteCode::Modes, sentence))
        }
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
                "{collisions} {}, contacts taken in the order {}{others}",
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
