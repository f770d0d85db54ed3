//! `squall experiment conform`: compares our evaluator with solvers on random ground applications of a theory's operators and on the
//! results of solvers' passes on small finite problems; checks solvers' rewrite rules.

mod passes;
mod rules;

use crate::args::format::RowFormat;
use crate::exit::Exit;
use crate::render::progress::ProgressLine;
use ::conform::application::theories;
use ::conform::explained::BUILT_IN;
use ::conform::{ApplicationBlock, DisagreementScript, Explained, SolverUnderTest, Tally};
use anyhow::{Context, Result};
use oracle::candidate::own_cpu;
use serde_json::{Value, json};
use solver::install::Fleet;
use solver::process::ProcessLimits;
use solver::spec::SolverSpec;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

/// Blocks of applications per solver process.
const BLOCKS_A_ROUND: usize = 16;

/// The time limit of one solver process.
const PROCESS_TIME: Duration = Duration::from_secs(120);

/// Disagreements shown per solver, unless all kept ones are wanted.
const SHOWN: usize = 40;

/// Compare the evaluator with solvers on random ground terms of every operator of a theory.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  squall experiment conform --solver z3 --solver cvc5 --theory Ints\n  \
                  squall experiment conform --solver z3@4.15.4 --theory FloatingPoint --count 200000 --seed 7\n  \
                  squall experiment conform --solver z3 --ask pass --passes simplify,ctx-simplify --theory bv,strings --count 1000\n  \
                  squall experiment conform --rules cvc5/src/theory\n\n\
                  Exit codes: 0 every disagreement is explained, 10 some are not or a rule is wrong, 11 a solver never answered or \
                  no rule can be checked, 2 usage, 1 failure.")]
pub struct Args {
    /// A solver to compare with. May be repeated.
    #[arg(long, short, required_unless_present = "rules", value_name = "SPEC")]
    solver: Vec<SolverSpec>,
    /// Instead of a solver: rewrite rules of cvc5 in RARE, each decided at small sizes. A file, or a folder with files `rewrites*` or `*.rare`. May be repeated.
    #[arg(
        long,
        value_name = "PATH",
        conflicts_with_all = ["solver", "theory", "count", "seed", "operator", "ask", "passes", "out", "explained", "rates"]
    )]
    rules: Vec<PathBuf>,
    /// A theory by its name in the SMT-LIB catalogue. May be repeated [default: all]. With `--ask pass` the theories are those of `squall mutate --worlds`.
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    theory: Vec<String>,
    /// Applications of known value per theory; with `--ask pass`, problems.
    #[arg(long, short = 'n', default_value_t = 20_000, value_name = "N")]
    count: u64,
    /// The seed of all applications.
    #[arg(long, default_value_t = 0, value_name = "SEED")]
    seed: u64,
    /// Only these operators, by their standard names.
    #[arg(long, value_name = "OPERATOR")]
    operator: Vec<String>,
    /// The query to solvers.
    #[arg(long, value_enum, default_value_t = AskArg::Equation, value_name = "WAY")]
    ask: AskArg,
    /// With `--ask pass`: the passes, separated by commas [default: those listed for the solver].
    #[arg(long, value_name = "PASS", value_delimiter = ',', allow_hyphen_values = true)]
    passes: Vec<String>,
    /// With `--ask pass`: folder for the scripts of each difference.
    #[arg(long, short, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Further explained disagreements, in the format of the built-in table.
    #[arg(long, value_name = "FILE")]
    explained: Option<PathBuf>,
    /// Also print counts by operator.
    #[arg(long, short)]
    verbose: bool,
    /// Print terms per second of CPU time, of each solver and of this program.
    #[arg(long)]
    rates: bool,
    #[command(flatten)]
    print: RowFormat,
}

/// The query to solvers.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum AskArg {
    /// Whether the term equals our value: (simplify (= term value)) if the solver has it, and check-sat where that decides nothing.
    Equation,
    /// Whether the term can differ from our value: (assert (not (= term value))) and check-sat.
    Check,
    /// As check, but constants replace the arguments, so that decision procedures find the answer instead of constant folding.
    Hidden,
    /// The term's value: (simplify term), which is constant folding only.
    Simplify,
    /// The term's value: (get-value (term)) after a check-sat without assertions.
    Value,
    /// The result of a pass on a small finite problem: (apply PASS) or the assertions after preprocessing. Exhaustion decides both sides.
    Pass,
}

impl AskArg {
    /// Returns the query about terms; `None` for passes.
    fn of_terms(self) -> Option<::conform::Ask> {
        match self {
            AskArg::Equation => Some(::conform::Ask::Equation),
            AskArg::Check => Some(::conform::Ask::Check),
            AskArg::Hidden => Some(::conform::Ask::Hidden),
            AskArg::Simplify => Some(::conform::Ask::Simplify),
            AskArg::Value => Some(::conform::Ask::Value),
            AskArg::Pass => None,
        }
    }
}

/// Runs the subcommand.
/// Errors: a solver is not available or cannot be run, a theory or operator is unknown, or a table is malformed.
pub fn run(args: Args) -> Result<Exit> {
    if !args.rules.is_empty() {
        return rules::run(&args);
    }
    let mut table = Explained::parse(BUILT_IN)?;
    if let Some(path) = &args.explained {
        let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
        let more = Explained::parse(&text).with_context(|| format!("in {}", path.display()))?;
        table.explained.extend(more.explained);
        table.asking.extend(more.asking);
    }
    let fleet = Fleet::of_user()?;
    let Some(ask) = args.ask.of_terms() else { return passes::run(&args, &fleet, &table) };
    if !args.passes.is_empty() || args.out.is_some() {
        usage!("--passes and --out are for `--ask pass`");
    }
    let limits = ProcessLimits { wall: PROCESS_TIME, output_bytes: 64 << 20, ..ProcessLimits::default() };
    let mut tested = Vec::new();
    for spec in &args.solver {
        let installed = fleet
            .ensure(spec, &mut crate::commands::solver::say)
            .with_context(|| format!("cannot use {}", spec.label()))?;
        let label = installed.label();
        if args.ask == AskArg::Simplify && !installed.profile.knows_simplify(installed.version.as_ref()) {
            usage!("{label} does not know (simplify t), by its profile; `--ask value` asks for values, too");
        }
        let dialect = oracle::tested::dialect(&installed);
        tested.push((label, SolverUnderTest::new(fleet.solver(installed), dialect, limits.clone(), &table, ask)));
    }
    let names: Vec<String> = match args.theory.is_empty() {
        true => theories().map(|theory| theory.name.to_string()).collect(),
        false => args.theory.clone(),
    };
    let mut unexplained = 0;
    let mut answered = vec![0; tested.len()];
    for name in &names {
        unexplained += one_theory(&args, name, &mut tested, &table, &mut answered)?;
    }
    let silent = answered.iter().zip(&tested).filter(|(answers, _)| **answers == 0);
    let silent: Vec<&str> = silent.map(|(_, (label, _))| label.as_str()).collect();
    if !silent.is_empty() {
        eprintln!(
            "squall: {} never answered, so nothing was compared with it: is it the right program?",
            silent.join(", ")
        );
    }
    Ok(match unexplained {
        0 if silent.is_empty() => Exit::Clean,
        0 => Exit::Unknown,
        _ => Exit::Found,
    })
}

/// Compares all solvers on one theory. Returns the number of unexplained disagreements. Adds each solver's answers to `answered`.
fn one_theory(
    args: &Args,
    name: &str,
    tested: &mut [(String, SolverUnderTest<'_>)],
    table: &Explained,
    answered: &mut [u64],
) -> Result<u64> {
    let Some(theory) = theories().find(|theory| theory.name == name) else {
        let known: Vec<&str> = theories().map(|theory| theory.name).collect();
        usage!("there is no theory '{name}'; there are: {}", known.join(", "));
    };
    let wanted = |operator: &str| args.operator.is_empty() || args.operator.iter().any(|o| o == operator);
    let rows: Vec<_> = theory.rows.iter().filter(|row| wanted(row.name)).collect();
    if rows.is_empty() {
        usage!("the theory {name} has no operator '{}'", args.operator.join("', '"));
    }
    let mut tallies: Vec<Tally> = vec![Tally::default(); tested.len()];
    let (mut made, mut number) = (0u64, 0u64);
    let mut open: BTreeMap<String, u64> = BTreeMap::new();
    let mut barren = 0;
    let before = own_cpu();
    let line = ProgressLine::steps(name, args.count);
    while made < args.count && barren < rows.len() {
        let mut blocks = Vec::new();
        let mut here = 0;
        while blocks.len() < BLOCKS_A_ROUND && made + here < args.count && barren < rows.len() {
            let row = rows[(number % rows.len() as u64) as usize];
            let mut block = ApplicationBlock::new(row, args.seed, number / rows.len() as u64)?;
            number += 1;
            block.applications.truncate(usize::try_from(args.count - made - here).unwrap_or(usize::MAX));
            barren = if block.applications.is_empty() { barren + 1 } else { 0 };
            here += block.applications.len() as u64;
            for (reason, count) in &block.unspecified {
                *open.entry(reason.to_string()).or_default() += count;
            }
            blocks.push(block);
        }
        made += here;
        std::thread::scope(|scope| {
            let blocks = &blocks;
            let running: Vec<_> = tested
                .iter_mut()
                .zip(&mut tallies)
                .map(|((_, solver), tally)| scope.spawn(move || solver.compare(blocks, tally)))
                .collect();
            // A panic in the thread is our bug and continues here.
            running.into_iter().try_for_each(|thread| thread.join().unwrap_or_else(|p| std::panic::resume_unwind(p)))
        })?;
        line.is_at(made);
    }
    drop(line);
    let mut out = crate::render::plain::stdout();
    for (answered, tally) in answered.iter_mut().zip(&tallies) {
        *answered += tally.agreed + tally.explained_count() + tally.unexplained_count;
    }
    let unexplained = tallies.iter().map(|tally| tally.unexplained_count).sum();
    if args.print.is_json() {
        let rows = tested.iter().zip(&tallies);
        rows.for_each(|((label, _), tally)| args.print.row("", || json(name, label, tally, args.verbose)));
        return Ok(unexplained);
    }
    writeln!(out, "{name}: {made} applications of {} operators, seed {}", rows.len(), args.seed)?;
    for (reason, count) in open {
        writeln!(out, "  {count} more are skipped: {reason}")?;
    }
    for ((label, _), tally) in tested.iter().zip(&tallies) {
        show(&mut out, label, tally, table, args.verbose)?;
        if args.rates {
            writeln!(out, "    {}", rate(tally.asked, "the solver's", tally.cpu))?;
        }
    }
    if args.rates {
        let asked = tallies.iter().map(|tally| tally.asked).sum();
        writeln!(out, "  {}", rate(asked, "our", own_cpu().saturating_sub(before)))?;
    }
    Ok(unexplained)
}

fn json(theory: &str, solver: &str, tally: &Tally, verbose: bool) -> Value {
    let shown = tally.unexplained.iter().take(if verbose { usize::MAX } else { SHOWN }).map(|strange| {
        let script = match &strange.evidence {
            DisagreementScript::WrongCheck { script, .. } => Some(script),
            DisagreementScript::ValueOnly | DisagreementScript::NotSought => None,
        };
        json!({ "operator": strange.operator, "term": strange.term, "ours": strange.ours, "theirs": strange.theirs, "script": script })
    });
    json!({
        "theory": theory, "solver": solver, "asked": tally.asked, "agreed": tally.agreed, "explained": tally.explained_count(),
        "unexplained": tally.unexplained_count, "unanswered": tally.unanswered_count(), "cpu_s": tally.cpu.as_secs_f64(),
        "disagreements": shown.collect::<Vec<_>>(),
    })
}

/// Formats the terms per second of CPU time of `whose`.
fn rate(terms: u64, whose: &str, cpu: Duration) -> String {
    let seconds = cpu.as_secs_f64();
    format!("{:.0} terms per second of {whose} CPU time ({terms} in {seconds:.2} s)", terms as f64 / seconds.max(1e-3))
}

fn show(out: &mut impl Write, label: &str, tally: &Tally, table: &Explained, verbose: bool) -> Result<()> {
    writeln!(
        out,
        "  {label}: {} agreed, {} explained, {} unexplained, {} without answer",
        tally.agreed,
        tally.explained_count(),
        tally.unexplained_count,
        tally.unanswered_count()
    )?;
    for (row, count) in &tally.explained {
        if let Some(explanation) = table.explained.get(*row) {
            writeln!(out, "    explained {count}: {} ({})", explanation.why, explanation.clause)?;
        }
    }
    for ((operator, instead), count) in &tally.unanswered {
        writeln!(out, "    no answer {count}: {operator}: {instead}")?;
    }
    for strange in tally.unexplained.iter().take(if verbose { usize::MAX } else { SHOWN }) {
        let theirs = strange.theirs.as_deref().unwrap_or("another value");
        writeln!(out, "    UNEXPLAINED {} is {}, {label} says {theirs}", strange.term, strange.ours)?;
        match &strange.evidence {
            DisagreementScript::WrongCheck { script, said } => writeln!(out, "      wrongly {said}: {script}")?,
            DisagreementScript::ValueOnly => writeln!(out, "      no check of its own is wrong")?,
            DisagreementScript::NotSought => {}
        }
    }
    for (operator, count) in &tally.unexplained_operators {
        writeln!(out, "    unexplained {count}: {operator}")?;
    }
    if verbose {
        for (operator, count) in &tally.operators {
            writeln!(out, "    {operator}: {count}")?;
        }
    }
    Ok(())
}
