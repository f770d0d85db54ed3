//! Unions and intersections in the normal form that keeps the derivatives of an expression finitely many.

use std::sync::Arc;

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

use super::super::charset::CharSet;
use super::{RegexId, RegexNode, RegexStore};

/// How many intervals a merged class may have beyond two per operand. Without a bound a nest of unions of different
/// characters would make ever longer classes, quadratic in total.
const MERGED_INTERVALS: usize = 128;

/// The shared parts of two operands that differ only in the counts of one repetition: the prefix, the body and the
/// suffix.
type CounterKey = (Option<RegexId>, RegexId, Option<RegexId>);

impl RegexStore {
    /// Returns the union; operands of nested unions are taken over while there are at most `flattened` of them.
    pub(super) fn union_flattening(&mut self, parts: &[RegexId], flattened: usize) -> RegexId {
        let all = self.constants.all;
        let mut operands = Vec::with_capacity(parts.len());
        for &part in parts {
            match self.node(part) {
                RegexNode::None => {}
                _ if part == all => return all,
                RegexNode::Union(inner) if operands.len() + inner.len() <= flattened => {
                    operands.extend_from_slice(inner)
                }
                _ => operands.push(part),
            }
        }
        sort_set(&mut operands);
        self.merge_classes(&mut operands, parts.len());
        self.merge_counters(&mut operands);
        // The empty word adds nothing if an operand has it.
        let epsilon = self.constants.epsilon;
        if operands.iter().any(|&part| part != epsilon && self.is_nullable(part)) {
            operands.retain(|&part| part != epsilon);
        }
        if operands.binary_search(&all).is_ok() || self.has_complementary_pair(&operands) {
            return all;
        }
        match *operands {
            [] => self.constants.none,
            [only] => only,
            _ => self.intern(RegexNode::Union(operands.into())),
        }
    }

    /// Returns the intersection; operands of nested ones are taken over while there are at most `flattened` of them.
    pub(super) fn inter_flattening(&mut self, parts: &[RegexId], flattened: usize) -> RegexId {
        let (all, none, epsilon) = (self.constants.all, self.constants.none, self.constants.epsilon);
        let mut operands = Vec::with_capacity(parts.len());
        for &part in parts {
            match self.node(part) {
                _ if part == all => {}
                RegexNode::None => return none,
                RegexNode::Inter(inner) if operands.len() + inner.len() <= flattened => {
                    operands.extend_from_slice(inner)
                }
                _ => operands.push(part),
            }
        }
        sort_set(&mut operands);
        if operands.binary_search(&epsilon).is_ok() {
            let nullable = operands.iter().all(|&part| self.is_nullable(part));
            return if nullable { epsilon } else { none };
        }
        if !self.intersect_classes(&mut operands, parts.len()) || self.has_complementary_pair(&operands) {
            return none;
        }
        match *operands {
            [] => all,
            [only] => only,
            _ => self.intern(RegexNode::Inter(operands.into())),
        }
    }

    fn class_of(&self, regex: RegexId) -> Option<Arc<CharSet>> {
        match self.node(regex) {
            RegexNode::Class(set) => Some(Arc::clone(set)),
            _ => None,
        }
    }

    /// Merges all classes, unless the result might be too long.
    fn merge_classes(&mut self, operands: &mut Vec<RegexId>, given: usize) {
        let sets: Vec<Arc<CharSet>> = operands.iter().filter_map(|&part| self.class_of(part)).collect();
        if sets.len() > 1 && are_mergeable(&sets, given) {
            operands.retain(|&part| self.class_of(part).is_none());
            let merged = self.class(CharSet::union_of(sets.iter().map(Arc::as_ref)));
            operands.push(merged);
            sort_set(operands);
        }
    }

    /// Intersects all classes; returns false if no character is in all of them.
    fn intersect_classes(&mut self, operands: &mut Vec<RegexId>, given: usize) -> bool {
        let sets: Vec<Arc<CharSet>> = operands.iter().filter_map(|&part| self.class_of(part)).collect();
        if !are_mergeable(&sets, given) {
            return true;
        }
        let [first, rest @ ..] = sets.as_slice() else {
            return true;
        };
        let common = rest.iter().fold(CharSet::clone(first), |common, set| common.intersection(set));
        if common.is_empty() {
            return false;
        }
        operands.retain(|&part| self.class_of(part).is_none());
        let merged = self.class(common);
        operands.push(merged);
        sort_set(operands);
        true
    }

    fn has_complementary_pair(&self, operands: &[RegexId]) -> bool {
        operands
            .iter()
            .any(|&part| matches!(self.node(part), RegexNode::Complement(body) if operands.binary_search(body).is_ok()))
    }

    /// Joins operands that differ in the counts of one repetition when the counts leave no gap: `r{1,4} ∪ r{3,9}` is
    /// `r{1,9}`. Without it an ambiguous body under a large count would give one operand per count.
    fn merge_counters(&mut self, operands: &mut Vec<RegexId>) {
        let mut groups: HashMap<CounterKey, Vec<(u64, u64, RegexId)>, FxBuildHasher> = HashMap::default();
        let mut keys = Vec::new();
        for &part in operands.iter() {
            if let Some((key, min, max)) = self.as_counter(part) {
                let group = groups.entry(key).or_insert_with(|| {
                    keys.push(key);
                    Vec::new()
                });
                group.push((min, max, part));
            }
        }
        if keys.len() == groups.values().map(Vec::len).sum::<usize>() {
            return;
        }
        // In the order of the operands, so that the result depends only on them.
        for key in keys {
            let Some(group) = groups.get_mut(&key).filter(|group| group.len() > 1) else {
                continue;
            };
            group.sort_unstable();
            let mut joined: Vec<(u64, u64)> = Vec::new();
            for &(min, max, _) in group.iter() {
                match joined.last_mut() {
                    Some(last) if min <= last.1.saturating_add(1) => last.1 = last.1.max(max),
                    _ => joined.push((min, max)),
                }
            }
            if joined.len() < group.len() {
                operands.retain(|part| !group.iter().any(|(_, _, member)| member == part));
                for (min, max) in joined {
                    let counter = self.counter(key, min, max);
                    operands.push(counter);
                }
            }
        }
        sort_set(operands);
    }

    fn as_counter(&self, regex: RegexId) -> Option<(CounterKey, u64, u64)> {
        if let Some((body, min, max)) = self.as_repeat(regex) {
            return Some(((None, body, None), min, max));
        }
        let RegexNode::Concat(head, tail) = *self.node(regex) else {
            return None;
        };
        if let Some((body, min, max)) = self.as_repeat(head) {
            return Some(((None, body, Some(tail)), min, max));
        }
        if let Some((body, min, max)) = self.as_repeat(tail) {
            return Some(((Some(head), body, None), min, max));
        }
        let RegexNode::Concat(middle, rest) = *self.node(tail) else {
            return None;
        };
        let (body, min, max) = self.as_repeat(middle)?;
        Some(((Some(head), body, Some(rest)), min, max))
    }

    fn counter(&mut self, (before, body, after): CounterKey, min: u64, max: u64) -> RegexId {
        let repeated = self.repeat(body, min, max);
        let tail = match after {
            Some(after) => self.concat(repeated, after),
            None => repeated,
        };
        match before {
            Some(before) => self.concat(before, tail),
            None => tail,
        }
    }
}

/// Whether a class of all the intervals is in proportion to the `given` operands.
fn are_mergeable(sets: &[Arc<CharSet>], given: usize) -> bool {
    let intervals: usize = sets.iter().map(|set| set.intervals().len()).sum();
    intervals <= MERGED_INTERVALS + 2 * given
}

fn sort_set(operands: &mut Vec<RegexId>) {
    operands.sort_unstable();
    operands.dedup();
}
