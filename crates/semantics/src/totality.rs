//! Which recursive functions are provably total, so that their definitions have exactly one interpretation.
//!
//! The proof is by a measure: every function of a recursive group has one parameter such that each call from one function of
//! the group to another passes, there, something smaller than its own: a field of its own argument (structural recursion on a
//! datatype); its own argument less a positive numeral while that argument is bounded below (an `Int` counted down); a
//! bit-vector that is smaller as an unsigned number, without wrapping around; or a sequence or string without its first or last
//! elements. These orders are well-founded, so the functions are defined by recursion and exist uniquely. A selector only gives
//! something smaller on its own constructor, and the empty sequence has no smaller part, so the guards of a call (branches of
//! `ite`, earlier operands of `and`, `or` and `=>`, cases of `match`) are tracked.

use crate::measure::Call;
use rustc_hash::{FxHashMap, FxHashSet};
use smtlib::{Command, FuncBody, FuncId, Kind, Store, Symbol, TermId};
use std::sync::Arc;

/// How an evaluator reads a recursive function that is not proven total.
#[derive(Clone, Default, Debug)]
pub(crate) enum Recursion {
    /// The function has no known value.
    #[default]
    Proven,
    /// The function is unfolded. Values found hold in every interpretation that satisfies the definitions, if there is one: they can
    /// refute, but not show satisfiability.
    Unfolded,
    /// These functions get their values from a model, like declared symbols.
    Symbols(Arc<FxHashSet<FuncId>>),
}

impl Recursion {
    /// Whether a model gives values to a function.
    pub(crate) fn is_symbol(&self, store: &Store, f: FuncId) -> bool {
        store.func(f).is_declared() || matches!(self, Recursion::Symbols(symbols) if symbols.contains(&f))
    }
}

/// Verdicts so far.
#[derive(Default, Debug)]
pub struct Totality {
    known: FxHashMap<FuncId, bool>,
}

/// The maximum number of functions in an examined recursive group.
const MAX_GROUP: usize = 8;
/// The maximum number of assignments of measured parameters tried for one group.
const MAX_ASSIGNMENTS: usize = 256;
/// The maximum number of places examined in one body, each with its guards.
const MAX_PLACES: usize = 100_000;

impl Totality {
    /// Whether `f` and every function that its definition leads to are total.
    ///
    /// The check is sound but incomplete: false means that no proof was found.
    pub fn is_total(&mut self, store: &Store, f: FuncId) -> bool {
        if let Some(&known) = self.known.get(&f) {
            return known;
        }
        let graph = reachable(store, f);
        let verdict = graph.keys().all(|&g| self.group_is_total(store, g, &graph));
        if verdict {
            // All functions that a total function leads to are total.
            self.known.extend(graph.keys().map(|&g| (g, true)));
        }
        self.known.insert(f, verdict);
        verdict
    }

    /// Whether every function that a declaration defines is proven total. A recursive definition may have no interpretation at all
    /// (`f(x) = ite(x = 0, 0, 1 + f(x))` on the integers), which makes its instance unsatisfiable, whatever is asserted.
    pub fn is_proven(&mut self, store: &Store, declaration: &Command) -> bool {
        match declaration {
            Command::DefineFunsRec(funcs) => funcs.iter().all(|&f| self.is_total(store, f)),
            Command::DefineFun(f) => self.is_total(store, *f),
            _ => true,
        }
    }

    fn group_is_total(&mut self, store: &Store, g: FuncId, graph: &FxHashMap<FuncId, Vec<FuncId>>) -> bool {
        if self.known.get(&g) == Some(&true) {
            return true;
        }
        let group: Vec<FuncId> = from(g, graph).into_iter().filter(|h| from(*h, graph).contains(&g)).collect();
        if group.is_empty() {
            return true;
        }
        if group.len() > MAX_GROUP || group.iter().any(|&h| !matches!(store.func(h).body, FuncBody::Recursive { .. })) {
            return false;
        }
        let Some(calls) = calls_of(store, &group) else { return false };
        let arities: Vec<usize> = group.iter().map(|&h| store.func(h).params.len()).collect();
        let count = arities.iter().try_fold(1usize, |n, &a| n.checked_mul(a).filter(|&n| n <= MAX_ASSIGNMENTS));
        let Some(count) = count else { return false };
        (0..count).any(|mut number| {
            let measured: FxHashMap<FuncId, usize> = group
                .iter()
                .zip(&arities)
                .map(|(&h, &arity)| {
                    let position = number % arity;
                    number /= arity;
                    (h, position)
                })
                .collect();
            calls.iter().all(|call| call.decreases(store, &measured))
        })
    }
}

/// Returns the functions with definitions that `f` leads to, with the defined functions each mentions.
fn reachable(store: &Store, f: FuncId) -> FxHashMap<FuncId, Vec<FuncId>> {
    let mut graph = FxHashMap::default();
    let mut stack = vec![f];
    while let Some(g) = stack.pop() {
        if graph.contains_key(&g) {
            continue;
        }
        let Some((_, body)) = store.func(g).definition() else { continue };
        let next: Vec<FuncId> =
            crate::symbols::mentioned(store, body).into_iter().filter(|&h| !store.func(h).is_declared()).collect();
        stack.extend_from_slice(&next);
        graph.insert(g, next);
    }
    graph
}

/// Returns the functions reachable from `g` in one or more steps.
fn from(g: FuncId, graph: &FxHashMap<FuncId, Vec<FuncId>>) -> FxHashSet<FuncId> {
    let mut seen = FxHashSet::default();
    let mut stack: Vec<FuncId> = graph.get(&g).into_iter().flatten().copied().collect();
    while let Some(h) = stack.pop() {
        if seen.insert(h) {
            stack.extend(graph.get(&h).into_iter().flatten().copied());
        }
    }
    seen
}

/// A term, the guards on the way to it, and the variables bound by cases around it.
type GuardedTerm = (TermId, Vec<(TermId, bool)>, Vec<(Symbol, TermId)>);

/// Returns all calls inside a group; `None` if there may be one that the check cannot analyse.
fn calls_of(store: &Store, group: &[FuncId]) -> Option<Vec<Call>> {
    let mut calls = Vec::new();
    for &caller in group {
        let (parameters, body) = store.func(caller).definition()?;
        // Each place is a term with the guards on the way to it.
        let mut places: Vec<GuardedTerm> = vec![(body, vec![], vec![])];
        let mut budget = MAX_PLACES;
        let mut concerned = Concerned { store, group, memo: FxHashMap::default() };
        while let Some((t, guards, fields)) = places.pop() {
            budget = budget.checked_sub(1 + guards.len() + fields.len())?;
            if !concerned.mentions(t) {
                continue;
            }
            let args = store.args(t);
            match store.kind(t) {
                // Under a binder, or as a value, a function may be applied to anything.
                Kind::Forall | Kind::Exists | Kind::Lambda | Kind::FuncValue | Kind::AsArray => return None,
                Kind::Ite => {
                    let &[c, a, b] = args else { return None };
                    places.push((c, guards.clone(), fields.clone()));
                    places.push((a, [&guards[..], &[(c, true)]].concat(), fields.clone()));
                    places.push((b, [&guards[..], &[(c, false)]].concat(), fields));
                }
                kind @ (Kind::And | Kind::Or | Kind::Implies) => {
                    let mut guards = guards;
                    for &a in args {
                        places.push((a, guards.clone(), fields.clone()));
                        guards.push((a, kind != Kind::Or));
                    }
                }
                Kind::Match => {
                    let (&scrutinee, bodies) = args.split_first()?;
                    places.push((scrutinee, guards.clone(), fields.clone()));
                    for (case, &body) in store.cases(store.op(t).cases()?).iter().zip(bodies) {
                        let mut inner = fields.clone();
                        let names: Vec<Symbol> = case.vars.iter().flatten().copied().collect();
                        // Guards and fields refer to variables by name, so names must be unambiguous.
                        let shadows = |n: &Symbol| parameters.contains(n) || fields.iter().any(|f| f.0 == *n);
                        if names.iter().any(shadows) {
                            return None;
                        }
                        if case.constructor.is_some() {
                            inner.extend(names.iter().map(|&n| (n, scrutinee)));
                        }
                        places.push((body, guards.clone(), inner));
                    }
                }
                _ => {
                    if let Some(callee) = store.applied(t).filter(|f| group.contains(f)) {
                        let (guards, fields) = (guards.clone(), fields.clone());
                        calls.push(Call { caller, callee, args: args.to_vec(), guards, fields });
                    }
                    places.extend(args.iter().map(|&a| (a, guards.clone(), fields.clone())));
                }
            }
        }
    }
    Some(calls)
}

/// Which terms mention a function of the group.
struct Concerned<'a> {
    store: &'a Store,
    group: &'a [FuncId],
    memo: FxHashMap<TermId, bool>,
}

impl Concerned<'_> {
    fn mentions(&mut self, root: TermId) -> bool {
        let mut stack = vec![root];
        while let Some(&t) = stack.last() {
            if self.memo.contains_key(&t) {
                stack.pop();
                continue;
            }
            let args = self.store.args(t);
            let open: Vec<TermId> = args.iter().filter(|a| !self.memo.contains_key(a)).copied().collect();
            if open.is_empty() {
                let own = self.store.op(t).func().is_some_and(|f| self.group.contains(&f));
                let any = own || args.iter().any(|a| self.memo.get(a) == Some(&true));
                self.memo.insert(t, any);
                stack.pop();
            } else {
                stack.extend(open);
            }
        }
        self.memo.get(&root) == Some(&true)
    }
}
