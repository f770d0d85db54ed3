//! `squall ci`: fuzzes a solver in its project's CI, and fails on answers that are proven wrong or that a baseline gets right.

mod changed;
mod junit;
mod known;
pub mod options;
mod outcome;
mod sarif;
mod summary;

use crate::args::units;
use crate::commands::fuzz::{self, TerminalLease};
use crate::exit::Exit;
use ::finding::folder::{FindingFile, FindingFolder, FindingPaths};
use ::finding::{CauseCount, Trust};
use ::fuzz::Stops;
use ::solver::install::Fleet;
use ::solver::spec::SolverSpec;
use anyhow::{Context, Result};
use changed::{ChangeArgs, ComparedChange, FoundChange};
use corpus::seed;
use known::KnownFindings;
use options::{CampaignOwner, FailOn};
use outcome::{CiOutcome, JudgedGroup};
use reduce::bisect::VersionVerdict;
use serde_json::json;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use triage::baseline::{Baseline, BaselineVerdict};
use triage::folder::{CampaignFindings, Triaged};
use triage::ledger::{LEDGER, Ledger};
use triage::reduction::{self, ReductionOrder};

/// The maximum number of failing findings that are reduced after the campaign.
const REDUCED_AFTER: usize = 10;
/// The number of mutants that the build of `--counted` also runs.
const SAMPLE: usize = 100;
/// The default time for everything after the campaign.
const AFTERWARDS: Duration = Duration::from_secs(600);

/// Fuzz a solver in its own CI: fail on answers that are proven wrong, and on findings that a baseline does not have.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    squall ci --solver ./build/z3 --baseline z3@latest --for 10m --since-seed 17\n  \
    squall ci seeds/ --solver ./build/z3 --known known.json\n  \
    squall ci seeds/ --solver ./build/z3 --baseline z3@4.15.4 --sarif squall.sarif --junit squall.xml\n  \
    squall ci --solver ./build/z3 --baseline z3@4.15.4 --known known.json --write-known known.json\n  \
    squall ci --solver ./build/z3 --baseline z3@4.15.4 -- --mutator storm --models 20\n  \
    squall ci --solver ./build/z3 --baseline ./before/z3 --changed main..HEAD --repo z3/ --map z3.map\n\n\
    Exit codes: 0 nothing new, 10 findings that --known does not list and that are proven wrong or absent from the baseline, or, with \
                  --changed, answers or models that are proven wrong only after the change, 11 nothing was tested, solvers contradict each other \
                  without a known right answer, or it is open whether an unproven finding is new, 3 interrupted, 2 usage, also a \
                  solver that answers nothing, 1 failure.")]
pub struct Args {
    /// Seed files, and folders searched for .smt2 files [default: the seeds embedded in this program].
    #[arg(value_name = "SEEDS")]
    seeds: Vec<PathBuf>,
    /// The solver to test, as for squall fuzz.
    #[arg(long, short, value_name = "SOLVER")]
    solver: SolverSpec,
    /// The solver to compare findings with: a release, as z3@latest or z3@4.15.4, or the previous build. Proven wrong answers fail
    /// without it.
    #[arg(long, value_name = "SOLVER")]
    baseline: Option<SolverSpec>,
    /// How long to fuzz.
    #[arg(long = "for", value_name = "TIME", default_value = "10m", value_parser = units::time)]
    time: Duration,
    /// The campaign's seed. Give each build a new one, such as its number, so that it tests new mutants.
    #[arg(long, value_name = "N", default_value_t = 0)]
    since_seed: u64,
    /// The folder for findings.
    #[arg(long, short, value_name = "DIR", default_value = "squall-ci")]
    out: PathBuf,
    /// Write the findings as SARIF 2.1.0.
    #[arg(long, value_name = "FILE")]
    sarif: Option<PathBuf>,
    /// Write the findings as JUnit XML.
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
    /// Write a page of Markdown with the findings and the scripts of new ones, for a CI system's summary.
    #[arg(long, value_name = "FILE")]
    summary: Option<PathBuf>,
    /// Classes that fail the build, as letters: A wrong unsat, B wrong sat or model, X contradiction, P broken proof, D crash, C unknown
    /// where the baseline answers, E false self-check. Findings of other classes are only counted.
    #[arg(long, value_name = "CLASSES", default_value = "A,B,X,D")]
    fail_on: FailOn,
    /// Do not report findings listed in this file, written by --write-known or squall night (ledger.json).
    #[arg(long, value_name = "FILE")]
    known: Option<PathBuf>,
    /// Write the findings of --known and of this run to a file for later runs.
    #[arg(long, value_name = "FILE")]
    write_known: Option<PathBuf>,
    /// The time limit for reducing a failing finding.
    #[arg(long, value_name = "TIME", default_value = "30s", value_parser = units::time)]
    reduce_for: Duration,
    /// The time limit for everything: fuzzing, running the baseline, reducing [default: --for and ten minutes].
    #[arg(long, value_name = "TIME", value_parser = units::time)]
    within: Option<Duration>,
    /// Other options of squall fuzz.
    #[arg(last = true, value_name = "FUZZ OPTIONS")]
    further: Vec<String>,
    #[command(flatten)]
    change: ChangeArgs,
}

/// The deadline for everything.
#[derive(Clone, Copy)]
struct Deadline(Instant);

/// The limits of reductions after the campaign.
struct ReductionBudget {
    /// The number of reductions left.
    left: usize,
    /// The time limit of each.
    each: Duration,
}

impl Deadline {
    fn left(self) -> Duration {
        self.0.saturating_duration_since(Instant::now())
    }
}

/// Runs the subcommand.
/// Errors: a solver or baseline that is not available, missing seeds, or a folder or report that cannot be written.
pub fn run(args: Args) -> Result<Exit> {
    let deadline = Deadline(Instant::now() + args.within.unwrap_or(args.time + AFTERWARDS));
    let stops = Stops::default();
    let lease = TerminalLease::default();
    fuzz::stop_on_ctrl_c(&stops, &lease)?;
    let fleet = Fleet::of_user()?.naming(std::iter::once(&args.solver).chain(&args.baseline));
    // Reported before minutes are spent.
    let change = args.change.find()?;
    let words = words(&args, change.as_ref());
    let mut fuzzed = options::parsed(CampaignOwner::Ci, &words, &args.further)?;
    let counted = args.change.open_counted(&fleet, &stops.user)?;
    fuzzed.sample = if counted.is_some() { SAMPLE } else { 0 };
    let mut known = known(&args)?;
    let baseline = |spec| Baseline::get(spec, &fleet, &stops.user, crate::commands::solver::say);
    let baseline = args.baseline.as_ref().map(baseline).transpose()?;
    let mut compared = ComparedChange::default();
    if let (Some(change), Some(baseline)) = (&change, &baseline) {
        let after = fleet.solver(fleet.resolve(&args.solver)?).with_cancel(stops.user.clone());
        let seeds = if args.seeds.is_empty() { seed::embedded() } else { seed::collect(&args.seeds)? };
        // The rest is for the campaign and its findings.
        let time = deadline.left().saturating_sub(args.time) / 2;
        compared = change.compare((baseline.solver(), &after), seeds, &args.out, &stops.user, time)?;
        fuzzed.also = std::mem::take(&mut compared.wrong);
    }
    let note = json!({ "arguments": fuzz::resume::recorded(&fuzzed, &words), "folder": std::env::current_dir()? });
    let ended = fuzz::hunt(&fuzzed, note, &stops, lease)?;
    let name = fleet.resolve(&args.solver).map_or_else(|_| args.solver.label(), |solver| solver.profile.name.clone());
    if let Some(path) = args.known.as_ref().filter(|path| is_ledger(path)) {
        add_nights(path, &name, &mut known)?;
    }
    let mut outcome = CiOutcome {
        solver: args.solver.label(),
        specification: args.solver.to_string(),
        baseline: baseline.as_ref().map(Baseline::label),
        seed: args.since_seed,
        standing: ended.standing,
        judged: Vec::new(),
        listed: 0,
        off: 0,
        fail_on: args.fail_on.clone(),
        is_interrupted: false,
        count: CauseCount::default(),
        change: Vec::new(),
        compared: compared.worst,
    };
    if let Some(change) = &change {
        outcome.change.extend(change.notes.iter().cloned());
        let mutants = outcome.standing.counts.mutants;
        outcome.change.push(match counted {
            // At most a quarter of the time.
            Some(mut counted) => {
                let until = Instant::now() + deadline.left() / 4;
                let reached = change.reached(&mut counted, &ended.sample, mutants, until);
                reached.unwrap_or_else(|error| format!("{mutants} mutants were tested, and not counted: {error:#}"))
            }
            None => format!("{mutants} mutants were tested"),
        });
        outcome.change.extend(compared.lines);
    }
    let mut reductions = ReductionBudget { left: REDUCED_AFTER, each: args.reduce_for };
    loop {
        let before = outcome.judged.len();
        judge(&args, baseline.as_ref(), deadline, &known, &name, &mut outcome)?;
        if outcome.judged.len() == before {
            break;
        }
        // A reduction may show that a group has several causes; it is split then.
        reduce(&mut outcome.judged[before..], &mut reductions, baseline.as_ref(), deadline, &fleet, &stops);
    }
    recognise(&mut outcome, &args.out, &known, &name)?;
    outcome.is_interrupted = stops.user.is_cancelled();
    println!("{}", outcome.words());
    if let Some(path) = &args.write_known {
        outcome.judged.iter().for_each(|one| known.add(one.ways.clone()));
        known.write(path)?;
    }
    if let Some(path) = &args.sarif {
        write(path, &format!("{:#}\n", sarif::log(&outcome)))?;
    }
    if let Some(path) = &args.junit {
        write(path, &junit::xml(&outcome))?;
    }
    if let Some(path) = &args.summary {
        write(path, &summary::markdown(&outcome)?)?;
    }
    Ok(outcome.exit())
}

/// Returns the known findings. At the first run the file to write does not exist yet.
fn known(args: &Args) -> Result<KnownFindings> {
    if let Some(path) = args.write_known.as_ref().filter(|path| is_ledger(path)) {
        usage!("--write-known would overwrite the ledger of squall night, '{}'; name another file", path.display());
    }
    let Some(path) = &args.known else { return Ok(KnownFindings::default()) };
    if is_ledger(path) {
        Ledger::read(path)?;
        return Ok(KnownFindings::default());
    }
    if !path.exists() && args.write_known.as_ref() == Some(path) {
        eprintln!("squall: '{}' does not exist yet; starting it", path.display());
        return Ok(KnownFindings::default());
    }
    if !path.exists() {
        usage!("there is no file '{}'", path.display());
    }
    KnownFindings::read(path)
}

fn is_ledger(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name == LEDGER)
}

/// Adds the kept causes of nights that are not gone.
fn add_nights(path: &Path, name: &str, known: &mut KnownFindings) -> Result<()> {
    let ledger = Ledger::read(path)?;
    let folder = path.parent().unwrap_or(Path::new("."));
    if ledger.present().next().is_none() {
        return Ok(());
    }
    for kept in CampaignFindings::load(folder)?.findings {
        let is_present = ledger.causes.get(&kept.finding.id).is_some_and(|cause| cause.gone.is_none());
        if is_present {
            known.add(known::ways(&kept.finding, name, kept.reduced.as_ref().map(|reduced| &reduced.signature)));
        }
    }
    Ok(())
}

/// Returns the command line of the campaign.
fn words(args: &Args, change: Option<&FoundChange>) -> Vec<String> {
    let mut words: Vec<String> = args.seeds.iter().map(|path| path.display().to_string()).collect();
    let time = format!("{}ms", args.time.as_millis());
    let pairs = [
        ("--solver", args.solver.to_string()),
        ("--for", time),
        ("--seed", args.since_seed.to_string()),
        ("--out", args.out.display().to_string()),
    ];
    // Its models fix values, and its answers judge `unknown`; the solver under test is not trusted with either.
    let reference = args.baseline.as_ref().map(|baseline| ("--reference", baseline.to_string()));
    words.extend(pairs.into_iter().chain(reference).flat_map(|(name, value)| [name.to_string(), value]));
    words.extend(change.iter().flat_map(|change| change.words.iter().cloned()));
    words.push("--plain".to_string());
    words.extend(args.further.iter().cloned());
    words
}

fn write(path: &Path, text: &str) -> Result<()> {
    files::atomic::write(path, text.as_bytes()).with_context(|| format!("cannot write '{}'", path.display()))
}

/// Runs the baseline on every unjudged group of findings to report: on one member after the other, until one is new.
fn judge(
    args: &Args,
    baseline: Option<&Baseline>,
    deadline: Deadline,
    known: &KnownFindings,
    name: &str,
    outcome: &mut CiOutcome,
) -> Result<()> {
    let out = CampaignFindings::load(&args.out)?;
    out.damaged.iter().for_each(|error| eprintln!("squall: skipped: {error}"));
    (outcome.off, outcome.listed) = (0, 0);
    for group in out.groups() {
        if group.members.iter().any(|member| outcome.judged.iter().any(|one| one.folder == member.folder)) {
            continue;
        }
        let ways = |member: &Triaged| {
            known::ways(&member.finding, name, member.reduced.as_ref().map(|reduced| &reduced.signature))
        };
        if !group.members.iter().any(|member| args.fail_on.holds(member.finding.class)) {
            outcome.off += 1;
            continue;
        }
        if group.members.iter().any(|member| known.holds(&ways(member))) {
            outcome.listed += 1;
            continue;
        }
        // Only findings of the solver; the baseline is not under test.
        let is_proven = |member: &Triaged| outcome::is_proven(member.finding.class, &strongest(member));
        let mut best: Option<(&Triaged, BaselineVerdict)> = None;
        for member in &group.members {
            let verdict = match baseline {
                None => BaselineVerdict::Absent,
                Some(_) if deadline.left().is_zero() => BaselineVerdict::NotAsked,
                Some(baseline) => baseline.ask(&member.folder)?,
            };
            let is_new = matches!(verdict, BaselineVerdict::New(_));
            let is_better = |(known, _): &(&Triaged, _)| is_proven(member) && !is_proven(known);
            if is_new || best.as_ref().is_none_or(is_better) {
                best = Some((member, verdict));
            }
            // Without a baseline a second member changes nothing.
            if is_new || baseline.is_none() && is_proven(member) {
                break;
            }
        }
        let Some((member, verdict)) = best else { continue };
        let finding = &member.finding;
        let reduced = group.members.iter().filter(|member| member.reduced.is_some());
        let alike: Vec<_> = reduced.flat_map(|member| ways(member)).filter(|way| !way.is_of_script()).collect();
        outcome.judged.push(JudgedGroup {
            id: finding.id.clone(),
            class: finding.class,
            summary: finding.summary.replacen(&finding.solver.label, &args.solver.label(), 1),
            trust: strongest(member),
            expected: finding.expected.join(" "),
            answered: finding.answers.join(" "),
            seed: finding.seed_name().map(str::to_string),
            mode: finding.mode.clone(),
            members: group.members.len(),
            verdict,
            folder: member.folder.clone(),
            script: FindingFolder::at(&member.folder).place(FindingFile::Mutant),
            text: format!("{}{}", member.earlier, member.mutant),
            bytes: member.earlier.len() + finding.mutant_bytes,
            is_reduced: false,
            about_reduced: None,
            // Others only if reductions showed that they have the same cause: another cause is not reported.
            ways: ways(member).into_iter().chain(alike).collect(),
        });
    }
    Ok(())
}

/// Returns the stronger trust of the original script and the reduced one.
fn strongest(member: &Triaged) -> Trust {
    let now = member.trust();
    if member.finding.trust.rank() <= now.rank() { member.finding.trust.clone() } else { now }
}

/// Reduces failing findings that were not reduced during the campaign, and shows the reduced scripts. Of a new finding the
/// baseline must get the reduced script right, too, since a reduction may slip to a bug that both have.
fn reduce(
    judged: &mut [JudgedGroup],
    budget: &mut ReductionBudget,
    baseline: Option<&Baseline>,
    deadline: Deadline,
    fleet: &Fleet,
    stops: &Stops,
) {
    for one in judged {
        let files = FindingPaths::of(&one.folder, None);
        let time = budget.each.min(deadline.left());
        if !files.has_result() && one.fails() && budget.left > 0 && !time.is_zero() && !stops.user.is_cancelled() {
            budget.left -= 1;
            let order = ReductionOrder {
                time: Some(time),
                progress: crate::commands::solver::say,
                ..ReductionOrder::new(files.clone(), stops.user.clone())
            };
            if let Err(error) = reduction::by_solver(&order, fleet, &|_| ()) {
                eprintln!("squall: cannot reduce {}: {}", one.id, triage::error_text(&error));
            }
        }
        let Some(reduced) = files.has_result().then(|| files::found_text(&files.output).ok()).flatten() else {
            continue;
        };
        // The preceding scripts in the same process are part of the reproduction.
        let text = files.result_earlier().unwrap_or_default() + &reduced;
        if let (BaselineVerdict::New(_), Some(baseline)) = (&one.verdict, baseline) {
            let (shown, about) = match baseline.ask_reduced(&one.folder) {
                Ok(row) if row.did == VersionVerdict::Right => {
                    (true, format!("baseline {} is right on the reduced script: {}", baseline.label(), row.said))
                }
                Ok(row) => (false, format!("baseline {} answers it with {}", baseline.label(), row.said)),
                Err(error) => (false, triage::error_text(&error)),
            };
            one.about_reduced = Some(match shown {
                true => about,
                false => format!("shown as sent; the reduced script is {}: {about}", files.output.display()),
            });
            if !shown {
                continue;
            }
        }
        (one.text, one.script, one.is_reduced) = (text, files.output, true);
    }
}

/// Removes groups that are known by their reduced scripts.
fn recognise(outcome: &mut CiOutcome, out: &Path, known: &KnownFindings, name: &str) -> Result<()> {
    let reduced = CampaignFindings::load(out)?;
    outcome.count = reduced.count();
    for one in &mut outcome.judged {
        if let Some(member) = reduced.findings.iter().find(|member| member.folder == one.folder) {
            let signature = member.reduced.as_ref().map(|reduced| &reduced.signature);
            one.ways.extend(known::ways(&member.finding, name, signature));
        }
    }
    let before = outcome.judged.len();
    outcome.judged.retain(|one| !known.holds(&one.ways));
    outcome.listed += before - outcome.judged.len();
    Ok(())
}
