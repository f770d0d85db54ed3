//! Small files of the seeds, decided with no solver installed: none wrong, and nearly all of four logics decided.
//!
//! `SQUALL_SECONDS` says how long each check may take (10 unless set), `SQUALL_LOGICS` which logics, with commas between.

use crate::engine_support::{plan, solve};
use smtlib::{Command, Status, Store};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use strategy::SolveAnswer;

/// What each logic is decided by, and how many of its files at least: a share in per cent.
const LOGICS: &[(&str, &str, usize)] =
    &[("QF_BV", BITS, 90), ("QF_UF", THEORIES, 90), ("QF_RDL", THEORIES, 90), ("QF_LRA", THEORIES, 90)];

const BITS: &str = "(then simplify propagate-values solve-eqs simplify sat)";
const THEORIES: &str = "(then simplify propagate-values solve-eqs simplify smt)";
const FLOATS: &str = "(then simplify propagate-values solve-eqs fp-to-bv simplify smt)";

/// Files whose `:status` is wrong on purpose.
const WRONG_STATUS: &[&str] = &["cvc5__cli_regress0_smtlib_set-info-status.smt2"];

/// Commands that say what is better, not what holds.
const OBJECTIVES: &[&str] = &["(assert-soft", "(maximize", "(minimize"];

/// The strategy for any other logic.
fn strategy_of(logic: &str) -> (&str, usize) {
    let known = LOGICS.iter().find(|l| l.0 == logic).map(|l| (l.1, l.2));
    known.unwrap_or(if logic.contains("FP") { (FLOATS, 0) } else { (THEORIES, 0) })
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "smt2") && entry.metadata().is_ok_and(|m| m.len() < 4096) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// What came of the checks of one file.
#[derive(Default)]
struct Tally {
    undecided: Vec<String>,
    /// What is wrong with it, if it is no problem at all.
    ill_formed: Option<String>,
}

fn decide(path: &Path, strategy: &strategy::StrategyPlan, seconds: u64) -> Result<Tally, String> {
    let mut tally = Tally::default();
    let text = std::fs::read_to_string(path).map_err(|e| e.to_string())?;
    let mut store = Store::new();
    let parsed = smtlib::parse(&mut store, &text);
    if let Some(error) = parsed.errors.first() {
        tally.ill_formed = Some(error.message.clone());
        return Ok(tally);
    }
    // What is to be optimised changes nothing about what can be satisfied.
    let opaque = parsed.script.commands.iter().any(|c| match c {
        Command::Opaque(text, _) => !OBJECTIVES.iter().any(|o| text.starts_with(o)),
        _ => false,
    });
    for instance in parsed.script.instances() {
        if instance.incomplete && opaque {
            tally.undecided.push("commands of a solver's own".to_string());
            continue;
        }
        let status = instance.status.filter(|_| !WRONG_STATUS.iter().any(|name| path.ends_with(name)));
        match (solve(&mut store, &instance.assertions, strategy, Duration::from_secs(seconds)), status) {
            (SolveAnswer::Unknown(why), _) => tally.undecided.push(why),
            (SolveAnswer::Sat { .. }, Some(Status::Unsat)) => return Err("sat of an unsatisfiable check".to_string()),
            (SolveAnswer::Unsat { .. }, Some(Status::Sat)) => return Err("unsat of a satisfiable check".to_string()),
            _ => {}
        }
    }
    Ok(tally)
}

#[test]
fn small_seeds_are_decided_without_a_solver() {
    let Some(shared) = testing::shared("seeds") else { return };
    let seconds = testing::amount("SQUALL_SECONDS", 10);
    let wanted =
        std::env::var("SQUALL_LOGICS").unwrap_or_else(|_| LOGICS.iter().map(|l| l.0).collect::<Vec<_>>().join(","));
    for logic in wanted.split(',') {
        let (strategy, share) = strategy_of(logic);
        let strategy = plan(strategy);
        let files = files(&shared.join("seeds").join(logic));
        let (mut decided, mut all) = (0, 0);
        for path in &files {
            let name = path.strip_prefix(&shared).unwrap_or(path).display();
            let start = Instant::now();
            let tally = decide(path, &strategy, seconds).unwrap_or_else(|wrong| panic!("{name}: {wrong}"));
            if let Some(why) = tally.ill_formed {
                println!("  {name} is ill-formed: {why}");
                continue;
            }
            all += 1;
            decided += usize::from(tally.undecided.is_empty());
            if let Some(why) = tally.undecided.first() {
                println!("  {name} ({:.1} s): {why}", start.elapsed().as_secs_f64());
            }
        }
        println!("{logic}: {decided} of {all}");
        assert!(100 * decided >= share * all, "{logic}: only {decided} of {all} decided");
    }
}
