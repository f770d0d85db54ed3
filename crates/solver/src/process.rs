//! One run of a program under limits: spawned directly, fed from memory, killed whole, reaped, measured.
//!
//! The child gets a process group of its own through `posix_spawn` (a hook between fork and exec would make the
//! standard library copy our page tables: 24 ms at 1 GiB of heap), its limits by `prlimit` right after, and its input
//! as an anonymous memory file. One thread serves one run: it sleeps in `poll` on the output pipes and a pidfd.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};
use std::os::unix::fs::FileExt;
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::escapees;

/// How often a sleeping run looks at the cancellation flag and at the memory in use.
const TICK: Duration = Duration::from_millis(20);
/// How long the output of a killed group may take to end before its holders are looked for by force.
const DRAIN_GRACE: Duration = Duration::from_millis(200);
const READ_CHUNK: usize = 64 * 1024;

/// What one run may use. A run that meets a limit is killed with all its descendants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Wall-clock time from spawn to exit.
    pub wall: Duration,
    /// CPU time (user and system) of the program itself; the kernel counts it in whole seconds, rounded up here.
    pub cpu: Option<Duration>,
    /// Memory in bytes, enforced as [`MemoryGuard`] says.
    pub memory_bytes: Option<u64>,
    /// Bytes of standard output and standard error together.
    pub output_bytes: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { wall: Duration::from_secs(10), cpu: None, memory_bytes: Some(2 << 30), output_bytes: 16 << 20 }
    }
}

/// How a memory limit is enforced.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MemoryGuard {
    /// `RLIMIT_AS`: exact, but it counts reserved addresses, which sanitizers and the JVM reserve without using.
    #[default]
    AddressSpace,
    /// The resident set is looked at while the program runs (every 20 ms) and the program killed above the limit.
    WatchedRss,
    /// The program limits itself by an option on its command line.
    OwnOption,
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Status {
    /// The program exited with this code.
    Exited(i32),
    /// The program died of this signal, which we did not send.
    Signaled(i32),
    /// Killed at the wall-clock limit.
    TimedOut,
    /// Killed at the CPU limit.
    CpuOut,
    /// Killed at the memory limit, or died of being refused memory beyond it.
    MemOut,
    /// Killed for printing more than the limit.
    OutputOut,
    /// Killed because the run was cancelled.
    Cancelled,
}

/// What a run printed and used.
#[derive(Clone, Debug)]
pub struct Run {
    /// Standard output, up to the output limit.
    pub stdout: Vec<u8>,
    /// Standard error, up to the output limit.
    pub stderr: Vec<u8>,
    /// How it ended.
    pub status: Status,
    /// Wall-clock time from before the spawn until everything was reaped.
    pub wall: Duration,
    /// CPU time of the program and of those of its children it waited for.
    pub cpu: Duration,
    /// Largest resident set of the program in bytes.
    pub peak_rss_bytes: u64,
}

/// Why a program could not be run at all.
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
        /// What the system said, with advice where there is any.
        cause: String,
    },
    /// A system call on the running program failed.
    #[error("cannot {action} for '{program}': {source}")]
    System {
        /// What was attempted.
        action: &'static str,
        /// The program's name or path.
        program: String,
        /// What the system said.
        source: io::Error,
    },
}

/// A flag that stops every run that holds a clone of it, at the next tick (20 ms).
#[derive(Clone, Debug, Default)]
pub struct CancelToken(Arc<AtomicBool>);

impl CancelToken {
    /// A token that is not cancelled.
    pub fn new() -> CancelToken {
        CancelToken::default()
    }

    /// Stops the runs. Safe to call from a signal handler.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// The flag itself, true once cancelled, for those that know nothing of tokens.
    pub fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.0)
    }

    /// Whether [`CancelToken::cancel`] was called.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// One program to run.
#[derive(Clone, Debug)]
pub struct Job<'a> {
    /// The program and its arguments.
    pub command: &'a [OsString],
    /// What it reads on standard input.
    pub input: &'a [u8],
    /// What it may use.
    pub limits: &'a Limits,
    /// How the memory limit is enforced.
    pub memory_guard: MemoryGuard,
    /// Stops the run early.
    pub cancel: Option<&'a CancelToken>,
    /// What it prints to say how far it is.
    pub marks: Option<Marks<'a>>,
}

impl<'a> Job<'a> {
    /// A run that nobody stops early, of a program whose memory limit, if there is one, is enforced by the default guard.
    pub fn new(command: &'a [OsString], input: &'a [u8], limits: &'a Limits) -> Job<'a> {
        Job { command, input, limits, memory_guard: MemoryGuard::default(), cancel: None, marks: None }
    }
}

/// What a program prints on standard output to say how far it is.
#[derive(Clone, Copy, Debug)]
pub enum Marks<'a> {
    /// It is done with one of its tasks: each has the whole wall-clock limit for itself.
    Task {
        /// What is printed.
        text: &'a [u8],
        /// How often that counts, at most: the run ends within `count + 1` times the limit, whatever it prints.
        count: usize,
    },
    /// It has said all that is wanted: the run ends there as if it had exited with 0, since large programs take
    /// milliseconds to tidy up before they exit.
    Last(&'a [u8]),
}

/// Runs a program to its end or to its first limit.
///
/// Invariant: when this returns, the program is reaped and nothing of its process group runs on.
pub fn run(job: &Job<'_>) -> Result<Run, RunError> {
    let start = Instant::now();
    let mut child = Child::spawn(job)?;
    let reason = child.serve(job, start)?;
    child.end(job, reason, start)
}

/// A program that was killed at its last word. Dropping it waits until the system has cleared it away and looks after
/// descendants that left its group.
#[must_use = "the program is waited for when this is dropped"]
#[derive(Default)]
pub struct Ending(Option<Child>);

/// Runs a program as [`run`] does, and leaves what comes after its last word ([`Marks::Last`]) to the second value: for a
/// program with much memory that takes milliseconds, in which its answer can be read. CPU time and memory of a run that ends so
/// are not known: they are zero.
pub fn run_to_last_word(job: &Job<'_>) -> Result<(Run, Ending), RunError> {
    let start = Instant::now();
    let mut child = Child::spawn(job)?;
    let reason = child.serve(job, start)?;
    if reason != Some(Status::Exited(0)) {
        return Ok((child.end(job, reason, start)?, Ending(None)));
    }
    child.kill();
    let run = Run {
        status: Status::Exited(0),
        stdout: std::mem::take(&mut child.stdout.bytes),
        stderr: std::mem::take(&mut child.stderr.bytes),
        wall: start.elapsed(),
        cpu: Duration::ZERO,
        peak_rss_bytes: 0,
    };
    Ok((run, Ending(Some(child))))
}

impl Drop for Ending {
    fn drop(&mut self) {
        if let Some(child) = &mut self.0 {
            // It has answered: nothing that goes wrong now changes what it said.
            let _ = child.finish();
        }
    }
}

struct Child {
    program: String,
    pid: libc::pid_t,
    /// `None` where the kernel has no pidfds: the exit is then looked for at every tick.
    pidfd: Option<OwnedFd>,
    stdout: Stream,
    stderr: Stream,
    reaped: bool,
}

/// How far the output has been searched for marks.
struct Watched<'a> {
    text: &'a [u8],
    /// How many still count.
    count: usize,
    is_last: bool,
    searched: usize,
}

impl<'a> Watched<'a> {
    fn new(marks: Marks<'a>) -> Watched<'a> {
        match marks {
            Marks::Task { text, count } => Watched { text, count, is_last: false, searched: 0 },
            Marks::Last(text) => Watched { text, count: 1, is_last: true, searched: 0 },
        }
    }

    /// Whether marks that still count were printed since the last call.
    fn has_more(&mut self, output: &[u8]) -> bool {
        let before = self.count;
        while self.count > 0
            && let Some(at) = memchr::memmem::find(&output[self.searched..], self.text)
        {
            self.searched += at + self.text.len().max(1);
            self.count -= 1;
        }
        // The end may hold the beginning of a mark.
        self.searched = self.searched.max(output.len().saturating_sub(self.text.len()));
        self.count < before
    }
}

struct Stream {
    file: Option<File>,
    bytes: Vec<u8>,
}

impl Child {
    fn spawn(job: &Job<'_>) -> Result<Child, RunError> {
        let (program, args) = job.command.split_first().ok_or(RunError::NoCommand)?;
        let name = program.to_string_lossy().into_owned();
        let system = |action| {
            let program = name.clone();
            move |source| RunError::System { action, program, source }
        };
        let input = memory_file(job.input).map_err(system("make a memory file"))?;
        let mut command = Command::new(program);
        command.args(args).process_group(0).stdin(input).stdout(Stdio::piped()).stderr(Stdio::piped());
        // Messages are matched as text: they must not depend on the user's language.
        command.env("LC_ALL", "C");
        let mut spawned =
            command.spawn().map_err(|error| RunError::Spawn { program: name.clone(), cause: spawn_advice(&error) })?;
        drop(command); // It holds the memory file.
        let pid = spawned.id() as libc::pid_t;
        let (stdout, stderr) = (spawned.stdout.take(), spawned.stderr.take());
        // From here on `Child` answers for the process: its destructor kills and reaps on every early return.
        let child = Child {
            pidfd: pidfd_open(pid),
            pid,
            stdout: Stream::new(stdout.map(|s| File::from(OwnedFd::from(s)))),
            stderr: Stream::new(stderr.map(|s| File::from(OwnedFd::from(s)))),
            reaped: false,
            program: name.clone(),
        };
        child.limit(job);
        child.stdout.set_nonblocking().map_err(system("set up its output"))?;
        child.stderr.set_nonblocking().map_err(system("set up its output"))?;
        Ok(child)
    }

    /// Sets the kernel's limits. The child may already have run some instructions, never enough to matter; and it
    /// may already be gone, in which case there is nothing to limit: errors are of no consequence.
    fn limit(&self, job: &Job<'_>) {
        let set = |resource, soft: u64, hard: u64| {
            let limit = libc::rlimit { rlim_cur: soft, rlim_max: hard };
            // SAFETY: the pid is our unreaped child, the limit is a valid structure, no old value is asked for.
            unsafe { libc::prlimit(self.pid, resource, &limit, std::ptr::null_mut()) };
        };
        set(libc::RLIMIT_CORE, 0, 0);
        if let Some(cpu) = job.limits.cpu {
            let seconds = cpu_seconds(cpu);
            set(libc::RLIMIT_CPU, seconds, seconds + 1);
        }
        if let (Some(bytes), MemoryGuard::AddressSpace) = (job.limits.memory_bytes, job.memory_guard) {
            set(libc::RLIMIT_AS, bytes, bytes);
        }
    }

    /// Reads output until the program exits or meets a limit; says which limit of ours it met.
    fn serve(&mut self, job: &Job<'_>, mut start: Instant) -> Result<Option<Status>, RunError> {
        let mut watched = job.marks.map(Watched::new);
        loop {
            let left = job.limits.wall.saturating_sub(start.elapsed());
            if left.is_zero() {
                return Ok(Some(Status::TimedOut));
            }
            if job.cancel.is_some_and(CancelToken::is_cancelled) {
                return Ok(Some(Status::Cancelled));
            }
            let exited = self.sleep(left.min(TICK))?;
            self.stdout.read_available();
            self.stderr.read_available();
            if let Some(watched) = &mut watched
                && watched.has_more(&self.stdout.bytes)
            {
                if watched.is_last {
                    return Ok(Some(Status::Exited(0)));
                }
                start = Instant::now();
            }
            if self.stdout.bytes.len() + self.stderr.bytes.len() > job.limits.output_bytes {
                return Ok(Some(Status::OutputOut));
            }
            if exited {
                return Ok(None);
            }
            if let (Some(bytes), MemoryGuard::WatchedRss) = (job.limits.memory_bytes, job.memory_guard)
                && resident_bytes(self.pid) > bytes
            {
                return Ok(Some(Status::MemOut));
            }
        }
    }

    /// Waits for output, for the exit, or for the time to pass; says whether the program has exited.
    fn sleep(&self, time: Duration) -> Result<bool, RunError> {
        let fd = |fd: Option<RawFd>| libc::pollfd { fd: fd.unwrap_or(-1), events: libc::POLLIN, revents: 0 };
        let mut fds = [
            fd(self.pidfd.as_ref().map(AsRawFd::as_raw_fd)),
            fd(self.stdout.file.as_ref().map(AsRawFd::as_raw_fd)),
            fd(self.stderr.file.as_ref().map(AsRawFd::as_raw_fd)),
        ];
        let without_pidfd = Duration::from_millis(2);
        let time = if self.pidfd.is_some() { time } else { time.min(without_pidfd) };
        poll(&mut fds, time).map_err(|source| self.error("wait", source))?;
        if self.pidfd.is_some() {
            return Ok(fds[0].revents != 0);
        }
        self.has_exited()
    }

    /// Whether the program has exited; it stays a zombie, so its pid and its group's id stay ours.
    fn has_exited(&self) -> Result<bool, RunError> {
        // SAFETY: an all-zero siginfo_t is valid, and waitid writes at most that structure.
        unsafe {
            let mut info: libc::siginfo_t = std::mem::zeroed();
            let options = libc::WEXITED | libc::WNOHANG | libc::WNOWAIT;
            if libc::waitid(libc::P_PID, self.pid as libc::id_t, &mut info, options) != 0 {
                return Err(self.error("wait", io::Error::last_os_error()));
            }
            Ok(info.si_pid() != 0)
        }
    }

    /// Ends the run, for this reason if it is a limit of ours.
    fn end(mut self, job: &Job<'_>, reason: Option<Status>, start: Instant) -> Result<Run, RunError> {
        let (status, usage) = self.finish()?;
        let run = Run {
            status: final_status(status, reason, &usage, job.limits),
            stdout: std::mem::take(&mut self.stdout.bytes),
            stderr: std::mem::take(&mut self.stderr.bytes),
            wall: start.elapsed(),
            cpu: time_of(usage.ru_utime) + time_of(usage.ru_stime),
            peak_rss_bytes: u64::try_from(usage.ru_maxrss).unwrap_or(0) * 1024,
        };
        Ok(judge_memory(run, job))
    }

    /// Kills the whole group.
    fn kill(&self) {
        // SAFETY: the leader is not reaped yet, so its pid, which is the group's id, cannot have been given to anyone else.
        unsafe { libc::killpg(self.pid, libc::SIGKILL) };
    }

    /// Kills what is left of the group, reaps the program and takes the rest of its output.
    fn finish(&mut self) -> Result<(libc::c_int, libc::rusage), RunError> {
        let result = self.kill_and_reap();
        let deadline = Instant::now() + DRAIN_GRACE;
        let mut hunted = false;
        loop {
            self.stdout.read_available();
            self.stderr.read_available();
            let open: Vec<&File> = [&self.stdout, &self.stderr].into_iter().filter_map(|s| s.file.as_ref()).collect();
            let mut fds: Vec<libc::pollfd> = open
                .iter()
                .map(|file| libc::pollfd { fd: file.as_raw_fd(), events: libc::POLLIN, revents: 0 })
                .collect();
            let left = deadline.saturating_duration_since(Instant::now());
            if fds.is_empty() || hunted {
                break;
            }
            if left.is_zero() {
                // The group is dead and still somebody holds our pipe: a descendant that left the group.
                escapees::kill_holders_of_pipes(&open);
                hunted = true;
            } else {
                poll(&mut fds, left).map_err(|source| self.error("wait", source))?;
            }
        }
        result
    }

    fn kill_and_reap(&mut self) -> Result<(libc::c_int, libc::rusage), RunError> {
        let mut status = 0;
        self.kill();
        // SAFETY: an all-zero rusage is valid, and wait4 writes at most the two structures it is given.
        unsafe {
            let mut usage: libc::rusage = std::mem::zeroed();
            loop {
                if libc::wait4(self.pid, &mut status, 0, &mut usage) == self.pid {
                    self.reaped = true;
                    return Ok((status, usage));
                }
                let error = io::Error::last_os_error();
                if error.kind() != io::ErrorKind::Interrupted {
                    self.reaped = true;
                    return Err(self.error("learn the exit status", error));
                }
            }
        }
    }

    fn error(&self, action: &'static str, source: io::Error) -> RunError {
        RunError::System { action, program: self.program.clone(), source }
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        if !self.reaped {
            let _ = self.kill_and_reap();
        }
    }
}

impl Stream {
    fn new(file: Option<File>) -> Stream {
        Stream { file, bytes: Vec::new() }
    }

    fn set_nonblocking(&self) -> io::Result<()> {
        let Some(file) = &self.file else { return Ok(()) };
        // SAFETY: the descriptor is open, and it is our end of the pipe only: the child's end keeps blocking.
        match unsafe { libc::fcntl(file.as_raw_fd(), libc::F_SETFL, libc::O_NONBLOCK) } {
            -1 => Err(io::Error::last_os_error()),
            _ => Ok(()),
        }
    }

    /// Takes what is there, at most a pipe's capacity at once, so that a flood cannot keep us from our limits.
    fn read_available(&mut self) {
        let Some(file) = &mut self.file else { return };
        // What was read before an error stays in the buffer.
        match file.take(READ_CHUNK as u64).read_to_end(&mut self.bytes) {
            Ok(READ_CHUNK) => {}
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
            Ok(_) | Err(_) => self.file = None,
        }
    }
}

/// Lowers the priority of this thread, and of the programs it starts from now on, by so much (POSIX, setpriority(3)). Nobody is
/// told if the system refuses: it changes no answer.
pub fn lower_priority(by: u32) {
    let by = libc::c_int::try_from(by).unwrap_or(libc::c_int::MAX);
    // SAFETY: the calls take and give integers. On Linux the process 0 is the calling thread.
    unsafe {
        let now = libc::getpriority(libc::PRIO_PROCESS, 0);
        libc::setpriority(libc::PRIO_PROCESS, 0, now.saturating_add(by));
    }
}

fn poll(fds: &mut [libc::pollfd], time: Duration) -> io::Result<()> {
    let time = libc::timespec {
        tv_sec: time.as_secs().min(3600) as libc::time_t,
        tv_nsec: time.subsec_nanos() as libc::c_long,
    };
    // SAFETY: the slice is valid for its length and the time for the call.
    let result = unsafe { libc::ppoll(fds.as_mut_ptr(), fds.len() as libc::nfds_t, &time, std::ptr::null()) };
    match result {
        -1 => match io::Error::last_os_error() {
            error if error.kind() == io::ErrorKind::Interrupted => Ok(()),
            error => Err(error),
        },
        _ => Ok(()),
    }
}

/// A file in memory that holds `input`, read from its beginning.
fn memory_file(input: &[u8]) -> io::Result<File> {
    // SAFETY: the name is a C string; the descriptor returned is new and ours alone.
    let file = unsafe {
        match libc::memfd_create(c"input".as_ptr(), libc::MFD_CLOEXEC) {
            -1 => return Err(io::Error::last_os_error()),
            fd => File::from_raw_fd(fd),
        }
    };
    // Written at a given place, the file's own position, which the child shares, stays at the beginning.
    file.write_all_at(input, 0)?;
    Ok(file)
}

fn pidfd_open(pid: libc::pid_t) -> Option<OwnedFd> {
    // SAFETY: the system call takes two integers and returns a new descriptor or -1.
    match unsafe { libc::syscall(libc::SYS_pidfd_open, pid, 0) } {
        -1 => None,
        // SAFETY: the descriptor is new and ours alone.
        fd => Some(unsafe { OwnedFd::from_raw_fd(fd as RawFd) }),
    }
}

fn spawn_advice(error: &io::Error) -> String {
    match error.raw_os_error() {
        Some(libc::ENOENT) => "no such program; check the path, or 'solver list' for what is installed".to_string(),
        Some(libc::EACCES) => "it is not executable; chmod +x may be missing".to_string(),
        Some(libc::ENOEXEC) => "it is no program for this machine".to_string(),
        Some(libc::EMFILE) => "too many open files; use fewer jobs or raise 'ulimit -n'".to_string(),
        Some(libc::EAGAIN) => "too many processes; use fewer jobs or raise 'ulimit -u'".to_string(),
        _ => error.to_string(),
    }
}

fn cpu_seconds(cpu: Duration) -> u64 {
    (cpu.as_secs() + u64::from(cpu.subsec_nanos() > 0)).max(1)
}

fn time_of(time: libc::timeval) -> Duration {
    Duration::new(u64::try_from(time.tv_sec).unwrap_or(0), u32::try_from(time.tv_usec).unwrap_or(0) * 1000)
}

/// Resident bytes of a process; 0 when it is gone.
fn resident_bytes(pid: libc::pid_t) -> u64 {
    let pages = std::fs::read_to_string(format!("/proc/{pid}/statm"))
        .ok()
        .and_then(|text| text.split(' ').nth(1)?.parse::<u64>().ok());
    // SAFETY: sysconf takes a constant and has no other effect.
    let page = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
    pages.unwrap_or(0) * u64::try_from(page).unwrap_or(4096)
}

fn final_status(status: libc::c_int, reason: Option<Status>, usage: &libc::rusage, limits: &Limits) -> Status {
    if reason == Some(Status::OutputOut) {
        return Status::OutputOut;
    }
    if !libc::WIFSIGNALED(status) {
        // It ended by itself between our decision to kill it and the kill: what it said is all it had to say.
        return Status::Exited(libc::WEXITSTATUS(status));
    }
    let signal = libc::WTERMSIG(status);
    if let (libc::SIGKILL, Some(reason)) = (signal, reason) {
        return reason;
    }
    let Some(limit) = limits.cpu else { return Status::Signaled(signal) };
    // SIGXCPU comes of the limit alone. The usage cannot tell: on a busy machine the kernel's own count of seconds runs
    // ahead of the usage it reports, by more than a tenth of a second as seen.
    if signal == libc::SIGXCPU {
        return Status::CpuOut;
    }
    let cpu = time_of(usage.ru_utime) + time_of(usage.ru_stime);
    let slack = Duration::from_millis(500);
    if signal == libc::SIGKILL && cpu + slack >= Duration::from_secs(cpu_seconds(limit)) {
        return Status::CpuOut;
    }
    Status::Signaled(signal)
}

/// What programs print when memory is refused to them.
const OUT_OF_MEMORY: [&[u8]; 7] = [
    b"out of memory",
    b"Out of memory",
    b"bad_alloc",
    b"memory exhausted",
    b"MemoryError",
    b"OutOfMemoryError",
    b"Cannot allocate memory",
];

/// A program that died under a memory limit, saying that memory was refused, or of a signal with half of the limit
/// in use, died of the limit. The second rule may take a crash for a lack of memory, never the other way round: a
/// crash is a finding and must not be of our making.
fn judge_memory(mut run: Run, job: &Job<'_>) -> Run {
    let Some(limit) = job.limits.memory_bytes else { return run };
    let says_so = |bytes: &[u8]| OUT_OF_MEMORY.iter().any(|words| memchr::memmem::find(bytes, words).is_some());
    let died_of_it = match run.status {
        Status::Exited(0) => false,
        Status::Exited(_) => says_so(&run.stderr) || says_so(&run.stdout),
        Status::Signaled(_) => {
            let guarded = job.memory_guard == MemoryGuard::AddressSpace;
            guarded && run.peak_rss_bytes >= limit / 2 || says_so(&run.stderr) || says_so(&run.stdout)
        }
        _ => false,
    };
    if died_of_it {
        run.status = Status::MemOut;
    }
    run
}
