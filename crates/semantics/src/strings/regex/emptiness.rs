//! The words of a regular language: one for emptiness, or all of a finite language, by walking its derivatives.

use super::super::value::{MAX_CODE_POINT, SmtString};
use super::super::{StringsError, WorkBudget};
use super::{RegexId, RegexStore};
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

impl RegexStore {
    /// Returns a shortest word of the language, or `None` when there is no word in it.
    pub fn shortest_word(&mut self, regex: RegexId, work: &mut WorkBudget) -> Result<Option<SmtString>, StringsError> {
        // Breadth first; by state, the state it was reached from and the character.
        let mut reached: HashMap<RegexId, (RegexId, u32), FxBuildHasher> = HashMap::default();
        let mut queue = vec![regex];
        let mut next = 0;
        while let Some(&state) = queue.get(next) {
            next += 1;
            if self.is_nullable(state) {
                return self.read_path(regex, state, &reached).map(Some);
            }
            if state == self.constants.none {
                continue;
            }
            let mut character = 0;
            loop {
                work.charge(1)?;
                let transition = self.transition(state, character, work)?;
                if transition.target != regex && !reached.contains_key(&transition.target) {
                    reached.insert(transition.target, (state, character));
                    queue.push(transition.target);
                }
                if transition.high >= MAX_CODE_POINT {
                    break;
                }
                character = transition.high + 1;
            }
        }
        Ok(None)
    }

    /// Whether the language has no word.
    pub fn is_language_empty(&mut self, regex: RegexId, work: &mut WorkBudget) -> Result<bool, StringsError> {
        Ok(self.shortest_word(regex, work)?.is_none())
    }

    fn read_path(
        &self,
        from: RegexId,
        to: RegexId,
        reached: &HashMap<RegexId, (RegexId, u32), FxBuildHasher>,
    ) -> Result<SmtString, StringsError> {
        let mut characters = Vec::new();
        let mut state = to;
        while state != from {
            let Some(&(previous, character)) = reached.get(&state) else {
                break;
            };
            characters.push(character);
            state = previous;
        }
        characters.reverse();
        SmtString::new(&characters)
    }
}

impl RegexStore {
    /// Lists the words of at most `longest` characters, each once; `None` if there are more than `most`.
    /// Errors: [`StringsError::RegexWork`] if the walk costs more than `work`. An infinite language without a length limit ends
    /// in this error or in `None`.
    pub fn words(
        &mut self,
        language: RegexId,
        longest: Option<u64>,
        most: usize,
        work: &mut WorkBudget,
    ) -> Result<Option<Vec<SmtString>>, StringsError> {
        let mut found = Vec::new();
        // States with the words that lead to them. Every word leads to one state, so there are no duplicates.
        let mut open: Vec<(RegexId, Vec<u32>)> = vec![(language, Vec::new())];
        while let Some((state, word)) = open.pop() {
            if self.is_nullable(state) {
                if found.len() == most {
                    return Ok(None);
                }
                found.push(SmtString::new(&word)?);
            }
            if longest.is_some_and(|longest| word.len() as u64 >= longest) {
                continue;
            }
            let mut character = 0;
            loop {
                work.charge(1 + word.len() as u64)?;
                let step = self.transition(state, character, work)?;
                let (low, high) = (character, step.high);
                if !self.is_language_empty(step.target, work)? {
                    // Each character of the interval leads to a different word.
                    if (high - low) as usize >= most {
                        return Ok(None);
                    }
                    for next in low..=high {
                        work.charge(1 + word.len() as u64)?;
                        let mut longer = word.clone();
                        longer.push(next);
                        open.push((step.target, longer));
                    }
                }
                if high >= MAX_CODE_POINT {
                    break;
                }
                character = high + 1;
            }
        }
        Ok(Some(found))
    }
}
