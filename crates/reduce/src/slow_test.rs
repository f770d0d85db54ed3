//! Tests whether a solver is slow on a text, whatever it answers.

use crate::candidate_verdict::{CandidateVerdict, Evidence, TextTest};
use finding::Trust;
use solver::process::ProcessLimits;
use solver::script::count_checks;
use solver::session::{SessionNeeds, Solver};
use std::time::Duration;

/// A text is interesting if the solver uses the given CPU time on it. The run ends at that point, which limits the cost of a candidate.
pub struct SlowTest {
    solver: Solver,
    at_least: Duration,
    limits: ProcessLimits,
}

impl SlowTest {
    /// Makes a test by CPU time. A run that waits instead of working ends after four times as long plus a second.
    pub fn new(solver: Solver, at_least: Duration) -> SlowTest {
        let wall = at_least.saturating_mul(4).saturating_add(Duration::from_secs(1));
        let limits = ProcessLimits { wall, script_cpu: Some(at_least), ..ProcessLimits::default() };
        SlowTest { solver, at_least, limits }
    }
}

impl TextTest for SlowTest {
    fn judge(&self, text: &str) -> CandidateVerdict {
        match self.solver.check(text, SessionNeeds::of_script(count_checks(text.as_bytes()), text), &self.limits) {
            // Clock ticks are coarse: an aborted run may seem slightly shorter.
            Ok(outcome) if outcome.cpu >= self.at_least.mul_f64(0.95) => Evidence::verdict(Trust::Measured, 0),
            Ok(outcome) => {
                CandidateVerdict::NotShown(format!("it takes {:.2} s of CPU time", outcome.cpu.as_secs_f64()))
            }
            Err(error) => CandidateVerdict::NotShown(error.to_string()),
        }
    }
}
