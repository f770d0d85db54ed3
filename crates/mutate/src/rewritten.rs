//! Batches with some mutants rewritten after they were made: rephrased, or asked with a tactic.

use crate::mutator::{Batch, Mutant};
use semantics::Model;
use smtlib::Store;
use std::sync::Arc;

/// How mutants are rewritten.
///
/// Invariant: a rewritten mutant has the same number of checks, with the same right answers. If one is `sat`, the free symbols are
/// the same, too, so the witness stays valid.
pub trait Rewrite {
    /// The change of a mutant.
    type Done;

    /// Rewrites the mutant of an index if it is its turn.
    fn rewrite(&self, index: u64, mutant: &mut Mutant) -> Option<Self::Done>;

    /// Adds the change to the mutant's record.
    fn record(done: &Self::Done, record: &mut Vec<(&'static str, String)>);
}

/// The mutants of a batch, some of them rewritten.
pub struct RewrittenBatch<'s, R: Rewrite> {
    inner: Box<dyn Batch + 's>,
    rewrite: R,
    /// The index of the last mutant, and its change.
    last: Option<(u64, Option<R::Done>)>,
}

impl<'s, R: Rewrite> RewrittenBatch<'s, R> {
    /// Returns the mutants of a batch.
    pub fn new(inner: Box<dyn Batch + 's>, rewrite: R) -> RewrittenBatch<'s, R> {
        RewrittenBatch { inner, rewrite, last: None }
    }
}

impl<R: Rewrite> Batch for RewrittenBatch<'_, R> {
    fn size(&self) -> u64 {
        self.inner.size()
    }

    fn mutant(&mut self, index: u64, out: &mut Mutant) {
        self.inner.mutant(index, out);
        self.last = Some((index, self.rewrite.rewrite(index, out)));
    }

    fn store(&self) -> &Store {
        self.inner.store()
    }

    fn needs(&self) -> u32 {
        self.inner.needs()
    }

    fn witness(&mut self, index: u64) -> Option<Arc<Model>> {
        self.inner.witness(index)
    }

    fn check_witness(&mut self, index: u64, check: usize) -> Option<Arc<Model>> {
        self.inner.check_witness(index, check)
    }

    fn failure(&self) -> Option<String> {
        self.inner.failure()
    }

    fn parameters(&mut self, index: u64) -> Vec<(&'static str, String)> {
        if self.last.as_ref().is_none_or(|(last, _)| *last != index) {
            self.mutant(index, &mut Mutant::default());
        }
        let mut record = self.inner.parameters(index);
        if let Some((_, Some(done))) = &self.last {
            R::record(done, &mut record);
        }
        record
    }
}
