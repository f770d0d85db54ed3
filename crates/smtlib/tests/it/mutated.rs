//! The bodies of the fuzz targets `scripts` and `expressions` over mutated seeds: a deterministic stand-in for `cargo fuzz`,
//! which needs a nightly compiler.
//!
//! `SQUALL_FUZZ_ROUNDS` sets the mutants a seed, `SQUALL_FUZZ_SEEDS` names a folder of further seeds.

use crate::support::expressions;
use crate::support::mutation::{Random, mutate, transplant};
use crate::support::reader;
use std::path::{Path, PathBuf};

/// Mutants of each seed.
const ROUNDS: u64 = 12;

fn collect(dir: &Path, files: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(dir) else { return };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|e| e.path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|e| e == "smt2") {
            files.push(path);
        }
    }
}

#[test]
fn mutated_seeds() {
    let mut files = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/data/sample.smt2")];
    collect(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../seeds"), &mut files);
    if let Some(more) = std::env::var_os("SQUALL_FUZZ_SEEDS") {
        collect(Path::new(&more), &mut files);
    }
    let rounds = testing::amount("SQUALL_FUZZ_ROUNDS", ROUNDS);
    let texts: Vec<Vec<u8>> = files.iter().filter_map(|f| std::fs::read(f).ok()).collect();
    assert!(texts.len() > 80, "only {} seeds", texts.len());
    let mut count = 0u64;
    for (n, text) in texts.iter().enumerate() {
        for round in 0..rounds {
            let mut random = Random((n as u64) << 32 | round);
            let mut mutant = text.clone();
            let other = &texts[random.below(texts.len())];
            match round % 3 {
                0 => mutate(&mut mutant, other, &mut random),
                _ => transplant(&mut mutant, &mut random),
            }
            let outcome = std::panic::catch_unwind(|| {
                reader::check(&mutant);
                expressions::check(&mutant);
            });
            if outcome.is_err() {
                panic!("{} round {round}:\n{}", files[n].display(), String::from_utf8_lossy(&mutant));
            }
            count += 1;
        }
    }
    println!("{count} mutants of {} seeds", texts.len());
}
