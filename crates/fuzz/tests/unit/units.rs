//! Unit tests of `src/nats/coordinator/units.rs`.

use super::*;

/// Two hundred lost answers must not take two hundred times as long as one.
#[tokio::test(start_paused = true)]
async fn lost_answers_are_awaited_together() {
    let answer = |n: u64| async move {
        if n.is_multiple_of(2) {
            return Ok(());
        }
        tokio::time::sleep(Duration::from_secs(5)).await;
        Err("lost")
    };
    let begun = tokio::time::Instant::now();
    let (stored, trouble) = all_stored((0..400).map(|n| (n, Box::pin(answer(n)))).collect()).await;
    assert_eq!(stored, (0..400).step_by(2).collect::<Vec<u64>>());
    assert_eq!(trouble.as_deref(), Some("lost"));
    assert_eq!(begun.elapsed(), Duration::from_secs(5));
}
