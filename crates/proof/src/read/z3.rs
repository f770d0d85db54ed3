//! z3's proofs, which are terms: each application of a rule is a step.
//!
//! Source: z3, `src/ast/ast.h`, the declarations `PR_*` with their comments.

use super::terms::{AppliedTo, ProofMeaning};
use super::{ProofReadError, ProofReader};
use crate::graph::{ProofStep, StepId, StepKind};
use crate::rules::{ProofFormat, listed};
use rustc_hash::FxHashSet;
use smtlib::sexpr::SexprNode;
use smtlib::{Kind, TermId};

impl<'a> ProofReader<'a> {
    /// Reads all commands.
    pub(super) fn z3(&mut self, commands: &[SexprNode]) -> Result<(), ProofReadError> {
        for &command in commands {
            if let Some(parts) = self.sexprs.headed(command, "proof")
                && let Some(&root) = parts.last()
            {
                self.meaning(root)?;
            }
        }
        Ok(())
    }

    /// Returns the step of a term, if it is one.
    pub(super) fn z3_step(
        &mut self,
        node: SexprNode,
        head: &AppliedTo<'a>,
        values: &[ProofMeaning],
    ) -> Result<Option<ProofMeaning>, ProofReadError> {
        let rule = match head {
            AppliedTo::Word(word) => word,
            AppliedTo::Indexed(text) => text.trim_matches(['(', ')']).split_whitespace().nth(1).unwrap_or(""),
            AppliedTo::Map => return Ok(None),
        };
        let premises: Vec<StepId> = values.iter().filter_map(ProofMeaning::step).collect();
        if premises.is_empty() && (listed(ProofFormat::Z3, rule).is_none() || self.is_declared(rule)) {
            return Ok(None);
        }
        if rule == "proof-bind" {
            return Ok(values.first().cloned());
        }
        let (conclusion, unread) = match values.last() {
            Some(ProofMeaning::Step(_)) | None => (None, Some("it has no conclusion".into())),
            Some(meaning) => self.conclusion(meaning.clone()),
        };
        let kind = match rule {
            "asserted" | "goal" | "hypothesis" => StepKind::Assumption,
            _ => StepKind::Claim,
        };
        let discharges = match rule {
            "lemma" => self.refuted_hypotheses(&premises, conclusion),
            _ => Vec::new(),
        };
        let name = format!("{rule} {}", self.proof.graph.steps().len() + 1);
        let step = ProofStep { name: name.into(), rule: rule.into(), kind, premises, discharges, conclusion };
        self.add(step, node, unread).map(|id| Some(ProofMeaning::Step(id)))
    }

    /// Returns the hypotheses of steps whose negations are literals of a clause. If one of them is not understood because of z3's
    /// own symbols, it counts as discharged.
    fn refuted_hypotheses(&mut self, premises: &[StepId], clause: Option<TermId>) -> Vec<StepId> {
        let mut literals: FxHashSet<TermId> = FxHashSet::default();
        literals.extend(clause);
        if let Some(clause) = clause
            && self.store.kind(clause) == Kind::Or
        {
            literals.extend(self.store.args(clause));
        }
        let mut found = Vec::new();
        for premise in premises {
            for &id in self.proof.notes[premise.0 as usize].rests_on.iter() {
                let hypothesis = self.proof.graph.steps()[id.0 as usize].conclusion;
                let (Some(hypothesis), Some(_)) = (hypothesis, clause) else {
                    found.push(id);
                    continue;
                };
                let negated = self.store.not(hypothesis);
                let is_refuted = literals.contains(&negated)
                    || self.store.kind(hypothesis) == Kind::Not && literals.contains(&self.store.args(hypothesis)[0]);
                if is_refuted {
                    found.push(id);
                }
            }
        }
        found
    }
}
