//! The CPU time that one script of a batch has used.

use crate::proc_stat::Stat;
use rustix::process::Pid;
use std::time::Duration;

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
