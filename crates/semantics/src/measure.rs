//! When a recursive call passes something smaller than the caller's parameter, in a well-founded order of its sort.

use dashu_int::{IBig, UBig};
use rustc_hash::{FxHashMap, FxHashSet};
use smtlib::{Constant, FuncId, Kind, Sort, Store, Symbol, TermId};

/// A call inside a group, with the conditions under which its value matters.
pub(crate) struct Call {
    pub(crate) caller: FuncId,
    pub(crate) callee: FuncId,
    pub(crate) args: Vec<TermId>,
    pub(crate) guards: Vec<(TermId, bool)>,
    /// Variables bound by the cases of a `match`, with the term each is a field of.
    pub(crate) fields: Vec<(Symbol, TermId)>,
}

impl Call {
    /// Whether the callee's measured argument is smaller than the caller's measured parameter.
    pub(crate) fn decreases(&self, store: &Store, measured: &FxHashMap<FuncId, usize>) -> bool {
        let (Some(&from), Some(&to)) = (measured.get(&self.caller), measured.get(&self.callee)) else { return false };
        let Some((vars, _)) = store.func(self.caller).definition() else { return false };
        let (Some(&parameter), Some(&arg)) = (vars.get(from), self.args.get(to)) else { return false };
        let Some(&sort) = store.func(self.caller).params.get(from) else { return false };
        match store.sorts.get(sort) {
            Sort::Datatype(..) => self.is_part(store, arg, parameter),
            Sort::Int => is_less(store, arg, parameter) && self.facts(store).any(|fact| bounds(store, fact, parameter)),
            &Sort::BitVec(width) => self.is_lower(store, arg, parameter, width),
            Sort::Seq(_) | Sort::String => self.is_shorter(store, arg, parameter),
            _ => false,
        }
    }

    /// Whether a term is below the bit-vector parameter, unsigned: `p - c` if the guards imply `p >= c`, or `p >> c` or `p / c` if they
    /// imply `p >= 1`.
    fn is_lower(&self, store: &Store, arg: TermId, parameter: Symbol, width: u32) -> bool {
        let is_parameter = |t: TermId| store.variable(t) == Some(parameter);
        let &[a, b] = store.args(arg) else { return false };
        let (whole, number) = if is_parameter(a) { (a, natural(store, b)) } else { (b, natural(store, a)) };
        let Some(number) = number.filter(|n| is_parameter(whole) && *n > UBig::ZERO) else { return false };
        let needed = match store.kind(arg) {
            Kind::BvSub if whole == a => number,
            // Adding 2^w - c subtracts c.
            Kind::BvAdd => (UBig::ONE << width as usize) - number,
            Kind::BvLshr if whole == a => UBig::ONE,
            Kind::BvUdiv if whole == a && number > UBig::ONE => UBig::ONE,
            _ => return false,
        };
        self.least(store, is_parameter) >= needed
    }

    /// Whether a term is a proper part of the sequence or string parameter, if the guards imply that it is not empty: from a later
    /// position than the first, or from the first with fewer elements. (SMT-LIB, UnicodeStrings: beyond the end, and for length zero,
    /// the part is empty.)
    fn is_shorter(&self, store: &Store, arg: TermId, parameter: Symbol) -> bool {
        let is_parameter = |t: TermId| store.variable(t) == Some(parameter);
        let is_length = |t: TermId| {
            matches!(store.kind(t), Kind::SeqLen | Kind::StrLen) && store.args(t).iter().all(|&of| is_parameter(of))
        };
        let (Kind::SeqExtract | Kind::StrSubstr, &[whole, first, length]) = (store.kind(arg), store.args(arg)) else {
            return false;
        };
        let leaves_out_last = || match (store.kind(length), store.args(length)) {
            (Kind::IntSub, &[all, n]) => is_length(all) && natural(store, n).is_some_and(|n| n > UBig::ZERO),
            _ => false,
        };
        let is_part = natural(store, first).is_some_and(|first| first > UBig::ZERO || leaves_out_last());
        let is_empty = |t: TermId| match store.constant(t) {
            Some(Constant::String(text)) => text.is_empty(),
            _ => store.kind(t) == Kind::SeqEmpty,
        };
        let has_element = |&(t, truth): &(TermId, bool)| match (store.kind(t), store.args(t)) {
            (Kind::Eq, &[a, b]) if !truth => (is_parameter(a) && is_empty(b)) || (is_parameter(b) && is_empty(a)),
            _ => false,
        };
        is_parameter(whole)
            && is_part
            && (self.least(store, is_length) > UBig::ZERO || self.facts(store).any(|fact| has_element(&fact)))
    }

    /// Returns the guards without negations, and with conjunctions split.
    fn facts<'c>(&'c self, store: &'c Store) -> impl Iterator<Item = (TermId, bool)> + 'c {
        self.guards.iter().flat_map(move |&guard| {
            let (t, truth) = stripped(store, guard);
            let is_conjunction = matches!((store.kind(t), truth), (Kind::And, true) | (Kind::Or, false));
            let parts = if is_conjunction { store.args(t).to_vec() } else { vec![t] };
            parts.into_iter().map(move |part| stripped(store, (part, truth)))
        })
    }

    /// Returns the largest lower bound that the guards imply for a measure, which is never negative.
    fn least(&self, store: &Store, is_measure: impl Fn(TermId) -> bool) -> UBig {
        let bound = |(t, truth): (TermId, bool)| {
            let &[a, b] = store.args(t) else { return None };
            let (low, high, more) = match (store.kind(t), truth) {
                (Kind::Eq, true) if is_measure(a) => (b, a, 0u8),
                (Kind::Eq, true) => (a, b, 0),
                (Kind::Eq, false) => {
                    let other = if is_measure(a) { b } else { a };
                    let is_zero = natural(store, other).is_some_and(|n| n == UBig::ZERO);
                    return (is_zero && (is_measure(a) || is_measure(b))).then_some(UBig::ONE);
                }
                (Kind::IntLt | Kind::BvUlt, true) | (Kind::IntGe | Kind::BvUge, false) => (a, b, 1),
                (Kind::IntLe | Kind::BvUle, true) | (Kind::IntGt | Kind::BvUgt, false) => (a, b, 0),
                (Kind::IntGt | Kind::BvUgt, true) | (Kind::IntLe | Kind::BvUle, false) => (b, a, 1),
                (Kind::IntGe | Kind::BvUge, true) | (Kind::IntLt | Kind::BvUlt, false) => (b, a, 0),
                _ => return None,
            };
            natural(store, low).filter(|_| is_measure(high)).map(|low| low + UBig::from(more))
        };
        self.facts(store).filter_map(bound).max().unwrap_or(UBig::ZERO)
    }

    /// Whether a term is a proper part of the parameter: reached by fields, each taken from its own constructor.
    fn is_part(&self, store: &Store, arg: TermId, parameter: Symbol) -> bool {
        let mut at = arg;
        let mut steps = 0;
        loop {
            if let Some(name) = store.variable(at) {
                if let Some(field) = self.fields.iter().rev().find(|f| f.0 == name) {
                    at = field.1;
                    steps += 1;
                    continue;
                }
                return steps > 0 && name == parameter;
            }
            let (Kind::Select, Some((datatype, constructor)), &[whole]) =
                (store.kind(at), store.op(at).constructor(), store.args(at))
            else {
                return false;
            };
            let constructors = &store.datatype(datatype).constructors;
            let excluded: FxHashSet<usize> =
                self.guards.iter().filter_map(|&g| tested(store, g, whole)).filter(|t| !t.1).map(|t| t.0).collect();
            let right = self.guards.iter().any(|&g| tested(store, g, whole) == Some((constructor, true)))
                || (0..constructors.len()).all(|c| c == constructor || excluded.contains(&c));
            if !right {
                return false;
            }
            at = whole;
            steps += 1;
        }
    }
}

/// What a guard implies about the constructor of `whole`: a constructor's number, and whether it is that one.
fn tested(store: &Store, guard: (TermId, bool), whole: TermId) -> Option<(usize, bool)> {
    let (t, truth) = stripped(store, guard);
    match (store.kind(t), store.args(t)) {
        (Kind::Test, &[of]) if of == whole => Some((store.op(t).constructor()?.1, truth)),
        // Equality with a constructor without fields tests for it.
        (Kind::Eq, &[a, b]) => {
            let other = if a == whole {
                b
            } else if b == whole {
                a
            } else {
                return None;
            };
            let nullary = store.kind(other) == Kind::Construct && store.args(other).is_empty();
            nullary.then(|| store.op(other).constructor()).flatten().map(|c| (c.1, truth))
        }
        _ => None,
    }
}

/// Returns a guard without its negations.
fn stripped(store: &Store, (mut t, mut truth): (TermId, bool)) -> (TermId, bool) {
    while let (Kind::Not, &[inner]) = (store.kind(t), store.args(t)) {
        (t, truth) = (inner, !truth);
    }
    (t, truth)
}

/// Whether `t` is the parameter less a positive numeral.
fn is_less(store: &Store, t: TermId, parameter: Symbol) -> bool {
    let is_parameter = |u: TermId| store.variable(u) == Some(parameter);
    match (store.kind(t), store.args(t)) {
        (Kind::IntSub, &[a, b]) => is_parameter(a) && numeral(store, b).is_some_and(|n| n > IBig::ZERO),
        (Kind::IntAdd, &[a, b]) => {
            (is_parameter(a) && numeral(store, b).is_some_and(|n| n < IBig::ZERO))
                || (is_parameter(b) && numeral(store, a).is_some_and(|n| n < IBig::ZERO))
        }
        _ => false,
    }
}

/// Returns an integer literal, perhaps negated.
fn numeral(store: &Store, t: TermId) -> Option<IBig> {
    match (store.kind(t), store.args(t)) {
        (Kind::IntNeg, &[inner]) => numeral_literal(store, inner).map(|n| -n),
        _ => numeral_literal(store, t),
    }
}

/// Returns a literal of integers that is not negative, or of bit-vectors, unsigned.
fn natural(store: &Store, t: TermId) -> Option<UBig> {
    match store.constant(t)? {
        Constant::Int(n) => Some(n.clone()),
        Constant::BitVec { value, .. } => Some(value.clone()),
        _ => None,
    }
}

fn numeral_literal(store: &Store, t: TermId) -> Option<IBig> {
    store.constant(t).and_then(Constant::as_int)
}

/// Whether a guard without its negations bounds the parameter below by a numeral.
fn bounds(store: &Store, (t, truth): (TermId, bool), parameter: Symbol) -> bool {
    let &[a, b] = store.args(t) else {
        return false;
    };
    let is_parameter = |u: TermId| store.variable(u) == Some(parameter);
    let parameter_first = is_parameter(a) && numeral(store, b).is_some();
    let parameter_second = is_parameter(b) && numeral(store, a).is_some();
    match (store.kind(t), truth) {
        (Kind::IntGe | Kind::IntGt, true) | (Kind::IntLe | Kind::IntLt, false) => parameter_first,
        (Kind::IntLe | Kind::IntLt, true) | (Kind::IntGe | Kind::IntGt, false) => parameter_second,
        (Kind::Eq, true) => parameter_first || parameter_second,
        _ => false,
    }
}
