//! A solver under test, with what mutants for it must look like.

pub mod mode;
pub mod options;
mod recipe;
pub mod render;
pub(crate) mod tactic_names;

use crate::digest;
use crate::sync::stops::Stops;
use crate::target::options::DrawnOptions;
pub use crate::target::recipe::SearchSpace;
use crate::target::recipe::TargetRecipe;
use finding::OptionGrade;
use mutate::choice::{ChoiceError, Weighted};
use mutate::edit::TruthMode;
use mutate::query_mode::{TacticalBatch, TacticalQueries};
use mutate::rng::Unit;
use mutate::{Batch, Mutator, UnnamedLogic};
use rustc_hash::FxHashMap;
use smtlib::Dialect;
use solver::install::InstalledSolver;
use solver::outcome::{Answer, UnsupportedFeature};
use solver::process::ProcessLimits;
use solver::profile::VersionDialect;
use solver::session::{SessionNeeds, Solver};
use solver::spec::{SolverSpec, nearest};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

/// How long a solver may take to say whether it knows a logic.
const LOGIC_TIME: Duration = Duration::from_secs(10);
/// How long a solver may take to end on an empty script. One that takes longer has no start that could be measured.
const START_TIME: Duration = Duration::from_secs(5);
/// The most logics of a profile that a line about a skipped seed names.
const SHOWN_LOGICS: usize = 4;

/// A solver under test. Copies share what is large.
#[derive(Clone)]
pub struct Target {
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
    /// The mutators, set up for it, with their weights.
    pub mutators: Arc<[Weighted]>,
    /// How each of them is made again with other settings.
    recipes: Arc<[TargetRecipe]>,
    /// What a schedule may vary.
    space: SearchSpace,
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
    /// The same solver for scripts with one check each, with the needs that only such scripts may have.
    single: Option<(u32, Arc<Target>)>,
    /// Whether it is that one of another target.
    is_single: bool,
}

/// Something that a solver said in this campaign that it has no support for.
#[derive(Clone, Debug)]
struct Limitation {
    /// The feature's bits ([`smtlib::logic`]).
    feature: u32,
    /// What is told.
    reason: String,
}

/// Whether mutants use push, pop and several checks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Incremental {
    /// All of them.
    On,
    /// None.
    Off,
    /// Some, where the solver takes such scripts.
    #[default]
    Auto,
}

/// Which tactics `(check-sat-using T)` is tried with.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Tactics {
    /// Those the solver's profile lists for its version.
    #[default]
    Profile,
    /// These.
    List(Vec<String>),
    /// Strategies made up of all tactics and probes that the solver names.
    Random,
}

/// What the user asks of mutants, for all solvers alike.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TargetOptions {
    /// Mutators as [`MutatorChoice`] takes them; empty: [`mutate::mutators::by_default`].
    pub mutators: Vec<String>,
    /// Logics that problems made from nothing stay within; empty: those of the solver.
    pub logics: Vec<String>,
    /// What truth mutators give that can give several.
    pub truth: Option<TruthMode>,
    /// Whether scripts are incremental.
    pub incremental: Incremental,
    /// Which tactics are tried.
    pub tactics: Tactics,
    /// Further parameters by name; each goes to the mutators that have it.
    pub parameters: Vec<(String, String)>,
}

/// Options that no mutator can follow.
#[derive(Debug, thiserror::Error)]
pub enum TargetError {
    /// A name stands for no mutator, or a value does not fit.
    #[error(transparent)]
    Choice(#[from] ChoiceError),
    /// The solver does not answer the simplest problems.
    #[error("{0}")]
    NoAnswer(String),
    /// The solver does not take a tactic.
    #[error("{solver} does not take the tactic '{tactic}': {said}{}", hint(nearest))]
    Tactic {
        /// The solver.
        solver: String,
        /// The tactic.
        tactic: String,
        /// What the solver said.
        said: String,
        /// Names of its profile much like one in it.
        nearest: Option<String>,
    },
    /// No solver is sent a tactic.
    #[error(
        "'{0}' is not sent to a solver: a tactic is one expression, and sets what scripts may set ([gate], docs/profile.md)"
    )]
    Withheld(String),
    /// No chosen mutator has such a parameter.
    #[error("no chosen mutator has a parameter '{0}'")]
    NoParameter(String),
    /// No profile of these solvers lists an option for their versions, up to the grade that was asked for.
    #[error(
        "--options: the profile of {solvers} lists no option that can be varied ([[choice]], docs/profile.md){}",
        if *has_experimental { "; all that it lists are experimental, which --options experimental draws" } else { "" }
    )]
    NoOptions {
        /// The solvers.
        solvers: String,
        /// Whether one lists experimental ones.
        has_experimental: bool,
    },
}

fn hint(nearest: &Option<String>) -> String {
    nearest.as_ref().map(|name| format!("; did you mean '{name}'?")).unwrap_or_default()
}

impl Target {
    /// A target from a solver at hand.
    ///
    /// # Errors
    /// [`TargetError`] when the options name what is not there.
    pub fn new(solver: Solver, options: &TargetOptions, stops: &Stops) -> Result<Target, TargetError> {
        let installed = solver.installed();
        let label = installed.label();
        if let Tactics::List(list) = &options.tactics
            && !solver.is_builtin()
        {
            if let Some(tactic) = list.iter().find(|tactic| !solver.profile().admits_tactic(tactic)) {
                return Err(TargetError::Withheld(tactic.clone()));
            }
            list.iter().try_for_each(|tactic| try_tactic(&solver, &label, tactic))?;
        }
        let lacked = installed.profile.lacked_incrementally();
        let mut target = Target::of(solver.clone(), options, stops)?;
        if options.incremental != Incremental::Off {
            target.spelling.logics.retain(|granted| granted & lacked == 0);
        }
        if lacked != 0 && options.incremental == Incremental::Auto {
            let one_check = TargetOptions { incremental: Incremental::Off, ..options.clone() };
            let single = Target { is_single: true, ..Target::of(solver, &one_check, stops)? };
            target.single = Some((lacked, Arc::new(single)));
        }
        Ok(target)
    }

    /// A target for scripts of one kind.
    fn of(solver: Solver, options: &TargetOptions, stops: &Stops) -> Result<Target, TargetError> {
        let installed = solver.installed();
        let label = installed.label();
        let settings = recipe::settings(options, &solver);
        let recipes = recipe::recipes(options, &settings)?;
        let made = recipes.iter().map(|recipe| Ok((recipe.build(&[])?, recipe.choice.weight())));
        let mutators = made.collect::<Result<Vec<Weighted>, TargetError>>()?;
        let spelling = within(spelling(installed), installed, &options.logics);
        Ok(Target {
            space: recipe::space(options, &settings, &recipes, &spelling),
            recipes: recipes.into(),
            label,
            spelling,
            misreads: misreads(installed),
            mutators: mutators.into(),
            drawn: DrawnOptions::default(),
            program_sha256: installed.foreign_program().and_then(digest::sha256_of_file),
            logics: Arc::default(),
            unsupported: Arc::default(),
            start: Arc::default(),
            single: None,
            is_single: false,
            patient: solver.clone().with_cancel(stops.late.clone()),
            solver: solver.with_cancel(stops.time.clone()),
        })
    }

    /// The same solver with further options, some of them commands in its scripts.
    pub(crate) fn with_options(&self, drawn: DrawnOptions) -> Target {
        let mut spelling = self.spelling.clone();
        spelling.commands.extend(drawn.commands.iter().cloned());
        spelling.logics.retain(|granted| granted & drawn.lacks == 0);
        Target {
            solver: self.solver.clone().with_options(drawn.words.clone()),
            patient: self.patient.clone().with_options(drawn.words.clone()),
            drawn,
            spelling,
            ..self.clone()
        }
    }

    /// The target for scripts with these needs: it has one for scripts with one check each, where the solver takes only these.
    pub(crate) fn for_needs(&self, needs: u32) -> &Target {
        match &self.single {
            Some((lacked, single)) if needs & lacked != 0 => single,
            _ => self,
        }
    }

    /// Whether its profile lists an option up to a grade that its version has.
    pub fn has_options(&self, most: OptionGrade) -> bool {
        options::known(self, most).next().is_some()
    }

    /// What a schedule may vary in its mutants.
    pub fn space(&self) -> SearchSpace {
        self.space.clone()
    }

    /// A mutator, by its place among [`Target::mutators`], with settings over its own as far as it has such parameters. None if
    /// there is no such mutator or it does not take a value.
    pub fn variant(&self, place: usize, settings: &[(String, String)]) -> Option<Box<dyn Mutator>> {
        let mut settings = settings.to_vec();
        // Which scripts have several checks is not open for such a target.
        settings.retain(|(name, value)| (!self.is_single || name != "incremental") && self.admits_setting(name, value));
        self.recipes.get(place)?.build(&settings).ok()
    }

    /// Whether a unit, which another machine may have planned, may set this: not a tactic that no solver is sent.
    fn admits_setting(&self, name: &str, value: &str) -> bool {
        let tactics = || value.split(';').map(str::trim).filter(|tactic| !tactic.is_empty());
        name != recipe::TACTICS || tactics().all(|tactic| self.solver.profile().admits_tactic(tactic))
    }

    /// The batch of one of its mutators, by its name, as the solver is asked: where the mutator draws no tactics, a part of its mutants gets
    /// one, of those that `drawn` lists for the unit, else of all.
    pub(crate) fn asked<'s>(
        &self,
        batch: Box<dyn Batch + 's>,
        mutator: &str,
        drawn: &[(String, String)],
        unit: Unit,
    ) -> Box<dyn Batch + 's> {
        let recipe = self.recipes.iter().find(|recipe| recipe.choice.name() == mutator);
        let drawn = if drawn.iter().all(|(name, value)| self.admits_setting(name, value)) { drawn } else { &[] };
        match recipe.and_then(|recipe| recipe.tactics(drawn)) {
            Some(query) => Box::new(TacticalBatch::new(batch, TacticalQueries::new(query, unit))),
            None => batch,
        }
    }

    /// How to name the solver so that it runs with the same options again.
    pub fn spec(&self) -> SolverSpec {
        let mut spec = self.solver.installed().spec.clone();
        match &mut spec {
            SolverSpec::Named(named) => named.options.extend(self.drawn.words.iter().cloned()),
            SolverSpec::Path(path) => path.options.extend(self.drawn.words.iter().cloned()),
            SolverSpec::Builtin(_) => {}
        }
        spec
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
    pub(crate) fn measured_start(&self) -> Duration {
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
        !self.solver.is_builtin() && self.solver.profile().reset_works
    }

    /// Whether its profile says that it takes sessions, whatever they hold, and resets: what a script written anew may need.
    pub fn takes_sessions(&self) -> bool {
        let installed = self.solver.installed();
        let (profile, version) = (&installed.profile, installed.version.as_ref());
        self.shares_process() && profile.incremental.contains(version) && profile.incremental_lacks.is_empty()
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

/// Whether a solver knows a logic with all theories in its name; none if the run was cut off.
fn knows_logic(solver: &Solver, logic: &str) -> Option<bool> {
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

/// Asks a solver whether it takes a tactic, rather than let every mutant with it end in an error.
fn try_tactic(solver: &Solver, label: &str, tactic: &str) -> Result<(), TargetError> {
    let text = format!("(declare-fun p () Bool)\n(assert p)\n(check-sat-using {tactic})\n");
    let limits = ProcessLimits { wall: LOGIC_TIME, ..ProcessLimits::default() };
    // What cannot be run at all, or does not answer in time, is told in its place.
    let Ok(outcome) = solver.check(&text, SessionNeeds::SINGLE, &limits) else { return Ok(()) };
    let Some(error) = outcome.errors.first().filter(|_| outcome.last_answer() == Answer::Void) else { return Ok(()) };
    fn words(text: &str) -> impl Iterator<Item = &str> {
        text.split([' ', '(', ')']).filter(|word| !word.is_empty())
    }
    let known = solver.profile().tactics(solver.installed().version.as_ref());
    let names: Vec<&str> = known.iter().flat_map(|text| words(text)).collect();
    let nearest = words(tactic).filter(|word| !names.contains(word)).find_map(|word| nearest(word, names.clone()));
    Err(TargetError::Tactic {
        solver: label.to_string(),
        tactic: tactic.to_string(),
        said: error.message.clone(),
        nearest: nearest.map(str::to_string),
    })
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

/// A spelling for problems that stay within these logics, as far as the solver accepts them; all that it accepts where none is named.
fn within(spelling: mutate::TargetSpelling, installed: &InstalledSolver, logics: &[String]) -> mutate::TargetSpelling {
    let accepted = logics.iter().filter(|logic| installed.profile.accepts_logic(logic));
    let granted: Vec<u32> = accepted.map(|logic| smtlib::logic::granted(logic)).collect();
    match granted.is_empty() {
        true => spelling,
        false => mutate::TargetSpelling { logics: granted, ..spelling },
    }
}

/// How mutants for a solver are spelled: names, options, operators, logic.
pub fn spelling(installed: &InstalledSolver) -> mutate::TargetSpelling {
    let profile = &installed.profile;
    mutate::TargetSpelling {
        dialect: dialect(installed),
        options: profile.script_options.iter().map(|key| key.as_str().into()).collect(),
        profile: Some(Arc::clone(profile)),
        lacks: listed(installed, |dialect| &dialect.lacks),
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
