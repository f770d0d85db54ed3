//! The plan of a measurement: seeds, arms of mutators, and the conditions that results must share.

use anyhow::{Context, Result, bail};
use corpus::seed::SeedSource;
use files::sha256;
use mutate::choice::Weighted;
use oracle::TestedSolver;
use serde::{Deserialize, Serialize};
use solver::process::ProcessLimits;
use std::path::PathBuf;
use std::sync::Arc;

/// The maximum number of scripts between two points of a curve, and thus the most that a kill repeats.
const MAX_STEP: u64 = 1000;

/// A set of mutators measured together.
pub struct CoverageArm {
    /// The mutators as the user wrote them.
    pub name: String,
    /// The solver, with the spelling of this arm's mutants.
    pub target: TestedSolver,
    /// The mutators with their weights.
    pub mutators: Arc<[Weighted]>,
}

/// A planned measurement.
pub struct CoveragePlan {
    /// The seeds. Running them shows which of them the solver accepts.
    pub seeds: Vec<SeedSource>,
    /// The solver, with the spelling of the seeds.
    pub target: TestedSolver,
    /// The arms. Each counts what it adds to the seeds.
    pub arms: Vec<CoverageArm>,
    /// Mutants per arm.
    pub mutants: u64,
    /// The seed of all random choices.
    pub seed: u64,
    /// The limits of a script.
    pub limits: ProcessLimits,
    /// Scripts run in parallel.
    pub jobs: usize,
    /// The folder of the results.
    pub out: PathBuf,
}

/// Conditions that must be the same to resume. The number of mutants is not among them: more mutants extend the curves.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct CoverageConditions {
    /// The build's label, such as `z3@5.3.3+coverage`.
    pub solver: String,
    /// SHA-256 of the program, in hexadecimal.
    pub program: String,
    /// The instrumentation.
    pub instrumentation: String,
    /// SHA-256 of all coverage items.
    pub items: String,
    /// The number of seeds.
    pub seeds: usize,
    /// SHA-256 of the seeds.
    pub seeds_digest: String,
    /// The seed of all random choices.
    pub seed: u64,
    /// The wall-clock limit of a script, in milliseconds.
    pub timeout_ms: u64,
}

impl CoverageConditions {
    /// Writes the conditions to the folder of the results, or compares them with those already there.
    /// Errors: the folder holds results of other conditions, or cannot be written.
    pub fn keep(&self, plan: &CoveragePlan) -> Result<()> {
        let path = plan.out.join("conditions.json");
        let Ok(text) = files::found_text(&path) else {
            let text = serde_json::to_string_pretty(self)? + "\n";
            return files::atomic::write(&path, text.as_bytes())
                .with_context(|| format!("cannot write {}; is there space?", path.display()));
        };
        let kept: CoverageConditions = serde_json::from_str(&text)
            .with_context(|| format!("{} cannot be read; use another --out folder", path.display()))?;
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
                "{} holds an experiment in which {what} differed; name another folder with --out, or remove it",
                plan.out.display()
            ),
        }
    }
}

/// Returns the SHA-256 of the names and contents of seeds. An unreadable seed counts by its name alone.
pub fn digest_of_seeds(seeds: &[SeedSource]) -> String {
    let mut text = String::new();
    for seed in seeds {
        let bytes = seed.bytes().unwrap_or_default();
        text.push_str(&format!("{}\0{}\0", seed.name(), sha256(&bytes)));
    }
    sha256(text.as_bytes())
}

/// Returns the number of scripts at the next point of a curve: 1, 2, 5, 10, 20, 50 and so on, then every 1000, and the last.
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
