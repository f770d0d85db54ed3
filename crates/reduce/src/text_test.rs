//! Texts that need not parse: the encoding of their bytes, and tests of them that need no truth.

use crate::verdict::{CandidateVerdict, Evidence, TextTest};
use finding::Trust;
use solver::process::{self, CancelToken, MemoryGuard, ProcessJob, ProcessLimits, RunStatus};
use solver::script::count_checks;
use solver::session::{SessionNeeds, Solver};
use std::borrow::Cow;
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// The command `sh -c 'COMMAND "$1"' sh FILE`: the shell splits it, and the path of the file is the last argument.
pub struct CheckCommand {
    command: String,
    encoding: TextEncoding,
    limits: ProcessLimits,
    file: PathBuf,
    cancel: CancelToken,
    number: AtomicU64,
}

impl CheckCommand {
    /// Makes a command that runs under `limits`. Its files are in the folder of `file` and have its extension.
    pub fn new(
        command: String,
        encoding: TextEncoding,
        limits: ProcessLimits,
        file: PathBuf,
        cancel: CancelToken,
    ) -> CheckCommand {
        CheckCommand { command, encoding, limits, file, cancel, number: AtomicU64::new(0) }
    }

    /// Exit code 0 means interesting, any other result not.
    pub(crate) fn judge(&self, text: &str) -> CandidateVerdict {
        match self.run(text) {
            Ok(RunStatus::Exited(0)) => Evidence::verdict(Trust::Command, 0),
            Ok(RunStatus::Exited(code @ (126 | 127))) => CandidateVerdict::NotShown(format!(
                "the command '{}' does not exist or cannot be started: the shell ended with exit code {code}",
                self.command
            )),
            Ok(status) => CandidateVerdict::NotShown(format!(
                "the file is not interesting: the command {status}, not with exit code 0"
            )),
            Err(error) => CandidateVerdict::NotShown(format!("cannot run the command '{}': {error}", self.command)),
        }
    }

    fn run(&self, text: &str) -> Result<RunStatus, String> {
        let number = self.number.fetch_add(1, Ordering::Relaxed);
        let mut path = self.file.with_file_name(format!("candidate-{number}"));
        path.set_extension(self.file.extension().unwrap_or_default());
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

/// A text is interesting if the solver uses the given CPU time on it. The run ends at that point, which limits the cost of a candidate.
pub struct SlowTest {
    solver: Solver,
    at_least: Duration,
    limits: ProcessLimits,
}

impl SlowTest {
    /// Makes a test by CPU time. A run that waits instead of working ends after four times as long plus a second.
    pub fn new(solver: Solver, at_least: Duration) -> SlowTest {
        let wall = at_least.saturating_mul(4).saturating_add(Duration::from_secs(1));
        let limits = ProcessLimits { wall, script_cpu: Some(at_least), ..ProcessLimits::default() };
        SlowTest { solver, at_least, limits }
    }
}

impl TextTest for SlowTest {
    fn judge(&self, text: &str) -> CandidateVerdict {
        match self.solver.check(text, SessionNeeds::of_script(count_checks(text.as_bytes()), text), &self.limits) {
            // Clock ticks are coarse: an aborted run may seem slightly shorter.
            Ok(outcome) if outcome.cpu >= self.at_least.mul_f64(0.95) => Evidence::verdict(Trust::Measured, 0),
            Ok(outcome) => CandidateVerdict::NotShown(format!(
                "the file is not interesting: it takes {:.2} s of CPU time",
                outcome.cpu.as_secs_f64()
            )),
            Err(error) => CandidateVerdict::NotShown(error.to_string()),
        }
    }
}

/// The encoding of a text's bytes.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum TextEncoding {
    /// The text is UTF-8.
    #[default]
    Utf8,
    /// One character per byte, as in ISO 8859-1: the file is not UTF-8.
    Bytes,
}

impl TextEncoding {
    /// Returns the encoding for these bytes.
    pub fn of(bytes: &[u8]) -> TextEncoding {
        if std::str::from_utf8(bytes).is_ok() { TextEncoding::Utf8 } else { TextEncoding::Bytes }
    }

    /// Decodes bytes to a text.
    pub fn decode(self, bytes: &[u8]) -> Cow<'_, str> {
        match self {
            TextEncoding::Utf8 => String::from_utf8_lossy(bytes),
            TextEncoding::Bytes => bytes.iter().map(|&byte| char::from(byte)).collect(),
        }
    }

    /// Encodes a text to its bytes.
    pub fn encode(self, text: &str) -> Cow<'_, [u8]> {
        match self {
            TextEncoding::Utf8 => text.as_bytes().into(),
            // Cutting such a text yields no other characters.
            TextEncoding::Bytes => text.chars().map(|c| u8::try_from(c).unwrap_or(b'?')).collect(),
        }
    }
}
