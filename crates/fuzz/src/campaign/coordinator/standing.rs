//! The state of a campaign: its history, its counters, and its findings with their effort.

use super::{Coordinator, ERROR_TEXTS, uses_seeds};
use crate::counts::ActiveUnit;
use crate::counts::answer_counts::CellRow;
use crate::counts::stats::{Counters, Snapshot};
use crate::persist::Past;
use crate::persist::history::{self, RunHistory};
use crate::state::event::{CampaignStatus, Detail, Doing};
use crate::sync::lock;
use crate::worker::record;
use finding::Finding;
use finding::record::Effort;
use mutate::mutators;
use oracle::candidate;
use solver::process::ended_cpu;
use std::sync::atomic::Ordering;
use std::time::Duration;

impl<'c> Coordinator<'c> {
    /// Returns the history of the folder, with this run added, and restores the messages of earlier runs.
    pub(crate) fn history(&self) -> RunHistory {
        let mut history = RunHistory::load(self.out.root());
        history.runs.last().iter().for_each(|run| lock(&self.state).errors.extend(&run.errors));
        history.runs.push(history::CampaignRun {
            started_at: record::now(),
            seed: self.config.mutants.seed,
            jobs: self.config.jobs,
            solvers: self.targets.iter().map(|t| t.tested.label.clone()).collect(),
            seeds: if uses_seeds(self.targets) { self.config.seeds.len() } else { 0 },
            ..history::CampaignRun::default()
        });
        history
    }

    /// Writes the state of this run at a tick, or at the end, for later reports.
    pub(crate) fn write_history(&self, history: &mut RunHistory, tick: Option<u64>, working: &[Counters]) {
        let standing = self.standing_since(&self.past, working);
        if let Some(run) = history.runs.last_mut() {
            run.note(tick.unwrap_or(0), &standing, tick.is_none());
            run.ended = tick.is_none();
            let state = lock(&self.state);
            run.cells = state.cells.snapshot().into_iter().map(|(key, cell)| CellRow { key, cell }).collect();
            run.errors.clone_from(&state.errors);
        }
        // Statistics are no reason to end a campaign: a full disk is reported when a finding does not fit.
        let _ = history.text().and_then(|text| self.out.replace(history::FILE, text.as_bytes()));
    }

    /// Returns the status of this run alone.
    fn standing_since(&self, past: &Past, working: &[Counters]) -> CampaignStatus {
        let whole = self.standing(working);
        let before = &past.remembered;
        CampaignStatus {
            wall_s: whole.wall_s - before.wall_s,
            cpu_s: whole.cpu_s - before.own_cpu_s - before.totals.solver_cpu().as_secs_f64(),
            solver_cpu_s: whole.solver_cpu_s - before.totals.solver_cpu().as_secs_f64(),
            counts: whole.counts.since(&before.totals),
            tally: whole.tally.since(&self.tally_before),
            causes: None,
            skipped: whole.skipped,
            quarantined: whole.quarantined,
            refused: whole.refused,
            error_texts: whole.error_texts,
            unmade_texts: whole.unmade_texts,
        }
    }

    /// Returns the status; `working` counts the units in progress.
    pub(crate) fn standing(&self, working: &[Counters]) -> CampaignStatus {
        let (mut counts, skipped, errors) = {
            let state = lock(&self.state);
            (state.totals, state.skipped(), state.errors.clone())
        };
        for counters in working {
            counts.add(&counters.snapshot());
        }
        let time = self.past.spent(self.control.elapsed(), self.other_cpu(&counts));
        let solver_cpu_s = counts.solver_cpu().as_secs_f64();
        CampaignStatus {
            wall_s: time.wall_s,
            cpu_s: time.own_cpu_s + solver_cpu_s,
            solver_cpu_s,
            counts,
            tally: lock(&self.index).tally(),
            causes: None,
            skipped,
            quarantined: self.quarantine.len(),
            refused: self.refused.load(Ordering::Relaxed),
            error_texts: errors.most_frequent(ERROR_TEXTS),
            unmade_texts: errors.most_frequent_unmade(ERROR_TEXTS),
        }
    }
}

impl Coordinator<'_> {
    /// Returns the activity of the workers, and other live information.
    pub(crate) fn detail(&self, working: &[Counters]) -> Detail {
        let active: Vec<_> =
            working.iter().map(|counters| (counters.status.unit(), counters.snapshot().mutants)).collect();
        let state = lock(&self.state);
        let doing = |(active, mutants): (Option<ActiveUnit>, u64)| {
            let ActiveUnit { unit, seed: position, target, mutator, since } = active?;
            let is_generated = mutator.as_deref().is_some_and(mutators::needs_no_seed);
            let (seed, solver) = (state.seed_name(position).filter(|_| !is_generated), state.target_name(target));
            Some(Doing { unit, seed, position, solver, mutator, mutants, seconds: since.elapsed().as_secs_f64() })
        };
        Detail {
            paused: self.control.requests().is_paused(),
            workers: active.into_iter().map(doing).collect(),
            machines: Vec::new(),
            answers: state.cells.by_solver(),
            pass: state.pairs.pass(),
        }
    }

    /// Returns the CPU time of this run, including solvers; `working` counts the units in progress.
    pub(super) fn cpu(&self, working: &[Counters]) -> Duration {
        let mut counts = lock(&self.state).totals;
        working.iter().for_each(|counters| counts.add(&counters.snapshot()));
        counts.solver_cpu().saturating_sub(self.past.remembered.totals.solver_cpu()) + self.other_cpu(&counts)
    }

    /// Returns the CPU time of this run that is not the counted time of solvers: of this process, of reductions, and of what solvers
    /// leave behind.
    pub(super) fn other_cpu(&self, totals: &Snapshot) -> Duration {
        let counted = totals.solver_cpu().saturating_sub(self.past.remembered.totals.solver_cpu());
        let programs = ended_cpu().saturating_sub(self.ended_before);
        candidate::own_cpu().saturating_sub(self.cpu_before) + programs.saturating_sub(counted)
    }

    /// Returns a finding whose effort includes everything that the campaign used before its unit.
    pub(super) fn with_effort(&self, finding: &Finding) -> Finding {
        let standing = self.standing(&[]);
        let own = finding.effort.map_or((0, 0.0), |own| (own.mutants, own.cpu_s));
        let effort =
            Effort { mutants: standing.counts.mutants + own.0, wall_s: standing.wall_s, cpu_s: standing.cpu_s + own.1 };
        Finding { effort: Some(effort), ..finding.clone() }
    }
}
