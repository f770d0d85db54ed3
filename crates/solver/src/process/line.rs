//! Communication with a long-running program: sends bytes, and reads output until the answer is complete.
//!
//! One thread writes and reads, and reads only while it waits for an answer: other output waits in the pipe, so endless output blocks the
//! program instead of filling memory.

use super::child::{Beginning, Child, poll, set_nonblocking};
use super::{CancelToken, MemoryGuard, ProcessLimits, RunError, RunStatus, TICK, final_status, spawn};
use rustix::event::{PollFd, PollFlags};
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Write};
use std::time::{Duration, Instant};

/// A running program and both ends of its pipes. Dropping it kills its process group.
#[derive(Debug)]
pub(crate) struct PipedProcess {
    child: Child,
    stdin: File,
    limits: ProcessLimits,
    memory_guard: MemoryGuard,
}

/// Why there is no answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Dead {
    Cancelled,
    /// The deadline has passed.
    Late,
    /// The program ended, or closed its end of a pipe.
    Ended,
    /// The process had more memory than the limit.
    Memory,
    /// The process wrote more output than the limit.
    Flood,
}

impl PipedProcess {
    /// Starts a program. Its standard error is discarded.
    pub(crate) fn start(
        command: &[OsString],
        limits: &ProcessLimits,
        memory_guard: MemoryGuard,
        owner: Option<&str>,
    ) -> Result<PipedProcess, RunError> {
        PipedProcess::begin(command, limits, memory_guard, owner, false)
    }

    /// Starts a program whose standard error is kept for [`PipedProcess::end`].
    pub(crate) fn start_with_errors(
        command: &[OsString],
        limits: &ProcessLimits,
        memory_guard: MemoryGuard,
    ) -> Result<PipedProcess, RunError> {
        PipedProcess::begin(command, limits, memory_guard, None, true)
    }

    fn begin(
        command: &[OsString],
        limits: &ProcessLimits,
        memory_guard: MemoryGuard,
        owner: Option<&str>,
        has_errors: bool,
    ) -> Result<PipedProcess, RunError> {
        let system = |source| {
            let program = command.first().map(|word| word.to_string_lossy().into_owned()).unwrap_or_default();
            RunError::System { action: "make a pipe", program, source }
        };
        let (its_stdin, stdin) = spawn::pipe().map_err(system)?;
        set_nonblocking(&stdin).map_err(system)?;
        let child = Child::begin(&Beginning {
            command,
            input: &its_stdin,
            limits,
            memory_guard,
            owner,
            variables: &[],
            folder: None,
            has_errors,
            // It may outlive the thread that starts it. It ends with us, too, because its input ends then, or by its CPU limit.
            ends_with_thread: false,
        })?;
        Ok(PipedProcess { child, stdin, limits: limits.clone(), memory_guard })
    }

    /// Writes a text and reads until a line is the mark, with or without quotes; returns the output before that line.
    pub(crate) fn exchange(
        &mut self,
        text: &str,
        mark: &str,
        cancel: &CancelToken,
        deadline: Option<Instant>,
    ) -> Result<String, Dead> {
        // The start of the first line not yet compared with the mark.
        let mut start = 0;
        let is_whole = |output: &[u8]| {
            while let Some(length) = memchr::memchr(b'\n', &output[start..]) {
                let line = output[start..start + length].trim_ascii();
                let word = line.strip_prefix(b"\"").and_then(|word| word.strip_suffix(b"\"")).unwrap_or(line);
                if word == mark.as_bytes() {
                    return Some(start + length + 1);
                }
                start += length + 1;
            }
            None
        };
        let answer = self.exchange_until(text.as_bytes(), is_whole, cancel, deadline)?;
        Ok(String::from_utf8_lossy(&answer[..start]).into_owned())
    }

    /// Writes bytes and reads until `whole` returns how many of the bytes read are the answer, and returns these.
    pub(crate) fn exchange_until(
        &mut self,
        bytes: &[u8],
        mut whole: impl FnMut(&[u8]) -> Option<usize>,
        cancel: &CancelToken,
        deadline: Option<Instant>,
    ) -> Result<Vec<u8>, Dead> {
        let mut unsent = bytes;
        loop {
            if let Some(length) = whole(&self.child.stdout.bytes) {
                return Ok(self.child.stdout.bytes.drain(..length).collect());
            }
            if cancel.is_cancelled() {
                return Err(Dead::Cancelled);
            }
            let left = deadline.map_or(TICK, |deadline| deadline.saturating_duration_since(Instant::now()));
            if left.is_zero() {
                return Err(Dead::Late);
            }
            self.sleep(left.min(TICK), !unsent.is_empty()).map_err(|_| Dead::Ended)?;
            unsent = self.send(unsent).map_err(|_| Dead::Ended)?;
            let searched = self.child.stdout.bytes.len();
            if self.child.read_available() {
                return Err(Dead::Flood);
            }
            let is_silent = self.child.stdout.bytes.len() == searched;
            if is_silent && self.child.stdout.file.is_none() {
                return Err(Dead::Ended);
            }
            if self.child.look_after(&self.limits, self.memory_guard) {
                return Err(Dead::Memory);
            }
        }
    }

    /// Takes unsolicited output since the last answer.
    pub(crate) fn surplus(&mut self) -> Vec<u8> {
        self.child.read_available();
        // Messages about an earlier answer do not explain the next one.
        self.child.take_output().0
    }

    /// Ends the program: returns how it ended by itself within `grace`, `None` if it had to be killed, and its standard error since the
    /// last [`PipedProcess::surplus`].
    pub(crate) fn end(mut self, grace: Duration) -> (Option<RunStatus>, Vec<u8>) {
        let deadline = Instant::now() + grace;
        let has_ended = loop {
            self.child.read_available();
            let left = deadline.saturating_duration_since(Instant::now());
            if matches!(self.child.sleep(left.min(TICK)), Ok(true)) {
                break true;
            }
            if left.is_zero() {
                break false;
            }
        };
        let ended = self.child.finish().ok().filter(|_| has_ended);
        let status = ended.map(|(status, usage)| final_status(status, None, &usage, &self.limits));
        (status, self.child.take_output().1)
    }

    fn sleep(&self, time: Duration, has_text: bool) -> io::Result<()> {
        let output = self.child.stdout.file.iter().map(|file| PollFd::new(file, PollFlags::IN));
        let input = has_text.then(|| PollFd::new(&self.stdin, PollFlags::OUT));
        poll(&mut output.chain(input).collect::<Vec<_>>(), time)
    }

    /// Sends what the pipe accepts; returns the rest.
    fn send<'t>(&mut self, mut text: &'t [u8]) -> io::Result<&'t [u8]> {
        while !text.is_empty() {
            match self.stdin.write(text) {
                Ok(sent) => text = &text[sent..],
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => break,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(text)
    }
}
