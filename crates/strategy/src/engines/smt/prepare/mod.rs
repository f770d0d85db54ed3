//! Prepares formulas for the theories: the only remaining atoms are binary equalities of uninterpreted elements, bounds on linear forms,
//! and uninterpreted predicates on uninterpreted sorts.
//!
//! Functions on other sorts are eliminated by naming their applications (Ackermann, "Solvable Cases of the Decision Problem", 1954),
//! conditional terms, `div`, `mod`, `abs` and `to_int` by naming their values, arrays as described in `arrays.rs`.

mod division;

use super::arrays::Arrays;
use super::open::{OpenApplication, OpenValues};
use crate::budget::Budget;
use crate::floats::ApplicationRows;
use dashu_int::IBig;
use rewrite::walk::{TermMap, bottom_up};
use rewrite::{Conversion, FreshSymbols};
use rustc_hash::FxHashMap;
use semantics::{EvalLimits, Evaluator, Exhausted, Meter, Model};
use smtlib::free_vars::FreeVars;
use smtlib::{BuildError, FuncId, Kind, Op, Sort, SortId, Store, TermId};
use std::sync::Arc;

/// The maximum number of pairs of applications of one function: each gets a constraint.
pub(super) const MAX_PAIRS: usize = 300_000;

/// Approximate bytes of a name or an atom in the engine: terms, gates, clauses, forms and rows.
const ATOM: usize = 1 << 10;

/// Why formulas cannot be prepared.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PrepareError {
    /// A term of another theory.
    #[error("`{0}` is outside bit-vectors, linear arithmetic, arrays and uninterpreted functions")]
    Unsupported(String),
    /// Applications of eliminated functions form too many pairs.
    #[error("more than {MAX_PAIRS} pairs of applications of one function, or of reads of one array")]
    TooLarge,
    /// A `distinct` has too many pairs of arguments.
    #[error("more than {MAX_PAIRS} pairs of arguments of one distinct")]
    Distinct,
    /// More memory than allowed.
    #[error("the names and atoms of the theories would take more memory than allowed")]
    Memory,
    /// A term could not be made.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// The budget is spent.
    #[error(transparent)]
    Stopped(#[from] crate::Stopped),
}

impl From<Exhausted> for PrepareError {
    fn from(exhausted: Exhausted) -> PrepareError {
        match exhausted {
            Exhausted::Stopped => PrepareError::Stopped(crate::Stopped::Time),
            Exhausted::Memory { .. } => PrepareError::Memory,
        }
    }
}

/// The result of preparation.
pub struct PreparedProblem {
    /// The images of the assertions, in order.
    pub assertions: Vec<TermId>,
    /// The constraints on fresh symbols.
    pub definitions: Vec<TermId>,
    /// Further constraints: functions and arrays agree where their arguments do. There are many of these and few matter, so they are only
    /// added when a model violates them.
    pub agreements: Vec<TermId>,
    /// The model conversion.
    pub conversions: Vec<Conversion>,
}

/// Prepares assertions.
/// Errors: [`PrepareError`].
pub fn prepare(store: &mut Store, assertions: &[TermId], budget: &Budget) -> Result<PreparedProblem, PrepareError> {
    let terms = bottom_up(store, assertions.iter().copied());
    let mut work = Preparation {
        images: TermMap::default(),
        definitions: Vec::new(),
        agreements: Vec::new(),
        arrays: Arrays::default(),
        fresh: FreshSymbols::new("smt"),
        forgotten: Vec::new(),
        applications: FxHashMap::default(),
        constants: Evaluator::new(Model::new(), EvalLimits::default()).heeding(&budget.stop()),
        meter: budget.meter(),
        quotients: FxHashMap::default(),
        free: FreeVars::default(),
        open: Vec::new(),
    };
    for (n, t) in terms.into_iter().enumerate() {
        if n % 256 == 0 {
            budget.check()?;
        }
        let args: Vec<TermId> = store.args(t).iter().map(|&a| work.images.get(a).unwrap_or(a)).collect();
        let before = work.noted();
        let image = work.image(store, t, &args)?;
        // A name represents one value, but under a binder the term has one for every bound value.
        if work.noted() != before && !work.free.is_closed(store, t) {
            return Err(unsupported(store, t));
        }
        work.images.insert(t, image);
    }
    let arrays = work.finish_arrays(store)?;
    let images = assertions.iter().map(|&t| work.images.get(t).unwrap_or(t)).collect();
    let mut conversions: Vec<Conversion> = work.forgotten.into_iter().map(Conversion::Forget).collect();
    // Arguments may mention names of inner applications of other functions, which stay known until all graphs are made.
    let mut graphs: Vec<(FuncId, ApplicationRows)> = work.applications.into_iter().collect();
    graphs.sort_unstable_by_key(|g| g.0);
    conversions.extend(graphs.into_iter().map(|(symbol, rows)| Conversion::Graph { symbol, rows }));
    if !work.open.is_empty() {
        conversions.push(Conversion::Custom(Arc::new(OpenValues(work.open))));
    }
    // Arguments of functions may be arrays, whose values are needed first; conversions are applied from the last.
    conversions.extend(arrays);
    Ok(PreparedProblem { assertions: images, definitions: work.definitions, agreements: work.agreements, conversions })
}

pub(super) struct Preparation {
    images: TermMap,
    pub(super) definitions: Vec<TermId>,
    pub(super) agreements: Vec<TermId>,
    pub(super) arrays: Arrays,
    fresh: FreshSymbols,
    forgotten: Vec<FuncId>,
    /// The applications of functions that are eliminated.
    applications: FxHashMap<FuncId, ApplicationRows>,
    pub(super) constants: Evaluator,
    pub(super) meter: Meter,
    /// Quotient and remainder by a constant.
    quotients: FxHashMap<(TermId, TermId), (TermId, TermId)>,
    free: FreeVars,
    /// Applications whose values the standard leaves open.
    pub(super) open: Vec<OpenApplication>,
}

impl Preparation {
    /// Returns the number of names and arrays: a term that adds to them is not merely rebuilt.
    fn noted(&self) -> (usize, usize) {
        (self.forgotten.len(), self.arrays.len())
    }

    fn image(&mut self, store: &mut Store, t: TermId, args: &[TermId]) -> Result<TermId, PrepareError> {
        use Kind::*;
        let kind = store.kind(t);
        Ok(match kind {
            Eq => {
                let pairs: Vec<(TermId, TermId)> = args.windows(2).map(|w| (w[0], w[1])).collect();
                let parts: Result<Vec<TermId>, PrepareError> =
                    pairs.into_iter().map(|(a, b)| self.same(store, a, b)).collect();
                let parts = parts?;
                store.and(&parts)
            }
            Distinct => {
                let mut parts = Vec::new();
                if args.len() * args.len() / 2 > MAX_PAIRS {
                    return Err(PrepareError::Distinct);
                }
                for (n, &b) in args.iter().enumerate() {
                    for &a in &args[..n] {
                        self.afford()?;
                        parts.push(self.different(store, a, b)?);
                    }
                }
                store.and(&parts)
            }
            IntLe | IntLt | IntGe | IntGt | RealLe | RealLt | RealGe | RealGt => {
                let pairs: Vec<[TermId; 2]> = args.windows(2).map(|w| [w[0], w[1]]).collect();
                let parts = pairs.iter().map(|p| store.app(Op::new(kind), p)).collect::<Result<Vec<_>, _>>()?;
                store.and(&parts)
            }
            Ite if is_named(store, t) => {
                let &[c, a, b] = args else { return Err(unsupported(store, t)) };
                self.choice(store, c, a, b)?
            }
            IntAbs | RealAbs => {
                let (a, zero) = (args[0], self.number(store, t, 0));
                let (less, minus) = match kind {
                    IntAbs => (IntLt, IntNeg),
                    _ => (RealLt, RealNeg),
                };
                let negative = store.app(Op::new(less), &[a, zero])?;
                let turned = store.app(Op::new(minus), &[a])?;
                self.choice(store, negative, turned, a)?
            }
            IntDiv | IntMod | RealDiv if args.len() == 2 && self.is_zero(store, args[1]) => {
                self.open_value(store, t, args)?
            }
            _ if self.is_open(store, t) && self.is_named_sort(store, t) => {
                let args = store.args(t).to_vec();
                self.open_value(store, t, &args)?
            }
            RealDiv if args.iter().skip(1).any(|&b| !self.is_number(store, b)) => self.quotient(store, args)?,
            IntDiv if args.len() == 2 => self.divide(store, t, args[0], args[1])?.0,
            IntMod => self.divide(store, t, args[0], args[1])?.1,
            IntDivisible => {
                let divisor = store.int(&IBig::from(store.op(t).i));
                let remainder = self.divide(store, t, args[0], divisor)?.1;
                let zero = store.int(&IBig::ZERO);
                equal(store, remainder, zero)?
            }
            ToInt => self.floor(store, args[0])?,
            IsInt => {
                let floor = self.floor(store, args[0])?;
                let floor = store.to_real(floor);
                equal(store, floor, args[0])?
            }
            ArraySelect => self.read(store, args[0], args[1])?,
            Apply if !args.is_empty() => self.application(store, t, args)?,
            _ if is_array(store, t) => {
                let array = store.with_args(t, args);
                self.array(store, array)?
            }
            _ => store.with_args(t, args),
        })
    }

    fn same(&mut self, store: &mut Store, a: TermId, b: TermId) -> Result<TermId, PrepareError> {
        if is_array(store, a) { self.equal_arrays(store, a, b) } else { Ok(equal(store, a, b)?) }
    }

    fn different(&mut self, store: &mut Store, a: TermId, b: TermId) -> Result<TermId, PrepareError> {
        let Some(kind) = order(store, a, [Kind::IntLt, Kind::RealLt]) else {
            let same = self.same(store, a, b)?;
            return Ok(store.not(same));
        };
        let (low, high) = (store.app(Op::new(kind), &[a, b])?, store.app(Op::new(kind), &[b, a])?);
        Ok(store.or(&[low, high]))
    }

    /// Charges the cost of a name or an atom; called before each is made.
    pub(super) fn afford(&mut self) -> Result<(), PrepareError> {
        Ok(self.meter.take(ATOM)?)
    }

    pub(super) fn name(&mut self, store: &mut Store, sort: SortId) -> TermId {
        let (symbol, name) = self.fresh.constant(store, sort);
        self.forgotten.push(symbol);
        name
    }

    fn number(&self, store: &mut Store, like: TermId, n: i32) -> TermId {
        let n = store.int(&IBig::from(n));
        if store.sort(like) == SortId::REAL { store.to_real(n) } else { n }
    }

    /// Returns a name for `(ite c a b)`.
    pub(super) fn choice(
        &mut self,
        store: &mut Store,
        c: TermId,
        a: TermId,
        b: TermId,
    ) -> Result<TermId, PrepareError> {
        if a == b {
            return Ok(a);
        }
        self.afford()?;
        let name = self.name(store, store.sort(a));
        let (is_a, is_b) = (equal(store, name, a)?, equal(store, name, b)?);
        let not = store.not(c);
        let (first, second) = (store.or(&[not, is_a]), store.or(&[c, is_b]));
        self.definitions.extend([first, second]);
        Ok(name)
    }

    /// Whether the theories know names of the term's sort.
    fn is_named_sort(&self, store: &Store, t: TermId) -> bool {
        is_element(store, store.sort(t)) || is_basic(store, store.sort(t))
    }

    /// Keeps a function on uninterpreted sorts for congruence closure; names the application of any other.
    fn application(&mut self, store: &mut Store, t: TermId, args: &[TermId]) -> Result<TermId, PrepareError> {
        let Some(f) = store.applied(t).filter(|&f| store.func(f).is_declared()) else {
            return Err(unsupported(store, t));
        };
        let func = store.func(f).clone();
        let known = |s: SortId| is_element(store, s) || is_basic(store, s);
        let named = |s: SortId| known(s) || matches!(*store.sorts.get(s), Sort::Array(i, e) if known(i) && known(e));
        if !func.params.iter().chain([&func.result]).all(|&s| named(s)) {
            return Err(unsupported(store, t));
        }
        let closed = func.params.iter().all(|&s| is_element(store, s))
            && (is_element(store, func.result) || func.result == SortId::BOOL);
        if closed {
            return Ok(store.with_args(t, args));
        }
        let rows = self.applications.get(&f).cloned().unwrap_or_default();
        if let Some((_, name)) = rows.iter().find(|row| *row.0 == *args) {
            return Ok(*name);
        }
        if rows.len() * rows.len() / 2 > MAX_PAIRS {
            return Err(PrepareError::TooLarge);
        }
        self.meter.tick()?;
        let name = self.name(store, func.result);
        if is_array(store, name) {
            self.array(store, name)?;
        }
        for (others, other) in rows {
            self.afford()?;
            let mut parts = Vec::with_capacity(args.len() + 1);
            for (&a, &b) in args.iter().zip(others.iter()) {
                if a != b {
                    let same = self.same(store, a, b)?;
                    parts.push(store.not(same));
                }
            }
            parts.push(self.same(store, name, other)?);
            let agreement = store.or(&parts);
            self.agreements.push(agreement);
        }
        self.applications.entry(f).or_default().push((args.into(), name));
        Ok(name)
    }
}

/// Whether congruence closure handles terms of a sort.
pub fn is_element(store: &Store, sort: SortId) -> bool {
    matches!(store.sorts.get(sort), Sort::Uninterpreted(..))
}

pub(super) fn is_basic(store: &Store, sort: SortId) -> bool {
    matches!(store.sorts.get(sort), Sort::Bool | Sort::Int | Sort::Real | Sort::BitVec(_))
}

/// Whether a conditional term needs a name: bits have multiplexers.
pub(super) fn is_named(store: &Store, t: TermId) -> bool {
    let sort = store.sort(t);
    is_element(store, sort) || matches!(store.sorts.get(sort), Sort::Int | Sort::Real)
}

/// Returns `a = b`; for numbers as two bounds, so that its negation is a disjunction of bounds.
pub(super) fn equal(store: &mut Store, a: TermId, b: TermId) -> Result<TermId, BuildError> {
    if a == b {
        return Ok(store.bool(true));
    }
    let Some(kind) = order(store, a, [Kind::IntLe, Kind::RealLe]) else { return store.eq(a, b) };
    let (low, high) = (store.app(Op::new(kind), &[a, b])?, store.app(Op::new(kind), &[b, a])?);
    Ok(store.and(&[low, high]))
}

fn is_array(store: &Store, t: TermId) -> bool {
    matches!(store.sorts.get(store.sort(t)), Sort::Array(..))
}

fn order(store: &Store, t: TermId, [int, real]: [Kind; 2]) -> Option<Kind> {
    match store.sort(t) {
        SortId::INT => Some(int),
        SortId::REAL => Some(real),
        _ => None,
    }
}

pub(super) fn unsupported(store: &Store, t: TermId) -> PrepareError {
    PrepareError::Unsupported(store.term_text(t).chars().take(60).collect())
}
