//! The results of one phase so far, the seeds or an arm: the points of its curve, and what it executed.

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};
use solver::coverage::{CoverageItems, CoverageSet, CoverageUnit};
use std::io::ErrorKind;
use std::path::Path;

/// A point of a curve: sums since the start of its phase.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct CoveragePoint {
    /// Scripts run.
    pub scripts: u64,
    /// CPU time of the solver, in seconds.
    pub cpu_s: f64,
    /// Scripts that crashed the solver. gcov and clang write no counters then.
    pub crashed: u64,
    /// Scripts killed at a limit. gcov and clang write no counters then.
    pub limited: u64,
    /// Scripts with a check that the solver answered with an error.
    pub refused: u64,
    /// The number of items of each unit that the seeds and this phase executed.
    pub counts: Vec<(CoverageUnit, usize)>,
}

impl CoveragePoint {
    /// Returns the number of executed items of a unit.
    pub fn count(&self, unit: CoverageUnit) -> usize {
        self.counts.iter().find(|(counted, _)| *counted == unit).map_or(0, |(_, count)| *count)
    }
}

/// A phase so far, as on disk.
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
    /// The number of attempts to make a script.
    pub tried: u64,
    /// What its scripts executed.
    pub executed: CoverageSet,
}

impl PhaseRecord {
    /// Reads a phase. Returns an empty one if the file does not exist.
    /// Errors: the file cannot be read.
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

    /// Writes the phase atomically.
    /// Errors: the file cannot be written, such as on a full disk.
    pub fn save(&self, path: &Path) -> Result<()> {
        let stored = StoredPhase { points: self.points.clone(), tried: self.tried, executed: self.executed.to_hex() };
        let text = serde_json::to_string(&stored)? + "\n";
        files::atomic::write(path, text.as_bytes())
            .with_context(|| format!("cannot write {}; the same command goes on once there is space", path.display()))
    }

    /// Returns the last point, or zeros if there is none.
    pub fn last(&self) -> CoveragePoint {
        self.points.last().cloned().unwrap_or_default()
    }
}

/// Returns the number of items of a set per unit.
pub fn counts(items: &CoverageItems, set: &CoverageSet) -> Vec<(CoverageUnit, usize)> {
    items.units().into_iter().map(|unit| (unit, set.count(items, unit))).collect()
}
