//! CPU time lent to a program in advance: if we are killed, it is not renewed, and the kernel's limit ends the program.
//!
//! While we live, the wall-clock limit ends a program; the kernel's CPU limit stays ahead of it, so that neither several threads nor
//! several scripts in one process ever reach it.

use super::TICK;
use super::spawn::Resource;
use crate::proc_stat::{self, Stat};
use rustix::process::{Pid, Rlimit, prlimit};
use std::time::{Duration, Instant};

/// The shortest lease, one unit of the kernel's count.
const SHORTEST: Duration = Duration::from_secs(1);

/// The lease of a process and its descendants.
#[derive(Debug)]
pub(super) struct ProcessLease {
    pid: Pid,
    /// The amount of CPU time lent at once.
    term: Duration,
    /// The time of the next check.
    next: Instant,
    every: Duration,
}

impl ProcessLease {
    /// Returns the initial limit of a program whose tasks may take `wall` each.
    pub(super) fn first(wall: Duration) -> (Resource, libc::rlimit) {
        let soft = seconds(wall.max(SHORTEST));
        // Raising the hard limit needs privileges, so it stays unchanged: the soft limit's signal ends a program.
        (libc::RLIMIT_CPU, libc::rlimit { rlim_cur: soft, rlim_max: libc::RLIM_INFINITY })
    }

    /// Makes the lease of a process that was started with [`ProcessLease::first`].
    pub(super) fn new(pid: Pid, wall: Duration) -> ProcessLease {
        let term = wall.max(SHORTEST);
        // With any number of threads, half of the term is not used up between two checks.
        let every = (term / 4 / u32::try_from(super::processors()).unwrap_or(u32::MAX)).max(TICK);
        ProcessLease { pid, term, next: Instant::now() + every, every }
    }

    /// Extends the lease of processes that have used half of theirs.
    pub(super) fn renew(&mut self) {
        let now = Instant::now();
        if now < self.next {
            return;
        }
        self.next = now + self.every;
        let mut processes = vec![self.pid.as_raw_pid().unsigned_abs()];
        while let Some(pid) = processes.pop() {
            self.extend(pid);
            processes.extend(proc_stat::children(pid));
        }
    }

    /// Invariant: a limit is never set where there is none, and never lowered. A pid may belong to another process by now.
    fn extend(&self, pid: u32) {
        let Some(used) = Stat::of(pid).map(|stat| stat.cpu()) else { return };
        let Some((Some(current), maximum)) = proc_stat::cpu_limit(pid) else { return };
        if seconds(used + self.term / 2) >= current {
            let wanted = seconds(used + self.term).max(current).min(maximum.unwrap_or(u64::MAX));
            let limit = Rlimit { current: Some(wanted), maximum };
            let _ = prlimit(pid.try_into().ok().and_then(Pid::from_raw), rustix::process::Resource::Cpu, limit);
        }
    }
}

/// The CPU time at the start of the script, which is when this is made.
#[derive(Default)]
pub(super) struct ScriptCpu {
    /// The CPU time of the process at the first check.
    before: Option<Duration>,
}

impl ScriptCpu {
    /// Checks the process; returns whether the script has used more than `limit` since the first check.
    pub(super) fn is_over(&mut self, pid: Pid, limit: Duration) -> bool {
        let Some(stat) = Stat::of(pid.as_raw_pid().unsigned_abs()) else { return false };
        let used = stat.cpu();
        used.saturating_sub(*self.before.get_or_insert(used)) > limit
    }
}

/// Whole seconds, rounded up, as the kernel counts CPU time.
pub(super) fn seconds(time: Duration) -> u64 {
    (time.as_secs() + u64::from(time.subsec_nanos() > 0)).max(1)
}
