//! What seeds and mutants execute of a solver under test, measured by an instrumented build of it.

pub mod gains;
pub mod least;
pub mod plan;
pub mod record;
pub mod run;
mod scripts;
