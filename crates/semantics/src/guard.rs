//! Guards: finite sets of values to which a formula confines a term, such as `(or (= x 1) (= x 4))`, `(<= 0 x 5)`,
//! `(fp.isSubnormal x)`, `(set.subset x s)`, `(bag.subbag x b)` or `(= (ff.mul x x) x)`.
//!
//! Invariant: a guard never leaves out a value. Where the formula has the assumed truth value in some interpretation, the
//! term's value there is one of the guard's. What is not recognised confines nothing.

use crate::cardinality::Cardinality;
use crate::collections::{BagValue, SetValue};
use crate::domain::Domains;
use crate::eval::Evaluator;
use crate::field_polynomial::FieldPolynomial;
use crate::float::{Float, FloatFormat};
use crate::limits::EvalLimits;
use crate::model::Model;
use crate::order::{Comparison, Order};
use crate::strings::{RegexStore, SmtString, WorkBudget};
use crate::value::Value;
use dashu_int::{IBig, UBig};
use rustc_hash::FxHashMap;
use smtlib::free_vars::FreeVars;
use smtlib::{FieldOrder, Kind, Sort, SortId, Store, TermId};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The most values a guard may list; larger sets are not recognised as finite.
pub const MAX_VALUES: usize = 1 << 12;

/// How deep connectives may nest in a guard.
const MAX_NESTING: u32 = 32;

/// The most subformulas looked at for one guard.
const MAX_FORMULAS: u32 = 4096;

/// What enumerating the words of a language may cost, in the units of [`WorkBudget`].
const LANGUAGE_STEPS: u64 = 1 << 16;

/// The values that `subject` can have where `formula` is `holds`, in ascending order; none if they are not known to be few.
///
/// The subject is a constant, an application, or a bound variable under whose binder the formula stands.
pub fn guard(store: &Store, formula: TermId, holds: bool, subject: TermId) -> Option<Vec<Value>> {
    guard_of_all(store, &[formula], holds, subject)
}

/// Like [`guard`], where all of several formulas are `holds` together.
pub fn guard_of_all(store: &Store, formulas: &[TermId], holds: bool, subject: TermId) -> Option<Vec<Value>> {
    let mut reader =
        GuardReader { store, subject, free: FreeVars::default(), truths: FxHashMap::default(), left: MAX_FORMULAS };
    formulas.iter().for_each(|&formula| reader.note_truths(formula, holds, 0));
    reader.left = MAX_FORMULAS;
    let mut known = KnownValues::default();
    for &formula in formulas {
        known = known.and(reader.read(formula, holds, 0));
    }
    reader.values(&known)
}

/// What is known of the subject's value; every member narrows it, and none of them means nothing is known.
#[derive(Clone, Default)]
struct KnownValues {
    /// One of these.
    values: Option<BTreeSet<Value>>,
    /// Within each of these bounds, at most one an order.
    bounds: Vec<PlaceRange>,
    /// A string or sequence no longer than this, a bag of no more elements.
    longest: Option<u64>,
    /// A string in each of these languages, which are closed terms.
    languages: Vec<TermId>,
}

/// What lies between two values of an order, in places.
#[derive(Clone)]
struct PlaceRange {
    order: Order,
    /// Not below.
    low: Option<IBig>,
    /// Not above.
    high: Option<IBig>,
}

impl KnownValues {
    fn within(bounds: PlaceRange) -> KnownValues {
        KnownValues { bounds: vec![bounds], ..KnownValues::default() }
    }

    fn nothing_else(values: BTreeSet<Value>) -> KnownValues {
        KnownValues { values: Some(values), ..KnownValues::default() }
    }

    fn impossible() -> KnownValues {
        KnownValues::nothing_else(BTreeSet::new())
    }

    fn and(mut self, other: KnownValues) -> KnownValues {
        self.values = match (self.values, other.values) {
            (Some(a), Some(b)) => Some(a.intersection(&b).cloned().collect()),
            (a, b) => a.or(b),
        };
        for bounds in other.bounds {
            match self.bounds.iter_mut().find(|known| known.order == bounds.order) {
                Some(known) => {
                    known.low = stricter(known.low.take(), bounds.low, std::cmp::max);
                    known.high = stricter(known.high.take(), bounds.high, std::cmp::min);
                }
                None => self.bounds.push(bounds),
            }
        }
        self.longest = stricter(self.longest, other.longest, std::cmp::min);
        self.languages.extend(other.languages);
        self
    }

    /// The widest bounds of two that hold in either case.
    fn hull(&self, other: &KnownValues) -> Vec<PlaceRange> {
        let both = self.bounds.iter().filter_map(|a| Some((a, other.bounds.iter().find(|b| b.order == a.order)?)));
        let widest = |(a, b): (&PlaceRange, &PlaceRange)| PlaceRange {
            order: a.order,
            low: a.low.clone().zip(b.low.clone()).map(|(a, b)| a.min(b)),
            high: a.high.clone().zip(b.high.clone()).map(|(a, b)| a.max(b)),
        };
        both.map(widest).collect()
    }
}

fn stricter<T>(a: Option<T>, b: Option<T>, choose: fn(T, T) -> T) -> Option<T> {
    match (a, b) {
        (Some(a), Some(b)) => Some(choose(a, b)),
        (a, b) => a.or(b),
    }
}

struct GuardReader<'s> {
    store: &'s Store,
    subject: TermId,
    free: FreeVars,
    /// Boolean constants that have this truth value wherever the formulas hold: labels of what is assumed. None for those that
    /// would have both, so that the order of the formulas does not matter.
    truths: FxHashMap<TermId, Option<bool>>,
    left: u32,
}

impl GuardReader<'_> {
    /// Takes note of the Boolean constants whose truth follows at once.
    fn note_truths(&mut self, formula: TermId, holds: bool, depth: u32) {
        if depth > MAX_NESTING || self.left == 0 {
            return;
        }
        self.left -= 1;
        let store = self.store;
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

    /// Whether it is known that the formula does not have this truth value.
    fn is_refuted(&self, mut formula: TermId, mut holds: bool) -> bool {
        while self.store.kind(formula) == Kind::Not {
            (formula, holds) = (self.store.args(formula)[0], !holds);
        }
        self.truths.get(&formula).copied().flatten().is_some_and(|truth| truth != holds)
    }

    /// What a formula says of the subject where it is `holds`. Recursion is bounded by [`MAX_NESTING`].
    fn read(&mut self, formula: TermId, holds: bool, depth: u32) -> KnownValues {
        if depth > MAX_NESTING || self.left == 0 {
            return KnownValues::default();
        }
        self.left -= 1;
        let args = self.store.args(formula);
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
            (kind, _) => match args.first().and_then(|&a| Comparison::of(self.store, kind, self.store.sort(a))) {
                Some(comparison) => self.comparison(comparison, args, holds),
                None => KnownValues::default(),
            },
        }
    }

    /// The floats of a class that has few.
    fn float_class(&self, formula: TermId) -> KnownValues {
        let Sort::Float { eb, sb } = *self.store.sorts.get(self.store.sort(self.subject)) else {
            return KnownValues::default();
        };
        let Ok(format) = FloatFormat::new(eb, sb) else { return KnownValues::default() };
        let values = match self.store.kind(formula) {
            Kind::FpIsNan => vec![Float::nan(format)],
            Kind::FpIsInfinite => vec![Float::infinity(format, false), Float::infinity(format, true)],
            Kind::FpIsZero => vec![Float::zero(format, false), Float::zero(format, true)],
            // The zeros among them do no harm.
            _ => {
                let past = IBig::ONE << (sb - 1) as usize;
                let (low, high) = (Some(-past.clone()), Some(past - IBig::ONE));
                return KnownValues::within(PlaceRange { order: Order::Float(format), low, high });
            }
        };
        KnownValues::nothing_else(values.into_iter().map(Value::Float).collect())
    }

    /// What holds where at least one of some formulas has its truth value.
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
            // Bounds of the whole are the widest of the parts, where all have some.
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
        // What a set or bag is united with gives one that it is part of.
        let unites = |kind| matches!(kind, Kind::SetUnion | Kind::BagUnionMax | Kind::BagUnionDisjoint);
        let is_union = |&&a: &&TermId| unites(self.store.kind(a)) && self.store.args(a).contains(&self.subject);
        if let Some(&union) = args.iter().find(is_union) {
            let whole = args.iter().find(|&&a| a != union).and_then(|&a| self.value(a));
            return whole.map_or_else(KnownValues::default, |whole| parts(&whole));
        }
        let length = args.iter().find(|&&a| self.is_length(a));
        let value = length.and_then(|&l| args.iter().find(|&&a| a != l)).and_then(|&a| self.value(a));
        KnownValues { longest: value.and_then(|v| natural(v.as_int()?)), ..KnownValues::default() }
    }

    /// The elements of a finite field for which an equation holds; none where they are not known.
    fn roots(&mut self, left: TermId, right: TermId) -> Option<Vec<Value>> {
        let order = self.store.sorts.field_order(self.store.sort(left))?.clone();
        // Of the subject's own field: equations about elements of others say nothing of it.
        if self.store.sort(self.subject) != self.store.sort(left) {
            return None;
        }
        // A product is 0 where a factor is.
        for (product, other) in [(left, right), (right, left)] {
            if self.store.kind(product) == Kind::FfMul
                && matches!(self.value(other), Some(Value::FieldElement { value, .. }) if value.is_zero())
            {
                let factors: Vec<FieldPolynomial> =
                    self.store.args(product).iter().map(|&a| self.polynomial(&order, a, 0)).collect::<Option<_>>()?;
                let roots: Vec<Vec<Value>> = factors.iter().map(FieldPolynomial::roots).collect::<Option<_>>()?;
                return Some(roots.concat());
            }
        }
        let (left, right) = (self.polynomial(&order, left, 0)?, self.polynomial(&order, right, 0)?);
        left.plus(&IBig::NEG_ONE, &right).roots()
    }

    /// A term as a polynomial in the subject, if it is one of low degree. Recursion is bounded by [`MAX_NESTING`].
    fn polynomial(&mut self, order: &FieldOrder, t: TermId, depth: u32) -> Option<FieldPolynomial> {
        if depth > MAX_NESTING || self.left == 0 {
            return None;
        }
        self.left -= 1;
        if t == self.subject {
            return Some(FieldPolynomial::unknown(order));
        }
        let kind = self.store.kind(t);
        if !(Kind::FfAdd..=Kind::FfBitsum).contains(&kind) {
            return match self.value(t)? {
                Value::FieldElement { value, .. } => Some(FieldPolynomial::constant(order, value)),
                _ => None,
            };
        }
        let args: Vec<FieldPolynomial> =
            self.store.args(t).iter().map(|&a| self.polynomial(order, a, depth + 1)).collect::<Option<_>>()?;
        let zero = FieldPolynomial::constant(order, UBig::ZERO);
        match (kind, args.split_first()?) {
            (Kind::FfMul, (first, rest)) => rest.iter().try_fold(first.clone(), |product, p| product.times(p)),
            (Kind::FfNeg, (first, _)) => Some(zero.plus(&IBig::NEG_ONE, first)),
            (Kind::FfAdd, _) => Some(args.iter().fold(zero, |sum, p| sum.plus(&IBig::ONE, p))),
            _ => Some(args.iter().rfold(zero, |sum, p| p.plus(&IBig::from(2), &sum))),
        }
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
        // The step as `small <= large`, or `small < large` where it is strict; a negated one turns round.
        let (small, large) = if comparison.is_reversed == holds { (right, left) } else { (left, right) };
        let order = comparison.order;
        let gap = if comparison.is_strict == holds { IBig::ONE } else { IBig::ZERO };
        let is_strict = gap == IBig::ONE;
        if small == self.subject || self.is_length(small) {
            let bound = self.value(large).and_then(|value| order.places(&value));
            // Equal values stand side by side: strictly below them is below the first.
            let most = bound.map(|(first, last)| if is_strict { first - gap } else { last });
            match small == self.subject {
                true => most.map_or_else(KnownValues::default, |high| {
                    KnownValues::within(PlaceRange { order, low: None, high: Some(high) })
                }),
                // A negative length is impossible; 0 is one too many, which does no harm.
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
        matches!(self.store.kind(t), Kind::StrLen | Kind::SeqLen | Kind::BagCard)
            && self.store.args(t) == [self.subject]
    }

    /// Whether no symbol and no variable occurs in a term.
    fn is_ground(&mut self, t: TermId) -> bool {
        let mut open = vec![t];
        while let Some(t) = open.pop() {
            if self.left == 0 || self.store.op(t).func().is_some() {
                return false;
            }
            self.left -= 1;
            open.extend_from_slice(self.store.args(t));
        }
        self.free.is_closed(self.store, t)
    }

    /// The value of a ground term.
    fn value(&mut self, t: TermId) -> Option<Value> {
        if self.store.sort(t) == SortId::REGLAN || !self.is_ground(t) {
            return None;
        }
        let limits = EvalLimits { steps: 1 << 12, ..EvalLimits::default() };
        let value = Evaluator::new(Model::new(), limits).eval(self.store, t).ok()?;
        value.is_exact().then_some(value)
    }

    /// The values something known leaves, if they are few.
    fn values(&mut self, known: &KnownValues) -> Option<Vec<Value>> {
        if let Some(values) = &known.values {
            return (values.len() <= MAX_VALUES).then(|| values.iter().cloned().collect());
        }
        let few = known.bounds.iter().filter_map(listed).min_by_key(Vec::len);
        if few.is_some() {
            return few;
        }
        match (known.longest, self.store.sorts.get(self.store.sort(self.subject))) {
            (Some(longest), Sort::Seq(_)) => return self.sequences(longest),
            (Some(most), Sort::Bag(_)) => return self.bags(most),
            _ => {}
        }
        let (&first, others) = known.languages.split_first()?;
        self.words(first, others, known.longest)
    }

    /// The sequences of the subject's sort up to a length, if they are few.
    fn sequences(&self, longest: u64) -> Option<Vec<Value>> {
        let sort = self.store.sort(self.subject);
        let Sort::Seq(element) = *self.store.sorts.get(sort) else { return None };
        let elements = self.elements(element)?;
        if longest > MAX_VALUES as u64 {
            return None;
        }
        let mut all = vec![Value::sequence(sort, [].into())?];
        let mut last: Vec<Vec<Value>> = vec![Vec::new()];
        for _ in 0..longest {
            if all.len() + last.len().saturating_mul(elements.len()) > MAX_VALUES {
                return None;
            }
            let longer = |word: &Vec<Value>| {
                elements.iter().map(|e| word.iter().chain([e]).cloned().collect()).collect::<Vec<Vec<Value>>>()
            };
            last = last.iter().flat_map(longer).collect();
            for word in &last {
                all.push(Value::sequence(sort, word.clone().into())?);
            }
        }
        all.sort();
        Some(all)
    }

    /// The bags of the subject's sort of at most so many elements, if they are few.
    fn bags(&self, most: u64) -> Option<Vec<Value>> {
        let sort = self.store.sort(self.subject);
        let Sort::Bag(element) = *self.store.sorts.get(sort) else { return None };
        // Parts of bags over the elements so far, with how many more may come.
        let mut all: Vec<(Vec<(Value, UBig)>, u64)> = vec![(Vec::new(), most)];
        for element in self.elements(element)? {
            let mut next = Vec::new();
            for (part, left) in all {
                // `left` may be large where there are few elements.
                if (next.len() as u64).saturating_add(left) >= MAX_VALUES as u64 {
                    return None;
                }
                for count in 0..=left {
                    let entry = (element.clone(), UBig::from(count));
                    next.push((part.iter().cloned().chain([entry]).collect(), left - count));
                }
            }
            all = next;
        }
        let bag = |(entries, _)| BagValue::new(sort, entries).ok().map(|bag| Value::Bag(Arc::new(bag)));
        let mut all: Vec<Value> = all.into_iter().map(bag).collect::<Option<_>>()?;
        all.sort();
        Some(all)
    }

    /// All values of a sort, if they are few.
    fn elements(&self, sort: SortId) -> Option<Vec<Value>> {
        let (store, model) = (self.store, Model::new());
        let domains = Domains { store, model: &model };
        match domains.cardinality(sort) {
            Cardinality::Finite(size) if size <= MAX_VALUES as u64 => (0..size).map(|n| domains.nth(sort, n)).collect(),
            _ => None,
        }
    }

    /// The words of all of some languages up to a length, if they are few.
    fn words(&mut self, first: TermId, others: &[TermId], longest: Option<u64>) -> Option<Vec<Value>> {
        let limits = EvalLimits { steps: 1 << 12, regex_steps: LANGUAGE_STEPS, ..EvalLimits::default() };
        let mut evaluator = Evaluator::new(Model::new(), limits);
        let mut parts = Vec::new();
        for &language in std::iter::once(&first).chain(others) {
            match evaluator.eval(self.store, language).ok()? {
                Value::RegLan(id) => parts.push(id),
                _ => return None,
            }
        }
        let regexes: &mut RegexStore = &mut evaluator.regexes;
        let language = regexes.inter(&parts);
        let mut work = WorkBudget::new(LANGUAGE_STEPS);
        let words: Vec<SmtString> = regexes.words(language, longest, MAX_VALUES, &mut work).ok()??;
        let mut values: Vec<Value> = words.into_iter().map(Value::String).collect();
        values.sort();
        Some(values)
    }
}

/// The subsets of a set or the subbags of a bag, if they are few.
fn parts(whole: &Value) -> KnownValues {
    match whole {
        Value::Set(whole) => subsets(whole),
        Value::Bag(whole) => subbags(whole),
        _ => KnownValues::default(),
    }
}

fn subbags(whole: &BagValue) -> KnownValues {
    let mut all: Vec<Vec<(Value, UBig)>> = vec![Vec::new()];
    for (element, most) in whole.entries() {
        let count = u64::try_from(most).ok().filter(|&most| most < MAX_VALUES as u64);
        let Some(most) = count.filter(|&most| all.len() as u64 * (most + 1) <= MAX_VALUES as u64) else {
            return KnownValues::default();
        };
        let with = |part: &Vec<(Value, UBig)>, n: u64| {
            part.iter().cloned().chain([(element.clone(), UBig::from(n))]).collect::<Vec<_>>()
        };
        all = all.iter().flat_map(|part| (0..=most).map(move |n| with(part, n))).collect();
    }
    let bag = |entries| BagValue::new(whole.sort(), entries).ok().map(|bag| Value::Bag(Arc::new(bag)));
    all.into_iter().map(bag).collect::<Option<_>>().map_or_else(KnownValues::default, KnownValues::nothing_else)
}

fn subsets(whole: &SetValue) -> KnownValues {
    let elements = whole.elements();
    let Some(count) = 1usize.checked_shl(elements.len() as u32).filter(|&n| n <= MAX_VALUES) else {
        return KnownValues::default();
    };
    let subset = |n: usize| {
        let part = elements.iter().enumerate().filter(|(k, _)| n >> k & 1 == 1).map(|(_, value)| value.clone());
        SetValue::new(part.collect()).ok().map(|set| Value::Set(Arc::new(set)))
    };
    (0..count).map(subset).collect::<Option<_>>().map_or_else(KnownValues::default, KnownValues::nothing_else)
}

/// The values within bounds, in ascending order, if they are few.
fn listed(bounds: &PlaceRange) -> Option<Vec<Value>> {
    let ends = bounds.order.ends();
    let low = stricter(bounds.low.clone(), ends.as_ref().map(|(first, _)| first.clone()), std::cmp::max)?;
    let high = stricter(bounds.high.clone(), ends.map(|(_, last)| last), std::cmp::min)?;
    if low > high {
        return Some(Vec::new());
    }
    let count = u64::try_from(&high - &low).ok().filter(|&n| n < MAX_VALUES as u64)?;
    let mut values: Vec<Value> = (0..=count).map(|n| bounds.order.at(&(&low + IBig::from(n)))).collect();
    values.sort();
    Some(values)
}

fn natural(n: &IBig) -> Option<u64> {
    u64::try_from(n).ok()
}
