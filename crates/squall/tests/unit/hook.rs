//! Unit tests of `src/commands/night/hook.rs`.

use super::Hook;
use solver::process::{CancelToken, ProcessLimits};
use std::time::Duration;

#[test]
fn a_command_that_hangs_prints_without_end_or_reads_nothing_is_a_failure_or_none() {
    let check = |command: &str, takes: bool| {
        let hook = Hook::new(command, &CancelToken::default());
        let limits = ProcessLimits { wall: Duration::from_millis(500), ..hook.limits.clone() };
        let called = Hook { limits, ..hook }.call(&serde_json::json!({ "script": "x".repeat(1 << 20) }));
        assert_eq!(called.is_ok(), takes, "{command}: {called:?}");
    };
    check("sleep 1000", false);
    check("trap '' TERM INT; cat > /dev/null; sleep 1000 & wait", false);
    check("yes", false);
    check("no such command", false);
    check("cat > /dev/null", true);
    check("exit 0", true);
    let hook = Hook::new("echo first >&2; echo no disk >&2; exit 3", &CancelToken::default());
    assert_eq!(hook.call(&serde_json::json!({})), Err("it ended with exit code 3: no disk".to_string()));
}
