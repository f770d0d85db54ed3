//! The coverage of a solver written down: text for a terminal, a page with curves, and the numbers as CSV, JSON and Markdown.

use crate::args::units::time_text;
use crate::render::csv::cell;
use crate::render::plot::{Plot, PlotSeries};
use crate::render::table::{Table, numbers, words};
use crate::render::{figures, html, report_files};
use ::experiment::coverage::gains::{CoverageGains, PlaceGain};
use ::experiment::coverage::plan::CoveragePlan;
use ::experiment::coverage::record::{CoveragePoint, PhaseRecord};
use ::experiment::coverage::run::CoverageRun;
use ::solver::coverage::CoverageUnit;
use anyhow::Result;
use minijinja::context;
use minijinja::value::{Serde, Value};
use serde::Serialize;
use std::fmt::Write;

const PAGE: &str = include_str!("templates/coverage.html.j2");

/// How many files and functions the page shows; the tables in CSV have all.
const SHOWN: usize = 40;

/// The colours of the arms' curves, by name.
const TONES: [&str; 6] = ["main", "B", "D", "E", "A", "C"];

/// Writes index.html, curve.csv, files.csv, functions.csv, results.json and figures.md.
///
/// # Errors
/// A file cannot be written.
pub fn write(plan: &CoveragePlan, run: &CoverageRun, gains: &CoverageGains) -> Result<()> {
    let phases: Vec<_> =
        phases(plan, run).map(|(name, record)| serde_json::json!({ "name": name, "points": record.points })).collect();
    let json = serde_json::json!({
        "build": crate::build::here(),
        "conditions": run.conditions,
        "mutants": plan.mutants,
        "is_complete": run.is_complete,
        "phases": phases,
        "gains": gains,
    });
    let files = [
        ("curve.csv", curve(plan, run)),
        ("files.csv", places(plan, &gains.files)),
        ("functions.csv", places(plan, &gains.functions)),
        ("results.json", report_files::json(&json)?),
        (figures::FILE, figures::text([table(plan, run, gains).markdown()])),
        ("index.html", page(plan, run, gains)?),
    ];
    report_files::write(&plan.out, files)
}

/// The seeds, then the arms that were begun.
fn phases<'r>(plan: &'r CoveragePlan, run: &'r CoverageRun) -> impl Iterator<Item = (&'r str, &'r PhaseRecord)> {
    let arms = plan.arms.iter().map(|arm| arm.name.as_str()).zip(&run.arms);
    std::iter::once(("seeds", &run.seeds)).chain(arms)
}

/// One row a point.
fn curve(plan: &CoveragePlan, run: &CoverageRun) -> String {
    let mut text = String::from("phase,scripts,cpu_s,lines,functions,branches,edges,crashed,limited,refused\n");
    for (name, record) in phases(plan, run) {
        for point in &record.points {
            // Writing to a string cannot fail.
            let _ = write!(text, "{},{},{:.3}", cell(name), point.scripts, point.cpu_s);
            for unit in CoverageUnit::ALL {
                let _ = write!(text, ",{}", point.count(unit));
            }
            let _ = writeln!(text, ",{},{},{}", point.crashed, point.limited, point.refused);
        }
    }
    text
}

/// One row a file or function.
fn places(plan: &CoveragePlan, places: &[PlaceGain]) -> String {
    let mut text = String::from("file,line,function,lines,seeds");
    for arm in &plan.arms {
        let _ = write!(text, ",{}", cell(&format!("{} gain", arm.name)));
    }
    text.push_str(",gain,entered_by_seeds\n");
    for place in places {
        let function = place.function.as_deref().unwrap_or("");
        let _ = write!(text, "{},{},{},{},{}", cell(&place.file), place.line, cell(function), place.all, place.seeds);
        for gain in &place.arms {
            let _ = write!(text, ",{gain}");
        }
        let _ = writeln!(text, ",{},{}", place.together, place.is_entered);
    }
    text
}

/// What each phase reached.
fn table(plan: &CoveragePlan, run: &CoverageRun, gains: &CoverageGains) -> Table {
    let units = gains.units.iter().map(|unit| numbers(unit.unit.plural()));
    let columns = [words("phase"), numbers("scripts"), numbers("CPU time")].into_iter().chain(units);
    let mut table = Table::new(columns.chain([numbers("crashed"), numbers("killed")]));
    for (at, (name, record)) in phases(plan, run).enumerate() {
        let last = record.last();
        let reached = gains.units.iter().map(|unit| match at {
            0 => format!("{} of {}", unit.seeds, unit.all),
            _ => format!("+{}", unit.arms.get(at - 1).copied().unwrap_or(0)),
        });
        let first = [name.to_string(), last.scripts.to_string(), time_text(last.cpu_s)];
        table.row(first.into_iter().chain(reached).chain([last.crashed.to_string(), last.limited.to_string()]));
    }
    table
}

/// The table for a terminal.
pub fn text(plan: &CoveragePlan, run: &CoverageRun, gains: &CoverageGains) -> String {
    table(plan, run, gains).text()
}

/// A row of the page's table of phases.
#[derive(Serialize)]
struct PhaseRow {
    name: String,
    last: CoveragePoint,
    cpu: String,
    cells: Vec<String>,
}

/// A row of the page's tables of files and functions.
#[derive(Serialize)]
struct PlaceRow<'g> {
    shown: String,
    place: &'g PlaceGain,
    /// Whether only mutants entered the function.
    is_new: bool,
}

fn page(plan: &CoveragePlan, run: &CoverageRun, gains: &CoverageGains) -> Result<String> {
    let rows: Vec<PhaseRow> = phases(plan, run)
        .enumerate()
        .map(|(at, (name, record))| {
            let last = record.last();
            let cells = gains.units.iter().map(|unit| match at.checked_sub(1) {
                None => format!("{} ({})", unit.seeds, share(unit.seeds, unit.all)),
                Some(arm) => format!("+{}", unit.arms.get(arm).copied().unwrap_or(0)),
            });
            PhaseRow { name: name.to_string(), cpu: time_text(last.cpu_s), cells: cells.collect(), last }
        })
        .collect();
    // Of those that are shown: others, such as files that the build makes, may be named in another way.
    let gainers = gains.files.iter().filter(|place| place.together > 0).take(SHOWN);
    let prefix = common_folder(gainers.map(|place| place.file.as_str()));
    let shown = |places: &[PlaceGain]| -> Value {
        let rows = places.iter().filter(|place| place.together > 0).take(SHOWN).map(|place| PlaceRow {
            shown: place.file.strip_prefix(&prefix).unwrap_or(&place.file).to_string(),
            is_new: place.function.is_some() && !place.is_entered,
            place,
        });
        Value::from(Serde(rows.collect::<Vec<_>>()))
    };
    let gained = |places: &[PlaceGain]| places.iter().filter(|place| place.together > 0).count();
    let values = context! {
        conditions => Value::from(Serde(&run.conditions)),
        timeout => time_text(run.conditions.timeout_ms as f64 / 1000.0),
        is_complete => run.is_complete,
        folder => prefix.clone(),
        units => Value::from(Serde(&gains.units)),
        words => gains.units.iter().map(|unit| unit.unit.plural()).collect::<Vec<_>>(),
        all => gains.units.iter().map(|unit| unit.all.to_string()).collect::<Vec<_>>(),
        together => gains.units.iter().map(|unit| format!("+{}", unit.together)).collect::<Vec<_>>(),
        rows => Value::from(Serde(&rows)),
        arms => plan.arms.iter().take(run.arms.len()).map(|arm| arm.name.clone()).collect::<Vec<_>>(),
        plots => Value::from(Serde(plots(plan, run, gains))),
        files => shown(&gains.files),
        functions => shown(&gains.functions),
        file_count => gained(&gains.files),
        function_count => gained(&gains.functions),
        most => SHOWN,
    };
    html::page(&html::templates(&[("chart.html", html::CHART), ("coverage.html", PAGE)])?, "coverage.html", values)
}

fn share(part: usize, all: usize) -> String {
    format!("{:.1} %", 100.0 * part as f64 / all.max(1) as f64)
}

/// How far a point is: in scripts, or in CPU time.
type Reached = fn(&CoveragePoint) -> f64;

/// The curves of the first unit beyond the seeds: over mutants, and over CPU time.
fn plots(plan: &CoveragePlan, run: &CoverageRun, gains: &CoverageGains) -> Vec<Plot> {
    let Some(unit) = gains.units.first().filter(|_| !run.arms.is_empty()) else { return Vec::new() };
    let series = |x: Reached| -> Vec<PlotSeries> {
        let of = |(at, (arm, record)): (usize, (&str, &PhaseRecord))| {
            let gain = |point: &CoveragePoint| point.count(unit.unit).saturating_sub(unit.seeds) as f64;
            let points = record.points.iter().map(|point| (x(point), gain(point)));
            PlotSeries {
                tone: TONES[at % TONES.len()].to_string(),
                label: arm.to_string(),
                points: std::iter::once((0.0, 0.0)).chain(points).collect(),
                steps: None,
            }
        };
        phases(plan, run).skip(1).enumerate().map(of).collect()
    };
    let last = |x: Reached| run.arms.iter().map(|arm| x(&arm.last())).fold(0.0, f64::max);
    let (scripts, cpu): (Reached, Reached) = (|point| point.scripts as f64, |point| point.cpu_s);
    let plural = unit.unit.plural();
    let arms = plan.arms.iter().zip(&unit.arms).map(|(arm, gain)| format!("{} {gain}", arm.name));
    let words = format!("at the end {}", arms.collect::<Vec<_>>().join(", "));
    let title =
        |over: &str| format!("{}{} beyond those of the seeds, over {over}", plural[..1].to_uppercase(), &plural[1..]);
    vec![
        Plot::over_count(&title("mutants"), words.clone(), (last(scripts), "mutants"), &series(scripts)),
        Plot::over_time(&title("CPU time"), words, last(cpu), &series(cpu)),
    ]
}

/// The folder that all files lie in, with its last `/`; empty where there is none.
fn common_folder<'f>(mut files: impl Iterator<Item = &'f str>) -> String {
    let Some(first) = files.next() else { return String::new() };
    let mut common = first.len();
    for file in files {
        common = first.bytes().zip(file.bytes()).take(common).take_while(|(a, b)| a == b).count();
    }
    let end = first.as_bytes()[..common].iter().rposition(|byte| *byte == b'/');
    end.map_or(String::new(), |end| first[..=end].to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_lie_in_one_folder() {
        let check = |files: &[&str], expect: &str| assert_eq!(common_folder(files.iter().copied()), expect);
        check(&[], "");
        check(&["a.c"], "");
        check(&["/s/a/x.c", "/s/a/y.c", "/s/ab/z.c"], "/s/");
        check(&["/s/a.c"], "/s/");
        check(&["/s/ä.c", "/s/ö.c"], "/s/");
    }
}
