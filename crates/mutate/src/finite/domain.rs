//! The few values that a symbol or variable is confined to, and the guard that says so.

use super::grow::Grower;
use crate::guards::one_of;
use crate::rng::RandomStream;
use dashu_int::IBig;
use semantics::cardinality::Cardinality;
use semantics::domain::Domains;
use semantics::{Model, Value};
use smtlib::{Kind, Op, Sort, SortId, Store, TermId};

/// How a symbol is confined.
pub struct Confined {
    /// How many values are left.
    pub size: u64,
    /// The formula that confines it; none where its sort does.
    pub guard: Option<TermId>,
}

/// Confines `subject` to at most `most` values; none where its sort has no values that can be written down.
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
    let most = most.min(6);
    match store.sorts.get(sort) {
        Sort::Int if rng.percent(50) => interval(store, subject, most, rng),
        Sort::String if rng.percent(25) => words(store, subject, most, rng),
        _ => {
            let (values, guard) = listed(store, grower, subject, most, rng)?;
            Some(Confined { size: values.len() as u64, guard: Some(guard) })
        }
    }
}

/// All values of a sort; none where it has more than `most`, or infinitely many.
pub fn all_values(store: &Store, sort: SortId, most: u64) -> Option<Vec<Value>> {
    let model = Model::new();
    let domains = Domains { store, model: &model };
    match domains.cardinality(sort) {
        Cardinality::Finite(n) if n <= most => (0..n).map(|at| domains.nth(sort, at)).collect(),
        _ => None,
    }
}

/// A few values, and `(or (= x c1) … (= x ck))`.
pub fn listed(
    store: &mut Store,
    grower: &mut Grower<'_>,
    subject: TermId,
    most: u64,
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

/// An interval of integers, in one of the ways people write one.
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

/// The words of a small language.
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
