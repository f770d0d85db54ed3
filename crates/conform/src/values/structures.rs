//! Random compound arguments: formulas, regular expressions, arrays, sequences, sets and bags.

use crate::setting::pick;
use crate::values::LiteralMaker;
use dashu_int::IBig;
use dashu_ratio::RBig;
use rand::RngExt;
use smtlib::{BuildError, Kind, Op, Sort, SortId, TermId};

/// Returns a formula over `true` and `false`, at most `depth` connectives deep.
pub fn formula(values: &mut LiteralMaker<'_>, depth: u32) -> Result<TermId, BuildError> {
    if depth == 0 || values.rng.random_bool(0.6) {
        let value = values.rng.random();
        return Ok(values.store.bool(value));
    }
    let (kind, count) = pick(
        values.rng,
        &[
            (Kind::Not, 1),
            (Kind::And, 2),
            (Kind::Or, 3),
            (Kind::Xor, 2),
            (Kind::Xor, 3),
            (Kind::Implies, 2),
            (Kind::Implies, 3),
            (Kind::Eq, 2),
            (Kind::Eq, 3),
            (Kind::Ite, 3),
        ],
    );
    let args: Vec<TermId> = (0..count).map(|_| formula(values, depth - 1)).collect::<Result<_, _>>()?;
    values.store.app(Op::new(kind), &args)
}

/// Returns a regular expression over short words and ranges, at most `depth` operators deep.
pub fn expression(values: &mut LiteralMaker<'_>, depth: u32) -> Result<TermId, BuildError> {
    if depth == 0 || values.rng.random_bool(0.3) {
        return match values.rng.random_range(0..6u32) {
            0 => constant(values, &[Kind::ReNone, Kind::ReAll, Kind::ReAllchar]),
            1 | 2 => {
                let (low, high) = pick(values.rng, &[(97, 98), (97, 99), (98, 122), (48, 57), (98, 97), (0, 0x2FFFF)]);
                let ends = [values.store.string(&[low]), values.store.string(&[high])];
                values.store.app(Op::new(Kind::ReRange), &ends)
            }
            _ => {
                let mut word = values.word();
                word.truncate(2);
                let word = values.store.string(&word);
                values.store.app(Op::new(Kind::StrToRe), &[word])
            }
        };
    }
    let (kind, count) = pick(
        values.rng,
        &[
            (Kind::ReConcat, 2),
            (Kind::ReUnion, 2),
            (Kind::ReInter, 2),
            (Kind::ReDiff, 2),
            (Kind::ReStar, 1),
            (Kind::RePlus, 1),
            (Kind::ReOpt, 1),
            (Kind::ReComp, 1),
            (Kind::RePower, 1),
            (Kind::ReLoop, 1),
        ],
    );
    let args: Vec<TermId> = (0..count).map(|_| expression(values, depth - 1)).collect::<Result<_, _>>()?;
    let (i, j) = match kind {
        Kind::RePower => (values.rng.random_range(0..=3), 0),
        Kind::ReLoop => (values.rng.random_range(0..=2), values.rng.random_range(0..=3)),
        _ => (0, 0),
    };
    values.store.app(Op::indexed(kind, i, j), &args)
}

fn constant(values: &mut LiteralMaker<'_>, kinds: &[Kind]) -> Result<TermId, BuildError> {
    let kind = pick(values.rng, kinds);
    values.store.app(Op::new(kind), &[])
}

/// Returns a constant array with up to four stored elements, some of them at the same index.
pub fn array(
    values: &mut LiteralMaker<'_>,
    sort: SortId,
    index: SortId,
    element: SortId,
) -> Result<TermId, BuildError> {
    let default = plain(values, element)?;
    let mut array = values.store.const_array(sort, default)?;
    for _ in 0..values.rng.random_range(0..=4u32) {
        let at = values.literal(index)?;
        let value = values.literal(element)?;
        array = values.store.app(Op::new(Kind::ArrayStore), &[array, at, value])?;
    }
    Ok(array)
}

/// Returns a function with up to three values besides its default, as a `lambda`.
pub fn map(values: &mut LiteralMaker<'_>, sort: SortId, from: SortId, to: SortId) -> Result<TermId, BuildError> {
    let usual = values.literal(to)?;
    let mut map = values.store.constant_map(sort, usual)?;
    for _ in 0..values.rng.random_range(0..=3u32) {
        let (at, value) = (values.literal(from)?, values.literal(to)?);
        map = values.store.updated_map(map, at, value)?;
    }
    Ok(map)
}

/// Returns a short sequence of few different elements, so that one is often part of another.
pub fn sequence(values: &mut LiteralMaker<'_>, sort: SortId, element: SortId) -> Result<TermId, BuildError> {
    let mut units: Vec<TermId> = Vec::new();
    for _ in 0..pick(values.rng, &[0, 1, 1, 2, 2, 3, 4, 6]) {
        let unit = match units.is_empty() || values.rng.random_bool(0.5) {
            true => {
                let element = values.literal(element)?;
                values.store.app(Op::new(Kind::SeqUnit), &[element])?
            }
            false => pick(values.rng, &units),
        };
        units.push(unit);
    }
    match units[..] {
        [] => values.store.empty_sequence(sort),
        [unit] => Ok(unit),
        _ => values.store.app(Op::new(Kind::SeqConcat), &units),
    }
}

/// Returns a set of up to four elements, possibly repeated.
pub fn set(values: &mut LiteralMaker<'_>, sort: SortId, element: SortId) -> Result<TermId, BuildError> {
    let mut set = values.store.set_constant(Kind::SetEmpty, sort)?;
    for n in 0..values.rng.random_range(0..=4u32) {
        let value = values.literal(element)?;
        let one = values.store.app(Op::new(Kind::SetSingleton), &[value])?;
        set = if n == 0 { one } else { values.store.app(Op::new(Kind::SetUnion), &[set, one])? };
    }
    Ok(set)
}

/// Returns a bag of up to four elements, possibly repeated, mostly with small multiplicities.
pub fn bag(values: &mut LiteralMaker<'_>, sort: SortId, element: SortId) -> Result<TermId, BuildError> {
    let mut bag = values.store.empty_bag(sort)?;
    for n in 0..values.rng.random_range(0..=4u32) {
        let value = values.literal(element)?;
        let count = pick(values.rng, &[-1, 0, 1, 1, 1, 2, 2, 3, 4, 1_000_000_000_000_000_000_000_i128]);
        let count = values.store.int(&IBig::from(count));
        let one = values.store.app(Op::new(Kind::BagMake), &[value, count])?;
        let union = if values.rng.random_bool(0.7) { Kind::BagUnionDisjoint } else { Kind::BagUnionMax };
        bag = if n == 0 { one } else { values.store.app(Op::new(union), &[bag, one])? };
    }
    Ok(bag)
}

/// Returns a literal that is one token or one constant, as some solvers require for the element of constant arrays (`(- 1)` is not).
fn plain(values: &mut LiteralMaker<'_>, sort: SortId) -> Result<TermId, BuildError> {
    let indexed = |kind, eb, sb| Op::indexed(kind, eb, sb);
    match *values.store.sorts.get(sort) {
        Sort::Bool => {
            let value = values.rng.random();
            Ok(values.store.bool(value))
        }
        Sort::Int => Ok(values.store.int(&IBig::from(values.rng.random_range(0..4)))),
        Sort::Real => Ok(values.store.real(&RBig::from(values.rng.random_range(0..4)))),
        Sort::Float { eb, sb } => {
            let kind = pick(values.rng, &[Kind::FpNan, Kind::FpPlusZero, Kind::FpMinusZero, Kind::FpPlusInfinity]);
            values.store.app(indexed(kind, eb, sb), &[])
        }
        _ => values.literal(sort),
    }
}
