//! Which patterns of contacts can hold at all: a tree of modes, cut where demands contradict each other.
//!
//! Every mode of a contact lies within its cone and does not approach:
//!
//! ```text
//! λ = Σ y_g g,  y >= 0      g: edges of the friction cones      a_n >= 0
//! ```
//!
//! so that contacts whose mode is not chosen yet still limit what the others can do, and a contradiction
//! of few modes rules out all patterns that contain them. Lift-off is followed only where `a_n > 0` is
//! possible and an onset only where slip can start: on their edges another mode holds, with the same
//! forces. Each motion is so met in one pattern.

use carom_numeric::RowElimination;
use carom_numeric::signed_forms::{Settled, Sign, SignedCorner, SignedForms};

use super::mode::Mode;
use super::system::{Choice, Place, System};

#[cfg(test)]
mod tests;

/// Up to so many patterns are simply tried.
const FEW: usize = 16;
/// Choices of modes that are looked at before the contacts count as too many.
const MOST_LOOKS: usize = 20_000;

/// Patterns of a system that are worth solving.
pub(super) enum Patterns {
    /// These, in the order of the walk over all.
    Some(Vec<Vec<usize>>),
    /// All: there are few, or coordinates have friction.
    All,
    /// More than are gone through.
    TooMany,
}

/// A demand that must hold strictly: a form, and the sense in which it is positive.
type Strict = (usize, f64);

/// What a choice of modes asks.
struct Demands {
    normal: Sign,
    tangent: Sign,
    /// Edges along which it may push.
    edges: Vec<usize>,
    strict: Option<Strict>,
}

/// A contact: its place among the elements, its edges and what its choices ask.
struct Touch {
    element: usize,
    edges: std::ops::Range<usize>,
    choices: Vec<Demands>,
}

/// Edge of a cone of a contact: direction of the scaled force (λ_n, λ_t), of length one.
struct Edge {
    contact: usize,
    force: [f64; 2],
}

struct Search<'a> {
    system: &'a System,
    touches: Vec<Touch>,
    /// Order in which contacts choose.
    order: Vec<usize>,
    path: Vec<usize>,
    found: Vec<Vec<usize>>,
    /// Choices looked at so far.
    looks: usize,
}

/// The patterns of a system that are worth solving.
pub(super) fn patterns(system: &System) -> Patterns {
    let is_joint = |e: &super::system::Element| matches!(e.place, Place::Coordinate(_));
    let mut joints = system.elements.iter().filter(|e| is_joint(e));
    let counts = system.elements.iter().map(|e| e.choices.len());
    let all = counts.fold(1usize, usize::saturating_mul);
    if all <= FEW || joints.any(|e| e.choices.len() > 1) {
        return Patterns::All;
    }
    let (touches, edges) = touches(system);
    let posed = response(system).and_then(|(response, drift)| {
        let forms = forms(system, &edges, &response, &drift)?;
        Some((response, forms))
    });
    let Some((response, forms)) = posed else {
        return Patterns::All;
    };
    let mut corner = forms.corner();
    for k in 0..touches.len() {
        corner.demand_form(2 * k, Sign::NotNegative);
    }
    let mut search = Search {
        system,
        order: coupled_order(touches.len(), &response),
        touches,
        path: vec![0; system.elements.len()],
        found: Vec::new(),
        looks: 0,
    };
    search.descend(0, &corner, &[]);
    if search.looks > MOST_LOOKS {
        return Patterns::TooMany;
    }
    search.found.sort();
    Patterns::Some(search.found)
}

impl Search<'_> {
    fn descend(&mut self, depth: usize, corner: &SignedCorner<'_>, strict: &[Strict]) {
        let Some(&k) = self.order.get(depth) else {
            self.found.push(self.path.clone());
            return;
        };
        let element = self.touches[k].element;
        for choice in 0..self.system.elements[element].choices.len() {
            self.looks += 1;
            if self.looks > MOST_LOOKS {
                return;
            }
            let mut corner = corner.clone();
            self.touches[k].demand(k, choice, &mut corner);
            let own = self.touches[k].choices[choice].strict;
            let strict: Vec<Strict> = strict.iter().copied().chain(own).collect();
            let is_possible = corner.settle() == Settled::Somewhere
                && strict.iter().all(|(f, s)| corner.can_be_positive(*f, *s));
            if is_possible {
                self.path[element] = choice;
                self.descend(depth + 1, &corner, &strict);
            }
        }
    }
}

impl Touch {
    fn demand(&self, k: usize, choice: usize, corner: &mut SignedCorner<'_>) {
        let demands = &self.choices[choice];
        corner.demand_form(2 * k, demands.normal);
        corner.demand_form(2 * k + 1, demands.tangent);
        for edge in self.edges.clone() {
            if !demands.edges.contains(&edge) {
                corner.demand_variable(edge, Sign::Zero);
            }
        }
    }
}

/// The contacts in their order, and the edges of their cones.
fn touches(system: &System) -> (Vec<Touch>, Vec<Edge>) {
    let (mut touches, mut edges) = (Vec::new(), Vec::new());
    for (element, given) in system.elements.iter().enumerate() {
        let Place::Contact(contact) = given.place else {
            continue;
        };
        let start = edges.len();
        let column = system.n + 2 * contact;
        let own = given.choices.iter().map(|choice| {
            let first = edges.len();
            for ratio in ratios(choice, column) {
                let force = [1.0 / 1f64.hypot(ratio), ratio / 1f64.hypot(ratio)];
                if edges[start..]
                    .iter()
                    .all(|known: &Edge| known.force != force)
                {
                    edges.push(Edge { contact, force });
                }
            }
            first..edges.len()
        });
        let own: Vec<_> = own.collect();
        let range = start..edges.len();
        let choices = given.choices.iter().zip(own);
        let choices = choices.map(|(choice, own)| demands(choice, contact, own, &range));
        touches.push(Touch {
            element,
            choices: choices.collect(),
            edges: range,
        });
    }
    (touches, edges)
}

/// `λ_t/λ_n` of the scaled forces at the edges of a choice.
fn ratios(choice: &Choice, column: usize) -> Vec<f64> {
    match choice.branches.first().map(|branch| (branch.mode, branch)) {
        Some((Mode::Stick, branch)) => {
            let cones = branch
                .conditions
                .iter()
                .map(|c| (c.g[column], c.g[column + 1]));
            let cones = cones.filter(|(_, along)| *along != 0.0);
            cones.map(|(normal, along)| -normal / along).collect()
        }
        Some((Mode::LiftOff, _)) | None => Vec::new(),
        Some(_) => choice.rows[1..].iter().map(|row| -row[column]).collect(),
    }
}

fn demands(
    choice: &Choice,
    contact: usize,
    own: std::ops::Range<usize>,
    all: &std::ops::Range<usize>,
) -> Demands {
    let (normal, tangent) = (2 * contact, 2 * contact + 1);
    let mode = choice.branches.first().map(|branch| branch.mode);
    let closed = |tangent, edges, strict| Demands {
        normal: Sign::Zero,
        tangent,
        edges,
        strict,
    };
    match mode {
        Some(Mode::LiftOff) | None => Demands {
            normal: Sign::NotNegative,
            strict: Some((normal, 1.0)),
            ..closed(Sign::Any, Vec::new(), None)
        },
        Some(Mode::Stick) => closed(Sign::Zero, all.clone().collect(), None),
        Some(Mode::OnsetForward) => closed(Sign::NotNegative, own.collect(), Some((tangent, 1.0))),
        Some(Mode::OnsetBackward) => {
            closed(Sign::NotPositive, own.collect(), Some((tangent, -1.0)))
        }
        Some(Mode::Slide | Mode::Onset) => closed(Sign::Any, own.collect(), None),
    }
}

/// Scaled contact accelerations per scaled contact force, row by row, and without forces.
fn response(system: &System) -> Option<(Vec<f64>, Vec<f64>)> {
    let (n, forces) = (system.n, system.size - system.n);
    let mut elimination = RowElimination::default();
    elimination.start(n, 1 + forces);
    let coordinates = system.elements.iter();
    for element in coordinates.filter(|e| matches!(e.place, Place::Coordinate(_))) {
        let row = &element.choices[0].rows[0];
        let sides = row[n..system.size].iter().map(|x| -x);
        let line: Vec<f64> = row[..n]
            .iter()
            .copied()
            .chain([row[system.size]])
            .chain(sides)
            .collect();
        elimination.push(&line)?;
    }
    let accelerations = &system.contact_accelerations;
    let (mut matrix, mut drift) = (vec![0.0; forces * forces], Vec::new());
    let mut motion = vec![0.0; n];
    let unit = |r: usize| system.frame.contact_acceleration(r);
    let along = |r: usize, motion: &[f64]| {
        let pairs = accelerations[r].g.iter().zip(motion);
        pairs.map(|(g, x)| g * x).sum::<f64>() / unit(r)
    };
    elimination.solve(0, &mut motion);
    drift.extend((0..forces).map(|r| along(r, &motion) + accelerations[r].h / unit(r)));
    for column in 0..forces {
        elimination.solve(1 + column, &mut motion);
        for r in 0..forces {
            matrix[r * forces + column] = along(r, &motion);
        }
    }
    Some((matrix, drift))
}

/// Contact accelerations as forms of the forces along the edges, in units of the largest of them
/// without forces.
fn forms(system: &System, edges: &[Edge], response: &[f64], drift: &[f64]) -> Option<SignedForms> {
    let forces = system.size - system.n;
    let most = drift.iter().fold(0.0f64, |most, x| most.max(x.abs()));
    let unit = if most > 0.0 { most } else { 1.0 };
    let mut matrix = Vec::with_capacity(forces * edges.len());
    for row in response.chunks_exact(forces) {
        matrix.extend(edges.iter().map(|edge| {
            let [normal, tangent] = edge.force;
            row[2 * edge.contact] * normal + row[2 * edge.contact + 1] * tangent
        }));
    }
    let constants: Vec<f64> = drift.iter().map(|x| x / unit).collect();
    let is_finite = matrix.iter().chain(&constants).all(|x| x.is_finite());
    is_finite.then(|| SignedForms::new(edges.len(), matrix, constants))
}

/// Contacts by how much they act on those before them: contradictions show early, and what does not
/// act on each other is decided by itself.
fn coupled_order(contacts: usize, response: &[f64]) -> Vec<usize> {
    let forces = 2 * contacts;
    let between = |i: usize, j: usize| -> f64 {
        let pairs = [(0, 0), (0, 1), (1, 0), (1, 1)];
        let terms = pairs.map(|(a, b)| response[(2 * i + a) * forces + 2 * j + b].abs());
        terms.into_iter().sum()
    };
    let mut order: Vec<usize> = Vec::with_capacity(contacts);
    while order.len() < contacts {
        let weight = |i: usize| order.iter().map(|j| between(i, *j)).sum::<f64>();
        let rest = (0..contacts).filter(|i| !order.contains(i));
        let best = rest.map(|i| (i, weight(i)));
        let next = best.fold(None, |best: Option<(usize, f64)>, one| match best {
            Some(known) if known.1 >= one.1 => Some(known),
            _ => Some(one),
        });
        order.extend(next.map(|(i, _)| i));
    }
    order
}
