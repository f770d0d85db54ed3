//! The vector of answers to a reduced script: which releases of a solver, and which option settings, err on it.
//!
//! It distinguishes wrong answers. Two bugs may have one vector, so the number of vectors is a lower bound of the number of
//! bugs.

use crate::label::SolverLabel;
use serde::{Deserialize, Serialize, Serializer};
use std::collections::BTreeMap;

/// Replaces the options for the script without options, simplifiers and tactics.
pub const PLAIN: &str = "plain";

/// Precedes a tactic, instead of options, for the script asked with this tactic instead of its own.
pub const TACTIC: &str = "tactic";

/// In place of options: our own print of the script. Where a failure shows only as the script is spelled, the solver is right about it.
pub const REPRINTED: &str = "reprinted";

/// Whether it errs, by configuration: a release (`z3@4.8.7`), or a release, a blank and then options, [`PLAIN`], [`REPRINTED`], or
/// [`TACTIC`] and a tactic. Configurations that decided nothing are left out.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Serialize, Deserialize)]
pub struct AnswerVector(#[serde(serialize_with = "by_version")] BTreeMap<String, bool>);

impl AnswerVector {
    /// Whether some configuration is wrong on one and right on the other.
    pub fn contradicts(&self, other: &AnswerVector) -> bool {
        self.0.iter().any(|(who, errs)| other.0.get(who).is_some_and(|also| also != errs))
    }

    /// Adds what another script shows.
    pub fn add(&mut self, other: &AnswerVector) {
        self.0.extend(other.0.iter().map(|(who, errs)| (who.clone(), *errs)));
    }

    /// Returns the number of configurations that decided.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether no configuration decided.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the releases that decided, oldest first, and whether they err.
    pub fn releases(&self) -> impl Iterator<Item = (&str, bool)> {
        let releases = ordered(&self.0).into_iter().filter(|(who, _)| !who.contains(' '));
        releases.map(|(who, errs)| (who.as_str(), *errs))
    }

    /// Returns the options with which the release of the finding is right.
    pub fn remedies(&self) -> impl Iterator<Item = &str> {
        let right = self.0.iter().filter(|(_, errs)| !**errs).filter_map(|(who, _)| Some(who.split_once(' ')?.1));
        right.filter(|options| !matches!(options.split(' ').next(), Some(PLAIN | REPRINTED | TACTIC)))
    }
}

fn ordered(rows: &BTreeMap<String, bool>) -> Vec<(&String, &bool)> {
    let mut rows: Vec<_> = rows.iter().collect();
    rows.sort_by(|(a, _), (b, _)| SolverLabel::order(a, b));
    rows
}

fn by_version<S: Serializer>(rows: &BTreeMap<String, bool>, to: S) -> Result<S::Ok, S::Error> {
    to.collect_map(ordered(rows))
}

impl FromIterator<(String, bool)> for AnswerVector {
    fn from_iter<I: IntoIterator<Item = (String, bool)>>(rows: I) -> AnswerVector {
        AnswerVector(rows.into_iter().collect())
    }
}

/// The vector of answers as stored with the reduced script.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SavedVector {
    /// SHA-256 of the script that was asked about.
    pub script: String,
    /// Who errs.
    pub vector: AnswerVector,
}
