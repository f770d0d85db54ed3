//! Strategies that search for an input that passes every constraint.

mod climb;
mod coverage;
mod inverse;
mod moves;
mod portfolio;

use crate::searcher::{SearchStrategy, Searcher};
pub use coverage::SmartSeeds;
pub use portfolio::Portfolio;
use std::fmt::{Display, Formatter};
use std::str::FromStr;

/// The strategies by name.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum StrategyChoice {
    /// All of them in turns, by success.
    #[default]
    Default,
    /// Uniformly random inputs.
    Random,
    /// Coverage-guided fuzzing from naive seeds.
    CoverageNaive,
    /// Coverage-guided fuzzing from smart seeds.
    Coverage,
    /// Like [`Coverage`](Self::Coverage), with branches inside constraints as coverage.
    CoverageBranches,
    /// Coverage-guided fuzzing from smart seeds over all constraints.
    CoverageTryAll,
    /// Like [`CoverageTryAll`](Self::CoverageTryAll), with branches inside constraints as coverage.
    CoverageTryAllBranches,
    /// Hill climbing on the distance.
    Distance,
    /// Inversion of failing constraints.
    Invert,
    /// Hill climbing on the sum of all constraints' distances.
    Sum,
}

impl StrategyChoice {
    /// All strategies, with their names and descriptions.
    pub const ALL: &'static [(StrategyChoice, &'static str, &'static str)] = &[
        (StrategyChoice::Default, "default", "all that follow but random and coverage, time shared by yield"),
        (StrategyChoice::Random, "random", "uniformly random inputs"),
        (StrategyChoice::CoverageNaive, "coverage-naive", "coverage-guided, seeds all zeros and all ones"),
        (StrategyChoice::Coverage, "coverage", "coverage-guided, seeds of special values and constants"),
        (
            StrategyChoice::CoverageBranches,
            "coverage-branches",
            "as coverage, branches inside of constraints count too",
        ),
        (
            StrategyChoice::CoverageTryAll,
            "coverage-try-all",
            "as coverage, but a run does not end at a false constraint",
        ),
        (
            StrategyChoice::CoverageTryAllBranches,
            "coverage-try-all-branches",
            "as coverage-try-all, branches inside of constraints count too",
        ),
        (StrategyChoice::Distance, "distance", "hill climbing on constraints passed, then the distance of the next"),
        (StrategyChoice::Invert, "invert", "as distance, and failing constraints solved backwards for one slot"),
        (StrategyChoice::Sum, "sum", "as invert, on the sum of all distances"),
    ];

    /// The names alone, in the order of [`StrategyChoice::ALL`].
    pub const NAMES: [&'static str; StrategyChoice::ALL.len()] = {
        let mut names = [""; StrategyChoice::ALL.len()];
        let mut n = 0;
        while n < names.len() {
            names[n] = StrategyChoice::ALL[n].1;
            n += 1;
        }
        names
    };

    /// Makes the strategy. `seeds` is the number of initial inputs of coverage-guided ones, except the naive one.
    pub fn strategy(self, seeds: SmartSeeds) -> Box<dyn SearchStrategy> {
        let coverage = |style, seeds| Box::new(coverage::Coverage::new(style, seeds));
        match self {
            StrategyChoice::Default => Box::new(Portfolio::default()),
            StrategyChoice::Random => Box::new(UniformRandom),
            StrategyChoice::CoverageNaive => coverage(coverage::NAIVE, SmartSeeds::NAIVE),
            StrategyChoice::Coverage => coverage(coverage::FAIL_FAST, seeds),
            StrategyChoice::CoverageBranches => coverage(coverage::BRANCHES, seeds),
            StrategyChoice::CoverageTryAll => coverage(coverage::TRY_ALL, seeds),
            StrategyChoice::CoverageTryAllBranches => coverage(coverage::TRY_ALL_BRANCHES, seeds),
            StrategyChoice::Distance => Box::new(climb::Climb::new(climb::DISTANCE)),
            StrategyChoice::Invert => Box::new(climb::Climb::new(climb::INVERT)),
            StrategyChoice::Sum => Box::new(climb::Climb::new(climb::SUM)),
        }
    }
}

impl FromStr for StrategyChoice {
    type Err = String;

    fn from_str(text: &str) -> Result<StrategyChoice, String> {
        StrategyChoice::ALL.iter().find(|c| c.1 == text).map(|c| c.0).ok_or_else(|| {
            format!("there is no search strategy '{text}'; choose one of {}", StrategyChoice::NAMES.join(", "))
        })
    }
}

impl Display for StrategyChoice {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        let name = StrategyChoice::ALL.iter().find(|c| c.0 == *self).map_or("default", |c| c.1);
        f.write_str(name)
    }
}

/// Uniformly random inputs.
pub struct UniformRandom;

impl SearchStrategy for UniformRandom {
    fn name(&self) -> &'static str {
        "random"
    }

    fn run(&mut self, searcher: &mut Searcher<'_>, executions: u64) -> Option<Vec<u8>> {
        let mut input = searcher.program().layout.zeros();
        let bytes = searcher.program().layout.bytes();
        for _ in 0..executions {
            searcher.random.fill(&mut input[..bytes]);
            if searcher.fail_fast(&input).distance == 0 {
                return Some(input);
            }
            if searcher.is_over() {
                return None;
            }
        }
        None
    }

    fn rejected(&mut self) {}
}
