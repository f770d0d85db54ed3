//! Sources of solver programs, one file each.

pub mod cargo;
pub mod path;
pub mod python;
pub mod wheel;

use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;

use crate::install::error::InstallError;
use crate::install::progress::InstallObserver;
use crate::profile::Profile;
use crate::version::{self, Version};
use files::digest::{sha256, sha256_of_file};

/// The number of versions named on either side of a missing one.
const NEIGHBOURS: usize = 3;

/// A source from which a solver may be found or fetched.
pub trait SolverSource {
    /// Returns the source's name, for messages.
    fn name(&self) -> &'static str;

    /// Returns the program if it already exists, with its version if it reports one in time. Nothing is installed.
    fn find(&self, profile: &Profile, patience: Duration) -> Option<FoundProgram>;

    /// Returns the versions that [`SolverSource::fetch`] can fetch, newest first; empty if it fetches nothing.
    fn versions(&self, profile: &Profile) -> Result<Vec<String>, InstallError> {
        let _ = profile;
        Ok(Vec::new())
    }

    /// Fetches a version (`None` for the newest) into the empty folder `into`; `None` if this source cannot fetch this solver at all.
    fn fetch(
        &self,
        profile: &Profile,
        version: Option<&Version>,
        into: &Path,
        progress: &mut dyn InstallObserver,
    ) -> Result<Option<Fetched>, InstallError> {
        let _ = (profile, version, into, progress);
        Ok(None)
    }
}

/// A program on the machine.
#[derive(Clone, Debug)]
pub struct FoundProgram {
    /// The program and fixed arguments.
    pub command: Vec<OsString>,
    /// Its version, if it reports one.
    pub version: Option<Version>,
}

/// A program that was fetched into a folder.
#[derive(Clone, Debug)]
pub struct Fetched {
    /// The program and fixed arguments; relative paths start at the folder.
    pub command: Vec<String>,
    /// Its version.
    pub version: Version,
    /// Its origin, for display.
    pub origin: String,
    /// SHA-256 of the program, or over all files of the library, in hexadecimal.
    pub sha256: String,
    /// SHA-256 of the archive that contained it, if any.
    pub archive_sha256: Option<String>,
}

/// Returns the error for a version that a source does not offer.
fn no_such_version(source: &'static str, profile: &Profile, wanted: &Version, offered: &[Version]) -> InstallError {
    InstallError::NoSuchVersion {
        name: profile.name.clone(),
        version: wanted.to_string(),
        nearest: meant(wanted, offered),
        source_name: source,
        available: around(wanted, offered),
    }
}

/// Returns the version probably meant by one that does not exist.
fn meant(wanted: &Version, offered: &[Version]) -> Option<String> {
    let names: Vec<String> = offered.iter().map(|version| version.without_package_suffix().to_string()).collect();
    version::meant(wanted.as_str(), names.iter().map(String::as_str)).map(str::to_string)
}

/// Returns the versions closest to one that does not exist, newest first, and the number of others.
fn around(wanted: &Version, offered: &[Version]) -> String {
    let mut sorted = offered.to_vec();
    sorted.sort_by(|a, b| b.cmp(a));
    sorted.dedup();
    let newer = sorted.iter().take_while(|version| *version > wanted).count();
    let shown = newer.saturating_sub(NEIGHBOURS)..sorted.len().min(newer + NEIGHBOURS);
    let more = sorted.len() - shown.len();
    let names: Vec<_> = sorted[shown].iter().map(|version| version.without_package_suffix().to_string()).collect();
    match more {
        0 => names.join(", "),
        more => format!("{} and {more} more", names.join(", ")),
    }
}

/// Returns the SHA-256 in hexadecimal: of a file, or of the sorted list of all files below a folder with their own.
pub(crate) fn digest(path: &Path) -> std::io::Result<String> {
    if !path.is_dir() {
        return sha256_of_file(path);
    }
    let mut lines = Vec::new();
    let mut folders = vec![path.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder)? {
            let entry = entry?.path();
            match entry.is_dir() {
                true => folders.push(entry),
                false => {
                    let name = entry.strip_prefix(path).unwrap_or(&entry).as_os_str().as_encoded_bytes();
                    lines.push([name, b"\0", sha256_of_file(&entry)?.as_bytes(), b"\n"].concat());
                }
            }
        }
    }
    lines.sort();
    Ok(sha256(lines.concat()))
}
