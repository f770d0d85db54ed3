//! The options that experiments of repeated runs have in common.

use ::solver::process::processors;
use std::num::NonZeroUsize;

/// Which runs, how many at once, and of what size.
#[derive(clap::Args)]
pub struct RunArgs {
    /// The campaign seed of the first run.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Less of all, for a picture within two minutes on two processors.
    #[arg(long)]
    pub quick: bool,
    /// Runs at once [default: one a processor].
    #[arg(long, short, value_name = "N")]
    jobs: Option<NonZeroUsize>,
}

impl RunArgs {
    /// The campaign seeds of so many runs.
    pub fn seeds(&self, runs: u64) -> impl Iterator<Item = u64> {
        let first = self.seed;
        (0..runs).map(move |n| first.wrapping_add(n))
    }

    /// How many runs there are at once.
    pub fn jobs(&self) -> usize {
        self.jobs.map_or_else(processors, NonZeroUsize::get)
    }
}
