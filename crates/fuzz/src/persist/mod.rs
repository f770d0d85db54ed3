//! The persistent state of a campaign: the folder's manifest, the store, the history.

pub mod checkpoint;
pub(crate) mod error;
pub mod history;
pub(crate) mod manifest;
#[cfg(feature = "store")]
pub mod merge;
pub mod past;
#[cfg(feature = "store")]
pub mod store;
pub(crate) mod stored_findings;
