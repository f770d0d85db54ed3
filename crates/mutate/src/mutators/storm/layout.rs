//! The order of a mutant's commands: plain, by a tactic, or incremental with exact assertion levels.

use crate::mutator::Mutant;
use crate::query_mode::{OpenLevels, QueryConfig, QueryMode};
use crate::rng::RandomStream;

/// Writes `count` assertions and their checks. `assert` appends one assertion, and says false when no more should follow.
pub fn write(
    mode: QueryMode,
    count: u64,
    config: &QueryConfig,
    rng: &mut RandomStream,
    out: &mut Mutant,
    mut assert: impl FnMut(&mut RandomStream, &mut Mutant) -> bool,
) {
    if mode == QueryMode::Incremental {
        return incremental(count, config, rng, out, assert);
    }
    for _ in 0..count {
        if !assert(rng, out) {
            break;
        }
    }
    mode.check(config, out);
}

/// Groups of assertions, each followed by a check, with a random push, pop or neither between them.
///
/// Every check is satisfiable, because each assertion alone is true under the one witness.
fn incremental(
    count: u64,
    config: &QueryConfig,
    rng: &mut RandomStream,
    out: &mut Mutant,
    mut assert: impl FnMut(&mut RandomStream, &mut Mutant) -> bool,
) {
    let checks = rng.between(1, u64::from(config.max_checks).min(count).max(1));
    let mut levels = OpenLevels::default();
    let mut left = count;
    for check in 0..checks {
        levels.step(rng, &mut out.text);
        // The last group takes what is left, so that the number of assertions is exactly the one drawn.
        let groups_after = checks - check - 1;
        let group = if groups_after == 0 { left } else { rng.between(1, left - groups_after) };
        left -= group;
        for _ in 0..group {
            if !assert(rng, out) {
                left = 0;
                break;
            }
        }
        QueryMode::Incremental.check(config, out);
        if left == 0 {
            break;
        }
    }
}
