//! The few values that a symbol or variable is confined to, and the guard that states them.

use super::grow::Grower;
use crate::guards::one_of;
use crate::rng::RandomStream;
use dashu_int::IBig;
use semantics::cardinality::Cardinality;
use semantics::domain::Domains;
use semantics::order::Comparison;
use semantics::{EvalLimits, Evaluator, Model, Value};
use smtlib::{Kind, Op, Sort, SortId, Store, TermId};

/// The maximum number of values in a drawn interval.
const MAX_BETWEEN: u64 = 48;

/// The maximum length bound of a set of all sequences up to a length.
const MAX_LENGTH: usize = 4;

/// The maximum number of factors of a polynomial whose roots a symbol is confined to.
const MAX_FACTORS: u64 = 4;

/// How a symbol is confined.
pub struct Confined {
    /// The number of remaining values.
    pub size: u64,
    /// The formula that confines it; `None` if its sort does.
    pub guard: Option<TermId>,
}

/// A symbol, and the maximum number of values to leave it.
type Few = (TermId, u64);

/// Confines `subject` to at most `most` values; `None` if its sort has no writable values.
pub fn confine(
    store: &mut Store,
    grower: &mut Grower<'_>,
    subject: TermId,
    most: u64,
    rng: &mut RandomStream,
) -> Option<Confined> {
    let sort = store.sort(subject);
    let model = Model::new();
    let size = Domains { store, model: &model }.cardinality(sort);
    if let Cardinality::Finite(n) = size
        && n <= most
        && !(n > 8 && rng.percent(15))
    {
        return Some(Confined { size: n, guard: None });
    }
    let (wide, most) = (most, most.min(6));
    match store.sorts.get(sort) {
        Sort::Int if rng.percent(50) => interval(store, subject, most, rng),
        Sort::String if rng.percent(25) => words(store, subject, most, rng),
        Sort::Seq(element) if rng.percent(40) => {
            let element = *element;
            match short(store, subject, element, wide, rng) {
                Some(confined) => Some(confined),
                None => among(store, grower, (subject, most), rng),
            }
        }
        Sort::Bag(element) => {
            let (element, way) = (*element, rng.below(10));
            let short = if way < 3 { short(store, subject, element, wide, rng) } else { None };
            let confined = match short {
                None if way < 7 => parts(store, grower, (subject, wide), rng),
                short => short,
            };
            match confined {
                Some(confined) => Some(confined),
                None => among(store, grower, (subject, most), rng),
            }
        }
        Sort::Float { .. } if rng.percent(45) => floats(store, grower, (subject, wide), rng),
        Sort::BitVec(_) if rng.percent(35) => between(store, grower, (subject, wide), rng),
        Sort::FiniteField(_) if rng.percent(50) => roots(store, grower, (subject, most), rng),
        Sort::Set(_) if rng.percent(45) => parts(store, grower, (subject, wide), rng),
        _ => among(store, grower, (subject, most), rng),
    }
}

/// Confines a symbol to one of a few values.
fn among(store: &mut Store, grower: &mut Grower<'_>, (subject, most): Few, rng: &mut RandomStream) -> Option<Confined> {
    let (values, guard) = listed(store, grower, (subject, most), rng)?;
    Some(Confined { size: values.len() as u64, guard: Some(guard) })
}

/// Returns a few values, and `(or (= x c1) … (= x ck))`.
pub fn listed(
    store: &mut Store,
    grower: &mut Grower<'_>,
    (subject, most): Few,
    rng: &mut RandomStream,
) -> Option<(Vec<Value>, TermId)> {
    let sort = store.sort(subject);
    let wanted = rng.between(2, most.max(2));
    let mut values: Vec<Value> = Vec::new();
    for _ in 0..3 * wanted {
        let value = grower.value(store, sort, rng)?;
        if !values.contains(&value) {
            values.push(value);
        }
        if values.len() as u64 >= wanted {
            break;
        }
    }
    let literals: Option<Vec<TermId>> = values.iter().map(|value| value.to_term(store, sort)).collect();
    let guard = one_of(store, subject, &literals?)?;
    Some((values, guard))
}

/// Returns a few values, as a list or an interval, and the guard that states them.
pub fn few(
    store: &mut Store,
    grower: &mut Grower<'_>,
    subject: TermId,
    most: u64,
    rng: &mut RandomStream,
) -> Option<(Vec<Value>, TermId)> {
    let is_ordered = matches!(store.sorts.get(store.sort(subject)), Sort::Float { .. } | Sort::BitVec(_));
    if is_ordered && most > 2 && rng.percent(40) {
        // The interval has one more value than requested, or two more with both zeros.
        let guard = between(store, grower, (subject, most - 2), rng)?.guard?;
        let values = semantics::guard::guard(store, guard, true, subject)?;
        return (values.len() as u64 <= most).then_some((values, guard));
    }
    if store.sorts.field_order(store.sort(subject)).is_some() && rng.percent(40) {
        let guard = roots(store, grower, (subject, most), rng)?.guard?;
        let values = semantics::guard::guard(store, guard, true, subject)?;
        return Some((values, guard));
    }
    listed(store, grower, (subject, most), rng)
}

/// States that `subject` has a value: by an equation, or by two bounds, which solvers do not fold away.
pub fn pinned(store: &mut Store, subject: TermId, value: &Value, rng: &mut RandomStream) -> Option<TermId> {
    let literal = value.to_term(store, store.sort(subject))?;
    let below = match value {
        Value::Float(x) if !x.is_nan() => Kind::FpLeq,
        Value::BitVec { .. } => Kind::BvUle,
        Value::Int(_) => Kind::IntLe,
        _ => Kind::Eq,
    };
    if below == Kind::Eq || rng.coin() {
        return store.eq(subject, literal).ok();
    }
    let above = store.app(Op::new(below), &[literal, subject]).ok()?;
    let below = store.app(Op::new(below), &[subject, literal]).ok()?;
    Some(store.and(&[above, below]))
}

/// Returns an interval of integers, in one of the common forms.
fn interval(store: &mut Store, subject: TermId, most: u64, rng: &mut RandomStream) -> Option<Confined> {
    let size = rng.between(2, most.max(2));
    let low = IBig::from(rng.below(9)) - IBig::from(4);
    let high = &low + IBig::from(size - 1);
    let (low_term, high_term) = (store.int(&low), store.int(&high));
    let one = |store: &mut Store, kind, a, b| store.app(Op::new(kind), &[a, b]).ok();
    let guard = match rng.below(3) {
        0 => store.app(Op::new(Kind::IntLe), &[low_term, subject, high_term]).ok()?,
        1 => {
            let parts = [one(store, Kind::IntGe, subject, low_term)?, one(store, Kind::IntLe, subject, high_term)?];
            store.and(&parts)
        }
        _ => {
            let past = store.int(&(high + IBig::ONE));
            let parts = [one(store, Kind::IntLe, low_term, subject)?, one(store, Kind::IntLt, subject, past)?];
            store.and(&parts)
        }
    };
    Some(Confined { size, guard: Some(guard) })
}

/// Returns an interval of floats, or the subnormal ones of a format that has few. A value given by an equation is folded, so the
/// circuits of its operators are never built.
fn floats(
    store: &mut Store,
    grower: &mut Grower<'_>,
    (subject, most): Few,
    rng: &mut RandomStream,
) -> Option<Confined> {
    let Sort::Float { sb, .. } = *store.sorts.get(store.sort(subject)) else { return None };
    let subnormal = 1u64.checked_shl(sb).filter(|&n| n <= most);
    match subnormal {
        Some(size) if rng.coin() => {
            let guard = store.app(Op::new(Kind::FpIsSubnormal), &[subject]).ok()?;
            Some(Confined { size, guard: Some(guard) })
        }
        _ => between(store, grower, (subject, most), rng),
    }
}

/// Returns the interval from a drawn value to one a few places on, in one of the common forms.
fn between(
    store: &mut Store,
    grower: &mut Grower<'_>,
    (subject, most): Few,
    rng: &mut RandomStream,
) -> Option<Confined> {
    let sort = store.sort(subject);
    let chain = match store.sorts.get(sort) {
        Sort::Float { .. } => [Kind::FpLeq, Kind::FpLt, Kind::FpGeq],
        _ if rng.coin() => [Kind::BvUle, Kind::BvUlt, Kind::BvUge],
        _ => [Kind::BvSle, Kind::BvSlt, Kind::BvSge],
    };
    let order = Comparison::of(store, chain[0], sort)?.order;
    let (first, last) = order.ends()?;
    let size = rng.between(2, most.clamp(2, MAX_BETWEEN));
    let drawn = (0..4).find_map(|_| order.places(&grower.value(store, sort, rng)?))?.0;
    let low = drawn.min(&last - IBig::from(size)).max(first);
    let high = (&low + IBig::from(size - 1)).min(last.clone());
    let mut literal = |place: &IBig| order.at(place).to_term(store, sort);
    let (low_term, high_term) = (literal(&low)?, literal(&high)?);
    let past = if high < last { literal(&(&high + IBig::ONE)) } else { None };
    let mut one = |kind, a, b| store.app(Op::new(kind), &[a, b]).ok();
    let above = if rng.coin() { one(chain[0], low_term, subject)? } else { one(chain[2], subject, low_term)? };
    let below = match past.filter(|_| rng.coin()) {
        Some(past) => one(chain[1], subject, past)?,
        None => one(chain[0], subject, high_term)?,
    };
    Some(Confined { size: size + 1, guard: Some(store.and(&[above, below])) })
}

/// Returns the sequences up to a length, or the bags up to a size; `None` if there are too many.
fn short(store: &mut Store, subject: TermId, element: SortId, most: u64, rng: &mut RandomStream) -> Option<Confined> {
    let Cardinality::Finite(elements) = (Domains { store, model: &Model::new() }).cardinality(element) else {
        return None;
    };
    let is_bag = matches!(store.sorts.get(store.sort(subject)), Sort::Bag(_));
    // The numbers of sequences of length 0, 1, … together, of bags of size 0, 1, ….
    let sizes = (0u64..).scan((0u64, 1u64), |(all, of_length), n| {
        *all = all.saturating_add(*of_length);
        *of_length = match is_bag {
            // Of n elements among k there are (n + k - 1)! / (n! (k - 1)!) bags.
            true => of_length.saturating_mul(elements.saturating_add(n)) / (n + 1),
            false => of_length.saturating_mul(elements),
        };
        Some(*all)
    });
    let sizes: Vec<u64> = sizes.take_while(|&size| size <= most).take(MAX_LENGTH + 1).collect();
    // One value is not a choice.
    let longest = 1 + rng.index(sizes.len().checked_sub(1).filter(|&n| n > 0)?);
    let length = store.app(Op::new(if is_bag { Kind::BagCard } else { Kind::SeqLen }), &[subject]).ok()?;
    let guard = match rng.coin() {
        true => {
            let bound = store.int(&IBig::from(longest));
            store.app(Op::new(Kind::IntLe), &[length, bound]).ok()?
        }
        false => {
            let past = store.int(&IBig::from(longest + 1));
            store.app(Op::new(Kind::IntLt), &[length, past]).ok()?
        }
    };
    Some(Confined { size: sizes[longest], guard: Some(guard) })
}

/// Returns the roots of a polynomial that is a product of linear ones, or those of x² = x, the elements 0 and 1.
fn roots(store: &mut Store, grower: &mut Grower<'_>, (subject, most): Few, rng: &mut RandomStream) -> Option<Confined> {
    let sort = store.sort(subject);
    let order = store.sorts.field_order(sort)?.clone();
    let one = |store: &mut Store, kind, args: &[TermId]| store.app(Op::new(kind), args).ok();
    if rng.percent(35) {
        let square = one(store, Kind::FfMul, &[subject, subject])?;
        return Some(Confined { size: 2, guard: Some(store.eq(square, subject).ok()?) });
    }
    let mut values: Vec<Value> = Vec::new();
    for _ in 0..rng.between(2, most.clamp(2, MAX_FACTORS)) {
        let value = grower.value(store, sort, rng)?;
        if !values.contains(&value) {
            values.push(value);
        }
    }
    let mut factors = Vec::with_capacity(values.len());
    for value in &values {
        let Value::FieldElement { value, .. } = value else { return None };
        let root = IBig::from(value.clone());
        factors.push(match rng.coin() {
            true => {
                let negated = store.field_element(&order, &-root);
                one(store, Kind::FfAdd, &[subject, negated])?
            }
            false => {
                let (root, negated) = (store.field_element(&order, &root), one(store, Kind::FfNeg, &[subject])?);
                one(store, Kind::FfAdd, &[root, negated])?
            }
        });
    }
    let product = if factors.len() == 1 { factors[0] } else { one(store, Kind::FfMul, &factors)? };
    let zero = store.field_element(&order, &IBig::ZERO);
    Some(Confined { size: values.len() as u64, guard: Some(store.eq(product, zero).ok()?) })
}

/// Returns the subsets of a small set, or the subbags of a small bag.
fn parts(store: &mut Store, grower: &mut Grower<'_>, (subject, most): Few, rng: &mut RandomStream) -> Option<Confined> {
    let sort = store.sort(subject);
    let (union, part) = match store.sorts.get(sort) {
        Sort::Bag(_) => (Kind::BagUnionMax, Kind::BagSubbag),
        _ => (Kind::SetUnion, Kind::SetSubset),
    };
    let drawn: Option<Vec<TermId>> = (0..2).map(|_| grower.value(store, sort, rng)?.to_term(store, sort)).collect();
    let whole = store.app(Op::new(union), &drawn?).ok()?;
    let whole = Evaluator::new(Model::new(), EvalLimits::default()).eval(store, whole).ok()?;
    let size = match &whole {
        Value::Set(set) => 1u64.checked_shl(set.elements().len() as u32),
        Value::Bag(bag) => bag
            .entries()
            .iter()
            .try_fold(1u64, |size, (_, count)| size.checked_mul(u64::try_from(count).ok()?.checked_add(1)?)),
        _ => None,
    };
    let size = size.filter(|&size| size <= most)?;
    let whole = whole.to_term(store, sort)?;
    let guard = store.app(Op::new(part), &[subject, whole]).ok()?;
    Some(Confined { size, guard: Some(guard) })
}

/// Returns the words of a small language.
fn words(store: &mut Store, subject: TermId, most: u64, rng: &mut RandomStream) -> Option<Confined> {
    let (first, second) = if rng.coin() { ('a', 'b') } else { ('0', '1') };
    let ends = [store.string(&[first as u32]), store.string(&[second as u32])];
    let letters = store.app(Op::new(Kind::ReRange), &ends).ok()?;
    // Two letters give 3 words of length up to 1, and 7 of length up to 2.
    let longest = if most >= 7 && rng.coin() { 2 } else { 1 };
    let guard = match rng.coin() {
        true => {
            let language = store.app(Op::indexed(Kind::ReLoop, 0, longest), &[letters]).ok()?;
            store.app(Op::new(Kind::StrInRe), &[subject, language]).ok()?
        }
        false => {
            let language = store.app(Op::new(Kind::ReStar), &[letters]).ok()?;
            let length = store.app(Op::new(Kind::StrLen), &[subject]).ok()?;
            let bound = store.int(&IBig::from(longest));
            let parts = [
                store.app(Op::new(Kind::StrInRe), &[subject, language]).ok()?,
                store.app(Op::new(Kind::IntLe), &[length, bound]).ok()?,
            ];
            store.and(&parts)
        }
    };
    Some(Confined { size: if longest == 1 { 3 } else { 7 }, guard: Some(guard) })
}
