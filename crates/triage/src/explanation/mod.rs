//! What a finding depends on, as found by experiment and stored with it.

mod releases;
mod words;

use finding::BugClass;
use finding::folder::{FindingFile, FindingFolder, FindingPart, FolderError};
use finding::record::SymptomRepeats;
use reduce::bisect::VersionVerdict;
use serde::{Deserialize, Serialize};

/// The version of the layout of an explanation.
pub const FORMAT: u32 = 1;

/// An explanation as stored with its finding.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FindingExplanation {
    /// The layout's version, [`FORMAT`].
    pub format: u32,
    /// SHA-256 of the script asked about: the reduced one if there is one.
    pub script: String,
    /// The solver's name in reports.
    pub solver: String,
    /// The solver's official name, with the version.
    pub title: String,
    /// The finding's class.
    pub class: BugClass,
    /// The symptom's key.
    pub symptom: String,
    /// How often the solver shows the failure, each time alone in a fresh process.
    pub shown: SymptomRepeats,
    /// The first few operators of the script.
    pub operators: Vec<String>,
    /// Assertions of the wrongly answered check, as printed in the script: only a few short ones.
    pub assertions: Vec<String>,
    /// The installed releases of the solver, oldest first, asked with the needed options.
    pub releases: Vec<TriedRelease>,
    /// What the solver needs in addition to the script: without any one of these it is not wrong.
    pub needs: Vec<AskingPart>,
    /// Recorded parts that are not needed.
    pub needless: Vec<AskingPart>,
    /// Options, simplifiers and tactics that were added one at a time.
    pub changes: Vec<TriedChange>,
    /// Passes applied alone, if exhaustion decides the truth and the solver prints the result of its passes.
    pub passes: Vec<TriedPass>,
    /// Operators that took the place of others, if exhaustion decides the right answer with them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub siblings: Vec<TriedSibling>,
    /// The number of releases, changes, passes and siblings not tried because the time was up.
    pub untried: usize,
    /// The summary: two sentences, and one each if passes or siblings were tried.
    pub text: String,
}

/// A part of how a script is asked.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AskingPart {
    /// The kind of the part.
    pub kind: PartKind,
    /// The text of the part.
    pub text: String,
}

/// The kinds of parts of a question.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PartKind {
    /// An option on the command line, or several that belong together.
    Option,
    /// A command of the script: `set-option`, `set-simplifier`.
    Command,
    /// A tactic of `check-sat-using`, or a step of a tactic.
    Tactic,
    /// A level that is never popped.
    Push,
    /// The preceding scripts in the same process.
    Predecessors,
}

/// A release that was asked.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TriedRelease {
    /// The release's name in reports.
    pub solver: String,
    /// Its verdict.
    pub did: VersionVerdict,
    /// How often it is wrong, if not always.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shown: Option<SymptomRepeats>,
}

/// An addition that was tried.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TriedChange {
    /// The kind of the addition.
    pub kind: PartKind,
    /// Its text.
    pub text: String,
    /// The solver's verdict with it.
    pub did: VersionVerdict,
    /// How often the solver is wrong, if not always.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shown: Option<SymptomRepeats>,
}

/// A pass that was applied alone.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TriedPass {
    /// The pass's text.
    pub text: String,
    /// What happened to the truth.
    pub did: PassEffect,
    /// The first of its steps that loses the truth, if known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step: Option<String>,
}

/// An operator that took the place of another everywhere in the script.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TriedSibling {
    /// The script's operator.
    pub of: String,
    /// The operator in its place.
    pub instead: String,
    /// The solver's verdict with it.
    pub did: VersionVerdict,
}

/// The effect of a pass on the truth of a script.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PassEffect {
    /// The truth is kept.
    Kept,
    /// The truth is lost: a satisfiable script becomes unsatisfiable, or the other way round.
    Lost,
    /// The result is not decided, or there is none.
    Open,
}

impl FindingPart for FindingExplanation {
    const FILE: FindingFile = FindingFile::Explanation;
    const FORMAT: Option<u32> = Some(FORMAT);
    const HINT: &'static str = "; `squall explain` writes it anew";
}

impl FindingExplanation {
    /// Loads a finding's explanation. `None` if there is none, or if it belongs to a script with another SHA-256 because the finding was
    /// reduced since.
    /// Errors: [`FolderError`] where the file cannot be read or was not written by `squall explain`.
    pub fn load(finding: &FindingFolder, script: &str) -> Result<Option<FindingExplanation>, FolderError> {
        let saved = finding.read::<FindingExplanation>()?.filter(|saved| saved.script == script);
        // The text is generated anew: the stored one may be from an earlier version or from anybody.
        Ok(saved.map(FindingExplanation::worded))
    }

    /// Returns the explanation with its text filled in.
    pub fn worded(self) -> FindingExplanation {
        let text = words::text(&self);
        FindingExplanation { text, ..self }
    }
}
