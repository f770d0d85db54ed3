//! `squall mutate`: makes mutants of seeds and prints or writes them, without asking any solver.

use crate::{exit, files};
use ::mutate::assignment::Given;
use ::mutate::{Expected, Mutant, Mutator, Parent, Request, Target, Truth, Unit, data_file, exec};
use anyhow::{Context, Result, bail};
use smtlib::{Instance, Store};
use std::fmt::Write as _;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Make mutants of seeds and print or write them.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  squall mutate seed.smt2 --mutator operator -n 5\n  \
                  squall mutate a.smt2 b.smt2 --mutator fusion -n 20 --out mutants\n  \
                  squall mutate seeds/ --mutator generative --truth both --seed 7\n  \
                  squall mutate seed.smt2 --mutator 'exec:python3 my-mutator.py'\n\n\
                  A mutator of two seeds takes each seed with the one after it, and one seed with itself.\n\
                  Exit codes: 0 mutants were made, 1 none were, 2 usage.")]
pub struct Args {
    /// Files, folders (all .smt2 files below them), or - for standard input.
    #[arg(required = true, value_name = "SEEDS")]
    seeds: Vec<PathBuf>,
    /// The mutator, see `squall mutators`, or exec:COMMAND.
    #[arg(long, short, default_value = "storm", value_name = "NAME")]
    mutator: String,
    /// How many mutants of each check of each seed.
    #[arg(long = "number", short = 'n', default_value_t = 1, value_name = "N")]
    number: u64,
    /// The number all random choices follow from.
    #[arg(long, default_value_t = 0, value_name = "N")]
    seed: u64,
    /// Write each mutant to a file of its own in this folder instead of printing all.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// What truth the mutants get: certified, differential or both.
    #[arg(long, value_name = "KIND")]
    truth: Option<String>,
    /// A parameter of the mutator, as NAME=VALUE. May be repeated.
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = setting)]
    settings: Vec<(String, String)>,
}

fn setting(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("expected NAME=VALUE")?;
    Ok((name.trim().to_string(), value.trim().to_string()))
}

/// What was made, for the last line.
#[derive(Default)]
struct Tally {
    mutants: u64,
    unfit: u64,
    failed: u64,
}

/// Runs the subcommand.
///
/// # Errors
/// A path that does not exist, a mutator or parameter there is not, or output that cannot be written.
pub fn run(args: Args) -> Result<ExitCode> {
    let mutator = mutator(&args)?;
    let mut seeds = Vec::new();
    for path in files::expand(&args.seeds)? {
        match read(&path) {
            Ok(text) => seeds.push((path, text)),
            Err(error) => eprintln!("skipped: {error:#}"),
        }
    }
    let mut tally = Tally { unfit: 0, ..Tally::default() };
    let two = mutator.entry().parents > 1;
    for n in 0..seeds.len() {
        let (path, text) = &seeds[n];
        let mut store = Store::new();
        let first = instances(&mut store, text);
        let second = if two { instances(&mut store, &seeds[(n + 1) % seeds.len()].1) } else { Vec::new() };
        if first.is_empty() || (two && second.is_empty()) {
            eprintln!("skipped: {}: no check", path.display());
            continue;
        }
        for (check, instance) in first.iter().enumerate() {
            let mut parents = vec![Parent { instance: instance.clone(), given: Given::Nothing }];
            if two {
                let instance = second[check % second.len()].clone();
                parents.push(Parent { instance, given: Given::Nothing });
            }
            let name = if first.len() == 1 { stem(path) } else { format!("{}-check{check}", stem(path)) };
            // Each seed is a unit of its own, so that its mutants do not depend on the others.
            let unit = Unit { campaign: args.seed, number: check as u64 };
            breed(&args, mutator.as_ref(), &store, &parents, unit, &name, &mut tally)?;
        }
    }
    let Tally { mutants, unfit, failed } = tally;
    if args.out.is_some() || mutants == 0 || unfit + failed > 0 {
        eprintln!("{mutants} mutants of {} seeds; {unfit} checks unfit, {failed} mutants failed", seeds.len());
    }
    Ok(ExitCode::from(if mutants > 0 { exit::CLEAN } else { exit::FAILURE }))
}

/// The mutator asked for, after what is wrong with its files has been said.
fn mutator(args: &Args) -> Result<Box<dyn Mutator>> {
    let command = exec::from_name(&args.mutator);
    let entry = match command {
        Some(_) => &exec::ENTRY,
        None => match ::mutate::mutator::find(&args.mutator) {
            Some(entry) => entry,
            None => bail!("there is no mutator `{}`; `squall mutators` lists them", args.mutator),
        },
    };
    let mut settings: Vec<(&str, &str)> = Vec::new();
    settings.extend(command.map(|c| ("command", c)));
    settings.extend(args.truth.as_deref().map(|t| ("truth", t)));
    settings.extend(args.settings.iter().map(|(n, v)| (n.as_str(), v.as_str())));
    let mutator = (entry.build)(&settings)?;
    for (name, path) in &args.settings {
        for complaint in data_file::complaints(name, path) {
            eprintln!("{complaint}");
        }
    }
    Ok(mutator)
}

/// The text of a seed that reads without a mistake.
fn read(path: &Path) -> Result<String> {
    let bytes = files::read(path)?;
    let text = String::from_utf8(bytes).with_context(|| format!("{}: not UTF-8", path.display()))?;
    let parsed = smtlib::parse(&mut Store::new(), &text);
    match parsed.errors.first() {
        Some(error) => bail!("{}", error.render(&path.display().to_string(), &text)),
        None => Ok(text),
    }
}

/// What the checks of a text ask. A file of declarations and assertions alone clearly means to ask about them.
fn instances(store: &mut Store, text: &str) -> Vec<Instance> {
    let mut script = smtlib::parse(store, text).script;
    if !script.commands.iter().any(smtlib::Command::is_check) {
        script.commands.push(smtlib::Command::CheckSat);
    }
    script.instances().into_iter().filter(|i| !i.assertions.is_empty()).collect()
}

fn stem(path: &Path) -> String {
    path.file_stem().map_or_else(|| "seed".to_string(), |s| s.to_string_lossy().into_owned())
}

fn breed(
    args: &Args,
    mutator: &dyn Mutator,
    store: &Store,
    parents: &[Parent],
    unit: Unit,
    name: &str,
    tally: &mut Tally,
) -> Result<()> {
    let target = Target::default();
    let mut store = store.clone();
    let mut batch = match mutator.prepare(&mut store, Request { parents, target: &target, unit }) {
        Ok(batch) => batch,
        Err(unfit) => {
            eprintln!("skipped: {name}: {unfit}");
            tally.unfit += 1;
            return Ok(());
        }
    };
    let mut mutant = Mutant::default();
    for index in 0..args.number {
        batch.mutant(index, &mut mutant);
        if mutant.expected.is_empty() {
            tally.failed += 1;
            continue;
        }
        if mutant.truth == Truth::Certified
            && let Some(model) = batch.witness(index)
        {
            ::mutate::witness::certify(batch.store(), &model, &mutant.text, mutant.expected.len())
                .with_context(|| format!("mutant {index} of {name} is not what it claims to be; please report this"))?;
        }
        let text = headed(mutator, unit, index, &mutant);
        match &args.out {
            Some(folder) => {
                let file = format!("{name}-{}-{}-{index}.smt2", mutator.entry().name, args.seed);
                write_file(folder, &file, &text)?;
            }
            None => std::io::stdout().lock().write_all(text.as_bytes())?,
        }
        tally.mutants += 1;
    }
    Ok(())
}

/// The mutant under comments that say what it is.
fn headed(mutator: &dyn Mutator, unit: Unit, index: u64, mutant: &Mutant) -> String {
    let mut text = String::new();
    let answers: Vec<&str> = mutant
        .expected
        .iter()
        .map(|e| match e {
            Expected::Sat => "sat",
            Expected::Unsat => "unsat",
            Expected::Differential => "not known",
        })
        .collect();
    let truth = match &mutant.truth {
        Truth::Certified => "certified by a witness".to_string(),
        Truth::Trusted(who) => format!("trusted: {who}"),
        Truth::Differential => "differential".to_string(),
    };
    // Writing to a String cannot fail.
    let _ = writeln!(
        text,
        "; mutant {index} by {}, seed {}, unit {}\n; right answers: {} ({truth})",
        mutator.entry().name,
        unit.campaign,
        unit.number,
        answers.join(" ")
    );
    text.push_str(&mutant.text);
    text
}

/// Writes a file whole or not at all.
fn write_file(folder: &Path, name: &str, text: &str) -> Result<()> {
    let fail = || format!("cannot write {}", folder.join(name).display());
    std::fs::create_dir_all(folder).with_context(fail)?;
    let beside = folder.join(format!(".{name}.tmp"));
    std::fs::write(&beside, text).with_context(fail)?;
    std::fs::rename(&beside, folder.join(name)).with_context(fail)
}
