//! A `squall.toml`: its location and contents: solvers, additions to known ones, strategies, defaults of campaigns.

use std::collections::BTreeMap;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Deserialize;
use toml::{Spanned, Value};

use crate::profile::{CrashPattern, KnownBug, Profile, SelfCheckPattern};

/// The file's name, in the current folder, above it, or next to the user's folder of profiles.
pub const FILE_NAME: &str = "squall.toml";

/// Marks the root of a repository.
const REPOSITORY: &str = ".git";

/// The maximum file size, in bytes.
pub const MOST: u64 = 1 << 20;

/// Whether a file that was found may set an option of `squall fuzz`: the caller knows the options.
pub type IsHarmless = fn(&str) -> bool;

/// The maximum number of omitted settings that a message names.
const NAMED: usize = 6;

/// Returns the user's configuration folder: `$XDG_CONFIG_HOME/squall`, else `~/.config/squall`.
pub fn user_configuration() -> Option<PathBuf> {
    let config = match std::env::var_os("XDG_CONFIG_HOME").filter(|value| !value.is_empty()) {
        Some(config) => PathBuf::from(config),
        None => PathBuf::from(std::env::var_os("HOME")?).join(".config"),
    };
    Some(config.join("squall"))
}

/// The contents of the file; unknown keys are errors.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SettingsFile {
    /// Whole profiles.
    pub solver: Vec<Profile>,
    /// Additions to profiles, applied after all profiles are known.
    pub extend: Vec<Extension>,
    /// Strategies by name, as text, with their positions; the caller interprets them.
    pub strategy: BTreeMap<Spanned<String>, Spanned<String>>,
    /// Options of `squall fuzz` with their values and positions; the caller interprets them.
    pub fuzz: BTreeMap<Spanned<String>, Spanned<Value>>,
}

impl SettingsFile {
    /// Keeps only what a file that was found and not allowed may set: harmless options of `squall fuzz`. Returns the omitted items for a
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
        // A name is untrusted text.
        out.iter_mut().for_each(|name| *name = name.escape_debug().to_string());
        out.extend((more > 0).then(|| format!("{more} more")));
        out
    }
}

/// A strategy defined by a settings file, and its position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StrategySetting {
    /// The strategy's text.
    pub text: String,
    /// The file.
    pub file: PathBuf,
    /// The line of its name, counted from 1.
    pub line: usize,
    /// The whole file and the byte offset of the text; `None` if quoting has changed the text.
    pub source: Option<(Arc<str>, usize)>,
}

impl StrategySetting {
    /// Returns the strategies of a settings file.
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
            // In quotes, possibly triple ones, which may be followed by a line feed.
            let written = whole.get(quoted.clone()).unwrap_or_default();
            let start = written.find(text.as_str()).filter(|_| !text.is_empty()).map(|n| quoted.start + n);
            let source = start.map(|start| (Arc::clone(&whole), start));
            (name.into_inner(), StrategySetting { text, file: file.to_path_buf(), line, source })
        })
    }
}

/// Returns the nearest settings file in a folder or above it. The search ends at the root of a git repository and at the home folder.
///
/// A file above the folder is used only if it belongs to this user, to root, or to the owner of the folder. Otherwise anyone could put
/// one into `/tmp` that runs programs.
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

/// Additions to the lists of one profile. The crash patterns of `generic` count for every solver.
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
