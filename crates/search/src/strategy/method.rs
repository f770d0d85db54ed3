//! What a search strategy is.

use crate::searcher::Searcher;

/// A way to search.
pub trait SearchStrategy {
    /// Its name.
    fn name(&self) -> &'static str;

    /// Runs about so many executions. An input that passes every constraint ends the run at once.
    fn run(&mut self, searcher: &mut Searcher<'_>, executions: u64) -> Option<Vec<u8>>;

    /// Told when the input found was no model (its value is left open by the standard somewhere): look elsewhere.
    fn rejected(&mut self);
}
