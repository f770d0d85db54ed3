//! The event that reports a recorded finding.

use crate::folder::{FindingFile, FindingFolder};
use crate::kind::{FindingKind, FindingOrigin};
use crate::record::Finding;
use crate::same_cause::Cause;
use crate::trust::Trust;
use serde::{Serialize, Serializer};
use std::path::Path;

/// A recorded finding.
#[derive(Clone, Debug, Serialize)]
pub struct FindingEvent {
    /// Its name.
    pub id: String,
    /// Its class, origin, solver, mode, options and seed.
    #[serde(flatten)]
    pub cause: Cause,
    /// Who vouches for the right answer; as JSON, in words.
    #[serde(serialize_with = "trust_in_words")]
    pub trust: Trust,
    /// The mutator or chain that made it; none for a seed itself.
    pub mutator: Option<String>,
    /// What the script was made from.
    #[serde(skip)]
    pub origin: FindingOrigin,
    /// What is wrong, in one sentence.
    pub summary: String,
    /// The size of the script and of those that must precede it.
    pub bytes: usize,
    /// Its folder.
    pub folder: String,
}

impl FindingEvent {
    /// Returns the event for a finding in a folder.
    pub fn of(finding: &Finding, folder: &Path) -> FindingEvent {
        let earlier = FindingFolder::at(folder).place(FindingFile::Predecessors).metadata();
        FindingEvent {
            id: finding.id.clone(),
            cause: Cause::of(finding),
            trust: finding.trust.clone(),
            mutator: finding.mutator.as_ref().map(|mutator| mutator.name.clone()),
            origin: FindingOrigin::of(finding),
            summary: match finding.repeats.confirmed() {
                true => finding.summary.clone(),
                false => format!(
                    "{} (flaky: {} of {} repetitions)",
                    finding.summary, finding.repeats.shown, finding.repeats.runs
                ),
            },
            bytes: finding.mutant_bytes + earlier.map_or(0, |earlier| earlier.len() as usize),
            folder: folder.display().to_string(),
        }
    }

    /// Returns its kind.
    pub fn kind(&self) -> FindingKind {
        FindingKind::new(&self.cause, self.origin.clone())
    }

    /// Returns the key to sort findings by importance, ascending: the class, mutants before seeds, certified before observed,
    /// default options and plain scripts before others, small before large.
    pub fn importance(&self) -> impl Ord + use<> {
        let is_drawn = (!self.cause.options.is_empty(), self.cause.mode != "plain");
        (self.cause.class, self.cause.origin, self.trust.rank(), is_drawn, self.bytes)
    }
}

fn trust_in_words<S: Serializer>(trust: &Trust, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(&trust.describe())
}
