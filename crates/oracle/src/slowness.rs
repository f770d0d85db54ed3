//! The slowness oracle: does a script take a solver 100 times the CPU time that another release, or mode, of it takes?
//!
//! CPU times include the solver's start on both sides, so that the ratio of what follows is higher than what is said here. A
//! solver is cut off as soon as it has used enough to be called slow.

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

/// A solver is slow if it takes at least so many times the CPU time of another.
pub const RATIO: u32 = 100;

/// What takes less CPU time than this is not slow, however fast the other is: such times are mostly start and noise.
pub const FLOOR: Duration = Duration::from_millis(500);

/// A seed is easy if the solver answers it in one part in so many of what makes its mutant slow.
const EASY: u32 = 10;

/// How much more wall-clock time than CPU time a run may take on a busy machine. CPU time ends it: this is for a run that waits.
const BUSY: u32 = 20;

/// A release or mode of a solver by whose CPU time slowness is measured.
#[derive(Clone, Debug)]
pub struct ReferenceSolver {
    /// It; none if the record of a finding names one that is not here.
    pub solver: Option<Solver>,
    /// How to name it on the command line, options included.
    pub spec: String,
    /// Its name in reports.
    pub label: String,
}

/// What a script took a solver and its reference solver.
#[derive(Clone, Debug)]
pub struct MeasuredSlowness {
    /// Who is faster.
    pub reference_solver: Arc<ReferenceSolver>,
    /// The CPU time of the solver, which was cut off there.
    pub slow: Duration,
    /// The CPU time in which the reference solver answered every check.
    pub fast: Duration,
}

/// The CPU time that makes a solver slow where the reference solver takes `fast`.
fn least(fast: Duration) -> Duration {
    FLOOR.max(fast.saturating_mul(RATIO))
}

/// Whether a solver answered every check, and nothing else came of it.
fn answers(outcome: &SolverOutcome) -> bool {
    outcome.errors.is_empty()
        && !outcome.answers.is_empty()
        && outcome.answers.iter().all(|check| check.answer.is_definite())
}

impl ReferenceSolver {
    /// The one that a finding's record names; none if it is of no slowness.
    pub fn of(finding: &Finding) -> Option<Arc<ReferenceSolver>> {
        let record = finding.slowness.as_ref()?;
        let solver = record.spec.parse::<SolverSpec>().ok().and_then(|spec| {
            let fleet = Fleet::of_user().ok()?;
            Some(fleet.solver(fleet.resolve(&fleet.recorded(spec).ok()?).ok()?))
        });
        Some(Arc::new(ReferenceSolver { solver, spec: record.spec.clone(), label: record.than.clone() }))
    }

    /// Another mode of a solver: the same with an option of its profile.
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

    /// Measures a solver on a script, whose answer the reference solver must give soon enough for the solver to be slow within
    /// `limits.wall`. With the run: that of the reference solver where it does not.
    ///
    /// # Errors
    /// One of them cannot be run.
    pub fn measure(
        self: &Arc<ReferenceSolver>,
        solver: &Solver,
        text: &str,
        purpose: SessionNeeds,
        limits: &ProcessLimits,
    ) -> Result<(SolverOutcome, Option<MeasuredSlowness>), RunError> {
        let Some(other) = &self.solver else {
            let cause = "it is not here, and slowness is measured by it; install it first".to_string();
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
    /// The hit that it is. Which of several checks takes the time is not looked at.
    pub fn hit(&self) -> Hit {
        Hit { class: BugClass::S, check: 0, symptom: format!("slower than {}", self.reference_solver.label) }
    }

    /// Whether a parent that is answered so is easy.
    pub fn is_easy(&self, parent: &SolverOutcome) -> bool {
        answers(parent) && parent.cpu.saturating_mul(EASY) <= least(self.fast)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_slow_takes_a_hundred_times_as_long_and_half_a_second() {
        let check = |fast: u64, expect: u64| {
            assert_eq!(least(Duration::from_millis(fast)), Duration::from_millis(expect), "{fast} ms");
        };
        check(0, 500);
        check(5, 500);
        check(6, 600);
        check(40, 4000);
    }
}
