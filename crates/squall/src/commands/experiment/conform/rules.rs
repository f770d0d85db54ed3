//! `squall experiment conform --rules`: rewrite rules of solvers, each decided at small sizes by exhaustion.

use super::Args;
use crate::exit::Exit;
use crate::render::progress::{ProgressLine, without_line};
use ::conform::rules::{Rule, RuleCounterexample, RulePlace, RuleReport, RuleVerdict, UnreadRule, check, read};
use anyhow::{Context, Result};
use files::{WantedFiles, named_files};
use oracle::candidate::own_cpu;
use serde_json::json;
use std::io::Write;
use std::path::Path;

/// Files of rules, by their names in cvc5's sources.
const RULES: WantedFiles = WantedFiles {
    what: "file of rules (`rewrites*` or `*.rare`)",
    is_wanted: |path| {
        let name = path.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
        name.ends_with(".rare") || (name.starts_with("rewrites") && !name.contains('.'))
    },
};

/// The number of rules by verdict.
#[derive(Default)]
struct RuleCounts {
    holding: u64,
    wrong: u64,
    by_choice: u64,
    unchecked: u64,
}

/// Checks the rules of files.
/// Errors: a path does not exist or cannot be read.
pub fn run(args: &Args) -> Result<Exit> {
    let mut counts = RuleCounts::default();
    let before = own_cpu();
    let mut out = crate::render::plain::stdout();
    let paths = named_files(&args.rules, &RULES)?;
    let line = ProgressLine::steps("files of rules", paths.len() as u64);
    for path in paths {
        let bytes = files::named(&path)?;
        let text = String::from_utf8(bytes)
            .with_context(|| format!("{} is not a file of rules: its text is not UTF-8", path.display()))?;
        let file = read(&text);
        for rule in &file.unread {
            without_line(|| match args.print.is_json() {
                true => row(&mut out, &path, (&rule.name, rule.place), ("unchecked", Some(rule.reason.to_string()))),
                false => show_unread(&mut out, &path, rule),
            })?;
        }
        counts.unchecked += file.unread.len() as u64;
        for rule in &file.rules {
            line.begins(&rule.name);
            let report = check(rule);
            let (count, verdict, cause) = match &report.verdict {
                RuleVerdict::Holds => (&mut counts.holding, "holds", None),
                RuleVerdict::Wrong(counterexample) => (&mut counts.wrong, "wrong", Some(difference(counterexample))),
                RuleVerdict::ByChoice(counterexample) => {
                    (&mut counts.by_choice, "by-choice", Some(difference(counterexample)))
                }
                RuleVerdict::Unchecked(reason) => (&mut counts.unchecked, "unchecked", Some(reason.to_string())),
            };
            *count += 1;
            without_line(|| match args.print.is_json() {
                true => row(&mut out, &path, (&rule.name, rule.place), (verdict, cause)),
                false => show(&mut out, &path, rule, &report, args.verbose),
            })?;
        }
        line.advance(1);
    }
    drop(line);
    let RuleCounts { holding, wrong, by_choice, unchecked } = counts;
    let seconds = own_cpu().saturating_sub(before).as_secs_f64();
    if args.print.is_json() {
        args.print.row("", || json!({ "holds": holding, "wrong": wrong, "by-choice": by_choice, "unchecked": unchecked, "cpu_s": seconds }));
    } else {
        writeln!(
            out,
            "{} rules: {holding} hold at small sizes, {wrong} wrong, {by_choice} by choice, {unchecked} not checked; {seconds:.1} s of CPU time",
            holding + wrong + by_choice + unchecked
        )?;
    }
    Ok(match (wrong, holding + by_choice) {
        (1.., _) => Exit::Found,
        (0, 0) => Exit::Unknown,
        (0, _) => Exit::Clean,
    })
}

/// Writes one line of JSON.
fn row(
    out: &mut impl Write,
    path: &Path,
    (rule, place): (&str, RulePlace),
    (verdict, cause): (&str, Option<String>),
) -> Result<()> {
    let RulePlace { line, column } = place;
    let file = path.display().to_string();
    let row = json!({ "file": file, "line": line, "column": column, "rule": rule, "verdict": verdict, "cause": cause });
    Ok(writeln!(out, "{row}")?)
}

fn show_unread(out: &mut impl Write, path: &Path, rule: &UnreadRule) -> Result<()> {
    let name = if rule.name.is_empty() { String::new() } else { format!("{}: ", rule.name) };
    writeln!(out, "{}:{}:{}: {name}not checked: {}", path.display(), rule.place.line, rule.place.column, rule.reason)?;
    Ok(())
}

fn show(out: &mut impl Write, path: &Path, rule: &Rule, report: &RuleReport, is_verbose: bool) -> Result<()> {
    let place = format!("{}:{}:{}: {}", path.display(), rule.place.line, rule.place.column, rule.name);
    match &report.verdict {
        RuleVerdict::Holds if !is_verbose => {}
        RuleVerdict::Holds => {
            let more = if report.has_more { " or more" } else { "" };
            writeln!(out, "{place}: holds at {} of {}{more} instances", report.decided, report.instances)?;
        }
        RuleVerdict::Wrong(counterexample) => {
            writeln!(out, "{place}: WRONG: {}", difference(counterexample))?;
        }
        RuleVerdict::ByChoice(counterexample) => {
            let which = "the sides differ for some value that the standard leaves open, such as a division by zero";
            writeln!(out, "{place}: by choice: {which}: {}", difference(counterexample))?;
        }
        RuleVerdict::Unchecked(reason) => writeln!(out, "{place}: not checked: {reason}")?,
    }
    if let Some(instance) = &report.ill_sorted {
        writeln!(out, "{place}: remark: the premises can hold and the right side is not of the sort of {instance}")?;
    }
    Ok(())
}

fn difference(counterexample: &RuleCounterexample) -> String {
    let side = |(term, value): &(String, String)| match value.is_empty() || value == term {
        true => term.clone(),
        false => format!("{term} (which is {value})"),
    };
    let RuleCounterexample { left, right, values } = counterexample;
    format!("{} is not {}{values}", side(left), side(right))
}
