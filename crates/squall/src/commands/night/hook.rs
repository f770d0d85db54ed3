//! The command of `--on-new`, which gets a new cause on standard input.

use solver::process::{self, CancelToken, MemoryGuard, ProcessJob, ProcessLimits, RunStatus};
use std::ffi::OsString;
use std::time::Duration;

/// The time limit of one call.
const TIME: Duration = Duration::from_secs(60);

/// The shell command.
pub struct Hook {
    words: [OsString; 3],
    limits: ProcessLimits,
    cancel: CancelToken,
}

impl Hook {
    pub fn new(command: &str, cancel: &CancelToken) -> Hook {
        Hook {
            words: ["sh", "-c", command].map(OsString::from),
            limits: ProcessLimits { wall: TIME, ..ProcessLimits::default() },
            cancel: cancel.clone(),
        }
    }

    /// Runs the command. Every result except exit code 0 is an error.
    pub fn call(&self, cause: &serde_json::Value) -> Result<(), String> {
        let input = format!("{cause}\n");
        let job = ProcessJob {
            memory_guard: MemoryGuard::WatchedRss,
            cancel: Some(&self.cancel),
            ..ProcessJob::new(&self.words, input.as_bytes(), &self.limits)
        };
        let run = process::run(&job).map_err(|error| error.to_string())?;
        let printed = String::from_utf8_lossy(&run.stderr);
        match (run.status, printed.trim().lines().last()) {
            (RunStatus::Exited(0), _) => Ok(()),
            (status, None) => Err(format!("it {status}")),
            (status, Some(line)) => Err(format!("it {status}: {line}")),
        }
    }
}

#[cfg(test)]
#[path = "../../../tests/unit/hook.rs"]
mod tests;
