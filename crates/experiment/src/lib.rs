//! Comparisons: solvers, their releases, searches, strategies and reductions on the same problems, and ways of fuzzing by repeated campaigns.
//!
//! Two solvers differ if the confidence intervals of their times do not overlap:
//!
//! ```
//! use experiment::statistics::{Mean, median};
//!
//! let mean = |seconds: &[f64]| Mean::of(seconds).expect("a run");
//! let (fast, slow) = (mean(&[1.0, 1.01, 0.99]), mean(&[2.0, 2.01, 1.99]));
//! assert!(fast.is_below(slow) && !slow.is_below(fast));
//! assert!(!mean(&[1.0]).is_below(slow), "nothing is known of the spread of one value");
//! assert_eq!(median(&[4.0, 1.0, 2.0]), Some(2.0));
//! ```

pub mod campaigns;
pub mod contender;
pub mod coverage;
pub mod evolution;
pub mod fuzzers;
pub mod kept_runs;
pub mod known_bugs;
pub mod median_interval;
pub mod minimization;
pub mod portfolio;
pub mod problem;
pub mod process_group;
pub mod pruning;
pub mod reductions;
pub mod results;
mod run_folder;
pub mod sampling;
pub mod statistics;
