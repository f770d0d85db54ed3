//! Known bugs found again, written down: text for a terminal, a page with a plot, and the numbers as CSV, JSON and Markdown.

use crate::args::units::time_text;
use crate::render::axes::{Axis, trimmed};
use crate::render::csv::cell;
use crate::render::report_files::FindingLink;
use crate::render::table::{Table, numbers, words};
use crate::render::{figures, html, report_files};
use ::experiment::known_bugs::manifest::ReleaseBug;
use ::experiment::known_bugs::run::BugRun;
use ::experiment::statistics::median;
use anyhow::Result;
use minijinja::context;
use minijinja::value::{Serde, Value};
use serde::Serialize;
use std::fmt::Write;
use std::path::Path;
use std::time::Duration;

const PAGE: &str = include_str!("templates/known_bugs.html.j2");
/// Where the line of a bug begins and ends.
const LINE: (f64, f64) = (310.0, 730.0);

/// All runs of one bug.
#[derive(Serialize)]
struct BugSummary {
    id: String,
    class: String,
    solver: String,
    /// The last release that errs.
    last: String,
    fixed: String,
    runs: usize,
    found: usize,
    /// The median CPU time of the runs that found it, in seconds.
    median_cpu_s: Option<f64>,
    /// The median of their mutants.
    median_mutants: Option<f64>,
    refused: usize,
    /// Where its dots stand, and what each says.
    dots: Vec<(f64, String)>,
    /// The folder of a finding.
    folder: Option<String>,
}

fn rows(bugs: &[ReleaseBug], runs: &[BugRun], axis: &Axis) -> Vec<BugSummary> {
    let row = |bug: &ReleaseBug| {
        let own: Vec<&BugRun> = runs.iter().filter(|run| run.bug == bug.id).collect();
        let found: Vec<&&BugRun> = own.iter().filter(|run| run.found.is_some()).collect();
        let median = |value: fn(&BugRun) -> f64| median(&found.iter().map(|run| value(run)).collect::<Vec<_>>());
        let dot = |run: &&&BugRun| {
            (axis.at(run.cpu_s), format!("seed {}: {}, {} mutants", run.seed, time_text(run.cpu_s), run.mutants))
        };
        BugSummary {
            id: bug.id.clone(),
            class: bug.class.to_string(),
            solver: bug.solver.clone(),
            last: bug.last.as_ref().unwrap_or(&bug.solver).clone(),
            fixed: bug.fixed.clone().unwrap_or_default(),
            runs: own.len(),
            found: found.len(),
            median_cpu_s: median(|run| run.cpu_s),
            median_mutants: median(|run| run.mutants as f64),
            refused: own.iter().map(|run| run.refused).sum(),
            dots: found.iter().map(dot).collect(),
            folder: found.first().and_then(|run| Some(run.found.as_ref()?.display().to_string())),
        }
    };
    bugs.iter().map(row).collect()
}

/// Writes index.html, runs.csv, results.json and figures.md.
///
/// # Errors
/// A file cannot be written.
pub fn write(out: &Path, bugs: &[ReleaseBug], runs: &[BugRun], cpu: Duration) -> Result<()> {
    let axis = Axis::linear(LINE.0, LINE.1, cpu.as_secs_f64(), 6);
    let rows = rows(bugs, runs, &axis);
    let marks: Vec<(f64, String)> = axis.marks().iter().map(|mark| (axis.at(*mark), trimmed(*mark, 1, " s"))).collect();
    let links: Vec<Option<FindingLink>> =
        rows.iter().map(|row| row.folder.as_ref().map(|folder| FindingLink::new(out, folder))).collect();
    let values = context! {
        links => Value::from(Serde(&links)),
        rows => Value::from(Serde(&rows)),
        marks => Value::from(Serde(&marks)),
        cpu => time_text(cpu.as_secs_f64()),
        found => rows.iter().filter(|row| row.found > 0).count(),
    };
    let json =
        serde_json::json!({ "build": crate::build::here(), "cpu_s": cpu.as_secs_f64(), "bugs": rows, "runs": runs });
    let page = html::page(&html::templates(&[("known_bugs.html", PAGE)])?, "known_bugs.html", values)?;
    let files = [
        ("runs.csv", csv(runs)),
        ("results.json", report_files::json(&json)?),
        (figures::FILE, figures::text([table(&rows).markdown(), notes(&rows, runs).join("\n")])),
        ("index.html", page),
    ];
    report_files::write(out, files)
}

/// One row a run.
fn csv(runs: &[BugRun]) -> String {
    let mut text = String::from("bug,seed,found,cpu_s,mutants,refused\n");
    for run in runs {
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "{},{},{},{:.3},{},{}",
            cell(&run.bug),
            run.seed,
            run.found.is_some(),
            run.cpu_s,
            run.mutants,
            run.refused
        );
    }
    text
}

/// How the bugs were found.
fn table(rows: &[BugSummary]) -> Table {
    let columns = ["found", "median CPU time", "median mutants", "refused"];
    let mut table = Table::new([words("bug"), words("class")].into_iter().chain(columns.map(numbers)));
    for row in rows {
        table.row([
            row.id.clone(),
            row.class.clone(),
            format!("{} of {}", row.found, row.runs),
            row.median_cpu_s.map_or("–".to_string(), time_text),
            row.median_mutants.map_or("–".to_string(), |mutants| trimmed(mutants, 0, "")),
            row.refused.to_string(),
        ]);
    }
    table
}

/// What is to be known of the table.
fn notes(rows: &[BugSummary], runs: &[BugRun]) -> Vec<String> {
    let found = rows.iter().filter(|row| row.found > 0).count();
    let mut notes =
        vec![format!("{found} of {} bugs found. Medians are over the runs that found the bug.", rows.len())];
    let mut times: Vec<f64> = runs.iter().filter(|run| run.found.is_some()).map(|run| run.cpu_s).collect();
    times.sort_by(f64::total_cmp);
    if let (Some(middle), Some(longest)) = (median(&times), times.last()) {
        let within = times.iter().filter(|time| **time <= 60.0).count();
        notes.push(format!(
            "{} of {} runs found their bug, {within} of them within a minute of CPU time; the median is {}, the longest {}.",
            times.len(),
            runs.len(),
            time_text(middle),
            time_text(*longest)
        ));
    }
    if rows.iter().any(|row| row.refused > 0) {
        notes.push("Refused: findings of the class on which the fixed release does not answer rightly either, or the last one that errs is right.".to_string());
    }
    notes
}

/// The table for a terminal.
pub fn text(bugs: &[ReleaseBug], runs: &[BugRun]) -> String {
    let rows = rows(bugs, runs, &Axis::linear(LINE.0, LINE.1, 1.0, 1));
    table(&rows).text() + &notes(&rows, runs).join("\n") + "\n"
}
