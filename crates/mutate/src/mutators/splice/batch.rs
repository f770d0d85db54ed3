//! The mutants of two seeds, and the witnesses of their checks.

use super::config::{PARAMETERS, SpliceConfig};
use super::part::Part;
use super::session::{self, CheckRecord, DeclarationStyle, Selector, SplicePlan, SpliceSource};
use crate::assignment::AssignmentSource;
use crate::mutator::{Batch, Mutant};
use crate::rng::{RandomStream, Unit};
use rustc_hash::FxHashMap;
use semantics::{Interpretation, Model, Value};
use smtlib::{FuncId, Store};
use std::sync::Arc;

/// The preamble of a unit's sessions.
#[derive(Clone, Default, Debug)]
pub(super) struct SessionPreamble {
    /// Logic and options.
    pub head: String,
    /// All declarations.
    pub all: String,
    /// All except those of functions.
    pub sorts: String,
    /// The declarations of functions, one by one.
    pub functions: FxHashMap<FuncId, String>,
    /// Whether functions may be declared anywhere.
    pub can_scope: bool,
    /// Whether the solver knows `:global-declarations`.
    pub can_choose_scope: bool,
}

/// The mutants of two seeds.
pub struct SpliceBatch<'s> {
    pub(super) store: &'s mut Store,
    pub(super) parts: [Part; 2],
    /// The base assignment of both seeds.
    pub(super) base: Arc<Model>,
    pub(super) source: AssignmentSource,
    pub(super) selectors: Vec<Selector>,
    pub(super) preamble: SessionPreamble,
    pub(super) config: SpliceConfig,
    pub(super) unit: Unit,
    /// The known answers to the checks of the last mutant, with its index.
    pub(super) last: Option<(u64, Vec<CheckRecord>)>,
}

impl SpliceBatch<'_> {
    fn plan(&self, rng: &mut RandomStream) -> SplicePlan {
        let config = &self.config;
        let checks = rng.between(u64::from(config.checks.low), u64::from(config.checks.high));
        let has_assumptions = rng.percent(config.assuming);
        let is_scoped = rng.percent(config.scoped);
        let is_global = rng.percent(config.global);
        let style = match is_scoped && self.preamble.can_scope {
            true if is_global && self.preamble.can_choose_scope => DeclarationStyle::Global,
            true => DeclarationStyle::Scoped,
            false => DeclarationStyle::First,
        };
        SplicePlan { checks, has_assumptions, style }
    }

    fn records(&mut self, index: u64) -> &[CheckRecord] {
        if self.last.as_ref().is_none_or(|last| last.0 != index) {
            self.mutant(index, &mut Mutant::default());
        }
        self.last.as_ref().map_or(&[], |(_, records)| records)
    }
}

impl Batch for SpliceBatch<'_> {
    fn size(&self) -> u64 {
        u64::from(self.config.mutants)
    }

    fn mutant(&mut self, index: u64, out: &mut Mutant) {
        out.clear();
        let mut rng = self.unit.mutant_stream(index);
        let plan = self.plan(&mut rng);
        let preamble = &self.preamble;
        // `(reset)` keeps the option in some solvers, so it is set in both cases.
        match plan.style {
            DeclarationStyle::Global => out.text.push_str("(set-option :global-declarations true)\n"),
            DeclarationStyle::Scoped if preamble.can_choose_scope => {
                out.text.push_str("(set-option :global-declarations false)\n");
            }
            DeclarationStyle::Scoped | DeclarationStyle::First => {}
        }
        out.text.push_str(&preamble.head);
        out.text.push_str(if plan.style == DeclarationStyle::First { &preamble.all } else { &preamble.sorts });
        let source = SpliceSource {
            store: self.store,
            parts: &mut self.parts,
            selectors: &self.selectors,
            declarations: &preamble.functions,
            config: &self.config,
        };
        let records = session::write(source, plan, &mut rng, out);
        self.last = Some((index, records));
    }

    fn store(&self) -> &Store {
        self.store
    }

    /// Each check has one of its own.
    fn witness(&mut self, _index: u64) -> Option<Arc<Model>> {
        None
    }

    fn check_witness(&mut self, index: u64, check: usize) -> Option<Arc<Model>> {
        let record = self.records(index).get(check)?.clone();
        let mut model = self.base.as_ref().clone();
        record.models?.iter().flatten().for_each(|part| overlay(self.store, &mut model, part));
        for (selector, value) in self.selectors.iter().zip(record.selected) {
            model.assign(self.store, selector.func, Value::Bool(value)).ok()?;
        }
        Some(Arc::new(model))
    }

    fn failure(&self) -> Option<String> {
        let (_, records) = self.last.as_ref()?;
        records.is_empty().then(|| "no check of the session had a known answer".to_string())
    }

    fn parameters(&mut self, index: u64) -> Vec<(&'static str, String)> {
        let plan = self.plan(&mut self.unit.mutant_stream(index));
        let declared = match plan.style {
            DeclarationStyle::First => "first",
            DeclarationStyle::Scoped => "on levels",
            DeclarationStyle::Global => "once, and kept",
        };
        let checks = self.records(index).len();
        let mut list = vec![
            ("campaign", self.unit.campaign.to_string()),
            ("unit", self.unit.number.to_string()),
            ("index", index.to_string()),
            ("mode", "incremental".to_string()),
            ("checks-made", checks.to_string()),
            ("declared", declared.to_string()),
            ("assignment-used", self.source.to_string()),
        ];
        list.extend(PARAMETERS.settings(&self.config));
        list
    }
}

/// Overrides the base assignment by the values of a part. A value valid in its own model is valid in this one.
fn overlay(store: &Store, model: &mut Model, part: &Model) {
    for (sort, elements) in part.universes() {
        model.set_universe(sort, elements);
    }
    for f in part.symbols() {
        let _ = match part.interpretation(f) {
            Some(Interpretation::Value(value)) => model.assign(store, f, value.clone()),
            Some(Interpretation::Table(table)) => model.assign_table(store, f, table.clone()),
            Some(Interpretation::Body { params, body }) => model.assign_body(store, f, params.clone(), *body),
            None => Ok(()),
        };
    }
}
