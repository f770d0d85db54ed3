//! Why the coverage of a build cannot be told.

use std::io;
use std::path::{Path, PathBuf};

/// Why the coverage of a build cannot be told.
#[derive(Debug, thiserror::Error)]
pub enum CoverageError {
    /// The command names no program whose file could be looked at.
    #[error(
        "{0} is no program file that could hold counters: name the instrumented program itself by its path, not a script that starts it"
    )]
    NoProgram(String),
    /// The program holds no counters.
    #[error(
        "{} is not instrumented; compile it with --coverage (gcc, clang), with -fprofile-instr-generate -fcoverage-mapping \
         (clang), by AFL++, or with -fsanitize-coverage=trace-pc-guard and the file that `squall cover --runtime FILE` writes",
        .0.display()
    )]
    NotInstrumented(PathBuf),
    /// The program holds counters, and nothing that says what they count.
    #[error("{} has counters, but {lack}", .program.display())]
    Incomplete {
        /// The program.
        program: PathBuf,
        /// What is missing, and what to do.
        lack: &'static str,
    },
    /// The notes of the compiler are not where the program says.
    #[error(
        "the compiler's notes {} are missing ({missing} of {all} files): was the build folder moved or cleared? gcov needs it where it was compiled",
        .first.display()
    )]
    NoNotes {
        /// The first that is missing.
        first: PathBuf,
        /// How many are.
        missing: usize,
        /// How many there are to be.
        all: usize,
    },
    /// A profile is one of another compilation.
    #[error("{} is profile data of another build than {}: the sources were compiled again since; compile and link the whole build anew", .data.display(), .notes.display())]
    OtherBuild {
        /// The profile.
        data: PathBuf,
        /// What it does not belong to.
        notes: PathBuf,
    },
    /// A profile or the notes of a compiler cannot be understood.
    #[error("{} cannot be read: {cause}", .path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        cause: String,
    },
    /// Runs ended by themselves, and left no profile.
    #[error(
        "the runs left no profile data in {}: is the disk full, or does the solver end by _exit or abort, so that it never writes its counters?",
        .0.display()
    )]
    NoData(PathBuf),
    /// The tools that read profiles are missing.
    #[error(
        "there is no {0} on PATH, which reads the profiles of such a build (Debian: llvm-19); a number behind its name is fine, as in {0}-19"
    )]
    NoTool(&'static str),
    /// No tool that is there reads the profile.
    #[error(
        "no {tool} that is installed reads the profile data; its version must be that of the compiler. {name} says: {said}"
    )]
    Tool {
        /// Which tool.
        tool: &'static str,
        /// The last one that was tried.
        name: String,
        /// What it said.
        said: String,
    },
    /// The program does not tell how many edges it has.
    #[error("{} cannot be asked for its number of edges: {cause}", .program.display())]
    MapSize {
        /// The program.
        program: PathBuf,
        /// What went wrong.
        cause: String,
    },
    /// The system refuses shared memory.
    #[error("cannot make a shared map of {bytes} bytes: {source}; `ipcs -l` shows the limits")]
    SharedMemory {
        /// Its size.
        bytes: usize,
        /// What the system said.
        source: io::Error,
    },
    /// A file operation failed.
    #[error("cannot {action} {}: {source}", .path.display())]
    File {
        /// What was attempted.
        action: &'static str,
        /// On which file or folder.
        path: PathBuf,
        /// What the system said.
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
