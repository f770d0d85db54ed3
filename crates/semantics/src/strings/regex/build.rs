//! The constructors of regular expressions: the operators of the theory, with simplifications that keep the language.

use std::sync::Arc;

use super::super::charset::CharSet;
use super::super::value::SmtString;
use super::{Constants, RegexId, RegexNode, RegexStore, UNBOUNDED};

/// The maximum length of a right spine that a concatenation re-associates, so that deep nests are built in linear time.
const ROTATED_SPINE: u32 = 16;

/// How many operands a user's union or intersection takes over from a nested one, for the same reason.
const FLATTENED_OPERANDS: usize = 32;

impl RegexStore {
    /// `re.none`: no word.
    pub fn none(&self) -> RegexId {
        self.constants.none
    }

    /// `re.all`: every word.
    pub fn all(&self) -> RegexId {
        self.constants.all
    }

    /// `re.allchar`: every word of one character.
    pub fn any_character(&self) -> RegexId {
        self.constants.any_character
    }

    /// `(str.to_re "")`: the empty word only.
    pub fn epsilon(&self) -> RegexId {
        self.constants.epsilon
    }

    /// `str.to_re`: this word only.
    pub fn literal_of(&mut self, word: &SmtString) -> RegexId {
        if word.len() < 2 {
            return match word.code_points() {
                [only] => self.class(CharSet::range(*only, *only)),
                _ => self.constants.epsilon,
            };
        }
        let word = self.intern_word(word);
        self.intern(RegexNode::Literal { word, offset: 0 })
    }

    /// Returns the words of one character of `set`.
    pub fn class(&mut self, set: CharSet) -> RegexId {
        if set.is_empty() {
            return self.constants.none;
        }
        self.intern(RegexNode::Class(Arc::new(set)))
    }

    /// `re.range`: the one-character words from `low` to `high` when both have exactly one character, else no word.
    pub fn range(&mut self, low: &SmtString, high: &SmtString) -> RegexId {
        match (low.code_points(), high.code_points()) {
            (&[low], &[high]) => self.class(CharSet::range(low, high)),
            _ => self.constants.none,
        }
    }

    /// `re.++` of two languages. For many at once [`concat_all`](Self::concat_all) is quicker.
    pub fn concat(&mut self, first: RegexId, second: RegexId) -> RegexId {
        let Constants { none, epsilon, .. } = self.constants;
        if first == none || second == none {
            return none;
        }
        if first == epsilon {
            return second;
        }
        if second == epsilon {
            return first;
        }
        // To the right, so that derivatives, the most frequent expressions, share their tails.
        let mut heads = vec![first];
        let mut last = first;
        while let RegexNode::Concat(head, tail) = *self.node(last)
            && self.spine_length(first) <= ROTATED_SPINE
        {
            heads.pop();
            heads.extend([head, tail]);
            last = tail;
        }
        heads.into_iter().rev().fold(second, |tail, head| self.concat_pair(head, tail))
    }

    /// Returns the steps [`concat`](Self::concat) takes with this first operand.
    pub(super) fn concat_steps(&self, first: RegexId) -> u64 {
        match self.spine_length(first) {
            spine @ 1..=ROTATED_SPINE => 1 + u64::from(spine),
            _ => 1,
        }
    }

    /// `re.++` of any number of languages; `(str.to_re "")` of none.
    pub fn concat_all(&mut self, parts: &[RegexId]) -> RegexId {
        parts.iter().rev().fold(self.constants.epsilon, |tail, &head| self.concat(head, tail))
    }

    /// A concatenation of non-trivial parts whose head is not a concatenation: repetitions of one body are joined.
    fn concat_pair(&mut self, head: RegexId, tail: RegexId) -> RegexId {
        let (next, rest) = match *self.node(tail) {
            RegexNode::Concat(next, rest) => (next, Some(rest)),
            _ => (tail, None),
        };
        if let (Some((body, min, max)), Some((other, other_min, other_max))) =
            (self.as_repeat(head), self.as_repeat(next))
            && body == other
            && let Some(min) = min.checked_add(other_min)
            && let Some(max) = add_bounds(max, other_max)
        {
            let joined = self.repeat(body, min, max);
            return match rest {
                Some(rest) => self.concat_pair_plain(joined, rest),
                None => joined,
            };
        }
        self.concat_pair_plain(head, tail)
    }

    fn concat_pair_plain(&mut self, head: RegexId, tail: RegexId) -> RegexId {
        self.intern(RegexNode::Concat(head, tail))
    }

    /// `re.union` of any number of languages; `re.none` of none.
    pub fn union(&mut self, parts: &[RegexId]) -> RegexId {
        self.union_flattening(parts, FLATTENED_OPERANDS)
    }

    /// `re.inter` of any number of languages; `re.all` of none.
    pub fn inter(&mut self, parts: &[RegexId]) -> RegexId {
        self.inter_flattening(parts, FLATTENED_OPERANDS)
    }

    /// `re.comp`: every word that is not in the language.
    pub fn complement(&mut self, body: RegexId) -> RegexId {
        let Constants { none, all, .. } = self.constants;
        match *self.node(body) {
            _ if body == none => all,
            _ if body == all => none,
            RegexNode::Complement(inner) => inner,
            _ => self.intern(RegexNode::Complement(body)),
        }
    }

    /// `re.diff`: the words of the first that are not in the second.
    pub fn difference(&mut self, first: RegexId, second: RegexId) -> RegexId {
        let outside = self.complement(second);
        self.inter(&[first, outside])
    }

    /// `re.*`: any number of words of the body.
    pub fn star(&mut self, body: RegexId) -> RegexId {
        self.repeat(body, 0, UNBOUNDED)
    }

    /// `re.+`: one word or more of the body.
    pub fn plus(&mut self, body: RegexId) -> RegexId {
        self.repeat(body, 1, UNBOUNDED)
    }

    /// `re.opt`: the body, or the empty word.
    pub fn optional(&mut self, body: RegexId) -> RegexId {
        let epsilon = self.constants.epsilon;
        self.union(&[body, epsilon])
    }

    /// `(_ re.^ count)`: exactly `count` words of the body. A count is below 2^64 - 1, which means [`UNBOUNDED`]; the
    /// caller reports a greater numeral as unknown.
    pub fn power(&mut self, body: RegexId, count: u64) -> RegexId {
        self.repeat(body, count, count)
    }

    /// `(_ re.loop min max)`: `min` to `max` words of the body, kept as two counters and never unrolled; `re.none` when
    /// `min > max`. `max` may be [`UNBOUNDED`].
    pub fn repeat(&mut self, body: RegexId, min: u64, max: u64) -> RegexId {
        let Constants { none, epsilon, all, .. } = self.constants;
        if min > max {
            return none;
        }
        if max == 0 || body == epsilon {
            return epsilon;
        }
        if body == none {
            return if min == 0 { epsilon } else { none };
        }
        if body == all {
            return all;
        }
        // If the body has the empty word, the highest count includes every lower one.
        let min = if self.is_nullable(body) { 0 } else { min };
        if (min, max) == (1, 1) || (min == 0 && max == 1 && self.is_nullable(body)) {
            return body;
        }
        match self.as_repeat(body) {
            // Any number of repetitions that may be single is any number of the inner body.
            Some((inner, 0 | 1, _)) if min == 0 && max == UNBOUNDED => self.repeat(inner, 0, UNBOUNDED),
            Some((inner, 1, UNBOUNDED)) if min == 1 => self.repeat(inner, 1, UNBOUNDED),
            Some((_, 0, UNBOUNDED)) => body,
            _ => self.intern(RegexNode::Repeat { body, min, max }),
        }
    }

    pub(super) fn as_repeat(&self, regex: RegexId) -> Option<(RegexId, u64, u64)> {
        match *self.node(regex) {
            RegexNode::Repeat { body, min, max } => Some((body, min, max)),
            _ => None,
        }
    }

    /// Returns the literal from `offset` on.
    pub(super) fn literal_tail(&mut self, word: u32, offset: u32) -> RegexId {
        match *self.literal(word, offset) {
            [] => self.constants.epsilon,
            [only] => self.class(CharSet::range(only, only)),
            _ => self.intern(RegexNode::Literal { word, offset }),
        }
    }
}

/// Returns the sum of two upper bounds, if it is distinct from [`UNBOUNDED`].
fn add_bounds(first: u64, second: u64) -> Option<u64> {
    if first == UNBOUNDED || second == UNBOUNDED {
        return Some(UNBOUNDED);
    }
    first.checked_add(second).filter(|&sum| sum != UNBOUNDED)
}
