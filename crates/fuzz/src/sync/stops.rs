//! The ways to end a campaign and the runs of its solvers.

use crate::sync::requests::Requests;
use solver::process::CancelToken;
use std::time::{Duration, Instant};

/// The ways to stop the runs of a target, and to pause its campaign.
#[derive(Clone, Debug)]
pub struct Stops {
    /// The campaign's time is up: mutants still running are dropped.
    pub time: CancelToken,
    /// The user stopped it: everything is dropped.
    pub user: CancelToken,
    /// The campaign's time plus a tenth is up, or the user stopped it: confirmations and reductions end.
    pub late: CancelToken,
    /// The user's other requests.
    pub requests: Requests,
}

impl Default for Stops {
    fn default() -> Stops {
        let user = CancelToken::new();
        Stops { time: CancelToken::new(), late: user.part(), user, requests: Requests::default() }
    }
}

impl Stops {
    /// Starts the clock of a campaign of this length, which limits its work after the end.
    pub(crate) fn begin(&self, start: Instant, length: Duration) {
        self.late.cancel_at(start + length + length / 10);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_campaign_waits_for_ends_a_tenth_of_its_time_late() {
        let check = |began_s: u64, length_s: u64, is_late: bool| {
            let stops = Stops::default();
            let start = Instant::now().checked_sub(Duration::from_secs(began_s)).expect("the machine runs that long");
            stops.begin(start, Duration::from_secs(length_s));
            assert_eq!(stops.late.is_cancelled(), is_late, "{length_s} s, begun {began_s} s ago");
            assert_eq!(stops.late.part().is_cancelled(), is_late, "what is a part of it");
            assert!(!stops.user.is_cancelled() && !stops.time.is_cancelled());
        };
        check(0, 3600, false);
        check(11, 10, true);
        check(10, 3600, false);
        check(11, 11, false);
        let stops = Stops::default();
        stops.user.cancel();
        assert!(stops.late.is_cancelled(), "the user waits for nothing");
    }
}
