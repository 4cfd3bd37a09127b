//! What follows from a mechanism at its start as a forward problem.

use carom_contact::forward::graph::{CountDiagram, CountRow};
use carom_contact::forward::scalar::ScalarFriction;
use carom_contact::forward::{ForwardInputError, ForwardResult, Witness};
use carom_contact::resolution::{ResolutionError, solve_and_resolve};

use super::instant::Instant;

impl Instant {
    /// Every acceleration, and the jump that follows where there is none.
    ///
    /// A mechanism of one coordinate has its thresholds in its own coefficient, and by a load that goes with
    /// the force. The witness of several names the load offset it holds for.
    pub fn solve(&self) -> Result<ForwardResult, ResolutionError> {
        let mut result = solve_and_resolve(&self.problem, self.restitution, self.law)?;
        let has_share = self.loads_per_force.iter().any(|share| *share != 0.0);
        let (Some(Some(arm)), [_]) = (self.arms.first(), &self.arms[..]) else {
            if let (true, Some(witness)) = (has_share, &mut result.witness) {
                let given = &self.problem.load_offset;
                witness.load_offset.get_or_insert_with(|| given.clone());
            }
            return Ok(result);
        };
        let condition = &mut result.condition;
        condition.critical_friction = condition.critical_friction.map(|mu| mu / arm);
        if self.problem.contacts.is_empty() {
            let scalar = self.scalar()?;
            condition.vertex_force = scalar.vertex_force();
            if has_share && result.unique_for_every_force != Some(true) {
                result.witness = self.witness(&scalar.count_diagram(), result.count);
            }
        }
        Ok(result)
    }

    /// The closed form of a mechanism of one coordinate without contacts.
    pub fn scalar(&self) -> Result<ScalarFriction, ForwardInputError> {
        let mut problem = self.problem.clone();
        let per_force = self.loads_per_force.first().copied().unwrap_or(0.0);
        if let (Some(d), Some(force)) = (problem.load_offset.first_mut(), problem.force.first()) {
            *d -= per_force * force;
        }
        ScalarFriction::of(&problem)?.with_load_per_force(per_force)
    }

    /// A force with another count, its load going with it.
    fn witness(&self, diagram: &CountDiagram, count: Option<usize>) -> Option<Witness> {
        let problem = &self.problem;
        let counted = |row: &CountRow| match problem.velocity[0] {
            v if v > 0.0 => row.moving_plus,
            v if v < 0.0 => row.moving_minus,
            _ => row.at_rest,
        };
        let row = diagram.rows.iter().find(|row| counted(row) != count)?;
        let change = self.loads_per_force[0] * (row.force - problem.force[0]);
        Some(Witness {
            force: vec![row.force],
            load_offset: Some(vec![problem.load_offset[0] + change]),
            drift: None,
            count: counted(row),
        })
    }
}
