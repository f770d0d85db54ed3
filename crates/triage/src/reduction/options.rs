//! The options of a solver without which it still is wrong.

use super::ReductionOrder;
use anyhow::Result;
use reduce::Subject;
use reduce::query::label;
use reduce::start::{ReductionStart, ReductionTask, start};
use solver::install::Fleet;
use solver::session::Solver;
use solver::spec::{NamedSpec, SolverSpec};

/// Leaves out the solver's options without which it still is wrong: all of them, or one after the other.
pub(super) fn fewer_options(
    spec: &SolverSpec,
    mut task: ReductionTask,
    mut begun: ReductionStart,
    subject: &mut Subject,
    fleet: &Fleet,
    order: &ReductionOrder<'_>,
) -> Result<(SolverSpec, ReductionTask, ReductionStart)> {
    let SolverSpec::Named(named) = spec else { return Ok((spec.clone(), task, begun)) };
    let mut best = named.clone();
    let all = best.options.len();
    // First none at all; then, if some are needed, each alone.
    let mut tries: Vec<Vec<String>> = if all == 0 { Vec::new() } else { vec![Vec::new()] };
    let mut next = 0;
    while let Some(options) = tries.pop().or_else(|| {
        let fewer = (next < best.options.len() && all > 1).then(|| {
            let mut fewer = best.options.clone();
            fewer.remove(next);
            fewer
        });
        next += 1;
        fewer
    }) {
        let candidate = SolverSpec::Named(NamedSpec { options, ..best.clone() });
        let target = fleet.solver(fleet.resolve(&candidate)?).with_cancel(order.cancel.clone());
        let versions = other_versions(order, fleet, &target, &candidate);
        let shown = Some(begun.judge.shown.clone());
        let fewer = ReductionTask { target, versions, shown, ..task.clone() };
        if let Ok(found) = start(subject, &fewer)
            && found.spelled.is_none()
            && begun
                .judge
                .companions
                .iter()
                .all(|c| found.judge.companions.iter().any(|other| other.label() == c.label()))
            && let SolverSpec::Named(named) = candidate
        {
            next = next.saturating_sub(1);
            (best, task, begun) = (named, fewer, found);
            if best.options.is_empty() {
                break;
            }
        }
    }
    Ok((SolverSpec::Named(best), task, begun))
}

/// The other versions of a solver that are here, with the options of `spec`.
pub(super) fn other_versions(
    order: &ReductionOrder<'_>,
    fleet: &Fleet,
    target: &Solver,
    spec: &SolverSpec,
) -> Vec<Solver> {
    let mine = label(target.installed());
    let versions = crate::versions::versions(fleet, target, spec).into_iter();
    versions.filter(|v| label(v.installed()) != mine).map(|v| v.with_cancel(order.cancel.clone())).collect()
}
