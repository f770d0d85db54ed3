//! The solver programs that strategies may call, found when a strategy is made ready and not while it runs.

use crate::incremental_process::ProcessPool;
use smtlib::Dialect;
use solver::install::Fleet;
use solver::process::{CancelToken, ProcessLimits};
use solver::session::Solver;
use solver::spec::SolverSpec;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// A program that can be asked.
#[derive(Debug)]
pub struct SolverProgram {
    /// How it is run.
    pub solver: Solver,
    /// How it wants its input spelled.
    pub dialect: Dialect,
    /// Its name with its version, as in `trusted: z3@4.15.4`.
    pub label: Arc<str>,
    /// Its processes that are asked goal after goal.
    pub processes: ProcessPool,
}

impl SolverProgram {
    /// The program, stopped by `token`.
    pub fn with_cancel(&self, token: CancelToken) -> Solver {
        self.solver.clone().with_cancel(token)
    }
}

/// The programs of this machine, each looked for once.
#[derive(Debug, Default)]
pub struct Solvers {
    fleet: Option<Fleet>,
    known: Mutex<BTreeMap<String, Arc<SolverProgram>>>,
}

impl Solvers {
    /// The solvers of a fleet.
    pub fn of(fleet: Fleet) -> Solvers {
        Solvers { fleet: Some(fleet), known: Mutex::default() }
    }

    /// The program of a specification; nothing is installed.
    ///
    /// # Errors
    /// There is none, with advice how to get it.
    pub fn get(&self, spec: &str) -> Result<Arc<SolverProgram>, String> {
        if let Ok(known) = self.known.lock()
            && let Some(program) = known.get(spec)
        {
            return Ok(Arc::clone(program));
        }
        let fleet = self.fleet.as_ref().ok_or("no solver programs are at hand")?;
        let parsed: SolverSpec = spec.parse().map_err(|error| format!("{error}"))?;
        let installed = fleet.resolve(&parsed).map_err(|error| error.to_string())?;
        let dialect = Dialect::renamed(installed.profile.renames(installed.version.as_ref()));
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

/// The most that a solver may print, in bytes: to one goal, or to one question of those that a process is asked one by one. What
/// prints more is ended, and what it printed is no answer.
pub const MOST_OUTPUT: usize = 32 << 20;

/// What one process may use: the time left, 8 GiB of memory, and [`MOST_OUTPUT`].
pub fn limits(left: Option<Duration>) -> ProcessLimits {
    /// A process without a deadline ends some time, too.
    const LONGEST: Duration = Duration::from_secs(7 * 24 * 3600);
    ProcessLimits {
        wall: left.unwrap_or(LONGEST),
        memory_bytes: Some(8 << 30),
        output_bytes: MOST_OUTPUT,
        ..ProcessLimits::default()
    }
}
