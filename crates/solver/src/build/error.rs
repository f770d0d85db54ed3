//! Why a solver cannot be compiled.

use std::path::Path;

/// Why a solver cannot be compiled.
#[derive(Debug, thiserror::Error)]
pub enum SourceBuildError {
    /// The profile has no recipe.
    #[error("{name} has no sources to compile: its profile has no table [build]; those that have one are {known}")]
    NoRecipe {
        /// The solver.
        name: String,
        /// The solvers that can be compiled.
        known: String,
    },
    /// The recipe does not support this instrument.
    #[error("the profile of {name} does not say how it is compiled with {instrument}")]
    NoInstrument {
        /// The solver.
        name: String,
        /// The instrument's name.
        instrument: &'static str,
    },
    /// The crate does not contain this version.
    #[error("there are no sources of {name} {version}; the crate {package} has those of {available}")]
    NoSuchSources {
        /// The solver.
        name: String,
        /// The version asked for.
        version: String,
        /// The crate.
        package: String,
        /// The versions of the solver that it contains, newest first.
        available: String,
    },
    /// There are no sources at a path.
    #[error("there is no folder of sources at '{path}'")]
    NoFolder {
        /// The path.
        path: String,
    },
    /// A tool is missing and not available.
    #[error(
        "what compiles this solver is missing: {tool}; pip cannot fetch it ({cause}), so install it with your system's package manager"
    )]
    NoTool {
        /// The tool, or several.
        tool: String,
        /// Why pip could not help.
        cause: String,
    },
    /// No suitable compiler was found.
    #[error(
        "no C++ compiler here can compile {name}{}; {}install {wanted}, or name another by the variable CXX",
        if tried.is_empty() { String::new() } else { format!(" (tried {tried})") },
        if tried.is_empty() { "there is none on PATH; " } else { "" }
    )]
    NoCompiler {
        /// The solver.
        name: String,
        /// The compilers that were tried, each with its message.
        tried: String,
        /// Suitable compilers.
        wanted: String,
    },
    /// A text to replace is not in the sources.
    #[error(
        "the recipe of {name} replaces a text of {file} that stands there {count} times, and not once; it is for other sources"
    )]
    Edit {
        /// The solver.
        name: String,
        /// The file.
        file: String,
        /// The number of its occurrences.
        count: usize,
    },
    /// A command failed.
    #[error("cannot {step} {label}: {last}; the whole log is {log}{needs}")]
    Failed {
        /// The step: `configure`, `compile`.
        step: &'static str,
        /// The solver.
        label: String,
        /// The last lines of the log.
        last: String,
        /// The log.
        log: String,
        /// What the solver needs.
        needs: String,
    },
    /// The commands succeeded and left no program.
    #[error("compiling {label} left no program {program}; the whole log is {log}")]
    NoProgram {
        /// The solver.
        label: String,
        /// Its expected path.
        program: String,
        /// The log.
        log: String,
    },
    /// The program is of another version.
    #[error("what was compiled for {label} says that it is {found}; nothing was installed")]
    OtherVersion {
        /// The solver.
        label: String,
        /// The version that its program reports.
        found: String,
    },
    /// Another process is compiling the same.
    #[error("{label} is being compiled by another process; wait for it, or end it")]
    Busy {
        /// The solver.
        label: String,
    },
    /// A file operation failed.
    #[error("cannot {action} {path}: {source}; is there space, and may you write there?")]
    File {
        /// The attempted action.
        action: &'static str,
        /// The file or folder.
        path: String,
        /// The error.
        source: std::io::Error,
    },
}

impl SourceBuildError {
    /// Whether the request is impossible, so the command line is wrong and nothing failed.
    pub fn is_usage(&self) -> bool {
        use SourceBuildError::*;
        matches!(self, NoRecipe { .. } | NoInstrument { .. } | NoSuchSources { .. } | NoFolder { .. })
    }

    pub(crate) fn file(action: &'static str, path: &Path) -> impl FnOnce(std::io::Error) -> SourceBuildError {
        let path = path.display().to_string();
        move |source| SourceBuildError::File { action, path, source }
    }
}
