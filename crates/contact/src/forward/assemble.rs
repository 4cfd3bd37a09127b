//! From a problem to its linear pieces.

use carom_numeric::{Cholesky, dot};

use super::error::ForwardInputError;
use super::mode::Mode;
use super::problem::{ForwardContact, ForwardProblem};
use super::refuted::Relation;
use super::system::{Branch, Choice, Condition, Element, Place, System};

/// What is varied beside the problem itself.
#[derive(Debug, Clone, Copy)]
pub(super) struct Variation<'a> {
    /// Factor on every kinetic and static coefficient.
    pub(super) friction: f64,
    /// Direction along which the force runs, `τ + t·direction`; empty: it stays.
    pub(super) direction: &'a [f64],
    /// Adds the frictionless slide to the choices of a slipping contact.
    pub(super) with_smooth_slide: bool,
}

impl Variation<'_> {
    /// The problem as it is.
    pub(super) const NONE: Self = Self {
        friction: 1.0,
        direction: &[],
        with_smooth_slide: false,
    };
}

/// A contact in scaled terms: its accelerations as forms, and the columns of its forces.
struct ContactForms {
    normal: Condition,
    tangent: Condition,
}

struct Assembly<'a> {
    problem: &'a ForwardProblem,
    vary: Variation<'a>,
    unit: Vec<f64>,
    /// Size of the scaled unknowns that the forces of the problem make.
    size_of_unknowns: f64,
}

/// The pieces of a checked problem.
pub(super) fn assemble(
    problem: &ForwardProblem,
    vary: Variation<'_>,
) -> Result<System, ForwardInputError> {
    problem.check()?;
    assemble_any(problem, vary)
}

/// The same without a limit on the number of pieces.
pub(super) fn assemble_any(
    problem: &ForwardProblem,
    vary: Variation<'_>,
) -> Result<System, ForwardInputError> {
    problem.check_form()?;
    let n = problem.coordinates();
    let mut factor = Cholesky::new();
    factor
        .factor(&problem.inertia.concat(), n)
        .map_err(ForwardInputError::NotPositiveDefinite)?;
    let unit = units(problem, &factor);
    let determinant_unit = unit[..n].iter().map(|x| x * x).product();
    let assembly = Assembly {
        problem,
        vary,
        size_of_unknowns: size_of_unknowns(problem, &factor, &unit),
        unit,
    };
    let loads: Vec<_> = (0..problem.friction.len())
        .map(|i| assembly.load(i))
        .collect();
    let frictions: Vec<_> = (0..n).map(|i| assembly.friction_form(i)).collect();
    let contacts: Vec<_> = (0..problem.contacts.len())
        .map(|k| assembly.contact_forms(k, &factor))
        .collect();
    let joints = (0..n).map(|i| Element {
        place: Place::Coordinate(i),
        choices: assembly.joint_choices(i, loads.get(i), &frictions[i]),
    });
    let touches = contacts.iter().enumerate().map(|(k, forms)| Element {
        place: Place::Contact(k),
        choices: assembly.contact_choices(k, forms),
    });
    let mut elements: Vec<Element> = joints.chain(touches).collect();
    elements.sort_by_key(|element| element.choices.len() > 1);
    let both = contacts.into_iter().flat_map(|c| [c.normal, c.tangent]);
    Ok(System {
        n,
        size: n + 2 * problem.contacts.len(),
        has_joints: !problem.friction.is_empty(),
        elements,
        determinant_unit,
        size_of_unknowns: assembly.size_of_unknowns,
        unit: assembly.unit,
        loads,
        frictions,
        contact_accelerations: both.collect(),
    })
}

/// `√A_ii` per coordinate; `√(J A⁻¹ Jᵀ)` per contact row, 1 for a row that nothing moves.
fn units(problem: &ForwardProblem, factor: &Cholesky) -> Vec<f64> {
    let n = problem.coordinates();
    let roots = (0..n).map(|i| problem.inertia[i][i].sqrt());
    let mut unit: Vec<f64> = roots.collect();
    let measure = |row: Option<&Vec<f64>>| {
        let mut x = row.cloned().unwrap_or_else(|| vec![0.0; n]);
        factor.solve_lower(&mut x);
        let size = carom_numeric::orthogonal::length(&x);
        if size > 0.0 { size } else { 1.0 }
    };
    for contact in &problem.contacts {
        unit.push(measure(Some(&contact.normal)));
        unit.push(measure(contact.tangent.as_ref()));
    }
    unit
}

/// `|L⁻¹(τ − b)|`, and what the friction of constant loads and the drift of contacts add to it.
fn size_of_unknowns(problem: &ForwardProblem, factor: &Cholesky, unit: &[f64]) -> f64 {
    let pairs = problem.force.iter().zip(&problem.bias);
    let mut drive: Vec<f64> = pairs.map(|(a, b)| a - b).collect();
    factor.solve_lower(&mut drive);
    let loads = problem.load_offset.iter().zip(&problem.friction).zip(unit);
    let held = loads.map(|((d, given), root)| given.mu_s * d.abs() / root);
    let drifts = problem.contacts.iter().flat_map(|c| c.drift);
    let drifts = drifts.zip(&unit[problem.coordinates()..]);
    let moved = drifts.map(|(drift, unit)| drift.abs() / unit);
    carom_numeric::orthogonal::length(&drive) + held.sum::<f64>() + moved.sum::<f64>()
}

impl Assembly<'_> {
    fn size(&self) -> usize {
        self.unit.len()
    }

    fn slope(&self, i: usize) -> f64 {
        self.vary.direction.get(i).copied().unwrap_or(0.0)
    }

    /// A form over the accelerations alone.
    fn over_accelerations(&self, row: &[f64], h: f64, relation: Relation) -> Condition {
        let mut g = vec![0.0; self.size()];
        for (j, x) in row.iter().enumerate() {
            g[j] = x / self.unit[j];
        }
        let mut form = Condition {
            g,
            h,
            slope: 0.0,
            floor: 0.0,
            relation,
        };
        self.set_floor(&mut form);
        form
    }

    fn set_floor(&self, form: &mut Condition) {
        let most = form.g.iter().fold(0.0f64, |most, x| most.max(x.abs()));
        form.floor = most * self.size_of_unknowns;
    }

    /// `N_i = C_i q̈ + d_i`.
    fn load(&self, i: usize) -> Condition {
        let row = &self.problem.load_matrix[i];
        let h = self.problem.load_offset[i];
        self.over_accelerations(row, h, Relation::LoadPositive)
    }

    /// `f_i = τ_i − b_i − A_i q̈ + Jᵀλ`.
    fn friction_form(&self, i: usize) -> Condition {
        let (p, n) = (self.problem, self.problem.coordinates());
        let minus: Vec<f64> = p.inertia[i].iter().map(|x| -x).collect();
        let mut form = self.over_accelerations(&minus, p.force[i] - p.bias[i], Relation::ConeHolds);
        for (k, contact) in p.contacts.iter().enumerate() {
            let (normal, tangent) = (n + 2 * k, n + 2 * k + 1);
            form.g[normal] = contact.normal[i] / self.unit[normal];
            if let Some(row) = &contact.tangent {
                form.g[tangent] = row[i] / self.unit[tangent];
            }
        }
        form.slope = self.slope(i);
        self.set_floor(&mut form);
        form
    }

    /// The equation `form = 0` as a row `[g | −h, −slope]`, divided by `unit`.
    fn row(form: &Condition, unit: f64) -> Vec<f64> {
        let left = form.g.iter().map(|x| x / unit);
        left.chain([-form.h / unit, -form.slope / unit]).collect()
    }

    /// `z_j = 0` as a row.
    fn zero_row(&self, j: usize) -> Vec<f64> {
        let mut row = vec![0.0; self.size() + 2];
        row[j] = 1.0;
        row
    }

    fn joint_choices(&self, i: usize, load: Option<&Condition>, f: &Condition) -> Vec<Choice> {
        let unit = -self.unit[i];
        let (Some(load), Some(given)) = (load, self.problem.friction.get(i)) else {
            return vec![free(Self::row(f, unit))];
        };
        if given.mu_s == 0.0 {
            return vec![free(Self::row(f, unit))];
        }
        let (mu_s, mu_d) = (
            given.mu_s * self.vary.friction,
            given.mu_d * self.vary.friction,
        );
        let velocity = self.problem.velocity[i];
        let mut choices = Vec::with_capacity(3);
        for kappa in [1.0, -1.0] {
            // f − κ μ N = 0
            let equation = load.plus(-kappa * mu_d, f, Relation::ConeHolds);
            let branches = if velocity == 0.0 {
                self.onsets(i, kappa, load)
            } else {
                vec![Branch {
                    mode: Mode::Slide,
                    conditions: vec![signed_load(load, kappa * velocity.signum())],
                }]
            };
            choices.push(Choice {
                symbol: if kappa > 0.0 { '+' } else { '-' },
                rows: vec![Self::row(&equation, unit)],
                branches,
            });
        }
        if velocity == 0.0 {
            choices.push(Choice {
                symbol: '0',
                rows: vec![self.zero_row(i)],
                branches: cones(load, f, mu_s),
            });
        }
        choices
    }

    /// Starting forward with `κN >= 0`, or backward with `κN <= 0`.
    fn onsets(&self, i: usize, kappa: f64, load: &Condition) -> Vec<Branch> {
        let mut unit_row = vec![0.0; self.problem.coordinates()];
        unit_row[i] = 1.0;
        let forward = self.over_accelerations(&unit_row, 0.0, Relation::StartsForward);
        let backward = forward.times(-1.0, Relation::StartsBackward);
        vec![
            Branch {
                mode: Mode::OnsetForward,
                conditions: vec![forward, signed_load(load, kappa)],
            },
            Branch {
                mode: Mode::OnsetBackward,
                conditions: vec![backward, signed_load(load, -kappa)],
            },
        ]
    }

    /// `a = J q̈ + γ` with `γ = drift − J A⁻¹(τ − b)`: what the contact does without forces stays
    /// what it is, whatever the force.
    fn contact_forms(&self, k: usize, factor: &Cholesky) -> ContactForms {
        let p = self.problem;
        let mut free: Vec<f64> = p.force.iter().zip(&p.bias).map(|(a, b)| a - b).collect();
        factor.solve_lower(&mut free);
        factor.solve_lower_transposed(&mut free);
        let contact = &p.contacts[k];
        let form = |row: &[f64], drift: f64, relation| {
            self.over_accelerations(row, drift - dot(row, &free), relation)
        };
        let nothing = vec![0.0; p.coordinates()];
        let tangent = contact.tangent.as_ref().unwrap_or(&nothing);
        ContactForms {
            normal: form(&contact.normal, contact.drift[0], Relation::Opens),
            tangent: form(tangent, contact.drift[1], Relation::SlipsForward),
        }
    }

    fn contact_choices(&self, k: usize, forms: &ContactForms) -> Vec<Choice> {
        let contact = &self.problem.contacts[k];
        let column = self.problem.coordinates() + 2 * k;
        let mut presses = self.over_accelerations(&[], 0.0, Relation::Presses);
        presses.g[column] = 1.0 / self.unit[column];
        self.set_floor(&mut presses);
        let touching = Self::row(&forms.normal, self.unit[column]);
        let lift = Choice {
            symbol: 'l',
            rows: vec![self.zero_row(column), self.zero_row(column + 1)],
            branches: vec![Branch {
                mode: Mode::LiftOff,
                conditions: vec![forms.normal.clone()],
            }],
        };
        let mut choices = vec![lift];
        for (sigma, mode) in self.slides(contact) {
            let mut conditions = vec![presses.clone()];
            if contact.slip == 0.0 && mode != Mode::Slide {
                conditions.push(slip_sign(&forms.tangent, sigma));
            }
            choices.push(Choice {
                symbol: if sigma < 0.0 { '-' } else { '+' },
                rows: vec![touching.clone(), self.friction_row(column, sigma, contact)],
                branches: vec![Branch { mode, conditions }],
            });
        }
        if contact.slip == 0.0 && contact.tangent.is_some() && contact.friction.mu_s > 0.0 {
            choices.push(self.stuck_contact(column, forms, &presses, contact.friction.mu_s));
        }
        choices
    }

    /// Signs of slip a closed contact may have, with their modes; 0 is a slide without friction.
    fn slides(&self, contact: &ForwardContact) -> Vec<(f64, Mode)> {
        if contact.tangent.is_none() || contact.friction.mu_s == 0.0 {
            return vec![(0.0, Mode::Slide)];
        }
        if contact.slip == 0.0 {
            return vec![(1.0, Mode::OnsetForward), (-1.0, Mode::OnsetBackward)];
        }
        let mut slides = vec![(contact.slip.signum(), Mode::Slide)];
        if self.vary.with_smooth_slide {
            slides.push((0.0, Mode::Slide));
        }
        slides
    }

    /// `λ_t + σμ λ_n = 0`.
    fn friction_row(&self, column: usize, sigma: f64, contact: &ForwardContact) -> Vec<f64> {
        let mut row = self.zero_row(column + 1);
        let mu = contact.friction.mu_d * self.vary.friction;
        row[column] = sigma * mu * self.unit[column + 1] / self.unit[column];
        row
    }

    fn stuck_contact(
        &self,
        column: usize,
        forms: &ContactForms,
        presses: &Condition,
        mu_s: f64,
    ) -> Choice {
        let mu = mu_s * self.vary.friction;
        let mut force = self.over_accelerations(&[], 0.0, Relation::ConeHolds);
        force.g[column + 1] = 1.0 / self.unit[column + 1];
        self.set_floor(&mut force);
        let above = force.times(-1.0, Relation::ConeHolds);
        Choice {
            symbol: '0',
            rows: vec![
                Self::row(&forms.normal, self.unit[column]),
                Self::row(&forms.tangent, self.unit[column + 1]),
            ],
            branches: vec![Branch {
                mode: Mode::Stick,
                conditions: vec![
                    presses.clone(),
                    presses.plus(mu, &force, Relation::ConeHolds),
                    presses.plus(mu, &above, Relation::ConeHolds),
                ],
            }],
        }
    }
}

/// A coordinate without friction: one row, no condition.
fn free(row: Vec<f64>) -> Choice {
    Choice {
        symbol: '+',
        rows: vec![row],
        branches: vec![Branch {
            mode: Mode::Slide,
            conditions: Vec::new(),
        }],
    }
}

fn signed_load(load: &Condition, sign: f64) -> Condition {
    let relation = if sign > 0.0 {
        Relation::LoadPositive
    } else {
        Relation::LoadNegative
    };
    load.times(sign, relation)
}

fn slip_sign(tangent: &Condition, sigma: f64) -> Condition {
    let relation = if sigma > 0.0 {
        Relation::SlipsForward
    } else {
        Relation::SlipsBackward
    };
    tangent.times(sigma, relation)
}

/// `|f| <= μ_s |N|` with the load of either sign.
fn cones(load: &Condition, f: &Condition, mu_s: f64) -> Vec<Branch> {
    let minus = f.times(-1.0, Relation::ConeHolds);
    let cone = |sign: f64| Branch {
        mode: Mode::Stick,
        conditions: vec![
            load.plus(sign * mu_s, f, Relation::ConeHolds),
            load.plus(sign * mu_s, &minus, Relation::ConeHolds),
        ],
    };
    vec![cone(1.0), cone(-1.0)]
}
