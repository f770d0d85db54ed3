//! A proof as a graph: steps, and the steps that each of them uses.

use smtlib::TermId;

/// A step by its place in its proof.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct StepId(pub u32);

/// What a step claims.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StepKind {
    /// Its conclusion is taken as true: an assertion, or an assumption that a later step discharges.
    Assumption,
    /// Its premises imply its conclusion.
    Claim,
    /// The symbols that are new at this step have values such that its premises imply its conclusion, whatever the other symbols are.
    Definition,
}

/// A step of a proof: a claim about its premises and its conclusion.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProofStep {
    /// Its name in the proof; empty if it has none.
    pub name: Box<str>,
    /// Its rule, pass or engine.
    pub rule: Box<str>,
    /// What the step claims.
    pub kind: StepKind,
    /// The steps whose conclusions it uses.
    pub premises: Vec<StepId>,
    /// The assumptions that it discharges: its conclusion holds without them, or names them as hypotheses.
    pub discharges: Vec<StepId>,
    /// The conclusion; `None` if the proof does not state it in a known form.
    pub conclusion: Option<TermId>,
}

/// A proof: its steps in order.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct ProofGraph {
    steps: Vec<ProofStep>,
}

impl ProofGraph {
    /// Returns the steps.
    pub fn steps(&self) -> &[ProofStep] {
        &self.steps
    }

    /// Adds a step.
    ///
    /// # Panics
    /// There are more than `u32::MAX` steps.
    pub fn push(&mut self, step: ProofStep) -> StepId {
        let id = StepId(u32::try_from(self.steps.len()).expect("a proof that fits into memory has fewer steps"));
        self.steps.push(step);
        id
    }

    /// Adds an assertion, or an assumption that a later step discharges.
    pub fn assume(&mut self, conclusion: TermId) -> StepId {
        self.push(ProofStep {
            name: "".into(),
            rule: "assume".into(),
            kind: StepKind::Assumption,
            premises: Vec::new(),
            discharges: Vec::new(),
            conclusion: Some(conclusion),
        })
    }

    /// Adds a claim: the premises imply the conclusion.
    pub fn conclude(&mut self, rule: &str, premises: &[StepId], conclusion: TermId) -> StepId {
        self.push(ProofStep {
            name: "".into(),
            rule: rule.into(),
            kind: StepKind::Claim,
            premises: premises.to_vec(),
            discharges: Vec::new(),
            conclusion: Some(conclusion),
        })
    }

    /// Returns the steps that some of them depend on, including themselves and the assumptions that they discharge,
    /// ascending.
    pub fn leading_to(&self, last: impl IntoIterator<Item = StepId>) -> Vec<StepId> {
        let mut is_reached = vec![false; self.steps.len()];
        let mut stack: Vec<StepId> = last.into_iter().collect();
        while let Some(id) = stack.pop() {
            let Some(reached) = is_reached.get_mut(id.0 as usize) else { continue };
            if !std::mem::replace(reached, true) {
                let step = &self.steps[id.0 as usize];
                stack.extend(step.premises.iter().chain(&step.discharges));
            }
        }
        (0u32..).zip(is_reached).filter(|(_, reached)| *reached).map(|(n, _)| StepId(n)).collect()
    }
}
