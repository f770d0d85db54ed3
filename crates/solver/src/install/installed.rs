//! A solver found or installed: its program, version and origin.

use std::ffi::OsString;
use std::path::Path;
use std::sync::Arc;

use crate::profile::Profile;
use crate::spec::SolverSpec;
use crate::version::Version;

/// A solver that can be run.
#[derive(Clone, Debug)]
pub struct InstalledSolver {
    /// How the user named it.
    pub spec: SolverSpec,
    /// What is known of it.
    pub profile: Arc<Profile>,
    /// The program and fixed arguments, without options; empty for a built-in.
    pub command: Vec<OsString>,
    /// Its version, if it is known.
    pub version: Option<Version>,
    /// Where it came from, for people: `PATH`, `pip: z3-solver==4.8.7.0`.
    pub origin: String,
}

impl InstalledSolver {
    /// The name in reports, with the version where that is known and not in the name: `z3@4.15.4`, `./build/z3@4.15.4`.
    pub fn label(&self) -> String {
        let label = self.spec.label();
        match &self.version {
            // An '@' in a path is no version.
            Some(version) if matches!(self.spec, SolverSpec::Path(_)) => format!("{label}@{version}"),
            Some(version) if !label.contains('@') || label.ends_with("@latest") => {
                format!("{}@{version}", label.trim_end_matches("@latest"))
            }
            _ => label,
        }
    }

    /// Whether it was compiled with nothing that its release lacks, as far as its name tells.
    pub fn is_release(&self) -> bool {
        self.version.as_ref().is_none_or(|version| version.instruments().is_none())
    }

    /// The program itself, if it is not one of those that we installed: what it is, its version does not tell for sure.
    pub fn foreign_program(&self) -> Option<&Path> {
        let is_foreign = matches!(self.spec, SolverSpec::Path(_)) || self.origin == ON_PATH;
        self.command.first().filter(|_| is_foreign).map(Path::new)
    }
}

/// The origin of a program found on `PATH`.
pub(super) const ON_PATH: &str = "PATH";
