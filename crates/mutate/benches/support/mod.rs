//! What the measurements share: all seeds of a logic, each as one unit, and CPU time.
//!
//! A unit is what a campaign does for a seed: copy its terms, draw and value an assignment, then make and print its
//! mutants. Reading the seed is counted too. The logics are those named on the command line, else QF_LRA.

use mutate::mutator::GivenModel;
use mutate::{Mutant, MutantRequest, Mutator, Parent, TargetSpelling, Unit};
use smtlib::Store;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Measures a mutator and prints one line a logic.
pub fn report(mutator: &str) {
    let words: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with('-')).collect();
    let settings: Vec<(&str, &str)> = words.iter().filter_map(|s| s.split_once('=')).collect();
    let entry = mutate::mutators::find(mutator).expect("the mutator is registered");
    let mutator = (entry.build)(&settings).expect("the settings are its own");
    let mut logics: Vec<&str> = words.iter().map(String::as_str).filter(|w| !w.contains('=')).collect();
    if logics.is_empty() {
        logics.push("QF_LRA");
    }
    let Some(shared) = shared() else {
        println!("skipped: no shared data");
        return;
    };
    for logic in logics {
        measure(mutator.as_ref(), logic, &scripts(&shared.join("seeds").join(logic)));
    }
}

fn measure(mutator: &dyn Mutator, logic: &str, paths: &[PathBuf]) {
    let texts: Vec<String> = paths.iter().filter_map(|p| std::fs::read_to_string(p).ok()).collect();
    let target = TargetSpelling::default();
    let mut out = Mutant::default();
    let (mut made, mut bytes, mut rejected) = (0u64, 0u64, 0u64);
    let start = cpu_time();
    for n in 0..texts.len() {
        let mut store = Store::new();
        let mut parents = Vec::new();
        for text in (n..n + mutator.entry().parents).map(|n| &texts[n % texts.len()]) {
            let parsed = smtlib::parse(&mut store, text);
            let instance = parsed.script.instances().into_iter().next();
            parents.extend(instance.map(|instance| Parent { instance, given: GivenModel::Nothing }));
        }
        let unit = Unit { campaign: 1, number: n as u64 };
        let Ok(mut batch) = mutator.prepare(&mut store, MutantRequest { parents: &parents, target: &target, unit })
        else {
            rejected += 1;
            continue;
        };
        for index in 0..batch.size() {
            batch.mutant(index, &mut out);
            made += 1;
            bytes += out.text.len() as u64;
        }
    }
    let time = (cpu_time() - start).as_secs_f64();
    println!(
        "{} {logic}: {made} mutants of {} seeds in {time:.2} s of CPU: {:.0} mutants/s, {:.1} MB/s; {rejected} rejected",
        mutator.entry().name,
        texts.len(),
        made as f64 / time,
        bytes as f64 / time / 1e6
    );
}

/// The CPU time of this process, which other programs on the machine do not change. In hundredths of a second.
fn cpu_time() -> Duration {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // Fields 14 and 15 of proc_pid_stat(5), counted behind the program's name.
    let ticks: Vec<u64> = stat
        .rsplit_once(')')
        .map_or("", |(_, rest)| rest)
        .split_whitespace()
        .skip(11)
        .take(2)
        .filter_map(|t| t.parse().ok())
        .collect();
    Duration::from_millis(ticks.iter().sum::<u64>() * 10)
}

fn shared() -> Option<PathBuf> {
    let dir = match std::env::var_os("SQUALL_SHARED") {
        Some(dir) => PathBuf::from(dir),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared"),
    };
    dir.join("seeds").is_dir().then_some(dir)
}

fn scripts(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_path_buf()];
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|e| e == "smt2") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}
