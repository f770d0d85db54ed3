//! The results of a measurement of stability.

use super::{Args, StabilityResults};
use crate::args::format::OutputFormat;
use crate::args::units::time_text;
use crate::render::results::{Results, Shown};
use crate::render::say::counted;
use crate::render::sheet::{Sheet, SheetCell, cells, numbers, words};
use ::experiment::stability::runs::StabilityRun;
use ::experiment::stability::verdict::{LIMITS, StabilityRow, StabilityVerdict};
use ::finding::SolverLabel;
use anyhow::Result;

/// Maximum number of checks shown; `stability.csv` has all.
const SHOWN: usize = 100;

/// Writes and prints the results.
/// Errors: a file cannot be written.
pub fn publish(args: &Args, results: &StabilityResults) -> Result<()> {
    let (json, tables) = (serde_json::to_value(results)?, [("stability.csv", checks(results.rows.iter()))]);
    if args.format == OutputFormat::Text {
        return report(args, results).publish(&args.out, json, &tables);
    }
    println!("{json}");
    report(args, results).write(&args.out, json, &tables)
}

fn report(args: &Args, results: &StabilityResults) -> Results {
    let (trials, time) = (counted(args.count, "trial"), time_text(args.timeout.as_secs_f64()));
    let [low, high] = [LIMITS.0, LIMITS.1].map(|limit| limit * 100.0);
    let about = format!(
        "{trials} of each check, seed {}, {time} of CPU time each. The 95 % interval (Wilson) is of the share of trials with an answer. \
         A check is stable if it lies above {high:.0} %, unsolvable if below {low:.0} %, unstable if between; otherwise more trials decide.",
        args.seed
    );
    let mut report = Results::new("Stability of answers", about);
    report.notes(Shown::Everywhere, results.wrong.iter().map(|wrong| format!("WRONG ANSWER: {wrong}")));
    report.sheet(Shown::Everywhere, solvers(&results.rows));
    let mut shown: Vec<&StabilityRow> =
        results.rows.iter().filter(|row| row.verdict != StabilityVerdict::Stable).collect();
    shown.sort_by_key(|row| row.verdict);
    if !shown.is_empty() {
        report.heading(Shown::Everywhere, format!("Not stable: {}; all are in `stability.csv`", shown.len()));
        report.sheet(Shown::Everywhere, checks(shown.into_iter().take(SHOWN)));
    }
    report.notes(Shown::Everywhere, results.changes.iter().take(SHOWN).cloned());
    for (row, cause) in results.rows.iter().filter_map(|row| Some((row, row.cause.as_ref()?))) {
        let guilty = if cause.guilty.is_empty() { "no single command".into() } else { cause.guilty.join(", or ") };
        let (who, kept) = (format!("{}: {}", row.name, row.solver), cause.kept.join(", "));
        report.note(Shown::Everywhere, format!("{who} is stable without {guilty}; unstable with only {kept}"));
    }
    let (none, left_out) = (counted(results.without_check, "file"), results.left_out);
    report.note(Shown::Everywhere, format!("Not measured: {none}, of which {left_out} left out."));
    report
}

/// One row per solver.
fn solvers(rows: &[StabilityRow]) -> Sheet {
    let columns = StabilityVerdict::ALL.map(|verdict| numbers(verdict.word()));
    let mut sheet =
        Sheet::new([words("solver")].into_iter().chain(columns).chain(["CPU time", "wall time"].map(numbers)));
    let mut labels: Vec<&String> = rows.iter().map(|row| &row.solver).collect();
    labels.sort_by(|a, b| SolverLabel::order(a, b));
    labels.dedup();
    for label in labels {
        let own = || rows.iter().filter(|row| row.solver == *label);
        let count = |verdict| own().filter(|row| row.verdict == verdict).count().into();
        let sum = |of: fn(&StabilityRun) -> f64| SheetCell::seconds(own().flat_map(|row| &row.runs).map(of).sum());
        let times = [sum(|run| run.cpu_s), sum(|run| run.wall_s)];
        sheet.row(cells![label].into_iter().chain(StabilityVerdict::ALL.map(count)).chain(times));
    }
    sheet
}

/// One row per check and solver.
fn checks<'r>(rows: impl Iterator<Item = &'r StabilityRow>) -> Sheet {
    let mut sheet = Sheet::of("check,solver,verdict,answered,interval,as it is,CPU time,message", []);
    for row in rows {
        let interval = format!("{:.0}–{:.0} %", row.interval.0 * 100.0, row.interval.1 * 100.0);
        let first = row.runs.first().map(|run| run.answer.word());
        let cpu = SheetCell::seconds(row.runs.iter().map(|run| run.cpu_s).sum());
        let who = cells![&row.name, &row.solver, row.verdict.word(), row.answered, interval, first, cpu];
        sheet.row(who.into_iter().chain([row.runs.iter().find_map(|run| run.complaint.as_ref()).into()]));
    }
    sheet
}
