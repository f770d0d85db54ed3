//! The scripts that must precede a finding in the same process.

use super::ReductionOrder;
use anyhow::{Context, Result};
use reduce::reducer::ReducerConfig;
use reduce::start::{ReductionStart, witness_of};
use reduce::{Size, Subject, predecessors};
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

/// Reads the preceding scripts; empty if there are none.
///
/// # Errors
/// They exist but cannot be read.
pub fn earlier(path: Option<&Path>) -> Result<Arc<str>> {
    let Some(path) = path else { return Ok("".into()) };
    let text = String::from_utf8(files::named(path)?);
    Ok(text.with_context(|| format!("{} is not UTF-8", path.display()))?.into())
}

/// Drops preceding scripts that the finding does not need, reduces the others, and writes them next to the result. Returns their sizes
/// before and after.
pub(super) fn smaller_predecessors(
    order: &ReductionOrder<'_>,
    subject: &Subject,
    begun: &mut ReductionStart,
    say: &dyn Fn(&str),
) -> Result<[Size; 2]> {
    if begun.judge.question.earlier.is_empty() {
        return Ok([Size::default(); 2]);
    }
    let given = Arc::clone(&begun.judge.question.earlier);
    let started = Instant::now();
    // The other half of the time is for the script itself.
    let time = order.time.map(|time| time / 2);
    let is_over = || order.cancel.is_cancelled() || time.is_some_and(|time| started.elapsed() >= time);
    let text = begun.spelled.clone().unwrap_or_else(|| subject.text());
    let fewer = predecessors::reduce(&mut begun.judge, &text, witness_of(subject).as_ref(), is_over);
    let config = ReducerConfig {
        jobs: order.jobs,
        time: time.map(|time| time.saturating_sub(started.elapsed())),
        cancel: order.cancel.clone(),
        before: Size::default(),
        cpu_budget: order.cpu_budget.clone(),
    };
    predecessors::shrink(&mut begun.judge, &text, witness_of(subject).as_ref(), &subject.dialect, &config);
    let earlier = &begun.judge.question.earlier;
    say(&format!(
        "shown after other scripts in the same process: {} of {} are needed, {} of {} bytes",
        fewer.after,
        fewer.before,
        earlier.len(),
        given.len()
    ));
    order.places.write_earlier(earlier)?;
    Ok([predecessors::size(&given), predecessors::size(earlier)])
}
