//! `squall validate`: checks models.

mod ask;
pub mod judged;
mod value;

use crate::args::format::OutputFormat;
use crate::args::theory::ScriptTheory;
use crate::exit::Exit;
use crate::render::progress::{ProgressLine, without_line};
use crate::render::say::counted;
use anyhow::{Context, Result, bail};
use ask::{Asker, ModelOfCheck};
use judged::{JudgedModel, VerdictWord};
use semantics::EvalLimits;
use semantics::judge::settle;
use semantics::truth::{OpenTruth, unproven};
use smtlib::{Command, Instance, Parsed, Store};
use solver::install::Fleet;
use solver::outcome::Answer;
use solver::process::ProcessLimits;
use solver::response::{Response, SatResponse, responses};
use solver::spec::SolverSpec;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Check whether a model makes every assertion true.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  squall validate problem.smt2 model.txt\n  \
                  squall validate --solver z3 problem.smt2\n  squall validate --solver z3 --solver cvc5 --format json problems/\n  \
                  squall validate problem.smt2 model.txt --eval '(+ x 1)'\n  squall validate problem.smt2 --eval '(bvadd #xff #x01)'\n\n\
                  Exit codes: 0 valid or the value is known, 10 invalid, 11 unknown, 1 failure, 2 usage.")]
pub struct Args {
    /// A file and its model; with --solver, files and folders to get models for.
    #[arg(required = true, value_name = "FILE… [MODEL]")]
    files: Vec<PathBuf>,
    /// A solver that gives models. May be repeated: each solver runs on each file.
    #[arg(long, short, value_name = "SPEC")]
    solver: Vec<SolverSpec>,
    /// Print the value of this term under the model instead. Without a model, symbols have no value.
    #[arg(long, value_name = "TERM")]
    eval: Option<String>,
    /// The check whose declarations and model --eval uses, from 1 [default: the last].
    #[arg(long, value_name = "N", requires = "eval")]
    check: Option<usize>,
    /// The time limit of one run of the solver.
    #[arg(long, short, value_name = "TIME", default_value = "20s", value_parser = crate::args::units::time)]
    timeout: Duration,
    /// The output: text, or one JSON object per line: one for each file, then the counts.
    #[arg(long, value_enum, default_value_t = OutputFormat::Text)]
    format: OutputFormat,
    #[command(flatten)]
    theory: ScriptTheory,
    /// Print the details of every file.
    #[arg(long, short)]
    verbose: bool,
}

/// How a definition in a model begins.
const DEFINITION: &str = "(define-";

/// The source of models.
enum ModelSource {
    File(PathBuf),
    Solver(Box<Asker>),
}

/// One file's verdicts.
struct FileReport {
    name: String,
    source: String,
    checks: Vec<JudgedModel>,
    /// The solver that gave the models, if any.
    solver: Option<String>,
}

impl FileReport {
    /// Returns the worst verdict; unknown without one.
    fn word(&self) -> VerdictWord {
        self.checks.iter().map(|check| check.word).min().unwrap_or(VerdictWord::Unknown)
    }
}

/// Runs the subcommand.
/// Errors: a missing path, a solver that is not available, or output that cannot be written.
pub fn run(args: Args) -> Result<Exit> {
    if let Some(term) = &args.eval {
        return value::print(&args, term);
    }
    let (paths, sources) = match (&args.solver[..], &args.files[..]) {
        ([], [file, model]) => (vec![file.clone()], vec![ModelSource::File(model.clone())]),
        ([], _) => usage!("without --solver, give a file and its model: squall validate FILE MODEL"),
        (specs, _) => {
            let source = |spec| Ok(ModelSource::Solver(Box::new(asker(spec, args.timeout)?)));
            (files::named_scripts(&args.files)?, specs.iter().map(source).collect::<Result<Vec<_>>>()?)
        }
    };
    let work: Vec<(&PathBuf, &ModelSource)> =
        paths.iter().flat_map(|path| sources.iter().map(move |source| (path, source))).collect();
    let is_one = work.len() == 1;
    let details = args.verbose || is_one;
    let mut out = crate::render::plain::stdout();
    let mut counts = [0u64; 3];
    let mut failed = 0u64;
    let line = ProgressLine::steps("judging models", work.len() as u64);
    for (path, source) in work {
        line.begins(&path.display().to_string());
        match report(path, source, &args.theory) {
            Ok(report) => {
                counts[report.word() as usize] += 1;
                without_line(|| match args.format {
                    OutputFormat::Text => show(&mut out, &report, details),
                    OutputFormat::Json => Ok(writeln!(out, "{}", json(&report))?),
                })?;
            }
            Err(error) => {
                failed += 1;
                eprintln!("{}: {error:#}", path.display());
            }
        }
        line.advance(1);
    }
    drop(line);
    let [invalid, unknown, valid] = counts;
    match args.format {
        OutputFormat::Json => {
            let line = serde_json::json!({ "valid": valid, "invalid": invalid, "unknown": unknown, "failed": failed });
            writeln!(out, "{line}")?;
        }
        OutputFormat::Text if !is_one => {
            writeln!(out, "{valid} valid, {invalid} invalid, {unknown} unknown, {failed} failed")?;
        }
        OutputFormat::Text => {}
    }
    Ok(match (invalid, failed, unknown) {
        (1.., _, _) => Exit::Found,
        (_, 1.., _) => Exit::Failure,
        (_, _, 1..) => Exit::Unknown,
        _ => Exit::Clean,
    })
}

fn asker(spec: &SolverSpec, wall: Duration) -> Result<Asker> {
    let fleet = Fleet::of_user()?;
    let installed = fleet
        .ensure(spec, &mut crate::commands::solver::say)
        .with_context(|| format!("cannot use {}", spec.label()))?;
    let dialect = oracle::tested::dialect(&installed);
    let limits = ProcessLimits { wall, output_bytes: 64 << 20, ..ProcessLimits::default() };
    Ok(Asker { solver: fleet.solver(installed), dialect, limits })
}

/// Judges all checks of a file.
fn report(path: &Path, source: &ModelSource, theory: &ScriptTheory) -> Result<FileReport> {
    let solver = match source {
        ModelSource::Solver(asker) => Some(asker.solver.installed().label()),
        ModelSource::File(_) => None,
    };
    let name = path.display().to_string();
    let mut store = Store::new();
    let (text, parsed) = read(&mut store, path, theory)?;
    let models = match source {
        ModelSource::Solver(asker) => asker.models(&store, &parsed.script)?,
        ModelSource::File(model) => {
            let bytes = files::named(model)?;
            models_in(&String::from_utf8_lossy(&bytes), parsed.script.check_count())
                .with_context(|| format!("in {}", model.display()))?
        }
    };
    let mut checks = Vec::new();
    let answers = answers(&models);
    for (instance, model) in parsed.script.each_instance().zip(models) {
        let asker = match source {
            ModelSource::Solver(asker) => Some(&**asker),
            ModelSource::File(_) => None,
        };
        checks.extend(judge(&mut store, &parsed, &instance, model, asker)?);
    }
    if checks.is_empty() {
        checks.push(JudgedModel::unknown(0, format!("there is no model, as no check is answered sat ({answers})")));
    }
    Ok(FileReport { name, source: text, checks, solver })
}

/// Returns the answers other than `sat`, each once, and the first error message.
fn answers(models: &[ModelOfCheck]) -> String {
    let mut words: Vec<&str> = models.iter().map(|check| check.answer.word()).collect();
    words.sort_unstable();
    words.dedup();
    let complaint = models.iter().find_map(|check| check.complaint.as_deref());
    let complaint = complaint.map_or(String::new(), |text| format!(": {}", text.lines().next().unwrap_or_default()));
    format!("{}{complaint}", words.join(", "))
}

/// Returns the message for a --check that a file does not have.
pub fn no_such_check(checks: usize) -> String {
    let which = if checks == 1 { "1" } else { "between 1 and that" };
    format!("the file has {}; --check must be {which}", counted(checks, "check"))
}

/// Reads a valid file; appends a check if there is none.
pub fn read(store: &mut Store, path: &Path, theory: &ScriptTheory) -> Result<(String, Parsed)> {
    let name = path.display().to_string();
    let bytes = files::named(path)?;
    let text = String::from_utf8(bytes).with_context(|| format!("{name}: the text is not UTF-8"))?;
    let mut text = theory.declared(text);
    let mut parsed = smtlib::parse(store, &text);
    if parsed.errors.is_empty() && !parsed.script.commands.iter().any(|c| c.is_check()) {
        text.push_str("\n(check-sat)\n");
        *store = Store::new();
        parsed = smtlib::parse(store, &text);
        // Nothing after the end is part of the script, except the check.
        let commands = &mut parsed.script.commands;
        if let Some(end) = commands.iter().position(|c| *c == Command::Exit) {
            commands.truncate(end);
            commands.push(Command::CheckSat);
        }
    }
    match parsed.errors.first() {
        None => Ok((text, parsed)),
        Some(error) => bail!("{}", error.render(&name, &text)),
    }
}

/// Returns the models in a solver's output: without answers, or after each `sat`.
pub fn models_in(text: &str, checks: usize) -> Result<Vec<ModelOfCheck>> {
    let said = |answer: Answer, model: Option<String>| ModelOfCheck { answer, model, complaint: None };
    let mut models: Vec<ModelOfCheck> = Vec::new();
    let mut alone: Vec<&str> = Vec::new();
    for response in responses(text) {
        match response {
            Response::Answer(word) => models.push(said(word.into(), None)),
            Response::Expression(expression) => match models.last_mut() {
                Some(last) => {
                    let model = last.model.get_or_insert_default();
                    // Next to definitions, printed values are not part of the model.
                    match (model.contains(DEFINITION), expression.contains(DEFINITION)) {
                        (true, false) => continue,
                        (false, true) => model.clear(),
                        _ => {}
                    }
                    model.push_str(expression);
                    model.push('\n');
                }
                None => alone.push(expression),
            },
            Response::Error(message) => {
                if let Some(last) = models.last_mut() {
                    last.complaint = Some(message.to_string());
                }
            }
            Response::Truncated(_) => bail!("the model ends in the middle of a parenthesis"),
            _ => {}
        }
    }
    if models.is_empty() {
        if checks > 1 && alone.len() == checks {
            return Ok(alone.into_iter().map(|model| said(SatResponse::Sat.into(), Some(model.to_string()))).collect());
        }
        if checks > 1 {
            bail!("the file has {checks} checks and the model file {} models without answers", alone.len());
        }
        return Ok(vec![said(SatResponse::Sat.into(), Some(text.to_string()))]);
    }
    Ok(models)
}

/// Returns the verdict on one check's model; `None` without a model.
fn judge(
    store: &mut Store,
    parsed: &Parsed,
    instance: &Instance,
    given: ModelOfCheck,
    asker: Option<&Asker>,
) -> Result<Option<JudgedModel>> {
    let number = instance.check;
    if given.answer != Answer::Sat {
        return Ok(None);
    }
    let Some(text) = given.model else {
        let why = given.complaint.map_or_else(|| "the solver gives no model".to_string(), |c| format!("no model: {c}"));
        return Ok(Some(JudgedModel::unknown(number, why)));
    };
    if let Some(why) = asker.and_then(|asker| asker.solver.installed().miswritten(&text)) {
        return Ok(Some(JudgedModel::unknown(number, why)));
    }
    let mut trouble = None;
    let settled = settle(store, instance, &text, EvalLimits::default(), &mut |store, asked| {
        let values = asker?.values(store, &parsed.script, number, asked);
        values.unwrap_or_else(|error| {
            trouble = Some(error);
            None
        })
    });
    if let Some(error) = trouble {
        return Err(error);
    }
    let (missing, judgement) = match settled {
        Ok((judge, judgement)) => (judged::names(store, judge.completed()), judgement),
        Err(error) => return Ok(Some(JudgedModel::unknown(number, error.to_string()))),
    };
    let judged = JudgedModel::new(store, parsed, number, judgement, &missing);
    // One false assertion suffices; a valid verdict needs all assertions to be understood.
    if judged.word != VerdictWord::Valid {
        return Ok(Some(judged));
    }
    if instance.incomplete {
        let why = "the file has solver-specific commands, which are only carried as text";
        return Ok(Some(JudgedModel::unknown(number, why)));
    }
    Ok(Some(match unproven(store, &instance.declarations) {
        Some(name) => JudgedModel::unknown(number, OpenTruth::NotTotal(name.to_string()).to_string()),
        None => judged,
    }))
}

fn show(out: &mut impl Write, report: &FileReport, details: bool) -> Result<()> {
    let FileReport { source, checks, .. } = report;
    // With several files or solvers, each line names both.
    let name = &match &report.solver {
        Some(solver) if !details => format!("{} ({solver})", report.name),
        _ => report.name.clone(),
    };
    let one = checks.len() == 1;
    if !details {
        let worst = checks.iter().min_by_key(|check| check.word);
        let why = worst.and_then(|check| check.why.as_deref()).map_or(String::new(), |why| format!(": {why}"));
        let term = worst.and_then(|check| check.term.as_deref()).map_or(String::new(), |term| format!(": {term}"));
        writeln!(out, "{name}: {}{why}{term}", report.word().text())?;
        return Ok(());
    }
    for check in checks {
        let place = if one { String::new() } else { format!("check {}: ", check.check + 1) };
        let why = check.why.as_deref().map_or(String::new(), |why| format!(": {why}"));
        match &check.span {
            Some(span) => {
                let heading = format!("{place}{}{why}", check.word.text());
                writeln!(out, "{}", smtlib::error::underlined(name, source, span.clone(), &heading))?;
            }
            None => {
                let term = check.term.as_deref().map_or(String::new(), |term| format!(": {term}"));
                writeln!(out, "{name}: {place}{}{why}{term}", check.word.text())?;
            }
        }
        for (term, value) in &check.subterms {
            writeln!(out, "  = {value}  is  {term}")?;
        }
    }
    if !one {
        writeln!(out, "{name}: {}", report.word().text())?;
    }
    Ok(())
}

fn json(report: &FileReport) -> serde_json::Value {
    let checks: Vec<_> = report
        .checks
        .iter()
        .map(|check| {
            let place = check.span.as_ref().map(|span| smtlib::error::position(&report.source, span.start));
            serde_json::json!({
                "check": check.check + 1,
                "verdict": check.word.text(),
                "why": check.why,
                "term": check.term,
                "line": place.map(|p| p.0),
                "column": place.map(|p| p.1),
                "subterms": check.subterms.iter()
                    .map(|(term, value)| serde_json::json!({ "term": term, "value": value })).collect::<Vec<_>>(),
            })
        })
        .collect();
    serde_json::json!({ "file": report.name, "solver": report.solver, "verdict": report.word().text(), "checks": checks })
}
