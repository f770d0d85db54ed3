//! Counts ill-formed mutants: solvers parse mutants and must report no errors.
//!
//! A few mutants suffice for the suite. To measure: `SQUALL_MUTANTS=10000 cargo test --release -p fuzz --test it wellformed:: --
//! --nocapture`, where `SQUALL_LOGICS`, `SQUALL_SOLVERS` and `SQUALL_MUTATORS` contain lists separated by blanks, and `SQUALL_CHECKS=5`
//! solves 5 of 100 mutants, since some complaints come later.

use corpus::seed::{self, Seed, SeedSource};
use fuzz::Stops;
use fuzz::under_test::{Target, TargetOptions};
use mutate::mutator::GivenModel;
use mutate::{Mutant, MutantRequest, Mutator, Parent, Unit};
use smtlib::Store;
use solver::install::Fleet;
use solver::process::{self, MemoryGuard, ProcessJob, ProcessLimits};
use solver::session::SessionNeeds;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Larger seeds are left out: their mutants take long to read and add nothing.
const MAX_SEED_BYTES: u64 = 30_000;
/// The number of mutants per unit, so that a seed is mutated under several assignments.
const UNIT: usize = 25;
/// The number of scripts per process.
const BATCH: usize = 500;
/// The maximum size of the input of one process, in bytes.
const BATCH_BYTES: usize = 8 << 20;
/// The maximum run time of a process.
const PATIENCE: Duration = Duration::from_secs(20);

/// Messages of solvers whose solving time is up; the SAT solver in cvc5 1.0 does not expect it.
const LIMITS: &[&str] = &["canceled", "resource limit", "cadical: fatal error"];

/// Returns the words of a variable, or the default.
fn words(variable: &str, default: &str) -> Vec<String> {
    let text = std::env::var(variable).unwrap_or_else(|_| default.to_string());
    text.split_whitespace().map(str::to_string).collect()
}

/// Returns the installed solvers, with all requested mutators.
fn targets() -> Vec<Target> {
    let fleet = Fleet::of_user().expect("the profiles are in order");
    let mutators = words("SQUALL_MUTATORS", "storm fusion operator generative");
    let mut targets = Vec::new();
    for name in words("SQUALL_SOLVERS", "z3@4.15.4 cvc5") {
        let found = fleet.resolve(&name.parse().expect("a solver's name")).ok();
        let Some(found) = testing::require(&name, found) else { continue };
        let wishes = TargetOptions { mutators: mutators.clone(), ..TargetOptions::default() };
        targets.push(Target::new(fleet.solver(found), &wishes, &Stops::default()).expect("the mutators are there"));
    }
    targets
}

/// The task of a script.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Depth {
    /// Parsing.
    Read,
    /// Solving, for a moment.
    Solve,
}

/// Returns the solver's complaint about each script, if any.
fn complaints(target: &Target, scripts: &[String], depth: Depth) -> Vec<Option<String>> {
    let limits = ProcessLimits { wall: PATIENCE, ..ProcessLimits::default() };
    let mut command: Vec<OsString> = target.tested.solver.command_line(SessionNeeds::INCREMENTAL, &limits);
    if depth == Depth::Solve {
        command.push(if target.tested.label.starts_with("z3") { "-t:100" } else { "--tlimit-per=100" }.into());
    }
    let mut found = vec![None; scripts.len()];
    let mut next = 0;
    while next < scripts.len() {
        let mut bytes = 0;
        let fits = |script: &&String| {
            bytes += script.len();
            bytes <= BATCH_BYTES
        };
        let count = scripts[next..].iter().take(BATCH).take_while(fits).count().max(1);
        let mut input = String::new();
        for (n, script) in scripts[next..next + count].iter().enumerate() {
            for line in script.lines() {
                if depth == Depth::Solve || !line.starts_with("(check-sat") {
                    input.push_str(line);
                    input.push('\n');
                }
            }
            input.push_str(&format!("(echo \"@{n}\")\n(reset)\n"));
        }
        let job = ProcessJob {
            memory_guard: MemoryGuard::WatchedRss,
            ..ProcessJob::new(&command, input.as_bytes(), &limits)
        };
        let run = process::run(&job).expect("the solver can be run");
        let output = format!("{}{}", String::from_utf8_lossy(&run.stdout), String::from_utf8_lossy(&run.stderr));
        let mut done = 0;
        for line in output.lines() {
            let mark = format!("@{done}");
            if line.trim().trim_matches('"') == mark {
                done += 1;
            } else if line.contains("rror") && done < count && !LIMITS.iter().any(|words| line.contains(words)) {
                found[next + done].get_or_insert_with(|| line.to_string());
            }
        }
        // A solver that ends at the first error is asked about the rest again. One without output reached a limit.
        next += if done < count { done + 1 } else { count };
    }
    found
}

/// Returns the small seeds of a logic that a target can read.
fn seeds(target: &Target, folder: &Path) -> Vec<Seed> {
    let sources = seed::collect(&[folder.to_path_buf()]).unwrap_or_default();
    let small = |source: &SeedSource| match source {
        SeedSource::File(path) => std::fs::metadata(path).is_ok_and(|data| data.len() <= MAX_SEED_BYTES),
        SeedSource::Embedded(_) | SeedSource::Piped { .. } | SeedSource::Remote(_) => true,
    };
    let seeds: Vec<Seed> = sources.iter().filter(|s| small(s)).filter_map(|source| source.load().ok()).collect();
    let texts: Vec<String> = seeds
        .iter()
        .map(|seed| oracle::translate::script(&seed.store, &seed.script.commands, &target.tested))
        .collect();
    let refused: Vec<bool> = complaints(target, &texts, Depth::Solve).iter().map(Option::is_some).collect();
    seeds.into_iter().zip(refused).filter(|(_, refused)| !refused).map(|(seed, _)| seed).collect()
}

/// Returns a check of a seed as a parent, as in a campaign.
fn parent(target: &Target, seed: &Seed, number: usize, store: &Store) -> Parent {
    let mut instance = seed.instances[number % seed.instances.len()].clone();
    instance.logic = instance.logic.filter(|logic| target.tested.knows_logic(store.name(*logic)));
    Parent { instance, given: GivenModel::Nothing }
}

/// Returns mutants of a logic's seeds with the seed's name: of each a unit in turn, until there are enough or no seed gives any.
fn mutants(target: &Target, mutator: &dyn Mutator, seeds: &[Seed], wanted: usize) -> Vec<(String, String)> {
    let share = wanted.div_ceil(seeds.len().max(1)).min(UNIT);
    let mut made = Vec::new();
    for unit in 0..wanted {
        let before = made.len();
        for (n, seed) in seeds.iter().enumerate().take_while(|_| before < wanted) {
            let mut store = seed.store.clone();
            let mut parents = vec![parent(target, seed, unit, &store)];
            let mut name = seed.name.clone();
            if mutator.entry().parents > 1 {
                let other = &seeds[(n + unit + 1) % seeds.len()];
                name = format!("{name} and {}", other.name);
                let path = SeedSource::File(other.name.clone().into());
                let Ok(second) = path.load_into(store) else { continue };
                parents.push(parent(target, &second, unit, &second.store));
                store = second.store;
            }
            let unit = Unit { campaign: 5, number: (n * 1000 + unit) as u64 };
            let request = MutantRequest { parents: &parents, target: &target.tested.spelling, unit };
            let Ok(mut batch) = mutator.prepare(&mut store, request) else { continue };
            let mut mutant = Mutant::default();
            for index in 0..share as u64 {
                batch.mutant(index, &mut mutant);
                made.push((name.clone(), mutant.text.clone()));
            }
        }
        if made.len() == before {
            break;
        }
    }
    made.truncate(wanted);
    made
}

#[test]
fn solvers_read_all_mutants() {
    let Some(folder) = testing::shared("seeds") else { return };
    let (wanted, checks) = (testing::amount("SQUALL_MUTANTS", 12), testing::amount("SQUALL_CHECKS", 0));
    let logics = words("SQUALL_LOGICS", "BV QF_ABVFP QF_SLIA UFDT");
    let keep = std::env::var_os("SQUALL_KEEP").map(PathBuf::from);
    let mut all = BTreeMap::new();
    for target in targets() {
        for logic in &logics {
            let seeds = seeds(&target, &folder.join("seeds").join(logic));
            if seeds.is_empty() {
                eprintln!("{} {logic}: no seed it reads", target.tested.label);
                continue;
            }
            for (mutator, _) in target.mutators.iter() {
                let made = mutants(&target, &**mutator, &seeds, wanted);
                let texts: Vec<String> = made.iter().map(|(_, text)| text.clone()).collect();
                let mut found = complaints(&target, &texts, Depth::Read);
                let some: Vec<usize> = (0..texts.len()).filter(|n| n * checks % 100 < checks).collect();
                let solved: Vec<String> = some.iter().map(|&n| texts[n].clone()).collect();
                for (&n, complaint) in some.iter().zip(complaints(&target, &solved, Depth::Solve)) {
                    found[n] = found[n].take().or(complaint);
                }
                let bad: Vec<usize> = (0..found.len()).filter(|&n| found[n].is_some()).collect();
                let name = mutator.entry().name;
                println!("{} {logic} {name}: {} of {} ill-formed", target.tested.label, bad.len(), made.len());
                for &n in bad.iter().take(3) {
                    println!("    {}: {}", made[n].0, found[n].as_deref().unwrap_or_default());
                    if let Some(keep) = &keep {
                        let file = format!("{}-{logic}-{name}-{n}.smt2", target.tested.label);
                        let _ = std::fs::write(keep.join(file), &made[n].1);
                    }
                }
                *all.entry(target.tested.label.clone()).or_insert(0) += bad.len();
            }
        }
    }
    assert!(all.values().all(|&bad| bad == 0), "ill-formed mutants by solver: {all:?}");
}
