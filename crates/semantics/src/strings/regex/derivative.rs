//! Derivatives (Brzozowski 1964) by a character, valid for a whole interval of characters around it.
//!
//! No set of minterms is ever computed: the derivative by one character comes with the widest interval that takes the
//! same steps, and is memoised for all of it. Unions are distributed over what follows them, as partial derivatives
//! (Antimirov 1996) do, which keeps the operands of a state linearly many without complement or intersection.

use super::super::value::MAX_CODE_POINT;
use super::super::{StringsError, WorkBudget};
use super::{RegexId, RegexNode, RegexStore, Transition};

impl RegexStore {
    /// Returns the words that follow `code_point` (at most 0x2FFFF) in the words of the language that start with it.
    pub fn derivative(
        &mut self,
        regex: RegexId,
        code_point: u32,
        work: &mut WorkBudget,
    ) -> Result<RegexId, StringsError> {
        self.transition(regex, code_point, work).map(|transition| transition.target)
    }

    /// Returns the derivative, with the characters for which it is valid.
    pub(super) fn transition(
        &mut self,
        regex: RegexId,
        code_point: u32,
        work: &mut WorkBudget,
    ) -> Result<Transition, StringsError> {
        if let Some(known) = self.known_transition(regex, code_point) {
            return Ok(known);
        }
        // Operands first, on an explicit stack: expressions may be nested a million deep.
        let mut pending = vec![regex];
        let mut missing = Vec::new();
        while let Some(&top) = pending.last() {
            if self.known_transition(top, code_point).is_some() {
                pending.pop();
                continue;
            }
            missing.clear();
            self.push_unknown_operands(top, code_point, &mut missing);
            work.charge(1 + missing.len() as u64)?;
            if !missing.is_empty() {
                pending.append(&mut missing);
                continue;
            }
            let nodes = self.len();
            let transition = self.step(top, code_point, work)?;
            self.add_transition(top, transition);
            work.charge((self.len() - nodes) as u64)?;
            pending.pop();
        }
        self.known_transition(regex, code_point).ok_or(StringsError::RegexWork { budget: 0 })
    }

    /// Pushes the operands whose derivatives are needed for that of `regex` and are not known yet.
    fn push_unknown_operands(&self, regex: RegexId, code_point: u32, missing: &mut Vec<RegexId>) {
        let mut need = |operand: RegexId| {
            if self.known_transition(operand, code_point).is_none() {
                missing.push(operand);
            }
        };
        match self.node(regex) {
            RegexNode::None | RegexNode::Epsilon | RegexNode::Class(_) | RegexNode::Literal { .. } => {}
            RegexNode::Concat(head, tail) => {
                need(*head);
                if self.is_nullable(*head) {
                    need(*tail);
                }
            }
            RegexNode::Union(parts) | RegexNode::Inter(parts) => parts.iter().for_each(|&part| need(part)),
            RegexNode::Complement(body) | RegexNode::Repeat { body, .. } => need(*body),
        }
    }

    /// Computes one derivative from those of the operands.
    fn step(&mut self, regex: RegexId, code_point: u32, work: &mut WorkBudget) -> Result<Transition, StringsError> {
        let none = self.constants.none;
        let everywhere = |target| Transition { low: 0, high: MAX_CODE_POINT, target };
        Ok(match self.node(regex).clone() {
            RegexNode::None | RegexNode::Epsilon => everywhere(none),
            RegexNode::Class(set) => {
                let (inside, (low, high)) = set.locate(code_point);
                Transition { low, high, target: if inside { self.constants.epsilon } else { none } }
            }
            RegexNode::Literal { word, offset } => {
                let first = self.literal(word, offset)[0];
                match code_point.cmp(&first) {
                    std::cmp::Ordering::Less => Transition { low: 0, high: first - 1, target: none },
                    std::cmp::Ordering::Greater => Transition { low: first + 1, high: MAX_CODE_POINT, target: none },
                    std::cmp::Ordering::Equal => {
                        Transition { low: first, high: first, target: self.literal_tail(word, offset + 1) }
                    }
                }
            }
            RegexNode::Concat(head, tail) => {
                let first = self.operand_transition(head, code_point)?;
                let before = self.concat_distributing(first.target, tail, work)?;
                if self.is_nullable(head) {
                    let second = self.operand_transition(tail, code_point)?;
                    let target = self.union_charged(&[before, second.target], work)?;
                    overlap(first, second, target)
                } else {
                    Transition { target: before, ..first }
                }
            }
            RegexNode::Repeat { body, min, max } => {
                // `repeat` made the minimum of a nullable body 0; otherwise one word fewer would be wrong.
                let first = self.operand_transition(body, code_point)?;
                let fewer = if max == super::UNBOUNDED { max } else { max - 1 };
                let rest = self.repeat(body, min.saturating_sub(1), fewer);
                Transition { target: self.concat_distributing(first.target, rest, work)?, ..first }
            }
            RegexNode::Complement(body) => {
                let inner = self.operand_transition(body, code_point)?;
                Transition { target: self.complement(inner.target), ..inner }
            }
            RegexNode::Union(parts) => {
                let (targets, around) = self.gather(&parts, code_point)?;
                Transition { target: self.union_charged(&targets, work)?, ..around }
            }
            RegexNode::Inter(parts) => {
                let (targets, around) = self.gather(&parts, code_point)?;
                let size: usize = targets.iter().map(|&target| self.operand_count(target)).sum();
                work.charge(size as u64)?;
                Transition { target: self.inter_flattening(&targets, usize::MAX), ..around }
            }
        })
    }

    fn operand_transition(&self, operand: RegexId, code_point: u32) -> Result<Transition, StringsError> {
        // Present, since `transition` computes operands first; an error instead of a panic, in case of a bug there.
        self.known_transition(operand, code_point).ok_or(StringsError::RegexWork { budget: 0 })
    }

    fn gather(&self, parts: &[RegexId], code_point: u32) -> Result<(Vec<RegexId>, Transition), StringsError> {
        let mut around = Transition { low: 0, high: MAX_CODE_POINT, target: self.constants.none };
        let mut targets = Vec::with_capacity(parts.len());
        for &part in parts {
            let transition = self.operand_transition(part, code_point)?;
            targets.push(transition.target);
            around = overlap(around, transition, around.target);
        }
        Ok((targets, around))
    }

    fn operand_count(&self, regex: RegexId) -> usize {
        match self.node(regex) {
            RegexNode::Union(parts) | RegexNode::Inter(parts) => parts.len(),
            _ => 1,
        }
    }

    fn union_charged(&mut self, parts: &[RegexId], work: &mut WorkBudget) -> Result<RegexId, StringsError> {
        let size: usize = parts.iter().map(|&part| self.operand_count(part)).sum();
        work.charge(size as u64)?;
        Ok(self.union_flattening(parts, usize::MAX))
    }

    /// `head` followed by `tail`, distributed over the operands of a union.
    fn concat_distributing(
        &mut self,
        head: RegexId,
        tail: RegexId,
        work: &mut WorkBudget,
    ) -> Result<RegexId, StringsError> {
        let RegexNode::Union(parts) = self.node(head) else {
            work.charge(self.concat_steps(head))?;
            return Ok(self.concat(head, tail));
        };
        let parts = parts.clone();
        work.charge(parts.iter().map(|&part| self.concat_steps(part)).sum())?;
        let products: Vec<RegexId> = parts.iter().map(|&part| self.concat(part, tail)).collect();
        self.union_charged(&products, work)
    }
}

fn overlap(first: Transition, second: Transition, target: RegexId) -> Transition {
    Transition { low: first.low.max(second.low), high: first.high.min(second.high), target }
}
