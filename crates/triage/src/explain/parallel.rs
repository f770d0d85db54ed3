//! The same question about many things, several at a time.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// The answers about `items`, `jobs` at a time, in their order.
pub fn answers<T: Sync, R: Send>(items: &[T], jobs: usize, ask: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let places: Vec<Mutex<Option<R>>> = items.iter().map(|_| Mutex::new(None)).collect();
    std::thread::scope(|scope| {
        for _ in 0..jobs.clamp(1, items.len().max(1)) {
            scope.spawn(|| {
                loop {
                    let n = next.fetch_add(1, Ordering::Relaxed);
                    let (Some(item), Some(place)) = (items.get(n), places.get(n)) else { return };
                    let answer = ask(item);
                    *place.lock().unwrap_or_else(PoisonError::into_inner) = Some(answer);
                }
            });
        }
    });
    places.into_iter().filter_map(|place| place.into_inner().unwrap_or_else(PoisonError::into_inner)).collect()
}

#[cfg(test)]
mod tests {
    use super::answers;

    #[test]
    fn answers_come_in_the_order_of_the_questions() {
        for jobs in [0, 1, 3, 100] {
            let squares = answers(&(0..50).collect::<Vec<u64>>(), jobs, |n| n * n);
            assert_eq!(squares, (0..50).map(|n| n * n).collect::<Vec<u64>>(), "{jobs}");
        }
        assert!(answers(&[] as &[u8], 2, |n| *n).is_empty());
    }
}
