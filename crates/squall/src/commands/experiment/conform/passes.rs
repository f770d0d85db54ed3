//! `squall experiment conform --ask pass`: the results of solvers' passes on small finite problems, decided by exhaustion.

use super::{Args, rate};
use crate::commands::solver::say;
use crate::exit::Exit;
use crate::render::progress::ProgressLine;
use ::conform::passes::{PassChecker, PassDifference, PassProblem, PassSyntax, PassTally, ProblemSource};
use ::conform::{DisagreementScript, Explained};
use anyhow::{Context, Result};
use mutate::finite::theme::{self, THEMES, Theme};
use oracle::tested::spelling;
use serde_json::json;
use solver::install::Fleet;
use solver::process::ProcessLimits;
use std::io::Write;
use std::path::Path;
use std::time::Duration;

/// Problems per solver process.
const PROBLEMS_A_ROUND: usize = 8;

/// The time limit of one solver process.
const PROCESS_TIME: Duration = Duration::from_secs(60);

/// Differences shown per pass, unless all kept ones are wanted.
const SHOWN: usize = 3;

/// Runs the comparison.
/// Errors: a solver is not available, cannot be run, or cannot print its passes' results; or a theory is unknown.
pub fn run(args: &Args, fleet: &Fleet, table: &Explained) -> Result<Exit> {
    if !args.operator.is_empty() {
        usage!("--operator is for terms; problems for passes are drawn by --theory");
    }
    let mut themes: Vec<&'static Theme> = Vec::new();
    for name in &args.theory {
        let Some(theme) = theme::find(name) else {
            let known: Vec<&str> = THEMES.iter().map(|theme| theme.name).collect();
            usage!("there is no theory '{name}' of small problems; there are: {}", known.join(", "));
        };
        themes.push(theme);
    }
    let limits = ProcessLimits { wall: PROCESS_TIME, output_bytes: 256 << 20, ..ProcessLimits::default() };
    let (mut different, mut silent) = (0, Vec::new());
    for spec in &args.solver {
        let installed = fleet.ensure(spec, &mut say).with_context(|| format!("cannot use {}", spec.label()))?;
        let label = installed.label();
        let asking = table.asking(&installed);
        let Some(command) = asking.passes_by else {
            usage!(
                "it is not known how {label} prints what its passes make; a table for --explained says so by \
                 `passes_by = \"apply\"` or `\"post-asserts\"` under [[asking]]"
            );
        };
        let passes = if args.passes.is_empty() { asking.passes } else { args.passes.clone() };
        let spelling = spelling(&installed);
        let syntax = PassSyntax { command, options: asking.pass_options };
        let mut checker = PassChecker::new(fleet.solver(installed), syntax, passes, limits.clone());
        let line = ProgressLine::steps(&format!("passes of {label}"), args.count);
        let made = check(args, &mut checker, ProblemSource::new(themes.clone(), spelling, args.seed), &line)?;
        drop(line);
        let decided: u64 = checker.tallies.iter().map(PassTally::decided).sum();
        different += checker.tallies.iter().map(|tally| tally.different_count).sum::<u64>();
        if decided == 0 {
            silent.push(label.clone());
        }
        show(args, &label, made, &checker)?;
    }
    if !silent.is_empty() {
        eprintln!("squall: nothing that {} printed could be decided: is it the right program?", silent.join(", "));
    }
    Ok(match different {
        0 if silent.is_empty() => Exit::Clean,
        0 => Exit::Unknown,
        _ => Exit::Found,
    })
}

/// Runs the solver on all problems. Returns their number.
fn check(args: &Args, checker: &mut PassChecker, mut source: ProblemSource, line: &ProgressLine) -> Result<u64> {
    let mut made = 0;
    while made < args.count {
        let most = PROBLEMS_A_ROUND.min(usize::try_from(args.count - made).unwrap_or(PROBLEMS_A_ROUND));
        let problems: Vec<PassProblem> = source.by_ref().take(most).collect();
        if problems.is_empty() {
            break;
        }
        checker.check(&problems)?;
        made += problems.len() as u64;
        line.is_at(made);
    }
    Ok(made)
}

fn show(args: &Args, label: &str, made: u64, checker: &PassChecker) -> Result<()> {
    let mut out = crate::render::plain::stdout();
    if args.print.is_json() {
        for (pass, tally) in checker.passes().iter().zip(&checker.tallies) {
            let differences = tally.different.iter().map(|one| {
                json!({ "guilty": one.guilty, "theory": one.problem.theory, "before": one.problem.truth.word(), "after": one.truth.word(), "script": one.script })
            });
            let differences: Vec<_> = differences.collect();
            args.print.row("", || {
                json!({
                    "solver": label, "pass": pass, "problems": made, "kept": tally.kept, "different": tally.different_count,
                    "by_choice": tally.by_choice, "open": tally.open_count(), "unanswered": tally.unanswered_count(),
                    "differences": differences,
                })
            });
        }
        let all = checker.tallies.iter().flat_map(|tally| tally.different.iter().enumerate());
        return args
            .out
            .iter()
            .try_for_each(|folder| all.clone().try_for_each(|(n, one)| write_scripts(folder, label, n, one)));
    }
    writeln!(out, "{label}: {} passes on {made} problems, seed {}", checker.passes().len(), args.seed)?;
    for (pass, tally) in checker.passes().iter().zip(&checker.tallies) {
        let pass = if pass.is_empty() { "default" } else { pass };
        write!(
            out,
            "  {pass}: {} kept, {} different, {} by choice, {} open, {} without answer",
            tally.kept,
            tally.different_count,
            tally.by_choice,
            tally.open_count(),
            tally.unanswered_count()
        )?;
        match tally.not_equivalent {
            0 => writeln!(out)?,
            count => writeln!(out, "; remark: {count} kept have other models")?,
        }
        if args.verbose {
            for (reason, count) in &tally.open {
                writeln!(out, "    open {count}: {reason}")?;
            }
            for (instead, count) in &tally.unanswered {
                writeln!(out, "    no answer {count}: {instead}")?;
            }
        }
        for (n, difference) in tally.different.iter().enumerate() {
            if n < SHOWN || args.verbose {
                show_difference(&mut out, label, difference)?;
            }
            if let Some(folder) = &args.out {
                write_scripts(folder, label, n, difference)?;
            }
        }
    }
    if args.rates {
        let asked = checker.tallies.iter().map(|tally| tally.asked).sum();
        writeln!(out, "  {}", rate(asked, "the solver's", checker.cpu))?;
    }
    Ok(())
}

fn show_difference(out: &mut impl Write, label: &str, difference: &PassDifference) -> Result<()> {
    let PassDifference { pass, guilty, problem, script, truth, evidence, own, .. } = difference;
    writeln!(
        out,
        "    DIFFERENT by {guilty}: a problem of {} that is {} is {} after {pass}",
        problem.theory,
        problem.truth.word(),
        truth.word()
    )?;
    writeln!(out, "      {}", one_line(script))?;
    match evidence {
        DisagreementScript::WrongCheck { script, said } => writeln!(out, "      wrongly {said}: {}", one_line(script))?,
        DisagreementScript::ValueOnly => writeln!(out, "      no check by way of the pass is wrong")?,
        DisagreementScript::NotSought => {}
    }
    if let Some([before, after]) = own {
        writeln!(out, "      {label} itself answers {before} before the pass and {after} after it")?;
    }
    Ok(())
}

/// Writes the problem with its pass, and the pass's result, each with its truth by exhaustion: `squall solve --exhaust FILE` finds it again.
fn write_scripts(folder: &Path, label: &str, n: usize, difference: &PassDifference) -> Result<()> {
    std::fs::create_dir_all(folder).with_context(|| format!("cannot make '{}'", folder.display()))?;
    let words = |text: &str| -> String {
        let kept: Vec<&str> = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '@' && c != '.').collect();
        kept.into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>().join("-")
    };
    let stem = format!("{}-{}-{n:03}", words(label), words(&difference.pass));
    let status = |truth: &str| format!("(set-info :status {truth})\n");
    let before = format!("{}{}(check-sat)\n", status(difference.problem.truth.word()), difference.script);
    let after = format!("{}{}", status(difference.truth.word()), difference.after);
    for (name, text) in [("before", before), ("after", after)] {
        let path = folder.join(format!("{stem}-{name}.smt2"));
        files::atomic::write(&path, text.as_bytes()).with_context(|| format!("cannot write '{}'", path.display()))?;
    }
    Ok(())
}

fn one_line(script: &str) -> String {
    script.split('\n').filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" ")
}
