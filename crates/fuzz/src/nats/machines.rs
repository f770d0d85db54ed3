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
mod tests {
    use super::*;

    fn heartbeat(worker: &str, units: u64) -> Heartbeat {
        Heartbeat { worker: worker.to_string(), jobs: 4, busy: 3, units, mutants: 8 * units }
    }

    #[test]
    fn workers_are_known_by_their_last_sign_until_they_are_silent_for_long() {
        let (mut machines, start) = (Machines::default(), Instant::now());
        machines.note(heartbeat("b/7", 1), start);
        machines.note(heartbeat("a/9", 5), start);
        machines.note(heartbeat("b/7", 2), start + Duration::from_secs(20));
        let mut seen = |after| -> Vec<(String, u64, u64)> {
            let list = machines.list(start + Duration::from_secs(after));
            list.into_iter().map(|m| (m.name, m.units, m.seen_s as u64)).collect()
        };
        assert_eq!(seen(30), [("a/9".to_string(), 5, 30), ("b/7".to_string(), 2, 10)]);
        assert_eq!(seen(910), [("b/7".to_string(), 2, 890)]);
        assert!(seen(2000).is_empty());
    }

    #[test]
    fn invented_workers_do_not_fill_the_memory() {
        let (mut machines, now) = (Machines::default(), Instant::now());
        (0..2 * MOST).for_each(|n| machines.note(heartbeat(&n.to_string(), 1), now));
        assert_eq!(machines.list(now).len(), MOST);
        machines.note(heartbeat("0", 9), now);
        assert!(machines.list(now).iter().any(|machine| machine.units == 9), "those that are known are still heard");
    }
}
