//! Mass matrix by composite inertias, and the bias by inverse dynamics at unchanged rates.

use super::place::{Placed, inertia};
use crate::algebra::{Algebra, InertiaMap, Wrench};
use crate::model::Node;

impl<A: Algebra> Placed<'_, A> {
    /// Mass matrix `M(q)` of the free rates, n × n, row by row; `out` has n² numbers.
    ///
    /// ```text
    /// I_iᶜ = I_i + Σ_children I_jᶜ        M_kl = S_l · I_iᶜ S_k,   l on the way from i to the world
    /// ```
    ///
    /// # Panics
    ///
    /// When `out` has not n² elements.
    pub fn mass(&mut self, out: &mut [f64]) {
        let place = |_: usize, node: &Node<A>| node.is_free().then_some(node.v_at);
        self.fill_mass(self.model.rates, place, out);
    }

    /// Mass matrix of all rates: the free ones, then the prescribed ones in the order of
    /// [`Model::prescribed`](crate::Model::prescribed); `out` has the square of their count.
    ///
    /// # Panics
    ///
    /// When `out` has another count of elements.
    pub fn mass_of_all(&mut self, out: &mut [f64]) {
        let model = self.model;
        let mut places: Vec<usize> = model.nodes.iter().map(|node| node.v_at).collect();
        let mut all = model.rates;
        for joint in model.prescribed() {
            places[model.joints[joint.0].child.0] = all;
            all += 1;
        }
        self.fill_mass(all, |i, _| Some(places[i]), out);
    }

    /// Mass matrix of the n rates that have a place: where those of a body begin.
    #[inline(always)]
    fn fill_mass(
        &mut self,
        n: usize,
        place: impl Fn(usize, &Node<A>) -> Option<usize>,
        out: &mut [f64],
    ) {
        let nodes = &self.model.nodes;
        assert_eq!(out.len(), n * n, "an n × n matrix has n² elements");
        self.gather_composites();
        out.fill(0.0);
        for (i, node) in nodes.iter().enumerate().skip(1) {
            let Some(first) = place(i, node) else {
                continue;
            };
            for c in 0..node.columns {
                let k = first + c;
                let column = self.work.columns[node.column + c];
                let mut pull = self.work.composite[i].times(column);
                let (mut at, mut ancestor) = (i, node);
                while at != 0 {
                    if let Some(first) = place(at, ancestor) {
                        for a in 0..ancestor.columns {
                            let l = first + a;
                            let value = pull.power(self.work.columns[ancestor.column + a]);
                            out[k * n + l] = value;
                            out[l * n + k] = value;
                        }
                    }
                    pull = pull.about(self.work.moving[at].r);
                    at = ancestor.parent;
                    ancestor = &nodes[at];
                }
            }
        }
    }

    /// Inertia of each body with everything that hangs on it.
    pub(super) fn gather_composites(&mut self) {
        let work = &mut *self.work;
        let bodies = self.model.nodes.iter().zip(&work.moving);
        let bodies = bodies.zip(&work.inert).zip(&mut work.composite);
        for (((node, moving), inert), composite) in bodies.skip(1) {
            *composite = match work.is_weighed {
                true => inert.inertia,
                false => inertia(node, moving),
            };
        }
        let hanging = self.model.nodes.iter().enumerate().rev();
        for (i, node) in hanging.filter(|(_, node)| node.parent != 0) {
            let seen = work.composite[i].seen_from(work.moving[i].r);
            let parent = &mut work.composite[node.parent];
            *parent = parent.plus(&seen);
        }
    }

    /// Bias `h` of `M v̇ + h = Jᵀ f`: Coriolis, gravity, springs, dampers, drives, loads and
    /// prescribed accelerations. `out` has one number per rate.
    ///
    /// # Panics
    ///
    /// When `out` has not the length of the rates.
    pub fn bias(&mut self, out: &mut [f64]) {
        assert_eq!(out.len(), self.model.rates, "h has one number per rate");
        self.weigh();
        let work = &mut *self.work;
        work.wrenches[0] = Wrench::default();
        for i in 1..work.inert.len() {
            let pull = work.inert[i].inertia.times(work.moving[i].carried);
            work.wrenches[i] = work.inert[i].force.plus(pull);
        }
        for (i, node) in self.model.nodes.iter().enumerate().skip(1).rev() {
            let wrench = work.wrenches[i];
            if node.is_free() {
                for k in 0..node.columns {
                    let along = wrench.power(work.columns[node.column + k]);
                    out[node.v_at + k] = along - work.passive[node.column + k];
                }
            }
            let parent = &mut work.wrenches[node.parent];
            *parent = parent.plus(wrench.about(work.moving[i].r));
        }
    }
}
