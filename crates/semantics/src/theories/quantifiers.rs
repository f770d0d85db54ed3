//! Quantifiers by enumeration of finite domains, with an early end; and the tables of lambdas and functions.

use crate::cardinality::Cardinality;
use crate::eval::Evaluator;
use crate::frame::{BodyPurpose, ENTER, Enumeration, RETURN, Range, TermTask, ValueSlot, WalkGoal};
use crate::guard::guard;
use crate::unknown::{Unknown, UnknownReason};
use crate::value::Value;
use smtlib::{Kind, SortId, Store, Symbol, TermId};
use std::sync::Arc;

/// Sorts with at most this many elements are enumerated without looking for a guard.
const SMALL_SORT: u64 = 8;

/// Variables with the values they take.
type Ranges = Box<[(Symbol, Range)]>;

impl Evaluator {
    /// Begins a quantifier.
    ///
    /// Over a domain that is not enumerated, single instances may decide it: see [`instances`](super::instances).
    pub(crate) fn quantifier(&mut self, store: &Store, t: TermId) -> Result<(), Unknown> {
        let (Some(binder), Some(&body)) = (store.op(t).binder(), store.args(t).first()) else {
            self.set_unknown(t, UnknownReason::IllSorted);
            return Ok(());
        };
        let variables = &store.binder(binder).vars;
        let exists = store.kind(t) == Kind::Exists;
        match self.ranges(store, variables, body, exists) {
            Some(ranges) => self.enumerate(store, t, WalkGoal::Decide(exists), ranges, body),
            None => self.search(store, t, exists, variables, body),
        }
    }

    /// Returns the values of a quantifier's variables, if together they can be enumerated: those of their sorts, or those
    /// to which a guard in the body confines them.
    ///
    /// Values outside a guard decide nothing: there the body of `exists` is false, and that of `forall` true.
    pub(crate) fn ranges(
        &mut self,
        store: &Store,
        variables: &[(Symbol, SortId)],
        body: TermId,
        exists: bool,
    ) -> Option<Ranges> {
        let limit = self.limits.domain;
        together(limit, variables.iter().map(|&v| Some((v.0, self.range(store, v, body, exists)?))))
    }

    fn range(&mut self, store: &Store, variable: (Symbol, SortId), body: TermId, exists: bool) -> Option<Range> {
        let (name, sort) = variable;
        match self.domains(store).cardinality(sort) {
            Cardinality::Finite(n) if n <= SMALL_SORT => Some(Range::Sort(sort, n)),
            size => match (self.guarded(store, body, exists, name, sort), size) {
                (Some(values), Cardinality::Finite(n)) if n <= values.len() as u64 => Some(Range::Sort(sort, n)),
                (Some(values), _) => Some(Range::Listed(values)),
                (None, Cardinality::Finite(n)) => Some(Range::Sort(sort, n)),
                (None, _) => None,
            },
        }
    }

    /// Returns the values to which a quantifier's body confines one of its variables.
    fn guarded(
        &mut self,
        store: &Store,
        body: TermId,
        exists: bool,
        name: Symbol,
        sort: SortId,
    ) -> Option<Arc<[Value]>> {
        // A variable that is not in the store occurs in no body, and nothing confines it.
        let variable = store.known_variable(name, sort)?;
        let of_body = self.guards.entry((body, variable, exists));
        of_body.or_insert_with(|| guard(store, body, exists, variable).map(Arc::from)).clone()
    }

    /// Returns the elements of the variables' sorts, if all of them together can be enumerated.
    pub(crate) fn sorts_ranges(&self, store: &Store, variables: &[(Symbol, SortId)]) -> Option<Ranges> {
        let domains = self.domains(store);
        let range = |&(name, sort): &(Symbol, SortId)| match domains.cardinality(sort) {
            Cardinality::Finite(n) => Some((name, Range::Sort(sort, n))),
            _ => None,
        };
        together(self.limits.domain, variables.iter().map(range))
    }

    /// Begins a walk through all values of `variables`.
    pub(crate) fn enumerate(
        &mut self,
        store: &Store,
        t: TermId,
        goal: WalkGoal,
        variables: Ranges,
        body: TermId,
    ) -> Result<(), Unknown> {
        if let WalkGoal::Decide(by) = goal
            && variables.iter().any(|(_, range)| range.len() == 0)
        {
            self.set_value(t, Value::Bool(!by));
            return Ok(());
        }
        let mut added = Vec::with_capacity(variables.len());
        for (name, range) in &variables {
            match range.nth(&self.domains(store), 0) {
                Some(value) => added.push((*name, ValueSlot::Known(value))),
                None => {
                    self.set_unknown(t, UnknownReason::Domain);
                    return Ok(());
                }
            }
        }
        let enumeration = Enumeration {
            goal,
            position: vec![0; variables.len()].into(),
            variables,
            unknown: None,
            values: Vec::new(),
        };
        self.activate(store, t, body, added, BodyPurpose::Enumerate(Box::new(enumeration)))
    }

    /// Resumes a walk after the body has been evaluated for one position.
    pub(crate) fn continue_walk(&mut self, store: &Store, t: TermId, outcome: ValueSlot) -> Result<(), Unknown> {
        let Some(mut frame) = self.frames.pop() else { return Ok(()) };
        let BodyPurpose::Enumerate(walk) = &mut frame.purpose else { return Ok(()) };
        let mut decided = None;
        match (walk.goal, outcome) {
            (WalkGoal::Decide(by), ValueSlot::Known(Value::Bool(b))) if b == by => {
                decided = Some(ValueSlot::Known(Value::Bool(by)))
            }
            (WalkGoal::Decide(_), ValueSlot::Known(_)) => {}
            (WalkGoal::Table, ValueSlot::Known(v)) => walk.values.push(v),
            (WalkGoal::Decide(_), ValueSlot::Unknown(u)) => walk.unknown = walk.unknown.or(Some(u)),
            (WalkGoal::Table, ValueSlot::Unknown(u)) => decided = Some(ValueSlot::Unknown(u)),
            (_, ValueSlot::Empty) => {
                decided = Some(ValueSlot::Unknown(Unknown { term: t, reason: UnknownReason::Steps }))
            }
        }
        if decided.is_none() {
            // The next position, like an odometer.
            let mut at = walk.position.len();
            while at > 0 {
                at -= 1;
                walk.position[at] += 1;
                if walk.position[at] < walk.variables[at].1.len() {
                    break;
                }
                walk.position[at] = 0;
                if at == 0 {
                    decided = Some(self.end_of_walk(store, t, walk));
                }
            }
            for n in at..walk.position.len() {
                match walk.variables[n].1.nth(&self.domains(store), walk.position[n]) {
                    // The variables walked through are the last of the environment.
                    Some(value) => {
                        let first = frame.environment.len() - walk.variables.len();
                        frame.environment[first + n].1 = ValueSlot::Known(value);
                    }
                    None => decided = Some(ValueSlot::Unknown(Unknown { term: t, reason: UnknownReason::Domain })),
                }
            }
        }
        match (decided, frame.body) {
            (None, Some(body)) => {
                frame.memo.clear();
                self.frames.push(frame);
                self.tasks.push(TermTask { term: t, step: RETURN });
                self.tasks.push(TermTask { term: body, step: ENTER });
            }
            (slot, _) => {
                self.recycle(frame);
                self.set(t, slot.unwrap_or_default());
            }
        }
        Ok(())
    }

    fn end_of_walk(&self, store: &Store, t: TermId, walk: &mut Enumeration) -> ValueSlot {
        match (walk.goal, walk.unknown) {
            (WalkGoal::Decide(_), Some(u)) => ValueSlot::Unknown(u),
            (WalkGoal::Decide(by), None) => ValueSlot::Known(Value::Bool(!by)),
            (WalkGoal::Table, _) => {
                let values = std::mem::take(&mut walk.values);
                match self.nested_table(store, store.sort(t), walk.variables.len(), values) {
                    Ok(v) => ValueSlot::Known(v),
                    Err(reason) => ValueSlot::Unknown(Unknown { term: t, reason }),
                }
            }
        }
    }
}

/// Returns the ranges, if there are no more than `limit` combinations of their values.
fn together(limit: u64, ranges: impl Iterator<Item = Option<(Symbol, Range)>>) -> Option<Ranges> {
    let mut total = 1u64;
    let counted = ranges.map(|variable| {
        let (name, range) = variable?;
        total = total.checked_mul(range.len()).filter(|&n| n <= limit)?;
        Some((name, range))
    });
    counted.collect()
}
