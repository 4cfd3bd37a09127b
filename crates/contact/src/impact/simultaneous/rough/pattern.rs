//! Every combination of modes, tried one by one.

use super::phase::{Behaviour, Found, Phase};
use super::system::{SAME_VELOCITY, System, TOLERANCE};

/// The consistent ends of a phase, one for each velocity.
///
/// With one velocity the impulses are a convex set, that of the modes with the fewest conditions: its
/// member of least norm stands for all.
pub(super) fn enumerate(phase: &Phase<'_>) -> Vec<Found> {
    let k = phase.scene.k;
    let choices: Vec<Vec<Behaviour>> = (0..k).map(|i| phase.choices(i)).collect();
    let mut digits = vec![0; k];
    let mut all: Vec<Found> = Vec::new();
    loop {
        let pattern: Vec<Behaviour> = digits.iter().zip(&choices).map(|(d, c)| c[*d]).collect();
        for found in System::of(phase, &pattern).solve() {
            match all.iter_mut().find(|known| is_same(phase, known, &found)) {
                Some(known) if stands_for(phase, &found, known) => *known = found,
                Some(_) => {}
                None => all.push(found),
            }
        }
        let Some(place) = (0..k).find(|&i| digits[i] + 1 < choices[i].len()) else {
            return all;
        };
        digits[place] += 1;
        digits[..place].fill(0);
    }
}

/// Whether two ends have one velocity.
fn is_same(phase: &Phase<'_>, a: &Found, b: &Found) -> bool {
    let pairs = || a.u.iter().zip(&b.u);
    let size = pairs().fold(phase.scene.speed, |most, (x, y)| {
        most.max(x.abs()).max(y.abs())
    });
    pairs().all(|(x, y)| (x - y).abs() <= SAME_VELOCITY * size)
}

/// Whether an end represents its velocity better than another: nothing is left approaching, more
/// shares, or less norm.
fn stands_for(phase: &Phase<'_>, found: &Found, known: &Found) -> bool {
    if found.is_apart != known.is_apart {
        return found.is_apart;
    }
    let (a, b) = (found.shares.len(), known.shares.len());
    let is_less = phase.scene.size(&found.p) < phase.scene.size(&known.p) * (1.0 - TOLERANCE);
    a > b || (a == b && is_less)
}
