//! Quantifiers over domains that are not enumerated, decided by single instances.
//!
//! One false instance makes `forall` false and one true instance makes `exists` true, whatever the rest of the domain.
//! The body is evaluated first with every variable unknown (its value then is the quantifier's, since no domain is
//! empty), then with values that occur in the body and in the model, their neighbours, and a few special ones. A variable
//! may also stay unknown, so that an instance of some variables can decide for all values of the others.

use crate::array::Base;
use crate::cardinality::Cardinality;
use crate::eval::Evaluator;
use crate::frame::{BodyPurpose, ENTER, InstanceSearch, RETURN, TermTask, ValueSlot, WalkGoal};
use crate::model::Interpretation;
use crate::unknown::{Unknown, UnknownReason};
use crate::value::Value;
use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;
use rustc_hash::FxHashSet;
use smtlib::{Sort, SortId, Store, Symbol, TermId};
use std::sync::Arc;

/// The maximum number of instances tried of one quantifier.
const MAX_INSTANCES: usize = 512;

/// The maximum number of values tried for one variable.
const MAX_SAMPLES: usize = 64;

/// The maximum number of terms of a body that are searched for values.
const MAX_TERMS: usize = 4096;

/// The maximum number of values of one sort taken from the model.
const MAX_OCCURRING: usize = 256;

impl Evaluator {
    /// Begins the search for an instance that decides a quantifier.
    pub(crate) fn search(
        &mut self,
        store: &Store,
        t: TermId,
        by: bool,
        variables: &[(Symbol, SortId)],
        body: TermId,
    ) -> Result<(), Unknown> {
        let unknown = ValueSlot::Unknown(Unknown { term: t, reason: UnknownReason::Domain });
        let added = variables.iter().map(|v| (v.0, unknown.clone())).collect();
        let search = InstanceSearch {
            term: t,
            by,
            variables: variables.into(),
            samples: None,
            position: vec![0; variables.len()].into(),
            left: MAX_INSTANCES as u64,
            tasks: self.tasks.len(),
            reserve: 0,
            allowed: self.steps_left,
        };
        self.activate(store, t, body, added, BodyPurpose::Search(Box::new(search)))
    }

    /// Resumes the search after one instance of the body has been evaluated.
    pub(crate) fn continue_search(&mut self, store: &Store, t: TermId, outcome: ValueSlot) -> Result<(), Unknown> {
        let Some(mut frame) = self.frames.pop() else { return Ok(()) };
        let (BodyPurpose::Search(search), Some(body)) = (&mut frame.purpose, frame.body) else { return Ok(()) };
        let all_unknown = search.samples.is_none();
        let decides = match &outcome {
            ValueSlot::Known(Value::Bool(b)) => all_unknown || *b == search.by,
            _ => false,
        };
        if decides {
            self.settle(search);
            self.recycle(frame);
            self.set(t, outcome);
            return Ok(());
        }
        let unknown = ValueSlot::Unknown(Unknown { term: t, reason: UnknownReason::Domain });
        if all_unknown {
            if let Some(ranges) = self.cells(store, &frame.memo, &search.variables, body) {
                let goal = WalkGoal::Decide(search.by);
                self.recycle(frame);
                return self.enumerate(store, t, goal, ranges, body);
            }
            if self.instances_left > 0 {
                search.samples = Some(self.samples(store, &search.variables, body));
            }
            // Instances leave most steps for later work, however many quantifiers there are and however expensive they
            // are.
            search.allowed = (self.steps_left / 2).min(self.search_steps);
            search.reserve = self.steps_left - search.allowed;
            self.steps_left = search.allowed;
        }
        let first = frame.environment.len() - search.variables.len();
        if !self.advance(search) {
            let reason = match outcome {
                ValueSlot::Unknown(_) if all_unknown => outcome,
                _ => unknown,
            };
            self.settle(search);
            self.recycle(frame);
            self.set(t, reason);
            return Ok(());
        }
        if let Some(samples) = &search.samples {
            for ((slot, &number), values) in frame.environment[first..].iter_mut().zip(&search.position).zip(samples) {
                slot.1 = number
                    .checked_sub(1)
                    .and_then(|n| values.get(n))
                    .map_or(unknown.clone(), |v| ValueSlot::Known(v.clone()));
            }
        }
        frame.memo.clear();
        self.frames.push(frame);
        self.tasks.push(TermTask { term: t, step: RETURN });
        self.tasks.push(TermTask { term: body, step: ENTER });
        Ok(())
    }

    /// Returns the reserved steps, and charges those used to the budget of all searches.
    fn settle(&mut self, search: &InstanceSearch) {
        if search.samples.is_some() {
            let used = search.allowed.saturating_sub(self.steps_left);
            self.search_steps = self.search_steps.saturating_sub(used);
        }
        self.steps_left += search.reserve;
    }

    /// Ends the outermost search when a bound is reached inside of it: its quantifier is unknown, and no more instances are
    /// tried. False when there is no search.
    pub(crate) fn abandon_search(&mut self, unknown: Unknown) -> bool {
        let is_search = |frame: &crate::frame::Activation| matches!(frame.purpose, BodyPurpose::Search(_));
        let Some(outermost) = self.frames.iter().position(is_search) else { return false };
        let mut quantifier = None;
        for frame in self.frames.split_off(outermost).into_iter().rev() {
            if let BodyPurpose::Search(search) = frame.purpose {
                self.settle(&search);
                quantifier = Some((search.term, search.tasks));
            }
        }
        let Some((t, tasks)) = quantifier else { return false };
        self.tasks.truncate(tasks);
        self.instances_left = 0;
        self.set(t, ValueSlot::Unknown(unknown));
        true
    }

    /// Moves to the next position like an odometer; false at the end, or when enough has been tried.
    fn advance(&mut self, search: &mut InstanceSearch) -> bool {
        let Some(samples) = &search.samples else { return false };
        if search.left == 0 || self.instances_left == 0 {
            return false;
        }
        search.left -= 1;
        self.instances_left -= 1;
        for (number, values) in search.position.iter_mut().zip(samples) {
            *number += 1;
            if *number <= values.len() {
                return true;
            }
            *number = 0;
        }
        false
    }

    /// Returns the values to try for each variable, likelier ones first: as many as allow all combinations, but at least
    /// two per variable.
    fn samples(&mut self, store: &Store, variables: &[(Symbol, SortId)], body: TermId) -> Box<[Vec<Value>]> {
        let mut most = MAX_SAMPLES;
        while most > 2 && (most + 1).checked_pow(variables.len() as u32).is_none_or(|n| n > MAX_INSTANCES) {
            most -= 1;
        }
        let terms = self.closed_terms(store, body);
        variables
            .iter()
            .map(|v| {
                let mut samples = Samples { seen: FxHashSet::default(), values: Vec::new(), most };
                for &term in &terms {
                    if store.sort(term) == v.1
                        && let Some(Ok(value)) = self.remembered(term)
                    {
                        samples.add(value.clone());
                    }
                }
                for value in self.occurring(store, v.1).iter() {
                    samples.add(value.clone());
                }
                for value in self.special(store, v.1) {
                    samples.add(value);
                }
                let near: Vec<Value> = samples.values.iter().flat_map(neighbours).collect();
                near.into_iter().for_each(|value| samples.add(value));
                samples.values
            })
            .collect()
    }

    /// Returns the subterms whose values are remembered, outer ones first.
    fn closed_terms(&mut self, store: &Store, body: TermId) -> Vec<TermId> {
        let mut seen = FxHashSet::default();
        let mut queue = std::collections::VecDeque::from([body]);
        let mut found = Vec::new();
        while let Some(t) = queue.pop_front() {
            if seen.len() >= MAX_TERMS || !seen.insert(t) {
                continue;
            }
            if matches!(self.remembered(t), Some(Ok(_))) {
                found.push(t);
            }
            queue.extend(store.args(t));
        }
        self.steps_left = self.steps_left.saturating_sub(seen.len() as u64);
        found
    }

    /// Values of a sort that occur in the model.
    fn occurring(&mut self, store: &Store, sort: SortId) -> Arc<[Value]> {
        if let Some(values) = self.occurring.get(&sort) {
            return values.clone();
        }
        let mut samples = Samples { seen: FxHashSet::default(), values: Vec::new(), most: MAX_OCCURRING };
        let mut rows = Vec::new();
        for f in self.model.symbols() {
            match self.model.interpretation(f) {
                Some(Interpretation::Value(value)) => {
                    samples.add_of(store, sort, value);
                    if let Value::Array(a) | Value::Map(a) = value {
                        if let Base::Default(default) = a.base() {
                            rows.push(default.clone());
                        }
                        let some = a.entries().iter().take(MAX_OCCURRING);
                        rows.extend(some.flat_map(|e| [e.0.clone(), e.1.clone()]));
                    }
                    if let Value::Set(set) = value {
                        rows.extend(set.elements().iter().take(MAX_OCCURRING).cloned());
                    }
                    if let Value::Bag(bag) = value {
                        rows.extend(bag.entries().iter().take(MAX_OCCURRING).map(|(element, _)| element.clone()));
                    }
                    if let Value::Datatype(d) = value {
                        rows.extend(d.fields.iter().cloned());
                    }
                    if let Value::Seq(s) = value {
                        rows.extend(s.elements().iter().take(MAX_OCCURRING).cloned());
                    }
                }
                Some(Interpretation::Table(table)) if table.len() <= MAX_TERMS => {
                    for (args, value) in table.rows().into_iter().take(MAX_OCCURRING) {
                        rows.extend(args.iter().cloned());
                        rows.push(value.clone());
                    }
                    rows.extend(table.default_value().cloned());
                }
                _ => {}
            }
            if rows.len() > MAX_TERMS {
                break;
            }
        }
        rows.iter().for_each(|value| samples.add_of(store, sort, value));
        let values: Arc<[Value]> = samples.values.into();
        self.occurring.insert(sort, values.clone());
        values
    }

    /// Values of a sort that are special in its theory.
    fn special(&self, store: &Store, sort: SortId) -> Vec<Value> {
        let domains = self.domains(store);
        let mut values: Vec<Value> = match store.sorts.get(sort) {
            Sort::BitVec(width) => vec![
                Value::bitvec(*width, UBig::ONE),
                Value::bitvec(*width, UBig::ones(*width as usize)),
                Value::bitvec(*width, UBig::ONE << (*width as usize - 1)),
            ],
            Sort::FiniteField(order) => {
                let minus_one = order.get() - UBig::ONE;
                [UBig::ONE, minus_one].map(|value| Value::FieldElement { order: order.clone(), value }).into()
            }
            // An element's number is valid only if the universe is fixed.
            Sort::Uninterpreted(..) if domains.cardinality(sort) == Cardinality::Unknown => return Vec::new(),
            _ => Vec::new(),
        };
        values.extend(domains.any(sort));
        if let Cardinality::Finite(n) = domains.cardinality(sort) {
            values.extend((0..n.min(8)).filter_map(|k| domains.nth(sort, k)));
        }
        values
    }
}

/// Different values in the order found.
struct Samples {
    seen: FxHashSet<Value>,
    values: Vec<Value>,
    most: usize,
}

impl Samples {
    fn add(&mut self, value: Value) {
        // A regular language's number means nothing to another evaluator, but this one made it.
        if self.values.len() < self.most && self.seen.insert(value.clone()) {
            self.values.push(value);
        }
    }

    fn add_of(&mut self, store: &Store, sort: SortId, value: &Value) {
        if self.values.len() < self.most && value.has_sort(store, sort) {
            self.add(value.clone());
        }
    }
}

/// Returns the values next to a number.
fn neighbours(value: &Value) -> Vec<Value> {
    match value {
        Value::Int(n) => vec![Value::Int(n + IBig::ONE), Value::Int(n - IBig::ONE)],
        Value::Real(r) => vec![Value::real(r.as_ref() + RBig::ONE), Value::real(r.as_ref() - RBig::ONE)],
        Value::BitVec { width, value } => {
            let ones = UBig::ones(*width as usize);
            vec![Value::bitvec(*width, value + UBig::ONE), Value::bitvec(*width, value + ones)]
        }
        Value::FieldElement { order, value } => {
            let moved = [value + UBig::ONE, value + order.get() - UBig::ONE];
            moved.map(|value| Value::FieldElement { order: order.clone(), value: value % order.get() }).into()
        }
        _ => Vec::new(),
    }
}
