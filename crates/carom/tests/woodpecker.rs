//! Glocker's woodpecker toy as a user's own system: P36.
#![allow(clippy::unwrap_used, dead_code)]

#[path = "../examples/woodpecker/toy.rs"]
mod toy;

use carom::sim::{End, Event, run};
use toy::{BEAK, released};

/// P36: the limit cycle of Moreau's law, as time-stepping finds it to three or four digits.
#[test]
fn the_woodpecker_settles_to_its_cycle() {
    let mut setup = released(12.0).unwrap();
    let run = run(&mut setup).unwrap();
    assert_eq!(run.end, End::Duration);
    let is_blow = |event: &&Event| event.impact().is_some_and(|i| i.contact == BEAK);
    let blows: Vec<&Event> = run.events.iter().filter(is_blow).collect();
    let [.., before, last] = &blows[..] else {
        unreachable!("{}", blows.len());
    };
    let period = last.time - before.time;
    let fall = before.q[0] - last.q[0];
    let approach = 0.02 * last.v_pre[2].abs();
    assert!((period - 0.1460).abs() < 1e-4, "{period}");
    assert!((fall - 19.45e-3).abs() < 0.05e-3, "{fall}");
    assert!((approach - 0.338).abs() < 1e-3, "{approach}");
    // Neighbouring cycles alternate: a deviation comes back with some −0.8 of its size.
    let periods: Vec<f64> = blows.windows(2).map(|b| b[1].time - b[0].time).collect();
    let off = |k: usize| periods[k] - period;
    let multiplier = off(13) / off(12);
    assert!((-0.95..-0.6).contains(&multiplier), "{multiplier}");
    let ledger = run.ledger.unwrap();
    assert!(ledger.residual().abs() <= 1e-10 * ledger.largest);
}
