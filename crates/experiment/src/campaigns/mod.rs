//! Ways of fuzzing, compared by repeated campaigns of equal CPU time and judged by the causes that they find.

pub mod comparison;
pub mod plan;
pub mod run;
