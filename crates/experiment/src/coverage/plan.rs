//! What is measured: seeds, arms of mutators, and the conditions that results which belong together have in common.

use anyhow::{Context, Result, bail};
use corpus::seed::SeedSource;
use files::sha256;
use mutate::choice::Weighted;
use oracle::TestedSolver;
use serde::{Deserialize, Serialize};
use solver::process::ProcessLimits;
use std::path::PathBuf;
use std::sync::Arc;

/// The most scripts between two points of a curve, and so the most that are run again after a kill.
const MAX_STEP: u64 = 1000;

/// Mutators whose mutants are measured together.
pub struct CoverageArm {
    /// Its name: the mutators as the user wrote them.
    pub name: String,
    /// The solver as the one for whom its mutants are made.
    pub target: TestedSolver,
    /// The mutators with their weights.
    pub mutators: Arc<[Weighted]>,
}

/// An experiment.
pub struct CoveragePlan {
    /// The seeds. Which of them the solver takes is seen when they are run.
    pub seeds: Vec<SeedSource>,
    /// The solver as the one for whom seeds are spelled.
    pub target: TestedSolver,
    /// The arms; each begins at what the seeds executed.
    pub arms: Vec<CoverageArm>,
    /// Mutants of each arm.
    pub mutants: u64,
    /// The number that all random choices follow from.
    pub seed: u64,
    /// What a script may use.
    pub limits: ProcessLimits,
    /// Scripts run at once.
    pub jobs: usize,
    /// The folder of the results.
    pub out: PathBuf,
}

/// What must be the same for results to go on. The number of mutants is not: more of them prolong the curves.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct CoverageConditions {
    /// The build's label, such as `z3@5.3.3+coverage`.
    pub solver: String,
    /// SHA-256 of the program, in hexadecimal.
    pub program: String,
    /// By what it is instrumented.
    pub instrumentation: String,
    /// SHA-256 of all that it could execute.
    pub items: String,
    /// How many seeds there are.
    pub seeds: usize,
    /// SHA-256 of the seeds.
    pub seeds_digest: String,
    /// The number that all random choices follow from.
    pub seed: u64,
    /// The limit of wall-clock time for a script, in milliseconds.
    pub timeout_ms: u64,
}

impl CoverageConditions {
    /// Keeps the conditions in the folder of the results, or compares them with those that are there.
    ///
    /// # Errors
    /// The folder holds results of other conditions, or cannot be written.
    pub fn keep(&self, plan: &CoveragePlan) -> Result<()> {
        let path = plan.out.join("conditions.json");
        let Ok(text) = files::found_text(&path) else {
            let text = serde_json::to_string_pretty(self)? + "\n";
            return files::atomic::write(&path, text.as_bytes())
                .with_context(|| format!("cannot write {}; is there space?", path.display()));
        };
        let kept: CoverageConditions = serde_json::from_str(&text)
            .with_context(|| format!("{} cannot be read; name another folder by --out", path.display()))?;
        let differences = [
            ("the solver", kept.solver == self.solver),
            ("the program", kept.program == self.program),
            ("what is counted", (&kept.instrumentation, &kept.items) == (&self.instrumentation, &self.items)),
            ("the seeds", (kept.seeds, &kept.seeds_digest) == (self.seeds, &self.seeds_digest)),
            ("--seed", kept.seed == self.seed),
            ("--timeout", kept.timeout_ms == self.timeout_ms),
        ];
        match differences.iter().find(|(_, is_same)| !is_same) {
            None => Ok(()),
            Some((what, _)) => bail!(
                "{} holds an experiment in which {what} was another; name another folder by --out, or remove it",
                plan.out.display()
            ),
        }
    }
}

/// SHA-256 of seeds, by name and contents. What cannot be read counts by its name alone.
pub fn digest_of_seeds(seeds: &[SeedSource]) -> String {
    let mut text = String::new();
    for seed in seeds {
        let bytes = seed.bytes().unwrap_or_default();
        text.push_str(&format!("{}\0{}\0", seed.name(), sha256(&bytes)));
    }
    sha256(text.as_bytes())
}

/// After how many scripts the next point of a curve stands: 1, 2, 5, 10, 20, 50 and so on, from 1000 on each 1000, and the last.
pub fn next_point(done: u64, total: u64) -> u64 {
    let mut power = 1u64;
    while power < MAX_STEP {
        if let Some(next) = [1, 2, 5].map(|n| n * power).into_iter().find(|next| *next > done) {
            return next.min(total);
        }
        power *= 10;
    }
    ((done / MAX_STEP + 1) * MAX_STEP).min(total)
}
