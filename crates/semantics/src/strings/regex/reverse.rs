//! The reversal of a regular expression: the language of the words read backwards.

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

use super::super::error::{StringsError, WorkBudget};
use super::super::value::SmtString;
use super::store::{RegexId, RegexNode, RegexStore};

impl RegexStore {
    /// The words of the language read from their ends.
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
