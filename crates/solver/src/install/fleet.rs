//! All available solvers: found on the machine, or installed into the cache folder.

mod resolve;

pub(super) use resolve::wanted_version;
use resolve::{as_word, from_found, not_built, of_build};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use super::error::InstallError;
use super::progress::{InstallEvent, InstallObserver};
use super::{InstalledSolver, ON_PATH};
use crate::cache::{InstallManifest, SolverCache, Staging};
use crate::consent::{Consent, Consents};
use crate::doctor::{self, Check, ClaimVerdict};
use crate::launcher;
use crate::probe;
use crate::process::CancelToken;
use crate::profile::Profile;
use crate::profiles::{GENERIC, Profiles};
use crate::session::Solver;
use crate::sources::cargo::Crates;
use crate::sources::path::SearchPath;
use crate::sources::wheel::Wheels;
use crate::sources::{SolverSource, digest};
use crate::spec::{NamedSpec, PathSpec, SolverSpec, nearest};
use crate::version::Version;

/// The minimum time that a program has to report its version.
const SHORTEST_PATIENCE: Duration = Duration::from_secs(1);

/// All available solvers: the known profiles, the cache folder, and `PATH`.
#[derive(Clone, Debug)]
pub struct Fleet {
    profiles: Profiles,
    pub(super) cache: SolverCache,
    pub(super) path: SearchPath,
    patience: Duration,
    owner: Option<Arc<str>>,
    cancel: Option<CancelToken>,
    consents: Consents,
}

/// The integrity of a solver's files.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Integrity {
    /// They are unchanged since the installation.
    Same,
    /// It was not installed by Squall.
    Foreign,
    /// An earlier version of Squall installed it without a hash of its files.
    Unknown {
        /// Its name and version.
        label: String,
    },
}

impl Integrity {
    /// Returns a message for the user, if needed.
    pub fn note(&self) -> Option<String> {
        let Integrity::Unknown { label } = self else { return None };
        Some(format!(
            "{label} was installed by an earlier version, which kept no SHA-256 of its files, so changes go unnoticed; run 'squall \
             solver remove {label}' and install it again"
        ))
    }
}

impl Fleet {
    /// Returns the fleet of this user: embedded and own profiles, the user's cache folder, `PATH`.
    pub fn of_user() -> Result<Fleet, InstallError> {
        let fleet = Fleet::new(Profiles::load()?, SolverCache::of_user()?, SearchPath::of_environment());
        Ok(Fleet { consents: Consents::of_user(), ..fleet })
    }

    /// Makes a fleet from its parts, without any consents.
    pub fn new(profiles: Profiles, cache: SolverCache, path: SearchPath) -> Fleet {
        Fleet {
            profiles,
            cache,
            path,
            patience: probe::PATIENCE,
            owner: None,
            cancel: None,
            consents: Consents::default(),
        }
    }

    /// Sets the time that programs have to report their version, between a second and [`probe::PATIENCE`]: a solver with a limit of a
    /// second should not take longer for its version, and less is too short for slow starters.
    pub fn with_patience(mut self, time: Duration) -> Fleet {
        self.patience = time.clamp(SHORTEST_PATIENCE, probe::PATIENCE);
        self
    }

    /// Marks the processes of its solvers as those of `owner`, like [`Solver::with_owner`].
    pub fn with_owner(mut self, owner: &str) -> Fleet {
        self.owner = Some(owner.into());
        self
    }

    /// Lets `token` stop the runs of its solvers, unless one has its own token.
    pub fn with_cancel(mut self, token: CancelToken) -> Fleet {
        self.cancel = Some(token);
        self
    }

    /// Whether the runs of its solvers are stopped.
    pub fn is_cancelled(&self) -> bool {
        self.cancel.as_ref().is_some_and(CancelToken::is_cancelled)
    }

    /// Records that the user named these solvers, now and for later records. If that cannot be stored it applies to this run.
    pub fn naming<'s>(mut self, specs: impl IntoIterator<Item = &'s SolverSpec>) -> Fleet {
        for spec in specs {
            if let Some(consent) = self.consent(spec) {
                // Without a place to store it, the user must name the solver again.
                let _ = self.consents.give(consent);
            }
        }
        self
    }

    /// Checks a solver named by a record, which may come from an untrusted source: it must be a release of a known solver with options of
    /// its profile, or one that the user has named or allowed before.
    /// Errors: [`InstallError::NotNamed`] for everything else.
    pub fn recorded(&self, spec: SolverSpec) -> Result<SolverSpec, InstallError> {
        match self.consent(&spec) {
            Some(consent) if !self.consents.has(&consent) => Err(InstallError::NotNamed {
                program: consent.subject().escape_debug().to_string(),
                spec: as_word(&spec.to_string()),
            }),
            _ => Ok(spec),
        }
    }

    /// Returns the consent that a record's solver needs; `None` if it needs none.
    pub fn consent(&self, spec: &SolverSpec) -> Option<Consent> {
        let profile = match spec {
            SolverSpec::Builtin(_) => return None,
            SolverSpec::Named(named) => self.profiles.get(&named.name).ok(),
            SolverSpec::Path(PathSpec { profile: Some(name), .. }) => self.profiles.get(name).ok(),
            SolverSpec::Path(path) => Some(self.profiles.for_program(Path::new(&path.path))),
        };
        if profile.is_some_and(|profile| profile.name == GENERIC) {
            // A campaign recognizes the program by its version output, and then draws options of that profile.
            let consents = self.profiles.iter().filter_map(|profile| Consent::solver(spec, profile));
            return consents.min_by_key(|consent| consent.subject().len());
        }
        Consent::solver(spec, profile.unwrap_or(self.profiles.generic()))
    }

    /// Returns the known profiles.
    pub fn profiles(&self) -> &Profiles {
        &self.profiles
    }

    /// Finds a solver, or installs it if possible. `latest` means the newest version that pip offers.
    pub fn ensure(
        &self,
        spec: &SolverSpec,
        progress: &mut dyn InstallObserver,
    ) -> Result<InstalledSolver, InstallError> {
        match self.present(spec) {
            Err(InstallError::NotInstalled { .. }) => self.install(spec, progress),
            other => other,
        }
    }

    /// Describes how a solver is installed; `None` if Squall does not install it.
    pub fn installing(&self, spec: &SolverSpec) -> Option<String> {
        let SolverSpec::Named(named) = spec else { return None };
        self.profiles.get(&named.name).ok()?.installing()
    }

    /// Installs a solver into the cache folder. An existing one stays unchanged.
    ///
    /// Invariant: on any error, and if the process is killed at any moment, nothing is half installed.
    pub fn install(
        &self,
        spec: &SolverSpec,
        progress: &mut dyn InstallObserver,
    ) -> Result<InstalledSolver, InstallError> {
        let named = match spec {
            SolverSpec::Named(named) => named,
            SolverSpec::Builtin(_) => return Err(InstallError::Builtin { spec: spec.to_string() }),
            SolverSpec::Path(_) => return self.resolve(spec),
        };
        if let Some(error) = not_built(named) {
            // An existing one needs no installation.
            return self.resolve(spec).map_err(|_| error);
        }
        let profile = self.profile_of(named)?;
        let source = self.source(&profile)?;
        let version = match wanted_version(named) {
            Some(version) => Some(version),
            // The newest is requested by its number, so an installed one is not fetched again.
            None => source.versions(&profile)?.first().and_then(|text| text.parse().ok()),
        };
        if let Some(version) = &version
            && let Some((folder, manifest)) = self.cache.find(&named.name, version)?
        {
            progress.event(&InstallEvent::AlreadyInstalled { folder: &folder });
            let installed = self.up_to_date(spec, profile, &folder, &manifest);
            return self.verify(&installed).map(|_| installed);
        }
        let staging = self.cache.stage()?;
        let content = staging.path().join("content");
        std::fs::create_dir(&content).map_err(|error| InstallError::file("create", &content, error))?;
        let fetched = source.fetch(&profile, version.as_ref(), &content, progress)?;
        let fetched = fetched.ok_or_else(|| InstallError::NoSource { name: named.name.clone() })?;
        let manifest = InstallManifest {
            name: named.name.clone(),
            version: fetched.version.without_package_suffix().to_string(),
            origin: fetched.origin,
            command: fetched.command,
            sha256: fetched.sha256,
            archive_sha256: fetched.archive_sha256,
        };
        let folder = self.publish(&profile, staging, &content, &manifest, progress)?;
        Ok(from_manifest(spec, profile, &folder, &manifest))
    }

    /// Tests a solver in a staging folder, and moves it to its place if it works.
    pub(super) fn publish(
        &self,
        profile: &Arc<Profile>,
        staging: Staging,
        content: &Path,
        manifest: &InstallManifest,
        progress: &mut dyn InstallObserver,
    ) -> Result<PathBuf, InstallError> {
        let plain = self.plain_spec(&manifest.name, Some(&manifest.version));
        let label = plain.label();
        progress.event(&InstallEvent::Testing { label: &label });
        self.smoke_test(from_manifest(&plain, Arc::clone(profile), content, manifest), label)?;
        let version = manifest.version.parse().map_err(|_| InstallError::NoSource { name: manifest.name.clone() })?;
        let folder = staging.publish(content, manifest, &version)?;
        progress.event(&InstallEvent::Installed { folder: &folder });
        Ok(folder)
    }

    /// Returns the solvers in the cache folder and on `PATH`.
    pub fn list(&self) -> Vec<InstalledSolver> {
        let mut found = Vec::new();
        for (folder, manifest) in self.cache.list() {
            let Ok(profile) = self.profiles.get(&manifest.name) else { continue };
            let spec = self.plain_spec(&manifest.name, Some(&manifest.version));
            found.push(self.up_to_date(&spec, Arc::clone(profile), &folder, &manifest));
        }
        for profile in self.profiles.iter() {
            let Some(program) = self.path.find(profile, self.patience) else { continue };
            let spec = self.plain_spec(&profile.name, None);
            found.push(from_found(&spec, Arc::clone(profile), program, ON_PATH));
        }
        found
    }

    /// Returns the error of each solver in the cache folder that [`Fleet::list`] leaves out, by folder name.
    pub fn damaged(&self) -> Vec<(String, InstallError)> {
        self.cache.damaged().into_iter().map(|(name, error)| (name, error.into())).collect()
    }

    /// Returns the installable versions of a solver, newest first.
    pub fn remote_versions(&self, name: &str) -> Result<Vec<String>, InstallError> {
        let profile = self.profiles.get(name)?;
        self.source(profile)?.versions(profile)
    }

    /// Returns the source of a solver.
    fn source(&self, profile: &Profile) -> Result<Box<dyn SolverSource>, InstallError> {
        match (&profile.wheel, &profile.cargo) {
            (Some(_), _) => Ok(Box::new(Wheels::new(self.path.clone()))),
            (None, Some(_)) => Ok(Box::new(Crates::new(self.path.clone()))),
            (None, None) => Err(InstallError::NoSource { name: profile.name.clone() }),
        }
    }

    /// Compares a solver's SHA-256, of its program or over all files of its library, with that of the installation. A program that was
    /// not installed here passes.
    /// Errors: it differs, has no hash, or cannot be read.
    pub fn verify(&self, installed: &InstalledSolver) -> Result<Integrity, InstallError> {
        let (SolverSpec::Named(named), Some(version)) = (&installed.spec, &installed.version) else {
            return Ok(Integrity::Foreign);
        };
        if installed.foreign_program().is_some() {
            return Ok(Integrity::Foreign);
        }
        let Some((folder, manifest)) = self.cache.find(&named.name, version)? else { return Ok(Integrity::Foreign) };
        let label = format!("{}@{}", manifest.name, manifest.version);
        let library = launcher::library(&manifest);
        if library.is_some() && manifest.archive_sha256.is_none() {
            return Ok(Integrity::Unknown { label });
        }
        let Some(program) = manifest.command.last().map(|word| folder.join(word)).filter(|path| path.exists()) else {
            return Ok(Integrity::Foreign);
        };
        if manifest.sha256.is_empty() {
            return Err(InstallError::NoHash { label });
        }
        let found = digest(&program).map_err(|error| InstallError::file("read", &program, error))?;
        let is_same = found == manifest.sha256 && (library.is_none() || launcher::is_ours(&installed.profile, &folder));
        match is_same {
            true => Ok(Integrity::Same),
            false => Err(InstallError::Changed { label, program }),
        }
    }

    /// Removes a solver from the cache folder completely.
    pub fn remove(&self, spec: &SolverSpec) -> Result<(), InstallError> {
        let SolverSpec::Named(named) = spec else { return Err(InstallError::Builtin { spec: spec.to_string() }) };
        if let Some(version) = wanted_version(named)
            && self.cache.remove(&named.name, &version)?
        {
            self.remove_build(&named.name, &version);
            return Ok(());
        }
        Err(InstallError::NothingToRemove { spec: spec.label(), there: self.installed_labels().join(", ") })
    }

    /// Returns the names and versions of the solvers in the cache folder.
    fn installed_labels(&self) -> Vec<String> {
        self.cache.list().into_iter().map(|(_, found)| format!("{}@{}", found.name, found.version)).collect()
    }

    /// Tests the claims of the solver's profile.
    pub fn doctor(&self, installed: &InstalledSolver) -> Vec<Check> {
        doctor::examine(installed, &self.profiles)
    }

    /// Returns the solver, ready to be asked.
    pub fn solver(&self, installed: InstalledSolver) -> Solver {
        let solver = Solver::new(installed, &self.profiles);
        let solver = match &self.owner {
            Some(owner) => solver.with_owner(Arc::clone(owner)),
            None => solver,
        };
        match &self.cancel {
            Some(token) => solver.with_cancel(token.clone()),
            None => solver,
        }
    }

    pub(super) fn profile_of(&self, named: &NamedSpec) -> Result<Arc<Profile>, InstallError> {
        let profile = self.profiles.get(&named.name)?;
        let Some(variant) = &named.variant else { return Ok(Arc::clone(profile)) };
        let Some(known) = profile.variants.get(variant) else {
            let names = || profile.variants.keys().map(String::as_str);
            return Err(InstallError::UnknownVariant {
                name: named.name.clone(),
                variant: variant.clone(),
                nearest: nearest(variant, names()).map(str::to_string),
                known: names().collect::<Vec<_>>().join(", "),
            });
        };
        match wanted_version(named) {
            Some(version) if !known.versions.contains(Some(&version)) => Err(InstallError::VariantNotInVersion {
                name: named.name.clone(),
                version: version.to_string(),
                variant: variant.clone(),
            }),
            _ => Ok(Arc::clone(profile)),
        }
    }

    fn smoke_test(&self, trial: InstalledSolver, label: String) -> Result<(), InstallError> {
        let failures = doctor::smoke(&Solver::new(trial, &self.profiles));
        match failures.into_iter().find_map(|check| match check.verdict {
            ClaimVerdict::False(failure) => Some(format!("{}: {failure}", check.claim)),
            ClaimVerdict::True | ClaimVerdict::Untested(_) => None,
        }) {
            Some(failure) => Err(InstallError::SmokeTest { label, failure }),
            None => Ok(()),
        }
    }
}

pub(super) fn from_manifest(
    spec: &SolverSpec,
    profile: Arc<Profile>,
    folder: &Path,
    manifest: &InstallManifest,
) -> InstalledSolver {
    let version: Option<Version> = manifest.version.parse().ok();
    let profile = of_build(profile, version.as_ref());
    let place = |word: &String| match folder.join(word) {
        path if path.exists() => path.into_os_string(),
        _ => OsString::from(word),
    };
    InstalledSolver {
        spec: spec.clone(),
        profile,
        command: manifest.command.iter().map(place).collect(),
        version,
        origin: manifest.origin.clone(),
    }
}
