//! A portfolio against its parts on the benchmarks of JFS (Liew et al., ESEC/FSE 2019): what it loses, and what it costs.
//!
//! Runs on request only: `SQUALL_PORTFOLIO=20 cargo test --release -p strategy --test strategies portfolio -- --nocapture` takes
//! 20 files, `SQUALL_SECONDS` seconds each (20 unless set), `SQUALL_PARTS` strategies separated by semicolons.

use crate::support::{read, run, shared};
use smtlib::Store;
use std::path::{Path, PathBuf};

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|e| e == "smt2") {
            found.push(path);
        }
    }
}

#[test]
fn a_portfolio_beside_its_parts() {
    let wanted: Option<usize> = std::env::var("SQUALL_PORTFOLIO").ok().and_then(|n| n.parse().ok());
    let Some(wanted) = wanted else {
        println!("skipped: SQUALL_PORTFOLIO says how many files to take");
        return;
    };
    let Some(shared) = shared() else { return };
    let seconds: f64 = std::env::var("SQUALL_SECONDS").ok().and_then(|n| n.parse().ok()).unwrap_or(20.0);
    let parts = std::env::var("SQUALL_PARTS").unwrap_or_else(|_| "search;(solver z3@4.15.4)".to_string());
    let parts: Vec<&str> = parts.split(';').collect();
    let together = format!("(par-or {})", parts.join(" "));
    let mut all = Vec::new();
    files(&shared.join("bench/fp"), &mut all);
    all.sort();
    let step = (all.len() / wanted.max(1)).max(1);
    let mut solved = vec![0usize; parts.len() + 1];
    let (mut lost, mut slower) = (Vec::new(), Vec::new());
    for path in all.iter().step_by(step) {
        let Ok(text) = std::fs::read_to_string(path) else { continue };
        let mut outcomes = Vec::new();
        for strategy in parts.iter().copied().chain([together.as_str()]) {
            let mut store = Store::new();
            let parsed = smtlib::parse(&mut store, &text);
            let Some(instance) = parsed.script.instances().into_iter().last() else { continue };
            let report = run(&mut store, &instance, &read(strategy), seconds, false);
            assert!(!report.internal_error, "{}: {:?}", path.display(), report.answer);
            outcomes.push((report.answer.word(), report.time.as_secs_f64()));
        }
        let Some((whole, parts)) = outcomes.split_last() else { continue };
        for (n, (word, _)) in outcomes.iter().enumerate() {
            solved[n] += usize::from(*word != "unknown");
        }
        let best = parts.iter().filter(|(word, _)| *word != "unknown").map(|(_, time)| *time).reduce(f64::min);
        match best {
            Some(_) if whole.0 == "unknown" => lost.push(path.display().to_string()),
            Some(best) if best > 1.0 => slower.push(whole.1 / best),
            _ => {}
        }
        println!("{}: {outcomes:.2?}", path.display());
    }
    slower.sort_by(f64::total_cmp);
    println!("solved by {parts:?} and together: {solved:?}; lost {lost:?}; time over the fastest part: {slower:.2?}");
    // Whether a file near the limit is solved is a matter of time, which decides no test; the list above is the result.
}
