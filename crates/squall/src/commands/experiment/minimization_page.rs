//! The results of a comparison of reducers.

use crate::args::units::time_text;
use crate::render::axes::{Axis, Join, trimmed};
use crate::render::plot::{Plot, PlotFrame};
use crate::render::results::{Results, Shown};
use crate::render::say::counted;
use crate::render::sheet::{Sheet, SheetCell, cells, numbers, words};
use ::experiment::reductions::results::{self, FileResult, ReducerResult, ReducerSummary};
use ::experiment::reductions::run::ReductionRun;
use ::experiment::statistics::MedianInterval;
use anyhow::Result;
use serde::Serialize;
use std::path::Path;
use std::time::Duration;

/// The colours of reducers by name.
const TONES: [(&str, &str); 2] = [("passes", "main"), ("ddsmt", "D")];
/// The titles of reducers by name.
const TITLES: [(&str, &str); 2] = [("passes", "passes of squall reduce"), ("ddsmt", "ddSMT 2")];

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
    /// Computes the results of runs with a limit of `cpu` CPU time.
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

    /// Returns notes on all numbers.
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
            notes.push(format!(
                "{stopped} runs were stopped after {limit} of CPU time; their best result by then counts."
            ));
        }
        if failed > 0 {
            notes.push(format!("{failed} runs failed; the original file counts as their result."));
        }
        notes.push(match lost {
            0 => "Every result, judged again from its file, still shows the error with its truth.".to_string(),
            _ => format!("{lost} results, judged again from their files, no longer show the error with its truth."),
        });
        notes
    }
}

/// Writes and prints the results.
/// Errors: a file cannot be written.
pub fn publish(out: &Path, report: &MinimizationReport, runs: &[ReductionRun]) -> Result<()> {
    let about = format!(
        "What each reducer leaves of the same wrong answers, and what it costs: research question 4 of STORM, for our passes and ddSMT 2. Both ask one \
         oracle; a run took at most {} of CPU time.",
        time_text(report.limit_s)
    );
    let mut page = Results::new("Reducers compared", about);
    page.sheet(Shown::Everywhere, by_file(report));
    if let Some(first) = report.summaries.first() {
        let files = counted(first.files, "file");
        page.heading(Shown::Everywhere, format!("Medians over {files} of the medians:"));
        page.sheet(Shown::Everywhere, over_files(report));
    }
    page.notes(Shown::Everywhere, report.notes());
    page.note(Shown::Page, "Medians, with intervals where the runs differ. A call runs the solver on one candidate.");
    page.heading(Shown::Page, "Bytes left and CPU time");
    page.legend(
        TITLES.iter().zip(TONES).map(|((_, title), (_, tone))| (tone.to_string(), title.to_string())).collect(),
    );
    page.plots(report.files.iter().map(|file| plot(file, runs)).collect());
    page.note(Shown::Page, "One dot per run.");
    page.publish(out, serde_json::json!({ "minimization": report, "runs": runs }), &[("runs.csv", csv(runs))])
}

/// Returns one row per run.
fn csv(runs: &[ReductionRun]) -> Sheet {
    let before = "file,reducer,seed,bytes_before,assertions_before,depth_before";
    let after = ["bytes", "assertions", "depth", "wall_s", "cpu_s", "calls", "finished", "failed", "holds"];
    let mut sheet = Sheet::of(before, after);
    for run in runs {
        let (b, a) = (run.before, run.after);
        let before = cells![&run.file, &run.reducer, run.seed, b.bytes, b.assertions, b.depth];
        let after =
            cells![a.bytes, a.assertions, a.depth, SheetCell::seconds(run.wall_s), SheetCell::seconds(run.cpu_s)];
        let end = cells![run.calls, run.finished, run.failed.is_some(), run.holds];
        sheet.row(before.into_iter().chain(after).chain(end));
    }
    sheet
}

/// Returns a median with its interval, where that is more than a point.
fn spread(interval: MedianInterval, words: fn(f64) -> String) -> String {
    let MedianInterval { median, low, high, .. } = interval;
    if high > low { format!("{} ({} to {})", words(median), words(low), words(high)) } else { words(median) }
}

fn whole(value: f64) -> String {
    trimmed(value, 1, "")
}

/// Returns the results of each reducer on each file.
fn by_file(report: &MinimizationReport) -> Sheet {
    let columns = ["bytes", "assertions", "depth", "wall time", "CPU time", "calls", "stopped"];
    let mut sheet = Sheet::new([words("file"), words("reducer")].into_iter().chain(columns.map(numbers)));
    for file in &report.files {
        let before = file.before;
        sheet.row(cells![&file.file, "as found", before.bytes, before.assertions, before.depth]);
        for row in &file.reducers {
            let stopped = if row.stopped > 0 { format!("{} of {}", row.stopped, row.runs) } else { String::new() };
            let sizes = [row.bytes, row.assertions, row.depth].map(|median| spread(median, whole).into());
            let times = [row.wall_s, row.cpu_s].map(|median| spread(median, time_text).into());
            let end = cells![spread(row.calls, whole), stopped];
            sheet.row(cells!["", title(&row.reducer)].into_iter().chain(sizes).chain(times).chain(end));
        }
    }
    sheet
}

/// Returns the results of each reducer on all files together.
fn over_files(report: &MinimizationReport) -> Sheet {
    let columns = ["smaller by", "bytes", "assertions", "depth", "wall time", "CPU time", "calls"];
    let mut sheet = Sheet::new(std::iter::once(words("reducer")).chain(columns.map(numbers)));
    for row in &report.summaries {
        let sizes = [row.bytes, row.assertions, row.depth].map(|value| SheetCell::number(value, 1));
        let costs = [SheetCell::seconds(row.wall_s), SheetCell::seconds(row.cpu_s), SheetCell::number(row.calls, 1)];
        let first = cells![title(&row.reducer), SheetCell::percent(row.percent_less)];
        sheet.row(first.into_iter().chain(sizes).chain(costs));
    }
    sheet
}

/// Returns one dot per run on a file: its CPU time and the size of its result.
fn plot(file: &FileResult, runs: &[ReductionRun]) -> Plot {
    let own: Vec<&ReductionRun> = runs.iter().filter(|run| run.file == file.file).collect();
    let power = |value: f64, round: fn(f64) -> f64| 10f64.powf(round(value.log10()));
    let least = |value: fn(&ReductionRun) -> f64| own.iter().map(|run| value(run)).fold(f64::INFINITY, f64::min);
    let most = |value: fn(&ReductionRun) -> f64| own.iter().map(|run| value(run)).fold(0.0, f64::max);
    let axis = |ends: (f64, f64), least: f64, most: f64, room: f64| {
        let least = power(least.clamp(0.01, 1e6), f64::floor);
        Axis::logarithmic(ends, least, (most * room).max(least * 10.0))
    };
    let frame = PlotFrame::DOTS;
    let across = axis(frame.across(), least(|run| run.cpu_s), most(|run| run.cpu_s), 1.3);
    let up = axis(frame.up(), least(|run| run.after.bytes as f64), file.before.bytes as f64, 1.2);
    let mut plot = Plot::framed(&file.file, "bytes left and CPU time", frame);
    plot.columns(&across, time_text, "CPU time");
    plot.rows(&up, whole, "bytes");
    let before = up.at(file.before.bytes as f64);
    let (left, right) = frame.across();
    plot.line("thin dashed", [(left, before), (right, before)], Join::Straight);
    plot.label((right, before + 15.0), "end", "as found");
    for run in own {
        let (reducer, time) = (title(&run.reducer), time_text(run.cpu_s));
        let stopped = if run.finished { "" } else { ", stopped" };
        let said = format!("{reducer}, run {}: {} bytes in {time} of CPU time{stopped}", run.seed, run.after.bytes);
        let tone = TONES.iter().find(|(word, _)| *word == run.reducer).map_or("main", |(_, tone)| tone);
        plot.dot(tone, (across.at(run.cpu_s), up.at(run.after.bytes as f64)), said);
    }
    plot
}
