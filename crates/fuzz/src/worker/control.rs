//! What ends, pauses and bounds a campaign in one process.

use crate::config::CampaignBudget;
use crate::persist::error::CampaignError;
use crate::sync::lock;
use crate::sync::requests::Requests;
use crate::sync::stops::Stops;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// How often a process looks at its clock.
pub(crate) const TICK: Duration = Duration::from_millis(20);

/// The switches that all threads look at.
pub(crate) struct Control {
    budget: CampaignBudget,
    stops: Stops,
    over: AtomicBool,
    paused: AtomicBool,
    failure: Mutex<Option<CampaignError>>,
    taken: AtomicU64,
    sent: AtomicU64,
    start: Instant,
}

impl Control {
    /// Switches for a campaign of which `mutants` were sent before.
    pub(crate) fn new(budget: CampaignBudget, stops: &Stops, mutants: u64) -> Control {
        let start = Instant::now();
        if let Some(time) = budget.time {
            stops.begin(start, time);
        }
        Control {
            budget,
            stops: stops.clone(),
            over: AtomicBool::new(false),
            paused: AtomicBool::new(false),
            failure: Mutex::default(),
            taken: AtomicU64::new(mutants),
            sent: AtomicU64::new(mutants),
            start,
        }
    }

    /// Whether workers should stop.
    pub(crate) fn is_over(&self) -> bool {
        self.over.load(Ordering::Relaxed)
    }

    /// Whether the user wants out.
    pub(crate) fn is_stopped(&self) -> bool {
        self.stops.user.is_cancelled()
    }

    /// Whether the time of the budget is up, its mutants are sent, or the user wants out.
    pub(crate) fn is_due(&self) -> bool {
        let late = self.budget.time.is_some_and(|time| self.start.elapsed() >= time);
        let all = self.budget.mutants.is_some_and(|most| self.sent.load(Ordering::Relaxed) >= most);
        late || all || self.is_stopped()
    }

    /// The time since the start.
    pub(crate) fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// Ends the campaign.
    pub(crate) fn end(&self) {
        self.over.store(true, Ordering::Relaxed);
        self.stops.time.cancel();
    }

    /// Ends it because of an error; the first one is kept.
    pub(crate) fn fail(&self, error: CampaignError) {
        lock(&self.failure).get_or_insert(error);
        self.end();
    }

    /// Whether an error ended it.
    #[cfg(feature = "nats")]
    pub(crate) fn has_failed(&self) -> bool {
        lock(&self.failure).is_some()
    }

    /// The error that ended it.
    pub(crate) fn failure(&self) -> Option<CampaignError> {
        lock(&self.failure).take()
    }

    /// What the user asks of the campaign while it runs.
    pub(crate) fn requests(&self) -> &Requests {
        &self.stops.requests
    }

    /// Whether no new units are begun for now.
    pub(crate) fn is_paused(&self) -> bool {
        self.paused.load(Ordering::Relaxed) || self.stops.requests.is_paused()
    }

    /// Lets new units wait, or go on.
    pub(crate) fn pause(&self, paused: bool) {
        self.paused.store(paused, Ordering::Relaxed);
    }

    /// Waits, at most so long and not longer than the user does.
    pub(crate) fn wait(&self, time: Duration) {
        let until = Instant::now() + time;
        while Instant::now() < until && !self.is_stopped() {
            std::thread::sleep(TICK);
        }
    }

    /// Takes up to `wanted` mutants of the budget.
    pub(crate) fn take_mutants(&self, wanted: u64) -> u64 {
        let Some(most) = self.budget.mutants else { return wanted };
        let before = self.taken.fetch_add(wanted, Ordering::Relaxed);
        let taken = most.saturating_sub(before).min(wanted);
        self.return_mutants(wanted - taken);
        taken
    }

    /// Gives mutants back that were taken and not sent.
    pub(crate) fn return_mutants(&self, unused: u64) {
        if self.budget.mutants.is_some() {
            self.taken.fetch_sub(unused, Ordering::Relaxed);
        }
    }

    /// Mutants were sent and judged. The campaign is over when they were the last of its budget.
    pub(crate) fn sent(&self, mutants: u64) {
        let before = self.sent.fetch_add(mutants, Ordering::Relaxed);
        if self.budget.mutants.is_some_and(|most| before + mutants >= most) {
            self.end();
        }
    }
}
