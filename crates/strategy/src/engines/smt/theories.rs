//! The theories behind `smt`: the assignment of literals to theories, and the check of a set of literals.

use super::congruence::Congruence;
use super::inside::ArithmeticAtoms;
use super::prepare::{is_element, unsupported};
use crate::budget::{Budget, Stopped};
use crate::engine::{Decision, Engine};
use crate::engines::arithmetic::integer::SearchLimits;
use crate::engines::arithmetic::scaled::ScaledDifferences;
use crate::engines::arithmetic::tableau::Tableau;
use crate::engines::arithmetic::{ArithmeticAnswer, Conjunction, LinearConstraint, LinearReader};
use crate::engines::conjunctions::assign;
use dashu_ratio::RBig;
use rustc_hash::{FxHashMap, FxHashSet};
use semantics::{Meter, Model};
use smtlib::{Kind, Store, TermId};

/// Approximate bytes of an atom's summand, in its constraint, that of its negation, and the tableau.
const CONSTRAINT: usize = 600;

/// An atom with its truth value in an assignment.
pub type TheoryLiteral = (TermId, bool);

/// The theories' answer about some literals.
pub enum TheoryVerdict {
    /// The literals hold under this model.
    Consistent(Model),
    /// The literals at these indices cannot hold together.
    Conflict(Vec<usize>),
    /// Undecided.
    Unknown(String),
}

/// Decides sets of literals.
pub trait TheorySolver {
    /// Registers an atom before it is checked.
    /// Errors: why it is not an atom of the theory.
    fn admit(&mut self, store: &Store, atom: TermId) -> Result<(), String>;

    /// Returns pairs of literals of admitted atoms, the first of which implies the second, for the SAT solver; each pair once.
    /// Errors: time or memory are exhausted.
    fn implications(&mut self, _: &Store) -> Result<Vec<(TheoryLiteral, TheoryLiteral)>, String> {
        Ok(Vec::new())
    }

    /// Returns the admitted arithmetic atoms for a theory inside the search, if any; not necessarily all of them.
    fn arithmetic(&mut self, _: &Store) -> Option<ArithmeticAtoms> {
        None
    }

    /// Returns the constraints of an admitted arithmetic atom: that of the atom, and that of its negation.
    fn constraints(&self, _: TermId) -> Option<&[LinearConstraint; 2]> {
        None
    }

    /// Suggests values that may make the arithmetic literals of the next check true.
    fn propose(&mut self, _: Vec<(TermId, RBig)>) {}

    /// Decides whether literals of admitted atoms can hold together.
    /// Errors: [`Stopped`] when the budget is spent.
    fn check(
        &mut self,
        store: &mut Store,
        literals: &[TheoryLiteral],
        budget: &Budget,
    ) -> Result<TheoryVerdict, Stopped>;
}

/// Linear arithmetic and uninterpreted functions, which share no term once formulas are prepared.
pub struct NativeTheories {
    reader: LinearReader,
    conjunction: Conjunction,
    limits: SearchLimits,
    /// The constraints of arithmetic atoms: that of the atom, and that of its negation.
    constraints: FxHashMap<TermId, [LinearConstraint; 2]>,
    /// The implications already returned.
    given: FxHashSet<(TheoryLiteral, TheoryLiteral)>,
    /// Terms known to be functions on uninterpreted sorts.
    plain: FxHashSet<TermId>,
    /// Values that may make the arithmetic literals of the next check true.
    proposed: Option<Vec<(TermId, RBig)>>,
    meter: Meter,
}

impl NativeTheories {
    /// Makes the theories with limits on branch and bound.
    pub fn new(limits: SearchLimits, budget: &Budget) -> NativeTheories {
        NativeTheories {
            reader: LinearReader::new(budget),
            conjunction: Conjunction::default(),
            limits,
            constraints: FxHashMap::default(),
            given: FxHashSet::default(),
            plain: FxHashSet::default(),
            proposed: None,
            meter: budget.meter(),
        }
    }
}

impl NativeTheories {
    /// Checks terms over uninterpreted sorts: congruence closure needs functions on such sorts, and a selector is not one.
    fn elements(&mut self, store: &Store, terms: &[TermId]) -> Result<(), String> {
        let mut stack = terms.to_vec();
        while let Some(t) = stack.pop() {
            if !self.plain.insert(t) {
                continue;
            }
            if store.kind(t) != Kind::Apply || !is_element(store, store.sort(t)) {
                self.plain.remove(&t);
                return Err(unsupported(store, t).to_string());
            }
            stack.extend_from_slice(store.args(t));
        }
        Ok(())
    }
}

impl TheorySolver for NativeTheories {
    fn admit(&mut self, store: &Store, atom: TermId) -> Result<(), String> {
        let args = store.args(atom);
        if matches!(store.kind(atom), Kind::Eq | Kind::Apply) && args.iter().all(|&a| is_element(store, store.sort(a)))
        {
            return self.elements(store, args);
        }
        let constraints = self.reader.atom(store, atom).map_err(|error| error.to_string())?;
        let [constraint] = constraints.as_slice() else {
            return Err("an atom of several constraints".to_string());
        };
        let summands = constraint.form.summands.len() + 1;
        self.meter
            .take(CONSTRAINT * summands)
            .map_err(|_| "the atoms would take more memory than allowed".to_string())?;
        self.constraints.insert(atom, [constraint.clone(), constraint.negated()]);
        Ok(())
    }

    /// Bounds on one sum are ordered.
    fn implications(&mut self, store: &Store) -> Result<Vec<(TheoryLiteral, TheoryLiteral)>, String> {
        let mut atoms: Vec<TermId> = self.constraints.keys().copied().collect();
        atoms.sort_unstable();
        let mut thresholds = Vec::with_capacity(atoms.len());
        for atom in atoms {
            self.meter.tick().map_err(|error| error.to_string())?;
            let found = self.conjunction.tableau.threshold(store, &self.constraints[&atom][0]);
            thresholds.extend(found.map(|(column, positive, least)| (column, least, (atom, positive))));
        }
        thresholds.sort();
        let mut implications = Vec::new();
        for pair in thresholds.windows(2) {
            let ((column, low, weak), (other, high, strong)) = (&pair[0], &pair[1]);
            if column == other {
                implications.push((*strong, *weak));
                if low == high {
                    implications.push((*weak, *strong));
                }
            }
        }
        implications.retain(|&pair| self.given.insert(pair));
        Ok(implications)
    }

    fn arithmetic(&mut self, store: &Store) -> Option<ArithmeticAtoms> {
        let mut atoms: Vec<TermId> = self.constraints.keys().copied().collect();
        if atoms.is_empty() {
            return None;
        }
        atoms.sort_unstable();
        let constraints = atoms.iter().map(|atom| &self.constraints[atom][0]);
        if let Some(found) = ScaledDifferences::of(store, constraints, &mut self.meter) {
            return Some(ArithmeticAtoms::Differences(found, atoms));
        }
        let mut tableau = Tableau::default();
        let mut bounds = Vec::new();
        for atom in atoms {
            self.meter.tick().ok()?;
            let [holds, fails] = &self.constraints[&atom];
            if let (Some(holds), Some(fails)) = (tableau.bound(store, holds), tableau.bound(store, fails)) {
                bounds.push((atom, [holds, fails]));
            }
        }
        (!bounds.is_empty()).then_some(ArithmeticAtoms::Linear(Box::new(tableau), bounds))
    }

    fn constraints(&self, atom: TermId) -> Option<&[LinearConstraint; 2]> {
        self.constraints.get(&atom)
    }

    fn propose(&mut self, values: Vec<(TermId, RBig)>) {
        self.proposed = Some(values);
    }

    fn check(
        &mut self,
        store: &mut Store,
        literals: &[TheoryLiteral],
        budget: &Budget,
    ) -> Result<TheoryVerdict, Stopped> {
        let mut closure = Congruence::default();
        let (mut constraints, mut owners) = (Vec::new(), Vec::new());
        for (n, &(atom, truth)) in literals.iter().enumerate() {
            if let Some([holds, fails]) = self.constraints.get(&atom) {
                constraints.push(if truth { holds.clone() } else { fails.clone() });
                owners.push(n);
                continue;
            }
            match (store.kind(atom), store.args(atom)) {
                (Kind::Eq, &[a, b]) => closure.relate(store, a, b, truth, n),
                _ => closure.hold(store, atom, truth, n),
            }
        }
        if let Err(conflict) = closure.close() {
            return Ok(TheoryVerdict::Conflict(conflict));
        }
        let answer = match self.proposed.take().filter(|values| satisfy(values, &constraints)) {
            Some(values) => ArithmeticAnswer::Sat(values),
            None => self.conjunction.decide(store, &constraints, self.limits, budget)?,
        };
        match answer {
            ArithmeticAnswer::Unsat(positions) => {
                Ok(TheoryVerdict::Conflict(positions.into_iter().map(|p| owners[p]).collect()))
            }
            ArithmeticAnswer::Unknown(why) => Ok(TheoryVerdict::Unknown(why.to_string())),
            ArithmeticAnswer::Sat(values) => {
                let mut model = Model::new();
                closure.assign(store, &mut model);
                assign(store, &mut model, values);
                Ok(TheoryVerdict::Consistent(model))
            }
        }
    }
}

/// Whether values make constraints true.
fn satisfy(values: &[(TermId, RBig)], constraints: &[LinearConstraint]) -> bool {
    let values: FxHashMap<TermId, &RBig> = values.iter().map(|(t, value)| (*t, value)).collect();
    constraints.iter().all(|constraint| constraint.holds(|t| values.get(&t).copied()) == Some(true))
}

/// A decision engine for conjunctions as a theory: the `T` of `(smt T)`.
pub struct Foreign<'e>(pub &'e dyn Engine);

impl TheorySolver for Foreign<'_> {
    fn admit(&mut self, _: &Store, _: TermId) -> Result<(), String> {
        Ok(())
    }

    fn check(
        &mut self,
        store: &mut Store,
        literals: &[TheoryLiteral],
        budget: &Budget,
    ) -> Result<TheoryVerdict, Stopped> {
        if literals.is_empty() {
            return Ok(TheoryVerdict::Consistent(Model::new()));
        }
        let terms: Vec<TermId> =
            literals.iter().map(|&(atom, truth)| if truth { atom } else { store.not(atom) }).collect();
        let decision = self.0.decide(store, &terms, budget);
        budget.check()?;
        Ok(match decision {
            Decision::Sat(model) => TheoryVerdict::Consistent(model),
            Decision::Unsat(core) if core.is_empty() => TheoryVerdict::Conflict((0..literals.len()).collect()),
            Decision::Unsat(core) => TheoryVerdict::Conflict(core),
            Decision::Unknown(why) => TheoryVerdict::Unknown(why),
        })
    }
}
