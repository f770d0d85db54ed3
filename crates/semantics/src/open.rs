//! Open points: values that a model leaves open but a term needs. Also the context in which operators are applied.

use crate::float::{Float, FloatFormat};
use crate::limits::EvalLimits;
use crate::model::Model;
use crate::strings::{RegexStore, WorkBudget};
use crate::unknown::UnknownReason;
use crate::value::Value;
use smtlib::{FuncId, Kind, Op, Sort, SortId, Store, TermId};

/// One value that a model may fix and has not.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum OpenPoint {
    /// A declared symbol at these arguments; none for a constant.
    Symbol(FuncId, Box<[Value]>),
    /// A theory's operator at arguments where the standard leaves its value open.
    Choice(Op, Box<[Value]>),
}

/// The values that an operator may have where the standard leaves its value open.
#[derive(Clone, Debug)]
pub(crate) enum Allowed {
    /// Every value of the sort.
    Any,
    /// One of these.
    OneOf(Vec<Value>),
    /// A bit vector that encodes NaN in this format.
    Nan(FloatFormat),
}

/// The context of an operator besides its arguments.
pub struct OperatorContext<'a> {
    /// The store, for sorts and declarations.
    pub store: &'a Store,
    /// The model, for universes and choices.
    pub model: &'a Model,
    /// The bounds.
    pub limits: &'a EvalLimits,
    /// Regular expressions made so far.
    pub regexes: &'a mut RegexStore,
    /// Their remaining budget.
    pub work: &'a mut WorkBudget,
    /// The bytes left for values.
    pub room: usize,
    /// The sort of the result.
    pub sort: SortId,
    /// Where an application without a chosen value is noted; `None` unless requested.
    pub open: Option<&'a mut Option<OpenPoint>>,
}

impl OpenPoint {
    /// Whether the point is a constant.
    pub fn is_constant(&self) -> bool {
        matches!(self, OpenPoint::Symbol(_, args) if args.is_empty())
    }

    /// Returns the application as a term; `None` if an argument has no term.
    pub fn to_term(&self, store: &mut Store) -> Option<TermId> {
        match self {
            OpenPoint::Symbol(f, args) => {
                let params = store.func(*f).params.clone();
                let terms: Option<Vec<TermId>> = args.iter().zip(&params).map(|(v, &s)| v.to_term(store, s)).collect();
                store.apply(*f, &terms?).ok()
            }
            OpenPoint::Choice(op, args) => {
                let mut terms = Vec::with_capacity(args.len());
                for value in args {
                    let sort = sort_of(store, value)?;
                    terms.push(value.to_term(store, sort)?);
                }
                apply(store, *op, &terms)
            }
        }
    }
}

impl Allowed {
    /// Returns the allowed values of an operator at these arguments: `fp.min` and `fp.max` of zeros of different sign are one of
    /// the two (IEEE 754-2008, 5.3.1), the encoding of NaN is that of some NaN, and the chosen element of a non-empty set or bag
    /// is in it.
    pub(crate) fn at(op: Op, args: &[Value]) -> Allowed {
        match (op.kind, args) {
            (Kind::FpMin | Kind::FpMax, _) => Allowed::OneOf(args.to_vec()),
            (Kind::FpToIeeeBv, [Value::Float(f)]) => Allowed::Nan(f.format()),
            (Kind::SetChoose, [Value::Set(set)]) => Allowed::OneOf(set.elements().to_vec()),
            (Kind::BagChoose, [Value::Bag(bag)]) if !bag.entries().is_empty() => {
                Allowed::OneOf(bag.entries().iter().map(|(element, _)| element.clone()).collect())
            }
            _ => Allowed::Any,
        }
    }

    /// Whether a value of the sort is allowed.
    pub(crate) fn contains(&self, value: &Value) -> bool {
        match (self, value) {
            (Allowed::OneOf(values), _) => values.contains(value),
            (Allowed::Nan(format), Value::BitVec { value, .. }) => Float::from_bits(*format, value).is_nan(),
            _ => true,
        }
    }
}

impl OperatorContext<'_> {
    /// Returns the model's choice for an application the standard leaves open, or `reason` if it has no valid one.
    pub fn chosen(&mut self, op: Op, args: &[&Value], reason: UnknownReason) -> Result<Value, UnknownReason> {
        if self.open.is_none() && self.model.choices_of(op).is_none() {
            return Err(reason);
        }
        let args: Box<[Value]> = args.iter().map(|&v| v.clone()).collect();
        if let Some(value) = self.model.choice(op, &args).filter(|value| value.has_sort(self.store, self.sort)) {
            return if Allowed::at(op, &args).contains(value) { Ok(value.clone()) } else { Err(reason) };
        }
        if let Some(open) = &mut self.open {
            **open = Some(OpenPoint::Choice(op, args));
        }
        Err(reason)
    }

    /// Fails for a string that would be too long.
    pub fn check_length(&self, characters: usize) -> Result<(), UnknownReason> {
        if characters > self.room / size_of::<u32>() { Err(UnknownReason::TooLarge) } else { Ok(()) }
    }

    /// Fails for an integer of too many bits.
    pub fn check_bits(&self, bits: usize) -> Result<(), UnknownReason> {
        if bits > self.limits.bits { Err(UnknownReason::TooLarge) } else { Ok(()) }
    }
}

/// Applies an operator to terms; `None` if they are not valid arguments.
pub(crate) fn apply(store: &mut Store, op: Op, terms: &[TermId]) -> Option<TermId> {
    match (op.kind, op.constructor(), op.field()) {
        (Kind::Select, Some((d, c)), Some(field)) => store.selector(d, c, field, *terms.first()?).ok(),
        _ => store.app(op, terms).ok(),
    }
}

/// Returns the sort that a value determines; arrays and empty sets do not.
pub(crate) fn sort_of(store: &mut Store, value: &Value) -> Option<SortId> {
    Some(match value {
        Value::Bool(_) => SortId::BOOL,
        Value::Int(_) => SortId::INT,
        Value::Real(_) | Value::Algebraic(_) => SortId::REAL,
        Value::String(_) => SortId::STRING,
        Value::RoundingMode(_) => SortId::ROUNDING_MODE,
        Value::BitVec { width, .. } => store.sorts.bitvec(*width),
        Value::FieldElement { order, .. } => store.sorts.intern(Sort::FiniteField(order.clone())),
        Value::Float(f) => store.sorts.float(f.format().eb(), f.format().sb()),
        Value::Datatype(d) => d.sort,
        Value::Seq(s) => s.sort(),
        Value::Bag(bag) => bag.sort(),
        Value::Element { sort, .. } => *sort,
        Value::Set(set) => {
            let element = sort_of(store, set.elements().first()?)?;
            store.sorts.set(element)
        }
        Value::RegLan(_) | Value::Array(_) | Value::Map(_) => return None,
    })
}
