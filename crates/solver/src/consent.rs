//! What the user has consented to: settings files that were found, and programs that a campaign's command line named.
//!
//! A finding, a campaign's folder or a `squall.toml` may come from a stranger. What starts programs or writes elsewhere is done only if
//! this user named it, or allowed it once. Consents are small files in the user's own configuration, as direnv keeps them, and each is for
//! one path and one content.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{fs, io};

use files::digest::sha256;

use crate::profile::Profile;
use crate::settings;
use crate::spec::{BARE, SolverSpec};

/// The folder of consents beside the user's settings file.
const FOLDER: &str = "allowed";
/// The most bytes of a consent's file that are shown.
const MOST: u64 = 1 << 16;

/// One thing that is allowed.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Consent {
    kind: &'static str,
    subject: String,
    /// SHA-256 of the content, for what has one.
    content: String,
}

impl Consent {
    /// A settings file as it is now.
    pub fn settings(file: &Path, content: &[u8]) -> Consent {
        Consent { kind: "settings", subject: real(file), content: sha256(content) }
    }

    /// A program with its options; none for a release of a known solver with options that its profile lists. `profile` describes it.
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

    /// Another part of a command line, such as a mutator's command, as it is meant in the current folder.
    pub fn words(what: &'static str, text: &str) -> Consent {
        let here = std::env::current_dir().map(|folder| folder.display().to_string()).unwrap_or_default();
        Consent { kind: what, subject: text.to_string(), content: sha256(here.as_bytes()) }
    }

    /// What is allowed, for people.
    pub fn subject(&self) -> &str {
        &self.subject
    }

    fn file_name(&self) -> String {
        sha256(format!("{}\0{}\0{}", self.kind, self.subject, self.content).as_bytes())
    }
}

/// All that a user has allowed.
#[derive(Clone, Debug, Default)]
pub struct Consents {
    folder: Option<PathBuf>,
    /// Those of this run, which hold where nothing can be kept, too.
    given: Arc<BTreeSet<Consent>>,
}

impl Consents {
    /// Those of this user.
    pub fn of_user() -> Consents {
        settings::user_configuration().map_or_else(Consents::default, |folder| Consents::at(&folder))
    }

    /// Those that are kept in a user's configuration, such as `~/.config/squall`.
    pub fn at(configuration: &Path) -> Consents {
        Consents { folder: Some(configuration.join(FOLDER)), given: Arc::default() }
    }

    /// Whether something is allowed.
    pub fn has(&self, consent: &Consent) -> bool {
        let kept =
            |folder: &PathBuf| fs::symlink_metadata(folder.join(consent.file_name())).is_ok_and(|data| data.is_file());
        self.given.contains(consent) || self.folder.as_ref().is_some_and(kept)
    }

    /// Allows something, in this run and in those after it.
    ///
    /// # Errors
    /// It cannot be kept; in this run it is allowed nevertheless.
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

    /// Takes back all consents to a settings file, whatever its content was; how many there were.
    ///
    /// # Errors
    /// One cannot be removed.
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

    /// What is kept, a line each, sorted.
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

/// Whether an option is one that a profile lists: with it a solver does what the profile's author has tried.
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

/// A path as the system resolves it, so that no other file is meant by it.
fn real(path: &Path) -> String {
    let whole = fs::canonicalize(path).or_else(|_| std::path::absolute(path)).unwrap_or_else(|_| path.to_path_buf());
    whole.display().to_string()
}
