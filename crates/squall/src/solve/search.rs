//! The fuzzing solver as a decider.

use super::{Answer, Decider};
use search::{Choice, Config, Engine, Outcome, Stats, solve};
use smtlib::{Store, TermId};
use std::time::{Duration, Instant};

/// Lines of the curve of best distances shown.
const MAX_CURVE: usize = 20;

/// The fuzzing solver with its options.
pub struct Search {
    /// The way to search.
    pub way: Choice,
    /// How programs are run.
    pub engine: Engine,
    /// The seed.
    pub seed: u64,
    /// Threads.
    pub jobs: usize,
}

impl Decider for Search {
    fn decide(
        &self,
        store: &mut Store,
        assertions: &[TermId],
        deadline: Option<Instant>,
        stats: &mut Vec<String>,
    ) -> Answer {
        let config = Config {
            strategy: self.way,
            seed: self.seed,
            jobs: self.jobs,
            deadline,
            engine: self.engine,
            ..Config::default()
        };
        let (outcome, work) = solve(store, assertions, &config);
        describe(&work, stats);
        match outcome {
            Outcome::Sat(model) => Answer::Sat(model),
            Outcome::Unsat { assertion } => Answer::Unsat(format!("assertion {} simplifies to false", assertion + 1)),
            Outcome::Unknown(reason) => Answer::Unknown(reason.to_string()),
        }
    }
}

fn describe(work: &Stats, lines: &mut Vec<String>) {
    let ms = |time: Duration| time.as_secs_f64() * 1e3;
    lines.push(format!(
        "program: {} operations, {} constraints, {} slots of {} bits; made in {:.3} ms, compiled in {:.3} ms",
        work.operations,
        work.constraints,
        work.slots,
        work.bits,
        ms(work.lowering),
        ms(work.compiling)
    ));
    let seconds = work.searching.as_secs_f64();
    let rate = if seconds > 0.0 { work.executions as f64 / seconds / 1e6 } else { 0.0 };
    lines.push(format!(
        "search: {} executions in {:.3} ms, {rate:.3} million a second, {} candidates rejected",
        work.executions,
        ms(work.searching),
        work.rejected
    ));
    let skipped = work.curve.len().saturating_sub(MAX_CURVE);
    for point in work.curve.iter().skip(skipped) {
        lines.push(format!(
            "best: {} of {} constraints, the next at distance {}, after {} executions and {:.3} ms",
            point.score.passed,
            work.constraints,
            point.score.distance,
            point.executions,
            ms(point.at)
        ));
    }
}
