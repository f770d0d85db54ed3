//! Tracks which units are given out and which are done: all below a watermark, and some above it.

use std::collections::BTreeSet;
use std::fmt::{self, Display, Formatter};
use std::str::FromStr;

/// The part of a campaign's units that one process does: numbers `first`, `first + step`, and so on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shard {
    /// The first unit's number, below `step`.
    pub first: u64,
    /// The distance to the next, at least 1; the number of shards.
    pub step: u64,
}

/// The units given out and done, counted by their position in the shard.
///
/// Invariant: every position below `watermark` is done, and `done` holds none of them. Few are above: the number of units done while one
/// slow unit is in progress.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CompletedUnits {
    shard: Shard,
    watermark: u64,
    done: BTreeSet<u64>,
    next: u64,
}

impl Shard {
    /// All units.
    pub const WHOLE: Shard = Shard { first: 0, step: 1 };

    /// Returns the number of the unit at a position.
    pub fn number(self, position: u64) -> u64 {
        self.first.saturating_add(position.saturating_mul(self.step))
    }

    /// Returns the position of a unit; `None` if it belongs to another shard.
    pub fn position(self, number: u64) -> Option<u64> {
        let ahead = number.checked_sub(self.first)?;
        ahead.is_multiple_of(self.step).then_some(ahead / self.step)
    }
}

/// `K/N`: part K of N, from `1/1` on.
impl Display for Shard {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.first + 1, self.step)
    }
}

impl FromStr for Shard {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Shard, Self::Err> {
        let parts =
            text.split_once('/').and_then(|(k, n)| Some((k.trim().parse::<u64>().ok()?, n.trim().parse().ok()?)));
        match parts {
            Some((k, n)) if 1 <= k && k <= n => Ok(Shard { first: k - 1, step: n }),
            _ => Err("write K/N with K from 1 to N, as in 2/8"),
        }
    }
}

impl Default for Shard {
    fn default() -> Shard {
        Shard::WHOLE
    }
}

impl CompletedUnits {
    /// Makes the state in which all units below `watermark` and those in `done` are done.
    pub fn new(shard: Shard, watermark: u64, done: impl IntoIterator<Item = u64>) -> CompletedUnits {
        let done: BTreeSet<u64> = done.into_iter().filter(|position| *position >= watermark).collect();
        let mut completed = CompletedUnits { shard, watermark, done, next: watermark };
        completed.rise();
        completed.next = completed.watermark;
        completed
    }

    /// Returns the number of the next unit to give out.
    pub fn take(&mut self) -> u64 {
        let position = self.first_open();
        self.next = position + 1;
        self.shard.number(position)
    }

    /// Returns the number that [`CompletedUnits::take`] would return.
    pub fn peek(&self) -> u64 {
        self.shard.number(self.first_open())
    }

    /// Returns the first position neither given out nor done. The watermark may be beyond what was given out: units given out by an
    /// earlier run may be done in this one.
    fn first_open(&self) -> u64 {
        let mut open = self.next.max(self.watermark);
        while self.done.contains(&open) {
            open += 1;
        }
        open
    }

    /// Marks a unit as done. Returns false if it already was, or belongs to another shard.
    pub fn finish(&mut self, number: u64) -> bool {
        let Some(position) = self.shard.position(number) else { return false };
        if self.is_done_at(position) {
            return false;
        }
        self.done.insert(position);
        self.rise();
        true
    }

    /// Whether a unit is done.
    pub fn is_done(&self, number: u64) -> bool {
        self.shard.position(number).is_some_and(|position| self.is_done_at(position))
    }

    fn is_done_at(&self, position: u64) -> bool {
        position < self.watermark || self.done.contains(&position)
    }

    fn rise(&mut self) {
        while self.done.remove(&self.watermark) {
            self.watermark += 1;
        }
    }

    /// Returns the shard.
    pub fn shard(&self) -> Shard {
        self.shard
    }

    /// Returns the position below which everything is done.
    pub fn watermark(&self) -> u64 {
        self.watermark
    }

    /// Returns the done positions at or above the watermark.
    pub fn above(&self) -> impl Iterator<Item = u64> + '_ {
        self.done.iter().copied()
    }

    /// Returns the number of units done.
    pub fn count(&self) -> u64 {
        self.watermark + self.done.len() as u64
    }

    /// Returns the number of units given out, or skipped because they were done before, beyond those done.
    pub fn under_way(&self) -> u64 {
        let above = self.done.range(..self.next).count() as u64;
        self.next.saturating_sub(self.watermark).saturating_sub(above)
    }
}
