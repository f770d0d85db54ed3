//! Strategies that search for an input that passes every constraint.

mod climb;
mod inverse;
mod moves;
mod portfolio;

use crate::searcher::{SearchStrategy, Searcher};
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
        (StrategyChoice::Default, "default", "all that follow but random, time shared by yield"),
        (StrategyChoice::Random, "random", "uniformly random inputs"),
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

    /// Makes the strategy.
    pub fn strategy(self) -> Box<dyn SearchStrategy> {
        match self {
            StrategyChoice::Default => Box::new(Portfolio::default()),
            StrategyChoice::Random => Box::new(UniformRandom),
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
