//! The history of a campaign's folder: what each run did over time, in one small file that is written whole.

use crate::counts::answer_counts::{Cell, CellKey, CellRow};
use crate::state::event::{CampaignStatus, RemoteWorker};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io;
use std::path::Path;

/// The file, in the campaign's folder.
pub const FILE: &str = "stats.json";
/// The version of its layout.
pub const FORMAT: u32 = 1;
/// Points kept of one run. With one more, every second is dropped, and from then on half as many are taken.
const MAX_POINTS: usize = 512;

/// The contents of [`FILE`]: the runs in one folder, the first one first.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct RunHistory {
    /// The layout's version, [`FORMAT`].
    pub format: u32,
    /// The runs.
    pub runs: Vec<CampaignRun>,
}

/// One run. Times are in seconds.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct CampaignRun {
    /// When it began, in seconds since 1970-01-01 UTC.
    pub started_at: u64,
    /// Whether it came to its end; a killed one did not.
    pub ended: bool,
    /// The campaign's seed.
    pub seed: u64,
    /// Worker threads.
    pub jobs: usize,
    /// The solvers under test.
    pub solvers: Vec<String>,
    /// Seed files given.
    pub seeds: usize,
    /// Seed files sent at least once.
    pub seeds_sent: u64,
    /// Seeds that gave nothing for at least one solver.
    pub seeds_skipped: usize,
    /// Every how many ticks of the campaign a point is kept.
    pub stride: u64,
    /// How things stood, from the start to the end.
    pub points: Vec<HistoryPoint>,
    /// Answers by solver, mutator and logic.
    pub cells: Vec<CellRow>,
    /// Workers on other machines, as they were when this was written.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub workers: Vec<RemoteWorker>,
}

/// How things stood at one moment of a run.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct HistoryPoint {
    /// Wall-clock time since the run began.
    pub wall_s: f64,
    /// CPU time of this process and of the solvers.
    pub cpu_s: f64,
    /// CPU time of the solvers.
    pub solver_cpu_s: f64,
    /// Mutants sent.
    pub mutants: u64,
    /// Confirmed findings of mutants, of every class.
    pub findings: u64,
    /// Groups of them.
    pub groups: u64,
}

impl RunHistory {
    /// The history of a folder; an empty one if there is none yet, or none that this program can read.
    pub fn load(out: &Path) -> RunHistory {
        let read =
            files::found(out.join(FILE)).ok().and_then(|bytes| serde_json::from_slice::<RunHistory>(&bytes).ok());
        read.filter(|history| history.format <= FORMAT).unwrap_or_default()
    }

    /// Its text.
    ///
    /// # Errors
    /// None in practice: every member is plain data.
    pub fn text(&self) -> io::Result<String> {
        let whole = RunHistory { format: FORMAT, runs: self.runs.clone() };
        Ok(serde_json::to_string(&whole).map_err(io::Error::other)? + "\n")
    }

    /// The cells of all runs together.
    pub fn cells(&self) -> BTreeMap<CellKey, Cell> {
        let mut all: BTreeMap<CellKey, Cell> = BTreeMap::new();
        for row in self.runs.iter().flat_map(|run| &run.cells) {
            all.entry(row.key.clone()).or_default().add(&row.cell);
        }
        all
    }
}

impl CampaignRun {
    /// Takes note of how things stand at a tick, the first of which is 0, or at the end.
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
