//! Work that may fail done several at once: the first failure ends the rest, and what an interruption left is said.

use crate::exit::Exit;
use crate::render::say::counted;
use anyhow::Result;
use solver::parallel;
use solver::process::CancelToken;

/// Does `work` for every item, `jobs` at once, and gives what it led to, in the order of the items. Work that was cancelled leads to nothing.
///
/// # Errors
/// The first failure, in the order of the items. The others are cancelled.
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

/// The exit code after `done` of `total` pieces of work; what is left is said on standard error.
pub fn ending(done: usize, total: usize, noun: &str) -> Exit {
    if done == total {
        return Exit::Clean;
    }
    let left = counted(total - done, noun);
    eprintln!("squall: stopped before {left} of {total}; the same command goes on");
    Exit::Unfinished
}
