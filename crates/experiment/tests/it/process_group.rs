//! Tests of `process_group`.

use experiment::process_group::*;
use solver::process::CancelToken;
use std::time::Duration;

#[test]
fn children_count_and_end_with_it() {
    let root = tempfile::tempdir().expect("a folder");
    let check = |script: &str, cpu: u64, wall: u64, expect: GroupEnd, used: std::ops::Range<u64>| {
        let command = ["/bin/sh", "-c", script].map(String::from);
        let (cpu, wall) = (Duration::from_millis(cpu), Duration::from_secs(wall));
        let limits = GroupLimits { cpu, wall, grace: Duration::ZERO };
        let log = root.path().join("log");
        let (end, cpu) = run(&command, root.path(), &log, limits, &CancelToken::new()).expect("it runs");
        assert_eq!(end, expect, "{script}");
        assert!(used.contains(&(cpu.as_millis() as u64)), "{script}: {cpu:?}");
    };
    check("echo said", 1000, 60, GroupEnd::Ended, 0..200);
    let busy = "sh -c 'while :; do :; done'";
    // A child, a background process, and one that was waited for.
    check(&format!("{busy}; true"), 300, 60, GroupEnd::Limit, 300..3000);
    check(&format!("{busy} & wait"), 300, 60, GroupEnd::Limit, 300..3000);
    check(
        "sh -c 'i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done'; sleep 0.3",
        60_000,
        60,
        GroupEnd::Ended,
        10..9000,
    );
    check("sleep 600", 1000, 0, GroupEnd::Limit, 0..200);
    assert_eq!(std::fs::read_to_string(root.path().join("log")).expect("a file"), "said\n");
    // An interrupted program may write its results; one that does not end is killed.
    // Background processes of a shell script and their children ignore interrupts by default. `env` restores the default.
    let interrupted = |script: &str, grace: Duration| {
        let command = ["env", "--default-signal=INT", "/bin/sh", "-c", script].map(String::from);
        let limits = GroupLimits { cpu: Duration::MAX, wall: Duration::from_millis(300), grace };
        let log = root.path().join("interrupted");
        let (end, _) = run(&command, root.path(), &log, limits, &CancelToken::new()).expect("it runs");
        assert_eq!(end, GroupEnd::Limit, "{script}");
        std::fs::read_to_string(log).expect("a file")
    };
    let waits = "trap 'echo last; exit' INT; while :; do sleep 0.1; done";
    assert_eq!(interrupted(waits, Duration::from_secs(60)), "last\n");
    assert_eq!(interrupted("trap '' INT; sleep 600", Duration::from_millis(200)), "last\n");
    let cancelled = CancelToken::new();
    cancelled.cancel();
    let limits = GroupLimits { cpu: Duration::MAX, wall: Duration::MAX, grace: Duration::ZERO };
    let command = ["sleep".to_string(), "600".to_string()];
    let (end, _) = run(&command, root.path(), &root.path().join("log"), limits, &cancelled).expect("it runs");
    assert_eq!(end, GroupEnd::Cancelled);
    assert!(run(&["/no/such/program".to_string()], root.path(), &root.path().join("log"), limits, &cancelled).is_err());
}
