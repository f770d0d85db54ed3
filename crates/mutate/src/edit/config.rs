//! The parameters that all mutators of places share.

use crate::assignment::AssignmentKind;
use crate::mutator::Entry;
use crate::parameter::{Parameter, ParameterError, Span, number, parsed, settings_text};
use std::fmt::Display;
use std::str::FromStr;

/// What truth mutants get.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum TruthMode {
    /// Each assertion is asserted if it is true under the assignment, else its negation, so that the mutant is satisfiable.
    #[default]
    Certified,
    /// Assertions stay as they are, and answers of several solvers are compared.
    Differential,
    /// Each mutant draws one of the two.
    Both,
}

impl FromStr for TruthMode {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        Ok(match text {
            "certified" => TruthMode::Certified,
            "differential" => TruthMode::Differential,
            "both" => TruthMode::Both,
            _ => return Err(()),
        })
    }
}

impl Display for TruthMode {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            TruthMode::Certified => "certified",
            TruthMode::Differential => "differential",
            TruthMode::Both => "both",
        })
    }
}

/// The parameters of a mutator of places.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EditConfig {
    /// What truth mutants get.
    pub truth: TruthMode,
    /// How many mutants a unit is worth, at least 1.
    pub mutants: u32,
    /// How many changes one step makes.
    pub changes: Span,
    /// How many mutants in a row are each the one before with one more step; 1 makes each afresh from the seed.
    pub consecutive: u32,
    /// Where the assignment comes from.
    pub assignment: AssignmentKind,
}

impl Default for EditConfig {
    fn default() -> Self {
        EditConfig {
            truth: TruthMode::Certified,
            mutants: 300,
            changes: Span { low: 1, high: 3 },
            consecutive: 1,
            assignment: AssignmentKind::Mixed,
        }
    }
}

impl EditConfig {
    /// What is said of each parameter, in the order of [`EditConfig::settings`].
    pub const PARAMETERS: [Parameter; 5] = [
        Parameter { name: "truth", default: "certified", about: "certified, differential or both" },
        Parameter { name: "mutants", default: "300", about: "mutants of a unit, at least 1" },
        Parameter { name: "changes", default: "1-3", about: "changes of one step" },
        Parameter { name: "consecutive", default: "1", about: "mutants in a row that build on each other, at least 1" },
        Parameter { name: "assignment", default: "mixed", about: "model, random, mixed or search" },
    ];

    /// Sets one parameter; false where it is none of these.
    ///
    /// # Errors
    /// [`ParameterError::Value`] for a value out of range.
    pub fn set(&mut self, name: &str, value: &str) -> Result<bool, ParameterError> {
        match name {
            "truth" => self.truth = parsed(name, value, "certified, differential or both")?,
            "mutants" => self.mutants = number(name, value)?,
            "changes" => self.changes = parsed(name, value, "LOW-HIGH or one number, at least 1")?,
            "consecutive" => self.consecutive = number(name, value)?,
            "assignment" => self.assignment = parsed(name, value, "model, random, mixed or search")?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// All parameters as text.
    pub fn settings(&self) -> Vec<(&'static str, String)> {
        let values: [&dyn Display; 5] =
            [&self.truth, &self.mutants, &self.changes, &self.consecutive, &self.assignment];
        settings_text(&EditConfig::PARAMETERS, &values)
    }
}

/// Makes all settings of a mutator; `set` makes one, and gives false for a name it does not know.
///
/// # Errors
/// What `set` says, and [`ParameterError::Unknown`] with what there is.
pub fn configure(
    entry: &'static Entry,
    settings: &[(&str, &str)],
    mut set: impl FnMut(&str, &str) -> Result<bool, ParameterError>,
) -> Result<(), ParameterError> {
    for &(name, value) in settings {
        if !set(name, value)? {
            let known: Vec<&str> = entry.parameters.iter().map(|p| p.name).collect();
            let (mutator, name, known) = (entry.name, name.to_string(), known.join(", "));
            return Err(ParameterError::Unknown { mutator, name, known });
        }
    }
    Ok(())
}
