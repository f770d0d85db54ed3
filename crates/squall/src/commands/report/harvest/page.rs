//! The page of kept findings: those in current releases, and those fixed since.

use super::super::issue::Issue;
use super::super::{templates, write as write_file};
use crate::render::say::counted;
use crate::render::titles::SolverTitles;
use ::finding::{BugClass, OptionGrade};
use anyhow::{Context, Result};
use minijinja::value::Serde;
use minijinja::{Value, context};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;
use triage::folder::{CampaignFindings, Triaged};

/// The page's name in the folder.
pub const PAGE: &str = "README.md";
/// The name of the page's data in the folder.
const DATA: &str = "found.json";
/// Notes of people on findings, by name.
const NOTES: &str = "notes.toml";

/// Notes on a finding.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Note {
    /// Links to the solver's tracker.
    #[serde(default)]
    tracker: Vec<String>,
    /// A sentence.
    #[serde(default)]
    text: String,
}

/// A finding in the page and the data.
#[derive(Debug, Serialize)]
struct KeptFinding {
    id: String,
    class: BugClass,
    meaning: &'static str,
    trust: String,
    /// Whether the newest tested release errs; `None` without another one.
    newest_errs: Option<bool>,
    #[serde(flatten)]
    issue: Issue,
    note: Note,
}

/// Writes the page and the data of all findings in the folder. Returns their number.
pub fn write(kept: &Path) -> Result<usize> {
    let path = kept.join(NOTES);
    let mut notes: BTreeMap<String, Note> = match files::found_text(&path) {
        Ok(text) => toml::from_str(&text).with_context(|| format!("in {}", path.display()))?,
        Err(_) => BTreeMap::new(),
    };
    let all = match ::finding::folder::find(kept) {
        Ok(_) => CampaignFindings::load(kept)?.findings,
        Err(_) => Vec::new(),
    };
    let titles = SolverTitles::of_user();
    let mut shown: Vec<KeptFinding> = all.iter().map(|finding| show(finding, &titles, &mut notes)).collect();
    shown.sort_by(|a, b| (a.class, a.issue.size.bytes, &a.id).cmp(&(b.class, b.issue.size.bytes, &b.id)));
    for name in notes.keys() {
        eprintln!("squall: {}: there is no finding '{name}'", path.display());
    }
    let is_apart = |finding: &&KeptFinding| finding.issue.grade == OptionGrade::Experimental;
    let (apart, others): (Vec<_>, Vec<_>) = shown.iter().partition(is_apart);
    let (fixed, current): (Vec<_>, Vec<_>) =
        others.iter().copied().partition(|finding| finding.newest_errs == Some(false));
    let text = templates()?.get_template("found.md")?.render(context! {
        count => counted(others.len(), "cause"),
        apart => Value::from(Serde(&apart)),
        current => Value::from(Serde(&current)),
        fixed => Value::from(Serde(&fixed)),
    })?;
    write_file(kept, PAGE, &text)?;
    write_file(kept, DATA, &(serde_json::to_string_pretty(&shown)? + "\n"))?;
    Ok(shown.len())
}

fn show(finding: &Triaged, titles: &SolverTitles, notes: &mut BTreeMap<String, Note>) -> KeptFinding {
    KeptFinding {
        id: finding.finding.id.clone(),
        class: finding.finding.class,
        meaning: finding.finding.class.meaning(),
        trust: finding.trust().to_string(),
        newest_errs: finding.is_current(),
        issue: Issue::of_finding(finding, titles),
        note: notes.remove(&finding.finding.id).unwrap_or_default(),
    }
}
