//! The known state of a campaign at its start, and the changes written in one transaction.

use crate::persist::stored_findings::StoredFinding;
use crate::seeds::models::ModelKey;
use crate::state::finding_index::{FindingIndex, GroupKey, KnownGroup};
use crate::state::{Delta, Remembered};
use std::sync::Arc;
use std::time::Duration;

/// The known state of a campaign at its start.
#[derive(Default)]
pub(crate) struct Past {
    pub(crate) remembered: Remembered,
    pub(crate) groups: Vec<(GroupKey, KnownGroup)>,
    pub(crate) models: Vec<(ModelKey, Option<Arc<str>>)>,
    pub(crate) findings: Vec<StoredFinding>,
}

/// Seconds that a campaign took, over all its runs.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct SpentTime {
    /// Wall clock.
    pub wall_s: f64,
    /// CPU time of this program, without solvers.
    pub own_cpu_s: f64,
}

/// The changes written in one transaction.
#[derive(Clone, Debug, Default)]
pub struct StateUpdate {
    /// The events.
    pub delta: Delta,
    /// The current groups.
    pub groups: Vec<(GroupKey, KnownGroup)>,
}

impl Past {
    /// Returns the index of findings.
    pub(crate) fn index(&self) -> FindingIndex {
        let on_disk = self.findings.iter().map(|f| (f.key.clone(), f.bytes, f.id.clone()));
        FindingIndex::restore(self.groups.iter().cloned(), on_disk)
    }

    /// Whether there is anything.
    pub(crate) fn is_any(&self) -> bool {
        self.remembered.watermark > 0 || self.remembered.totals.mutants > 0 || !self.findings.is_empty()
    }

    /// Returns the total time spent, including this run so far.
    pub(crate) fn spent(&self, wall: Duration, own_cpu: Duration) -> SpentTime {
        SpentTime {
            wall_s: self.remembered.wall_s + wall.as_secs_f64(),
            own_cpu_s: self.remembered.own_cpu_s + own_cpu.as_secs_f64(),
        }
    }
}
