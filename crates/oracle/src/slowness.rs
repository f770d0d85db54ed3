//! The slowness oracle: does a solver need 100 times the CPU time of another release or mode on a script?
//!
//! CPU times include the start of both solvers, so the true ratio is higher than the reported one. A solver is stopped as
//! soon as it counts as slow.

use crate::judge::Hit;
use crate::translate;
use finding::{BugClass, Finding};
use solver::install::Fleet;
use solver::outcome::SolverOutcome;
use solver::process::{ProcessLimits, RunError};
use solver::session::{SessionNeeds, Solver};
use solver::spec::SolverSpec;
use std::sync::Arc;
use std::time::Duration;

/// A solver is slow if it takes at least this many times the CPU time of another.
pub const RATIO: u32 = 100;

/// A run with less CPU time than this is not slow, however fast the other is: such times are mostly startup and noise.
pub const FLOOR: Duration = Duration::from_millis(500);

/// A seed is easy if the solver answers it in the time that makes its mutant slow, divided by this.
const EASY: u32 = 10;

/// How many times its CPU time a run may take in wall-clock time on a busy machine. Normally the CPU limit ends it;
/// this is for a run that waits.
const BUSY: u32 = 20;

/// A reference solver: the release or mode against whose CPU time slowness is measured.
#[derive(Clone, Debug)]
pub struct ReferenceSolver {
    /// The solver; `None` if a record names one that is not installed.
    pub solver: Option<Solver>,
    /// How to name it on the command line, options included.
    pub spec: String,
    /// Its name in reports.
    pub label: String,
}

/// The CPU times of a solver and its reference solver on one script.
#[derive(Clone, Debug)]
pub struct MeasuredSlowness {
    /// Who is faster.
    pub reference_solver: Arc<ReferenceSolver>,
    /// The CPU time of the solver when it was stopped.
    pub slow: Duration,
    /// The CPU time in which the reference solver answered every check.
    pub fast: Duration,
}

/// Returns the CPU time that makes a solver slow if the reference solver takes `fast`.
pub fn least(fast: Duration) -> Duration {
    FLOOR.max(fast.saturating_mul(RATIO))
}

/// Whether a solver answered every check and did nothing else.
fn answers(outcome: &SolverOutcome) -> bool {
    outcome.errors.is_empty()
        && !outcome.answers.is_empty()
        && outcome.answers.iter().all(|check| check.answer.is_definite())
}

impl ReferenceSolver {
    /// Returns the one that a finding's record names; `None` unless it is about slowness.
    pub fn of(finding: &Finding) -> Option<Arc<ReferenceSolver>> {
        let record = finding.slowness.as_ref()?;
        let solver = record.spec.parse::<SolverSpec>().ok().and_then(|spec| {
            let fleet = Fleet::of_user().ok()?;
            Some(fleet.solver(fleet.resolve(&fleet.recorded(spec).ok()?).ok()?))
        });
        Some(Arc::new(ReferenceSolver { solver, spec: record.spec.clone(), label: record.than.clone() }))
    }

    /// Returns another mode of a solver: the same with an option of its profile.
    pub fn with_switch(solver: &Solver, label: &str, spec: &SolverSpec, switch: &str) -> ReferenceSolver {
        let words: Vec<String> = switch.split_whitespace().map(str::to_string).collect();
        let mut spec = spec.clone();
        match &mut spec {
            SolverSpec::Named(named) => named.options.extend(words.iter().cloned()),
            SolverSpec::Path(path) => path.options.extend(words.iter().cloned()),
            SolverSpec::Builtin(_) => {}
        }
        let solver = Some(solver.clone().with_options(words));
        ReferenceSolver { solver, spec: spec.to_string(), label: format!("{label} {switch}") }
    }

    /// Measures a solver on a script. The reference solver must answer soon enough for the solver to be slow within
    /// `limits.wall`; if it does not, its run is returned.
    /// Errors: one of them cannot be run.
    pub fn measure(
        self: &Arc<ReferenceSolver>,
        solver: &Solver,
        text: &str,
        purpose: SessionNeeds,
        limits: &ProcessLimits,
    ) -> Result<(SolverOutcome, Option<MeasuredSlowness>), RunError> {
        let Some(other) = &self.solver else {
            let cause = "it is not installed, and slowness is measured against it; install it first".to_string();
            return Err(RunError::Spawn { program: self.spec.clone(), cause });
        };
        let most = limits.wall / RATIO;
        let own = translate::for_version(text, solver.installed().version.as_ref(), other.installed());
        let outcome = other.check(&own, purpose, &ProcessLimits { script_cpu: Some(most), ..limits.clone() })?;
        let fast = outcome.cpu;
        if !answers(&outcome) || fast > most {
            return Ok((outcome, None));
        }
        let least = least(fast);
        let wall = limits.wall.max(least.saturating_mul(BUSY));
        let outcome =
            solver.check(text, purpose, &ProcessLimits { wall, script_cpu: Some(least), ..limits.clone() })?;
        let slow = outcome.cpu;
        let is_slow = slow >= least && outcome.errors.is_empty() && outcome.crash.is_none();
        let measured = is_slow.then(|| MeasuredSlowness { reference_solver: Arc::clone(self), slow, fast });
        Ok((outcome, measured))
    }
}

impl MeasuredSlowness {
    /// Returns the hit, without looking at which of several checks takes the time.
    pub fn hit(&self) -> Hit {
        Hit { class: BugClass::S, check: 0, symptom: format!("slower than {}", self.reference_solver.label) }
    }

    /// Whether a parent with this outcome is easy.
    pub fn is_easy(&self, parent: &SolverOutcome) -> bool {
        answers(parent) && parent.cpu.saturating_mul(EASY) <= least(self.fast)
    }
}
