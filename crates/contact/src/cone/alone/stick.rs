//! A contact that sticks: `W λ = −d` within the cone, W of any rank.

use carom_numeric::dot;

use super::{OneContact, RestAnswer, RestMode, UNCLEAR};

/// A determinant below this part of the lengths of its rows is zero.
const RANK: f64 = 1e-12;

/// A row that is not met to this part of its terms contradicts the others.
const MISS: f64 = 1e-10;

/// A tangent force beyond its limit by this part is round-off.
const STICK_SIDE: f64 = 1e-13;

impl OneContact {
    /// Sticking, if a force within the cone of the static coefficient holds the contact.
    pub(super) fn stick(&self, is_clear: &mut bool) -> Option<RestAnswer> {
        let (force, is_force_unique) = match self.regular() {
            Some(force) => (force, true),
            None => {
                *is_clear = false;
                (self.singular()?, false)
            }
        };
        let (reach, limit) = (force[1].hypot(force[2]), self.mu_s * force[0]);
        *is_clear &= (reach - limit).abs() > UNCLEAR * (reach + limit.abs());
        let is_held = force[0] >= 0.0 && reach <= limit * (1.0 + STICK_SIDE);
        let is_finite = force.iter().all(|x| x.is_finite());
        (is_held && is_finite).then_some(RestAnswer {
            mode: RestMode::Stick,
            force,
            acceleration: [0.0; 3],
            is_attracting: None,
            is_force_unique,
        })
    }

    /// `−W⁻¹ d` by cross products; none where W is singular.
    fn regular(&self) -> Option<[f64; 3]> {
        let [a, b, c] = self.w;
        let (bc, ca, ab) = (cross(b, c), cross(c, a), cross(a, b));
        let determinant = dot(&a, &bc);
        if !(determinant.abs() > RANK * size(a) * size(b) * size(c)) {
            return None;
        }
        let d = self.d;
        let sum = |i: usize| d[0] * bc[i] + d[1] * ca[i] + d[2] * ab[i];
        let mut force = [0, 1, 2].map(|i| -sum(i) / determinant);
        // One step of refinement: the rows of W may be nearly dependent.
        let miss = [0, 1, 2].map(|i| dot(&self.w[i], &force) + d[i]);
        for (i, x) in force.iter_mut().enumerate() {
            *x -= (miss[0] * bc[i] + miss[1] * ca[i] + miss[2] * ab[i]) / determinant;
        }
        Some(force)
    }

    /// The shortest force in the cone that holds the contact, of rows that depend on each other.
    fn singular(&self) -> Option<[f64; 3]> {
        let rows = self.w;
        let pairs = [(0, 1), (1, 2), (2, 0)];
        let area = |(i, j): (usize, usize)| size(cross(rows[i], rows[j]));
        let best = |a, b| if area(b) > area(a) { b } else { a };
        let (i, j) = pairs.into_iter().fold((0, 1), best);
        let longest = |a: usize, b: usize| if size(rows[b]) > size(rows[a]) { b } else { a };
        let one = (0..3).fold(0, longest);
        let most = size(rows[one]);
        let force = if most == 0.0 {
            [0.0; 3]
        } else if area((i, j)) > RANK * most * most {
            self.on_a_line(i, j)?
        } else {
            self.on_a_plane(one)?
        };
        let is_met = (0..3).all(|i| {
            let terms = size(rows[i]) * size(force) + size(self.d);
            (dot(&rows[i], &force) + self.d[i]).abs() <= MISS * terms
        });
        (is_met && (most > 0.0 || size(self.d) == 0.0)).then_some(force)
    }

    /// Two rows met: `λ₀ + τ z`, the shortest within the cone.
    fn on_a_line(&self, i: usize, j: usize) -> Option<[f64; 3]> {
        let (a, b, n) = (self.w[i], self.w[j], cross(self.w[i], self.w[j]));
        let square = dot(&n, &n);
        let (bn, na) = (cross(b, n), cross(n, a));
        let base = [0, 1, 2].map(|x| -(self.d[i] * bn[x] + self.d[j] * na[x]) / square);
        let z = n.map(|x| x / square.sqrt());
        let at = |tau: f64| [0, 1, 2].map(|x| base[x] + tau * z[x]);
        // |λ_t|² − μ²λ_n² = α τ² + 2 β τ + γ
        let mu2 = self.mu_s * self.mu_s;
        let form = |x: [f64; 3], y: [f64; 3]| x[1] * y[1] + x[2] * y[2] - mu2 * x[0] * y[0];
        let (alpha, beta, gamma) = (form(z, z), form(base, z), form(base, base));
        let root = (beta * beta - alpha * gamma).max(0.0).sqrt();
        let sum = -(beta + root.copysign(beta));
        let ends = [0.0, sum / alpha, gamma / sum];
        let holds = |tau: &f64| {
            let force = at(*tau);
            let is_inside =
                force[1].hypot(force[2]) <= self.mu_s * force[0] * (1.0 + STICK_SIDE.sqrt());
            tau.is_finite() && force[0] >= 0.0 && is_inside
        };
        let nearest = |a: f64, b: f64| if b.abs() < a.abs() { b } else { a };
        let tau = ends.into_iter().filter(holds).reduce(nearest)?;
        Some(self.inside(at(tau)))
    }

    /// One row met, `x·λ = c`: its foot, or the side of the cone towards it.
    fn on_a_plane(&self, i: usize) -> Option<[f64; 3]> {
        let (x, c) = (self.w[i], -self.d[i]);
        if c == 0.0 {
            return Some([0.0; 3]);
        }
        let foot = x.map(|y| y * c / dot(&x, &x));
        if foot[0] >= 0.0 && foot[1].hypot(foot[2]) <= self.mu_s * foot[0] {
            return Some(foot);
        }
        let across = x[1].hypot(x[2]);
        let way = |y: f64| {
            if across > 0.0 {
                c.signum() * y / across
            } else {
                0.0
            }
        };
        let side = [1.0, self.mu_s * way(x[1]), self.mu_s * way(x[2])];
        let load = c / dot(&x, &side);
        (load > 0.0 && load.is_finite()).then_some(side.map(|y| load * y))
    }

    /// Brings a force on the side of the cone inside by its round-off.
    fn inside(&self, force: [f64; 3]) -> [f64; 3] {
        let (reach, limit) = (force[1].hypot(force[2]), self.mu_s * force[0]);
        match reach > limit && reach > 0.0 {
            true => [
                force[0],
                force[1] * (limit / reach),
                force[2] * (limit / reach),
            ],
            false => force,
        }
    }
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

fn size(a: [f64; 3]) -> f64 {
    a[0].hypot(a[1]).hypot(a[2])
}
