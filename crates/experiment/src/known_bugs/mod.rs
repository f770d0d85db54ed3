//! Known bugs found again from seeds that do not show them, after research question 2 of STORM (ESEC/FSE 2020).

pub mod collect;
pub mod manifest;
pub mod run;
