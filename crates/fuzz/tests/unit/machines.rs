//! Unit tests of `src/nats/machines.rs`.

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
