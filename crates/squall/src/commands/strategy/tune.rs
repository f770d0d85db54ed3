//! `squall strategy tune`: learns a strategy for a folder of files, and tells what it brings on files held out.

use crate::args::format::OutputFormat;
use crate::args::{strategies, units};
use crate::commands::compare::{Measurement, ProcessArgs, SOLVERS, problems};
use crate::exit::Exit;
use crate::interruption;
use crate::render::results::{Results, Shown};
use crate::render::say::{Usage, counted};
use crate::render::sheet::{Sheet, cells, numbers, words};
use ::experiment::contender::{Contender, Sample};
use ::experiment::problem::{BenchProblem, instance};
use ::experiment::results::{BenchSamples, SampleVerdict};
use ::experiment::tuning::learn::{learn, shuffle, single};
use ::experiment::tuning::splits::{SplitResult, splits};
use ::experiment::tuning::table::{StepEnd, StepResult, TuningFile, TuningProbe, TuningTable};
use ::solver::install::Fleet;
use ::solver::process::CancelToken;
use ::solver::settings::FILE_NAME;
use ::strategy::probes::{self, PROBES};
use anyhow::{Context, Result};
use smtlib::Store;
use smtlib::strategy::ProbeKind;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The minimum number of files.
const FILES: usize = 12;

/// Learn a strategy for a folder of files from each step's runs on them.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  squall strategy tune problems/ --timeout 10s\n  \
                  squall strategy tune problems/ --step default --step '(solver z3)' --step '(solver z3 :tactic (then simplify solve-eqs smt))' --save mine\n\n\
                  Each step runs once on each file; all strategies are judged from these runs. A strategy is a few rules over probes, each \
                  with steps and time slices. The last lines show what was learned, and how well strategies learned from two thirds \
                  of the files do on the rest.\n\n\
                  Exit codes: 0 learned, 11 nothing to learn (no step is better than the best one), 3 stopped before the end (the same \
                  command resumes), 2 usage, 1 failure.")]
pub struct TuneArgs {
    /// Files and folders of problems.
    #[arg(required = true, value_name = "PATHS")]
    paths: Vec<PathBuf>,
    /// A strategy to use as a step. May be repeated [default: default (our own engines), search, and installed solvers].
    #[arg(long, value_name = "STRATEGY")]
    step: Vec<String>,
    /// The time limit of a file.
    #[arg(long, short, value_name = "TIME", default_value = "10s", value_parser = units::time)]
    timeout: Duration,
    /// The CPU time after which no further file is measured [default: none].
    #[arg(long, value_name = "TIME", value_parser = units::time)]
    for_cpu: Option<Duration>,
    /// The number of random splits that test what is learned.
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=1000))]
    splits: u32,
    /// The seed of the splits, and of the order of the files.
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    #[command(flatten)]
    processes: ProcessArgs,
    /// Write the strategy under this name into squall.toml of the current folder.
    #[arg(long, value_name = "NAME")]
    save: Option<String>,
    /// The output: text, or one JSON object.
    #[arg(long, value_enum, default_value_t = OutputFormat::Text)]
    format: OutputFormat,
    /// Folder for index.html, figures.md, results.json and the runs. The same command resumes there.
    #[arg(long, short, value_name = "DIR", default_value = "tuned")]
    out: PathBuf,
}

/// Runs the subcommand.
/// Errors: a path or step does not exist, or a folder cannot be written.
pub fn run(args: &TuneArgs) -> Result<Exit> {
    let cancel = interruption::token()?;
    let steps = steps(args, &cancel)?;
    let named = |step: &String| Contender::of(&format!("strategy:{step}"), &Fleet::of_user()?, &cancel);
    let contenders: Vec<Contender> = steps.iter().map(named).collect::<Result<_>>()?;
    let (problems, _) = problems(&args.paths)?;
    if problems.len() < FILES {
        usage!("{} given; learning needs at least {FILES}", counted(problems.len(), "file"));
    }
    let mut order: Vec<usize> = (0..problems.len()).collect();
    shuffle(&mut order, args.seed);
    let mut taken: Vec<Option<BenchProblem>> = problems.into_iter().map(Some).collect();
    // In random order, so that the files measured within the budget are a random sample.
    let problems: Vec<BenchProblem> = order.into_iter().filter_map(|n| taken[n].take()).collect();
    let conditions = args.processes.conditions(args.timeout, &cancel)?;
    std::fs::create_dir_all(&args.out).with_context(|| format!("cannot make the folder {}", args.out.display()))?;
    let measurement = Measurement {
        contenders: &contenders,
        conditions: &conditions,
        runs: 1,
        seed: args.seed,
        jobs: args.processes.jobs,
        out: &args.out,
        budget: args.for_cpu,
    };
    let mut results = measurement.measure(problems)?;
    if cancel.is_cancelled() {
        eprintln!("squall: stopped after {}; the same command resumes", counted(results.problems.len(), "file"));
        return Ok(Exit::Unfinished);
    }
    results.settle(&cancel);
    let table = table(&results, steps, args.timeout.as_secs_f64());
    if table.files.len() < FILES {
        usage!("{} can be measured; learning needs at least {FILES}", counted(table.files.len(), "file"));
    }
    let all: Vec<usize> = (0..table.files.len()).collect();
    let (best, learned) = (single(&table, &all).text(&table), learn(&table, &all, args.seed).text(&table));
    let tested = splits(&table, args.splits, args.seed);
    let tuned = Tuned { table: &table, best: &best, learned: &learned, splits: &tested };
    let saved = match (&args.save, learned == best) {
        (Some(name), false) => Some(save(name, &learned, &tuned.brings())?),
        _ => None,
    };
    tuned.show(args, saved.as_deref())?;
    Ok(if learned == best { Exit::Unknown } else { Exit::Clean })
}

/// Returns the steps, each a valid strategy.
fn steps(args: &TuneArgs, cancel: &CancelToken) -> Result<Vec<String>> {
    let mut decider = strategies::decider(Some(args.timeout))?;
    if !args.step.is_empty() {
        for step in &args.step {
            strategies::read(step, decider.vocabulary())?;
        }
        return Ok(args.step.clone());
    }
    let fleet = Fleet::of_user()?;
    let found = SOLVERS.into_iter().filter(|name| Contender::of(name, &fleet, cancel).is_ok());
    Ok(["default".to_string(), "search".to_string()]
        .into_iter()
        .chain(found.map(|s| format!("(solver {s})")))
        .collect())
}

/// Returns what is known of the files that our parser understands.
fn table(results: &BenchSamples, steps: Vec<String>, limit: f64) -> TuningTable {
    let probes = PROBES.iter().map(|probe| {
        let is_number = probe.kind() == ProbeKind::Number;
        TuningProbe { name: probe.name.to_string(), is_number }
    });
    let file = |p: usize| {
        let mut store = Store::new();
        let only = instance(&mut store, &results.problems[p].text)?;
        let probes = probes::values(&mut store, &only.assertions)?;
        let end = |sample: &Sample| StepEnd {
            seconds: sample.wall,
            result: match results.verdict(p, sample) {
                SampleVerdict::Solved => StepResult::Solved,
                SampleVerdict::Wrong => StepResult::Wrong,
                SampleVerdict::Disputed | SampleVerdict::Unsolved => StepResult::GaveUp,
            },
        };
        let ends = results.samples[p].iter().map(|runs| runs.first().map(end)).collect::<Option<_>>()?;
        Some(TuningFile { probes, ends })
    };
    let files = (0..results.problems.len()).filter_map(file).collect();
    TuningTable { steps, probes: probes.collect(), files, limit }
}

/// What was learned.
struct Tuned<'t> {
    table: &'t TuningTable,
    best: &'t str,
    learned: &'t str,
    splits: &'t [SplitResult],
}

impl Tuned<'_> {
    /// Says what strategies learned from two thirds of the files bring on the others.
    fn brings(&self) -> String {
        let sum = |of: &dyn Fn(&SplitResult) -> usize| self.splits.iter().map(of).sum::<usize>();
        let mut closed: Vec<f64> = self.splits.iter().filter_map(SplitResult::closed).collect();
        closed.sort_by(f64::total_cmp);
        let share = match closed[..] {
            [] => "no step is better than the best one on any of them".to_string(),
            _ => format!("{:.0} % of the gap in PAR-2 closed in the median", 100.0 * closed[closed.len() / 2]),
        };
        format!(
            "on held-out files of {}: {} of {} solved; the best single step solves {}, the best step of each file {}; {share}",
            counted(self.splits.len(), "split"),
            sum(&|split| split.of_learned.solved),
            sum(&|split| split.held_out),
            sum(&|split| split.of_single.solved),
            sum(&|split| split.of_best.solved),
        )
    }

    /// Prints and writes the results.
    fn show(&self, args: &TuneArgs, saved: Option<&str>) -> Result<()> {
        let Tuned { table, best, learned, splits } = *self;
        let json = serde_json::json!({
            "files": table.files.len(), "timeout_s": table.limit, "steps": table.steps, "best": best, "learned": learned, "splits": splits,
        });
        let mut results = Results::new(
            "A strategy for your files",
            format!(
                "Each of {} ran once on each of {} files, at most {:.1} s. A strategy is judged from these runs, as if each step needed the same \
                 time in it as alone.",
                counted(table.steps.len(), "step"),
                table.files.len(),
                table.limit
            ),
        );
        let any = (0..table.files.len()).filter(|&file| table.best(file).is_some()).count();
        let verdict = match (learned == best, any) {
            (false, _) => format!("Learned: {learned}"),
            (true, 0) => "Nothing to learn: no step solves any file".to_string(),
            (true, _) => {
                format!(
                    "Nothing to learn: no strategy is better than the step {best}; {any} files are solved by some step"
                )
            }
        };
        results.note(Shown::Everywhere, verdict);
        results
            .heading(Shown::Everywhere, format!("Strategies learned from two thirds of the files, {}", self.brings()));
        let columns = [
            "Split",
            "Held out",
            "Best single",
            "Learned",
            "Best of each",
            "PAR-2 single",
            "learned",
            "best of each",
            "Closed",
        ];
        let mut sheet = Sheet::new(columns.map(numbers).into_iter().chain(["Best single step", "Strategy"].map(words)));
        for (n, one) in splits.iter().enumerate() {
            let solved = cells![n + 1, one.held_out, one.of_single.solved, one.of_learned.solved, one.of_best.solved];
            let par2 = [one.of_single, one.of_learned, one.of_best].map(|score| format!("{:.1} s", score.par2).into());
            let closed = one.closed().map(|closed| format!("{:.0} %", 100.0 * closed));
            sheet.row(solved.into_iter().chain(par2).chain(cells![closed, &one.single, &one.learned]));
        }
        results.sheet(Shown::Written, sheet);
        if let Some(saved) = saved {
            results.note(Shown::Everywhere, saved);
        }
        match args.format {
            OutputFormat::Text => results.publish(&args.out, json, &[]),
            OutputFormat::Json => {
                println!("{json}");
                results.write(&args.out, json, &[])
            }
        }
    }
}

/// Writes a named strategy into the settings file of the current folder. Returns a sentence about it.
fn save(name: &str, strategy: &str, brings: &str) -> Result<String> {
    let is_word = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_');
    if !is_word {
        usage!("--save {name}: a name has letters, digits, - and _ only");
    }
    let path = Path::new(FILE_NAME);
    let old = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
        Err(error) => return Err(error).with_context(|| format!("cannot read {FILE_NAME}")),
    };
    let entry = format!("# Learned by squall strategy tune; {brings}.\n{name} = '''{strategy}'''\n");
    let new = match old.split_inclusive('\n').position(|line| line.trim() == "[strategy]") {
        Some(heading) => {
            let lines = old.split_inclusive('\n');
            let (before, after): (String, String) =
                (lines.clone().take(heading + 1).collect(), lines.skip(heading + 1).collect());
            format!("{}\n{entry}{after}", before.trim_end())
        }
        None => format!("{old}{}[strategy]\n{entry}", if old.is_empty() { "" } else { "\n" }),
    };
    if let Err(error) = new.parse::<toml::Table>() {
        return Err(Usage(format!("{FILE_NAME} would not be valid with a strategy {name}: {}", error.message())).into());
    }
    files::atomic::write(path, new.as_bytes()).with_context(|| format!("cannot write {FILE_NAME}"))?;
    Ok(format!(
        "{FILE_NAME} has it as {name}: allow the file by 'squall setup config allow', then run 'squall solve FILE --strategy {name}'."
    ))
}
