//! Well-posed neighbours of the example: one more freedom, a point elsewhere.

use carom::{ImpactResult, InputError, Law, Method};

use super::book::Systems;
use super::frames::{Frames, Joint};
use super::pair::{Pair, apart, impulses};
use super::screws::{cross, screw};
use crate::finding::{Finding, Keyed, ROUND_OFF, show, worst};

/// Frame 1 on a ball joint at O_1: four freedoms, rank 3.
pub(super) fn on_a_ball(frames: &Frames) -> Pair {
    let mut pair = frames.hinged();
    pair.sides[0] = frames.side(0, Joint::Ball, &[0.5, 0.2, -frames.omega[0]]);
    pair
}

/// Frame 2 may slide along its axis too: three freedoms.
pub(super) fn on_a_cylinder(frames: &Frames) -> Pair {
    let mut pair = frames.hinged();
    pair.sides[1] = frames.side(1, Joint::Cylindrical, &[-frames.omega[1], -0.8]);
    pair
}

/// The same with A_3 farther along frame 1, by a_1.
fn cylinder_and_point(frames: &Frames) -> Pair {
    let mut pair = on_a_cylinder(frames);
    move_third(&mut pair, frames);
    pair
}

/// Frame 2 without a joint: seven freedoms.
fn released(frames: &Frames) -> Pair {
    let mut pair = frames.hinged();
    let twist = [0.1, -0.2, -frames.omega[1], -0.5, -0.3, -0.6];
    pair.sides[1] = frames.side(1, Joint::Free, &twist);
    pair
}

/// Both on hinges, A_2 left out and A_3 moved: two points for two freedoms.
fn two_points(frames: &Frames) -> Pair {
    let mut pair = frames.hinged();
    move_third(&mut pair, frames);
    pair.k.remove(1);
    for side in &mut pair.sides {
        side.u.remove(1);
    }
    pair
}

fn move_third(pair: &mut Pair, frames: &Frames) {
    let n = frames.directions[2];
    for (i, side) in pair.sides.iter_mut().enumerate() {
        let mut arm = frames.arm(i, 2);
        arm[1] += frames.a[0];
        side.u[2] = screw(n, cross(arm, n));
    }
}

/// A neighbour by three laws.
struct Neighbour {
    rank: usize,
    impulses: [Vec<f64>; 3],
    /// Linear law against (11), and the momentum balances with (15) to (18).
    residual: f64,
    is_unique: bool,
    change: [f64; 3],
}

const LAWS: [(Law, Method); 3] = [
    (Law::Newton, Method::Linear),
    (Law::Newton, Method::Complementarity),
    (Law::Poisson, Method::Complementarity),
];

impl Neighbour {
    fn new(pair: &Pair) -> Result<Self, InputError> {
        let solved = |k: usize| pair.solved(LAWS[k].0, LAWS[k].1);
        let all: [ImpactResult; 3] = [solved(0)?, solved(1)?, solved(2)?];
        let p = pair.impulses();
        let own = |i: usize| pair.balance(i, &pair.sides[i].u, &p);
        let velocity = all[0].velocity.as_deref().unwrap_or(&[]);
        let route = [
            apart(&p, &impulses(&all[0])),
            apart(&pair.after(&p).concat(), velocity),
            own(0),
            own(1),
        ];
        let is_unique = |r: &ImpactResult| {
            r.determinacy.velocity_unique && r.determinacy.impulses_unique.iter().all(|u| *u)
        };
        Ok(Self {
            rank: all[0].determinacy.rank,
            is_unique: all.iter().all(is_unique),
            residual: worst(route),
            change: std::array::from_fn(|k| all[k].energy_change.unwrap_or(f64::NAN)),
            impulses: all.map(|r| impulses(&r)),
        })
    }

    fn holds(&self, contacts: usize) -> bool {
        self.rank == contacts && self.is_unique && self.residual <= ROUND_OFF
    }

    fn words(&self, name: &str) -> String {
        let one = |k: usize| {
            let list: Vec<String> = self.impulses[k].iter().map(|x| show(*x)).collect();
            let pulls = self.impulses[k].iter().any(|x| *x < 0.0);
            let pulls = if pulls { ", which pulls" } else { "" };
            format!("({}){pulls}, dT {}", list.join(", "), show(self.change[k]))
        };
        format!(
            "{name}: rank {}, P by the linear law {}; by Newton's complementarity {}; by Poisson's {}; (11) and (15) to (18) against 12 coordinates {}",
            self.rank,
            one(0),
            one(1),
            one(2),
            show(self.residual)
        )
    }
}

pub(super) fn findings(systems: &Systems) -> Result<Vec<Keyed>, InputError> {
    let frames = &systems.singular;
    let name = |words: &str, pair: Pair, contacts: usize| -> Result<Finding, InputError> {
        let found = Neighbour::new(&pair)?;
        let computed = format!("rank {}, unique", found.rank);
        Ok(Finding::holds(
            found.holds(contacts),
            computed,
            found.words(words),
        ))
    };
    Ok(vec![
        (
            "conditions",
            name("frame 1 on a ball joint", on_a_ball(frames), 3)?,
        ),
        (
            "conditions-point",
            name(
                "frame 2 on a cylindrical joint and A3 moved by a along the frame",
                cylinder_and_point(frames),
                3,
            )?,
        ),
        (
            "conditions-free",
            name("frame 2 without a joint", released(frames), 3)?,
        ),
        (
            "conditions-two",
            name(
                "both on hinges, A2 left out and A3 moved by a: two points",
                two_points(frames),
                2,
            )?,
        ),
        ("cylindrical", still_singular(frames)?),
    ])
}

/// The word of the paper taken literally: the matrix stays singular.
fn still_singular(frames: &Frames) -> Result<Finding, InputError> {
    let one = on_a_cylinder(frames);
    let mut both = one.clone();
    both.sides[0] = frames.side(0, Joint::Cylindrical, &[-frames.omega[0], 0.0]);
    let rank = |pair: &Pair| -> Result<usize, InputError> {
        Ok(pair
            .solved(Law::Poisson, Method::Complementarity)?
            .determinacy
            .rank)
    };
    let [first, second] = [rank(&one)?, rank(&both)?];
    Ok(Finding::holds(
        first == 2 && second == 2,
        format!("rank {second} of 3"),
        format!(
            "joints that also slide along k give rank {first} with one of them, {second} with both, of 3: the row of A3 is the sum of those of A1 and A2"
        ),
    ))
}
