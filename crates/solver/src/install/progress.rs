//! What is told while a solver is installed.

use std::path::Path;

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
