//! `squall proof`: judges solvers' proofs step by step.

use crate::args::format::OutputFormat;
use crate::exit::Exit;
use crate::render::progress::ProgressLine;
use anyhow::{Context, Result, bail};
use proof::{EngineAnswer, JudgeLimits, JudgedProof, JudgedStep, ProofReadError, StepCounts, StepVerdict, judge_text};
use rewrite::Wants;
use smtlib::{Store, TermId};
use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use strategy::defaults::default_strategy;
use strategy::{Budget, Shared, SolveAnswer, SolveRequest, Solvers, StrategyPlan, vocabulary};

/// Judge proofs of solvers.
#[derive(clap::Args)]
#[command(after_help = "Example: squall proof judge problem.smt2 proof.txt\n\nExit codes: see the subcommands.")]
pub struct Args {
    #[command(subcommand)]
    command: ProofCommand,
}

#[derive(clap::Subcommand)]
enum ProofCommand {
    /// Find proof steps whose conclusion does not follow from their premises.
    Judge(ProofJudgeArgs),
}

/// Find proof steps whose conclusion does not follow from their premises.
#[derive(clap::Args)]
#[command(
    after_help = "The proof is the output of (get-proof): of z3, or of cvc5 with --proof-print-conclusion in its own format or Alethe.\n\nExample: squall proof judge problem.smt2 proof.txt\n\n\
                        Exit codes: 0 every step holds, 10 a step is refuted or the proof has a fault, 11 nothing is wrong but a step is open, 1 failure, 2 usage."
)]
struct ProofJudgeArgs {
    /// The script; the proof is of its last check.
    #[arg(value_name = "PROBLEM")]
    problem: PathBuf,
    /// The proof.
    #[arg(value_name = "PROOF")]
    proof: PathBuf,
    /// The time limit of all steps.
    #[arg(long, short, value_name = "TIME", default_value = "60s", value_parser = crate::args::units::time)]
    timeout: Duration,
    /// The time limit of one step.
    #[arg(long, value_name = "TIME", default_value = "1s", value_parser = crate::args::units::time)]
    each: Duration,
    /// The maximum size of the text, in bytes.
    #[arg(long, value_name = "N", default_value_t = JudgeLimits::default().bytes)]
    max_bytes: usize,
    /// The maximum number of steps.
    #[arg(long, value_name = "N", default_value_t = JudgeLimits::default().steps)]
    max_steps: usize,
    /// The maximum number of terms.
    #[arg(long, value_name = "N", default_value_t = JudgeLimits::default().nodes)]
    max_terms: usize,
    /// The output: text, or one JSON object.
    #[arg(long, value_enum, default_value_t = OutputFormat::Text)]
    format: OutputFormat,
    /// Print the verdicts for each rule, and why steps are open.
    #[arg(long, short)]
    verbose: bool,
}

/// Runs the subcommand.
/// Errors: a file that cannot be read, or is not a script or a proof.
pub fn run(args: Args) -> Result<Exit> {
    let ProofCommand::Judge(args) = args.command;
    let [problem, proof] = [text(&args.problem, args.max_bytes)?, text(&args.proof, args.max_bytes)?];
    let limits = JudgeLimits {
        bytes: args.max_bytes,
        steps: args.max_steps,
        nodes: args.max_terms,
        each: args.each,
        total: args.timeout,
        ..JudgeLimits::default()
    };
    let plan = own_engines()?;
    let mut engine = |store: &mut Store, formulas: &[TermId], time: Duration| ask(&plan, store, formulas, time);
    let line = ProgressLine::until("judging steps", Some(args.timeout));
    let judged = judge_text(&problem, &proof, &limits, Some(&mut engine));
    drop(line);
    let judged = judged.with_context(|| match args.problem == args.proof {
        true => args.problem.display().to_string(),
        false => format!("{} as a proof of {}", args.proof.display(), args.problem.display()),
    })?;
    let mut out = crate::render::plain::stdout();
    match args.format {
        OutputFormat::Text => show(&mut out, &judged, &args)?,
        OutputFormat::Json => writeln!(out, "{}", json(&judged))?,
    }
    Ok(match (judged.is_wrong(), open(&judged)) {
        (true, _) => Exit::Found,
        (false, 0) => Exit::Clean,
        (false, _) => Exit::Unknown,
    })
}

fn open(judged: &JudgedProof) -> usize {
    judged.theory.open + judged.core.open
}

fn text(path: &Path, most: usize) -> Result<String> {
    if std::fs::metadata(path).is_ok_and(|file| file.len() > most as u64) {
        return Err(ProofReadError::TooLarge { what: "bytes", bound: most })
            .with_context(|| path.display().to_string());
    }
    let bytes = files::named(path)?;
    match String::from_utf8(bytes) {
        Ok(text) => Ok(text),
        Err(error) => {
            let at = error.utf8_error().valid_up_to();
            let lines = error.as_bytes()[..at].iter().filter(|&&b| b == b'\n').count() + 1;
            bail!("{}:{lines}: the text is not UTF-8; convert the file", path.display())
        }
    }
}

/// Our own engines, in their order for an unknown logic.
fn own_engines() -> Result<Arc<StrategyPlan>> {
    let strategy =
        smtlib::strategy::parse_strategy(default_strategy("ALL"), &vocabulary()).context("the default strategy")?;
    strategy::plan(&strategy, &Solvers::default()).map_err(|error| anyhow::anyhow!("the default strategy: {error}"))
}

fn ask(plan: &StrategyPlan, store: &mut Store, formulas: &[TermId], time: Duration) -> EngineAnswer {
    let request = SolveRequest { wants: Wants::ALL, budget: Budget::of(time), explain: false, claims: false };
    let report = strategy::solve(store, formulas, plan, &request, &Arc::new(Shared::default()));
    match report.answer {
        SolveAnswer::Sat { model: Some(model), unchecked: None, .. } => EngineAnswer::Sat(Box::new(model)),
        SolveAnswer::Unsat { .. } => EngineAnswer::Unsat,
        _ => EngineAnswer::Unknown,
    }
}

fn show(out: &mut impl Write, judged: &JudgedProof, args: &ProofJudgeArgs) -> Result<()> {
    let path = args.proof.display();
    for fault in &judged.faults {
        writeln!(out, "{path}:{}:{}: fault: {}", fault.line, fault.column, fault.message)?;
    }
    for (step, refutation) in judged.refuted() {
        writeln!(out, "{path}:{}: refuted: {}", step.line, refutation.describe(&step.name, &step.rule))?;
        writeln!(out, "  this script is satisfiable, but would not be if the step were right:")?;
        for line in refutation.script.lines() {
            writeln!(out, "    {line}")?;
        }
    }
    writeln!(out, "steps of theories: {}", judged.theory)?;
    writeln!(out, "steps of logic: {}", judged.core)?;
    writeln!(out, "steps without a reason: {}", judged.holes.len())?;
    if args.verbose {
        for ((rule, word), count) in outcomes(judged) {
            writeln!(out, "  {count:>6}  {rule}: {word}")?;
        }
    }
    let verdict = match (judged.is_wrong(), open(judged)) {
        (true, _) => "the proof is wrong",
        (false, 0) => "every step holds",
        (false, _) => "nothing is wrong, but some steps are open",
    };
    writeln!(out, "{verdict}")?;
    Ok(())
}

/// Returns the number of steps by rule and verdict, with the reason of open ones.
fn outcomes(judged: &JudgedProof) -> BTreeMap<(String, String), usize> {
    let mut counts = BTreeMap::new();
    for step in &judged.steps {
        let word = match &step.verdict {
            StepVerdict::Assumed => continue,
            StepVerdict::Holds(by) => format!("holds by {}", by.word()),
            StepVerdict::Refuted(_) => "refuted".to_string(),
            StepVerdict::Open(why) => format!("open: {why}"),
        };
        *counts.entry((step.rule.to_string(), word)).or_default() += 1;
    }
    counts
}

fn json(judged: &JudgedProof) -> serde_json::Value {
    let counts = |c: StepCounts| serde_json::json!({ "holds": c.holds, "refuted": c.refuted, "open": c.open });
    let place = |step: &JudgedStep| serde_json::json!({ "step": &*step.name, "rule": &*step.rule, "line": step.line });
    let refuted = judged.refuted().map(|(step, refutation)| {
        serde_json::json!({
            "step": &*step.name, "rule": &*step.rule, "line": step.line, "premises": refutation.premises,
            "conclusion": refutation.conclusion, "assignment": refutation.assignment, "script": refutation.script,
        })
    });
    let faults = judged.faults.iter().map(|fault| {
        serde_json::json!({ "kind": fault.kind.word(), "line": fault.line, "column": fault.column, "message": fault.message })
    });
    let outcomes = outcomes(judged)
        .into_iter()
        .map(|((rule, outcome), count)| serde_json::json!({ "rule": rule, "outcome": outcome, "count": count }));
    serde_json::json!({
        "format": judged.format.map(proof::ProofFormat::word),
        "steps": judged.steps.len(),
        "theory": counts(judged.theory),
        "core": counts(judged.core),
        "holes": judged.holes.iter().map(|&n| place(&judged.steps[n])).collect::<Vec<_>>(),
        "faults": faults.collect::<Vec<_>>(),
        "refuted": refuted.collect::<Vec<_>>(),
        "outcomes": outcomes.collect::<Vec<_>>(),
    })
}
