//! All words of a finite language, by walking its derivatives.

use super::super::error::{StringsError, WorkBudget};
use super::super::value::{MAX_CODE_POINT, SmtString};
use super::store::{RegexId, RegexStore};

impl RegexStore {
    /// The words of the language that are no longer than `longest`, each once; none if there are more than `most` of them.
    ///
    /// # Errors
    /// [`StringsError::RegexWork`] when the walk costs more than `work`; a language that is infinite without a bound of
    /// the length ends so, or with none.
    pub fn words(
        &mut self,
        language: RegexId,
        longest: Option<u64>,
        most: usize,
        work: &mut WorkBudget,
    ) -> Result<Option<Vec<SmtString>>, StringsError> {
        let mut found = Vec::new();
        // States with the words that lead to them. Every word leads to one state, so none comes twice.
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
                    // Each character of the interval leads to a word of its own.
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
