//! Guards: finite sets of values to which a formula confines a term, such as `(or (= x 1) (= x 4))`, `(<= 0 x 5)`,
//! `(fp.isSubnormal x)`, `(set.subset x s)`, `(bag.subbag x b)`, `(= (ff.mul x x) x)` or `(= (* x x) 2.0)`. Constants defined by
//! `define-fun` are expanded.
//!
//! Invariant: a guard never leaves out a value. If the formula has the assumed truth value in some interpretation, the
//! term's value there is one of the guard's. Unrecognised formulas confine nothing.

mod known;
mod listing;

use crate::eval::Evaluator;
use crate::float::{Float, FloatFormat};
use crate::limits::EvalLimits;
use crate::meter::{Exhausted, Meter, Stop};
use crate::model::Model;
use crate::order::{Comparison, Order};
use crate::univariate::{UnivariatePolynomial, UnivariateReader};
use crate::value::Value;
use dashu_int::IBig;
use known::{KnownValues, PlaceRange, parts};
use rustc_hash::FxHashMap;
use smtlib::free_vars::FreeVars;
use smtlib::{FieldOrder, FuncBody, Kind, Sort, SortId, Store, TermId};
use std::borrow::Cow;
use std::collections::BTreeSet;

/// The maximum number of values a guard may list; larger sets are not recognised as finite.
pub const MAX_VALUES: usize = 1 << 12;

/// How deep connectives may nest in a guard.
const MAX_NESTING: u32 = 32;

/// The maximum number of subformulas examined for one guard.
const MAX_FORMULAS: u32 = 4096;

/// A formula with more subterms than this is not searched for symbols; repeated subterms count repeatedly.
const LARGE: usize = 512;

/// Lists the possible values of `subject` if `formula` is `holds`, in ascending order; `None` unless they are known to
/// be few.
///
/// The subject is a constant, an application, or a bound variable under whose binder the formula stands.
pub fn guard(store: &Store, formula: TermId, holds: bool, subject: TermId) -> Option<Vec<Value>> {
    guard_of_all(store, &[formula], holds, subject)
}

/// Like [`guard`], for several formulas that are all `holds`.
pub fn guard_of_all(store: &Store, formulas: &[TermId], holds: bool, subject: TermId) -> Option<Vec<Value>> {
    let mut reader = GuardReader::new(store, subject);
    formulas.iter().for_each(|&formula| reader.note_truths(formula, holds, 0));
    reader.all(formulas.iter().copied(), holds)
}

/// The guards of many subjects if several formulas all hold. Each subject costs only the formulas that mention it.
pub(crate) struct GuardIndex<'s> {
    reader: GuardReader<'s>,
    /// The formulas by the symbols' applications in them.
    by_application: FxHashMap<TermId, Vec<TermId>>,
    /// Formulas too large to search for applications.
    large: Vec<TermId>,
}

impl<'s> GuardIndex<'s> {
    /// Reads formulas, none of which is a conjunction.
    /// Errors: [`Exhausted::Stopped`](crate::meter::Exhausted::Stopped) once `stop` applies.
    pub(crate) fn new(store: &'s Store, formulas: &[TermId], stop: &Stop) -> Result<GuardIndex<'s>, Exhausted> {
        let reader = GuardReader::new(store, TermId::from_index(0));
        let mut guards = GuardIndex { reader, by_application: FxHashMap::default(), large: Vec::new() };
        let mut meter = Meter::new(stop.clone(), usize::MAX);
        let (mut open, mut met) = (Vec::new(), Vec::new());
        for &formula in formulas {
            meter.tick()?;
            guards.reader.note_truths(formula, true, 0);
            let mut looked_at = 0;
            open.push(formula);
            while let Some(t) = open.pop().map(|t| store.stands_for(t)).filter(|_| looked_at < LARGE) {
                looked_at += 1;
                met.extend(store.applied(t).map(|_| t));
                open.extend_from_slice(store.args(t));
            }
            if looked_at == LARGE {
                guards.large.push(formula);
                met.clear();
            }
            for t in met.drain(..) {
                let about = guards.by_application.entry(t).or_default();
                if about.len() < MAX_FORMULAS as usize && about.last() != Some(&formula) {
                    about.push(formula);
                }
            }
            open.clear();
        }
        Ok(guards)
    }

    /// Returns the values of a constant or an application, see [`guard`].
    pub(crate) fn of(&mut self, subject: TermId) -> Option<Vec<Value>> {
        self.reader.subject = subject;
        let small = self.by_application.get(&subject).map_or(&[][..], Vec::as_slice);
        self.reader.all(small.iter().chain(&self.large).copied(), true)
    }
}

struct GuardReader<'s> {
    store: &'s Store,
    subject: TermId,
    free: FreeVars,
    /// For ground terms: no symbol has a value.
    evaluator: Evaluator,
    /// Boolean constants with a fixed truth value if the formulas hold: labels of assumptions. `None` for those that would
    /// have both, so that the order of the formulas does not matter.
    truths: FxHashMap<TermId, Option<bool>>,
    left: u32,
}

impl<'s> GuardReader<'s> {
    fn new(store: &'s Store, subject: TermId) -> GuardReader<'s> {
        let limits = EvalLimits { steps: 1 << 12, ..EvalLimits::default() };
        GuardReader {
            store,
            subject,
            free: FreeVars::default(),
            evaluator: Evaluator::new(Model::new(), limits),
            truths: FxHashMap::default(),
            left: MAX_FORMULAS,
        }
    }

    /// Returns the values of the subject if all formulas are `holds`.
    fn all(&mut self, formulas: impl Iterator<Item = TermId>, holds: bool) -> Option<Vec<Value>> {
        self.left = MAX_FORMULAS;
        let mut known = KnownValues::default();
        for formula in formulas.take(MAX_FORMULAS as usize) {
            known = known.and(self.read(formula, holds, 0));
        }
        self.values(&known)
    }

    /// Records the Boolean constants whose truth follows directly.
    fn note_truths(&mut self, formula: TermId, holds: bool, depth: u32) {
        if depth > MAX_NESTING || self.left == 0 {
            return;
        }
        self.left -= 1;
        let store = self.store;
        let formula = store.stands_for(formula);
        match (store.kind(formula), holds) {
            (Kind::Not, _) => self.note_truths(store.args(formula)[0], !holds, depth + 1),
            (Kind::And, true) | (Kind::Or, false) => {
                store.args(formula).iter().for_each(|&a| self.note_truths(a, holds, depth + 1));
            }
            _ if store
                .applied(formula)
                .is_some_and(|f| store.func(f).is_declared() && store.args(formula).is_empty()) =>
            {
                let truth = self.truths.entry(formula).or_insert(Some(holds));
                *truth = truth.filter(|&known| known == holds);
            }
            _ => {}
        }
    }

    /// Whether the formula is known not to have this truth value.
    fn is_refuted(&self, mut formula: TermId, mut holds: bool) -> bool {
        formula = self.store.stands_for(formula);
        while self.store.kind(formula) == Kind::Not {
            (formula, holds) = (self.store.stands_for(self.store.args(formula)[0]), !holds);
        }
        self.truths.get(&formula).copied().flatten().is_some_and(|truth| truth != holds)
    }

    /// Returns what a formula implies about the subject if it is `holds`. Recursion is bounded by [`MAX_NESTING`].
    fn read(&mut self, formula: TermId, holds: bool, depth: u32) -> KnownValues {
        if depth > MAX_NESTING || self.left == 0 {
            return KnownValues::default();
        }
        self.left -= 1;
        let formula = self.store.stands_for(formula);
        let args = self.args(formula);
        let args: &[TermId] = &args;
        match (self.store.kind(formula), holds) {
            (Kind::True, false) | (Kind::False, true) => KnownValues::impossible(),
            (Kind::Not, _) => self.read(args[0], !holds, depth + 1),
            (Kind::And, true) | (Kind::Or, false) => {
                args.iter().fold(KnownValues::default(), |known, &a| known.and(self.read(a, holds, depth + 1)))
            }
            (Kind::Or, true) | (Kind::And, false) => self.any(args.iter().map(|&a| (a, holds)), depth),
            // Right-associative: `(=> a b c)` is false where a and b are true and c is false.
            (Kind::Implies, _) => {
                let last = args.len() - 1;
                let parts = args.iter().enumerate().map(|(n, &a)| (a, n == last));
                match holds {
                    true => self.any(parts, depth),
                    false => parts.fold(KnownValues::default(), |known, (a, consequent)| {
                        known.and(self.read(a, !consequent, depth + 1))
                    }),
                }
            }
            (Kind::Eq, true) => self.equation(args),
            (Kind::Distinct, false) if args.len() == 2 => self.equation(args),
            (Kind::FpIsSubnormal | Kind::FpIsZero | Kind::FpIsInfinite | Kind::FpIsNan, true)
                if args[0] == self.subject =>
            {
                self.float_class(formula)
            }
            (Kind::StrInRe, true) if args[0] == self.subject && self.is_ground(args[1]) => {
                KnownValues { languages: vec![args[1]], ..KnownValues::default() }
            }
            (Kind::SetMember, true) if args[0] == self.subject => match self.value(args[1]) {
                Some(Value::Set(set)) => KnownValues::nothing_else(set.elements().iter().cloned().collect()),
                _ => KnownValues::default(),
            },
            (Kind::BagMember, true) if args[0] == self.subject => match self.value(args[1]) {
                Some(Value::Bag(bag)) => {
                    KnownValues::nothing_else(bag.entries().iter().map(|(element, _)| element.clone()).collect())
                }
                _ => KnownValues::default(),
            },
            (Kind::SetSubset | Kind::BagSubbag, true) if args[0] == self.subject => {
                self.value(args[1]).map_or_else(KnownValues::default, |whole| parts(&whole))
            }
            // A bound variable has some value, whatever the subject is.
            (Kind::Forall | Kind::Exists, _) if !self.binds_subject(formula) => self.read(args[0], holds, depth + 1),
            (Kind::Match, _) if !self.binds_subject(formula) => self.any(args[1..].iter().map(|&a| (a, holds)), depth),
            (Kind::Apply, _) => self.call(formula, args, holds, depth),
            (kind, _) => match args.first().and_then(|&a| Comparison::of(self.store, kind, self.store.sort(a))) {
                Some(comparison) => self.comparison(comparison, args, holds),
                None => KnownValues::default(),
            },
        }
    }

    fn binds_subject(&mut self, t: TermId) -> bool {
        let (store, op) = (self.store, self.store.op(t));
        let bound = op.binder().into_iter().flat_map(|b| store.binder(b).vars.iter().map(|var| var.0));
        let in_cases = op.cases().into_iter().flat_map(|m| store.cases(m).iter().flat_map(|c| c.vars.iter().flatten()));
        let mut names = bound.chain(in_cases.copied());
        names.any(|name| self.free.contains(store, self.subject, name))
    }

    /// What a defined function implies about the subject as an argument: what its body implies about the parameter.
    fn call(&mut self, t: TermId, args: &[TermId], holds: bool, depth: u32) -> KnownValues {
        let (store, mut known) = (self.store, KnownValues::default());
        let Some(FuncBody::Defined { vars, body }) = store.applied(t).map(|f| &store.func(f).body) else {
            return known;
        };
        let given = self.subject;
        for (&param, _) in vars.iter().zip(args).filter(|(_, arg)| **arg == given) {
            let mut open = vec![*body];
            while let Some(part) = open.pop().filter(|_| self.left > 0) {
                self.left -= 1;
                if store.variable(part) == Some(param) {
                    self.subject = part;
                    known = known.and(self.read(*body, holds, depth + 1));
                    self.subject = given;
                    break;
                }
                open.extend_from_slice(store.args(part));
            }
        }
        known
    }

    /// Returns the arguments of a term, expanded.
    fn args(&self, t: TermId) -> Cow<'s, [TermId]> {
        let store = self.store;
        let args = store.args(t);
        match args.iter().any(|&a| store.stands_for(a) != a) {
            true => args.iter().map(|&a| store.stands_for(a)).collect(),
            false => Cow::Borrowed(args),
        }
    }

    /// Returns the floats of a small class.
    fn float_class(&self, formula: TermId) -> KnownValues {
        let Sort::Float { eb, sb } = *self.store.sorts.get(self.store.sort(self.subject)) else {
            return KnownValues::default();
        };
        let Ok(format) = FloatFormat::new(eb, sb) else { return KnownValues::default() };
        let values = match self.store.kind(formula) {
            Kind::FpIsNan => vec![Float::nan(format)],
            Kind::FpIsInfinite => vec![Float::infinity(format, false), Float::infinity(format, true)],
            Kind::FpIsZero => vec![Float::zero(format, false), Float::zero(format, true)],
            // The zeros among them are harmless.
            _ => {
                let past = IBig::ONE << (sb - 1) as usize;
                let (low, high) = (Some(-past.clone()), Some(past - IBig::ONE));
                return KnownValues::within(PlaceRange { order: Order::Float(format), low, high });
            }
        };
        KnownValues::nothing_else(values.into_iter().map(Value::Float).collect())
    }

    /// Facts that hold if at least one of some formulas has its truth value.
    fn any(&mut self, parts: impl Iterator<Item = (TermId, bool)>, depth: u32) -> KnownValues {
        let mut all = BTreeSet::new();
        let mut hull: Option<KnownValues> = None;
        let mut finite = true;
        for (part, holds) in parts {
            if self.is_refuted(part, holds) {
                continue;
            }
            let known = self.read(part, holds, depth + 1);
            match self.values(&known) {
                Some(values) if finite => all.extend(values),
                _ => finite = false,
            }
            finite &= all.len() <= MAX_VALUES;
            // Bounds of the whole are the widest of the parts, if all have some.
            hull = Some(match hull {
                None => known,
                Some(before) => KnownValues {
                    bounds: before.hull(&known),
                    longest: before.longest.zip(known.longest).map(|(a, b)| a.max(b)),
                    ..KnownValues::default()
                },
            });
        }
        match (finite, hull) {
            (true, _) => KnownValues::nothing_else(all),
            (false, Some(hull)) => KnownValues { values: None, languages: Vec::new(), ..hull },
            (false, None) => KnownValues::impossible(),
        }
    }

    fn equation(&mut self, args: &[TermId]) -> KnownValues {
        if let &[left, right] = args
            && let Some(roots) = self.roots(left, right)
        {
            return KnownValues::nothing_else(roots.into_iter().collect());
        }
        if args.contains(&self.subject) {
            // Two different values make the equation false, and their intersection is empty.
            return args.iter().filter_map(|&a| self.value(a)).fold(KnownValues::default(), |known, value| {
                known.and(KnownValues::nothing_else(BTreeSet::from([value])))
            });
        }
        // A union of a set or bag with another contains it.
        let unites = |kind| matches!(kind, Kind::SetUnion | Kind::BagUnionMax | Kind::BagUnionDisjoint);
        let is_union = |&&a: &&TermId| unites(self.store.kind(a)) && self.args(a).contains(&self.subject);
        if let Some(&union) = args.iter().find(is_union) {
            let whole = args.iter().find(|&&a| a != union).and_then(|&a| self.value(a));
            return whole.map_or_else(KnownValues::default, |whole| parts(&whole));
        }
        let length = args.iter().find(|&&a| self.is_length(a));
        let value = length.and_then(|&l| args.iter().find(|&&a| a != l)).and_then(|&a| self.value(a));
        KnownValues { longest: value.and_then(|v| natural(v.as_int()?)), ..KnownValues::default() }
    }

    /// Returns the numbers, real or of a finite field, for which an equation holds; `None` if unknown.
    fn roots(&mut self, left: TermId, right: TermId) -> Option<Vec<Value>> {
        let sort = self.store.sort(left);
        let order = self.store.sorts.field_order(sort).cloned();
        // Only of the subject's own sort: other equations imply nothing about it.
        if self.store.sort(self.subject) != sort || order.is_none() && sort != SortId::REAL {
            return None;
        }
        let order = order.as_ref();
        // A product is 0 if a factor is.
        for (product, other) in [(left, right), (right, left)] {
            if matches!(self.store.kind(product), Kind::FfMul | Kind::RealMul)
                && self.value(other).is_some_and(|value| is_zero(&value))
            {
                let factors: Vec<UnivariatePolynomial> =
                    self.args(product).iter().map(|&a| self.polynomial(order, a)).collect::<Option<_>>()?;
                let roots: Vec<Vec<Value>> = factors.iter().map(UnivariatePolynomial::roots).collect::<Option<_>>()?;
                return Some(roots.concat());
            }
        }
        let (left, right) = (self.polynomial(order, left)?, self.polynomial(order, right)?);
        left.plus(&IBig::NEG_ONE, &right)?.roots()
    }

    fn polynomial(&mut self, order: Option<&FieldOrder>, t: TermId) -> Option<UnivariatePolynomial> {
        let (store, subject, mut left) = (self.store, self.subject, self.left);
        let mut number = |t| match self.value(t)? {
            Value::FieldElement { value, .. } => Some(value.into()),
            Value::Real(value) => Some((*value).clone()),
            Value::Int(value) => Some(value.into()),
            _ => None,
        };
        let mut reader = UnivariateReader { store, order, subject, left: &mut left, number: &mut number };
        let polynomial = reader.read(t);
        self.left = self.left.min(left);
        polynomial
    }

    /// `(<= 0 x 5)` and the like, and bounds of the subject's length.
    fn comparison(&mut self, comparison: Comparison, args: &[TermId], holds: bool) -> KnownValues {
        // The negation of a chain of more than one step is a disjunction, and that of one of floats may be of NaN.
        if !holds && (args.len() != 2 || matches!(comparison.order, Order::Float(_))) {
            return KnownValues::default();
        }
        args.windows(2)
            .fold(KnownValues::default(), |known, pair| known.and(self.step(comparison, (pair[0], pair[1]), holds)))
    }

    fn step(&mut self, comparison: Comparison, (left, right): (TermId, TermId), holds: bool) -> KnownValues {
        // The step as `small <= large`, or `small < large` if strict; a negated one is reversed.
        let (small, large) = if comparison.is_reversed == holds { (right, left) } else { (left, right) };
        let order = comparison.order;
        let gap = if comparison.is_strict == holds { IBig::ONE } else { IBig::ZERO };
        let is_strict = gap == IBig::ONE;
        if small == self.subject || self.is_length(small) {
            let bound = self.value(large).and_then(|value| order.places(&value));
            // Equal values are neighbours: strictly below them is below the first.
            let most = bound.map(|(first, last)| if is_strict { first - gap } else { last });
            match small == self.subject {
                true => most.map_or_else(KnownValues::default, |high| {
                    KnownValues::within(PlaceRange { order, low: None, high: Some(high) })
                }),
                // A negative length is impossible; allowing 0 is harmless.
                false => KnownValues { longest: most.map(|n| natural(&n).unwrap_or(0)), ..KnownValues::default() },
            }
        } else if large == self.subject {
            let bound = self.value(small).and_then(|value| order.places(&value));
            let least = bound.map(|(first, last)| if is_strict { last + gap } else { first });
            least.map_or_else(KnownValues::default, |low| {
                KnownValues::within(PlaceRange { order, low: Some(low), high: None })
            })
        } else {
            KnownValues::default()
        }
    }

    fn is_length(&self, t: TermId) -> bool {
        matches!(self.store.kind(t), Kind::StrLen | Kind::SeqLen | Kind::BagCard) && *self.args(t) == [self.subject]
    }

    /// Whether no symbol and no variable occurs in a term.
    fn is_ground(&mut self, t: TermId) -> bool {
        let mut open = vec![t];
        while let Some(t) = open.pop() {
            let t = self.store.stands_for(t);
            if self.left == 0 || self.store.op(t).func().is_some() {
                return false;
            }
            self.left -= 1;
            open.extend_from_slice(self.store.args(t));
        }
        self.free.is_closed(self.store, t)
    }

    /// Returns the value of a ground term.
    fn value(&mut self, t: TermId) -> Option<Value> {
        if self.store.sort(t) == SortId::REGLAN || !self.is_ground(t) {
            return None;
        }
        let value = self.evaluator.eval(self.store, t).ok()?;
        value.is_exact().then_some(value)
    }
}

fn is_zero(value: &Value) -> bool {
    match value {
        Value::FieldElement { value, .. } => value.is_zero(),
        Value::Real(value) => value.is_zero(),
        _ => false,
    }
}

fn natural(n: &IBig) -> Option<u64> {
    u64::try_from(n).ok()
}
