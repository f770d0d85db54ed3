//! Locks that outlive a panic.

pub mod requests;
pub mod stops;

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Locks; the data is valid even after a panic, since every change to it is one call.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
