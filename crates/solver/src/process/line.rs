//! A line to a program that stays: text in, and what it prints until a mark comes back.
//!
//! One thread writes and reads, and reads only while it waits for an answer: what is printed otherwise waits in the pipe, so
//! that a program that prints without end stops and fills no memory.

use super::child::{Beginning, Child, poll, set_nonblocking};
use super::{CancelToken, MemoryGuard, ProcessLimits, RunError, TICK, spawn};
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Write};
use std::os::fd::AsRawFd;
use std::time::{Duration, Instant};

/// A running program and both ends of its pipes. Dropping it kills its process group.
#[derive(Debug)]
pub(crate) struct PipedProcess {
    child: Child,
    stdin: File,
    limits: ProcessLimits,
    memory_guard: MemoryGuard,
}

/// Why nothing comes any more.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Dead {
    Cancelled,
    /// The deadline has passed.
    Late,
    /// The program ended, or had to be, for its memory.
    Ended,
    /// It printed more than the limit.
    Flood,
}

impl PipedProcess {
    /// Starts a program. Its standard error is thrown away.
    pub(crate) fn start(
        command: &[OsString],
        limits: &ProcessLimits,
        memory_guard: MemoryGuard,
        owner: Option<&str>,
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
            has_errors: false,
            // It may outlive the thread that starts it. It ends with us, too, since its input ends then, or by its CPU time.
            ends_with_thread: false,
        })?;
        Ok(PipedProcess { child, stdin, limits: limits.clone(), memory_guard })
    }

    /// Writes a text and reads until a line is the mark, with or without quotes; what was printed before that line.
    pub(crate) fn exchange(
        &mut self,
        text: &str,
        mark: &str,
        cancel: &CancelToken,
        deadline: Option<Instant>,
    ) -> Result<String, Dead> {
        let mut unsent = text.as_bytes();
        // Where the first line begins that was not compared with the mark.
        let mut start = 0;
        loop {
            while let Some(length) = memchr::memchr(b'\n', &self.child.stdout.bytes[start..]) {
                let line = self.child.stdout.bytes[start..start + length].trim_ascii();
                let word = line.strip_prefix(b"\"").and_then(|word| word.strip_suffix(b"\"")).unwrap_or(line);
                if word == mark.as_bytes() {
                    let answer = String::from_utf8_lossy(&self.child.stdout.bytes[..start]).into_owned();
                    self.child.stdout.bytes.drain(..start + length + 1);
                    return Ok(answer);
                }
                start += length + 1;
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
            if is_silent && self.child.stdout.file.is_none() || self.child.look_after(&self.limits, self.memory_guard) {
                return Err(Dead::Ended);
            }
        }
    }

    fn sleep(&self, time: Duration, has_text: bool) -> io::Result<()> {
        let output = self.child.stdout.file.as_ref().map_or(-1, AsRawFd::as_raw_fd);
        let input = if has_text { self.stdin.as_raw_fd() } else { -1 };
        let entry = |fd, events| libc::pollfd { fd, events, revents: 0 };
        poll(&mut [entry(output, libc::POLLIN), entry(input, libc::POLLOUT)], time)
    }

    /// Sends what the pipe takes; the rest.
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
