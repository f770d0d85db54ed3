//! The reducer: passes propose edits, groups of them are tried, and interesting candidates are kept.

use crate::cpu_budget::CpuBudget;
use crate::judge::{CandidateVerdict, Evidence, TextJudge};
use crate::parallel_judge::{ParallelJudge, Ticket};
use crate::passes::{self, ReductionPass, View};
use crate::plan::{EditPlan, ScriptEdit};
use crate::size::Size;
use crate::subject::{self, Subject, ThreadWitness, WitnessValues};
use crate::sweep::{self, Sweep};
use finding::{FailureKind, Trust};
use semantics::Model;
use smtlib::Script;
use solver::process::CancelToken;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The limits and the parallelism of a reduction.
#[derive(Clone, Debug)]
pub struct ReducerConfig {
    /// The number of candidates judged in parallel.
    pub jobs: usize,
    /// The time limit.
    pub time: Option<Duration>,
    /// Ends the reduction.
    pub cancel: CancelToken,
    /// The size of the user's input, for the report.
    pub before: Size,
    /// Limits a single-threaded reduction to its share of time while other work runs.
    pub cpu_budget: Option<Arc<CpuBudget>>,
}

/// Receives every improvement, and stores the best result so far.
pub trait Sink {
    /// Called when a smaller script was found.
    fn improved(&mut self, best: &Best<'_>);

    /// Called at the beginning of a pass, with the number of candidates judged before it.
    fn pass_begins(&mut self, pass: &'static str, judged: u64) {
        let _ = (pass, judged);
    }
}

/// The best result so far.
pub struct Best<'a> {
    /// The text that the target receives.
    pub text: &'a str,
    /// The parsed script and its witness.
    pub subject: &'a Subject,
    /// Why the script is interesting.
    pub evidence: &'a Evidence,
    /// The pass that made it.
    pub pass: &'static str,
    /// The number of candidates judged so far.
    pub judged: u64,
}

/// The result of a reduction.
#[derive(Clone, PartialEq, Debug, serde::Serialize, serde::Deserialize)]
pub struct ReductionReport {
    /// The initial size.
    pub before: Size,
    /// The final size.
    pub after: Size,
    /// The number of judged candidates; each is one run of the target, or several if it is flaky.
    pub judged: u64,
    /// Wall-clock time in seconds.
    pub seconds: f64,
    /// The basis of the truth.
    pub truth: Trust,
    /// Whether the reduction ended because nothing smaller was found, not because of time or an interruption.
    pub finished: bool,
    /// The number of improvements per pass, in the order of the passes.
    pub passes: Vec<(String, u32)>,
    /// The assertion that the solver's model makes false, and the values of its subterms, one per line; for a broken proof the step.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub told: Option<String>,
    /// Whether the failure shows only as the file spells the script: with its own names, `let` and layout.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub only_as_spelled: bool,
}

/// A running reduction.
pub struct Reducer<'s> {
    subject: Subject,
    text: Arc<str>,
    evidence: Evidence,
    judge: Arc<TextJudge>,
    parallel: ParallelJudge,
    values: Option<WitnessValues>,
    witness: Option<ThreadWitness>,
    asks: bool,
    sink: &'s mut dyn Sink,
    started: Instant,
    config: ReducerConfig,
    improvements: Vec<u32>,
    /// The features beyond its logic that the original script needed; candidates must not need more.
    beyond: u32,
    /// Whether its budget is used up.
    exhausted: bool,
}

/// A candidate to judge.
struct SmallerText {
    script: Script,
    text: Arc<str>,
}

impl<'s> Reducer<'s> {
    /// Makes a reduction of a subject that `judge` found interesting for `evidence`.
    pub fn new(
        subject: Subject,
        evidence: Evidence,
        judge: Arc<TextJudge>,
        config: ReducerConfig,
        sink: &'s mut dyn Sink,
    ) -> Reducer<'s> {
        let parallel = ParallelJudge::new(Arc::clone(&judge), config.jobs);
        let text = subject.text().into();
        let improvements = vec![0; passes::REGISTRY.len()];
        let beyond = smtlib::logic::beyond(&subject.store, &subject.script);
        let mut reducer = Reducer {
            subject,
            text,
            evidence,
            judge,
            parallel,
            values: None,
            witness: None,
            asks: false,
            sink,
            started: Instant::now(),
            config,
            improvements,
            beyond,
            exhausted: false,
        };
        reducer.witness_changed();
        reducer
    }

    /// Reduces until nothing smaller is found or the time is up, and returns the result.
    pub fn run(mut self) -> (Subject, Evidence, ReductionReport) {
        let before = self.config.before;
        // With a witness no solver is asked, so a candidate costs one run; only at the end trusted solvers may find models that replace
        // the witness.
        let stages: &[bool] = if self.values.is_some() { &[false, true] } else { &[true] };
        for &asks in stages {
            self.asks = asks;
            while !self.is_over() && self.round() {}
        }
        let after = Size::of(&self.subject.store, &self.subject.script, self.text.len());
        let names = passes::REGISTRY.iter().map(|p| p.name.to_string());
        let report = ReductionReport {
            before,
            after,
            judged: self.parallel.judged(),
            seconds: self.started.elapsed().as_secs_f64(),
            truth: self.evidence.truth.clone(),
            finished: !self.is_over(),
            passes: names.zip(self.improvements.iter().copied()).filter(|p| p.1 > 0).collect(),
            told: self.evidence.told.clone(),
            only_as_spelled: false,
        };
        (self.subject, self.evidence, report)
    }

    fn is_over(&self) -> bool {
        let late = self.config.time.is_some_and(|time| self.started.elapsed() >= time);
        self.exhausted || late || self.config.cancel.is_cancelled()
    }

    /// Runs all passes once; returns whether any improved the result.
    fn round(&mut self) -> bool {
        let mut improved = false;
        for (n, pass) in passes::REGISTRY.iter().enumerate() {
            if self.is_over() {
                break;
            }
            self.sink.pass_begins(pass.name, self.parallel.judged());
            let count = self.pass(pass);
            self.improvements[n] += count;
            improved |= count > 0;
        }
        improved
    }

    /// Runs one pass; returns the number of improvements.
    fn pass(&mut self, pass: &'static ReductionPass) -> u32 {
        let mut model = self.subject.witness.as_deref().cloned();
        let mut view = View {
            store: &mut self.subject.store,
            script: &self.subject.script,
            check: self.evidence.check,
            values: self.values.as_mut(),
            model: model.as_mut(),
            extended: false,
        };
        let batches = (pass.propose)(&mut view);
        if view.extended {
            self.subject.witness = model.map(Arc::new);
            self.witness_changed();
        }
        let base = self.subject.script.clone();
        sweep::batches(&mut PassRun { reducer: self, pass: pass.name, base }, pass.group, batches)
    }

    /// Builds the candidate for some edits, if it is smaller, new, and may keep the truth.
    fn prepare(&mut self, base: &Script, accepted: &[ScriptEdit], chunk: &[ScriptEdit]) -> Option<SmallerText> {
        if let Some(cpu_budget) = &self.config.cpu_budget
            && !cpu_budget.rest(|| self.config.cancel.is_cancelled())
        {
            self.exhausted = true;
            return None;
        }
        let plan = EditPlan::new(accepted.iter().chain(chunk));
        let script = plan.apply(&mut self.subject.store, base);
        if script == self.subject.script {
            return None;
        }
        let text = subject::text(&self.subject.store, &script, &self.subject.dialect);
        if !is_smaller(&text, &self.text) || self.parallel.is_useless(&text, self.asks) {
            return None;
        }
        if smtlib::logic::beyond(&self.subject.store, &script) & !self.beyond != 0 {
            return None;
        }
        if !self.asks
            && self.judge.wrong() == Some(FailureKind::Unsat)
            && let Some(values) = &mut self.values
            && !script.each_instance().any(|instance| values.satisfy(&self.subject.store, &instance))
        {
            return None;
        }
        Some(SmallerText { script, text: text.into() })
    }

    fn take(&mut self, pass: &'static str, candidate: SmallerText, evidence: Evidence) {
        self.subject.script = candidate.script;
        self.text = candidate.text;
        if evidence.give_witness(&mut self.subject) {
            self.witness_changed();
        }
        self.evidence = evidence;
        self.sink.improved(&Best {
            text: &self.text,
            subject: &self.subject,
            evidence: &self.evidence,
            pass,
            judged: self.parallel.judged(),
        });
    }

    fn witness_changed(&mut self) {
        let model: Option<Arc<Model>> = self.subject.witness.clone();
        self.values = model.clone().map(WitnessValues::new);
        self.witness = model.map(|model| ThreadWitness { store: Arc::new(self.subject.store.clone()), model });
        self.parallel.witness_changed();
    }
}

/// One pass of a reduction.
struct PassRun<'r, 's> {
    reducer: &'r mut Reducer<'s>,
    pass: &'static str,
    /// The subject for which the pass proposed its edits.
    base: Script,
}

impl Sweep for PassRun<'_, '_> {
    type Edit = ScriptEdit;
    type Candidate = SmallerText;

    fn is_over(&self) -> bool {
        self.reducer.is_over()
    }

    fn width(&self) -> usize {
        self.reducer.parallel.width()
    }

    fn prepare(&mut self, accepted: &[ScriptEdit], chunk: &[ScriptEdit]) -> Option<SmallerText> {
        self.reducer.prepare(&self.base, accepted, chunk)
    }

    fn submit(&mut self, candidate: &SmallerText) -> Ticket {
        let Reducer { parallel, witness, asks, .. } = &mut *self.reducer;
        parallel.submit(Arc::clone(&candidate.text), witness.clone(), *asks)
    }

    fn wait(&mut self, ticket: Ticket, _: &SmallerText) -> CandidateVerdict {
        self.reducer.parallel.wait(ticket)
    }

    fn take(&mut self, candidate: SmallerText, evidence: Evidence) {
        self.reducer.take(self.pass, candidate, evidence);
    }
}

/// Shorter, or equally long and lexicographically smaller: every chain of improvements ends.
pub(crate) fn is_smaller(new: &str, old: &str) -> bool {
    (new.len(), new) < (old.len(), old)
}
