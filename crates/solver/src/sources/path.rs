//! Programs on `PATH`, as installed by the system's package manager. This source never installs anything.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use crate::probe;
use crate::profile::Profile;
use crate::sources::{FoundProgram, SolverSource};

/// The folders of `PATH`, or given ones.
#[derive(Clone, Debug)]
pub struct SearchPath {
    folders: Vec<PathBuf>,
}

impl SearchPath {
    /// The folders that the environment names.
    pub fn of_environment() -> SearchPath {
        let path = std::env::var_os("PATH").unwrap_or_default();
        SearchPath { folders: std::env::split_paths(&path).filter(|folder| folder.is_absolute()).collect() }
    }

    /// Given folders.
    pub fn new(folders: Vec<PathBuf>) -> SearchPath {
        SearchPath { folders }
    }

    /// The first program of a name.
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
