use super::*;

const REACH: Reach = Reach {
    spacing: f64::EPSILON,
    parted: 64.0 * f64::EPSILON,
    time: 0.5,
    until: f64::INFINITY,
};

/// A stroke after a flight of `dt`.
fn stroke(time: f64, contact: usize, dt: f64) -> Stroke {
    let v_n = (-50.0 * dt, 35.0 * dt);
    let gains = false;
    Stroke {
        time,
        contact,
        v_n,
        gains,
        slip: 0.0,
        grips: false,
    }
}

#[test]
fn a_geometric_pile_is_seen_before_its_limit_and_placed_there() {
    let (mut piling, mut t, mut dt) = (Piling::default(), 1.0, 0.5);
    let pile = loop {
        if let Some(pile) = piling.note(stroke(t, 7, dt), &REACH) {
            break pile;
        }
        t += dt;
        dt *= 0.7;
    };
    assert_eq!(pile.contacts, [7]);
    assert!((pile.ratio - 0.7).abs() < 1e-6);
    assert!((pile.limit - (1.0 + 0.5 / 0.3)).abs() < 1e-11, "{pile:?}");
}

#[test]
fn contacts_that_strike_in_turn_pile_up_together() {
    let (mut piling, mut t, mut dt) = (Piling::default(), 0.0, 0.1);
    let pile = (0..).find_map(|k| {
        let pile = piling.note(stroke(t, [4, 2, 2][k % 3], dt), &REACH);
        t += dt * [1.0, 0.2, 0.6][k % 3];
        dt *= if k % 3 == 2 { 0.8 } else { 1.0 };
        pile
    });
    let pile = pile.unwrap_or_else(|| unreachable!("it piles up"));
    assert_eq!(pile.contacts, [2, 4]);
    assert!((pile.limit - 0.18 / 0.2).abs() < 1e-9, "{pile:?}");
}

/// Two ends of a rod strike in an order that never repeats, and yet come to an end.
#[test]
fn impacts_without_a_cycle_pile_up_within_the_time_left() {
    let (mut piling, mut t, mut dt) = (Piling::default(), 0.0, 0.1);
    let pile = (0..400).find_map(|k| {
        let turn = 0.618 * f64::from(k);
        let pile = piling.note(stroke(t, usize::from(turn.fract() > 0.5), dt), &REACH);
        t += dt * (1.0 + 0.4 * turn.sin());
        dt *= 0.9;
        pile
    });
    let pile = pile.unwrap_or_else(|| unreachable!("it piles up"));
    let rest = (0..2000).fold((t, dt), |(t, dt), _| (t + dt, 0.9 * dt)).0;
    assert_eq!(pile.contacts, [0, 1]);
    assert!(
        (pile.limit - rest).abs() < 2e-6 && pile.bound < 1e-6,
        "{pile:?}"
    );
}

#[test]
fn impacts_at_a_steady_pace_are_no_pile() {
    let mut piling = Piling::default();
    let steady = |k: i32| Stroke {
        time: 1e-9 * f64::from(k),
        contact: 0,
        v_n: (-1.0, 1.0),
        gains: false,
        slip: 0.0,
        grips: false,
    };
    assert!((0..100).all(|k| piling.note(steady(k), &REACH).is_none()));
}

#[test]
fn impacts_that_come_faster_and_harder_are_a_pile_only_where_energy_is_made() {
    for gains in [false, true] {
        let (mut piling, mut t, mut dt, mut v) = (Piling::default(), 0.0, 1e-6, 1.0);
        let pile = (0..200).find_map(|k| {
            let stroke = Stroke {
                time: t,
                contact: k % 2,
                v_n: (-v, v),
                gains,
                slip: 0.0,
                grips: false,
            };
            (t, dt, v) = (t + dt, 0.97 * dt, 1.03 * v);
            piling.note(stroke, &REACH)
        });
        assert_eq!(pile.is_some(), gains, "{pile:?}");
    }
}

#[test]
fn a_contact_that_strikes_again_without_parting_is_at_its_limit() {
    let mut piling = Piling::default();
    let strike = |time: f64, v_n| Stroke {
        time,
        contact: 3,
        v_n,
        gains: false,
        slip: 0.0,
        grips: false,
    };
    assert_eq!(piling.note(strike(0.4, (-2e-7, 1e-8)), &REACH), None);
    let pile = piling.note(strike(0.4 + 2e-9, (-1e-8, 5e-10)), &REACH);
    let pile = pile.unwrap_or_else(|| unreachable!("it did not part"));
    assert_eq!((pile.contacts, pile.ratio), (vec![3], 0.05));
    assert!((pile.limit - 0.4).abs() < 3e-9 && pile.bound < 3e-9);
}

#[test]
fn impacts_that_part_by_a_steady_ratio_come_out_of_a_rest_in_the_past() {
    let (mut piling, mut t, mut dt) = (Piling::default(), 1.0, 1e-3);
    for _ in 0..STEADY + 2 {
        assert_eq!(piling.growth(), None);
        t += dt;
        piling.note_cycle(stroke(t, 2, dt), &REACH);
        dt *= 1.25;
    }
    let growth = piling.growth().unwrap_or_else(|| unreachable!("it grows"));
    assert!((growth.ratio - 1.25).abs() < 1e-9);
    assert!(
        (growth.origin - (1.0 - 1e-3 / 0.25)).abs() < 1e-9,
        "{growth:?}"
    );
}

#[test]
fn impacts_between_walls_that_part_are_no_growth() {
    let (mut piling, mut t, mut dt) = (Piling::default(), 0.0, 1e-3);
    for k in 0..20 {
        t += dt;
        let slower = 1e-3 / dt;
        let one = Stroke {
            v_n: (-slower, slower),
            ..stroke(t, k % 2, dt)
        };
        piling.note_cycle(one, &REACH);
        dt *= 1.1;
        assert_eq!(piling.growth(), None);
    }
}

/// Ratios of a coupled system drift to their limit by that very ratio.
#[test]
fn the_bound_of_a_limit_holds_where_the_ratio_still_drifts() {
    for (ratio, drift) in [(0.5, 0.02), (0.7, 0.05), (0.85, -0.02)] {
        let (mut piling, mut t, mut dt) = (Piling::default(), 1.0, 0.01);
        let mut pile = None;
        let mut times = 0;
        while times < 400 {
            t += dt;
            let found = piling.note(stroke(t, 0, dt), &REACH);
            pile = pile.or(found);
            dt *= ratio * (1.0 + drift * f64::powi(ratio, times));
            times += 1;
        }
        let pile = pile.unwrap_or_else(|| unreachable!("it piles up"));
        let miss = (pile.limit - t).abs();
        assert!(
            miss <= pile.bound && pile.bound < 1e-9,
            "{pile:?}, {miss:e}"
        );
    }
}

/// Slips that come back die by β, the flights by e: where β is larger they are not seen to die with the flights.
#[test]
fn slips_that_come_back_wane_with_the_flights_where_they_die_no_slower() {
    for (beta, wanes) in [(0.3, true), (0.5, true), (0.8, false)] {
        let (mut piling, mut t, mut dt, mut slip) = (Piling::default(), 1.0, 1e-3, 1.0);
        let pile = loop {
            let one = Stroke {
                slip,
                grips: true,
                ..stroke(t, 0, dt)
            };
            if let Some(pile) = piling.note(one, &REACH) {
                break pile;
            }
            (t, dt, slip) = (t + dt, 0.5 * dt, -beta * slip);
        };
        assert_eq!((&pile.grips[..], pile.wanes), (&[0][..], wanes), "{pile:?}");
        assert!(!pile.stops, "{pile:?}");
    }
}
