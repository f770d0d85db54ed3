//! The result of judging a proof.

use crate::rules::{ProofFormat, RuleReading};
use std::fmt;

/// The verdict on one step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StepVerdict {
    /// Its premises imply its conclusion.
    Holds(StepProof),
    /// The step is wrong: an assignment makes the premises true and the conclusion false.
    Refuted(Box<StepRefutation>),
    /// The step's correctness is unknown.
    Open(Box<str>),
    /// The step is an assumption, which claims nothing.
    Assumed,
}

/// How a step is known to hold.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum StepProof {
    /// Its shape: the conclusion is a premise, or an equality of a term with itself.
    Shape,
    /// Every truth value of its atoms.
    Atoms,
    /// Every assignment of its small world.
    Exhaustion,
    /// A decision engine.
    Engine,
}

/// How a step is refuted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StepRefutation {
    /// The premises as text.
    pub premises: Vec<String>,
    /// The conclusion as text.
    pub conclusion: String,
    /// The symbols with their values, one definition each.
    pub assignment: Vec<String>,
    /// A script that is satisfiable because the step is wrong: the premises and the negated conclusion.
    pub script: String,
}

/// One step with its verdict.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct JudgedStep {
    /// Its name in the proof; empty if it has none.
    pub name: Box<str>,
    /// Its rule.
    pub rule: Box<str>,
    /// How the rule is judged.
    pub reading: RuleReading,
    /// Its line in the proof, from 1; 0 in a graph without a text.
    pub line: usize,
    /// The verdict.
    pub verdict: StepVerdict,
}

/// The numbers of steps by verdict.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct StepCounts {
    /// Steps that hold.
    pub holds: usize,
    /// Refuted steps.
    pub refuted: usize,
    /// Open steps.
    pub open: usize,
}

/// A proof that was judged.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct JudgedProof {
    /// Its format; `None` for our own graphs.
    pub format: Option<ProofFormat>,
    /// Every step, in the order of the proof.
    pub steps: Vec<JudgedStep>,
    /// What is wrong with the proof as a whole.
    pub faults: Vec<ProofFault>,
    /// The steps without a reason by the solver, by index in `steps`.
    pub holes: Vec<usize>,
    /// The steps of theories, and holes.
    pub theory: StepCounts,
    /// The steps of the logic itself.
    pub core: StepCounts,
}

/// The kind of fault.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FaultKind {
    /// A premise names no earlier step.
    MissingPremise,
    /// A step depends on itself.
    Cycle,
    /// An assumed assertion does not follow from any assertion of the problem.
    NotAsserted,
    /// The last conclusion is not `false`.
    NoContradiction,
    /// An assumption of a scope is never discharged, or a scope ends that was never opened.
    Undischarged,
}

/// A fault with its place in the proof's text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProofFault {
    /// The kind of fault.
    pub kind: FaultKind,
    /// From 1.
    pub line: usize,
    /// In characters, from 1.
    pub column: usize,
    /// What is wrong; lowercase, no final dot.
    pub message: String,
}

impl StepVerdict {
    /// Returns its name.
    pub fn word(&self) -> &'static str {
        match self {
            StepVerdict::Holds(_) => "holds",
            StepVerdict::Refuted(_) => "refuted",
            StepVerdict::Open(_) => "open",
            StepVerdict::Assumed => "assumed",
        }
    }
}

impl StepRefutation {
    /// Describes the refuted step in lines: name and rule, premises, conclusion, and the refuting assignment.
    pub fn describe(&self, name: &str, rule: &str) -> String {
        let premises = self.premises.iter().map(|premise| format!("\n  premise     {premise}"));
        let values = self.assignment.iter().map(|definition| format!("\n  under       {definition}"));
        let premises: String = premises.collect();
        let values: String = values.collect();
        format!("step `{name}` by the rule {rule}{premises}\n  conclusion  {}{values}", self.conclusion)
    }
}

impl StepCounts {
    /// Returns all of them.
    pub fn all(self) -> usize {
        self.holds + self.refuted + self.open
    }
}

impl fmt::Display for StepCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} hold, {} refuted, {} open", self.holds, self.refuted, self.open)
    }
}

impl JudgedProof {
    /// Returns the steps that are refuted.
    pub fn refuted(&self) -> impl Iterator<Item = (&JudgedStep, &StepRefutation)> {
        self.steps.iter().filter_map(|step| match &step.verdict {
            StepVerdict::Refuted(refutation) => Some((step, &**refutation)),
            _ => None,
        })
    }

    /// Whether a step is refuted or the proof has a fault.
    pub fn is_wrong(&self) -> bool {
        !self.faults.is_empty() || self.refuted().next().is_some()
    }
}

impl FaultKind {
    /// Returns its name in machine-readable output.
    pub fn word(self) -> &'static str {
        match self {
            FaultKind::MissingPremise => "missing-premise",
            FaultKind::Cycle => "cycle",
            FaultKind::NotAsserted => "not-asserted",
            FaultKind::NoContradiction => "no-contradiction",
            FaultKind::Undischarged => "undischarged",
        }
    }
}
