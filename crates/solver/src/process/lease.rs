//! CPU time lent to a program in advance: who is not renewed since we were killed ends by the kernel's limit.
//!
//! While we live, the wall-clock limit is what ends a program; the kernel's limit of CPU time is moved ahead of it, so that
//! neither several threads nor several scripts in one process ever meet it.

use super::TICK;
use super::spawn::Resource;
use crate::proc_stat;
use std::time::{Duration, Instant};

/// The shortest lease, as long as what the kernel counts in.
const SHORTEST: Duration = Duration::from_secs(1);

/// The lease of a process and its descendants.
#[derive(Debug)]
pub(super) struct ProcessLease {
    pid: libc::pid_t,
    /// How much CPU time is lent at once.
    term: Duration,
    /// When it is looked at again.
    next: Instant,
    every: Duration,
}

impl ProcessLease {
    /// The limit that a program starts with, if each of its tasks may take `wall`.
    pub(super) fn first(wall: Duration) -> (Resource, libc::rlimit) {
        let soft = seconds(wall.max(SHORTEST));
        // Raising the hard limit needs privileges, so it is left alone: the soft limit's signal ends a program.
        (libc::RLIMIT_CPU, libc::rlimit { rlim_cur: soft, rlim_max: libc::RLIM_INFINITY })
    }

    /// The lease of a process that was started with [`ProcessLease::first`].
    pub(super) fn new(pid: libc::pid_t, wall: Duration) -> ProcessLease {
        let term = wall.max(SHORTEST);
        // However many threads it has, half of the term is not used up between two looks.
        let every = (term / 4 / u32::try_from(super::processors()).unwrap_or(u32::MAX)).max(TICK);
        ProcessLease { pid, term, next: Instant::now() + every, every }
    }

    /// Lends more to those that have used half of theirs.
    pub(super) fn renew(&mut self) {
        let now = Instant::now();
        if now < self.next {
            return;
        }
        self.next = now + self.every;
        let mut processes = vec![self.pid];
        while let Some(pid) = processes.pop() {
            self.extend(pid);
            let children = u32::try_from(pid).map_or_else(|_| Vec::new(), proc_stat::children);
            processes.extend(children.into_iter().filter_map(|pid| libc::pid_t::try_from(pid).ok()));
        }
    }

    /// Invariant: a limit is never set where there is none, and never lowered. A pid may belong to another process by now.
    fn extend(&self, pid: libc::pid_t) {
        let Some(used) = cpu_time(pid) else { return };
        // SAFETY: an all-zero rlimit is valid; the calls read or write just this structure.
        unsafe {
            let mut limit: libc::rlimit = std::mem::zeroed();
            if libc::prlimit(pid, libc::RLIMIT_CPU, std::ptr::null(), &mut limit) != 0 {
                return;
            }
            let wanted = seconds(used + self.term);
            if limit.rlim_cur != libc::RLIM_INFINITY && seconds(used + self.term / 2) >= limit.rlim_cur {
                limit.rlim_cur = wanted.max(limit.rlim_cur).min(limit.rlim_max);
                libc::prlimit(pid, libc::RLIMIT_CPU, &limit, std::ptr::null_mut());
            }
        }
    }
}

/// Whole seconds, rounded up, as the kernel counts CPU time.
pub(super) fn seconds(time: Duration) -> u64 {
    (time.as_secs() + u64::from(time.subsec_nanos() > 0)).max(1)
}

/// The CPU time of a process and all its threads; none if it is gone.
fn cpu_time(pid: libc::pid_t) -> Option<Duration> {
    // SAFETY: both calls write only what they are given; an all-zero timespec is valid.
    unsafe {
        let mut clock = 0;
        let mut time: libc::timespec = std::mem::zeroed();
        if libc::clock_getcpuclockid(pid, &mut clock) != 0 || libc::clock_gettime(clock, &mut time) != 0 {
            return None;
        }
        Some(Duration::new(time.tv_sec.try_into().ok()?, time.tv_nsec.try_into().ok()?))
    }
}
