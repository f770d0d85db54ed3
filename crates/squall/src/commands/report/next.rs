//! `squall report --next N`: the issue texts to file next, and the list of those taken before.
//!
//! The list is `reported.toml` in the campaign's folder, one table per cause, by the name of one of its findings. People may
//! edit it: deleting an entry gives its text again, and adding one excludes its cause.

use super::ReportRow;
use super::issue::Issue;
use crate::render::date::day;
use crate::render::say::counted;
use crate::render::titles::SolverTitles;
use ::finding::{BugSeverity, Trust, symptom};
use anyhow::{Context, Result};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};
use triage::folder::CauseGroup;

/// The list's name in the campaign's folder.
pub const FILE: &str = "reported.toml";
/// The maximum number of issues per fuzzer and week, according to cvc5's guidelines for fuzzing.
const WEEKLY: usize = 3;
const DAY: u64 = 86_400;

/// The comment above the entries.
const HEAD: &str = "# Causes whose issue texts `squall report --next` gave, by the name of a finding. Delete an entry to get its text again;\n\
                    # add one, such as [\"NAME\"], to exclude its cause.\n";

/// A taken cause.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct TakenIssue {
    /// The issue's title.
    #[serde(default, rename = "title")]
    _title: String,
    /// The day it was taken, as in `2026-01-31`.
    #[serde(default)]
    taken: String,
    /// Where the issue was filed, for people.
    #[serde(default, rename = "link")]
    _link: String,
}

/// The list of taken causes.
#[derive(Debug)]
pub struct TakenIssues {
    path: PathBuf,
    text: String,
    by_name: BTreeMap<String, TakenIssue>,
}

impl TakenIssues {
    /// Reads the list of a campaign's folder; it may not exist yet.
    /// Errors: it cannot be read, or is malformed.
    pub fn load(root: &Path) -> Result<TakenIssues> {
        let path = root.join(FILE);
        let text = match files::found_text(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => HEAD.to_string(),
            Err(error) => return Err(error).with_context(|| format!("cannot read {}", path.display())),
        };
        let by_name = toml::from_str(&text).with_context(|| format!("in {}", path.display()))?;
        Ok(TakenIssues { path, text, by_name })
    }

    /// Whether a finding of the cause is listed.
    pub fn holds(&self, group: &CauseGroup<'_>) -> bool {
        group.members.iter().any(|member| self.by_name.contains_key(member.name()))
    }

    /// Returns the number of entries taken on this day or later.
    fn since(&self, day: &str) -> usize {
        self.by_name.values().filter(|taken| taken.taken.as_str() >= day).count()
    }

    /// Adds an entry at the end, so that edits by people stay.
    fn add(&mut self, name: &str, title: &str, day: &str) {
        let quoted = |text: &str| toml::Value::String(text.to_string()).to_string();
        if !self.text.ends_with('\n') {
            self.text.push('\n');
        }
        self.text.push_str(&format!("\n[{}]\ntitle = {}\ntaken = {}\n", quoted(name), quoted(title), quoted(day)));
        self.by_name.insert(name.to_string(), TakenIssue { taken: day.to_string(), ..TakenIssue::default() });
    }

    fn write(&self) -> Result<()> {
        files::inside::put(&self.path, self.text.as_bytes())
            .with_context(|| format!("cannot write {}", self.path.display()))
    }
}

/// Names the issue texts of the `count` most important causes not taken yet, and lists them as taken.
/// Errors: the list cannot be read or written.
pub fn give(
    root: &Path,
    to: &Path,
    count: usize,
    groups: &[CauseGroup<'_>],
    shown: &[ReportRow],
    titles: &SolverTitles,
) -> Result<()> {
    let mut taken = TakenIssues::load(root)?;
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
    let mut left_out: BTreeMap<&'static str, usize> = BTreeMap::new();
    let mut given = 0;
    for (group, issue) in groups.iter().zip(shown) {
        if taken.holds(group) {
            *left_out.entry("taken before").or_default() += 1;
            continue;
        }
        if let Some(reason) = not_ready(group, &issue.issue) {
            *left_out.entry(reason).or_default() += 1;
            continue;
        }
        if given == count {
            continue;
        }
        given += 1;
        let best = group.best();
        println!("\n{}\n  {}", issue.issue.title, to.join(&issue.file).display());
        if let Some(tracker) = titles.tracker(&best.finding.solver.label) {
            println!("  {tracker}");
        }
        taken.add(best.name(), &issue.issue.title, &day(seconds));
    }
    match given {
        0 => println!("\nNo cause is left to report."),
        _ => {
            taken.write()?;
            println!(
                "\n{} listed in {}; delete an entry there to get its text again.",
                counted(given, "cause"),
                taken.path.display()
            );
        }
    }
    for (reason, n) in left_out {
        println!("left out: {}, {reason}", counted(n, "cause"));
    }
    let week = taken.since(&day(seconds.saturating_sub(7 * DAY)));
    if given > 0 && week > WEEKLY {
        eprintln!(
            "squall: {week} taken in the last seven days; projects ask for at most {WEEKLY} issues per fuzzer and week"
        );
    }
    Ok(())
}

/// Why the issue is not ready for a maintainer.
fn not_ready(group: &CauseGroup<'_>, issue: &Issue) -> Option<&'static str> {
    let best = group.best();
    let class = best.finding.class;
    if !best.is_reduced() {
        return Some("whose reduction ended early: `squall reduce OUT` continues it");
    }
    if best.releases().rows().is_empty() {
        return Some("no release asked: `squall reduce OUT`");
    }
    if best.is_experimental() {
        return Some("only with experimental options, which projects ask not to report");
    }
    if best.is_current() == Some(false) {
        return Some("right in the newest release asked");
    }
    if issue.lacks_proof {
        return Some("not proven: the witness is missing");
    }
    match best.trust() {
        trust if trust.is_certified() => None,
        Trust::Observed
            if matches!(class.severity(), BugSeverity::Crash | BugSeverity::BrokenPromise)
                || symptom::is_own_word(class, &best.finding.symptom) =>
        {
            None
        }
        _ => Some("not proven: the right answer is only trusted"),
    }
}

#[cfg(test)]
#[path = "../../../tests/unit/next.rs"]
mod tests;
