//! The leftmost shortest non-empty matches of a regular expression in a word.
//!
//! A match starts at position `i` exactly when the text from `i` on is in `r·Σ*`. Reading the word backwards with
//! `Σ*·reverse(r)` marks all such positions in one pass; from a marked one the shortest match is found forwards, and
//! matches do not overlap, so the whole takes two memoised derivatives a character.

use super::super::error::{StringsError, WorkBudget};
use super::super::value::SmtString;
use super::membership::CHARACTERS_PER_STEP;
use super::store::{RegexId, RegexStore};
use crate::words::Finder;

/// A match as the range `start..end` of positions.
type Match = (usize, usize);

impl RegexStore {
    /// The leftmost of the non-empty matches, and the shortest of those.
    pub(in super::super) fn first_shortest_match(
        &mut self,
        word: &SmtString,
        regex: RegexId,
        work: &mut WorkBudget,
    ) -> Result<Option<Match>, StringsError> {
        Ok(self.shortest_matches(word, regex, Wanted::First, work)?.pop())
    }

    /// The non-empty matches from left to right, each the leftmost after the last and the shortest there.
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
        // The reversed expression can be far harder than the expression; then every position is tried instead, which
        // is quadratic but keeps within the budget that is left.
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

    /// By position, whether a non-empty match starts there.
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

    /// The length of the shortest non-empty prefix of `text` in the language.
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

/// How many matches the caller needs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wanted {
    First,
    All,
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
