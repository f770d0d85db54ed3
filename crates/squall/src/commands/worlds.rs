//! `squall worlds`: writes problems over small finite sets, made from nothing, with their certified answers.

use crate::args::theory;
use crate::exit::Exit;
use ::mutate::finite::FiniteMutator;
use ::mutate::finite::theme::{self, Theme};
use ::mutate::{Mutant, TargetSpelling, Unit};
use anyhow::{Context, Result};
use smtlib::Status;
use std::path::PathBuf;

/// Write problems over small finite sets with their answers.
#[derive(clap::Args)]
#[command(
    after_help = "Every check has its :status, which was found by looking at every assignment; `squall exhaust FILE` \
                  does it again.\n\n\
                  Examples:\n  squall worlds --count 1000 --out worlds\n  \
                  squall worlds --count 20 --theory strings,fp --seed 7 --out worlds\n\n\
                  Exit codes: 0 written, 2 usage, 1 failure."
)]
pub struct Args {
    /// How many problems.
    #[arg(long, short = 'n', default_value_t = 100, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    count: u64,
    /// The folder they are written to, as THEORY-SEED-NUMBER.smt2.
    #[arg(long, short, value_name = "DIR")]
    out: PathBuf,
    /// Theories, separated by commas; by default all, weighted by how often solvers were wrong in them.
    #[arg(long, value_name = "NAME", value_delimiter = ',', value_parser = theory::names())]
    theory: Vec<String>,
    /// The number all random choices follow from.
    #[arg(long, default_value_t = 0, value_name = "N")]
    seed: u64,
}

/// Runs the subcommand.
///
/// # Errors
/// A folder or file that cannot be written.
pub fn run(args: Args) -> Result<Exit> {
    std::fs::create_dir_all(&args.out).with_context(|| format!("cannot make '{}'", args.out.display()))?;
    let themes: Vec<&'static Theme> = args.theory.iter().filter_map(|name| theme::find(name)).collect();
    // The problems of a unit share their sorts: few of each.
    let finite = FiniteMutator { themes, mutants: 4, ..FiniteMutator::default() };
    let target = TargetSpelling::default();
    let (mut written, mut sat, mut unsat) = (0u64, 0u64, 0u64);
    finite.problems(&target, Unit { campaign: args.seed, number: 0 }, args.count, |theory, mutant| {
        let path = args.out.join(format!("{theory}-{}-{written:06}.smt2", args.seed));
        files::atomic::write(&path, with_status(mutant).as_bytes())
            .with_context(|| format!("cannot write '{}'", path.display()))?;
        sat += mutant.expected.iter().filter(|e| **e == Status::Sat).count() as u64;
        unsat += mutant.expected.iter().filter(|e| **e == Status::Unsat).count() as u64;
        written += 1;
        anyhow::Ok(())
    })?;
    println!("{written} problems in {}: {sat} checks are sat, {unsat} unsat", args.out.display());
    Ok(Exit::Clean)
}

/// The text with the answer before each check.
fn with_status(mutant: &Mutant) -> String {
    let word = |answer: &Status| Some(if *answer == Status::Sat { "sat" } else { "unsat" });
    smtlib::sexpr::with_status(&mutant.text, mutant.expected.iter().map(word))
}
