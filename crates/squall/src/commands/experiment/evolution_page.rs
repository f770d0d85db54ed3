//! The results of an evolution.

use crate::args::units::time_text;
use crate::render::axes::{Axis, trimmed};
use crate::render::plot::{Plot, PlotFrame};
use crate::render::results::{Results, Shown};
use crate::render::say::counted;
use crate::render::sheet::{Sheet, SheetCell, cells, numbers, words};
use ::experiment::evolution::history::{EvolutionHistory, ReleaseRow};
use ::experiment::evolution::problems::EvolutionProblems;
use ::experiment::evolution::release_run::ReleaseRun;
use ::finding::SolverLabel;
use anyhow::Result;
use std::path::Path;

/// The most problem names per change.
const SHOWN: usize = 12;

/// Writes and prints the results.
///
/// # Errors
/// A file cannot be written.
pub fn publish(
    out: &Path,
    problems: &EvolutionProblems,
    runs: &[ReleaseRun],
    history: &EvolutionHistory,
) -> Result<()> {
    let limit_ms = runs.first().map(|run| run.limit_ms);
    let json = serde_json::json!({ "limit_ms": limit_ms, "problems": problems.list, "history": history });
    let tables = [("answers.csv", answers(problems, runs))];
    report(problems, history, time_text(limit_ms.unwrap_or(0) as f64 / 1e3)).publish(out, json, &tables)
}

fn report(problems: &EvolutionProblems, history: &EvolutionHistory, limit: String) -> Results {
    let mut about = format!(
        "{}, {} problems whose right answers are known, {limit} of CPU time for each. A wrong answer was checked again, alone in its own process.",
        counted(history.releases.len(), "release"),
        problems.list.len()
    );
    if !problems.without_answer.is_empty() {
        about += &format!(" Skipped: {} without a known right answer.", counted(problems.without_answer.len(), "file"));
    }
    let mut report = Results::new("Evolution of a solver", about);
    report.plots(plots(history));
    report.sheet(Shown::Everywhere, releases(history));
    let total: usize = history.theories.iter().map(|(_, count)| count).sum();
    if let Some(newest) = history.releases.last().filter(|_| !history.standing.is_empty()) {
        report.heading(Shown::Everywhere, format!("{} errs on:", newest.label));
        report.sheet(Shown::Everywhere, standing(history, problems));
        report.note(Shown::Page, "Since: the first release from which on all with an answer or crash err.");
    }
    report.note(
        Shown::Everywhere,
        format!("{total} problems. Broke, fixed: compared with the last earlier release with an answer or crash."),
    );
    let after: usize = history.releases.iter().map(|row| row.wrong_after_others).sum();
    if after > 0 {
        let said = "wrong answers that came only after other problems in one process (squall fuzz finds those).";
        report.note(Shown::Everywhere, format!("Not counted: {after} {said}"));
    }
    report.heading(Shown::Page, "What broke and what was fixed");
    let changes = changes(history, problems);
    if changes.is_empty() {
        report.note(Shown::Page, "Nothing changed on these problems.");
    } else {
        report.sheet(Shown::Page, changes);
        let baseline = "Each release is compared with the last one before it that answered or crashed.";
        report.note(Shown::Page, format!("{baseline} `answers.csv` has every answer."));
    }
    report.heading(Shown::Page, "Wrong answers and crashes by theory");
    report.sheet(Shown::Page, theories(history));
    report
}

/// Returns one row per problem, with each release's verdict.
fn answers(problems: &EvolutionProblems, runs: &[ReleaseRun]) -> Sheet {
    let mut sheet = Sheet::of("problem,theory,truth", runs.iter().map(|run| run.label.as_str()));
    for (at, problem) in problems.list.iter().enumerate() {
        let known = problem.answers.iter().map(|answer| answer.map_or("?", |answer| answer.word()));
        let truth = known.collect::<Vec<_>>().join(" ");
        let verdicts = runs.iter().map(|run| run.verdicts[at].describe().into());
        sheet.row(cells![&problem.name, &problem.theory, truth].into_iter().chain(verdicts));
    }
    sheet
}

/// Returns one row per release.
fn releases(history: &EvolutionHistory) -> Sheet {
    let counts = ["wrong unsat", "wrong sat", "crashes", "unknown", "limit", "refused", "broke", "fixed", "CPU time"];
    let mut sheet = Sheet::new(std::iter::once(words("release")).chain(counts.map(numbers)));
    for row in &history.releases {
        let c = row.counts;
        let counts = cells![&row.label, c.wrong_unsat, c.wrong_sat, c.crash, c.unknown, c.limit, c.refused];
        let changes = cells![row.broke.len(), row.mended.len(), SheetCell::seconds(row.cpu_s)];
        sheet.row(counts.into_iter().chain(changes));
    }
    sheet
}

/// Returns the errors of the newest release.
fn standing(history: &EvolutionHistory, problems: &EvolutionProblems) -> Sheet {
    let mut sheet =
        Sheet::new([words("theory"), words("answer"), numbers("problems"), words("since"), words("such as")]);
    for bug in &history.standing {
        let such_as = SheetCell::links(vec![(file_of(&bug.shortest, problems), bug.shortest.clone())], 0);
        sheet.row(cells![&bug.theory, bug.verdict.describe(), bug.count, &bug.since, such_as]);
    }
    sheet
}

/// Returns the problems that each release broke and fixed.
fn changes(history: &EvolutionHistory, problems: &EvolutionProblems) -> Sheet {
    let mut sheet = Sheet::of("release,broke,fixed", []);
    let links = |names: &[String]| {
        let link = |name: &String| {
            let file = file_of(name, problems);
            let text = file.trim_start_matches("problems/").trim_end_matches(".smt2").to_string();
            (file, text)
        };
        SheetCell::links(names.iter().take(SHOWN).map(link).collect(), names.len().saturating_sub(SHOWN))
    };
    for row in history.releases.iter().filter(|row| !row.broke.is_empty() || !row.mended.is_empty()) {
        sheet.row(cells![&row.label, links(&row.broke), links(&row.mended)]);
    }
    sheet
}

/// Returns the wrong answers and crashes of each release, by theory.
fn theories(history: &EvolutionHistory) -> Sheet {
    let names = history.releases.iter().map(|row| numbers(short(&row.label)));
    let mut sheet = Sheet::new([words("theory"), numbers("problems")].into_iter().chain(names));
    for (at, (theory, count)) in history.theories.iter().enumerate() {
        let bugs = history.releases.iter().map(|row| row.bugs[at].into());
        sheet.row(cells![theory, *count].into_iter().chain(bugs));
    }
    sheet
}

fn short(label: &str) -> &str {
    let parts = SolverLabel::of(label);
    if parts.is_own_build() { "own build" } else { parts.version.unwrap_or(label) }
}

fn file_of(name: &str, problems: &EvolutionProblems) -> String {
    let found = problems.list.iter().enumerate().find(|(_, problem)| problem.name == name);
    found.map(|(at, problem)| format!("problems/{}", problem.file(at))).unwrap_or_default()
}

/// Returns the plots with one bar per release.
fn plots(history: &EvolutionHistory) -> Vec<Plot> {
    vec![
        plot(
            "Wrong answers and crashes",
            history,
            &[("A", "wrong unsat"), ("B", "wrong sat"), ("D", "crash")],
            |row| vec![row.counts.wrong_unsat as f64, row.counts.wrong_sat as f64, row.counts.crash as f64],
        ),
        plot(
            "Not answered",
            history,
            &[("unknown", "unknown"), ("limit", "limit of time or memory"), ("error", "refused")],
            |row| vec![row.counts.unknown as f64, row.counts.limit as f64, row.counts.refused as f64],
        ),
        plot("CPU seconds for all problems", history, &[("main", "CPU time")], |row| vec![row.cpu_s]),
    ]
}

fn plot(
    title: &str,
    history: &EvolutionHistory,
    legend: &[(&str, &str)],
    values: impl Fn(&ReleaseRow) -> Vec<f64>,
) -> Plot {
    let highest = history.releases.iter().map(|row| values(row).iter().sum::<f64>()).fold(0.0, f64::max);
    let step = (860.0 / history.releases.len().max(1) as f64).clamp(12.0, 90.0);
    let right = 50 + (step * history.releases.len() as f64) as u32;
    let frame = PlotFrame { width: right + 10, height: 270, left: 50, right, top: 12, bottom: 200 };
    let axis = Axis::linear(frame.up(), highest, 4);
    let mut plot = Plot::framed(title, "by release", frame);
    plot.rows(&axis, |mark| trimmed(mark, 1, ""), "");
    plot.legend(legend);
    for (n, row) in history.releases.iter().enumerate() {
        let (x, mut below) = (f64::from(frame.left) + step * n as f64, 0.0);
        for (value, (tone, what)) in values(row).into_iter().zip(legend) {
            let (low, high) = (axis.at(below), axis.at(below + value));
            below += value;
            if low > high {
                let said = format!("{}: {} {what}", row.label, trimmed(value, 1, ""));
                plot.bar(tone, (x, high), (step * 0.7, low - high), said);
            }
        }
        plot.label((x + step * 0.35 + 4.0, 212.0), "down", short(&row.label));
    }
    plot
}
