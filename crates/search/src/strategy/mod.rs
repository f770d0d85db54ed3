//! Strategies: ways to look for an input that passes every constraint, one file each.

mod climb;
mod coverage;
mod inverse;
mod method;
mod moves;
mod portfolio;
mod random;

pub use method::Strategy;
pub use portfolio::Portfolio;

use std::fmt::{Display, Formatter};
use std::str::FromStr;

/// The names of strategies.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Choice {
    /// All of them in turns, by yield.
    #[default]
    Default,
    /// Uniformly random inputs.
    Random,
    /// Coverage-guided fuzzing from naive seeds.
    CoverageNaive,
    /// Coverage-guided fuzzing from smart seeds.
    Coverage,
    /// Hill climbing on the distance.
    Distance,
    /// Inversion of failing constraints.
    Invert,
    /// Hill climbing on the sum of all constraints' distances.
    Sum,
}

impl Choice {
    /// All, with their names and what they do.
    pub const ALL: &'static [(Choice, &'static str, &'static str)] = &[
        (Choice::Default, "default", "all that follow but random and coverage, time shared by yield"),
        (Choice::Random, "random", "uniformly random inputs"),
        (Choice::CoverageNaive, "coverage-naive", "coverage-guided, seeds all zeros and all ones"),
        (Choice::Coverage, "coverage", "coverage-guided, seeds of special values and constants"),
        (Choice::Distance, "distance", "hill climbing on constraints passed, then the distance of the next"),
        (Choice::Invert, "invert", "as distance, and failing constraints solved backwards for one slot"),
        (Choice::Sum, "sum", "as invert, on the sum of all distances"),
    ];

    /// The strategy.
    pub fn strategy(self) -> Box<dyn Strategy> {
        match self {
            Choice::Default => Box::new(Portfolio::default()),
            Choice::Random => Box::new(random::UniformRandom),
            Choice::CoverageNaive => Box::new(coverage::Coverage::new(coverage::Seeds::Naive)),
            Choice::Coverage => Box::new(coverage::Coverage::new(coverage::Seeds::Smart)),
            Choice::Distance => Box::new(climb::Climb::new(climb::DISTANCE)),
            Choice::Invert => Box::new(climb::Climb::new(climb::INVERT)),
            Choice::Sum => Box::new(climb::Climb::new(climb::SUM)),
        }
    }
}

impl FromStr for Choice {
    type Err = String;

    fn from_str(text: &str) -> Result<Choice, String> {
        Choice::ALL.iter().find(|c| c.1 == text).map(|c| c.0).ok_or_else(|| {
            let names: Vec<&str> = Choice::ALL.iter().map(|c| c.1).collect();
            format!("there is no search strategy '{text}'; choose one of {}", names.join(", "))
        })
    }
}

impl Display for Choice {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        let name = Choice::ALL.iter().find(|c| c.0 == *self).map_or("default", |c| c.1);
        f.write_str(name)
    }
}
