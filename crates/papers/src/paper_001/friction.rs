//! Coulomb's law (30), the line of friction (37) and the five graphs of Fig. 4.

use carom::contact_space::{Friction, PlanarDelassus, PlanarVector};
use carom::planar::{PlanarImpact, PlanarSolution, solve};
use carom::{InputError, Law};

use super::pendulum::{Coefficients, Pendulum};
use super::routh::routh;
use super::strike::{Strike, all, strikes};
use super::world::{Random, World};
use crate::finding::{Finding, Keyed, ROUND_OFF, show, worst};

/// Every finding about friction and Routh's method.
pub(super) fn findings(world: &World) -> Result<Vec<Keyed>, InputError> {
    let rough = strikes(&world.rough);
    let Some(first) = rough.first() else {
        return Ok(Vec::new());
    };
    let sweep = Sweep::over(world)?;
    Ok(vec![
        ("eq30", coulomb(&world.pendulum, first)?),
        ("eq37", line_of_friction(&world.pendulum, first)),
        ("impulses_not_coulomb", impulses_do_not_obey_coulomb(&rough)),
        ("slip_at_start", slip_at_the_start(world)),
        ("fig4_five", sweep.five_graphs()),
        ("fig4_angles", sweep.angles()),
        ("fig4_mirror", sweep.mirror()),
        ("routh_exact", construction_at_impacts(world)),
        ("constants_per_collision", constants_differ(world)),
    ])
}

fn refuse(error: impl std::fmt::Display) -> InputError {
    InputError::whole("paper 001", error.to_string())
}

/// Carom's solution of an impact given in the paper's axes; `side` −1 sees it in a mirror.
fn by_carom(
    k: &Coefficients,
    [s, c]: [f64; 2],
    mu: f64,
    restitution: f64,
    side: f64,
) -> Result<PlanarSolution, InputError> {
    let w = PlanarDelassus::new(k.gamma, -side * k.epsilon, k.alpha).map_err(refuse)?;
    let v = PlanarVector { n: c, t: -side * s };
    let friction = Friction::uniform(mu).map_err(refuse)?;
    let impact = PlanarImpact::new(w, v, friction, restitution).map_err(refuse)?;
    solve(&impact, Law::Poisson).map_err(refuse)
}

/// The first impact and its mirror image: T ≤ μF without the bars tells them apart.
fn coulomb(p: &Pendulum, first: &Strike) -> Result<Finding, InputError> {
    let (k, mu) = (p.coefficients(first.before.psi), first.mu);
    let ratio = -k.epsilon / k.alpha; // T̄'/F̄' that would hold s = 0
    let (here, mirrored) = (ratio <= mu, -ratio <= mu);
    let images = [1.0, -1.0].map(|side| by_carom(&k, first.start, mu, p.restitution, side));
    let [one, other] = images;
    let (one, other) = (one?, other?);
    let kinds = [one.contact_type.name(), other.contact_type.name()];
    let agrees = kinds[0] == kinds[1] && kinds[0].starts_with("reverse") == (ratio.abs() > mu);
    let slips = [&one, &other].map(|solution| solution.end.map_or(f64::NAN, |end| end.v_post.t));
    Ok(Finding::corrected(
        [here == mirrored, agrees && slips[0] == -slips[1]],
        "s = 0 => |T| <= mu F",
        format!(
            "at the first impact s = 0 would need T = {} F, in its mirror image T = {} F: T <= {} F refuses the one and admits the other, |T| <= mu F refuses both, and Carom's slip reverses in both, to {} and {} m/s",
            show(ratio),
            show(-ratio),
            show(mu),
            show(slips[0]),
            show(slips[1])
        ),
    ))
}

/// (37) keeps the first sense of slip; s(τ) ≠ 0 also after a reversal.
fn line_of_friction(p: &Pendulum, first: &Strike) -> Finding {
    let (k, sense) = (p.coefficients(first.before.psi), first.start[0].signum());
    let printed = -first.mu * sense * first.f;
    let halt = -first.start[0] / (k.epsilon - first.mu * sense * k.alpha); // s = 0 on (34), (37)
    let corrected = -first.mu * sense * halt + first.mu * sense * (first.f - halt);
    let holds = |t: f64| (t - first.t).abs() <= ROUND_OFF * first.f;
    Finding::corrected(
        [
            holds(printed),
            holds(corrected) && 0.0 < halt && halt < first.f_m,
        ],
        "holds until s first vanishes",
        format!(
            "the first impact with mu = {} ends with s = {} m/s and T = {} N s, (37) gives {}; with (37) up to F = {} (inside compression, F_m = {}) and the opposite sense after it T = {}",
            show(first.mu),
            show(first.end[0]),
            show(first.t),
            show(printed),
            show(halt),
            show(first.f_m),
            show(corrected)
        ),
    )
}

fn impulses_do_not_obey_coulomb(rough: &[Strike]) -> Finding {
    let ratios: Vec<f64> = rough.iter().map(|s| s.t.abs() / s.f).collect();
    let below = rough
        .iter()
        .filter(|s| s.t.abs() < s.mu * s.f * (1.0 - ROUND_OFF))
        .count();
    let slides = rough.iter().filter(|s| s.end[0] != 0.0).count();
    Finding::holds(
        below > 0 && slides == rough.len(),
        format!("|T|/F < mu in {below} of {} impacts", rough.len()),
        format!(
            "all of them slide at their end, yet |T|/F of the impulses is {} with mu = 0.15",
            ratios
                .iter()
                .map(|x| format!("{x:.4}"))
                .collect::<Vec<_>>()
                .join(", ")
        ),
    )
}

fn slip_at_the_start(world: &World) -> Finding {
    let strikes = all(world);
    let least = strikes
        .iter()
        .map(|s| s.start[0].abs())
        .fold(f64::INFINITY, f64::min);
    Finding::holds(
        least > 0.0 && !strikes.is_empty(),
        format!("|s(0)| >= {} m/s", show(least)),
        format!("least |s(0)| of the {} impacts of both runs", strikes.len()),
    )
}

/// The construction by the paper's lines at the impacts of both runs.
fn construction_at_impacts(world: &World) -> Finding {
    let p = &world.pendulum;
    let strikes = all(world);
    let miss = |s: &Strike| {
        let k = p.coefficients(s.before.psi);
        match routh(&k, s.start, s.mu, p.restitution) {
            Some(end) if end.kind == s.kind => {
                worst([end.f - s.f, end.t - s.t, end.f_m - s.f_m]) / s.f
            }
            _ => f64::NAN,
        }
    };
    Finding::identity(
        worst(strikes.iter().map(miss)),
        "in F, T and F_m",
        format!(
            "lines (34), (35), (37) and the line of end met one after the other, against Carom's impulses and contact types at all {} impacts: algebra, no differential equation",
            strikes.len()
        ),
    )
}

fn constants_differ(world: &World) -> Finding {
    let strikes = strikes(&world.rough);
    let gammas = strikes
        .iter()
        .map(|s| world.pendulum.coefficients(s.before.psi).gamma);
    let gammas: Vec<f64> = gammas.collect();
    let (low, high) = gammas
        .iter()
        .fold((f64::INFINITY, 0.0f64), |(low, high), x| {
            (low.min(*x), high.max(*x))
        });
    Finding::holds(
        low < high,
        format!("gamma from {} to {} 1/kg", show(low), show(high)),
        "least and greatest gamma_i at the impacts of the rough run",
    )
}

/// Random impacts of the pendulum by the paper's lines and by Carom.
struct Sweep {
    total: usize,
    /// How many of each type.
    counts: Vec<(&'static str, usize)>,
    /// Largest difference of the impulses, over F̄.
    miss: f64,
    /// Impacts whose type differs.
    mistyped: usize,
    /// Impacts with a halt whose sticking is not decided by φ > φ_s.
    misjudged: usize,
    halted: usize,
    /// Largest difference of an impact and its mirror image, over F̄.
    mirror: f64,
}

const KINDS: [&str; 5] = [
    "permanent_sliding",
    "non_sliding_compression",
    "reverse_compression",
    "non_sliding_restitution",
    "reverse_restitution",
];

impl Sweep {
    fn over(world: &World) -> Result<Self, InputError> {
        let mut sweep = Self {
            total: 0,
            counts: KINDS.map(|kind| (kind, 0)).to_vec(),
            miss: 0.0,
            mistyped: 0,
            misjudged: 0,
            halted: 0,
            mirror: 0.0,
        };
        let mut random = Random(2);
        for state in &world.states {
            let mu = 1.2 * random.unit();
            let k = world.pendulum.coefficients(state.at.psi);
            let start = [-state.v_t, -state.v_n.abs()];
            sweep.add(&k, start, mu, world.pendulum.restitution)?;
        }
        Ok(sweep)
    }

    fn add(
        &mut self,
        k: &Coefficients,
        start: [f64; 2],
        mu: f64,
        e: f64,
    ) -> Result<(), InputError> {
        let solution = by_carom(k, start, mu, e, 1.0)?;
        let image = by_carom(k, start, mu, e, -1.0)?;
        let (Some(end), Some(seen)) = (solution.end, image.end) else {
            return Ok(());
        };
        self.total += 1;
        let kind = solution.contact_type.name();
        if let Some((_, count)) = self.counts.iter_mut().find(|(name, _)| *name == kind) {
            *count += 1;
        }
        let apart = |n: f64, t: f64| (n - end.impulse.n).hypot(t - end.impulse.t) / end.impulse.n;
        self.mirror = worst([self.mirror, apart(seen.impulse.n, -seen.impulse.t)]);
        match routh(k, start, mu, e) {
            Some(own) => {
                self.miss = worst([self.miss, apart(own.f, -own.t)]);
                self.mistyped += usize::from(own.kind != kind);
            }
            None => self.mistyped += 1,
        }
        if kind != "permanent_sliding" {
            self.halted += 1;
            let (angle, sticking) = (mu.atan(), (k.epsilon.abs() / k.alpha).atan());
            let sticks = end.v_post.t.abs() <= ROUND_OFF * start[0].hypot(start[1]);
            self.misjudged += usize::from((angle > sticking) != sticks);
        }
        Ok(())
    }

    fn five_graphs(&self) -> Finding {
        let all = self.counts.iter().all(|(_, count)| *count > 0);
        let said: Vec<String> = self
            .counts
            .iter()
            .map(|(kind, n)| format!("{n} {kind}"))
            .collect();
        Finding::holds(
            all && self.mistyped == 0 && self.miss <= ROUND_OFF,
            format!("{} impacts, each of the five met", self.total),
            format!(
                "random configurations, speeds and mu up to 1.2: {}; the paper's lines and Carom give the same type in all but {} and the same impulses to {} of F",
                said.join(", "),
                self.mistyped,
                show(self.miss)
            ),
        )
    }

    fn angles(&self) -> Finding {
        Finding::holds(
            self.misjudged == 0 && self.halted > 0,
            format!(
                "decides {} of {} halts",
                self.halted - self.misjudged,
                self.halted
            ),
            "tan phi = mu, tan phi_s = |epsilon|/alpha: phi > phi_s exactly where Carom's contact sticks",
        )
    }

    fn mirror(&self) -> Finding {
        Finding::identity(
            self.mirror,
            &format!("at {} random impacts", self.total),
            "epsilon and s(0) with the opposite sign give the same F and the opposite T",
        )
    }
}
