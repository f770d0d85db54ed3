//! Turns a specification into a runnable program: found on the machine, or installed into the cache folder.

mod building;
pub(crate) mod error;
mod fleet;
pub(crate) mod progress;

use crate::profile::Profile;
use crate::profiles::GENERIC;
use crate::spec::SolverSpec;
use crate::version::Version;
pub use building::BuildOrder;
pub use error::InstallError;
use finding::SolverLabel;
pub use fleet::{Fleet, Integrity};
pub use progress::{InstallEvent, InstallObserver};
use std::ffi::OsString;
use std::path::Path;
use std::sync::Arc;

/// The origin of a program found on `PATH`.
pub(super) const ON_PATH: &str = "PATH";

/// The identity of a solver: program and release, regardless of name, path and build. Equal ones count once.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ProgramId {
    family: String,
    release: String,
}

/// A solver that can be run.
#[derive(Clone, Debug)]
pub struct InstalledSolver {
    /// The user's specification.
    pub spec: SolverSpec,
    /// Its profile.
    pub profile: Arc<Profile>,
    /// The program and fixed arguments, without options; empty for a built-in.
    pub command: Vec<OsString>,
    /// Its version, if known.
    pub version: Option<Version>,
    /// Its origin, for display: `PATH`, `pip: z3-solver==4.8.7.0`.
    pub origin: String,
}

impl InstalledSolver {
    /// Returns the name in reports, with the version if known and not in the name: `z3@4.15.4`, `./build/z3@4.15.4`.
    pub fn label(&self) -> String {
        let label = self.spec.label();
        match &self.version {
            // An '@' in a path does not start a version.
            Some(version) if matches!(self.spec, SolverSpec::Path(_)) => format!("{label}@{version}"),
            Some(version) if !label.contains('@') || label.ends_with("@latest") => {
                format!("{}@{version}", label.trim_end_matches("@latest"))
            }
            _ => label,
        }
    }

    /// Returns why printed text cannot be judged as a model: the version is known to misprint some values.
    pub fn miswritten(&self, text: &str) -> Option<String> {
        let spelling = self.profile.miswritten(self.version.as_ref(), text)?;
        Some(format!("this version misprints some values ({spelling})"))
    }

    /// Returns the SHA-256 of the files that its command line names, which distinguishes builds. Unreadable files are left out.
    pub fn digest(&self) -> String {
        let words = self.command.iter().map(Path::new).chain(self.spec.options().iter().map(Path::new));
        let named = words.filter(|word| word.is_file());
        let hashes: Vec<String> = named.filter_map(|file| files::digest::sha256_of_file(file).ok()).collect();
        files::sha256(hashes.join(" "))
    }

    /// Returns its identity. A program without a version is identified by its name with options; so is one without a profile, if it has
    /// options, since it may run a script.
    pub fn program(&self) -> ProgramId {
        let label = self.spec.label();
        let (family, is_known) = match self.profile.family() {
            GENERIC => (SolverLabel::of(&label).file_name().to_string(), self.spec.options().is_empty()),
            family => (family.to_string(), true),
        };
        let version = self.version.as_ref().filter(|_| is_known);
        ProgramId { family, release: version.map_or_else(|| self.spec.to_string(), |v| v.release().to_string()) }
    }

    /// Whether `other`, a trusted solver, is the same: one release under two names. Two files given by path may be builds before
    /// and after a fix.
    pub fn is_itself(&self, other: &InstalledSolver) -> bool {
        let is_file = |solver: &InstalledSolver| matches!(solver.spec, SolverSpec::Path(_));
        let are_two_files = is_file(self) && is_file(other) && self.command != other.command;
        self.program() == other.program() && !are_two_files
    }

    /// Whether the other is another release of the same solver. Programs without a profile may be releases of one solver.
    pub fn is_other_release(&self, other: &InstalledSolver) -> bool {
        self.profile.family() == other.profile.family() && self.program() != other.program()
    }

    /// Whether the solver has no instrumentation, as far as its name shows.
    pub fn is_release(&self) -> bool {
        self.version.as_ref().is_none_or(|version| version.instruments().is_none())
    }

    /// Returns the program, unless we installed it: its version may not identify it.
    pub fn foreign_program(&self) -> Option<&Path> {
        let is_foreign = matches!(self.spec, SolverSpec::Path(_)) || self.origin == ON_PATH;
        self.command.first().filter(|_| is_foreign).map(Path::new)
    }
}
