//! The results of a coverage measurement.

use crate::args::units::time_text;
use crate::render::plot::{Plot, PlotSeries, tone};
use crate::render::results::{Results, Shown};
use crate::render::say::counted;
use crate::render::sheet::{Sheet, SheetCell, cells, numbers, words};
use ::experiment::coverage::gains::{CoverageGains, PlaceGain};
use ::experiment::coverage::plan::CoveragePlan;
use ::experiment::coverage::record::{CoveragePoint, PhaseRecord};
use ::experiment::coverage::run::CoverageRun;
use ::solver::coverage::CoverageUnit;
use anyhow::Result;

/// The number of files and functions on the page; the CSV tables have all.
const SHOWN: usize = 40;

/// Writes and prints the results.
/// Errors: a file cannot be written.
pub fn publish(plan: &CoveragePlan, run: &CoverageRun, gains: &CoverageGains) -> Result<()> {
    let phases: Vec<_> =
        phases(plan, run).map(|(name, record)| serde_json::json!({ "name": name, "points": record.points })).collect();
    let json = serde_json::json!({
        "conditions": run.conditions,
        "mutants": plan.mutants,
        "is_complete": run.is_complete,
        "phases": phases,
        "gains": gains,
    });
    let tables = [
        ("curve.csv", curve(plan, run)),
        ("files.csv", places(plan, &gains.files)),
        ("functions.csv", places(plan, &gains.functions)),
    ];
    report(plan, run, gains).publish(&plan.out, json, &tables)
}

fn report(plan: &CoveragePlan, run: &CoverageRun, gains: &CoverageGains) -> Results {
    let conditions = &run.conditions;
    let alone = run.seeds.last().scripts;
    let others = if alone < conditions.seeds as u64 { " (the solver reads no others)" } else { "" };
    let about = format!(
        "{alone} of {} alone{others}, then mutants; random choices follow from {}. Each script ran in a process of its own for at most {}. Counted \
         by: {}.",
        counted(conditions.seeds, "seed"),
        conditions.seed,
        time_text(conditions.timeout_ms as f64 / 1000.0),
        conditions.instrumentation
    );
    let mut report = Results::new(format!("Coverage of {}", conditions.solver), about);
    if !run.is_complete {
        report.about("Stopped before the end; the same command resumes.".to_string());
    }
    report.sheet(Shown::Everywhere, table(plan, run, gains));
    let about = match conditions.instrumentation.as_str() {
        "edge map" => "A map shows edges without their positions, also those of killed and crashed runs.",
        _ => "A crashed or killed run writes no counters. System headers are excluded.",
    };
    report.note(Shown::Page, format!("Rows of mutants count only what no seed executed. {about}"));
    report.plots(plots(plan, run, gains));
    // Only the shown ones: generated files may have other paths.
    let gainers = gains.files.iter().filter(|place| place.together > 0).take(SHOWN);
    let prefix = common_folder(gainers.map(|place| place.file.as_str()));
    let new = "New: no seed entered it. A line counts for the last function that begins at it or before.";
    for (places, name, noun, note) in
        [(&gains.files, "files.csv", "file", ""), (&gains.functions, "functions.csv", "function", new)]
    {
        let gained: Vec<&PlaceGain> = places.iter().filter(|place| place.together > 0).collect();
        if !gained.is_empty() {
            let shown = gained.len().min(SHOWN);
            report.heading(Shown::Page, format!("By {noun}"));
            report.sheet(Shown::Page, gainers_table(plan, run, &gained[..shown], &prefix));
            let all = counted(gained.len(), noun);
            let said =
                format!("The {shown} of {all} with the greatest gain, below `{prefix}`; `{name}` has all. {note}");
            report.note(Shown::Page, said);
        }
    }
    report.footer(format!("program {}; seeds {}", conditions.program, conditions.seeds_digest));
    report
}

/// Returns the seeds, then the started arms.
fn phases<'r>(plan: &'r CoveragePlan, run: &'r CoverageRun) -> impl Iterator<Item = (&'r str, &'r PhaseRecord)> {
    let arms = plan.arms.iter().map(|arm| arm.name.as_str()).zip(&run.arms);
    std::iter::once(("seeds", &run.seeds)).chain(arms)
}

/// Returns one row per point.
fn curve(plan: &CoveragePlan, run: &CoverageRun) -> Sheet {
    let mut sheet = Sheet::of("phase,scripts,cpu_s,lines,functions,branches,edges,crashed,limited,refused", []);
    for (name, record) in phases(plan, run) {
        for point in &record.points {
            let reached = CoverageUnit::ALL.into_iter().map(|unit| point.count(unit).into());
            let first = cells![name, point.scripts, SheetCell::seconds(point.cpu_s)];
            let end = cells![point.crashed, point.limited, point.refused];
            sheet.row(first.into_iter().chain(reached).chain(end));
        }
    }
    sheet
}

/// Returns one row per file or function.
fn places(plan: &CoveragePlan, places: &[PlaceGain]) -> Sheet {
    let gains: Vec<String> = plan.arms.iter().map(|arm| format!("{} gain", arm.name)).collect();
    let gains = gains.iter().map(String::as_str).chain(["gain", "entered_by_seeds"]);
    let mut sheet = Sheet::of("file,line,function,lines,seeds", gains);
    for place in places {
        let function = place.function.as_deref().unwrap_or("");
        let first = cells![&place.file, place.line, function, place.all, place.seeds];
        let arms = place.arms.iter().map(|&gain| gain.into());
        sheet.row(first.into_iter().chain(arms).chain(cells![place.together, place.is_entered]));
    }
    sheet
}

/// Returns the coverage of each phase.
fn table(plan: &CoveragePlan, run: &CoverageRun, gains: &CoverageGains) -> Sheet {
    let units = gains.units.iter().map(|unit| numbers(unit.unit.plural()));
    let columns = [words("phase"), numbers("scripts"), numbers("CPU time")].into_iter().chain(units);
    let mut sheet = Sheet::new(columns.chain([numbers("crashed"), numbers("killed"), numbers("refused")]));
    for (at, (name, record)) in phases(plan, run).enumerate() {
        let last = record.last();
        let reached = gains.units.iter().map(|unit| match at {
            0 => format!("{} of {} ({})", unit.seeds, unit.all, share(unit.seeds, unit.all)).into(),
            _ => format!("+{}", unit.arms.get(at - 1).copied().unwrap_or(0)).into(),
        });
        let first = cells![name, last.scripts, SheetCell::seconds(last.cpu_s)];
        sheet.row(first.into_iter().chain(reached).chain(cells![last.crashed, last.limited, last.refused]));
    }
    if run.arms.len() > 1 {
        let together = gains.units.iter().map(|unit| format!("+{}", unit.together).into());
        sheet.row(cells!["all mutants together", "", ""].into_iter().chain(together));
    }
    sheet
}

/// Returns the files or functions with the greatest gain.
fn gainers_table(plan: &CoveragePlan, run: &CoverageRun, places: &[&PlaceGain], prefix: &str) -> Sheet {
    let arms = plan.arms.iter().take(run.arms.len()).map(|arm| numbers(arm.name.clone()));
    let columns = [words("where"), words("function"), numbers("lines"), numbers("seeds")].into_iter().chain(arms);
    let mut sheet = Sheet::new(columns.chain([numbers("gain")]));
    for place in places {
        let file = place.file.strip_prefix(prefix).unwrap_or(&place.file);
        let (at, function) = match &place.function {
            None => (file.to_string(), String::new()),
            Some(function) if place.is_entered => (format!("{file}:{}", place.line), function.clone()),
            Some(function) => (format!("{file}:{}", place.line), format!("{function} (new)")),
        };
        let first = cells![SheetCell::from(at).path(), SheetCell::from(function).path(), place.all, place.seeds];
        let gains = place.arms.iter().chain([&place.together]).map(|gain| format!("+{gain}").into());
        sheet.row(first.into_iter().chain(gains));
    }
    sheet
}

fn share(part: usize, all: usize) -> String {
    format!("{:.1} %", 100.0 * part as f64 / all.max(1) as f64)
}

/// The x value of a point: scripts or CPU time.
type Reached = fn(&CoveragePoint) -> f64;

/// Returns the curves of the first unit beyond the seeds: over mutants, and over CPU time.
fn plots(plan: &CoveragePlan, run: &CoverageRun, gains: &CoverageGains) -> Vec<Plot> {
    let Some(unit) = gains.units.first().filter(|_| !run.arms.is_empty()) else { return Vec::new() };
    let series = |x: Reached| -> Vec<PlotSeries> {
        let of = |(at, (arm, record)): (usize, (&str, &PhaseRecord))| {
            let gain = |point: &CoveragePoint| point.count(unit.unit).saturating_sub(unit.seeds) as f64;
            let points = record.points.iter().map(|point| (x(point), gain(point)));
            PlotSeries {
                tone: tone(at),
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

/// Returns the common folder of all files, with its last `/`; empty if there is none.
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
#[path = "../../../../tests/unit/page.rs"]
mod tests;
