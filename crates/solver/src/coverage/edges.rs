//! A build that counts its edges in a map in shared memory: by AFL++, or by SanitizerCoverage with our runtime.

use super::error::CoverageError;
use super::items::CoverageItems;
use super::set::CoverageSet;
use super::shared_map::SharedMap;
use crate::process::{self, MemoryGuard, ProcessJob, ProcessLimits};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The source of the runtime that a program compiled with `-fsanitize-coverage=trace-pc-guard` is linked with.
pub const EDGE_RUNTIME: &str = include_str!("edge_runtime.c");

/// The size of a map where the program does not tell it: that of AFL.
const DEFAULT_BYTES: usize = 1 << 16;
/// The largest map, in bytes.
const MAX_BYTES: usize = 1 << 28;

/// A build with a map of edges.
pub struct EdgeBuild {
    map: SharedMap,
    pub(super) items: CoverageItems,
}

impl EdgeBuild {
    /// Asks a program for the size of its map, which ends at once for that, and makes the map.
    ///
    /// # Errors
    /// The program cannot be run, or there is no memory.
    pub fn open(program: &Path) -> Result<EdgeBuild, CoverageError> {
        let bytes = map_size(program)?;
        let map = SharedMap::new(bytes)?;
        Ok(EdgeBuild { map, items: CoverageItems::edges(bytes) })
    }

    /// The variables by which a program writes to the map.
    pub fn variables(&self) -> Vec<(String, String)> {
        let variable = |name: &str, value: String| (name.to_string(), value);
        vec![
            variable("__AFL_SHM_ID", self.map.id().to_string()),
            variable("AFL_MAP_SIZE", self.map.bytes().to_string()),
        ]
    }

    /// Forgets all edges.
    pub fn clear(&self) {
        self.map.clear();
    }

    /// The edges that were taken since.
    pub fn taken(&self) -> CoverageSet {
        let mut set = CoverageSet::default();
        self.map.hits().for_each(|edge| set.insert(edge));
        set
    }
}

/// The number of edges that a program says it has. AFL++ ends with an error code once it has said so.
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
        // Instrumented for AFL in a way that has a map of fixed size.
        Err(_) => Ok(DEFAULT_BYTES),
    }
}
