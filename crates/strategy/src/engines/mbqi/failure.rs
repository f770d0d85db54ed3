//! Why an instance search ends without an answer.

/// A lowercase phrase with the reason.
pub(super) struct InstanceFailure(pub(super) String);

impl<E: std::fmt::Display> From<E> for InstanceFailure {
    fn from(error: E) -> InstanceFailure {
        InstanceFailure(error.to_string())
    }
}
