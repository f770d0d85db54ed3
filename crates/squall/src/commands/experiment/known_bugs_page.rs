//! The results of finding known bugs again.

use crate::args::units::time_text;
use crate::render::axes::{Axis, trimmed};
use crate::render::plot::{Plot, PlotFrame};
use crate::render::report_files::finding_link;
use crate::render::results::{Results, Shown};
use crate::render::sheet::{Sheet, SheetCell, cells, numbers, words};
use ::experiment::known_bugs::manifest::ReleaseBug;
use ::experiment::known_bugs::run::BugRun;
use ::experiment::statistics::median;
use anyhow::Result;
use serde::Serialize;
use std::path::Path;
use std::time::Duration;

/// The sum of all runs for one bug.
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
    /// The folder of a finding.
    folder: Option<String>,
}

fn rows(bugs: &[ReleaseBug], runs: &[BugRun]) -> Vec<BugSummary> {
    let row = |bug: &ReleaseBug| {
        let own: Vec<&BugRun> = runs.iter().filter(|run| run.bug == bug.id).collect();
        let found: Vec<&&BugRun> = own.iter().filter(|run| run.found.is_some()).collect();
        let median = |value: fn(&BugRun) -> f64| median(&found.iter().map(|run| value(run)).collect::<Vec<_>>());
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
            folder: found.first().and_then(|run| Some(run.found.as_ref()?.display().to_string())),
        }
    };
    bugs.iter().map(row).collect()
}

/// Writes and prints the results.
/// Errors: a file cannot be written.
pub fn publish(out: &Path, bugs: &[ReleaseBug], runs: &[BugRun], cpu: Duration) -> Result<()> {
    let rows = rows(bugs, runs);
    let json = serde_json::json!({ "cpu_s": cpu.as_secs_f64(), "bugs": rows, "runs": runs });
    let found = rows.iter().filter(|row| row.found > 0).count();
    let about = format!(
        "{found} of {} bugs found within {} of CPU time, including the solver, with one worker. The script that shows a bug is not a seed. \
         A finding counts if the fixed release answers rightly on the same mutant.",
        rows.len(),
        time_text(cpu.as_secs_f64())
    );
    let mut report = Results::new("Known bugs found again", about);
    report.plots(vec![plot(&rows, runs, cpu)]);
    report.heading(Shown::Page, "Bugs");
    report.sheet(Shown::Everywhere, table(bugs, &rows));
    report.notes(Shown::Everywhere, notes(&rows, runs));
    report.heading(Shown::Page, "Releases and findings");
    report.sheet(Shown::Page, releases(out, &rows));
    report.publish(out, json, &[("runs.csv", csv(runs))])
}

/// Returns one row per run.
fn csv(runs: &[BugRun]) -> Sheet {
    let mut sheet = Sheet::of("bug,seed,found,cpu_s,mutants,refused", []);
    for run in runs {
        let found = run.found.is_some();
        sheet.row(cells![&run.bug, run.seed, found, SheetCell::seconds(run.cpu_s), run.mutants, run.refused]);
    }
    sheet
}

/// Returns one row per bug.
fn table(bugs: &[ReleaseBug], rows: &[BugSummary]) -> Sheet {
    let columns = ["found", "median CPU time", "median mutants", "refused"];
    let mut sheet = Sheet::new([words("bug"), words("class")].into_iter().chain(columns.map(numbers)));
    for (bug, row) in bugs.iter().zip(rows) {
        let found = format!("{} of {}", row.found, row.runs);
        let mutants = row.median_mutants.map(|mutants| SheetCell::number(mutants, 0));
        sheet.row(cells![&row.id, bug.class, found, row.median_cpu_s.map(SheetCell::seconds), mutants, row.refused]);
    }
    sheet
}

/// Returns the releases with each bug, and the folder of a finding.
fn releases(out: &Path, rows: &[BugSummary]) -> Sheet {
    let mut sheet = Sheet::of("bug,solver,last that errs,fixed,a finding", []);
    for row in rows {
        let link = row.folder.as_ref().map_or_else(SheetCell::default, |folder| finding_link(out, folder));
        sheet.row(cells![&row.id, &row.solver, &row.last, &row.fixed, link]);
    }
    sheet
}

/// Returns one dot per run that found its bug, over the number of runs that did.
fn plot(rows: &[BugSummary], runs: &[BugRun], cpu: Duration) -> Plot {
    let height = rows.len() as u32 * 20 + 6;
    let frame = PlotFrame { width: 760, height: height + 24, left: 310, right: 730, top: 4, bottom: height };
    let axis = Axis::linear(frame.across(), cpu.as_secs_f64(), 6);
    let mut plot = Plot::framed("CPU time to the bug", "one dot per run that found the bug", frame);
    plot.columns(&axis, |mark| trimmed(mark, 1, " s"), "");
    for (n, row) in rows.iter().enumerate() {
        let y = n as f64 * 20.0 + 14.0;
        plot.label((4.0, y + 4.0), "start", &row.id);
        plot.label((290.0, y + 4.0), "end", format!("{} of {}", row.found, row.runs));
        for run in runs.iter().filter(|run| run.bug == row.id && run.found.is_some()) {
            let said = format!("seed {}: {}, {} mutants", run.seed, time_text(run.cpu_s), run.mutants);
            plot.dot("main", (axis.at(run.cpu_s), y), said);
        }
    }
    plot
}

/// Notes on the table.
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
