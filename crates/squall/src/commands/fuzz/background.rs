//! Reductions during a campaign: one thread reduces a representative of each new group, within a share of the CPU time.

use super::cached_count::CachedCount;
use ::finding::folder::{FindingFolder, FindingPaths};
use ::finding::{AnswerVector, CauseReward, FindingEvent, KnownMatch, Trust};
use ::fuzz::state::event::ReductionNow;
use ::fuzz::{CampaignEvent, CampaignWatch};
use ::solver::install::Fleet;
use ::solver::process::CancelToken;
use reduce::CpuBudget;
use reduce::bisect::summary;
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use triage::folder::CampaignFindings;
use triage::progress::{InstallProgress, ReductionStep};
use triage::reduction::{self, ReductionOrder};
use triage::reduction_yield::{HOPELESS, ReductionYield};
use triage::{bisection, matching};

/// CPU time available at the start, so that short campaigns reduce too.
const CREDIT: Duration = Duration::from_secs(2);
/// The maximum number of waiting findings with new causes. With more, reductions exceed their share and use all workers'
/// threads, and no new mutants are made.
const WAITING: usize = 1;
/// How often the waiting thread checks whether it was stopped.
const TICK: Duration = Duration::from_millis(100);

/// What to do with a campaign's findings.
#[derive(Clone, Copy, Debug)]
pub struct ReducingOptions {
    /// The share of CPU time that reductions may take, from 0 (none) to 1.
    pub share: f64,
    /// Worker threads of the campaign.
    pub jobs: usize,
    /// Whether mutants avoid reduced causes' triggers.
    pub blocks: bool,
    /// Whether reduced findings are bisected over the installed versions.
    pub bisect: bool,
    /// Reports installations of solvers.
    pub progress: InstallProgress,
}

/// Watches for findings, reduces them, and passes every event on. It adds the number of causes to progress events. The
/// summary waits for the last reduction, whose time it counts. A wrong answer interrupts the reduction of a crash, which resumes later.
pub struct Reducing<'w> {
    inner: &'w dyn CampaignWatch,
    options: ReducingOptions,
    /// The results of reductions, from which the campaign learns.
    causes: Arc<ReductionYield>,
    cpu_budget: Arc<CpuBudget>,
    cancel: CancelToken,
    fleet: Fleet,
    queue: Mutex<Queue>,
    counter: Mutex<CachedCount>,
    changed: Condvar,
}

#[derive(Default)]
struct Queue {
    waiting: Vec<FindingEvent>,
    /// The campaign's causes for which a finding was reduced or is being reduced.
    taken: HashSet<finding::Cause>,
    current: Option<CurrentReduction>,
    over: bool,
    /// Whether the thread has ended.
    gone: bool,
}

/// A reduction in progress.
struct CurrentReduction {
    is_wrong_answer: bool,
    /// Cancels only this one.
    interrupt: CancelToken,
}

/// Lets the campaign continue when dropped.
struct PaceKept<'a>(&'a ReductionYield);

impl Drop for PaceKept<'_> {
    fn drop(&mut self) {
        self.0.fall_behind(false, false);
    }
}

/// Whether the finding is a proven wrong answer rather than a crash or similar.
fn is_wrong_answer(finding: &FindingEvent) -> bool {
    finding.cause.class.is_wrong_answer() && finding.trust != Trust::Observed
}

impl<'w> Reducing<'w> {
    /// Wraps another watch. `cancel` ends reductions at once; they use the solvers of `fleet`.
    pub fn new(
        inner: &'w dyn CampaignWatch,
        options: ReducingOptions,
        causes: Arc<ReductionYield>,
        cancel: CancelToken,
        fleet: Fleet,
    ) -> Reducing<'w> {
        // A share of all workers' CPU time is a larger share of one thread's time, at most all of it.
        let share = (options.share * options.jobs as f64).min(1.0);
        Reducing {
            inner,
            options,
            causes,
            cpu_budget: Arc::new(CpuBudget::new(share, CREDIT)),
            cancel,
            fleet,
            queue: Mutex::default(),
            counter: Mutex::default(),
            changed: Condvar::new(),
        }
    }

    /// Reduces findings until the campaign is over and the earned time is used up.
    pub fn work(&self) {
        // Even after a panic, nothing must wait for reductions.
        let _pace = PaceKept(&self.causes);
        self.until_over();
        self.lock().gone = true;
        self.changed.notify_all();
    }

    fn until_over(&self) {
        while let Some((finding, interrupt)) = self.next() {
            if self.cpu_budget.rest(|| interrupt.is_cancelled()) {
                self.one(&finding, &interrupt);
                self.inner.reducing(None);
            }
            self.cpu_budget.pause();
            let mut queue = self.lock();
            queue.current = None;
            if interrupt.is_cancelled() && !self.cancel.is_cancelled() {
                queue.taken.remove(&finding.cause.key());
                queue.waiting.push(finding);
            }
            drop(queue);
            self.changed.notify_all();
        }
    }

    /// Ends [`Reducing::work`], whether the campaign finished or not.
    pub fn end(&self) {
        self.cpu_budget.end();
        self.lock().over = true;
        self.changed.notify_all();
    }

    fn enqueue(&self, finding: &FindingEvent) {
        let mut queue = self.lock();
        let is_new = !queue.taken.contains(&finding.cause.key());
        if let Some(current) = &queue.current
            && !current.is_wrong_answer
            && is_new
            && is_wrong_answer(finding)
        {
            current.interrupt.cancel();
        }
        queue.waiting.push(finding.clone());
        self.keep_pace(&queue, false);
        drop(queue);
        self.changed.notify_all();
    }

    /// Waits for the most important finding of a new cause. `None` once the campaign is over and nothing is left.
    fn next(&self) -> Option<(FindingEvent, CancelToken)> {
        let mut queue = self.lock();
        loop {
            let Queue { waiting, taken, .. } = &mut *queue;
            waiting.retain(|finding| !taken.contains(&finding.cause.key()));
            waiting.sort_by_cached_key(|finding| {
                (self.causes.rank(&finding.kind(), &finding.cause.symptom), finding.importance())
            });
            if !waiting.is_empty() && !self.cancel.is_cancelled() {
                let finding = waiting.remove(0);
                taken.insert(finding.cause.key());
                let interrupt = self.cancel.part();
                let is_wrong_answer = is_wrong_answer(&finding);
                queue.current = Some(CurrentReduction { is_wrong_answer, interrupt: interrupt.clone() });
                self.keep_pace(&queue, true);
                return Some((finding, interrupt));
            }
            self.keep_pace(&queue, false);
            if queue.over {
                return None;
            }
            queue = self.changed.wait_timeout(queue, TICK).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Sets the pace by the number of waiting findings whose causes may be new. `begins`: a reduction begins.
    fn keep_pace(&self, queue: &Queue, begins: bool) {
        let Queue { waiting, taken, over, .. } = queue;
        let is_new = |finding: &&FindingEvent| {
            !taken.contains(&finding.cause.key())
                && self.causes.rank(&finding.kind(), &finding.cause.symptom).0 < HOPELESS
        };
        let is_behind = waiting.iter().filter(is_new).count() > WAITING;
        self.cpu_budget.hurry(is_behind);
        self.causes.fall_behind(is_behind && !over, begins);
    }

    fn one(&self, finding: &FindingEvent, cancel: &CancelToken) {
        let fleet = &self.fleet;
        let folder = PathBuf::from(&finding.folder);
        // A smaller finding, also announced, may replace this one before the first step is written.
        let was_replaced = || {
            let gone = !folder.exists();
            if gone {
                self.lock().taken.remove(&finding.cause.key());
            }
            gone
        };
        if was_replaced() || self.options.blocks && self.is_known(finding, &folder, cancel) {
            return;
        }
        let watch =
            |step: &ReductionStep| self.inner.reducing(Some(&ReductionNow { id: &finding.id, bytes: step.bytes }));
        let order = ReductionOrder {
            cpu_budget: Some(Arc::clone(&self.cpu_budget)),
            progress: self.options.progress,
            // The workers wait for it, so it may use their threads.
            jobs: if self.causes.keeps_pace() { 1 } else { self.options.jobs },
            watch: Some(&watch),
            ..ReductionOrder::new(FindingPaths::of(&folder, None), cancel.clone())
        };
        match reduction::by_solver(&order, fleet, &|_| ()) {
            // An interrupted reduction resumes later.
            Ok(_) if cancel.is_cancelled() && !self.cancel.is_cancelled() => return,
            Ok(reduced) => {
                let report = &reduced.report;
                // A stopped solver gives no answer to judge.
                let vector = match cancel.is_cancelled() {
                    true => AnswerVector::default(),
                    false => bisection::reduced_vector(&folder, fleet).unwrap_or_default(),
                };
                self.causes.add(&finding.kind(), &finding.cause.symptom, &vector);
                if self.options.blocks && !cancel.is_cancelled() {
                    self.know(&folder);
                }
                self.pass_on(&CampaignEvent::Reduced {
                    id: finding.id.clone(),
                    bytes: (report.before.bytes, report.after.bytes),
                    finished: report.finished,
                    truth: report.truth.reason(),
                    vector,
                });
            }
            Err(_) if cancel.is_cancelled() || was_replaced() => return,
            Err(error) => {
                let (id, reason) = (finding.id.clone(), triage::error_text(&error));
                return self.pass_on(&CampaignEvent::Unreduced { id, reason });
            }
        }
        if self.options.bisect && self.cpu_budget.rest(|| cancel.is_cancelled()) {
            self.bisect(finding, &folder, fleet);
        }
    }

    /// Tells the campaign which constructs trigger a reduced cause.
    fn know(&self, folder: &Path) {
        if let Ok(findings) = CampaignFindings::load(folder) {
            self.causes.know_all(&findings);
        }
    }

    /// Whether a finding has a known cause; if so, records the cause in its folder.
    fn is_known(&self, finding: &FindingEvent, folder: &Path, cancel: &CancelToken) -> bool {
        let triggers = self.causes.known(&finding.cause.solver);
        let folder = FindingFolder::at(folder);
        let known = matching::known_cause(&folder, &triggers, &self.fleet, cancel);
        let Some(known) = known.filter(|known| folder.write(known).is_ok()) else { return false };
        let KnownMatch { of, without } = known;
        self.causes.matched(&finding.kind());
        self.pass_on(&CampaignEvent::Matched { id: finding.id.clone(), of, without });
        true
    }

    fn bisect(&self, finding: &FindingEvent, folder: &Path, fleet: &Fleet) {
        let order = bisection::BisectionOrder {
            jobs: 1,
            progress: self.options.progress,
            ..bisection::BisectionOrder::new(folder)
        };
        let done = bisection::bisect(&order, fleet)
            .and_then(|bisection| Ok(FindingFolder::at(folder).write(&bisection).map(|()| bisection)?));
        match done {
            Ok(bisection) => {
                let (id, versions) = (finding.id.clone(), summary(&bisection.found));
                self.pass_on(&CampaignEvent::Bisected { id, versions });
            }
            Err(error) => {
                let message = format!("cannot bisect {}: {}", finding.id, triage::error_text(&error));
                self.pass_on(&CampaignEvent::Trouble { message });
            }
        }
    }

    /// Passes an event on; a progress event gets the number of causes.
    fn pass_on(&self, event: &CampaignEvent) {
        let completed = self.counter.lock().unwrap_or_else(PoisonError::into_inner).complete(event);
        self.inner.event(completed.as_ref().unwrap_or(event));
    }

    /// Waits until no reduction runs and no earned time is left.
    fn finish(&self) {
        self.end();
        let mut queue = self.lock();
        let is_able = || !self.cancel.is_cancelled() && self.cpu_budget.is_able();
        while !queue.gone && (queue.current.is_some() || (!queue.waiting.is_empty() && is_able())) {
            queue = self.changed.wait_timeout(queue, TICK).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    fn lock(&self) -> MutexGuard<'_, Queue> {
        // Every change to the queue is one call, so a panic elsewhere leaves it consistent.
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl CampaignWatch for Reducing<'_> {
    fn event(&self, event: &CampaignEvent) {
        if let CampaignEvent::Finding(finding) = event
            && self.options.share > 0.0
        {
            self.enqueue(finding);
        }
        self.pass_on(event);
    }

    fn settle(&self) {
        if self.options.share > 0.0 {
            self.finish();
        }
    }
}

#[cfg(test)]
#[path = "../../../tests/unit/background.rs"]
mod tests;
