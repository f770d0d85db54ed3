//! How the releases of a solver do on one fixed set of problems, after ET (Winterer and Su, OOPSLA 2024).

pub mod history;
pub mod problems;
pub mod release_run;
