//! Refutations by an identity: a definition in the script that is positive by the assertions, and 0 when it is multiplied out.
//!
//! `(define-fun sum () Real (+ (* x x) 1.0 (- y (+ (* x x) y 1.0))))` refutes `(>= y (+ (* x x) y 1.0))`. Sums of multiples of equations, of
//! products of inequalities and of squares are the certificates of the Positivstellensatz (Stengle, "A Nullstellensatz and a
//! Positivstellensatz in semialgebraic geometry", Mathematische Annalen 207, 1974).

use crate::eval::Evaluator;
use crate::limits::EvalLimits;
use crate::meter::Stop;
use crate::model::Model;
use crate::value::Value;
use dashu_int::IBig;
use dashu_ratio::RBig;
use rustc_hash::{FxHashMap, FxHashSet};
use smtlib::{Command, Constant, FuncBody, FuncId, Instance, Kind, SortId, Store, TermId};
use std::cmp::Ordering;
use std::collections::BTreeMap;

/// The maximum number of points at which a definition is evaluated.
const MAX_POINTS: u64 = 1 << 9;
/// The maximum number of terms in a definition, times these points.
const MAX_WORK: u64 = 1 << 20;
/// The maximum number of bits of a numeral in between.
const MAX_BITS: usize = 1 << 10;
/// How many definitions of sums are tried: the first ones.
const MAX_DEFINITIONS: usize = 4;
/// The maximum number of nested operators in a definition.
const MAX_NESTING: u32 = 100;

/// What the assertions say of a term's value. A sum has the greatest sign of its summands, and a product the smallest of its factors; it is
/// zero if one factor is, whatever the others are.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum CertainSign {
    Zero,
    NotNegative,
    Positive,
}

/// Returns a definition without parameters that is positive by the assertions, and 0 whatever the values of its symbols.
pub(super) fn refuting(store: &Store, instance: &Instance, limits: EvalLimits, stop: &Stop) -> Option<FuncId> {
    let sums = instance.declarations.iter().filter_map(|command| match command {
        Command::DefineFun(f) => Some((*f, sum_of(store, *f)?)),
        _ => None,
    });
    let (mut differences, mut sums) = (None, sums.take(MAX_DEFINITIONS));
    sums.find(|&(_, body)| {
        let differences = differences.get_or_insert_with(|| differences_of(store, &instance.assertions));
        let mut signs = Signs { store, differences, known: FxHashMap::default() };
        signs.of(body, 0) == Some(CertainSign::Positive) && is_zero(store, body, limits, stop)
    })
    .map(|(f, _)| f)
}

/// Returns the body of a definition that is a sum of numbers.
fn sum_of(store: &Store, f: FuncId) -> Option<TermId> {
    match &store.func(f).body {
        FuncBody::Defined { vars, body } if vars.is_empty() => {
            matches!(store.kind(*body), Kind::IntAdd | Kind::RealAdd).then_some(*body)
        }
        _ => None,
    }
}

/// Returns the signs of differences of two terms that the assertions compare.
fn differences_of(store: &Store, assertions: &[TermId]) -> FxHashMap<(TermId, TermId), CertainSign> {
    let mut signs = FxHashMap::default();
    let (mut open, mut seen) = (assertions.to_vec(), FxHashSet::default());
    while let Some(t) = open.pop() {
        if !seen.insert(t) {
            continue;
        }
        let args = store.args(t);
        let is_number = args.first().is_some_and(|&a| [SortId::INT, SortId::REAL].contains(&store.sort(a)));
        use CertainSign::*;
        use Kind::*;
        // Whether the right side is the greater one.
        let (sign, is_ascending) = match store.kind(t) {
            And => {
                open.extend_from_slice(args);
                continue;
            }
            Eq if is_number => (Zero, true),
            IntLe | RealLe => (NotNegative, true),
            IntGe | RealGe => (NotNegative, false),
            IntLt | RealLt => (Positive, true),
            IntGt | RealGt => (Positive, false),
            _ => continue,
        };
        for pair in args.windows(2) {
            let (left, right) = (pair[0], pair[1]);
            if sign == Zero || !is_ascending {
                signs.insert((left, right), sign);
            }
            if sign == Zero || is_ascending {
                signs.insert((right, left), sign);
            }
        }
    }
    signs
}

/// The signs of terms under assertions.
struct Signs<'s> {
    store: &'s Store,
    differences: &'s FxHashMap<(TermId, TermId), CertainSign>,
    known: FxHashMap<TermId, Option<CertainSign>>,
}

impl Signs<'_> {
    /// Recursion is bounded by [`MAX_NESTING`], and each term is read once.
    fn of(&mut self, t: TermId, depth: u32) -> Option<CertainSign> {
        if depth > MAX_NESTING {
            return None;
        }
        if let Some(known) = self.known.get(&t) {
            return *known;
        }
        let sign = self.computed(t, depth + 1);
        self.known.insert(t, sign);
        sign
    }

    fn computed(&mut self, t: TermId, depth: u32) -> Option<CertainSign> {
        let args = self.store.args(t);
        use Kind::*;
        match self.store.kind(t) {
            IntSub | RealSub if args.len() == 2 => self.differences.get(&(args[0], args[1])).copied(),
            IntAdd | RealAdd => args.iter().try_fold(CertainSign::Zero, |sum, &a| Some(self.of(a, depth)?.max(sum))),
            IntMul | RealMul => {
                let mut counts: BTreeMap<TermId, u32> = BTreeMap::new();
                args.iter().for_each(|&a| *counts.entry(a).or_default() += 1);
                let factors: Vec<Option<CertainSign>> = counts
                    .into_iter()
                    .map(|(a, count)| self.of(a, depth).or((count % 2 == 0).then_some(CertainSign::NotNegative)))
                    .collect();
                match factors.contains(&Some(CertainSign::Zero)) {
                    true => Some(CertainSign::Zero),
                    false => factors.into_iter().try_fold(CertainSign::Positive, |product, f| Some(f?.min(product))),
                }
            }
            _ => {
                let ordering = number(self.store, t)?.cmp(&RBig::ZERO);
                let sign = if ordering == Ordering::Equal { CertainSign::Zero } else { CertainSign::Positive };
                (ordering != Ordering::Less).then_some(sign)
            }
        }
    }
}

/// Returns the value of a literal, also a negated one or a quotient, as negative and rational numbers are written. Recursion follows these.
fn number(store: &Store, t: TermId) -> Option<RBig> {
    let args = store.args(t);
    match (store.kind(t), args) {
        (Kind::Constant, _) => match store.constant(t)? {
            Constant::Int(n) => Some(RBig::from(n.clone())),
            Constant::Real(r) => Some(r.clone()),
            _ => None,
        },
        (Kind::IntNeg | Kind::RealNeg, &[n]) if store.kind(n) == Kind::Constant => Some(-number(store, n)?),
        (Kind::RealDiv, &[n, d]) if store.kind(d) == Kind::Constant && store.kind(n) != Kind::RealDiv => {
            let divisor = number(store, d).filter(|d| *d != RBig::ZERO)?;
            Some(number(store, n)? / divisor)
        }
        _ => None,
    }
}

/// Whether a polynomial is 0. It is if it vanishes at all points of a grid that has, for each symbol, one value more than its degree in it
/// (Alon, "Combinatorial Nullstellensatz", 1999, lemma 2.1).
fn is_zero(store: &Store, t: TermId, limits: EvalLimits, stop: &Stop) -> bool {
    let mut known = FxHashMap::default();
    let Some(degrees) = degrees(store, t, &mut known, 0) else { return false };
    let points = points(&degrees);
    if points.saturating_mul(known.len() as u64) > MAX_WORK {
        return false;
    }
    let limits = EvalLimits { bits: MAX_BITS, ..limits };
    (0..points).all(|mut point| {
        let mut model = Model::new();
        for (&f, degree) in &degrees {
            let size = u64::from(*degree) + 1;
            let coordinate = IBig::from(point % size);
            point /= size;
            let value = match store.func(f).result {
                SortId::INT => Value::Int(coordinate),
                _ => Value::real(coordinate.into()),
            };
            if model.assign(store, f, value).is_err() {
                return false;
            }
        }
        let value = Evaluator::new(model, limits).heeding(stop).eval(store, t).ok();
        value.is_some_and(|value| value.as_int() == Some(&IBig::ZERO) || value.as_real() == Some(&RBig::ZERO))
    })
}

type Degrees = BTreeMap<FuncId, u32>;

/// Returns the number of points of the grid.
fn points(degrees: &Degrees) -> u64 {
    degrees.values().fold(1, |points, degree| points.saturating_mul(u64::from(*degree) + 1))
}

/// Returns a bound on the degree of a polynomial in each of its symbols; `None` for other terms, and above [`MAX_POINTS`]. Recursion is
/// bounded by [`MAX_NESTING`], and each term is computed once.
fn degrees(store: &Store, t: TermId, known: &mut FxHashMap<TermId, Degrees>, depth: u32) -> Option<Degrees> {
    if depth > MAX_NESTING {
        return None;
    }
    if let Some(found) = known.get(&t) {
        return Some(found.clone());
    }
    let mut all = Degrees::new();
    let args = store.args(t);
    use Kind::*;
    match store.kind(t) {
        Apply if args.is_empty() => {
            let f = store.applied(t)?;
            let is_declared = matches!(store.func(f).body, FuncBody::Declared);
            let is_symbol = is_declared && [SortId::INT, SortId::REAL].contains(&store.sort(t));
            all.insert(f, is_symbol.then_some(1)?);
        }
        kind @ (IntAdd | IntSub | IntNeg | RealAdd | RealSub | RealNeg | ToReal | IntMul | RealMul) => {
            for &a in args {
                for (f, degree) in degrees(store, a, known, depth + 1)? {
                    let bound = all.entry(f).or_default();
                    let is_product = matches!(kind, IntMul | RealMul);
                    *bound = if is_product { bound.checked_add(degree)? } else { degree.max(*bound) };
                }
                if points(&all) > MAX_POINTS {
                    return None;
                }
            }
        }
        _ => {
            number(store, t)?;
        }
    }
    known.insert(t, all.clone());
    Some(all)
}
