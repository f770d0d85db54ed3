//! Membership of a word in a regular language.

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

use super::super::value::SmtString;
use super::super::{StringsError, WorkBudget};
use super::{RegexId, RegexNode, RegexStore};

/// Characters read by known transitions that cost one step of the budget.
pub(super) const CHARACTERS_PER_STEP: u64 = 16;

impl RegexStore {
    /// `str.in_re`: whether the word is in the language.
    ///
    /// The Boolean operators at the top are decided operand by operand; below them the word is read once, with one
    /// memoised derivative per character.
    pub fn matches(&mut self, word: &SmtString, regex: RegexId, work: &mut WorkBudget) -> Result<bool, StringsError> {
        let mut decided: HashMap<RegexId, bool, FxBuildHasher> = HashMap::default();
        let mut pending = vec![regex];
        while let Some(&top) = pending.last() {
            if decided.contains_key(&top) {
                pending.pop();
                continue;
            }
            work.charge(1)?;
            let answer = match self.node(top).clone() {
                RegexNode::Complement(body) => match decided.get(&body) {
                    Some(inside) => Some(!inside),
                    None => {
                        pending.push(body);
                        None
                    }
                },
                RegexNode::Union(parts) => decide_operands(&parts, true, &decided, &mut pending, work)?,
                RegexNode::Inter(parts) => decide_operands(&parts, false, &decided, &mut pending, work)?,
                _ => Some(self.matches_by_derivatives(word.code_points(), top, work)?),
            };
            if let Some(answer) = answer {
                decided.insert(top, answer);
                pending.pop();
            }
        }
        Ok(decided.get(&regex).copied().unwrap_or(false))
    }

    fn matches_by_derivatives(
        &mut self,
        word: &[u32],
        regex: RegexId,
        work: &mut WorkBudget,
    ) -> Result<bool, StringsError> {
        work.charge(word.len() as u64 / CHARACTERS_PER_STEP)?;
        let mut state = regex;
        let mut rest = word;
        loop {
            match *self.node(state) {
                RegexNode::None => return Ok(false),
                _ if state == self.constants.all => return Ok(true),
                RegexNode::Literal { .. } => return Ok(self.literal_characters(state) == Some(rest)),
                RegexNode::Repeat { body, min, max } if body == self.constants.any_character => {
                    let length = rest.len() as u64;
                    return Ok(min <= length && length <= max);
                }
                // A leading literal is compared directly; otherwise it would make one node per character.
                RegexNode::Concat(head, tail) if self.literal_characters(head).is_some() => {
                    let literal = self.literal_characters(head).unwrap_or_default();
                    match rest.strip_prefix(literal) {
                        Some(after) => (state, rest) = (tail, after),
                        None => return Ok(false),
                    }
                }
                _ => {
                    let Some((&first, after)) = rest.split_first() else {
                        return Ok(self.is_nullable(state));
                    };
                    state = self.derivative(state, first, work)?;
                    rest = after;
                }
            }
        }
    }
}

/// Returns the value of a union (`deciding` true) or intersection (`deciding` false) when the operands decided so
/// far settle it; otherwise the next operand to decide is pushed.
fn decide_operands(
    parts: &[RegexId],
    deciding: bool,
    decided: &HashMap<RegexId, bool, FxBuildHasher>,
    pending: &mut Vec<RegexId>,
    work: &mut WorkBudget,
) -> Result<Option<bool>, StringsError> {
    for part in parts {
        work.charge(1)?;
        match decided.get(part) {
            Some(&answer) if answer == deciding => return Ok(Some(deciding)),
            Some(_) => {}
            None => {
                pending.push(*part);
                return Ok(None);
            }
        }
    }
    Ok(Some(!deciding))
}
