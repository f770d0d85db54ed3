//! `squall solve`: answers the checks of scripts, and speaks SMT-LIB on standard input.
//!
//! The library has the sessions; this module turns files and streams into commands, and a strategy into a decider.

mod exhaust;
mod json;
mod proofs;
mod search;

use crate::args::format::OutputFormat;
use crate::args::theory::ScriptTheory;
use crate::args::{strategies, units};
use crate::commands::validate::read;
use crate::exit::Exit;
use crate::render::say::Usage;
use ::solver::parallel;
use ::solver::process::CancelToken;
use ::solver::spec::SolverSpec;
use anyhow::{Context, Result};
use smtlib::strategy::Strategy;
use smtlib::{Command, Store};
use std::io::{Read, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use strategy::SolveAnswer;
use strategy::session::{CommandSource, Decide, NextStep, Session, Splitter};

/// Bytes read from standard input at once.
const PIECE: usize = 64 << 10;
/// The time from an interruption to the end.
const GRACE: Duration = Duration::from_millis(500);

/// Answer the checks of SMT-LIB scripts, with a strategy or by trying every assignment, or speak SMT-LIB on standard input
/// and output.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  squall solve problem.smt2\n  squall solve problems/ --timeout 5s\n  squall solve problem.smt2 --with z3 --with cvc5\n  squall solve problem.smt2 --strategy '(then simplify solve-eqs sat)' --explain\n  \
                  squall solve problem.smt2 --strategy '(par-or search (solver z3@4.15.4))' --timeout 20s --model\n  \
                  squall solve problem.smt2 --strategy '(solver z3)' --check cvc5 --core\n  \
                  squall solve problem.smt2 --strategy search --seed 7 --jobs 2 --stats\n  squall solve small.smt2 --exhaust\n  squall solve -\n\n\
                  Exit codes: 0 every check is answered sat or unsat, 11 some are unknown, 3 interrupted, 1 failure, 2 usage."
)]
pub struct Args {
    /// Files and folders, or - to read commands from standard input and answer each at once. With several files or a folder,
    /// every output line begins with the file, as in `a.smt2: sat`.
    #[arg(required = true, value_name = "FILES")]
    files: Vec<PathBuf>,
    /// The strategy: an expression, a name of squall.toml, exec:COMMAND, a file, or search (the fuzzing solver) [default: the
    /// logic's default strategy]. A script's own (check-sat-using S) takes precedence.
    #[arg(long, value_name = "STRATEGY")]
    strategy: Option<String>,
    /// A solver to run in parallel with the default strategy; the first answer wins. May be repeated.
    #[arg(long = "with", value_name = "SPEC", conflicts_with = "strategy")]
    with: Vec<String>,
    /// Use only our own engines, and reject strategies that run other programs. Otherwise an installed z3 and cvc5 run where
    /// the default strategy has no answer.
    #[arg(long, conflicts_with = "with")]
    own_engines: bool,
    /// Decide one file by trying every assignment, and print the record. Symbols and bound variables must range over few values:
    /// by their sort, or by a guard such as (or (= x 1.5) (= x 2.5)), (<= 0 i 9) or (str.in_re s …). Values that the standard
    /// leaves open are tried, too. Each check may take --timeout (60s by default), all together ten times as long.
    #[arg(long, conflicts_with_all = ["strategy", "with", "own_engines", "model", "core", "proof", "check", "explain", "stats"])]
    exhaust: bool,
    #[command(flatten)]
    exhaustion: exhaust::ExhaustArgs,
    #[command(flatten)]
    theory: ScriptTheory,
    /// With --strategy search, how it searches: default, random, distance, invert or sum.
    #[arg(long, value_name = "WAY", default_value = "default")]
    search: ::search::StrategyChoice,
    /// With --strategy search, how it runs formulas: auto, interpreter or jit.
    #[arg(long, value_name = "ENGINE", default_value = "auto")]
    engine: ::search::Executor,
    /// With --strategy search, a starting point: a file with a model as printed by (get-model), close to a solution. May
    /// be repeated.
    #[arg(long = "start", value_name = "FILE")]
    starts: Vec<PathBuf>,
    /// The time limit of each check.
    #[arg(long, short, value_name = "TIME", value_parser = units::time)]
    timeout: Option<Duration>,
    /// With --strategy search, the random seed.
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Files at a time; with --strategy search, the number of threads for one file.
    #[arg(long, short, value_name = "N", default_value = "1")]
    jobs: NonZeroUsize,
    /// The output: text, or one JSON object per check: its answer, what certifies it, the reason for unknown, times and steps.
    #[arg(long, value_enum, default_value_t = OutputFormat::Text)]
    format: OutputFormat,
    /// Print a model after each sat, as (get-model) does.
    #[arg(long)]
    model: bool,
    /// Print an unsat core after each unsat.
    #[arg(long)]
    core: bool,
    /// Write the steps of each refutation to this file: the first check's to FILE, that of check n to FILE.n.
    #[arg(long, value_name = "FILE")]
    proof: Option<PathBuf>,
    /// Run this solver on the core of every refutation; if it finds a model, the answer is unknown.
    #[arg(long, value_name = "SPEC")]
    check: Option<SolverSpec>,
    /// Print the steps of the strategy and of refutations on standard error.
    #[arg(long)]
    explain: bool,
    /// Print statistics on standard error: times, executions, best distances.
    #[arg(long)]
    stats: bool,
}

/// Runs the subcommand.
/// Errors: a file or strategy with errors, or an option out of range.
pub fn run(args: Args) -> Result<Exit> {
    if args.exhaust {
        let [file] = args.files.as_slice() else { usage!("--exhaust takes one file") };
        return exhaust::run(file, args.timeout, &args.exhaustion, &args.theory, args.format);
    }
    let cancel = CancelToken::new();
    let mut decider = decider(&args, &cancel)?;
    let stop = cancel.clone();
    // Running work is stopped with its processes within 100 ms; then a wait for input is ended.
    let interrupted = move || {
        stop.cancel();
        std::thread::sleep(GRACE);
        Exit::Unfinished.end()
    };
    ctrlc::set_handler(interrupted).context("cannot watch for interruptions")?;
    let (mut decided, mut failed) = (true, false);
    let files = files::named_scripts(&args.files)?;
    let is_stream = files.iter().any(|path| path.as_os_str() == "-");
    if args.proof.is_some() && is_stream {
        usage!("--proof needs files; on standard input, (get-proof) shows the steps of the last refutation");
    }
    if args.format == OutputFormat::Json && is_stream {
        usage!("--format json needs files; on standard input, commands are answered as SMT-LIB says");
    }
    let proofs = args.proof.clone().map(proofs::ProofFiles::new).transpose()?;
    // Several files, or a folder, even of one file, so that the output format does not depend on the number of files.
    let is_named = args.files.len() > 1 || args.files.iter().any(|path| path.is_dir());
    let out = |path: &Path| AnswerOutput {
        file: is_named.then(|| path.display().to_string()),
        proofs: proofs.as_ref(),
        json: (args.format == OutputFormat::Json).then(|| path.display().to_string()),
    };
    // Files of proofs are numbered in the order of checks, and search uses the jobs for one file.
    let is_parallel =
        args.jobs.get() > 1 && !is_stream && args.proof.is_none() && args.strategy.as_deref() != Some("search");
    let answered: Box<dyn Iterator<Item = Result<bool>> + '_> = if is_parallel {
        let each = |path: &PathBuf| match cancel.is_cancelled() {
            true => Ok(false),
            false => answer(&mut *self::decider(&args, &cancel)?, path, &args, &out(path), &cancel),
        };
        Box::new(parallel::in_order(&files, args.jobs.get(), each).into_iter())
    } else {
        Box::new(files.iter().map(|path| match path.as_os_str() == "-" {
            true => serve(&mut *decider, &args, &cancel),
            false => answer(&mut *decider, path, &args, &out(path), &cancel),
        }))
    };
    for result in answered {
        match result {
            Ok(all) => decided &= all,
            // A file that cannot be read does not stop the others.
            Err(error) if files.len() > 1 && !crate::render::say::is_broken_pipe(&error) => {
                eprintln!("squall: error: {}", triage::error_text(&error));
                failed = true;
            }
            Err(error) => return Err(error),
        }
        if cancel.is_cancelled() {
            return Ok(Exit::Unfinished);
        }
    }
    Ok(match (failed, decided) {
        (true, _) => Exit::Failure,
        (_, true) => Exit::Clean,
        (_, false) => Exit::Unknown,
    })
}

/// Returns the text of a model to start from.
fn starting_point(path: &Path) -> Result<search::StartingText> {
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    Ok(search::StartingText { file: path.display().to_string(), text })
}

/// Returns the decider.
fn decider(args: &Args, cancel: &CancelToken) -> Result<Box<dyn Decide>> {
    if args.strategy.as_deref() == Some("search") {
        if args.check.is_some() || args.explain {
            usage!("--check and --explain need a strategy; write --strategy '(then search)' for the fuzzing solver");
        }
        let cancel = cancel.clone();
        return Ok(Box::new(search::SearchArgs {
            way: args.search,
            engine: args.engine,
            seed: args.seed,
            jobs: args.jobs.get(),
            starts: args.starts.iter().map(|path| starting_point(path)).collect::<Result<_>>()?,
            time: args.timeout,
            cancel,
            claims: args.proof.is_some(),
        }));
    }
    let mut decider = strategies::decider(args.timeout)?;
    decider.time = args.timeout;
    decider.cancel = cancel.clone();
    decider.explain = args.explain || args.format == OutputFormat::Json;
    decider.cores = args.core;
    decider.claims = args.proof.is_some();
    decider.own_engines = args.own_engines;
    if let Some(word) = &args.strategy {
        let strategy = strategies::read(word, decider.vocabulary())?;
        decider.give(&strategy).map_err(|error| Usage(error.to_string()))?;
    }
    if !args.own_engines {
        decider.ask_after(&strategies::ASKED_AFTER);
    }
    for spec in &args.with {
        decider.beside(spec).map_err(|error| Usage(error.to_string()))?;
    }
    if let Some(spec) = &args.check {
        let spec = spec.to_string();
        let second = Strategy::Solver(spec.as_str().into(), [].into());
        decider.check_by(&spec, &second).map_err(|error| Usage(error.to_string()))?;
    }
    Ok(Box::new(decider))
}

/// The output of a file's checks.
struct AnswerOutput<'a> {
    /// The files of proofs, if wanted.
    proofs: Option<&'a proofs::ProofFiles>,
    /// The file that every line begins with; `None` for a single file, as users of solvers expect.
    file: Option<String>,
    /// The file in JSON output.
    json: Option<String>,
}

impl AnswerOutput<'_> {
    /// Shows responses, with the file before each line.
    fn show(&self, text: &str) -> Result<()> {
        if let Some(file) = &self.json {
            return match text.trim_end() {
                "" => Ok(()),
                text => show(&format!("{}\n", serde_json::json!({ "file": file, "response": text }))),
            };
        }
        let Some(file) = &self.file else { return show(text) };
        show(&text.lines().map(|line| format!("{file}: {line}\n")).collect::<String>())
    }

    /// Prints a remark on a check on standard error.
    fn say(&self, words: std::fmt::Arguments<'_>) {
        match &self.file {
            Some(file) => eprintln!("squall: {file}: {words}"),
            None => eprintln!("squall: {words}"),
        }
    }
}

/// Answers the checks of a file. Returns whether all were decided.
fn answer(
    decider: &mut dyn Decide,
    path: &Path,
    args: &Args,
    out: &AnswerOutput<'_>,
    cancel: &CancelToken,
) -> Result<bool> {
    let start = Instant::now();
    let mut store = Store::new();
    let (source, parsed) = read(&mut store, path, &args.theory)?;
    if args.stats {
        eprintln!("{}: read in {}", path.display(), units::time_text(start.elapsed().as_secs_f64()));
    }
    let mut session = Session::new(decider);
    session.adopt(store);
    for (place, command) in parsed.script.commands.iter().enumerate() {
        let source = CommandSource::of(&parsed, place, &source);
        if execute(&mut session, command, source, args, out)? == NextStep::Exit || cancel.is_cancelled() {
            break;
        }
    }
    Ok(session.undecided == 0)
}

/// Executes one command, and shows its response and the details that options ask for.
fn execute(
    session: &mut Session<'_>,
    command: &Command,
    source: CommandSource<'_>,
    args: &Args,
    out: &AnswerOutput<'_>,
) -> Result<NextStep> {
    let mut text = String::new();
    let next = session.execute(command, source, &mut text);
    if command.is_check() && session.report().is_some() {
        match &out.json {
            Some(file) => {
                text.clear();
                show(&format!("{}\n", json::of_check(session, file, args)))?;
            }
            None => after_check(session, args, out, &mut text),
        }
    }
    out.show(&text)?;
    if command.is_check()
        && let (Some(proofs), Some((store, _, report))) = (out.proofs, session.last_check())
        && let Some(words) = proofs.add(store, report)?
    {
        out.say(format_args!("{words}"));
    }
    Ok(next)
}

fn show(text: &str) -> Result<()> {
    let mut out = crate::render::plain::stdout();
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(())
}

fn after_check(session: &mut Session<'_>, args: &Args, out: &AnswerOutput<'_>, text: &mut String) {
    let is_sat = matches!(session.report().map(|r| &r.answer), Some(SolveAnswer::Sat { .. }));
    if args.model && is_sat {
        session.execute(&Command::GetModel, CommandSource::default(), text);
    }
    let Some((store, instance, report)) = session.last_check() else { return };
    match &report.answer {
        SolveAnswer::Unknown(why) => out.say(format_args!("unknown: {why}")),
        SolveAnswer::Sat { by, unchecked: Some(why), .. } => out.say(format_args!("sat is trusted: {by}: {why}")),
        SolveAnswer::Sat { .. } => {}
        SolveAnswer::Unsat { core, proof } => {
            if args.core {
                text.push_str("(\n");
                for &n in core {
                    text.push_str(&format!("{}\n", store.term_text(instance.assertions[n])));
                }
                text.push_str(")\n");
            }
            let trusted = proof.trusted();
            if !trusted.is_empty() {
                out.say(format_args!("unsat is trusted: {}", trusted.join(", ")));
            }
            if args.explain {
                eprintln!("{}", proof.text().trim_end());
            }
        }
    }
    if args.explain {
        eprintln!("{}", report.trace.text().trim_end());
    }
    if args.stats {
        eprintln!("answered in {}", units::time_text(report.time.as_secs_f64()));
    }
    if args.stats || args.explain || args.check.is_some() {
        report.notes.iter().for_each(|line| eprintln!("{line}"));
    }
}

/// Speaks SMT-LIB on standard input and output. Returns whether all checks were decided.
fn serve(decider: &mut dyn Decide, args: &Args, cancel: &CancelToken) -> Result<bool> {
    let mut session = Session::new(decider);
    let mut splitter = Splitter::default();
    let mut piece = vec![0; PIECE];
    let mut stdin = std::io::stdin().lock();
    loop {
        while let Some(command) = splitter.next_command() {
            if respond(&mut session, &command)? == NextStep::Exit || cancel.is_cancelled() {
                return Ok(session.undecided == 0);
            }
        }
        let length = match stdin.read(&mut piece) {
            Ok(length) => length,
            // A signal: the loop checks the token.
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted && !cancel.is_cancelled() => continue,
            Err(_) if cancel.is_cancelled() => return Ok(false),
            Err(error) => return Err(error).context("cannot read standard input"),
        };
        if length == 0 {
            break;
        }
        splitter.push(&piece[..length]);
    }
    respond(&mut session, &splitter.rest())?;
    if args.stats {
        eprintln!("{} errors, {} checks not decided", session.errors, session.undecided);
    }
    Ok(session.undecided == 0)
}

fn respond(session: &mut Session<'_>, command: &[u8]) -> Result<NextStep> {
    let mut text = String::new();
    let next = session.read(&String::from_utf8_lossy(command), &mut text);
    show(&text)?;
    Ok(next)
}
