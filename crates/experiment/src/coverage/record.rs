//! What was measured so far of one phase, the seeds or an arm: points of its curve, and what it executed.

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};
use solver::coverage::{CoverageItems, CoverageSet, CoverageUnit};
use std::io::ErrorKind;
use std::path::Path;

/// A point of a curve: sums since the begin of its phase.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct CoveragePoint {
    /// Scripts run.
    pub scripts: u64,
    /// CPU time of the solver, in seconds.
    pub cpu_s: f64,
    /// Scripts of which the solver crashed. gcov and clang write no counters then.
    pub crashed: u64,
    /// Scripts that were killed at a limit. gcov and clang write no counters then.
    pub limited: u64,
    /// Scripts with a check that the solver did not answer because of an error.
    pub refused: u64,
    /// How many items of each unit the seeds and this phase executed.
    pub counts: Vec<(CoverageUnit, usize)>,
}

impl CoveragePoint {
    /// How many items of a unit were executed.
    pub fn count(&self, unit: CoverageUnit) -> usize {
        self.counts.iter().find(|(counted, _)| *counted == unit).map_or(0, |(_, count)| *count)
    }
}

/// A phase so far, as it is on disk.
#[derive(Clone, Default, Debug, Serialize, Deserialize)]
struct StoredPhase {
    points: Vec<CoveragePoint>,
    tried: u64,
    executed: String,
}

/// A phase so far.
#[derive(Clone, Default, Debug)]
pub struct PhaseRecord {
    /// Its curve.
    pub points: Vec<CoveragePoint>,
    /// How many scripts were tried to be made.
    pub tried: u64,
    /// What its scripts executed.
    pub executed: CoverageSet,
}

impl PhaseRecord {
    /// Reads a phase; an empty one where the file is not there.
    ///
    /// # Errors
    /// A file that cannot be read.
    pub fn load(path: &Path) -> Result<PhaseRecord> {
        let text = match files::found_text(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(PhaseRecord::default()),
            text => text.with_context(|| format!("cannot read {}", path.display()))?,
        };
        let advice = || format!("{} cannot be read; remove it to measure it again", path.display());
        let stored: StoredPhase = serde_json::from_str(&text).with_context(advice)?;
        let Some(executed) = CoverageSet::from_hex(&stored.executed) else { bail!(advice()) };
        Ok(PhaseRecord { points: stored.points, tried: stored.tried, executed })
    }

    /// Writes the phase, whole or not at all.
    ///
    /// # Errors
    /// Whatever the system says, such as that the disk is full.
    pub fn save(&self, path: &Path) -> Result<()> {
        let stored = StoredPhase { points: self.points.clone(), tried: self.tried, executed: self.executed.to_hex() };
        let text = serde_json::to_string(&stored)? + "\n";
        files::atomic::write(path, text.as_bytes())
            .with_context(|| format!("cannot write {}; the same command goes on once there is space", path.display()))
    }

    /// The last point, all zero where there is none.
    pub fn last(&self) -> CoveragePoint {
        self.points.last().cloned().unwrap_or_default()
    }
}

/// The counts of a set, a unit each.
pub fn counts(items: &CoverageItems, set: &CoverageSet) -> Vec<(CoverageUnit, usize)> {
    items.units().into_iter().map(|unit| (unit, set.count(items, unit))).collect()
}
