//! What the tests share: problems read, strategies run, solvers found.

use rewrite::Wants;
use smtlib::strategy::{Arguments, RandomStrategyLimits, Strategy, Tactical, Tunable, parse_strategy};
use smtlib::{Instance, Store};
use solver::install::Fleet;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use strategy::registry::{TacticEntry, tactics};
use strategy::{Budget, Shared, SolveReport, SolveRequest, Solvers, plan, solve, vocabulary};

/// The last check of a script.
pub fn instance(store: &mut Store, text: &str) -> Instance {
    let parsed = smtlib::parse(store, text);
    assert!(parsed.errors.is_empty(), "{:?} in {text}", parsed.errors);
    parsed.script.instances().into_iter().last().unwrap_or_else(|| panic!("no check in {text}"))
}

/// A strategy of our own tactics.
pub fn read(text: &str) -> Strategy {
    parse_strategy(text, &vocabulary()).unwrap_or_else(|error| panic!("{}", error.render("strategy", text)))
}

/// The solvers of this machine; the one of `SQUALL_Z3` may be named by its path.
pub fn solvers() -> Arc<Solvers> {
    Arc::new(Fleet::of_user().map_or_else(|_| Solvers::default(), Solvers::of))
}

/// A program that is a shell script; its path.
pub fn script(folder: &Path, name: &str, body: &str) -> String {
    testing::executable(&folder.join(name), &format!("#!/bin/sh\n{body}"))
}

/// How z3 is named here, if it is there.
pub fn z3() -> Option<String> {
    testing::require("z3", solver::testing::z3()).map(|(name, _)| name)
}

/// Runs a strategy on an instance.
pub fn run(store: &mut Store, instance: &Instance, strategy: &Strategy, seconds: f64, cores: bool) -> SolveReport {
    let solvers = solvers();
    let plan = plan(strategy, &solvers).unwrap_or_else(|error| panic!("{strategy}: {error}"));
    let shared = Arc::new(Shared::new(solvers, instance.declarations.clone(), instance.logic));
    let request = SolveRequest {
        wants: Wants { models: true, cores },
        budget: Budget::of(Duration::from_secs_f64(seconds)),
        explain: true,
        claims: false,
    };
    let report = solve(store, &instance.assertions, &plan, &request, &shared);
    shared.wait_for_cancelled();
    report
}

/// A small generator of numbers; the same seed gives the same numbers everywhere (xorshift*, Vigna 2016).
pub struct Numbers(pub u64);

impl Numbers {
    pub fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % n.max(1)
    }
}

/// A random strategy of own tactics of all kinds, with all tacticals and parameters, and without solver programs.
pub fn random_strategy(numbers: &mut Numbers) -> Strategy {
    let words = vocabulary();
    let all = tactics();
    let is_engine = |e: &&TacticEntry| e.kind() == "engine" && e.name != "solver" && e.arguments != Arguments::Strategy;
    let engines: Vec<String> = all.iter().filter(is_engine).map(|e| e.name.to_string()).collect();
    // What takes a file or a command is syntax, and not drawn.
    let drawn = all.iter().filter(|e| words.tactics.contains_key(e.name));
    let parameters = drawn.flat_map(|e| e.params().iter().map(move |p| (e.name, p)));
    let tunables: Vec<Tunable> = parameters
        .map(|(tactic, parameter)| Tunable {
            tactic: tactic.to_string(),
            key: parameter.name.to_string(),
            values: match parameter.words {
                [] => [0, 1, 3, 20, 1000].map(|n| n.to_string()).to_vec(),
                words => words.iter().map(|word| (*word).to_string()).collect(),
            },
        })
        .collect();
    let shape = RandomStrategyLimits {
        vocabulary: &words,
        tacticals: Tactical::ALL,
        engines: &engines,
        tunables: &tunables,
        depth: 4,
        most_ms: 100,
    };
    shape.strategy(&mut |n| numbers.below(n))
}
