//! The limits of reading and judging a proof.

use std::time::Duration;

/// The bounds of one proof.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct JudgeLimits {
    /// The maximum length of the text, in bytes.
    pub bytes: usize,
    /// The maximum number of steps.
    pub steps: usize,
    /// The maximum number of terms, those of the problem included.
    pub nodes: usize,
    /// The maximum number of assignments of a step's small world.
    pub assignments: u64,
    /// How many random assignments are tried if a step is not a small world.
    pub samples: u32,
    /// The time limit of one step.
    pub each: Duration,
    /// The time limit of all steps together; the remaining ones are open.
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
