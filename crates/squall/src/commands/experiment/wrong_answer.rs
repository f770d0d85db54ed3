//! The options that say which solver answers wrongly, and who knows better.

use crate::args::units;
use ::solver::process::CancelToken;
use ::solver::spec::SolverSpec;
use finding::FailureKind;
use finding::folder::FindingPaths;
use std::time::Duration;
use triage::reduction::ReductionOrder;

/// What is wrong with the answer to a script; a finding records it.
#[derive(clap::Args)]
pub struct WrongAnswerArgs {
    /// The solver that answers wrongly; a finding records it.
    #[arg(long, short, value_name = "SPEC")]
    pub solver: Option<SolverSpec>,
    /// Failure kind: unsat, sat, invalid-model, self-check, unknown or crash; a finding records it.
    #[arg(long, value_name = "HOW")]
    pub wrong: Option<FailureKind>,
    /// Solvers to trust where the evaluator cannot decide; all must agree. `none`: trust no solver.
    #[arg(long, value_name = "SPEC")]
    pub trust: Vec<String>,
    /// How long one run may take [default: three times as long as the finding had, 10s for other scripts].
    #[arg(long, short, value_name = "TIME", value_parser = units::time)]
    pub timeout: Option<Duration>,
}

impl WrongAnswerArgs {
    /// The order to reduce a script of which this is wrong.
    pub fn order<'w>(&self, places: FindingPaths, cancel: CancelToken) -> ReductionOrder<'w> {
        ReductionOrder {
            solver: self.solver.clone(),
            wrong: self.wrong,
            trust: self.trust.clone(),
            timeout: self.timeout,
            progress: crate::commands::solver::say,
            ..ReductionOrder::new(places, cancel)
        }
    }
}
