//! Balls whose slip comes back, in motion: under a table and back, and down to rest by bounces without number.
#![allow(clippy::unwrap_used)]

use carom_sim::record::{EventKind, EventRecord, RunRecord};
use carom_support::near::{assert_close, assert_near};
use carom_support::scenario;

fn recorded(text: &str) -> RunRecord {
    scenario::ran(&scenario::read(text)).1
}

fn rate(event: &EventRecord, index: usize) -> f64 {
    event.rates_after.as_ref().unwrap()["ball"][index]
}

/// P28: parts of the speed thrown with, after floor, underside of the table, floor.
const RETURNS: [f64; 3] = [3.0 / 7.0, -31.0 / 49.0, -333.0 / 343.0];

#[test]
fn the_super_ball_bounces_under_the_table_and_returns_to_the_thrower() {
    let record = scenario::ran(&scenario::changed("superball", &[])).1;
    assert_eq!(record.events.len(), RETURNS.len());
    for (event, part) in record.events.iter().zip(RETURNS) {
        assert_near("vx", rate(event, 0), 2.5 * part, 1e-12);
        assert_near("dE", event.energy_change.unwrap(), 0.0, 1e-14);
    }
    // It comes up past the height of the throw, within 7 cm of where it left.
    let trajectory = record.trajectory.as_ref().unwrap();
    let [x, y] = [0, 1].map(|k| &trajectory.coordinates["ball"][k]);
    let (last_x, last_y) = (x.last().unwrap(), y.last().unwrap());
    assert!(*last_y > 0.9 && last_x.abs() < 0.08, "{last_x} {last_y}");
}

#[test]
fn a_super_ball_thrown_in_any_direction_of_space_comes_back_too() {
    for angle in [0.3f64, 2.0, -2.5] {
        let (sin, cos) = angle.sin_cos();
        let (vx, vy) = (2.5 * cos, 2.5 * sin);
        let record = recorded(&format!(
            r#"
            space = "space"
            [bodies.ball]
            mass = 0.05
            inertia = [1.25e-5, 1.25e-5, 1.25e-5]
            shapes.skin = {{ ball = {{ radius = 0.025 }} }}
            start = {{ position = [0, 0, 0.9], velocity = [{vx}, {vy}, -4], angular_velocity = [0, 0, 20] }}
            [world]
            shapes.floor = {{ half_space = {{ normal = [0, 0, 1] }} }}
            shapes.table = {{ box = {{ size = [0.6, 0.6, 0.04] }}, at = [{}, {}, 0.77] }}
            [contacts.floor]
            between = ["ball.skin", "world.floor"]
            law = "newton"
            restitution = 1
            tangential_restitution = 1
            friction = 0.8
            [contacts.table]
            between = ["ball.skin", "world.table"]
            law = "newton"
            restitution = 1
            tangential_restitution = 1
            friction = 0.8
            [run]
            duration = 0.64
            "#,
            0.72 * cos,
            0.72 * sin
        ));
        assert_eq!(record.events.len(), 3);
        for (event, part) in record.events.iter().zip(RETURNS) {
            let (x, y) = (rate(event, 0), rate(event, 1));
            assert_near("along", cos * x + sin * y, 2.5 * part, 1e-11);
            assert_near("across", cos * y - sin * x, 0.0, 1e-11);
        }
        let ledger = record.ledger.as_ref().unwrap();
        assert!(ledger.residual.abs() < 1e-12 * ledger.entries.largest);
    }
}

/// A ball dropped on a floor with speed and spin.
#[derive(Debug, Clone, Copy)]
struct Drop {
    restitution: f64,
    beta: f64,
    friction: f64,
    speed: f64,
    spin: f64,
}

/// What the ball does until its bounces end, by its impacts alone.
#[derive(Debug, Clone, Copy, Default)]
struct Limit {
    time: f64,
    x: f64,
    /// Speed, and spin times radius.
    rates: [f64; 2],
    grips: usize,
    others: usize,
}

const G: f64 = 9.81;
const HEIGHT: f64 = 0.5;
const RADIUS: f64 = 0.02;

impl Drop {
    /// Bounce after bounce, by the closed form of a solid ball.
    fn limit(&self) -> Limit {
        let fall = (2.0 * HEIGHT / G).sqrt();
        let (mut x, mut spin) = (self.speed, RADIUS * self.spin);
        let mut limit = Limit {
            time: fall,
            x: x * fall,
            ..Limit::default()
        };
        let mut v_n = G * fall;
        while v_n > 1e-18 {
            let slip: f64 = x + spin;
            let turned = 3.5 * self.friction * (1.0 + self.restitution) * v_n;
            let after = match slip.abs() {
                v if (1.0 + self.beta) * v <= turned => -self.beta * slip,
                v if v <= turned => 0.0,
                v => (v - turned) * slip.signum(),
            };
            match (1.0 + self.beta) * slip.abs() <= turned {
                true => limit.grips += 1,
                false => limit.others += 1,
            }
            let part = (after - slip) / 3.5;
            (x, spin) = (x + part, spin + 2.5 * part);
            v_n *= self.restitution;
            let flight = 2.0 * v_n / G;
            (limit.time, limit.x) = (limit.time + flight, limit.x + x * flight);
        }
        limit.rates = [x, spin];
        limit
    }

    fn text(&self, is_plane: bool) -> String {
        let height = HEIGHT + RADIUS;
        let Self {
            restitution,
            beta,
            friction,
            speed,
            spin,
        } = self;
        let (inertia, skin, floor, start, space) = match is_plane {
            true => (
                "1.6e-5".to_owned(),
                "disk",
                "[0, 1]",
                format!("position = [0, {height}, 0], rate = [{speed}, 0, {spin}]"),
                "",
            ),
            false => (
                "[1.6e-5, 1.6e-5, 1.6e-5]".to_owned(),
                "ball",
                "[0, 0, 1]",
                format!(
                    "position = [0, 0, {height}], velocity = [{}, {}, 0], angular_velocity = [{}, {}, 7]",
                    0.6 * speed,
                    0.8 * speed,
                    0.8 * spin,
                    -0.6 * spin
                ),
                "space = \"space\"",
            ),
        };
        format!(
            r#"
            {space}
            [bodies.ball]
            mass = 0.1
            inertia = {inertia}
            shapes.skin = {{ {skin} = {{ radius = {RADIUS} }} }}
            start = {{ {start} }}
            [world]
            shapes.floor = {{ half_space = {{ normal = {floor} }} }}
            [contacts.floor]
            between = ["ball.skin", "world.floor"]
            law = "newton"
            restitution = {restitution}
            tangential_restitution = {beta}
            friction = {friction}
            [run]
            duration = 8
            "#
        )
    }

    /// Runs it and compares the accumulation with the limit of its impacts.
    fn check(&self, is_plane: bool) -> Limit {
        let record = recorded(&self.text(is_plane));
        let limit = self.limit();
        let piles = record.events.iter();
        let pile = piles
            .filter(|event| event.kind == EventKind::Accumulation)
            .collect::<Vec<_>>();
        let [pile] = pile[..] else {
            unreachable!("{self:?}: {} piles", pile.len());
        };
        let bound = pile.accumulation.as_ref().unwrap().bound;
        let rates = match is_plane {
            true => [rate(pile, 0), RADIUS * rate(pile, 2)],
            false => [
                0.6 * rate(pile, 0) + 0.8 * rate(pile, 1),
                RADIUS * (0.8 * rate(pile, 3) - 0.6 * rate(pile, 4)),
            ],
        };
        let x = match is_plane {
            true => pile.coordinates["ball"][0],
            false => 0.6 * pile.coordinates["ball"][0] + 0.8 * pile.coordinates["ball"][1],
        };
        eprintln!("{self:?} {is_plane}: {limit:?} t {:e} x {:e} v {:e} w {:e} bound {bound:e} events {}", pile.time-limit.time, x-limit.x, rates[0]-limit.rates[0], rates[1]-limit.rates[1], record.events.len());
        assert_close("time", pile.time, limit.time, 1e-9 + bound);
        let ledger = record.ledger.as_ref().unwrap();
        assert!(ledger.residual.abs() < 1e-10 * ledger.entries.largest);
        limit
    }
}

#[test]
fn probe() {
    for is_plane in [true, false] {
    for restitution in [0.2, 0.5, 0.9] {
        for beta in [0.0, 0.1, 0.5, 0.6, 0.95, 1.0] {
            for friction in [0.02, 0.1, 0.5, 5.0] {
                for (speed, spin) in [(1.0, 30.0), (0.01, 0.0), (1e-5, 0.0), (5.0,200.0)] {
                    Drop { restitution, beta, friction, speed, spin }.check(is_plane);
                }
            }
        }
    }
    }
}
