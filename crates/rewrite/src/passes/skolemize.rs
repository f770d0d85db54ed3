//! `snf`: Skolem normal form: existential variables become constants, or functions of the universal variables around them.

use crate::converter::{Conversion, ModelConverter};
use crate::fresh::FreshSymbols;
use crate::goal::{Goal, GoalFormula};
use crate::pass::{Example, PassError, PassResult, PassSettings, RewritePass};
use crate::quantifier::{apart_or_same, bind_free, bound, instance};
use crate::values::app;
use crate::walk::{Rebuild, TermSet};
use rustc_hash::FxHashMap;
use smtlib::free_vars::FreeVars;
use smtlib::term::HAS_BINDER;
use smtlib::{Kind, SortId, Store, Symbol, TermId};

/// The pass.
pub static SKOLEMIZE: RewritePass = RewritePass {
    name: "snf",
    about: "Skolemizes existential variables, in negation normal form",
    example: Example {
        before: "(declare-fun p (Int Int) Bool)
                 (assert (forall ((x Int)) (exists ((y Int)) (p x y))))(assert (not (forall ((x Int)) (p x x))))",
        after: &["(forall ((bound!2 Int)) (p bound!2 (skolem!0 bound!2))) (not (p skolem!1 skolem!1))"],
    },
    params: &[],
    is_consequence: false,
    rewrite: apply,
};

fn apply(store: &mut Store, mut goal: Goal, settings: &PassSettings) -> Result<PassResult, PassError> {
    let mut names = FreshSymbols::new("bound");
    let mut skolem = Skolem {
        settings,
        fresh: FreshSymbols::new("skolem"),
        free: FreeVars::default(),
        sorts: FxHashMap::default(),
        conversions: Vec::new(),
    };
    for GoalFormula { term, origins } in goal.take() {
        let normal = apart_or_same(store, term, &mut names, settings)?;
        let term = skolem.run(store, normal)?;
        goal.push(store, GoalFormula { term, origins });
    }
    Ok(PassResult::with(goal, ModelConverter::new(skolem.conversions)))
}

struct Skolem<'s> {
    settings: &'s PassSettings,
    fresh: FreshSymbols,
    free: FreeVars,
    /// The sorts of bound variables, whose names are all different.
    sorts: FxHashMap<Symbol, SortId>,
    conversions: Vec<Conversion>,
}

impl Skolem<'_> {
    /// Skolemizes the quantifiers below `and`, `or` and quantifiers in a formula in negation normal form.
    fn run(&mut self, store: &mut Store, root: TermId) -> Result<TermId, PassError> {
        let mut rebuild = Rebuild::default();
        let mut seen = TermSet::default();
        let mut stack = vec![root];
        while let Some(t) = stack.pop() {
            if !seen.insert(t) {
                continue;
            }
            match store.kind(t) {
                Kind::And | Kind::Or if store.flags(t) & HAS_BINDER != 0 => stack.extend_from_slice(store.args(t)),
                Kind::Forall | Kind::Exists => {
                    self.sorts.extend(bound(store, t));
                    stack.push(store.args(t)[0]);
                }
                // A quantifier below another operator may be required to be false.
                _ => rebuild.preset(t, t),
            }
        }
        let settings = self.settings;
        let mut watch = settings.watch(store);
        rebuild.run(store, root, &mut watch, |store, u| match store.kind(u) {
            Kind::Exists => self.named(store, u),
            _ => Ok(u),
        })
    }

    /// Returns an existential's body with Skolem terms for its variables.
    fn named(&mut self, store: &mut Store, q: TermId) -> Result<TermId, PassError> {
        let around: Vec<Symbol> = self.free.of(store, q).to_vec();
        let mut params = Vec::with_capacity(around.len());
        for name in around {
            // A closed formula's variables were all seen at their binders.
            let Some(&sort) = self.sorts.get(&name) else { return Ok(q) };
            params.push((name, sort));
        }
        let sorts: Vec<SortId> = params.iter().map(|p| p.1).collect();
        let args: Vec<TermId> = params.iter().map(|&(name, sort)| store.bound_variable(name, sort)).collect();
        let vars = bound(store, q);
        let mut terms = Vec::with_capacity(vars.len());
        let mut symbols = Vec::with_capacity(vars.len());
        for &(_, sort) in &vars {
            let f = self.fresh.function(store, &sorts, sort);
            symbols.push(f);
            terms.push(store.apply(f, &args)?);
        }
        let named = instance(store, store.args(q)[0], &vars, &terms, self.settings)?;
        let implied = app(store, Kind::Implies, &[q, named])?;
        let image = bind_free(store, Kind::Forall, &params, implied, &mut self.free)?;
        self.conversions.push(Conversion::Introduce { symbols: symbols.into(), image, of: store.bool(true) });
        Ok(named)
    }
}
