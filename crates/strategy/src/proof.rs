//! Proof trees: the steps that refute a goal, and the programs trusted for them.

use proof::StepId;
use std::fmt::Write;
use std::sync::Arc;

/// A refutation of a goal, possibly with holes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Proof {
    /// A subgoal that is still open, by its number.
    Hole(usize),
    /// A step from a goal to subgoals, all of which are refuted.
    Step {
        /// The tactic.
        tactic: Arc<str>,
        /// The trusted program that did it, if another one.
        trusted: Option<Arc<str>>,
        /// The number of the goal's formulas.
        formulas: usize,
        /// The subgoals' proofs.
        premises: Vec<Proof>,
        /// If the run is recorded and there are several subgoals, the steps of the split.
        split: Option<Box<CaseSteps>>,
    },
    /// A goal refuted directly.
    Closed {
        /// The refuter: `simplify`, `simplex`, `z3@4.15.4`.
        by: Arc<str>,
        /// Whether that is another, trusted program.
        trusted: bool,
        /// The number of the goal's formulas.
        formulas: usize,
        /// The number of formulas used.
        used: usize,
        /// If the run is recorded, the step that concludes `false`.
        step: Option<StepId>,
    },
}

/// The steps of a split into cases.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CaseSteps {
    /// The claim that one of the cases holds.
    pub claim: StepId,
    /// The assumption of each case.
    pub cases: Vec<StepId>,
}

impl Proof {
    /// Replaces every hole by the result of `fill` for its number.
    ///
    /// Goals are at most [`MAX_DEPTH`](crate::plan::MAX_DEPTH) steps deep, and so are their proofs.
    pub fn fill(self, fill: &mut impl FnMut(usize) -> Proof) -> Proof {
        match self {
            Proof::Hole(n) => fill(n),
            Proof::Step { tactic, trusted, formulas, premises, split } => {
                let premises = premises.into_iter().map(|p| p.fill(fill)).collect();
                Proof::Step { tactic, trusted, formulas, premises, split }
            }
            closed => closed,
        }
    }

    /// Returns the programs trusted by the proof, without duplicates, in order.
    pub fn trusted(&self) -> Vec<Arc<str>> {
        let mut found: Vec<Arc<str>> = Vec::new();
        let mut stack = vec![self];
        while let Some(proof) = stack.pop() {
            match proof {
                Proof::Closed { by, trusted: true, .. } if !found.contains(by) => found.push(by.clone()),
                Proof::Step { trusted, premises, .. } => {
                    found.extend(trusted.iter().filter(|&by| !found.contains(by)).cloned().collect::<Vec<_>>());
                    stack.extend(premises.iter().rev());
                }
                _ => {}
            }
        }
        found
    }

    /// Returns the tree as one S-expression: `(step tactic …)`, `(trusted-step tactic …)`, `(by engine)`, `(trusted program)`.
    pub fn expression(&self) -> String {
        enum ProofPart<'p> {
            Tree(&'p Proof),
            Close,
        }
        let mut text = String::new();
        let mut stack = vec![ProofPart::Tree(self)];
        while let Some(part) = stack.pop() {
            let proof = match part {
                ProofPart::Close => {
                    text.push(')');
                    continue;
                }
                ProofPart::Tree(proof) => proof,
            };
            if !text.is_empty() {
                text.push(' ');
            }
            match proof {
                Proof::Hole(n) => {
                    let _ = write!(text, "(open {n})");
                }
                Proof::Step { tactic, trusted, premises, .. } => {
                    let word = if trusted.is_some() { "trusted-step" } else { "step" };
                    let _ = write!(text, "({word} |{tactic}|");
                    stack.push(ProofPart::Close);
                    stack.extend(premises.iter().rev().map(ProofPart::Tree));
                }
                Proof::Closed { by, trusted, used, .. } => {
                    let word = if *trusted { "trusted" } else { "by" };
                    let _ = write!(text, "({word} |{by}| :used {used})");
                }
            }
        }
        text
    }

    /// Prints the tree as text, one step per line, indented by depth.
    pub fn text(&self) -> String {
        let mut text = String::new();
        let mut stack = vec![(self, 0usize)];
        while let Some((proof, depth)) = stack.pop() {
            let _ = write!(text, "{:indent$}", "", indent = 2 * depth);
            match proof {
                Proof::Hole(n) => {
                    let _ = writeln!(text, "open subgoal {n}");
                }
                Proof::Step { tactic, trusted, formulas, premises, .. } => {
                    let by = trusted.as_ref().map(|by| format!("trusted: {by}, ")).unwrap_or_default();
                    let (before, after) = (counted(*formulas, "formula"), counted(premises.len(), "subgoal"));
                    let _ = writeln!(text, "{by}{tactic}: {before} to {after}");
                    // A chain of steps with one subgoal each is printed as a list, not a tree.
                    let inner = if premises.len() == 1 { depth } else { depth + 1 };
                    stack.extend(premises.iter().rev().map(|p| (p, inner)));
                }
                Proof::Closed { by, trusted, formulas, used, .. } => {
                    let word = if *trusted { "trusted: " } else { "" };
                    let _ = writeln!(text, "{word}{by}: unsat by {used} of {formulas} formulas");
                }
            }
        }
        text
    }
}

/// Formats a number of things, with the word for one of them.
pub(crate) fn counted(n: usize, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}
