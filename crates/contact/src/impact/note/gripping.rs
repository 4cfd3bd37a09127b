//! Remarks on tangential restitution.

use super::{Note, NoteCode};
use crate::contact_space::Friction;

impl Note {
    /// Of a contact in space without friction that slips.
    pub(in super::super) fn smooth_does_not_grip() -> Self {
        let sentence = "tangential_restitution has no effect: the contact has no friction";
        Self::new(NoteCode::NoTangentialRebound, sentence)
    }

    /// Of contacts `names` that collide one after another and grip so many times each.
    pub(super) fn of_grips(gripped: &[usize], names: &[&str]) -> Option<Self> {
        let told = names.iter().zip(gripped).filter(|(_, count)| **count > 0);
        let told: Vec<String> = told
            .map(|(name, count)| match count {
                1 => format!("{name} once"),
                n => format!("{name} {n} times"),
            })
            .collect();
        let sentence = format!(
            "friction holds and tangential_restitution reverses the slip of {}",
            told.join(", ")
        );
        (!told.is_empty()).then(|| Self::new(NoteCode::TangentialRebound, sentence))
    }
}

/// The slip is reversed by β.
pub(super) fn grips(beta: Option<f64>) -> String {
    let after = match beta {
        Some(beta) if beta > 0.0 => {
            format!("reverses the slip, v_t after = -{beta} v_t before")
        }
        _ => "0 ends the slip".to_owned(),
    };
    format!(
        "friction holds and tangential_restitution {after}; the law gives the velocities after, no path"
    )
}

/// What is asked, normal and tangent, and why it is not given.
pub(super) fn does_not(asked: Option<[f64; 2]>, friction: Friction) -> String {
    let why = match asked {
        None => "W is singular, and no impulse gives both ratios".to_owned(),
        Some([n, _]) if n <= 0.0 => "the contact would have to pull".to_owned(),
        Some([n, t]) => format!(
            "it needs |p_t| = {:.4} p_n, above static friction {}",
            (t / n).abs(),
            friction.mu_s()
        ),
    };
    format!("tangential_restitution has no effect: {why}; the contact is solved without it")
}
