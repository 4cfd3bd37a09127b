//! Whether Poisson's velocities are the same for every share of the compression.

use carom_numeric::linear_program::{Reach, maximise};
use carom_numeric::orthogonal::length;
use carom_numeric::{CompleteOrthogonal, NonNegative};

use super::choices::Choices;
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

/// Corners and rays of a set of shares are all found among at most so many choices of contacts.
const CHOICE_LIMIT: usize = 4000;

/// In a set of shares without end no impulse is taken larger than so many times the largest known.
const FAR_SHARE: f64 = 10.0;

/// Ends of the set that are sought beside the greatest and least impulse of each contact.
const MORE_ENDS: usize = 16;

/// A sum of motions below this fraction of its terms is zero.
const NOTHING: f64 = 1e-12;

/// A push belongs to the contacts that end closed when what is left of it is below this fraction.
const TAKEN: f64 = 1e-9;

/// The velocity found, as a question to other shares: what they lack must be pushed by the contacts that
/// end closed.
struct Ended {
    /// `X P` of the impulses found.
    jump: Vec<f64>,
    /// Rows of the contacts that end closed.
    closed: Vec<f64>,
    solver: NonNegative,
}

impl Ended {
    /// Whether `−w` is a push of closed contacts; `terms` is the size of what adds up to `w`.
    fn takes(&mut self, w: &[f64], terms: f64) -> bool {
        if length(w) <= NOTHING * terms {
            return true;
        }
        let mut s = vec![0.0; self.closed.len() / w.len().max(1)];
        self.solver.solve(&self.closed, w, &mut s);
        let room = TAKEN * self.solver.terms() + NOTHING * terms;
        length(self.solver.sum()) <= room
    }
}

impl Simultaneous {
    /// Whether the velocities found are those of every share.
    ///
    /// The expansion leads to the velocity nearest to `v_c + X K P_c` among those that part. A velocity
    /// found is that of another share exactly when what the share lacks of it is a push of the contacts
    /// that end closed: a convex cone. The set of shares lies in it exactly when its corners and rays do.
    pub(super) fn look_at_shares(&mut self, closing: &Closing<'_>) -> Agreement {
        let directions = std::mem::take(&mut self.directions);
        let found = match self.is_weighed_alike(closing, &directions) {
            true => Agreement::Whole,
            false => self.ask_shares(closing, &directions),
        };
        self.directions = directions;
        self.is_unsettled = found == Agreement::Tried;
        found
    }

    /// `X K d = 0` for every direction d of the set.
    fn is_weighed_alike(&self, closing: &Closing<'_>, directions: &[f64]) -> bool {
        let mut directions = directions.chunks_exact(closing.rows.len());
        directions.all(|d| {
            let returned = self.returned_by(closing, d);
            length(&returned) <= NOTHING * d.iter().map(|x| x.abs()).sum::<f64>()
        })
    }

    /// `X K p`.
    fn returned_by(&self, closing: &Closing<'_>, p: &[f64]) -> Vec<f64> {
        let pairs = p.iter().zip(closing.restitution);
        let weighed: Vec<f64> = pairs.map(|(p, e)| p * e).collect();
        let mut sum = Vec::new();
        self.rows.sum(&weighed, &mut sum);
        sum
    }

    fn ask_shares(&mut self, closing: &Closing<'_>, directions: &[f64]) -> Agreement {
        let mut ended = self.ended();
        let k = closing.rows.len();
        let is_open_way = directions.chunks_exact(k).all(|d| {
            let returned = self.returned_by(closing, d);
            let turned: Vec<f64> = returned.iter().map(|x| -x).collect();
            let terms = d.iter().map(|x| x.abs()).sum();
            ended.takes(&returned, terms) && ended.takes(&turned, terms)
        });
        if is_open_way {
            return Agreement::Whole;
        }
        let (count, rank) = (self.closed_comp.len(), self.closed_rank());
        if Choices::number(count + 1, rank + 1) > CHOICE_LIMIT {
            return match self.ends_agree(closing, directions, &mut ended) {
                true => Agreement::Tried,
                false => Agreement::Broken,
            };
        }
        let corners = self.corners(rank);
        let rays = self.rays(rank);
        let is_whole = corners
            .iter()
            .all(|p| self.share_agrees(closing, p, &mut ended))
            && rays.iter().all(|ray| {
                let returned = self.returned_by(closing, ray);
                ended.takes(&returned, ray.iter().sum())
            });
        match is_whole {
            true => Agreement::Whole,
            false => Agreement::Broken,
        }
    }

    fn ended(&mut self) -> Ended {
        let mut jump = Vec::new();
        self.rows.sum(&self.p, &mut jump);
        let closed = self.closed_at_end(&jump);
        let rows = closed.iter().flat_map(|i| self.rows.vector(*i));
        Ended {
            closed: rows.copied().collect(),
            solver: NonNegative::default(),
            jump,
        }
    }

    /// Contacts that neither part nor approach after what impulses did.
    pub(super) fn closed_at_end(&self, jump: &[f64]) -> Vec<usize> {
        let after = self.rows.velocities(&self.v, jump);
        let floor = Self::CLOSED_TOLERANCE * (self.speed + length(jump));
        (0..after.len()).filter(|i| after[*i] <= floor).collect()
    }

    fn closed_rows(&self, which: impl Iterator<Item = usize>) -> Vec<f64> {
        let rows = which.flat_map(|a| self.rows.vector(self.closed_comp[a]));
        rows.copied().collect()
    }

    fn closed_rank(&self) -> usize {
        let count = self.closed_comp.len();
        let mut factor = CompleteOrthogonal::new();
        factor.decompose(&self.closed_rows(0..count), self.rows.n(), count);
        factor.rank()
    }

    /// Numbers of some of the closed contacts, over all contacts.
    fn over_all(&self, which: &[usize], numbers: &[f64]) -> Vec<f64> {
        let mut all = vec![0.0; self.v.len()];
        for (a, x) in which.iter().zip(numbers) {
            all[self.closed_comp[*a]] = *x;
        }
        all
    }

    /// Corners of the set of shares: as many contacts push as the rows have rank.
    fn corners(&self, rank: usize) -> Vec<Vec<f64>> {
        let mut effect = Vec::new();
        self.rows.sum(&self.p_comp, &mut effect);
        let mut factor = CompleteOrthogonal::new();
        let choices = Choices::new(self.closed_comp.len(), rank);
        let corner = |which: Vec<usize>| {
            let columns = self.closed_rows(which.iter().copied());
            factor.decompose(&columns, self.rows.n(), rank);
            if factor.rank() < rank {
                return None;
            }
            let mut p = vec![0.0; rank];
            factor.least_norm(&effect, &mut p);
            let most = p.iter().fold(0.0f64, |most, p| most.max(p.abs()));
            let is_share = p.iter().all(|p| *p >= -Self::CLOSED_TOLERANCE * most);
            p.iter_mut().for_each(|p| *p = p.max(0.0));
            is_share.then(|| self.over_all(&which, &p))
        };
        choices.filter_map(corner).collect()
    }

    /// Directions in which the set of shares has no end: contacts that hold each other.
    fn rays(&self, rank: usize) -> Vec<Vec<f64>> {
        let (mut factor, mut null) = (CompleteOrthogonal::new(), Vec::new());
        let choices = Choices::new(self.closed_comp.len(), rank + 1);
        let ray = |which: Vec<usize>| {
            let columns = self.closed_rows(which.iter().copied());
            factor.decompose(&columns, self.rows.n(), rank + 1);
            factor.null_space(&mut null);
            if null.len() != rank + 1 {
                return None;
            }
            let sign = null.iter().sum::<f64>().signum();
            null.iter_mut().for_each(|x| *x *= sign);
            let is_ray = null.iter().all(|x| *x >= -Self::CLOSED_TOLERANCE);
            null.iter_mut().for_each(|x| *x = x.max(0.0));
            is_ray.then(|| self.over_all(&which, &null))
        };
        choices.filter_map(ray).collect()
    }

    /// Whether a share of the compression leads to the velocity found.
    fn share_agrees(&self, closing: &Closing<'_>, p: &[f64], ended: &mut Ended) -> bool {
        let pairs = p.iter().zip(closing.restitution);
        let both: Vec<f64> = pairs.map(|(p, e)| p * (1.0 + e)).collect();
        let mut lacking = Vec::new();
        self.rows.sum(&both, &mut lacking);
        let terms = both.iter().sum::<f64>() + length(&ended.jump) + self.speed;
        let pairs = lacking.iter_mut().zip(&ended.jump);
        pairs.for_each(|(a, b)| *a -= b);
        ended.takes(&lacking, terms)
    }

    /// Whether the ends of the set that are tried lead to the velocity found.
    fn ends_agree(&self, closing: &Closing<'_>, directions: &[f64], ended: &mut Ended) -> bool {
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
            let mut p = self.p_comp.clone();
            for (direction, c) in directions.chunks_exact(k).zip(&c) {
                p.iter_mut().zip(direction).for_each(|(p, d)| *p += c * d);
            }
            p.iter_mut().for_each(|p| *p = p.max(0.0));
            self.share_agrees(closing, &p, ended)
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
                conditions.push((turned, FAR_SHARE * most - p));
            }
        }
        conditions
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
