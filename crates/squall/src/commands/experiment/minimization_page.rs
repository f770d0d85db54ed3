//! Reducers compared, written down: text for a terminal, a page with plots, and the numbers as CSV, Markdown and JSON.

use crate::args::units::time_text;
use crate::render::axes::{Axis, trimmed};
use crate::render::csv::cell;
use crate::render::{figures, html, report_files};
use ::experiment::censored_median::CensoredMedian;
use ::experiment::reductions::results::{self, FileResult, ReducerResult, ReducerSummary};
use ::experiment::reductions::run::ReductionRun;
use anyhow::Result;
use minijinja::context;
use minijinja::value::{Serde, Value};
use reduce::Size;
use serde::Serialize;
use std::fmt::Write;
use std::path::Path;
use std::time::Duration;

const PAGE: &str = include_str!("templates/minimization.html.j2");
/// Where the points of a plot stand, from left to right and from below.
const ACROSS: (f64, f64) = (64.0, 430.0);
const UP: (f64, f64) = (246.0, 14.0);

/// What reducers are called, by their word.
const TITLES: [(&str, &str); 3] =
    [("storm", "Algorithm 2 of STORM"), ("passes", "passes of squall reduce"), ("ddsmt", "ddSMT 2")];

fn title(word: &str) -> &str {
    TITLES.iter().find(|(known, _)| *known == word).map_or(word, |(_, title)| title)
}

/// All results of a comparison.
#[derive(Serialize)]
pub struct MinimizationReport {
    limit_s: f64,
    files: Vec<FileResult>,
    summaries: Vec<ReducerSummary>,
    /// Why a reducer is left out.
    missing: Option<String>,
}

impl MinimizationReport {
    /// The results of some runs that were stopped after `cpu` of CPU time.
    pub fn new(
        files: &[String],
        reducers: &[&str],
        runs: &[ReductionRun],
        cpu: Duration,
        missing: Option<String>,
    ) -> MinimizationReport {
        let files = results::by_file(files, reducers, runs);
        let summaries = results::summaries(&files, reducers);
        MinimizationReport { limit_s: cpu.as_secs_f64(), files, summaries, missing }
    }

    /// What is to be known of all numbers.
    fn notes(&self) -> Vec<String> {
        let rows = || self.files.iter().flat_map(|file| &file.reducers);
        let mut notes: Vec<String> = self.missing.iter().cloned().collect();
        let least = rows().map(|row| (row.bytes.confidence, row.runs)).min_by(|a, b| a.0.total_cmp(&b.0));
        if let Some((confidence, runs)) = least {
            notes.push(format!(
                "Intervals of medians are those of order statistics; {runs} {} give them a confidence of {}.",
                if runs == 1 { "run" } else { "runs" },
                trimmed(confidence * 100.0, 1, " %")
            ));
        }
        let count = |of: fn(&ReducerResult) -> usize| rows().map(of).sum::<usize>();
        let (stopped, failed, lost) = (count(|row| row.stopped), count(|row| row.failed), count(|row| row.lost));
        if stopped > 0 {
            let limit = time_text(self.limit_s);
            notes.push(format!("{stopped} runs were stopped after {limit} of CPU time; what they had by then counts."));
        }
        if failed > 0 {
            notes.push(format!("{failed} runs failed; the file counts as left as it was."));
        }
        notes.push(match lost {
            0 => "Every result, judged anew from its file, still shows the error with its truth.".to_string(),
            _ => format!("{lost} results, judged anew from their files, no longer show the error with its truth."),
        });
        notes
    }
}

/// Writes index.html, runs.csv, figures.md and results.json.
///
/// # Errors
/// A file cannot be written.
pub fn write(out: &Path, report: &MinimizationReport, runs: &[ReductionRun]) -> Result<()> {
    let json = serde_json::json!({ "build": crate::build::here(), "minimization": report, "runs": runs });
    let files = [
        ("runs.csv", csv(runs)),
        (figures::FILE, figures::text([markdown(report)])),
        ("results.json", report_files::json(&json)?),
        ("index.html", page(report, runs)?),
    ];
    report_files::write(out, files)
}

/// One row a run.
fn csv(runs: &[ReductionRun]) -> String {
    let mut text = String::from(
        "file,reducer,seed,bytes_before,assertions_before,depth_before,bytes,assertions,depth,wall_s,cpu_s,calls,finished,failed,holds\n",
    );
    for run in runs {
        let (before, after) = (run.before, run.after);
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "{},{},{},{},{},{},{},{},{},{:.1},{:.2},{},{},{},{}",
            cell(&run.file),
            run.reducer,
            run.seed,
            before.bytes,
            before.assertions,
            before.depth,
            after.bytes,
            after.assertions,
            after.depth,
            run.wall_s,
            run.cpu_s,
            run.calls,
            run.finished,
            run.failed.is_some(),
            run.holds
        );
    }
    text
}

/// A median with its interval, where that is more than a point.
fn spread(median: CensoredMedian, words: fn(f64) -> String) -> String {
    let middle = words(median.at_least);
    match median.high {
        Some(high) if high > median.low => format!("{middle} ({} to {})", words(median.low), words(high)),
        _ => middle,
    }
}

fn whole(value: f64) -> String {
    trimmed(value, 1, "")
}

/// The cells of a row: bytes, assertions, depth, wall time, CPU time, calls, and how many of the runs were stopped.
fn cells(row: &ReducerResult) -> [String; 7] {
    [
        spread(row.bytes, whole),
        spread(row.assertions, whole),
        spread(row.depth, whole),
        spread(row.wall_s, time_text),
        spread(row.cpu_s, time_text),
        spread(row.calls, whole),
        if row.stopped > 0 { format!("{} of {}", row.stopped, row.runs) } else { String::new() },
    ]
}

fn summary_cells(row: &ReducerSummary) -> [String; 7] {
    [
        trimmed(row.percent_less, 1, " %"),
        whole(row.bytes),
        whole(row.assertions),
        whole(row.depth),
        time_text(row.wall_s),
        time_text(row.cpu_s),
        whole(row.calls),
    ]
}

/// The tables by file and over all files.
fn markdown(report: &MinimizationReport) -> String {
    let mut text = String::from(
        "| File | Reducer | Bytes | Assertions | Depth | Wall time | CPU time | Calls | Stopped |\n|---|---|---|---|---|---|---|---|---|\n",
    );
    for file in &report.files {
        let Size { bytes, assertions, depth } = file.before;
        let _ = writeln!(text, "| `{}` | as found | {bytes} | {assertions} | {depth} | | | | |", file.file);
        for row in &file.reducers {
            let _ = writeln!(text, "| | {} | {} |", title(&row.reducer), cells(row).join(" | "));
        }
    }
    if let Some(first) = report.summaries.first() {
        let _ = writeln!(
            text,
            "\nMedians over {} files of the medians:\n\n| Reducer | Smaller by | Bytes | Assertions | Depth | Wall time | CPU time | Calls |\n\
             |---|---|---|---|---|---|---|---|",
            first.files
        );
    }
    for row in &report.summaries {
        let _ = writeln!(text, "| {} | {} |", title(&row.reducer), summary_cells(row).join(" | "));
    }
    let _ = writeln!(text, "\n{}", report.notes().join(" "));
    text
}

/// The tables for a terminal: medians.
pub fn text(report: &MinimizationReport) -> String {
    let mut text = format!(
        "{:<9} {:>8} {:>11} {:>6} {:>10} {:>9} {:>8}  stopped\n",
        "", "bytes", "assertions", "depth", "wall time", "CPU time", "calls"
    );
    for file in &report.files {
        let Size { bytes, assertions, depth } = file.before;
        let _ = writeln!(text, "{}\n{:<9} {bytes:>8} {assertions:>11} {depth:>6}", file.file, "as found");
        for row in &file.reducers {
            let _ = writeln!(
                text,
                "{:<9} {:>8} {:>11} {:>6} {:>10} {:>9} {:>8}  {}",
                row.reducer,
                whole(row.bytes.at_least),
                whole(row.assertions.at_least),
                whole(row.depth.at_least),
                time_text(row.wall_s.at_least),
                time_text(row.cpu_s.at_least),
                whole(row.calls.at_least),
                cells(row)[6]
            );
        }
    }
    for note in report.notes() {
        let _ = writeln!(text, "{note}");
    }
    text
}

/// A plot of one file: a dot a run, its CPU time and what it left.
#[derive(Serialize)]
struct ReductionPlot {
    file: String,
    across: Vec<(f64, String)>,
    up: Vec<(f64, String)>,
    /// Where the original size stands.
    before: f64,
    dots: Vec<(f64, f64, String, String)>,
}

/// What a reducer is called, and its cells.
type TitledRow<'t> = (&'t str, [String; 7]);

fn page(report: &MinimizationReport, runs: &[ReductionRun]) -> Result<String> {
    let plots: Vec<ReductionPlot> = report.files.iter().map(|file| plot(file, runs)).collect();
    let rows: Vec<(&FileResult, Vec<TitledRow<'_>>)> = report
        .files
        .iter()
        .map(|file| (file, file.reducers.iter().map(|row| (title(&row.reducer), cells(row))).collect()))
        .collect();
    let summaries: Vec<TitledRow<'_>> =
        report.summaries.iter().map(|row| (title(&row.reducer), summary_cells(row))).collect();
    let values = context! {
        plots => Value::from(Serde(&plots)),
        rows => Value::from(Serde(&rows)),
        summaries => Value::from(Serde(&summaries)),
        notes => report.notes(),
        titles => TITLES.to_vec(),
        limit => time_text(report.limit_s),
    };
    html::page(&html::templates(&[("minimization.html", PAGE)])?, "minimization.html", values)
}

fn plot(file: &FileResult, runs: &[ReductionRun]) -> ReductionPlot {
    let own: Vec<&ReductionRun> = runs.iter().filter(|run| run.file == file.file).collect();
    let power = |value: f64, round: fn(f64) -> f64| 10f64.powf(round(value.log10()));
    let least = |value: fn(&ReductionRun) -> f64| own.iter().map(|run| value(run)).fold(f64::INFINITY, f64::min);
    let most = |value: fn(&ReductionRun) -> f64| own.iter().map(|run| value(run)).fold(0.0, f64::max);
    let axis = |ends: (f64, f64), least: f64, most: f64, room: f64| {
        let least = power(least.clamp(0.01, 1e6), f64::floor);
        Axis::logarithmic(ends.0, ends.1, least, (most * room).max(least * 10.0))
    };
    let across = axis(ACROSS, least(|run| run.cpu_s), most(|run| run.cpu_s), 1.3);
    let up = axis(UP, least(|run| run.after.bytes as f64), file.before.bytes as f64, 1.2);
    let marks = |axis: &Axis, words: fn(f64) -> String| -> Vec<(f64, String)> {
        let marks = axis.marks();
        marks[..marks.len().saturating_sub(1)].iter().map(|mark| (axis.at(*mark), words(*mark))).collect()
    };
    let dot = |run: &&ReductionRun| {
        let said = format!(
            "{}, run {}: {} bytes in {} of CPU time{}",
            title(&run.reducer),
            run.seed,
            run.after.bytes,
            time_text(run.cpu_s),
            if run.finished { "" } else { ", stopped" }
        );
        (across.at(run.cpu_s), up.at(run.after.bytes as f64), run.reducer.clone(), said)
    };
    ReductionPlot {
        file: file.file.clone(),
        before: up.at(file.before.bytes as f64),
        across: marks(&across, time_text),
        up: marks(&up, whole),
        dots: own.iter().map(dot).collect(),
    }
}
