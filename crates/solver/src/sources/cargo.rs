//! Rust programs, compiled by the user's own cargo: only the program is taken, nothing is installed with the user's own programs.
//!
//! The available versions are read from cargo's copy of the registry index on this machine: no cargo command lists them.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use serde::Deserialize;

use crate::install::error::InstallError;
use crate::install::progress::{InstallEvent, InstallObserver};
use crate::process::{self, ProcessJob, ProcessLimits, ProcessRun, RunStatus};
use crate::profile::Profile;
use crate::sources::path::SearchPath;
use crate::sources::{Fetched, FoundProgram, SolverSource, no_such_version};
use crate::version::Version;
use files::digest::sha256_of_file;

/// The time limit for cargo to describe a crate.
const INFO_WALL: Duration = Duration::from_secs(120);
/// The time limit to fetch the sources of a solver.
const FETCH_WALL: Duration = Duration::from_secs(1800);
/// The time limit of a compilation: a few hundred crates on a busy machine.
const BUILD_WALL: Duration = Duration::from_secs(3 * 3600);

/// Messages of cargo about an unreachable registry.
const OFFLINE: [&str; 6] = [
    "Could not resolve host",
    "Couldn't resolve host",
    "Could not connect to server",
    "network failure",
    "failed to download from",
    "download of config.json failed",
];

/// Crates from the registry of the user's cargo.
#[derive(Clone, Debug)]
pub struct Crates {
    path: SearchPath,
}

/// A line of cargo's copy of the index.
#[derive(Deserialize)]
struct IndexEntry {
    vers: String,
    #[serde(default)]
    yanked: bool,
}

impl Crates {
    /// Makes the source with the cargo found in the given folders.
    pub fn new(path: SearchPath) -> Crates {
        Crates { path }
    }

    fn run(&self, args: &[&str], wall: Duration) -> Result<ProcessRun, InstallError> {
        let cargo = self.path.program("cargo").ok_or(InstallError::NoCargo)?;
        let command: Vec<OsString> =
            std::iter::once(OsString::from(cargo)).chain(args.iter().map(OsString::from)).collect();
        let limits = ProcessLimits { wall, cpu: None, script_cpu: None, memory_bytes: None, output_bytes: 16 << 20 };
        // In its working folder cargo reads `.cargo/config.toml`, which may name programs, and rustup `rust-toolchain.toml`.
        Ok(process::run(&ProcessJob::of_helper(&command, &limits))?)
    }

    /// Returns the versions of a crate, newest first.
    pub(crate) fn offered(&self, name: &str) -> Result<Vec<Version>, InstallError> {
        // This updates the copy of the index.
        let run = self.run(&["info", "--color=never", "--registry=crates-io", name], INFO_WALL)?;
        if run.status != RunStatus::Exited(0) {
            return Err(explain(&run, name));
        }
        let home = cargo_home().ok_or_else(|| InstallError::Cargo {
            package: name.to_string(),
            said: "neither CARGO_HOME nor HOME says where its index is".to_string(),
        })?;
        Ok(listed(&home.join("registry").join("index"), name))
    }

    /// Returns the folder into which cargo unpacked a crate, which must not be changed; cargo fetches it first if needed. The request, a
    /// manifest of a temporary package in `scratch`, respects the user's replacements of registries.
    /// Errors: cargo cannot be started, or has no such crate or version.
    pub(crate) fn unpacked(&self, name: &str, version: &Version, scratch: &Path) -> Result<PathBuf, InstallError> {
        let manifest = scratch.join("Cargo.toml");
        let write = |path: &Path, text: &str| {
            std::fs::write(path, text).map_err(|error| InstallError::file("write", path, error))
        };
        let text = format!(
            "[package]\nname = \"sources\"\nversion = \"0.0.0\"\nedition = \"2021\"\n\n[lib]\npath = \"lib.rs\"\n\n\
             [dependencies]\n{name} = \"={version}\"\n\n[workspace]\n"
        );
        write(&manifest, &text)?;
        write(&scratch.join("lib.rs"), "")?;
        let args = ["metadata", "--color=never", "--format-version", "1", "--manifest-path"];
        let run = self.run(&[&args[..], &[&manifest.to_string_lossy()]].concat(), FETCH_WALL)?;
        let package = format!("{name}@{version}");
        if run.status != RunStatus::Exited(0) {
            return Err(explain(&run, &package));
        }
        let told: Option<Metadata> = serde_json::from_slice(&run.stdout).ok();
        let found = told.and_then(|told| told.packages.into_iter().find(|package| package.name == name));
        let folder = found.and_then(|found| found.manifest_path.parent().map(Path::to_path_buf));
        folder.ok_or_else(|| InstallError::Cargo { package, said: "it does not report where the crate is".to_string() })
    }
}

/// The used part of the output of `cargo metadata`.
#[derive(Deserialize)]
struct Metadata {
    packages: Vec<MetadataPackage>,
}

/// A crate that it knows.
#[derive(Deserialize)]
struct MetadataPackage {
    name: String,
    manifest_path: PathBuf,
}

impl SolverSource for Crates {
    fn name(&self) -> &'static str {
        "cargo"
    }

    fn find(&self, _: &Profile, _: Duration) -> Option<FoundProgram> {
        None
    }

    fn versions(&self, profile: &Profile) -> Result<Vec<String>, InstallError> {
        let Some(source) = &profile.cargo else { return Ok(Vec::new()) };
        Ok(self.offered(&source.package)?.iter().map(Version::to_string).collect())
    }

    fn fetch(
        &self,
        profile: &Profile,
        version: Option<&Version>,
        into: &Path,
        progress: &mut dyn InstallObserver,
    ) -> Result<Option<Fetched>, InstallError> {
        let Some(source) = &profile.cargo else { return Ok(None) };
        let offered = self.offered(&source.package)?;
        let found = match version {
            Some(wanted) => offered.iter().find(|version| *version == wanted),
            None => offered.first(),
        };
        let Some(found) = found else {
            return Err(match version {
                Some(wanted) => no_such_version(self.name(), profile, wanted, &offered),
                None => InstallError::Cargo {
                    package: source.package.clone(),
                    said: "its registry's index names no version".to_string(),
                },
            });
        };
        let package = format!("{}@{found}", source.package);
        progress.event(&InstallEvent::Compiling { package: &package });
        let folder = into.parent().unwrap_or(into);
        let target =
            tempfile::tempdir_in(folder).map_err(|error| InstallError::file("create a folder in", folder, error))?;
        let (root, target) = (into.to_string_lossy(), target.path().to_string_lossy().into_owned());
        let version = format!("={found}");
        let args = [
            &["install", "--color=never", "--locked", "--no-track", "--registry=crates-io"][..],
            &["--bin", &source.program, "--root", &root, "--target-dir", &target, "--version", &version],
            &[&source.package],
        ];
        let run = self.run(&args.concat(), BUILD_WALL)?;
        if run.status != RunStatus::Exited(0) {
            return Err(explain(&run, &package));
        }
        let program = Path::new("bin").join(&source.program);
        let place = into.join(&program);
        let sha256 = sha256_of_file(&place).map_err(|error| InstallError::file("read", &place, error))?;
        Ok(Some(Fetched {
            command: vec![program.to_string_lossy().into_owned()],
            version: found.clone(),
            origin: format!("cargo: {package}"),
            sha256,
            archive_sha256: None,
        }))
    }
}

fn cargo_home() -> Option<PathBuf> {
    let named = std::env::var_os("CARGO_HOME").filter(|value| !value.is_empty()).map(PathBuf::from);
    named.or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".cargo")))
}

/// Returns the versions in the newest copy of a crate's index file, newest first, without withdrawn ones.
fn listed(indexes: &Path, name: &str) -> Vec<Version> {
    let folders = std::fs::read_dir(indexes).into_iter().flatten().flatten();
    let copies = folders.map(|folder| folder.path().join(".cache").join(place_in_index(name)));
    let age = |path: &PathBuf| path.metadata().and_then(|data| data.modified()).unwrap_or(SystemTime::UNIX_EPOCH);
    let newest = copies.filter(|path| path.is_file()).max_by_key(age);
    versions_in(&newest.and_then(|path| std::fs::read(path).ok()).unwrap_or_default())
}

/// Returns the path of a crate in an index: <https://doc.rust-lang.org/cargo/reference/registry-index.html#index-files>.
fn place_in_index(name: &str) -> PathBuf {
    let name = name.to_ascii_lowercase();
    let (first, second) = (name.get(..2).unwrap_or(&name), name.get(2..4).unwrap_or_default());
    match name.len() {
        length @ (1 | 2) => Path::new(&length.to_string()).join(&name),
        3 => Path::new("3").join(&name[..1]).join(&name),
        _ => Path::new(first).join(second).join(&name),
    }
}

/// Parses the versions in cargo's copy of a crate's index file: a header, and for each version its number and its JSON data, each ended
/// by a zero byte.
fn versions_in(copy: &[u8]) -> Vec<Version> {
    let entries = copy.split(|byte| *byte == 0).filter(|part| part.starts_with(b"{"));
    let entries = entries.filter_map(|part| serde_json::from_slice::<IndexEntry>(part).ok());
    let mut versions: Vec<Version> =
        entries.filter(|entry| !entry.yanked).filter_map(|entry| entry.vers.parse().ok()).collect();
    versions.sort_by(|a, b| b.cmp(a));
    versions
}

/// Turns a failed run of cargo into an error.
fn explain(run: &ProcessRun, package: &str) -> InstallError {
    let said = String::from_utf8_lossy(&run.stderr);
    let package = package.to_string();
    if OFFLINE.iter().any(|words| said.contains(words)) {
        return InstallError::CargoOffline { package };
    }
    let lines: Vec<&str> = said.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    // The cause is in the errors, after which cargo repeats itself.
    let first = lines.iter().position(|line| line.starts_with("error")).unwrap_or(lines.len().saturating_sub(3));
    let said = lines[first..].iter().take(3).copied().collect::<Vec<_>>().join("; ");
    InstallError::Cargo { package, said: if said.is_empty() { format!("{:?}", run.status) } else { said } }
}

#[cfg(test)]
#[path = "../../tests/unit/cargo.rs"]
mod tests;
