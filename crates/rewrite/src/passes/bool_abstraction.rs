//! `bool-abstraction`: every theory atom becomes a Boolean variable, an over-approximation.

use crate::converter::{Conversion, ModelConverter};
use crate::fresh::FreshSymbols;
use crate::goal::{Goal, GoalFormula, Precision};
use crate::pass::{Example, PassError, PassResult, PassSettings, RewritePass};
use crate::substitute::variable;
use crate::walk::Rebuild;
use rustc_hash::FxHashSet;
use smtlib::{Kind, SortId, Store, TermId};

/// The pass.
pub static BOOL_ABSTRACTION: RewritePass = RewritePass {
    name: "bool-abstraction",
    about: "replaces every theory atom by a fresh Boolean variable; only unsat of the result is an answer",
    example: Example {
        before: "(declare-const x Int)(declare-const p Bool)(assert (or p (< x 0)))(assert (not (< x 0)))",
        after: &["(or p atom!0) (not atom!0)"],
    },
    params: &[],
    is_consequence: false,
    rewrite: apply,
};

fn apply(store: &mut Store, mut goal: Goal, settings: &PassSettings) -> Result<PassResult, PassError> {
    let mut watch = settings.watch(store);
    let atoms = atoms(store, &goal);
    let mut fresh = FreshSymbols::new("atom");
    let mut rebuild = Rebuild::default();
    let mut conversions = Vec::new();
    for &atom in &atoms {
        let (symbol, name) = fresh.constant(store, SortId::BOOL);
        conversions.push(Conversion::name(symbol, name, atom));
        rebuild.preset(atom, name);
    }
    for GoalFormula { term, origins } in goal.take() {
        let term = rebuild.run(store, term, &mut watch, |_, u| Ok(u))?;
        goal.push(store, GoalFormula { term, origins });
    }
    if !atoms.is_empty() {
        goal.precision = goal.precision.then(Precision::Over);
    }
    Ok(PassResult::with(goal, ModelConverter::new(conversions)))
}

/// Returns the Boolean terms below connectives that are neither connectives nor variables nor values, in order.
fn atoms(store: &Store, goal: &Goal) -> Vec<TermId> {
    let mut seen = FxHashSet::default();
    let mut atoms = Vec::new();
    let mut stack: Vec<TermId> = goal.terms().collect();
    stack.reverse();
    while let Some(t) = stack.pop() {
        if !seen.insert(t) {
            continue;
        }
        let args = store.args(t);
        match store.kind(t) {
            Kind::Not | Kind::And | Kind::Or | Kind::Implies | Kind::Xor | Kind::Ite => stack.extend(args.iter().rev()),
            Kind::Eq | Kind::Distinct if store.is_bool(args[0]) => stack.extend(args.iter().rev()),
            Kind::True | Kind::False => {}
            _ if variable(store, t).is_some() => {}
            _ => atoms.push(t),
        }
    }
    atoms
}
