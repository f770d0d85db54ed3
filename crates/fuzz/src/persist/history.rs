//! The history of a campaign's folder: the progress of each run, in one small file that is written atomically.

use crate::counts::answer_counts::{Cell, CellKey, CellRow};
use crate::counts::error_texts::ErrorTexts;
use crate::state::event::{CampaignStatus, RemoteWorker};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io;
use std::path::Path;

/// The file in the campaign's folder.
pub const FILE: &str = "stats.json";
/// The version of its format.
pub const FORMAT: u32 = 1;
/// The number of points stored per run. Beyond it, every second point is dropped, and half as many are taken from then on.
const MAX_POINTS: usize = 512;

/// The contents of [`FILE`]: all runs in a folder, in order.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct RunHistory {
    /// The version of the format, [`FORMAT`].
    pub format: u32,
    /// The runs.
    pub runs: Vec<CampaignRun>,
}

/// One run. Times are in seconds.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct CampaignRun {
    /// Its start, in seconds since 1970-01-01 UTC.
    pub started_at: u64,
    /// Whether the run ended normally; a killed one did not.
    pub ended: bool,
    /// The campaign's seed.
    pub seed: u64,
    /// The number of worker threads.
    pub jobs: usize,
    /// The solvers under test.
    pub solvers: Vec<String>,
    /// The number of seed files.
    pub seeds: usize,
    /// The number of seed files sent at least once.
    pub seeds_sent: u64,
    /// The number of seeds that gave nothing for at least one solver.
    pub seeds_skipped: usize,
    /// The number of ticks between two points.
    pub stride: u64,
    /// The progress, from the start to the end.
    pub points: Vec<HistoryPoint>,
    /// Answers by solver, mutator and logic.
    pub cells: Vec<CellRow>,
    /// The messages in place of answers and mutants, of this run and those before.
    #[serde(default)]
    pub errors: ErrorTexts,
    /// Workers on other machines, at the time of writing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub workers: Vec<RemoteWorker>,
}

/// The progress at one moment of a run.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct HistoryPoint {
    /// Wall-clock time since the start of the run.
    pub wall_s: f64,
    /// CPU time of this process and of the solvers.
    pub cpu_s: f64,
    /// CPU time of the solvers.
    pub solver_cpu_s: f64,
    /// The number of mutants sent.
    pub mutants: u64,
    /// The number of confirmed findings of mutants, of every class.
    pub findings: u64,
    /// The number of their groups.
    pub groups: u64,
}

impl RunHistory {
    /// Loads the history of a folder; empty if there is none yet, or none that this program can read.
    pub fn load(out: &Path) -> RunHistory {
        let read =
            files::found(out.join(FILE)).ok().and_then(|bytes| serde_json::from_slice::<RunHistory>(&bytes).ok());
        read.filter(|history| history.format <= FORMAT).unwrap_or_default()
    }

    /// Serializes it.
    /// Errors: none in practice: every member is plain data.
    pub fn text(&self) -> io::Result<String> {
        let whole = RunHistory { format: FORMAT, runs: self.runs.clone() };
        Ok(serde_json::to_string(&whole).map_err(io::Error::other)? + "\n")
    }

    /// Returns the cells of all runs together.
    pub fn cells(&self) -> BTreeMap<CellKey, Cell> {
        let mut all: BTreeMap<CellKey, Cell> = BTreeMap::new();
        for row in self.runs.iter().flat_map(|run| &run.cells) {
            all.entry(row.key.clone()).or_default().add(&row.cell);
        }
        all
    }
}

impl CampaignRun {
    /// Records the status at a tick, numbered from 0, or at the end.
    pub fn note(&mut self, tick: u64, standing: &CampaignStatus, is_end: bool) {
        self.stride = self.stride.max(1);
        self.seeds_sent = standing.counts.seeds;
        self.seeds_skipped = standing.skipped;
        if !is_end && !tick.is_multiple_of(self.stride) {
            return;
        }
        self.points.push(HistoryPoint {
            wall_s: standing.wall_s,
            cpu_s: standing.cpu_s,
            solver_cpu_s: standing.solver_cpu_s,
            mutants: standing.counts.mutants,
            findings: standing.tally.findings.values().sum(),
            groups: standing.tally.groups,
        });
        if self.points.len() > MAX_POINTS {
            let mut n = 0;
            self.points.retain(|_| {
                n += 1;
                n % 2 == 1
            });
            self.stride *= 2;
        }
    }
}
