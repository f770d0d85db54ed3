//! Slow mutants: measured against other releases and modes of the solver, and against their seed.

use crate::under_test::Target;
use crate::worker::context::{CampaignContext, UnitContext};
use crate::worker::job::JobContext;
use oracle::slowness::{self, MeasuredSlowness, ReferenceSolver};
use oracle::{Asking, translate};
use solver::outcome::SolverOutcome;
use solver::process::RunStatus;
use solver::session::SessionNeeds;
use std::cell::OnceCell;
use std::sync::Arc;

/// The seed's run time, for a unit's slow mutants.
#[derive(Default)]
pub(crate) struct SlowMutants {
    /// The run of the unmutated seed, once a slow mutant asked for it; `Some(None)` if it could not be run.
    seed_run: OnceCell<Option<SolverOutcome>>,
}

impl SlowMutants {
    /// Measures a slow mutant. `None` if no other release or mode is much faster, or its seed is slow too.
    pub(crate) fn measure(
        &self,
        unit: &UnitContext<'_>,
        job: &JobContext<'_>,
        text: &str,
        purpose: SessionNeeds,
        run: &SolverOutcome,
    ) -> Option<(MeasuredSlowness, SolverOutcome)> {
        // On a busy machine the wall-clock limit of an early visit may come first.
        let is_long = run.cpu >= slowness::FLOOR || run.status == RunStatus::TimedOut;
        if !job.watches_time || !is_long || Asking::of(text) != Asking::Plain {
            return None;
        }
        let limits = &unit.campaign.config.limits;
        for reference_solver in reference_solvers(unit.campaign, job.target).map(Arc::new) {
            if unit.campaign.is_over() {
                return None;
            }
            let Ok((outcome, measured)) = reference_solver.measure(&job.target.tested.solver, text, purpose, limits)
            else {
                continue;
            };
            unit.ran(job.target, &outcome);
            let Some(measured) = measured else { continue };
            let is_easy = self.seed_run(unit, job).is_some_and(|seed| measured.is_easy(seed));
            return is_easy.then_some((measured, outcome));
        }
        None
    }

    fn seed_run(&self, unit: &UnitContext<'_>, job: &JobContext<'_>) -> Option<&SolverOutcome> {
        let run = || {
            let config = unit.campaign.config;
            let seed = config.seeds.get(job.slot.seed)?.load().ok()?;
            let text = translate::script(&seed.store, &seed.script.commands, &job.target.tested);
            unit.ask(job.target, &text, job.purpose(seed.instances.len(), &text), &config.limits)
        };
        self.seed_run.get_or_init(run).as_ref()
    }
}

/// Returns other releases of a solver in the campaign, then other modes of it, by its profile.
fn reference_solvers<'c>(campaign: &CampaignContext<'c>, target: &'c Target) -> impl Iterator<Item = ReferenceSolver> {
    let own = target.tested.solver.installed();
    let others = campaign.reference.into_iter().chain(campaign.targets);
    let releases = others.filter(move |other| own.is_other_release(other.tested.solver.installed()));
    let release = |other: &Target| ReferenceSolver {
        solver: Some(other.tested.confirming.clone()),
        spec: other.tested.spec().to_string(),
        label: other.tested.label.clone(),
    };
    let mode = |switch: &String| {
        ReferenceSolver::with_switch(&target.tested.confirming, &target.tested.label, &target.tested.spec(), switch)
    };
    releases.map(release).chain(target.tested.solver.profile().switches.iter().map(mode))
}
