//! Units and bounds that follow from the goal with which the branches of a `par-or` began.
//!
//! A branch sends those of a goal only as long as each step to it was a consequence of the previous goal. It may receive them after any
//! steps: a model of its goal yields one of the first goal, for which they hold, and which keeps the values of the goal's symbols.

use crate::budget::Budget;
use crate::engines::arithmetic::difference::DifferenceBound;
use crate::engines::arithmetic::{LinearReader, LinearRelation};
use dashu_ratio::RBig;
use rewrite::linear::number_term;
use rewrite::substitute::variable;
use rewrite::{Goal, GoalFormula, GoalScope, Origins};
use rustc_hash::FxHashSet;
use smtlib::{Kind, Op, SortId, Store, TermId};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The maximum number of facts; further ones are dropped.
const MOST: usize = 1000;

/// A fact about one symbol.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum SymbolFact {
    /// A Boolean symbol is this.
    Truth(TermId, bool),
    /// A number is this.
    Value(TermId, RBig),
    /// A number has this upper or lower bound: a difference with zero.
    Bound(DifferenceBound),
}

/// A fact, the branch that sent it, and the assertions from which it follows.
#[derive(Clone, Debug)]
struct ToldFact {
    branch: usize,
    fact: SymbolFact,
    origins: Origins,
}

/// All facts, in the order in which they were sent.
#[derive(Debug, Default)]
struct FactPool {
    told: Vec<ToldFact>,
    known: FxHashSet<SymbolFact>,
}

/// The facts exchanged between branches of one goal, as seen by one of the branches. Clones share them.
#[derive(Clone, Debug)]
pub struct SharedFacts {
    pool: Arc<Mutex<FactPool>>,
    root: u64,
    branch: usize,
    /// The number of terms that mean the same in all branches.
    terms: usize,
}

impl SharedFacts {
    /// Makes the exchange for a goal at which branches begin, and marks the goal with a number that is unique in the run.
    pub fn of(goal: &mut Goal, root: u64, store: &Store, budget: &Budget) -> SharedFacts {
        goal.scope = Some(GoalScope { root, is_consequence: true, heard: 0 });
        let facts = SharedFacts { pool: Arc::default(), root, branch: 0, terms: store.len() };
        facts.tell(store, goal, budget);
        // All have them already.
        goal.scope = goal.scope.map(|scope| GoalScope { heard: facts.locked().told.len(), ..scope });
        facts
    }

    /// Returns the view of one of the branches.
    pub fn of_branch(&self, branch: usize) -> SharedFacts {
        SharedFacts { branch, ..self.clone() }
    }

    fn locked(&self) -> MutexGuard<'_, FactPool> {
        // Even after a panic the data is valid: at most one fact was added.
        self.pool.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether a goal comes from the one with which the branches began.
    fn scope(&self, goal: &Goal) -> Option<GoalScope> {
        goal.scope.filter(|scope| scope.root == self.root)
    }

    /// Sends the units and bounds among the formulas of a goal, if it follows from the one with which the branches began.
    pub fn tell(&self, store: &Store, goal: &Goal, budget: &Budget) {
        if !self.scope(goal).is_some_and(|scope| scope.is_consequence) {
            return;
        }
        let mut reader = LinearReader::new(budget);
        let read =
            |formula: &GoalFormula| Some((self.read(store, &mut reader, formula.term)?, formula.origins.clone()));
        let found: Vec<(SymbolFact, Origins)> = goal.formulas().iter().filter_map(read).collect();
        let mut pool = self.locked();
        for (fact, origins) in found {
            if pool.told.len() < MOST && pool.known.insert(fact.clone()) {
                pool.told.push(ToldFact { branch: self.branch, fact, origins });
            }
        }
    }

    /// Adds the facts that others sent since the last call to a goal.
    pub fn hear(&self, store: &mut Store, goal: &mut Goal) {
        let Some(mut scope) = self.scope(goal) else { return };
        let new = {
            let pool = self.locked();
            let new = pool.told.get(scope.heard..).unwrap_or_default().to_vec();
            scope.heard = pool.told.len();
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

    /// Returns a formula as a fact about one symbol that all branches know.
    fn read(&self, store: &Store, reader: &mut LinearReader, t: TermId) -> Option<SymbolFact> {
        let is_common = |t: TermId| t.index() < self.terms && variable(store, t).is_some();
        let (atom, truth) = match (store.kind(t), store.args(t)) {
            (Kind::Not, &[inner]) => (inner, false),
            _ => (t, true),
        };
        if is_common(atom) {
            return Some(SymbolFact::Truth(atom, truth));
        }
        let is_small = |a: &TermId| store.depth(*a) <= 2 && matches!(store.sort(*a), SortId::INT | SortId::REAL);
        if !store.args(atom).iter().all(is_small) {
            return None;
        }
        let constraints = reader.constraints(store, t).ok()?;
        let [constraint] = constraints.as_slice() else { return None };
        let [(symbol, factor)] = constraint.form.summands.as_slice() else { return None };
        if !is_common(*symbol) {
            return None;
        }
        let is_integer = store.sort(*symbol) == SortId::INT;
        if constraint.relation == LinearRelation::Equal {
            let value = -(&constraint.form.constant / factor);
            return (!is_integer || value.is_int()).then_some(SymbolFact::Value(*symbol, value));
        }
        let mut bound = DifferenceBound::of(constraint)?;
        if is_integer {
            bound = DifferenceBound { most: RBig::from(bound.integral()), strict: false, ..bound };
        }
        Some(SymbolFact::Bound(bound))
    }
}

/// Returns a fact as a formula.
fn term(store: &mut Store, fact: &SymbolFact) -> Option<TermId> {
    match fact {
        SymbolFact::Truth(symbol, true) => Some(*symbol),
        SymbolFact::Truth(symbol, false) => Some(store.not(*symbol)),
        SymbolFact::Value(symbol, value) => {
            let sort = store.sort(*symbol);
            let value = number_term(store, sort, value);
            store.eq(*symbol, value).ok()
        }
        SymbolFact::Bound(DifferenceBound { to, from, most, strict }) => {
            let symbol = (*to).or(*from)?;
            let sort = store.sort(symbol);
            let kind = match (sort == SortId::INT, strict) {
                (true, _) => Kind::IntLe,
                (false, true) => Kind::RealLt,
                (false, false) => Kind::RealLe,
            };
            // The subtracted term is at least the negated bound.
            let sides = match to {
                Some(_) => [symbol, number_term(store, sort, most)],
                None => [number_term(store, sort, &-most.clone()), symbol],
            };
            store.app(Op::new(kind), &sides).ok()
        }
    }
}
