//! `tseitin-cnf`: formulas become clauses; every connective below a clause gets a Boolean name with defining clauses
//! (Tseitin, "On the complexity of derivation in propositional calculus", 1968).

use crate::converter::{Conversion, ModelConverter};
use crate::fresh::FreshSymbols;
use crate::goal::{Goal, GoalFormula};
use crate::origins::Origins;
use crate::pass::{Example, PassError, PassMeter, PassResult, PassSettings, RewritePass};
use crate::values::app;
use crate::walk::TermMap;
use smtlib::term::HAS_VARIABLE;
use smtlib::{Kind, SortId, Store, TermId};

/// The pass.
pub static TSEITIN_CNF: RewritePass = RewritePass {
    name: "tseitin-cnf",
    about: "turns formulas into clauses over atoms and fresh Boolean names of their parts",
    example: Example {
        before: "(declare-const p Bool)(declare-const q Bool)(declare-const r Bool)(assert (or p (and q (not r))))",
        after: &["(or (not cnf!0) q) (or (not cnf!0) (not r)) (or cnf!0 (not q) r) (or p cnf!0)"],
    },
    params: &[],
    is_consequence: false,
    rewrite: apply,
};

fn apply(store: &mut Store, mut goal: Goal, settings: &PassSettings) -> Result<PassResult, PassError> {
    let mut cnf = Cnf {
        fresh: FreshSymbols::new("cnf"),
        names: TermMap::default(),
        clauses: Vec::new(),
        conversions: Vec::new(),
        watch: settings.watch(store),
    };
    let limit = settings.limits.formulas;
    for GoalFormula { term, origins } in goal.take() {
        for part in conjuncts(store, term) {
            let literals = cnf.clause(store, part)?;
            for definition in cnf.clauses.drain(..) {
                goal.push(store, GoalFormula::new(definition, Origins::none()));
            }
            let clause = store_or(store, literals);
            goal.push(store, GoalFormula::new(clause, origins.clone()));
            if goal.len() > limit {
                return Err(PassError::TooLarge { what: "clauses", limit });
            }
        }
    }
    Ok(PassResult::with(goal, ModelConverter::new(cnf.conversions)))
}

/// A literal: an atom or name, and its sign.
type ClauseLiteral = (TermId, bool);

/// Whether a term is a connective that becomes clauses. One under a binder is part of an atom.
fn is_connective(store: &Store, t: TermId) -> bool {
    let kind = store.kind(t);
    let connective = match kind {
        Kind::Not | Kind::And | Kind::Or | Kind::Implies | Kind::Xor => true,
        Kind::Ite => store.is_bool(t),
        Kind::Eq => store.is_bool(store.args(t)[0]) && store.args(t).len() == 2,
        _ => false,
    };
    connective && store.flags(t) & HAS_VARIABLE == 0
}

/// Returns the parts of a conjunction, flattened.
fn conjuncts(store: &Store, t: TermId) -> Vec<TermId> {
    let mut parts = Vec::new();
    let mut stack = vec![t];
    while let Some(u) = stack.pop() {
        if store.kind(u) == Kind::And {
            stack.extend(store.args(u).iter().rev());
        } else {
            parts.push(u);
        }
    }
    parts
}

fn store_or(store: &mut Store, literals: Vec<ClauseLiteral>) -> TermId {
    let terms: Vec<TermId> = literals.into_iter().map(|l| signed(store, l)).collect();
    store.or(&terms)
}

fn signed(store: &mut Store, (t, positive): ClauseLiteral) -> TermId {
    match (store.kind(t), positive) {
        (_, true) => t,
        (Kind::Not, false) => store.args(t)[0],
        (Kind::True, false) => store.bool(false),
        (Kind::False, false) => store.bool(true),
        _ => store.not(t),
    }
}

struct Cnf<'s> {
    fresh: FreshSymbols,
    names: TermMap,
    clauses: Vec<TermId>,
    conversions: Vec<Conversion>,
    watch: PassMeter<'s>,
}

impl Cnf<'_> {
    /// Returns the literals of a formula's clause: a disjunction is flattened, everything else gets a name.
    fn clause(&mut self, store: &mut Store, t: TermId) -> Result<Vec<ClauseLiteral>, PassError> {
        let mut literals = Vec::new();
        let mut stack = vec![(t, true)];
        while let Some((u, positive)) = stack.pop() {
            self.watch.tick(store)?;
            let args = store.args(u);
            match (store.kind(u), positive) {
                (Kind::Not, _) => stack.push((args[0], !positive)),
                (Kind::Or, true) | (Kind::And, false) => stack.extend(args.iter().rev().map(|&a| (a, positive))),
                (Kind::Implies, true) => {
                    let last = args.len() - 1;
                    stack.extend(args.iter().enumerate().rev().map(|(n, &a)| (a, n == last)));
                }
                _ => {
                    let (name, sign) = self.name(store, u)?;
                    literals.push((name, sign == positive));
                }
            }
        }
        Ok(literals)
    }

    /// Returns the literal that represents a term; its parts are named first.
    fn name(&mut self, store: &mut Store, root: TermId) -> Result<ClauseLiteral, PassError> {
        let mut stack = vec![root];
        while let Some(&t) = stack.last() {
            if self.names.get(t).is_some() || !is_connective(store, t) {
                stack.pop();
                continue;
            }
            self.watch.tick(store)?;
            let before = stack.len();
            let open = |a: &&TermId| is_connective(store, **a) && self.names.get(**a).is_none();
            stack.extend(store.args(t).iter().filter(open));
            if stack.len() > before {
                continue;
            }
            stack.pop();
            if store.kind(t) == Kind::Not {
                // A negation needs no name: its part's is negated.
                self.names.insert(t, t);
                continue;
            }
            let (symbol, name) = self.fresh.constant(store, SortId::BOOL);
            self.conversions.push(Conversion::name(symbol, name, t));
            self.names.insert(t, name);
            self.define(store, t, name)?;
        }
        Ok(self.literal(store, root))
    }

    /// Returns the literal of a term with named connectives.
    fn literal(&self, store: &Store, t: TermId) -> ClauseLiteral {
        let (mut t, mut positive) = (t, true);
        while store.kind(t) == Kind::Not {
            (t, positive) = (store.args(t)[0], !positive);
        }
        (self.names.get(t).unwrap_or(t), positive)
    }

    fn add(&mut self, store: &mut Store, literals: Vec<ClauseLiteral>) {
        let clause = store_or(store, literals);
        self.clauses.push(clause);
    }

    /// Adds the clauses of `name = t`.
    fn define(&mut self, store: &mut Store, t: TermId, name: TermId) -> Result<(), PassError> {
        let mut parts: Vec<ClauseLiteral> = store.args(t).iter().map(|&a| self.literal(store, a)).collect();
        let kind = store.kind(t);
        let not = |(t, sign): ClauseLiteral| (t, !sign);
        match kind {
            Kind::And | Kind::Or | Kind::Implies => {
                let is_and = kind == Kind::And;
                if kind == Kind::Implies {
                    let last = parts.len() - 1;
                    parts[..last].iter_mut().for_each(|l| *l = not(*l));
                }
                // A conjunction implies each part and is implied by all; a disjunction the other way round.
                for &part in &parts {
                    self.add(store, vec![(name, !is_and), if is_and { part } else { not(part) }]);
                }
                let all = parts.iter().map(|&p| if is_and { not(p) } else { p });
                self.add(store, std::iter::once((name, is_and)).chain(all).collect());
            }
            Kind::Ite => {
                let (c, a, b) = (parts[0], parts[1], parts[2]);
                for (condition, branch) in [(not(c), a), (c, b)] {
                    self.add(store, vec![(name, false), condition, branch]);
                    self.add(store, vec![(name, true), condition, not(branch)]);
                }
            }
            // `=` and `xor` of two; a longer `xor` by a chain of names.
            _ => {
                let mut left = parts[0];
                for (n, &right) in parts.iter().enumerate().skip(1) {
                    let last = n + 1 == parts.len();
                    let target = if last {
                        name
                    } else {
                        let (symbol, inner) = self.fresh.constant(store, SortId::BOOL);
                        let sides = [left, right].map(|(t, positive)| if positive { t } else { store.not(t) });
                        self.conversions.push(Conversion::name(symbol, inner, app(store, kind, &sides)?));
                        inner
                    };
                    let odd = kind == Kind::Xor;
                    for (a, b) in [(true, true), (true, false), (false, true), (false, false)] {
                        let value = (a != b) == odd;
                        self.add(store, vec![(left.0, left.1 != a), (right.0, right.1 != b), (target, value)]);
                    }
                    left = (target, true);
                }
            }
        }
        Ok(())
    }
}
