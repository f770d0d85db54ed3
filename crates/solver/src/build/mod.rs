//! Solvers compiled from sources: a folder to work in, the tools and the compiler, and the commands that a profile's recipe
//! has; or the commits of a repository, by a command of the user's.

pub(crate) mod command;
pub mod commits;
pub(crate) mod compiler;
pub(crate) mod error;
pub(crate) mod folder;
pub mod git;
pub(crate) mod tools;

pub use error::SourceBuildError;
