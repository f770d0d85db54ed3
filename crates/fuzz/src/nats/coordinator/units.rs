//! Units on their way to workers.

use super::super::client::{self};
use super::super::wire::{self};
use super::{AssignedUnit, FAREWELL, LOST, NatsCoordinator, Recent};
use crate::state::event::CampaignEvent;
use async_nats::jetstream::message::PublishMessage;
use std::time::{Duration, Instant};

/// The minimum and maximum number of units published and not yet done; in between, the number done in [`AHEAD`].
const FEWEST: usize = 64;

pub(super) const MOST: usize = 8192;

const AHEAD: Duration = Duration::from_secs(5);

impl NatsCoordinator<'_, '_> {
    /// Publishes units, so that workers do not wait. Returns false if no unit is left.
    pub(super) async fn give(&mut self) -> bool {
        let wanted = self.recent.depth();
        let mut more = true;
        while more && self.given.len() < wanted && !self.coordinator.control.is_paused() {
            match self.coordinator.try_next() {
                Some(plan) => drop(self.given.insert(plan.number, AssignedUnit { plan, at: None, times: 0 })),
                None => more = false,
            }
        }
        let is_lost = |given: &AssignedUnit| given.at.is_none_or(|at| at.elapsed() >= LOST);
        let due: Vec<u64> = self.given.iter().filter(|(_, given)| is_lost(given)).map(|(number, _)| *number).collect();
        let mut sent = Vec::new();
        for number in due {
            let Some(given) = self.given.get_mut(&number) else { continue };
            let text = wire::write(&self.expectation.campaign, &given.plan);
            let id = format!("{}-{}-{number}-{}", self.expectation.campaign, self.run, given.times);
            let message = PublishMessage::build().payload(text.into()).message_id(id);
            match self.context.send_publish(self.names.unit.clone(), message).await {
                Ok(stored) => sent.push((number, stored)),
                Err(error) => {
                    self.wait(&error.to_string()).await;
                    return more;
                }
            }
        }
        let (stored, trouble) = all_stored(sent).await;
        for number in stored {
            if let Some(given) = self.given.get_mut(&number) {
                given.at = Some(Instant::now());
                given.times += 1;
            }
        }
        match trouble {
            Some(error) => self.wait(&error).await,
            None => self.silent = false,
        }
        more
    }

    /// Handles an unresponsive server: reports it once, and waits a moment. The client reconnects by itself.
    pub(super) async fn wait(&mut self, error: &str) {
        if !std::mem::replace(&mut self.silent, true) {
            let message = format!("NATS does not answer ({error}); the campaign waits until it does");
            self.coordinator.notify(&CampaignEvent::Trouble { message });
        }
        // A server that came back without its streams gets new ones.
        let _ = tokio::time::timeout(FAREWELL, async {
            if let (Ok(units), Ok(results)) =
                (self.names.units(&self.context).await, self.names.results(&self.context).await)
            {
                let _ = client::consumer(&units, "workers").await;
                let _ = client::consumer(&results, "coordinator").await;
            }
        })
        .await;
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
}

impl Recent {
    pub(super) fn done(&mut self) {
        self.now += 1;
    }

    /// Returns the number of units that should be in transit.
    fn depth(&mut self) -> usize {
        if self.since.elapsed() >= AHEAD {
            (self.before, self.now, self.since) = (self.now, 0, Instant::now());
        }
        (2 * self.before.max(self.now)).clamp(FEWEST, MOST)
    }
}

/// Returns the units that the server has stored, and its last message about a unit that it has not stored.
///
/// The answers are awaited together: after a server failure each lost answer is waited for until its timeout, which stalled a campaign
/// for minutes when done one after the other.
async fn all_stored<T, E: std::fmt::Display>(
    sent: Vec<(u64, impl IntoFuture<Output = Result<T, E>>)>,
) -> (Vec<u64>, Option<String>) {
    let answers = sent.into_iter().map(|(number, stored)| async move { (number, stored.await) });
    let (mut done, mut trouble) = (Vec::new(), None);
    for (number, stored) in futures_util::future::join_all(answers).await {
        match stored {
            Ok(_) => done.push(number),
            Err(error) => trouble = Some(error.to_string()),
        }
    }
    (done, trouble)
}

#[cfg(test)]
#[path = "../../../tests/unit/units.rs"]
mod tests;
