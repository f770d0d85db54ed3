//! A comparison written down: one page with tables and plots, the tables as Markdown, and its numbers as CSV.

use super::jfs_chart as chart;
use crate::args::units::time_text;
use crate::render::csv::cell;
use crate::render::markdown;
use crate::render::say::counted;
use crate::render::{figures, html, report_files};
use ::experiment::portfolio;
use ::experiment::problem::{PublishedScore, SuiteManifest};
use ::experiment::results::{ALL_OTHERS, BenchSamples, ContenderPair, RunsCombined, RunsPerFile};
use anyhow::{Context, Result};
use minijinja::context;
use minijinja::value::{Serde, Value};
use smtlib::Status;
use std::fmt::Write;
use std::path::Path;

const TABLES: &str = include_str!("templates/jfs.md.j2");
const PAGE: &str = include_str!("templates/jfs.html.j2");

/// What is written down.
pub struct SatComparison<'c> {
    /// Who did what.
    pub results: &'c BenchSamples,
    /// What is known of the files.
    pub manifest: &'c SuiteManifest,
    /// How often everybody ran.
    pub repeats: RunsPerFile,
    /// How the files were chosen, in sentences without dot.
    pub selection: &'c [String],
}

/// Writes index.html, figures.md, samples.csv, scores.csv and pairs.csv.
///
/// # Errors
/// A file cannot be written.
pub fn write(folder: &Path, comparison: &SatComparison<'_>) -> Result<()> {
    let results = comparison.results;
    let files = [
        ("samples.csv", samples(results)),
        ("scores.csv", scores(results)),
        ("pairs.csv", pairs(results)),
        (figures::FILE, figures::text([tables(comparison)?])),
        ("index.html", page(comparison)?),
    ];
    report_files::write(folder, files)
}

fn expected(status: Option<Status>) -> &'static str {
    match status {
        Some(Status::Sat) => "sat",
        Some(Status::Unsat) => "unsat",
        _ => "unknown",
    }
}

/// One row a run.
fn samples(results: &BenchSamples) -> String {
    let mut text = String::from("file,suite,expected,contender,run,answer,model,verdict,wall_s,cpu_s,memory_bytes\n");
    for (p, problem) in results.problems.iter().enumerate() {
        for (c, name) in results.names[..results.measured].iter().enumerate() {
            for (n, s) in results.samples[p][c].iter().enumerate() {
                // Writing to a string cannot fail.
                let _ = writeln!(
                    text,
                    "{},{},{},{},{n},{},{},{},{:.6},{:.6},{}",
                    cell(&problem.name),
                    cell(&problem.suite),
                    expected(problem.expected),
                    cell(name),
                    s.answer.word(),
                    s.model.word(),
                    results.verdict(p, s).word(),
                    s.wall,
                    s.cpu,
                    s.memory
                );
            }
        }
    }
    text
}

/// The suites, and all of them together where there are several.
fn groups(results: &BenchSamples) -> Vec<(String, Option<&str>)> {
    let suites = results.suites();
    let mut groups: Vec<(String, Option<&str>)> = suites.iter().map(|s| (s.to_string(), Some(*s))).collect();
    if suites.len() != 1 {
        groups.push(("all".to_string(), None));
    }
    groups
}

fn scores(results: &BenchSamples) -> String {
    let mut text = String::from("suite,files,contender,solved,alone,wrong,score,sat,unsat,unsteady,median_s,total_s\n");
    for (name, suite) in groups(results) {
        let files = results.of_suite(suite).count();
        for s in results.scores(suite) {
            let median = s.median.map_or(String::new(), |m| format!("{m:.6}"));
            let (who, total) = (cell(&s.name), s.total);
            let _ = writeln!(
                text,
                "{},{files},{who},{},{},{},{},{},{},{},{median},{total:.3}",
                cell(&name),
                s.solved,
                s.alone,
                s.wrong,
                s.score,
                s.sat,
                s.unsat,
                s.unsteady
            );
        }
    }
    text
}

fn pairs(results: &BenchSamples) -> String {
    let mut text = String::from("suite,one,other,both,only_one,only_other,neither,one_faster,other_faster\n");
    for (name, suite) in groups(results) {
        for p in results.pairs(suite).into_iter().chain(results.against_all(suite, 0)) {
            let _ = writeln!(
                text,
                "{},{},{},{},{},{},{},{},{}",
                cell(&name),
                cell(&p.one),
                cell(&p.other),
                p.both,
                p.only_one,
                p.only_other,
                p.neither,
                p.one_faster,
                p.other_faster
            );
        }
    }
    text
}

/// The first contender against each other, portfolios left out, and against all of them together.
fn first_pairs(results: &BenchSamples, suite: Option<&str>) -> Vec<ContenderPair> {
    let others = results.names.len().saturating_sub(1).min(results.measured.saturating_sub(1));
    results.pairs(suite).into_iter().take(others).chain(results.against_all(suite, 0)).collect()
}

/// How many files a suite has, and of how many the answer is known.
fn known(results: &BenchSamples, suite: Option<&str>) -> String {
    let files = results.of_suite(suite).count();
    let count = |status| results.of_suite(suite).filter(|&p| results.truth(p) == Some(status)).count();
    let (sat, unsat) = (count(Status::Sat), count(Status::Unsat));
    let disputed = results.of_suite(suite).filter(|&p| results.is_disputed(p)).count();
    let mut text =
        format!("{files} {}, {sat} known to be sat, {unsat} unsat", if files == 1 { "file" } else { "files" });
    if disputed > 0 {
        let _ = write!(text, ", {disputed} in dispute, which count for nobody");
    }
    text
}

/// What a published solver solved.
fn published_text(one: &PublishedScore) -> String {
    if one.wrong == 0 { one.solved.to_string() } else { format!("{} ({} wrong)", one.solved, one.wrong) }
}

/// The scores as text for the screen.
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
    for one in portfolio::beside(results) {
        let _ = writeln!(text, "{}", one.text());
    }
    text
}

/// The tables of all groups, for both ways to write them.
fn group_values(comparison: &SatComparison<'_>) -> Vec<Value> {
    let SatComparison { results, manifest, .. } = *comparison;
    groups(results)
        .into_iter()
        .map(|(name, suite)| {
            let published = manifest.published(results.of_suite(suite).map(|p| &results.problems[p]));
            let published: Vec<_> = published.iter().map(|one| (one.name.clone(), published_text(one))).collect();
            context! {
                name => name,
                known => known(results, suite),
                scores => Value::from(Serde(results.scores(suite))),
                pairs => Value::from(Serde(first_pairs(results, suite))),
                published => published,
                quantiles => Value::from_safe_string(chart::quantiles(results, suite)),
            }
        })
        .collect()
}

/// How often everybody ran, and how that became one result.
fn runs_text(comparison: &SatComparison<'_>) -> String {
    let SatComparison { results, repeats, .. } = comparison;
    let mut text = format!("{} a file, {} each", counted(repeats.solved, "run"), time_text(results.timeout));
    if repeats.unsolved < repeats.solved {
        let _ = write!(
            text,
            "; who does not answer a file in the first {} has no more of them and counts as not solving it",
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

/// The tables as Markdown.
fn tables(comparison: &SatComparison<'_>) -> Result<String> {
    let mut templates = minijinja::Environment::new();
    markdown::add_filters(&mut templates);
    templates.add_template("jfs.md", TABLES)?;
    let values = context! {
        runs => runs_text(comparison),
        selection => Value::from(Serde(comparison.selection)),
        groups => group_values(comparison),
        first => comparison.results.names.first(),
        all => ALL_OTHERS,
    };
    templates.get_template("jfs.md")?.render(values).context("cannot write the tables")
}

fn page(comparison: &SatComparison<'_>) -> Result<String> {
    let results = comparison.results;
    let templates = html::templates(&[("jfs.html", PAGE)])?;
    let scatters: Vec<Value> = (1..results.measured)
        .map(|other| {
            context! {
                one => results.names[0].clone(),
                other => results.names[other].clone(),
                svg => Value::from_safe_string(chart::scatter(results, 0, other)),
            }
        })
        .collect();
    let legend: Vec<Value> =
        results.names.iter().enumerate().map(|(c, name)| context! { class => chart::class(c), name => name }).collect();
    let values = context! {
        runs => runs_text(comparison),
        selection => Value::from(Serde(comparison.selection)),
        first => results.names.first(),
        all => ALL_OTHERS,
        groups => group_values(comparison),
        scatters => scatters,
        legend => legend,
        beside => portfolio::beside(results).iter().map(portfolio::Beside::text).collect::<Vec<_>>(),
        contradictions => Value::from(Serde(results.contradictions())),
    };
    html::page(&templates, "jfs.html", values)
}

#[cfg(test)]
mod tests {
    use super::cell;

    #[test]
    fn cells_are_quoted_where_they_must_be() {
        assert_eq!(cell("a b"), "a b");
        assert_eq!(cell("a,b"), "\"a,b\"");
        assert_eq!(cell("say \"x\""), "\"say \"\"x\"\"\"");
    }
}
