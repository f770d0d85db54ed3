//! One run of a program under limits: spawned directly, fed from memory, killed whole, reaped, measured.
//!
//! The child gets a process group of its own and its limits before its first instruction, without a copy of our page tables
//! (24 ms at 1 GiB of heap), and its input as an anonymous memory file. One thread serves one run: it sleeps in `poll` on the
//! output pipes and a pidfd. If that thread or all of us is killed, the system kills the child, and what the child had started
//! ends by the kernel's limit of CPU time.

mod child;
mod lease;
pub(crate) mod line;
mod spawn;

use child::Child;
use std::ffi::OsString;
use std::fmt;
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

/// The interval at which a sleeping run checks the cancellation flag and the memory use.
const TICK: Duration = Duration::from_millis(20);

/// The environment variable that names a program's owner, for [`crate::leftovers`].
pub(crate) const OWNER: &str = "SQUALL_OWNER";

/// The limits of one run. A run that reaches a limit is killed with all its descendants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProcessLimits {
    /// Wall-clock time from spawn to exit.
    pub wall: Duration,
    /// CPU time (user and system) of the program itself; the kernel counts whole seconds, rounded up here. Without it a program may use
    /// any number of processors for its wall-clock time; if we were killed, it ends once it has used as much CPU time as that limit,
    /// counted from our last check.
    pub cpu: Option<Duration>,
    /// CPU time for each script of a batch, or for the whole of another run; checked every 20 ms, so up to that much more may be used.
    /// Unlike a wall-clock limit, it does not depend on the load of the machine.
    pub script_cpu: Option<Duration>,
    /// Memory in bytes, enforced as [`MemoryGuard`] says.
    pub memory_bytes: Option<u64>,
    /// Bytes of standard output and standard error together.
    pub output_bytes: usize,
}

impl Default for ProcessLimits {
    fn default() -> ProcessLimits {
        ProcessLimits {
            wall: Duration::from_secs(10),
            cpu: None,
            script_cpu: None,
            memory_bytes: Some(2 << 30),
            output_bytes: 16 << 20,
        }
    }
}

/// How a memory limit is enforced.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MemoryGuard {
    /// `RLIMIT_AS`: exact, but counts reserved addresses, which sanitizers and the JVM reserve without using.
    #[default]
    AddressSpace,
    /// The resident set is checked every 20 ms, and the program killed above the limit.
    WatchedRss,
    /// The program limits itself by an option on its command line.
    OwnOption,
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RunStatus {
    /// The program exited with this code.
    Exited(i32),
    /// The program died of this signal, which we did not send.
    Signaled(i32),
    /// Killed at the wall-clock limit.
    TimedOut,
    /// Killed at the CPU limit.
    CpuOut,
    /// Killed at the memory limit, or died because memory beyond it was refused.
    MemOut,
    /// Killed for printing more than the limit.
    OutputOut,
    /// Killed because the run was cancelled.
    Cancelled,
}

impl RunStatus {
    /// Whether the process did not end by itself.
    pub fn is_limit(self) -> bool {
        !matches!(self, RunStatus::Exited(_) | RunStatus::Signaled(_))
    }
}

/// Says how the process ended, as the end of a sentence about it.
impl fmt::Display for RunStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RunStatus::Exited(code) => write!(f, "ended with exit code {code}"),
            RunStatus::Signaled(signal) => write!(f, "died of signal {signal}"),
            RunStatus::TimedOut => f.write_str("ran out of time"),
            RunStatus::CpuOut => f.write_str("used up its CPU time"),
            RunStatus::MemOut => f.write_str("used too much memory"),
            RunStatus::OutputOut => f.write_str("printed too much"),
            RunStatus::Cancelled => f.write_str("was stopped"),
        }
    }
}

/// The output and the resource use of a run.
#[derive(Clone, Debug)]
pub struct ProcessRun {
    /// Standard output, up to the output limit.
    pub stdout: Vec<u8>,
    /// Standard error, up to the output limit.
    pub stderr: Vec<u8>,
    /// How the process ended.
    pub status: RunStatus,
    /// Wall-clock time from before the spawn until everything was reaped.
    pub wall: Duration,
    /// CPU time of the program and of those of its children it waited for.
    pub cpu: Duration,
    /// Largest resident set of the program in bytes.
    pub peak_rss_bytes: u64,
}

impl ProcessRun {
    /// Returns the result of a program that prints a text and exits.
    pub(crate) fn printed(text: String) -> ProcessRun {
        let (wall, cpu, peak_rss_bytes) = Default::default();
        ProcessRun {
            stdout: text.into_bytes(),
            stderr: Vec::new(),
            status: RunStatus::Exited(0),
            wall,
            cpu,
            peak_rss_bytes,
        }
    }
}

/// Why a program could not be run.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The command is empty.
    #[error("the command to run is empty")]
    NoCommand,
    /// The program could not be started.
    #[error("cannot start '{program}': {cause}")]
    Spawn {
        /// The program's name or path.
        program: String,
        /// The error, with advice if there is any.
        cause: String,
    },
    /// A system call on the running program failed.
    #[error("cannot {action} for '{program}': {source}")]
    System {
        /// The attempted action.
        action: &'static str,
        /// The program's name or path.
        program: String,
        /// The error.
        source: io::Error,
    },
}

/// A flag that stops every run that holds a clone of it, at the next tick (20 ms).
#[derive(Clone, Debug, Default)]
pub struct CancelToken {
    own: Arc<AtomicBool>,
    /// When it is cancelled by itself.
    at: Arc<OnceLock<Instant>>,
    /// The token to which this part belongs.
    whole: Option<Arc<CancelToken>>,
}

impl CancelToken {
    /// Makes a token that is not cancelled.
    pub fn new() -> CancelToken {
        CancelToken::default()
    }

    /// Makes a token for a part of the work: cancelled by itself, or with this one.
    pub fn part(&self) -> CancelToken {
        CancelToken { own: Arc::default(), at: Arc::default(), whole: Some(Arc::new(self.clone())) }
    }

    /// Cancels it at this time. Only the first call counts.
    pub fn cancel_at(&self, at: Instant) {
        self.at.get_or_init(|| at);
    }

    /// Stops the runs. Safe to call from a signal handler.
    pub fn cancel(&self) {
        self.own.store(true, Ordering::Relaxed);
    }

    /// Returns the flag, true once cancelled, for code without tokens. The flag of a part does not include the whole.
    pub fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.own)
    }

    /// Whether [`CancelToken::cancel`] was called, on this token or one to which it belongs, or its time has come.
    pub fn is_cancelled(&self) -> bool {
        self.own.load(Ordering::Relaxed)
            || self.at.get().is_some_and(|at| Instant::now() >= *at)
            || self.whole.as_ref().is_some_and(|whole| whole.is_cancelled())
    }
}

/// One program to run.
#[derive(Clone, Debug)]
pub struct ProcessJob<'a> {
    /// The program and its arguments.
    pub command: &'a [OsString],
    /// Its standard input.
    pub input: &'a [u8],
    /// Its limits.
    pub limits: &'a ProcessLimits,
    /// How the memory limit is enforced.
    pub memory_guard: MemoryGuard,
    /// Stops the run early.
    pub cancel: Option<&'a CancelToken>,
    /// What the program prints to report progress.
    pub marks: Option<Marks<'a>>,
    /// The owner, for [`crate::leftovers`].
    pub owner: Option<&'a str>,
    /// Additional environment variables.
    pub variables: &'a [(String, String)],
    /// The working folder; by default ours.
    pub folder: Option<&'a Path>,
}

impl<'a> ProcessJob<'a> {
    /// Makes the job run in `/`, where only the system's owner puts files, instead of the current folder. For helpers such as pip and
    /// cargo, which read configuration and even programs from their working folder.
    pub fn of_helper(command: &'a [OsString], limits: &'a ProcessLimits) -> ProcessJob<'a> {
        ProcessJob { folder: Some(Path::new("/")), ..ProcessJob::new(command, b"", limits) }
    }

    /// Makes a run without a cancel token; a memory limit is enforced by the default guard.
    pub fn new(command: &'a [OsString], input: &'a [u8], limits: &'a ProcessLimits) -> ProcessJob<'a> {
        ProcessJob {
            command,
            input,
            limits,
            memory_guard: MemoryGuard::default(),
            cancel: None,
            marks: None,
            owner: None,
            variables: &[],
            folder: None,
        }
    }
}

/// What a program prints on standard output to report progress.
#[derive(Clone, Copy, Debug)]
pub enum Marks<'a> {
    /// The program has completed one of its tasks: each has the whole wall-clock limit.
    Task {
        /// The printed text.
        text: &'a [u8],
        /// The maximum count: the run ends within `count + 1` times the limit, whatever it prints.
        count: usize,
    },
    /// It has given all wanted answers: the run ends there as if it had exited with 0, since large programs take milliseconds to clean
    /// up.
    Last(&'a [u8]),
}

/// Runs a program to its end or to its first limit.
///
/// Invariant: when this returns, the program is reaped and nothing of its process group runs on.
pub fn run(job: &ProcessJob<'_>) -> Result<ProcessRun, RunError> {
    let start = Instant::now();
    let mut child = Child::spawn(job)?;
    let reason = child.serve(job, start)?;
    child.end(job, reason, start)
}

/// A program killed after its last answer. Drop waits until the system has cleaned it up, and kills descendants that left its group.
#[must_use = "the program is waited for when this is dropped"]
#[derive(Default)]
pub struct Ending(Option<Child>);

/// Runs a program like [`run`], but leaves the work after its last answer ([`Marks::Last`]) to the second value: for a program with much
/// memory this takes milliseconds, in which its answer can be read. CPU time and memory of such a run are unknown: they are zero.
pub fn run_to_last_word(job: &ProcessJob<'_>) -> Result<(ProcessRun, Ending), RunError> {
    let start = Instant::now();
    let mut child = Child::spawn(job)?;
    let reason = child.serve(job, start)?;
    if reason != Some(RunStatus::Exited(0)) {
        return Ok((child.end(job, reason, start)?, Ending(None)));
    }
    child.kill();
    let (stdout, stderr) = child.take_output();
    let (status, wall) = (RunStatus::Exited(0), start.elapsed());
    let run = ProcessRun { status, stdout, stderr, wall, cpu: Duration::ZERO, peak_rss_bytes: 0 };
    Ok((run, Ending(Some(child))))
}

impl Drop for Ending {
    fn drop(&mut self) {
        if let Some(child) = &mut self.0 {
            // It has answered: a later error does not change its answer.
            let _ = child.finish();
        }
    }
}

/// Returns the number of processors available to this process; one if unknown.
pub fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Returns the CPU time of all programs that this process started or adopted and that have ended, with all that they waited for.
pub fn ended_cpu() -> Duration {
    // SAFETY: an all-zero rusage is valid, and getrusage writes at most the structure it is given.
    let usage = unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        libc::getrusage(libc::RUSAGE_CHILDREN, &raw mut usage);
        usage
    };
    time_of(usage.ru_utime) + time_of(usage.ru_stime)
}

/// Lowers the priority of this thread, and of the programs that it starts from now on, by `by` (POSIX, setpriority(3)). A failure is
/// ignored: it changes no answer.
pub fn lower_priority(by: u32) {
    // On Linux no process is the calling thread.
    if let Ok(now) = rustix::process::getpriority_process(None) {
        let _ = rustix::process::setpriority_process(None, now.saturating_add_unsigned(by));
    }
}

fn time_of(time: libc::timeval) -> Duration {
    Duration::new(u64::try_from(time.tv_sec).unwrap_or(0), u32::try_from(time.tv_usec).unwrap_or(0) * 1000)
}

fn final_status(
    status: libc::c_int,
    reason: Option<RunStatus>,
    usage: &libc::rusage,
    limits: &ProcessLimits,
) -> RunStatus {
    if reason == Some(RunStatus::OutputOut) {
        return RunStatus::OutputOut;
    }
    if !libc::WIFSIGNALED(status) {
        // It ended by itself between our decision to kill it and the kill: its output is complete.
        return RunStatus::Exited(libc::WEXITSTATUS(status));
    }
    let signal = libc::WTERMSIG(status);
    if let (libc::SIGKILL, Some(reason)) = (signal, reason) {
        return reason;
    }
    // Only the limit causes SIGXCPU. The usage cannot be compared: on a busy machine the kernel's own count of seconds runs ahead of the
    // reported usage, by more than a tenth of a second in observed cases.
    if signal == libc::SIGXCPU {
        return RunStatus::CpuOut;
    }
    let Some(limit) = limits.cpu else { return RunStatus::Signaled(signal) };
    let cpu = time_of(usage.ru_utime) + time_of(usage.ru_stime);
    let slack = Duration::from_millis(500);
    if signal == libc::SIGKILL && cpu + slack >= Duration::from_secs(lease::seconds(limit)) {
        return RunStatus::CpuOut;
    }
    RunStatus::Signaled(signal)
}

/// Messages of programs to which memory is refused.
const OUT_OF_MEMORY: [&[u8]; 7] = [
    b"out of memory",
    b"Out of memory",
    b"bad_alloc",
    b"memory exhausted",
    b"MemoryError",
    b"OutOfMemoryError",
    b"Cannot allocate memory",
];

/// A program that died under a memory limit, with a message about refused memory, or by a signal with half of the limit in use, died of
/// the limit. The second rule may mistake a crash for a lack of memory, never the other way round: a crash is a finding, and we must not
/// cause it.
fn judge_memory(mut run: ProcessRun, job: &ProcessJob<'_>) -> ProcessRun {
    let Some(limit) = job.limits.memory_bytes else { return run };
    let says_so = |bytes: &[u8]| OUT_OF_MEMORY.iter().any(|words| memchr::memmem::find(bytes, words).is_some());
    let died_of_it = match run.status {
        RunStatus::Exited(0) => false,
        RunStatus::Exited(_) => says_so(&run.stderr) || says_so(&run.stdout),
        RunStatus::Signaled(_) => {
            let guarded = job.memory_guard == MemoryGuard::AddressSpace;
            guarded && run.peak_rss_bytes >= limit / 2 || says_so(&run.stderr) || says_so(&run.stdout)
        }
        _ => false,
    };
    if died_of_it {
        run.status = RunStatus::MemOut;
    }
    run
}
