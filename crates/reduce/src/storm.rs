//! The STORM paper's Algorithm 2, for comparison: generate mutants again from the script with fewer assertions and less depth, by binary
//! search, and keep the smallest mutant that shows the error.

use crate::judge::{CandidateVerdict, Evidence, SolverJudge};
use crate::reducer::ReductionReport;
use crate::size::Size;
use crate::subject::{Subject, ThreadWitness};
use mutate::assignment::GivenModel;
use mutate::mutator::MutantRequest;
use mutate::parameter::ParameterError;
use mutate::{Mutant, Parent, Unit, UnnamedLogic, storm};
use smtlib::{Command, Instance, Store};
use solver::process::{CancelToken, RunError};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// What the search may use.
#[derive(Clone, Debug)]
pub struct SearchBounds {
    /// Mutants generated for one pair of bounds before it counts as too small.
    pub mutants: u64,
    /// How long it may take.
    pub time: Option<Duration>,
    /// The number all random choices flow from.
    pub seed: u64,
}

impl Default for SearchBounds {
    fn default() -> SearchBounds {
        SearchBounds { mutants: 300, time: None, seed: 0 }
    }
}

/// The smallest mutant found.
pub struct SmallestMutant {
    /// Its text; the script itself if none was smaller.
    pub text: String,
    /// Sizes, calls and time.
    pub report: ReductionReport,
}

/// Why the method does not apply.
#[derive(Debug, thiserror::Error)]
pub enum StormError {
    /// Only wrong unsat (class A): what it generates is satisfiable.
    #[error("the STORM method makes satisfiable scripts, so it reduces a wrong 'unsat' only; use --method passes")]
    NotUnsat,
    /// A parameter of the mutator is refused.
    #[error(transparent)]
    Parameter(#[from] ParameterError),
    /// The solver cannot be run.
    #[error(transparent)]
    Run(#[from] RunError),
}

struct StormSearch<'a> {
    store: &'a Store,
    parent: Parent,
    target: mutate::TargetSpelling,
    judge: &'a SolverJudge,
    bounds: &'a SearchBounds,
    settings: Vec<(&'static str, String)>,
    calls: u64,
    started: Instant,
    cancel: &'a CancelToken,
    best: Option<(String, Size)>,
}

/// Reduces a script by generating mutants from the check that is answered wrongly.
///
/// # Errors
/// [`StormError`] where the method does not apply, or the solver cannot be run.
pub fn reduce(
    subject: Subject,
    judge: &SolverJudge,
    evidence: &Evidence,
    bounds: &SearchBounds,
    cancel: &CancelToken,
) -> Result<SmallestMutant, StormError> {
    if judge.shown.wrong != crate::FailureKind::Unsat {
        return Err(StormError::NotUnsat);
    }
    let before = subject.size();
    let instance: Instance = subject.script.instances().into_iter().nth(evidence.check).unwrap_or_default();
    let given = subject.witness.as_ref().map_or(GivenModel::Nothing, |model| GivenModel::Assignment(Arc::clone(model)));
    let profile = judge.target.profile();
    let mut search = StormSearch {
        store: &subject.store,
        parent: Parent { instance, given },
        target: mutate::TargetSpelling {
            dialect: subject.dialect.clone(),
            options: profile.script_options.iter().map(|o| o.as_str().into()).collect(),
            // STORM makes no operators but those of the core.
            lacks: Vec::new(),
            float_formats: Vec::new(),
            unnamed_logic: UnnamedLogic::among(profile.logics_to_name()),
        },
        judge,
        bounds,
        settings: mode(&subject),
        calls: 0,
        started: Instant::now(),
        cancel,
        best: None,
    };
    let depth = u64::from(before.depth.max(1));
    let asserts = search.smallest(1, before.assertions.max(1) as u64, |n| (n, depth))?;
    search.smallest(1, depth, |n| (asserts, n))?;
    let (text, after) = search.best.clone().filter(|b| b.1.bytes < before.bytes).unwrap_or_else(|| {
        let text = subject.text();
        let size = Size::of(&subject.store, &subject.script, text.len());
        (text, size)
    });
    let report = ReductionReport {
        before,
        after,
        judged: search.calls,
        seconds: search.started.elapsed().as_secs_f64(),
        truth: evidence.truth.clone(),
        finished: !search.is_over(),
        passes: Vec::new(),
        told: None,
    };
    Ok(SmallestMutant { text, report })
}

/// How the script asks, as settings of the mutator: its tactic, and whether it is incremental.
fn mode(subject: &Subject) -> Vec<(&'static str, String)> {
    let commands = &subject.script.commands;
    let incremental = commands.iter().any(|c| matches!(c, Command::Push(_)));
    let mut settings = vec![("incremental", if incremental { "100" } else { "0" }.to_string())];
    let tactic = commands.iter().find_map(|c| match c {
        Command::CheckSatUsing(tactic) => Some(tactic.to_string()),
        _ => None,
    });
    if let Some(tactic) = tactic {
        settings.push(("tactics", tactic));
        settings.push(("tactical", "100".to_string()));
    }
    settings
}

impl StormSearch<'_> {
    fn is_over(&self) -> bool {
        self.cancel.is_cancelled() || self.bounds.time.is_some_and(|time| self.started.elapsed() >= time)
    }

    /// The smallest number from `low` to `high` for whose bounds a mutant shows the error, by binary search; `high` if none.
    fn smallest(&mut self, mut low: u64, mut high: u64, bounds: impl Fn(u64) -> (u64, u64)) -> Result<u64, StormError> {
        while low < high && !self.is_over() {
            let middle = low.midpoint(high);
            let (asserts, depth) = bounds(middle);
            if self.breed(asserts, depth)? { high = middle } else { low = middle + 1 }
        }
        Ok(high)
    }

    /// Whether one of the mutants with these bounds shows the error.
    fn breed(&mut self, asserts: u64, depth: u64) -> Result<bool, StormError> {
        let bounds = [("max-asserts", asserts.to_string()), ("max-depth", depth.to_string())];
        let settings: Vec<(&str, &str)> =
            self.settings.iter().chain(&bounds).map(|(name, value)| (*name, value.as_str())).collect();
        let mutator = (storm::ENTRY.build)(&settings)?;
        let mut store = self.store.clone();
        let unit = Unit { campaign: self.bounds.seed, number: asserts << 32 | depth };
        let parents = [self.parent.clone()];
        let target = self.target.clone();
        let Ok(mut batch) = mutator.prepare(&mut store, MutantRequest { parents: &parents, target: &target, unit })
        else {
            return Ok(false);
        };
        let mut mutant = Mutant::default();
        for index in 0..self.bounds.mutants {
            if self.is_over() {
                break;
            }
            batch.mutant(index, &mut mutant);
            self.calls += 1;
            let response = self.judge.run(&mutant.text)?;
            if !self.judge.is_suspicious(&response) {
                continue;
            }
            let witness =
                batch.witness(index).map(|model| ThreadWitness { store: Arc::new(batch.store().clone()), model });
            if let CandidateVerdict::Interesting(_) =
                self.judge.of_response(&mutant.text, &response, witness.as_ref(), false)
            {
                self.keep(&mutant.text);
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn keep(&mut self, text: &str) {
        let mut store = Store::new();
        let parsed = smtlib::parse(&mut store, text);
        let size = Size::of(&store, &parsed.script, text.len());
        if self.best.as_ref().is_none_or(|b| size.bytes < b.1.bytes) {
            self.best = Some((text.to_string(), size));
        }
    }
}
