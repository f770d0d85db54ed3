//! The page of kept findings: what stands in current releases, what has been mended since.

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
/// The same as data.
const DATA: &str = "found.json";
/// What people know of findings, by name.
const NOTES: &str = "notes.toml";

/// What was found out about a finding by hand.
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

/// A finding as the page and the data show it.
#[derive(Debug, Serialize)]
struct KeptFinding {
    id: String,
    class: BugClass,
    meaning: &'static str,
    trust: String,
    /// Whether the newest release that was asked errs; none where no other was asked.
    newest_errs: Option<bool>,
    #[serde(flatten)]
    issue: Issue,
    note: Note,
}

/// Writes the page and the data of all that lies in the folder; how many that is.
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
    let (mended, current): (Vec<_>, Vec<_>) =
        others.iter().copied().partition(|finding| finding.newest_errs == Some(false));
    let text = templates()?.get_template("found.md")?.render(context! {
        count => counted(others.len(), "cause"),
        apart => Value::from(Serde(&apart)),
        current => Value::from(Serde(&current)),
        mended => Value::from(Serde(&mended)),
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
