//! The solver: from assertions to a checked answer.

use crate::assignment::{self, Symbols};
use crate::interpreter::InputScore;
use crate::lower::LowerError;
use crate::machine::{Executor, ProgramRunner};
use crate::searcher::{Improvement, RunLimits, Searcher};
use crate::simplify::{Simplified, simplify};
use crate::strategy::StrategyChoice;
use rewrite::{ModelConverter, Stop};
use semantics::{Model, Verdict, validate};
use smtlib::{Store, TermId};
use std::fmt::{Display, Formatter};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The number of executions per call of a strategy.
const SLICE: u64 = 1 << 20;

/// The maximum number kept; further ones are dropped.
const MAX_STARTS: usize = 64;

/// The configuration of a search.
#[derive(Clone, Debug, Default)]
pub struct SearchConfig {
    /// The strategy.
    pub strategy: StrategyChoice,
    /// The seed of all random numbers. With one job and a limit on executions the run is reproducible.
    pub seed: u64,
    /// The number of threads, each with its own seed; 0 counts as 1.
    pub jobs: usize,
    /// The time limit.
    pub deadline: Option<Instant>,
    /// The maximum number of executions per job.
    pub executions: Option<u64>,
    /// Gives up when it is set.
    pub cancel: Option<Arc<AtomicBool>>,
    /// How programs are run.
    pub engine: Executor,
    /// Initial inputs, in addition to the search's own.
    pub starts: StartingPoints,
}

/// The answer.
#[derive(Clone, Debug)]
pub enum SearchOutcome {
    /// Satisfiable: the exact evaluator found every assertion true under this model.
    Sat(Model),
    /// Unsatisfiable: simplification made a formula false.
    Unsat {
        /// The numbers of assertions that suffice for it, ascending.
        assertions: Vec<usize>,
    },
    /// Not decided.
    Unknown(UndecidedReason),
}

/// Why a search is undecided.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum UndecidedReason {
    /// The time or the number of executions is used up, or the search was cancelled.
    Limit,
    /// The formula cannot be searched.
    Unsupported(LowerError),
}

impl Display for UndecidedReason {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        match self {
            UndecidedReason::Limit => f.write_str("the search reached its limit without finding a model"),
            UndecidedReason::Unsupported(error) => error.fmt(f),
        }
    }
}

/// Statistics of a search.
#[derive(Clone, Default, Debug)]
pub struct Stats {
    /// Operations of the program.
    pub operations: usize,
    /// Constraints of the program.
    pub constraints: usize,
    /// Slots of the input.
    pub slots: usize,
    /// Bits of the input.
    pub bits: u64,
    /// Time from terms to program.
    pub lowering: Duration,
    /// Compile time; zero without compilation.
    pub compiling: Duration,
    /// Search time; all jobs run in parallel.
    pub searching: Duration,
    /// The number of inputs run, by all jobs.
    pub executions: u64,
    /// Inputs that passed every constraint but were not models, because the standard leaves a value open.
    pub rejected: u64,
    /// The best score of any job.
    pub best: Option<InputScore>,
    /// The history of the first job's best score.
    pub curve: Vec<Improvement>,
}

/// The data shared by threads: the formula, and the conversion of inputs to models.
struct SharedProblem<'p> {
    assertions: &'p [TermId],
    symbols: Symbols<'p>,
    converter: &'p ModelConverter,
    stop: &'p Stop,
    store: Mutex<&'p mut Store>,
}

impl SharedProblem<'_> {
    /// Returns the model of an input, if the evaluator finds every assertion true.
    fn model(&self, searcher: &mut Searcher<'_>, input: &[u8]) -> Option<Model> {
        // Even after a panic the data is valid: at most terms were added.
        let mut store = self.store.lock().unwrap_or_else(PoisonError::into_inner);
        let model = assignment::model(&store, searcher.interpreter(), self.symbols, input);
        let model = self.converter.convert(&mut store, model, self.stop).ok()?;
        (validate(&store, self.assertions, model.clone()) == Verdict::Valid).then_some(model)
    }
}

/// The result of one thread.
struct ThreadResult {
    model: Option<Model>,
    rejected: u64,
    executions: u64,
    best: Option<InputScore>,
    curve: Vec<Improvement>,
    compiling: Duration,
}

/// Assignments that are almost models, or models of a similar formula. Clones share them.
#[derive(Clone, Default, Debug)]
pub struct StartingPoints(Arc<Mutex<Vec<Model>>>);

impl StartingPoints {
    /// Adds one. Symbols without a value are zero.
    pub fn add(&self, model: Model) {
        // Even after a panic the data is valid: at most one was added.
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if all.len() < MAX_STARTS {
            all.push(model);
        }
    }

    /// Returns those from number `first` on.
    pub fn since(&self, first: usize) -> Vec<Model> {
        let all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.get(first..).unwrap_or_default().to_vec()
    }
}

impl FromIterator<Model> for StartingPoints {
    fn from_iter<I: IntoIterator<Item = Model>>(models: I) -> StartingPoints {
        StartingPoints(Arc::new(Mutex::new(models.into_iter().take(MAX_STARTS).collect())))
    }
}

/// Searches for a model of the assertions.
///
/// The store only grows. Symbols missing from the model are arbitrary.
pub fn solve(store: &mut Store, assertions: &[TermId], config: &SearchConfig) -> (SearchOutcome, Stats) {
    let start = Instant::now();
    let mut stats = Stats::default();
    let stop = Stop { deadline: config.deadline, cancelled: config.cancel.clone() };
    let simplified =
        stop.check().map_err(|_| LowerError::Interrupted).and_then(|()| simplify(store, assertions, &stop));
    stats.lowering = start.elapsed();
    let (lowered, converter) = match simplified {
        Ok(Simplified::Open { lowered, converter }) => (*lowered, converter),
        Ok(Simplified::Refuted { assertions }) => return (SearchOutcome::Unsat { assertions }, stats),
        Err(LowerError::Interrupted) => return (SearchOutcome::Unknown(UndecidedReason::Limit), stats),
        Err(error) => return (SearchOutcome::Unknown(UndecidedReason::Unsupported(error)), stats),
    };
    stats.operations = lowered.program.hot as usize;
    stats.constraints = lowered.program.constraints.len();
    stats.slots = lowered.program.layout.slots().len();
    stats.bits = lowered.program.layout.bits();
    let program = Arc::new(lowered.program);
    let found = AtomicBool::new(false);
    let problem = SharedProblem {
        assertions,
        symbols: Symbols { sources: &lowered.sources, arrays: &lowered.arrays },
        converter: &converter,
        stop: &stop,
        store: Mutex::new(store),
    };
    let run = |job: u64| {
        let machine = ProgramRunner::new(program.clone(), config.engine, config.deadline);
        let cancel = [config.cancel.as_deref(), Some(&found)];
        let limits = RunLimits { deadline: config.deadline, executions: config.executions, cancel };
        let seed = config.seed ^ job.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mut searcher = Searcher::new(machine, seed, limits, start);
        let (model, rejected) = search(&problem, config, &mut searcher);
        if model.is_some() {
            found.store(true, Ordering::Relaxed);
        }
        ThreadResult {
            model,
            rejected,
            executions: searcher.executions(),
            best: searcher.best(),
            curve: searcher.curve().to_vec(),
            compiling: searcher.machine().compiling(),
        }
    };
    let jobs: Vec<ThreadResult> = if config.jobs <= 1 {
        vec![run(0)]
    } else {
        std::thread::scope(|scope| {
            let handles: Vec<_> = (0..config.jobs as u64).map(|job| scope.spawn(move || run(job))).collect();
            handles.into_iter().filter_map(|handle| handle.join().ok()).collect()
        })
    };
    stats.searching = start.elapsed().saturating_sub(stats.lowering);
    let outcome = gather(jobs, &mut stats);
    (outcome, stats)
}

/// Combines the answers and the statistics of all threads.
fn gather(jobs: Vec<ThreadResult>, stats: &mut Stats) -> SearchOutcome {
    let mut outcome = SearchOutcome::Unknown(UndecidedReason::Limit);
    for (number, job) in jobs.into_iter().enumerate() {
        stats.executions += job.executions;
        stats.rejected += job.rejected;
        stats.compiling = stats.compiling.max(job.compiling);
        if let Some(best) = job.best
            && stats.best.is_none_or(|b| best.beats(b))
        {
            stats.best = Some(best);
        }
        if number == 0 {
            stats.curve = job.curve;
        }
        if let (Some(model), SearchOutcome::Unknown(_)) = (job.model, &outcome) {
            outcome = SearchOutcome::Sat(model);
        }
    }
    outcome
}

/// Runs one thread's search: returns a model, if it finds one, and the number of inputs that passed every constraint but were not models.
///
/// Invariant: a returned model has passed [`validate`] on the original assertions.
fn search(problem: &SharedProblem<'_>, config: &SearchConfig, searcher: &mut Searcher<'_>) -> (Option<Model>, u64) {
    let mut rejected = 0;
    let mut strategy = config.strategy.strategy();
    // Without a constraint left, any input suffices.
    let mut candidate = searcher.program().constraints.is_empty().then(|| searcher.program().layout.zeros());
    loop {
        if let Some(input) = candidate.take() {
            let model = problem.model(searcher, &input);
            if model.is_some() {
                return (model, rejected);
            }
            rejected += 1;
            strategy.rejected();
        }
        if searcher.is_over() || searcher.program().layout.slots().is_empty() {
            return (None, rejected);
        }
        for model in config.starts.since(searcher.starts.len()) {
            let input = assignment::input(&searcher.program().layout, problem.symbols.sources, &model);
            searcher.starts.push(input);
        }
        candidate = strategy.run(searcher, SLICE);
    }
}
