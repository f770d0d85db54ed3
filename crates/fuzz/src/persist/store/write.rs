//! Writes to the store: one batch per transaction.

use super::{CampaignStore, StoreError};
use crate::persist::{SpentTime, StateUpdate};
use crate::state::Delta;
use crate::state::finding_index::{GroupKey, KnownGroup};
use rusqlite::{Transaction, params};

impl CampaignStore {
    /// Stores the solvers' labels by position.
    pub(crate) fn name_solvers(&mut self, labels: &[String]) -> Result<(), StoreError> {
        let transaction = self.connection.transaction()?;
        for (position, label) in labels.iter().enumerate() {
            let sql = "INSERT INTO solvers VALUES (?1, ?2) ON CONFLICT DO UPDATE SET label = ?2";
            transaction.prepare_cached(sql)?.execute(params![position as i64, label])?;
        }
        Ok(transaction.commit()?)
    }

    /// Stores the seeds' names by position.
    pub(crate) fn name_seeds(&mut self, names: impl Iterator<Item = String>) -> Result<(), StoreError> {
        let transaction = self.connection.transaction()?;
        for (position, name) in names.enumerate() {
            let sql = "INSERT INTO seeds (position, name) VALUES (?1, ?2) ON CONFLICT DO NOTHING";
            transaction.prepare_cached(sql)?.execute(params![position as i64, name])?;
        }
        Ok(transaction.commit()?)
    }

    /// Writes a batch atomically.
    /// Errors: an SQLite error; nothing is written then.
    pub fn write(&mut self, batch: &StateUpdate, spent: SpentTime) -> Result<(), StoreError> {
        let transaction = self.connection.transaction()?;
        facts(&transaction, &batch.delta, spent)?;
        units(&transaction, &batch.delta)?;
        counts(&transaction, &batch.delta, spent)?;
        seeds(&transaction, &batch.delta)?;
        for (key, group) in &batch.groups {
            write_group(&transaction, key, group)?;
        }
        Ok(transaction.commit()?)
    }
}

fn facts(to: &Transaction<'_>, delta: &Delta, spent: SpentTime) -> Result<(), StoreError> {
    let mut put = to.prepare_cached("INSERT INTO facts VALUES (?1, ?2) ON CONFLICT DO UPDATE SET value = ?2")?;
    // A batch of groups alone does not change the completed units.
    if delta.watermark > 0 {
        put.execute(params!["mark", delta.watermark as i64])?;
    }
    put.execute(params!["wall_s", spent.wall_s])?;
    put.execute(params!["own_cpu_s", spent.own_cpu_s])?;
    Ok(())
}

fn units(to: &Transaction<'_>, delta: &Delta) -> Result<(), StoreError> {
    let mut put = to.prepare_cached("INSERT OR IGNORE INTO done VALUES (?1)")?;
    for position in delta.done.iter().filter(|position| **position >= delta.watermark) {
        put.execute([*position as i64])?;
    }
    to.prepare_cached("DELETE FROM done WHERE position < ?1")?.execute([delta.watermark as i64])?;
    Ok(())
}

fn counts(to: &Transaction<'_>, delta: &Delta, spent: SpentTime) -> Result<(), StoreError> {
    let mut add = to.prepare_cached("INSERT INTO counts VALUES (?1, ?2) ON CONFLICT DO UPDATE SET n = n + ?2")?;
    for (name, n) in delta.counts.named().filter(|(_, n)| *n > 0) {
        add.execute(params![name, n as i64])?;
    }
    let sql = "INSERT INTO answers VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT DO UPDATE SET n = n + ?5";
    let mut add = to.prepare_cached(sql)?;
    for (key, cell) in &delta.cells {
        for (answer, n) in &cell.answers {
            add.execute(params![key.solver, key.mutator, key.logic, answer, *n as i64])?;
        }
    }
    let mut name = to.prepare_cached("INSERT OR IGNORE INTO mutators (name) VALUES (?1)")?;
    let sql = "INSERT INTO coverage VALUES (?1, (SELECT id FROM mutators WHERE name = ?2), ?3, ?4, ?5, ?6)
               ON CONFLICT DO UPDATE SET units = units + ?5, mutants = mutants + ?6";
    let mut add = to.prepare_cached(sql)?;
    for (key, brought) in &delta.coverage {
        name.execute([&key.mutator])?;
        let (seed, solver, mode) = (key.seed as i64, key.solver as i64, key.mode as i64);
        add.execute(params![seed, key.mutator, solver, mode, brought.units as i64, brought.mutants as i64])?;
    }
    let sql = "INSERT INTO throughput VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT DO UPDATE
               SET units = units + ?2, mutants = mutants + ?3, solver_cpu_ns = solver_cpu_ns + ?4, groups = groups + ?5";
    let counts = &delta.counts;
    let [minute, groups] = [(spent.wall_s / 60.0) as i64, delta.groups as i64];
    to.prepare_cached(sql)?.execute(params![
        minute,
        counts.units as i64,
        counts.mutants as i64,
        counts.solver_cpu_ns as i64,
        groups
    ])?;
    Ok(())
}

fn seeds(to: &Transaction<'_>, delta: &Delta) -> Result<(), StoreError> {
    let mut put = to.prepare_cached("UPDATE seeds SET sent = 1, sha256 = ?2 WHERE position = ?1")?;
    for (seed, sha256) in &delta.sent {
        put.execute(params![*seed as i64, sha256])?;
    }
    let mut put = to.prepare_cached("UPDATE seeds SET skipped = ?2 WHERE position = ?1")?;
    for (seed, reason) in &delta.skipped {
        put.execute(params![*seed as i64, reason])?;
    }
    let sql = "UPDATE seeds SET labelled = 1, logic = ?2, statuses = ?3 WHERE position = ?1";
    let mut put = to.prepare_cached(sql)?;
    for (seed, label) in &delta.labels {
        put.execute(params![*seed as i64, label.logic, label.letters()])?;
    }
    let mut put = to.prepare_cached("INSERT OR REPLACE INTO witnesses VALUES (?1, ?2, ?3, ?4)")?;
    for (key, model) in &delta.models {
        put.execute(params![key.seed as i64, key.instance as i64, key.negated, model.as_deref()])?;
    }
    let mut put = to.prepare_cached("INSERT OR REPLACE INTO pairs VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)")?;
    for ((seed, solver), pair) in &delta.pairs {
        let [visits, cost, reward] = [pair.visits, pair.cost, pair.reward].map(|n| n as i64);
        put.execute(params![*seed as i64, *solver as i64, visits, pair.failures, pair.seen, cost, reward])?;
    }
    let mut put = to.prepare_cached("INSERT OR REPLACE INTO arms VALUES (?1, ?2, ?3, ?4, ?5)")?;
    for ((solver, dimension, place), arm) in &delta.arms {
        let [solver, place] = [*solver, *place].map(|n| n as i64);
        put.execute(params![solver, dimension.word(), place, arm.cost as i64, arm.reward as i64])?;
    }
    Ok(())
}

pub(super) fn write_group(to: &Transaction<'_>, key: &GroupKey, group: &KnownGroup) -> Result<(), StoreError> {
    let sql =
        "INSERT INTO groups (class, solver, mode, seed, from_seed, options, symptom, flaky, confirmed, unconfirmed, repeats)
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)
               ON CONFLICT DO UPDATE SET confirmed = ?9, unconfirmed = ?10, repeats = ?11 RETURNING id";
    let [confirmed, unconfirmed, repeats] = [group.confirmed, group.unconfirmed, group.repeats].map(|n| n as i64);
    let id: i64 = to.prepare_cached(sql)?.query_row(
        params![
            key.class.letter(),
            key.target as i64,
            key.mode,
            key.seed as i64,
            key.from_seed,
            key.options,
            key.symptom,
            key.flaky,
            confirmed,
            unconfirmed,
            repeats
        ],
        |row| row.get(0),
    )?;
    to.prepare_cached("DELETE FROM findings WHERE in_group = ?1")?.execute([id])?;
    let mut put = to.prepare_cached("INSERT OR REPLACE INTO findings VALUES (?1, ?2, ?3)")?;
    for (bytes, name) in &group.kept {
        put.execute(params![name, id, *bytes as i64])?;
    }
    Ok(())
}
