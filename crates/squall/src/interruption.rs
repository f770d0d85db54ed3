//! Ctrl-C and the signals that end processes, as a token that cancels what runs.

use anyhow::{Context, Result};
use solver::process::CancelToken;

/// A token that the first interruption cancels.
///
/// # Errors
/// The process watches for interruptions already.
pub fn token() -> Result<CancelToken> {
    let cancel = CancelToken::new();
    let stop = cancel.clone();
    ctrlc::set_handler(move || stop.cancel()).context("cannot watch for interruptions")?;
    Ok(cancel)
}
