//! Work of one kind done several at once: the results in order, and the first failure ends the rest.

use anyhow::Result;
use solver::process::CancelToken;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// Does `work` for every item, `jobs` at once, and gives what it led to, in the order of the items. Work that was cancelled leads to nothing.
///
/// # Errors
/// The first failure. The others are cancelled.
pub fn in_order<T: Sync, R: Send>(
    items: &[T],
    jobs: usize,
    cancel: &CancelToken,
    work: impl Fn(&T) -> Result<Option<R>> + Sync,
) -> Result<Vec<R>> {
    let next = AtomicUsize::new(0);
    let results: Mutex<Vec<(usize, R)>> = Mutex::default();
    let failure = Mutex::new(None);
    let one = || {
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(at) else { return };
            if cancel.is_cancelled() {
                return;
            }
            match work(item) {
                Ok(Some(result)) => {
                    results.lock().unwrap_or_else(PoisonError::into_inner).push((at, result));
                }
                Ok(None) => {}
                Err(error) => {
                    failure.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
                    cancel.cancel();
                }
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..jobs.clamp(1, items.len().max(1)) {
            scope.spawn(one);
        }
    });
    if let Some(error) = failure.into_inner().unwrap_or_else(PoisonError::into_inner) {
        return Err(error);
    }
    let mut results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    results.sort_by_key(|(at, _)| *at);
    Ok(results.into_iter().map(|(_, result)| result).collect())
}
