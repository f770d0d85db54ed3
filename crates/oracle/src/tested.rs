//! A solver under test: how it is asked, how its scripts are spelled, and which support it lacks.

use files::digest;
use mutate::UnnamedLogic;
use rustc_hash::FxHashMap;
use smtlib::Dialect;
use solver::install::InstalledSolver;
use solver::outcome::{Answer, UnsupportedFeature};
use solver::process::{CancelToken, ProcessLimits};
use solver::profile::VersionDialect;
use solver::session::{SessionNeeds, Solver};
use solver::spec::SolverSpec;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

/// The time limit for a solver to report whether it knows a logic.
pub const LOGIC_TIME: Duration = Duration::from_secs(10);
/// The time limit for an empty script. For a solver that takes longer, no startup time is measured.
const START_TIME: Duration = Duration::from_secs(5);
/// The maximum number of logics of a profile that the message about a skipped seed names.
const SHOWN_LOGICS: usize = 4;

/// A solver under test. Copies share large parts.
#[derive(Clone)]
pub struct TestedSolver {
    /// The solver; its runs stop with the campaign.
    pub solver: Solver,
    /// The solver for runs that the end of the campaign's time must not interrupt: those that confirm a finding.
    pub confirming: Solver,
    /// The name in reports: `z3@4.8.7`.
    pub label: String,
    /// Its input dialect.
    pub spelling: mutate::TargetSpelling,
    /// Spellings that its version is known to misread; texts with them have no known answer for it.
    pub misreads: Vec<String>,
    /// SHA-256 of the program, in hexadecimal, if Squall did not install it.
    pub program_sha256: Option<String>,
    /// Options drawn for it, in addition to the user's.
    pub drawn: DrawnOptions,
    /// Logics that it was asked about, and whether it knows them.
    logics: Arc<Mutex<FxHashMap<String, bool>>>,
    /// Features that it reported as unsupported.
    unsupported: Arc<Mutex<Vec<Limitation>>>,
    /// Its CPU time to start and end, once measured.
    start: Arc<OnceLock<Duration>>,
}

/// A feature that a solver reported as unsupported in this campaign.
#[derive(Clone, Debug)]
struct Limitation {
    /// The feature's bits ([`smtlib::logic`]).
    feature: u32,
    /// The message.
    reason: String,
}

/// A combination of options.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct DrawnOptions {
    /// Words of the command line.
    pub words: Vec<String>,
    /// Commands that every script begins with, right after its logic.
    pub commands: Vec<Box<str>>,
    /// Features that the solver does not support under these options, as bits of [`smtlib::logic`].
    pub lacks: u32,
    /// Whether an option may change answers: the profile does not call it sound.
    pub may_change_answers: bool,
}

impl DrawnOptions {
    /// Returns all options, as findings record them. Commands begin with `(`.
    pub fn all(&self) -> Vec<String> {
        self.words.iter().cloned().chain(self.commands.iter().map(ToString::to_string)).collect()
    }

    /// Whether no option was drawn.
    pub fn is_default(&self) -> bool {
        self.words.is_empty() && self.commands.is_empty()
    }
}

impl TestedSolver {
    /// Wraps a solver. Its runs stop when `time` is up, those that confirm a finding when it is `late`.
    pub fn new(solver: Solver, time: &CancelToken, late: &CancelToken) -> TestedSolver {
        let installed = solver.installed();
        TestedSolver {
            label: installed.label(),
            spelling: spelling(installed),
            misreads: misreads(installed),
            drawn: DrawnOptions::default(),
            program_sha256: installed.foreign_program().and_then(|program| digest::sha256_of_file(program).ok()),
            logics: Arc::default(),
            unsupported: Arc::default(),
            start: Arc::default(),
            confirming: solver.clone().with_cancel(late.clone()),
            solver: solver.with_cancel(time.clone()),
        }
    }

    /// Returns the same solver with further options, some of them commands in its scripts.
    pub fn with_options(&self, drawn: DrawnOptions) -> TestedSolver {
        let mut spelling = self.spelling.clone();
        spelling.commands.extend(drawn.commands.iter().cloned());
        spelling.logics.retain(|granted| granted & drawn.lacks == 0);
        TestedSolver {
            solver: self.solver.clone().with_options(drawn.words.clone()),
            confirming: self.confirming.clone().with_options(drawn.words.clone()),
            drawn,
            spelling,
            ..self.clone()
        }
    }

    /// Returns a specification that runs the solver with the same options again.
    pub fn spec(&self) -> SolverSpec {
        self.solver.installed().spec.clone().with_options(&self.drawn.words)
    }

    /// Whether the solver knows a logic with all theories in its name; it is asked once. An unknown logic is left out of scripts: its name
    /// changes no formula's meaning, and the error would void every answer.
    pub fn knows_logic(&self, logic: &str) -> bool {
        // A thread that panicked here left the map intact: it only inserts.
        if let Some(known) = self.logics.lock().unwrap_or_else(PoisonError::into_inner).get(logic) {
            return *known;
        }
        // The campaign's time is up; no answer is remembered.
        let Some(known) = knows_logic(&self.solver, logic) else { return true };
        self.logics.lock().unwrap_or_else(PoisonError::into_inner).insert(logic.to_string(), known);
        known
    }

    /// Returns the solver's CPU time to start and end, measured once with an empty script; zero if it does not end in
    /// time.
    pub fn measured_start(&self) -> Duration {
        if self.solver.is_builtin() {
            return Duration::ZERO;
        }
        *self.start.get_or_init(|| {
            let limits = ProcessLimits { wall: START_TIME, ..ProcessLimits::default() };
            let outcome = self.solver.check("", SessionNeeds::SINGLE, &limits);
            outcome.map_or(Duration::ZERO, |run| if run.wall < START_TIME { run.cpu } else { Duration::ZERO })
        })
    }

    /// Records the features that the solver reports as unsupported.
    pub fn note_unsupported(&self, said: &UnsupportedFeature) {
        let Some(feature) = said.feature.as_deref().and_then(smtlib::logic::feature) else { return };
        let mut known = self.unsupported.lock().unwrap_or_else(PoisonError::into_inner);
        if known.iter().all(|limitation| limitation.feature != feature) {
            known.push(Limitation { feature, reason: unsupported_words(said) });
        }
    }

    /// Returns why a script with these features ([`smtlib::logic::of_script`]) is not sent to the solver: none of its profile's
    /// logics grants them, or it reported one as unsupported.
    pub fn lacks(&self, needs: u32) -> Option<String> {
        if !self.spelling.takes(needs) {
            let logics = &self.solver.profile().logics;
            if logics.is_empty() {
                return Some("it needs more than the solver supports or --logic allows".to_string());
            }
            let shown = logics.len().min(SHOWN_LOGICS);
            let more = if shown < logics.len() { format!(" and {} more", logics.len() - shown) } else { String::new() };
            return Some(format!(
                "it needs more than the logics that the solver accepts (`logics` in its profile: {}{more})",
                logics[..shown].join(", ")
            ));
        }
        let known = self.unsupported.lock().unwrap_or_else(PoisonError::into_inner);
        known.iter().find(|limitation| limitation.feature & needs != 0).map(|limitation| limitation.reason.clone())
    }

    /// Whether the solver claims to decide every problem of a logic that includes the script.
    pub fn is_complete_for(&self, text: &str) -> bool {
        let complete = &self.solver.profile().complete;
        if self.solver.is_builtin() || complete.is_empty() {
            return false;
        }
        let mut store = smtlib::Store::new();
        let parsed = smtlib::parse(&mut store, text);
        let needed = smtlib::logic::of_script(&store, &parsed.script);
        parsed.errors.is_empty() && complete.iter().any(|logic| needed & !smtlib::logic::granted(logic) == 0)
    }

    /// Whether several scripts may share a process, with `(reset)` between them.
    pub fn shares_process(&self) -> bool {
        shares_process(&self.solver)
    }

    /// As [`takes_sessions`].
    pub fn takes_sessions(&self) -> bool {
        takes_sessions(&self.solver)
    }

    /// Whether the solver goes on after an error as if nothing had been said, in any session.
    pub fn takes_errors(&self) -> bool {
        self.takes_sessions() && self.solver.profile().continued_execution
    }

    /// Returns a spelling in `text` that this solver is known to misread.
    pub fn misread(&self, text: &str) -> Option<&str> {
        solver::misread::misread(self.misreads.iter().map(String::as_str), text)
    }

    /// Returns the solver for model queries; `None` if it gives no models.
    pub fn models(&self) -> Option<ModelQuery<'_>> {
        let version = self.solver.installed().version.as_ref();
        let gives = !self.solver.is_builtin() && self.solver.profile().gives_models.contains(version);
        gives.then_some(ModelQuery { solver: &self.solver, dialect: &self.spelling.dialect, misreads: &self.misreads })
    }
}

/// Whether several scripts may share a process of a solver, with `(reset)` between them.
fn shares_process(solver: &Solver) -> bool {
    !solver.is_builtin() && solver.profile().reset_works
}

/// Whether a solver's profile says that it supports arbitrary sessions and resets, which a rephrased script may need.
pub fn takes_sessions(solver: &Solver) -> bool {
    let (profile, version) = (solver.profile(), solver.installed().version.as_ref());
    shares_process(solver) && profile.incremental.contains(version) && profile.incremental_lacks.is_empty()
}

/// Whether a solver knows a logic with all theories in its name; `None` if the run was interrupted.
pub fn knows_logic(solver: &Solver, logic: &str) -> Option<bool> {
    let mut text = String::from("(set-logic ");
    smtlib::printer::quote_symbol(logic, &mut text);
    text.push_str(")\n");
    smtlib::logic::samples(logic).for_each(|sample| text.push_str(sample));
    text.push_str("(check-sat)\n");
    let limits = ProcessLimits { wall: LOGIC_TIME, ..ProcessLimits::default() };
    let outcome = solver.check(&text, SessionNeeds::SINGLE, &limits);
    if outcome.as_ref().is_ok_and(|outcome| outcome.last_answer() == Answer::Cancelled) {
        return None;
    }
    Some(outcome.is_ok_and(|outcome| outcome.errors.is_empty() && outcome.last_answer() != Answer::Void))
}

/// Describes the features that a solver does not support.
pub fn unsupported_words(said: &UnsupportedFeature) -> String {
    let what = said.feature.as_deref().unwrap_or("something in it");
    format!("the solver reports no support for {what}: {}", said.message.trim())
}

/// Returns the spellings that a solver's version is known to misread.
pub fn misreads(installed: &InstalledSolver) -> Vec<String> {
    installed.profile.misreads(installed.version.as_ref()).into_iter().map(str::to_string).collect()
}

/// Returns the standard operators that the dialects of a solver's version list.
fn listed(installed: &InstalledSolver, names: fn(&VersionDialect) -> &[String]) -> Vec<Box<str>> {
    let dialects = installed.profile.dialects(installed.version.as_ref());
    dialects.flat_map(|dialect| names(dialect).iter().map(|name| name.as_str().into())).collect()
}

/// How mutants for a solver are spelled: names, options, operators, logic.
pub fn spelling(installed: &InstalledSolver) -> mutate::TargetSpelling {
    let profile = &installed.profile;
    let modes = profile.modes_of(installed.version.as_ref(), installed.spec.options());
    let mut lacks = listed(installed, |dialect| &dialect.lacks);
    lacks.extend(modes.iter().flat_map(|mode| mode.lacks_symbols.iter().map(|name| name.as_str().into())));
    mutate::TargetSpelling {
        dialect: dialect(installed),
        options: profile.script_options.iter().map(|key| key.as_str().into()).collect(),
        profile: Some(Arc::clone(profile)),
        lacks,
        lacked: modes.iter().fold(0, |bits, mode| bits | mode.lacked()),
        binary_only: listed(installed, |dialect| &dialect.binary_only),
        infinite_only: listed(installed, |dialect| &dialect.infinite_only),
        float_formats: profile.float_formats(installed.version.as_ref()),
        logics: profile.logics.iter().map(|logic| smtlib::logic::granted(logic)).collect(),
        commands: Vec::new(),
        unnamed_logic: UnnamedLogic::among(profile.logics_to_name()),
    }
}

/// Returns the input dialect of a solver.
pub fn dialect(installed: &InstalledSolver) -> Dialect {
    // A name that the printer does not know (such as a sort's) is ignored; `solver doctor` checks those.
    Dialect::renamed(installed.profile.renames(installed.version.as_ref())).of_solver(&installed.profile.name)
}

/// A solver that is asked for models.
#[derive(Clone, Copy)]
pub struct ModelQuery<'a> {
    /// The solver.
    pub solver: &'a Solver,
    /// Its input dialect.
    pub dialect: &'a Dialect,
    /// Spellings that its version misreads; texts and models with them are not judged.
    pub misreads: &'a [String],
}
