//! The phases of an impact in words.

use carom_contact::impact::{ContactResult, Law, Mode, PathCorner, Phase, Tangential};
use carom_sim::record::RunRecord;
use serde::Serialize;

use crate::columns::gap_unit;
use crate::number::significant;

/// Significant digits of the numbers in a sentence.
const DIGITS: usize = 7;

/// A tangent impulse below this part of the normal one is round-off.
const ROUND_OFF: f64 = 1e-14;

/// A step of an impact.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct Step {
    /// What it is called.
    pub(super) name: String,
    /// What happens in it.
    pub(super) words: String,
}

/// Units of the impulse and of the velocity of a contact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub(super) struct Units {
    pub(super) impulse: &'static str,
    velocity: &'static str,
}

impl Units {
    pub(super) const LENGTH: Self = Self {
        impulse: "N·s",
        velocity: "m/s",
    };
    /// At a stop of an angle the impulse is one of torque.
    const ANGLE: Self = Self {
        impulse: "N·m·s",
        velocity: "rad/s",
    };

    /// Those of a contact of a run, by its gap.
    pub(super) fn of(record: &RunRecord, contact: &str) -> Self {
        let trajectory = record.trajectory.as_ref();
        match trajectory.map(|trajectory| gap_unit(trajectory, contact)) {
            Some("rad") => Self::ANGLE,
            _ => Self::LENGTH,
        }
    }
}

/// What a contact goes through, from touch to end.
pub(super) fn steps(contact: &ContactResult, law: Option<Law>, units: Units) -> Vec<Step> {
    let mut steps = Vec::new();
    for (i, pair) in contact.path.windows(2).enumerate() {
        let [from, to] = [pair[0], pair[1]];
        steps.push(segment(&from, &to, units));
        if i + 2 < contact.path.len() {
            steps.extend(corner(&from, &to, units));
        }
    }
    if contact.path.len() < 2 {
        steps.push(Step {
            name: "Totals only".to_owned(),
            words: "the law relates the velocities before and after; the way between them is not \
                    part of it."
                .to_owned(),
        });
    }
    steps.push(end(contact, law, units));
    steps
}

fn segment(from: &PathCorner, to: &PathCorner, units: Units) -> Step {
    let phase = match from.phase {
        Phase::Compression => "Compression",
        Phase::Restitution => "Restitution",
    };
    let is_space = to.p_t.plane().is_none();
    let mode = match from.mode {
        Some(Mode::SlipForward | Mode::SlipBackward) if is_space => ", slipping",
        Some(Mode::SlipForward) => ", slipping along +t",
        Some(Mode::SlipBackward) => ", slipping along −t",
        Some(Mode::Stick) => ", sticking",
        None => "",
    };
    let gained = change("p_n", from.p_n, to.p_n, units.impulse);
    let zeroed = |x: f64| {
        if x.abs() <= ROUND_OFF * to.p_n {
            0.0
        } else {
            x
        }
    };
    let pushed = match from.mode {
        Some(_) => {
            let [a, b] = [from.p_t, to.p_t].map(|p_t| zeroed(p_t.value()));
            format!(
                ", {}",
                change(tangent_name("p_t", to.p_t), a, b, units.impulse)
            )
        }
        None => String::new(),
    };
    let slip = match (from.v_t, to.v_t) {
        (Some(a), Some(b)) => {
            let change = change(tangent_name("v_t", b), a.value(), b.value(), units.velocity);
            format!(", {change}")
        }
        _ => String::new(),
    };
    let speed = change("v_n", from.v_n, to.v_n, units.velocity);
    Step {
        name: format!("{phase}{mode}"),
        words: format!("{gained}{pushed}; {speed}{slip}."),
    }
}

/// In space a sentence has the length of a tangent vector.
fn tangent_name(symbol: &'static str, value: Tangential) -> &'static str {
    match (symbol, value.plane()) {
        ("p_t", None) => "|p_t|",
        ("v_t", None) => "|v_t|",
        _ => symbol,
    }
}

fn change(name: &str, from: f64, to: f64, unit: &str) -> String {
    let [a, b] = [from, to].map(|x| significant(x, DIGITS).replace('-', "−"));
    match a == b {
        true => format!("{name} stays {a} {unit}"),
        false => format!("{name} {a} → {b} {unit}"),
    }
}

/// What happens where two segments meet.
fn corner(from: &PathCorner, at: &PathCorner, units: Units) -> Vec<Step> {
    let unit = units.impulse;
    let mut steps = Vec::new();
    let at_p = significant(at.p_n, DIGITS);
    let is_at_rest = |corner: &PathCorner| corner.v_t.is_some_and(|v_t| v_t.size() == 0.0);
    if is_at_rest(at) && !is_at_rest(from) {
        let then = match at.mode {
            Some(Mode::Stick) => "friction is strong enough to hold the contact: it sticks",
            _ => "friction is too weak to hold the contact: the slip reverses",
        };
        steps.push(Step {
            name: "Slip halts".to_owned(),
            words: format!("at p_n = {at_p} {unit} v_t is zero; {then}."),
        });
    }
    if from.phase == Phase::Compression && at.phase == Phase::Restitution {
        steps.push(Step {
            name: "Greatest compression".to_owned(),
            words: format!(
                "at p_n = {at_p} {unit} the bodies no longer approach (v_n = 0); from here the \
                 restitution drives them apart."
            ),
        });
    }
    steps
}

fn end(contact: &ContactResult, law: Option<Law>, units: Units) -> Step {
    let Units { impulse, velocity } = units;
    let show = |x: Option<f64>| x.map(|x| significant(x, DIGITS).replace('-', "−"));
    let name = "End".to_owned();
    let (Some(p_n), Some(v_n)) = (
        show(contact.impulse.normal),
        show(contact.velocity_after.normal),
    ) else {
        let words = "no finite impulse ends this impact.".to_owned();
        return Step { name, words };
    };
    let rule = law.map_or("", law_words);
    let along = |symbol, value: Option<Tangential>, unit| {
        let value = value?;
        let shown = show(Some(value.value()))?;
        Some(format!(
            ", {} = {shown} {unit}",
            tangent_name(symbol, value)
        ))
    };
    let p_t = along("p_t", contact.impulse.tangent, impulse);
    let v_t = along("v_t", contact.velocity_after.tangent, velocity);
    let (p_t, v_t) = (p_t.unwrap_or_default(), v_t.unwrap_or_default());
    Step {
        name,
        words: format!(
            "{rule} With p_n = {p_n} {impulse}{p_t} the bodies part: v_n = {v_n} {velocity}{v_t}."
        )
        .trim_start()
        .to_owned(),
    }
}

/// What a law is called in a sentence.
pub(super) fn law_name(law: Law) -> &'static str {
    match law {
        Law::Newton => "Newton's law",
        Law::Poisson => "Poisson's law",
        Law::Energetic => "the energetic law",
        Law::Moreau => "Moreau's law",
        Law::Whittaker => "Whittaker's law",
        #[allow(unreachable_patterns)]
        _ => law.name(),
    }
}

/// What a law says, in a sentence.
pub(super) fn law_words(law: Law) -> &'static str {
    match law {
        Law::Newton => {
            "Newton's law: the normal velocity after is the restitution times that before, reversed."
        }
        Law::Poisson => {
            "Poisson's law: the normal impulse of restitution is the restitution times that of \
             compression."
        }
        Law::Energetic => {
            "The energetic law: the normal work returned is the square of the restitution times \
             that of compression."
        }
        Law::Moreau => {
            "Moreau's law: Newton's ratio, with Coulomb's cone on the impulses in total."
        }
        Law::Whittaker => "Whittaker's law: Newton's ratio, with one mode assumed throughout.",
        #[allow(unreachable_patterns)]
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom_contact::impact::{ContactType, Pair};

    fn corner_at(p_n: f64, v: (f64, f64), phase: Phase, mode: Mode) -> PathCorner {
        PathCorner {
            p_n,
            p_t: Tangential::Plane(-0.5 * p_n),
            v_n: v.0,
            v_t: Some(Tangential::Plane(v.1)),
            phase,
            mode: Some(mode),
        }
    }

    #[test]
    fn a_slip_that_reverses_in_compression_is_told_in_order() {
        let path = vec![
            corner_at(0.0, (-2.0, 1.0), Phase::Compression, Mode::SlipForward),
            corner_at(1.0, (-1.0, 0.0), Phase::Compression, Mode::SlipBackward),
            corner_at(2.0, (0.0, -1.0), Phase::Restitution, Mode::SlipBackward),
            corner_at(3.0, (1.0, -2.0), Phase::Restitution, Mode::SlipBackward),
        ];
        let contact = ContactResult {
            name: "hit".to_owned(),
            contact_type: ContactType::ReverseCompression,
            started_at_rest: false,
            impulse: pair(3.0, -1.5),
            velocity_before: pair(-2.0, 1.0),
            velocity_after: pair(1.0, -2.0),
            work: pair(-0.1, -0.2),
            path,
        };
        let told = steps(&contact, Some(Law::Poisson), Units::LENGTH);
        let names: Vec<&str> = told.iter().map(|step| step.name.as_str()).collect();
        let expected = [
            "Compression, slipping along +t",
            "Slip halts",
            "Compression, slipping along −t",
            "Greatest compression",
            "Restitution, slipping along −t",
            "End",
        ];
        assert_eq!(names, expected);
        assert!(told[1].words.contains("reverses"), "{}", told[1].words);
        assert!(told[5].words.contains("p_n = 3 N·s"), "{}", told[5].words);
    }

    fn pair(normal: f64, tangent: f64) -> Pair {
        Pair {
            normal: Some(normal),
            tangent: Some(Tangential::Plane(tangent)),
        }
    }
}
