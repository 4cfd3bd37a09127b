//! The paper's construction on the impulse semi-plane, line by line.

use super::pendulum::Coefficients;

/// Where the construction ends.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct RouthEnd {
    /// F̄ at greatest compression (N·s).
    pub(super) f_m: f64,
    /// F̄ at the end (N·s).
    pub(super) f: f64,
    /// T̄ at the end, x to the left (N·s).
    pub(super) t: f64,
    /// Which of the graphs of Fig. 4, under Carom's name.
    pub(super) kind: &'static str,
}

/// Lines of friction, sticking and maximum compression met one after the other.
///
/// `start` is (s, c) at the beginning; none where no line of compression is met.
pub(super) fn routh(
    coefficients: &Coefficients,
    start: [f64; 2],
    mu: f64,
    restitution: f64,
) -> Option<RouthEnd> {
    let Coefficients {
        alpha,
        gamma,
        epsilon,
    } = *coefficients;
    let ([s, c], sigma) = (start, start[0].signum());
    let friction = -mu * sigma; // slope T̄/F̄ of the line of friction, (37)
    let slips = epsilon + friction * alpha; // ds/dF̄ along it
    let closes = gamma + friction * epsilon; // dc/dF̄ along it
    let halt = if slips * sigma < 0.0 {
        -s / slips
    } else {
        f64::INFINITY
    };
    let compressed = if closes > 0.0 {
        -c / closes
    } else {
        f64::INFINITY
    };
    let sticks = mu >= epsilon.abs() / alpha; // φ > φ_s
    let turned = if sticks { -epsilon / alpha } else { -friction };
    let end = (1.0 + restitution) * compressed;
    let at = |f: f64| friction * f.min(halt) + turned * (f - halt).max(0.0);
    let (f_m, phase) = match (halt < compressed, halt < end) {
        (true, _) => (halt - (c + halt * closes) / (gamma + turned * epsilon), 0),
        (_, true) => (compressed, 1),
        _ => (compressed, 2),
    };
    let f = (1.0 + restitution) * f_m;
    f.is_finite().then(|| RouthEnd {
        f_m,
        f,
        t: at(f),
        kind: match (phase, sticks) {
            (0, true) => "non_sliding_compression",
            (0, false) => "reverse_compression",
            (1, true) => "non_sliding_restitution",
            (1, false) => "reverse_restitution",
            _ => "permanent_sliding",
        },
    })
}
