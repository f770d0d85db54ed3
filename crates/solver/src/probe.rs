//! Asks programs for their version.

use std::ffi::OsString;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::Duration;

use crate::process::{self, Job, Limits};
use crate::profile::Profile;
use crate::version::Version;

/// How long a program may take to say its version: what hangs there must not hold up a campaign for long.
const PATIENCE: Duration = Duration::from_secs(5);

/// The version a program tells; `None` if it cannot be run or tells none.
pub fn version(command: &[OsString], profile: &Profile) -> Option<Version> {
    let mut command = command.to_vec();
    command.extend(profile.version.args.iter().map(OsString::from));
    let limits = Limits { wall: PATIENCE, cpu: None, memory_bytes: None, output_bytes: 1 << 20 };
    let run = process::run(&Job::new(&command, b"", &limits)).ok()?;
    let find = |bytes: &[u8]| Version::find(&String::from_utf8_lossy(bytes), &profile.version.prefix);
    find(&run.stdout).or_else(|| find(&run.stderr))
}

/// Whether a path is a file that someone may execute.
pub fn is_executable(path: &Path) -> bool {
    std::fs::metadata(path).is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
}
