//! Adds one store's contents to another, for campaigns that were done in parts.

use super::{CampaignStore, Opened, StoreError};
use crate::schedule::completed::Shard;
use crate::state::finding_index::{GroupKey, KnownGroup};
use rusqlite::params;
use std::path::Path;

/// Sums rows that both have. `o` is the other store.
const ADD: &str = "
    INSERT OR IGNORE INTO solvers SELECT * FROM o.solvers;
    INSERT OR IGNORE INTO mutators (name) SELECT name FROM o.mutators;
    INSERT INTO seeds SELECT * FROM o.seeds WHERE true ON CONFLICT DO UPDATE SET
        sha256 = coalesce(sha256, excluded.sha256), sent = max(sent, excluded.sent),
        logic = iif(labelled, logic, excluded.logic), statuses = iif(labelled, statuses, excluded.statuses),
        labelled = max(labelled, excluded.labelled), skipped = coalesce(skipped, excluded.skipped);
    INSERT OR IGNORE INTO witnesses SELECT * FROM o.witnesses;
    INSERT INTO pairs SELECT * FROM o.pairs WHERE true ON CONFLICT DO UPDATE SET
        visits = visits + excluded.visits, strikes = max(strikes, excluded.strikes), seen = seen | excluded.seen,
        cost = cost + excluded.cost, reward = reward + excluded.reward;
    INSERT INTO arms SELECT * FROM o.arms WHERE true ON CONFLICT DO UPDATE SET
        cost = cost + excluded.cost, reward = reward + excluded.reward;
    INSERT INTO counts SELECT * FROM o.counts WHERE true ON CONFLICT DO UPDATE SET n = n + excluded.n;
    INSERT INTO answers SELECT * FROM o.answers WHERE true ON CONFLICT DO UPDATE SET n = n + excluded.n;
    INSERT INTO coverage
        SELECT c.seed, m.id, c.solver, c.mode, c.units, c.mutants
        FROM o.coverage c JOIN o.mutators om ON om.id = c.mutator JOIN mutators m ON m.name = om.name WHERE true
        ON CONFLICT DO UPDATE SET units = units + excluded.units, mutants = mutants + excluded.mutants;
    INSERT INTO throughput SELECT * FROM o.throughput WHERE true ON CONFLICT DO UPDATE SET
        units = units + excluded.units, mutants = mutants + excluded.mutants,
        solver_cpu_ns = solver_cpu_ns + excluded.solver_cpu_ns, groups = groups + excluded.groups;
    INSERT INTO groups (class, solver, mode, seed, from_seed, options, symptom, flaky, confirmed, unconfirmed, repeats)
        SELECT class, solver, mode, seed, from_seed, options, symptom, flaky, confirmed, unconfirmed, repeats FROM o.groups WHERE true
        ON CONFLICT DO UPDATE SET confirmed = confirmed + excluded.confirmed,
        unconfirmed = unconfirmed + excluded.unconfirmed, repeats = repeats + excluded.repeats;
    INSERT INTO facts SELECT * FROM o.facts WHERE name IN ('wall_s', 'own_cpu_s')
        ON CONFLICT DO UPDATE SET value = value + excluded.value;
    -- A seed that several parts sent counts once.
    UPDATE counts SET n = (SELECT count(*) FROM seeds WHERE sent) WHERE name = 'seeds';";

impl CampaignStore {
    /// Adds the contents of a part's store, except findings, which [`Store::rewrite_groups`] writes.
    /// Errors: that store cannot be read or is damaged.
    pub(crate) fn absorb(&mut self, other: &Path, shard: Shard) -> Result<(), StoreError> {
        // Migrated to this version first.
        let part = match CampaignStore::open(other)? {
            Opened::Whole(part) => part,
            Opened::Damaged { cause, aside, .. } => {
                let code = rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_CORRUPT);
                let cause = format!("{cause}; it was put aside as '{aside}'");
                return Err(rusqlite::Error::SqliteFailure(code, Some(cause)).into());
            }
        };
        let remembered = part.past()?.remembered;
        drop(part);
        self.connection.execute("ATTACH ?1 AS o", [other.to_string_lossy()])?;
        let added = self.add(shard, remembered.watermark, remembered.done.len());
        self.connection.execute("DETACH o", [])?;
        added
    }

    fn add(&mut self, shard: Shard, mark: u64, above: usize) -> Result<(), StoreError> {
        let transaction = self.connection.transaction()?;
        transaction.execute_batch(ADD)?;
        let row = params![shard.first as i64, shard.step as i64, mark as i64, above as i64];
        transaction.execute("INSERT OR REPLACE INTO shards VALUES (?1, ?2, ?3, ?4)", row)?;
        Ok(transaction.commit()?)
    }

    /// Writes the current groups, with the stored findings of each.
    pub(crate) fn rewrite_groups(&mut self, groups: &[(GroupKey, KnownGroup)]) -> Result<(), StoreError> {
        let transaction = self.connection.transaction()?;
        for (key, group) in groups {
            super::write::write_group(&transaction, key, group)?;
        }
        Ok(transaction.commit()?)
    }

    /// Returns the names of solvers and seeds, by position.
    pub(crate) fn names(&self) -> Result<(Vec<String>, Vec<String>), StoreError> {
        let solvers = self.all("SELECT label FROM solvers ORDER BY position", |row| row.get(0))?;
        let seeds = self.all("SELECT name FROM seeds ORDER BY position", |row| row.get(0))?;
        Ok((solvers, seeds))
    }
}
