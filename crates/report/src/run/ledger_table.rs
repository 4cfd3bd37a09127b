//! The energy ledger and the end of a run, in words.

use carom_contact::impact::Tangential;
use carom_sim::Ledger;
use carom_sim::record::{Accumulation, EndKind, EventRecord, LedgerRecord, RunRecord};

use super::remarks::wrapped;
use crate::number::{significant, zeroed};
use crate::prose::shortened;

/// Significant digits of energies and times.
const DIGITS: usize = 10;
/// A ledger closes when its residual is below this fraction of the largest energy met.
const CLOSES: f64 = 1e-10;
/// … or below this fraction of the largest term that works are sums of: round-off of many impacts.
const ROUND_OFF: f64 = 1e-13;

/// Where every joule went: energy at the start, each work that was done, energy at the end, and
/// what does not add up.
pub fn ledger_table(run: &RunRecord) -> String {
    let Some(record) = &run.ledger else {
        return "no ledger: the system does not tell its energy\n".to_owned();
    };
    let ledger = &record.entries;
    let works = [
        ("work of the dampers", ledger.damping),
        ("work of the drives", ledger.drives),
        ("work of the loads", ledger.loads),
        ("work of the prescribed motions", ledger.motions),
        ("work of the normal impulses", ledger.impacts_normal),
        ("work of the friction impulses", ledger.impacts_friction),
        ("work of friction in closed contacts", ledger.friction),
        ("change in impacts left out", ledger.accumulations),
        ("change in the user's events", ledger.resets),
    ];
    let told = |joules: f64| zeroed(joules, ledger.largest);
    let mut rows = vec![("energy at the start", told(ledger.start))];
    rows.extend(works.into_iter().filter(|(_, work)| told(*work) != 0.0));
    rows.push(("energy at the end", told(ledger.end)));
    let rows: Vec<(&str, String)> = rows
        .into_iter()
        .map(|(name, joules)| (name, significant(joules, DIGITS)))
        .collect();
    let widest = |width: fn(&(&str, String)) -> usize| rows.iter().map(width).max().unwrap_or(0);
    let names = widest(|(name, _)| name.len());
    let numbers = widest(|(_, number)| number.len());
    let mut out = String::new();
    for (name, number) in &rows {
        out.push_str(&format!("{name:<names$}  {number:>numbers$} J\n"));
    }
    if told(ledger.impacts_friction) > 0.0 {
        let said = friction_gives(run).map(|words| wrapped(&words));
        out.push_str(&said.unwrap_or_default());
    }
    out.push_str(&wrapped(&residual_sentence(record)));
    out
}

/// Why friction gives energy in impacts: laws that compare totals do not look at the slip on the way.
pub(crate) fn friction_gives(record: &RunRecord) -> Option<String> {
    let work = |event: &EventRecord| -> f64 {
        let works = event.contacts.iter().filter_map(|c| c.work.tangent);
        works.filter_map(Tangential::plane).sum()
    };
    let mut giving = record.events.iter().filter(|event| work(event) > 0.0);
    let first = giving.next()?;
    let more = match giving.count() {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    Some(format!(
        "friction gives energy in impact # {}{more}: {} takes its impulse against the slip at the end, \
         whatever the slip was before",
        first.index,
        first.law?.name()
    ))
}

/// What does not add up, and whether it matters.
pub(crate) fn residual_sentence(ledger: &LedgerRecord) -> String {
    let joules = significant(ledger.residual, 2);
    let Ledger { largest, scale, .. } = ledger.entries;
    let relative = (ledger.residual / largest).abs();
    let round_off = ROUND_OFF * scale;
    if ledger.residual == 0.0 {
        return "residual 0 J: the ledger closes exactly".to_owned();
    }
    if !relative.is_finite() {
        return format!("residual {joules} J: no energy to judge it by");
    }
    let verdict = match relative {
        r if r <= 16.0 * f64::EPSILON => "the ledger closes to round-off",
        r if r <= CLOSES => "the ledger closes",
        _ if ledger.residual.abs() <= round_off => {
            "the ledger closes to round-off of the terms its works are sums of"
        }
        _ => "the ledger does not close",
    };
    let part = significant(relative, 2);
    format!("residual {joules} J, {part} of the largest energy met: {verdict}")
}

/// How and when the run ended.
pub fn end_sentence(record: &RunRecord) -> String {
    let time = significant(record.time, DIGITS);
    let reason = shortened(record.end.reason.trim().trim_end_matches('.'));
    let head = match record.end.kind {
        EndKind::Duration => format!("ended at {time} s"),
        kind => {
            let asked = significant(record.duration, DIGITS);
            let kind = kind.name();
            format!("ended early ({kind}) at {time} s of {asked} s")
        }
    };
    match (&record.end.accumulation, reason.as_str()) {
        (Some(pile), _) => format!("{head}: {}.", piled(pile, &record.end.end_contacts)),
        (None, "") => format!("{head}."),
        (None, reason) => format!("{head}: {reason}."),
    }
}

/// Where impacts pile up, with as many digits as are known.
pub(crate) fn piled(pile: &Accumulation, contacts: &[String]) -> String {
    let Accumulation {
        interval,
        ratio,
        limit,
        bound,
    } = *pile;
    let of = match contacts.is_empty() {
        true => String::new(),
        false => format!(" of {}", contacts.join(", ")),
    };
    // Digits down to the first one in doubt.
    let known = (limit.abs() / bound).log10().floor() + 2.0;
    let digits = if known.is_finite() {
        known.clamp(2.0, 17.0)
    } else {
        17.0
    };
    let limit = significant(limit, digits as usize);
    let (bound, interval) = (significant(bound, 1), significant(interval, 3));
    let growth = ratio;
    let ratio = significant(ratio, 6);
    if growth > 1.0 {
        return format!(
            "the impacts{of} grow out of rest (reverse chatter): each interval is {ratio} of the one \
             before, the last was {interval} s, and they would have begun at {limit} s (give or take \
             {bound} s, as estimated); nothing says when and how they begin"
        );
    }
    format!(
        "the impacts{of} pile up towards {limit} s (give or take {bound} s, as estimated); the last \
         interval was {interval} s, the ratio of intervals {ratio}"
    )
}
