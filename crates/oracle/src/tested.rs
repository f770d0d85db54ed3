//! A solver under test: how it is asked, how its scripts are spelled, and what it is known to lack.

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

/// How long a solver may take to say whether it knows a logic.
pub const LOGIC_TIME: Duration = Duration::from_secs(10);
/// How long a solver may take to end on an empty script. One that takes longer has no start that could be measured.
const START_TIME: Duration = Duration::from_secs(5);
/// The most logics of a profile that a line about a skipped seed names.
const SHOWN_LOGICS: usize = 4;

/// A solver under test. Copies share what is large.
#[derive(Clone)]
pub struct TestedSolver {
    /// The solver; its runs stop when the campaign does.
    pub solver: Solver,
    /// The same for runs that must not be cut short by the end of the campaign's time: those that confirm a finding.
    pub patient: Solver,
    /// The name in reports: `z3@4.8.7`.
    pub label: String,
    /// How it wants its input spelled.
    pub spelling: mutate::TargetSpelling,
    /// Spellings that its version is known to misread; texts with them have no truth for it.
    pub misreads: Vec<String>,
    /// SHA-256 of the program, in hexadecimal, if we did not install it.
    pub program_sha256: Option<String>,
    /// Options drawn for it, beside those the user named.
    pub drawn: DrawnOptions,
    /// Logics it was asked about, and whether it knows them.
    logics: Arc<Mutex<FxHashMap<String, bool>>>,
    /// What it said that it has no support for.
    unsupported: Arc<Mutex<Vec<Limitation>>>,
    /// The CPU time it takes to start and end, once that was measured.
    start: Arc<OnceLock<Duration>>,
}

/// Something that a solver said in this campaign that it has no support for.
#[derive(Clone, Debug)]
struct Limitation {
    /// The feature's bits ([`smtlib::logic`]).
    feature: u32,
    /// What is told.
    reason: String,
}

/// A combination of options.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct DrawnOptions {
    /// Words of the command line.
    pub words: Vec<String>,
    /// Commands that every script begins with, right after its logic.
    pub commands: Vec<Box<str>>,
    /// What the solver has no support for under them, as bits of [`smtlib::logic`].
    pub lacks: u32,
    /// Whether answers may change under one of them: the profile does not call it sound.
    pub may_change_answers: bool,
}

impl DrawnOptions {
    /// All of them, as findings record them. Commands begin with `(`.
    pub fn all(&self) -> Vec<String> {
        self.words.iter().cloned().chain(self.commands.iter().map(ToString::to_string)).collect()
    }

    /// Whether it is the solver as it comes.
    pub fn is_default(&self) -> bool {
        self.words.is_empty() && self.commands.is_empty()
    }
}

impl TestedSolver {
    /// A solver at hand. Its runs stop when `time` is up, those that confirm a finding when it is `late`.
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
            patient: solver.clone().with_cancel(late.clone()),
            solver: solver.with_cancel(time.clone()),
        }
    }

    /// The same solver with further options, some of them commands in its scripts.
    pub fn with_options(&self, drawn: DrawnOptions) -> TestedSolver {
        let mut spelling = self.spelling.clone();
        spelling.commands.extend(drawn.commands.iter().cloned());
        spelling.logics.retain(|granted| granted & drawn.lacks == 0);
        TestedSolver {
            solver: self.solver.clone().with_options(drawn.words.clone()),
            patient: self.patient.clone().with_options(drawn.words.clone()),
            drawn,
            spelling,
            ..self.clone()
        }
    }

    /// How to name the solver so that it runs with the same options again.
    pub fn spec(&self) -> SolverSpec {
        self.solver.installed().spec.clone().with_options(&self.drawn.words)
    }

    /// Whether the solver knows a logic with all theories in its name; it is asked once. What it does not know is left out of scripts: the name of a logic
    /// changes no formula's meaning, and the complaint would void every answer.
    pub fn knows_logic(&self, logic: &str) -> bool {
        // A thread that panicked here left the map whole: it only ever inserts.
        if let Some(known) = self.logics.lock().unwrap_or_else(PoisonError::into_inner).get(logic) {
            return *known;
        }
        // The campaign's time is up, and what was not said is not remembered.
        let Some(known) = knows_logic(&self.solver, logic) else { return true };
        self.logics.lock().unwrap_or_else(PoisonError::into_inner).insert(logic.to_string(), known);
        known
    }

    /// The CPU time that the solver takes to start and end, measured once by an empty script; zero where it does not end in time.
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

    /// Takes note of what the solver says that it has no support for.
    pub fn note_unsupported(&self, said: &UnsupportedFeature) {
        let Some(feature) = said.feature.as_deref().and_then(smtlib::logic::feature) else { return };
        let mut known = self.unsupported.lock().unwrap_or_else(PoisonError::into_inner);
        if known.iter().all(|limitation| limitation.feature != feature) {
            known.push(Limitation { feature, reason: unsupported_words(said) });
        }
    }

    /// Why a script with these needs ([`smtlib::logic::of_script`]) is not sent to the solver, if none of its profile's logics grants
    /// them, or it said that it has no support for one of them.
    pub fn lacks(&self, needs: u32) -> Option<String> {
        if !self.spelling.takes(needs) {
            let logics = &self.solver.profile().logics;
            if logics.is_empty() {
                return Some("it needs more than the solver takes, or than --logic allows".to_string());
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

    /// Whether the solver claims to decide every problem of a logic that holds the script.
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

    /// A spelling in `text` that this solver is known to understand wrongly.
    pub fn misread(&self, text: &str) -> Option<&str> {
        solver::misread::misread(self.misreads.iter().map(String::as_str), text)
    }

    /// The solver as one that is asked for models; none if it gives none.
    pub fn models(&self) -> Option<Asked<'_>> {
        let version = self.solver.installed().version.as_ref();
        let gives = !self.solver.is_builtin() && self.solver.profile().gives_models.contains(version);
        gives.then_some(Asked { solver: &self.solver, dialect: &self.spelling.dialect, misreads: &self.misreads })
    }
}

/// Whether several scripts may share a process of a solver, with `(reset)` between them.
fn shares_process(solver: &Solver) -> bool {
    !solver.is_builtin() && solver.profile().reset_works
}

/// Whether a solver's profile says that it takes sessions, whatever they hold, and resets: what a script written anew may need.
pub fn takes_sessions(solver: &Solver) -> bool {
    let (profile, version) = (solver.profile(), solver.installed().version.as_ref());
    shares_process(solver) && profile.incremental.contains(version) && profile.incremental_lacks.is_empty()
}

/// Whether a solver knows a logic with all theories in its name; none if the run was cut off.
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

/// What a solver has no support for, in words.
pub fn unsupported_words(said: &UnsupportedFeature) -> String {
    let what = said.feature.as_deref().unwrap_or("something in it");
    format!("the solver says that it has no support for {what}: {}", said.message.trim())
}

/// The spellings that a solver's version is known to misread.
pub fn misreads(installed: &InstalledSolver) -> Vec<String> {
    installed.profile.misreads(installed.version.as_ref()).into_iter().map(str::to_string).collect()
}

/// The standard operators that the dialects of a solver's version list.
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

/// How a solver wants its input spelled.
pub fn dialect(installed: &InstalledSolver) -> Dialect {
    // A name the printer does not know (a sort's, say) is the profile's own affair; `solver doctor` looks at those.
    Dialect::renamed(installed.profile.renames(installed.version.as_ref()))
}

/// A solver that is asked for models.
#[derive(Clone, Copy)]
pub struct Asked<'a> {
    /// The solver.
    pub solver: &'a Solver,
    /// How it wants its input spelled.
    pub dialect: &'a Dialect,
    /// Spellings that its version understands wrongly; texts and models with them are not judged.
    pub misreads: &'a [String],
}
