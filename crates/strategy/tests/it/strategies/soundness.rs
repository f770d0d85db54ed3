//! No wrong answers: random strategies on files whose status is known.
//!
//! A few strategies run in the suite. The numbers in docs/measurements/benchmarks.md come from
//! `SQUALL_STRATEGIES=200 SQUALL_FILES=50 cargo test --release -p strategy --features sat --test it soundness -- --nocapture`.

use crate::strategies::support::{Numbers, random_strategy, run};
use smtlib::{Instance, Status, Store};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use strategy::SolveAnswer;

/// Logics that own engines decide.
const LOGICS: &[&str] = &[
    "QF_BV", "QF_UF", "QF_IDL", "QF_RDL", "QF_LRA", "QF_LIA", "QF_FP", "QF_BVFP", "QF_UFBV", "QF_UFIDL", "QF_UFLIA",
    "QF_LIRA",
];
/// Larger files say no more about soundness and take longer.
const MAX_BYTES: u64 = 4096;

fn number(name: &str, default: usize) -> usize {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// Small files with one check and a known status.
fn files(seeds: &Path) -> Vec<(PathBuf, Status)> {
    let mut found = Vec::new();
    for logic in LOGICS {
        for (folder, status) in [("sat", Status::Sat), ("unsat", Status::Unsat)] {
            let entries = std::fs::read_dir(seeds.join(logic).join(folder)).into_iter().flatten().flatten();
            let mut paths: Vec<PathBuf> = entries.map(|e| e.path()).collect();
            paths.retain(|p| p.metadata().is_ok_and(|m| m.len() <= MAX_BYTES));
            paths.sort();
            found.extend(paths.into_iter().map(|path| (path, status)));
        }
    }
    found
}

fn read(store: &mut Store, path: &Path) -> Option<Instance> {
    let text = std::fs::read_to_string(path).ok()?;
    let parsed = smtlib::parse(store, &text);
    let mut instances = parsed.script.instances();
    let one = parsed.errors.is_empty() && instances.len() == 1 && !instances[0].incomplete;
    one.then(|| instances.remove(0))
}

#[test]
fn random_strategies_give_no_wrong_answer() {
    let Some(shared) = testing::shared("seeds") else { return };
    let all = files(&shared.join("seeds"));
    let (strategies, each) = (number("SQUALL_STRATEGIES", 12), number("SQUALL_FILES", 6));
    let mut numbers = Numbers(number("SQUALL_SEED", 8) as u64 | 1);
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let mut wrong = Vec::new();
    for _ in 0..strategies {
        let strategy = random_strategy(&mut numbers);
        for _ in 0..each {
            let (path, status) = &all[numbers.below(all.len())];
            let mut store = Store::new();
            let Some(instance) = read(&mut store, path) else { continue };
            let report = run(&mut store, &instance, &strategy, 0.5, numbers.below(2) == 0);
            *counts.entry(report.answer.word()).or_default() += 1;
            let contradicted = match (&report.answer, status) {
                (SolveAnswer::Sat { .. }, Status::Unsat) | (SolveAnswer::Unsat { .. }, Status::Sat) => true,
                _ => report.internal_error,
            };
            if contradicted {
                wrong.push(format!("{} by {strategy}: {:?}\n{}", path.display(), report.answer, report.trace.text()));
            }
        }
    }
    println!("{strategies} strategies on {each} files each: {counts:?}, {} wrong", wrong.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(counts.len() > 1, "all answers are alike: {counts:?}");
}
