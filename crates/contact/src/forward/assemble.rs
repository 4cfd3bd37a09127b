//! From a problem to its linear pieces.

use carom_numeric::dot;

use super::error::ForwardInputError;
use super::frame::Frame;
use super::mode::Mode;
use super::problem::{ForwardContact, ForwardProblem};
use super::refuted::Relation;
use super::system::{Branch, Choice, Condition, Element, Place, System, clean};

/// What is varied beside the problem itself.
#[derive(Debug, Clone, Copy)]
pub(super) struct Variation<'a> {
    /// Factor on every kinetic and static coefficient.
    pub(super) friction: f64,
    /// Direction along which the force runs, `τ + t·direction`; empty: it stays.
    pub(super) direction: &'a [f64],
}

impl Variation<'_> {
    /// The problem as it is.
    pub(super) const NONE: Self = Self {
        friction: 1.0,
        direction: &[],
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
    frame: &'a Frame,
    /// `A⁻¹ direction`.
    pushed: Vec<f64>,
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
    let frame = Frame::new(problem)?;
    let assembly = Assembly::new(problem, vary, &frame);
    let loads: Vec<_> = (0..problem.friction.len())
        .map(|i| assembly.load(i))
        .collect();
    let frictions: Vec<_> = (0..problem.friction.len())
        .map(|i| assembly.friction_form(i))
        .collect();
    let contacts: Vec<_> = (0..problem.contacts.len())
        .map(|k| assembly.contact_forms(k))
        .collect();
    let elements = assembly.elements(&loads, &frictions, &contacts);
    let both = contacts.into_iter().flat_map(|c| [c.normal, c.tangent]);
    Ok(System {
        n: frame.n(),
        size: frame.size(),
        has_joints: !problem.friction.is_empty(),
        elements,
        determinant_unit: assembly.determinant_unit(),
        loads,
        frictions,
        contact_accelerations: both.collect(),
        frame,
    })
}

impl<'a> Assembly<'a> {
    fn new(problem: &'a ForwardProblem, vary: Variation<'a>, frame: &'a Frame) -> Self {
        let pushed = match vary.direction {
            [] => vec![0.0; frame.n()],
            direction => frame.response(direction),
        };
        Self {
            problem,
            vary,
            frame,
            pushed,
        }
    }

    /// Coordinates and contacts, those with one choice first.
    fn elements(
        &self,
        loads: &[Condition],
        frictions: &[Condition],
        contacts: &[ContactForms],
    ) -> Vec<Element> {
        let joints = (0..self.frame.n()).map(|i| Element {
            place: Place::Coordinate(i),
            choices: match (loads.get(i), frictions.get(i)) {
                (Some(load), Some(friction)) => self.joint_choices(i, load, friction),
                _ => vec![free(self.pushed_row(i))],
            },
        });
        let touches = contacts.iter().enumerate().map(|(k, forms)| Element {
            place: Place::Contact(k),
            choices: self.contact_choices(k, forms),
        });
        let mut elements: Vec<Element> = joints.chain(touches).collect();
        elements.sort_by_key(|element| element.choices.len() > 1);
        elements
    }

    /// True over scaled determinant: rows of coordinates were divided by `√A_ii` (or, without friction on
    /// them, freed of each other), their unknowns by L.
    fn determinant_unit(&self) -> f64 {
        let own = self.frame.root_of_determinant();
        match self.problem.friction.is_empty() {
            true => own * own,
            false => own * self.frame.root.iter().product::<f64>(),
        }
    }

    fn size(&self) -> usize {
        self.frame.size()
    }

    fn slope(&self, i: usize) -> f64 {
        self.vary.direction.get(i).copied().unwrap_or(0.0)
    }

    /// A form over the accelerations alone.
    fn over_accelerations(&self, row: &[f64], h: f64, relation: Relation) -> Condition {
        let mut g = match row {
            [] => Vec::new(),
            row => self.frame.over_unknowns(row),
        };
        g.resize(self.size(), 0.0);
        Condition {
            g,
            h,
            terms: h.abs(),
            slope: 0.0,
            relation,
        }
    }

    /// `N_i = C_i q̈ + d_i`.
    fn load(&self, i: usize) -> Condition {
        let row = &self.problem.load_matrix[i];
        let h = self.problem.load_offset[i];
        self.over_accelerations(row, h, Relation::LoadPositive)
    }

    /// `f_i = τ_i − b_i − A_i q̈ + Jᵀλ`.
    fn friction_form(&self, i: usize) -> Condition {
        let (p, s) = (self.problem, self.frame.scale);
        let mut g = self.frame.inertia_row(i);
        g.iter_mut().for_each(|x| *x *= -s);
        for (k, contact) in p.contacts.iter().enumerate() {
            let tangent = contact.tangent.as_ref().map_or(0.0, |row| row[i]);
            g.push(contact.normal[i] * s / self.frame.omega[2 * k]);
            g.push(tangent * s / self.frame.omega[2 * k + 1]);
        }
        Condition {
            g,
            h: p.force[i] - p.bias[i],
            terms: p.force[i].abs() + p.bias[i].abs(),
            slope: self.slope(i),
            relation: Relation::ConeHolds,
        }
    }

    /// Row i of `z − L⁻¹Jᵀλ/s = 0`: what contacts alone do, of which there is no friction on coordinates.
    fn pushed_row(&self, i: usize) -> Vec<f64> {
        let mut row = self.zero_row(i);
        for (x, own) in row[self.frame.n()..].iter_mut().zip(&self.frame.unit_rows) {
            *x = -own[i];
        }
        row
    }

    /// The equation `form = 0` as a row `[g | −h, −slope]`, divided by `unit`.
    fn row(form: &Condition, unit: f64) -> Vec<f64> {
        let left = form.g.iter().map(|x| x / unit);
        let h = clean(form.h, form.terms);
        left.chain([-h / unit, -form.slope / unit]).collect()
    }

    /// `a = 0` of a contact acceleration, in units of its row.
    fn contact_row(&self, form: &Condition, column: usize) -> Vec<f64> {
        Self::row(
            form,
            self.frame.contact_acceleration(column - self.frame.n()),
        )
    }

    /// `z_j = 0` as a row.
    fn zero_row(&self, j: usize) -> Vec<f64> {
        let mut row = vec![0.0; self.size() + 2];
        row[j] = 1.0;
        row
    }

    /// `√A_ii q̈_i = 0` as a row.
    fn still_row(&self, i: usize) -> Vec<f64> {
        let form = self.over_accelerations(&unit_row(self.frame.n(), i), 0.0, Relation::ConeHolds);
        Self::row(&form, self.frame.scale / self.frame.root[i])
    }

    fn joint_choices(&self, i: usize, load: &Condition, f: &Condition) -> Vec<Choice> {
        let unit = -self.frame.root[i] * self.frame.scale;
        let given = self.problem.friction[i];
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
                rows: vec![self.still_row(i)],
                branches: cones(load, f, mu_s),
            });
        }
        choices
    }

    /// Starting forward with `κN >= 0`, or backward with `κN <= 0`.
    fn onsets(&self, i: usize, kappa: f64, load: &Condition) -> Vec<Branch> {
        let own = unit_row(self.frame.n(), i);
        let forward = self.over_accelerations(&own, 0.0, Relation::StartsForward);
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
    /// what it is, whatever the force. Where the unknowns start at `A⁻¹(τ − b)`, that is the drift itself.
    fn contact_forms(&self, k: usize) -> ContactForms {
        let contact = &self.problem.contacts[k];
        let form = |row: &[f64], drift: f64, relation| match self.frame.starts_free {
            true => Condition {
                slope: dot(row, &self.pushed),
                ..self.over_accelerations(row, drift, relation)
            },
            false => {
                let own = row.iter().zip(&self.frame.free).map(|(j, x)| j * x);
                let sum = drift - own.clone().sum::<f64>();
                let terms = drift.abs() + own.map(f64::abs).sum::<f64>();
                Condition {
                    terms,
                    ..self.over_accelerations(row, sum, relation)
                }
            }
        };
        let nothing = vec![0.0; self.frame.n()];
        let tangent = contact.tangent.as_ref().unwrap_or(&nothing);
        ContactForms {
            normal: form(&contact.normal, contact.drift[0], Relation::Opens),
            tangent: form(tangent, contact.drift[1], Relation::SlipsForward),
        }
    }

    fn contact_choices(&self, k: usize, forms: &ContactForms) -> Vec<Choice> {
        let contact = &self.problem.contacts[k];
        let column = self.problem.coordinates() + 2 * k;
        let presses = self.force_form(column, Relation::Presses);
        let touching = self.contact_row(&forms.normal, column);
        let lift = Choice {
            symbol: 'l',
            rows: vec![self.zero_row(column), self.zero_row(column + 1)],
            branches: vec![Branch {
                mode: Mode::LiftOff,
                conditions: vec![forms.normal.clone()],
            }],
        };
        let mut choices = vec![lift];
        for (sigma, mode) in Self::slides(contact) {
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
    fn slides(contact: &ForwardContact) -> Vec<(f64, Mode)> {
        if contact.tangent.is_none() || contact.friction.mu_s == 0.0 {
            return vec![(0.0, Mode::Slide)];
        }
        if contact.slip == 0.0 {
            return vec![(1.0, Mode::OnsetForward), (-1.0, Mode::OnsetBackward)];
        }
        vec![(contact.slip.signum(), Mode::Slide)]
    }

    /// `λ_t + σμ λ_n = 0`.
    fn friction_row(&self, column: usize, sigma: f64, contact: &ForwardContact) -> Vec<f64> {
        let mut row = self.zero_row(column + 1);
        let mu = contact.friction.mu_d * self.vary.friction;
        let first = column - self.frame.n();
        row[column] = sigma * mu * self.frame.omega[first + 1] / self.frame.omega[first];
        row
    }

    /// A contact force.
    fn force_form(&self, column: usize, relation: Relation) -> Condition {
        let mut form = self.over_accelerations(&[], 0.0, relation);
        form.g[column] = self.frame.force(column, 1.0);
        form
    }

    fn stuck_contact(
        &self,
        column: usize,
        forms: &ContactForms,
        presses: &Condition,
        mu_s: f64,
    ) -> Choice {
        let mu = mu_s * self.vary.friction;
        let force = self.force_form(column + 1, Relation::ConeHolds);
        let above = force.times(-1.0, Relation::ConeHolds);
        Choice {
            symbol: '0',
            rows: vec![
                self.contact_row(&forms.normal, column),
                self.contact_row(&forms.tangent, column + 1),
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

fn unit_row(n: usize, i: usize) -> Vec<f64> {
    let mut row = vec![0.0; n];
    row[i] = 1.0;
    row
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
