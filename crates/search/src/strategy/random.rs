//! The blind fuzzer: every input is redrawn, with uniform bits (JFS-NR).

use super::SearchStrategy;
use crate::searcher::Searcher;

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
