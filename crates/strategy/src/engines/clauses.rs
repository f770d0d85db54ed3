//! The SAT solver behind all engines: clauses and assumptions in, an assignment or the failed assumptions out, under a budget.

use crate::budget::{Budget, Stopped};
use rustc_hash::{FxHashMap, FxHashSet};
use rustsat::solvers::{Solve, SolveIncremental, SolverResult};
use rustsat::types::{Clause, Lit, TernaryVal, Var};
use std::cell::Cell;

/// What the SAT solver says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SatAnswer {
    /// There is an assignment; [`SatSolver::value`] reads it.
    Sat,
    /// There is none with these of the assumptions.
    Unsat(Vec<Lit>),
}

/// Why the SAT solver does not answer.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SatFailure {
    /// The time is up or the run is cancelled.
    #[error(transparent)]
    Stopped(#[from] Stopped),
    /// The solver failed, or met a bound of its own.
    #[error("the SAT solver failed: {0}")]
    Failed(String),
}

/// Asks the budget every so many times the solver asks whether to stop, which is at every decision.
const PATIENCE: u32 = 16;

/// The solver's way to ask whether to stop.
#[derive(Default)]
pub(crate) struct StopCheck {
    budget: Budget,
    asked: Cell<u32>,
    stopped: Cell<bool>,
}

impl batsat::Callbacks for StopCheck {
    fn stop(&self) -> bool {
        let asked = self.asked.get().wrapping_add(1);
        self.asked.set(asked);
        if asked.is_multiple_of(PATIENCE) && self.budget.check().is_err() {
            self.stopped.set(true);
        }
        self.stopped.get()
    }
}

/// An incremental SAT solver.
#[derive(Default)]
pub struct SatSolver {
    solver: rustsat_batsat::Solver<StopCheck>,
    variables: u32,
    failure: Option<String>,
}

impl SatSolver {
    /// The positive literal of a new variable.
    pub fn new_literal(&mut self) -> Lit {
        let literal = Lit::positive(self.variables);
        self.variables += 1;
        literal
    }

    /// How many variables there are.
    pub fn variables(&self) -> u32 {
        self.variables
    }

    /// Adds a clause over literals of this solver.
    pub fn add(&mut self, literals: &[Lit]) {
        let clause: Clause = literals.iter().copied().collect();
        if let Err(error) = self.solver.add_clause(clause) {
            self.failure.get_or_insert(error.to_string());
        }
    }

    /// Whether the clauses have an assignment under the assumptions.
    ///
    /// # Errors
    /// [`SatFailure`] when the budget is spent or the solver itself fails.
    pub fn solve(&mut self, assumptions: &[Lit], budget: &Budget) -> Result<SatAnswer, SatFailure> {
        budget.check()?;
        let failed = |error: &dyn std::fmt::Display| SatFailure::Failed(error.to_string());
        if let Some(failure) = &self.failure {
            return Err(SatFailure::Failed(failure.clone()));
        }
        if let Some(last) = self.variables.checked_sub(1) {
            self.solver.reserve(Var::new(last)).map_err(|e| failed(&e))?;
        }
        *self.solver.batsat_mut().cb_mut() = StopCheck { budget: budget.clone(), ..StopCheck::default() };
        match self.solver.solve_assumps(assumptions).map_err(|e| failed(&e))? {
            SolverResult::Sat => Ok(SatAnswer::Sat),
            SolverResult::Unsat => {
                // Solvers differ in whether a core holds the assumptions or their negations: the variables say which.
                let core = self.solver.core().map_err(|e| failed(&e))?;
                let used: FxHashSet<Var> = core.iter().map(|l| l.var()).collect();
                Ok(SatAnswer::Unsat(assumptions.iter().copied().filter(|l| used.contains(&l.var())).collect()))
            }
            SolverResult::Interrupted => {
                budget.check()?;
                Err(SatFailure::Failed("it stopped early".to_string()))
            }
        }
    }

    /// The value of a literal in the last assignment; false where the solver left it open or has none.
    pub fn value(&self, literal: Lit) -> bool {
        literal.vidx32() < self.variables && matches!(self.solver.lit_val(literal), Ok(TernaryVal::True))
    }
}

/// The positions of the first literals among `all` that are in a core, ascending.
pub fn positions(all: &[Lit], core: &[Lit]) -> Vec<usize> {
    let mut first: FxHashMap<Lit, usize> = FxHashMap::default();
    for (n, &literal) in all.iter().enumerate() {
        first.entry(literal).or_insert(n);
    }
    let mut positions: Vec<usize> = core.iter().filter_map(|l| first.get(l).copied()).collect();
    positions.sort_unstable();
    positions.dedup();
    positions
}
