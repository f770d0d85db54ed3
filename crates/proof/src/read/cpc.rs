//! cvc5's own format, as `--proof-print-conclusion` prints it.
//!
//! Source: cvc5 documentation, "Proof format: CPC"; the commands are those of Eunoia (Ethos user manual).

use super::terms::ProofMeaning;
use super::{ProofReadError, ProofReader, shorten};
use crate::graph::{ProofStep, StepId, StepKind};
use crate::verdict::FaultKind;
use smtlib::sexpr::{SexprNode, bare};

impl<'a> ProofReader<'a> {
    /// Reads all commands.
    pub(super) fn cpc(&mut self, commands: &[SexprNode]) -> Result<(), ProofReadError> {
        let mut open: Vec<StepId> = Vec::new();
        for &command in commands {
            let parts: Vec<SexprNode> = self.sexprs.children(command).collect();
            let words = |n: usize| parts.get(n).map_or("", |&p| self.sexprs.text(p));
            match words(0) {
                "declare-const" | "declare-fun" => self.cpc_declare(&parts),
                "define" if parts.len() >= 4 => self.cpc_define(&parts)?,
                "assume" | "assume-push" => {
                    let id = self.cpc_assume(command, &parts)?;
                    if words(0) == "assume-push" {
                        open.push(id);
                    }
                }
                "step" => {
                    self.cpc_step(command, &parts, &[])?;
                }
                "step-pop" => match open.pop() {
                    Some(assumption) => self.cpc_step(command, &parts, &[assumption])?,
                    None => {
                        let message = format!("`{}` ends a scope that was never opened", shorten(words(1)));
                        self.fault(FaultKind::Undischarged, command, message);
                        self.cpc_step(command, &parts, &[])?;
                    }
                },
                _ => {}
            }
        }
        Ok(())
    }

    /// Reads a declaration of a symbol that the problem does not declare: the solver's own.
    fn cpc_declare(&mut self, parts: &[SexprNode]) {
        let (Some(&name), Some(&sort)) = (parts.get(1), parts.last()) else { return };
        let name = self.sexprs.text(name);
        if !self.is_declared(name)
            && let Ok(sort) = smtlib::parse_sort(self.store, &mut self.scope, self.sexprs.text(sort))
            && let Some(term) = self.skolem(name.to_string(), sort)
        {
            self.names.insert(bare(name), vec![ProofMeaning::Term(term)]);
        }
    }

    fn cpc_define(&mut self, parts: &[SexprNode]) -> Result<(), ProofReadError> {
        let name = self.sexprs.text(parts[1]);
        // A definition of the problem, which has been read already.
        if self.is_declared(name) {
            return Ok(());
        }
        let has_parameters = self.sexprs.children(parts[2]).next().is_some();
        let meaning = match has_parameters {
            true => super::terms::unread(format!("`{}` is a macro", shorten(name))),
            false => self.meaning(parts[3])?,
        };
        self.names.insert(bare(name), vec![meaning]);
        Ok(())
    }

    fn cpc_assume(&mut self, command: SexprNode, parts: &[SexprNode]) -> Result<StepId, ProofReadError> {
        let meaning = match parts.get(2) {
            Some(&formula) => self.meaning(formula)?,
            None => super::terms::unread("an assumption of nothing"),
        };
        let (conclusion, unread) = self.conclusion(meaning);
        let name = parts.get(1).map_or("", |&n| self.sexprs.text(n));
        let step = ProofStep {
            name: name.into(),
            rule: parts.first().map_or("assume", |&n| self.sexprs.text(n)).into(),
            kind: StepKind::Assumption,
            premises: Vec::new(),
            discharges: Vec::new(),
            conclusion,
        };
        let id = self.add(step, command, unread)?;
        self.steps.insert(bare(name), id);
        Ok(id)
    }

    fn cpc_step(
        &mut self,
        command: SexprNode,
        parts: &[SexprNode],
        discharges: &[StepId],
    ) -> Result<(), ProofReadError> {
        let name = parts.get(1).map_or("", |&n| self.sexprs.text(n));
        let (premises, is_complete) = self.premises(self.attribute(parts, ":premises"));
        let rule = self.attribute(parts, ":rule").map_or("", |n| self.sexprs.text(n));
        let trusted = trusted(&self.text[..self.sexprs.span(command).start], rule);
        let stated = parts.get(2).filter(|&&n| !self.sexprs.text(n).starts_with(':'));
        let (conclusion, mut unread) = match (stated, discharges) {
            (Some(&formula), _) => {
                let meaning = self.meaning(formula)?;
                self.conclusion(meaning)
            }
            (None, &[assumption]) => match self.implication(assumption, &premises) {
                Some(conclusion) => (Some(conclusion), None),
                None => (None, Some("its assumption or its premise is not understood".into())),
            },
            (None, _) => (None, Some("no conclusion is printed; cvc5 does with --proof-print-conclusion".into())),
        };
        if !is_complete {
            unread = Some("a premise is missing".into());
        }
        let step = ProofStep {
            name: name.into(),
            rule: trusted.unwrap_or(rule).into(),
            kind: StepKind::Claim,
            premises,
            discharges: discharges.to_vec(),
            conclusion,
        };
        let id = self.add(step, command, unread)?;
        self.steps.insert(bare(name), id);
        Ok(())
    }

    /// Returns the conclusion of the rule `scope`: the assumption implies the premise.
    fn implication(&mut self, assumption: StepId, premises: &[StepId]) -> Option<smtlib::TermId> {
        let conclusion = |id: StepId| self.proof.graph.steps()[id.0 as usize].conclusion;
        let (from, to) = (conclusion(assumption)?, conclusion(*premises.first()?)?);
        smtlib::parse_application(self.store, &mut self.scope, "=>", &[from, to]).ok()
    }
}

/// The comment that cvc5 prints before an unjustified step: `trust TRUST_THEORY_REWRITE`. `before` is the proof's text up to the step.
pub fn trusted<'t>(before: &'t str, rule: &str) -> Option<&'t str> {
    // Whole lines of comments, and one at the end of the preceding command's line.
    let mut is_over = false;
    let lines = before.lines().rev().map(str::trim).take_while(|line| {
        let goes_on = !is_over;
        is_over |= !line.is_empty() && !line.starts_with(';');
        goes_on
    });
    let comment =
        |line: &'t str| line.rsplit_once(';').map(|(_, said)| said.trim()).filter(|said| !said.contains(['"', '|']));
    lines.filter_map(comment).find(|said| said.split(' ').next() == Some(rule))
}
