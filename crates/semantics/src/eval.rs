//! The evaluator: exact, three-valued, memoised over the term graph, and iterative.

use crate::array::Found;
use crate::domain::Domains;
use crate::frame::{ENTER, Frame, READY, RETURN, Slot, Task};
use crate::limits::Limits;
use crate::meter::{Exhausted, Meter, Stop};
use crate::model::Model;
use crate::open::Point;
use crate::strings::{RegexStore, WorkBudget};
use crate::theories::{self, Context};
use crate::totality::Totality;
use crate::unknown::{Reason, Unknown};
use crate::value::Value;
use dashu_int::IBig;
use dashu_int::UBig;
use rustc_hash::FxHashMap;
use smtlib::free_vars::FreeVars;
use smtlib::term::HAS_VARIABLE;
use smtlib::{Constant, FuncId, Kind, Op, SortId, Store, TermId};
use std::sync::Arc;

/// Values of terms under one model, remembered by term.
///
/// All calls must be with the same store, which may have grown in between: terms are never changed, so what is remembered
/// stays true.
///
/// Invariant: the evaluator never guesses. A value it gives is the term's value in every interpretation of the theories
/// that agrees with the model.
pub struct Evaluator {
    pub(crate) model: Arc<Model>,
    pub(crate) limits: Limits,
    pub(crate) memo: Vec<Slot>,
    /// Which terms have free variables: 0 not computed, 1 closed, 2 open.
    openness: Vec<u8>,
    free: FreeVars,
    pub(crate) tasks: Vec<Task>,
    pub(crate) frames: Vec<Frame>,
    spare: Vec<Frame>,
    pub(crate) scratch: Vec<Value>,
    pub(crate) calls: FxHashMap<FuncId, FxHashMap<Box<[Value]>, Slot>>,
    pub(crate) calls_kept: usize,
    pub(crate) totality: Totality,
    pub(crate) regexes: RegexStore,
    work: WorkBudget,
    stop: Stop,
    pub(crate) meter: Meter,
    pub(crate) steps_left: u64,
    pub(crate) instances_left: u64,
    /// Steps that instances of quantifiers may still take.
    pub(crate) search_steps: u64,
    /// Values of a sort that occur in the model.
    pub(crate) occurring: FxHashMap<SortId, Arc<[Value]>>,
    /// The open points met, by the term they keep from having a value; none if nobody asks for them.
    points: Option<FxHashMap<TermId, Point>>,
    /// The values to which bodies of quantifiers confine variables, by body, variable and whether the body is to be true.
    pub(crate) guards: Guards,
}

/// The values of guards already looked for.
type Guards = FxHashMap<(TermId, TermId, bool), Option<Arc<[Value]>>>;

/// Values below this many bytes are not counted.
const SMALL: usize = 64;

const CLOSED: u8 = 1;
const OPEN: u8 = 2;

static EMPTY: Slot = Slot::Empty;
static FILLER: Value = Value::Bool(false);

impl Evaluator {
    /// An evaluator under a model.
    pub fn new(model: impl Into<Arc<Model>>, limits: Limits) -> Evaluator {
        Evaluator {
            model: model.into(),
            limits,
            memo: Vec::new(),
            openness: Vec::new(),
            free: FreeVars::default(),
            tasks: Vec::new(),
            frames: Vec::new(),
            spare: Vec::new(),
            scratch: Vec::new(),
            calls: FxHashMap::default(),
            calls_kept: 0,
            totality: Totality::default(),
            regexes: RegexStore::new(),
            work: WorkBudget::new(limits.regex_steps),
            stop: Stop::default(),
            meter: Meter::new(Stop::default(), limits.memory),
            steps_left: limits.steps,
            instances_left: limits.instances,
            search_steps: limits.steps / 2,
            occurring: FxHashMap::default(),
            points: None,
            guards: FxHashMap::default(),
        }
    }

    /// The same evaluator, which notes the open points it meets: see [`Evaluator::open_point`].
    pub fn noting_open_points(mut self) -> Evaluator {
        self.points = Some(FxHashMap::default());
        self
    }

    /// A point that keeps `term`, which [`Unknown`] blames, from having a value; none if no model can give it one, or no
    /// points are noted.
    pub fn open_point(&self, term: TermId) -> Option<&Point> {
        self.points.as_ref()?.get(&term)
    }

    pub(crate) fn notes_open_points(&self) -> bool {
        self.points.is_some()
    }

    /// Notes, if that is wanted, that `t` has no value before `point` is fixed.
    pub(crate) fn note_open(&mut self, t: TermId, point: Point) {
        if let Some(points) = &mut self.points {
            points.insert(t, point);
        }
    }

    /// The same with a clock: once it is over, terms are unknown for [`Reason::Stopped`], and nothing new is remembered.
    pub fn heeding(mut self, stop: &Stop) -> Evaluator {
        self.stop = stop.clone();
        self.meter = Meter::new(stop.clone(), self.limits.memory);
        self
    }

    /// When it stops.
    pub fn stop(&self) -> &Stop {
        &self.stop
    }

    /// The model.
    pub fn model(&self) -> &Arc<Model> {
        &self.model
    }

    /// The value of a term.
    ///
    /// # Errors
    /// [`Unknown`] names the innermost term whose value is not known, and why.
    pub fn eval(&mut self, store: &Store, t: TermId) -> Result<Value, Unknown> {
        self.fill(store, t)?;
        match &self.memo[t.index()] {
            Slot::Known(value) => Ok(value.clone()),
            Slot::Unknown(unknown) => Err(*unknown),
            Slot::Empty => Err(Unknown { term: t, reason: Reason::Steps }),
        }
    }

    /// The truth value of a Boolean term, or none if it is not known.
    pub fn truth(&mut self, store: &Store, t: TermId) -> Option<bool> {
        self.fill(store, t).ok()?;
        self.memo[t.index()].truth()
    }

    /// What is remembered of a term, without evaluating it.
    pub fn remembered(&self, t: TermId) -> Option<Result<&Value, Unknown>> {
        match self.memo.get(t.index())? {
            Slot::Empty => None,
            Slot::Known(v) => Some(Ok(v)),
            Slot::Unknown(u) => Some(Err(*u)),
        }
    }

    /// Fills the memo at `t`. An error is a bound that was reached, after which nothing is remembered of what was underway.
    fn fill(&mut self, store: &Store, t: TermId) -> Result<(), Unknown> {
        if self.memo.len() < store.len() {
            self.memo.resize(store.len(), Slot::Empty);
            self.openness.resize(store.len(), 0);
        }
        if self.memo[t.index()].is_filled() {
            return Ok(());
        }
        self.steps_left = self.limits.steps;
        self.instances_left = self.limits.instances;
        self.search_steps = self.limits.steps / 2;
        self.work = WorkBudget::new(self.limits.regex_steps).heeding(&self.stop);
        self.tasks.push(Task { term: t, step: ENTER });
        while let Some(task) = self.tasks.pop() {
            if let Err(unknown) = self.step(store, task)
                && (unknown.reason == Reason::Stopped || !self.abandon_search(unknown))
            {
                self.tasks.clear();
                self.frames.clear();
                return Err(unknown);
            }
        }
        Ok(())
    }

    fn step(&mut self, store: &Store, task: Task) -> Result<(), Unknown> {
        let t = task.term;
        self.charge(t, 1)?;
        match task.step {
            ENTER => self.enter(store, t),
            READY => self.apply(store, t),
            RETURN => self.finish_activation(store, t),
            done => self.resume(store, t, done),
        }
    }

    /// Takes steps away, or ends the evaluation.
    pub(crate) fn charge(&mut self, t: TermId, steps: u64) -> Result<(), Unknown> {
        match self.steps_left.checked_sub(steps) {
            Some(left) => {
                self.steps_left = left;
                self.meter.tick().map_err(|exhausted| Unknown { term: t, reason: exhausted.into() })
            }
            None => Err(Unknown { term: t, reason: Reason::Steps }),
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
        let cached = self.openness[t.index()];
        if cached != 0 {
            return cached == OPEN;
        }
        let open = !self.free.of(store, t).is_empty();
        self.openness[t.index()] = if open { OPEN } else { CLOSED };
        open
    }

    /// The names free in `t`.
    pub(crate) fn free_names(&mut self, store: &Store, t: TermId) -> std::rc::Rc<[smtlib::Symbol]> {
        self.free.of(store, t)
    }

    /// The slot of a term in the topmost activation. The openness of the term must have been asked for before.
    pub(crate) fn slot(&self, t: TermId) -> &Slot {
        slot_in(&self.memo, &self.openness, self.frames.last(), t)
    }

    pub(crate) fn is_filled(&mut self, store: &Store, t: TermId) -> bool {
        if !self.frames.is_empty() {
            self.is_open(store, t);
        }
        self.slot(t).is_filled()
    }

    pub(crate) fn set(&mut self, t: TermId, slot: Slot) {
        match self.frames.last_mut() {
            Some(frame) if self.openness[t.index()] == OPEN => {
                frame.memo.insert(t, slot);
            }
            _ => self.memo[t.index()] = slot,
        }
    }

    pub(crate) fn set_value(&mut self, t: TermId, value: Value) {
        self.set(t, Slot::Known(value));
    }

    pub(crate) fn set_unknown(&mut self, t: TermId, reason: Reason) {
        self.set(t, Slot::Unknown(Unknown { term: t, reason }));
    }

    pub(crate) fn set_result(&mut self, t: TermId, result: Result<Value, Reason>) {
        match result {
            Ok(value) => self.set_value(t, value),
            Err(reason) => self.set_unknown(t, reason),
        }
    }

    /// Evaluates `children` and then takes `t` up again at `step`.
    pub(crate) fn after(&mut self, store: &Store, t: TermId, step: u32, children: &[TermId]) {
        self.tasks.push(Task { term: t, step });
        for &child in children.iter().rev() {
            if !self.is_filled(store, child) {
                self.tasks.push(Task { term: child, step: ENTER });
            }
        }
    }

    pub(crate) fn spare_frame(&mut self) -> Frame {
        self.spare.pop().unwrap_or_default()
    }

    pub(crate) fn recycle(&mut self, mut frame: Frame) {
        frame.clear();
        self.spare.push(frame);
    }

    pub(crate) fn domains<'a>(&'a self, store: &'a Store) -> Domains<'a> {
        Domains { store, model: &self.model }
    }
}

fn slot_in<'a>(memo: &'a [Slot], openness: &[u8], frame: Option<&'a Frame>, t: TermId) -> &'a Slot {
    match frame {
        Some(frame) if openness[t.index()] == OPEN => frame.memo.get(&t).unwrap_or(&EMPTY),
        _ => &memo[t.index()],
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
                let bound = store.variable(t).and_then(|name| self.frames.last().and_then(|f| f.lookup(name)));
                match bound.cloned() {
                    Some(slot) => self.set(t, slot),
                    None => self.set_unknown(t, Reason::FreeVariable),
                }
            }
            Kind::And | Kind::Or | Kind::Implies | Kind::Ite | Kind::Match => match args.first() {
                Some(&first) => self.after(store, t, 1, &[first]),
                None => self.set_unknown(t, Reason::IllSorted),
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

    /// Goes on with a lazy operator, `done` of whose children have been evaluated.
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
                        Some(unknown) => self.set(t, Slot::Unknown(unknown)),
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
                self.set_unknown(t, Reason::Opaque);
                Ok(())
            }
        }
    }

    /// `ite`: step 1 after the condition, 2 and 3 after the branch it chose, 4 after both when it is unknown.
    fn resume_ite(&mut self, store: &Store, t: TermId, step: u32) {
        let &[condition, then, otherwise] = store.args(t) else {
            return self.set_unknown(t, Reason::IllSorted);
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
            Slot::Known(_) => None,
            Slot::Unknown(u) => Some(*u),
            Slot::Empty => Some(Unknown { term: a, reason: Reason::Steps }),
        })
    }

    /// The value of a term all of whose children have been evaluated.
    fn apply(&mut self, store: &Store, t: TermId) -> Result<(), Unknown> {
        let args = store.args(t);
        match store.kind(t) {
            Kind::Eq => return self.equality(store, t),
            Kind::Distinct => return self.distinct(store, t),
            Kind::Apply => return self.call_symbol(store, t),
            Kind::ArrayStore => return self.finish_stores(store, t),
            Kind::Lambda | Kind::AsArray | Kind::FuncValue => return self.finish_tower(store, t),
            Kind::ArraySelect | Kind::ApplyMap => return self.select(store, t),
            _ => {}
        }
        let op = store.op(t);
        let mut buffer = [&FILLER; 8];
        let mut long = Vec::new();
        let frame = self.frames.last();
        let mut unknown = None;
        for (n, &a) in args.iter().enumerate() {
            match slot_in(&self.memo, &self.openness, frame, a) {
                Slot::Known(v) => {
                    if args.len() <= buffer.len() {
                        buffer[n] = v;
                    } else {
                        long.push(v);
                    }
                }
                Slot::Unknown(u) => unknown = unknown.or(Some(*u)),
                Slot::Empty => unknown = unknown.or(Some(Unknown { term: a, reason: Reason::Steps })),
            }
        }
        let slot = match unknown {
            Some(unknown) => {
                let mut known = args.iter().filter_map(|&a| slot_in(&self.memo, &self.openness, frame, a).value());
                match known.find(|v| absorbs(op.kind, v)) {
                    Some(value) => Slot::Known(value.clone()),
                    None => Slot::Unknown(unknown),
                }
            }
            None => {
                let values = if long.is_empty() { &buffer[..args.len()] } else { &long[..] };
                let mut open = None;
                let mut cx = Context {
                    store,
                    model: &self.model,
                    limits: &self.limits,
                    regexes: &mut self.regexes,
                    work: &mut self.work,
                    room: self.meter.left(),
                    sort: store.sort(t),
                    open: self.points.is_some().then_some(&mut open),
                };
                match theories::apply(op, values, &mut cx) {
                    Ok(value) => self.made(t, value)?,
                    Err(Reason::Stopped) => return Err(Unknown { term: t, reason: Reason::Stopped }),
                    Err(reason) => {
                        if let Some(point) = open {
                            self.note_open(t, point);
                        }
                        Slot::Unknown(Unknown { term: t, reason })
                    }
                }
            }
        };
        self.set(t, slot);
        Ok(())
    }

    /// Takes steps and memory for a value just made: unknown where there is no room for it.
    pub(crate) fn made(&mut self, t: TermId, value: Value) -> Result<Slot, Unknown> {
        let bytes = value.bytes();
        if bytes < SMALL {
            return Ok(Slot::Known(value));
        }
        self.charge(t, bytes as u64 / 8)?;
        let unknown = |exhausted: Exhausted| Unknown { term: t, reason: exhausted.into() };
        match self.meter.take(bytes) {
            Ok(()) => Ok(Slot::Known(value)),
            Err(Exhausted::Stopped) => Err(unknown(Exhausted::Stopped)),
            Err(full) => Ok(Slot::Unknown(unknown(full))),
        }
    }

    /// The value of an operator on values, where the result is of sort `sort`; for operators that need all their arguments
    /// and bind nothing.
    ///
    /// # Errors
    /// The reason why there is no value.
    pub(crate) fn apply_to(&mut self, store: &Store, op: Op, sort: SortId, args: &[Value]) -> Result<Value, Reason> {
        match (op.kind, args) {
            (Kind::Eq, [first, rest @ ..]) => {
                let same: Result<Vec<bool>, Reason> = rest.iter().map(|v| self.same(store, first, v)).collect();
                same.map(|same| Value::Bool(!same.contains(&false)))
            }
            (Kind::Distinct, _) => {
                let pairs = (0..args.len()).flat_map(|n| (0..n).map(move |m| (n, m)));
                let same: Result<Vec<bool>, Reason> =
                    pairs.map(|(n, m)| self.same(store, &args[n], &args[m])).collect();
                same.map(|same| Value::Bool(!same.contains(&true)))
            }
            (Kind::ArraySelect | Kind::ApplyMap, [Value::Array(array) | Value::Map(array), index]) => {
                match array.lookup(index) {
                    Some(Found::Value(v)) => Ok(v.clone()),
                    _ => Err(Reason::NoTable),
                }
            }
            (Kind::ArrayStore, [Value::Array(array) | Value::Map(array), index, value]) => {
                let updates = array.entries().iter().cloned().chain([(index.clone(), value.clone())]).collect();
                theories::arrays::update(&self.domains(store), sort, array.base().clone(), updates)
            }
            _ => {
                self.work = WorkBudget::new(self.limits.regex_steps).heeding(&self.stop);
                let args: Vec<&Value> = args.iter().collect();
                let mut cx = Context {
                    store,
                    model: &self.model,
                    limits: &self.limits,
                    regexes: &mut self.regexes,
                    work: &mut self.work,
                    room: self.meter.left(),
                    sort,
                    open: None,
                };
                theories::apply(op, &args, &mut cx)
            }
        }
    }

    /// SMT-LIB's `=` on two values.
    pub(crate) fn same(&mut self, store: &Store, a: &Value, b: &Value) -> Result<bool, Reason> {
        if let Some(same) = a.same(b) {
            return Ok(same);
        }
        if let (Value::Algebraic(_), Value::Algebraic(_)) = (a, b) {
            return Err(Reason::Irrational);
        }
        let (Value::RegLan(r), Value::RegLan(s)) = (a, b) else { return Err(Reason::NoTable) };
        let mut cx = Context {
            store,
            model: &self.model,
            limits: &self.limits,
            regexes: &mut self.regexes,
            work: &mut self.work,
            room: self.meter.left(),
            sort: smtlib::SortId::REGLAN,
            open: None,
        };
        theories::strings::same_language(*r, *s, &mut cx)
    }

    /// `=`: false as soon as two values differ, true of a term and itself even where its value is unknown.
    fn equality(&mut self, store: &Store, t: TermId) -> Result<(), Unknown> {
        let args = store.args(t);
        let Some((&first, rest)) = args.split_first() else {
            self.set_unknown(t, Reason::IllSorted);
            return Ok(());
        };
        if rest.iter().all(|&a| a == first) {
            self.set_value(t, Value::Bool(true));
            return Ok(());
        }
        let mut unknown = None;
        let mut known: Option<Value> = None;
        for &a in args {
            match self.slot(a).clone() {
                Slot::Known(v) => match &known {
                    None => known = Some(v),
                    Some(k) => match self.same(store, k, &v) {
                        Ok(true) => {}
                        Ok(false) => {
                            self.set_value(t, Value::Bool(false));
                            return Ok(());
                        }
                        Err(Reason::Stopped) => return Err(Unknown { term: t, reason: Reason::Stopped }),
                        Err(reason) => unknown = unknown.or(Some(Unknown { term: t, reason })),
                    },
                },
                Slot::Unknown(u) => unknown = unknown.or(Some(u)),
                Slot::Empty => unknown = unknown.or(Some(Unknown { term: a, reason: Reason::Steps })),
            }
        }
        match unknown {
            Some(unknown) => self.set(t, Slot::Unknown(unknown)),
            None => self.set_value(t, Value::Bool(true)),
        }
        Ok(())
    }

    /// `distinct`: false as soon as two values, or two terms, are the same.
    fn distinct(&mut self, store: &Store, t: TermId) -> Result<(), Unknown> {
        let args = store.args(t);
        let mut terms = args.to_vec();
        terms.sort_unstable();
        let mut unknown = self.first_unknown(args);
        let mut same = terms.windows(2).any(|w| w[0] == w[1]);
        let known: Vec<Value> = args.iter().filter_map(|&a| self.slot(a).value().cloned()).collect();
        if known.iter().all(Value::is_exact) {
            let mut sorted: Vec<&Value> = known.iter().collect();
            sorted.sort_unstable();
            same |= sorted.windows(2).any(|w| w[0] == w[1]);
        } else {
            for (n, a) in known.iter().enumerate() {
                self.charge(t, n as u64)?;
                for b in &known[..n] {
                    match self.same(store, a, b) {
                        Ok(equal) => same |= equal,
                        Err(Reason::Stopped) => return Err(Unknown { term: t, reason: Reason::Stopped }),
                        Err(reason) => unknown = unknown.or(Some(Unknown { term: t, reason })),
                    }
                }
            }
        }
        match unknown {
            _ if same => self.set_value(t, Value::Bool(false)),
            Some(unknown) => self.set(t, Slot::Unknown(unknown)),
            None => self.set_value(t, Value::Bool(true)),
        }
        Ok(())
    }
}

/// Whether an operator's value is this one argument's, whatever the others are.
fn absorbs(kind: Kind, value: &Value) -> bool {
    match (kind, value) {
        (Kind::IntMul, Value::Int(n)) => *n == IBig::ZERO,
        (Kind::RealMul, Value::Real(r)) => r.is_zero(),
        (Kind::BvAnd | Kind::BvMul, Value::BitVec { value, .. }) => value.is_zero(),
        (Kind::BvOr, Value::BitVec { width, value }) => *value == UBig::ones(*width as usize),
        _ => false,
    }
}

fn literal(store: &Store, t: TermId) -> Result<Value, Reason> {
    match store.constant(t) {
        Some(Constant::Int(n)) => Ok(Value::Int(IBig::from(n.clone()))),
        Some(Constant::Real(r)) => Ok(Value::real(r.clone())),
        Some(Constant::BitVec { width, value }) => Ok(Value::BitVec { width: *width, value: value.clone() }),
        Some(Constant::String(points)) => Ok(Value::String(crate::strings::SmtString::new(points)?)),
        None => Err(Reason::Opaque),
    }
}
