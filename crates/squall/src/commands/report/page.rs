//! The page about a campaign: the values of its template.

use super::campaign::{self, ReportedCampaign};
use super::issue::Issue;
use crate::render::say::counted;
use crate::render::{date, markup};
use ::finding::{BugClass, OptionGrade, SolverLabel};
use ::fuzz::findings::disagreements;
use anyhow::Result;
use minijinja::value::Serde;
use minijinja::{Environment, Value, context};
use serde::Serialize;
use triage::folder::CauseGroup;

/// A cause on the page.
#[derive(Debug, Serialize)]
pub struct ReportRow {
    number: usize,
    class: BugClass,
    meaning: &'static str,
    /// Whether the answer or model is wrong; other causes are folded.
    is_wrong: bool,
    trust: String,
    bytes: usize,
    /// The versions that err and those that are right.
    erring: String,
    folder: String,
    sizes: String,
    /// The issue for a maintainer.
    #[serde(flatten)]
    pub issue: Issue,
    /// The path of its issue, relative to the page.
    pub file: String,
}

impl ReportRow {
    /// Makes a cause with its number, from 1.
    pub fn new(number: usize, group: &CauseGroup<'_>, issue: Issue, file: String) -> ReportRow {
        let best = group.best();
        let class = best.finding.class;
        let ended_early = if best.is_reduced() { "" } else { "; the reduction ended early" };
        let sizes = match issue.original {
            Some(before) => format!(
                "{} bytes, {}, depth {} (found with {} bytes, {}, depth {})",
                issue.size.bytes,
                counted(issue.size.assertions, "assertion"),
                issue.size.depth,
                before.bytes,
                counted(before.assertions, "assertion"),
                before.depth
            ),
            None => format!("{} bytes", issue.size.bytes),
        };
        ReportRow {
            number,
            class,
            meaning: class.meaning(),
            is_wrong: class.is_wrong_answer(),
            trust: best.trust().to_string(),
            bytes: issue.size.bytes,
            erring: best.releases().brief().unwrap_or_else(|| "not asked".to_string()),
            folder: best.folder.display().to_string(),
            sizes: sizes + ended_early,
            issue,
            file,
        }
    }
}

/// Returns the page's text.
/// Errors: a value that the template needs is missing.
pub fn of(
    templates: &Environment<'_>,
    out: &ReportedCampaign,
    groups: &[CauseGroup<'_>],
    shown: &[ReportRow],
    title: Option<String>,
) -> Result<String> {
    let mut solvers: Vec<&String> = out.history.runs.iter().flat_map(|run| &run.solvers).collect();
    solvers.extend(out.found.findings.iter().map(|f| &f.finding.solver.label));
    solvers.sort_by(|a, b| SolverLabel::order(a, b));
    solvers.dedup();
    let names: Vec<&str> = solvers.iter().map(|s| s.as_str()).collect();
    let title = title.unwrap_or_else(|| {
        format!("Fuzzing {}", if names.is_empty() { "solvers".to_string() } else { names.join(", ") })
    });
    let count = out.found.count();
    let findings_note = match (out.found.findings.len(), count.not_reduced) {
        (0, _) => "There are no findings.".to_string(),
        (all, 0) => format!("{}: {count}, the most important first.", counted(all, "finding")),
        (all, _) => format!("{}: {count}. `squall reduce OUT` reduces the others.", counted(all, "finding")),
    };
    let subtitle = match out.history.runs.first() {
        Some(run) => format!("Campaign in {}, begun {} UTC", out.found.root.display(), date::utc(run.started_at)),
        None => format!("Campaign in {}", out.found.root.display()),
    };
    let (apart, others): (Vec<&ReportRow>, Vec<&ReportRow>) =
        shown.iter().partition(|s| s.issue.grade == OptionGrade::Experimental);
    let (wrong, rest): (Vec<&ReportRow>, Vec<&ReportRow>) = others.iter().copied().partition(|s| s.is_wrong);
    let findings_note = match apart.len() {
        0 => findings_note,
        n => format!("{findings_note} {n} of them only with experimental options, listed separately."),
    };
    let campaign::Tables { solvers, mutators, logics } = campaign::tables(out);
    let values = context! {
        title,
        about => [subtitle],
        findings_note,
        tiles => Value::from(Serde(campaign::tiles(out, count))),
        disagreements => disagreements::count(&out.found.root),
        rest_note => rest_note(&rest),
        wrong => Value::from(Serde(wrong)),
        rest => Value::from(Serde(rest)),
        apart => Value::from(Serde(apart)),
        meanings => meanings(shown),
        damaged => out.found.damaged.clone(),
        plots => Value::from(Serde(campaign::plots(out, groups))),
        solvers => Value::from(Serde(solvers)),
        mutators => Value::from(Serde(mutators)),
        logics => Value::from(Serde(logics)),
        seeds_note => campaign::seeds_note(out),
        runs => Value::from(Serde(campaign::runs(out))),
    };
    markup::page(templates, "report.html", values)
}

/// Returns the classes that occur, with what they mean.
fn meanings(shown: &[ReportRow]) -> Vec<Value> {
    let occurs = |class: &BugClass| shown.iter().any(|s| s.class == *class);
    let meaning = |class: BugClass| context! { class => class.letter(), text => class.meaning() };
    BugClass::all().filter(occurs).map(meaning).collect()
}

/// Returns a summary of folded causes: `2 crashes, 1 false self-check`.
fn rest_note(rest: &[&ReportRow]) -> String {
    let part = |class: BugClass| match rest.iter().filter(|s| s.class == class).count() {
        0 => None,
        n => Some(format!("{n} {}", class.row().noun[usize::from(n > 1)])),
    };
    BugClass::all().filter_map(part).collect::<Vec<_>>().join(", ")
}
