//! Whether Poisson's velocities are the same for every share of the compression.

use carom_numeric::LemkeEnd;
use carom_numeric::linear_program::{Reach, maximise};
use carom_numeric::orthogonal::length;

use super::{Closing, Simultaneous};

/// What the shares of a compression lead to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Agreement {
    /// One velocity.
    Whole,
    /// One velocity from every share tried.
    Tried,
    /// More than one.
    Broken,
}

/// In a set of shares without end no impulse is taken larger than so many times the largest known.
const FAR: f64 = 10.0;

/// Ends of the set that are sought beside the greatest and least impulse of each contact.
const MORE_ENDS: usize = 16;

impl Simultaneous {
    /// Whether the velocities found are those of every share; if not, no impulse is unique.
    ///
    /// They are where `X K d = 0` for every direction d of the set of shares. Elsewhere the expansion
    /// is solved again from ends of the set. The shares that lead to one velocity are a convex set, so
    /// that two ends settle a segment; elsewhere a difference found is a proof and none found is not.
    pub(super) fn look_at_shares(&mut self, closing: &Closing<'_>) -> Agreement {
        let k = closing.rows.len();
        let directions = std::mem::take(&mut self.directions);
        let is_segment = directions.len() <= k;
        let found = match self.is_weighed_alike(closing, &directions) {
            true => Agreement::Whole,
            false if !self.ends_agree(closing, &directions) => Agreement::Broken,
            false if is_segment => Agreement::Whole,
            false => Agreement::Tried,
        };
        self.directions = directions;
        self.is_unsettled = found == Agreement::Tried;
        if found != Agreement::Whole {
            self.unique.fill(false);
        }
        found
    }

    fn is_weighed_alike(&mut self, closing: &Closing<'_>, directions: &[f64]) -> bool {
        self.rows.sum(&self.p, &mut self.jump_found);
        directions
            .chunks_exact(closing.rows.len())
            .all(|direction| {
                let weighed = direction.iter().zip(closing.restitution);
                self.returned.clear();
                self.returned.extend(weighed.map(|(d, e)| d * e));
                self.rows.sum(&self.returned, &mut self.jump);
                length(&self.jump) <= Self::CLOSED_TOLERANCE
            })
    }

    /// Whether the ends of the set that are tried lead to the velocity found.
    fn ends_agree(&mut self, closing: &Closing<'_>, directions: &[f64]) -> bool {
        let k = closing.rows.len();
        let conditions = self.conditions(directions, k);
        let along = |i: usize| -> Vec<f64> { directions.chunks_exact(k).map(|d| d[i]).collect() };
        let mut goals: Vec<Vec<f64>> = Vec::new();
        for goal in (0..k)
            .map(along)
            .filter(|g| length(g) > Self::CLOSED_TOLERANCE)
        {
            goals.push(goal.iter().map(|x| -x).collect());
            goals.push(goal);
        }
        let mut rng = Lattice::default();
        let count = directions.len() / k;
        goals.extend((0..MORE_ENDS).map(|_| (0..count).map(|_| rng.next()).collect()));
        goals.iter().all(|goal| {
            let Reach::At(_, c) = maximise(goal, &conditions) else {
                return true; // no evidence
            };
            self.end_agrees(closing, directions, &c)
        })
    }

    /// Impulses that are not negative, and not larger than is looked at, in the coordinates of the set.
    fn conditions(&self, directions: &[f64], k: usize) -> Vec<(Vec<f64>, f64)> {
        let most = self.p_comp.iter().fold(0.0f64, |most, p| most.max(*p));
        let mut conditions = Vec::new();
        for (i, p) in self.p_comp.iter().enumerate() {
            let row: Vec<f64> = directions.chunks_exact(k).map(|d| d[i]).collect();
            if length(&row) > Self::CLOSED_TOLERANCE {
                let turned = row.iter().map(|x| -x).collect();
                conditions.push((row, *p));
                conditions.push((turned, FAR * most - p));
            }
        }
        conditions
    }

    /// Whether the share at `c` leads to the velocity found.
    fn end_agrees(&mut self, closing: &Closing<'_>, directions: &[f64], c: &[f64]) -> bool {
        let k = closing.rows.len();
        self.p_end.clone_from(&self.p_comp);
        for (direction, c) in directions.chunks_exact(k).zip(c) {
            let parts = self.p_end.iter_mut().zip(direction);
            parts.for_each(|(p, d)| *p += c * d);
        }
        self.p_end.iter_mut().for_each(|p| *p = p.max(0.0));
        self.ask_expansion(closing);
        if self.lemke.solve(self.rows.w(), &self.q) != LemkeEnd::Solved {
            return true; // no evidence
        }
        for (p, s) in self.returned.iter_mut().zip(self.lemke.z()) {
            *p += s;
        }
        self.rows.sum(&self.returned, &mut self.jump);
        let terms = self.speed + length(&self.jump);
        let differences = self.jump.iter().zip(&self.jump_found);
        let worst = differences.fold(0.0f64, |most, (a, b)| most.max((a - b).abs()));
        worst <= Self::COMPLEMENTARITY_TOLERANCE * terms
    }
}

/// Numbers between −1 and 1, spread evenly and the same in every run.
#[derive(Default)]
struct Lattice {
    count: f64,
}

impl Lattice {
    fn next(&mut self) -> f64 {
        const GOLDEN: f64 = 0.618_033_988_749_894_9;
        self.count += 1.0;
        let place = self.count * GOLDEN + self.count * self.count * 0.137;
        2.0 * (place - place.floor()) - 1.0
    }
}
