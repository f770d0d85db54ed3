//! Reads the store when a campaign continues.

use super::{CampaignStore, StoreError};
use crate::persist::Past;
use crate::schedule::bandit::{Arm, ArmName, Dimension};
use crate::schedule::pairs::SeedSolverPair;
use crate::seeds::models::ModelKey;
use crate::seeds::partner::PartnerLabel;
use crate::state::Remembered;
use crate::state::finding_index::{GroupKey, KnownGroup};
use finding::BugClass;
use rusqlite::{OptionalExtension, Row};
use std::sync::Arc;

/// Groups, with the columns that [`group`] reads.
pub(super) const GROUPS: &str =
    "SELECT class, solver, mode, seed, from_seed, options, symptom, flaky, confirmed, unconfirmed, repeats FROM groups";

impl CampaignStore {
    /// Returns everything needed to continue a campaign, except findings.
    pub(crate) fn past(&self) -> Result<Past, StoreError> {
        let mut remembered = Remembered {
            watermark: self.fact::<i64>("mark")?.map_or(0, count),
            done: self.all("SELECT position FROM done", |row| Ok(count(row.get(0)?)))?,
            pairs: self.all("SELECT * FROM pairs", pair)?,
            arms: self.all("SELECT * FROM arms", arm)?.into_iter().flatten().collect(),
            sent: self.all("SELECT position FROM seeds WHERE sent", |row| Ok(place(row.get(0)?)))?,
            skipped: self.all("SELECT position FROM seeds WHERE skipped IS NOT NULL", |row| Ok(place(row.get(0)?)))?,
            labels: self.all("SELECT position, logic, statuses FROM seeds WHERE labelled", label)?,
            wall_s: self.fact("wall_s")?.unwrap_or(0.0),
            own_cpu_s: self.fact("own_cpu_s")?.unwrap_or(0.0),
            ..Remembered::default()
        };
        let counts =
            self.all("SELECT name, n FROM counts", |row| Ok((row.get::<_, String>(0)?, count(row.get(1)?))))?;
        for (name, n) in counts {
            remembered.totals.set(&name, n);
        }
        let groups = self.all(GROUPS, group)?.into_iter().flatten().collect();
        let models = self.all("SELECT seed, instance, negated, model FROM witnesses", |row| {
            let key = ModelKey { seed: place(row.get(0)?), instance: place(row.get(1)?), negated: row.get(2)? };
            Ok((key, row.get::<_, Option<String>>(3)?.map(Arc::from)))
        })?;
        Ok(Past { remembered, groups, models, findings: Vec::new() })
    }

    pub(super) fn fact<T: rusqlite::types::FromSql>(&self, name: &str) -> Result<Option<T>, StoreError> {
        let sql = "SELECT value FROM facts WHERE name = ?1";
        Ok(self.connection.query_row(sql, [name], |row| row.get(0)).optional()?)
    }

    pub(super) fn all<T>(&self, sql: &str, read: fn(&Row<'_>) -> rusqlite::Result<T>) -> Result<Vec<T>, StoreError> {
        let mut statement = self.connection.prepare(sql)?;
        let rows = statement.query_map([], read)?.collect::<rusqlite::Result<Vec<T>>>()?;
        Ok(rows)
    }
}

/// Returns a count; negative numbers, written by another program, become 0.
pub(super) fn count(n: i64) -> u64 {
    u64::try_from(n).unwrap_or(0)
}

/// Returns a position; an invalid one is beyond all lists.
fn place(n: i64) -> usize {
    usize::try_from(n).unwrap_or(usize::MAX)
}

fn pair(row: &Row<'_>) -> rusqlite::Result<(usize, usize, SeedSolverPair)> {
    let pair = SeedSolverPair {
        visits: count(row.get("visits")?),
        failures: row.get("strikes")?,
        seen: row.get("seen")?,
        cost: count(row.get("cost")?),
        reward: count(row.get("reward")?),
    };
    Ok((place(row.get("seed")?), place(row.get("solver")?), pair))
}

/// Returns an arm; `None` for an unknown dimension.
fn arm(row: &Row<'_>) -> rusqlite::Result<Option<(ArmName, Arm)>> {
    let word: String = row.get("dimension")?;
    let dimension = Dimension::ALL.into_iter().find(|dimension| dimension.word() == word);
    let arm = Arm { cost: count(row.get("cost")?), reward: count(row.get("reward")?) };
    let (solver, place) = (place(row.get("solver")?), place(row.get("place")?));
    Ok(dimension.map(|dimension| ((solver, dimension, place), arm)))
}

fn label(row: &Row<'_>) -> rusqlite::Result<(usize, PartnerLabel)> {
    let (logic, statuses): (Option<String>, Option<String>) = (row.get(1)?, row.get(2)?);
    Ok((place(row.get(0)?), PartnerLabel::of_letters(logic.as_deref(), &statuses.unwrap_or_default())))
}

/// Returns a group; `None` for an unknown class.
pub(super) fn group(row: &Row<'_>) -> rusqlite::Result<Option<(GroupKey, KnownGroup)>> {
    let Ok(class) = row.get::<_, String>(0)?.parse::<BugClass>() else { return Ok(None) };
    let key = GroupKey {
        class,
        target: place(row.get(1)?),
        mode: row.get(2)?,
        seed: place(row.get(3)?),
        from_seed: row.get(4)?,
        options: row.get(5)?,
        symptom: row.get(6)?,
        flaky: row.get(7)?,
    };
    let [confirmed, unconfirmed, repeats] = [count(row.get(8)?), count(row.get(9)?), count(row.get(10)?)];
    Ok(Some((key, KnownGroup { kept: Vec::new(), confirmed, unconfirmed, repeats })))
}
