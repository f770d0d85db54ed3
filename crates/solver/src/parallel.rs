//! The same work for many things, several at a time.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// What `work` gives for each item, `jobs` at a time (at least one), in the order of the items.
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

#[cfg(test)]
mod tests {
    use super::in_order;

    #[test]
    fn results_come_in_the_order_of_the_items() {
        for jobs in [0, 1, 3, 100] {
            let squares = in_order(&(0..50).collect::<Vec<u64>>(), jobs, |n| n * n);
            assert_eq!(squares, (0..50).map(|n| n * n).collect::<Vec<u64>>(), "{jobs}");
        }
        assert!(in_order(&[] as &[u8], 2, |n| *n).is_empty());
    }
}
