//! The results of a comparison of searches for satisfying assignments.

use super::jfs_chart as chart;
use crate::args::units::time_text;
use crate::render::results::{Results, Shown};
use crate::render::say::counted;
use crate::render::sheet::{Sheet, SheetCell, cells, numbers, words};
use ::experiment::portfolio;
use ::experiment::problem::{PublishedScore, SuiteManifest};
use ::experiment::results::{ALL_OTHERS, BenchSamples, ContenderPair, RunsCombined, RunsPerFile};
use anyhow::Result;
use smtlib::Status;
use std::fmt::Write;
use std::path::Path;

/// The parts of the page.
pub struct SatComparison<'c> {
    /// The results of the runs.
    pub results: &'c BenchSamples,
    /// Known answers and published results.
    pub manifest: &'c SuiteManifest,
    /// The number of runs.
    pub repeats: RunsPerFile,
    /// How the files were chosen, in sentences without full stop.
    pub selection: &'c [String],
}

/// Writes the results, and prints the scores.
///
/// # Errors
/// A file cannot be written.
pub fn publish(folder: &Path, comparison: &SatComparison<'_>) -> Result<()> {
    let results = comparison.results;
    print!("{}", text(comparison));
    let json = serde_json::json!({ "contradictions": results.contradictions() });
    let tables = [("samples.csv", samples(results)), ("scores.csv", scores(results)), ("pairs.csv", pairs(results))];
    report(comparison).publish(folder, json, &tables)
}

fn report(comparison: &SatComparison<'_>) -> Results {
    let SatComparison { results, manifest, selection, .. } = *comparison;
    let mut report = Results::new(
        "Finding satisfying assignments",
        "The score is the number of files solved minus that of files answered wrongly, by which a line in the plot also starts to the left; times are \
         wall-clock seconds of whole processes. Two times are called different only where their 95 % confidence intervals do not overlap. Every \
         model was checked by the exact evaluator.",
    );
    let conditions = std::iter::once(runs_text(comparison)).chain(selection.iter().cloned());
    report.notes(Shown::Written, conditions.map(|sentence| format!("{sentence}.")));
    let contradictions = results.contradictions();
    if !contradictions.is_empty() {
        report.heading(Shown::Page, "Contradictions");
        let mut sheet = Sheet::of("file,what is wrong", []);
        contradictions.iter().for_each(|one| sheet.row(cells![&one.file, SheetCell::from(&one.what).warning(true)]));
        report.sheet(Shown::Page, sheet);
    }
    report.legend(chart::legend(results));
    let first = results.names.first().map_or("", String::as_str);
    for (name, suite) in groups(results) {
        report.heading(Shown::Written, format!("{name}: {}", known(results, suite)));
        report.plots(vec![chart::quantiles(results, suite)]);
        report.sheet(Shown::Written, solved(results, suite));
        let published = manifest.published(results.of_suite(suite).map(|p| &results.problems[p]));
        if !published.is_empty() {
            let all = published.iter().map(|one| format!("{} {}", one.name, published_text(one))).collect::<Vec<_>>();
            report.note(Shown::Written, format!("Published, with their own limits and machines: {}.", all.join(", ")));
        }
        report.note(
            Shown::Page,
            "Alone: files that no other contender solves. Unsteady: files solved in some runs and not in others. A portfolio did on each file what the \
             first of its members to answer did.",
        );
        report.sheet(Shown::Written, against(results, suite, first));
    }
    report.notes(Shown::Page, portfolio::compare_strategies(results).iter().map(|one| format!("{}.", one.text())));
    if results.measured > 1 {
        report.heading(Shown::Page, "File by file");
        report.note(
            Shown::Page,
            "One dot per file, with the intervals of both times; filled where the times differ, hollow where they do not, red where only one or none \
             solves it (not solved lies on the limit). Above the diagonal the contender named at the bottom is faster.",
        );
        report.plots((1..results.measured).map(|other| chart::scatter(results, 0, other)).collect());
    }
    report
}

fn expected(status: Option<Status>) -> &'static str {
    match status {
        Some(Status::Sat) => "sat",
        Some(Status::Unsat) => "unsat",
        _ => "unknown",
    }
}

/// Returns one row per run.
fn samples(results: &BenchSamples) -> Sheet {
    let mut sheet = Sheet::of("file,suite,expected,contender,run,answer,model,verdict,wall_s,cpu_s,memory_bytes", []);
    for (p, problem) in results.problems.iter().enumerate() {
        for (c, name) in results.names[..results.measured].iter().enumerate() {
            for (n, s) in results.samples[p][c].iter().enumerate() {
                let file = cells![&problem.name, &problem.suite, expected(problem.expected), name, n];
                let said = cells![s.answer.word(), s.model.word(), results.verdict(p, s).word()];
                let cost = cells![format!("{:.6}", s.wall), format!("{:.6}", s.cpu), s.memory];
                sheet.row(file.into_iter().chain(said).chain(cost));
            }
        }
    }
    sheet
}

/// Returns the suites, and all of them together if there are several.
fn groups(results: &BenchSamples) -> Vec<(String, Option<&str>)> {
    let suites = results.suites();
    let mut groups: Vec<(String, Option<&str>)> = suites.iter().map(|s| (s.to_string(), Some(*s))).collect();
    if suites.len() != 1 {
        groups.push(("all".to_string(), None));
    }
    groups
}

fn scores(results: &BenchSamples) -> Sheet {
    let mut sheet = Sheet::of("suite,files,contender,solved,alone,wrong,score,sat,unsat,unsteady,median_s,total_s", []);
    for (name, suite) in groups(results) {
        for s in results.scores(suite) {
            let who = cells![&name, results.of_suite(suite).count(), &s.name, s.solved, s.alone, s.wrong];
            let median = s.median.map(|median| format!("{median:.6}"));
            let score = cells![s.score, s.sat, s.unsat, s.unsteady, median, SheetCell::seconds(s.total)];
            sheet.row(who.into_iter().chain(score));
        }
    }
    sheet
}

fn pairs(results: &BenchSamples) -> Sheet {
    let mut sheet = Sheet::of("suite,one,other,both,only_one,only_other,neither,one_faster,other_faster", []);
    for (name, suite) in groups(results) {
        for p in results.pairs(suite).into_iter().chain(results.against_all(suite, 0)) {
            let counts = cells![p.both, p.only_one, p.only_other, p.neither, p.one_faster, p.other_faster];
            sheet.row(cells![&name, p.one, p.other].into_iter().chain(counts));
        }
    }
    sheet
}

/// Returns one row per contender.
fn solved(results: &BenchSamples, suite: Option<&str>) -> Sheet {
    let columns = ["Solved", "Alone", "Wrong", "Score", "sat", "unsat", "Unsteady", "Median", "Total"];
    let mut sheet = Sheet::new(std::iter::once(words("Contender")).chain(columns.map(numbers)));
    for s in results.scores(suite) {
        let wrong = SheetCell::from(s.wrong).warning(s.wrong > 0);
        let median = s.median.map(|median| format!("{:.1} ms", median * 1000.0));
        let total = format!("{:.1} s", s.total);
        let row = cells![&s.name, s.solved, s.alone, wrong, s.score, s.sat, s.unsat, s.unsteady, median, total];
        sheet.row(row);
    }
    sheet
}

/// Returns the first contender compared with each other one.
fn against(results: &BenchSamples, suite: Option<&str>, first: &str) -> Sheet {
    let columns = ["Both", "Only it", "Only the other", "Neither", "Faster", "Slower"];
    let mut sheet = Sheet::new(std::iter::once(words(format!("{first} against"))).chain(columns.map(numbers)));
    for p in first_pairs(results, suite) {
        let is_one = p.other != ALL_OTHERS;
        let faster = [p.one_faster, p.other_faster].map(|count| SheetCell::from(is_one.then_some(count)));
        sheet.row(cells![&p.other, p.both, p.only_one, p.only_other, p.neither].into_iter().chain(faster));
    }
    sheet
}

/// Compares the first contender with each other one, without portfolios, and with all of them together.
fn first_pairs(results: &BenchSamples, suite: Option<&str>) -> Vec<ContenderPair> {
    let others = results.names.len().saturating_sub(1).min(results.measured.saturating_sub(1));
    results.pairs(suite).into_iter().take(others).chain(results.against_all(suite, 0)).collect()
}

/// Returns the number of files of a suite, and of known answers.
fn known(results: &BenchSamples, suite: Option<&str>) -> String {
    let files = results.of_suite(suite).count();
    let count = |status| results.of_suite(suite).filter(|&p| results.truth(p) == Some(status)).count();
    let (sat, unsat) = (count(Status::Sat), count(Status::Unsat));
    let disputed = results.of_suite(suite).filter(|&p| results.is_disputed(p)).count();
    let mut text =
        format!("{files} {}, {sat} known to be sat, {unsat} unsat", if files == 1 { "file" } else { "files" });
    if disputed > 0 {
        let _ = write!(text, ", {disputed} in dispute, which count for no contender");
    }
    text
}

/// Returns the files that a published solver solved.
fn published_text(one: &PublishedScore) -> String {
    if one.wrong == 0 { one.solved.to_string() } else { format!("{} ({} wrong)", one.solved, one.wrong) }
}

/// Returns the scores as text for the screen.
pub fn text(comparison: &SatComparison<'_>) -> String {
    let SatComparison { results, manifest, .. } = comparison;
    let widest = results.names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
    let mut text = String::new();
    for (name, suite) in groups(results) {
        let _ = writeln!(text, "{name}: {}", known(results, suite));
        for s in results.scores(suite) {
            let median = s.median.map_or("-".to_string(), time_text);
            let _ = writeln!(
                text,
                "  {:<widest$} {:>4} solved ({} sat, {} unsat), {} wrong, score {}, median {median}, {} alone, {} unsteady",
                s.name, s.solved, s.sat, s.unsat, s.wrong, s.score, s.alone, s.unsteady
            );
        }
        if let Some(p) = results.against_all(suite, 0) {
            let _ = writeln!(
                text,
                "  {} and {}: both {}, only it {}, only they {}, neither {}",
                p.one, p.other, p.both, p.only_one, p.only_other, p.neither
            );
        }
        let published = manifest.published(results.of_suite(suite).map(|p| &results.problems[p]));
        if !published.is_empty() {
            let all: Vec<String> =
                published.iter().map(|one| format!("{} {}", one.name, published_text(one))).collect();
            let _ = writeln!(text, "  published: {}", all.join(", "));
        }
    }
    for one in portfolio::compare_strategies(results) {
        let _ = writeln!(text, "{}", one.text());
    }
    text
}

/// Returns the number of runs, and how they were combined to one result.
fn runs_text(comparison: &SatComparison<'_>) -> String {
    let SatComparison { results, repeats, .. } = comparison;
    let mut text = format!("{} a file, {} each", counted(repeats.solved, "run"), time_text(results.timeout));
    if repeats.unsolved < repeats.solved {
        let _ = write!(
            text,
            "; a contender without an answer in the first {} has no more runs and counts as not solving the file",
            if repeats.unsolved == 1 { "run".to_string() } else { counted(repeats.unsolved, "run") }
        );
    }
    text.push_str(match results.combined {
        RunsCombined::Any => {
            ". A file counts as solved when any run answers it and none is wrong; its time is the mean of all runs, where one without answer \
             took the limit"
        }
        RunsCombined::Most => {
            ". A file counts as solved when more than half of the runs answer it and none is wrong; its time is the mean of those that do"
        }
    });
    text
}
