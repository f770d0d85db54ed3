//! Operators applied to values: of a term's children, or given directly.

use super::Evaluator;
use super::open_points::OpenPoints;
use crate::array::ArrayLookup;
use crate::frame::ValueSlot;
use crate::meter::Exhausted;
use crate::strings::WorkBudget;
use crate::theories::{self, OperatorContext};
use crate::unknown::{Unknown, UnknownReason};
use crate::value::Value;
use dashu_int::{IBig, UBig};
use smtlib::{Kind, Op, SortId, Store, TermId};

/// Values below this many bytes are not counted.
const SMALL: usize = 64;

/// Arguments of this many bytes together are charged before the work.
const LARGE: usize = 1 << 12;

static FILLER: Value = Value::Bool(false);

impl Evaluator {
    /// Evaluates a term all of whose children have been evaluated.
    pub(super) fn apply(&mut self, store: &Store, t: TermId) -> Result<(), Unknown> {
        let args = store.args(t);
        match store.kind(t) {
            Kind::Eq => return self.equality(store, t),
            Kind::Distinct => return self.distinct(store, t),
            Kind::Apply => return self.call_symbol(store, t),
            Kind::ArrayStore => return self.finish_stores(store, t),
            Kind::Lambda | Kind::AsArray | Kind::FuncValue => return self.finish_ite_chain(store, t),
            Kind::ArraySelect | Kind::ApplyMap => return self.select(store, t),
            kind if kind.is_traversal() => return self.traverse(store, t),
            _ => {}
        }
        let op = store.op(t);
        let mut buffer = [&FILLER; 8];
        let mut long = Vec::new();
        let frame = self.frames.last();
        let mut unknown = None;
        let mut bytes = 0;
        for (n, &a) in args.iter().enumerate() {
            match self.memo.slot(frame, a) {
                ValueSlot::Known(v) => {
                    bytes += v.bytes();
                    if args.len() <= buffer.len() {
                        buffer[n] = v;
                    } else {
                        long.push(v);
                    }
                }
                ValueSlot::Unknown(u) => unknown = unknown.or(Some(*u)),
                ValueSlot::Empty => unknown = unknown.or(Some(Unknown { term: a, reason: UnknownReason::Steps })),
            }
        }
        let slot = match unknown {
            Some(unknown) => {
                let mut known = args.iter().filter_map(|&a| self.memo.slot(frame, a).value());
                match known.find(|v| absorbs(op.kind, v)) {
                    Some(value) => ValueSlot::Known(value.clone()),
                    None => ValueSlot::Unknown(unknown),
                }
            }
            None => {
                let values = if long.is_empty() { &buffer[..args.len()] } else { &long[..] };
                if bytes >= LARGE {
                    // Charged before the work: one application may be long.
                    let left = self.steps_left.checked_sub(work_of(op.kind, bytes as u64 / 8));
                    self.steps_left = left.ok_or(Unknown { term: t, reason: UnknownReason::Steps })?;
                    self.heed_clock(t)?;
                }
                let mut cx = OperatorContext {
                    store,
                    model: &self.model,
                    limits: &self.limits,
                    regexes: &mut self.regexes,
                    work: &mut self.work,
                    room: self.meter.left(),
                    sort: store.sort(t),
                    open: self.points.as_mut().map(OpenPoints::fresh),
                };
                match theories::apply(op, values, &mut cx) {
                    Ok(value) if value.bytes() < SMALL => ValueSlot::Known(value),
                    Ok(value) => self.made(t, value)?,
                    Err(UnknownReason::Stopped) => return Err(Unknown { term: t, reason: UnknownReason::Stopped }),
                    Err(reason) => {
                        if let Some(points) = &mut self.points {
                            points.keep_latest(t);
                        }
                        ValueSlot::Unknown(Unknown { term: t, reason })
                    }
                }
            }
        };
        self.set(t, slot);
        Ok(())
    }

    /// Charges steps and memory for a new value; unknown if there is no room for it.
    #[inline(never)]
    pub(crate) fn made(&mut self, t: TermId, value: Value) -> Result<ValueSlot, Unknown> {
        let bytes = value.bytes();
        if bytes < SMALL {
            return Ok(ValueSlot::Known(value));
        }
        self.charge(t, bytes as u64 / 8)?;
        let unknown = |exhausted: Exhausted| Unknown { term: t, reason: exhausted.into() };
        match self.meter.take(bytes) {
            Ok(()) => Ok(ValueSlot::Known(value)),
            Err(Exhausted::Stopped) => Err(unknown(Exhausted::Stopped)),
            Err(full) => Ok(ValueSlot::Unknown(unknown(full))),
        }
    }

    /// Applies an operator to values, with a result of sort `sort`; for operators that need all their arguments and bind
    /// nothing.
    /// Errors: the reason why there is no value.
    pub(crate) fn apply_to(
        &mut self,
        store: &Store,
        op: Op,
        sort: SortId,
        args: &[Value],
    ) -> Result<Value, UnknownReason> {
        match (op.kind, args) {
            (Kind::Eq, [first, rest @ ..]) => {
                let same: Result<Vec<bool>, UnknownReason> = rest.iter().map(|v| self.same(store, first, v)).collect();
                same.map(|same| Value::Bool(!same.contains(&false)))
            }
            (Kind::Distinct, _) => {
                let pairs = (0..args.len()).flat_map(|n| (0..n).map(move |m| (n, m)));
                let same: Result<Vec<bool>, UnknownReason> =
                    pairs.map(|(n, m)| self.same(store, &args[n], &args[m])).collect();
                same.map(|same| Value::Bool(!same.contains(&true)))
            }
            (Kind::ArraySelect | Kind::ApplyMap, [Value::Array(array) | Value::Map(array), index]) => {
                match array.lookup(index) {
                    Some(ArrayLookup::Value(v)) => Ok(v.clone()),
                    _ => Err(UnknownReason::NoTable),
                }
            }
            (Kind::ArrayStore, [Value::Array(array) | Value::Map(array), index, value]) => {
                let updates = array.entries().iter().cloned().chain([(index.clone(), value.clone())]).collect();
                theories::arrays::update(&self.domains(store), sort, array.base().clone(), updates)
            }
            _ => {
                self.work = WorkBudget::new(self.limits.regex_steps).heeding(&self.stop);
                let args: Vec<&Value> = args.iter().collect();
                theories::apply(op, &args, &mut self.context(store, sort))
            }
        }
    }

    /// Returns the context of an operator whose arguments are not terms: no open point is noted.
    pub(super) fn context<'a>(&'a mut self, store: &'a Store, sort: SortId) -> OperatorContext<'a> {
        OperatorContext {
            store,
            model: &self.model,
            limits: &self.limits,
            regexes: &mut self.regexes,
            work: &mut self.work,
            room: self.meter.left(),
            sort,
            open: None,
        }
    }
}

/// Returns the steps charged for an operator on this many 64-bit words.
fn work_of(kind: Kind, words: u64) -> u64 {
    use Kind::*;
    match kind {
        // A fraction is reduced to lowest terms, in quadratic time.
        RealAdd | RealSub | RealMul | RealDiv | RealPow => words.saturating_mul(words) / 64,
        IntMul | IntDiv | IntMod | IntRem | IntDivisible | BvMul | BvUdiv | BvUrem | BvSdiv | BvSrem | BvSmod
        | StrToInt | StrFromInt | FfMul => words * u64::from(words.ilog2()) / 2,
        _ => words / 8,
    }
}

/// Whether an operator's value is this argument's, whatever the others are.
fn absorbs(kind: Kind, value: &Value) -> bool {
    match (kind, value) {
        (Kind::IntMul, Value::Int(n)) => *n == IBig::ZERO,
        (Kind::RealMul, Value::Real(r)) => r.is_zero(),
        (Kind::SetInter, Value::Set(set)) => set.elements().is_empty(),
        (Kind::BagInterMin, Value::Bag(bag)) => bag.entries().is_empty(),
        (Kind::BvAnd | Kind::BvMul, Value::BitVec { value, .. }) => value.is_zero(),
        (Kind::FfMul, Value::FieldElement { value, .. }) => value.is_zero(),
        (Kind::BvOr, Value::BitVec { width, value }) => *value == UBig::ones(*width as usize),
        _ => false,
    }
}
