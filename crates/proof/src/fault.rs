//! What is wrong with a proof as a whole.

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
