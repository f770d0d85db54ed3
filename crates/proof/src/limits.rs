//! What reading and judging a proof may spend.

use std::time::Duration;

/// The bounds of one proof.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct JudgeLimits {
    /// The longest text, in bytes.
    pub bytes: usize,
    /// The most steps.
    pub steps: usize,
    /// The most terms, those of the problem included.
    pub nodes: usize,
    /// The most assignments of a step's small world.
    pub assignments: u64,
    /// The random assignments that are tried where a step is no small world.
    pub samples: u32,
    /// How long one step may take.
    pub each: Duration,
    /// How long all steps may take together; those after that are open.
    pub total: Duration,
}

impl Default for JudgeLimits {
    fn default() -> JudgeLimits {
        JudgeLimits {
            bytes: 64 << 20,
            steps: 1 << 20,
            nodes: 1 << 24,
            assignments: 1 << 16,
            samples: 300,
            each: Duration::from_secs(1),
            total: Duration::from_secs(120),
        }
    }
}
