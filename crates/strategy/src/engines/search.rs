//! `search`: the fuzzing solver, which finds models but refutes almost nothing.

use crate::budget::Budget;
use crate::engine::{Decision, Engine, EngineEntry, MakeEngine};
use rewrite::{Params, TacticParameter};
use search::{SearchConfig, SearchOutcome, StrategyChoice};
use smtlib::{Store, TermId, logic};

/// The engine's row.
pub const ENTRY: EngineEntry = EngineEntry {
    name: "search",
    about: "quantifier-free bit-vectors and floats of any size: searches a model by fuzzing; seldom says unsat",
    takes: logic::BITVECTORS | logic::FLOATS | logic::ARRAYS | logic::FUNCTIONS,
    parameters: &[WAY, SEED, JOBS, EXECUTIONS],
    make: MakeEngine::Alone(|params| Box::new(SearchEngine::new(params))),
};

const WAY: TacticParameter = TacticParameter {
    name: "way",
    about: "how inputs are found; `squall solve --help` says what each does",
    default: 0,
    words: &StrategyChoice::NAMES,
};
const SEED: TacticParameter =
    TacticParameter { name: "random-seed", about: "the seed of all random choices", default: 0, words: &[] };
const JOBS: TacticParameter = TacticParameter { name: "jobs", about: "threads", default: 1, words: &[] };
const EXECUTIONS: TacticParameter = TacticParameter {
    name: "max-executions",
    about: "executions after which a thread gives up; 0 for no bound",
    default: 0,
    words: &[],
};

/// The fuzzing solver with its parameters.
struct SearchEngine {
    way: StrategyChoice,
    seed: u64,
    jobs: usize,
    executions: Option<u64>,
}

impl SearchEngine {
    fn new(params: &Params) -> SearchEngine {
        let way = StrategyChoice::ALL.get(params.number(&WAY) as usize).map(|choice| choice.0);
        SearchEngine {
            way: way.unwrap_or_default(),
            seed: params.number(&SEED),
            jobs: usize::try_from(params.number(&JOBS)).unwrap_or(1).clamp(1, 256),
            executions: Some(params.number(&EXECUTIONS)).filter(|n| *n > 0),
        }
    }
}

impl Engine for SearchEngine {
    fn decide(&self, store: &mut Store, assertions: &[TermId], budget: &Budget) -> Decision {
        let config = SearchConfig {
            strategy: self.way,
            starts: budget.starts.clone(),
            seed: self.seed,
            jobs: self.jobs,
            executions: self.executions,
            deadline: budget.deadline,
            cancel: Some(budget.cancel.flag()),
            ..SearchConfig::default()
        };
        match search::solve(store, assertions, &config).0 {
            SearchOutcome::Sat(model) => Decision::Sat(model),
            SearchOutcome::Unsat { assertions } => Decision::Unsat(assertions),
            SearchOutcome::Unknown(reason) => Decision::Unknown(reason.to_string()),
        }
    }
}
