//! Which units are given out and which are done: all below a watermark, and some above it.

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
/// Invariant: every position below `watermark` is done, and `done` holds none of them. What is above stays few: as many as
/// units are done while one slow unit is under way.
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

    /// The number of the unit at a position.
    pub fn number(self, position: u64) -> u64 {
        self.first.saturating_add(position.saturating_mul(self.step))
    }

    /// The position of a unit; none if it belongs to another shard.
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
    /// Units of which all below `watermark` is done, and what is in `done`.
    pub fn new(shard: Shard, watermark: u64, done: impl IntoIterator<Item = u64>) -> CompletedUnits {
        let done: BTreeSet<u64> = done.into_iter().filter(|position| *position >= watermark).collect();
        let mut completed = CompletedUnits { shard, watermark, done, next: watermark };
        completed.rise();
        completed.next = completed.watermark;
        completed
    }

    /// The number of the next unit to be given out.
    pub fn take(&mut self) -> u64 {
        let position = self.first_open();
        self.next = position + 1;
        self.shard.number(position)
    }

    /// The number that [`CompletedUnits::take`] would give.
    pub fn peek(&self) -> u64 {
        self.shard.number(self.first_open())
    }

    /// The first position that is neither given out nor done. The watermark may be beyond what was given out: units that an
    /// earlier run gave out are done while this one begins.
    fn first_open(&self) -> u64 {
        let mut open = self.next.max(self.watermark);
        while self.done.contains(&open) {
            open += 1;
        }
        open
    }

    /// Marks a unit as done. False if it was already, or belongs to another shard.
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

    /// The part of the campaign it is about.
    pub fn shard(&self) -> Shard {
        self.shard
    }

    /// The position below which everything is done.
    pub fn watermark(&self) -> u64 {
        self.watermark
    }

    /// The positions done at or above the watermark.
    pub fn above(&self) -> impl Iterator<Item = u64> + '_ {
        self.done.iter().copied()
    }

    /// How many units are done.
    pub fn count(&self) -> u64 {
        self.watermark + self.done.len() as u64
    }

    /// How many units were given out, or skipped since they were done before, beyond those done.
    pub fn under_way(&self) -> u64 {
        let above = self.done.range(..self.next).count() as u64;
        self.next.saturating_sub(self.watermark).saturating_sub(above)
    }
}
