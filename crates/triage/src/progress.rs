//! Who is told of the installation of solvers.

/// Is told what the installation of a solver does.
pub type InstallProgress = fn(&solver::install::InstallEvent<'_>);
