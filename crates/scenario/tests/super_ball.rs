//! Balls whose slip comes back, in motion: under a table and back, and down to rest by bounces without number.
#![allow(clippy::unwrap_used)]

use carom_contact::impact::NoteCode;
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
            duration = 6.5
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
        let size = self.speed.abs() + RADIUS * self.spin.abs();
        assert_close("time", pile.time, limit.time, bound);
        for (found, wanted) in rates.into_iter().zip(limit.rates) {
            assert_close("rate", found, wanted, G * bound + 1e-12 * size);
        }
        assert_close("x", x, limit.x, 2.0 * bound * size + 1e-11);
        let ledger = record.ledger.as_ref().unwrap();
        assert!(ledger.residual.abs() < 1e-10 * ledger.entries.largest);
        self.check_slips(&record, limit.grips);
        limit
    }

    /// While it grips the slip after k impacts is `(−β)^k` of that before.
    fn check_slips(&self, record: &RunRecord, grips: usize) {
        let events = record.events.iter();
        let struck = events.filter(|event| event.kind == EventKind::Impact);
        let mut slip = (self.speed + RADIUS * self.spin).abs();
        for event in struck.take(grips.min(10)) {
            if event.notes[0].code != NoteCode::TangentialRebound {
                return;
            }
            slip *= self.beta;
            let found = event.contacts[0].velocity_after.tangent.unwrap().size();
            assert_near("slip", found, slip, 1e-12);
        }
    }
}

fn drop(restitution: f64, beta: f64, friction: f64) -> Drop {
    Drop {
        restitution,
        beta,
        friction,
        speed: 1.0,
        spin: 30.0,
    }
}

/// Angular momentum about the contact point is kept, and no slip is left.
#[test]
fn a_ball_that_grips_to_the_end_of_its_bounces_rolls_as_its_angular_momentum_says() {
    let cases = [(0.5, 0.3, 30.0), (0.5, 0.5, 400.0), (0.9, 0.6, -80.0)];
    for (restitution, beta, spin) in cases {
        for is_plane in [true, false] {
            let drop = Drop {
                spin,
                ..drop(restitution, beta, 5.0)
            };
            let limit = drop.check(is_plane);
            assert!(limit.grips > 50 && limit.others == 0, "{drop:?}: {limit:?}");
            let rolling = (drop.speed - 0.4 * RADIUS * drop.spin) / 1.4;
            assert_near("speed", limit.rates[0], rolling, 1e-12);
        }
    }
}

/// The slip outlives the approach, until friction no longer holds it: then it stops, or slides on.
#[test]
fn a_ball_whose_friction_comes_to_its_end_has_the_limit_of_its_impacts() {
    let slow = Drop {
        speed: 1e-5,
        spin: 0.0,
        ..drop(0.2, 0.6, 0.1)
    };
    let cases = [
        drop(0.5, 0.8, 5.0),
        drop(0.5, 1.0, 0.5),
        drop(0.9, 0.95, 0.5),
        drop(0.2, 1.0, 0.1),
        slow,
    ];
    let mut slides = 0;
    for drop in cases {
        for is_plane in [true, false] {
            let limit = drop.check(is_plane);
            assert!(limit.others > 0, "{drop:?}: {limit:?}");
            let slip = limit.rates[0] + limit.rates[1];
            slides += usize::from(slip.abs() > 1e-9);
        }
    }
    assert!(slides >= 4, "{slides}");
}

#[test]
fn a_ball_with_too_little_friction_slides_on_from_its_bounces() {
    for is_plane in [true, false] {
        let drop = drop(0.5, 0.5, 0.02);
        let limit = drop.check(is_plane);
        assert_eq!(limit.grips, 0, "{limit:?}");
        assert!(limit.rates[0] + limit.rates[1] > 0.5, "{limit:?}");
    }
}

const GOOD: &str = r#"
[bodies.ball]
mass = 0.1
inertia = 1.6e-5
shapes.skin = { disk = { radius = 0.02 } }
start = { position = [0.02, 0.02, 0], rate = [-1, -2, 30] }

[world]
shapes.floor = { half_space = { normal = [0, 1] } }
shapes.wall = { half_space = { normal = [1, 0] } }

[contacts.floor]
between = ["ball.skin", "world.floor"]
law = "newton"
restitution = 0.8
tangential_restitution = 0.6
friction = 3.0

[contacts.wall]
between = ["ball.skin", "world.wall"]
law = "newton"
restitution = 0.8
friction = 0.3

[run]
duration = 0.1
"#;

#[test]
fn a_tangential_restitution_is_a_number_from_0_to_1_of_newtons_law() {
    scenario::built(GOOD).unwrap();
    let key = "contacts.floor.tangential_restitution";
    for value in ["-0.1", "1.5", "nan"] {
        scenario::refused(
            GOOD,
            (
                "tangential_restitution = 0.6",
                &format!("tangential_restitution = {value}"),
            ),
            value,
            key,
            "expected a number from 0 to 1",
        );
    }
    scenario::refused(
        GOOD,
        (
            "law = \"newton\"\nrestitution = 0.8\ntang",
            "law = \"energetic\"\nrestitution = 0.8\ntang",
        ),
        "\"energetic\"",
        "contacts.floor.law",
        "energetic has no tangential_restitution",
    );
    scenario::refused(
        GOOD,
        (
            "law = \"newton\"\nrestitution = 0.8\ntang",
            "restitution = 0.8\ntang",
        ),
        "tangential_restitution",
        key,
        "poisson, the default law, has no tangential_restitution",
    );
}

#[test]
fn a_corner_ends_the_run_unless_its_contacts_collide_one_after_another() {
    let record = recorded(GOOD);
    assert_eq!(record.end.kind.name(), "not_offered");
    let reason = &record.end.reason;
    assert!(reason.contains("tangential_restitution"), "{reason}");
    assert!(
        reason.contains("run.simultaneous = \"sequential\""),
        "{reason}"
    );
    let on = "duration = 0.1\nsimultaneous = \"sequential\"\norder = [\"floor\", \"wall\"]";
    let record = recorded(&GOOD.replace("duration = 0.1", on));
    assert_eq!(record.end.kind.name(), "duration");
    let first = &record.events[0];
    let codes: Vec<NoteCode> = first.notes.iter().map(|note| note.code).collect();
    assert!(codes.contains(&NoteCode::TangentialRebound), "{codes:?}");
    // The slip at the floor, -1 + 30 R = -0.4 m/s, comes back; then the wall turns the ball away.
    let after_floor = -1.0 + 1.6 * 0.4 / 3.5;
    assert_near("vx", rate(first, 0), -0.8 * after_floor, 1e-12);
}

/// x and angle turn their signs, and nothing else changes.
#[test]
fn the_mirror_image_of_a_super_ball_bounces_like_it() {
    let drop = drop(0.5, 0.8, 0.5);
    let mirrored = Drop {
        speed: -drop.speed,
        spin: -drop.spin,
        ..drop
    };
    let (one, other) = (recorded(&drop.text(true)), recorded(&mirrored.text(true)));
    assert_eq!(one.events.len(), other.events.len());
    for (a, b) in one.events.iter().zip(&other.events) {
        assert_eq!((a.time, a.energy_change), (b.time, b.energy_change));
        assert_eq!(rate(a, 0), -rate(b, 0));
        assert_eq!(rate(a, 1), rate(b, 1));
        assert_eq!(rate(a, 2), -rate(b, 2));
    }
}
