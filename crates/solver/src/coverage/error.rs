//! Why the coverage of a build cannot be measured.

use std::io;
use std::path::{Path, PathBuf};

/// Why the coverage of a build cannot be measured.
#[derive(Debug, thiserror::Error)]
pub enum CoverageError {
    /// The command names no program file to examine.
    #[error(
        "{0} is no program file that could hold counters: name the instrumented program itself by its path, not a script that starts it"
    )]
    NoProgram(String),
    /// The program has no counters.
    #[error(
        "{} is not instrumented; compile it with --coverage (gcc, clang), with -fprofile-instr-generate -fcoverage-mapping \
         (clang), by AFL++, or with -fsanitize-coverage=trace-pc-guard and the file that `squall experiment cover --runtime FILE` writes",
        .0.display()
    )]
    NotInstrumented(PathBuf),
    /// The program has counters, but no information about what they count.
    #[error("{} has counters, but {lack}", .program.display())]
    Incomplete {
        /// The program.
        program: PathBuf,
        /// What is missing, and the remedy.
        lack: &'static str,
    },
    /// The compiler's notes are not at their recorded paths.
    #[error(
        "the compiler's notes {} are missing ({missing} of {all} files): was the build folder moved or cleared? gcov needs it where it was compiled",
        .first.display()
    )]
    NoNotes {
        /// The first missing file.
        first: PathBuf,
        /// The number of missing files.
        missing: usize,
        /// The number of all files.
        all: usize,
    },
    /// A profile belongs to another compilation.
    #[error("{} is profile data of another build than {}: the sources were compiled again since; compile and link the whole build anew", .data.display(), .notes.display())]
    OtherBuild {
        /// The profile.
        data: PathBuf,
        /// The file to which it does not belong.
        notes: PathBuf,
    },
    /// A profile or the compiler's notes cannot be parsed.
    #[error("{} cannot be read: {cause}", .path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The error.
        cause: String,
    },
    /// Runs ended by themselves, but left no profile.
    #[error(
        "the runs left no profile data in {}: is the disk full, or does the solver end by _exit or abort, so that it never writes its counters?",
        .0.display()
    )]
    NoData(PathBuf),
    /// The tools that read profiles are missing.
    #[error(
        "there is no {0} on PATH, which reads the profiles of such a build (Debian: llvm-19); a number after its name is fine, as in {0}-19"
    )]
    NoTool(&'static str),
    /// No installed tool reads the profile.
    #[error(
        "no {tool} that is installed reads the profile data; its version must be that of the compiler. {name} says: {said}"
    )]
    Tool {
        /// The tool.
        tool: &'static str,
        /// The last program that was tried.
        name: String,
        /// Its message.
        said: String,
    },
    /// The program does not report its number of edges.
    #[error("{} cannot be asked for its number of edges: {cause}", .program.display())]
    MapSize {
        /// The program.
        program: PathBuf,
        /// The error.
        cause: String,
    },
    /// The system refuses shared memory.
    #[error("cannot make a shared map of {bytes} bytes: {source}; `ipcs -l` shows the limits")]
    SharedMemory {
        /// Its size.
        bytes: usize,
        /// The error.
        source: io::Error,
    },
    /// A file operation failed.
    #[error("cannot {action} {}: {source}", .path.display())]
    File {
        /// The attempted action.
        action: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// The error.
        source: io::Error,
    },
}

impl CoverageError {
    pub(super) fn file(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> CoverageError {
        let path = path.to_path_buf();
        move |source| CoverageError::File { action, path, source }
    }

    pub(super) fn damaged(path: &Path, cause: impl Into<String>) -> CoverageError {
        CoverageError::Damaged { path: path.to_path_buf(), cause: cause.into() }
    }
}
