//! The value of a formula under each of several assignments: true, false or unknown.

use std::ops::Not;

/// A set of assignments, one bit each.
pub type AssignmentSet = u8;

/// The maximum number of assignments of a unit.
pub const MAX_ASSIGNMENTS: u32 = 4;

/// Returns the set of one assignment.
pub fn only(assignment: usize) -> AssignmentSet {
    1 << assignment
}

/// Returns the assignments of a set, in order.
pub fn members(set: AssignmentSet) -> impl Iterator<Item = usize> {
    (0..MAX_ASSIGNMENTS as usize).filter(move |&n| set & only(n) != 0)
}

/// The value of a formula under each assignment. In neither set: unknown.
///
/// Invariant: the connectives are those of Kleene's three-valued logic, so results hold whatever the unknown values are.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct TruthVector {
    /// The assignments under which it is certainly true.
    pub yes: AssignmentSet,
    /// The assignments under which it is certainly false.
    pub no: AssignmentSet,
}

impl TruthVector {
    /// Sets the value under one assignment.
    pub fn set(&mut self, assignment: usize, value: bool) {
        let side = if value { &mut self.yes } else { &mut self.no };
        *side |= only(assignment);
    }

    /// Whether some assignment makes it true and another one false.
    pub fn tells_apart(self) -> bool {
        self.yes != 0 && self.no != 0
    }

    /// Returns the vector of the formula, or of its negation.
    pub fn with_sign(self, positive: bool) -> TruthVector {
        if positive { self } else { !self }
    }

    /// Of `(and a b)`.
    pub fn and(self, other: TruthVector) -> TruthVector {
        TruthVector { yes: self.yes & other.yes, no: self.no | other.no }
    }

    /// Of `(or a b)`.
    pub fn or(self, other: TruthVector) -> TruthVector {
        !(!self).and(!other)
    }

    /// Of `(= a b)`.
    pub fn same(self, other: TruthVector) -> TruthVector {
        TruthVector {
            yes: (self.yes & other.yes) | (self.no & other.no),
            no: (self.yes & other.no) | (self.no & other.yes),
        }
    }

    /// Of `(ite c a b)`.
    pub fn choose(self, then: TruthVector, otherwise: TruthVector) -> TruthVector {
        TruthVector {
            yes: (self.yes & then.yes) | (self.no & otherwise.yes),
            no: (self.yes & then.no) | (self.no & otherwise.no),
        }
    }
}

impl Not for TruthVector {
    type Output = TruthVector;

    fn not(self) -> TruthVector {
        TruthVector { yes: self.no, no: self.yes }
    }
}
