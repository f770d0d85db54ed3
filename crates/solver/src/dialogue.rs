//! A solver that is talked to: a process that stays, with a text in and what it prints until it has worked through it out.
//!
//! A thread writes and a thread reads, so that whoever asks can always be stopped.

use crate::process::{CancelToken, Limits, RunError};
use crate::session::{Purpose, Solver};
use std::io::{BufRead, BufReader, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

/// How often a waiting question looks whether it is to stop.
const TICK: Duration = Duration::from_millis(5);
/// How long a solver may take to show that it talks at all.
const HANDSHAKE: Duration = Duration::from_secs(2);

/// A running solver. Dropping it kills its process group.
#[derive(Debug)]
pub struct Dialogue {
    child: Child,
    to: Sender<String>,
    from: Receiver<String>,
    questions: u64,
    output_bytes: usize,
}

/// Why a question has no answer. The dialogue is then over.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Silence {
    /// Cancelled from outside.
    #[error("cancelled")]
    Cancelled,
    /// The time is up.
    #[error("the time is up")]
    Time,
    /// The solver ended.
    #[error("the solver ended")]
    Ended,
    /// The solver printed more than the limit.
    #[error("the solver printed too much")]
    Flood,
}

impl Dialogue {
    /// Starts a solver and makes sure that it answers.
    ///
    /// # Errors
    /// It cannot be started, or does not answer at once.
    pub fn start(solver: &Solver, purpose: Purpose, limits: &Limits) -> Result<Dialogue, RunError> {
        let command = solver.command_line(purpose | Purpose::INCREMENTAL, limits);
        let (program, arguments) = command.split_first().ok_or(RunError::NoCommand)?;
        let name = program.to_string_lossy().into_owned();
        let failed = |cause: String| RunError::Spawn { program: name.clone(), cause };
        let mut command = Command::new(program);
        command.args(arguments).process_group(0).env("LC_ALL", "C");
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().map_err(|error| failed(error.to_string()))?;
        if let Some(bytes) = limits.memory_bytes {
            let limit = libc::rlimit { rlim_cur: bytes, rlim_max: bytes };
            // SAFETY: the pid is our unreaped child, the limit is a valid structure, no old value is asked for.
            unsafe { libc::prlimit(child.id() as libc::pid_t, libc::RLIMIT_AS, &limit, std::ptr::null_mut()) };
        }
        let (stdin, stdout) = (child.stdin.take(), child.stdout.take());
        let (to, questions) = channel::<String>();
        let (answers, from) = channel::<String>();
        // From here on the destructor answers for the process.
        let mut dialogue = Dialogue { child, to, from, questions: 0, output_bytes: limits.output_bytes };
        let (Some(mut stdin), Some(stdout)) = (stdin, stdout) else {
            return Err(failed("it has no pipes".to_string()));
        };
        std::thread::spawn(move || {
            for text in questions {
                if stdin.write_all(text.as_bytes()).and_then(|()| stdin.flush()).is_err() {
                    return;
                }
            }
        });
        std::thread::spawn(move || {
            for line in BufReader::new(stdout).split(b'\n') {
                let Ok(line) = line else { return };
                if answers.send(String::from_utf8_lossy(&line).into_owned()).is_err() {
                    return;
                }
            }
        });
        let deadline = Instant::now() + HANDSHAKE;
        match dialogue.ask("", &CancelToken::new(), Some(deadline)) {
            Ok(_) => Ok(dialogue),
            Err(silence) => Err(failed(format!("it does not answer what it is asked one by one: {silence}"))),
        }
    }

    /// Sends commands and gives all that is printed until they are worked through.
    ///
    /// # Errors
    /// [`Silence`]; nothing more can then be asked.
    pub fn ask(&mut self, text: &str, cancel: &CancelToken, deadline: Option<Instant>) -> Result<String, Silence> {
        self.questions += 1;
        let mark = format!("end-of-answer-{}", self.questions);
        self.to.send(format!("{text}\n(echo \"{mark}\")\n")).map_err(|_| Silence::Ended)?;
        let mut answer = String::new();
        loop {
            match self.from.recv_timeout(TICK) {
                Ok(line) if line.trim().trim_matches('"') == mark => return Ok(answer),
                Ok(line) => {
                    answer.push_str(&line);
                    answer.push('\n');
                    if answer.len() > self.output_bytes {
                        return Err(Silence::Flood);
                    }
                }
                Err(RecvTimeoutError::Disconnected) => return Err(Silence::Ended),
                Err(RecvTimeoutError::Timeout) => {}
            }
            if cancel.is_cancelled() {
                return Err(Silence::Cancelled);
            }
            if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                return Err(Silence::Time);
            }
        }
    }
}

impl Drop for Dialogue {
    fn drop(&mut self) {
        // SAFETY: the leader is not reaped yet, so its pid, which is the group's id, is nobody else's.
        unsafe { libc::killpg(self.child.id() as libc::pid_t, libc::SIGKILL) };
        // It has been killed: there is nothing to learn from how it ended.
        let _ = self.child.wait();
    }
}
