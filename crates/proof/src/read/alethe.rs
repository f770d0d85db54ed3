//! The Alethe format (Barbosa, Fleury, Fontaine, Schurr and others, "The Alethe Proof Format", sections 3 and 4).

use super::terms::ProofMeaning;
use super::{ProofReadError, ProofReader};
use crate::graph::{ProofStep, StepId, StepKind};
use smtlib::TermId;
use smtlib::sexpr::{SexprNode, bare};
use std::rc::Rc;

/// A subproof that is being read.
struct Subproof<'a> {
    /// The step that ends it.
    ended_by: &'a str,
    assumptions: Vec<StepId>,
    /// The names of its steps, which are not visible after it.
    steps: Vec<&'a str>,
    /// The variables that it binds.
    variables: Vec<&'a str>,
    /// Whether its steps are under a substitution.
    substitutes: bool,
}

impl<'a> ProofReader<'a> {
    /// Reads all commands.
    pub(super) fn alethe(&mut self, commands: &[SexprNode]) -> Result<(), ProofReadError> {
        let mut open: Vec<Subproof<'a>> = Vec::new();
        let mut last: Option<StepId> = None;
        for &command in commands {
            let parts: Vec<SexprNode> = self.sexprs.children(command).collect();
            let text = |n: usize| parts.get(n).map_or("", |&p| self.sexprs.text(p));
            match text(0) {
                "anchor" => {
                    let subproof = self.anchor(&parts);
                    open.push(subproof);
                }
                "assume" | "step" => {
                    let name = bare(text(1));
                    let ended = open.pop_if(|subproof| subproof.ended_by == name);
                    if let Some(ended) = &ended {
                        ended.steps.iter().for_each(|step| {
                            self.steps.remove(step);
                        });
                    }
                    let substitutes = open.iter().any(|subproof| subproof.substitutes);
                    let id =
                        self.alethe_step(command, &parts, (ended.as_ref(), last, !open.is_empty(), substitutes))?;
                    if let Some(ended) = ended {
                        self.unbind(&ended.variables);
                    }
                    if let Some(inner) = open.last_mut() {
                        inner.steps.push(name);
                        if text(0) == "assume" {
                            inner.assumptions.push(id);
                        }
                    }
                    self.steps.insert(name, id);
                    last = Some(id);
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// `(anchor :step t :args ((x S) (:= (y S) t)))`.
    fn anchor(&mut self, parts: &[SexprNode]) -> Subproof<'a> {
        let sexprs = self.sexprs;
        let ended_by = self.attribute(parts, ":step").map_or("", |n| bare(sexprs.text(n)));
        let mut subproof = Subproof {
            ended_by,
            assumptions: Vec::new(),
            steps: Vec::new(),
            variables: Vec::new(),
            substitutes: false,
        };
        let args = self.attribute(parts, ":args").map(|n| sexprs.children(n));
        for arg in args.into_iter().flatten() {
            let assigned = sexprs.headed(arg, ":=").and_then(|rest| rest.first().copied());
            subproof.substitutes |= assigned.is_some();
            let mut variable = sexprs.children(assigned.unwrap_or(arg));
            if let (Some(name), Some(sort)) = (variable.next(), variable.next())
                && let Ok(sort) = smtlib::parse_sort(self.store, &mut self.scope, sexprs.text(sort))
            {
                let name = bare(sexprs.text(name));
                let term = self.own_variable(name, sort);
                self.names.entry(name).or_default().push(ProofMeaning::Term(term));
                subproof.variables.push(name);
            }
        }
        subproof
    }

    fn alethe_step(
        &mut self,
        command: SexprNode,
        parts: &[SexprNode],
        (ended, last, is_local, substitutes): (Option<&Subproof<'a>>, Option<StepId>, bool, bool),
    ) -> Result<StepId, ProofReadError> {
        let word = |n: usize| parts.get(n).map_or("", |&p| self.sexprs.text(p));
        let is_assumption = word(0) == "assume";
        let name = word(1);
        let meaning = match parts.get(2) {
            Some(&formula) => self.meaning(formula)?,
            None => super::terms::unread("no clause is printed"),
        };
        let (conclusion, mut unread) = match meaning {
            ProofMeaning::List(literals) => self.clause(&literals),
            other => self.conclusion(other),
        };
        let rule = match self.attribute(parts, ":rule").map(|n| self.sexprs.text(n)) {
            _ if is_assumption && is_local => "local assume",
            Some(rule) if !is_assumption => rule,
            _ => "assume",
        };
        let (mut premises, is_complete) = self.premises(self.attribute(parts, ":premises"));
        if ended.is_some() && premises.is_empty() {
            premises.extend(last);
        }
        if !is_complete {
            unread = Some("a premise is missing".into());
        } else if substitutes && !is_assumption {
            unread = Some("it is under a substitution".into());
        }
        let step = ProofStep {
            name: name.into(),
            rule: rule.into(),
            kind: if is_assumption { StepKind::Assumption } else { StepKind::Claim },
            premises,
            discharges: ended.map(|subproof| subproof.assumptions.clone()).unwrap_or_default(),
            conclusion,
        };
        self.add(step, command, unread)
    }

    /// Returns a clause as a formula.
    fn clause(&mut self, literals: &[ProofMeaning]) -> (Option<TermId>, Option<Rc<str>>) {
        let mut terms = Vec::with_capacity(literals.len());
        for literal in literals {
            match self.conclusion(literal.clone()) {
                (Some(term), _) => terms.push(term),
                (None, why) => return (None, why),
            }
        }
        (Some(self.store.or(&terms)), None)
    }
}
