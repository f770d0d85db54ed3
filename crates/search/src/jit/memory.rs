//! Memory for machine code: first writable, then executable, and never both.

use std::ptr::NonNull;

/// Pages that hold finished code.
pub struct CodeMemory {
    start: NonNull<u8>,
    bytes: usize,
}

impl CodeMemory {
    /// Makes an executable copy of the code. `None` if the system rejects it.
    pub fn new(code: &[u8]) -> Option<CodeMemory> {
        let (access, kind) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANON);
        // SAFETY: the system chooses fresh pages, so that no memory in use is replaced.
        let start = unsafe { libc::mmap(std::ptr::null_mut(), code.len(), access, kind, -1, 0) };
        if start == libc::MAP_FAILED {
            return None;
        }
        // From here on the pages are freed on drop.
        let memory = CodeMemory { start: NonNull::new(start.cast())?, bytes: code.len() };
        // SAFETY: the pages have room for `code.len()` bytes, can be written, and overlap nothing, for they are fresh.
        unsafe { std::ptr::copy_nonoverlapping(code.as_ptr(), memory.start.as_ptr(), code.len()) };
        // SAFETY: these are the pages mapped above; nobody has a reference to what is in them.
        let result = unsafe { libc::mprotect(start, code.len(), libc::PROT_READ | libc::PROT_EXEC) };
        (result == 0).then_some(memory)
    }

    /// The first byte of the code.
    pub fn start(&self) -> *const u8 {
        self.start.as_ptr()
    }
}

impl Drop for CodeMemory {
    fn drop(&mut self) {
        // SAFETY: `new` mapped these pages, with this length. A caller of the code keeps this value alive.
        unsafe { libc::munmap(self.start.as_ptr().cast(), self.bytes) };
    }
}
