//! One command of a build: its environment, its log, and its progress.

use std::ffi::OsString;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;
use std::time::Duration;

use crate::build::BuildTools;
use crate::process::{self, ProcessJob, ProcessLimits, ProcessRun, RunError, RunStatus};

/// Long enough for a build on a slow machine.
const WALL: Duration = Duration::from_secs(24 * 3600);
/// The interval between checks of the progress.
const TICK: Duration = Duration::from_millis(200);
/// How much of the end of a log is read for the progress.
const TAIL: u64 = 4096;
/// The number of log lines repeated in a message.
const LAST_LINES: usize = 8;
/// Runs a command with all its output sent to a log.
const LOGGED: &str = r#"exec "$@" >>"$0" 2>&1"#;

/// The number of completed steps of a command, and of all steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct StepsDone {
    pub(crate) done: u64,
    pub(crate) total: u64,
}

/// Runs a command; `tell` receives its progress. Its output is appended to the log.
/// Errors: it cannot be started.
pub(crate) fn run_logged(
    command: &[OsString],
    environment: &[OsString],
    tools: &BuildTools,
    log: &Path,
    tell: &mut dyn FnMut(StepsDone),
) -> Result<ProcessRun, RunError> {
    let mut words: Vec<OsString> = ["/bin/sh", "-c", LOGGED].map(OsString::from).to_vec();
    words.extend([log.as_os_str().to_os_string(), OsString::from("/usr/bin/env")]);
    words.extend_from_slice(environment);
    let mut command = command.iter();
    if let Some(first) = command.next() {
        let known = first.to_str().filter(|name| !name.contains('/')).and_then(|name| tools.program(name));
        words.push(known.map_or_else(|| first.clone(), OsString::from));
    }
    words.extend(command.cloned());
    let limits = ProcessLimits { wall: WALL, memory_bytes: None, ..ProcessLimits::default() };
    std::thread::scope(|scope| {
        // The system kills the command when the thread that started it ends: that thread waits for it. Not run in the current folder:
        // interpreters and makes of a build read files from there.
        let job = ProcessJob { folder: log.parent(), ..ProcessJob::new(&words, b"", &limits) };
        let running = scope.spawn(move || process::run(&job));
        let mut last = None;
        while !running.is_finished() {
            std::thread::sleep(TICK);
            let now = steps(&tail(log));
            if let Some(steps) = now.filter(|_| now != last) {
                tell(steps);
                last = now;
            }
        }
        running.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

/// Whether a command succeeded.
pub(crate) fn succeeded(run: &ProcessRun) -> bool {
    run.status == RunStatus::Exited(0)
}

/// Returns the last informative lines of a log: those with errors, if there are any near its end, else the last ones.
pub(crate) fn last_lines(log: &Path) -> String {
    let text = std::fs::read(log).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default();
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let is_error = |line: &&&str| line.contains("error:") || line.contains("ERROR:") || line.contains("CMake Error");
    let errors: Vec<&str> = lines.iter().filter(is_error).take(LAST_LINES / 2).copied().collect();
    let last = lines[lines.len().saturating_sub(LAST_LINES)..].iter().filter(|line| !errors.contains(line));
    let chosen: Vec<&str> = errors.iter().chain(last).take(LAST_LINES).copied().collect();
    if chosen.is_empty() { "it printed nothing".to_string() } else { chosen.join("\n  ") }
}

fn tail(log: &Path) -> String {
    let read = || {
        let mut file = File::open(log)?;
        let length = file.metadata()?.len();
        file.seek(SeekFrom::Start(length.saturating_sub(TAIL)))?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        std::io::Result::Ok(String::from_utf8_lossy(&bytes).into_owned())
    };
    // A build does not fail because its progress is unknown.
    read().unwrap_or_default()
}

/// Returns the last `[3/18]` at the beginning of a line, as printed by ninja.
fn steps(text: &str) -> Option<StepsDone> {
    let of_line = |line: &str| {
        let (done, total) = line.strip_prefix('[')?.split_once(']')?.0.split_once('/')?;
        Some(StepsDone { done: done.trim().parse().ok()?, total: total.parse().ok()? })
    };
    text.lines().rev().find_map(of_line)
}

#[cfg(test)]
#[path = "../../tests/unit/command.rs"]
mod tests;
