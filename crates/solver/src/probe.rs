//! Asks programs for their version.

use std::ffi::OsString;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::Duration;

use crate::process::{self, MemoryGuard, ProcessJob, ProcessLimits, RunStatus};
use crate::profile::Profile;
use crate::version::Version;

/// The maximum time that a program may take to report its version: a hanging one must not delay a campaign.
pub const PATIENCE: Duration = Duration::from_secs(5);
/// The limits of its output, in bytes, and of its memory.
const MOST_OUTPUT: usize = 64 << 10;
const MEMORY: u64 = 2 << 30;

/// Returns the version that a program reports within `patience`, at most [`PATIENCE`]; `None` if it cannot be run or reports none.
pub fn version(command: &[OsString], profile: &Profile, patience: Duration) -> Option<Version> {
    ask(command, &profile.version.args, patience)?.version(profile)
}

/// A program's output when asked for its version: standard output, then standard error.
#[derive(Debug)]
pub(crate) struct ReportedVersion([String; 2]);

impl ReportedVersion {
    /// Returns the version, found as the profile describes.
    pub(crate) fn version(&self, profile: &Profile) -> Option<Version> {
        self.0.iter().find_map(|text| Version::find(text, &profile.version.prefix))
    }

    /// Whether the version has the form that solvers of a profile print.
    pub(crate) fn has(&self, prefix: &str) -> bool {
        self.0.iter().any(|text| text.contains(prefix))
    }
}

/// Asks a program for its version, within `patience`, at most [`PATIENCE`]; `None` if it cannot be run.
pub(crate) fn ask(command: &[OsString], args: &[String], patience: Duration) -> Option<ReportedVersion> {
    let mut command = command.to_vec();
    command.extend(args.iter().map(OsString::from));
    let (wall, memory_bytes) = (patience.min(PATIENCE), Some(MEMORY));
    let limits = ProcessLimits { wall, cpu: None, script_cpu: None, memory_bytes, output_bytes: MOST_OUTPUT };
    // Watched, since a program that reserves more than it uses must report its version, too.
    let job = ProcessJob { memory_guard: MemoryGuard::WatchedRss, ..ProcessJob::new(&command, b"", &limits) };
    let run = process::run(&job).ok()?;
    // Endless output is ignored: it may contain any number.
    let is_whole = run.status != RunStatus::OutputOut;
    is_whole
        .then(|| ReportedVersion([&run.stdout, &run.stderr].map(|bytes| String::from_utf8_lossy(bytes).into_owned())))
}

/// Whether a path is a file that someone may execute.
pub fn is_executable(path: &Path) -> bool {
    std::fs::metadata(path).is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
}
