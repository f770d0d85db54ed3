//! `elim-term-ite`: every non-Boolean `ite` gets a name, defined by two new formulas.

use crate::converter::{Conversion, ModelConverter};
use crate::fresh::FreshSymbols;
use crate::goal::{Goal, GoalFormula};
use crate::origins::Origins;
use crate::pass::{Example, PassError, PassResult, PassSettings, RewritePass};
use crate::walk::Rebuild;
use smtlib::free_vars::FreeVars;
use smtlib::{Kind, Store};

/// The pass.
pub static ELIM_TERM_ITE: RewritePass = RewritePass {
    name: "elim-term-ite",
    about: "names every ite that is not Boolean and defines the name by two implications",
    example: Example {
        before: "(declare-const p Bool)(declare-const x Int)(assert (< (ite p x 3) 2))",
        after: &["(< ite!0 2) (or (not p) (= ite!0 x)) (or p (= ite!0 3))"],
    },
    params: &[],
    is_consequence: true,
    rewrite: apply,
};

fn apply(store: &mut Store, mut goal: Goal, settings: &PassSettings) -> Result<PassResult, PassError> {
    let mut watch = settings.watch(store);
    let mut fresh = FreshSymbols::new("ite");
    let mut free = FreeVars::default();
    let mut rebuild = Rebuild::default();
    let mut conversions = Vec::new();
    for GoalFormula { term, origins } in goal.take() {
        let mut definitions = Vec::new();
        let term = rebuild.run(store, term, &mut watch, |store, u| {
            // One under a binder on which it depends has no single value.
            if store.kind(u) != Kind::Ite || store.is_bool(u) || !free.is_closed(store, u) {
                return Ok(u);
            }
            let (c, then, otherwise) = (store.args(u)[0], store.args(u)[1], store.args(u)[2]);
            let sort = store.sort(u);
            let (symbol, name) = fresh.constant(store, sort);
            conversions.push(Conversion::name(symbol, name, u));
            let not = store.not(c);
            let (first, second) = (store.eq(name, then)?, store.eq(name, otherwise)?);
            definitions.push(store.or(&[not, first]));
            definitions.push(store.or(&[c, second]));
            Ok(name)
        })?;
        goal.push(store, GoalFormula { term, origins });
        for definition in definitions {
            goal.push(store, GoalFormula::new(definition, Origins::none()));
        }
    }
    Ok(PassResult::with(goal, ModelConverter::new(conversions)))
}
