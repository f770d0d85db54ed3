//! The set of known profiles: those embedded in the program, and the user's own.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use include_dir::{Dir, File, include_dir};
use serde::de::DeserializeOwned;

use crate::probe::ToldVersion;
use crate::profile::Profile;
use crate::settings::{self, SettingsFile, StrategySetting};
use crate::spec::nearest;

static EMBEDDED: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/profiles");

/// The profile of programs nothing is known of.
pub const GENERIC: &str = "generic";

/// The place of what comes with the program.
const BUILT_IN: &str = "(built in)";

/// Profiles by name.
///
/// Invariant: there is one named `generic`.
#[derive(Clone, Debug)]
pub struct Profiles {
    by_name: BTreeMap<String, ProfileEntry>,
    /// Strategies that settings files name; a later file wins.
    strategies: BTreeMap<String, StrategySetting>,
}

/// A profile, or one that comes with the program and is read when it is first asked for: most runs need one or two.
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
    /// A profile is not as it must be.
    #[error("the solver profile {place} is malformed: {cause}")]
    Malformed {
        /// The file.
        place: String,
        /// What the reader says, with line and column.
        cause: String,
    },
    /// Two profiles have one name.
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
        /// What the system said.
        source: std::io::Error,
    },
    /// No profile has this name.
    #[error("there is no solver named '{name}'; {}", known_names(nearest, known))]
    Unknown {
        /// The name asked for.
        name: String,
        /// A known name much like it.
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
    /// The profiles that come with the program. Their names are those of their files.
    pub fn embedded() -> Profiles {
        let is_profile = |file: &&File<'_>| file.path().extension().is_some_and(|e| e == "toml");
        let named = |file: &'static File<'_>| {
            let name = file.path().file_stem()?.to_str()?.to_string();
            Some((name, ProfileEntry::embedded(file.contents_utf8()?)))
        };
        let by_name = EMBEDDED.files().filter(is_profile).filter_map(named).collect();
        Profiles { by_name, strategies: BTreeMap::new() }
    }

    /// The embedded profiles, those in the user's folder ([`user_folder`]) and, after them, what the [`settings`] files of
    /// the user and of the current folder ([`settings_files`]) add.
    pub fn load() -> Result<Profiles, ProfileError> {
        let mut profiles = Profiles::embedded();
        if let Some(folder) = user_folder() {
            profiles.add_folder(&folder)?;
        }
        for file in settings_files() {
            profiles.add_settings(&file)?;
        }
        Ok(profiles)
    }

    /// The strategies that settings files name, as text.
    pub fn strategies(&self) -> &BTreeMap<String, StrategySetting> {
        &self.strategies
    }

    /// Adds the profiles, extensions and strategies of a settings file; one that does not exist adds nothing.
    pub fn add_settings(&mut self, path: &Path) -> Result<(), ProfileError> {
        let place = path.display().to_string();
        let Some((settings, text)) = read_settings(path)? else { return Ok(()) };
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

    /// Adds every `*.toml` of a folder; one that does not exist adds nothing.
    pub fn add_folder(&mut self, folder: &Path) -> Result<(), ProfileError> {
        let unreadable = |place: &Path, source| ProfileError::Unreadable { place: place.display().to_string(), source };
        let entries = match std::fs::read_dir(folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
            Err(error) => return Err(unreadable(folder, error)),
        };
        let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        // A pipe would be waited for, for ever.
        paths.retain(|path| path.extension().is_some_and(|extension| extension == "toml") && path.is_file());
        paths.sort();
        for path in paths {
            let text = std::fs::read_to_string(&path).map_err(|error| unreadable(&path, error))?;
            let place = path.display().to_string();
            self.add(parse(&text, &place)?, &place)?;
        }
        Ok(())
    }

    /// Adds one profile; `place` names it in errors.
    pub fn add(&mut self, profile: Profile, place: &str) -> Result<(), ProfileError> {
        if self.by_name.contains_key(&profile.name) {
            return Err(ProfileError::Duplicate { place: place.to_string(), name: profile.name });
        }
        let profile = self.whole(profile, place)?;
        self.by_name.insert(profile.name.clone(), ProfileEntry::of(profile));
        Ok(())
    }

    /// A profile with what it takes from the one that it extends, which must be known before.
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
        // What comes with the program is well-formed, and none of it extends itself, as a test makes sure.
        entry.read.get_or_init(|| read().expect("built-in profiles are well-formed"))
    }

    /// The profile of a name.
    pub fn get(&self, name: &str) -> Result<&Arc<Profile>, ProfileError> {
        self.by_name.get(name).map(|entry| self.read(entry)).ok_or_else(|| ProfileError::Unknown {
            name: name.to_string(),
            nearest: nearest(name, self.by_name.keys().map(String::as_str)).map(str::to_string),
            known: self.by_name.keys().map(String::as_str).collect::<Vec<_>>().join(", "),
        })
    }

    /// The profile of programs nothing is known of; its crash patterns hold of all.
    pub fn generic(&self) -> &Arc<Profile> {
        self.read(&self.by_name[GENERIC])
    }

    /// The profile for a program by its file name, `generic` if none fits.
    pub fn for_program(&self, path: &Path) -> &Arc<Profile> {
        let file = path.file_name().map(|name| name.to_string_lossy().to_ascii_lowercase()).unwrap_or_default();
        let fits = |executable: &str| {
            file.strip_prefix(executable).is_some_and(|rest| !rest.starts_with(|c: char| c.is_ascii_alphanumeric()))
        };
        self.iter().find(|profile| profile.executables.iter().any(|e| fits(e))).unwrap_or(self.generic())
    }

    /// The profile for a program by its file name and by what it prints as its version. What it prints counts for more, where a profile
    /// says what its solvers print ([`names_solver`]): a program may have any name.
    pub(crate) fn for_told(&self, path: &Path, told: Option<&ToldVersion>) -> &Arc<Profile> {
        let by_name = self.for_program(path);
        let fits = |profile: &Profile| told.is_some_and(|told| told.has(&profile.version.prefix));
        let is_stranger = by_name.name == GENERIC || names_solver(&by_name.version.prefix) && !fits(by_name);
        if !is_stranger {
            return by_name;
        }
        let known = self.iter().filter(|profile| names_solver(&profile.version.prefix) && fits(profile));
        // Of two builds of one solver, which print the same, the one that the other extends.
        let most = |profile: &&Arc<Profile>| (profile.version.prefix.len(), profile.extends.is_none());
        known.max_by_key(most).unwrap_or(by_name)
    }

    /// All profiles by name.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<Profile>> {
        self.by_name.values().map(|entry| self.read(entry))
    }
}

/// Whether the text before a version names a solver: it has another word than `version`, which any program may print.
fn names_solver(prefix: &str) -> bool {
    prefix
        .split(|c: char| !c.is_ascii_alphanumeric())
        .any(|word| !word.is_empty() && !word.eq_ignore_ascii_case("version"))
}

/// Where users keep profiles: `$XDG_CONFIG_HOME/squall/solvers`, else `~/.config/squall/solvers`.
pub fn user_folder() -> Option<PathBuf> {
    let config = match std::env::var_os("XDG_CONFIG_HOME").filter(|value| !value.is_empty()) {
        Some(config) => PathBuf::from(config),
        None => PathBuf::from(std::env::var_os("HOME")?).join(".config"),
    };
    Some(config.join("squall").join("solvers"))
}

/// The settings files of this user, each more important than those before it: the one of the user's configuration, and the
/// nearest one in the current folder or above it. They need not exist.
pub fn settings_files() -> Vec<PathBuf> {
    let of_user = user_folder().map(|folder| folder.with_file_name(settings::FILE_NAME));
    let home = std::env::var_os("HOME").map(PathBuf::from);
    let nearest = std::env::current_dir().ok().and_then(|here| {
        let file = settings::nearest_file(&here, home.as_deref())?;
        // Messages name a file of the current folder as the user does.
        Some(file.strip_prefix(&here).map(Path::to_path_buf).unwrap_or(file))
    });
    of_user.into_iter().chain(nearest).collect()
}

/// A settings file and its text; none if it does not exist.
///
/// # Errors
/// It cannot be read, or is malformed.
pub fn read_settings(path: &Path) -> Result<Option<(SettingsFile, String)>, ProfileError> {
    let place = path.display().to_string();
    match std::fs::read_to_string(path) {
        Ok(text) => Ok(Some((read(&text, &place)?, text))),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(source) => Err(ProfileError::Unreadable { place, source }),
    }
}

/// Reads one profile; `place` names it in errors.
pub fn parse(text: &str, place: &str) -> Result<Profile, ProfileError> {
    read(text, place)
}

fn read<T: DeserializeOwned>(text: &str, place: &str) -> Result<T, ProfileError> {
    toml::from_str(text).map_err(|error| ProfileError::Malformed { place: place.to_string(), cause: error.to_string() })
}
