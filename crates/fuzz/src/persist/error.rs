//! Why a campaign could not be run, or did not end well.

use crate::findings::outdir::OutError;
use std::io;

/// Why a campaign could not be run, or did not end well.
#[derive(Debug, thiserror::Error)]
pub enum CampaignError {
    /// The folder cannot be used.
    #[error(transparent)]
    Out(#[from] OutError),
    /// The folder holds another campaign.
    #[error(
        "'{path}' holds a campaign that differs in {differences}; continue it with --resume '{path}', or name another folder with --out"
    )]
    Other {
        /// The folder.
        path: String,
        /// The differences, with both values.
        differences: String,
    },
    /// The campaign's store cannot be used.
    #[cfg(feature = "store")]
    #[error(transparent)]
    Store(#[from] crate::persist::store::StoreError),
    /// A worker thread could not be started.
    #[error("cannot start a worker thread: {0}")]
    Thread(io::Error),
    /// A finding could not be written.
    #[error("cannot write to '{path}': {cause}; the campaign was stopped")]
    Write {
        /// The folder.
        path: String,
        /// The error.
        cause: String,
    },
    /// The solver could not be run.
    #[error("{0}")]
    Solver(String),
}
