//! What a finding hangs on, as it was tried out and lies beside it.

mod releases;
mod words;

use finding::BugClass;
use finding::folder::{FindingFile, FindingFolder, FindingPart, FolderError};
use finding::record::SymptomRepeats;
use reduce::bisect::VersionVerdict;
use serde::{Deserialize, Serialize};

/// The version of the layout of an explanation.
pub const FORMAT: u32 = 1;

/// An explanation as it is kept with its finding.
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

impl FindingPart for FindingExplanation {
    const FILE: FindingFile = FindingFile::Explanation;
    const FORMAT: Option<u32> = Some(FORMAT);
    const HINT: &'static str = "; `squall explain` writes it anew";
}

impl FindingExplanation {
    /// What lies beside a finding. None where there is nothing, or it is of another script than the one with this SHA-256: it was
    /// reduced since.
    ///
    /// # Errors
    /// [`FolderError`] where the file cannot be read, or is none that `squall explain` wrote.
    pub fn load(finding: &FindingFolder, script: &str) -> Result<Option<FindingExplanation>, FolderError> {
        let saved = finding.read::<FindingExplanation>()?.filter(|saved| saved.script == script);
        // In the words of this version: what the file says may be an earlier one's, or anybody's.
        Ok(saved.map(FindingExplanation::worded))
    }

    /// The same with its text.
    pub fn worded(self) -> FindingExplanation {
        let text = words::text(&self);
        FindingExplanation { text, ..self }
    }
}
