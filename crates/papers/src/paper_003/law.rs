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

/// Equations (4) to (7), (13) and (14).
fn normal_velocities(solved: &Solved) -> Vec<Keyed> {
    let Solved {
        pair,
        p,
        before,
        after,
        ..
    } = solved;
    let gained = |i: usize| {
        let side = &pair.sides[i];
        let [a, b] = [
            side.normal_velocities(&after[i]),
            side.normal_velocities(&before[i]),
        ];
        a.iter().zip(b).map(|(a, b)| a - b).collect::<Vec<f64>>()
    };
    let pushed = |i: usize, sense: f64| -> Vec<f64> {
        times(&pair.sides[i].g(), p)
            .iter()
            .map(|x| sense * x)
            .collect()
    };
    let first = [1.0, -1.0].map(|sense| apart(&gained(0), &pushed(0, sense)));
    let symmetric = worst([0, 1].map(|i| {
        let g = pair.sides[i].g();
        matrices_apart(&g, &transposed(&g))
    }));
    let [u, v] = [pair.closing(after), pair.delta()];
    let change: Vec<f64> = u.iter().zip(&v).map(|(a, b)| b - a).collect();
    let speeds: Vec<f64> = solved
        .library
        .contacts
        .iter()
        .map(|c| -c.velocity_before.normal.unwrap_or(f64::NAN))
        .collect();
    vec![
        (
            "eq4",
            misprint(
                first[0],
                first[1],
                "-G1 P",
                "v_n(1) - v_n0(1) from the twists of (15)",
            ),
        ),
        (
            "eq5",
            Finding::identity(
                apart(&gained(1), &pushed(1, 1.0)),
                "of body 2",
                "v_n(2) - v_n0(2) = G2 P",
            ),
        ),
        (
            "eq6",
            Finding::identity(symmetric, "of G - G^T", "G1 and G2 are symmetric, 3 by 3"),
        ),
        (
            "eq7",
            Finding::identity(
                apart(&change, &times(&pair.w(), p)),
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

/// Equations (15) to (18), and the change of energy.
fn ends(solved: &Solved) -> Vec<Keyed> {
    let Solved { pair, p, after, .. } = solved;
    let twist = |i: usize| {
        Finding::identity(
            apart(&after[i], solved.twist(i)),
            "of the twist",
            "against 12 coordinates with the joints as constraints",
        )
    };
    let joint = |i: usize| {
        let xi = pair.xi(i, p);
        let route = apart(&xi, solved.joint(i));
        let balance = solved.balance(i, &after[i]);
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
    };
    let simple = worst([0, 1].map(|i| {
        let side = &pair.sides[i];
        let wrench = combined(&side.s, &pair.xi(i, p));
        worst(side.q.iter().map(|q| pairing(&wrench, q)))
    }));
    let by_law = lost(pair, p);
    let by_twists = pair.energy(after) - pair.energy(&solved.before);
    let by_library = solved.library.energy_change.unwrap_or(f64::NAN);
    vec![
        ("eq15", twist(0)),
        ("eq16", twist(1)),
        ("eq17", joint(0)),
        ("eq18", joint(1)),
        (
            "simple-impulses",
            Finding::identity(
                simple,
                "of the power",
                "S xi does no work on any permitted motion of the two bodies",
            ),
        ),
        (
            "energy",
            Finding::holds(
                worst([
                    apart(&[by_law], &[by_twists]),
                    apart(&[by_law], &[by_library]),
                ]) <= ROUND_OFF,
                format!("dT = {} J", show(by_law)),
                format!(
                    "the paper gives no formula; dT = -1/2 sum P (1 - k) delta = {} J, the twists give {} J, the library {} J",
                    show(by_law),
                    show(by_twists),
                    show(by_library)
                ),
            ),
        ),
    ]
}
