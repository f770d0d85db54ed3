//! What the caller knows of a model.

use semantics::Model;
use std::sync::Arc;

/// A model that the caller knows of a parent.
#[derive(Clone, Debug, Default)]
pub enum GivenModel {
    /// None.
    #[default]
    Nothing,
    /// Some solver's model, be it of the assertions or not: only what the evaluator says under it counts.
    Assignment(Arc<Model>),
    /// A model of the parent's assertions in the word of a reference solver, which must not be the target.
    Trusted(Arc<Model>, Arc<str>),
}
