//! `squall replay`: checks findings again, without the campaign that made them.

use crate::args::format::OutputFormat;
use crate::exit::Exit;
use ::finding::Trust;
use ::finding::folder::{self, FolderError};
use ::solver::install::{Fleet, InstallError};
use ::solver::session::Solver;
use ::solver::spec::SolverSpec;
use anyhow::{Context, Result, bail};
use oracle::replay::{self, Replayed, SavedFinding, ShownTruth, TruthLost};
use std::path::{Path, PathBuf};

/// Check a finding again: its witness, and the solver's answer.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    squall replay squall-out/findings/A-z3@4.8.7-bug3-plain-0123456789ab\n  \
    squall replay squall-out --solver z3@latest\n\n\
    Exit codes: 0 nothing reproduces, 10 something does, 11 nothing does and some are undecided, 2 usage, 1 a finding could not be \
                  replayed or lacks its witness (the others were).")]
pub struct Args {
    /// Folders of findings, or of whole campaigns.
    #[arg(required = true, value_name = "DIR")]
    findings: Vec<PathBuf>,
    /// The solver to run instead of the recorded one.
    #[arg(long, short, value_name = "SOLVER")]
    solver: Option<SolverSpec>,
    /// Install missing solvers. Without it their findings are not replayed, and the way to install them is printed.
    #[arg(long)]
    install: bool,
    /// The output: text, or one JSON object per line.
    #[arg(long, value_enum, default_value_t = OutputFormat::Text)]
    format: OutputFormat,
}

/// Runs the subcommand.
/// Errors: a folder without findings, a damaged finding, or a solver that is not available.
pub fn run(args: Args) -> Result<Exit> {
    let mut folders = Vec::new();
    for path in &args.findings {
        match folder::find(path) {
            // A night without findings must not fail a job that replays them.
            Err(FolderError::NoFinding(_)) if path.join("campaign.json").is_file() => {
                if args.format == OutputFormat::Text {
                    println!("no findings in {}", path.display());
                }
            }
            found => folders.extend(found?),
        }
    }
    let fleet = Fleet::of_user()?;
    let (mut reproduced, mut failed, mut undecided) = (0, 0, 0);
    for folder in &folders {
        match one(&args, &fleet, folder) {
            Ok(ReplayedFinding { reproduces, is_undecided, is_whole }) => {
                reproduced += usize::from(reproduces);
                undecided += usize::from(is_undecided);
                failed += usize::from(!is_whole);
            }
            // A failure does not stop the others.
            Err(error) => {
                failed += 1;
                let cause = triage::error_text(&error);
                match args.format {
                    OutputFormat::Text => eprintln!("squall: {}: {cause}", folder.display()),
                    OutputFormat::Json => println!(
                        "{}",
                        serde_json::json!({"event": "failed", "folder": folder.display().to_string(), "cause": cause})
                    ),
                }
            }
        }
    }
    if args.format == OutputFormat::Text && folders.len() > 1 {
        let damaged = if failed > 0 { format!("; {failed} could not be replayed as recorded") } else { String::new() };
        let open = if undecided > 0 { format!("; {undecided} not decided") } else { String::new() };
        println!("{reproduced} of {} reproduce{open}{damaged}", folders.len());
    }
    Ok(match (failed, reproduced, undecided) {
        (1.., _, _) => Exit::Failure,
        (0, 1.., _) => Exit::Found,
        (0, 0, 1..) => Exit::Unknown,
        (0, 0, 0) => Exit::Clean,
    })
}

/// The outcome for one finding.
struct ReplayedFinding {
    reproduces: bool,
    /// Whether the solver gave no answer.
    is_undecided: bool,
    /// Whether everything recorded is there; a certified finding without its witness is damaged.
    is_whole: bool,
}

fn one(args: &Args, fleet: &Fleet, folder: &Path) -> Result<ReplayedFinding> {
    let saved = replay::load(folder)?;
    let spec = match &args.solver {
        Some(spec) => spec.clone(),
        None => {
            let recorded = replay::recorded_solver(&saved.finding.solver, fleet);
            let program = saved.finding.solver.command.first();
            let gone = program.filter(|program| Path::new(program).is_absolute() && !Path::new(program).exists());
            recorded.with_context(|| match gone {
                Some(program) => gone_program(program),
                None => format!("the solver recorded in {}", folder.display()),
            })?
        }
    };
    let found = match args.install {
        true => fleet.ensure(&spec, &mut crate::commands::solver::say),
        false => fleet.present(&spec),
    };
    let installed = match found {
        Err(error @ InstallError::NotInstalled { .. }) => match fleet.installing(&spec) {
            Some(takes) => bail!("{error}; --install installs it: {takes}"),
            None => bail!(error),
        },
        found => found.with_context(|| cannot_get(&spec, &saved, args.solver.is_none()))?,
    };
    let solver = fleet.solver(installed);
    solver.withheld(&saved.mutant).iter().for_each(|note| eprintln!("{note}"));
    let replayed = saved.replay(&solver)?;
    match args.format {
        OutputFormat::Text => print!("{}", words(&saved, &replayed, &solver)),
        OutputFormat::Json => println!("{}", json(&saved, &replayed, &solver)),
    }
    let is_whole = replayed.witness != Err(TruthLost::Missing);
    let is_undecided = replayed.undecided.is_some();
    Ok(ReplayedFinding { reproduces: replayed.reproduces, is_undecided, is_whole })
}

fn cannot_get(spec: &SolverSpec, saved: &SavedFinding, is_recorded: bool) -> String {
    match (is_recorded, spec, saved.finding.solver.command.first()) {
        (true, SolverSpec::Path(_), Some(program)) => gone_program(program),
        _ => format!("cannot get {}", spec.label()),
    }
}

fn gone_program(program: &str) -> String {
    format!("cannot get the finding's solver, which was {}; name another with --solver", program.escape_debug())
}

fn words(saved: &SavedFinding, replayed: &Replayed, solver: &Solver) -> String {
    let label = solver.installed().label();
    let with = match solver.added_options() {
        [] => String::new(),
        added => format!(" with {}", added.join(" ")),
    };
    let finding = &saved.finding;
    let mut text = format!("{}\n  class {}: {}\n", saved.folder.display(), finding.class, finding.summary);
    if !saved.is_unchanged() {
        text.push_str("  the script changed since it was recorded\n");
    }
    let witness = match &replayed.witness {
        Ok(ShownTruth { trust: Trust::Certified, by }) => format!("{by}, so only sat is right"),
        Ok(ShownTruth { trust: Trust::Trusted(_), by }) => format!("none; the right answer is trusted ({by})"),
        Ok(ShownTruth { by, .. }) => format!("none needed, {by}"),
        Err(lost) => lost.to_string(),
    };
    text.push_str(&format!("  witness: {witness}\n"));
    text.push_str(&format!(
        "  {label}{with} answers: {} (expected {})\n",
        answers(replayed).join(" "),
        finding.expected.join(" ")
    ));
    if let Some(found) = &finding.contradiction {
        text.push_str(&format!("  the second script is {}. {}\n", found.second_is, found.why));
    }
    if replayed.is_translated {
        text.push_str(&format!("  the script was rewritten in the syntax of {label}\n"));
    }
    if let Some(crash) = &replayed.outcome.crash {
        text.push_str(&format!("  crash: {}\n", crash.signature));
    }
    for error in replayed.outcome.errors.iter().take(3) {
        text.push_str(&format!("  error: {}\n", error.message));
    }
    if let Some(spelling) = &replayed.misread {
        text.push_str(&format!(
            "  {label} is known to misread the text ({spelling}), so the right answer does not apply to it\n"
        ));
    }
    text.push_str(&match (replayed.reproduces, replayed.undecided) {
        (true, _) => "  => reproduces\n".to_string(),
        (false, Some(why)) => format!("  => not decided: {why}\n"),
        (false, None) => "  => does not reproduce\n".to_string(),
    });
    text
}

fn json(saved: &SavedFinding, replayed: &Replayed, solver: &Solver) -> serde_json::Value {
    let (witness, detail) = match &replayed.witness {
        Ok(ShownTruth { trust: Trust::Certified, .. }) => ("holds", None),
        Ok(ShownTruth { trust: Trust::Exhausted, by }) => ("exhausted", Some(by)),
        Ok(ShownTruth { trust: Trust::Trusted(_), by }) => ("trusted", Some(by)),
        Ok(_) => ("not-needed", None),
        Err(TruthLost::Missing) => ("missing", None),
        Err(TruthLost::Fails(why)) => ("fails", Some(why)),
    };
    serde_json::json!({
        "event": "replay",
        "folder": saved.folder.display().to_string(),
        "id": saved.finding.id,
        "class": saved.finding.class,
        "solver": solver.installed().label(),
        "profile_options": solver.added_options(),
        "witness": witness,
        "detail": detail,
        "expected": saved.finding.expected,
        "answers": answers(replayed),
        "translated": replayed.is_translated,
        "reproduces": replayed.reproduces,
        "undecided": replayed.undecided,
    })
}

fn answers(replayed: &Replayed) -> Vec<&'static str> {
    replayed.outcome.answers.iter().map(|check| check.answer.word()).collect()
}
