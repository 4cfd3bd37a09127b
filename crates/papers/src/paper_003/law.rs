//! Section 2: equations (1) to (18), on frames whose matrix is invertible.

use carom::{ImpactResult, InputError, Law, Method};

use super::book::Systems;
use super::neighbours::on_a_ball;
use super::pair::{Pair, SENSE, apart, impulses, lost, matrices_apart};
use super::screws::{Screw, combined, dot, eta, inverse, pairing, product, times, transposed};
use crate::finding::{Finding, Keyed, ROUND_OFF, show, worst};

/// The frames with everything the equations name.
struct Solved {
    pair: Pair,
    p: Vec<f64>,
    before: [Screw; 2],
    after: [Screw; 2],
    library: ImpactResult,
}

impl Solved {
    fn new(systems: &Systems) -> Result<Self, InputError> {
        let pair = on_a_ball(&systems.singular);
        let p = pair.impulses();
        let library = pair.solved(Law::Newton, Method::Linear)?;
        Ok(Self {
            before: pair.before(),
            after: pair.after(&p),
            p,
            library,
            pair,
        })
    }

    /// The twist after by the library.
    fn twist(&self, i: usize) -> &[f64] {
        let all = self.library.velocity.as_deref().unwrap_or(&[]);
        all.get(6 * i..6 * i + 6).unwrap_or(&[])
    }

    /// ξ of body i by the library.
    fn joint(&self, i: usize) -> &[f64] {
        let joint = self.library.constraints.get(i);
        joint.and_then(|c| c.impulse.as_deref()).unwrap_or(&[])
    }

    /// The twist after with the other sense of the impulses.
    fn turned(&self, i: usize) -> Screw {
        std::array::from_fn(|k| 2.0 * self.before[i][k] - self.after[i][k])
    }

    fn balance(&self, i: usize, v: &Screw) -> f64 {
        self.pair.balance_of(i, &self.pair.sides[i].u, &self.p, v)
    }
}

pub(super) fn findings(systems: &Systems) -> Result<Vec<Keyed>, InputError> {
    let solved = Solved::new(systems)?;
    let mut all = vec![("eq1", power(&solved))];
    all.extend(motions(&solved));
    all.extend(normal_velocities(&solved));
    all.extend(relative_velocities(&solved));
    all.extend(law(&solved));
    all.extend(ends(&solved));
    Ok(all)
}

/// η: the pairing of the wrench and the twist of a contact is its normal velocity.
fn power(solved: &Solved) -> Finding {
    let side = &solved.pair.sides[0];
    let v = solved.before[0];
    let by_hand = |u: &Screw| dot(&u[..3], &v[3..]) + dot(&u[3..], &v[..3]);
    let residuals = side.u.iter().map(|u| {
        let twice: f64 = worst((0..6).map(|k| eta(&eta(u))[k] - u[k]));
        twice + (pairing(u, &v) - by_hand(u)).abs()
    });
    Finding::identity(
        worst(residuals),
        "over three contacts",
        "eta eta = I and a^T eta b = force . v + moment . omega",
    )
}

fn misprint(printed: f64, corrected: f64, computed: &str, proof: &str) -> Finding {
    Finding::misprint(
        [printed <= ROUND_OFF, corrected <= ROUND_OFF],
        computed,
        format!(
            "{proof}: residual {} as printed, {} corrected",
            show(printed),
            show(corrected)
        ),
    )
}

/// Equations (2) and (3).
fn motions(solved: &Solved) -> [Keyed; 2] {
    let [right, wrong] = [
        solved.balance(0, &solved.after[0]),
        solved.balance(0, &solved.turned(0)),
    ];
    let second = solved.balance(1, &solved.after[1]);
    [
        (
            "eq2",
            misprint(
                wrong,
                right,
                "-Q1 M1red^-1 Q1^T eta U1 P",
                "body 1 receives -P: M1 dv1 = -U1 P + S1 xi1, over its largest term",
            ),
        ),
        (
            "eq3",
            Finding::identity(second, "of M2 dv2", "M2 dv2 = U2 P + S2 xi2"),
        ),
    ]
}

/// Normal velocities gained by body i, by its twists.
fn gained(solved: &Solved, i: usize) -> Vec<f64> {
    let side = &solved.pair.sides[i];
    let of = |v: &Screw| side.normal_velocities(v);
    let [a, b] = [of(&solved.after[i]), of(&solved.before[i])];
    a.iter().zip(b).map(|(a, b)| a - b).collect()
}

/// Equations (4) to (6).
fn normal_velocities(solved: &Solved) -> [Keyed; 3] {
    let pair = &solved.pair;
    let missed = |i: usize, sense: f64| {
        let pushed = times(&pair.sides[i].g(), &solved.p);
        let pushed: Vec<f64> = pushed.iter().map(|x| sense * x).collect();
        apart(&gained(solved, i), &pushed)
    };
    let symmetric = worst([0, 1].map(|i| {
        let g = pair.sides[i].g();
        matrices_apart(&g, &transposed(&g))
    }));
    let words = "v_n(1) - v_n0(1) from the twists of (15)";
    let first = misprint(missed(0, 1.0), missed(0, -1.0), "-G1 P", words);
    let second = missed(1, 1.0);
    let second = Finding::identity(second, "of body 2", "v_n(2) - v_n0(2) = G2 P");
    let both = "G1 and G2 are symmetric, 3 by 3";
    let both = Finding::identity(symmetric, "of G - G^T", both);
    [("eq4", first), ("eq5", second), ("eq6", both)]
}

/// Equations (7), (13) and (14).
fn relative_velocities(solved: &Solved) -> [Keyed; 2] {
    let Solved { pair, p, after, .. } = solved;
    let [u, v] = [pair.closing(after), pair.delta()];
    let change: Vec<f64> = u.iter().zip(&v).map(|(a, b)| b - a).collect();
    let contacts = solved.library.contacts.iter();
    let speeds = contacts.map(|c| -c.velocity_before.normal.unwrap_or(f64::NAN));
    let speeds: Vec<f64> = speeds.collect();
    let change = apart(&change, &times(&pair.w(), p));
    [
        (
            "eq7",
            Finding::identity(
                change,
                "over three contacts",
                "v12n - v12n0 = -(G1 + G2) P with the minus of (2)",
            ),
        ),
        (
            "eq14",
            Finding::identity(
                apart(&v, &speeds),
                "over three contacts",
                "U1^T eta v1 - U2^T eta v2 against the normal velocities of 12 coordinates",
            ),
        ),
    ]
}

/// Equations (8), (11) and (12).
fn law(solved: &Solved) -> Vec<Keyed> {
    let Solved { pair, p, after, .. } = solved;
    let wanted: Vec<f64> = pair
        .delta()
        .iter()
        .zip(&pair.k)
        .map(|(d, k)| -k * d)
        .collect();
    let ratio = apart(&pair.closing(after), &wanted);
    let route = apart(p, &impulses(&solved.library));
    let unit = product(&pair.w(), &inverse(&pair.w()).1);
    let identity: Vec<Vec<f64>> = (0..3)
        .map(|i| (0..3).map(|k| f64::from(u8::from(i == k))).collect())
        .collect();
    let energy = |i: usize| {
        let side = &pair.sides[i];
        let reduced = 0.5 * dot(&side.rates, &times(&side.reduced, &side.rates));
        let whole = 0.5 * pairing(&solved.before[i], &side.inertia.momentum(&solved.before[i]));
        (reduced - whole) / whole
    };
    let list: Vec<String> = p.iter().map(|x| show(*x)).collect();
    vec![
        (
            "eq8",
            Finding::identity(
                ratio,
                "of v12n + K v12n0",
                "the twists of (15), (16) with P of (11)",
            ),
        ),
        (
            "eq11",
            Finding::holds(
                route <= ROUND_OFF && matrices_apart(&unit, &identity) <= ROUND_OFF,
                format!("P = {}", list.join(", ")),
                format!(
                    "frame 1 on a ball joint (rank 3): P = {}; the linear law in 12 coordinates with the joints as constraints differs by {}",
                    list.join(", "),
                    show(route)
                ),
            ),
        ),
        (
            "eq12",
            Finding::identity(
                worst([energy(0), energy(1)]),
                "of the energy",
                "the kinetic energy by M_red and by M, both bodies",
            ),
        ),
    ]
}

/// Equations (15) and (16).
fn twist(solved: &Solved, i: usize) -> Finding {
    Finding::identity(
        apart(&solved.after[i], solved.twist(i)),
        "of the twist",
        "against 12 coordinates with the joints as constraints",
    )
}

/// Equations (17) and (18).
fn joint(solved: &Solved, i: usize) -> Finding {
    let xi = solved.pair.xi(i, &solved.p);
    let route = apart(&xi, solved.joint(i));
    let balance = solved.balance(i, &solved.after[i]);
    let list: Vec<String> = xi.iter().map(|x| show(*x)).collect();
    Finding::holds(
        worst([route, balance]) <= ROUND_OFF,
        format!("xi = {}", list.join(", ")),
        format!(
            "against the constraint impulses of 12 coordinates: {}; M dv = {}U P + S xi: {}",
            show(route),
            if SENSE[i] < 0.0 { "-" } else { "" },
            show(balance)
        ),
    )
}

/// What is known after: equations (15) to (18), simple impulses, energy.
fn ends(solved: &Solved) -> [Keyed; 6] {
    let pair = &solved.pair;
    let simple = worst([0, 1].map(|i| {
        let side = &pair.sides[i];
        let wrench = combined(&side.s, &pair.xi(i, &solved.p));
        worst(side.q.iter().map(|q| pairing(&wrench, q)))
    }));
    let words = "S xi does no work on any permitted motion of the two bodies, 1 and 2";
    [
        ("eq15", twist(solved, 0)),
        ("eq16", twist(solved, 1)),
        ("eq17", joint(solved, 0)),
        ("eq18", joint(solved, 1)),
        (
            "simple-impulses",
            Finding::identity(simple, "of the power", words),
        ),
        ("energy", energy(solved)),
    ]
}

/// `ΔT = −½ Σ P (1 − k) δ`
fn energy(solved: &Solved) -> Finding {
    let Solved { pair, p, after, .. } = solved;
    let by_law = lost(pair, p);
    let by_twists = pair.energy(after) - pair.energy(&solved.before);
    let by_library = solved.library.energy_change.unwrap_or(f64::NAN);
    let routes = [by_twists, by_library].map(|x| apart(&[by_law], &[x]));
    Finding::holds(
        worst(routes) <= ROUND_OFF,
        format!("dT = {} J", show(by_law)),
        format!(
            "the paper gives no formula; dT = -1/2 sum P (1 - k) delta = {} J, the twists give {} J, the library {} J",
            show(by_law),
            show(by_twists),
            show(by_library)
        ),
    )
}
