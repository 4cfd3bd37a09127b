//! The phases of an impact in words.

use carom_contact::impact::{ContactResult, Law, Mode, PathCorner, Phase, Tangential};
use carom_sim::record::RunRecord;
use serde::Serialize;

use crate::along::{Along, is_rubbed};
use crate::columns::is_angular;
use crate::number::{significant, zeroed};
use crate::scales::Scales;

/// Significant digits of the numbers in a sentence.
const DIGITS: usize = 7;

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
    pub(super) const ANGLE: Self = Self {
        impulse: "N·m·s",
        velocity: "rad/s",
    };

    /// Those of a contact of a run, by its gap.
    pub(super) fn of(record: &RunRecord, contact: &str) -> Self {
        match is_angular(record, contact) {
            true => Self::ANGLE,
            false => Self::LENGTH,
        }
    }
}

/// What collides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Met {
    /// Two bodies, by a law.
    Bodies(Option<Law>),
    /// A joint and its stop.
    Stop,
}

/// A contact that is struck.
#[derive(Debug, Clone, Copy)]
pub(super) struct Struck<'a> {
    pub(super) contact: &'a ContactResult,
    pub(super) met: Met,
    pub(super) units: Units,
    /// Whether it has no friction: its slip then neither sticks nor is held.
    pub(super) is_smooth: bool,
    /// Its mode afterwards, where the event tells it.
    pub(super) mode_after: Option<&'a str>,
    /// Whether the law has several outcomes, and none is taken.
    pub(super) is_open: bool,
}

/// What a contact goes through, from touch to end.
pub(super) fn steps(struck: Struck<'_>) -> Vec<Step> {
    let Struck { contact, met, .. } = struck;
    let teller = Teller {
        struck,
        contact,
        met,
        units: struck.units,
        along: Along::of(contact),
        scales: Scales::of([contact]),
    };
    let mut steps: Vec<Step> = teller.direction().into_iter().collect();
    for (i, pair) in contact.path.windows(2).enumerate() {
        let [from, to] = [pair[0], pair[1]];
        steps.push(teller.segment(&from, &to));
        if i + 2 < contact.path.len() {
            steps.extend(teller.corner(&from, &to));
        }
    }
    if contact.path.len() < 2 && met != Met::Stop && !struck.is_open {
        steps.push(Step {
            name: "Totals only".to_owned(),
            words: "the law relates the velocities before and after; the way between them is not \
                    part of it."
                .to_owned(),
        });
    }
    steps.push(teller.end());
    steps
}

/// Tells of one contact.
struct Teller<'a> {
    struck: Struck<'a>,
    contact: &'a ContactResult,
    met: Met,
    units: Units,
    along: Along,
    scales: Scales,
}

impl Teller<'_> {
    /// Along what p_t and v_t are told, in space with friction.
    fn direction(&self) -> Option<Step> {
        let d = self.along.direction().filter(|_| is_rubbed(self.contact))?;
        let [d_1, d_2] = d.map(|x| shown(zeroed(x, 1.0)));
        Some(Step {
            name: "Direction".to_owned(),
            words: format!(
                "the impact keeps to one plane; p_t and v_t are along d, (t1, t2) = ({d_1}, {d_2})."
            ),
        })
    }

    fn segment(&self, from: &PathCorner, to: &PathCorner) -> Step {
        let phase = match from.phase {
            Phase::Compression => "Compression",
            Phase::Restitution => "Restitution",
        };
        let axis = match self.along {
            Along::Plane => "t",
            _ => "d",
        };
        let mode = match from.mode.filter(|_| !self.struck.is_smooth) {
            Some(Mode::SlipForward | Mode::SlipBackward) if self.along == Along::Length => {
                ", slipping".to_owned()
            }
            Some(Mode::Slip) => ", slipping".to_owned(),
            Some(Mode::SlipForward) => format!(", slipping along +{axis}"),
            Some(Mode::SlipBackward) => format!(", slipping along −{axis}"),
            Some(Mode::Stick) => ", sticking".to_owned(),
            None => String::new(),
        };
        let gained = change("p_n", [from.p_n, to.p_n], self.units.impulse);
        let pushed = match from.mode.filter(|_| !self.struck.is_smooth) {
            Some(_) => {
                let ends = [from.p_t, to.p_t].map(|p| self.scales.impulse(self.along.value(p)));
                format!(
                    ", {}",
                    change(&self.along.symbol("p_t"), ends, self.units.impulse)
                )
            }
            None => String::new(),
        };
        let slip = match (from.v_t, to.v_t) {
            (Some(a), Some(b)) => {
                let ends = [a, b].map(|v| self.scales.velocity(self.along.value(v)));
                format!(
                    ", {}",
                    change(&self.along.symbol("v_t"), ends, self.units.velocity)
                )
            }
            _ => String::new(),
        };
        let speeds = [from.v_n, to.v_n].map(|v| self.scales.velocity(v));
        let speed = change("v_n", speeds, self.units.velocity);
        Step {
            name: format!("{phase}{mode}"),
            words: format!("{gained}{pushed}; {speed}{slip}."),
        }
    }

    /// What happens where two segments meet.
    fn corner(&self, from: &PathCorner, at: &PathCorner) -> Vec<Step> {
        let unit = self.units.impulse;
        let mut steps = Vec::new();
        let at_p = significant(at.p_n, DIGITS);
        let is_at_rest = |corner: &PathCorner| corner.v_t.is_some_and(|v_t| v_t.size() == 0.0);
        if is_at_rest(at) && !is_at_rest(from) && !self.struck.is_smooth {
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
            let halt = match self.met {
                Met::Bodies(_) => {
                    "the bodies no longer approach (v_n = 0); from here the restitution drives \
                     them apart"
                }
                Met::Stop => {
                    "the joint no longer nears its stop (v_n = 0); from here the restitution drives \
                     it back"
                }
            };
            steps.push(Step {
                name: "Greatest compression".to_owned(),
                words: format!("at p_n = {at_p} {unit} {halt}."),
            });
        }
        steps
    }

    fn end(&self) -> Step {
        let Units { impulse, velocity } = self.units;
        let name = "End".to_owned();
        let (Some(p_n), Some(v_n)) = (
            self.contact.impulse.normal,
            self.contact.velocity_after.normal,
        ) else {
            let words = match self.struck.is_open {
                true => "the law has several outcomes here, and none is taken: see Outcomes.",
                false => "no finite impulse ends this impact.",
            };
            let words = words.to_owned();
            return Step { name, words };
        };
        let (p_n, v_n) = (shown(p_n), shown(self.scales.velocity(v_n)));
        let told = |symbol, value: Option<Tangential>, unit, clean: fn(Scales, f64) -> f64| {
            value.map_or(String::new(), |value| {
                let value = shown(clean(self.scales, self.along.value(value)));
                format!(", {} = {value} {unit}", self.along.symbol(symbol))
            })
        };
        let p_t = told(
            "p_t",
            self.contact.impulse.tangent,
            impulse,
            Scales::impulse,
        );
        let after = self.contact.velocity_after.tangent;
        let v_t = told("v_t", after, velocity, Scales::velocity);
        let words = match self.met {
            Met::Bodies(law) => format!(
                "{} With p_n = {p_n} {impulse}{p_t} {}: v_n = {v_n} {velocity}{v_t}.",
                law.map_or("", law_words),
                self.parting(v_n == "0")
            ),
            Met::Stop => format!(
                "the stop turns the joint back with an impulse of {p_n} {impulse}: its velocity off \
                 the stop is {v_n} {velocity}, the restitution times that before."
            ),
        };
        let words = words.trim_start().to_owned();
        Step { name, words }
    }
}

impl Teller<'_> {
    /// Whether the bodies stay together, in words.
    fn parting(&self, is_at_rest: bool) -> &'static str {
        match (is_at_rest, self.struck.mode_after) {
            (false, _) => "the bodies part",
            (true, Some("open")) => "the bodies part from rest",
            (true, _) => "the bodies stay together",
        }
    }
}

fn shown(x: f64) -> String {
    significant(x, DIGITS).replace('-', "−")
}

fn change(name: &str, ends: [f64; 2], unit: &str) -> String {
    let [a, b] = ends.map(shown);
    match a == b {
        true => format!("{name} stays {a} {unit}"),
        false => format!("{name} {a} → {b} {unit}"),
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
            spatial: None,
        };
        let told = steps(Struck {
            contact: &contact,
            met: Met::Bodies(Some(Law::Poisson)),
            units: Units::LENGTH,
            is_smooth: false,
            mode_after: None,
            is_open: false,
        });
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
