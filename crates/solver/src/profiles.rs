//! The set of known profiles: those embedded in the program, and the user's own.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use include_dir::{Dir, File, include_dir};
use serde::de::DeserializeOwned;

use crate::consent::{Consent, Consents};
use crate::probe::ReportedVersion;
use crate::profile::Profile;
use crate::settings::{self, IsHarmless, SettingsFile, StrategySetting};
use crate::spec::nearest;

static EMBEDDED: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/profiles");

/// The profile of unknown programs.
pub const GENERIC: &str = "generic";

/// The location of built-in profiles in messages.
const BUILT_IN: &str = "(built in)";

/// Profiles by name.
///
/// Invariant: one is named `generic`.
#[derive(Clone, Debug)]
pub struct Profiles {
    by_name: BTreeMap<String, ProfileEntry>,
    /// Strategies defined by settings files; a later file takes precedence.
    strategies: BTreeMap<String, StrategySetting>,
}

/// A profile, or a built-in one that is parsed on first use: most runs need one or two.
#[derive(Clone, Debug)]
struct ProfileEntry {
    embedded: &'static str,
    read: OnceLock<Arc<Profile>>,
}

impl ProfileEntry {
    fn embedded(text: &'static str) -> ProfileEntry {
        ProfileEntry { embedded: text, read: OnceLock::new() }
    }

    fn of(profile: Profile) -> ProfileEntry {
        ProfileEntry { embedded: "", read: OnceLock::from(Arc::new(profile)) }
    }
}

/// Why profiles cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ProfileError {
    /// A profile is malformed.
    #[error("the solver profile {place} is malformed: {cause}")]
    Malformed {
        /// The file.
        place: String,
        /// The parser's message, with line and column.
        cause: String,
    },
    /// Two profiles have the same name.
    #[error("the solver profile {place} has the name '{name}', which is taken; choose another name")]
    Duplicate {
        /// The later file.
        place: String,
        /// The name.
        name: String,
    },
    /// A file or folder cannot be read.
    #[error("cannot read the solver profiles at {place}: {source}")]
    Unreadable {
        /// The file or folder.
        place: String,
        /// The error.
        source: std::io::Error,
    },
    /// No profile has this name.
    #[error("there is no solver named '{name}'; {}", known_names(nearest, known))]
    Unknown {
        /// The requested name.
        name: String,
        /// The most similar known name.
        nearest: Option<String>,
        /// All known names.
        known: String,
    },
}

fn known_names(nearest: &Option<String>, known: &str) -> String {
    match nearest {
        Some(nearest) => format!("did you mean '{nearest}'?"),
        None => format!("known are {known}; a program of your own is named by its path, as in ./my-solver"),
    }
}

impl Profiles {
    /// Returns the built-in profiles. Their names are those of their files.
    pub fn embedded() -> Profiles {
        let is_profile = |file: &&File<'_>| file.path().extension().is_some_and(|e| e == "toml");
        let named = |file: &'static File<'_>| {
            let name = file.path().file_stem()?.to_str()?.to_string();
            Some((name, ProfileEntry::embedded(file.contents_utf8()?)))
        };
        let by_name = EMBEDDED.files().filter(is_profile).filter_map(named).collect();
        Profiles { by_name, strategies: BTreeMap::new() }
    }

    /// Returns the built-in profiles, those in the user's folder ([`user_folder`]) and, after them, the additions of the [`settings`]
    /// files of the user and of the current folder ([`settings_files`]).
    pub fn load() -> Result<Profiles, ProfileError> {
        let mut profiles = Profiles::embedded();
        if let Some(folder) = user_folder() {
            profiles.add_folder(&folder)?;
        }
        for place in settings_files() {
            profiles.add_read(read_settings(&place, |_| false)?, &place.path)?;
        }
        Ok(profiles)
    }

    /// Returns the strategies defined by settings files, as text.
    pub fn strategies(&self) -> &BTreeMap<String, StrategySetting> {
        &self.strategies
    }

    /// Adds the profiles, extensions and strategies of a settings file that is named; a missing file adds nothing.
    pub fn add_settings(&mut self, path: &Path) -> Result<(), ProfileError> {
        let place = SettingsSource { path: path.to_path_buf(), standing: Standing::OfUser };
        self.add_read(read_settings(&place, |_| false)?, path)
    }

    fn add_read(&mut self, read: Option<ReadSettings>, path: &Path) -> Result<(), ProfileError> {
        let place = path.display().to_string();
        let Some(ReadSettings { settings, text, .. }) = read else { return Ok(()) };
        for profile in settings.solver {
            self.add(profile, &place)?;
        }
        self.strategies.extend(StrategySetting::all_of(settings.strategy, path, &text));
        for extension in settings.extend {
            let mut profile = Profile::clone(self.get(&extension.name)?);
            extension.apply(&mut profile);
            self.by_name.insert(profile.name.clone(), ProfileEntry::of(profile));
        }
        Ok(())
    }

    /// Adds every `*.toml` of a folder; a missing folder adds nothing.
    pub fn add_folder(&mut self, folder: &Path) -> Result<(), ProfileError> {
        let unreadable = |place: &Path, source| ProfileError::Unreadable { place: place.display().to_string(), source };
        let entries = match std::fs::read_dir(folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
            Err(error) => return Err(unreadable(folder, error)),
        };
        let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        // Reading a pipe would block forever.
        paths.retain(|path| path.extension().is_some_and(|extension| extension == "toml") && path.is_file());
        paths.sort();
        for path in paths {
            let place = path.display().to_string();
            let bytes = files::read::regular(&path, settings::MOST).map_err(|error| unreadable(&path, error.into()))?;
            let text = String::from_utf8_lossy(&bytes);
            self.add(parse(&text, &place)?, &place)?;
        }
        Ok(())
    }

    /// Adds one profile; `place` is its name in errors.
    pub fn add(&mut self, profile: Profile, place: &str) -> Result<(), ProfileError> {
        if self.by_name.contains_key(&profile.name) {
            return Err(ProfileError::Duplicate { place: place.to_string(), name: profile.name });
        }
        let profile = self.whole(profile, place)?;
        self.by_name.insert(profile.name.clone(), ProfileEntry::of(profile));
        Ok(())
    }

    /// Completes a profile from the one that it extends, which must be known before.
    fn whole(&self, profile: Profile, place: &str) -> Result<Profile, ProfileError> {
        let Some(base) = profile.extends.as_deref() else { return Ok(profile) };
        let base = self.get(base).map_err(|error| ProfileError::Malformed {
            place: place.to_string(),
            cause: format!("'{}' extends another one, but {error}", profile.name),
        })?;
        Ok(profile.over(base))
    }

    fn read<'p>(&'p self, entry: &'p ProfileEntry) -> &'p Arc<Profile> {
        let read = || self.whole(parse(entry.embedded, BUILT_IN)?, BUILT_IN).map(Arc::new);
        // Built-in profiles are well-formed, and none extends itself, as a test checks.
        entry.read.get_or_init(|| read().expect("built-in profiles are well-formed"))
    }

    /// Returns the profile with a name.
    pub fn get(&self, name: &str) -> Result<&Arc<Profile>, ProfileError> {
        self.by_name.get(name).map(|entry| self.read(entry)).ok_or_else(|| ProfileError::Unknown {
            name: name.to_string(),
            nearest: nearest(name, self.by_name.keys().map(String::as_str)).map(str::to_string),
            known: self.by_name.keys().map(String::as_str).collect::<Vec<_>>().join(", "),
        })
    }

    /// Returns the profile of unknown programs; its crash patterns apply to all.
    pub fn generic(&self) -> &Arc<Profile> {
        self.read(&self.by_name[GENERIC])
    }

    /// Returns the profile for a program by its file name, or `generic`.
    pub fn for_program(&self, path: &Path) -> &Arc<Profile> {
        let file = path.file_name().map(|name| name.to_string_lossy().to_ascii_lowercase()).unwrap_or_default();
        let fits = |executable: &str| {
            file.strip_prefix(executable).is_some_and(|rest| !rest.starts_with(|c: char| c.is_ascii_alphanumeric()))
        };
        self.iter().find(|profile| profile.executables.iter().any(|e| fits(e))).unwrap_or(self.generic())
    }

    /// Returns the profile for a program by its file name and by its version output. The output takes precedence if a profile says what
    /// its solvers print ([`names_solver`]): a program may have any name.
    pub(crate) fn for_reported(&self, path: &Path, told: Option<&ReportedVersion>) -> &Arc<Profile> {
        let by_name = self.for_program(path);
        let fits = |profile: &Profile| told.is_some_and(|told| told.has(&profile.version.prefix));
        let is_stranger = by_name.name == GENERIC || names_solver(&by_name.version.prefix) && !fits(by_name);
        if !is_stranger {
            return by_name;
        }
        let known = self.iter().filter(|profile| names_solver(&profile.version.prefix) && fits(profile));
        // Of two builds of one solver with the same output, the one that the other extends.
        let most = |profile: &&Arc<Profile>| (profile.version.prefix.len(), profile.extends.is_none());
        known.max_by_key(most).unwrap_or(by_name)
    }

    /// Returns all profiles by name.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<Profile>> {
        self.by_name.values().map(|entry| self.read(entry))
    }
}

/// Whether the text before a version names a solver: it has a word other than `version`, which any program may print.
fn names_solver(prefix: &str) -> bool {
    prefix
        .split(|c: char| !c.is_ascii_alphanumeric())
        .any(|word| !word.is_empty() && !word.eq_ignore_ascii_case("version"))
}

/// Returns the folder of the user's profiles: `solvers` in the [configuration](settings::user_configuration).
pub fn user_folder() -> Option<PathBuf> {
    settings::user_configuration().map(|folder| folder.join("solvers"))
}

/// The settings file named on the command line.
static NAMED: OnceLock<PathBuf> = OnceLock::new();

/// Sets the settings file of this process, instead of the one that is found. Only the first call counts.
pub fn name_settings(file: PathBuf) {
    let _ = NAMED.set(file);
}

/// The authority of a settings file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Standing {
    /// The file is in the user's configuration. It need not exist.
    OfUser,
    /// The user named it, so it must exist.
    Named,
    /// The file was found in the current folder or above it.
    Found,
}

/// A settings file to read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SettingsSource {
    /// The file.
    pub path: PathBuf,
    /// Its authority.
    pub standing: Standing,
}

/// A settings file that was read.
#[derive(Clone, Debug)]
pub struct ReadSettings {
    /// The part that applies.
    pub settings: SettingsFile,
    /// The whole text.
    pub text: String,
    /// The part that does not apply, because the file was found and the user did not allow it.
    pub left_out: Vec<String>,
}

/// Returns the settings files of this user, in increasing precedence: the one in the user's configuration, and the one that was
/// [named](name_settings), or else the nearest one in the current folder or above it.
pub fn settings_files() -> Vec<SettingsSource> {
    let place = |path, standing| SettingsSource { path, standing };
    let of_user =
        settings::user_configuration().map(|folder| place(folder.join(settings::FILE_NAME), Standing::OfUser));
    let home = std::env::var_os("HOME").map(PathBuf::from);
    let other = NAMED.get().map(|path| place(path.clone(), Standing::Named)).or_else(|| {
        let here = std::env::current_dir().ok()?;
        let file = settings::nearest_file(&here, home.as_deref())?;
        // Messages name a file of the current folder like the user does.
        Some(place(file.strip_prefix(&here).map(Path::to_path_buf).unwrap_or(file), Standing::Found))
    });
    of_user.into_iter().chain(other).collect()
}

/// Reads a settings file; `None` if it does not exist and need not. Of the options of `squall fuzz`, one that was found and not allowed
/// keeps those that are harmless.
/// Errors: it cannot be read, holds more than [`settings::MOST`], or is malformed.
pub fn read_settings(place: &SettingsSource, is_harmless: IsHarmless) -> Result<Option<ReadSettings>, ProfileError> {
    let shown = place.path.display().to_string();
    let read = match place.standing {
        Standing::Named => files::named(&place.path),
        Standing::OfUser | Standing::Found => files::read::regular(&place.path, settings::MOST),
    };
    let bytes = match read.map_err(io::Error::from) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound && place.standing != Standing::Named => return Ok(None),
        Err(source) => return Err(ProfileError::Unreadable { place: shown, source }),
    };
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let mut settings: SettingsFile = self::read(&text, &shown)?;
    let is_allowed =
        place.standing != Standing::Found || Consents::of_user().has(&Consent::settings(&place.path, &bytes));
    let left_out = if is_allowed { Vec::new() } else { settings.keep_harmless(is_harmless) };
    Ok(Some(ReadSettings { settings, text, left_out }))
}

/// Returns a message about the part of the found settings file that does not apply, with the command that allows it; `None` if all
/// applies.
/// Errors: as [`read_settings`].
pub fn left_out(is_harmless: IsHarmless) -> Result<Option<String>, ProfileError> {
    for place in settings_files() {
        let Some(read) = read_settings(&place, is_harmless)?.filter(|read| !read.left_out.is_empty()) else { continue };
        let file = place.path.display().to_string().escape_debug().to_string();
        return Ok(Some(format!(
            "{file} was found here, and you have not allowed it; left out: {}; read it, then allow it with 'squall setup config allow'",
            read.left_out.join(", ")
        )));
    }
    Ok(None)
}

/// Parses one profile; `place` is its name in errors.
pub fn parse(text: &str, place: &str) -> Result<Profile, ProfileError> {
    read(text, place)
}

fn read<T: DeserializeOwned>(text: &str, place: &str) -> Result<T, ProfileError> {
    toml::from_str(text).map_err(|error| ProfileError::Malformed {
        place: place.to_string(),
        cause: error.to_string().chars().map(plain).collect(),
    })
}

/// Replaces a character that controls a terminal, in messages that repeat a line of the file.
fn plain(c: char) -> char {
    if c.is_control() && !matches!(c, '\n' | '\t') { char::REPLACEMENT_CHARACTER } else { c }
}
