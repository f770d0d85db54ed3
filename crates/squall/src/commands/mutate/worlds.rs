//! `squall mutate --worlds`: generates problems over small finite sets, with certified answers.

use crate::exit::Exit;
use ::mutate::finite::FiniteMutator;
use ::mutate::finite::theme::{self, Theme};
use ::mutate::{Mutant, TargetSpelling, Unit};
use anyhow::{Context, Result};
use smtlib::Status;
use std::path::Path;

/// Writes `count` problems of the theories into `folder`, with the random seed `seed`.
///
/// # Errors
/// A folder or file cannot be written.
pub fn run(folder: &Path, theories: &[String], seed: u64, count: u64) -> Result<Exit> {
    std::fs::create_dir_all(folder).with_context(|| format!("cannot make '{}'", folder.display()))?;
    let themes: Vec<&'static Theme> = theories.iter().filter_map(|name| theme::find(name)).collect();
    // The problems of a unit share their sorts, so each unit makes few.
    let finite = FiniteMutator { themes, mutants: 4, ..FiniteMutator::default() };
    let target = TargetSpelling::default();
    let (mut written, mut sat, mut unsat) = (0u64, 0u64, 0u64);
    finite.problems(&target, Unit { campaign: seed, number: 0 }, count, |theory, mutant| {
        let path = folder.join(format!("{theory}-{}-{written:06}.smt2", seed));
        files::atomic::write(&path, with_status(mutant).as_bytes())
            .with_context(|| format!("cannot write '{}'", path.display()))?;
        sat += mutant.expected.iter().filter(|e| **e == Status::Sat).count() as u64;
        unsat += mutant.expected.iter().filter(|e| **e == Status::Unsat).count() as u64;
        written += 1;
        anyhow::Ok(())
    })?;
    println!("{written} problems in {}: {sat} checks are sat, {unsat} unsat", folder.display());
    Ok(Exit::Clean)
}

/// The script with a `:status` before each check.
fn with_status(mutant: &Mutant) -> String {
    let word = |answer: &Status| Some(if *answer == Status::Sat { "sat" } else { "unsat" });
    smtlib::sexpr::with_status(&mutant.text, mutant.expected.iter().map(word))
}
