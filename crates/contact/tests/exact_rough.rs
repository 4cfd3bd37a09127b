//! Contacts with friction, together and one after another, against exact rational numbers.
#![allow(clippy::unwrap_used, clippy::panic)]

use carom_contact::contact_space::GivenFriction;
use carom_contact::impact::{
    Contact, ImpactProblem, ImpactResult, Law, Method, Outcome, Prepared, solve,
};
use fastrand::Rng;

use crate::common::count;
use crate::common::exact::{
    Matrix, Most, Q, double, exact, greatest, matrix, one, responses, times, zero,
};

/// What a contact does in a phase.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Does {
    Stick,
    Slip(i32),
}

/// A problem in exact contact space: rows are all normals, then all tangents.
struct Exact {
    w: Matrix,
    v: Vec<Q>,
    e: Vec<Q>,
    mu: Vec<(Q, Q)>,
    response: Matrix,
    k: usize,
}

/// A linear program over numbers that are not negative, as it grows.
#[derive(Default)]
struct Program {
    rows: Vec<(Vec<(usize, Q)>, Q)>,
    count: usize,
}

/// A sum of unknowns and a constant.
#[derive(Clone)]
struct Form {
    parts: Vec<(usize, Q)>,
    constant: Q,
}

impl Form {
    fn new(constant: Q) -> Self {
        Self {
            parts: Vec::new(),
            constant,
        }
    }

    fn add(&mut self, other: &Self, factor: &Q) {
        self.parts
            .extend(other.parts.iter().map(|(j, x)| (*j, x * factor)));
        self.constant = &self.constant + &other.constant * factor;
    }
}

impl Program {
    fn unknown(&mut self) -> usize {
        self.count += 1;
        self.count - 1
    }

    fn equals_zero(&mut self, form: Form) {
        self.rows.push((form.parts, -form.constant));
    }

    fn is_not_negative(&mut self, mut form: Form) {
        let slack = self.unknown();
        form.parts.push((slack, -one()));
        self.equals_zero(form);
    }

    /// Least and greatest value of a form; none where the set is empty, nothing on a side without bound.
    fn range(&self, form: &Form) -> Option<[Option<Q>; 2]> {
        let dense = |parts: &[(usize, Q)], sign: Q| {
            let mut row = vec![zero(); self.count];
            parts
                .iter()
                .for_each(|(j, x)| row[*j] = &row[*j] + x * &sign);
            row
        };
        let a: Matrix = self
            .rows
            .iter()
            .map(|(parts, _)| dense(parts, one()))
            .collect();
        let b: Vec<Q> = self.rows.iter().map(|(_, b)| b.clone()).collect();
        let mut ends = [None, None];
        for (end, sign) in ends.iter_mut().zip([-one(), one()]) {
            match greatest(&a, &b, &dense(&form.parts, sign.clone())) {
                Most::Empty => return None,
                Most::Unbounded => {}
                Most::At(x) => *end = Some(x * sign + &form.constant),
            }
        }
        Some(ends)
    }
}

impl Exact {
    fn of(problem: &ImpactProblem) -> Self {
        let normals = problem.contacts.iter().map(|c| c.normal.clone());
        let tangents = problem.contacts.iter().map(|c| c.tangent.clone().unwrap());
        let rows: Vec<Vec<f64>> = normals.chain(tangents).collect();
        let response = responses(&problem.mass, &rows, &[]);
        let rows = matrix(&rows);
        let velocity: Vec<Q> = problem.velocity.iter().map(|x| exact(*x)).collect();
        Self {
            w: rows.iter().map(|row| times(&response, row)).collect(),
            v: times(&rows, &velocity),
            e: problem
                .contacts
                .iter()
                .map(|c| exact(c.restitution))
                .collect(),
            mu: problem
                .contacts
                .iter()
                .map(|c| (exact(c.friction.mu_s), exact(c.friction.mu_d)))
                .collect(),
            response,
            k: problem.contacts.len(),
        }
    }

    /// Adds a phase to a program: impulses of all rows, velocities after. `floor` has what normals give at
    /// least; `pattern` says whether a contact ends on its target, and how it rubs.
    fn phase(
        &self,
        program: &mut Program,
        (u, floor, target): (&[Form], &[Form], &[Q]),
        pattern: &[(bool, Option<Does>)],
    ) -> (Vec<Form>, Vec<Form>) {
        let k = self.k;
        let mut p = vec![Form::new(zero()); 2 * k];
        for (i, (is_closed, does)) in pattern.iter().enumerate() {
            p[i] = floor[i].clone();
            if *is_closed {
                let s = program.unknown();
                p[i].parts.push((s, one()));
            }
            match does {
                Some(Does::Slip(sign)) => {
                    let slope = -&self.mu[i].1 * exact(f64::from(*sign));
                    let normal = p[i].clone();
                    p[k + i].add(&normal, &slope);
                }
                Some(Does::Stick) => {
                    // p_t = x − μ p_n with 0 <= x <= 2 μ p_n
                    let x = program.unknown();
                    let normal = p[i].clone();
                    p[k + i].parts.push((x, one()));
                    p[k + i].add(&normal, &-&self.mu[i].0);
                    let mut room = Form::new(zero());
                    room.add(&normal, &(exact(2.0) * &self.mu[i].0));
                    room.parts.push((x, -one()));
                    program.is_not_negative(room);
                }
                None => {}
            }
        }
        let after: Vec<Form> = (0..2 * k)
            .map(|r| {
                let mut form = u[r].clone();
                (0..2 * k).for_each(|c| form.add(&p[c], &self.w[r][c]));
                form
            })
            .collect();
        for (i, (is_closed, does)) in pattern.iter().enumerate() {
            let mut bound = after[i].clone();
            bound.constant += &target[i];
            match is_closed {
                true => program.equals_zero(bound),
                false => program.is_not_negative(bound),
            }
            match does {
                Some(Does::Stick) => program.equals_zero(after[k + i].clone()),
                Some(Does::Slip(sign)) => {
                    let mut slip = Form::new(zero());
                    slip.add(&after[k + i], &exact(f64::from(*sign)));
                    program.is_not_negative(slip);
                }
                None => {}
            }
        }
        (p, after)
    }

    fn start(&self) -> Vec<Form> {
        self.v.iter().map(|v| Form::new(v.clone())).collect()
    }

    /// Every end by totals (Newton, Moreau), as programs with their impulses.
    fn by_totals(&self, target: &[Q]) -> Vec<(Program, Vec<Form>)> {
        let nothing = vec![Form::new(zero()); self.k];
        let choices = [
            None,
            Some(Does::Stick),
            Some(Does::Slip(1)),
            Some(Does::Slip(-1)),
        ];
        let choices = choices.map(|does| (does.is_some(), does));
        patterns(&choices, self.k)
            .iter()
            .map(|pattern| {
                let mut program = Program::default();
                let (p, _) = self.phase(&mut program, (&self.start(), &nothing, target), pattern);
                (program, p)
            })
            .collect()
    }

    /// Every end of Poisson's two phases, with the totals.
    fn by_phases(&self) -> Vec<(Program, Vec<Form>)> {
        let k = self.k;
        let zeros = vec![zero(); k];
        let nothing = vec![Form::new(zero()); k];
        let modes = [Does::Stick, Does::Slip(1), Does::Slip(-1)];
        let mut first = vec![(false, None)];
        first.extend(modes.map(|does| (true, Some(does))));
        let mut second = modes.map(|does| (false, Some(does))).to_vec();
        second.extend(modes.map(|does| (true, Some(does))));
        let mut all = Vec::new();
        for one_pattern in patterns(&first, k) {
            let mut program = Program::default();
            let start = self.start();
            let (_, _) = self.phase(&mut program, (&start, &nothing, &zeros), &one_pattern);
            if program.range(&Form::new(zero())).is_none() {
                continue;
            }
            for two in patterns(&second, k) {
                let mut program = Program::default();
                let (p, u) = self.phase(&mut program, (&start, &nothing, &zeros), &one_pattern);
                let mut floor = vec![Form::new(zero()); k];
                (0..k).for_each(|i| floor[i].add(&p[i], &self.e[i]));
                let (q, _) = self.phase(&mut program, (&u, &floor, &zeros), &two);
                let mut total = p.clone();
                total.iter_mut().zip(&q).for_each(|(a, b)| a.add(b, &one()));
                all.push((program, total));
            }
        }
        all
    }

    /// What the ends say together: none, or the jump where it is one, and which impulses are.
    fn verdict(&self, ends: &[(Program, Vec<Form>)]) -> Option<(Option<Vec<Q>>, Vec<bool>)> {
        let n = self.response[0].len();
        let mut jump: Vec<Option<[Option<Q>; 2]>> = vec![None; n];
        let mut impulses: Vec<Option<[Option<Q>; 2]>> = vec![None; 2 * self.k];
        for (program, p) in ends {
            if program.range(&Form::new(zero())).is_none() {
                continue;
            }
            for (c, known) in jump.iter_mut().enumerate() {
                let mut form = Form::new(zero());
                p.iter()
                    .zip(&self.response)
                    .for_each(|(p, row)| form.add(p, &row[c]));
                widen(known, program.range(&form).unwrap());
            }
            for (p, known) in p.iter().zip(&mut impulses) {
                widen(known, program.range(p).unwrap());
            }
        }
        jump[0].as_ref()?;
        let only = |range: &Option<[Option<Q>; 2]>| match range {
            Some([Some(a), Some(b)]) if a == b => Some(a.clone()),
            _ => None,
        };
        let is_one: Vec<bool> = impulses.iter().map(|range| only(range).is_some()).collect();
        let unique = (0..self.k)
            .map(|i| is_one[i] && is_one[self.k + i])
            .collect();
        Some((jump.iter().map(only).collect(), unique))
    }
}

fn widen(known: &mut Option<[Option<Q>; 2]>, [low, high]: [Option<Q>; 2]) {
    *known = Some(match known.take() {
        None => [low, high],
        Some([a, b]) => [
            a.zip(low).map(|(x, y)| if y < x { y } else { x }),
            b.zip(high).map(|(x, y)| if y > x { y } else { x }),
        ],
    });
}

fn patterns<T: Copy>(choices: &[T], k: usize) -> Vec<Vec<T>> {
    let mut all = vec![Vec::new()];
    for _ in 0..k {
        let longer = all
            .iter()
            .flat_map(|p: &Vec<T>| choices.iter().map(move |c| [&p[..], &[*c]].concat()));
        all = longer.collect();
    }
    all
}

/// Contacts of a body in the plane, with many ties: numbers k/4, places in common.
fn draw(rng: &mut Rng, k: usize) -> ImpactProblem {
    let quarter = |rng: &mut Rng, most: i32| f64::from(rng.i32(-most..=most)) / 4.0;
    let masses = [1.0, 2.5, 0.5, 0.375, 0.25];
    let m = masses[rng.usize(0..3)];
    let mass = vec![
        vec![m, 0.0, 0.0],
        vec![0.0, m, 0.0],
        vec![0.0, 0.0, masses[rng.usize(0..5)]],
    ];
    let contacts = (0..k).map(|i| {
        let (x, y) = (quarter(rng, 4), quarter(rng, 4));
        let (normal, tangent) = match rng.u8(0..4) {
            0 => (vec![1.0, 0.0, -y], vec![0.0, 1.0, x]),
            1 => (vec![-1.0, 0.0, y], vec![0.0, -1.0, -x]),
            _ => (vec![0.0, 1.0, x], vec![1.0, 0.0, -y]),
        };
        let kinetic = f64::from(rng.u8(1..9)) / 4.0;
        let more = if rng.u8(0..4) == 0 { 0.5 } else { 0.0 };
        Contact {
            name: i.to_string(),
            normal,
            tangent: Some(tangent),
            tangents: None,
            stiffness: 1.0,
            friction: GivenFriction {
                mu_s: kinetic + more,
                mu_d: kinetic,
            },
            restitution: f64::from(rng.u8(0..3)) / 2.0,
            tangential_restitution: None,
        }
    });
    ImpactProblem {
        contacts: contacts.collect(),
        mass,
        velocity: (0..3).map(|_| quarter(rng, 4)).collect(),
        constraints: Vec::new(),
    }
}

fn text(problem: &ImpactProblem, law: Law) -> String {
    format!("{law} {}", serde_json::to_string(problem).unwrap())
}

fn by(problem: &ImpactProblem, law: Law) -> ImpactResult {
    let result = solve(problem, law, Method::Complementarity);
    result.unwrap_or_else(|error| panic!("{error}: {}", text(problem, law)))
}

#[track_caller]
fn check(
    problem: &ImpactProblem,
    law: Law,
    truth: Option<(Option<Vec<Q>>, Vec<bool>)>,
    seen: &mut [usize; 4],
) {
    let result = by(problem, law);
    let Some((jump, unique)) = truth else {
        let is_none = matches!(result.outcome, Outcome::Infeasible | Outcome::Jammed);
        assert!(is_none, "{:?} {}", result.outcome, text(problem, law));
        seen[0] += 1;
        return;
    };
    let is_one = jump.is_some();
    assert_eq!(
        result.determinacy.velocity_unique,
        is_one,
        "{}",
        text(problem, law)
    );
    let wanted = if is_one {
        Outcome::Solved
    } else {
        Outcome::Undetermined
    };
    assert_eq!(result.outcome, wanted, "{}", text(problem, law));
    let Some(jump) = jump else {
        seen[1] += 1;
        return;
    };
    for (c, jump) in jump.iter().enumerate() {
        let found = result.velocity.as_ref().unwrap()[c];
        let wanted = problem.velocity[c] + double(jump);
        assert!(
            (found - wanted).abs() < 1e-9,
            "{found} {wanted} {}",
            text(problem, law)
        );
    }
    assert_eq!(
        result.determinacy.impulses_unique,
        unique,
        "{}",
        text(problem, law)
    );
    seen[if unique.contains(&false) { 2 } else { 3 }] += 1;
}

fn approaching(problem: &ImpactProblem) -> usize {
    let contacts = problem.contacts.iter();
    let v = contacts.map(|c| carom_numeric::dot(&c.normal, &problem.velocity));
    v.filter(|v| *v < 0.0).count()
}

/// Story: impulses (1.875 + t/2, t, 2.8125 + t/2) with t from 0 to 7.5 have one effect; at t = 0 the second
/// contact is open in name, and all three were called unique.
#[test]
fn totals_with_friction_are_unique_exactly_where_linear_programs_say_so() {
    let mut rng = Rng::with_seed(311);
    let mut seen = [0; 4];
    for _ in 0..count(150) {
        let contacts = rng.usize(2..4);
        let problem = draw(&mut rng, contacts);
        let law = if rng.bool() { Law::Moreau } else { Law::Newton };
        match (law, approaching(&problem)) {
            (_, 0) | (Law::Newton, 1) => continue, // nothing happens, or one contact acts alone
            _ => {}
        }
        let mut truth = Exact::of(&problem);
        if law == Law::Moreau {
            truth.mu.iter_mut().for_each(|mu| mu.0 = mu.1.clone());
        }
        let pairs = truth.v.iter().zip(&truth.e);
        let target = pairs.map(|(v, e)| if *v < zero() { v * e } else { zero() });
        let target: Vec<Q> = target.collect();
        let verdict = truth.verdict(&truth.by_totals(&target));
        check(&problem, law, verdict, &mut seen);
    }
    assert!(
        seen.iter().all(|n| *n > 0) || cfg!(debug_assertions),
        "{seen:?}"
    );
}

#[test]
fn two_phases_with_friction_are_unique_exactly_where_linear_programs_say_so() {
    let mut rng = Rng::with_seed(312);
    let mut seen = [0; 4];
    for _ in 0..count(40) {
        let problem = draw(&mut rng, 2);
        if approaching(&problem) < 2 {
            continue;
        }
        let truth = Exact::of(&problem);
        check(
            &problem,
            Law::Poisson,
            truth.verdict(&truth.by_phases()),
            &mut seen,
        );
    }
    assert!(seen[3] > 0 || cfg!(debug_assertions), "{seen:?}");
}

/// One contact along Routh's path in exact numbers: impulses, or none for a jam; whether reverse slip is
/// consistent too.
fn routh(w: [&Q; 3], v: [Q; 2], mu: &(Q, Q), (e, law): (&Q, Law)) -> Option<([Q; 2], bool)> {
    let ([a, c, b], [mut v_n, mut v_t]) = (w, v);
    let v_n_pre = v_n.clone();
    let (mut p_n, mut p_t, mut p_c) = (zero(), zero(), None::<Q>);
    let mut is_choice = false;
    let size = |x: &Q| if *x < zero() { -x } else { x.clone() };
    for _ in 0..8 {
        let is_stuck = v_t == zero() && &mu.0 * b >= size(c);
        is_choice |= is_stuck && &mu.1 * b < size(c);
        let slope = match (is_stuck, v_t == zero()) {
            (true, _) if *b == zero() => zero(),
            (true, _) => -(c / b),
            (false, true) => {
                if *c < zero() {
                    mu.1.clone()
                } else {
                    -&mu.1
                }
            }
            (false, false) => {
                if v_t < zero() {
                    mu.1.clone()
                } else {
                    -&mu.1
                }
            }
        };
        let (rate_n, rate_t) = (a + &slope * c, c + &slope * b);
        let mut steps = Vec::new();
        if v_t != zero() && &v_t * &rate_t < zero() {
            steps.push((-&v_t / &rate_t, 0));
        }
        let rest = match (&p_c, law) {
            (None, _) if rate_n > zero() => Some(-&v_n / &rate_n),
            (Some(p_c), Law::Poisson) => Some(p_c * (one() + e) - &p_n),
            (Some(_), _) => {
                let rise = -e * &v_n_pre - &v_n;
                match rise <= zero() {
                    true => Some(zero()),
                    false => (rate_n > zero()).then(|| rise / &rate_n),
                }
            }
            _ => None,
        };
        steps.extend(rest.map(|step| (step, 1)));
        // On a tie the phase ends first.
        let (step, kind) = steps
            .into_iter()
            .reduce(|x, y| if y.0 <= x.0 { y } else { x })?;
        v_n += &rate_n * &step;
        v_t = if is_stuck {
            zero()
        } else {
            v_t + &rate_t * &step
        };
        p_t += &slope * &step;
        p_n += step;
        match (kind, &p_c) {
            (1, None) => p_c = Some(p_n.clone()),
            (1, Some(_)) => return Some(([p_n, p_t], is_choice)),
            _ => v_t = zero(),
        }
    }
    panic!("a path of more than eight corners")
}

/// Story: both tangent rows are equal and the other contact has just stuck, so that the slip is exactly
/// zero; its round-off was taken for a slip, and the kinetic coefficient let go what the static one holds.
#[test]
fn a_sequence_follows_the_exact_one_where_slip_halts_exactly() {
    let mut rng = Rng::with_seed(313);
    let (mut seen, mut at_rest) = (0, 0);
    for _ in 0..count(400) {
        let contacts = rng.usize(2..4);
        let problem = draw(&mut rng, contacts);
        let law = if rng.bool() {
            Law::Poisson
        } else {
            Law::Newton
        };
        let truth = Exact::of(&problem);
        let order: Vec<usize> = (0..contacts).rev().collect();
        let Some((p, starts_at_rest)) = replay(&truth, &order, law) else {
            continue;
        };
        let result = Prepared::new(&problem)
            .unwrap()
            .solve_in_order(law, &order)
            .unwrap();
        let velocity = result.velocity.as_ref().unwrap();
        for (c, found) in velocity.iter().enumerate() {
            let terms = p.iter().zip(&truth.response);
            let jump = terms.fold(zero(), |sum, (p, row)| sum + p * &row[c]);
            let wanted = problem.velocity[c] + double(&jump);
            assert!(
                (found - wanted).abs() < 1e-8,
                "{order:?} {found} {wanted} {}",
                text(&problem, law)
            );
        }
        seen += 1;
        at_rest += usize::from(starts_at_rest);
    }
    assert!(
        (seen > 100 && at_rest > 10) || cfg!(debug_assertions),
        "{seen} {at_rest}"
    );
}

/// The impulses of a whole sequence, and whether a contact struck again had come to rest exactly; none for
/// a jam or more than twenty collisions.
fn replay(truth: &Exact, order: &[usize], law: Law) -> Option<(Vec<Q>, bool)> {
    let (k, mut v) = (truth.k, truth.v.clone());
    let mut total = vec![zero(); 2 * k];
    let (mut collisions, mut is_at_rest) = (0, false);
    loop {
        let before = collisions;
        for &i in order {
            if v[i] >= zero() {
                continue;
            }
            is_at_rest |= collisions > 0 && v[k + i] == zero();
            let w = [&truth.w[i][i], &truth.w[i][k + i], &truth.w[k + i][k + i]];
            let start = [v[i].clone(), v[k + i].clone()];
            let ([p_n, p_t], _) = routh(w, start, &truth.mu[i], (&truth.e[i], law))?;
            for (r, v) in v.iter_mut().enumerate() {
                *v = &*v + &truth.w[r][i] * &p_n + &truth.w[r][k + i] * &p_t;
            }
            total[i] = &total[i] + p_n;
            total[k + i] = &total[k + i] + p_t;
            collisions += 1;
            if collisions > 20 {
                return None;
            }
        }
        if collisions == before {
            return Some((total, is_at_rest));
        }
    }
}
