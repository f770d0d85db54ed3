//! What a profile says about a version of its program.

use super::{OptionChoice, Profile, VersionDialect};
use crate::misread::{misread, miswritten};
use crate::promises::bits;
use crate::promises::{PromisedMode, needs_theory};
use crate::version::Version;
use finding::OptionGrade;
use std::collections::BTreeMap;

impl Profile {
    /// Returns the program of which it is a build.
    pub fn family(&self) -> &str {
        self.family.as_deref().unwrap_or(&self.name)
    }

    /// Returns the standard symbols that these versions name differently; later tables of the profile take precedence.
    pub fn renames(&self, version: Option<&Version>) -> BTreeMap<&str, &str> {
        let tables = self.dialects(version);
        tables.flat_map(|d| d.rename.iter().map(|(from, to)| (from.as_str(), to.as_str()))).collect()
    }

    /// Returns the deviations from the standard in a version.
    pub fn dialects(&self, version: Option<&Version>) -> impl Iterator<Item = &VersionDialect> {
        self.dialect.iter().filter(move |dialect| dialect.versions.contains(version))
    }

    /// Returns spellings that a version misreads. An unknown version may misread what any of them does.
    pub fn misreads(&self, version: Option<&Version>) -> Vec<&str> {
        let tables = self.dialect.iter().filter(|d| version.is_none() || d.versions.contains(version));
        tables.flat_map(|dialect| dialect.misreads.iter().map(String::as_str)).collect()
    }

    /// Returns a spelling in `text`, printed by a version, that differs from the value it represents.
    pub fn miswritten<'p>(&'p self, version: Option<&Version>, text: &str) -> Option<&'p str> {
        let tables = self.dialect.iter().filter(|d| version.is_none() || d.versions.contains(version));
        miswritten(tables.flat_map(|dialect| dialect.miswrites.iter().map(String::as_str)), text)
    }

    /// Returns a spelling in `text` that a version misreads, so the text has no truth for it.
    pub fn misread<'p>(&'p self, version: Option<&Version>, text: &str) -> Option<&'p str> {
        misread(self.misreads(version), text)
    }

    /// Returns the formats of floats in a version; empty means all.
    pub fn float_formats(&self, version: Option<&Version>) -> Vec<(u32, u32)> {
        self.dialects(version).flat_map(|dialect| dialect.float_formats.iter().copied()).collect()
    }

    /// Returns the tactics of a version.
    pub fn tactics(&self, version: Option<&Version>) -> Vec<&str> {
        let known = self.tactic.iter().filter(|tactic| tactic.versions.contains(version));
        known.map(|tactic| tactic.text.as_str()).collect()
    }

    /// Returns the tactics of a version, repeated according to their weights.
    pub fn weighted_tactics(&self, version: Option<&Version>) -> Vec<&str> {
        let known = self.tactic.iter().filter(|tactic| tactic.versions.contains(version));
        known.flat_map(|tactic| std::iter::repeat_n(tactic.text.as_str(), tactic.weight as usize)).collect()
    }

    /// Returns the bits ([`smtlib::logic`]) of features that it does not support in scripts with several checks.
    pub fn lacked_incrementally(&self) -> u32 {
        bits(&self.incremental_lacks)
    }

    /// Returns the options of a version, up to a grade.
    pub fn choices(&self, version: Option<&Version>, most: OptionGrade) -> impl Iterator<Item = &OptionChoice> {
        self.choice.iter().filter(move |choice| choice.grade <= most && choice.versions.contains(version))
    }

    /// Returns those of some options that it grades experimental. Unlisted ones are not.
    pub fn experimental(&self, options: &[String]) -> Vec<String> {
        let graded = self.choice.iter().filter(|choice| choice.grade == OptionGrade::Experimental);
        let listed: Vec<String> = graded.flat_map(OptionChoice::settings).collect();
        options.iter().filter(|option| listed.contains(option)).cloned().collect()
    }

    /// Returns the modes of a version that its command line selects.
    pub fn modes_of(&self, version: Option<&Version>, words: &[String]) -> Vec<&PromisedMode> {
        let is_set = |mode: &&PromisedMode| mode.options.iter().all(|option| words.contains(option));
        self.mode.iter().filter(|mode| mode.versions.contains(version)).filter(is_set).collect()
    }

    /// Returns a version's mode of a grade.
    /// Errors: a description of the versions that have one.
    pub fn mode_of_grade(&self, version: Option<&Version>, grade: OptionGrade) -> Result<&PromisedMode, String> {
        let graded: Vec<&PromisedMode> = self.mode.iter().filter(|mode| mode.grade == grade).collect();
        match graded.iter().find(|mode| mode.versions.contains(version)) {
            Some(mode) => Ok(mode),
            None if graded.is_empty() => Err(format!("its profile knows no mode that is {grade}")),
            None => {
                let known: Vec<String> = graded
                    .iter()
                    .map(|mode| format!("{} (versions {})", mode.options.join(" "), mode.versions))
                    .collect();
                Err(format!("this version has no mode that is {grade}; its profile knows {}", known.join(", ")))
            }
        }
    }

    /// Returns the experimental theories that a script needs: `needs` are its features, `text` is the script.
    pub fn experimental_in(&self, needs: u32, text: &str) -> Vec<String> {
        self.experimental_theories.iter().filter(|theory| needs_theory(theory, needs, text)).cloned().collect()
    }

    /// Returns the logics of which every script must name one; empty means all. `None` if none is needed.
    pub fn logics_to_name(&self) -> Option<&[String]> {
        self.needs_logic.then_some(&self.logics)
    }

    /// Whether a version has the command `(simplify t)`.
    pub fn knows_simplify(&self, version: Option<&Version>) -> bool {
        self.simplify.as_ref().is_some_and(|versions| versions.contains(version))
    }

    /// Whether the solver accepts a logic.
    pub fn accepts_logic(&self, logic: &str) -> bool {
        self.logics.is_empty() || self.logics.iter().any(|accepted| accepted == logic)
    }
}
