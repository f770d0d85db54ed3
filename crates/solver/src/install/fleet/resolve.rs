//! Finds the program of a solver specification: a path, an installed version, or a program on the search path.

use super::super::error::{InstallError, build_options};
use super::super::{InstalledSolver, ON_PATH};
use super::{Fleet, from_manifest};
use crate::cache::InstallManifest;
use crate::launcher;
use crate::probe;
use crate::profile::{Guard, Profile};
use crate::sources::path::Local;
use crate::sources::{FoundProgram, SolverSource};
use crate::spec::{NamedSpec, PathSpec, SolverSpec};
use crate::version::{self, Version};
use finding::Instrument;
use std::path::{Path, PathBuf};
use std::sync::Arc;

impl Fleet {
    /// Finds a solver on this machine without installing anything.
    ///
    /// A name with a version means the one installed in the cache, else the one on `PATH` if it reports exactly that version. A name
    /// alone, or with `latest`, means the one on `PATH`, else the newest in the cache.
    pub fn resolve(&self, spec: &SolverSpec) -> Result<InstalledSolver, InstallError> {
        match spec {
            SolverSpec::Builtin(_) => Ok(InstalledSolver {
                spec: spec.clone(),
                profile: Arc::clone(self.profiles.generic()),
                command: Vec::new(),
                version: None,
                origin: "built in".to_string(),
            }),
            SolverSpec::Path(path) => self.resolve_path(spec, path),
            SolverSpec::Named(named) => {
                let profile = self.profile_of(named)?;
                let not_installed = || {
                    if let Some(error) = not_built(named) {
                        return error;
                    }
                    let (spec, installed) = (spec.label(), self.installed_labels());
                    let nearest = version::meant(&spec, installed.iter().map(String::as_str)).map(str::to_string);
                    InstallError::NotInstalled { spec, nearest, is_fetched: profile.installing().is_some() }
                };
                self.find_named(spec, named, &profile)?.ok_or_else(not_installed)
            }
        }
    }

    /// Returns the solver that [`Fleet::ensure`] finds or installs, if it is already here.
    /// Errors: [`InstallError::NotInstalled`], with the version that would be installed, if it is not.
    pub fn present(&self, spec: &SolverSpec) -> Result<InstalledSolver, InstallError> {
        let named = match spec {
            SolverSpec::Named(named) if named.version.as_deref() == Some("latest") => named,
            _ => return self.resolve(spec),
        };
        let profile = self.profile_of(named)?;
        let newest: Option<Version> =
            self.source(&profile)?.versions(&profile)?.first().and_then(|text| text.parse().ok());
        let Some(newest) = newest else {
            return Err(InstallError::NotInstalled { spec: spec.label(), nearest: None, is_fetched: true });
        };
        match self.cache.find(&named.name, &newest)? {
            Some((folder, manifest)) => Ok(self.up_to_date(spec, profile, &folder, &manifest)),
            None => {
                let spec = format!("{}@{newest}", named.name);
                Err(InstallError::NotInstalled { spec, nearest: None, is_fetched: true })
            }
        }
    }

    fn resolve_path(&self, spec: &SolverSpec, path: &PathSpec) -> Result<InstalledSolver, InstallError> {
        let file = expand_home(&path.path);
        let no_program = || InstallError::NoProgram { path: path.path.clone() };
        if !file.is_dir() && !probe::is_executable(&file) {
            return Err(no_program());
        }
        if let Some(name) = &path.profile {
            let profile = Arc::clone(self.profiles.get(name)?);
            let found = Local { path: file }.find(&profile, self.patience).ok_or_else(no_program)?;
            return Ok(from_found(spec, profile, found, "local path"));
        }
        if !file.is_dir() {
            let program = std::path::absolute(&file).map_err(|_| no_program())?;
            let command = vec![program.into_os_string()];
            let args = &self.profiles.for_program(&file).version.args;
            let told = probe::ask(&command, args, self.patience);
            let profile = Arc::clone(self.profiles.for_reported(&file, told.as_ref()));
            let version = told.and_then(|told| told.version(&profile));
            return Ok(from_found(spec, profile, FoundProgram { command, version }, "local path"));
        }
        let local = Local { path: file };
        let mut found: Vec<_> = self.profiles.iter().filter_map(|p| Some((p, local.find(p, self.patience)?))).collect();
        let names = || found.iter().map(|(profile, _)| profile.name.as_str()).collect::<Vec<_>>().join(", ");
        if found.len() > 1 {
            return Err(InstallError::SeveralPrograms { path: path.path.clone(), names: names() });
        }
        let (profile, found) = found.pop().ok_or_else(no_program)?;
        Ok(from_found(spec, Arc::clone(profile), found, "build folder"))
    }

    fn find_named(
        &self,
        spec: &SolverSpec,
        named: &NamedSpec,
        profile: &Arc<Profile>,
    ) -> Result<Option<InstalledSolver>, InstallError> {
        let on_path = || self.path.find(profile, self.patience);
        let from_path = |found| from_found(spec, Arc::clone(profile), found, ON_PATH);
        let Some(version) = wanted_version(named) else {
            if let Some(found) = on_path() {
                return Ok(Some(from_path(found)));
            }
            // A build with further instruments is used only if it is named.
            let is_release = |manifest: &InstallManifest| !manifest.version.contains('+');
            let newest = self.cache.list().into_iter().find(|(_, found)| found.name == named.name && is_release(found));
            return Ok(newest.map(|(folder, manifest)| self.up_to_date(spec, Arc::clone(profile), &folder, &manifest)));
        };
        if let Some((folder, manifest)) = self.cache.find(&named.name, &version)? {
            return Ok(Some(self.up_to_date(spec, Arc::clone(profile), &folder, &manifest)));
        }
        let is_it = |found: &FoundProgram| found.version.as_ref() == Some(&version) && version.instruments().is_none();
        Ok(on_path().filter(is_it).map(from_path))
    }

    /// Returns a solver of the cache folder, updated first if an earlier version of this program installed it.
    pub(super) fn up_to_date(
        &self,
        spec: &SolverSpec,
        profile: Arc<Profile>,
        folder: &Path,
        manifest: &InstallManifest,
    ) -> InstalledSolver {
        match launcher::renewed(&profile, folder, manifest) {
            Some(renewed) => {
                // If the cache cannot be written, this is repeated at the next start.
                let _ = self.cache.renew(folder, &renewed);
                from_manifest(spec, profile, folder, &renewed)
            }
            None => from_manifest(spec, profile, folder, manifest),
        }
    }

    pub(super) fn plain_spec(&self, name: &str, version: Option<&str>) -> SolverSpec {
        SolverSpec::Named(NamedSpec {
            name: name.to_string(),
            variant: None,
            version: version.map(str::to_string),
            options: Vec::new(),
        })
    }
}

/// Quotes untrusted text as one shell word, with control characters made visible.
pub(super) fn as_word(text: &str) -> String {
    let shown: String =
        text.chars().flat_map(|c| if c.is_control() { c.escape_debug().collect() } else { vec![c] }).collect();
    shlex::try_quote(&shown).map_or_else(|_| String::new(), |word| word.into_owned())
}

pub(in crate::install) fn wanted_version(named: &NamedSpec) -> Option<Version> {
    named.version.as_ref()?.parse().ok()
}

/// Returns the error for a missing build with further instruments; `None` for a release.
pub(super) fn not_built(named: &NamedSpec) -> Option<InstallError> {
    let version = wanted_version(named)?;
    let words = version.instruments()?;
    let release = version.as_str().split('+').next().unwrap_or_default();
    let (spec, release) = (SolverSpec::Named(named.clone()).label(), format!("{}@{release}", named.name));
    Some(InstallError::NotBuilt { spec, release, options: build_options(words) })
}

fn expand_home(path: &str) -> PathBuf {
    match (path.strip_prefix("~/"), std::env::var_os("HOME")) {
        (Some(rest), Some(home)) => PathBuf::from(home).join(rest),
        _ => PathBuf::from(path),
    }
}

pub(super) fn from_found(
    spec: &SolverSpec,
    profile: Arc<Profile>,
    found: FoundProgram,
    origin: &str,
) -> InstalledSolver {
    InstalledSolver {
        spec: spec.clone(),
        profile,
        command: found.command,
        version: found.version,
        origin: origin.to_string(),
    }
}

/// Returns the profile for a build with further instruments.
pub(super) fn of_build(profile: Arc<Profile>, version: Option<&Version>) -> Arc<Profile> {
    let instruments = version.and_then(Version::instruments).and_then(Instrument::all_of).unwrap_or_default();
    match &profile.build {
        Some(recipe) if recipe.watches_memory(&instruments) => {
            let mut watched = Profile::clone(&profile);
            watched.memory.guard = Guard::WatchedRss;
            Arc::new(watched)
        }
        _ => profile,
    }
}
