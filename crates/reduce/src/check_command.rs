//! A user's command whose exit code decides whether a text is interesting.

use crate::candidate_verdict::{CandidateVerdict, Evidence};
use crate::encoding::TextEncoding;
use finding::Trust;
use solver::process::{self, CancelToken, MemoryGuard, ProcessJob, ProcessLimits, RunStatus};
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};

/// The command `sh -c 'COMMAND "$1"' sh FILE`: the shell splits it, and the path of the file is the last argument.
pub struct CheckCommand {
    command: String,
    encoding: TextEncoding,
    limits: ProcessLimits,
    folder: PathBuf,
    cancel: CancelToken,
    number: AtomicU64,
}

impl CheckCommand {
    /// Makes a command that runs under `limits`, with its files in `folder`.
    pub fn new(
        command: String,
        encoding: TextEncoding,
        limits: ProcessLimits,
        folder: PathBuf,
        cancel: CancelToken,
    ) -> CheckCommand {
        CheckCommand { command, encoding, limits, folder, cancel, number: AtomicU64::new(0) }
    }

    /// Exit code 0 means interesting, any other result not.
    pub(crate) fn judge(&self, text: &str) -> CandidateVerdict {
        match self.run(text) {
            Ok(RunStatus::Exited(0)) => Evidence::verdict(Trust::Command, 0),
            Ok(status) => {
                CandidateVerdict::NotShown(format!("the command ended with {status:?}, not with exit code 0"))
            }
            Err(error) => CandidateVerdict::NotShown(error),
        }
    }

    fn run(&self, text: &str) -> Result<RunStatus, String> {
        let number = self.number.fetch_add(1, Ordering::Relaxed);
        let path = self.folder.join(format!("candidate-{number}.smt2"));
        std::fs::write(&path, self.encoding.encode(text))
            .map_err(|e| format!("cannot write {}: {e}", path.display()))?;
        let script = format!("{} \"$1\"", self.command);
        let words = ["sh", "-c", &script, "sh"].map(OsString::from);
        let mut command = words.to_vec();
        command.push(path.clone().into_os_string());
        let run = process::run(&ProcessJob {
            memory_guard: MemoryGuard::WatchedRss,
            cancel: Some(&self.cancel),
            ..ProcessJob::new(&command, b"", &self.limits)
        });
        let _ = std::fs::remove_file(&path);
        run.map(|run| run.status).map_err(|e| e.to_string())
    }
}
