//! Emptiness of a regular language, by search through its derivatives for a word.

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

use super::super::error::{StringsError, WorkBudget};
use super::super::value::{MAX_CODE_POINT, SmtString};
use super::store::{RegexId, RegexStore};

impl RegexStore {
    /// A shortest word of the language, or `None` when there is no word in it.
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
