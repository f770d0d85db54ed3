//! The coordinator of a campaign: gives out its units, records its findings, and stores their results.

mod standing;

use crate::config::Config;
use crate::counts::stats::Counters;
use crate::findings::OutDir;
use crate::findings::disagreements::KeptDisagreements;
use crate::persist::CampaignError;
use crate::persist::Past;
use crate::persist::checkpoint::Checkpointer;
use crate::persist::manifest;
use crate::schedule::Schedule;
use crate::schedule::completed::CompletedUnits;
use crate::schedule::unit::{UnitPlan, UnitReport};
use crate::seeds::models::ModelKey;
use crate::seeds::partner::PartnerLabel;
use crate::seeds::{Quarantine, Quarantined};
use crate::state::event::{CampaignEvent, CampaignWatch, Resumed};
use crate::state::finding_index::{FindingCounts, FindingIndex, GroupKey, HitWorth};
use crate::state::{CampaignState, NextUnit};
use crate::sync::Stops;
use crate::sync::lock;
use crate::under_test::Target;
use crate::worker::context::CampaignContext;
use crate::worker::control::Control;
use crate::worker::work_source::WorkSource;
use corpus::seed::SeedSource;
use finding::folder::SentFile;
use finding::{Finding, FindingEvent, FindingKind};
use oracle::candidate;
use solver::process::ended_cpu;
use std::io;
use std::sync::Mutex;
use std::sync::atomic::AtomicU64;
use std::time::Duration;

/// How often a write to a full disk is retried.
const DISK_RETRY: Duration = Duration::from_secs(2);
/// The number of solver messages that are reported.
const ERROR_TEXTS: usize = 5;

/// The coordinator of a campaign in this process.
///
/// Invariant: a finding is on disk before its unit counts as done, and the results of a unit are stored in the same transaction that
/// marks it done. So a process that is killed at any moment loses only whole units, which are done again.
pub(crate) struct Coordinator<'c> {
    pub(crate) control: Control,
    config: &'c Config,
    targets: &'c [Target],
    watch: &'c dyn CampaignWatch,
    out: OutDir,
    state: Mutex<CampaignState>,
    index: Mutex<FindingIndex>,
    checkpointer: Mutex<Checkpointer>,
    quarantine: Quarantine,
    disagreements: KeptDisagreements,
    past: Past,
    tally_before: FindingCounts,
    cpu_before: Duration,
    ended_before: Duration,
    /// The number of rejected messages from other machines.
    pub(crate) refused: AtomicU64,
}

impl<'c> Coordinator<'c> {
    /// Opens the campaign in `out`, or starts a new one there.
    /// Errors: the folder cannot be written, or holds another campaign or a newer one.
    pub(crate) fn open(
        config: &'c Config,
        out: OutDir,
        targets: &'c [Target],
        stops: &Stops,
        watch: &'c dyn CampaignWatch,
    ) -> Result<Coordinator<'c>, CampaignError> {
        manifest::check(&out, config, targets)?;
        let seeds: Vec<String> = config.seeds.iter().map(SeedSource::name).collect();
        let labels: Vec<String> = targets.iter().map(|target| target.tested.label.clone()).collect();
        // A folder is marked as ours before anything is in it; an existing campaign may belong to a newer version, so its mark stays
        // untouched until the store is open.
        let is_new = out.manifest()?.is_none();
        if is_new {
            manifest::write(&out, config, targets)?;
        }
        let (checkpointer, past) = Checkpointer::open(&out, config, &seeds, &labels, watch)?;
        if !is_new {
            manifest::write(&out, config, targets)?;
        }
        let control = Control::new(config.budget, stops, past.remembered.totals.mutants);
        let schedule = Schedule::new(config.mutants.schedule, config.mutants.seed, &config.seeds, targets);
        let completed =
            CompletedUnits::new(config.shard, past.remembered.watermark, past.remembered.done.iter().copied());
        let mut state = CampaignState::new(schedule, completed, seeds, labels, &past.remembered);
        state.units = config.budget.units;
        state.uses_seeds = uses_seeds(targets);
        let index = past.index();
        Ok(Coordinator {
            quarantine: Quarantine::open(&out),
            disagreements: KeptDisagreements::open(out.root()),
            control,
            config,
            targets,
            watch,
            out,
            state: Mutex::new(state),
            tally_before: index.tally(),
            index: Mutex::new(index),
            checkpointer: Mutex::new(checkpointer),
            past,
            cpu_before: candidate::own_cpu(),
            ended_before: ended_cpu(),
            refused: AtomicU64::new(0),
        })
    }

    /// Restores what workers knew about seeds.
    pub(crate) fn restore(&self, campaign: &CampaignContext<'_>) {
        campaign.labels.restore(&self.past.remembered.labels);
        campaign.models.restore(self.past.models.iter().cloned());
    }

    /// Reports that the campaign begins or continues.
    pub(crate) fn announce(&self) {
        let done = lock(&self.state).completed.count();
        let resumed = self.past.is_any().then_some(Resumed {
            units: done,
            mutants: self.past.remembered.totals.mutants,
            findings: self.past.findings.len(),
        });
        self.watch.event(&CampaignEvent::Started {
            seed: self.config.mutants.seed,
            seeds: if uses_seeds(self.targets) { self.config.seeds.len() } else { 0 },
            solvers: self.targets.iter().map(|t| t.tested.label.clone()).collect(),
            profiles: self.targets.iter().map(|t| t.tested.solver.profile().name.clone()).collect(),
            jobs: self.config.jobs,
            out: self.out.root().display().to_string(),
            resumed,
        });
    }

    /// Returns the campaign's identifier, which is the same for all its runs.
    #[cfg(feature = "nats")]
    pub(crate) fn id(&self) -> Option<String> {
        manifest::id(&self.out.manifest().ok()??)
    }

    /// Returns a unit to give out, if one is left.
    pub(crate) fn try_next(&self) -> Option<UnitPlan> {
        match lock(&self.state).next() {
            NextUnit::Unit(plan) => Some(plan),
            NextUnit::Nothing => None,
        }
    }

    /// Whether a unit is done.
    #[cfg(feature = "nats")]
    pub(crate) fn is_done(&self, number: u64) -> bool {
        lock(&self.state).completed.is_done(number)
    }

    /// Whether a unit belongs to this campaign and was given out, or is at most `ahead` units beyond.
    #[cfg(feature = "nats")]
    pub(crate) fn may_be_out(&self, number: u64, ahead: u64) -> bool {
        let state = lock(&self.state);
        let step = state.completed.shard().step;
        let end = state.completed.peek().saturating_add(ahead.saturating_mul(step));
        state.completed.shard().position(number).is_some()
            && number <= end
            && state.units.is_none_or(|units| number < units)
    }

    /// Passes an event to the watch.
    #[cfg(feature = "nats")]
    pub(crate) fn notify(&self, event: &CampaignEvent) {
        self.watch.event(event);
    }

    /// Stores all changes since the last time; returns whether they are stored. A full disk makes new units wait; any other error ends
    /// the campaign.
    pub(crate) fn commit(&self) -> bool {
        let mut checkpointer = lock(&self.checkpointer);
        checkpointer.add(lock(&self.state).take_delta(), lock(&self.index).take_changed());
        let totals = lock(&self.state).totals;
        let time = self.past.spent(self.control.elapsed(), self.other_cpu(&totals));
        let mut told = false;
        while let Err(error) = checkpointer.write(time) {
            if !error.is_full() || self.control.is_stopped() {
                let path = self.out.root().display().to_string();
                let cause = format!("{error}; work since the last successful write will be repeated");
                self.control.fail(CampaignError::Write { path, cause });
                return false;
            }
            self.control.pause(true);
            self.no_room(&mut told, &error.to_string());
            self.control.wait(DISK_RETRY);
        }
        self.control.pause(false);
        true
    }

    fn no_room(&self, told: &mut bool, error: &str) {
        if !std::mem::replace(told, true) {
            let path = self.out.root().display();
            let message =
                format!("no room to write to '{path}' ({error}); free some space, the campaign waits until then");
            self.watch.event(&CampaignEvent::Trouble { message });
        }
    }
}

impl Coordinator<'_> {
    /// Carries out the user's requests, and ends a campaign whose CPU time is used up.
    pub(crate) fn heed(&self, working: &[Counters]) {
        if let Some(most) = self.config.budget.cpu.filter(|most| self.cpu(working) >= *most) {
            self.control.end();
            self.control.end_rest(most / 10);
        }
        for seed in self.control.requests().take_skips() {
            let event = lock(&self.state).skip(seed, "the user skipped it");
            working.iter().for_each(|counters| counters.status.give_up(seed));
            if let Some(event) = event {
                self.watch.event(&event);
            }
        }
    }
}

impl WorkSource for Coordinator<'_> {
    fn next(&self) -> Option<UnitPlan> {
        while (self.control.is_paused() || !self.config.reward.keeps_pace()) && !self.control.is_over() {
            self.control.wait(crate::worker::control::TICK);
        }
        self.try_next()
    }

    fn worth(&self, key: &GroupKey, bytes: usize) -> HitWorth {
        lock(&self.index).worth(key, bytes)
    }

    fn is_wanted(&self, key: &GroupKey, kind: &FindingKind) -> bool {
        let is_wanted = self.config.reward.is_wanted(kind);
        if !is_wanted {
            lock(&self.index).passed(key);
        }
        is_wanted
    }

    fn gives_up_often(&self, target: usize) -> bool {
        lock(&self.index).gives_up_often(target)
    }

    fn unconfirmed(&self, key: &GroupKey, event: Option<CampaignEvent>) {
        lock(&self.index).unconfirmed(key);
        if let Some(event) = event {
            self.watch.event(&event);
        }
    }

    /// Writes a finding. Waits for a full disk; any other error ends the campaign.
    fn found(&self, key: &GroupKey, finding: &Finding, files: &[SentFile<'_>]) {
        let mut told = false;
        let finding = &self.with_effort(finding);
        loop {
            let recorded = lock(&self.index).record(key, finding, files, &self.out);
            match recorded {
                Ok(recorded) => {
                    if recorded.is_new && !key.flaky {
                        let worth = self.config.reward.worth(&FindingKind::of(finding), recorded.alike);
                        lock(&self.state).new_cause(finding, worth);
                    }
                    if let Some(folder) = recorded.folder {
                        self.watch.event(&CampaignEvent::Finding(Box::new(FindingEvent::of(finding, &folder))));
                    }
                    if !key.flaky && self.config.budget.is_met_by(finding.class) {
                        self.control.end();
                    }
                    return;
                }
                Err(error) if is_full(&error) && !self.control.is_stopped() => {
                    self.no_room(&mut told, &error.to_string());
                    self.control.wait(DISK_RETRY);
                }
                Err(error) => {
                    let path = self.out.root().display().to_string();
                    let cause = format!("{error}; the finding {} is lost: {}", finding.id, finding.summary);
                    return self.control.fail(CampaignError::Write { path, cause });
                }
            }
        }
    }

    fn is_quarantined(&self, sha256: &str) -> bool {
        self.quarantine.holds(sha256)
    }

    fn quarantine(&self, entry: Quarantined, script: &str) {
        match self.quarantine.add(entry.clone(), script, &self.out) {
            Ok(Some(list)) => {
                self.watch
                    .event(&CampaignEvent::Quarantined { entry: Box::new(entry), list: list.display().to_string() });
            }
            Ok(None) => {}
            Err(error) => {
                let message = format!("the seed {} is in quarantine, but this cannot be recorded: {error}", entry.seed);
                self.watch.event(&CampaignEvent::Trouble { message });
            }
        }
    }

    fn labelled(&self, seed: usize, label: &PartnerLabel) {
        lock(&self.state).label(seed, label.clone());
    }

    fn modelled(&self, key: ModelKey, model: Option<&str>) {
        lock(&self.state).model(key, model.map(Into::into));
    }

    fn done(&self, report: UnitReport) {
        for one in &report.disagreements {
            if let Err(error) = self.disagreements.keep(one, self.out.root()) {
                let message = format!("a disagreement of solvers cannot be recorded: {error}");
                self.watch.event(&CampaignEvent::Trouble { message });
            }
        }
        let event = lock(&self.state).apply(&report);
        if let Some(event) = event {
            self.watch.event(&event);
        }
    }
}

/// Whether any solver receives scripts made from seeds.
fn uses_seeds(targets: &[Target]) -> bool {
    targets.iter().flat_map(|target| target.mutators.iter()).any(|(mutator, _)| mutator.parents() > 0)
}

fn is_full(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded)
}
