//! The user's own Python and pip, run as processes. The user's pip configuration decides where packages come from.
//!
//! Python searches modules in its working folder, so a `pip.py` in the current folder would replace pip: it is started isolated, and in a
//! neutral folder.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::install::error::InstallError;
use crate::process::{self, ProcessJob, ProcessLimits, ProcessRun, RunError, RunStatus};
use crate::sources::path::SearchPath;

/// Long enough to download 30 MB over a slow line.
const PIP_WALL: Duration = Duration::from_secs(1800);
/// The time limit for pip to report its version.
const VERSION_WALL: Duration = Duration::from_secs(20);

/// The interpreter's options: the current folder, `PYTHONPATH` and the like, and the user's own packages are ignored.
const ISOLATED: [&str; 1] = ["-I"];
/// Like [`ISOLATED`], but with the user's own packages, for users who have pip only there.
const WITH_USER_PACKAGES: [&str; 1] = ["-E"];
/// The interpreter's message without pip.
const NO_PIP: &str = "No module named pip";

/// A Python interpreter.
#[derive(Clone, Debug)]
pub struct Python {
    program: PathBuf,
}

/// Messages of pip and its libraries about an unreachable network.
const OFFLINE: [&str; 9] = [
    "NewConnectionError",
    "Failed to establish a new connection",
    "Temporary failure in name resolution",
    "Name or service not known",
    "Max retries exceeded",
    "ConnectTimeoutError",
    "ReadTimeoutError",
    "ProxyError",
    "Network is unreachable",
];

/// Messages of pip about an invalid archive.
const CORRUPT: [&str; 5] = ["DO NOT MATCH THE HASHES", "BadZipFile", "invalid wheel", "is invalid.", "zipfile"];

impl Python {
    /// Finds `python3`, else `python`, in the folders given.
    pub fn find(path: &SearchPath) -> Result<Python, InstallError> {
        let program = ["python3", "python"].iter().find_map(|name| path.program(name));
        program.map(|program| Python { program }).ok_or(InstallError::NoPython)
    }

    /// Returns the interpreter's path.
    pub fn program(&self) -> &Path {
        &self.program
    }

    /// Runs the interpreter, not in the current folder: paths among the arguments are absolute.
    pub fn run(&self, args: &[&str]) -> Result<ProcessRun, RunError> {
        self.run_within(args, PIP_WALL)
    }

    /// Returns the version of its pip, as in `25.1`.
    /// Errors: it has no pip, or pip fails.
    pub fn pip_version(&self) -> Result<String, InstallError> {
        let run = self.run_within(&["-m", "pip", "--version", "--disable-pip-version-check"], VERSION_WALL)?;
        let said = String::from_utf8_lossy(&run.stdout).into_owned();
        match said.split_whitespace().nth(1) {
            Some(version) if run.status == RunStatus::Exited(0) => Ok(version.to_string()),
            _ => {
                self.explain(&run, "its version")?;
                Err(InstallError::NoPip { python: self.program.display().to_string() })
            }
        }
    }

    fn run_within(&self, args: &[&str], wall: Duration) -> Result<ProcessRun, RunError> {
        let limits = ProcessLimits { wall, cpu: None, script_cpu: None, memory_bytes: None, output_bytes: 16 << 20 };
        let with = |options: &[&str]| {
            let words = options.iter().chain(args).map(OsString::from);
            let command: Vec<OsString> = std::iter::once(OsString::from(&self.program)).chain(words).collect();
            process::run(&ProcessJob::of_helper(&command, &limits))
        };
        let run = with(&ISOLATED)?;
        match String::from_utf8_lossy(&run.stderr).contains(NO_PIP) {
            true => with(&WITH_USER_PACKAGES),
            false => Ok(run),
        }
    }

    /// Downloads the wheel for a requirement into a folder; `Ok(None)` if the index has none.
    pub fn download(&self, requirement: &str, into: &Path) -> Result<Option<PathBuf>, InstallError> {
        let into_text = into.to_string_lossy();
        let mut args = vec!["-m", "pip", "download", "--disable-pip-version-check", "--no-input", "--no-deps"];
        args.extend(["--only-binary", ":all:", "--dest", &into_text, requirement]);
        let run = self.run(&args)?;
        if run.status != RunStatus::Exited(0) {
            return self.explain(&run, requirement).map(|()| None);
        }
        let files = std::fs::read_dir(into).into_iter().flatten().flatten().map(|entry| entry.path());
        let wheel = files.filter(|path| path.extension().is_some_and(|extension| extension == "whl")).max();
        wheel.map(Some).ok_or_else(|| InstallError::Pip {
            requirement: requirement.to_string(),
            said: "it reported success and left no wheel".to_string(),
        })
    }

    /// Installs packages with their programs into a separate folder.
    /// Errors: pip fails, or the index does not hold one of them.
    pub fn install(&self, packages: &[&str], into: &Path) -> Result<(), InstallError> {
        let into = into.to_string_lossy();
        let mut args = vec!["-m", "pip", "install", "--disable-pip-version-check", "--no-input", "--upgrade"];
        args.extend(["--only-binary", ":all:", "--target", &into]);
        args.extend_from_slice(packages);
        let run = self.run(&args)?;
        if run.status == RunStatus::Exited(0) {
            return Ok(());
        }
        let requirement = packages.join(" ");
        self.explain(&run, &requirement)?;
        Err(InstallError::Pip { requirement, said: "its index does not hold them for this machine".to_string() })
    }

    /// Returns the versions of a package, newest first.
    pub fn versions(&self, package: &str) -> Result<Vec<String>, InstallError> {
        let run =
            self.run(&["-m", "pip", "index", "versions", "--disable-pip-version-check", "--no-input", package])?;
        if run.status != RunStatus::Exited(0) {
            self.explain(&run, package)?;
            return Ok(Vec::new());
        }
        let text = String::from_utf8_lossy(&run.stdout).into_owned();
        let list = text.lines().find_map(|line| line.trim().strip_prefix("Available versions:"));
        Ok(list.unwrap_or_default().split(',').map(|v| v.trim().to_string()).filter(|v| !v.is_empty()).collect())
    }

    /// Turns a failed run of pip into an error; `Ok` means that everything works but no package matches the requirement.
    fn explain(&self, run: &ProcessRun, requirement: &str) -> Result<(), InstallError> {
        let said = format!("{}{}", String::from_utf8_lossy(&run.stdout), String::from_utf8_lossy(&run.stderr));
        let holds = |words: &[&str]| words.iter().any(|word| said.contains(word));
        let last_lines = || {
            let lines: Vec<&str> = said.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
            lines[lines.len().saturating_sub(3)..].join("; ")
        };
        let requirement = requirement.to_string();
        if said.contains(NO_PIP) {
            return Err(InstallError::NoPip { python: self.program.display().to_string() });
        }
        if holds(&OFFLINE) {
            return Err(InstallError::Offline { requirement });
        }
        if holds(&CORRUPT) {
            return Err(InstallError::Corrupt { requirement, cause: last_lines() });
        }
        if said.contains("No matching distribution found") {
            return Ok(());
        }
        Err(InstallError::Pip { requirement, said: last_lines() })
    }
}
