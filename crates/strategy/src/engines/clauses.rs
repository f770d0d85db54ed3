//! The SAT solver behind all engines: clauses and assumptions in, an assignment or the failed assumptions out, under a budget.

use crate::budget::{Budget, Stopped};
use crate::shared_lemmas::LemmaReader;
use batsat::{EmptyTheory, Lit, SolverInterface, Theory, lbool};
use rustc_hash::FxHashMap;
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
    /// What others may have told; the search pauses to hear it.
    news: Option<LemmaReader>,
    asked: Cell<u32>,
    stopped: Cell<bool>,
}

/// The search pauses when others told so many lemmas.
const NEWS: usize = 32;

/// Asks whether there is news every so many times that the budget is asked.
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

/// So many learned clauses are kept at least. By its own default the SAT solver keeps a third as many as there are clauses, which is a few
/// hundred where a small problem has its difficulty in a theory: a job shop of ten jobs and five machines took 29 s so, and takes 2 s.
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
    /// The positive literal of a new variable.
    pub fn new_literal(&mut self) -> Lit {
        Lit::new(self.solver.new_var_default(), true)
    }

    /// How many variables there are.
    pub fn variables(&self) -> u32 {
        self.solver.num_vars()
    }

    /// Adds a clause over literals of this solver.
    pub fn add(&mut self, literals: &[Lit]) {
        self.solver.add_clause_reuse(&mut literals.to_vec());
    }

    /// Whether the clauses have an assignment under the assumptions.
    ///
    /// # Errors
    /// [`SatFailure`] when the budget is spent or the solver itself fails.
    pub fn solve(&mut self, assumptions: &[Lit], budget: &Budget) -> Result<SatAnswer, SatFailure> {
        let answer = self.solve_in(&mut EmptyTheory::new(), assumptions, None, budget)?;
        answer.ok_or_else(|| SatFailure::Failed("it paused".to_string()))
    }

    /// The same with a theory that watches the assignment grow, and has a say in it. Nothing if the search paused since others told
    /// lemmas; it goes on where it was when it is called again.
    ///
    /// # Errors
    /// As of [`SatSolver::solve`].
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
            // The core holds the negations of assumptions.
            let core = assumptions.iter().copied().filter(|l| self.solver.unsat_core_contains_lit(!*l));
            return Ok(Some(SatAnswer::Unsat(core.collect())));
        }
        budget.check()?;
        if news.is_some_and(|news| news.unheard() >= NEWS) {
            return Ok(None);
        }
        Err(SatFailure::Failed("it stopped early".to_string()))
    }

    /// The value of a literal in the last assignment; false where the solver left it open or has none.
    pub fn value(&self, literal: Lit) -> bool {
        self.solver.value_lit(literal) == lbool::TRUE
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
