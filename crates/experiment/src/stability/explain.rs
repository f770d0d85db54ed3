//! What makes a check unstable: a subset of its assertions and options with which it is still unstable.

use super::check::{CheckParts, StabilityCheck, script_of};
use super::runs::StabilitySolver;
use super::verdict::{InstabilityCore, StabilityVerdict};
use anyhow::Result;
use solver::outcome::Answer;
use std::sync::Arc;

/// The maximum trials of a reduced check, and the number without any answer that shows that it is not unstable.
const TRIALS: (u32, u32) = (12, 6);
/// The number of trials with an answer, and without, that make a check unstable.
const WANTED: u32 = 2;

/// Explains an unstable check, with the same few trials for every reduced check. A trial with an unusual answer answers another question,
/// and counts as not answered.
/// Errors: the solver cannot be run, or was cancelled.
pub fn explain(solver: &StabilitySolver<'_>, check: &StabilityCheck, usual: Answer) -> Result<InstabilityCore> {
    let reduced = reduce(&check.parts, |parts| {
        let is_mixed = |answered, silent| answered >= WANTED && silent >= WANTED;
        let is_over = |answered, silent| is_mixed(answered, silent) || (answered == 0 && silent >= TRIALS.1);
        let (answered, silent) = tally(solver, parts, (usual, solver.trials.min(TRIALS.0)), is_over)?;
        Ok(is_mixed(answered, silent))
    })?;
    let (mut guilty, mut kept, all) = (Vec::new(), Vec::new(), solver.trials);
    let is_stable = |silent| StabilityVerdict::of(all - silent, all) == StabilityVerdict::Stable;
    for part in reduced.iter().filter(|part| part.is_removable()) {
        let parts = check.parts.iter().filter(|other| !Arc::ptr_eq(other, part)).cloned().collect();
        let (_, silent) = tally(solver, &parts, (usual, all), |_, silent| !is_stable(silent))?;
        guilty.extend(is_stable(silent).then(|| part.place.clone()));
        kept.push(part.place.clone());
    }
    Ok(InstabilityCore { guilty, kept, script: script_of(&reduced) })
}

/// Drops halves, quarters and so on of the commands while the check stays unstable (Zeller and Hildebrandt's ddmin, TSE 2002).
fn reduce(parts: &CheckParts, is_unstable: impl Fn(&CheckParts) -> Result<bool>) -> Result<CheckParts> {
    let mut parts = parts.clone();
    let mut size = parts.iter().filter(|part| part.is_removable()).count().div_ceil(2);
    while size > 0 {
        let mut passed = 0;
        loop {
            let (mut fewer, mut number) = (parts.clone(), 0..);
            fewer.retain(|part| {
                !part.is_removable() || number.next().is_none_or(|n| !(passed..passed + size).contains(&n))
            });
            match fewer.len() == parts.len() {
                true => break,
                false if is_unstable(&fewer)? => parts = fewer,
                false => passed += size,
            }
        }
        size /= 2;
    }
    Ok(parts)
}

/// Counts the trials with this answer and the others, until enough are known.
fn tally(
    solver: &StabilitySolver<'_>,
    parts: &CheckParts,
    (usual, most): (Answer, u32),
    is_over: impl Fn(u32, u32) -> bool,
) -> Result<(u32, u32)> {
    let (mut answered, mut silent) = (0, 0);
    for number in 1..=most {
        *(if solver.run(parts, number)?.answer == usual { &mut answered } else { &mut silent }) += 1;
        if is_over(answered, silent) {
            break;
        }
    }
    Ok((answered, silent))
}
