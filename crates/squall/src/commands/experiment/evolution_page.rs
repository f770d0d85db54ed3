//! An evolution written down: text for a terminal, a page with plots, and the numbers as CSV, JSON and Markdown.

use crate::args::units::time_text;
use crate::render::axes::{Axis, trimmed};
use crate::render::csv::cell;
use crate::render::table::{Table, numbers, words};
use crate::render::{figures, html, report_files};
use ::experiment::evolution::history::{EvolutionHistory, ReleaseRow};
use ::experiment::evolution::problems::EvolutionProblems;
use ::experiment::evolution::release_run::ReleaseRun;
use ::finding::SolverLabel;
use anyhow::Result;
use minijinja::context;
use minijinja::value::{Serde, Value};
use serde::Serialize;
use std::fmt::Write;
use std::path::Path;

const PAGE: &str = include_str!("templates/evolution.html.j2");
/// The most names of problems that a change shows.
const SHOWN: usize = 12;

/// Writes index.html, answers.csv, results.json and figures.md.
///
/// # Errors
/// A file cannot be written.
pub fn write(out: &Path, problems: &EvolutionProblems, runs: &[ReleaseRun], history: &EvolutionHistory) -> Result<()> {
    let json = serde_json::json!({
        "build": crate::build::here(),
        "limit_ms": runs.first().map(|run| run.limit_ms),
        "problems": problems.list,
        "history": history,
    });
    let written = [
        ("answers.csv", answers(problems, runs)),
        ("results.json", serde_json::to_string(&json)? + "\n"),
        (figures::FILE, figures(history)),
        ("index.html", page(problems, runs, history)?),
    ];
    report_files::write(out, written)
}

/// One row a problem, with what each release did.
fn answers(problems: &EvolutionProblems, runs: &[ReleaseRun]) -> String {
    let mut text = String::from("problem,theory,truth");
    for run in runs {
        let _ = write!(text, ",{}", cell(&run.label));
    }
    text.push('\n');
    for (at, problem) in problems.list.iter().enumerate() {
        let known = problem.answers.iter().map(|answer| answer.map_or("?", |answer| answer.word()));
        let truth = known.collect::<Vec<_>>().join(" ");
        // Writing to a string cannot fail.
        let _ = write!(text, "{},{},{}", cell(&problem.name), cell(&problem.theory), truth);
        for run in runs {
            let _ = write!(text, ",{}", run.verdicts[at].words());
        }
        text.push('\n');
    }
    text
}

/// How the releases did.
fn releases(history: &EvolutionHistory) -> Table {
    let counts = ["wrong unsat", "wrong sat", "crashes", "unknown", "limit", "refused", "broke", "mended", "CPU time"];
    let mut table = Table::new(std::iter::once(words("release")).chain(counts.map(numbers)));
    for row in &history.releases {
        let c = row.counts;
        let counts = [c.wrong_unsat, c.wrong_sat, c.crash, c.unknown, c.limit, c.refused];
        let changes = [row.broke.len(), row.mended.len()];
        let counted = counts.into_iter().chain(changes).map(|count| count.to_string());
        table.row(std::iter::once(row.label.clone()).chain(counted).chain([time_text(row.cpu_s)]));
    }
    table
}

/// What the newest release still gets wrong.
fn standing(history: &EvolutionHistory) -> Option<(String, Table)> {
    let newest = history.releases.last().filter(|_| !history.standing.is_empty())?;
    let mut table =
        Table::new([words("theory"), words("answer"), numbers("problems"), words("since"), words("such as")]);
    for bug in &history.standing {
        let words = [&bug.theory, bug.verdict.words(), &bug.count.to_string(), &bug.since, &bug.shortest];
        table.row(words.map(str::to_string));
    }
    Some((format!("{} errs on:", newest.label), table))
}

/// What is to be known of the tables.
fn notes(history: &EvolutionHistory) -> Vec<String> {
    let total: usize = history.theories.iter().map(|(_, count)| count).sum();
    let mut notes = vec![format!("{total} problems. Broke, mended: beside the last earlier release that told.")];
    let after: usize = history.releases.iter().map(|row| row.wrong_after_others).sum();
    if after > 0 {
        notes.push(format!(
            "Not counted: {after} wrong answers that came only after other problems in one process (squall fuzz finds those)."
        ));
    }
    notes
}

/// The tables for a terminal.
pub fn text(history: &EvolutionHistory) -> String {
    let mut text = releases(history).text();
    if let Some((errs, table)) = standing(history) {
        let _ = writeln!(text, "\n{errs}\n{}", table.text());
    }
    text + &notes(history).join("\n") + "\n"
}

/// The tables for the documentation.
fn figures(history: &EvolutionHistory) -> String {
    let (errs, table) = standing(history).map(|(errs, table)| (errs, table.markdown())).unwrap_or_default();
    figures::text([releases(history).markdown(), errs, table, notes(history).join("\n")])
}

/// A bar of a release, from the bottom to the top.
#[derive(Serialize)]
struct StackedPart {
    kind: &'static str,
    y: f64,
    height: f64,
    title: String,
}

/// What is drawn of a release.
#[derive(Serialize)]
struct BarColumn {
    label: String,
    x: f64,
    parts: Vec<StackedPart>,
}

/// A plot with one bar a release.
#[derive(Serialize)]
struct BarPlot {
    caption: &'static str,
    columns: Vec<BarColumn>,
    marks: Vec<(f64, String)>,
    width: f64,
    bar: f64,
    legend: Vec<(&'static str, &'static str)>,
}

/// Names of problems that changed, and how many are not shown.
#[derive(Serialize)]
struct ChangeRow {
    label: String,
    broke: Vec<String>,
    mended: Vec<String>,
    more: (usize, usize),
}

const BOTTOM: f64 = 200.0;
const TOP: f64 = 12.0;
const LEFT: f64 = 50.0;

fn page(problems: &EvolutionProblems, runs: &[ReleaseRun], history: &EvolutionHistory) -> Result<String> {
    let bugs = plot(
        "Wrong answers and crashes",
        history,
        vec![("A", "wrong unsat"), ("B", "wrong sat"), ("D", "crash")],
        |row| vec![row.counts.wrong_unsat as f64, row.counts.wrong_sat as f64, row.counts.crash as f64],
    );
    let open = plot(
        "Not answered",
        history,
        vec![("unknown", "unknown"), ("limit", "limit of time or memory"), ("error", "refused")],
        |row| vec![row.counts.unknown as f64, row.counts.limit as f64, row.counts.refused as f64],
    );
    let time = plot("CPU seconds for all problems", history, vec![("main", "CPU time")], |row| vec![row.cpu_s]);
    let changes: Vec<ChangeRow> = history.releases.iter().filter_map(|row| change(row, problems)).collect();
    let files: Vec<String> = history.standing.iter().map(|bug| file_of(&bug.shortest, problems)).collect();
    let values = context! {
        plots => Value::from(Serde(&[bugs, open, time])),
        history => Value::from(Serde(history)),
        names => history.releases.iter().map(|row| short(&row.label).to_string()).collect::<Vec<_>>(),
        changes => Value::from(Serde(&changes)),
        words => history.standing.iter().map(|bug| bug.verdict.words()).collect::<Vec<_>>(),
        files => files,
        count => problems.list.len(),
        untold => problems.untold.len(),
        limit => time_text(runs.first().map_or(0.0, |run| run.limit_ms as f64 / 1e3)),
    };
    html::page(&html::templates(&[("evolution.html", PAGE)])?, "evolution.html", values)
}

fn short(label: &str) -> &str {
    let parts = SolverLabel::of(label);
    if parts.is_own_build() { "own build" } else { parts.version.unwrap_or(label) }
}

fn file_of(name: &str, problems: &EvolutionProblems) -> String {
    let found = problems.list.iter().enumerate().find(|(_, problem)| problem.name == name);
    found.map(|(at, problem)| format!("problems/{}", problem.file(at))).unwrap_or_default()
}

fn change(row: &ReleaseRow, problems: &EvolutionProblems) -> Option<ChangeRow> {
    if row.broke.is_empty() && row.mended.is_empty() {
        return None;
    }
    let files =
        |names: &[String]| -> Vec<String> { names.iter().take(SHOWN).map(|name| file_of(name, problems)).collect() };
    let more = (row.broke.len().saturating_sub(SHOWN), row.mended.len().saturating_sub(SHOWN));
    Some(ChangeRow { label: row.label.clone(), broke: files(&row.broke), mended: files(&row.mended), more })
}

fn plot(
    caption: &'static str,
    history: &EvolutionHistory,
    legend: Vec<(&'static str, &'static str)>,
    values: impl Fn(&ReleaseRow) -> Vec<f64>,
) -> BarPlot {
    let highest = history.releases.iter().map(|row| values(row).iter().sum::<f64>()).fold(0.0, f64::max);
    let axis = Axis::linear(BOTTOM, TOP, highest, 4);
    let step = (860.0 / history.releases.len().max(1) as f64).clamp(12.0, 90.0);
    let column = |(n, row): (usize, &ReleaseRow)| {
        let mut below = 0.0;
        let part = |(value, (kind, what)): (f64, &(&'static str, &'static str))| {
            let (low, high) = (axis.at(below), axis.at(below + value));
            below += value;
            let title = format!("{}: {} {what}", row.label, trimmed(value, 1, ""));
            StackedPart { kind, y: high, height: low - high, title }
        };
        let parts = values(row).into_iter().zip(&legend).map(part).filter(|part| part.height > 0.0).collect();
        BarColumn { label: short(&row.label).to_string(), x: LEFT + step * n as f64, parts }
    };
    BarPlot {
        caption,
        columns: history.releases.iter().enumerate().map(column).collect(),
        marks: axis.marks().iter().map(|mark| (axis.at(*mark), trimmed(*mark, 1, ""))).collect(),
        width: LEFT + step * history.releases.len() as f64 + 10.0,
        bar: step * 0.7,
        legend,
    }
}
