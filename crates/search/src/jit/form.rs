//! The forms of compiled code.

/// How far compiled code runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CodeForm {
    /// Stops at the first false constraint.
    FailFast,
    /// Runs all constraints, with the distances of the false ones.
    TryAll,
}
