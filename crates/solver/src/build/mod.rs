//! Compiles solvers from sources: the work folder, the tools, the compiler, and the commands of a profile's recipe; or the commits of a
//! repository, by a user's command.

pub(crate) mod command;
pub mod commits;
pub(crate) mod compiler;
pub(crate) mod error;
pub(crate) mod folder;
pub mod git;
pub(crate) mod tools;

pub use error::SourceBuildError;
