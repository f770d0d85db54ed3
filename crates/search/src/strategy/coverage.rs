//! Coverage-guided fuzzing as JFS had it from LibFuzzer: inputs that reach a constraint for the first time join the corpus,
//! and new inputs are byte-level mutants and crossovers of the corpus.

use super::{SearchStrategy, moves};
use crate::searcher::Searcher;
use crate::types::Ty;

/// Where the corpus begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Seeds {
    /// All zeros and all ones (LF-NS).
    Naive,
    /// [`SMART_SEEDS`] inputs of special values, constants of the formula, and both at random (LF-SS).
    Smart,
}

/// How many smart seeds there are, as in the paper.
pub const SMART_SEEDS: usize = 100;

/// The most inputs kept.
const MAX_CORPUS: usize = 4_096;

/// The most mutations one after the other.
const MAX_MUTATIONS: u64 = 5;

/// The fuzzer.
pub struct Coverage {
    seeds: Seeds,
    corpus: Vec<Vec<u8>>,
    /// Constraints that some input got past. A program stops at the first false one, so that coverage is how far it got.
    covered: Option<u32>,
    planted: usize,
    /// How many of the inputs to begin at are planted.
    given: usize,
}

impl Coverage {
    /// A fuzzer with an empty corpus.
    pub fn new(seeds: Seeds) -> Coverage {
        Coverage { seeds, corpus: Vec::new(), covered: None, planted: 0, given: 0 }
    }

    /// The next seed, or none when all are planted.
    fn seed(&mut self, searcher: &mut Searcher<'_>) -> Option<Vec<u8>> {
        let program = searcher.program().clone();
        let layout = &program.layout;
        let mut input = layout.zeros();
        if let Some(given) = searcher.starts.get(self.given) {
            self.given += 1;
            return Some(given.clone());
        }
        let number = self.planted;
        match (self.seeds, number) {
            (_, 0) => {}
            (_, 1) => input[..layout.bytes()].fill(0xff),
            (Seeds::Smart, 2..SMART_SEEDS) => {
                let Searcher { random, analysis, .. } = searcher;
                for slot in 0..layout.slots().len() {
                    let ty = layout.slots()[slot].ty;
                    let values = analysis.values(ty);
                    // First every special value everywhere, then random combinations.
                    let value = match values.get(number - 2) {
                        Some(&value) => value,
                        None => random.pick(&values).copied().unwrap_or(0),
                    };
                    layout.set(&mut input, slot, 0, if ty == Ty::Mode { value % 5 } else { value });
                }
            }
            _ => return None,
        }
        self.planted += 1;
        Some(input)
    }

    fn mutant(&self, searcher: &mut Searcher<'_>) -> Vec<u8> {
        let program = searcher.program().clone();
        let layout = &program.layout;
        let bytes = layout.bytes();
        let Searcher { random, analysis, .. } = searcher;
        let mut input = random.pick(&self.corpus).cloned().unwrap_or_else(|| layout.zeros());
        for _ in 0..1 + random.below(MAX_MUTATIONS) {
            let at = random.index(bytes);
            match random.below(8) {
                0 => input[at] ^= 1 << random.below(8),
                1 => input[at] = random.bits() as u8,
                2 => {
                    // A number of one to eight bytes, up or down a little.
                    let length = (1usize << random.below(4)).min(bytes - at);
                    let mut number = [0; 8];
                    number[..length].copy_from_slice(&input[at..at + length]);
                    let moved = u64::from_le_bytes(number).wrapping_add(random.below(21)).wrapping_sub(10);
                    input[at..at + length].copy_from_slice(&moved.to_le_bytes()[..length]);
                }
                3 => {
                    let length = (1 + random.index(8)).min(bytes - at);
                    let from = random.index(bytes - length + 1);
                    input.copy_within(from..from + length, at);
                }
                4 => {
                    let length = (1 + random.index(8)).min(bytes - at);
                    random.fill(&mut input[at..at + length]);
                }
                5 => {
                    // Crossover: the rest from another of the corpus.
                    if let Some(other) = random.pick(&self.corpus) {
                        input[at..bytes].copy_from_slice(&other[at..bytes]);
                    }
                }
                6 => {
                    let slot = random.index(layout.slots().len());
                    let value = random.pick(&analysis.values(layout.slots()[slot].ty)).copied().unwrap_or(0);
                    layout.set(&mut input, slot, 0, value);
                }
                _ => {
                    let slot = random.index(layout.slots().len());
                    moves::draw(&mut input, layout, slot, random, analysis);
                }
            }
        }
        input
    }
}

impl SearchStrategy for Coverage {
    fn name(&self) -> &'static str {
        match self.seeds {
            Seeds::Naive => "coverage-naive",
            Seeds::Smart => "coverage",
        }
    }

    fn run(&mut self, searcher: &mut Searcher<'_>, executions: u64) -> Option<Vec<u8>> {
        for _ in 0..executions {
            let seed = self.seed(searcher);
            let is_seed = seed.is_some();
            let input = seed.unwrap_or_else(|| self.mutant(searcher));
            let score = searcher.fail_fast(&input);
            if score.distance == 0 {
                return Some(input);
            }
            let new = self.covered.is_none_or(|covered| score.passed > covered);
            if new {
                self.covered = Some(score.passed);
            }
            if (new || is_seed) && self.corpus.len() < MAX_CORPUS {
                self.corpus.push(input);
            }
            if searcher.is_over() {
                return None;
            }
        }
        None
    }

    fn rejected(&mut self) {}
}
