//! Sets of characters as sorted, disjoint intervals of code points.

use super::value::MAX_CODE_POINT;

/// A set of code points.
///
/// Invariant: the intervals `(low, high)` are inclusive, sorted, disjoint and not adjacent, and `high <= 0x2FFFF`; so
/// two sets are equal exactly when their intervals are.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct CharSet(Box<[(u32, u32)]>);

impl CharSet {
    /// Returns the characters `low..=high`, clipped to the alphabet; empty if `low > high`.
    pub fn range(low: u32, high: u32) -> Self {
        let high = high.min(MAX_CODE_POINT);
        if low > high { CharSet(Box::default()) } else { CharSet(Box::new([(low, high)])) }
    }

    /// Returns the whole alphabet.
    pub fn all() -> Self {
        CharSet::range(0, MAX_CODE_POINT)
    }

    /// Whether no character is in the set.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the intervals, inclusive, in ascending order.
    pub fn intervals(&self) -> &[(u32, u32)] {
        &self.0
    }

    /// Returns the union of sets.
    pub fn union_of<'a>(sets: impl IntoIterator<Item = &'a CharSet>) -> Self {
        let mut pieces: Vec<(u32, u32)> = sets.into_iter().flat_map(|set| set.0.iter().copied()).collect();
        pieces.sort_unstable();
        let mut merged: Vec<(u32, u32)> = Vec::with_capacity(pieces.len());
        for (low, high) in pieces {
            match merged.last_mut() {
                Some(last) if low <= last.1 + 1 => last.1 = last.1.max(high),
                _ => merged.push((low, high)),
            }
        }
        CharSet(merged.into())
    }

    /// Returns the characters in both sets.
    pub fn intersection(&self, other: &CharSet) -> Self {
        let (mut i, mut j) = (0, 0);
        let mut common = Vec::new();
        while let (Some(&(low_a, high_a)), Some(&(low_b, high_b))) = (self.0.get(i), other.0.get(j)) {
            let (low, high) = (low_a.max(low_b), high_a.min(high_b));
            if low <= high {
                common.push((low, high));
            }
            if high_a < high_b {
                i += 1;
            } else {
                j += 1;
            }
        }
        CharSet(common.into())
    }

    /// Whether `code_point` is in the set, and the widest interval around it with the same answer.
    pub fn locate(&self, code_point: u32) -> (bool, (u32, u32)) {
        let after = self.0.partition_point(|&(low, _)| low <= code_point);
        let gap_end = self.0.get(after).map_or(MAX_CODE_POINT, |&(low, _)| low - 1);
        match after.checked_sub(1).map(|i| self.0[i]) {
            Some((low, high)) if code_point <= high => (true, (low, high)),
            Some((_, high)) => (false, (high + 1, gap_end)),
            None => (false, (0, gap_end)),
        }
    }
}
