//! `macro-finder`: a function defined by a formula `∀x (f(x) = t)` is expanded everywhere.

use crate::converter::Conversion;
use crate::eliminate::eliminate;
use crate::goal::{Goal, GoalFormula};
use crate::origins::Origins;
use crate::pass::{Example, PassError, PassMeter, PassResult, PassSettings, RewritePass};
use crate::quantifier::bound;
use crate::simplify::Simplifier;
use crate::walk::{Rebuild, visit};
use rustc_hash::{FxHashMap, FxHashSet};
use smtlib::term::HAS_BINDER;
use smtlib::{FuncId, Kind, Store, Symbol, TermId};

/// The pass.
pub static MACRO_FINDER: RewritePass = RewritePass {
    name: "macro-finder",
    about: "eliminates functions that a universal equation defines (macros)",
    example: Example {
        before: "(declare-const a Int)(declare-fun f (Int) Int)(declare-fun p (Int) Bool)
                 (assert (forall ((x Int)) (= (f x) (+ x a))))(assert (forall ((x Int)) (= (p x) (< (f x) 3))))
                 (assert (p (f 1)))",
        after: &["(<= a 0)"],
    },
    params: &[],
    is_consequence: false,
    rewrite: apply,
};

fn apply(store: &mut Store, goal: Goal, settings: &PassSettings) -> Result<PassResult, PassError> {
    eliminate(store, goal, settings, round)
}

/// A function's definition.
#[derive(Clone)]
struct Macro {
    function: FuncId,
    params: Box<[Symbol]>,
    body: TermId,
    origins: Origins,
}

fn round(
    store: &mut Store,
    mut goal: Goal,
    frozen: &FxHashSet<FuncId>,
    conversions: &mut Vec<Conversion>,
    watch: &mut PassMeter<'_>,
) -> Result<Goal, PassError> {
    let mut macros: FxHashMap<FuncId, Macro> = FxHashMap::default();
    // No body of this round may mention a function of this round, so one substitution suffices.
    let mut mentioned: FxHashSet<FuncId> = FxHashSet::default();
    let mut kept = Vec::new();
    let formulas = goal.take();
    let values = as_values(store, &formulas);
    for formula in formulas {
        watch.tick(store)?;
        let found = definition(store, &formula).filter(|found| {
            let of_body = functions(store, found.body);
            !frozen.contains(&found.function)
                && !values.contains(&found.function)
                && !macros.contains_key(&found.function)
                && !mentioned.contains(&found.function)
                && !of_body.iter().any(|f| *f == found.function || macros.contains_key(f))
        });
        match found {
            Some(found) => {
                mentioned.extend(functions(store, found.body));
                macros.insert(found.function, found);
            }
            None => kept.push(formula),
        }
    }
    let mut rebuild = Rebuild::default();
    let mut simplifier = Simplifier::heeding(watch.stop());
    let mut inner = watch.clone();
    for GoalFormula { term, mut origins } in kept {
        for f in functions(store, term) {
            if let Some(used) = macros.get(&f) {
                origins.add(&used.origins);
            }
        }
        let term = rebuild.run(store, term, watch, |store, u| {
            let used = store.applied(u).and_then(|f| macros.get(&f));
            let Some(Macro { params, body, .. }) = used else { return simplifier.node(store, u) };
            let args = store.args(u).to_vec();
            let mut unfolded = Rebuild::default();
            unfolded.run(store, *body, &mut inner, |store, v| {
                let place = store.variable(v).and_then(|name| params.iter().position(|&p| p == name));
                place.map_or_else(|| simplifier.node(store, v), |n| Ok(args[n]))
            })
        })?;
        goal.push(store, GoalFormula { term, origins });
    }
    let mut found: Vec<Macro> = macros.into_values().collect();
    found.sort_by_key(|found| found.function);
    conversions.extend(found.into_iter().map(|Macro { function, params, body, .. }| match params.is_empty() {
        true => Conversion::Define { symbol: function, term: body },
        false => Conversion::DefineFunction { symbol: function, params, body },
    }));
    Ok(goal)
}

/// Returns the function that a formula defines: `∀x (f(x) = t)`, `∀x f(x)` or `∀x ¬f(x)` with all variables as arguments, each once.
fn definition(store: &mut Store, formula: &GoalFormula) -> Option<Macro> {
    if store.kind(formula.term) != Kind::Forall {
        return None;
    }
    let vars = bound(store, formula.term);
    let body = store.args(formula.term)[0];
    let yes = store.bool(true);
    let no = store.bool(false);
    let sides = match (store.kind(body), store.args(body)) {
        (Kind::Eq, &[a, b]) => vec![(a, b), (b, a)],
        (Kind::Not, &[a]) => vec![(a, no)],
        _ => vec![(body, yes)],
    };
    sides.into_iter().find_map(|(head, body)| {
        let function = store.applied(head).filter(|&f| store.func(f).is_declared())?;
        if store.func(function).result != store.sort(head) || store.flags(body) & HAS_BINDER != 0 {
            return None;
        }
        let params: Option<Vec<Symbol>> = store.args(head).iter().map(|&a| store.variable(a)).collect();
        let params = params?;
        let distinct: FxHashSet<Symbol> = params.iter().copied().collect();
        (distinct.len() == params.len() && params.len() == vars.len()).then(|| Macro {
            function,
            params: params.into(),
            body,
            origins: formula.origins.clone(),
        })
    })
}

/// Returns the functions used as values, not just applied.
fn as_values(store: &Store, formulas: &[GoalFormula]) -> FxHashSet<FuncId> {
    let mut found = FxHashSet::default();
    visit(store, formulas.iter().map(|formula| formula.term), |u| {
        found.extend(store.op(u).func().filter(|_| store.kind(u) != Kind::Apply));
    });
    found
}

/// Returns the functions that occur in a term.
fn functions(store: &Store, t: TermId) -> FxHashSet<FuncId> {
    let mut found = FxHashSet::default();
    visit(store, [t], |u| found.extend(store.op(u).func()));
    found
}
