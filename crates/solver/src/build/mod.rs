//! Solvers compiled from sources: a folder to work in, the tools and the compiler, and the commands that a profile's recipe has.

pub(crate) mod command;
pub(crate) mod compiler;
pub(crate) mod error;
pub(crate) mod folder;
pub(crate) mod tools;

pub use error::SourceBuildError;
