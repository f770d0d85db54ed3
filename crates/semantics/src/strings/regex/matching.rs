//! The leftmost shortest non-empty matches of a regular expression in a word.
//!
//! A match starts at position `i` exactly when the text from `i` on is in `r·Σ*`. Reading the word backwards with
//! `Σ*·reverse(r)` marks all such positions in one pass; from a marked one the shortest match is found forwards, and
//! matches do not overlap, so the whole takes two memoised derivatives per character.

use super::super::value::SmtString;
use super::super::{StringsError, WorkBudget};
use super::membership::CHARACTERS_PER_STEP;
use super::{RegexId, RegexNode, RegexStore};
use crate::words::Finder;
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

/// A match as the range `start..end` of positions.
type Match = (usize, usize);

/// How many matches the caller needs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wanted {
    First,
    All,
}

impl RegexStore {
    /// Returns the leftmost of the non-empty matches, and the shortest of those.
    pub(in super::super) fn first_shortest_match(
        &mut self,
        word: &SmtString,
        regex: RegexId,
        work: &mut WorkBudget,
    ) -> Result<Option<Match>, StringsError> {
        Ok(self.shortest_matches(word, regex, Wanted::First, work)?.pop())
    }

    /// Returns the non-empty matches from left to right, each the leftmost after the last and the shortest there.
    pub(in super::super) fn all_shortest_matches(
        &mut self,
        word: &SmtString,
        regex: RegexId,
        work: &mut WorkBudget,
    ) -> Result<Vec<Match>, StringsError> {
        self.shortest_matches(word, regex, Wanted::All, work)
    }

    fn shortest_matches(
        &mut self,
        word: &SmtString,
        regex: RegexId,
        wanted: Wanted,
        work: &mut WorkBudget,
    ) -> Result<Vec<Match>, StringsError> {
        if let Some(literal) = self.literal_characters(regex) {
            return Ok(literal_matches(word.code_points(), literal, wanted));
        }
        let mut part = work.split_half();
        let starts = self.match_starts(word.code_points(), regex, &mut part);
        work.rejoin(part);
        // The reversed expression can be far harder; then every position is tried instead, which is quadratic but
        // within the remaining budget.
        let starts = starts.ok();
        let text = word.code_points();
        let mut matches = Vec::new();
        let mut position = 0;
        while position < text.len() {
            let next = match &starts {
                Some(starts) => starts[position..].iter().position(|&start| start).map(|skip| position + skip),
                None => Some(position),
            };
            let Some(start) = next else { break };
            match self.shortest_match_at(&text[start..], regex, work)? {
                Some(length) => {
                    matches.push((start, start + length));
                    if wanted == Wanted::First {
                        break;
                    }
                    position = start + length;
                }
                None => position = start + 1,
            }
        }
        Ok(matches)
    }

    /// Whether a non-empty match starts, by position.
    fn match_starts(&mut self, text: &[u32], regex: RegexId, work: &mut WorkBudget) -> Result<Vec<bool>, StringsError> {
        work.charge(text.len() as u64 / CHARACTERS_PER_STEP)?;
        let some_character = self.plus(self.constants.any_character);
        let non_empty = if self.is_nullable(regex) { self.inter(&[regex, some_character]) } else { regex };
        let reversed = self.reverse(non_empty, work)?;
        let mut state = self.concat(self.constants.all, reversed);
        let mut starts = vec![false; text.len()];
        for (start, &character) in starts.iter_mut().zip(text).rev() {
            state = self.derivative(state, character, work)?;
            *start = self.is_nullable(state);
        }
        Ok(starts)
    }

    /// Returns the length of the shortest non-empty prefix of `text` in the language.
    fn shortest_match_at(
        &mut self,
        text: &[u32],
        regex: RegexId,
        work: &mut WorkBudget,
    ) -> Result<Option<usize>, StringsError> {
        let mut state = regex;
        for (index, &character) in text.iter().enumerate() {
            if (index as u64).is_multiple_of(CHARACTERS_PER_STEP) {
                work.charge(1)?;
            }
            state = self.derivative(state, character, work)?;
            if self.is_nullable(state) {
                return Ok(Some(index + 1));
            }
            if state == self.constants.none {
                return Ok(None);
            }
        }
        Ok(None)
    }
}

impl RegexStore {
    /// Returns the language of the reversed words.
    pub fn reverse(&mut self, regex: RegexId, work: &mut WorkBudget) -> Result<RegexId, StringsError> {
        let mut done: HashMap<RegexId, RegexId, FxBuildHasher> = HashMap::default();
        let mut pending = vec![regex];
        while let Some(&top) = pending.last() {
            if done.contains_key(&top) {
                pending.pop();
                continue;
            }
            let node = self.node(top).clone();
            let operands: &[RegexId] = match &node {
                RegexNode::None | RegexNode::Epsilon | RegexNode::Class(_) | RegexNode::Literal { .. } => &[],
                RegexNode::Concat(head, tail) => &[*head, *tail],
                RegexNode::Union(parts) | RegexNode::Inter(parts) => parts,
                RegexNode::Complement(body) | RegexNode::Repeat { body, .. } => &[*body],
            };
            work.charge(1 + operands.len() as u64)?;
            let before = pending.len();
            pending.extend(operands.iter().filter(|operand| !done.contains_key(*operand)));
            if pending.len() > before {
                continue;
            }
            let reversed: Vec<RegexId> = operands.iter().filter_map(|operand| done.get(operand).copied()).collect();
            let result = match (&node, reversed.as_slice()) {
                (RegexNode::Literal { word, offset }, _) => {
                    let mut characters = self.literal(*word, *offset).to_vec();
                    work.charge(characters.len() as u64)?;
                    characters.reverse();
                    self.literal_of(&SmtString::from_valid(&characters))
                }
                (RegexNode::Concat(..), &[head, tail]) => self.concat(tail, head),
                (RegexNode::Union(_), parts) => self.union(parts),
                (RegexNode::Inter(_), parts) => self.inter(parts),
                (RegexNode::Complement(_), &[body]) => self.complement(body),
                (RegexNode::Repeat { min, max, .. }, &[body]) => self.repeat(body, *min, *max),
                _ => top,
            };
            done.insert(top, result);
            pending.pop();
        }
        done.get(&regex).copied().ok_or(StringsError::RegexWork { budget: 0 })
    }
}

fn literal_matches(text: &[u32], literal: &[u32], wanted: Wanted) -> Vec<Match> {
    let finder = Finder::new(literal, text.len());
    let mut matches = Vec::new();
    let mut position = 0;
    while let Some(start) = finder.find(text, position) {
        position = start + literal.len();
        matches.push((start, position));
        if wanted == Wanted::First {
            break;
        }
    }
    matches
}
