//! `guess`: models of problems of all theories, by local search over the exact evaluator.
//!
//! A symbol of a false assertion gets the value, among those that the problem's own constants suggest, under which the least is false. This
//! is the method of WalkSAT (Selman, Kautz and Cohen, AAAI 1994) with any values in place of truth values.

mod candidates;
mod distance;

use crate::budget::Budget;
use crate::engine::{Decision, Engine, EngineEntry, MakeEngine};
use candidates::CandidatePool;
use rewrite::complete::{complete, eval_with, give_default};
use rewrite::{Params, TacticParameter, walk};
use search::rng::Random;
use semantics::{EvalLimits, Evaluator, FunctionTable, Interpretation, Model, Stop, Value};
use smtlib::{FuncId, SortId, Store, TermId};

/// The registry's row.
pub const ENTRY: EngineEntry = EngineEntry {
    name: "guess",
    about: "problems of all theories: searches a model among values made of the problem's constants; never says unsat",
    // Any feature is allowed in some problem.
    takes: 0,
    parameters: &[GUESSES, SEED],
    make: MakeEngine::Alone(|params| Box::new(Guess::new(params))),
};

const GUESSES: TacticParameter = TacticParameter {
    name: "max-guesses",
    about: "the maximum number of models that are tried",
    default: 20_000,
    words: &[],
};
const SEED: TacticParameter =
    TacticParameter { name: "random-seed", about: "the seed of all random choices", default: 0, words: &[] };

/// The limits of one judgement of a model: what takes longer, such as a quantifier over many values, counts as wrong.
const LIMITS: EvalLimits = EvalLimits { life: 1_000_000, memory: 1 << 18, ..EvalLimits::ONE_OF_MANY };
/// The maximum number of different terms of a problem.
const MAX_TERMS: usize = 4096;
/// The maximum number of values tried for one symbol at once.
const MOST: usize = 48;
/// After this many steps without a better model the search starts anew.
const PATIENCE: u32 = 60;

/// The engine with its parameters.
struct Guess {
    guesses: u64,
    seed: u64,
}

impl Guess {
    fn new(params: &Params) -> Guess {
        Guess { guesses: params.number(&GUESSES), seed: params.number(&SEED) }
    }
}

impl Engine for Guess {
    fn decide(&self, store: &mut Store, assertions: &[TermId], budget: &Budget) -> Decision {
        if walk::has_more_than(store, assertions, MAX_TERMS) {
            return Decision::Unknown(format!("it has more than {MAX_TERMS} terms"));
        }
        let stop = budget.stop();
        let pool = CandidatePool::of(store, assertions, &stop);
        let symbols: Vec<Vec<TermId>> = assertions.iter().map(|&a| applications(store, a)).collect();
        let mut search = GuessSearch {
            store,
            assertions,
            symbols,
            pool,
            stop,
            left: self.guesses,
            random: Random::from_seed(self.seed),
            model: Model::new(),
            costs: Vec::new(),
        };
        match search.run() {
            Some(mut model) => {
                complete(store, &mut model, assertions.iter().copied());
                Decision::Sat(model)
            }
            None => match budget.check() {
                Err(stopped) => stopped.into(),
                Ok(()) => Decision::Unknown("no guessed model makes it true".to_string()),
            },
        }
    }
}

/// Returns the applications of declared symbols in a term.
fn applications(store: &Store, root: TermId) -> Vec<TermId> {
    let mut all = Vec::new();
    walk::visit(store, [root], |t| {
        if store.op(t).func().is_some_and(|f| store.func(f).is_declared()) {
            all.push(t);
        }
    });
    all
}

/// A search in progress.
struct GuessSearch<'s> {
    store: &'s Store,
    assertions: &'s [TermId],
    /// The applications of declared symbols in each assertion.
    symbols: Vec<Vec<TermId>>,
    pool: CandidatePool,
    stop: Stop,
    left: u64,
    random: Random,
    /// The present model.
    model: Model,
    /// What is false under it, by assertion.
    costs: Vec<f64>,
}

impl GuessSearch<'_> {
    /// Returns a model of all assertions, if one is found.
    fn run(&mut self) -> Option<Model> {
        let mut is_first = true;
        while self.left > 0 && !self.stop.is_over() {
            self.begin(is_first);
            is_first = false;
            let (mut best, mut since) = (f64::INFINITY, 0);
            while since < PATIENCE && self.left > 0 && !self.stop.is_over() {
                let cost: f64 = self.costs.iter().sum();
                if cost == 0.0 {
                    return Some(self.model.clone());
                }
                if cost < best {
                    (best, since) = (cost, 0);
                } else {
                    since += 1;
                }
                // What is false and has no symbol stays false.
                if self.costs.iter().zip(&self.symbols).any(|(cost, symbols)| *cost > 0.0 && symbols.is_empty()) {
                    return None;
                }
                self.step(cost);
            }
        }
        None
    }

    /// Starts from default values, or from random ones.
    fn begin(&mut self, is_first: bool) {
        self.model = Model::new();
        self.pool.set_universes(&mut self.model);
        let mut known: Vec<FuncId> = self.symbols.iter().flatten().filter_map(|&t| self.store.op(t).func()).collect();
        known.sort_unstable();
        known.dedup();
        for f in known {
            let func = self.store.func(f);
            let values = self.pool.of_sort(func.result);
            let value = (!is_first && !values.is_empty()).then(|| values[self.random.index(values.len())].clone());
            let taken = value.is_some_and(|value| self.give(f, value));
            if func.result == SortId::REGLAN {
                self.pool.give_language(self.store, &mut self.model, f, &mut self.random);
            } else if !taken {
                give_default(self.store, &mut self.model, f);
            }
        }
        let model = self.model.clone();
        self.costs = self.judge(model);
    }

    /// Gives a symbol a value, a function this value everywhere.
    fn give(&mut self, f: FuncId, value: Value) -> bool {
        match self.store.func(f).params.is_empty() {
            true => self.model.assign(self.store, f, value).is_ok(),
            false => self.model.assign_table(self.store, f, FunctionTable::new(Some(value))).is_ok(),
        }
    }

    /// Returns what is false under a model, by assertion.
    fn judge(&mut self, model: Model) -> Vec<f64> {
        self.left = self.left.saturating_sub(1);
        let mut evaluator = Evaluator::new(model, LIMITS).heeding(&self.stop);
        self.assertions.iter().map(|&a| distance::cost(self.store, &mut evaluator, a, true)).collect()
    }

    /// Changes one symbol of a false assertion.
    fn step(&mut self, cost: f64) {
        let wrong: Vec<usize> = (0..self.costs.len()).filter(|&n| self.costs[n] > 0.0).collect();
        let places: Vec<TermId> = wrong.iter().flat_map(|&n| self.symbols[n].iter().copied()).collect();
        let Some(&place) = places.get(self.random.index(places.len())) else { return };
        let Some(f) = self.store.op(place).func() else { return };
        let mut best: Option<(f64, Model, Vec<f64>)> = None;
        for model in self.changed(f, place) {
            if self.left == 0 || self.stop.is_over() {
                break;
            }
            let costs = self.judge(model.clone());
            let sum: f64 = costs.iter().sum();
            if best.as_ref().is_none_or(|(least, ..)| sum < *least) {
                best = Some((sum, model, costs));
            }
        }
        if let Some((sum, model, costs)) = best
            && (sum <= cost || self.random.one_in(8))
        {
            (self.model, self.costs) = (model, costs);
        }
    }

    /// Returns models that differ from the present one in a symbol's value, for a function in its value at one point.
    fn changed(&mut self, f: FuncId, place: TermId) -> Vec<Model> {
        let func = self.store.func(f);
        if func.result == SortId::REGLAN {
            let mut model = self.model.clone();
            self.pool.give_language(self.store, &mut model, f, &mut self.random);
            return vec![model];
        }
        let mut evaluator = Evaluator::new(self.model.clone(), LIMITS).heeding(&self.stop);
        let point: Option<Box<[Value]>> =
            self.store.args(place).iter().map(|&a| eval_with(self.store, &mut evaluator, a).ok()).collect();
        let Some(point) = point else { return Vec::new() };
        let mut values = self.pool.suggested(self.store, &mut evaluator, place);
        let more = self.pool.of_sort(func.result);
        while values.len() < MOST.min(more.len()) {
            let start = self.random.index(more.len());
            let wanted = MOST - values.len();
            values.extend(more.iter().cycle().skip(start).take(wanted.min(more.len())).cloned());
        }
        let mut all =
            if point.is_empty() { self.pool.defined(self.store, &mut evaluator, place, f) } else { Vec::new() };
        for value in values {
            let mut model = (**evaluator.model()).clone();
            let is_given = match model.interpretation(f) {
                Some(Interpretation::Table(table)) if !point.is_empty() => {
                    let mut new = FunctionTable::new(table.default_value().cloned());
                    let others = table.rows().into_iter().filter(|(args, _)| **args != *point);
                    let rows: Vec<(Box<[Value]>, Value)> = others.map(|(args, v)| (args.into(), v.clone())).collect();
                    rows.into_iter().for_each(|(args, v)| {
                        new.insert(args, v);
                    });
                    new.insert(point.clone(), value) && model.assign_table(self.store, f, new).is_ok()
                }
                _ => point.is_empty() && model.assign(self.store, f, value).is_ok(),
            };
            if is_given {
                all.push(model);
            }
        }
        all
    }
}
