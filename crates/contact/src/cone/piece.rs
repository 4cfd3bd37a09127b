//! The law of one contact as a map that vanishes where it holds, and its slopes.

use super::problem::ConeContact;

/// Value and slopes of the map of Alart and Curnier at one contact, `dF = a dr + b du`.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Piece {
    pub(super) f: [f64; 3],
    pub(super) a: [[f64; 3]; 3],
    pub(super) b: [[f64; 3]; 3],
}

/// What a contact does; rows (n, t1, t2).
///
/// ```text
/// z = r − ρ u
/// F_n = r_n − floor − max(0, z_n − floor)
/// F_t = r_t − (z_t brought into the disc of radius μ (floor + max(0, z_n − floor)))
/// ```
///
/// F = 0 exactly where Signorini's and Coulomb's laws hold, for any positive ρ. A contact that slips
/// already has `F_t = r_t + μ r_n slip`.
///
/// Reference: `AlartCurnier1991`.
pub(super) fn piece(law: &ConeContact, rho: [f64; 2], r: [f64; 3], u: [f64; 3]) -> Piece {
    let mut piece = Piece::default();
    let pressed = r[0] - law.floor - rho[0] * u[0];
    let is_pressed = pressed > 0.0;
    if is_pressed {
        piece.f[0] = rho[0] * u[0];
        piece.b[0][0] = rho[0];
    } else {
        piece.f[0] = r[0] - law.floor;
        piece.a[0][0] = 1.0;
    }
    if let Some(slip) = law.slip {
        for t in 0..2 {
            piece.f[t + 1] = r[t + 1] + law.mu * r[0] * slip[t];
            piece.a[t + 1][0] = law.mu * slip[t];
            piece.a[t + 1][t + 1] = 1.0;
        }
        return piece;
    }
    let radius = law.mu * (law.floor + pressed.max(0.0));
    let z = [r[1] - rho[1] * u[1], r[2] - rho[1] * u[2]];
    let size = z[0].hypot(z[1]);
    if size <= radius && radius > 0.0 {
        for t in 1..3 {
            piece.f[t] = rho[1] * u[t];
            piece.b[t][t] = rho[1];
        }
    } else {
        slide(
            &mut piece,
            law.mu,
            rho,
            Disc {
                radius,
                z,
                size,
                is_pressed,
            },
            r,
        );
    }
    piece
}

/// A point outside the disc that friction can reach.
struct Disc {
    radius: f64,
    z: [f64; 2],
    size: f64,
    is_pressed: bool,
}

/// `F_t = r_t − R d`, `d = z_t/|z_t|`.
fn slide(piece: &mut Piece, mu: f64, rho: [f64; 2], disc: Disc, r: [f64; 3]) {
    let d = match disc.size > 0.0 {
        true => disc.z.map(|z| z / disc.size),
        false => [0.0; 2],
    };
    let share = match disc.size > 0.0 {
        true => disc.radius / disc.size,
        false => 0.0,
    };
    for i in 0..2 {
        piece.f[i + 1] = r[i + 1] - disc.radius * d[i];
        if disc.is_pressed {
            piece.a[i + 1][0] = -mu * d[i];
            piece.b[i + 1][0] = mu * d[i] * rho[0];
        }
        for j in 0..2 {
            let same = f64::from(u8::from(i == j));
            let across = share * (same - d[i] * d[j]);
            piece.a[i + 1][j + 1] = same - across;
            piece.b[i + 1][j + 1] = across * rho[1];
        }
    }
}

/// The nearest point of the cone `|r_t| <= μ r_n`, `r_n >= floor`.
///
/// Nearest in the whole cone; where that is below the floor, nearest in the disc at the floor.
pub(super) fn project(mu: f64, floor: f64, z: [f64; 3]) -> [f64; 3] {
    let size = z[1].hypot(z[2]);
    let disc = |n: f64, radius: f64| match size > radius {
        true => [n, z[1] * (radius / size), z[2] * (radius / size)],
        false => [n, z[1], z[2]],
    };
    if size <= mu * z[0] && z[0] >= floor {
        return z;
    }
    // Along the side of the cone, (1, μ d)/√(1 + μ²); inside its polar cone that is zero.
    let along = (z[0] + mu * size) / (1.0 + mu * mu);
    let n = if size <= mu * z[0] {
        z[0]
    } else {
        along.max(0.0)
    };
    let n = n.max(floor);
    disc(n, mu * n)
}
