//! Every combination of modes, tried one by one.

use super::phase::{Behaviour, Found, Phase};
use super::system::{System, TOLERANCE};

/// The consistent ends of a phase; each once.
pub(super) fn enumerate(phase: &Phase<'_>) -> Vec<Found> {
    let k = phase.scene.k;
    let choices: Vec<Vec<Behaviour>> = (0..k).map(|i| phase.choices(i)).collect();
    let mut digits = vec![0; k];
    let mut all: Vec<Found> = Vec::new();
    loop {
        let pattern: Vec<Behaviour> = digits.iter().zip(&choices).map(|(d, c)| c[*d]).collect();
        for found in System::of(phase, &pattern).solve() {
            if !all.iter().any(|known| is_same(phase, known, &found)) {
                all.push(found);
            }
        }
        let Some(place) = (0..k).find(|&i| digits[i] + 1 < choices[i].len()) else {
            return all;
        };
        digits[place] += 1;
        digits[..place].fill(0);
    }
}

fn is_same(phase: &Phase<'_>, a: &Found, b: &Found) -> bool {
    let size = |x: &[f64]| x.iter().fold(0.0f64, |most, x| most.max(x.abs()));
    let near = |x: &[f64], y: &[f64], scale: f64| {
        let pairs = x.iter().zip(y);
        pairs.fold(0.0f64, |most, (x, y)| most.max((x - y).abs())) <= 10.0 * TOLERANCE * scale
    };
    let pushed = size(&a.p).max(size(&b.p));
    near(&a.u, &b.u, phase.scene.speed + size(&a.u)) && near(&a.p, &b.p, pushed)
}
