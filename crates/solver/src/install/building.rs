//! Compiles a solver from sources with further instruments, and installs it.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use finding::Instrument;

use super::InstalledSolver;
use super::error::InstallError;
use super::fleet::{Fleet, from_manifest, wanted_version};
use super::progress::{InstallEvent, InstallObserver};
use crate::build::BuildTools;
use crate::build::SourceBuildError;
use crate::build::command::{StepsDone, last_lines, run_logged, succeeded};
use crate::build::compiler::CxxCompiler;
use crate::build::folder::{self, BuildFolder};
use crate::cache::InstallManifest;
use crate::probe;
use crate::profile::Profile;
use crate::recipe::{BuildPart, BuildPlaces, BuildRecipe, filled};
use crate::sources::cargo::Crates;
use crate::sources::digest;
use crate::spec::{NamedSpec, SolverSpec, suffix};
use crate::version::Version;

/// The step after which the plain way is tried.
const COMPILE: &str = "compile";

/// The folder for compiling, next to the installed solvers.
const BUILDS: &str = "builds";
/// The folder of the program inside the installation.
const BIN: &str = "bin";

/// The solver to compile, and how.
#[derive(Clone, Debug)]
pub struct BuildOrder {
    /// The solver and its version: a number, with or without further instruments, `latest`, or none for the newest.
    pub solver: NamedSpec,
    /// The instruments beyond those of its release.
    pub instruments: BTreeSet<Instrument>,
    /// The number of parallel compilers, at least 1.
    pub jobs: usize,
    /// The folder of the sources; `None` for those of the crate.
    pub source: Option<PathBuf>,
}

/// The crate with the sources of a solver, and its version.
struct Sources {
    /// The solver's version.
    version: Version,
    place: SourcesPlace,
}

enum SourcesPlace {
    /// A version of the recipe's crate.
    Crate(Version),
    Folder(PathBuf),
}

/// The common data of all commands of one build.
struct Job<'j> {
    recipe: &'j BuildRecipe,
    parts: Vec<&'j BuildPart>,
    flags: Vec<OsString>,
    compiler: CxxCompiler,
    tools: BuildTools,
    jobs: usize,
}

impl Fleet {
    /// Compiles a solver from sources. A failed or killed build continues where it was if it is requested again; the program is installed
    /// only after a test.
    /// Errors: the solver or the version has no sources, tools are missing, a command fails, or the program does not work.
    pub fn build(
        &self,
        order: &BuildOrder,
        progress: &mut dyn InstallObserver,
    ) -> Result<InstalledSolver, InstallError> {
        let plain = NamedSpec { variant: None, options: Vec::new(), ..order.solver.clone() };
        let profile = self.profile_of(&plain)?;
        let recipe = profile.build.as_ref().ok_or_else(|| self.no_recipe(&profile.name))?;
        let named = wanted_version(&order.solver);
        let words = named.as_ref().and_then(Version::instruments).and_then(Instrument::all_of);
        let instruments: BTreeSet<Instrument> =
            order.instruments.iter().copied().chain(words.into_iter().flatten()).collect();
        let parts = recipe.parts(&instruments).map_err(|instrument| SourceBuildError::NoInstrument {
            name: profile.name.clone(),
            instrument: instrument.word(),
        })?;
        let sources = self.sources(&profile, recipe, order)?;
        let text = format!("{}{}", sources.version.release(), suffix(&instruments));
        let spec = SolverSpec::Named(NamedSpec { version: Some(text.clone()), ..plain });
        let version: Version = text.parse().unwrap_or_else(|_| sources.version.clone());
        if let Some((folder, manifest)) = self.cache.find(&profile.name, &version)? {
            progress.event(&InstallEvent::AlreadyInstalled { folder: &folder });
            return Ok(from_manifest(&spec, profile, &folder, &manifest));
        }

        let build_folder = BuildFolder::open(&self.cache.sibling(BUILDS), &spec.label())?;
        let flags: Vec<OsString> = parts.iter().flat_map(|part| part.flags.iter().map(OsString::from)).collect();
        let compiler = CxxCompiler::find(&self.path, recipe, &flags, &build_folder.scratch()?, &profile.name)?;
        let tools = BuildTools::ready(&self.path, &recipe.tools, &build_folder.tools(), progress)?;
        let job = Job { recipe, parts, flags, compiler, tools, jobs: order.jobs.max(1) };
        build_folder.begin(&job.stamp(&sources))?;
        if build_folder.lacks_source() {
            let from = match &sources.place {
                SourcesPlace::Folder(folder) => folder.clone(),
                SourcesPlace::Crate(version) => {
                    let package = format!("{}@{version}", recipe.package);
                    progress.event(&InstallEvent::Fetching { package: &package });
                    let crates = Crates::new(self.path.clone());
                    crates.unpacked(&recipe.package, version, &build_folder.scratch()?)?.join(&recipe.source)
                }
            };
            build_folder.take_source(&from, &recipe.edit, &profile.name)?;
        }
        let program = job.run(&build_folder, progress)?;
        self.check_version(&profile, &program, &sources.version, &spec.label())?;

        let staging = self.cache.stage()?;
        let content = staging.path().join("content");
        let manifest = job.install(&program, &content, &spec, &sources)?;
        let folder = self.publish(&profile, staging, &content, &manifest, progress)?;
        match instruments.contains(&Instrument::Coverage) {
            true => build_folder.keep_counted(),
            false => build_folder.clear(),
        }
        Ok(from_manifest(&spec, profile, &folder, &manifest))
    }

    /// Removes the build folder of a solver.
    pub(super) fn remove_build(&self, name: &str, version: &Version) {
        let builds = self.cache.sibling(BUILDS);
        let label = format!("{name}@{}", version.without_package_suffix());
        if builds.join(&label).exists() || builds.join(format!("{label}.log")).exists() {
            folder::remove_all(&builds, &label);
        }
    }

    fn no_recipe(&self, name: &str) -> SourceBuildError {
        let known: Vec<&str> = self
            .profiles()
            .iter()
            .filter(|profile| profile.build.is_some())
            .map(|profile| profile.name.as_str())
            .collect();
        SourceBuildError::NoRecipe { name: name.to_string(), known: known.join(", ") }
    }

    /// Returns the solver's versions with those of the crate, newest first, without duplicates.
    fn versions_of(&self, recipe: &BuildRecipe) -> Result<Vec<(Version, Version)>, InstallError> {
        let offered = Crates::new(self.path.clone()).offered(&recipe.package)?;
        let mut versions: Vec<(Version, Version)> =
            offered.into_iter().map(|package| (recipe.version.apply(&package), package)).collect();
        versions.dedup_by(|(later, _), (first, _)| later == first);
        Ok(versions)
    }

    fn sources(&self, profile: &Profile, recipe: &BuildRecipe, order: &BuildOrder) -> Result<Sources, InstallError> {
        let wanted = wanted_version(&order.solver);
        if let Some(folder) = &order.source {
            let no_folder = || SourceBuildError::NoFolder { path: folder.display().to_string() };
            let folder = std::path::absolute(folder).ok().filter(|folder| folder.is_dir()).ok_or_else(no_folder)?;
            // Only the program knows its version, but its name is needed before.
            let version = wanted.ok_or_else(no_folder)?;
            return Ok(Sources { version, place: SourcesPlace::Folder(folder) });
        }
        let versions = self.versions_of(recipe)?;
        let found = match &wanted {
            Some(wanted) => versions.iter().find(|(version, _)| version == wanted),
            None => versions.first(),
        };
        let no_sources = || SourceBuildError::NoSuchSources {
            name: profile.name.clone(),
            version: wanted.as_ref().map_or_else(|| "at all".to_string(), |wanted| wanted.release().to_string()),
            package: recipe.package.clone(),
            available: versions.iter().map(|(version, _)| version.to_string()).collect::<Vec<_>>().join(", "),
        };
        let (version, package) = found.ok_or_else(no_sources)?;
        Ok(Sources { version: version.clone(), place: SourcesPlace::Crate(package.clone()) })
    }

    fn check_version(
        &self,
        profile: &Profile,
        program: &Path,
        wanted: &Version,
        label: &str,
    ) -> Result<(), InstallError> {
        let found = probe::version(&[program.as_os_str().to_os_string()], profile, probe::PATIENCE);
        match found {
            Some(found) if found == *wanted => Ok(()),
            found => Err(SourceBuildError::OtherVersion {
                label: label.to_string(),
                found: found.map_or_else(|| "nothing".to_string(), |found| found.to_string()),
            }
            .into()),
        }
    }
}

impl Job<'_> {
    /// Returns everything that affects the result, as text.
    fn stamp(&self, sources: &Sources) -> String {
        let BuildRecipe { package, source, edit, configure, faster, compile, .. } = self.recipe;
        let from = match &sources.place {
            SourcesPlace::Crate(version) => format!("{package}@{version}"),
            SourcesPlace::Folder(folder) => folder.display().to_string(),
        };
        let Job { compiler, flags, parts, .. } = self;
        format!(
            "{from}\n{source}\n{edit:?}\n{configure:?}\n{faster:?}\n{compile:?}\n{compiler:?}\n{flags:?}\n{parts:?}\n"
        )
    }

    /// Configures and compiles, and returns the program's path.
    fn run(&self, build_folder: &BuildFolder, progress: &mut dyn InstallObserver) -> Result<PathBuf, SourceBuildError> {
        let start = Instant::now();
        let mut cpu = Duration::ZERO;
        let is_slow = self.recipe.faster.is_empty() || build_folder.is_slow();
        if is_slow || !self.succeeds_faster(build_folder, &mut cpu, progress)? {
            self.steps(build_folder, &[], &mut cpu, progress)?;
        }
        progress.event(&InstallEvent::Compiled { cpu, wall: start.elapsed() });
        let program = build_folder.build().join(&self.recipe.program);
        match probe::is_executable(&program) {
            true => Ok(program),
            false => Err(SourceBuildError::NoProgram {
                label: build_folder.label().to_string(),
                program: program.display().to_string(),
                log: build_folder.log().display().to_string(),
            }),
        }
    }

    /// Compiles in the faster way. If it fails, its results are removed; a configuration error fails in any case.
    fn succeeds_faster(
        &self,
        build_folder: &BuildFolder,
        cpu: &mut Duration,
        progress: &mut dyn InstallObserver,
    ) -> Result<bool, SourceBuildError> {
        match self.steps(build_folder, &self.recipe.faster, cpu, progress) {
            Ok(()) => Ok(true),
            Err(SourceBuildError::Failed { step: COMPILE, .. }) => {
                progress.event(&InstallEvent::Slower { label: build_folder.label() });
                build_folder.begin_slow()?;
                Ok(false)
            }
            Err(error) => Err(error),
        }
    }

    /// Returns the commands, with additional words for the first.
    fn steps(
        &self,
        build_folder: &BuildFolder,
        more: &[String],
        cpu: &mut Duration,
        progress: &mut dyn InstallObserver,
    ) -> Result<(), SourceBuildError> {
        let (source, build) = (build_folder.source(), build_folder.build());
        let places = BuildPlaces { source: &source, build: &build, jobs: self.jobs };
        let of_parts = self.parts.iter().flat_map(|part| &part.configure);
        let configure: Vec<String> = match self.recipe.configure.as_slice() {
            [] => Vec::new(),
            words => words.iter().chain(of_parts).chain(more).cloned().collect(),
        };
        let steps = [("configure", "configuring", &configure), (COMPILE, "compiling", &self.recipe.compile)];
        for (step, what, words) in steps.into_iter().filter(|(.., words)| !words.is_empty()) {
            let compiler = self.compiler.text();
            progress.event(&InstallEvent::Building {
                what,
                label: build_folder.label(),
                compiler: &compiler,
                log: build_folder.log(),
            });
            let command = filled(words, &places, self.compiler.command(), &self.flags);
            let mut tell = |steps: StepsDone| {
                progress.event(&InstallEvent::Built { done: steps.done, total: steps.total });
            };
            let run = run_logged(&command, &self.environment(), &self.tools, build_folder.log(), &mut tell);
            let run = run.map_err(|error| self.failed(step, build_folder, error.to_string()))?;
            if !succeeded(&run) {
                return Err(self.failed(step, build_folder, last_lines(build_folder.log())));
            }
            *cpu += run.cpu;
        }
        Ok(())
    }

    fn failed(&self, step: &'static str, build_folder: &BuildFolder, last: String) -> SourceBuildError {
        let needs = match self.recipe.needs.as_str() {
            "" => String::new(),
            needs => format!("; it needs {needs}"),
        };
        let (label, log) = (build_folder.label().to_string(), build_folder.log().display().to_string());
        SourceBuildError::Failed { step, label, last, log, needs }
    }

    /// Returns the variables of the commands, as `NAME=VALUE`, for all kinds of make.
    fn environment(&self) -> Vec<OsString> {
        let words = self.compiler.command();
        let join = |words: &[OsString]| words.join(&OsString::from(" "));
        let of_user = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
        let variable = |name: &str, value: OsString| {
            let mut text = OsString::from(format!("{name}="));
            text.push(value);
            text
        };
        let flags = |name: &str, of_compiler: &[OsString]| {
            let all: Vec<OsString> =
                of_compiler.iter().cloned().chain(of_user(name)).chain(self.flags.iter().cloned()).collect();
            variable(name, join(&all))
        };
        let mut list = vec![
            variable("CXX", words[0].clone()),
            flags("CXXFLAGS", &words[1..]),
            flags("LDFLAGS", &words[1..]),
            flags("CFLAGS", &[]),
        ];
        if let (Some(c), None) = (self.compiler.c(), of_user("CC")) {
            list.push(variable("CC", c.as_os_str().to_os_string()));
        }
        if let Some((programs, modules)) = self.tools.folders() {
            let path = std::env::var_os("PATH").unwrap_or_default();
            let all = std::iter::once(programs).chain(std::env::split_paths(&path));
            list.extend(std::env::join_paths(all).ok().map(|all| variable("PATH", all)));
            list.push(variable("PYTHONPATH", modules.as_os_str().to_os_string()));
        }
        list
    }

    /// Copies the program into the solver's future folder.
    fn install(
        &self,
        program: &Path,
        content: &Path,
        spec: &SolverSpec,
        sources: &Sources,
    ) -> Result<InstallManifest, InstallError> {
        let SolverSpec::Named(NamedSpec { name, version: Some(version), .. }) = spec else {
            return Err(InstallError::Builtin { spec: spec.to_string() });
        };
        let bin = content.join(BIN);
        std::fs::create_dir_all(&bin).map_err(|error| InstallError::file("create", &bin, error))?;
        let file = program.file_name().unwrap_or_default();
        let build_folder = bin.join(file);
        std::fs::copy(program, &build_folder).map_err(|error| InstallError::file("write", &build_folder, error))?;
        let from = match &sources.place {
            SourcesPlace::Crate(version) => format!("{}@{version}", self.recipe.package),
            SourcesPlace::Folder(folder) => folder.display().to_string(),
        };
        let mut command: Vec<String> = self.parts.iter().flat_map(|part| part.environment.iter().cloned()).collect();
        if !command.is_empty() {
            command.insert(0, "/usr/bin/env".to_string());
        }
        command.push(Path::new(BIN).join(file).to_string_lossy().into_owned());
        Ok(InstallManifest {
            name: name.clone(),
            version: version.clone(),
            origin: format!("compiled: {from}, {}", self.compiler.text()),
            command,
            sha256: digest(&build_folder).map_err(|error| InstallError::file("read", &build_folder, error))?,
            archive_sha256: None,
        })
    }
}
