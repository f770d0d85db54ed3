//! Why a solver is not available.

use std::path::Path;

use crate::build::SourceBuildError;
use crate::cache::CacheError;
use crate::process::RunError;
use crate::profiles::ProfileError;

/// Why a solver is not available.
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
    /// The solver cannot be compiled from sources.
    #[error(transparent)]
    Build(#[from] SourceBuildError),
    /// A build with further instruments is never started automatically: it takes long.
    #[error("{spec} is not compiled yet; run 'squall solver build {release} {options}', which may take an hour")]
    NotBuilt {
        /// The requested solver.
        spec: String,
        /// Its name and version.
        release: String,
        /// The options of the command.
        options: String,
    },
    /// The solver has no such variant.
    #[error("{name} has no variant '{variant}'; {}", variants_hint(nearest, known))]
    UnknownVariant {
        /// The solver.
        name: String,
        /// The requested variant.
        variant: String,
        /// The most similar one.
        nearest: Option<String>,
        /// All variants.
        known: String,
    },
    /// This version does not have the variant.
    #[error("{name} {version} does not have the variant '{variant}'")]
    VariantNotInVersion {
        /// The solver.
        name: String,
        /// The requested version.
        version: String,
        /// The requested variant.
        variant: String,
    },
    /// A record names a program that the user never named.
    #[error(
        "the record says to run '{program}', which you have not named on this machine; look at it, then name it with --solver, or allow \
         it by: squall setup config allow --solver {spec}"
    )]
    NotNamed {
        /// The program with those of its options that no profile lists.
        program: String,
        /// The whole specification.
        spec: String,
    },
    /// An installed program has changed.
    #[error(
        "'{}' is not the program that was installed: its SHA-256 differs; run 'squall solver remove {label}' and install it again",
        .program.display()
    )]
    Changed {
        /// The solver.
        label: String,
        /// The program.
        program: std::path::PathBuf,
    },
    /// An installed program cannot be verified.
    #[error(
        "'install.toml' of {label} has no SHA-256, so changes of the program would go unnoticed; run 'squall solver remove {label}' and \
         install it again"
    )]
    NoHash {
        /// The solver.
        label: String,
    },
    /// The solver is not on this machine.
    #[error(
        "{spec} is not installed; {}{}, or name the program by its path",
        installed_hint(nearest),
        if *is_fetched { format!("run 'squall solver install {spec}'") } else { ON_PATH_BY_HAND.to_string() }
    )]
    NotInstalled {
        /// The requested solver.
        spec: String,
        /// The most similar installed one.
        nearest: Option<String>,
        /// Whether Squall can fetch it.
        is_fetched: bool,
    },
    /// Only solvers in the cache folder, by name and version, can be removed.
    #[error("no installed solver is named '{spec}'; {}", if there.is_empty() { "none is installed".to_string() } else { format!("installed are {there}") })]
    NothingToRemove {
        /// The requested solver.
        spec: String,
        /// All removable ones.
        there: String,
    },
    /// A path is not a program.
    #[error("there is no executable program at '{path}'")]
    NoProgram {
        /// The path.
        path: String,
    },
    /// A folder holds programs of several solvers.
    #[error("the folder '{path}' holds several solvers ({names}); name the program itself")]
    SeveralPrograms {
        /// The given path.
        path: String,
        /// The solvers.
        names: String,
    },
    /// No source can fetch this solver.
    #[error("{name} cannot be fetched; {}, or name the program by its path", ON_PATH_BY_HAND)]
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
    /// The package index cannot be reached, or has no version of a package.
    #[error(
        "pip cannot reach its package index for {requirement}, or finds nothing there; check the network and pip's configuration, then try again"
    )]
    Offline {
        /// The requested package.
        requirement: String,
    },
    /// The version does not exist.
    #[error(
        "there is no {name} {version}; {}{source_name} offers {available}; 'squall solver list --remote {name}' lists all",
        version_hint(name, nearest)
    )]
    NoSuchVersion {
        /// The solver.
        name: String,
        /// The requested version.
        version: String,
        /// The most similar one.
        nearest: Option<String>,
        /// The source: `pip`, `cargo`.
        source_name: &'static str,
        /// The closest versions, and the number of others.
        available: String,
    },
    /// The version exists, but not for this machine.
    #[error(
        "{package} has no wheel of {version} for {platform} and this Python; choose another version, or build it and name it by its path"
    )]
    NoWheel {
        /// The package.
        package: String,
        /// The requested version.
        version: String,
        /// This machine.
        platform: String,
    },
    /// The archive is damaged.
    #[error("what pip got for {requirement} is damaged ({cause}); nothing was installed, try again")]
    Corrupt {
        /// The requested package.
        requirement: String,
        /// The error.
        cause: String,
    },
    /// The archive differs from the published one.
    #[error(
        "the file that pip got for {requirement} does not belong to that release: {file} has the SHA-256 {sha256}; nothing was installed. Look at \
         the index that pip is configured for; a program that you trust can be named by its path"
    )]
    OtherArchive {
        /// The requested package.
        requirement: String,
        /// The file.
        file: String,
        /// Its SHA-256.
        sha256: String,
    },
    /// The archive does not contain the program.
    #[error("{requirement} does not contain '{member}'; nothing was installed")]
    NoProgramInWheel {
        /// The fetched package.
        requirement: String,
        /// The missing file.
        member: String,
    },
    /// The profile names a launcher that does not exist.
    #[error("the profile names a launcher '{launcher}', which does not exist")]
    NoLauncher {
        /// Its name.
        launcher: String,
    },
    /// pip failed for another reason.
    #[error("pip failed for {requirement}: {said}")]
    Pip {
        /// The requested package.
        requirement: String,
        /// Its last message.
        said: String,
    },
    /// There is no cargo.
    #[error("cargo is missing, which compiles this solver; install Rust, or name the program by its path")]
    NoCargo,
    /// The crate registry cannot be reached.
    #[error(
        "cargo cannot reach its registry for {package}; check the network and cargo's configuration, then try again"
    )]
    CargoOffline {
        /// The requested crate.
        package: String,
    },
    /// cargo failed for another reason.
    #[error("cargo failed for {package}: {said}")]
    Cargo {
        /// The requested crate.
        package: String,
        /// Its message.
        said: String,
    },
    /// The program was fetched but does not work here.
    #[error("{label} does not work on this machine ({failure}); nothing was installed")]
    SmokeTest {
        /// The solver.
        label: String,
        /// The error.
        failure: String,
    },
    /// Built-ins and paths are not installed.
    #[error("'{spec}' cannot be installed or removed; name it as in z3@4.8.7")]
    Builtin {
        /// The requested solver.
        spec: String,
    },
}

impl InstallError {
    /// Whether the request is impossible, so the command line is wrong and nothing failed.
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
        ) || matches!(self, Build(error) if error.is_usage())
    }

    pub(crate) fn file(action: &'static str, path: &Path, source: std::io::Error) -> InstallError {
        CacheError::File { action, path: path.display().to_string(), source }.into()
    }
}

/// Returns the options of `squall solver build` for the words after a version.
pub(super) fn build_options(words: &str) -> String {
    let sanitizer = |word| match word {
        "asan" => Some("address"),
        "ubsan" => Some("undefined"),
        _ => None,
    };
    let (sanitizers, others): (Vec<&str>, Vec<&str>) = words.split('+').partition(|word| sanitizer(word).is_some());
    let mut options: Vec<String> = others.iter().map(|word| format!("--{word}")).collect();
    if !sanitizers.is_empty() {
        let names: Vec<&str> = sanitizers.into_iter().filter_map(sanitizer).collect();
        options.push(format!("--sanitize {}", names.join(",")));
    }
    options.join(" ")
}

/// What to do about a solver that Squall does not fetch.
const ON_PATH_BY_HAND: &str = "put its program on PATH under a name that its profile lists in 'executables'";

fn installed_hint(nearest: &Option<String>) -> String {
    nearest.as_ref().map_or_else(String::new, |nearest| format!("did you mean {nearest}, which is? If not, "))
}

fn version_hint(name: &str, nearest: &Option<String>) -> String {
    nearest.as_ref().map_or_else(String::new, |nearest| format!("did you mean {name}@{nearest}? "))
}

fn variants_hint(nearest: &Option<String>, known: &str) -> String {
    match (nearest, known.is_empty()) {
        (Some(nearest), _) => format!("did you mean '{nearest}'?"),
        (None, true) => "it has none".to_string(),
        (None, false) => format!("it has {known}"),
    }
}
