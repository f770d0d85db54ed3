//! From findings to causes: grouping, reducing and bisecting the findings of a campaign, and comparing them with a baseline.

pub mod background;
pub mod baseline;
pub mod bisection;
pub mod causes;
pub mod folder;
pub mod reduction;
mod words;

pub use words::error_text;

/// Is told what the installation of a solver does.
pub type InstallProgress = fn(&solver::install::Event<'_>);
