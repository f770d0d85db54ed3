//! Which benchmarks are solved, in one process: `cargo bench -p search --bench solved -- WAY SECONDS FILE…`.
//!
//! One line per file: the answer, the milliseconds from its text to its answer, executions, and the best input's score.

use search::{SearchConfig, SearchOutcome, StrategyChoice, UndecidedReason, solve};
use smtlib::Store;
use std::time::{Duration, Instant};

fn main() {
    let args: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with('-')).collect();
    let (Some(way), Some(seconds)) = (args.first(), args.get(1).and_then(|s| s.parse::<f64>().ok())) else {
        return println!("skipped: name the strategy, the seconds for each file, and the files");
    };
    let strategy: StrategyChoice = way.parse().expect("a way to search");
    let seed = std::env::var("SQUALL_SEED").ok().and_then(|s| s.parse().ok()).unwrap_or(0);
    for file in &args[2..] {
        let start = Instant::now();
        let Ok(text) = std::fs::read_to_string(file) else { continue };
        let mut store = Store::new();
        let parsed = smtlib::parse(&mut store, &text);
        let Some(instance) = parsed.script.instances().into_iter().next() else { continue };
        let deadline = Some(start + Duration::from_secs_f64(seconds));
        let config = SearchConfig { strategy, seed, deadline, ..SearchConfig::default() };
        let (outcome, stats) = solve(&mut store, &instance.assertions, &config);
        let answer = match outcome {
            SearchOutcome::Sat(_) => "sat",
            SearchOutcome::Unsat { .. } => "unsat",
            SearchOutcome::Unknown(UndecidedReason::Limit) => "unknown",
            SearchOutcome::Unknown(UndecidedReason::Unsupported(_)) => "unsupported",
        };
        let name = file.rsplit('/').next().unwrap_or(file);
        println!(
            "{answer}\t{:.3}\t{}\t{} operations, {} constraints, {} slots\t{:?}\t{name}",
            start.elapsed().as_secs_f64() * 1e3,
            stats.executions,
            stats.operations,
            stats.constraints,
            stats.slots,
            stats.best
        );
    }
}
