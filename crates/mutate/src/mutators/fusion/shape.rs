//! How the assertions of two seeds are joined, and the resulting status.

use crate::mutator::Parent;
use crate::mutators::fusion::config::Oracle;
use crate::mutators::fusion::entry::FusionEntry;
use crate::mutators::fusion::parents::ParentAssertion;
use crate::preamble::is_labelled_unsat;
use smtlib::Store;

/// How the assertions are joined, and the result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FusionShape {
    /// All assertions of both that are true under the witness, the false ones negated: satisfiable.
    Conjunction,
    /// The true ones of one parent, or all of the other unchanged: satisfiable.
    Disjunction {
        /// The parent whose assertions are true: 0 or 1.
        holds: usize,
    },
    /// All of one unsatisfiable parent or all of the other: unsatisfiable.
    UnsatDisjunction,
    /// All of both, one of them unsatisfiable: unsatisfiable.
    UnsatConjunction,
    /// All of both, of unknown status: for comparing solvers.
    Open,
}

impl FusionShape {
    /// Whether the witness satisfies the mutant.
    pub(super) fn is_certified(self) -> bool {
        matches!(self, FusionShape::Conjunction | FusionShape::Disjunction { .. })
    }

    pub(super) fn describe(self) -> &'static str {
        match self {
            FusionShape::Conjunction => "conjunction of certified assertions",
            FusionShape::Disjunction { .. } => "disjunction, one side certified",
            FusionShape::UnsatDisjunction => "disjunction of two unsat seeds",
            FusionShape::UnsatConjunction => "conjunction with an unsat seed",
            FusionShape::Open => "conjunction of seeds of unknown status",
        }
    }
}

/// Returns the possible ways of joining.
pub(super) fn shapes(
    store: &Store,
    parents: [&Parent; 2],
    lines: &[Vec<ParentAssertion>; 2],
    entries: &[FusionEntry],
    oracle: Oracle,
) -> Vec<FusionShape> {
    let unsat = parents.map(|p| is_labelled_unsat(store, &p.instance));
    let known = lines.each_ref().map(|l| l.iter().any(|l| l.value.is_some()));
    let mut shapes = Vec::new();
    if oracle != Oracle::Unsat && entries.iter().any(|e| e.holds) {
        if known[0] || known[1] {
            // The plain conjunction is the paper's; it is more frequent.
            shapes.extend([FusionShape::Conjunction; 3]);
        }
        // A side that is always false would be useless, so the other one is used unchanged.
        for holds in 0..2 {
            if known[holds] && lines[1 - holds].iter().any(|l| l.value != Some(true)) {
                shapes.push(FusionShape::Disjunction { holds });
            }
        }
    }
    if oracle != Oracle::Sat {
        if unsat[0] && unsat[1] {
            shapes.extend([FusionShape::UnsatDisjunction; 4]);
        }
        if unsat[0] || unsat[1] {
            shapes.extend([FusionShape::UnsatConjunction; 2]);
        }
    }
    if shapes.is_empty() && oracle == Oracle::Auto {
        shapes.push(FusionShape::Open);
    }
    shapes
}
