//! Runs of mechanisms of the plane and of space, built with this crate.
//!
//! A simulation is generic over its mechanism. A test binary that runs one through these functions does not
//! compile the whole of it once more.

use carom_multibody::mechanism::{Mechanism, PlaneMechanism, SpaceMechanism};
use carom_sim::record::RunRecord;
use carom_sim::{Progress, Run, Setup, SimError, Watch};

/// What a watcher of a run does after each step.
pub type Watcher<'a> = &'a mut dyn FnMut(Progress) -> Watch;

/// A mechanism whose simulation is built where this is implemented. Systems of a test's own are run boxed: [`Setup::boxed`].
pub trait Built: Mechanism + Sized {
    fn run(setup: &mut Setup<Self>) -> Result<Run, SimError>;
    fn run_watched(setup: &mut Setup<Self>, watch: Watcher<'_>) -> Result<Run, SimError>;
    fn record(setup: &mut Setup<Self>, run: &Run) -> Result<RunRecord, SimError>;
}

/// Builds the simulation of a mechanism here.
macro_rules! built {
    ($mechanism:ty) => {
        impl Built for $mechanism {
            #[inline(never)]
            fn run(setup: &mut Setup<Self>) -> Result<Run, SimError> {
                carom_sim::run(setup)
            }

            #[inline(never)]
            fn run_watched(setup: &mut Setup<Self>, watch: Watcher<'_>) -> Result<Run, SimError> {
                carom_sim::run_watched(setup, watch)
            }

            #[inline(never)]
            fn record(setup: &mut Setup<Self>, run: &Run) -> Result<RunRecord, SimError> {
                carom_sim::record::record(setup, run)
            }
        }
    };
}

built!(PlaneMechanism);
built!(SpaceMechanism);
built!(Box<dyn Mechanism>);

/// [`carom_sim::run`]
pub fn run<M: Built>(setup: &mut Setup<M>) -> Result<Run, SimError> {
    M::run(setup)
}

/// [`carom_sim::run_watched`]
pub fn run_watched<M: Built>(setup: &mut Setup<M>, watch: Watcher<'_>) -> Result<Run, SimError> {
    M::run_watched(setup, watch)
}

/// [`carom_sim::record::record`]
pub fn record<M: Built>(setup: &mut Setup<M>, run: &Run) -> Result<RunRecord, SimError> {
    M::record(setup, run)
}
