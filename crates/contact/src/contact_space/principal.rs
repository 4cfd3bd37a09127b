//! Principal axes of a symmetric 2 × 2 matrix.

/// Principal values of `[[a, h], [h, d]]`, the smaller first, and the unit vector of the larger.
#[derive(Debug, Clone, Copy)]
pub(super) struct Principal {
    pub(super) axis: [f64; 2],
    pub(super) lambda: [f64; 2],
}

/// Principal values of a positive semidefinite matrix; none where one is negative beyond round-off. A value
/// below the fraction `round_off` of the other one is zero.
pub(super) fn principal([a, h, d]: [f64; 3], round_off: f64) -> Option<Principal> {
    let half = 0.5 * (a - d);
    let root = half.hypot(h);
    let most = 0.5 * (a + d) + root;
    if most == 0.0 {
        return Some(Principal {
            axis: [0.0, 1.0],
            lambda: [0.0; 2],
        });
    }
    let least = difference_of_products(a, d, h) / most;
    if least < -4.0 * round_off * most {
        return None;
    }
    let axis = match (root == 0.0, half >= 0.0) {
        (true, _) => [0.0, 1.0],
        (_, true) => unit(half + root, h),
        (_, false) => unit(h, root - half),
    };
    let least = if least <= round_off * most {
        0.0
    } else {
        least
    };
    Some(Principal {
        axis,
        lambda: [least, most],
    })
}

/// `a d − h²` with the round-off of one product removed.
fn difference_of_products(a: f64, d: f64, h: f64) -> f64 {
    let square = h * h;
    let error = h.mul_add(-h, square);
    a.mul_add(d, -square) + error
}

fn unit(x: f64, y: f64) -> [f64; 2] {
    let size = x.hypot(y);
    [x / size, y / size]
}
