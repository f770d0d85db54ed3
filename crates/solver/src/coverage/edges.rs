//! A build that counts its edges in a shared memory map: by AFL++, or by SanitizerCoverage with our runtime.

use super::CoverageSet;
use super::error::CoverageError;
use super::items::CoverageItems;
use super::shared_map::SharedMap;
use crate::process::{self, MemoryGuard, ProcessJob, ProcessLimits};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The source of the runtime for programs compiled with `-fsanitize-coverage=trace-pc-guard`.
pub const EDGE_RUNTIME: &str = include_str!("edge_runtime.c");

/// The size of a map if the program does not report it: that of AFL.
const DEFAULT_BYTES: usize = 1 << 16;
/// The maximum size of a map, in bytes.
const MAX_BYTES: usize = 1 << 28;

/// A build with a map of edges.
pub struct EdgeBuild {
    map: SharedMap,
    pub(super) items: CoverageItems,
}

impl EdgeBuild {
    /// Asks a program for the size of its map, after which it exits, and creates the map.
    /// Errors: the program cannot be run, or memory is exhausted.
    pub fn open(program: &Path) -> Result<EdgeBuild, CoverageError> {
        let bytes = map_size(program)?;
        let map = SharedMap::new(bytes)?;
        Ok(EdgeBuild { map, items: CoverageItems::edges(bytes) })
    }

    /// Returns the variables by which a program writes to the map.
    pub fn variables(&self) -> Vec<(String, String)> {
        let variable = |name: &str, value: String| (name.to_string(), value);
        vec![
            variable("__AFL_SHM_ID", self.map.id().to_string()),
            variable("AFL_MAP_SIZE", self.map.bytes().to_string()),
        ]
    }

    /// Clears all edges.
    pub fn clear(&self) {
        self.map.clear();
    }

    /// Returns the edges taken since the last [`clear`](Self::clear).
    pub fn taken(&self) -> CoverageSet {
        let mut set = CoverageSet::default();
        self.map.hits().for_each(|edge| set.insert(edge));
        set
    }
}

/// Returns the number of edges that a program reports. AFL++ exits with an error code afterwards.
fn map_size(program: &Path) -> Result<usize, CoverageError> {
    let fail = |cause: String| CoverageError::MapSize { program: PathBuf::from(program), cause };
    let command = [program.as_os_str().to_os_string()];
    let limits = ProcessLimits { wall: Duration::from_secs(10), output_bytes: 1 << 16, ..ProcessLimits::default() };
    let variables = [("AFL_DUMP_MAP_SIZE".to_string(), "1".to_string())];
    let words: &[OsString] = &command;
    let job = ProcessJob {
        memory_guard: MemoryGuard::WatchedRss,
        variables: &variables,
        ..ProcessJob::new(words, b"", &limits)
    };
    let run = process::run(&job).map_err(|error| fail(error.to_string()))?;
    let said = String::from_utf8_lossy(&run.stdout);
    match said.trim().parse::<usize>() {
        Ok(bytes) if bytes > MAX_BYTES => Err(fail(format!("it says {bytes}, which is more than {MAX_BYTES}"))),
        Ok(bytes) => Ok(bytes.max(1)),
        // The build is instrumented for AFL in a way that has a map of fixed size.
        Err(_) => Ok(DEFAULT_BYTES),
    }
}
