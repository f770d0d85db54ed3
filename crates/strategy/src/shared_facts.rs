//! Units and bounds that follow from the goal with which the branches of a `par-or` began.
//!
//! A branch tells them of a goal only as long as each step to it was a consequence of the one before. It may hear them whatever its steps were:
//! a model of its goal leads to one of the first, for which they hold, and which keeps the values of the symbols that its goal has.

use crate::budget::Budget;
use crate::engines::arithmetic::{LinearConstraint, LinearReader, LinearRelation};
use dashu_ratio::RBig;
use rewrite::linear::number_term;
use rewrite::{Goal, GoalFormula, GoalScope, Origins};
use smtlib::{Kind, Op, SortId, Store, TermId};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The most facts that are kept; further ones are dropped.
const MOST: usize = 1000;

/// What is known of one symbol.
#[derive(Clone, PartialEq, Eq, Debug)]
enum SymbolFact {
    /// A Boolean symbol is this.
    Truth(TermId, bool),
    /// A number is at most, at least, or equal to something.
    Bound(LinearConstraint),
}

/// A fact, by which branch it was told, and the assertions that it follows from.
#[derive(Clone, Debug)]
struct ToldFact {
    branch: usize,
    fact: SymbolFact,
    origins: Origins,
}

/// The facts that branches of one goal tell each other, as one of the branches has them. Clones share them.
#[derive(Clone, Debug)]
pub struct SharedFacts {
    facts: Arc<Mutex<Vec<ToldFact>>>,
    root: u64,
    branch: usize,
    /// So many terms mean the same to all.
    terms: usize,
}

impl SharedFacts {
    /// Those of a goal at which branches begin, which is given the mark of it: a number that no other such goal of the run has.
    pub fn of(goal: &mut Goal, root: u64, store: &Store, budget: &Budget) -> SharedFacts {
        goal.scope = Some(GoalScope { root, is_consequence: true, heard: 0 });
        let facts = SharedFacts { facts: Arc::default(), root, branch: 0, terms: store.len() };
        facts.tell(store, goal, budget);
        goal.scope = goal.scope.map(|scope| GoalScope { heard: facts.locked().len(), ..scope });
        facts
    }

    /// The same for one of the branches.
    pub fn of_branch(&self, branch: usize) -> SharedFacts {
        SharedFacts { branch, ..self.clone() }
    }

    fn locked(&self) -> MutexGuard<'_, Vec<ToldFact>> {
        // A thread that panicked while it held the lock has at most added one fact.
        self.facts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether a goal comes from that with which the branches began.
    fn scope(&self, goal: &Goal) -> Option<GoalScope> {
        goal.scope.filter(|scope| scope.root == self.root)
    }

    /// Tells the units and bounds among the formulas of a goal, if it follows from the one with which the branches began.
    pub fn tell(&self, store: &Store, goal: &Goal, budget: &Budget) {
        if !self.scope(goal).is_some_and(|scope| scope.is_consequence) {
            return;
        }
        let mut reader = LinearReader::new(budget);
        for GoalFormula { term, origins } in goal.formulas() {
            let Some(fact) = self.read(store, &mut reader, *term) else { continue };
            let mut facts = self.locked();
            if facts.len() < MOST && facts.iter().all(|told| told.fact != fact) {
                facts.push(ToldFact { branch: self.branch, fact, origins: origins.clone() });
            }
        }
    }

    /// Adds to a goal what others told since it last heard of them.
    pub fn hear(&self, store: &mut Store, goal: &mut Goal) {
        let Some(mut scope) = self.scope(goal) else { return };
        let new = {
            let facts = self.locked();
            let new = facts.get(scope.heard..).unwrap_or_default().to_vec();
            scope.heard = facts.len();
            new
        };
        goal.scope = Some(scope);
        for ToldFact { fact, origins, .. } in new.into_iter().filter(|told| told.branch != self.branch) {
            let Some(term) = term(store, &fact) else { continue };
            if !goal.terms().any(|known| known == term) {
                goal.push(store, GoalFormula { term, origins });
            }
        }
    }

    /// What a formula says of one symbol that all branches know.
    fn read(&self, store: &Store, reader: &mut LinearReader, t: TermId) -> Option<SymbolFact> {
        let is_common = |symbol: TermId| symbol.index() < self.terms && store.applied(symbol).is_some();
        let (atom, truth) = match (store.kind(t), store.args(t)) {
            (Kind::Not, &[inner]) => (inner, false),
            _ => (t, true),
        };
        if is_symbol(store, atom) {
            return is_common(atom).then_some(SymbolFact::Truth(atom, truth));
        }
        let is_small = store.args(atom).iter().all(|&a| store.depth(a) <= 2);
        let is_comparison = store.args(atom).iter().all(|&a| matches!(store.sort(a), SortId::INT | SortId::REAL));
        if !is_small || !is_comparison {
            return None;
        }
        let constraints = reader.constraints(store, t).ok()?;
        let [constraint] = constraints.as_slice() else { return None };
        let constraint = normal(store, constraint)?;
        let (symbol, _) = constraint.form.summands.first()?;
        (is_symbol(store, *symbol) && is_common(*symbol)).then_some(SymbolFact::Bound(constraint))
    }
}

fn is_symbol(store: &Store, t: TermId) -> bool {
    store.kind(t) == Kind::Apply && store.args(t).is_empty()
}

/// A fact as a formula; nothing if it says nothing.
fn term(store: &mut Store, fact: &SymbolFact) -> Option<TermId> {
    match fact {
        SymbolFact::Truth(symbol, true) => Some(*symbol),
        SymbolFact::Truth(symbol, false) => Some(store.not(*symbol)),
        SymbolFact::Bound(LinearConstraint { form, relation }) => {
            let [(symbol, sign)] = form.summands.as_slice() else { return None };
            let is_upper = *sign > RBig::ZERO;
            let bound = if is_upper { -form.constant.clone() } else { form.constant.clone() };
            let sort = store.sort(*symbol);
            let bound = number_term(store, sort, &bound);
            let kind = match (relation, sort == SortId::INT) {
                (LinearRelation::Equal, _) => return store.eq(*symbol, bound).ok(),
                (LinearRelation::Below, true) => Kind::IntLt,
                (_, true) => Kind::IntLe,
                (LinearRelation::Below, false) => Kind::RealLt,
                (_, false) => Kind::RealLe,
            };
            let sides = if is_upper { [*symbol, bound] } else { [bound, *symbol] };
            store.app(Op::new(kind), &sides).ok()
        }
    }
}

/// A constraint of one symbol with the factor 1 or -1, and of an integer by "at most" where it is a bound; nothing of a disequality, or of an
/// integer that would have to be a fraction.
fn normal(store: &Store, constraint: &LinearConstraint) -> Option<LinearConstraint> {
    let LinearConstraint { form, relation } = constraint;
    let [(symbol, factor)] = form.summands.as_slice() else { return None };
    let size = if *factor < RBig::ZERO { -factor.clone() } else { factor.clone() };
    let mut form = form.times(&(RBig::ONE / size));
    let mut relation = *relation;
    if store.sort(*symbol) == SortId::INT {
        let most = -form.constant.clone();
        form.constant = match relation {
            LinearRelation::Below => RBig::ONE - RBig::from(most.ceil()),
            LinearRelation::AtMost => -RBig::from(most.floor()),
            LinearRelation::Equal | LinearRelation::Distinct if most.is_int() => form.constant,
            LinearRelation::Equal | LinearRelation::Distinct => return None,
        };
        if relation == LinearRelation::Below {
            relation = LinearRelation::AtMost;
        }
    }
    (relation != LinearRelation::Distinct).then_some(LinearConstraint { form, relation })
}
