//! The workers known to a coordinator by their heartbeats.

use super::wire::Heartbeat;
use crate::state::event::RemoteWorker;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// The maximum number of remembered workers. A client of the server could invent any number of them.
const MOST: usize = 4096;
/// The silence after which a worker is forgotten.
const FORGOTTEN: Duration = Duration::from_secs(900);

/// The known workers.
#[derive(Debug, Default)]
pub(super) struct Machines {
    seen: BTreeMap<String, (Heartbeat, Instant)>,
}

impl Machines {
    /// Records a worker's heartbeat.
    pub(super) fn note(&mut self, heartbeat: Heartbeat, now: Instant) {
        if self.seen.len() >= MOST && !self.seen.contains_key(&heartbeat.worker) {
            return;
        }
        self.seen.insert(heartbeat.worker.clone(), (heartbeat, now));
    }

    /// Returns the workers not forgotten, by name.
    pub(super) fn list(&mut self, now: Instant) -> Vec<RemoteWorker> {
        self.seen.retain(|_, (_, seen)| now.saturating_duration_since(*seen) < FORGOTTEN);
        let machine = |(heartbeat, seen): &(Heartbeat, Instant)| RemoteWorker {
            name: heartbeat.worker.clone(),
            jobs: heartbeat.jobs,
            busy: heartbeat.busy,
            units: heartbeat.units,
            mutants: heartbeat.mutants,
            seen_s: now.saturating_duration_since(*seen).as_secs_f64(),
        };
        self.seen.values().map(machine).collect()
    }
}

#[cfg(test)]
#[path = "../../tests/unit/machines.rs"]
mod tests;
