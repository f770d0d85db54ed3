//! The solver programs that strategies may call, located when a strategy is prepared, not while it runs.

use crate::incremental_process::ProcessPool;
use smtlib::Dialect;
use solver::install::Fleet;
use solver::process::{CancelToken, ProcessLimits};
use solver::session::Solver;
use solver::spec::SolverSpec;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// A solver that can be run.
#[derive(Debug)]
pub struct SolverProgram {
    /// How the solver is run.
    pub solver: Solver,
    /// Its input spelling.
    pub dialect: Dialect,
    /// Its name with its version, as in `trusted: z3@4.15.4`.
    pub label: Arc<str>,
    /// Its incremental processes.
    pub processes: ProcessPool,
}

impl SolverProgram {
    /// Returns the program, stopped by `token`.
    pub fn with_cancel(&self, token: CancelToken) -> Solver {
        self.solver.clone().with_cancel(token)
    }
}

/// Programs on this machine, each looked up once.
#[derive(Debug, Default)]
pub struct Solvers {
    fleet: Option<Fleet>,
    known: Mutex<BTreeMap<String, Arc<SolverProgram>>>,
}

impl Solvers {
    /// Wraps a fleet.
    pub fn of(fleet: Fleet) -> Solvers {
        Solvers { fleet: Some(fleet), known: Mutex::default() }
    }

    /// Returns the program for a specification; installs nothing.
    /// Errors: no such program; says how to install it.
    pub fn get(&self, spec: &str) -> Result<Arc<SolverProgram>, String> {
        if let Ok(known) = self.known.lock()
            && let Some(program) = known.get(spec)
        {
            return Ok(Arc::clone(program));
        }
        let fleet = self.fleet.as_ref().ok_or("no solver programs are set up")?;
        let parsed: SolverSpec = spec.parse().map_err(|error| format!("{error}"))?;
        let installed = fleet.resolve(&parsed).map_err(|error| error.to_string())?;
        let dialect =
            Dialect::renamed(installed.profile.renames(installed.version.as_ref())).of_solver(&installed.profile.name);
        let label = Arc::from(installed.label());
        let program = Arc::new(SolverProgram {
            solver: fleet.solver(installed),
            dialect,
            label,
            processes: ProcessPool::default(),
        });
        if let Ok(mut known) = self.known.lock() {
            known.insert(spec.to_string(), Arc::clone(&program));
        }
        Ok(program)
    }
}

/// The maximum output of a solver, in bytes: per goal, or per query of an incremental process. A solver that prints more is killed,
/// and its output is not an answer.
pub const MOST_OUTPUT: usize = 32 << 20;

/// Returns the limits of one process: the time left, 8 GiB of memory, and [`MOST_OUTPUT`].
pub fn limits(left: Option<Duration>) -> ProcessLimits {
    /// Even without a deadline, a process must end.
    const LONGEST: Duration = Duration::from_secs(7 * 24 * 3600);
    ProcessLimits {
        wall: left.unwrap_or(LONGEST),
        memory_bytes: Some(8 << 30),
        output_bytes: MOST_OUTPUT,
        ..ProcessLimits::default()
    }
}
