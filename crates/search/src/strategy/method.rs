//! The interface of search strategies.

use crate::searcher::Searcher;

/// A search strategy.
pub trait SearchStrategy {
    /// Its name.
    fn name(&self) -> &'static str;

    /// Runs about `executions` executions. An input that passes every constraint ends the run at once.
    fn run(&mut self, searcher: &mut Searcher<'_>, executions: u64) -> Option<Vec<u8>>;

    /// Called when the input found was not a model (the standard leaves some value open): search elsewhere.
    fn rejected(&mut self);
}
