//! What stands around the plane: legend, angles, laws without an end.

use carom_contact::impact::Law;
use carom_contact::impact::Outcome;
use carom_contact::impact::planar::ImpulsePlane;

use super::super::frame::Point;
use super::super::svg::{Anchor, Stroke, Svg, colour};
use super::{PLACE, ROW};
use crate::number::significant;

/// A line of the legend.
pub(super) enum Entry {
    /// How a line is drawn, and its name.
    Line(Stroke, String),
    /// The mark of a law; true where its end is a line too.
    Mark(Law, bool),
}

pub(super) fn law_colour(law: Law) -> &'static str {
    match law {
        Law::Newton => colour::PURPLE,
        Law::Poisson => colour::GREEN,
        Law::Energetic => colour::GOLD,
        Law::Moreau => colour::SKY,
        Law::Whittaker => colour::GREY,
    }
}

pub(in super::super) fn law_title(law: Law) -> &'static str {
    match law {
        Law::Newton => "end by Newton, v_n = −e v_n⁻",
        Law::Poisson => "end by Poisson, p_n = (1+e) p_c",
        Law::Energetic => "end by the energetic law, W_n = (1−e²) W_c",
        Law::Moreau => "Moreau (total impulses)",
        Law::Whittaker => "Whittaker (one mode assumed)",
    }
}

/// Filled circle for a law of the path, open diamond for a comparison.
pub(in super::super) fn mark(svg: &mut Svg, at: Point, law: Law) {
    let colour = law_colour(law);
    let diamond = |r: f64| {
        let corners = [(0.0, -r), (r, 0.0), (0.0, r), (-r, 0.0)];
        corners.map(|(dx, dy)| (at.0 + dx, at.1 + dy))
    };
    match law {
        Law::Newton => svg.circle(at, 7.5, colour, colour),
        Law::Poisson => svg.circle(at, 5.0, colour, colour),
        Law::Energetic => svg.circle(at, 2.5, colour, colour),
        Law::Moreau => svg.polygon(&diamond(10.0), "none", colour),
        Law::Whittaker => svg.polygon(&diamond(13.0), "none", colour),
    }
}

/// Draws the legend in two columns below `top`; returns its rows.
pub(super) fn draw_legend(svg: &mut Svg, legend: &[Entry], top: f64) -> usize {
    let rows = legend.len().div_ceil(2);
    for (i, entry) in legend.iter().enumerate() {
        let x = PLACE.left - 40.0 + if i < rows { 0.0 } else { 335.0 };
        let y = top + 4.0 + ROW * (i % rows) as f64;
        let name = match entry {
            Entry::Line(stroke, name) => {
                svg.line((x, y - 4.0), (x + 30.0, y - 4.0), *stroke);
                name.as_str()
            }
            Entry::Mark(law, has_line) => {
                if *has_line && law.follows_the_path() {
                    let colour = law_colour(*law);
                    let stroke = Stroke {
                        colour,
                        width: 1.3,
                        dash: "4 3",
                    };
                    svg.line((x, y - 4.0), (x + 30.0, y - 4.0), stroke);
                }
                mark(svg, (x + 15.0, y - 4.0), *law);
                law_title(*law)
            }
        };
        svg.text((x + 40.0, y), Anchor::Start, 12.5, colour::BLACK, name);
    }
    rows
}

/// Friction angle φ and angle φ_s of the line of sticking: slip that halts sticks when φ ≥ φ_s.
pub(super) fn angles(plane: &ImpulsePlane) -> Option<String> {
    let sticking = plane.sticking.filter(|line| line.t != 0.0)?;
    let degrees = |angle: f64| significant(angle.to_degrees(), 4);
    let friction = if plane.static_angle == plane.friction_angle {
        degrees(plane.friction_angle)
    } else {
        let (fixed, moving) = (degrees(plane.static_angle), degrees(plane.friction_angle));
        format!("{fixed}° static, {moving}° kinetic")
    };
    let friction = friction.trim_end_matches('°');
    let angle = degrees((sticking.n / sticking.t).abs().atan());
    let close = if friction.ends_with("kinetic") {
        ""
    } else {
        "°"
    };
    Some(format!(
        "friction angle φ = {friction}{close}, line of sticking φ_s = {angle}°"
    ))
}

/// The laws that end nothing, in words.
pub(in super::super) fn unended(laws: &[(Law, Outcome)]) -> Option<String> {
    let word = |outcome: Outcome| match outcome {
        Outcome::Jammed => "jammed",
        Outcome::Infeasible => "no solution",
        Outcome::NoImpact => "no impact",
        Outcome::Undetermined => "not unique",
        Outcome::Solved => "solved",
    };
    let mut groups: Vec<(Outcome, Vec<&str>)> = Vec::new();
    for (law, outcome) in laws {
        match groups.iter_mut().find(|(known, _)| known == outcome) {
            Some((_, laws)) => laws.push(law.name()),
            None => groups.push((*outcome, vec![law.name()])),
        }
    }
    let words: Vec<String> = groups
        .iter()
        .map(|(outcome, laws)| format!("{}: {}", laws.join(", "), word(*outcome)))
        .collect();
    (!words.is_empty()).then(|| words.join("; "))
}
