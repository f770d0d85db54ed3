//! `squall mutate`: makes mutants of seeds and prints or writes them, without a solver.

mod list;

use crate::args::format::OutputFormat;
use crate::args::theory::{self as names, ScriptTheory};
use crate::exit::Exit;
use crate::render::say::counted;
use ::finding::Trust;
use ::mutate::choice::{self, MutatorChoice, Weighted};
use ::mutate::finite::FiniteMutator;
use ::mutate::finite::theme::{self, Theme};
use ::mutate::mutator::GivenModel;
use ::mutate::{Batch, Mutant, MutantRequest, Mutator, Parent, TargetSpelling, Unfit, Unit, mutators};
use anyhow::{Context, Result, bail};
use oracle::witness_file;
use semantics::truth::witness::{self, NotCertified};
use smtlib::Status;
use smtlib::{Instance, Store};
use std::fmt::Write as _;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Make mutants of seeds, or problems over small finite sets.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  squall mutate seed.smt2 --mutator operator -n 5\n  \
                  squall mutate a.smt2 b.smt2 --mutator fusion -n 20 --out mutants\n  \
                  squall mutate seeds/ --mutator generative --truth both --seed 7\n  \
                  squall mutate a.smt2 b.smt2 --mutator 'fusion>operator>storm'\n  \
                  squall mutate seed.smt2 --mutator 'exec:python3 my-mutator.py'\n  \
                  squall mutate --worlds -n 1000 --theory strings,fp --out worlds\n  \
                  squall mutate --list fusion\n\n\
                  A mutator of two seeds combines each seed with the next one, or a single seed with itself.\n\
                  Exit codes: 0 mutants were made, 1 none were, 2 usage.")]
pub struct Args {
    /// Files, folders (all .smt2 files below them), or - for standard input.
    #[arg(required_unless_present_any = ["list", "worlds"], value_name = "SEEDS")]
    seeds: Vec<PathBuf>,
    /// The mutators, see --list: NAME, NAME:WEIGHT, a chain NAME>NAME, exec:COMMAND or pipe:COMMAND. Of several, separated by
    /// commas, one is drawn for each seed.
    #[arg(long, short, default_value = "storm", value_name = "NAME")]
    mutator: String,
    /// The number of mutants per check of each seed [default: 1], or the number of problems [default: 100].
    #[arg(long = "number", alias = "count", short = 'n', value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    number: Option<u64>,
    /// The random seed.
    #[arg(long, default_value_t = 0, value_name = "N")]
    seed: u64,
    /// Write each mutant to its own file in this folder instead of printing it.
    #[arg(long, short, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Also write the witness of each certified mutant, as NAME.witness. `squall corpus distill --cover` uses it as proof.
    #[arg(long, requires = "out")]
    witnesses: bool,
    /// Whether the right answer of mutants is known (certified), unknown (differential), or both.
    #[arg(long, value_name = "KIND")]
    truth: Option<String>,
    /// A parameter of the mutator, as NAME=VALUE. May be repeated.
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = setting)]
    settings: Vec<(String, String)>,
    /// Without seeds, write problems over small finite sets, as THEORY-SEED-NUMBER.smt2. Every check has its :status, found by
    /// trying every assignment; `squall solve FILE --exhaust` repeats that.
    #[arg(long, requires = "out", conflicts_with_all = ["seeds", "mutator", "witnesses", "truth", "settings"])]
    worlds: bool,
    /// With --worlds, theories, separated by commas [default: all, weighted by the number of known wrong answers].
    #[arg(long, requires = "worlds", value_name = "NAME", value_delimiter = ',', value_parser = names::names())]
    theory: Vec<String>,
    #[command(flatten)]
    data: ScriptTheory,
    /// List the mutators, or those named: their effect, the truth of their mutants, and their parameters for --set.
    #[arg(long, value_name = "NAMES", num_args = 0.., conflicts_with_all = ["seeds", "worlds", "out", "mutator", "truth", "settings", "number"])]
    list: Option<Vec<String>>,
    /// With --list, the output: text, or one JSON object per line.
    #[arg(long, requires = "list", value_enum, default_value_t = OutputFormat::Text)]
    format: OutputFormat,
}

fn setting(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("expected NAME=VALUE")?;
    Ok((name.trim().to_string(), value.trim().to_string()))
}

/// The maximum number of terms copied for the checks of one seed. Each check has a copy of the seed's terms, so that its
/// mutants do not depend on earlier checks.
const MAX_COPIED: usize = 4_000_000;

/// The counts of the last line.
#[derive(Default)]
struct MutantCounts {
    mutants: u64,
    unfit: u64,
    failed: u64,
}

/// Runs the subcommand.
/// Errors: a missing path, an unknown mutator or parameter, or output that cannot be written.
pub fn run(args: Args) -> Result<Exit> {
    if let Some(names) = &args.list {
        return list::run(names, args.format);
    }
    if let (true, Some(folder)) = (args.worlds, &args.out) {
        return write_worlds(folder, &args);
    }
    let mutators = mutators(&args)?;
    let mut seeds = Vec::new();
    for path in files::named_scripts(&args.seeds)? {
        match read(&path, &args.data) {
            Ok(text) => seeds.push((path, text)),
            Err(error) => eprintln!("skipped: {error:#}"),
        }
    }
    let mut tally = MutantCounts::default();
    for n in 0..seeds.len() {
        let (path, text) = &seeds[n];
        let mut store = Store::new();
        let (first, checks) = instances(&mut store, text);
        if first.is_empty() {
            eprintln!("skipped: {}: no check", path.display());
            continue;
        }
        // Read only for mutators of two seeds; the first one's terms are unchanged.
        let two = mutators.iter().any(|(mutator, _)| mutator.parents() > 1);
        let mut both = if two { store.clone() } else { Store::new() };
        let second = if two { instances(&mut both, &seeds[(n + 1) % seeds.len()].1).0 } else { Vec::new() };
        if checks > first.len() {
            eprintln!(
                "skipped: {}: all but {} of {checks} checks: each takes a copy of all terms",
                stem(path),
                first.len()
            );
        }
        for (check, instance) in first.iter().enumerate() {
            let parents: Vec<Parent> = [Some(instance), second.get(check % second.len().max(1))]
                .into_iter()
                .flatten()
                .map(|instance| Parent { instance: instance.clone(), given: GivenModel::Nothing })
                .collect();
            let name = if checks == 1 { stem(path) } else { format!("{}-check{check}", stem(path)) };
            // Each seed is its own unit, so that its mutants do not depend on the others.
            let unit = Unit { campaign: args.seed, number: check as u64 };
            // An index no mutant has.
            let order = choice::draw_order(&mutators, &mut unit.mutant_stream(u64::MAX));
            let mut unfit = Vec::new();
            for mutator in order {
                let (store, parents) = match mutator.parents() {
                    1 => (&store, &parents[..1]),
                    _ => (&both, &parents[..]),
                };
                let one = CheckMutants { name: &name, store, parents, unit };
                match one.write(&args, mutator, &mut tally)? {
                    Some(reason) => unfit.push(reason),
                    None => break,
                }
            }
            if unfit.len() == mutators.len() {
                eprintln!("skipped: {name}: {}", unfit.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "));
                tally.unfit += 1;
            }
        }
    }
    let MutantCounts { mutants, unfit, failed } = tally;
    if args.out.is_some() || mutants == 0 || unfit + failed > 0 {
        let [mutants, failed] = [mutants, failed].map(|n| counted(n, "mutant"));
        let (seeds, unfit) = (counted(seeds.len() as u64, "seed"), counted(unfit, "check"));
        eprintln!("{mutants} of {seeds}; {unfit} unfit, {failed} failed");
    }
    Ok(if mutants > 0 { Exit::Clean } else { Exit::Failure })
}

/// Returns the chosen mutators, after warnings about their files.
fn mutators(args: &Args) -> Result<Vec<Weighted>> {
    let names = choice::names(&args.mutator);
    let choices: Vec<MutatorChoice> = names.iter().map(|name| MutatorChoice::read(name)).collect::<Result<_, _>>()?;
    let mut settings: Vec<(&str, &str)> = Vec::new();
    settings.extend(args.truth.as_deref().map(|t| ("truth", t)));
    settings.extend(args.settings.iter().map(|(n, v)| (n.as_str(), v.as_str())));
    if let Some((name, _)) = settings.iter().find(|(name, _)| !choices.iter().any(|c| c.takes(name))) {
        usage!("no chosen mutator has a parameter `{name}`; `squall mutate --list` lists them");
    }
    let build = |choice: &MutatorChoice| Ok((choice.build(&settings)?, choice.weight()));
    let mutators: Vec<Weighted> = choices.iter().map(build).collect::<Result<_>>()?;
    for complaint in args.settings.iter().flat_map(|(name, path)| mutators::complaints(name, path)) {
        eprintln!("{complaint}");
    }
    Ok(mutators)
}

/// Returns the text of a valid seed.
fn read(path: &Path, theory: &ScriptTheory) -> Result<String> {
    let bytes = files::named(path)?;
    let text = String::from_utf8(bytes).with_context(|| format!("{}: not UTF-8", path.display()))?;
    let text = theory.declared(text);
    let parsed = smtlib::parse(&mut Store::new(), &text);
    match parsed.errors.first() {
        Some(error) => bail!("{}", error.render(&path.display().to_string(), &text)),
        None => Ok(text),
    }
}

/// Returns the first checks of a text, as many as may copy all terms, and the number of all checks. A file without a check gets
/// one at its end.
fn instances(store: &mut Store, text: &str) -> (Vec<Instance>, usize) {
    let mut script = smtlib::parse(store, text).script;
    if !script.commands.iter().any(smtlib::Command::is_check) {
        script.commands.push(smtlib::Command::CheckSat);
    }
    let mut all = script.each_instance().filter(|i| !i.assertions.is_empty());
    let first: Vec<Instance> = all.by_ref().take((MAX_COPIED / store.len().max(1)).max(1)).collect();
    let checks = first.len() + all.count();
    (first, checks)
}

fn stem(path: &Path) -> String {
    path.file_stem().map_or_else(|| "seed".to_string(), |s| s.to_string_lossy().into_owned())
}

/// A check of a seed to mutate.
struct CheckMutants<'c> {
    name: &'c str,
    store: &'c Store,
    parents: &'c [Parent],
    unit: Unit,
}

impl CheckMutants<'_> {
    /// Prints or writes the mutants of a mutator. `Some` if it cannot mutate this check.
    fn write(&self, args: &Args, mutator: &dyn Mutator, tally: &mut MutantCounts) -> Result<Option<Unfit>> {
        let name = self.name;
        let target = TargetSpelling::default();
        let mut store = self.store.clone();
        let mut batch = match mutator
            .prepare_any(&mut store, MutantRequest { parents: self.parents, target: &target, unit: self.unit })
        {
            Ok(batch) => batch,
            Err(unfit) => return Ok(Some(unfit)),
        };
        let mut mutant = Mutant::default();
        for index in 0..args.number.unwrap_or(1) {
            batch.mutant(index, &mut mutant);
            if mutant.expected.is_empty() {
                let reason = batch.failure().unwrap_or_default();
                eprintln!("failed: mutant {index} of {name} by {}: {reason}", mutator.name());
                tally.failed += 1;
                continue;
            }
            if mutant.truth == Some(Trust::Certified) {
                certify(&mut *batch, index, &mutant).with_context(|| {
                    format!("mutant {index} of {name} is not what it claims to be; please report this")
                })?;
            }
            let text = headed(mutator, self.unit, index, &mutant);
            match &args.out {
                Some(folder) => {
                    let file = format!("{name}-{}-{}-{index}.smt2", file_name(mutator), args.seed);
                    write_file(folder, &file, &text)?;
                    if args.witnesses
                        && let Some(witness) = witness(&mut *batch, index, &mutant)
                    {
                        write_file(folder, &file.replace(".smt2", ".witness"), &witness)?;
                    }
                }
                None => crate::render::plain::stdout().write_all(text.as_bytes())?,
            }
            tally.mutants += 1;
        }
        Ok(None)
    }
}

/// Returns the witness of a mutant's last check as a file, if it is the witness of all checks.
fn witness(batch: &mut dyn Batch, index: u64, mutant: &Mutant) -> Option<String> {
    let model = batch.witness(index).filter(|_| mutant.truth == Some(Trust::Certified))?;
    let mut store = batch.store().clone();
    let parsed = smtlib::parse(&mut store, &mutant.text);
    witness_file::write(&store, &model, &parsed.script.each_instance().last()?)
}

/// Certifies a mutant: once if all checks have one witness, otherwise each check.
fn certify(batch: &mut dyn Batch, index: u64, mutant: &Mutant) -> Result<(), NotCertified> {
    let checks = mutant.expected.len();
    if let Some(model) = batch.witness(index) {
        return witness::certify(batch.store(), &model, &mutant.text, checks).map(drop);
    }
    for check in 0..checks {
        if let Some(model) = batch.check_witness(index, check) {
            witness::certify_check(batch.store(), &model, &mutant.text, checks, check)?;
        }
    }
    Ok(())
}

/// Returns a mutator's name without characters that are special in file names or shells.
fn file_name(mutator: &dyn Mutator) -> String {
    mutator.name().chars().map(|c| if c.is_ascii_alphanumeric() || c == '-' { c } else { '-' }).take(60).collect()
}

/// Returns the mutant below comments that describe it.
fn headed(mutator: &dyn Mutator, unit: Unit, index: u64, mutant: &Mutant) -> String {
    let mut text = String::new();
    let answers: Vec<&str> = mutant
        .expected
        .iter()
        .map(|e| match e {
            Status::Sat => "sat",
            Status::Unsat => "unsat",
            Status::Unknown => "not known",
        })
        .collect();
    let truth = mutant.truth.as_ref().map_or_else(|| "differential".to_string(), Trust::to_string);
    // Writing to a String cannot fail.
    let _ = writeln!(
        text,
        "; mutant {index} by {}, seed {}, unit {}\n; right answers: {} ({truth})",
        mutator.name(),
        unit.campaign,
        unit.number,
        answers.join(" ")
    );
    text.push_str(&mutant.text);
    text
}

/// Writes a file atomically.
fn write_file(folder: &Path, name: &str, text: &str) -> Result<()> {
    let fail = || format!("cannot write {}", folder.join(name).display());
    std::fs::create_dir_all(folder).with_context(fail)?;
    files::atomic::write(&folder.join(name), text.as_bytes()).with_context(fail)
}

/// Writes problems of the theories into `folder`.
fn write_worlds(folder: &Path, args: &Args) -> Result<Exit> {
    let (seed, count) = (args.seed, args.number.unwrap_or(100));
    std::fs::create_dir_all(folder).with_context(|| format!("cannot make '{}'", folder.display()))?;
    let themes: Vec<&'static Theme> = args.theory.iter().filter_map(|name| theme::find(name)).collect();
    // The problems of a unit share their sorts, so each unit makes few.
    let finite = FiniteMutator {
        themes,
        definition: args.data.command().map(Into::into),
        mutants: 4,
        ..FiniteMutator::default()
    };
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

/// Returns the script with a `:status` before each check.
fn with_status(mutant: &Mutant) -> String {
    let word = |answer: &Status| Some(if *answer == Status::Sat { "sat" } else { "unsat" });
    smtlib::sexpr::with_status(&mutant.text, mutant.expected.iter().map(word))
}
