//! Results of repeated reductions of the same files: medians and intervals by file and reducer.

use super::run::ReductionRun;
use crate::statistics::MedianInterval;
use crate::statistics::median;
use reduce::Size;
use serde::Serialize;

/// The runs of one reducer on one file.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ReducerResult {
    /// The reducer.
    pub reducer: String,
    /// The number of runs.
    pub runs: usize,
    /// Runs stopped at their limit. Their best result by then counts.
    pub stopped: usize,
    /// Runs that could not reduce the file. The original file counts as their result.
    pub failed: usize,
    /// Runs whose result no longer shows the error with its truth.
    pub lost: usize,
    /// The size of the result in bytes.
    pub bytes: MedianInterval,
    /// Its assertions.
    pub assertions: MedianInterval,
    /// The depth of its deepest assertion.
    pub depth: MedianInterval,
    /// Wall-clock seconds.
    pub wall_s: MedianInterval,
    /// CPU seconds.
    pub cpu_s: MedianInterval,
    /// Candidates run on the solver.
    pub calls: MedianInterval,
}

/// One file.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct FileResult {
    /// Its name.
    pub file: String,
    /// Its original size.
    pub before: Size,
    /// The results of each reducer that has runs, in the given order.
    pub reducers: Vec<ReducerResult>,
}

/// The results of a reducer over the files that every reducer ran on. Every value from `bytes` on is the median over the files of each
/// file's median.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ReducerSummary {
    /// The reducer.
    pub reducer: String,
    /// The number of files.
    pub files: usize,
    /// The median over the files of the reduction in size, in percent of bytes.
    pub percent_less: f64,
    /// The size of the result in bytes.
    pub bytes: f64,
    /// The number of its assertions.
    pub assertions: f64,
    /// The depth of its deepest assertion.
    pub depth: f64,
    /// Wall-clock seconds.
    pub wall_s: f64,
    /// CPU seconds.
    pub cpu_s: f64,
    /// The number of candidates run on the solver.
    pub calls: f64,
}

/// Groups runs by file and reducer, in the given orders.
pub fn by_file(files: &[String], reducers: &[&str], runs: &[ReductionRun]) -> Vec<FileResult> {
    let file = |file: &String| {
        let own: Vec<&ReductionRun> = runs.iter().filter(|run| run.file == *file).collect();
        let before = own.first()?.before;
        let reducers = reducers.iter().filter_map(|reducer| {
            let own: Vec<&ReductionRun> = own.iter().copied().filter(|run| run.reducer == *reducer).collect();
            result(reducer, &own)
        });
        Some(FileResult { file: file.clone(), before, reducers: reducers.collect() })
    };
    files.iter().filter_map(file).collect()
}

fn result(reducer: &str, runs: &[&ReductionRun]) -> Option<ReducerResult> {
    let of =
        |value: fn(&ReductionRun) -> f64| MedianInterval::of(&runs.iter().map(|run| value(run)).collect::<Vec<_>>());
    Some(ReducerResult {
        reducer: reducer.to_string(),
        runs: runs.len(),
        stopped: runs.iter().filter(|run| !run.finished).count(),
        failed: runs.iter().filter(|run| run.failed.is_some()).count(),
        lost: runs.iter().filter(|run| !run.holds).count(),
        bytes: of(|run| run.after.bytes as f64)?,
        assertions: of(|run| run.after.assertions as f64)?,
        depth: of(|run| f64::from(run.after.depth))?,
        wall_s: of(|run| run.wall_s)?,
        cpu_s: of(|run| run.cpu_s)?,
        calls: of(|run| run.calls as f64)?,
    })
}

/// Summarises each reducer over the files that all of `reducers` ran on.
pub fn summaries(files: &[FileResult], reducers: &[&str]) -> Vec<ReducerSummary> {
    let common: Vec<&FileResult> = files.iter().filter(|file| file.reducers.len() == reducers.len()).collect();
    let summary = |reducer: &&str| {
        let rows: Vec<(&FileResult, &ReducerResult)> = common
            .iter()
            .filter_map(|file| Some((*file, file.reducers.iter().find(|row| row.reducer == **reducer)?)))
            .collect();
        let of = |value: fn(&ReducerResult) -> MedianInterval| {
            median(&rows.iter().map(|(_, row)| value(row).median).collect::<Vec<_>>())
        };
        let less = |(file, row): &(&FileResult, &ReducerResult)| {
            100.0 - 100.0 * row.bytes.median / (file.before.bytes as f64).max(1.0)
        };
        Some(ReducerSummary {
            reducer: (*reducer).to_string(),
            files: rows.len(),
            percent_less: median(&rows.iter().map(less).collect::<Vec<_>>())?,
            bytes: of(|row| row.bytes)?,
            assertions: of(|row| row.assertions)?,
            depth: of(|row| row.depth)?,
            wall_s: of(|row| row.wall_s)?,
            cpu_s: of(|row| row.cpu_s)?,
            calls: of(|row| row.calls)?,
        })
    };
    reducers.iter().filter_map(summary).collect()
}
