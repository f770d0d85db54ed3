//! A `squall.toml`: where it is looked for, and what it holds: solvers, additions to known ones, strategies, defaults of campaigns.

use std::collections::BTreeMap;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Deserialize;
use toml::{Spanned, Value};

use crate::profile::{CrashPattern, KnownBug, Profile, SelfCheckPattern};

/// The file's name, in the current folder, above it, or beside the user's folder of profiles.
pub const FILE_NAME: &str = "squall.toml";

/// What marks the root of a repository.
const REPOSITORY: &str = ".git";

/// The largest file that is read, in bytes.
pub const MOST: u64 = 1 << 20;

/// Whether a file that was found may set an option of `squall fuzz`: what the options do is not this crate's affair.
pub type IsHarmless = fn(&str) -> bool;

/// How many of the things that were left out a message names.
const NAMED: usize = 6;

/// Where this user keeps the configuration: `$XDG_CONFIG_HOME/squall`, else `~/.config/squall`.
pub fn user_configuration() -> Option<PathBuf> {
    let config = match std::env::var_os("XDG_CONFIG_HOME").filter(|value| !value.is_empty()) {
        Some(config) => PathBuf::from(config),
        None => PathBuf::from(std::env::var_os("HOME")?).join(".config"),
    };
    Some(config.join("squall"))
}

/// What the file holds; unknown keys are errors.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SettingsFile {
    /// Whole profiles.
    pub solver: Vec<Profile>,
    /// Additions to profiles, applied after all profiles are known.
    pub extend: Vec<Extension>,
    /// Strategies by name, as text, and where they stand: what they mean is not this crate's affair.
    pub strategy: BTreeMap<Spanned<String>, Spanned<String>>,
    /// Options of `squall fuzz` with their values, and where they stand in the text: what they mean is not this crate's affair.
    pub fuzz: BTreeMap<Spanned<String>, Spanned<Value>>,
}

impl SettingsFile {
    /// Leaves what a file may set that was found and not allowed: options of `squall fuzz` that are harmless. What was left out, for a
    /// message. Solvers and strategies start programs, additions to profiles silence crashes.
    pub fn keep_harmless(&mut self, is_harmless: IsHarmless) -> Vec<String> {
        let mut out: Vec<String> = Vec::new();
        out.extend(std::mem::take(&mut self.solver).into_iter().map(|profile| format!("solver {}", profile.name)));
        out.extend(std::mem::take(&mut self.extend).into_iter().map(|extension| format!("extend {}", extension.name)));
        out.extend(
            std::mem::take(&mut self.strategy).into_keys().map(|name| format!("strategy {}", name.into_inner())),
        );
        let (kept, gone) = std::mem::take(&mut self.fuzz).into_iter().partition(|(key, _)| is_harmless(key.get_ref()));
        self.fuzz = kept;
        let gone: BTreeMap<Spanned<String>, Spanned<Value>> = gone;
        out.extend(gone.into_keys().map(|key| format!("fuzz {}", key.into_inner())));
        let more = out.len().saturating_sub(NAMED);
        out.truncate(NAMED);
        // A name is text of a stranger.
        out.iter_mut().for_each(|name| *name = name.escape_debug().to_string());
        out.extend((more > 0).then(|| format!("{more} more")));
        out
    }
}

/// A strategy that a settings file names, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StrategySetting {
    /// The strategy as it is written.
    pub text: String,
    /// The file.
    pub file: PathBuf,
    /// The line of its name, counted from 1.
    pub line: usize,
    /// The whole file and the byte in it where the text begins; none where quoting has changed the text.
    pub source: Option<(Arc<str>, usize)>,
}

impl StrategySetting {
    /// The strategies of a settings file.
    pub fn all_of(
        strategies: BTreeMap<Spanned<String>, Spanned<String>>,
        file: &Path,
        source: &str,
    ) -> impl Iterator<Item = (String, StrategySetting)> {
        let whole: Arc<str> = Arc::from(source);
        strategies.into_iter().map(move |(name, value)| {
            let line = 1 + whole[..name.span().start.min(whole.len())].matches('\n').count();
            let quoted = value.span();
            let text = value.into_inner();
            // Between quotes, perhaps three, of which a line feed may follow.
            let written = whole.get(quoted.clone()).unwrap_or_default();
            let start = written.find(text.as_str()).filter(|_| !text.is_empty()).map(|n| quoted.start + n);
            let source = start.map(|start| (Arc::clone(&whole), start));
            (name.into_inner(), StrategySetting { text, file: file.to_path_buf(), line, source })
        })
    }
}

/// The nearest settings file in a folder or above it. The search ends at the root of a git repository and at the home folder.
///
/// A file above the folder is not used if it belongs to somebody else: neither to this user, nor to root, nor to whom the folder
/// belongs. Else anyone could put one into `/tmp` and have programs run by it.
pub fn nearest_file(folder: &Path, home: Option<&Path>) -> Option<PathBuf> {
    for place in folder.ancestors() {
        let file = place.join(FILE_NAME);
        if file.is_file() && (place == folder || is_of_friend(&file, folder)) {
            return Some(file);
        }
        if place.join(REPOSITORY).exists() || home == Some(place) {
            return None;
        }
    }
    None
}

fn is_of_friend(file: &Path, folder: &Path) -> bool {
    let owner = |path: &Path| path.metadata().map(|metadata| metadata.uid()).ok();
    let user = rustix::process::geteuid().as_raw();
    owner(file).is_some_and(|of_file| of_file == user || of_file == 0 || Some(of_file) == owner(folder))
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
