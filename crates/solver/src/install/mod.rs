//! Turns a specification into a runnable program: found on the machine, or installed into the cache folder.

mod building;
pub(crate) mod error;
mod fleet;
pub(crate) mod installed;
pub(crate) mod progress;

pub use building::BuildOrder;
pub use error::InstallError;
pub use fleet::{Fleet, Integrity};
pub use installed::{InstalledSolver, ProgramId};
pub use progress::{InstallEvent, InstallObserver};
