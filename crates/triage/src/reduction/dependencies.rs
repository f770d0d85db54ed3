//! Removes the solver options and preceding scripts that the failure does not need.

use super::ReductionOrder;
use anyhow::{Context, Result};
use reduce::query::label;
use reduce::reducer::ReducerConfig;
use reduce::start::{ReductionStart, ReductionTask, start, witness_of};
use reduce::{Size, Subject, predecessors};
use solver::install::Fleet;
use solver::profiles::GENERIC;
use solver::session::Solver;
use solver::spec::{BARE, SolverSpec};
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

/// A reduction ready to begin, with the solver's name and its task.
type NamedStart = (SolverSpec, ReductionTask, ReductionStart);

/// Removes options while the solver is still wrong: those of its profile first, then all of them, or one by one.
pub(super) fn fewer_options(
    spec: &SolverSpec,
    task: ReductionTask,
    begun: ReductionStart,
    subject: &mut Subject,
    fleet: &Fleet,
    order: &ReductionOrder<'_>,
) -> Result<NamedStart> {
    let adds = !task.target.added_options().is_empty();
    let mut best = (spec.clone(), task, begun);
    if adds && let Some(bare) = attempt(&best, spec.clone().bare(), subject, fleet, order)? {
        best = bare;
    }
    // Words after a program without a profile may be its own script, without which it would read ours as one.
    let has_options = best.1.target.profile().name != GENERIC;
    let of_user = |spec: &SolverSpec| {
        spec.options().iter().filter(|option| has_options && *option != BARE).cloned().collect::<Vec<_>>()
    };
    // A requested mode determines the finding's worth, so it stays.
    let kept: Vec<String> = best.1.target.promised_modes().iter().flat_map(|mode| mode.options.clone()).collect();
    let mut options: Vec<String> = of_user(&best.0);
    let all = options.len();
    // First without any option; then, if some are needed, one by one.
    let mut tries = if all <= kept.len() { Vec::new() } else { vec![kept.clone()] };
    let mut next = 0;
    while let Some(fewer) = tries.pop().or_else(|| {
        while options.get(next).is_some_and(|option| kept.contains(option)) {
            next += 1;
        }
        let fewer = (next < options.len() && all > 1).then(|| {
            let mut fewer = options.clone();
            fewer.remove(next);
            fewer
        });
        next += 1;
        fewer
    }) {
        let removed: Vec<String> = options.iter().filter(|option| !fewer.contains(option)).cloned().collect();
        let candidate = best.0.clone().without_options(&removed);
        if let Some(found) = attempt(&best, candidate, subject, fleet, order)? {
            next = next.saturating_sub(1);
            best = found;
            options = of_user(&best.0);
            if options.len() <= kept.len() {
                break;
            }
        }
    }
    Ok(best)
}

/// Restarts with another solver name, also for the other versions; `None` unless all are still wrong.
fn attempt(
    (_, task, begun): &NamedStart,
    candidate: SolverSpec,
    subject: &mut Subject,
    fleet: &Fleet,
    order: &ReductionOrder<'_>,
) -> Result<Option<NamedStart>> {
    let target = fleet.solver(fleet.resolve(&candidate)?).with_cancel(order.cancel.clone());
    let versions = other_versions(order, fleet, &target, &candidate);
    let shown = Some(begun.judge.shown.clone());
    let task = ReductionTask { target, versions, shown, ..task.clone() };
    let Ok(found) = start(subject, &task) else { return Ok(None) };
    let shows = |label: String| found.judge.other_wrong_versions.iter().any(|other| other.label() == label);
    let is_same = found.spelled.is_some() == begun.spelled.is_some();
    let is_same = is_same && begun.judge.other_wrong_versions.iter().all(|c| shows(c.label()));
    Ok(is_same.then_some((candidate, task, found)))
}

/// Returns the other installed versions of a solver, with the options of `spec`.
pub(super) fn other_versions(
    order: &ReductionOrder<'_>,
    fleet: &Fleet,
    target: &Solver,
    spec: &SolverSpec,
) -> Vec<Solver> {
    let mine = label(target.installed());
    let versions = crate::releases::versions(fleet, target, spec).into_iter();
    versions.filter(|v| label(v.installed()) != mine).map(|v| v.with_cancel(order.cancel.clone())).collect()
}

/// Reads the preceding scripts; empty if there are none.
/// Errors: they exist but cannot be read.
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
        "the failure needs {} of {} preceding scripts in its process, {} of {} bytes",
        fewer.after,
        fewer.before,
        earlier.len(),
        given.len()
    ));
    order.paths.write_earlier(earlier)?;
    Ok([predecessors::size(&given), predecessors::size(earlier)])
}
