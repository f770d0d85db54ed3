//! Ctrl-C and termination signals as a cancellation token.

use anyhow::{Context, Result};
use solver::process::CancelToken;

/// Returns a token that the first interruption cancels.
/// Errors: the process already has a handler.
pub fn token() -> Result<CancelToken> {
    let cancel = CancelToken::new();
    let stop = cancel.clone();
    ctrlc::set_handler(move || stop.cancel()).context("cannot watch for interruptions")?;
    Ok(cancel)
}
