//! Progress events of an installation.

use std::path::Path;
use std::time::Duration;

/// An event of an installation, for display.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InstallEvent<'a> {
    /// The solver already exists.
    AlreadyInstalled {
        /// Its folder.
        folder: &'a Path,
    },
    /// pip is asked for a package, which may take a while.
    Asking {
        /// The requested package, as `z3-solver==4.8.7.0`.
        requirement: &'a str,
    },
    /// A package has arrived.
    Downloaded {
        /// Its file name.
        file: &'a str,
        /// Its size in bytes.
        bytes: u64,
        /// Its SHA-256, in hexadecimal.
        sha256: &'a str,
        /// Whether this version of the program knows that hash; if not, it knows none of this release.
        is_known: bool,
    },
    /// A file is extracted from the package.
    Unpacking {
        /// Its path, or the package's name if everything is extracted.
        member: &'a str,
    },
    /// The program is compiled, which takes minutes.
    Compiling {
        /// The crate and its version, as `oxiz-cli@0.3.4`.
        package: &'a str,
    },
    /// cargo is asked for the sources of a solver.
    Fetching {
        /// The crate and its version, as `z3-src@503.3.0`.
        package: &'a str,
    },
    /// A command prepares or compiles a solver's sources; it may take an hour.
    Building {
        /// The step: `configuring`, `compiling`.
        what: &'static str,
        /// The solver's name and version.
        label: &'a str,
        /// The compiler.
        compiler: &'a str,
        /// The log of all output.
        log: &'a Path,
    },
    /// The faster way to compile failed, and the plain one follows.
    Slower {
        /// The solver's name and version.
        label: &'a str,
    },
    /// Progress of the compilation.
    Built {
        /// The number of completed steps.
        done: u64,
        /// The number of all steps.
        total: u64,
    },
    /// The compilation is finished.
    Compiled {
        /// CPU time of all compilers.
        cpu: Duration,
        /// Wall-clock time.
        wall: Duration,
    },
    /// The program is tested.
    Testing {
        /// The solver's name and version.
        label: &'a str,
    },
    /// The installation is finished.
    Installed {
        /// The solver's folder.
        folder: &'a Path,
    },
}

/// Receives the events of an installation.
pub trait InstallObserver {
    /// Called for each event.
    fn event(&mut self, event: &InstallEvent<'_>);
}

impl<F: FnMut(&InstallEvent<'_>)> InstallObserver for F {
    fn event(&mut self, event: &InstallEvent<'_>) {
        self(event);
    }
}
