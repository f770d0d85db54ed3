//! The worker threads of one process.

use crate::counts::stats::Counters;
use crate::persist::CampaignError;
use crate::worker::Worker;
use crate::worker::context::CampaignContext;
use crate::worker::control::TICK;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Counts a worker out when it ends, even by a panic.
struct AtWork<'a>(&'a AtomicUsize);

impl Drop for AtWork<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Runs one thread per element of `counters` until no work is left or the campaign is over, and calls `tick` meanwhile. Propagates a
/// worker's panic.
pub(crate) fn work(campaign: &CampaignContext<'_>, counters: &[Counters], mut tick: impl FnMut()) {
    let control = campaign.control;
    let at_work = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for (n, counters) in counters.iter().enumerate() {
            at_work.fetch_add(1, Ordering::Relaxed);
            let present = AtWork(&at_work);
            let work = move || {
                let _present = present;
                Worker::new(campaign, counters).run();
            };
            if let Err(error) = std::thread::Builder::new().name(format!("worker {n}")).spawn_scoped(scope, work) {
                control.fail(CampaignError::Thread(error));
                break;
            }
        }
        while at_work.load(Ordering::Relaxed) > 0 && !control.is_over() {
            std::thread::sleep(TICK);
            if control.is_due() {
                control.end();
            }
            tick();
        }
        control.end();
    });
}
