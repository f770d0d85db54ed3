//! Ends, pauses and limits a campaign in one process.

use crate::config::CampaignBudget;
use crate::persist::CampaignError;
use crate::sync::Requests;
use crate::sync::Stops;
use crate::sync::lock;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// The interval between looks at the clock.
pub(crate) const TICK: Duration = Duration::from_millis(20);

/// The switches that all threads check.
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
    /// Makes the switches for a campaign with `mutants` already sent.
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

    /// Whether workers must stop.
    pub(crate) fn is_over(&self) -> bool {
        self.over.load(Ordering::Relaxed)
    }

    /// Whether the user stopped the campaign.
    pub(crate) fn is_stopped(&self) -> bool {
        self.stops.user.is_cancelled()
    }

    /// Whether the time of the budget is up, its mutants are sent, or the user stopped the campaign.
    pub(crate) fn is_due(&self) -> bool {
        let late = self.budget.time.is_some_and(|time| self.start.elapsed() >= time);
        let all = self.budget.mutants.is_some_and(|most| self.sent.load(Ordering::Relaxed) >= most);
        late || all || self.is_stopped()
    }

    /// Returns the time since the start.
    pub(crate) fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// Ends the campaign.
    pub(crate) fn end(&self) {
        self.over.store(true, Ordering::Relaxed);
        self.stops.time.cancel();
    }

    /// Ends confirmations and reductions after this time, unless a wall-clock limit does.
    pub(crate) fn end_rest(&self, after: Duration) {
        self.stops.late.cancel_at(Instant::now() + after);
    }

    /// Ends the campaign because of an error; the first one is kept.
    pub(crate) fn fail(&self, error: CampaignError) {
        lock(&self.failure).get_or_insert(error);
        self.end();
    }

    /// Whether an error ended it.
    #[cfg(feature = "nats")]
    pub(crate) fn has_failed(&self) -> bool {
        lock(&self.failure).is_some()
    }

    /// Returns the error that ended it.
    pub(crate) fn failure(&self) -> Option<CampaignError> {
        lock(&self.failure).take()
    }

    /// Returns the user's requests.
    pub(crate) fn requests(&self) -> &Requests {
        &self.stops.requests
    }

    /// Whether new units are paused.
    pub(crate) fn is_paused(&self) -> bool {
        self.paused.load(Ordering::Relaxed) || self.stops.requests.is_paused()
    }

    /// Pauses or continues new units.
    pub(crate) fn pause(&self, paused: bool) {
        self.paused.store(paused, Ordering::Relaxed);
    }

    /// Waits for a limited time, or until the user stops the campaign.
    pub(crate) fn wait(&self, time: Duration) {
        let until = Instant::now() + time;
        while Instant::now() < until && !self.is_stopped() {
            std::thread::sleep(TICK);
        }
    }

    /// Takes up to `wanted` mutants from the budget.
    pub(crate) fn take_mutants(&self, wanted: u64) -> u64 {
        let Some(most) = self.budget.mutants else { return wanted };
        let before = self.taken.fetch_add(wanted, Ordering::Relaxed);
        let taken = most.saturating_sub(before).min(wanted);
        self.return_mutants(wanted - taken);
        taken
    }

    /// Returns unsent mutants to the budget.
    pub(crate) fn return_mutants(&self, unused: u64) {
        if self.budget.mutants.is_some() {
            self.taken.fetch_sub(unused, Ordering::Relaxed);
        }
    }

    /// Counts mutants that were sent and judged. The last of the budget ends the campaign.
    pub(crate) fn sent(&self, mutants: u64) {
        let before = self.sent.fetch_add(mutants, Ordering::Relaxed);
        if self.budget.mutants.is_some_and(|most| before + mutants >= most) {
            self.end();
        }
    }
}
