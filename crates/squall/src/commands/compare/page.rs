//! The results of a comparison: disagreements, scores, plots and tables.

use super::chart;
use crate::args::format::OutputFormat;
use crate::args::units::{size_text, time_text};
use crate::render::results::{Results, Shown};
use crate::render::say::counted;
use crate::render::sheet::{Sheet, SheetCell, cells, numbers, words};
use ::experiment::portfolio;
use ::experiment::problem::{PublishedScore, SuiteManifest};
use ::experiment::results::{ALL_OTHERS, AnswerDisagreement, BenchSamples, ContenderPair, ContenderScore};
use anyhow::Result;
use smtlib::Status;
use std::fmt::Write;
use std::path::Path;

/// The parts of the page.
pub struct FolderComparison<'c> {
    /// The results of the runs.
    pub results: &'c BenchSamples,
    /// Known answers and published results.
    pub manifest: &'c SuiteManifest,
    /// The runs of a contender on a file.
    pub runs: u32,
    /// The disagreements, those with a known right answer first.
    pub disagreements: &'c [AnswerDisagreement],
}

/// Disagreements shown on the terminal; all are on the page.
const LISTED: usize = 20;

/// Writes the results, and prints the disagreements and scores.
/// Errors: a file cannot be written.
pub fn publish(folder: &Path, comparison: &FolderComparison<'_>, format: OutputFormat) -> Result<()> {
    let results = comparison.results;
    let suites: Vec<_> = groups(results)
        .into_iter()
        .map(|(name, suite)| {
            let files = results.of_suite(suite).count();
            serde_json::json!({ "suite": name, "files": files, "scores": results.scores(suite), "pairs": results.pairs(suite) })
        })
        .collect();
    let json = serde_json::json!({
        "timeout_s": results.timeout, "files": results.problems.len(), "disagreements": comparison.disagreements, "suites": suites,
    });
    match format {
        OutputFormat::Text => {
            print!("{}", text(comparison));
            println!("{}", folder.join("index.html").display());
        }
        OutputFormat::Json => println!("{json}"),
    }
    let tables = [("samples.csv", samples(results)), ("scores.csv", scores(results)), ("pairs.csv", pairs(results))];
    report(comparison).write(folder, json, &tables)
}

fn report(comparison: &FolderComparison<'_>) -> Results {
    let FolderComparison { results, manifest, .. } = *comparison;
    let mut report = Results::new(
        "Solvers compared",
        "The score is the number of files solved minus that of files answered wrongly, by which a line in the plot also starts to the left. Times are \
         wall-clock seconds of whole processes. Two times are called different only where their 95 % confidence intervals do not overlap. The \
         exact evaluator checked every model of a file with one check.",
    );
    report.note(Shown::Written, runs_text(comparison));
    if !comparison.disagreements.is_empty() {
        report.heading(Shown::Written, "Disagreements");
        let mut sheet = Sheet::of("file,check,wrong,answers,right answer", []);
        for one in comparison.disagreements {
            let wrong = SheetCell::from(one.accused()).warning(!one.accused().is_empty());
            sheet.row(
                cells![&one.file, one.check].into_iter().chain([wrong]).chain(cells![one.answers(), one.verdict()]),
            );
        }
        report.sheet(Shown::Written, sheet);
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
            "Ordered as in SMT-COMP's sequential track: fewest files answered wrongly, then most solved, then least time. In 24 s, sat, unsat: \
             the solved files of SMT-COMP's other scores. PAR-2: the sum of all times, where a file that is not solved counts as twice the limit. \
             Alone: files that no other contender solves. Unsteady: files solved in some runs and not in others. Memory: the largest of any run.",
        );
        report.sheet(Shown::Written, against(results, suite, first));
    }
    report.notes(Shown::Page, portfolio::compare_strategies(results).iter().map(|one| format!("{}.", one.text())));
    if results.names.len() > 1 {
        report.heading(Shown::Page, "File by file");
        report.note(
            Shown::Page,
            "One dot per file, with the intervals of both times; filled where the times differ, hollow where they do not, red where only one or none \
             solves it (not solved lies on the limit). Above the diagonal the contender named at the bottom is faster.",
        );
        report.plots((1..results.names.len()).map(|other| chart::scatter(results, 0, other)).collect());
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

/// Returns the scores in the order of SMT-COMP's sequential track (rules of 2024, section 7): wrong answers, solved files, time.
fn ranked(results: &BenchSamples, suite: Option<&str>) -> Vec<ContenderScore> {
    let mut scores = results.scores(suite);
    scores.sort_by(|a, b| (a.wrong, b.solved).cmp(&(b.wrong, a.solved)).then_with(|| a.total.total_cmp(&b.total)));
    scores
}

/// Returns one row per run.
fn samples(results: &BenchSamples) -> Sheet {
    let mut sheet = Sheet::of("file,suite,expected,contender,run,answer,model,verdict,wall_s,cpu_s,memory_bytes", []);
    for (p, problem) in results.problems.iter().enumerate() {
        for (c, name) in results.names.iter().enumerate() {
            for (n, s) in results.samples[p][c].iter().enumerate() {
                let file = cells![
                    &problem.name,
                    &problem.suite,
                    expected(problem.expected.first().copied().flatten()),
                    name,
                    n
                ];
                let said = cells![s.words(), s.model.word(), results.verdict(p, s).word()];
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
    let mut sheet = Sheet::of(
        "suite,files,contender,solved,alone,wrong,score,sat,unsat,unsteady,median_s,total_s,par2_s,in_24s,crashed,memory_bytes",
        [],
    );
    for (name, suite) in groups(results) {
        for s in results.scores(suite) {
            let who = cells![&name, results.of_suite(suite).count(), &s.name, s.solved, s.alone, s.wrong];
            let median = s.median.map(|median| format!("{median:.6}"));
            let score = cells![s.score, s.sat, s.unsat, s.unsteady, median, SheetCell::seconds(s.total)];
            let more = cells![SheetCell::seconds(s.par2), s.quick, s.crashed, s.memory];
            sheet.row(who.into_iter().chain(score).chain(more));
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
    let columns = [
        "Solved", "Wrong", "Score", "in 24 s", "sat", "unsat", "Alone", "Unsteady", "Crashed", "Median", "PAR-2",
        "Memory",
    ];
    let mut sheet = Sheet::new(std::iter::once(words("Contender")).chain(columns.map(numbers)));
    for s in ranked(results, suite) {
        let [wrong, crashed] = [s.wrong, s.crashed].map(|count| SheetCell::from(count).warning(count > 0));
        let median = s.median.map(|median| format!("{:.1} ms", median * 1000.0));
        let who = cells![&s.name, s.solved, wrong, s.score, s.quick, s.sat, s.unsat, s.alone, s.unsteady, crashed];
        sheet.row(who.into_iter().chain(cells![median, format!("{:.1} s", s.par2), size_text(s.memory)]));
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

/// Compares the first contender with each other one, and with all of them together.
fn first_pairs(results: &BenchSamples, suite: Option<&str>) -> Vec<ContenderPair> {
    let others = results.names.len().saturating_sub(1);
    results.pairs(suite).into_iter().take(others).chain(results.against_all(suite, 0)).collect()
}

/// Returns the right answer of all checks of a file, if it is known and the same.
fn of_all(results: &BenchSamples, problem: usize) -> Option<Status> {
    let mut all = (0..results.checks(problem)).map(|check| results.truth(problem, check).map(|(status, _)| status));
    let first = all.next()??;
    all.all(|each| each == Some(first)).then_some(first)
}

/// Returns the number of files of a suite, and of known answers.
fn known(results: &BenchSamples, suite: Option<&str>) -> String {
    let files = results.of_suite(suite).count();
    let count = |status| results.of_suite(suite).filter(|&p| of_all(results, p) == Some(status)).count();
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

/// Returns the disagreements and scores as text for the screen.
fn text(comparison: &FolderComparison<'_>) -> String {
    let FolderComparison { results, manifest, disagreements, .. } = comparison;
    let widest = results.names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
    let mut text = String::new();
    for one in disagreements.iter().take(LISTED) {
        let who = match one.accused() {
            accused if accused.is_empty() => "DISAGREEMENT".to_string(),
            accused => format!("WRONG: {accused}"),
        };
        let check = if one.check > 1 { format!(", check {}", one.check) } else { String::new() };
        let _ = writeln!(text, "{who}: {}{check}: {}; {}", one.file, one.answers(), one.verdict());
    }
    if let Some(more) = disagreements.len().checked_sub(LISTED).filter(|more| *more > 0) {
        let _ = writeln!(text, "and {more} more disagreements, on the page");
    }
    for (name, suite) in groups(results) {
        let _ = writeln!(text, "{name}: {}", known(results, suite));
        for s in ranked(results, suite) {
            let median = s.median.map_or("-".to_string(), time_text);
            let crashed = if s.crashed > 0 { format!(", {} crashed", s.crashed) } else { String::new() };
            let sessions = match s.solved.saturating_sub(s.sat + s.unsat) {
                0 => String::new(),
                n => format!(", {n} with both"),
            };
            let _ = writeln!(
                text,
                "  {:<widest$} {:>4} solved ({} sat, {} unsat{sessions}), {} wrong{crashed}, score {}, median {median}, PAR-2 {}, {} alone, {} unsteady, {}",
                s.name,
                s.solved,
                s.sat,
                s.unsat,
                s.wrong,
                s.score,
                time_text(s.par2),
                s.alone,
                s.unsteady,
                size_text(s.memory)
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

/// The number of runs, and how they are combined to one result.
fn runs_text(comparison: &FolderComparison<'_>) -> String {
    format!(
        "{} a file, {} each. A file counts as solved when any run answers it and none is wrong; its time is the mean of all runs, where one \
         without answer took the limit.",
        counted(comparison.runs, "run"),
        time_text(comparison.results.timeout)
    )
}
