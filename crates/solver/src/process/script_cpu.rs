//! The CPU time that one script of a batch has used.

use crate::proc_stat::Stat;
use rustix::process::Pid;
use std::time::Duration;

/// What is known of it since the script began, which is when it was made.
#[derive(Default)]
pub(super) struct ScriptCpu {
    /// What the process had used at the first look.
    before: Option<Duration>,
}

impl ScriptCpu {
    /// Looks at the process; whether the script has used more than `limit` since the first look.
    pub(super) fn is_over(&mut self, pid: Pid, limit: Duration) -> bool {
        let Some(stat) = Stat::of(pid.as_raw_pid().unsigned_abs()) else { return false };
        let used = stat.cpu();
        used.saturating_sub(*self.before.get_or_insert(used)) > limit
    }
}
