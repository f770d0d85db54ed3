//! Algorithm 2 of the STORM paper, instance minimisation, for comparison with the passes of `squall reduce`. It runs the fuzzer on the
//! script that shows the error, with smaller and smaller bounds.
//!
//! Binary search bounds first the depth, then the number of assertions. A round makes mutants of the current script within the bounds.
//! If some of them show the error, the smallest becomes the current script; if none does, the bound is too small.

use finding::FailureKind;
use mutate::mutator::GivenModel;
use mutate::mutator::MutantRequest;
use mutate::parameter::ParameterError;
use mutate::{Mutant, Parent, TargetSpelling, Unit, UnnamedLogic, preamble, storm};
use reduce::judge::{CandidateVerdict, Evidence, SolverJudge};
use reduce::{Size, Subject, ThreadWitness};
use smtlib::{Command, Instance, Script, Store, TermId};
use solver::process::{CancelToken, RunError};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The limits of a minimisation.
#[derive(Clone, Debug)]
pub struct SearchBounds {
    /// Mutants that a round tries before its bounds count as too small.
    pub mutants: u64,
    /// The wall-clock limit.
    pub time: Option<Duration>,
    /// The seed of all random choices.
    pub seed: u64,
}

impl Default for SearchBounds {
    fn default() -> SearchBounds {
        SearchBounds { mutants: 300, time: None, seed: 0 }
    }
}

/// The result of a minimisation.
pub struct SmallestMutant {
    /// The text of the smallest mutant that became the current script; the original script if none was smaller.
    pub text: String,
    /// The size of the script.
    pub before: Size,
    /// The size of `text`.
    pub after: Size,
    /// Runs of the solver.
    pub calls: u64,
    /// Rounds in which a mutant became the current script.
    pub restarts: u64,
    /// Wall-clock time in seconds.
    pub seconds: f64,
    /// Whether the reduction ended by itself rather than at a limit or by cancellation.
    pub finished: bool,
}

/// Why the method does not apply.
#[derive(Debug, thiserror::Error)]
pub enum StormError {
    /// The error is not a wrong unsat (class A): all mutants are satisfiable.
    #[error(
        "the STORM method makes satisfiable scripts, so it reduces a wrong 'unsat' only, and this is a wrong '{0}'"
    )]
    NotUnsat(FailureKind),
    /// The mutator rejects a parameter.
    #[error(transparent)]
    Parameter(#[from] ParameterError),
    /// The solver cannot be run.
    #[error(transparent)]
    Run(#[from] RunError),
}

/// The current script, of which the next round makes its mutants.
struct StormSeed {
    store: Store,
    parent: Parent,
    size: Size,
}

/// A mutant that shows the error.
struct FailingMutant {
    text: String,
    /// The check with the wrong answer.
    check: usize,
    witness: Option<ThreadWitness>,
}

struct Minimization<'a> {
    seed: StormSeed,
    target: TargetSpelling,
    judge: &'a SolverJudge,
    bounds: &'a SearchBounds,
    settings: Vec<(&'static str, String)>,
    /// Rounds started: each has its own random stream.
    rounds: u64,
    restarts: u64,
    calls: u64,
    started: Instant,
    cancel: &'a CancelToken,
    best: (String, Size),
}

/// Minimises a script by mutants of the check with the wrong answer.
/// Errors: the method does not apply, or the solver cannot be run.
pub fn minimize(
    subject: Subject,
    judge: &SolverJudge,
    evidence: &Evidence,
    bounds: &SearchBounds,
    cancel: &CancelToken,
) -> Result<SmallestMutant, StormError> {
    if judge.shown.wrong != FailureKind::Unsat {
        return Err(StormError::NotUnsat(judge.shown.wrong));
    }
    let before = subject.size();
    let instance: Instance = subject.script.instance(evidence.check).unwrap_or_default();
    let given = subject.witness.as_ref().map_or(GivenModel::Nothing, |model| GivenModel::Assignment(Arc::clone(model)));
    let profile = judge.target.profile();
    let mut settings = mode(&subject);
    if matches!(given, GivenModel::Assignment(_)) {
        // Another assignment may make all atoms of a small script false, and their negations exceed the depth bound.
        settings.push(("assignment", "model".to_string()));
    }
    let mut search = Minimization {
        target: TargetSpelling {
            dialect: subject.dialect.clone(),
            options: profile.script_options.iter().map(|o| o.as_str().into()).collect(),
            profile: Some(Arc::clone(&judge.target.installed().profile)),
            // STORM adds only operators of Core.
            lacks: Vec::new(),
            binary_only: Vec::new(),
            infinite_only: Vec::new(),
            float_formats: Vec::new(),
            logics: Vec::new(),
            commands: Vec::new(),
            lacked: 0,
            unnamed_logic: UnnamedLogic::among(profile.logics_to_name()),
        },
        judge,
        bounds,
        settings,
        rounds: 0,
        restarts: 0,
        calls: 0,
        started: Instant::now(),
        cancel,
        best: (subject.source.to_string(), before),
        seed: StormSeed { store: subject.store, parent: Parent { instance, given }, size: before },
    };
    let asserts = before.assertions.max(1) as u64;
    let depth = search.smallest(0, before.depth.into(), |n| (asserts, n))?;
    let asserts = search.seed.size.assertions.max(1) as u64;
    search.smallest(1, asserts, |n| (n, depth))?;
    let finished = !search.is_over();
    let (text, after) = search.best;
    let seconds = search.started.elapsed().as_secs_f64();
    let (calls, restarts) = (search.calls, search.restarts);
    Ok(SmallestMutant { text, before, after, calls, restarts, seconds, finished })
}

/// Returns the mutator's settings for the script's mode: its tactic, and whether it is incremental.
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

impl Minimization<'_> {
    fn is_over(&self) -> bool {
        self.cancel.is_cancelled() || self.bounds.time.is_some_and(|time| self.started.elapsed() >= time)
    }

    /// Returns the smallest number from `low` to `high` within whose bounds (assertions, depth) a mutant shows the error, by binary search;
    /// `high` if none does. After each success the search continues from that mutant.
    fn smallest(&mut self, mut low: u64, mut high: u64, bounds: impl Fn(u64) -> (u64, u64)) -> Result<u64, StormError> {
        while low < high && !self.is_over() {
            let middle = low.midpoint(high);
            let (asserts, depth) = bounds(middle);
            match self.round(asserts, depth)? {
                Some(failing) => {
                    self.restart(failing)?;
                    high = middle;
                }
                None => low = middle + 1,
            }
        }
        Ok(high)
    }

    /// Returns the smallest of a round's mutants within these bounds that shows the error.
    fn round(&mut self, asserts: u64, depth: u64) -> Result<Option<FailingMutant>, StormError> {
        let bounds = [("max-asserts", asserts.to_string()), ("max-depth", depth.to_string())];
        let settings: Vec<(&str, &str)> =
            self.settings.iter().chain(&bounds).map(|(name, value)| (*name, value.as_str())).collect();
        let mutator = (storm::ENTRY.build)(&settings)?;
        let mut store = self.seed.store.clone();
        let unit = Unit { campaign: self.bounds.seed, number: self.rounds };
        self.rounds += 1;
        let parents = [self.seed.parent.clone()];
        let target = self.target.clone();
        let Ok(mut batch) = mutator.prepare(&mut store, MutantRequest { parents: &parents, target: &target, unit })
        else {
            return Ok(None);
        };
        let mut smallest: Option<FailingMutant> = None;
        let mut mutant = Mutant::default();
        for index in 0..self.bounds.mutants {
            if self.is_over() {
                break;
            }
            batch.mutant(index, &mut mutant);
            // Only the smallest is needed, so larger ones are not tried.
            if smallest.as_ref().is_some_and(|found| found.text.len() <= mutant.text.len()) {
                continue;
            }
            self.calls += 1;
            let response = self.judge.run(&mutant.text)?;
            if !self.judge.is_suspicious(&response) {
                continue;
            }
            let witness =
                batch.witness(index).map(|model| ThreadWitness { store: Arc::new(batch.store().clone()), model });
            if let CandidateVerdict::Interesting(evidence) =
                self.judge.of_response(&mutant.text, &response, witness.as_ref(), false)
            {
                smallest = Some(FailingMutant { text: mutant.text.clone(), check: evidence.check, witness });
            }
        }
        Ok(smallest)
    }

    /// Makes a mutant the current script.
    fn restart(&mut self, failing: FailingMutant) -> Result<(), StormError> {
        let FailingMutant { mut text, check, witness } = failing;
        // Read into the witness's store, because symbols must be those of the model.
        let mut store = witness.as_ref().map_or_else(Store::new, |w| Store::clone(&w.store));
        let mut script = smtlib::parse(&mut store, &text).script;
        // The mutants of a round share their declarations; the paper's tool prints only what a mutant uses.
        let fewer = declaring_what_it_uses(&store, &script);
        let shorter = reduce::subject::text(&store, &fewer, &self.target.dialect);
        if shorter.len() < text.len() {
            self.calls += 1;
            let response = self.judge.run(&shorter)?;
            let verdict = self.judge.of_response(&shorter, &response, witness.as_ref(), false);
            if matches!(verdict, CandidateVerdict::Interesting(_)) {
                (text, script) = (shorter, fewer);
            }
        }
        let Some(instance) = script.instance(check) else { return Ok(()) };
        let size = Size::of(&store, &script, text.len());
        let given = witness.map_or(GivenModel::Nothing, |w| GivenModel::Assignment(w.model));
        self.restarts += 1;
        self.seed = StormSeed { store, parent: Parent { instance, given }, size };
        if size.bytes < self.best.1.bytes {
            self.best = (text, size);
        }
        Ok(())
    }
}

/// Returns the script without the declarations that its assertions do not need.
fn declaring_what_it_uses(store: &Store, script: &Script) -> Script {
    let asserted: Vec<TermId> = script
        .commands
        .iter()
        .filter_map(|command| match command {
            Command::Assert(term, _) => Some(*term),
            _ => None,
        })
        .collect();
    let declarations: Vec<Command> = script.commands.iter().filter(|c| c.is_declaration()).cloned().collect();
    let needed = preamble::needed(store, &declarations, &asserted);
    let kept = script.commands.iter().filter(|c| !c.is_declaration() || needed.contains(c));
    Script { commands: kept.cloned().collect() }
}
