//! What a finding hangs on, as it was tried out and lies beside it.

mod releases;
mod words;

use finding::record::SymptomRepeats;
use finding::{BugClass, folder};
use reduce::bisect::VersionVerdict;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// The version of the layout of `explain.json`.
pub const FORMAT: u32 = 1;

/// The contents of `explain.json`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FindingExplanation {
    /// The layout's version, [`FORMAT`].
    pub format: u32,
    /// SHA-256 of the script that was asked about: the reduced one if there is one.
    pub script: String,
    /// The solver's name in reports.
    pub solver: String,
    /// The solver's name as its project writes it, with the version.
    pub title: String,
    /// The finding's class.
    pub class: BugClass,
    /// What makes two runs show the same thing.
    pub symptom: String,
    /// How often the solver showed it now, alone in a fresh process.
    pub shown: SymptomRepeats,
    /// The operators of the script, the first few.
    pub operators: Vec<String>,
    /// Assertions of the check that is answered wrongly, as they stand in the script; no more than a few, and only if they are short.
    pub assertions: Vec<String>,
    /// The releases of the solver that are installed, the oldest first, asked with what is needed.
    pub releases: Vec<TriedRelease>,
    /// What the solver must be asked with, beside the script: without any one of these it is not wrong.
    pub needs: Vec<AskingPart>,
    /// What it was found with and is not needed.
    pub needless: Vec<AskingPart>,
    /// Options, simplifiers and tactics that were added, each by itself.
    pub changes: Vec<TriedChange>,
    /// Passes that were applied alone; only where the truth is decided by exhaustion and the solver prints what its passes make.
    pub passes: Vec<TriedPass>,
    /// Releases, changes and passes that were not tried, since the time was over.
    pub untried: usize,
    /// All this in two sentences, and a third one where passes were tried.
    pub text: String,
}

/// A part of how a script is asked.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AskingPart {
    /// What it is.
    pub kind: PartKind,
    /// As it is written.
    pub text: String,
}

/// What a part of how a script is asked is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PartKind {
    /// An option on the command line, or several that belong together.
    Option,
    /// A command of the script: `set-option`, `set-simplifier`.
    Command,
    /// A tactic of `check-sat-using`, or a step of one.
    Tactic,
    /// A level that is never left.
    Push,
    /// The scripts that go before in the same process.
    Predecessors,
}

/// A release that was asked.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TriedRelease {
    /// Its name in reports.
    pub solver: String,
    /// What it does.
    pub did: VersionVerdict,
    /// How often it is wrong, where that is not always the same.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shown: Option<SymptomRepeats>,
}

/// Something that was added.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TriedChange {
    /// What it is.
    pub kind: PartKind,
    /// As it is written.
    pub text: String,
    /// What the solver does with it.
    pub did: VersionVerdict,
    /// How often it is wrong, where that is not always the same.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shown: Option<SymptomRepeats>,
}

/// A pass that was applied alone.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TriedPass {
    /// As it is written.
    pub text: String,
    /// What became of the truth.
    pub did: PassEffect,
    /// The first of its steps behind which the truth is lost, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step: Option<String>,
}

/// What became of the truth of a script by a pass.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PassEffect {
    /// It is the same.
    Kept,
    /// It is lost: a satisfiable script is unsatisfiable now, or the other way round.
    Lost,
    /// It is not decided, or the pass gives no result.
    Open,
}

/// Why what lies beside a finding is no explanation of it.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ExplanationError {
    /// It cannot be read.
    #[error("cannot read '{path}': {cause}")]
    File {
        /// The file.
        path: String,
        /// What the system said.
        cause: String,
    },
    /// It is not as it must be.
    #[error("'{path}' is damaged: {cause}; `squall explain` writes it anew")]
    Damaged {
        /// The file.
        path: String,
        /// What is wrong with it.
        cause: String,
    },
    /// It is of a later program.
    #[error("'{path}' has format {found}, this program knows {FORMAT}; use a newer squall")]
    Newer {
        /// The file.
        path: String,
        /// Its format.
        found: u32,
    },
}

impl FindingExplanation {
    /// Writes it beside the finding, whole.
    ///
    /// # Errors
    /// Whatever the system says.
    pub fn write(&self, finding: &Path) -> anyhow::Result<()> {
        use anyhow::Context;
        let path = finding.join(folder::EXPLANATION);
        let text = serde_json::to_string(self)? + "\n";
        files::inside::put(&path, text.as_bytes()).with_context(|| format!("cannot write {}", path.display()))
    }

    /// What lies beside a finding. None where there is nothing, or it is of another script than the one with this SHA-256: it was
    /// reduced since.
    ///
    /// # Errors
    /// [`ExplanationError`] where the file cannot be read, or is none that `squall explain` wrote.
    pub fn load(finding: &Path, script: &str) -> Result<Option<FindingExplanation>, ExplanationError> {
        let path = finding.join(folder::EXPLANATION);
        let shown = || path.display().to_string();
        let text = match files::found_text(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(ExplanationError::File { path: shown(), cause: error.to_string() }),
        };
        let damaged = |cause: String| ExplanationError::Damaged { path: shown(), cause };
        let value: serde_json::Value = serde_json::from_str(&text).map_err(|error| damaged(error.to_string()))?;
        if let Some(found) = value.get("format").and_then(serde_json::Value::as_u64)
            && found > u64::from(FORMAT)
        {
            return Err(ExplanationError::Newer { path: shown(), found: u32::try_from(found).unwrap_or(u32::MAX) });
        }
        // From the text, so that a mistake has its line and column.
        let saved: FindingExplanation = serde_json::from_str(&text).map_err(|error| damaged(error.to_string()))?;
        if saved.text != words::text(&saved) {
            return Err(damaged("`text` does not say what was tried".to_string()));
        }
        Ok((saved.script == script).then_some(saved))
    }

    /// The same with its text.
    pub(crate) fn worded(self) -> FindingExplanation {
        let text = words::text(&self);
        FindingExplanation { text, ..self }
    }
}
