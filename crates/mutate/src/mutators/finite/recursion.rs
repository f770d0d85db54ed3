//! Definitions by `define-fun-rec` and `define-funs-rec` that terminate by construction: each call passes a smaller part of one parameter.
//!
//! `(define-fun-rec r0 ((p0 Int) (p1 Int)) Int (ite (and (< 0 p0) (<= p0 5)) (+ p1 (r0 (- p0 1) p0)) 7))`.

use super::grow::{Grammar, Grower};
use crate::assignment::ValueGenerator;
use crate::rng::RandomStream;
use dashu_int::{IBig, UBig};
use rustc_hash::FxHashMap;
use semantics::totality::Totality;
use smtlib::{Command, DatatypeId, FuncId, Kind, MatchCase, Op, Sort, SortId, Store, Symbol, TermId};

/// How many groups in a hundred are one function without calls, written like a recursive one.
const WITHOUT_CALLS: u32 = 12;
/// How many groups in a hundred are two functions that call each other.
const MUTUAL: u32 = 30;
/// The maximum number of steps that numbers are counted down.
const MAX_STEPS: u64 = 7;
/// How many terms are drawn until one has a call in it.
const TRIES: usize = 6;

/// One case of a body.
#[derive(Default)]
struct BodyCase {
    /// Terms available there besides the parameters: fields, the first element.
    parts: Vec<TermId>,
    /// Terms smaller than the measured parameter, which may be passed on.
    smaller: Vec<TermId>,
}

/// How a body is split into its cases.
enum RecursionCases {
    /// The cases have these conditions, in order; the last case has none.
    Conditions(Vec<TermId>),
    /// Each case is a constructor of this term.
    Match(Box<[MatchCase]>, TermId),
}

/// A function under construction.
struct RecursiveFunction {
    f: FuncId,
    names: Vec<Symbol>,
    params: Vec<TermId>,
    result: SortId,
}

/// Makes a group of functions over these sorts and adds them to the operators; returns their command. `None` if the draws gave no
/// definition that is proven total.
pub(super) fn define(
    store: &mut Store,
    grammar: &mut Grammar,
    values: &mut ValueGenerator,
    (sorts, number): (&[SortId], usize),
    rng: &mut RandomStream,
) -> Option<Command> {
    let usable: Vec<SortId> = sorts.iter().copied().filter(|&s| is_usable(store, s)).collect();
    let measured: Vec<SortId> = usable.iter().copied().filter(|&s| is_measured(store, s)).collect();
    let measured = rng.pick(&measured).copied().filter(|_| !rng.percent(WITHOUT_CALLS));
    let count = if measured.is_some() && rng.percent(MUTUAL) { 2 } else { 1 };
    let group: Vec<RecursiveFunction> =
        (0..count).map(|n| reserve(store, &usable, measured, (number, n), rng)).collect::<Option<_>>()?;
    let mut bodies = Vec::with_capacity(count);
    for n in 0..count {
        let scope = FxHashMap::default();
        let mut grower = Grower { grammar, values, scope, lambdas: 0 };
        let body = match measured {
            None => {
                see(store, &mut grower, &group[n].params);
                grower.term(store, group[n].result, 2, rng)?
            }
            Some(_) => recursive_body(store, &mut grower, &group, n, rng)?,
        };
        bodies.push((group[n].names.clone().into(), body));
    }
    let ids: Vec<FuncId> = group.iter().map(|definition| definition.f).collect();
    let ids = store.define_recursive(&ids, bodies);
    let command = Command::DefineFunsRec(ids.clone());
    // All definitions are total by construction; those that the check cannot follow are not sent.
    Totality::default().is_proven(store, &command).then_some(())?;
    ids.iter().for_each(|&f| grammar.add_often(store, f));
    Some(command)
}

fn is_usable(store: &Store, sort: SortId) -> bool {
    !matches!(store.sorts.get(sort), Sort::RegLan | Sort::Uninterpreted(..))
}

fn is_measured(store: &Store, sort: SortId) -> bool {
    match store.sorts.get(sort) {
        Sort::Int | Sort::BitVec(_) | Sort::Seq(_) | Sort::String => true,
        Sort::Datatype(d, _) => store.datatype(*d).constructors.iter().any(|c| c.fields.iter().any(|f| f.1 == sort)),
        _ => false,
    }
}

/// Declares a function with its parameters: the measured one, and none to two others.
fn reserve(
    store: &mut Store,
    sorts: &[SortId],
    measured: Option<SortId>,
    (number, n): (usize, usize),
    rng: &mut RandomStream,
) -> Option<RecursiveFunction> {
    let name = store.symbols.intern(&format!("r{number}{}", if n == 0 { "" } else { "b" }));
    let first = measured.or_else(|| rng.pick(sorts).copied())?;
    let mut params = vec![first];
    for _ in 0..rng.below(3).saturating_sub(u64::from(rng.coin())) {
        params.push(*rng.pick(sorts)?);
    }
    let result = *rng.pick(sorts)?;
    let f = store.reserve_recursive(name, params.clone().into(), result);
    let named = |(n, sort): (usize, &SortId)| store.named_variable(&format!("p{n}"), *sort);
    let (names, params) = params.iter().enumerate().map(named).unzip();
    Some(RecursiveFunction { f, names, params, result })
}

/// Puts terms into scope.
fn see(store: &Store, grower: &mut Grower<'_>, terms: &[TermId]) {
    for &t in terms {
        grower.scope.entry(store.sort(t)).or_default().push(t);
    }
}

/// Returns the body of a function of a group, split by its measured parameter, with calls on smaller terms.
fn recursive_body(
    store: &mut Store,
    grower: &mut Grower<'_>,
    group: &[RecursiveFunction],
    own: usize,
    rng: &mut RandomStream,
) -> Option<TermId> {
    let definition = &group[own];
    let measured = *definition.params.first()?;
    let (split, cases) = split(store, measured, rng)?;
    let mut bodies = Vec::with_capacity(cases.len());
    for case in &cases {
        grower.scope.clear();
        see(store, grower, &definition.params);
        see(store, grower, &case.parts);
        let mut calls = Vec::new();
        for &smaller in &case.smaller {
            // The other of two is always called, so that they are mutually recursive.
            let callee = &group[(own + 1) % group.len()];
            calls.push(call(store, grower, callee, smaller, rng)?);
            if rng.percent(30) {
                calls.push(call(store, grower, rng.pick(group)?, smaller, rng)?);
            }
        }
        bodies.push(with_calls(store, grower, &calls, definition.result, rng)?);
    }
    match split {
        RecursionCases::Match(cases, of) => store.match_term(cases, &[&[of], &bodies[..]].concat()).ok(),
        RecursionCases::Conditions(conditions) => {
            let last = bodies.pop()?;
            conditions.iter().zip(&bodies).rev().try_fold(last, |rest, (&condition, &body)| {
                store.app(Op::new(Kind::Ite), &[condition, body, rest]).ok()
            })
        }
    }
}

/// Returns a call with this argument for the measured parameter.
fn call(
    store: &mut Store,
    grower: &mut Grower<'_>,
    callee: &RecursiveFunction,
    smaller: TermId,
    rng: &mut RandomStream,
) -> Option<TermId> {
    let mut args = vec![smaller];
    for &param in &callee.params[1..] {
        args.push(grower.term(store, store.sort(param), u32::from(rng.percent(40)), rng)?);
    }
    store.apply(callee.f, &args).ok()
}

/// Returns a term of a sort that contains calls, if there are any.
fn with_calls(
    store: &mut Store,
    grower: &mut Grower<'_>,
    calls: &[TermId],
    sort: SortId,
    rng: &mut RandomStream,
) -> Option<TermId> {
    if calls.is_empty() {
        return grower.term(store, sort, u32::from(rng.percent(60)), rng);
    }
    // Three times, so that they are drawn more often than the parameters.
    (0..3).for_each(|_| see(store, grower, calls));
    for _ in 0..TRIES {
        let fuel = rng.between(1, 2) as u32;
        let term = grower.term(store, sort, fuel, rng)?;
        if has_any(store, term, calls) {
            return Some(term);
        }
    }
    let same = calls.iter().copied().find(|&call| store.sort(call) == sort);
    let (a, b) = (grower.term(store, sort, 1, rng)?, grower.term(store, sort, 0, rng)?);
    let call = *calls.first()?;
    let literal = grower.literal(store, store.sort(call), rng)?;
    let condition = store.eq(call, literal).ok()?;
    same.or_else(|| store.app(Op::new(Kind::Ite), &[condition, a, b]).ok())
}

fn has_any(store: &Store, term: TermId, wanted: &[TermId]) -> bool {
    let mut open = vec![term];
    while let Some(t) = open.pop() {
        if wanted.contains(&t) {
            return true;
        }
        open.extend_from_slice(store.args(t));
    }
    false
}

/// Returns the cases of a measured parameter.
fn split(store: &mut Store, p: TermId, rng: &mut RandomStream) -> Option<(RecursionCases, Vec<BodyCase>)> {
    let sort = store.sort(p);
    match *store.sorts.get(sort) {
        Sort::Int => {
            let low = rng.below(4) as i64 - 1;
            let numeral = |store: &mut Store, n: i64| store.int(&IBig::from(n));
            let (low, high) = (numeral(store, low), numeral(store, low + rng.between(2, MAX_STEPS) as i64));
            let by = rng.between(1, 2) as i64;
            let smaller = if rng.percent(70) {
                let by = numeral(store, by);
                store.app(Op::new(Kind::IntSub), &[p, by])
            } else {
                let by = numeral(store, -by);
                store.app(Op::new(Kind::IntAdd), &[p, by])
            };
            counted(store, [Kind::IntLt, Kind::IntLe], [low, p, high], smaller.ok()?, rng)
        }
        Sort::BitVec(width) => {
            let number = |store: &mut Store, n: u64| store.bitvec(width, &UBig::from(n));
            let most = if width < 3 { (1 << width) - 1 } else { MAX_STEPS };
            let (low, high) = (number(store, 0), number(store, rng.between(1, most)));
            let one = number(store, 1);
            let smaller = match rng.below(4) {
                0 => store.app(Op::new(Kind::BvLshr), &[p, one]),
                1 => {
                    let all = store.bitvec(width, &((UBig::ONE << width as usize) - UBig::ONE));
                    store.app(Op::new(Kind::BvAdd), &[p, all])
                }
                _ => store.app(Op::new(Kind::BvSub), &[p, one]),
            };
            counted(store, [Kind::BvUlt, Kind::BvUle], [low, p, high], smaller.ok()?, rng)
        }
        Sort::Seq(_) | Sort::String => sequence(store, p, rng),
        Sort::Datatype(d, _) => datatype(store, p, d, rng),
        _ => None,
    }
}

/// Returns the cases of a number that counts down while `low < p <= high`, in one condition or two.
fn counted(
    store: &mut Store,
    [less, at_most]: [Kind; 2],
    [low, p, high]: [TermId; 3],
    smaller: TermId,
    rng: &mut RandomStream,
) -> Option<(RecursionCases, Vec<BodyCase>)> {
    let step = || BodyCase { parts: vec![smaller], smaller: vec![smaller] };
    let above = store.app(Op::new(less), &[low, p]).ok()?;
    let below = store.app(Op::new(at_most), &[p, high]).ok()?;
    let (conditions, cases) = match rng.below(3) {
        0 => (vec![store.and(&[above, below])], vec![step(), BodyCase::default()]),
        1 => {
            let outside = [store.not(above), store.not(below)];
            (vec![store.or(&outside)], vec![BodyCase::default(), step()])
        }
        _ => {
            let [under, over] = [store.app(Op::new(at_most), &[p, low]).ok()?, store.not(below)];
            (vec![under, over], vec![BodyCase::default(), BodyCase::default(), step()])
        }
    };
    Some((RecursionCases::Conditions(conditions), cases))
}

/// Sequences and strings: the empty one, and the first or last element with the rest.
fn sequence(store: &mut Store, p: TermId, rng: &mut RandomStream) -> Option<(RecursionCases, Vec<BodyCase>)> {
    let is_string = store.sort(p) == SortId::STRING;
    let kinds = [[Kind::SeqLen, Kind::SeqExtract, Kind::SeqNth], [Kind::StrLen, Kind::StrSubstr, Kind::StrAt]];
    let [length, part, element] = kinds[usize::from(is_string)];
    let mut numeral = |n: u8| store.int(&IBig::from(n));
    let (zero, one, most) = (numeral(0), numeral(1), numeral(MAX_STEPS as u8));
    let all = store.app(Op::new(length), &[p]).ok()?;
    let fewer = store.app(Op::new(Kind::IntSub), &[all, one]).ok()?;
    let (at, from) = if rng.percent(70) { (zero, one) } else { (fewer, zero) };
    let rest = store.app(Op::new(part), &[p, from, fewer]).ok()?;
    let element = store.app(Op::new(element), &[p, at]).ok()?;
    let (split, mut cases) = counted(store, [Kind::IntLt, Kind::IntLe], [zero, all, most], rest, rng)?;
    cases.iter_mut().filter(|case| !case.smaller.is_empty()).for_each(|case| case.parts.push(element));
    Some((split, cases))
}

/// Returns a case for each constructor: by `match`, or by testers and selectors.
fn datatype(
    store: &mut Store,
    p: TermId,
    d: DatatypeId,
    rng: &mut RandomStream,
) -> Option<(RecursionCases, Vec<BodyCase>)> {
    let sort = store.sort(p);
    let fields: Vec<Vec<SortId>> =
        store.datatype(d).constructors.iter().map(|c| c.fields.iter().map(|field| field.1).collect()).collect();
    let by_match = rng.coin();
    let (mut cases, mut patterns, mut testers) = (Vec::new(), Vec::new(), Vec::new());
    for (c, fields) in fields.iter().enumerate() {
        let mut vars = Vec::new();
        let mut case = BodyCase::default();
        for (n, &field) in fields.iter().enumerate() {
            let part = if by_match {
                let (name, variable) = store.named_variable(&format!("m{c}{n}"), field);
                vars.push(Some(name));
                variable
            } else {
                store.selector(d, c, n, p).ok()?
            };
            case.parts.push(part);
            if field == sort {
                case.smaller.push(part);
            }
        }
        testers.push(store.tester(d, c, p).ok()?);
        patterns.push(MatchCase { constructor: Some(c as u32), vars: vars.into() });
        cases.push(case);
    }
    testers.pop();
    let split = match by_match {
        true => RecursionCases::Match(patterns.into(), p),
        false => RecursionCases::Conditions(testers),
    };
    Some((split, cases))
}
