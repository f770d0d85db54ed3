//! An edge map in System V shared memory, as written by programs instrumented for AFL++.

use super::error::CoverageError;
use std::io;
use std::ptr::NonNull;

/// The memory. It is freed once this is dropped and the last program that writes to it has ended.
pub(super) struct SharedMap {
    id: libc::c_int,
    begin: NonNull<u8>,
    bytes: usize,
}

// SAFETY: the memory belongs to no thread, and is accessed only by volatile reads and writes.
unsafe impl Send for SharedMap {}
// SAFETY: as above; a byte that changes while it is read is one or the other.
unsafe impl Sync for SharedMap {}

impl SharedMap {
    /// Creates a map of the given number of bytes, all zero.
    pub(super) fn new(bytes: usize) -> Result<SharedMap, CoverageError> {
        let refused = || CoverageError::SharedMemory { bytes, source: io::Error::last_os_error() };
        // SAFETY: the call takes integers.
        let id = unsafe { libc::shmget(libc::IPC_PRIVATE, bytes, libc::IPC_CREAT | 0o600) };
        if id < 0 {
            return Err(refused());
        }
        // SAFETY: the system chooses the address; a failure is checked below.
        let begin = unsafe { libc::shmat(id, std::ptr::null(), 0) };
        let error = refused();
        // Linux lets programs attach memory marked for removal as long as someone holds it, so nothing is left if we are killed.
        // SAFETY: the call takes integers, and no structure for this command.
        unsafe { libc::shmctl(id, libc::IPC_RMID, std::ptr::null_mut()) };
        match NonNull::new(begin.cast::<u8>()) {
            Some(begin) if begin.as_ptr().addr() != usize::MAX => Ok(SharedMap { id, begin, bytes }),
            _ => Err(error),
        }
    }

    /// Returns the identifier for programs.
    pub(super) fn id(&self) -> i32 {
        self.id
    }

    /// Returns its size.
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Clears all bytes.
    pub(super) fn clear(&self) {
        for at in 0..self.bytes {
            // SAFETY: within the memory, which is attached as long as this lives.
            unsafe { self.begin.as_ptr().add(at).write_volatile(0) };
        }
    }

    /// Returns the numbers of the bytes that are not zero.
    pub(super) fn hits(&self) -> impl Iterator<Item = usize> {
        // SAFETY: within the memory, which is attached as long as this lives.
        (0..self.bytes).filter(|at| unsafe { self.begin.as_ptr().add(*at).read_volatile() } != 0)
    }
}

impl Drop for SharedMap {
    fn drop(&mut self) {
        // SAFETY: it was attached there, and is no longer used.
        unsafe { libc::shmdt(self.begin.as_ptr().cast()) };
    }
}

#[cfg(test)]
#[path = "../../tests/unit/shared_map.rs"]
mod tests;
