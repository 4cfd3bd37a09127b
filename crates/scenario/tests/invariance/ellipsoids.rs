//! Ellipsoids on rough floors, in any units and any frame.

use carom_support::random::full_or;

use super::Tally;
use super::parts::Maker;
use super::scene::{Outline, Scene, Skin};

/// An ellipsoid thrown or laid on a floor or a slope; its shape is turned against its moments.
fn ellipsoid(seed: u64) -> Scene {
    let mut m = Maker::new(fastrand::Rng::with_seed(seed), "ellipsoid", false);
    let mu = m.number(0.0, 1.0);
    m.skin = Skin {
        law: "poisson",
        restitution: m.number(0.0, 0.8),
        friction: [mu, mu],
    };
    let size = m.number(0.05, 0.4);
    let semi_axes = [size, m.number(0.4, 1.0) * size, m.number(0.3, 0.8) * size];
    m.free("a", Outline::Ellipsoid(semi_axes));
    let turn = m.any_turn();
    let height = m.number(0.0, 0.4) * f64::from(u8::from(m.is_chosen(0.7)));
    let rates = [m.signed(1.5), 0.0, m.signed(6.0)];
    m.put([0.0, height], turn, rates);
    let (aside, own) = ([m.signed(0.3) * size, 0.0, 0.0], m.any_turn());
    let pivot = m.signed(6.0);
    let body = m.scene.bodies.last_mut().expect("a body");
    body.center = aside;
    let moments = body.inertia;
    body.inertia = [moments[1], moments[2], moments[0]];
    let start = body.start.as_mut().expect("a free body");
    if height > 0.0 {
        body.shapes[0].turn = own;
        start.at[2] += size;
    }
    start.spin[2] = pivot;
    m.floor();
    m.contact("a.skin", "world.floor");
    if m.is_chosen(0.3) {
        let angle = m.signed(0.4);
        m.tilt(angle);
    }
    m.scene.duration = m.number(0.5, 1.0);
    m.scene
}

#[test]
fn an_ellipsoid_on_a_rough_floor_and_its_twins_tell_the_same_history() {
    let mut tally = Tally::default();
    let scenes = full_or(24, 1);
    (0..scenes).for_each(|seed| tally.compare(&ellipsoid(seed), seed, |_| true));
    assert!(tally.failures.is_empty(), "{}", tally.told());
    assert!(tally.lost.len() as u64 <= scenes / 8, "{}", tally.told());
    assert!(tally.low.len() <= tally.twins / 50, "{}", tally.told());
    if !cfg!(debug_assertions) {
        for (what, least) in [("impact", 40), ("mode slide", 5), ("mode stick", 5)] {
            let met = tally.events.get(what).copied().unwrap_or_default();
            assert!(met >= least, "{what}: {met}\n{}", tally.told());
        }
    }
}
