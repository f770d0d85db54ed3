//! `squall explain`: what a finding depends on, in two sentences, by experiments.

use crate::args::format::OutputFormat;
use crate::exit::Exit;
use crate::render::progress::{ProgressLine, without_line};
use crate::render::say::counted;
use ::solver::install::Fleet;
use ::solver::process::{CancelToken, processors};
use anyhow::Result;
use serde_json::json;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Duration;
use triage::explain::{self, ExplainBound, ExplainOrder, Unexplained};
use triage::explanation::FindingExplanation;
use triage::progress::ExplainStep;

/// Explain what a finding depends on: wrong releases, needed options, and options that avoid the wrong answer.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  squall explain squall-out/findings/A-z3@4.8.7-bug3-plain-0123456789ab\n  squall explain found --within 10m\n  \
    squall explain squall-out --format json -j 4\n\n\
    Reduce first: `squall reduce FINDING`. The result is kept in the finding's folder, in explain.json; `squall report` shows it.\n\n\
    Exit codes: 0 nothing reproduces, 10 something was explained, 2 usage, 3 interrupted or out of time (results are kept), 1 a finding \
    could not be explained or lacks its witness (the others were)."
)]
pub struct Args {
    /// Folders of findings, or of whole campaigns.
    #[arg(required = true, value_name = "FINDING")]
    findings: Vec<PathBuf>,
    /// The total CPU time, of solvers and of squall itself [default: no limit].
    #[arg(long, value_name = "TIME", value_parser = crate::args::units::time)]
    within: Option<Duration>,
    /// Number of solvers to run at a time [default: one per processor]; the result does not depend on it.
    #[arg(long, short, value_name = "N")]
    jobs: Option<NonZeroUsize>,
    /// The output: text, or one JSON object per line.
    #[arg(long, value_enum, default_value_t = OutputFormat::Text)]
    format: OutputFormat,
}

/// Numbers of findings by outcome.
#[derive(Default)]
struct Outcomes {
    explained: usize,
    failed: usize,
    unfinished: usize,
}

/// Runs the subcommand.
/// Errors: a folder without findings.
pub fn run(args: Args) -> Result<Exit> {
    let cancel = CancelToken::new();
    let on_signal = cancel.clone();
    // A second handler in one process is an error; the first one does the same.
    let _ = ctrlc::set_handler(move || on_signal.cancel());
    let mut folders = Vec::new();
    for path in &args.findings {
        folders.extend(::finding::folder::find(path)?);
    }
    let fleet = Fleet::of_user()?;
    let bound = ExplainBound::new(args.within, cancel);
    let mut outcomes = Outcomes::default();
    for (n, folder) in folders.iter().enumerate() {
        if bound.is_over() {
            let left = folders.len() - n;
            eprintln!("squall: out of time; {} not explained", counted(left, "finding"));
            outcomes.unfinished += left;
            break;
        }
        match one(&args, folder, &bound, &fleet) {
            Ok(explanation) => {
                outcomes.explained += 1;
                outcomes.unfinished += usize::from(explanation.untried > 0);
                say(&args, folder, &explanation)?;
            }
            // A failure does not stop the others.
            Err(error) => {
                let unexplained = error.downcast_ref::<Unexplained>();
                match unexplained {
                    Some(Unexplained::OutOfTime) => outcomes.unfinished += 1,
                    Some(Unexplained::DoesNotHold(_) | Unexplained::NotShown { .. } | Unexplained::OnlyAsSpelled) => {}
                    Some(Unexplained::WitnessMissing) | None => outcomes.failed += 1,
                }
                refuse(&args, folder, unexplained.is_some(), &triage::error_text(&error));
            }
        }
    }
    if args.format == OutputFormat::Text && folders.len() > 1 {
        let failed = if outcomes.failed > 0 { format!("; {} failed", outcomes.failed) } else { String::new() };
        println!("{} of {} explained{failed}", outcomes.explained, folders.len());
    }
    Ok(match outcomes {
        Outcomes { failed: 1.., .. } => Exit::Failure,
        Outcomes { unfinished: 1.., .. } => Exit::Unfinished,
        Outcomes { explained: 1.., .. } => Exit::Found,
        _ => Exit::Clean,
    })
}

/// Explains one finding, with a line of progress.
fn one(args: &Args, folder: &Path, bound: &ExplainBound, fleet: &Fleet) -> Result<FindingExplanation> {
    let line = ProgressLine::steps("explaining", 0);
    let name = folder.file_name().map_or_else(|| folder.display().to_string(), |name| name.to_string_lossy().into());
    line.begins(&name);
    let watch = |step: &ExplainStep<'_>| {
        line.set_total(step.total as u64);
        line.is_at(step.done as u64);
        line.begins(&format!("{name}: {}", step.about));
    };
    let order = ExplainOrder {
        folder,
        jobs: args.jobs.map_or_else(processors, usize::from),
        bound,
        progress: crate::commands::solver::say,
        say: |note| without_line(|| eprintln!("{note}")),
        watch: Some(&watch),
    };
    explain::explain(&order, fleet)
}

fn say(args: &Args, folder: &Path, explanation: &FindingExplanation) -> Result<()> {
    match args.format {
        OutputFormat::Text => println!("{}\n  {}", folder.display(), explanation.text),
        OutputFormat::Json => {
            let mut event = json!({"event": "explain", "folder": folder.display().to_string()});
            if let (Some(event), serde_json::Value::Object(members)) =
                (event.as_object_mut(), serde_json::to_value(explanation)?)
            {
                event.extend(members);
            }
            println!("{event}");
        }
    }
    Ok(())
}

/// Prints why there is no explanation: there is nothing to explain, or it failed.
fn refuse(args: &Args, folder: &Path, is_refused: bool, cause: &str) {
    match args.format {
        OutputFormat::Text => eprintln!("squall: {}: {cause}", folder.display()),
        OutputFormat::Json => {
            let event = if is_refused { "unexplained" } else { "failed" };
            println!("{}", json!({"event": event, "folder": folder.display().to_string(), "cause": cause}));
        }
    }
}
