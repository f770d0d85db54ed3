//! `ctx-simplify`: simplifies parts of a formula in their context: in `(and a F)` the part `a` is true within F, in `(or a F)` it is
//! false, in `(ite c F G)` the condition is true in F and false in G.

use crate::goal::{Goal, GoalFormula};
use crate::pass::{Example, PassError, PassMeter, PassResult, PassSettings, RewritePass, TacticParameter};
use crate::simplify::Simplifier;
use crate::walk::{Rebuild, TermSet};
use smtlib::term::HAS_BINDER;
use smtlib::{Kind, Op, Store, TermId};

/// The default maximum size of examined parts.
const MAX_SIZE: TacticParameter =
    TacticParameter { name: "max-size", about: "larger parts are not examined", default: 2000, words: &[] };

/// The maximum number of examined terms. After that only whole formulas are simplified.
const MAX_WORK: usize = 4_000_000;

/// The pass.
pub static CTX_SIMPLIFY: RewritePass = RewritePass {
    name: "ctx-simplify",
    about: "uses what a conjunction, disjunction or ite says of its own parts to simplify the other parts",
    example: Example {
        before: "(declare-const p Bool)(declare-const q Bool)(declare-const x Int)
                 (assert (or p (and q (or p (= x (ite q 1 2))))))",
        after: &["(or p (and q (= x 1)))"],
    },
    params: &[MAX_SIZE],
    is_consequence: true,
    rewrite: apply,
};

fn apply(store: &mut Store, mut goal: Goal, settings: &PassSettings) -> Result<PassResult, PassError> {
    let size = settings.params.number(&MAX_SIZE);
    let mut context = ContextWalk {
        simplifier: Simplifier::heeding(&settings.stop),
        watch: settings.watch(store),
        size: usize::try_from(size).unwrap_or(usize::MAX),
        work: MAX_WORK,
    };
    let mut rebuild = Rebuild::default();
    let mut outer = settings.watch(store);
    for GoalFormula { term, origins } in goal.take() {
        let term = rebuild.run(store, term, &mut outer, |store, u| {
            let simpler = context.simplifier.node(store, u)?;
            context.node(store, simpler)
        })?;
        goal.push(store, GoalFormula { term, origins });
    }
    Ok(PassResult::new(goal))
}

struct ContextWalk<'s> {
    simplifier: Simplifier,
    watch: PassMeter<'s>,
    size: usize,
    /// The number of terms that may still be examined: nested parts are examined once for each level around them.
    work: usize,
}

impl ContextWalk<'_> {
    /// Simplifies a term with finished parts by what it implies for them.
    fn node(&mut self, store: &mut Store, t: TermId) -> Result<TermId, PassError> {
        let args = store.args(t).to_vec();
        match store.kind(t) {
            kind @ (Kind::And | Kind::Or) => {
                let value = kind == Kind::And;
                let facts: Vec<(TermId, bool)> = args.iter().filter_map(|&a| literal(store, a, value)).collect();
                if facts.is_empty() || facts.len() * args.len() > self.size {
                    return Ok(t);
                }
                let mut changed = args.clone();
                for part in &mut changed {
                    // A literal implies nothing for itself, and nothing new for other literals.
                    if literal(store, *part, value).is_none() {
                        *part = self.assume(store, *part, &facts)?;
                    }
                }
                self.again(store, t, &args, &changed)
            }
            Kind::Ite => {
                let (then, otherwise) = match literal(store, args[0], true) {
                    Some((c, sign)) => {
                        let then = self.assume(store, args[1], &[(c, sign)])?;
                        (then, self.assume(store, args[2], &[(c, !sign)])?)
                    }
                    None => return Ok(t),
                };
                self.again(store, t, &args, &[args[0], then, otherwise])
            }
            _ => Ok(t),
        }
    }

    fn again(&mut self, store: &mut Store, t: TermId, old: &[TermId], new: &[TermId]) -> Result<TermId, PassError> {
        if old == new {
            return Ok(t);
        }
        let op: Op = store.op(t);
        self.simplifier.make(store, op, new)
    }

    /// Simplifies a term under known values of others, if it is small enough.
    fn assume(&mut self, store: &mut Store, t: TermId, facts: &[(TermId, bool)]) -> Result<TermId, PassError> {
        if store.flags(t) & HAS_BINDER != 0 || !self.mentions(store, t, facts) {
            return Ok(t);
        }
        let mut rebuild = Rebuild::default();
        for &(fact, value) in facts {
            let value = store.bool(value);
            rebuild.preset(fact, value);
        }
        let ContextWalk { simplifier, watch, .. } = self;
        rebuild.run(store, t, watch, |store, u| simplifier.node(store, u))
    }

    /// Whether one of the facts occurs in a term of limited size.
    fn mentions(&mut self, store: &Store, t: TermId, facts: &[(TermId, bool)]) -> bool {
        let mut seen = TermSet::default();
        let mut visited = 0;
        let mut found = false;
        let mut stack = vec![t];
        while let Some(u) = stack.pop() {
            if !seen.insert(u) {
                continue;
            }
            visited += 1;
            self.work = self.work.saturating_sub(1);
            if visited > self.size || self.work == 0 {
                return false;
            }
            found |= facts.iter().any(|f| f.0 == u);
            stack.extend_from_slice(store.args(u));
        }
        found
    }
}

/// Returns the atom of a part that is an atom or its negation, and its value if the part has this one.
fn literal(store: &Store, t: TermId, value: bool) -> Option<(TermId, bool)> {
    let (atom, value) = if store.kind(t) == Kind::Not { (store.args(t)[0], !value) } else { (t, value) };
    let compound = matches!(
        store.kind(atom),
        Kind::And | Kind::Or | Kind::Not | Kind::Implies | Kind::Xor | Kind::Ite | Kind::Forall | Kind::Exists
    );
    (!compound).then_some((atom, value))
}
