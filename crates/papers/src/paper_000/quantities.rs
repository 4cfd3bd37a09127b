//! The rod's quantities by name.

use carom::contact_space::{ContactSpace, Friction, Mechanism, PlanarDelassus, PlanarVector};
use carom::planar::{PlanarImpact, PlanarSolution};
use carom::{ImpactResult, InputError, Law, Override, ProblemFile, Tangential};

/// The rod struck once, with everything a cell may ask for.
pub(super) struct Rod {
    pub(super) file: ProblemFile,
    pub(super) restitution: f64,
    pub(super) w: PlanarDelassus,
    pub(super) v_pre: PlanarVector,
    pub(super) friction: Friction,
    pub(super) result: ImpactResult,
    space: ContactSpace,
}

impl Rod {
    /// Strikes the rod of the file with a coefficient of restitution (that of the file if `None`).
    pub(super) fn strike(
        file: &ProblemFile,
        restitution: Option<f64>,
        law: Law,
    ) -> Result<Self, InputError> {
        let mut file = file.clone();
        let contact = &mut file.problem.contacts[0];
        contact.restitution = restitution.unwrap_or(contact.restitution);
        file.law = Some(law);
        let restitution = file.problem.contacts[0].restitution;
        let mut answer = carom::impact(&file)?;
        let refuse = |what: String| InputError::whole(file.name(), what);
        let result = answer.results.pop();
        let result = result.ok_or_else(|| refuse("no result".to_owned()))?;
        let problem = &file.problem;
        let contact = &problem.contacts[0];
        let tangent = contact.tangent.clone().unwrap_or_default();
        let mut space = ContactSpace::new();
        space
            .reduce(&Mechanism {
                mass: &problem.mass.concat(),
                velocity: &problem.velocity,
                rows: &[contact.normal.clone(), tangent].concat(),
                constraints: &[],
            })
            .map_err(|error| refuse(error.to_string()))?;
        let (w, v_pre) = space
            .planar(0, 1)
            .map_err(|error| refuse(error.to_string()))?;
        let friction = contact.coefficients();
        Ok(Self {
            w,
            v_pre,
            friction: friction.map_err(|error| refuse(error.to_string()))?,
            restitution,
            result,
            file,
            space,
        })
    }

    /// A quantity by its name in the case file, such as `velocity_after[1]`.
    pub(super) fn quantity(&self, name: &str) -> Option<f64> {
        let (base, index) = split_index(name);
        let problem = &self.file.problem;
        let contact = &problem.contacts[0];
        let at = |list: &[f64]| index.first().and_then(|i| list.get(*i).copied());
        let outcome = &self.result.contacts[0];
        let sigma = self.v_pre.t.signum();
        let (a, c, b) = (self.w.nn(), self.w.nt(), self.w.tt());
        let mu = self.friction.mu_d();
        let p_halt = -self.v_pre.t / (c - mu * sigma * b);
        let zeta_slip = 1.0 / (a - mu * sigma * c);
        match base {
            "mass" => problem
                .mass
                .get(*index.first()?)?
                .get(*index.get(1)?)
                .copied(),
            "velocity" => at(&problem.velocity),
            "normal" => at(&contact.normal),
            "tangent" => at(contact.tangent.as_deref()?),
            "w_nn" => Some(a),
            "w_nt" => Some(c),
            "w_tt" => Some(b),
            "v_n_pre" => Some(self.v_pre.n),
            "v_t_pre" => Some(self.v_pre.t),
            "mu_c" => Some(self.w.stick_threshold()),
            "p_halt" => Some(p_halt),
            "v_n_halt" => Some(self.v_pre.n + p_halt / zeta_slip),
            "p_sliding_compression" => Some(-self.v_pre.n * zeta_slip),
            "p_sliding_end" => Some(-(1.0 + self.restitution) * self.v_pre.n * zeta_slip),
            "zeta_slip" => Some(zeta_slip),
            "zeta_stick" => Some(1.0 / self.w.nn_stuck()),
            "l_slip" => at(&self.gain(-mu * sigma)),
            "l_stick" => at(&self.gain(-c / b)),
            "v_n" => outcome.velocity_after.normal,
            "v_t" => outcome.velocity_after.tangent.map(Tangential::value),
            "p_n" => outcome.impulse.normal,
            "p_t" => outcome.impulse.tangent.map(Tangential::value),
            "work_n" => outcome.work.normal,
            "work_t" => outcome.work.tangent.map(Tangential::value),
            "energy_change" => self.result.energy_change,
            "velocity_after" => at(self.result.velocity.as_deref()?),
            _ => None,
        }
    }

    /// `M⁻¹ Jᵀ (1, ratio)`: velocity gained per unit of normal impulse, the paper's vector L.
    fn gain(&self, ratio: f64) -> Vec<f64> {
        let mut gain = vec![0.0; self.file.problem.velocity.len()];
        self.space.apply(&[1.0, ratio], &mut gain);
        gain
    }
}

/// `name[1][2]` into `name` and `[1, 2]`.
fn split_index(name: &str) -> (&str, Vec<usize>) {
    let mut parts = name.split('[');
    let base = parts.next().unwrap_or(name);
    let index = parts.filter_map(|part| part.trim_end_matches(']').parse().ok());
    (base, index.collect())
}

/// The rod with other numbers, in contact space: for the claims about equations.
pub(super) fn variant(
    file: &ProblemFile,
    changes: &[&str],
    law: Law,
) -> Result<(PlanarImpact, PlanarSolution), InputError> {
    let overrides = changes.iter().map(|change| Override::parse(change));
    let overrides = overrides.collect::<Result<Vec<_>, _>>()?;
    let changed = carom::read_problem(file.name(), super::PROBLEM, &overrides)?;
    let rod = Rod::strike(&changed, None, law)?;
    let refuse = |error: carom::PointImpactError| InputError::whole(file.name(), error.to_string());
    let impact = PlanarImpact::new(rod.w, rod.v_pre, rod.friction, rod.restitution);
    let impact = impact.map_err(refuse)?;
    let solution = carom::planar::solve(&impact, law).map_err(refuse)?;
    Ok((impact, solution))
}
