//! Parallel processing of a list.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// Applies `work` to each item, `jobs` (at least one) in parallel; the results are in the order of the items.
pub fn in_order<T: Sync, R: Send>(items: &[T], jobs: usize, work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let places: Vec<Mutex<Option<R>>> = items.iter().map(|_| Mutex::new(None)).collect();
    std::thread::scope(|scope| {
        for _ in 0..jobs.clamp(1, items.len().max(1)) {
            scope.spawn(|| {
                loop {
                    let n = next.fetch_add(1, Ordering::Relaxed);
                    let (Some(item), Some(place)) = (items.get(n), places.get(n)) else { return };
                    let result = work(item);
                    *place.lock().unwrap_or_else(PoisonError::into_inner) = Some(result);
                }
            });
        }
    });
    places.into_iter().filter_map(|place| place.into_inner().unwrap_or_else(PoisonError::into_inner)).collect()
}
