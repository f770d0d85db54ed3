//! An instrumented build of a solver: runs it so that its counters can be read, and reads them.

use super::CoverageSet;
use super::detect::{self, Instrumentation};
use super::edges::EdgeBuild;
use super::error::CoverageError;
use super::gcov::GcovBuild;
use super::items::CoverageItems;
use super::llvm::LlvmBuild;
use crate::install::InstalledSolver;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// Messages of processes that cannot write their counters.
const COMPLAINTS: [&str; 4] = ["profiling:", "libgcov profiling error", "LLVM Profile Error", "squall cover:"];

/// An instrumented build of a solver.
pub struct InstrumentedBuild {
    program: PathBuf,
    folder: PathBuf,
    counters: BuildCounters,
}

enum BuildCounters {
    Gcov(GcovBuild),
    Llvm(LlvmBuild),
    Edges(EdgeBuild),
}

impl InstrumentedBuild {
    /// Examines the program of a solver, which is run only to ask for the size of an edge map. Counters are written below `folder`, which
    /// belongs to the build.
    /// Errors: it is not instrumented, or a tool to read its counters is missing.
    pub fn open(installed: &InstalledSolver, folder: &Path) -> Result<InstrumentedBuild, CoverageError> {
        let (program, bytes) = detect::program(&installed.command)?;
        let counters = match detect::instrumentation(&program, &bytes)? {
            Instrumentation::Gcov => BuildCounters::Gcov(GcovBuild::open(&bytes)?),
            Instrumentation::Llvm => BuildCounters::Llvm(LlvmBuild::open(program.clone())?),
            Instrumentation::Edges => BuildCounters::Edges(EdgeBuild::open(&program)?),
        };
        // Programs may run in any folder.
        let folder = std::path::absolute(folder).map_err(CoverageError::file("find", folder))?;
        Ok(InstrumentedBuild { program, folder, counters })
    }

    /// Returns its instrumentation.
    pub fn instrumentation(&self) -> Instrumentation {
        match self.counters {
            BuildCounters::Gcov(_) => Instrumentation::Gcov,
            BuildCounters::Llvm(_) => Instrumentation::Llvm,
            BuildCounters::Edges(_) => Instrumentation::Edges,
        }
    }

    /// Returns the program file.
    pub fn program(&self) -> &Path {
        &self.program
    }

    /// Returns the variables that its processes need.
    pub fn variables(&self) -> Vec<(String, String)> {
        match &self.counters {
            BuildCounters::Gcov(_) => GcovBuild::variables(&self.folder),
            BuildCounters::Llvm(_) => LlvmBuild::variables(&self.folder),
            BuildCounters::Edges(edges) => edges.variables(),
        }
    }

    /// Returns what it could execute. For a clang build with source coverage this is known once a profile was read.
    pub fn items(&self) -> &CoverageItems {
        match &self.counters {
            BuildCounters::Gcov(build) => &build.items,
            BuildCounters::Llvm(build) => &build.items,
            BuildCounters::Edges(build) => &build.items,
        }
    }

    /// Clears all counts.
    /// Errors: the folder of the counters cannot be emptied.
    pub fn clear(&self) -> Result<(), CoverageError> {
        if let BuildCounters::Edges(edges) = &self.counters {
            edges.clear();
            return Ok(());
        }
        match fs::remove_dir_all(&self.folder) {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                return Err(CoverageError::file("remove", &self.folder)(error));
            }
            _ => {}
        }
        fs::create_dir_all(&self.folder).map_err(CoverageError::file("make the folder", &self.folder))
    }

    /// Returns what all processes since the last [`InstrumentedBuild::clear`] executed, as far as they ended normally: gcov and clang
    /// write counters at that point, while a map also contains what a killed process did. `ended` says whether any process ended
    /// normally.
    /// Errors: counters are missing, damaged, or belong to another build.
    pub fn executed(&mut self, ended: bool) -> Result<CoverageSet, CoverageError> {
        let set = match &mut self.counters {
            BuildCounters::Gcov(build) => build.read(&self.folder)?,
            BuildCounters::Llvm(build) => build.read(&self.folder)?,
            BuildCounters::Edges(edges) => Some(edges.taken()).filter(|set| !set.is_empty()),
        };
        match set {
            Some(set) => Ok(set),
            None if ended => Err(CoverageError::NoData(self.folder.clone())),
            None => Ok(CoverageSet::default()),
        }
    }

    /// Returns a process's complaint that it could not write its counters, in one line.
    pub fn complaint(stderr: &[u8]) -> Option<String> {
        let text = String::from_utf8_lossy(stderr);
        let line = text.lines().find(|line| COMPLAINTS.iter().any(|words| line.contains(words)))?;
        Some(line.trim().to_string())
    }
}
