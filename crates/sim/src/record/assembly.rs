//! What it took to close the loops of a start.

use carom_multibody::State;
use carom_multibody::mechanism::{Closer, Drawing, Mechanism};
use serde::{Deserialize, Serialize};

use super::motion::Names;
use crate::{Setup, SimError};

/// How far a start was off, and how far it was moved until its loops closed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AssemblyRecord {
    /// The joint that was open most in the start given.
    pub joint: String,
    /// By how much.
    pub residual: f64,
    /// Its unit: `m`, `rad`, or these per second.
    pub unit: String,
    /// The coordinate that changed most; none where no coordinate did.
    pub moved: Option<MovedRecord>,
}

/// A coordinate of the start that was solved for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MovedRecord {
    /// Its joint.
    pub joint: String,
    /// Its name, such as `angle`.
    pub coordinate: String,
    /// Its change.
    pub change: f64,
    /// Its unit: `m`, `rad`, or none.
    pub unit: String,
}

impl AssemblyRecord {
    /// None where the loops are not solved for, or there are none.
    pub(super) fn of(setup: &mut Setup<dyn Mechanism + '_>, names: &Names) -> Option<Self> {
        if !setup.options.assemble {
            return None;
        }
        let (mut given, v) = (setup.q.clone(), setup.v.clone());
        setup.mechanism.normalise(&mut given);
        let state = State::new(0.0, &given, &v);
        let worst = Closer::default().worst(&mut setup.mechanism, state)?;
        let SimError::Open {
            joint,
            residual,
            unit,
            ..
        } = setup.open(worst)
        else {
            return None;
        };
        let (q, _) = setup.start().ok()?;
        Some(Self {
            joint,
            residual,
            unit: unit.to_owned(),
            moved: moved(&mut setup.mechanism, names, [&given, &q]),
        })
    }
}

/// The coordinate that changes most between two positions.
fn moved(
    mechanism: &mut dyn Drawing,
    names: &Names,
    positions: [&[f64]; 2],
) -> Option<MovedRecord> {
    let still = vec![0.0; mechanism.rates()];
    let [before, after] = positions.map(|q| names.state(mechanism, 0.0, q, &still).coordinates);
    let mut most: Option<MovedRecord> = None;
    for joint in names.columns() {
        let pairs = before[&joint.name].iter().zip(&after[&joint.name]);
        for (k, (from, to)) in pairs.enumerate() {
            let change = to - from;
            if change.abs() > most.as_ref().map_or(0.0, |most| most.change.abs()) {
                most = Some(MovedRecord {
                    joint: joint.name.clone(),
                    coordinate: joint.coordinates[k].clone(),
                    change,
                    unit: joint.units[k].clone(),
                });
            }
        }
    }
    most
}
