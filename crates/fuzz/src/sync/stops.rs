//! The ways to end a campaign and the runs of its solvers.

use crate::sync::requests::Requests;
use solver::process::CancelToken;

/// The ways to stop the runs of a target, and to hold its campaign up.
#[derive(Clone, Debug, Default)]
pub struct Stops {
    /// The campaign's time is up: mutants still running are dropped.
    pub time: CancelToken,
    /// The user wants out: everything is dropped.
    pub user: CancelToken,
    /// What else the user asks of the campaign.
    pub requests: Requests,
}
