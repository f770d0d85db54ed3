//! A grid of bounds written down: text for a terminal, a page with plots, and the numbers as CSV, Markdown and JSON.

use crate::args::units::time_text;
use crate::render::axes::{Axis, trimmed};
use crate::render::csv::cell;
use crate::render::{figures, html, report_files};
use ::experiment::censored_median::CensoredMedian;
use ::experiment::grid::{self, GridCell, GridCellResult, GridRun};
use ::experiment::known_bugs::manifest::ReleaseBug;
use anyhow::Result;
use minijinja::context;
use minijinja::value::{Serde, Value};
use serde::Serialize;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;
use std::time::Duration;

const PAGE: &str = include_str!("templates/grid.html.j2");
/// Where the values of a panel stand, from left to right and from below.
const ACROSS: (f64, f64) = (56.0, 330.0);
const UP: (f64, f64) = (196.0, 12.0);

/// What a measure is called, and how its values are written.
#[derive(Clone, Copy)]
struct GridMeasure {
    name: &'static str,
    figure: &'static str,
    words: fn(f64) -> String,
    median: fn(&GridCellResult) -> Option<CensoredMedian>,
    value: fn(&GridRun) -> f64,
}

/// The measures of the paper's Figures 4 and 5.
const MEASURES: [GridMeasure; 2] = [
    GridMeasure {
        name: "mutants",
        figure: "Mutants to the bug (Figure 4 of the paper)",
        words: |mutants| trimmed(mutants, 0, ""),
        median: |result| result.mutants,
        value: |run| run.run.mutants as f64,
    },
    GridMeasure {
        name: "CPU time",
        figure: "CPU time to the bug (Figure 5 of the paper)",
        words: time_text,
        median: |result| result.cpu_s,
        value: |run| run.run.cpu_s,
    },
];

/// All results of a grid.
#[derive(Serialize)]
pub struct GridReport {
    cpu_s: f64,
    bugs: Vec<BugGrid>,
    #[serde(skip)]
    bounds: Vec<u32>,
}

/// The results of one bug.
#[derive(Serialize)]
struct BugGrid {
    id: String,
    class: String,
    solver: String,
    fixed: Option<String>,
    cells: Vec<GridCellResult>,
}

impl GridReport {
    /// The results of some runs that were given up after `cpu`.
    pub fn new(bugs: &[ReleaseBug], cells: &[GridCell], runs: &[GridRun], cpu: Duration) -> GridReport {
        let bug = |bug: &ReleaseBug| BugGrid {
            id: bug.id.clone(),
            class: bug.class.to_string(),
            solver: bug.solver.clone(),
            fixed: bug.fixed.clone(),
            cells: grid::results(&bug.id, cells, runs, cpu),
        };
        let bounds: BTreeSet<u32> = cells.iter().map(|cell| cell.asserts).collect();
        GridReport {
            cpu_s: cpu.as_secs_f64(),
            bugs: bugs.iter().map(bug).collect(),
            bounds: bounds.into_iter().collect(),
        }
    }
}

impl BugGrid {
    fn at(&self, asserts: u32, depth: u32) -> Option<&GridCellResult> {
        self.cells.iter().find(|result| result.cell == GridCell { asserts, depth })
    }

    /// How sure the intervals are, in percent, and how many runs a cell has.
    fn confidence(&self) -> Option<(f64, usize)> {
        let least = self.cells.iter().filter_map(|result| Some((result.cpu_s?.confidence * 100.0, result.runs)));
        least.min_by(|a, b| a.0.total_cmp(&b.0))
    }
}

/// Writes index.html, cells.csv, runs.csv, figures.md and results.json.
///
/// # Errors
/// A file cannot be written.
pub fn write(out: &Path, report: &GridReport, runs: &[GridRun]) -> Result<()> {
    let json = serde_json::json!({ "build": crate::build::here(), "grid": report, "runs": runs });
    let files = [
        ("cells.csv", cells(report)),
        ("runs.csv", rows(runs)),
        (figures::FILE, figures::text([markdown(report)])),
        ("results.json", report_files::json(&json)?),
        ("index.html", page(report, runs)?),
    ];
    report_files::write(out, files)
}

/// One row a run.
fn rows(runs: &[GridRun]) -> String {
    let mut text = String::from("bug,max_asserts,max_depth,seed,found,cpu_s,mutants,refused\n");
    for GridRun { cell: GridCell { asserts, depth }, run } in runs {
        let (found, bug) = (run.found.is_some(), cell(&run.bug));
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "{bug},{asserts},{depth},{},{found},{:.3},{},{}",
            run.seed, run.cpu_s, run.mutants, run.refused
        );
    }
    text
}

/// One row a cell. An empty cell is a value that is not known.
fn cells(report: &GridReport) -> String {
    let mut text = String::from("bug,max_asserts,max_depth,runs,found,confidence");
    for measure in ["cpu_s", "mutants"] {
        let _ = write!(text, ",{measure}_median_at_least,{measure}_median_at_most,{measure}_low,{measure}_high");
    }
    text.push('\n');
    for bug in &report.bugs {
        for result in &bug.cells {
            let GridCell { asserts, depth } = result.cell;
            let _ = write!(text, "{},{asserts},{depth},{},{}", cell(&bug.id), result.runs, result.found);
            let _ = write!(text, ",{}", result.cpu_s.map_or(String::new(), |m| format!("{:.4}", m.confidence)));
            for median in [result.cpu_s, result.mutants] {
                let values = median.map(|m| [Some(m.at_least), m.at_most, Some(m.low), m.high]).unwrap_or_default();
                for value in values {
                    let _ = write!(text, ",{}", value.map_or(String::new(), |value| trimmed(value, 3, "")));
                }
            }
            text.push('\n');
        }
    }
    text
}

/// A median in words: itself, or what is known of it.
fn median_words(median: Option<CensoredMedian>, words: fn(f64) -> String) -> String {
    match median {
        None => "–".to_string(),
        Some(m) => match (m.exact(), m.at_most) {
            (Some(value), _) => words(value),
            (None, Some(most)) => format!("{}–{}", words(m.at_least), words(most)),
            (None, None) => format!(">{}", words(m.at_least)),
        },
    }
}

/// An interval in words.
fn interval_words(median: Option<CensoredMedian>, words: fn(f64) -> String) -> String {
    let end = |m: CensoredMedian| m.high.map_or("…".to_string(), words);
    median.map_or(String::new(), |m| format!("{} to {}", words(m.low), end(m)))
}

/// Both figures of each bug as tables: a row for each Amax, a column for each Dmax.
fn markdown(report: &GridReport) -> String {
    let mut text = String::new();
    for bug in &report.bugs {
        for measure in MEASURES {
            let _ = writeln!(text, "{}, {}: median (interval), found of runs if not all\n", bug.id, measure.name);
            let heads: Vec<String> = report.bounds.iter().map(|depth| format!("Dmax {depth}")).collect();
            let _ = writeln!(text, "| | {} |\n|---|{}", heads.join(" | "), "---|".repeat(heads.len()));
            for &asserts in &report.bounds {
                let column = |&depth: &u32| {
                    let Some(result) = bug.at(asserts, depth) else { return String::new() };
                    let median = (measure.median)(result);
                    let (words, interval) =
                        (median_words(median, measure.words), interval_words(median, measure.words));
                    let found = match result.found == result.runs {
                        true => String::new(),
                        false => format!("; {} of {}", result.found, result.runs),
                    };
                    format!("{words} ({interval}{found})")
                };
                let columns: Vec<String> = report.bounds.iter().map(column).collect();
                let _ = writeln!(text, "| **Amax {asserts}** | {} |", columns.join(" | "));
            }
            text.push('\n');
        }
        if let Some((confidence, runs)) = bug.confidence() {
            let _ = writeln!(text, "{}\n", about_intervals(confidence, runs));
        }
    }
    text
}

/// What the intervals are.
fn about_intervals(confidence: f64, runs: usize) -> String {
    format!(
        "Intervals are those of order statistics; {runs} {} give them a confidence of {}.",
        if runs == 1 { "run" } else { "runs" },
        trimmed(confidence, 1, " %")
    )
}

/// The tables for a terminal.
pub fn text(report: &GridReport) -> String {
    let mut text = String::new();
    for bug in &report.bugs {
        let runs: usize = bug.cells.iter().map(|result| result.runs).sum();
        let found: usize = bug.cells.iter().map(|result| result.found).sum();
        let limit = time_text(report.cpu_s);
        let _ = writeln!(text, "{}: found in {found} of {runs} runs within {limit} of CPU time", bug.id);
        for measure in MEASURES {
            let _ = write!(text, "{:<14}", format!("  {}", measure.name));
            for depth in &report.bounds {
                let _ = write!(text, "{:>12}", format!("Dmax {depth}"));
            }
            text.push('\n');
            for &asserts in &report.bounds {
                let _ = write!(text, "{:<14}", format!("    Amax {asserts}"));
                for &depth in &report.bounds {
                    let median = bug.at(asserts, depth).and_then(measure.median);
                    let _ = write!(text, "{:>12}", median_words(median, measure.words));
                }
                text.push('\n');
            }
        }
        if let Some((confidence, runs)) = bug.confidence() {
            let _ = writeln!(text, "  Medians. {} cells.csv has them.", about_intervals(confidence, runs));
        }
    }
    text
}

/// A figure of a bug: a panel for each Dmax, and a table.
#[derive(Serialize)]
struct GridFigure {
    caption: String,
    marks: Vec<(f64, String)>,
    panels: Vec<GridPanel>,
    rows: Vec<(u32, Vec<TableCell>)>,
}

#[derive(Serialize)]
struct GridPanel {
    depth: u32,
    ticks: Vec<(f64, u32)>,
    /// Runs: where they stand, whether they found the bug, and what they say.
    dots: Vec<(f64, f64, bool, String)>,
    /// Medians: where they stand, the ends of the interval, whether the median and the upper end are known, and what they say.
    medians: Vec<MedianMark>,
}

#[derive(Serialize)]
struct MedianMark {
    x: f64,
    y: f64,
    low: f64,
    high: f64,
    is_exact: bool,
    is_bounded: bool,
    title: String,
}

#[derive(Serialize)]
struct TableCell {
    median: String,
    interval: String,
    found: usize,
    runs: usize,
    /// How dark it is, in percent: the lightest is the largest median.
    shade: f64,
}

fn page(report: &GridReport, runs: &[GridRun]) -> Result<String> {
    let shown = |bug| {
        let figures = MEASURES.iter().map(|measure| figure(report, bug, runs, *measure)).collect();
        (bug, figures, bug.confidence().map(|(confidence, runs)| about_intervals(confidence, runs)))
    };
    let bugs: Vec<(&BugGrid, Vec<GridFigure>, Option<String>)> = report.bugs.iter().map(shown).collect();
    let values = context! { bugs => Value::from(Serde(&bugs)), cpu => time_text(report.cpu_s) };
    html::page(&html::templates(&[("grid.html", PAGE)])?, "grid.html", values)
}

fn figure(report: &GridReport, bug: &BugGrid, runs: &[GridRun], measure: GridMeasure) -> GridFigure {
    let own: Vec<&GridRun> = runs.iter().filter(|run| run.run.bug == bug.id).collect();
    let values = || own.iter().map(|run| (measure.value)(run)).filter(|value| *value > 0.0);
    let least = 10f64.powf(values().fold(f64::INFINITY, f64::min).clamp(1e-3, 1e6).log10().floor());
    let most = values().fold(least * 10.0, f64::max) * 1.1;
    let up = Axis::logarithmic(UP.0, UP.1, least, most);
    let marks: Vec<f64> = up.marks();
    let tens = marks[..marks.len().saturating_sub(1)].iter();
    let step = (ACROSS.1 - ACROSS.0) / report.bounds.len() as f64;
    let across = |n: usize| ACROSS.0 + step * (n as f64 + 0.5);
    let panel = |&depth: &u32| {
        let mut panel = GridPanel { depth, ticks: Vec::new(), dots: Vec::new(), medians: Vec::new() };
        for (n, &asserts) in report.bounds.iter().enumerate() {
            panel.ticks.push((across(n), asserts));
            let here = own.iter().filter(|run| run.cell == GridCell { asserts, depth });
            panel.dots.extend(here.map(|run| {
                let found = run.run.found.is_some();
                let value = (measure.value)(run);
                let said = if found { "found after" } else { "given up after" };
                let title = format!("Amax {asserts}, seed {}: {said} {}", run.run.seed, (measure.words)(value));
                (across(n) + 9.0, up.at(value), found, title)
            }));
            if let Some(m) = bug.at(asserts, depth).and_then(measure.median) {
                panel.medians.push(MedianMark {
                    x: across(n) - 4.0,
                    y: up.at(m.exact().unwrap_or(m.at_least)),
                    low: up.at(m.low),
                    high: up.at(m.high.unwrap_or(f64::MAX)),
                    is_exact: m.exact().is_some(),
                    is_bounded: m.high.is_some(),
                    title: format!(
                        "Amax {asserts}: median {}, interval {}",
                        median_words(Some(m), measure.words),
                        interval_words(Some(m), measure.words)
                    ),
                });
            }
        }
        panel
    };
    let shades = Axis::logarithmic(55.0, 0.0, least, most);
    let row = |&asserts: &u32| {
        let cells = report.bounds.iter().filter_map(|&depth| {
            let result = bug.at(asserts, depth)?;
            let median = (measure.median)(result);
            Some(TableCell {
                median: median_words(median, measure.words),
                interval: interval_words(median, measure.words),
                found: result.found,
                runs: result.runs,
                shade: median.map_or(0.0, |m| shades.at(m.at_most.unwrap_or(f64::MAX))),
            })
        });
        (asserts, cells.collect())
    };
    GridFigure {
        caption: measure.figure.to_string(),
        marks: tens.map(|mark| (up.at(*mark), (measure.words)(*mark))).collect(),
        panels: report.bounds.iter().map(panel).collect(),
        rows: report.bounds.iter().map(row).collect(),
    }
}
