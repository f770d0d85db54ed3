//! One question for each symbol of the SMT-LIB standard, and of sequences, that is known to differ between solvers.

use serde::Deserialize;
use serde::de::IntoDeserializer;
use serde::de::value::Error;
use std::sync::LazyLock;

/// A question that only a solver that knows `symbol` can answer. All are satisfiable in the standard.
pub(super) struct DoctorProbe {
    /// The symbol in the standard's spelling.
    pub(super) symbol: &'static str,
    /// Further requirements of the question.
    pub(super) theory: ProbeTheory,
    /// Declarations and assertions in the standard's spelling.
    pub(super) commands: &'static str,
    /// An unsatisfiable question, for symbols that a solver is known to accept with an arbitrary meaning.
    pub(super) refuted: Option<&'static str>,
}

/// The theories that a question needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub(super) enum ProbeTheory {
    Ints,
    Arrays,
    BitVectors,
    BitVectorsAndInts,
    Strings,
    /// Not a theory of the standard.
    Sequences,
    /// Not a theory of the standard.
    Sets,
    /// Not a theory of the standard.
    Bags,
    FiniteFields,
}

impl ProbeTheory {
    /// Returns logics that cover the theory, the smallest first.
    pub(super) fn logics(self) -> &'static [&'static str] {
        match self {
            ProbeTheory::Ints => &["QF_LIA", "LIA"],
            ProbeTheory::Arrays => &["ALL", "QF_ALIA"],
            ProbeTheory::BitVectors => &["QF_BV", "BV"],
            ProbeTheory::BitVectorsAndInts => &["ALL"],
            // Older solvers do not know QF_SLIA.
            ProbeTheory::Strings
            | ProbeTheory::Sequences
            | ProbeTheory::Sets
            | ProbeTheory::Bags
            | ProbeTheory::FiniteFields => &["ALL"],
        }
    }
}

/// The sort constructor of finite sets: a solver without it has none of their operators.
pub(super) const SETS: &str = "Set";
/// The sort constructor of bags, likewise.
pub(super) const BAGS: &str = "Bag";
/// The name in `lacks` for all of sequences: that of their sort.
pub(super) const SEQUENCES: &str = "Seq";

/// The name in `lacks` for all of finite fields: that of their sort.
pub(super) const FINITE_FIELDS: &str = "FiniteField";

/// The questions, as `probes.txt` lists them.
pub(super) static PROBES: LazyLock<Vec<DoctorProbe>> = LazyLock::new(|| {
    let mut probes: Vec<DoctorProbe> = Vec::new();
    for line in include_str!("probes.txt").lines().filter(|line| !line.starts_with('#')) {
        let Some((theory, rest)) = line.split_once(' ') else { continue };
        match (ProbeTheory::deserialize(IntoDeserializer::<Error>::into_deserializer(theory)), rest.split_once(' ')) {
            (Ok(theory), Some((symbol, commands))) => {
                probes.push(DoctorProbe { symbol, theory, commands, refuted: None });
            }
            _ => probes.last_mut().into_iter().for_each(|probe| probe.refuted = Some(rest)),
        }
    }
    probes
});

#[cfg(test)]
#[path = "../../tests/unit/probes.rs"]
mod tests;
