//! The tree algorithms of the plane and of space against routes that share nothing with them.
#![allow(clippy::unwrap_used)]

use carom_multibody::{Linear as _, Model, PointForce};
use carom_numeric::Cholesky;
use carom_support::in_plane_and_space;
use carom_support::multibody::maximal::Maximal;
use carom_support::multibody::{Drawn, Start, models, random_forces};
use carom_support::near::{derivative, difference};
use carom_support::random::{count, list};
use fastrand::Rng;

in_plane_and_space!(
    the_mass_matrix_has_the_columns_of_inverse_dynamics,
    accelerations_and_reactions_are_those_of_maximal_coordinates_with_multipliers,
    accelerations_are_those_of_the_factored_mass_matrix,
    the_energy_changes_by_the_powers,
    an_impact_conserves_what_the_ledger_counts,
);

pub(crate) fn mass<A: Drawn>(model: &Model<A>, start: &Start) -> Vec<f64> {
    let mut out = vec![f64::NAN; model.rates() * model.rates()];
    let mut work = model.workspace();
    model.place(&mut work, start.state()).mass(&mut out);
    out
}

fn the_mass_matrix_has_the_columns_of_inverse_dynamics<A: Drawn>() {
    let mut rng = Rng::with_seed(11);
    for (_, model) in models::<A>(&mut rng, A::MODELS) {
        let start = Start::random(&mut rng, &model);
        let (n, m) = (model.rates(), mass(&model, &start));
        let mut work = model.workspace();
        let mut placed = model.place(&mut work, start.state());
        let (mut rest, mut column) = (vec![0.0; n], vec![0.0; n]);
        placed.balance(&vec![0.0; n], &[]).missing_force(&mut rest);
        let mut bias = vec![0.0; n];
        placed.bias(&mut bias);
        assert!(difference(&rest, &bias) < 1e-13);
        for k in 0..n {
            let mut unit = vec![0.0; n];
            unit[k] = 1.0;
            placed
                .impulse_balance(&unit, &[])
                .missing_impulse(&mut column);
            assert!(difference(&m[k * n..(k + 1) * n], &column) < 1e-13);
            placed.balance(&unit, &[]).missing_force(&mut column);
            let felt: Vec<f64> = column.iter().zip(&rest).map(|(c, r)| c - r).collect();
            let scale = 1.0 + rest.iter().fold(0.0, |s: f64, x| s.max(x.abs()));
            assert!(difference(&m[k * n..(k + 1) * n], &felt) < 1e-13 * scale);
        }
    }
}

fn accelerations_and_reactions_are_those_of_maximal_coordinates_with_multipliers<A: Drawn>() {
    let mut rng = Rng::with_seed(14);
    let (mut prescribed, mut most) = (0, 0);
    for (parts, model) in models::<A>(&mut rng, A::MODELS) {
        let start = Start::random(&mut rng, &model);
        let forces = random_forces(&mut rng, &model);
        let n = model.rates();
        most = most.max(n);
        let mut work = model.workspace();
        let mut placed = model.place(&mut work, start.state());
        let (mut acting, mut acceleration) = (vec![0.0; n], vec![0.0; n]);
        placed.add_generalised(&forces, &mut acting);
        placed.accelerations(&acting, &mut acceleration).unwrap();
        let mut other = Maximal::new(&placed, start.t);
        for (_, load) in &parts.loads {
            other.add_load(load);
        }
        other.add_forces(&forces);
        let other = other.solve();
        assert!(other.violation < 1e-12, "{}", other.violation);
        let centers: Vec<_> = model.bodies().iter().map(|r| placed.center(r.id)).collect();
        let balance = placed.balance(&acceleration, &forces);
        let found = model.bodies().iter().zip(centers).flat_map(|(record, at)| {
            let a = balance.acceleration(record.id, at);
            A::numbers(a.angular, a.linear)
        });
        let found: Vec<f64> = found.collect();
        let apart = difference(&found, &other.accelerations);
        assert!(apart < A::ROUTES, "{apart:e}");
        let mut reactions = Vec::new();
        for (index, record) in model.joints().iter().enumerate() {
            let joint = model.joint(&record.name).unwrap();
            let reaction = balance.reaction(joint);
            reactions.extend(A::numbers(reaction.moment, reaction.force));
            let forces = (balance.motion_force(joint), other.motion_forces[index]);
            if let (Some(a), Some(b)) = forces {
                prescribed += 1;
                assert!(
                    (a - b).abs() < 10.0 * A::ROUTES * (1.0 + a.abs()),
                    "{a} {b}"
                );
            } else {
                assert_eq!(forces, (None, None));
            }
        }
        let apart = difference(&reactions, &other.reactions);
        assert!(apart < A::ROUTES, "{apart:e}");
        let mut missing = vec![f64::NAN; n];
        balance.missing_force(&mut missing);
        assert!(
            missing.iter().all(|x| x.abs() < 10.0 * A::ROUTES),
            "{missing:?}"
        );
    }
    assert!(
        prescribed >= count(A::MODELS / 5) && most >= 15,
        "{prescribed} {most}"
    );
}

fn accelerations_are_those_of_the_factored_mass_matrix<A: Drawn>() {
    let mut rng = Rng::with_seed(15);
    for (_, model) in models::<A>(&mut rng, A::MODELS) {
        let start = Start::random(&mut rng, &model);
        let n = model.rates();
        let m = mass(&model, &start);
        let mut work = model.workspace();
        let mut placed = model.place(&mut work, start.state());
        let force = list(&mut rng, n, 3.0);
        let (mut bias, mut found) = (vec![0.0; n], vec![0.0; n]);
        placed.bias(&mut bias);
        placed.accelerations(&force, &mut found).unwrap();
        let mut factor = Cholesky::new();
        factor.factor(&m, n).unwrap();
        let mut other: Vec<f64> = force.iter().zip(&bias).map(|(f, h)| f - h).collect();
        factor.solve_lower(&mut other);
        factor.solve_lower_transposed(&mut other);
        assert!(difference(&found, &other) < A::ROUTES);
    }
}

fn the_energy_changes_by_the_powers<A: Drawn>() {
    let mut rng = Rng::with_seed(16);
    for (_, model) in models::<A>(&mut rng, A::MODELS) {
        let start = Start::random(&mut rng, &model);
        let forces = random_forces(&mut rng, &model);
        let n = model.rates();
        let mut work = model.workspace();
        let mut placed = model.place(&mut work, start.state());
        let (mut acting, mut acceleration) = (vec![0.0; n], vec![0.0; n]);
        placed.add_generalised(&forces, &mut acting);
        placed.accelerations(&acting, &mut acceleration).unwrap();
        let contact: f64 = forces
            .iter()
            .map(|f| placed.velocity(f.body, f.point).dot(f.force))
            .sum();
        let powers = placed.balance(&acceleration, &forces).powers();
        assert!(powers.damping <= 0.0);
        let rate = derivative(
            |h| {
                let later = start.after(&model, h, &acceleration);
                model.place(&mut work, later.state()).energy().total()
            },
            2e-3,
        );
        let expected = powers.total() + contact;
        let parts = [
            powers.damping,
            powers.drives,
            powers.loads,
            powers.motions,
            contact,
        ];
        let energy = model.place(&mut work, start.state()).energy();
        let scale = parts
            .iter()
            .fold(1.0 + energy.total().abs(), |s, x| s + x.abs());
        assert!(
            (rate - expected).abs() < 10.0 * A::ROUTES * scale,
            "{rate} {expected}"
        );
    }
}

fn an_impact_conserves_what_the_ledger_counts<A: Drawn>() {
    // ΔT = ½ (v⁺ + v⁻)·Jᵀp + work of the prescribed motions.
    let mut rng = Rng::with_seed(18);
    for (_, model) in models::<A>(&mut rng, A::MODELS) {
        let start = Start::random(&mut rng, &model);
        let n = model.rates();
        let impulses = random_forces(&mut rng, &model);
        let mut work = model.workspace();
        let mut placed = model.place(&mut work, start.state());
        let mut jump = vec![0.0; n];
        placed.add_generalised(&impulses, &mut jump);
        let mut m = vec![0.0; n * n];
        placed.mass(&mut m);
        let mut factor = Cholesky::new();
        factor.factor(&m, n).unwrap();
        factor.solve_lower(&mut jump);
        factor.solve_lower_transposed(&mut jump);
        let balance = placed.impulse_balance(&jump, &impulses);
        let mut missing = vec![0.0; n];
        balance.missing_impulse(&mut missing);
        assert!(missing.iter().all(|x| x.abs() < 1e-10), "{missing:?}");
        let motions = balance.motion_work();
        let mut after = start.clone();
        after.v.iter_mut().zip(&jump).for_each(|(v, j)| *v += j);
        let mut speeds = |start: &Start| -> (f64, f64) {
            let placed = model.place(&mut work, start.state());
            let power = |f: &PointForce<A>| placed.velocity(f.body, f.point).dot(f.force);
            (placed.energy().kinetic, impulses.iter().map(power).sum())
        };
        let ((before, p_before), (after, p_after)) = (speeds(&start), speeds(&after));
        let gained = 0.5 * (p_before + p_after) + motions;
        assert!((after - before - gained).abs() < 1e-11 * (1.0 + after + before));
    }
}
