//! Solvers' names as their projects write them, and their issue trackers, from the profiles.

use ::finding::SolverLabel;
use ::solver::profile::{FormField, Profile};
use ::solver::profiles::Profiles;
use std::path::Path;

/// The profiles that have the names.
pub struct SolverTitles {
    profiles: Profiles,
}

impl SolverTitles {
    /// Returns the names of all profiles, the user's included. Malformed user profiles, which every command that runs a solver
    /// reports, are ignored here.
    pub fn of_user() -> SolverTitles {
        SolverTitles { profiles: Profiles::load().unwrap_or_else(|_| Profiles::embedded()) }
    }

    /// Returns the name for a label: `Z3 4.8.7` for `z3@4.8.7`, `./build/z3 (Z3 4.8.7)` for a program named by its path. A label
    /// without a title in a profile is unchanged.
    pub fn of(&self, label: &str) -> String {
        let parts = SolverLabel::of(label);
        if !parts.is_path() {
            return self.title(&parts);
        }
        let title = self.profile(parts.name).and_then(|profile| profile.title.as_deref());
        match [title, parts.version].into_iter().flatten().collect::<Vec<_>>().join(" ") {
            nothing if nothing.is_empty() => parts.name.to_string(),
            told => format!("{} ({told})", parts.name),
        }
    }

    /// Returns the name for other people, without local paths: `Z3 4.8.7 (own build, SHA-256 7723e0a7…)`.
    pub fn for_others(&self, label: &str, program_sha256: Option<&str>) -> String {
        let parts = SolverLabel::of(label);
        match (parts.is_path(), program_sha256) {
            (false, _) => self.title(&parts),
            (true, None) => format!("{} (own build)", self.title(&parts)),
            (true, Some(digest)) => format!("{} (own build, SHA-256 {:.8}…)", self.title(&parts), digest),
        }
    }

    fn title(&self, parts: &SolverLabel<'_>) -> String {
        let title = self.profile(parts.name).and_then(|profile| profile.title.as_deref()).unwrap_or(parts.file_name());
        let version = parts.version.map(|version| format!(" {version}")).unwrap_or_default();
        let variant = parts.variant.map(|variant| format!(" ({variant})")).unwrap_or_default();
        let built = parts.instruments.map(|words| format!(" (compiled with {})", words.replace('+', ", ")));
        format!("{title}{version}{variant}{}", built.unwrap_or_default())
    }

    /// Returns the project's issue tracker, if the profile names it.
    pub fn tracker(&self, label: &str) -> Option<&str> {
        self.profile(SolverLabel::of(label).name)?.tracker.as_deref()
    }

    /// Returns the fields of the project's form for reports.
    pub fn form(&self, label: &str) -> &[FormField] {
        self.profile(SolverLabel::of(label).name).map_or(&[], |profile| &profile.form)
    }

    /// Options that make the program read a script.
    pub fn base_options(&self, label: &str) -> &[String] {
        self.profile(SolverLabel::of(label).name).map_or(&[], |profile| &profile.options.base)
    }

    /// Whether a profile describes the program.
    pub fn is_known(&self, label: &str) -> bool {
        self.profile(SolverLabel::of(label).name).is_some_and(|profile| profile.title.is_some())
    }

    fn profile(&self, name: &str) -> Option<&Profile> {
        // A path may follow its profile.
        let before = name.split_once(':').map_or(name, |(profile, _)| profile);
        match self.profiles.get(before) {
            Ok(profile) => Some(profile),
            Err(_) => Some(self.profiles.for_program(Path::new(name))),
        }
    }
}

#[cfg(test)]
#[path = "../../tests/unit/titles.rs"]
mod tests;
