//! `squall ci`: fuzzes a solver in its own project's CI, and fails only on what a baseline answers rightly.

mod junit;
mod sarif;

use crate::args::units;
use crate::commands::fuzz::{self, TerminalLease, resume};
use crate::exit;
use crate::render::say::quoted;
use ::fuzz::Stops;
use ::fuzz::state::event::CampaignStatus;
use ::solver::install::Fleet;
use ::solver::spec::SolverSpec;
use anyhow::{Context, Result};
use reduce::bisect::VersionVerdict;
use reduce::finding::Files;
use serde_json::json;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};
use triage::baseline::{Baseline, BaselineVerdict};
use triage::folder::CampaignFindings;
use triage::reduction::{self, Method, ReductionOrder};

/// Lines of a script that are printed.
const SCRIPT_LINES: usize = 200;
/// New findings that are reduced after the campaign, beside those that were reduced meanwhile.
const REDUCED_AFTER: usize = 10;
/// How much longer than the campaign everything may take where nothing else is said.
const AFTERWARDS: Duration = Duration::from_secs(600);

/// Fuzz a solver in its own CI: fail only on findings that a baseline does not have.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    squall ci --solver ./build/z3 --baseline z3@latest --for 10m --since-seed 17\n  \
    squall ci seeds/ --solver ./build/z3 --baseline z3@4.15.4 --sarif squall.sarif --junit squall.xml\n  \
    squall ci --solver ./build/z3 --baseline z3@4.15.4 -- --mutator storm --models 20\n\n\
    Exit codes: 0 nothing new, 10 findings that the baseline does not have, 11 nothing was decided, or no time was left to ask \
    the baseline about every finding, 3 interrupted, 2 usage, 1 failure.")]
pub struct Args {
    /// Seed files, and folders searched for .smt2 files; without any, the seeds embedded in this program.
    #[arg(value_name = "SEEDS")]
    seeds: Vec<PathBuf>,
    /// The solver to test, as for squall fuzz.
    #[arg(long, value_name = "SOLVER")]
    solver: SolverSpec,
    /// The solver that findings are compared with: a release, as z3@latest or z3@4.15.4, or the build before.
    #[arg(long, value_name = "SOLVER")]
    baseline: SolverSpec,
    /// How long to fuzz.
    #[arg(long = "for", value_name = "TIME", default_value = "10m", value_parser = units::time)]
    time: Duration,
    /// The campaign's seed. Give each build another, as its number, so that each tests mutants that no earlier one did.
    #[arg(long, value_name = "N", default_value_t = 0)]
    since_seed: u64,
    /// The folder for findings.
    #[arg(long, value_name = "DIR", default_value = "squall-ci")]
    out: PathBuf,
    /// Write the findings as SARIF 2.1.0.
    #[arg(long, value_name = "FILE")]
    sarif: Option<PathBuf>,
    /// Write the findings as JUnit XML.
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
    /// How long the reduction of a new finding may take.
    #[arg(long, value_name = "TIME", default_value = "30s", value_parser = units::time)]
    reduce_for: Duration,
    /// How long everything may take: fuzzing, asking the baseline, reducing. Without it, ten minutes more than --for.
    #[arg(long, value_name = "TIME", value_parser = units::time)]
    within: Option<Duration>,
    /// Further options of squall fuzz.
    #[arg(last = true, value_name = "FUZZ OPTIONS")]
    further: Vec<String>,
}

/// A group of findings with what the baseline says of it.
pub struct JudgedGroup {
    /// The finding's name.
    pub id: String,
    /// `A`, `B`, `C` or `D`.
    pub class: ::finding::BugClass,
    /// What is wrong, in one sentence.
    pub summary: String,
    /// On whose word the right answer stands.
    pub trust: String,
    /// The right answers, and those of the solver.
    pub expected: String,
    pub answered: String,
    /// The seed, and how the script asks.
    pub seed: String,
    pub mode: String,
    /// Findings in the group.
    pub members: usize,
    /// What the baseline says.
    pub verdict: BaselineVerdict,
    /// Its folder.
    pub folder: PathBuf,
    /// The script to look at.
    pub script: PathBuf,
    /// Its text.
    pub text: String,
    /// The size of the script as it was found.
    pub bytes: usize,
    /// Whether the script to look at is the reduced one.
    pub is_reduced: bool,
    /// What there is to say of the reduced script, if there is one.
    pub about_reduced: Option<String>,
}

/// When everything is to be over.
#[derive(Clone, Copy)]
struct Deadline(Instant);

impl Deadline {
    fn left(self) -> Duration {
        self.0.saturating_duration_since(Instant::now())
    }
}

/// What a run came to.
pub struct CiOutcome {
    /// The solver under test.
    pub solver: String,
    /// The baseline.
    pub baseline: String,
    /// The campaign's seed.
    pub seed: u64,
    /// How the campaign stood at its end.
    pub standing: CampaignStatus,
    /// The groups of findings, the most important first.
    pub judged: Vec<JudgedGroup>,
}

/// Runs the subcommand.
///
/// # Errors
/// A solver or baseline that cannot be had, seeds that are not there, a folder or report that cannot be written.
pub fn run(args: Args) -> Result<ExitCode> {
    let deadline = Deadline(Instant::now() + args.within.unwrap_or(args.time + AFTERWARDS));
    let stops = Stops::default();
    let lease = TerminalLease::default();
    fuzz::stop_on_ctrl_c(&stops, &lease)?;
    let fleet = Fleet::of_user()?;
    // Said before minutes are spent.
    let baseline = Baseline::get(&args.baseline, &fleet, &stops.user, crate::commands::solver::say)?;
    let words = words(&args);
    let fuzzed = resume::of_words(&words).unwrap_or_else(|error| error.exit());
    let note = json!({ "arguments": words, "folder": std::env::current_dir()? });
    let ended = fuzz::hunt(&fuzzed, note, &stops, lease)?;
    let mut outcome = CiOutcome {
        solver: args.solver.label(),
        baseline: baseline.label(),
        seed: args.since_seed,
        standing: ended.standing,
        judged: judge(&args, &baseline, deadline)?,
    };
    reduce(&mut outcome.judged, &args, &baseline, deadline, &fleet, &stops);
    println!("{}", outcome.words());
    if let Some(path) = &args.sarif {
        write(path, &format!("{:#}\n", sarif::log(&outcome)))?;
    }
    if let Some(path) = &args.junit {
        write(path, &junit::xml(&outcome))?;
    }
    let is_new = outcome.of(|verdict| matches!(verdict, BaselineVerdict::New(_))) > 0;
    let is_left = outcome.of(|verdict| matches!(verdict, BaselineVerdict::NotAsked)) > 0;
    Ok(ExitCode::from(match outcome.judged.is_empty() {
        _ if is_new => exit::FOUND,
        _ if stops.user.is_cancelled() => exit::UNFINISHED,
        // What was not compared must not pass for nothing new.
        _ if is_left => exit::UNKNOWN,
        false => exit::CLEAN,
        true => fuzz::tested(&outcome.standing),
    }))
}

/// The command line of the campaign.
fn words(args: &Args) -> Vec<String> {
    let mut words: Vec<String> = args.seeds.iter().map(|path| path.display().to_string()).collect();
    let time = format!("{}ms", args.time.as_millis());
    let pairs = [
        ("--solver", args.solver.to_string()),
        // Its models fix values, and its answers judge `unknown`; the solver under test is trusted with neither.
        ("--reference", args.baseline.to_string()),
        ("--for", time),
        ("--seed", args.since_seed.to_string()),
        ("--out", args.out.display().to_string()),
    ];
    words.extend(pairs.into_iter().flat_map(|(name, value)| [name.to_string(), value]));
    words.push("--plain".to_string());
    words.extend(args.further.iter().cloned());
    words
}

fn write(path: &Path, text: &str) -> Result<()> {
    files::atomic::write(path, text.as_bytes()).with_context(|| format!("cannot write '{}'", path.display()))
}

/// Asks the baseline about every group of findings: about its members one after the other, until one is new.
fn judge(args: &Args, baseline: &Baseline, deadline: Deadline) -> Result<Vec<JudgedGroup>> {
    let out = CampaignFindings::load(&args.out)?;
    out.damaged.iter().for_each(|error| eprintln!("squall: left out: {error}"));
    let mut judged = Vec::new();
    for group in out.groups() {
        // Findings of the solver alone; the baseline is no target.
        let mut best: Option<(&triage::folder::Triaged, BaselineVerdict)> = None;
        for member in &group.members {
            let verdict = match deadline.left().is_zero() {
                true => BaselineVerdict::NotAsked,
                false => baseline.ask(&member.folder)?,
            };
            let is_new = matches!(verdict, BaselineVerdict::New(_));
            if is_new || best.is_none() {
                best = Some((member, verdict));
            }
            if is_new {
                break;
            }
        }
        let Some((member, verdict)) = best else { continue };
        let finding = &member.finding;
        judged.push(JudgedGroup {
            id: finding.id.clone(),
            class: finding.class,
            summary: finding.summary.replacen(&finding.solver.label, &args.solver.label(), 1),
            trust: member.trust().to_string(),
            expected: finding.expected.join(" "),
            answered: finding.answers.join(" "),
            seed: finding.seed.name.clone(),
            mode: finding.mode.clone(),
            members: group.members.len(),
            verdict,
            folder: member.folder.clone(),
            script: member.folder.join(::finding::folder::MUTANT),
            text: member.mutant.clone(),
            bytes: finding.mutant_bytes,
            is_reduced: false,
            about_reduced: None,
        });
    }
    Ok(judged)
}

/// Reduces new findings that were not reduced during the campaign, and takes the reduced scripts to show: of a new finding only
/// one that the baseline answers rightly too, since a reduction may slip from a new bug to one that both have.
fn reduce(
    judged: &mut [JudgedGroup],
    args: &Args,
    baseline: &Baseline,
    deadline: Deadline,
    fleet: &Fleet,
    stops: &Stops,
) {
    let mut left = REDUCED_AFTER;
    for one in judged {
        let files = Files::of(&one.folder, None);
        let is_done = || files.account().exists() && files.output.exists();
        let is_new = matches!(one.verdict, BaselineVerdict::New(_));
        let time = args.reduce_for.min(deadline.left());
        if !is_done() && is_new && left > 0 && !time.is_zero() && !stops.user.is_cancelled() {
            left -= 1;
            let order = ReductionOrder {
                time: Some(time),
                progress: crate::commands::solver::say,
                ..ReductionOrder::new(files.clone(), stops.user.clone())
            };
            if let Err(error) = reduction::by_solver(&order, fleet, Method::Passes, &|_| ()) {
                eprintln!("squall: {} is not reduced: {}", one.id, triage::error_text(&error));
            }
        }
        let Some(text) = is_done().then(|| std::fs::read_to_string(&files.output).ok()).flatten() else { continue };
        if is_new {
            let (shown, about) = match baseline.ask_reduced(&one.folder) {
                Ok(row) if row.did == VersionVerdict::Right => {
                    (true, format!("{} answers {} to it, too", baseline.label(), row.said))
                }
                Ok(row) => (false, format!("{} answers {} to that one", baseline.label(), row.said)),
                Err(error) => (false, triage::error_text(&error)),
            };
            one.about_reduced = Some(match shown {
                true => about,
                false => format!("shown as it was sent, not as it was reduced ({}): {about}", files.output.display()),
            });
            if !shown {
                continue;
            }
        }
        (one.text, one.script, one.is_reduced) = (text, files.output, true);
    }
}

impl CiOutcome {
    /// How many groups have such a verdict.
    pub fn of(&self, is: impl Fn(&BaselineVerdict) -> bool) -> usize {
        self.judged.iter().filter(|one| is(&one.verdict)).count()
    }

    fn words(&self) -> String {
        let mut lines = Vec::new();
        for one in &self.judged {
            lines.push(format!("{:<5} class {}: {} [{}]", one.verdict.word(), one.class, one.summary, one.trust));
            lines.push(format!("      {}", self.contrast(one)));
            if matches!(one.verdict, BaselineVerdict::New(_)) {
                let size = match one.is_reduced && one.text.len() < one.bytes {
                    true => format!("reduced from {} to {} bytes", one.bytes, one.text.len()),
                    false => format!("{} bytes, not reduced", one.bytes),
                };
                lines.push(format!("      {size}: {}", one.script.display()));
                lines.extend(one.about_reduced.iter().map(|about| format!("      {about}")));
                lines.push("----".to_string());
                lines.extend(one.text.lines().take(SCRIPT_LINES).map(str::to_string));
                if one.text.lines().count() > SCRIPT_LINES {
                    lines.push("; … the rest is in the file".to_string());
                }
                lines.push("----".to_string());
                lines.push(format!("      again: squall replay {}", quoted(&one.folder.display().to_string())));
            } else {
                lines.push(format!("      {}", one.folder.display()));
            }
        }
        lines.push(self.verdict());
        lines.join("\n")
    }

    /// What the solver and the baseline say.
    pub fn contrast(&self, one: &JudgedGroup) -> String {
        format!(
            "{} answers {}; expected {}; {} {}",
            self.solver,
            one.answered,
            one.expected,
            self.baseline,
            one.verdict.reason()
        )
    }

    /// The outcome in one sentence.
    pub fn verdict(&self) -> String {
        let new = self.of(|v| matches!(v, BaselineVerdict::New(_)));
        let known = self.of(|v| matches!(v, BaselineVerdict::Known(_)));
        format!(
            "{} against {}, seed {}: {} mutants; groups of findings: {new} new, {known} that the baseline has too, {} that \
             it does not decide or that do not show every time.",
            self.solver,
            self.baseline,
            self.seed,
            self.standing.counts.mutants,
            self.judged.len() - new - known
        )
    }
}
