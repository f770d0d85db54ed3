//! The mutants of one seed under several assignments.

use super::assignments::SeveralAssignments;
use super::config::{PARAMETERS, WeaveConfig};
use super::pool::{PoolLiteral, WeavePool};
use super::session::{self, SessionPlan, SessionSource};
use super::truths::only;
use crate::mutator::{Batch, Mutant};
use crate::rng::Unit;
use semantics::{Model, Value};
use smtlib::{FuncId, Printer, Store};
use std::sync::Arc;

/// The mutants of one seed.
pub struct WeaveBatch<'s> {
    pub(super) store: &'s Store,
    pub(super) printer: Printer<'s>,
    pub(super) preamble: String,
    pub(super) pool: WeavePool,
    /// Conjunctions of equations of one assignment's constants with their values.
    pub(super) corners: Vec<PoolLiteral>,
    pub(super) assignments: SeveralAssignments,
    /// The selector of each assignment, as function and as text.
    pub(super) selectors: Vec<(FuncId, String)>,
    pub(super) config: WeaveConfig,
    pub(super) unit: Unit,
    pub(super) size: u64,
    /// The assignment of each check of the last mutant, with its index.
    pub(super) last: Option<(u64, Vec<usize>)>,
}

impl WeaveBatch<'_> {
    /// Returns the number of the assignment that satisfies each check of a mutant, from 0.
    pub fn witnesses(&mut self, index: u64) -> Vec<usize> {
        match &self.last {
            Some((at, witnesses)) if *at == index => witnesses.clone(),
            _ => {
                self.mutant(index, &mut Mutant::default());
                self.last.as_ref().map(|(_, witnesses)| witnesses.clone()).unwrap_or_default()
            }
        }
    }

    /// Returns the assignment of a number, extended by the values of selectors and aliases: only its own selector is true, and an alias
    /// has the value of its fragment.
    pub fn assignment(&self, assignment: usize) -> Option<Arc<Model>> {
        let mut model = self.assignments.models.get(assignment)?.as_ref().clone();
        for (n, (func, _)) in self.selectors.iter().enumerate() {
            model.assign(self.store, *func, Value::Bool(n == assignment)).ok()?;
        }
        for alias in self.pool.aliases() {
            // An alias of an unknown fragment occurs only without its definition, where any value will do.
            let value = alias.truths.yes & only(assignment) != 0;
            model.assign(self.store, alias.func, Value::Bool(value)).ok()?;
        }
        Some(Arc::new(model))
    }
}

impl Batch for WeaveBatch<'_> {
    fn size(&self) -> u64 {
        self.size
    }

    fn mutant(&mut self, index: u64, out: &mut Mutant) {
        out.clear();
        out.text.push_str(&self.preamble);
        let mut rng = self.unit.mutant_stream(index);
        let plan = SessionPlan::draw(&self.config, &mut rng);
        let selectors: Vec<String> = self.selectors.iter().map(|(_, text)| text.clone()).collect();
        let source = SessionSource {
            store: self.store,
            pool: &mut self.pool,
            corners: &self.corners,
            selectors: &selectors,
            config: &self.config,
            printer: &mut self.printer,
        };
        let witnesses = session::write(source, plan, &mut rng, out);
        self.last = Some((index, witnesses));
    }

    fn store(&self) -> &Store {
        self.store
    }

    fn witness(&mut self, index: u64) -> Option<Arc<Model>> {
        let witnesses = self.witnesses(index);
        let &first = witnesses.first()?;
        witnesses.iter().all(|&witness| witness == first).then(|| self.assignment(first))?
    }

    fn check_witness(&mut self, index: u64, check: usize) -> Option<Arc<Model>> {
        let witness = *self.witnesses(index).get(check)?;
        self.assignment(witness)
    }

    fn parameters(&mut self, index: u64) -> Vec<(&'static str, String)> {
        let plan = SessionPlan::draw(&self.config, &mut self.unit.mutant_stream(index));
        let words = |list: Vec<String>| list.join("; ");
        let (all, initial) = self.pool.sizes();
        let witnesses = self.witnesses(index).iter().map(usize::to_string).collect();
        let sources = self.assignments.sources.iter().map(ToString::to_string).collect();
        let mut list = vec![
            ("campaign", self.unit.campaign.to_string()),
            ("unit", self.unit.number.to_string()),
            ("index", index.to_string()),
            ("mode", plan.mode.describe(&self.config.query)),
            ("assertions", plan.asserts.to_string()),
            ("assignments-used", words(sources)),
            ("witnesses", words(witnesses)),
            ("initial-pool", initial.to_string()),
            ("construction-pool", (all - initial).to_string()),
        ];
        list.extend(PARAMETERS.settings(&self.config));
        list
    }
}
