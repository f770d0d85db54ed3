//! The persistent state of a campaign: the folder's manifest, the store, the history; and its known state at the start.

pub mod checkpoint;
pub mod history;
pub(crate) mod manifest;
#[cfg(feature = "store")]
pub mod merge;
#[cfg(feature = "store")]
pub mod store;
pub(crate) mod stored_findings;

use crate::findings::OutError;
use crate::persist::stored_findings::StoredFinding;
use crate::seeds::models::ModelKey;
use crate::state::finding_index::{FindingIndex, GroupKey, KnownGroup};
use crate::state::{Delta, Remembered};
use std::io;
use std::sync::Arc;
use std::time::Duration;

/// Why a campaign could not be run, or did not end well.
#[derive(Debug, thiserror::Error)]
pub enum CampaignError {
    /// The folder cannot be used.
    #[error(transparent)]
    Out(#[from] OutError),
    /// The folder holds another campaign.
    #[error(
        "'{path}' holds a campaign that differs in {differences}; continue it with --resume '{path}', or name another folder with --out"
    )]
    Other {
        /// The folder.
        path: String,
        /// The differences, with both values.
        differences: String,
    },
    /// The folder's campaign tested another build of a program.
    #[error(
        "the program '{solver}' has changed since the campaign in '{path}' began, whose findings are of the build before; name another \
         folder with --out, or use squall night, which tries known causes again after each build"
    )]
    Rebuilt {
        /// The folder.
        path: String,
        /// The solver as the user named it.
        solver: String,
    },
    /// The campaign's store cannot be used.
    #[cfg(feature = "store")]
    #[error(transparent)]
    Store(#[from] crate::persist::store::StoreError),
    /// A worker thread could not be started.
    #[error("cannot start a worker thread: {0}")]
    Thread(io::Error),
    /// A finding could not be written.
    #[error("cannot write to '{path}': {cause}; the campaign was stopped")]
    Write {
        /// The folder.
        path: String,
        /// The error.
        cause: String,
    },
    /// The solver could not be run.
    #[error("{0}")]
    Solver(String),
}

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
    /// CPU time, without the counted time of solvers.
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
