//! The evaluator: exact, three-valued, memoised over the term graph, and iterative.

mod apply;
mod equality;
mod open_points;

use crate::domain::Domains;
use crate::frame::{Activation, ENTER, Openness, READY, RETURN, TermSlots, TermTask, ValueSlot};
use crate::limits::EvalLimits;
use crate::meter::{Meter, Stop};
use crate::model::Model;
use crate::strings::{RegexStore, WorkBudget};
use crate::totality::{Recursion, Totality};
use crate::unknown::{Unknown, UnknownReason};
use crate::value::Value;
use dashu_int::IBig;
use open_points::OpenPoints;
use rustc_hash::FxHashMap;
use smtlib::free_vars::FreeVars;
use smtlib::term::HAS_VARIABLE;
use smtlib::{Constant, FuncId, Kind, SortId, Store, TermId};
use std::sync::Arc;

/// Values of terms under one model, memoised by term.
///
/// All calls must use the same store, which may grow in between: terms never change, so the memo stays valid.
///
/// Invariant: the evaluator never guesses. A value it gives is the term's value in every interpretation of the theories
/// that agrees with the model.
pub struct Evaluator {
    pub(crate) model: Arc<Model>,
    pub(crate) limits: EvalLimits,
    pub(crate) memo: TermSlots,
    free: FreeVars,
    pub(crate) tasks: Vec<TermTask>,
    pub(crate) frames: Vec<Activation>,
    spare: Vec<Activation>,
    pub(crate) scratch: Vec<Value>,
    pub(crate) calls: FxHashMap<FuncId, FxHashMap<Box<[Value]>, ValueSlot>>,
    pub(crate) calls_kept: usize,
    pub(crate) totality: Totality,
    /// How to read functions that are not proven total.
    pub(crate) recursion: Recursion,
    pub(crate) regexes: RegexStore,
    work: WorkBudget,
    stop: Stop,
    pub(crate) meter: Meter,
    pub(crate) steps_left: u64,
    /// Steps taken by all evaluations so far.
    steps_taken: u64,
    /// The rest of [`EvalLimits::life`].
    life_left: u64,
    pub(crate) instances_left: u64,
    /// Steps that instances of quantifiers may still take.
    pub(crate) search_steps: u64,
    /// Values of a sort that occur in the model.
    pub(crate) occurring: FxHashMap<SortId, Arc<[Value]>>,
    /// The open points found; `None` unless requested.
    points: Option<OpenPoints>,
    /// The values to which quantifier bodies confine variables, by body, variable and the body's truth value.
    pub(crate) guards: Guards,
}

/// The values of guards already computed.
type Guards = FxHashMap<(TermId, TermId, bool), Option<Arc<[Value]>>>;

/// The clock is read once in this many steps, a power of two.
const STRIDE: u64 = 64;

impl Evaluator {
    /// Makes an evaluator under a model.
    pub fn new(model: impl Into<Arc<Model>>, limits: EvalLimits) -> Evaluator {
        Evaluator {
            model: model.into(),
            limits,
            memo: TermSlots::default(),
            free: FreeVars::default(),
            tasks: Vec::new(),
            frames: Vec::new(),
            spare: Vec::new(),
            scratch: Vec::new(),
            calls: FxHashMap::default(),
            calls_kept: 0,
            totality: Totality::default(),
            recursion: Recursion::default(),
            regexes: RegexStore::new(),
            work: WorkBudget::new(limits.regex_steps),
            stop: Stop::default(),
            meter: Meter::new(Stop::default(), limits.memory),
            steps_left: limits.steps,
            steps_taken: 0,
            life_left: limits.life,
            instances_left: limits.instances,
            search_steps: limits.steps / 2,
            occurring: FxHashMap::default(),
            points: None,
            guards: FxHashMap::default(),
        }
    }

    /// Adds a clock: once time is up, terms are unknown for [`UnknownReason::Stopped`], and nothing new is
    /// memoised.
    pub fn heeding(mut self, stop: &Stop) -> Evaluator {
        self.stop = stop.clone();
        self.meter = Meter::new(stop.clone(), self.limits.memory);
        self
    }

    /// Sets another reading of recursive functions that are not proven total.
    pub(crate) fn reading(mut self, recursion: &Recursion) -> Evaluator {
        self.recursion = recursion.clone();
        self
    }

    /// Returns the limits it was made with.
    pub fn limits(&self) -> EvalLimits {
        self.limits
    }

    /// Returns the stop condition.
    pub fn stop(&self) -> &Stop {
        &self.stop
    }

    /// Returns the model.
    pub fn model(&self) -> &Arc<Model> {
        &self.model
    }

    /// Returns the value of a term.
    /// Errors: [`Unknown`] names the innermost term whose value is not known, and why.
    pub fn eval(&mut self, store: &Store, t: TermId) -> Result<Value, Unknown> {
        self.fill(store, t)?;
        match self.memo.value(t) {
            ValueSlot::Known(value) => Ok(value.clone()),
            ValueSlot::Unknown(unknown) => Err(*unknown),
            ValueSlot::Empty => Err(Unknown { term: t, reason: UnknownReason::Steps }),
        }
    }

    /// Returns the truth value of a Boolean term, or none if it is not known.
    pub fn truth(&mut self, store: &Store, t: TermId) -> Option<bool> {
        self.fill(store, t).ok()?;
        self.memo.value(t).truth()
    }

    /// Returns a term's memoised value, without evaluating it.
    pub fn remembered(&self, t: TermId) -> Option<Result<&Value, Unknown>> {
        match self.memo.value(t) {
            ValueSlot::Empty => None,
            ValueSlot::Known(v) => Some(Ok(v)),
            ValueSlot::Unknown(u) => Some(Err(*u)),
        }
    }

    /// Fills the memo at `t`. An error means that a bound was reached; unfinished terms are not memoised then.
    fn fill(&mut self, store: &Store, t: TermId) -> Result<(), Unknown> {
        if self.memo.value(t).is_filled() {
            return Ok(());
        }
        // There may be many evaluations that are too short to read the clock.
        self.meter.tick().map_err(|exhausted| Unknown { term: t, reason: exhausted.into() })?;
        let steps = self.limits.steps.min(self.life_left);
        let regex_steps = self.limits.regex_steps.min(self.life_left);
        self.steps_left = steps;
        self.instances_left = self.limits.instances;
        self.search_steps = steps / 2;
        self.work = WorkBudget::new(regex_steps).heeding(&self.stop);
        self.tasks.push(TermTask { term: t, step: ENTER });
        let filled = self.work_off(store);
        let taken = steps - self.steps_left;
        self.steps_taken = self.steps_taken.saturating_add(taken);
        self.life_left = self.life_left.saturating_sub(taken).saturating_sub(regex_steps - self.work.remaining());
        filled
    }

    /// Runs tasks until none is left.
    fn work_off(&mut self, store: &Store) -> Result<(), Unknown> {
        while let Some(task) = self.tasks.pop() {
            if let Err(unknown) = self.step(store, task)
                && (unknown.reason == UnknownReason::Stopped || !self.abandon_search(unknown))
            {
                self.tasks.clear();
                self.frames.clear();
                return Err(unknown);
            }
        }
        Ok(())
    }

    fn step(&mut self, store: &Store, task: TermTask) -> Result<(), Unknown> {
        let t = task.term;
        self.charge(t, 1)?;
        match task.step {
            ENTER => self.enter(store, t),
            READY => self.apply(store, t),
            RETURN => self.finish_activation(store, t),
            done => self.resume(store, t, done),
        }
    }

    #[cold]
    fn heed_clock(&self, t: TermId) -> Result<(), Unknown> {
        self.stop.check().map_err(|exhausted| Unknown { term: t, reason: exhausted.into() })
    }

    /// Returns the steps that all calls so far have taken; see [`EvalLimits::steps`].
    pub fn steps_taken(&self) -> u64 {
        self.steps_taken
    }

    /// Charges steps, or ends the evaluation.
    #[inline]
    pub(crate) fn charge(&mut self, t: TermId, steps: u64) -> Result<(), Unknown> {
        match self.steps_left.checked_sub(steps) {
            Some(left) => {
                let is_due = self.steps_left ^ left >= STRIDE;
                self.steps_left = left;
                if is_due { self.heed_clock(t) } else { Ok(()) }
            }
            None => Err(Unknown { term: t, reason: UnknownReason::Steps }),
        }
    }
}

/// Slots.
impl Evaluator {
    /// Whether a variable is free in `t`, so that its value belongs to an activation.
    pub(crate) fn is_open(&mut self, store: &Store, t: TermId) -> bool {
        if store.flags(t) & HAS_VARIABLE == 0 {
            return false;
        }
        let cached = self.memo.openness(t);
        if cached != Openness::NotComputed {
            return cached == Openness::Open;
        }
        let open = !self.free.is_closed(store, t);
        self.memo.set_openness(t, if open { Openness::Open } else { Openness::Closed });
        open
    }

    /// Returns the names free in `t`.
    pub(crate) fn free_names(&mut self, store: &Store, t: TermId) -> std::rc::Rc<[smtlib::Symbol]> {
        self.free.of(store, t)
    }

    /// Whether a variable with this name is free in `t`.
    pub(crate) fn mentions(&mut self, store: &Store, t: TermId, name: smtlib::Symbol) -> bool {
        self.free.contains(store, t, name)
    }

    /// Returns the slot of a term in the topmost activation. The openness of the term must have been computed before.
    pub(crate) fn slot(&self, t: TermId) -> &ValueSlot {
        self.memo.slot(self.frames.last(), t)
    }

    pub(crate) fn is_filled(&mut self, store: &Store, t: TermId) -> bool {
        if !self.frames.is_empty() {
            self.is_open(store, t);
        }
        self.slot(t).is_filled()
    }

    pub(crate) fn set(&mut self, t: TermId, slot: ValueSlot) {
        match self.frames.last_mut() {
            Some(frame) if self.memo.openness(t) == Openness::Open => {
                frame.memo.insert(t, slot);
            }
            _ => self.memo.set_value(t, slot),
        }
    }

    pub(crate) fn set_value(&mut self, t: TermId, value: Value) {
        self.set(t, ValueSlot::Known(value));
    }

    pub(crate) fn set_unknown(&mut self, t: TermId, reason: UnknownReason) {
        self.set(t, ValueSlot::Unknown(Unknown { term: t, reason }));
    }

    pub(crate) fn set_result(&mut self, t: TermId, result: Result<Value, UnknownReason>) {
        match result {
            Ok(value) => self.set_value(t, value),
            Err(reason) => self.set_unknown(t, reason),
        }
    }

    /// Evaluates `children` and then resumes `t` at `step`.
    pub(crate) fn after(&mut self, store: &Store, t: TermId, step: u32, children: &[TermId]) {
        self.tasks.push(TermTask { term: t, step });
        for &child in children.iter().rev() {
            if !self.is_filled(store, child) {
                self.tasks.push(TermTask { term: child, step: ENTER });
            }
        }
    }

    pub(crate) fn spare_frame(&mut self) -> Activation {
        self.spare.pop().unwrap_or_default()
    }

    pub(crate) fn recycle(&mut self, mut frame: Activation) {
        frame.clear();
        self.spare.push(frame);
    }

    pub(crate) fn domains<'a>(&'a self, store: &'a Store) -> Domains<'a> {
        Domains { store, model: &self.model }
    }
}

/// One term after the other.
impl Evaluator {
    fn enter(&mut self, store: &Store, t: TermId) -> Result<(), Unknown> {
        if self.is_filled(store, t) {
            return Ok(());
        }
        let args = store.args(t);
        match store.kind(t) {
            Kind::Constant => self.set_result(t, literal(store, t)),
            Kind::Variable => {
                // Own variables are searched one by one.
                let own = self.frames.last().map_or(0, |f| f.environment.len() - f.around);
                self.charge(t, own as u64 / STRIDE)?;
                let bound = store.variable(t).and_then(|name| self.frames.last().and_then(|f| f.lookup(name)));
                match bound.cloned() {
                    Some(slot) => self.set(t, slot),
                    None => self.set_unknown(t, UnknownReason::FreeVariable),
                }
            }
            Kind::And | Kind::Or | Kind::Implies | Kind::Ite | Kind::Match => match args.first() {
                Some(&first) => self.after(store, t, 1, &[first]),
                None => self.set_unknown(t, UnknownReason::IllSorted),
            },
            Kind::Forall | Kind::Exists => self.quantifier(store, t)?,
            Kind::Lambda => self.lambda(store, t)?,
            Kind::AsArray | Kind::FuncValue => self.function_value(store, t)?,
            Kind::ArrayStore => self.enter_stores(store, t)?,
            _ => {
                let ready = self.tasks.len();
                self.after(store, t, READY, args);
                if self.tasks.len() == ready + 1 {
                    self.tasks.pop();
                    return self.apply(store, t);
                }
            }
        }
        Ok(())
    }

    /// Continues a lazy operator, `done` of whose children have been evaluated.
    fn resume(&mut self, store: &Store, t: TermId, done: u32) -> Result<(), Unknown> {
        let args = store.args(t);
        let kind = store.kind(t);
        let latest = args.get(done as usize - 1).and_then(|&a| self.slot(a).truth());
        match kind {
            Kind::And | Kind::Or | Kind::Implies => {
                let last = done as usize == args.len();
                let decides = match kind {
                    Kind::And => latest == Some(false),
                    Kind::Or => latest == Some(true),
                    _ => latest == Some(last),
                };
                if decides {
                    self.set_value(t, Value::Bool(kind != Kind::And));
                } else if !last {
                    self.after(store, t, done + 1, &[args[done as usize]]);
                } else {
                    match self.first_unknown(args) {
                        Some(unknown) => self.set(t, ValueSlot::Unknown(unknown)),
                        None => self.set_value(t, Value::Bool(kind == Kind::And)),
                    }
                }
                Ok(())
            }
            Kind::Ite => {
                self.resume_ite(store, t, done);
                Ok(())
            }
            Kind::Match => self.resume_match(store, t),
            _ => {
                self.set_unknown(t, UnknownReason::Opaque);
                Ok(())
            }
        }
    }

    /// `ite`: step 1 after the condition, 2 and 3 after the branch it chose, 4 after both when it is unknown.
    fn resume_ite(&mut self, store: &Store, t: TermId, step: u32) {
        let &[condition, then, otherwise] = store.args(t) else {
            return self.set_unknown(t, UnknownReason::IllSorted);
        };
        match step {
            1 => match self.slot(condition).truth() {
                Some(true) => self.after(store, t, 2, &[then]),
                Some(false) => self.after(store, t, 3, &[otherwise]),
                None => self.after(store, t, 4, &[then, otherwise]),
            },
            2 | 3 => {
                let slot = self.slot(if step == 2 { then } else { otherwise }).clone();
                self.set(t, slot);
            }
            _ => {
                let same = match (self.slot(then).value(), self.slot(otherwise).value()) {
                    (Some(a), Some(b)) if a.same(b) == Some(true) => Some(a.clone()),
                    _ => None,
                };
                match same {
                    Some(value) => self.set_value(t, value),
                    None => {
                        let slot = self.slot(condition).clone();
                        self.set(t, slot);
                    }
                }
            }
        }
    }

    pub(crate) fn first_unknown(&self, args: &[TermId]) -> Option<Unknown> {
        args.iter().find_map(|&a| match self.slot(a) {
            ValueSlot::Known(_) => None,
            ValueSlot::Unknown(u) => Some(*u),
            ValueSlot::Empty => Some(Unknown { term: a, reason: UnknownReason::Steps }),
        })
    }
}

fn literal(store: &Store, t: TermId) -> Result<Value, UnknownReason> {
    match store.constant(t) {
        Some(Constant::Int(n)) => Ok(Value::Int(IBig::from(n.clone()))),
        Some(Constant::Real(r)) => Ok(Value::real(r.clone())),
        Some(Constant::BitVec { width, value }) => Ok(Value::BitVec { width: *width, value: value.clone() }),
        Some(Constant::FieldElement { order, value }) => {
            Ok(Value::FieldElement { order: order.clone(), value: value.clone() })
        }
        Some(Constant::String(points)) => Ok(Value::String(crate::strings::SmtString::new(points)?)),
        None => Err(UnknownReason::Opaque),
    }
}
