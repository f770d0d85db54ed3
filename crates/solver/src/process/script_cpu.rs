//! The CPU time that one script of a batch has used.

use crate::proc_stat::Stat;
use std::time::Duration;

/// What is known of it since the script began, which is when it was made.
#[derive(Default)]
pub(super) struct ScriptCpu {
    /// What the process had used at the first look.
    before: Option<Duration>,
}

impl ScriptCpu {
    /// Looks at the process; whether the script has used more than `limit` since the first look.
    pub(super) fn is_over(&mut self, pid: libc::pid_t, limit: Duration) -> bool {
        let Some(stat) = u32::try_from(pid).ok().and_then(Stat::of) else { return false };
        let used = stat.cpu();
        used.saturating_sub(*self.before.get_or_insert(used)) > limit
    }
}
