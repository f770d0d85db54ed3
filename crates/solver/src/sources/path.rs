//! Programs on `PATH`, as installed by the system's package manager, and programs given by their path. Nothing is installed.

use crate::probe;
use crate::profile::Profile;
use crate::sources::{FoundProgram, SolverSource};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The folders of `PATH`, or given ones.
#[derive(Clone, Debug)]
pub struct SearchPath {
    folders: Vec<PathBuf>,
}

impl SearchPath {
    /// Returns the folders that the environment names.
    pub fn of_environment() -> SearchPath {
        let path = std::env::var_os("PATH").unwrap_or_default();
        SearchPath { folders: std::env::split_paths(&path).filter(|folder| folder.is_absolute()).collect() }
    }

    /// Given folders.
    pub fn new(folders: Vec<PathBuf>) -> SearchPath {
        SearchPath { folders }
    }

    /// Returns the first program of a name.
    pub fn program(&self, name: &str) -> Option<PathBuf> {
        self.folders.iter().map(|folder| folder.join(name)).find(|path| probe::is_executable(path))
    }
}

impl SolverSource for SearchPath {
    fn name(&self) -> &'static str {
        "PATH"
    }

    fn find(&self, profile: &Profile, patience: Duration) -> Option<FoundProgram> {
        let program = profile.executables.iter().find_map(|name| self.program(name))?;
        let command = vec![OsString::from(program)];
        let version = probe::version(&command, profile, patience);
        Some(FoundProgram { command, version })
    }
}

/// A program at a path. A folder stands for the solver's program in it: directly, in `bin` or in `build/bin`.
#[derive(Clone, Debug)]
pub struct Local {
    /// The program or the folder.
    pub path: PathBuf,
}

impl SolverSource for Local {
    fn name(&self) -> &'static str {
        "a local path"
    }

    fn find(&self, profile: &Profile, patience: Duration) -> Option<FoundProgram> {
        let program = if self.path.is_dir() { program_in(&self.path, profile)? } else { self.path.clone() };
        let command = vec![OsString::from(std::path::absolute(program).ok()?)];
        let version = probe::version(&command, profile, patience);
        Some(FoundProgram { command, version })
    }
}

fn program_in(folder: &Path, profile: &Profile) -> Option<PathBuf> {
    let places = ["", "bin", "build", "build/bin"].map(|place| folder.join(place));
    let mut candidates = places.iter().flat_map(|place| profile.executables.iter().map(|name| place.join(name)));
    candidates.find(|candidate| probe::is_executable(candidate))
}
