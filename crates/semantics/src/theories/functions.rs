//! Function symbols, definitions and activations.

use crate::eval::Evaluator;
use crate::frame::{BodyPurpose, ENTER, RETURN, TermTask, ValueSlot};
use crate::model::{FunctionTable, Interpretation};
use crate::open::OpenPoint;
use crate::totality::Recursion;
use crate::unknown::{Unknown, UnknownReason};
use crate::value::Value;
use smtlib::{FuncBody, FuncId, Store, Symbol, TermId};
use std::sync::Arc;

/// How a function's value on arguments is found.
pub(super) enum Meaning {
    Value(Value),
    Table,
    Body(Arc<[Symbol]>, TermId),
}

impl Evaluator {
    /// Returns the interpretation of a function symbol: its definition, or the model's.
    pub(super) fn meaning(&mut self, store: &Store, f: FuncId) -> Result<Meaning, UnknownReason> {
        match &store.func(f).body {
            _ if self.recursion.is_symbol(store, f) => match self.model.interpretation(f) {
                None => Err(UnknownReason::Unassigned),
                Some(Interpretation::Value(v)) => Ok(Meaning::Value(v.clone())),
                Some(Interpretation::Table(_)) => Ok(Meaning::Table),
                Some(Interpretation::Body { params, body }) => Ok(Meaning::Body(params[..].into(), *body)),
            },
            FuncBody::Declared | FuncBody::Relation => Err(UnknownReason::Unassigned),
            FuncBody::Defined { vars, body } => Ok(Meaning::Body(vars[..].into(), *body)),
            FuncBody::Recursive { vars, body } => {
                if !matches!(self.recursion, Recursion::Unfolded) && !self.totality.is_total(store, f) {
                    return Err(UnknownReason::NotTotal);
                }
                Ok(Meaning::Body(vars[..].into(), *body))
            }
        }
    }

    /// Applies a function symbol to arguments that have been evaluated.
    pub(crate) fn call_symbol(&mut self, store: &Store, t: TermId) -> Result<(), Unknown> {
        let args = store.args(t);
        let Some(f) = store.applied(t) else {
            self.set_unknown(t, UnknownReason::IllSorted);
            return Ok(());
        };
        let func = store.func(f);
        if func.result != store.sort(t) || args.iter().zip(&func.params).any(|(&a, &p)| store.sort(a) != p) {
            self.set_unknown(t, UnknownReason::Parametric);
            return Ok(());
        }
        let meaning = match self.meaning(store, f) {
            Ok(meaning) => meaning,
            Err(reason) => {
                if reason != UnknownReason::Unassigned || !self.notes_open_points() {
                    self.set_unknown(t, reason);
                } else if let Some(unknown) = self.first_unknown(args) {
                    // Its arguments' open points come first.
                    self.set(t, ValueSlot::Unknown(unknown));
                } else {
                    self.gather(args);
                    self.note_open(t, OpenPoint::Symbol(f, self.scratch.as_slice().into()));
                    self.set_unknown(t, reason);
                }
                return Ok(());
            }
        };
        let unknown = self.first_unknown(args);
        match meaning {
            Meaning::Value(v) => self.set_value(t, v),
            Meaning::Table => {
                let slot = match unknown {
                    None => {
                        self.gather(args);
                        let found = self.table(f).and_then(|table| table.get(&self.scratch)).cloned();
                        if found.is_none() && self.notes_open_points() {
                            self.note_open(t, OpenPoint::Symbol(f, self.scratch.as_slice().into()));
                        }
                        found.map_or(
                            ValueSlot::Unknown(Unknown { term: t, reason: UnknownReason::OutsideTable }),
                            ValueSlot::Known,
                        )
                    }
                    // A table without rows is constant.
                    Some(unknown) => {
                        let default =
                            self.table(f).filter(|table| table.is_empty()).and_then(FunctionTable::default_value);
                        default.cloned().map_or(ValueSlot::Unknown(unknown), ValueSlot::Known)
                    }
                };
                self.set(t, slot);
            }
            // A recursion is unfolded for known arguments only.
            Meaning::Body(..) if unknown.is_some() && matches!(func.body, FuncBody::Recursive { .. }) => {
                self.set(t, unknown.map_or(ValueSlot::Empty, ValueSlot::Unknown));
            }
            Meaning::Body(params, body) => {
                let slots: Vec<ValueSlot> = args.iter().map(|&a| self.slot(a).clone()).collect();
                return self.call(t, f, &params, body, slots);
            }
        }
        Ok(())
    }

    pub(super) fn table(&self, f: FuncId) -> Option<&FunctionTable> {
        match self.model.interpretation(f) {
            Some(Interpretation::Table(table)) => Some(table),
            _ => None,
        }
    }

    /// Copies known arguments into the scratch vector.
    fn gather(&mut self, args: &[TermId]) {
        let mut scratch = std::mem::take(&mut self.scratch);
        scratch.clear();
        scratch.extend(args.iter().filter_map(|&a| self.slot(a).value().cloned()));
        self.scratch = scratch;
    }

    /// Begins the call of a function given by a body, or takes its memoised result.
    fn call(
        &mut self,
        t: TermId,
        f: FuncId,
        params: &[Symbol],
        body: TermId,
        args: Vec<ValueSlot>,
    ) -> Result<(), Unknown> {
        let key: Option<Box<[Value]>> = args.iter().map(|s| s.value().cloned()).collect();
        let purpose = match key.filter(|k| !k.is_empty()) {
            None => BodyPurpose::Result,
            Some(key) => {
                if let Some(slot) = self.calls.get(&f).and_then(|c| c.get(&key)) {
                    let slot = slot.clone();
                    self.set(t, slot);
                    return Ok(());
                }
                BodyPurpose::Call(f, key)
            }
        };
        let environment = params.iter().copied().zip(args).collect();
        self.activate_alone(t, body, environment, purpose)
    }

    /// Evaluates `body` under the surrounding variables that are free in `t`, and those `added`.
    pub(crate) fn activate(
        &mut self,
        store: &Store,
        t: TermId,
        body: TermId,
        added: Vec<(Symbol, ValueSlot)>,
        purpose: BodyPurpose,
    ) -> Result<(), Unknown> {
        let mut environment = Vec::new();
        if self.is_open(store, t) && !self.frames.is_empty() {
            let names = self.free_names(store, t);
            self.charge(t, names.len() as u64)?;
            for &name in names.iter() {
                environment.extend(self.frames.last().and_then(|f| f.lookup(name)).map(|slot| (name, slot.clone())));
            }
        }
        let around = environment.len();
        environment.extend(added);
        self.activate_alone(t, body, environment, purpose)?;
        if let Some(frame) = self.frames.last_mut() {
            frame.around = around;
        }
        Ok(())
    }

    /// Evaluates `body` under exactly these variables.
    pub(crate) fn activate_alone(
        &mut self,
        t: TermId,
        body: TermId,
        environment: Vec<(Symbol, ValueSlot)>,
        purpose: BodyPurpose,
    ) -> Result<(), Unknown> {
        if self.frames.len() >= self.limits.nesting {
            return Err(Unknown { term: t, reason: UnknownReason::Nesting });
        }
        self.charge(t, 8 * environment.len() as u64)?;
        let mut frame = self.spare_frame();
        frame.environment.extend(environment);
        frame.body = Some(body);
        frame.purpose = purpose;
        self.frames.push(frame);
        self.tasks.push(TermTask { term: t, step: RETURN });
        self.tasks.push(TermTask { term: body, step: ENTER });
        Ok(())
    }

    /// The body of the topmost activation, which belongs to `t`, is evaluated.
    pub(crate) fn finish_activation(&mut self, store: &Store, t: TermId) -> Result<(), Unknown> {
        let Some(body) = self.frames.last().and_then(|f| f.body) else { return Ok(()) };
        let mut outcome = self.slot(body).clone();
        if let Some(BodyPurpose::Traverse(_)) = self.frames.last().map(|f| &f.purpose) {
            let Some(mut frame) = self.frames.pop() else { return Ok(()) };
            let purpose = std::mem::take(&mut frame.purpose);
            self.recycle(frame);
            let BodyPurpose::Traverse(walk) = purpose else { return Ok(()) };
            return self.continue_traversal(store, t, walk, outcome);
        }
        if let ValueSlot::Known(value @ Value::Map(_)) = outcome {
            outcome = ValueSlot::Known(value.at_sort(store, store.sort(t)));
        }
        if let Some(BodyPurpose::Enumerate(_)) = self.frames.last().map(|f| &f.purpose) {
            return self.continue_walk(store, t, outcome);
        }
        if let Some(BodyPurpose::Search(_)) = self.frames.last().map(|f| &f.purpose) {
            return self.continue_search(store, t, outcome);
        }
        let Some(mut frame) = self.frames.pop() else { return Ok(()) };
        if let BodyPurpose::Call(f, key) = std::mem::take(&mut frame.purpose) {
            if self.calls_kept >= self.limits.call_memo {
                self.calls.clear();
                self.calls_kept = 0;
            }
            self.calls_kept += 1;
            self.calls.entry(f).or_default().insert(key, outcome.clone());
        }
        self.recycle(frame);
        self.set(t, outcome);
        Ok(())
    }
}
