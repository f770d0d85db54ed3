//! Common parts of experiments with repeated runs: options and parallel work.

use crate::exit::Exit;
use crate::render::say::counted;
use ::solver::parallel;
use ::solver::process::{CancelToken, processors};
use anyhow::Result;
use std::num::NonZeroUsize;

/// Options for the number and size of runs.
#[derive(clap::Args)]
pub struct RunArgs {
    /// The campaign seed of the first run.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Smaller amounts: first results within two minutes on two processors.
    #[arg(long)]
    pub quick: bool,
    /// Parallel runs [default: one per processor].
    #[arg(long, short, value_name = "N")]
    jobs: Option<NonZeroUsize>,
}

impl RunArgs {
    /// Returns the campaign seeds of the given number of runs.
    pub fn seeds(&self, runs: u64) -> impl Iterator<Item = u64> {
        let first = self.seed;
        (0..runs).map(move |n| first.wrapping_add(n))
    }

    /// Returns the number of parallel runs.
    pub fn jobs(&self) -> usize {
        self.jobs.map_or_else(processors, NonZeroUsize::get)
    }
}

/// Runs `work` for every item, `jobs` in parallel, and returns the results in the order of the items. Cancelled work has none.
/// Errors: the first failure, in the order of the items. The others are cancelled.
pub fn in_order<T: Sync, R: Send>(
    items: &[T],
    jobs: usize,
    cancel: &CancelToken,
    work: impl Fn(&T) -> Result<Option<R>> + Sync,
) -> Result<Vec<R>> {
    let results = parallel::in_order(items, jobs, |item| {
        if cancel.is_cancelled() {
            return Ok(None);
        }
        work(item).inspect_err(|_| cancel.cancel())
    });
    results.into_iter().filter_map(Result::transpose).collect()
}

/// Returns the exit code after `done` of `total` pieces of work. Reports the rest on standard error.
pub fn ending(done: usize, total: usize, noun: &str) -> Exit {
    if done == total {
        return Exit::Clean;
    }
    let left = counted(total - done, noun);
    eprintln!("squall: stopped before {left} of {total}; the same command resumes");
    Exit::Unfinished
}
