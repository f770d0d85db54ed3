//! A solver under test, with its mutators.

pub mod options;
mod recipe;
pub(crate) mod tactic_names;

use crate::sync::Stops;
pub use crate::under_test::recipe::SearchSpace;
use crate::under_test::recipe::TargetRecipe;
use finding::OptionGrade;
use mutate::choice::{ChoiceError, Weighted};
use mutate::edit::TruthMode;
use mutate::query_mode::{TacticalBatch, TacticalQueries};
use mutate::rng::Unit;
use mutate::{Batch, Mutator};
use oracle::tested::{DrawnOptions, LOGIC_TIME, TestedSolver};
use serde::{Deserialize, Serialize};
use solver::install::InstalledSolver;
use solver::outcome::Answer;
use solver::process::ProcessLimits;
use solver::session::{SessionNeeds, Solver};
use solver::spec::nearest;
use std::sync::Arc;

/// A solver under test, with the mutators of its campaign. Clones share large data.
#[derive(Clone)]
pub struct Target {
    /// The solver.
    pub tested: TestedSolver,
    /// The mutators, set up for the solver, with their weights.
    pub mutators: Arc<[Weighted]>,
    /// How each of them is rebuilt with other settings.
    recipes: Arc<[TargetRecipe]>,
    /// What a schedule may vary.
    space: SearchSpace,
    /// The same solver for scripts with one check each, with requirements that only such scripts may have.
    single: Option<(u32, Arc<Target>)>,
    /// Whether the target is the `single` of another target.
    is_single: bool,
}

/// Whether mutants use push, pop and several checks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Incremental {
    /// All mutants.
    On,
    /// No mutants.
    Off,
    /// Some mutants, if the solver accepts such scripts.
    #[default]
    Auto,
}

/// Which tactics `(check-sat-using T)` is tried with.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Tactics {
    /// The tactics that the solver's profile lists for its version.
    #[default]
    Profile,
    /// The listed ones.
    List(Vec<String>),
    /// Strategies made of all tactics and probes that the solver lists.
    Random,
}

/// The user's settings for mutants, common to all solvers.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TargetOptions {
    /// Mutators as accepted by [`MutatorChoice`]; if empty, [`mutate::mutators::by_default`].
    pub mutators: Vec<String>,
    /// Logics to which generated problems are limited; if empty, those of the solver.
    pub logics: Vec<String>,
    /// The truth requested from mutators with a choice.
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
    /// An unknown mutator, or an invalid value.
    #[error(transparent)]
    Choice(#[from] ChoiceError),
    /// The solver does not answer the simplest problems.
    #[error("{0}")]
    NoAnswer(String),
    /// The solver rejects a tactic.
    #[error("{solver} rejects the tactic '{tactic}': {said}{}", hint(nearest))]
    Tactic {
        /// The solver.
        solver: String,
        /// The tactic.
        tactic: String,
        /// The solver's message.
        said: String,
        /// The most similar names of its profile.
        nearest: Option<String>,
    },
    /// The solver has no mode of a grade.
    #[error("--grade: {solver}: {why}")]
    NoMode {
        /// The solver.
        solver: String,
        /// The known modes.
        why: String,
    },
    /// A tactic that is sent to no solver.
    #[error(
        "'{0}' is not sent to a solver: a tactic is one expression, and sets what scripts may set ([gate], docs/profile.md)"
    )]
    Withheld(String),
    /// No chosen mutator has the parameter.
    #[error("no chosen mutator has a parameter '{0}'")]
    NoParameter(String),
    /// No profile lists an option for the solver's version, up to the requested grade.
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

impl Target {
    /// Makes a target from a solver.
    /// Errors: [`TargetError`] if the options are invalid for it.
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
            target.tested.spelling.logics.retain(|granted| granted & lacked == 0);
        }
        if lacked != 0 && options.incremental == Incremental::Auto {
            let one_check = TargetOptions { incremental: Incremental::Off, ..options.clone() };
            let single = Target { is_single: true, ..Target::of(solver, &one_check, stops)? };
            target.single = Some((lacked, Arc::new(single)));
        }
        Ok(target)
    }

    /// Makes a target for scripts of one kind.
    fn of(solver: Solver, options: &TargetOptions, stops: &Stops) -> Result<Target, TargetError> {
        let settings = recipe::settings(options, &solver);
        let recipes = recipe::recipes(options, &settings)?;
        let made = recipes.iter().map(|recipe| Ok((recipe.build(&[])?, recipe.choice.weight())));
        let mutators = made.collect::<Result<Vec<Weighted>, TargetError>>()?;
        let mut tested = TestedSolver::new(solver, &stops.time, &stops.late);
        tested.spelling = within(tested.spelling, tested.solver.installed(), &options.logics);
        Ok(Target {
            space: recipe::space(options, &settings, &recipes, &tested.spelling),
            recipes: recipes.into(),
            mutators: mutators.into(),
            single: None,
            is_single: false,
            tested,
        })
    }

    /// Returns the target with further solver options.
    pub(crate) fn with_options(&self, drawn: DrawnOptions) -> Target {
        Target { tested: self.tested.with_options(drawn), ..self.clone() }
    }

    /// Returns the target for scripts with these requirements: the one for single checks if the solver only accepts these.
    pub(crate) fn for_needs(&self, needs: u32) -> &Target {
        match &self.single {
            Some((lacked, single)) if needs & lacked != 0 => single,
            _ => self,
        }
    }

    /// Whether its profile lists an option up to a grade for its version.
    pub fn has_options(&self, most: OptionGrade) -> bool {
        options::known(&self.tested, most).next().is_some()
    }

    /// Returns what a schedule may vary in its mutants.
    pub fn space(&self) -> SearchSpace {
        self.space.clone()
    }

    /// Returns a mutator, by its index in [`Target::mutators`], with overriding settings as far as it has such parameters. `None` if
    /// there is no such mutator or it rejects a value.
    pub fn variant(&self, place: usize, settings: &[(String, String)]) -> Option<Box<dyn Mutator>> {
        let mut settings = settings.to_vec();
        // Such a target has no choice about the number of checks.
        settings.retain(|(name, value)| (!self.is_single || name != "incremental") && self.admits_setting(name, value));
        self.recipes.get(place)?.build(&settings).ok()
    }

    /// Whether a unit, perhaps planned by another machine, may set this: not a tactic that is sent to no solver.
    fn admits_setting(&self, name: &str, value: &str) -> bool {
        let tactics = || value.split(';').map(str::trim).filter(|tactic| !tactic.is_empty());
        name != recipe::TACTICS || tactics().all(|tactic| self.tested.solver.profile().admits_tactic(tactic))
    }

    /// Returns the batch of a mutator, given by name, with this solver's queries: if the mutator draws no tactics, some of its mutants
    /// get one of those `drawn` for the unit, else of all.
    pub(crate) fn with_queries<'s>(
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
}

/// The mode of a script.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// One `(check-sat)`.
    Plain,
    /// Several checks.
    Incremental,
    /// With `(check-sat-using …)`.
    Tactic,
}

impl Mode {
    /// All modes.
    pub const ALL: [Mode; 3] = [Mode::Plain, Mode::Incremental, Mode::Tactic];

    /// Returns the mode of a script with this number of checks.
    pub fn of(text: &str, checks: usize) -> Mode {
        if text.contains("(check-sat-using ") {
            return Mode::Tactic;
        }
        if checks > 1 { Mode::Incremental } else { Mode::Plain }
    }

    /// Returns the mode as a word.
    pub fn word(self) -> &'static str {
        match self {
            Mode::Plain => "plain",
            Mode::Incremental => "incremental",
            Mode::Tactic => "tactic",
        }
    }
}

fn hint(nearest: &Option<String>) -> String {
    nearest.as_ref().map(|name| format!("; did you mean '{name}'?")).unwrap_or_default()
}

/// Tests whether a solver accepts a tactic, instead of letting every mutant with it end in an error.
fn try_tactic(solver: &Solver, label: &str, tactic: &str) -> Result<(), TargetError> {
    let text = format!("(declare-fun p () Bool)\n(assert p)\n(check-sat-using {tactic})\n");
    let limits = ProcessLimits { wall: LOGIC_TIME, ..ProcessLimits::default() };
    // Failures to run or timeouts are reported elsewhere.
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

/// Returns a spelling limited to these logics, as far as the solver accepts them; without any, all that it accepts.
fn within(spelling: mutate::TargetSpelling, installed: &InstalledSolver, logics: &[String]) -> mutate::TargetSpelling {
    let accepted = logics.iter().filter(|logic| installed.profile.accepts_logic(logic));
    let granted: Vec<u32> = accepted.map(|logic| smtlib::logic::granted(logic)).collect();
    match granted.is_empty() {
        true => spelling,
        false => mutate::TargetSpelling { logics: granted, ..spelling },
    }
}
