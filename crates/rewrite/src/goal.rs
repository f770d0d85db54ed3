//! Goals: conjunctions of formulas with the attributes of de Moura and Passmore, "Orchestrating decision engines".

use crate::definitions;
use crate::origins::Origins;
use crate::settings::{PassError, PassSettings};
use smtlib::{Kind, Store, TermId};

/// A conjunct of a goal.
#[derive(Clone, Debug)]
pub struct GoalFormula {
    /// The Boolean term.
    pub term: TermId,
    /// The input assertions it follows from; empty where no core is wanted.
    pub origins: Origins,
}

impl GoalFormula {
    /// A formula with its origins.
    pub fn new(term: TermId, origins: Origins) -> GoalFormula {
        GoalFormula { term, origins }
    }
}

/// How a goal relates to the input.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Precision {
    /// Satisfiable exactly when the input is.
    #[default]
    Exact,
    /// Stronger than the input: `sat` holds of the input too, `unsat` does not.
    Under,
    /// Weaker than the input: `unsat` holds of the input too, `sat` does not.
    Over,
    /// Neither answer holds of the input.
    UnderOver,
}

impl Precision {
    /// The precision after a step of precision `next`.
    pub fn then(self, next: Precision) -> Precision {
        match (self, next) {
            (Precision::Exact, p) | (p, Precision::Exact) => p,
            (a, b) if a == b => a,
            _ => Precision::UnderOver,
        }
    }

    /// Whether `sat` of the goal is `sat` of the input.
    pub fn keeps_sat(self) -> bool {
        matches!(self, Precision::Exact | Precision::Under)
    }

    /// Whether `unsat` of the goal is `unsat` of the input.
    pub fn keeps_unsat(self) -> bool {
        matches!(self, Precision::Exact | Precision::Over)
    }
}

/// What is wanted besides the answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Wants {
    /// A model of a satisfiable input.
    pub models: bool,
    /// The assertions an unsatisfiable input's refutation used.
    pub cores: bool,
}

impl Wants {
    /// Models but no cores.
    pub const MODELS: Wants = Wants { models: true, cores: false };
    /// Both.
    pub const ALL: Wants = Wants { models: true, cores: true };
}

/// What can be seen of a goal without work.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GoalStatus {
    /// There is no formula left.
    Sat,
    /// A formula is `false`.
    Unsat,
    /// Neither.
    Open,
}

/// How a goal comes from one at which several strategies began.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GoalScope {
    /// The number of that goal.
    pub root: u64,
    /// Whether each model of that goal makes all formulas of this one true, given values for new symbols.
    pub is_consequence: bool,
    /// How many of the facts that others told of that goal are among the formulas, or were left out for a reason.
    pub heard: usize,
}

/// A conjunction of formulas.
///
/// Invariant: `true` is no formula of it; if `false` is one, it is the only one.
#[derive(Clone, Debug)]
pub struct Goal {
    formulas: Vec<GoalFormula>,
    /// How it relates to the input.
    pub precision: Precision,
    /// How many steps lead from the input to it.
    pub depth: u32,
    /// What is wanted besides the answer.
    pub wants: Wants,
    /// Which goal of several branches it comes from, if there are any. Steps leave it to their caller.
    pub scope: Option<GoalScope>,
}

impl Goal {
    /// The goal without formulas.
    pub fn new(wants: Wants) -> Goal {
        Goal { formulas: Vec::new(), precision: Precision::Exact, depth: 0, wants, scope: None }
    }

    /// The goal of these assertions, number n of which is the origin n. Calls of functions defined without recursion are
    /// replaced by what they stand for, so that passes see every occurrence of a symbol.
    ///
    /// # Errors
    /// [`PassError::TooLarge`] when the definitions stand for more terms than the settings allow.
    pub fn of(
        store: &mut Store,
        assertions: &[TermId],
        wants: Wants,
        settings: &PassSettings,
    ) -> Result<Goal, PassError> {
        let mut goal = Goal::new(wants);
        let expanded = definitions::expand(store, assertions, settings)?;
        for (n, term) in expanded.into_iter().enumerate() {
            let origins = if wants.cores { Origins::one(n as u32) } else { Origins::none() };
            goal.push(store, GoalFormula::new(term, origins));
        }
        Ok(goal)
    }

    /// The formulas.
    pub fn formulas(&self) -> &[GoalFormula] {
        &self.formulas
    }

    /// The formulas' terms.
    pub fn terms(&self) -> impl Iterator<Item = TermId> + '_ {
        self.formulas.iter().map(|f| f.term)
    }

    /// How many formulas there are.
    pub fn len(&self) -> usize {
        self.formulas.len()
    }

    /// Whether there is no formula, so that the goal is satisfiable.
    pub fn is_empty(&self) -> bool {
        self.formulas.is_empty()
    }

    /// What can be seen without work.
    pub fn status(&self, store: &Store) -> GoalStatus {
        match self.formulas.as_slice() {
            [] => GoalStatus::Sat,
            [only] if store.kind(only.term) == Kind::False => GoalStatus::Unsat,
            _ => GoalStatus::Open,
        }
    }

    /// Adds a formula. `true` adds nothing, and `false` takes the place of all others.
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

    /// Takes the formulas out, leaving the attributes.
    pub fn take(&mut self) -> Vec<GoalFormula> {
        std::mem::take(&mut self.formulas)
    }

    /// The goal with the same attributes and these formulas.
    pub fn with(mut self, store: &Store, formulas: impl IntoIterator<Item = GoalFormula>) -> Goal {
        self.formulas.clear();
        for formula in formulas {
            self.push(store, formula);
        }
        self
    }

    /// The refuted goal, for reasons of these origins.
    pub fn refuted(self, store: &mut Store, origins: Origins) -> Goal {
        let falsum = store.bool(false);
        self.with(store, [GoalFormula::new(falsum, origins)])
    }

    /// Whether two goals have the same formulas in the same order, whatever their origins.
    pub fn same_formulas(&self, other: &Goal) -> bool {
        self.formulas.len() == other.formulas.len() && self.terms().eq(other.terms())
    }

    /// The union of the origins of all formulas.
    pub fn origins(&self) -> Origins {
        Origins::all(self.formulas.iter().map(|f| &f.origins))
    }
}
