//! A running program: its start, its output, and the end of everything left of it.

use super::lease::ScriptCpu;
use super::lease::{self, ProcessLease};
use super::spawn::{self, ProcessStart};
use super::{
    CancelToken, Marks, MemoryGuard, OWNER, ProcessJob, ProcessLimits, ProcessRun, RunError, RunStatus, TICK,
    final_status, judge_memory, time_of,
};
use crate::orphan_processes;
use rustix::event::{PollFd, PollFlags, Timespec};
use rustix::fs::{MemfdFlags, OFlags};
use rustix::io::Errno;
use rustix::process::{Pid, PidfdFlags, Signal, WaitId, WaitIdOptions};
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read};
use std::os::fd::OwnedFd;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::time::{Duration, Instant};

/// How long the output of a killed group may take to end before its holders are killed.
const DRAIN_GRACE: Duration = Duration::from_millis(200);
const READ_CHUNK: usize = 64 * 1024;

/// A process that is not reaped yet, or was just now. Drop kills and reaps it.
#[derive(Debug)]
pub(crate) struct Child {
    program: String,
    pid: Pid,
    /// `None` if the kernel has no pidfds: the exit is then checked at every tick.
    pidfd: Option<OwnedFd>,
    pub(super) stdout: PipeStream,
    stderr: PipeStream,
    /// The maximum size of both streams together, since they were last taken.
    pub(super) output_bytes: usize,
    /// `None` if the kernel limits its CPU time.
    lease: Option<ProcessLease>,
    reaped: bool,
}

/// A program to start, with any input.
pub(super) struct Beginning<'a> {
    pub(super) command: &'a [OsString],
    pub(super) input: &'a File,
    pub(super) limits: &'a ProcessLimits,
    pub(super) memory_guard: MemoryGuard,
    pub(super) owner: Option<&'a str>,
    pub(super) variables: &'a [(String, String)],
    pub(super) folder: Option<&'a Path>,
    /// Whether standard error is read; otherwise it is discarded.
    pub(super) has_errors: bool,
    /// Whether the process ends with the thread that starts it.
    pub(super) ends_with_thread: bool,
}

/// The search for marks in the output.
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

#[derive(Debug)]
pub(super) struct PipeStream {
    pub(super) file: Option<File>,
    pub(super) bytes: Vec<u8>,
}

impl Child {
    pub(super) fn spawn(job: &ProcessJob<'_>) -> Result<Child, RunError> {
        let program = job.command.first().ok_or(RunError::NoCommand)?.to_string_lossy().into_owned();
        let input = memory_file(job.input);
        let input = input.map_err(|source| RunError::System { action: "make a memory file", program, source })?;
        Child::begin(&Beginning {
            command: job.command,
            input: &input,
            limits: job.limits,
            memory_guard: job.memory_guard,
            owner: job.owner,
            variables: job.variables,
            folder: job.folder,
            has_errors: true,
            ends_with_thread: true,
        })
    }

    pub(super) fn begin(beginning: &Beginning<'_>) -> Result<Child, RunError> {
        let program = beginning.command.first().ok_or(RunError::NoCommand)?.to_string_lossy().into_owned();
        let system = |action| {
            let program = program.clone();
            move |source| RunError::System { action, program, source }
        };
        let (stdout, its_stdout) = spawn::pipe().map_err(system("make a pipe"))?;
        let (stderr, its_stderr) = match beginning.has_errors {
            true => spawn::pipe().map(|(reader, writer)| (Some(reader), writer)),
            false => File::options().write(true).open("/dev/null").and_then(spawn::beyond_streams).map(|f| (None, f)),
        }
        .map_err(system("make a pipe"))?;
        let mut variables = vec![
            // Messages are matched as text: they must not depend on the user's language.
            ("LC_ALL", "C"),
        ];
        variables.extend(beginning.owner.map(|owner| (OWNER, owner)));
        variables.extend(beginning.variables.iter().map(|(name, value)| (name.as_str(), value.as_str())));
        let pid = spawn::spawn(&ProcessStart {
            command: beginning.command,
            streams: [beginning.input, &its_stdout, &its_stderr],
            variables: &variables,
            folder: beginning.folder,
            limits: &kernel_limits(beginning.limits, beginning.memory_guard),
            ends_with_thread: beginning.ends_with_thread,
        })
        .map_err(|error| RunError::Spawn { program: program.clone(), cause: spawn_advice(&error) })?;
        // From here on `Child` owns the process: its destructor kills and reaps on every early return.
        let child = Child {
            pidfd: rustix::process::pidfd_open(pid, PidfdFlags::empty()).ok(),
            pid,
            stdout: PipeStream::new(Some(stdout)),
            stderr: PipeStream::new(stderr),
            output_bytes: beginning.limits.output_bytes,
            lease: beginning.limits.cpu.is_none().then(|| ProcessLease::new(pid, beginning.limits.wall)),
            reaped: false,
            program: program.clone(),
        };
        child.stdout.set_nonblocking().map_err(system("set up its output"))?;
        child.stderr.set_nonblocking().map_err(system("set up its output"))?;
        Ok(child)
    }

    /// Enforces what the program itself does not notice: a memory limit not enforced by the kernel, and the lease of CPU time. Returns
    /// whether it uses too much memory.
    pub(super) fn look_after(&mut self, limits: &ProcessLimits, memory_guard: MemoryGuard) -> bool {
        if let Some(lease) = &mut self.lease {
            lease.renew();
        }
        match (limits.memory_bytes, memory_guard) {
            (Some(bytes), MemoryGuard::WatchedRss) => resident_bytes(self.pid) > bytes,
            _ => false,
        }
    }

    /// Reads available output; returns whether it exceeds the limit.
    pub(super) fn read_available(&mut self) -> bool {
        self.stdout.read_available();
        self.stderr.read_available();
        self.stdout.bytes.len() + self.stderr.bytes.len() > self.output_bytes
    }

    /// Reads output until the program exits or reaches a limit; returns our limit that it reached.
    pub(super) fn serve(&mut self, job: &ProcessJob<'_>, mut start: Instant) -> Result<Option<RunStatus>, RunError> {
        let mut watched = job.marks.map(Watched::new);
        let mut used = ScriptCpu::default();
        loop {
            let left = job.limits.wall.saturating_sub(start.elapsed());
            if left.is_zero() {
                return Ok(Some(RunStatus::TimedOut));
            }
            if job.cancel.is_some_and(CancelToken::is_cancelled) {
                return Ok(Some(RunStatus::Cancelled));
            }
            let exited = self.sleep(left.min(TICK))?;
            let is_flood = self.read_available();
            if let Some(watched) = &mut watched
                && watched.has_more(&self.stdout.bytes)
            {
                if watched.is_last {
                    return Ok(Some(RunStatus::Exited(0)));
                }
                start = Instant::now();
                used = ScriptCpu::default();
            }
            if is_flood {
                return Ok(Some(RunStatus::OutputOut));
            }
            if exited {
                return Ok(None);
            }
            if self.look_after(job.limits, job.memory_guard) {
                return Ok(Some(RunStatus::MemOut));
            }
            if let Some(limit) = job.limits.script_cpu
                && used.is_over(self.pid, limit)
            {
                return Ok(Some(RunStatus::TimedOut));
            }
        }
    }

    /// Waits for output, for the exit, or for the time to pass; returns whether the program has exited.
    pub(super) fn sleep(&self, time: Duration) -> Result<bool, RunError> {
        let streams = [&self.stdout, &self.stderr].into_iter().filter_map(|stream| stream.file.as_ref());
        let mut fds: Vec<PollFd<'_>> = self.pidfd.iter().map(|fd| PollFd::new(fd, PollFlags::IN)).collect();
        fds.extend(streams.map(|file| PollFd::new(file, PollFlags::IN)));
        let without_pidfd = Duration::from_millis(2);
        let time = if self.pidfd.is_some() { time } else { time.min(without_pidfd) };
        poll(&mut fds, time).map_err(|source| self.error("wait", source))?;
        if self.pidfd.is_some() {
            return Ok(!fds[0].revents().is_empty());
        }
        self.has_exited()
    }

    /// Whether the program has exited; it stays a zombie, so its pid and its group's id stay ours.
    fn has_exited(&self) -> Result<bool, RunError> {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        let status = rustix::process::waitid(WaitId::Pid(self.pid), options);
        Ok(status.map_err(|error| self.error("wait", error.into()))?.is_some())
    }

    /// Ends the run, with our limit as the reason if one was reached.
    pub(super) fn end(
        mut self,
        job: &ProcessJob<'_>,
        reason: Option<RunStatus>,
        start: Instant,
    ) -> Result<ProcessRun, RunError> {
        let (status, usage) = self.finish()?;
        let (stdout, stderr) = self.take_output();
        let run = ProcessRun {
            status: final_status(status, reason, &usage, job.limits),
            stdout,
            stderr,
            wall: start.elapsed(),
            cpu: time_of(usage.ru_utime) + time_of(usage.ru_stime),
            peak_rss_bytes: u64::try_from(usage.ru_maxrss).unwrap_or(0) * 1024,
        };
        Ok(judge_memory(run, job))
    }

    /// Takes its output, standard output first.
    pub(super) fn take_output(&mut self) -> (Vec<u8>, Vec<u8>) {
        (std::mem::take(&mut self.stdout.bytes), std::mem::take(&mut self.stderr.bytes))
    }

    /// Kills the whole group.
    pub(super) fn kill(&self) {
        // The leader is not reaped yet, so its pid, which is the group's id, cannot have been reused.
        let _ = rustix::process::kill_process_group(self.pid, Signal::KILL);
    }

    /// Kills what is left of the group, reaps the program and takes the rest of its output.
    pub(super) fn finish(&mut self) -> Result<(libc::c_int, libc::rusage), RunError> {
        let result = self.kill_and_reap();
        let deadline = Instant::now() + DRAIN_GRACE;
        let mut hunted = false;
        loop {
            let is_flood = self.read_available();
            let open: Vec<&File> = [&self.stdout, &self.stderr].into_iter().filter_map(|s| s.file.as_ref()).collect();
            let mut fds: Vec<PollFd<'_>> = open.iter().map(|file| PollFd::new(*file, PollFlags::IN)).collect();
            let left = deadline.saturating_duration_since(Instant::now());
            if fds.is_empty() || hunted {
                break;
            }
            if left.is_zero() || is_flood {
                // The group is dead but another process still holds our pipe, or fills it: a descendant that left the group.
                orphan_processes::kill_holders_of_pipes(&open);
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
                if libc::wait4(self.pid.as_raw_pid(), &mut status, 0, &mut usage) == self.pid.as_raw_pid() {
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

impl PipeStream {
    fn new(file: Option<File>) -> PipeStream {
        PipeStream { file, bytes: Vec::new() }
    }

    fn set_nonblocking(&self) -> io::Result<()> {
        self.file.as_ref().map_or(Ok(()), set_nonblocking)
    }

    /// Reads available data, at most a pipe's capacity at once, so a flood cannot delay our limits.
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

pub(super) fn set_nonblocking(file: &File) -> io::Result<()> {
    // Only our end of the pipe: the child's end keeps blocking.
    Ok(rustix::fs::fcntl_setfl(file, OFlags::NONBLOCK)?)
}

/// Returns the limits that the kernel enforces.
fn kernel_limits(limits: &ProcessLimits, memory_guard: MemoryGuard) -> Vec<(spawn::Resource, libc::rlimit)> {
    let limit = |soft, hard| libc::rlimit { rlim_cur: soft, rlim_max: hard };
    let mut all = vec![(libc::RLIMIT_CORE, limit(0, 0))];
    all.push(match limits.cpu.map(lease::seconds) {
        Some(seconds) => (libc::RLIMIT_CPU, limit(seconds, seconds + 1)),
        None => ProcessLease::first(limits.wall),
    });
    if let (Some(bytes), MemoryGuard::AddressSpace) = (limits.memory_bytes, memory_guard) {
        all.push((libc::RLIMIT_AS, limit(bytes, bytes)));
    }
    all
}

pub(super) fn poll(fds: &mut [PollFd<'_>], time: Duration) -> io::Result<()> {
    let time = Timespec { tv_sec: time.as_secs().min(3600) as i64, tv_nsec: time.subsec_nanos().into() };
    match rustix::event::poll(fds, Some(&time)) {
        Ok(_) | Err(Errno::INTR) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// Creates a file in memory that contains `input`, read from its beginning.
fn memory_file(input: &[u8]) -> io::Result<File> {
    let file = spawn::beyond_streams(rustix::fs::memfd_create(c"input", MemfdFlags::CLOEXEC)?.into())?;
    // Written at an explicit offset, so the file's own position, which the child shares, stays at the beginning.
    file.write_all_at(input, 0)?;
    Ok(file)
}

fn spawn_advice(error: &io::Error) -> String {
    match error.raw_os_error() {
        Some(libc::ENOENT) => "no such program; check the path, or 'solver list' for what is installed".to_string(),
        Some(libc::EACCES) => "it is not executable; chmod +x may be missing".to_string(),
        Some(libc::ENOEXEC) => "it is not a program for this machine".to_string(),
        Some(libc::EMFILE) => "too many open files; use fewer jobs or raise 'ulimit -n'".to_string(),
        Some(libc::EAGAIN) => "too many processes; use fewer jobs or raise 'ulimit -u'".to_string(),
        _ => error.to_string(),
    }
}

/// Returns the resident bytes of a process; 0 when it is gone.
fn resident_bytes(pid: Pid) -> u64 {
    let pages = std::fs::read_to_string(format!("/proc/{pid}/statm"))
        .ok()
        .and_then(|text| text.split(' ').nth(1)?.parse::<u64>().ok());
    pages.unwrap_or(0) * rustix::param::page_size() as u64
}
