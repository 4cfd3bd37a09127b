//! A run in plain words.

use carom_contact::contact_space::GivenFriction;
use carom_contact::impact::{Contact, Law, NoteCode};
use carom_sim::record::{EndKind, EventKind, EventRecord, RunRecord};

use super::escape::text;
use super::phases::{Units, law_name, law_words};
use crate::columns::{deed, is_stop};
use crate::number::{significant, zeroed};
use crate::prose::with_minus;
use crate::run::{assembly_words, end_sentence, piled, residual_sentence};
use crate::table::tangential_words;

/// Significant digits of times and energies.
const DIGITS: usize = 7;

/// The paragraphs, each with its heading.
pub(super) fn summary(record: &RunRecord) -> String {
    let parts = [
        ("What happened", happened(record)),
        ("How it ended", text(&ending(record))),
        ("What was assumed", assumed(record)),
        ("What was not unique", not_unique(record)),
        ("Where the energy went", energy(record)),
    ];
    let paragraph =
        |(heading, words): (&str, String)| format!("<div><h3>{heading}</h3><p>{words}</p></div>\n");
    parts.into_iter().map(paragraph).collect()
}

/// Events in which contacts collide, though nothing approached in some.
fn blows(record: &RunRecord) -> impl Iterator<Item = &EventRecord> {
    record.events.iter().filter(|event| event.kind.is_blow())
}

/// How the run ended, in a sentence.
pub(super) fn ending(record: &RunRecord) -> String {
    with_minus(&sentence(&end_sentence(record)))
}

/// A sentence with a capital.
pub(super) fn sentence(words: &str) -> String {
    let mut letters = words.chars();
    let first = letters.next().map(|c| c.to_uppercase().to_string());
    format!("{}{}", first.unwrap_or_default(), letters.as_str())
}

fn show(x: f64) -> String {
    significant(x, DIGITS).replace('-', "−")
}

fn count(n: usize, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}

fn impacts(record: &RunRecord) -> impl Iterator<Item = &EventRecord> {
    let events = record.events.iter();
    events.filter(|event| event.kind == EventKind::Impact)
}

fn happened(record: &RunRecord) -> String {
    let covered = format!("The run covers {} s.", show(record.time));
    let hits = impacts(record).count();
    let others = others(record);
    let Some(first) = impacts(record).next() else {
        let nothing = match undecided(record) {
            Some(_) if record.events.is_empty() => "No collision was solved.",
            _ if blows(record).next().is_some() => "Nothing that approached collided.",
            _ => "Nothing collided.",
        };
        return format!("{covered} {nothing}{others}");
    };
    let mut words = format!("{covered} {}: ", count(hits, "impact", "impacts"));
    words.push_str(&per_contact(record));
    words.push_str(&format!(". The first is at {} s", show(first.time)));
    if let Some(last) = impacts(record).last().filter(|_| hits > 1) {
        words.push_str(&format!(", the last at {} s", show(last.time)));
    }
    let hardest = impacts(record).filter_map(|e| Some((e, pressed(e)?)));
    if let Some((event, p_n)) = hardest.max_by(|a, b| a.1.total_cmp(&b.1)) {
        words.push_str(&format!(
            "; the hardest is number {}, with a normal impulse of {} {}",
            event.index,
            show(p_n),
            hardest_unit(record, event)
        ));
    }
    let together = impacts(record).filter(|e| e.contacts.len() > 1).count();
    if together > 0 {
        words.push_str(&format!(
            "; in {together} of them several contacts collide at once"
        ));
    }
    format!("{words}.{others}")
}

/// What happened beside impacts: changes of contacts that stay closed, accumulations, the user's events.
fn others(record: &RunRecord) -> String {
    let of = |kind: EventKind| record.events.iter().filter(move |event| event.kind == kind);
    let kinds = [
        (EventKind::Release, "release", "releases"),
        (EventKind::Stick, "start of sticking", "starts of sticking"),
        (EventKind::Slip, "start of slip", "starts of slip"),
        (EventKind::Reverse, "reversal of slip", "reversals of slip"),
        (
            EventKind::ImpactWithoutCollision,
            "impact without collision",
            "impacts without collision",
        ),
        (
            EventKind::User,
            "event of the user's own",
            "events of the user's own",
        ),
    ];
    let told = kinds.into_iter().filter_map(|(kind, one, many)| {
        let n = of(kind).count();
        (n > 0).then(|| count(n, one, many))
    });
    let told: Vec<String> = told.collect();
    let mut words = match told.is_empty() {
        true => String::new(),
        false => format!(" Beside that: {}.", told.join(", ")),
    };
    let mut piles = of(EventKind::Accumulation);
    let count = of(EventKind::Accumulation).count();
    if let Some((first, pile)) = piles
        .next()
        .and_then(|e| Some((e, e.accumulation.as_ref()?)))
    {
        let names: Vec<String> = first.contacts.iter().map(|c| c.name.clone()).collect();
        let said = text(&with_minus(&sentence(&piled(pile, &names))));
        let first = if count > 1 {
            format!(" (the first of {count} accumulations)")
        } else {
            String::new()
        };
        words.push_str(&format!(
            " {said}{first}; the motion goes on from there in contact."
        ));
    }
    words
}

/// Unit of the impulses of an event.
fn hardest_unit(record: &RunRecord, event: &EventRecord) -> &'static str {
    let contact = event.contacts.first().map_or("", |c| c.name.as_str());
    Units::of(record, contact).impulse
}

fn pressed(event: &EventRecord) -> Option<f64> {
    let pressed = event.contacts.iter().filter_map(|c| c.impulse.normal);
    pressed.max_by(f64::total_cmp)
}

/// How often each contact collides and what it does, in order of appearance.
fn per_contact(record: &RunRecord) -> String {
    let mut seen: Vec<(&str, Vec<(&str, usize)>)> = Vec::new();
    let contacts = impacts(record).flat_map(|e| e.contacts.iter().map(move |c| (e, c)));
    for (event, contact) in contacts {
        let kind = match is_stop(event, contact) {
            true => "stop of a joint",
            false => deed(event, Some(contact)),
        };
        let place = seen.iter().position(|(name, _)| *name == contact.name);
        let place = place.unwrap_or_else(|| {
            seen.push((&contact.name, Vec::new()));
            seen.len() - 1
        });
        let kinds = &mut seen[place].1;
        match kinds.iter_mut().find(|(name, _)| *name == kind) {
            Some((_, n)) => *n += 1,
            None => kinds.push((kind, 1)),
        }
    }
    let told = seen.iter().take(MOST_CONTACTS).map(|(name, kinds)| {
        let total: usize = kinds.iter().map(|(_, n)| n).sum();
        let kinds = kinds.iter();
        let kinds: Vec<String> = kinds
            .map(|(kind, n)| format!("{} {n}", kind.replace('_', " ")))
            .collect();
        let times = count(total, "time", "times");
        format!("<b>{}</b> {times} ({})", text(name), kinds.join(", "))
    });
    let mut told: Vec<String> = told.collect();
    if seen.len() > MOST_CONTACTS {
        told.push(format!("and {} more contacts", seen.len() - MOST_CONTACTS));
    }
    told.join("; ")
}

/// Contacts told of by name.
const MOST_CONTACTS: usize = 8;

fn assumed(record: &RunRecord) -> String {
    let mut words =
        "Bodies are rigid, impacts take no time, and friction follows Coulomb's law.".to_owned();
    let mut rules: Vec<String> = Vec::new();
    let mut laws: Vec<Law> = Vec::new();
    for event in blows(record) {
        let is_free = event.kind != EventKind::Impact;
        laws.extend(event.law.filter(|law| is_free && !laws.contains(law)));
        let Some(posed) = &event.problem else {
            continue;
        };
        let stops = event.contacts.iter().filter(|c| is_stop(event, c));
        let stops: Vec<&str> = stops.map(|c| c.name.as_str()).collect();
        if !laws.contains(&posed.law) && stops.len() < event.contacts.len() {
            laws.push(posed.law);
        }
        for contact in &posed.problem.contacts {
            if stops.contains(&contact.name.as_str()) {
                rules.extend(stop_rule(contact, &rules));
                continue;
            }
            let rule = pair_rule(contact, posed.law);
            if !rules.contains(&rule) {
                rules.push(rule);
            }
        }
    }
    for law in laws {
        words.push_str(&format!(" {}", law_words(law)));
    }
    let more = rules.len().saturating_sub(MOST_CONTACTS);
    rules.truncate(MOST_CONTACTS);
    if more > 0 {
        rules.push(format!("and {more} more"));
    }
    let is_lawless = blows(record).next().is_none();
    match rules.is_empty() {
        true if !is_lawless => {}
        true => words.push_str(" No law of impact was needed."),
        false => words.push_str(&format!(" {}.", rules.join("; "))),
    }
    if let Some(assembly) = &record.assembly {
        let said = with_minus(&assembly_words(assembly));
        words.push_str(&format!(" The start was solved for: {}.", text(&said)));
    }
    let methods = impacts(record).filter(|e| e.contacts.len() > 1);
    if let Some(method) = methods.filter_map(|e| e.method).next() {
        words.push_str(&format!(
            " Contacts that collide at once are solved by {}.",
            method.name()
        ));
    }
    words
}

/// What is assumed of a contact between two bodies.
fn pair_rule(contact: &Contact, law: Law) -> String {
    let GivenFriction { mu_s, mu_d } = contact.friction;
    let friction = match contact.has_tangent() && !contact.friction.is_none() {
        false => "no friction".to_owned(),
        true if mu_s == mu_d => format!("friction {}", show(mu_d)),
        true => format!("friction {} static, {} kinetic", show(mu_s), show(mu_d)),
    };
    format!(
        "<b>{}</b>: {}, restitution {}{}, {friction}",
        text(&contact.name),
        law_name(law),
        show(contact.restitution),
        tangential_words(contact)
    )
}

/// What is assumed of the stop of a joint, unless it is told already.
fn stop_rule(contact: &Contact, told: &[String]) -> Option<String> {
    let rule = format!(
        "<b>{}</b>: stop of a joint, restitution {}",
        text(&contact.name),
        show(contact.restitution)
    );
    (!told.contains(&rule)).then_some(rule)
}

/// What is open of a run that ended because its laws do not decide.
fn undecided(record: &RunRecord) -> Option<String> {
    let names = record.end.end_contacts.join(", ");
    let words = match record.end.kind {
        EndKind::NoAnswer => "has no answer under these laws, and the run ends there",
        EndKind::SeveralAnswers => "has several answers, and the run ends there",
        EndKind::NotOffered => "is beyond what is offered here, and the run ends there",
        EndKind::Jammed => "is open: no finite impulse ends the impact",
        _ => return None,
    };
    let time = show(record.time);
    Some(text(&format!(
        "what follows for {names} at {time} s {words}"
    )))
}

fn not_unique(record: &RunRecord) -> String {
    let mut told: Vec<String> = Vec::new();
    let mut say = |which: Vec<usize>, what: &str| {
        if !which.is_empty() {
            told.push(format!("{what} ({})", numbers(&which)));
        }
    };
    let with = |holds: &dyn Fn(&EventRecord) -> bool| -> Vec<usize> {
        let events = record.events.iter().filter(|event| holds(event));
        events.map(|event| event.index).collect()
    };
    let noted = |code: NoteCode| with(&|e| e.notes.iter().any(|note| note.code == code));
    say(
        noted(NoteCode::VelocityNotUnique),
        "the velocities after a collision depend on how its contacts share the impulse",
    );
    say(
        noted(NoteCode::ImpulsesNotUnique),
        "contacts share an impulse in more than one way; the velocities do not depend on it",
    );
    say(
        noted(NoteCode::ReverseSlipAlsoConsistent),
        "reverse slip is consistent too: sticking was chosen",
    );
    say(
        noted(NoteCode::ImpactWithoutCollision),
        "no impact is consistent too",
    );
    say(
        noted(NoteCode::TangentImpulseUndetermined),
        "nothing determines the tangent impulse",
    );
    say(
        with(&|e| e.joint_impulses.values().any(|impulse| !impulse.unique)),
        "reaction impulses of joints are one choice of several",
    );
    told.extend(shared(record));
    told.extend(undecided(record));
    match told.is_empty() {
        true => "Nothing: under these laws every velocity, impulse and contact force of this \
                 run is the only one."
            .to_owned(),
        false => format!("{}.", sentence(&told.join("; "))),
    }
}

/// The contacts whose forces mechanics does not share out.
fn shared(record: &RunRecord) -> Option<String> {
    let names = &record.shared_forces;
    let more = match names.len().saturating_sub(MOST_CONTACTS) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let first: Vec<String> = names.iter().take(MOST_CONTACTS).map(|n| text(n)).collect();
    let what = match record.chosen_forces.is_empty() {
        true => {
            "and the motion does not depend on it: given are those that leave the most room within the laws"
        }
        false => {
            "and where they slide different ways the motion depends on it: taken are the forces of equally \
             stiff contacts"
        }
    };
    (!names.is_empty()).then(|| {
        format!(
            "while closed, {}{more} share their forces in more than one way, {what}",
            first.join(", ")
        )
    })
}

/// Numbers of events, the first few of them.
fn numbers(which: &[usize]) -> String {
    const SHOWN: usize = 6;
    let first: Vec<String> = which.iter().take(SHOWN).map(usize::to_string).collect();
    let more = match which.len().saturating_sub(SHOWN) {
        0 => String::new(),
        n => format!(" and {n} more"),
    };
    let noun = if which.len() == 1 { "event" } else { "events" };
    format!("{noun} {}{more}", first.join(", "))
}

fn energy(record: &RunRecord) -> String {
    let Some(ledger) = &record.ledger else {
        return "The system does not tell its energy, so there is no balance.".to_owned();
    };
    let entries = &ledger.entries;
    let mut words = format!(
        "The energy goes from {} J to {} J",
        show(entries.start),
        show(entries.end)
    );
    let works = [
        ("the normal impulses of impacts", entries.impacts_normal),
        ("friction in impacts", entries.impacts_friction),
        ("dampers", entries.damping),
        ("drives", entries.drives),
        ("loads", entries.loads),
        ("prescribed motions", entries.motions),
        ("friction in closed contacts", entries.friction),
        (
            "the impacts left out at accumulations",
            entries.accumulations,
        ),
        ("the user's events", entries.resets),
    ];
    let told = works.into_iter();
    let told = told.map(|(who, work)| (who, zeroed(work, entries.largest)));
    let told = told.filter(|(_, work)| *work != 0.0);
    let told = told.map(|(who, work)| match work < 0.0 {
        true => format!("{who} took {} J", show(-work)),
        false => format!("{who} gave {} J", show(work)),
    });
    let told: Vec<String> = told.collect();
    if !told.is_empty() {
        words.push_str(&format!(": {}", told.join(", ")));
    }
    let residual = with_minus(&sentence(&residual_sentence(ledger)));
    format!("{words}. {residual}.")
}
