//! Contacts that touch in space at the start, with friction in joints beside them.

use carom_contact::contact_space::{self, ContactSpace};
use carom_contact::forward::space::{SlippingContact, SpatialForward};
use carom_contact::forward::{ForwardContact, ForwardProblem};
use carom_multibody::contact::ContactComponents;
use carom_multibody::mechanism::{Contacts, FrameImpulse, Mechanism};
use carom_multibody::space::contact::FrameComponents;
use carom_multibody::{ConstraintRows, State};
use carom_numeric::dot;

use super::instant::{InstantError, LoadedJoint, Moment};
use crate::contact::rows::ContactRows;
use crate::contact::standing::Touch;
use crate::{SimError, Stuck};

/// Contacts and joints at the start; of the system A, b, C, d and the friction of the joints are read.
pub(super) fn posed(
    mechanism: &mut dyn Mechanism,
    at: Moment<'_>,
    touches: &[Touch],
    system: &ForwardProblem,
    frictions: &[LoadedJoint],
) -> Result<SpatialForward, InstantError> {
    let contacts: Vec<usize> = touches.iter().map(|touch| touch.contact).collect();
    let mut rows = ContactRows::default();
    rows.look(mechanism, at.state, &contacts);
    let space = reduced(mechanism, at.state, system, &rows)?;
    let mut posed = SpatialForward::reduced(&space, at.free, at.state.v);
    for (i, touch) in touches.iter().enumerate() {
        let friction = touch.friction.checked();
        posed.contacts.push(SlippingContact {
            friction: friction.map_err(|source| stuck(Stuck::Friction(source)))?,
            slip: touch.slip,
        });
        let drift = drift(&rows, i, touch.contact, at);
        posed.drift[3 * i..3 * i + 3].copy_from_slice(&drift);
    }
    let joined = posed.add_joints(system);
    joined.map_err(|source| stuck(Stuck::Forward(source)))?;
    for (i, contact) in contacts.iter().enumerate() {
        for (c, loads) in loads(mechanism, at.state, *contact, frictions)
            .iter()
            .enumerate()
        {
            for (element, load) in frictions.iter().zip(loads) {
                posed.joints[element.rate].load[3 * i + c] += load;
            }
        }
    }
    Ok(posed)
}

/// The same in matrices, where every contact slides.
pub(super) fn sliding(
    mechanism: &mut dyn Contacts,
    at: Moment<'_>,
    posed: &SpatialForward,
    touches: &[Touch],
) -> Option<Vec<ForwardContact>> {
    let each = touches.iter().zip(&posed.contacts).enumerate();
    let each = each.map(|(i, (touch, slipping))| {
        let rows = ContactRows::of(mechanism, at.state, touch.contact);
        let mut tangents = rows.tangents(0);
        let tangents = tangents.next().zip(tangents.next());
        let drift = &posed.drift[3 * i..3 * i + 3];
        slipping.in_plane(
            rows.normal(0),
            tangents.map(|(a, b)| [a, b]),
            [drift[0], drift[1], drift[2]],
        )
    });
    each.collect()
}

fn stuck(source: Stuck) -> InstantError {
    InstantError::Start(SimError::Motion { time: 0.0, source })
}

/// Contact space of the contacts and of the coordinates of the joints, where joints have friction.
fn reduced(
    mechanism: &mut dyn Contacts,
    state: State<'_>,
    system: &ForwardProblem,
    rows: &ContactRows,
) -> Result<ContactSpace, InstantError> {
    let n = state.v.len();
    let mut closures = ConstraintRows::default();
    if mechanism.constraints() > 0 {
        mechanism.constraint_rows(state, &mut closures);
    }
    let joints = 0..system.friction.len();
    let coordinates = joints.flat_map(|j| (0..n).map(move |i| f64::from(u8::from(i == j))));
    let all: Vec<f64> = rows.all().iter().copied().chain(coordinates).collect();
    let mut space = ContactSpace::new();
    let reduced = space.reduce(&contact_space::Mechanism {
        mass: &system.inertia.concat(),
        velocity: &vec![0.0; n],
        rows: &all,
        constraints: &closures.rows,
    });
    reduced.map_err(|source| stuck(Stuck::Reduction(source)))?;
    Ok(space)
}

/// Accelerations of contact `i` without contact forces, zero where they are round-off.
fn drift(rows: &ContactRows, i: usize, contact: usize, at: Moment<'_>) -> [f64; 3] {
    let drift = rows.drift(i).acceleration;
    let along = [rows.normal(i)].into_iter().chain(rows.tangents(i));
    let mut along = along.zip([drift.n, drift.t[0], drift.t[1]]);
    std::array::from_fn(|_| {
        let Some((row, drift)) = along.next() else {
            return 0.0;
        };
        let terms = row.iter().zip(at.free).map(|(j, a)| (j * a).abs());
        let (sum, size) = (dot(row, at.free) + drift, terms.sum::<f64>() + drift.abs());
        match at.scale.keeps_still(contact, sum, size) {
            true => 0.0,
            false => sum,
        }
    })
}

/// What the forces of a contact along n, t1 and t2 add to the loads of joints, at accelerations that stay.
pub(super) fn loads(
    mechanism: &mut dyn Contacts,
    state: State<'_>,
    contact: usize,
    frictions: &[LoadedJoint],
) -> [Vec<f64>; 3] {
    let still = vec![0.0; state.v.len()];
    let mut through = Vec::new();
    [0, 1, 2].map(|c| {
        let unit = |k: usize| f64::from(u8::from(k == c));
        let n = unit(0);
        let along = FrameComponents {
            t: [unit(1), unit(2)],
            ..ContactComponents { n, t: 0.0 }.into()
        };
        let acting = [FrameImpulse {
            contact,
            impulse: along,
            spin: 0.0,
        }];
        mechanism.frame_impulse_reactions(state, &still, &acting, &mut through);
        frictions
            .iter()
            .map(|element| element.load(&through))
            .collect()
    })
}
