//! The vector of answers to a reduced script: who errs on it, among the releases of a solver and under switches of its options.
//!
//! It is what tells wrong answers apart. Two bugs may have one vector, so that the number of vectors is a lower bound of the
//! number of bugs.

use crate::label::SolverLabel;
use serde::{Deserialize, Serialize, Serializer};
use std::collections::BTreeMap;

/// Stands in the place of options for the script without options, simplifiers and tactics.
pub const PLAIN: &str = "plain";

/// Stands before a tactic, in the place of options, for the script that is asked by this tactic instead of its own.
pub const TACTIC: &str = "tactic";

/// Erring or right, by who was asked: a release (`z3@4.8.7`), or a release and after a blank options, [`PLAIN`], or [`TACTIC`] and
/// a tactic. Those that decided nothing say nothing.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Serialize, Deserialize)]
pub struct AnswerVector(#[serde(serialize_with = "by_version")] BTreeMap<String, bool>);

impl AnswerVector {
    /// Whether somebody is wrong on the one and right on the other.
    pub fn contradicts(&self, other: &AnswerVector) -> bool {
        self.0.iter().any(|(who, errs)| other.0.get(who).is_some_and(|also| also != errs))
    }

    /// Adds what another script shows.
    pub fn add(&mut self, other: &AnswerVector) {
        self.0.extend(other.0.iter().map(|(who, errs)| (who.clone(), *errs)));
    }

    /// How many decided.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether nobody decided.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The releases that decided, the oldest first, and whether they err.
    pub fn releases(&self) -> impl Iterator<Item = (&str, bool)> {
        let releases = ordered(&self.0).into_iter().filter(|(who, _)| !who.contains(' '));
        releases.map(|(who, errs)| (who.as_str(), *errs))
    }

    /// The options with which the release of the finding is right.
    pub fn remedies(&self) -> impl Iterator<Item = &str> {
        let right = self.0.iter().filter(|(_, errs)| !**errs).filter_map(|(who, _)| Some(who.split_once(' ')?.1));
        right.filter(|options| !matches!(options.split(' ').next(), Some(PLAIN | TACTIC)))
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

/// The vector of answers as it is kept with the reduced script.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SavedVector {
    /// SHA-256 of the script that was asked about.
    pub script: String,
    /// Who errs.
    pub vector: AnswerVector,
}
