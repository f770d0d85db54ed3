//! Ground instances of recursive definitions over infinite sorts that no value satisfies: `c = c + 1`, `(f 0) = (f 0) + 1`,
//! `l = (cons 1 l)`.
//!
//! An application of a function of the group at known arguments is an unknown number. The instances are linear equations between
//! such numbers and opaque terms, and elimination finds a contradiction over the rationals. A datatype term is not a proper part
//! of itself.

use super::definitions::samples;
use crate::eval::Evaluator;
use crate::limits::EvalLimits;
use crate::meter::Stop;
use crate::model::Model;
use crate::value::Value;
use dashu_ratio::RBig;
use rustc_hash::{FxHashMap, FxHashSet};
use smtlib::term::HAS_BINDER;
use smtlib::{FuncId, Kind, SortId, Store, TermId};
use std::collections::BTreeMap;

/// The maximum number of instances of one group.
const MAX_INSTANCES: usize = 48;
/// How deep terms are searched.
const MAX_NESTING: u32 = 64;
/// The maximum number of combinations of parameter values.
const MAX_SAMPLES: usize = 27;

/// A function at known arguments.
type KnownCall = (FuncId, Vec<Value>);

/// A linear combination of unknowns, by number, and of 1, whose number is 0.
type LinearSum = BTreeMap<usize, RBig>;

/// The equations so far, with the numbers of their unknowns.
struct Elimination<'g> {
    group: &'g [FuncId],
    evaluator: Evaluator,
    calls: Vec<KnownCall>,
    numbers: FxHashMap<KnownCall, usize>,
    terms: FxHashMap<TermId, usize>,
    count: usize,
    /// Equations by the unknown that each solves for; that unknown has the factor 1.
    rows: BTreeMap<usize, LinearSum>,
}

/// Whether some instances of the definitions of a group contradict each other.
pub(super) fn contradict(store: &mut Store, group: &[FuncId], stop: &Stop) -> bool {
    let limits = EvalLimits { steps: 1 << 14, life: 1 << 20, ..EvalLimits::default() };
    let mut all = Elimination {
        group,
        evaluator: Evaluator::new(Model::new(), limits).heeding(stop),
        calls: Vec::new(),
        numbers: FxHashMap::default(),
        terms: FxHashMap::default(),
        count: 0,
        rows: BTreeMap::new(),
    };
    for &f in group {
        for args in tuples(store, f) {
            all.number(f, args);
        }
    }
    // An instance may lead to more.
    let mut at = 0;
    while let Some((f, args)) = all.calls.get(at).cloned().filter(|_| at < MAX_INSTANCES) {
        at += 1;
        let Some(body) = instance(store, f, &args) else { continue };
        let is_number = matches!(store.func(f).result, SortId::INT | SortId::REAL);
        let contradicts = match is_number {
            true => all.add(store, at, body),
            false => all.is_proper_part(store, (f, &args), body),
        };
        if contradicts {
            return true;
        }
    }
    false
}

/// Returns some arguments of a function.
fn tuples(store: &Store, f: FuncId) -> Vec<Vec<Value>> {
    let mut all = vec![Vec::new()];
    for &sort in &store.func(f).params {
        let values = samples(store, sort);
        let longer = |tuple: Vec<Value>| {
            values.iter().map(move |value| [&tuple[..], std::slice::from_ref(value)].concat()).collect::<Vec<_>>()
        };
        all = all.into_iter().flat_map(longer).collect();
        all.truncate(MAX_SAMPLES);
    }
    all
}

/// Returns the body of a definition at known arguments; `None` if a binder in it may shadow a parameter.
fn instance(store: &mut Store, f: FuncId, args: &[Value]) -> Option<TermId> {
    let func = store.func(f);
    let (vars, body) = func.definition()?;
    if store.flags(body) & HAS_BINDER != 0 {
        return None;
    }
    let params: Vec<_> = vars.iter().copied().zip(func.params.iter().copied()).collect();
    let mut map = FxHashMap::default();
    for ((name, sort), value) in params.into_iter().zip(args) {
        map.insert(store.bound_variable(name, sort), value.to_term(store, sort)?);
    }
    Some(store.replace(body, &map))
}

impl Elimination<'_> {
    fn fresh(&mut self) -> usize {
        self.count += 1;
        self.count
    }

    /// Returns the number of a call. The first calls are numbered in order, from 1.
    fn number(&mut self, f: FuncId, args: Vec<Value>) -> usize {
        if let Some(&number) = self.numbers.get(&(f, args.clone())) {
            return number;
        }
        let number = self.fresh();
        self.calls.push((f, args.clone()));
        self.numbers.insert((f, args), number);
        number
    }

    /// Returns the call that a term is, if its arguments are known.
    fn call(&mut self, store: &Store, t: TermId) -> Option<KnownCall> {
        let f = store.applied(t).filter(|f| self.group.contains(f))?;
        let args = store.args(t).iter().map(|&a| self.evaluator.eval(store, a).ok()).collect::<Option<Vec<Value>>>()?;
        Some((f, args))
    }

    /// Adds the equation of the call with this number, from 1, and its body. Returns whether it contradicts earlier
    /// ones.
    fn add(&mut self, store: &Store, place: usize, body: TermId) -> bool {
        let Some(call) = self.calls.get(place - 1).cloned() else { return false };
        let number = self.number(call.0, call.1);
        let mut sum = LinearSum::from([(number, RBig::ONE)]);
        self.subtract(store, body, &RBig::ONE, &mut sum, 0);
        // A row mentions no unknown that another row solves for.
        let unknowns: Vec<usize> = self.rows.keys().copied().collect();
        for unknown in unknowns {
            let Some(factor) = sum.get(&unknown).cloned() else { continue };
            let Some(row) = self.rows.get(&unknown) else { continue };
            row.iter().for_each(|(&u, f)| plus(&mut sum, u, -(f * &factor)));
        }
        match sum.iter().find(|(u, _)| **u != 0).map(|(&u, f)| (u, f.clone())) {
            None => sum.contains_key(&0),
            Some((unknown, factor)) => {
                sum.values_mut().for_each(|f| *f = &*f / &factor);
                for row in self.rows.values_mut() {
                    if let Some(factor) = row.get(&unknown).cloned() {
                        sum.iter().for_each(|(&u, f)| plus(row, u, -(f * &factor)));
                    }
                }
                self.rows.insert(unknown, sum);
                false
            }
        }
    }

    /// Subtracts a multiple of a term.
    fn subtract(&mut self, store: &Store, t: TermId, factor: &RBig, sum: &mut LinearSum, nesting: u32) {
        match self.evaluator.eval(store, t) {
            Ok(Value::Int(n)) => return plus(sum, 0, -(factor * RBig::from(n))),
            Ok(Value::Real(r)) => return plus(sum, 0, -(factor * &*r)),
            _ => {}
        }
        let args = store.args(t);
        if nesting < MAX_NESTING {
            match (store.kind(t), args) {
                (Kind::IntAdd | Kind::RealAdd, _) => {
                    return args.iter().for_each(|&a| self.subtract(store, a, factor, sum, nesting + 1));
                }
                (Kind::IntNeg | Kind::RealNeg, &[a]) => {
                    return self.subtract(store, a, &-factor.clone(), sum, nesting + 1);
                }
                (Kind::IntSub | Kind::RealSub, [first, rest @ ..]) => {
                    self.subtract(store, *first, factor, sum, nesting + 1);
                    return rest.iter().for_each(|&a| self.subtract(store, a, &-factor.clone(), sum, nesting + 1));
                }
                (Kind::IntMul | Kind::RealMul, &[a, b]) => {
                    for (number, other) in [(a, b), (b, a)] {
                        let by = match self.evaluator.eval(store, number) {
                            Ok(Value::Int(n)) => RBig::from(n),
                            Ok(Value::Real(r)) => (*r).clone(),
                            _ => continue,
                        };
                        return self.subtract(store, other, &(factor * by), sum, nesting + 1);
                    }
                }
                (Kind::RealDiv, &[a, by]) => {
                    if let Ok(Value::Real(by)) = self.evaluator.eval(store, by)
                        && !by.is_zero()
                    {
                        return self.subtract(store, a, &(factor / &*by), sum, nesting + 1);
                    }
                }
                (Kind::ToReal, &[a]) => return self.subtract(store, a, factor, sum, nesting + 1),
                (Kind::Ite, &[condition, a, b]) => {
                    if let Some(holds) = self.evaluator.truth(store, condition) {
                        return self.subtract(store, if holds { a } else { b }, factor, sum, nesting + 1);
                    }
                }
                _ => {}
            }
        }
        let unknown = match self.call(store, t) {
            Some((f, args)) => self.number(f, args),
            None => match self.terms.get(&t) {
                Some(&number) => number,
                None => {
                    let number = self.fresh();
                    self.terms.insert(t, number);
                    number
                }
            },
        };
        plus(sum, unknown, -factor.clone());
    }

    /// Whether a call is a proper part of its own value.
    fn is_proper_part(&mut self, store: &Store, call: (FuncId, &[Value]), body: TermId) -> bool {
        let mut seen = FxHashSet::default();
        let mut stack = vec![(body, false)];
        while let Some((t, is_inside)) = stack.pop() {
            if !seen.insert((t, is_inside)) {
                continue;
            }
            let args = store.args(t);
            match (store.kind(t), args) {
                (Kind::Construct, _) => stack.extend(args.iter().map(|&a| (a, true))),
                (Kind::Ite, &[condition, a, b]) => {
                    stack.extend(
                        self.evaluator.truth(store, condition).map(|holds| (if holds { a } else { b }, is_inside)),
                    );
                }
                _ if is_inside && self.call(store, t).is_some_and(|(f, args)| (f, &args[..]) == call) => return true,
                _ => {}
            }
        }
        false
    }
}

/// Adds a multiple of an unknown; zero multiples are left out.
fn plus(sum: &mut LinearSum, unknown: usize, factor: RBig) {
    let new = sum.get(&unknown).map_or_else(|| factor.clone(), |old| old + &factor);
    if new.is_zero() {
        sum.remove(&unknown);
    } else {
        sum.insert(unknown, new);
    }
}
