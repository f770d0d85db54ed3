//! Detects a program's instrumentation from its file without running it.

use super::error::CoverageError;
use memchr::memmem;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// The instrumentation of a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Instrumentation {
    /// The counters of gcov, of gcc's or clang's `--coverage`.
    Gcov,
    /// The counters of clang's `-fprofile-instr-generate -fcoverage-mapping`.
    Llvm,
    /// A map of edges in shared memory: AFL++, or SanitizerCoverage with our runtime.
    Edges,
}

impl Instrumentation {
    /// Returns its name.
    pub fn name(self) -> &'static str {
        match self {
            Instrumentation::Gcov => "gcov",
            Instrumentation::Llvm => "LLVM source coverage",
            Instrumentation::Edges => "edge map",
        }
    }
}

/// Returns the program file that a command runs, with its contents.
/// Errors: there is none, or it cannot be read.
pub(super) fn program(command: &[OsString]) -> Result<(PathBuf, Vec<u8>), CoverageError> {
    for word in command {
        let Some(path) = found(word) else { continue };
        let bytes = fs::read(&path).map_err(CoverageError::file("read", &path))?;
        // For example /usr/bin/env before the solver.
        let is_starter = path.file_name().is_some_and(|name| name == "env");
        if bytes.starts_with(b"\x7fELF") && !is_starter {
            return Ok((path, bytes));
        }
    }
    let words: Vec<String> = command.iter().map(|word| word.to_string_lossy().into_owned()).collect();
    Err(CoverageError::NoProgram(words.join(" ")))
}

/// Returns the file that a word of a command names, directly or in a folder of `PATH`.
fn found(word: &OsStr) -> Option<PathBuf> {
    let path = Path::new(word);
    if word.as_bytes().contains(&b'/') {
        return path.is_file().then(|| path.to_path_buf());
    }
    let folders = std::env::var_os("PATH")?;
    std::env::split_paths(&folders).map(|folder| folder.join(path)).find(|path| path.is_file())
}

/// Returns a program's instrumentation.
/// Errors: it has none, or an incomplete one.
pub(super) fn instrumentation(program: &Path, bytes: &[u8]) -> Result<Instrumentation, CoverageError> {
    let has = |text: &[u8]| memmem::find(bytes, text).is_some();
    let incomplete = |lack| Err(CoverageError::Incomplete { program: program.to_path_buf(), lack });
    if !gcov_paths(bytes).is_empty() {
        return Ok(Instrumentation::Gcov);
    }
    if has(b"__llvm_covmap") {
        return Ok(Instrumentation::Llvm);
    }
    if has(b"__AFL_SHM_ID") {
        return Ok(Instrumentation::Edges);
    }
    if has(b"__sancov_guards") {
        return incomplete(
            "no runtime that writes a map: link the file that `squall experiment cover --runtime FILE` writes, compiled without instrumentation",
        );
    }
    if has(b"__llvm_prf_cnts") {
        return incomplete("no mapping to its sources: compile it with -fcoverage-mapping, too");
    }
    Err(CoverageError::NotInstrumented(program.to_path_buf()))
}

/// Returns the paths at which a program's objects write their gcov counters, in order and without duplicates.
pub(super) fn gcov_paths(bytes: &[u8]) -> Vec<PathBuf> {
    const ENDING: &[u8] = b".gcda\0";
    let mut paths = Vec::new();
    for end in memmem::find_iter(bytes, ENDING) {
        let begin = memchr::memrchr(0, &bytes[..end]).map_or(0, |zero| zero + 1);
        let text = &bytes[begin..end + ENDING.len() - 1];
        if text.starts_with(b"/") && text.len() > ENDING.len() {
            paths.push(PathBuf::from(OsStr::from_bytes(text)));
        }
    }
    paths.sort();
    paths.dedup();
    paths
}

#[cfg(test)]
#[path = "../../tests/unit/detect.rs"]
mod tests;
