//! Goals: conjunctions of formulas with the attributes of de Moura and Passmore, "Orchestrating decision engines".

use crate::definitions;
use crate::origins::Origins;
use crate::settings::{PassError, PassSettings};
use semantics::truth::{mentions_hidden, without_hidden};
use smtlib::{Kind, Store, TermId};

/// A conjunct of a goal.
#[derive(Clone, Debug)]
pub struct GoalFormula {
    /// The Boolean term.
    pub term: TermId,
    /// The input assertions from which it follows; empty if no core is wanted.
    pub origins: Origins,
}

impl GoalFormula {
    /// Makes a formula with its origins.
    pub fn new(term: TermId, origins: Origins) -> GoalFormula {
        GoalFormula { term, origins }
    }
}

/// The relation of a goal to the input.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Precision {
    /// Satisfiable if and only if the input is.
    #[default]
    Exact,
    /// Stronger than the input: `sat` also holds for the input, `unsat` does not.
    Under,
    /// Weaker than the input: `unsat` also holds for the input, `sat` does not.
    Over,
    /// Neither answer holds for the input.
    UnderOver,
}

impl Precision {
    /// Returns the precision after a step of precision `next`.
    pub fn then(self, next: Precision) -> Precision {
        match (self, next) {
            (Precision::Exact, p) | (p, Precision::Exact) => p,
            (a, b) if a == b => a,
            _ => Precision::UnderOver,
        }
    }

    /// Whether `sat` of the goal implies `sat` of the input.
    pub fn keeps_sat(self) -> bool {
        matches!(self, Precision::Exact | Precision::Under)
    }

    /// Whether `unsat` of the goal implies `unsat` of the input.
    pub fn keeps_unsat(self) -> bool {
        matches!(self, Precision::Exact | Precision::Over)
    }
}

/// What is wanted besides the answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Wants {
    /// A model of a satisfiable input.
    pub models: bool,
    /// The assertions used by the refutation of an unsatisfiable input.
    pub cores: bool,
}

impl Wants {
    /// Models but no cores.
    pub const MODELS: Wants = Wants { models: true, cores: false };
    /// Models and cores.
    pub const ALL: Wants = Wants { models: true, cores: true };
}

/// The status of a goal that is visible without work.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GoalStatus {
    /// There is no formula left.
    Sat,
    /// A formula is `false`.
    Unsat,
    /// The goal is undecided.
    Open,
}

/// The origin of a goal in one at which several strategies began.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GoalScope {
    /// The number of that goal.
    pub root: u64,
    /// Whether each model of that goal makes all formulas of this one true, with values for new symbols.
    pub is_consequence: bool,
    /// The number of others' facts about that goal that were added, or left out for a reason.
    pub heard: usize,
}

/// A conjunction of formulas.
///
/// Invariant: `true` is never among the formulas; `false` is always the only one.
#[derive(Clone, Debug)]
pub struct Goal {
    formulas: Vec<GoalFormula>,
    /// The relation to the input.
    pub precision: Precision,
    /// The number of steps from the input.
    pub depth: u32,
    /// What is wanted besides the answer.
    pub wants: Wants,
    /// The origin among several branches, if there are any. Steps leave it to their caller.
    pub scope: Option<GoalScope>,
}

impl Goal {
    /// Returns the goal without formulas.
    pub fn new(wants: Wants) -> Goal {
        Goal { formulas: Vec::new(), precision: Precision::Exact, depth: 0, wants, scope: None }
    }

    /// Makes the goal of these assertions, where number n has the origin n. Calls of functions defined without recursion are expanded, so
    /// passes see every occurrence of a symbol. A heap or an order is [replaced](without_hidden) by symbols: a pass may
    /// not move a formula about it.
    /// Errors: [`PassError::TooLarge`] when the expansion has more terms than the settings allow; [`PassError::NotApplicable`] for a heap
    /// that is not understood.
    pub fn of(
        store: &mut Store,
        assertions: &[TermId],
        wants: Wants,
        settings: &PassSettings,
    ) -> Result<Goal, PassError> {
        let mut goal = Goal::new(wants);
        let plain = without_hidden(store, assertions).map_err(|open| PassError::NotApplicable(open.to_string()))?;
        let expanded = definitions::expand(store, &plain, settings)?;
        // What holds of every heap and order belongs to the first assertion about one.
        let heap = assertions.iter().position(|&t| mentions_hidden(store, t)).unwrap_or(0);
        for (n, term) in expanded.into_iter().enumerate() {
            let n = if n < assertions.len() { n } else { heap };
            let origins = if wants.cores { Origins::one(n as u32) } else { Origins::none() };
            goal.push(store, GoalFormula::new(term, origins));
        }
        Ok(goal)
    }

    /// Returns the formulas.
    pub fn formulas(&self) -> &[GoalFormula] {
        &self.formulas
    }

    /// Returns the formulas' terms.
    pub fn terms(&self) -> impl Iterator<Item = TermId> + '_ {
        self.formulas.iter().map(|f| f.term)
    }

    /// Returns the number of formulas.
    pub fn len(&self) -> usize {
        self.formulas.len()
    }

    /// Whether there is no formula, so the goal is satisfiable.
    pub fn is_empty(&self) -> bool {
        self.formulas.is_empty()
    }

    /// Returns the status visible without work.
    pub fn status(&self, store: &Store) -> GoalStatus {
        match self.formulas.as_slice() {
            [] => GoalStatus::Sat,
            [only] if store.kind(only.term) == Kind::False => GoalStatus::Unsat,
            _ => GoalStatus::Open,
        }
    }

    /// Adds a formula. `true` adds nothing, and `false` replaces all others.
    pub fn push(&mut self, store: &Store, formula: GoalFormula) {
        debug_assert!(store.is_bool(formula.term), "a formula is Boolean");
        if store.kind(formula.term) == Kind::True || self.status(store) == GoalStatus::Unsat {
            return;
        }
        if store.kind(formula.term) == Kind::False {
            self.formulas.clear();
        }
        self.formulas.push(formula);
    }

    /// Takes the formulas, leaving the attributes.
    pub fn take(&mut self) -> Vec<GoalFormula> {
        std::mem::take(&mut self.formulas)
    }

    /// Returns the goal with the same attributes and these formulas.
    pub fn with(mut self, store: &Store, formulas: impl IntoIterator<Item = GoalFormula>) -> Goal {
        self.formulas.clear();
        for formula in formulas {
            self.push(store, formula);
        }
        self
    }

    /// Returns the refuted goal with these origins.
    pub fn refuted(self, store: &mut Store, origins: Origins) -> Goal {
        let falsum = store.bool(false);
        self.with(store, [GoalFormula::new(falsum, origins)])
    }

    /// Whether two goals have the same formulas in the same order, with any origins.
    pub fn same_formulas(&self, other: &Goal) -> bool {
        self.formulas.len() == other.formulas.len() && self.terms().eq(other.terms())
    }

    /// Returns the union of the origins of all formulas.
    pub fn origins(&self) -> Origins {
        Origins::all(self.formulas.iter().map(|f| &f.origins))
    }
}
