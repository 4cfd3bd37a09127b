//! The path through the impulse plane, corner by corner.

use carom_contact::impact::{ImpactResult, Mode, Outcome, PathCorner, Phase};

use crate::along::Along;
use crate::number::significant;
use crate::scales::Scales;
use crate::table::shared_along;

/// The corners the laws of Routh's path share, then where each leaves it.
pub(crate) fn path_rows(results: &[ImpactResult], digits: usize) -> Vec<Vec<String>> {
    let routh: Vec<&ImpactResult> = results
        .iter()
        .filter(|r| r.contacts.len() == 1)
        .filter(|r| r.law.follows_the_path() && !r.contacts[0].path.is_empty())
        .collect();
    let longest = routh.iter().max_by(|a, b| reach(a).total_cmp(&reach(b)));
    let Some(longest) = longest else {
        return Vec::new();
    };
    let along = shared_along(results, 0);
    let [p_t, v_t] = ["p_t", "v_t"].map(|symbol| along.symbol(symbol));
    let head = ["path", "p_n", &p_t, "v_n", &v_t, "then"];
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    let told = Told {
        along,
        scales: Scales::of(&longest.contacts),
        digits,
    };
    let path = &longest.contacts[0].path;
    let ends = longest.outcome == Outcome::Solved;
    let shared = if ends {
        &path[..path.len() - 1]
    } else {
        &path[..]
    };
    for (i, corner) in shared.iter().enumerate() {
        let is_last = i + 1 == shared.len() && !ends;
        rows.push(told.corner_row(corner_name(i, corner), corner, !is_last));
    }
    for result in routh.iter().filter(|r| r.outcome == Outcome::Solved) {
        if let Some(end) = result.contacts[0].path.last() {
            let name = format!("end ({})", result.law);
            rows.push(told.corner_row(&name, end, false));
        }
    }
    rows
}

fn reach(result: &ImpactResult) -> f64 {
    let last = result.contacts[0].path.last();
    last.map_or(-1.0, |corner| corner.p_n)
}

fn corner_name(i: usize, corner: &PathCorner) -> &'static str {
    match (
        i,
        corner.v_n == 0.0,
        corner.v_t.is_some_and(|v_t| v_t.size() == 0.0),
    ) {
        (0, ..) => "start",
        (_, true, true) if corner.mode != Some(Mode::Stick) => "slip halts, v_n = 0",
        (_, true, _) if corner.phase == Phase::Compression => "second compression",
        (_, true, _) => "greatest compression",
        _ => "slip halts",
    }
}

/// How the corners of a path are told.
struct Told {
    along: Along,
    scales: Scales,
    digits: usize,
}

impl Told {
    fn corner_row(&self, name: &str, corner: &PathCorner, goes_on: bool) -> Vec<String> {
        let mode = match corner.mode {
            Some(Mode::SlipForward) => "slips +, ",
            Some(Mode::SlipBackward) => "slips -, ",
            Some(Mode::Slip) => "slips, ",
            Some(Mode::Stick) => "sticks, ",
            None => "",
        };
        let phase = match corner.phase {
            Phase::Compression => "compression",
            Phase::Restitution => "restitution",
        };
        let then = if goes_on {
            format!("{mode}{phase}")
        } else {
            String::new()
        };
        // Round-off is shown as the zero it stands for.
        let show = |x: f64| significant(x, self.digits);
        let v_t = corner.v_t.map(|v| self.along.value(v));
        vec![
            name.to_owned(),
            show(corner.p_n),
            show(self.scales.impulse(self.along.value(corner.p_t))),
            show(self.scales.velocity(corner.v_n)),
            v_t.map_or("-".to_owned(), |v| show(self.scales.velocity(v))),
            then,
        ]
    }
}
