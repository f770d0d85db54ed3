//! Summarizes a store that another process may be writing, without changing anything or waiting.

use super::{CampaignStore, PATIENCE, StoreError, past};
use crate::counts::stats::Snapshot;
use crate::state::finding_index::{FindingCounts, FindingIndex};
use rusqlite::{Connection, OpenFlags};
use std::collections::BTreeMap;
use std::path::Path;

/// The minutes over which the recent rate is measured.
const RECENT: i64 = 5;

/// The status of a campaign according to its store.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct StoreSummary {
    /// All counts.
    pub totals: Snapshot,
    /// The counts of findings.
    pub tally: FindingCounts,
    /// Wall-clock seconds of all runs.
    pub wall_s: f64,
    /// CPU seconds of all runs, without the counted time of solvers.
    pub own_cpu_s: f64,
    /// The solvers under test.
    pub solvers: Vec<String>,
    /// The number of seed files.
    pub seeds: u64,
    /// The number of seeds that gave nothing for at least one solver.
    pub skipped: u64,
    /// Answers by solver and answer.
    pub answers: BTreeMap<String, BTreeMap<String, u64>>,
    /// Mutants per second over the last minutes of running time, including the current one.
    pub recent_rate: f64,
}

/// Reads the status of a campaign from the store at a path.
/// Errors: it does not exist, is damaged, has a later version, belongs to another program, or cannot be read.
pub fn summary(path: &Path) -> Result<StoreSummary, StoreError> {
    super::check_files(path)?;
    let connection = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    connection.busy_timeout(PATIENCE)?;
    // A consistent snapshot.
    let moment = connection.unchecked_transaction()?;
    let is_new = super::version(&connection, path)? == 0;
    drop(moment);
    let store = CampaignStore { connection };
    // A campaign killed in its first moments has no table yet.
    if is_new { Ok(StoreSummary::default()) } else { store.summary() }
}

impl CampaignStore {
    fn summary(&self) -> Result<StoreSummary, StoreError> {
        let moment = self.connection.unchecked_transaction()?;
        let mut totals = Snapshot::default();
        for (name, n) in
            self.all("SELECT name, n FROM counts", |row| Ok((row.get::<_, String>(0)?, past::count(row.get(1)?))))?
        {
            totals.set(&name, n);
        }
        let groups = self.all(past::GROUPS, past::group)?.into_iter().flatten();
        let mut answers: BTreeMap<String, BTreeMap<String, u64>> = BTreeMap::new();
        let rows = self.all("SELECT solver, answer, sum(n) FROM answers GROUP BY solver, answer", |row| {
            Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?, past::count(row.get(2)?)))
        })?;
        for (solver, answer, n) in rows {
            answers.entry(solver).or_default().insert(answer, n);
        }
        let wall_s: f64 = self.fact("wall_s")?.unwrap_or(0.0);
        let first = ((wall_s / 60.0) as i64 - RECENT).max(0);
        let sent: u64 = self.connection.query_row(
            "SELECT coalesce(sum(mutants), 0) FROM throughput WHERE minute >= ?1",
            [first],
            |row| row.get(0).map(past::count),
        )?;
        let number = |sql: &str| self.connection.query_row(sql, [], |row| row.get(0).map(past::count));
        let summary = StoreSummary {
            totals,
            tally: FindingIndex::restore(groups, []).tally(),
            wall_s,
            own_cpu_s: self.fact("own_cpu_s")?.unwrap_or(0.0),
            solvers: self.all("SELECT label FROM solvers ORDER BY position", |row| row.get(0))?,
            seeds: number("SELECT count(*) FROM seeds")?,
            skipped: number("SELECT count(*) FROM seeds WHERE skipped IS NOT NULL")?,
            answers,
            recent_rate: sent as f64 / (wall_s - 60.0 * first as f64).max(1e-3),
        };
        drop(moment);
        Ok(summary)
    }
}
