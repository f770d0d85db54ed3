//! Experiments: compare solvers, their releases, searches and strategies on the same problems, and ways of fuzzing by campaigns.
//!
//! Two solvers differ if the confidence intervals of their times do not overlap:
//!
//! ```
//! use experiment::statistics::{Mean, median};
//!
//! let mean = |seconds: &[f64]| Mean::of(seconds).expect("a run");
//! let (fast, slow) = (mean(&[1.0, 1.01, 0.99]), mean(&[2.0, 2.01, 1.99]));
//! assert!(fast.is_below(slow) && !slow.is_below(fast));
//! assert!(!mean(&[1.0]).is_below(slow), "the spread of one value is unknown");
//! assert_eq!(median(&[4.0, 1.0, 2.0]), Some(2.0));
//! ```

/// Compares ways of fuzzing by the causes found in repeated campaigns of equal CPU time.
pub mod campaigns {
    pub mod comparison;
    pub mod plan;
    pub mod run;
}
#[cfg(feature = "change")]
pub mod change;
pub mod contender;
/// Measures the code of a solver that seeds and mutants execute, by an instrumented build.
pub mod coverage {
    pub mod builds;
    pub mod focus;
    pub mod gains;
    pub mod map;
    pub mod mapping;
    pub mod plan;
    pub mod record;
    pub mod run;
    mod scripts;
}
pub mod journal;
pub mod portfolio;
pub mod problem;
pub mod process_group;
pub mod results;
mod run_folder;
/// Measures whether a check keeps its answer under other names, orders and random seeds, after Mariposa (Zhou et al., FMCAD 2023).
pub mod stability {
    pub mod check;
    pub mod explain;
    pub mod runs;
    pub mod verdict;
}
pub mod statistics;
/// Learns strategies for a folder of files from each step's runs on them.
pub mod tuning {
    pub mod learn;
    pub mod rules;
    pub mod splits;
    pub mod table;
}
