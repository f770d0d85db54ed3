//! A long-running program that exchanges frames: a line with a word and a number, then that many bytes.

use crate::process::line::{Dead, PipedProcess};
use crate::process::{CancelToken, MemoryGuard, ProcessLimits, RunError, RunStatus};
use std::ffi::OsString;
use std::time::{Duration, Instant};

/// The maximum length of a frame's first line, in bytes: a word, a blank and a number.
const LONGEST_HEAD: usize = 64;
/// The number of characters of malformed output in a message.
const SHOWN: usize = 60;
/// The time that a program that closed its output has to exit by itself.
const GRACE: Duration = Duration::from_secs(1);

/// A running program. Dropping it kills its process group.
#[derive(Debug)]
pub struct FrameProcess {
    line: PipedProcess,
    limits: ProcessLimits,
    /// Whether the process was not asked anything yet.
    is_fresh: bool,
}

/// A frame: `WORD LENGTH`, a newline, and the body.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Frame {
    /// Its kind.
    pub word: String,
    /// Its contents.
    pub body: Vec<u8>,
}

/// Why a question has no answer. The program is ended then.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FrameFailure {
    /// The program ended, or closed a pipe and had to be killed (then there is no status).
    Ended {
        /// How the process ended.
        status: Option<RunStatus>,
        /// The first line that it wrote to standard error.
        stderr: String,
    },
    /// The program did not answer within the wall-clock limit of a question.
    Late,
    /// The program exceeded its memory limit.
    Memory,
    /// The program exceeded the output limit, or announced to.
    Flood,
    /// Its output is not a frame; gives its beginning.
    NoFrame(String),
    /// The program wrote unsolicited output; gives its beginning.
    Surplus(String),
}

impl Frame {
    /// Makes a frame of this kind.
    pub fn new(word: &str, body: impl Into<Vec<u8>>) -> Frame {
        Frame { word: word.to_string(), body: body.into() }
    }

    /// Appends its encoded form.
    pub fn write(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(format!("{} {}\n", self.word, self.body.len()).as_bytes());
        out.extend_from_slice(&self.body);
    }
}

impl FrameProcess {
    /// Starts a program. The limits apply to its whole life, except wall-clock time and output, which apply to each question.
    /// Errors: it cannot be started.
    pub fn start(command: &[OsString], limits: &ProcessLimits) -> Result<FrameProcess, RunError> {
        let line = PipedProcess::start_with_errors(command, limits, MemoryGuard::WatchedRss)?;
        Ok(FrameProcess { line, limits: limits.clone(), is_fresh: true })
    }

    /// Sends frames and waits for one. Returns the program if it can be asked again.
    /// Errors: [`FrameFailure`]; the program is ended then.
    pub fn ask(mut self, frames: &[Frame]) -> Result<(FrameProcess, Frame), FrameFailure> {
        // Output before the first question may explain why the program ends.
        if !std::mem::take(&mut self.is_fresh) {
            let surplus = self.line.surplus();
            if !surplus.is_empty() {
                return Err(FrameFailure::Surplus(shown(&surplus)));
            }
        }
        let mut bytes = Vec::new();
        frames.iter().for_each(|frame| frame.write(&mut bytes));
        let most = self.limits.output_bytes;
        let mut head = None;
        let is_whole = |output: &[u8]| {
            if head.is_none() {
                head = read_head(output, most).transpose();
            }
            match &head {
                Some(Ok((_, start, length))) => (output.len() >= start + length).then_some(start + length),
                Some(Err(_)) => Some(output.len()),
                None => None,
            }
        };
        let deadline = Instant::now() + self.limits.wall;
        let answer = self.line.exchange_until(&bytes, is_whole, &CancelToken::new(), Some(deadline));
        match (answer, head) {
            (Ok(mut answer), Some(Ok((word, start, _)))) => {
                answer.drain(..start);
                Ok((self, Frame { word, body: answer }))
            }
            (Ok(_), Some(Err(failure))) => Err(failure),
            (Ok(answer), None) => Err(FrameFailure::NoFrame(shown(&answer))),
            (Err(Dead::Late | Dead::Cancelled), _) => Err(FrameFailure::Late),
            (Err(Dead::Memory), _) => Err(FrameFailure::Memory),
            (Err(Dead::Flood), _) => Err(FrameFailure::Flood),
            (Err(Dead::Ended), _) => {
                let (status, stderr) = self.line.end(GRACE);
                let stderr = telling_line(&stderr);
                Err(FrameFailure::Ended { status, stderr })
            }
        }
    }
}

/// Returns the word of a frame, the offset of its body, and the body's length in bytes, at most `most`; `None` while the first line is
/// incomplete.
/// Errors: [`FrameFailure::NoFrame`], whatever may follow; [`FrameFailure::Flood`] for a longer body.
pub fn read_head(output: &[u8], most: usize) -> Result<Option<(String, usize, usize)>, FrameFailure> {
    let no_frame = || FrameFailure::NoFrame(shown(output));
    let Some(end) = memchr::memchr(b'\n', output) else {
        return if output.len() > LONGEST_HEAD { Err(no_frame()) } else { Ok(None) };
    };
    let head = output.get(..end).filter(|head| head.len() <= LONGEST_HEAD).ok_or_else(no_frame)?;
    let head = std::str::from_utf8(head).map_err(|_| no_frame())?;
    let (word, length) = head.trim_end_matches('\r').split_once(' ').ok_or_else(no_frame)?;
    let length: usize = length.parse().map_err(|_| no_frame())?;
    if word.is_empty() || !word.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
        return Err(no_frame());
    }
    if length > most {
        return Err(FrameFailure::Flood);
    }
    Ok(Some((word.to_string(), end + 1, length)))
}

/// Returns the beginning of an output, for a message.
fn shown(bytes: &[u8]) -> String {
    let line = bytes.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let text: String = String::from_utf8_lossy(line).chars().map(|c| if c.is_control() { '?' } else { c }).collect();
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// Returns the most informative line of standard error: the first, or the last of a Python traceback.
pub fn telling_line(stderr: &[u8]) -> String {
    let text = String::from_utf8_lossy(stderr);
    let mut lines = text.lines().map(str::trim_end).filter(|line| !line.is_empty());
    let first = lines.next().unwrap_or_default();
    let line = if first.starts_with("Traceback") { lines.next_back().unwrap_or(first) } else { first };
    line.to_string()
}
