//! What is told while a solver is installed.

use std::path::Path;
use std::time::Duration;

/// What happens during an installation, for display.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InstallEvent<'a> {
    /// The solver is there already.
    AlreadyInstalled {
        /// Its folder.
        folder: &'a Path,
    },
    /// pip is asked for a package; it may take a while.
    Asking {
        /// What is asked for, as `z3-solver==4.8.7.0`.
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
    /// A member is taken out of the package.
    Unpacking {
        /// Its path, or the package's name if all of it is taken.
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
        /// What it does: `configuring`, `compiling`.
        what: &'static str,
        /// The solver's name and version.
        label: &'a str,
        /// The compiler.
        compiler: &'a str,
        /// Where all is written down that is printed meanwhile.
        log: &'a Path,
    },
    /// The faster way to compile failed, and the plain one follows.
    Slower {
        /// The solver's name and version.
        label: &'a str,
    },
    /// So much is compiled.
    Built {
        /// The steps that are done.
        done: u64,
        /// All steps.
        total: u64,
    },
    /// All is compiled.
    Compiled {
        /// CPU time of all compilers.
        cpu: Duration,
        /// Wall-clock time.
        wall: Duration,
    },
    /// The program is tried.
    Testing {
        /// The solver's name and version.
        label: &'a str,
    },
    /// All is done.
    Installed {
        /// The solver's folder.
        folder: &'a Path,
    },
}

/// Is told what happens during an installation.
pub trait InstallObserver {
    /// Something happened.
    fn event(&mut self, event: &InstallEvent<'_>);
}

impl<F: FnMut(&InstallEvent<'_>)> InstallObserver for F {
    fn event(&mut self, event: &InstallEvent<'_>) {
        self(event);
    }
}
