//! A program given by its path, or the programs in a build folder.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::probe;
use crate::profile::Profile;
use crate::sources::{FoundProgram, SolverSource};

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
