//! The size of a sort.

/// The size of a sort under a model.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Cardinality {
    /// Exactly this many elements.
    Finite(u64),
    /// Finite, but 2^64 elements or more.
    Huge,
    /// Infinite.
    Infinite,
    /// Not fixed by the model, or not computed.
    Unknown,
}

impl Cardinality {
    /// Whether no table that fits into memory has an entry for every element.
    pub fn is_inexhaustible(self) -> bool {
        matches!(self, Cardinality::Huge | Cardinality::Infinite)
    }

    pub(crate) fn times(self, other: Cardinality) -> Cardinality {
        use Cardinality::*;
        match (self, other) {
            (Unknown, _) | (_, Unknown) => Unknown,
            (Infinite, _) | (_, Infinite) => Infinite,
            (Finite(a), Finite(b)) => a.checked_mul(b).map_or(Huge, Finite),
            _ => Huge,
        }
    }

    pub(crate) fn plus(self, other: Cardinality) -> Cardinality {
        use Cardinality::*;
        match (self, other) {
            (Infinite, _) | (_, Infinite) => Infinite,
            (Unknown, _) | (_, Unknown) => Unknown,
            (Finite(a), Finite(b)) => a.checked_add(b).map_or(Huge, Finite),
            _ => Huge,
        }
    }

    pub(crate) fn power(self, exponent: Cardinality) -> Cardinality {
        use Cardinality::*;
        match (self, exponent) {
            (Finite(1), _) => Finite(1),
            (Unknown, _) | (_, Unknown) => Unknown,
            (Infinite, _) | (_, Infinite) => Infinite,
            (Finite(base), Finite(n)) => u32::try_from(n).ok().and_then(|n| base.checked_pow(n)).map_or(Huge, Finite),
            _ => Huge,
        }
    }
}
