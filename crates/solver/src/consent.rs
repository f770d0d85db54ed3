//! The user's consents: to settings files that were found, and to programs named by a campaign's command line.
//!
//! A finding, a campaign's folder or a `squall.toml` may come from an untrusted source. Its programs are started, and its files written,
//! only if this user named them, or allowed them once. Consents are small files in the user's own configuration, like those of direnv,
//! each for one path and one content.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{fs, io};

use files::digest::sha256;

use crate::profile::Profile;
use crate::settings;
use crate::spec::{BARE, SolverSpec};

/// The folder of consents next to the user's settings file.
const FOLDER: &str = "allowed";
/// The maximum number of bytes shown of a consent's file.
const MOST: u64 = 1 << 16;

/// One permission.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Consent {
    kind: &'static str,
    subject: String,
    /// SHA-256 of the content, if it has one.
    content: String,
}

impl Consent {
    /// Returns the consent to a settings file with its current content.
    pub fn settings(file: &Path, content: &[u8]) -> Consent {
        Consent { kind: "settings", subject: real(file), content: sha256(content) }
    }

    /// Returns the consent to a program with its options, which `profile` describes; `None` for a release of a known solver with options
    /// that its profile lists.
    ///
    /// Options of the profile are left out: campaigns draw them.
    pub fn solver(spec: &SolverSpec, profile: &Profile) -> Option<Consent> {
        let foreign = spec.options().iter().filter(|option| !is_known(profile, option));
        let words: Vec<String> = match spec {
            SolverSpec::Builtin(_) => return None,
            SolverSpec::Named(named) => std::iter::once(named.name.clone()).chain(foreign.cloned()).collect(),
            SolverSpec::Path(path) => std::iter::once(real(Path::new(&path.path))).chain(foreign.cloned()).collect(),
        };
        let is_release = matches!(spec, SolverSpec::Named(_)) && words.len() == 1;
        (!is_release).then(|| Consent {
            kind: "program",
            subject: words.join(" "),
            content: sha256(words.join("\0").as_bytes()),
        })
    }

    /// Returns the consent to another part of a command line, such as a mutator's command, relative to the current folder.
    pub fn command_part(what: &'static str, text: &str) -> Consent {
        let here = std::env::current_dir().map(|folder| folder.display().to_string()).unwrap_or_default();
        Consent { kind: what, subject: text.to_string(), content: sha256(here.as_bytes()) }
    }

    /// Describes what is allowed.
    pub fn subject(&self) -> &str {
        &self.subject
    }

    fn file_name(&self) -> String {
        sha256(format!("{}\0{}\0{}", self.kind, self.subject, self.content).as_bytes())
    }
}

/// All consents of a user.
#[derive(Clone, Debug, Default)]
pub struct Consents {
    folder: Option<PathBuf>,
    /// Consents of this run, which also apply if they cannot be stored.
    given: Arc<BTreeSet<Consent>>,
}

impl Consents {
    /// Returns this user's consents.
    pub fn of_user() -> Consents {
        settings::user_configuration().map_or_else(Consents::default, |folder| Consents::at(&folder))
    }

    /// Returns the consents in a user's configuration, such as `~/.config/squall`.
    pub fn at(configuration: &Path) -> Consents {
        Consents { folder: Some(configuration.join(FOLDER)), given: Arc::default() }
    }

    /// Whether a consent was given.
    pub fn has(&self, consent: &Consent) -> bool {
        let kept =
            |folder: &PathBuf| fs::symlink_metadata(folder.join(consent.file_name())).is_ok_and(|data| data.is_file());
        self.given.contains(consent) || self.folder.as_ref().is_some_and(kept)
    }

    /// Gives a consent, for this run and later ones.
    /// Errors: it cannot be stored; in this run it applies anyway.
    pub fn give(&mut self, consent: Consent) -> io::Result<()> {
        let (name, text) = (consent.file_name(), format!("{} {}\n", consent.kind, consent.subject));
        let is_kept = self.has(&consent);
        Arc::make_mut(&mut self.given).insert(consent);
        match &self.folder {
            _ if is_kept => Ok(()),
            None => Err(io::Error::other("neither XDG_CONFIG_HOME nor HOME says where your configuration is")),
            Some(folder) => {
                fs::create_dir_all(folder)?;
                files::atomic::write(&folder.join(name), text.as_bytes())
            }
        }
    }

    /// Withdraws all consents to a settings file, with any content; returns their number.
    /// Errors: one cannot be removed.
    pub fn withdraw(&mut self, file: &Path) -> io::Result<usize> {
        let text = format!("settings {}", real(file));
        let mut count = 0;
        for (path, found) in self.kept() {
            if found == text {
                fs::remove_file(path)?;
                count += 1;
            }
        }
        Ok(count)
    }

    /// Returns the stored consents, one per line, sorted.
    pub fn list(&self) -> Vec<String> {
        let mut lines: Vec<String> = self.kept().into_iter().map(|(_, text)| text).collect();
        lines.sort();
        lines
    }

    fn kept(&self) -> Vec<(PathBuf, String)> {
        let entries = self.folder.iter().filter_map(|folder| fs::read_dir(folder).ok()).flatten().flatten();
        let paths = entries.map(|entry| entry.path());
        let read = |path: PathBuf| {
            let bytes = files::read::regular(&path, MOST).ok()?;
            Some((path, String::from_utf8_lossy(&bytes).trim_end().to_string()))
        };
        paths
            .filter(|path| !path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.')))
            .filter_map(read)
            .collect()
    }
}

/// Whether a profile lists an option: its effect is known to the profile's author.
fn is_known(profile: &Profile, option: &str) -> bool {
    let options = &profile.options;
    let lists = [
        &options.base,
        &options.added,
        &options.incremental,
        &options.models,
        &options.cores,
        &options.proofs,
        &options.check_proofs,
        &options.validate,
        &options.random_seed,
        &profile.switches,
    ];
    let variants = profile.variants.values().map(|variant| &variant.options);
    let modes = profile.mode.iter().map(|mode| &mode.options);
    let fixed = lists.into_iter().chain(variants).chain(modes).flatten();
    let mut known: Vec<String> =
        fixed.cloned().chain(profile.choice.iter().flat_map(|choice| choice.settings())).collect();
    // An option of several words is listed as one text.
    known = known.iter().flat_map(|text| text.split_whitespace().chain([text.as_str()])).map(str::to_string).collect();
    known.push(BARE.to_string());
    let fits = |known: &String| match known.split_once("{seed}") {
        Some((before, after)) => {
            let number = option.strip_prefix(before).and_then(|rest| rest.strip_suffix(after));
            number.is_some_and(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
        }
        None => known == option,
    };
    known.iter().any(fits)
}

/// Returns the canonical path, which is unambiguous.
fn real(path: &Path) -> String {
    let whole = fs::canonicalize(path).or_else(|_| std::path::absolute(path)).unwrap_or_else(|_| path.to_path_buf());
    whole.display().to_string()
}
