//! The SAT solver behind all engines: takes clauses and assumptions, returns an assignment or the failed assumptions, within a budget.

use crate::budget::{Budget, Stopped};
use crate::shared_lemmas::LemmaReader;
use batsat::{EmptyTheory, Lit, SolverInterface, Theory, lbool};
use rustc_hash::FxHashMap;
use std::cell::Cell;

/// The SAT solver's answer.
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
    /// The solver failed, or reached a limit of its own.
    #[error("the SAT solver failed: {0}")]
    Failed(String),
}

/// Checks the budget once per this number of the solver's stop checks, which happen at every decision.
const PATIENCE: u32 = 16;

/// The solver's stop check.
#[derive(Default)]
pub(crate) struct StopCheck {
    budget: Budget,
    /// Receives others' lemmas; the search pauses to add them.
    news: Option<LemmaReader>,
    asked: Cell<u32>,
    stopped: Cell<bool>,
}

/// The search pauses when others sent this many lemmas.
const NEWS: usize = 32;

/// Looks for lemmas once per this number of budget checks.
const NEWS_PATIENCE: u32 = 64;

impl batsat::Callbacks for StopCheck {
    fn stop(&self) -> bool {
        let asked = self.asked.get().wrapping_add(1);
        self.asked.set(asked);
        if asked.is_multiple_of(PATIENCE) && self.budget.check().is_err() {
            self.stopped.set(true);
        }
        if asked.is_multiple_of(PATIENCE * NEWS_PATIENCE)
            && self.news.as_ref().is_some_and(|news| news.unheard() >= NEWS)
        {
            self.stopped.set(true);
        }
        self.stopped.get()
    }
}

/// The minimum number of learned clauses kept. By default the SAT solver keeps a third of the number of clauses, only a few hundred for a
/// small problem whose difficulty is in a theory: with that, a job shop of ten jobs and five machines took 29 s instead of 2 s.
const LEARNED: i32 = 10_000;

/// An incremental SAT solver.
pub struct SatSolver {
    solver: batsat::Solver<StopCheck>,
}

impl Default for SatSolver {
    fn default() -> SatSolver {
        let options = batsat::SolverOpts { min_learnts_lim: LEARNED, ..batsat::SolverOpts::default() };
        SatSolver { solver: batsat::Solver::new(options, StopCheck::default()) }
    }
}

impl SatSolver {
    /// Returns the positive literal of a new variable.
    pub fn new_literal(&mut self) -> Lit {
        Lit::new(self.solver.new_var_default(), true)
    }

    /// Returns the number of variables.
    pub fn variables(&self) -> u32 {
        self.solver.num_vars()
    }

    /// Adds a clause over literals of this solver.
    pub fn add(&mut self, literals: &[Lit]) {
        self.solver.add_clause_reuse(&mut literals.to_vec());
    }

    /// Whether the clauses have an assignment under the assumptions.
    /// Errors: [`SatFailure`] when the budget is spent or the solver itself fails.
    pub fn solve(&mut self, assumptions: &[Lit], budget: &Budget) -> Result<SatAnswer, SatFailure> {
        let answer = self.solve_in(&mut EmptyTheory::new(), assumptions, None, budget)?;
        answer.ok_or_else(|| SatFailure::Failed("it paused".to_string()))
    }

    /// Like [`SatSolver::solve`], with a theory that observes the assignment and takes part in the search. `None` if the search paused
    /// because others sent lemmas; the next call continues it.
    /// Errors: as [`SatSolver::solve`].
    pub fn solve_in<T: Theory>(
        &mut self,
        theory: &mut T,
        assumptions: &[Lit],
        news: Option<&LemmaReader>,
        budget: &Budget,
    ) -> Result<Option<SatAnswer>, SatFailure> {
        budget.check()?;
        *self.solver.cb_mut() = StopCheck { budget: budget.clone(), news: news.cloned(), ..StopCheck::default() };
        let answer = self.solver.solve_limited_th(theory, assumptions);
        if answer == lbool::TRUE {
            return Ok(Some(SatAnswer::Sat));
        }
        if answer == lbool::FALSE {
            // The core contains the negations of assumptions.
            let core = assumptions.iter().copied().filter(|l| self.solver.unsat_core_contains_lit(!*l));
            return Ok(Some(SatAnswer::Unsat(core.collect())));
        }
        budget.check()?;
        if news.is_some_and(|news| news.unheard() >= NEWS) {
            return Ok(None);
        }
        Err(SatFailure::Failed("it stopped early".to_string()))
    }

    /// Returns the value of a literal in the last assignment; false if the solver left it open.
    pub fn value(&self, literal: Lit) -> bool {
        self.solver.value_lit(literal) == lbool::TRUE
    }
}

/// Returns the indices of the first literals among `all` that are in a core, ascending.
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
