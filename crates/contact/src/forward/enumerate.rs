//! All sign patterns, by one walk over a tree of rows.

use carom_numeric::RowElimination;

use super::system::System;

/// One sign pattern, as the walk reaches it.
pub(super) struct Leaf<'a> {
    /// Choice of each element.
    pub(super) path: &'a [usize],
    /// Determinant of the scaled rows; `None` where they are dependent.
    pub(super) determinant: Option<f64>,
    elimination: &'a RowElimination,
}

impl Leaf<'_> {
    /// The unknowns of this pattern; `side` 0 for the force itself, 1 for its rate along the line.
    pub(super) fn solve(&self, side: usize, z: &mut [f64]) {
        self.elimination.solve(side, z);
    }
}

/// Visits some sign patterns of a system, given by the choices of their elements.
pub(super) fn visit(system: &System, paths: &[Vec<usize>], mut visit: impl FnMut(&Leaf<'_>)) {
    let mut elimination = RowElimination::default();
    for path in paths {
        elimination.start(system.size, 2);
        let chosen = system.elements.iter().zip(path);
        let mut rows = chosen.flat_map(|(element, choice)| &element.choices[*choice].rows);
        let determinant = rows.try_fold(1.0, |d, row| Some(d * elimination.push(row)?));
        visit(&Leaf {
            path,
            determinant,
            elimination: &elimination,
        });
    }
}

struct Walk<'a, V> {
    system: &'a System,
    elimination: RowElimination,
    path: Vec<usize>,
    visit: V,
}

/// Visits every sign pattern of a system. Patterns that share their first rows share the work.
pub(super) fn walk(system: &System, visit: impl FnMut(&Leaf<'_>)) {
    let mut elimination = RowElimination::default();
    elimination.start(system.size, 2);
    let path = Vec::with_capacity(system.elements.len());
    let mut walk = Walk {
        system,
        elimination,
        path,
        visit,
    };
    walk.descend(Some(1.0));
}

impl<V: FnMut(&Leaf<'_>)> Walk<'_, V> {
    fn descend(&mut self, determinant: Option<f64>) {
        let system = self.system;
        let Some(element) = system.elements.get(self.path.len()) else {
            (self.visit)(&Leaf {
                path: &self.path,
                determinant,
                elimination: &self.elimination,
            });
            return;
        };
        let depth = self.elimination.depth();
        for (index, choice) in element.choices.iter().enumerate() {
            let mut product = determinant;
            for row in &choice.rows {
                product = product.and_then(|d| Some(d * self.elimination.push(row)?));
            }
            self.path.push(index);
            self.descend(product);
            self.path.pop();
            self.elimination.truncate(depth);
        }
    }
}

/// Parity of the order in which elements contribute their rows, against coordinates then contacts.
pub(super) fn order_sign(system: &System) -> f64 {
    use super::system::Place;
    let rows = system
        .elements
        .iter()
        .flat_map(|element| match element.place {
            Place::Coordinate(i) => vec![i],
            Place::Contact(k) => vec![system.n + 2 * k, system.n + 2 * k + 1],
        });
    let order: Vec<usize> = rows.collect();
    let mut swaps = 0;
    for i in 0..order.len() {
        swaps += order[i + 1..].iter().filter(|j| **j < order[i]).count();
    }
    if swaps % 2 == 0 { 1.0 } else { -1.0 }
}
