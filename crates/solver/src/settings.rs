//! A `squall.toml`: solvers of the user's own, and what the user adds to the lists of known ones.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::profile::{CrashPattern, KnownBug, Profile, SelfCheckPattern};

/// The file's name, in the current folder or beside the user's folder of profiles.
pub const FILE_NAME: &str = "squall.toml";

/// What the file holds; unknown keys are errors.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SettingsFile {
    /// Whole profiles.
    pub solver: Vec<Profile>,
    /// Additions to profiles, applied after all profiles are known.
    pub extend: Vec<Extension>,
    /// Strategies by name, as text: what they mean is not this crate's affair.
    pub strategy: BTreeMap<String, String>,
}

/// Additions to the lists of one profile. As ever, the crash patterns of `generic` count for every solver.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Extension {
    /// The profile's name.
    pub name: String,
    /// Appended to [`Profile::crash`].
    #[serde(default)]
    pub crash: Vec<CrashPattern>,
    /// Appended to [`Profile::self_check`].
    #[serde(default)]
    pub self_check: Vec<SelfCheckPattern>,
    /// Appended to [`Profile::error_texts`].
    #[serde(default)]
    pub error_texts: Vec<String>,
    /// Appended to [`Profile::ignore`].
    #[serde(default)]
    pub ignore: Vec<String>,
    /// Appended to [`Profile::known`].
    #[serde(default)]
    pub known: Vec<KnownBug>,
}

impl Extension {
    /// Appends the lists to those of a profile.
    pub fn apply(self, profile: &mut Profile) {
        profile.crash.extend(self.crash);
        profile.self_check.extend(self.self_check);
        profile.error_texts.extend(self.error_texts);
        profile.ignore.extend(self.ignore);
        profile.known.extend(self.known);
    }
}
