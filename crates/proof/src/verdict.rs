//! The result of judging a proof.

use crate::rules::{ProofFormat, RuleReading};
use std::fmt;

/// What is known of one step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StepVerdict {
    /// Its premises imply its conclusion.
    Holds(StepProof),
    /// They do not: an assignment makes them true and it false.
    Refuted(Box<StepRefutation>),
    /// Neither is known.
    Open(Box<str>),
    /// It is an assumption, which claims nothing.
    Assumed,
}

/// By what a step is known to hold.
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
    /// The symbols with their values, a definition each.
    pub assignment: Vec<String>,
    /// A script that is satisfiable because the step is wrong: the premises and the negated conclusion.
    pub script: String,
}

/// One step with its verdict.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct JudgedStep {
    /// What the proof calls it; empty where it has no name.
    pub name: Box<str>,
    /// Its rule.
    pub rule: Box<str>,
    /// How the rule is judged.
    pub reading: RuleReading,
    /// Its line in the proof, from 1; 0 in a graph that was read from no text.
    pub line: usize,
    /// What is known.
    pub verdict: StepVerdict,
}

/// How many steps came out how.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct StepCounts {
    /// That hold.
    pub holds: usize,
    /// That are refuted.
    pub refuted: usize,
    /// Of which nothing is known.
    pub open: usize,
}

/// A proof that was judged.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct JudgedProof {
    /// In which format it is; none of a graph of our own.
    pub format: Option<ProofFormat>,
    /// Every step, in the order of the proof.
    pub steps: Vec<JudgedStep>,
    /// What is wrong with the proof as a whole.
    pub faults: Vec<ProofFault>,
    /// The steps for which the solver gives no reason, by their place in `steps`.
    pub holes: Vec<usize>,
    /// The steps of theories, and holes.
    pub theory: StepCounts,
    /// The steps of the logic itself.
    pub core: StepCounts,
}

/// In which way.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FaultKind {
    /// A premise names no step before.
    MissingPremise,
    /// A step rests on itself.
    Cycle,
    /// What the proof takes as asserted does not follow from any assertion of the problem.
    NotAsserted,
    /// The last conclusion is not `false`.
    NoContradiction,
    /// An assumption of a scope is never discharged, or a scope ends that was never opened.
    Undischarged,
}

/// A fault with its place in the proof's text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProofFault {
    /// In which way.
    pub kind: FaultKind,
    /// From 1.
    pub line: usize,
    /// In characters, from 1.
    pub column: usize,
    /// What is wrong; lowercase, no final dot.
    pub message: String,
}

impl StepVerdict {
    /// A word for it.
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
    /// The refuted step in lines: its name and rule, its premises, its conclusion, and the assignment that refutes it.
    pub fn describe(&self, name: &str, rule: &str) -> String {
        let premises = self.premises.iter().map(|premise| format!("\n  premise     {premise}"));
        let values = self.assignment.iter().map(|definition| format!("\n  under       {definition}"));
        let premises: String = premises.collect();
        let values: String = values.collect();
        format!("step `{name}` by the rule {rule}{premises}\n  conclusion  {}{values}", self.conclusion)
    }
}

impl StepCounts {
    /// All of them.
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
    /// The steps that are refuted.
    pub fn refuted(&self) -> impl Iterator<Item = (&JudgedStep, &StepRefutation)> {
        self.steps.iter().filter_map(|step| match &step.verdict {
            StepVerdict::Refuted(refutation) => Some((step, &**refutation)),
            _ => None,
        })
    }

    /// Whether something is wrong: a step is refuted, or the proof has a fault.
    pub fn is_wrong(&self) -> bool {
        !self.faults.is_empty() || self.refuted().next().is_some()
    }
}

impl FaultKind {
    /// The word for it in machine-readable output.
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
