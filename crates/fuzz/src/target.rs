//! A solver under test, with what mutants for it must look like.

use mutate::Mutator;
use mutate::mutator::{Entry, ParameterError};
use rustc_hash::FxHashMap;
use smtlib::Dialect;
use solver::install::InstalledSolver;
use solver::outcome::Answer;
use solver::process::{CancelToken, Limits};
use solver::session::{Purpose, Solver};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// How often, in percent, a mutant that is not incremental uses a tactic: tactics end soon, and err more than the rest.
const TACTICAL: u32 = 50;

/// The mutator of a campaign for which none is named.
pub const DEFAULT_MUTATOR: &str = "storm";

/// How long a solver may take to say whether it knows a logic.
const LOGIC_TIME: Duration = Duration::from_secs(10);

/// A solver under test.
pub struct Target {
    /// The solver; its runs stop when the campaign does.
    pub solver: Solver,
    /// The same for runs that must not be cut short by the end of the campaign's time: those that confirm a finding.
    pub patient: Solver,
    /// The name in reports: `z3@4.8.7`.
    pub label: String,
    /// How it wants its input spelled.
    pub spelling: mutate::Target,
    /// Spellings that its version is known to misread; texts with them have no truth for it.
    pub misreads: Vec<String>,
    /// The mutators, set up for it.
    pub mutators: Vec<Box<dyn Mutator>>,
    /// Logics it was asked about, and whether it knows them.
    logics: Mutex<FxHashMap<String, bool>>,
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
}

/// What the user asks of mutants, whoever they are for.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Wishes {
    /// Names of mutators; empty: [`DEFAULT_MUTATOR`].
    pub mutators: Vec<String>,
    /// Whether scripts are incremental.
    pub incremental: Incremental,
    /// Which tactics are tried.
    pub tactics: Tactics,
    /// Further parameters by name; each goes to the mutators that have it.
    pub parameters: Vec<(String, String)>,
}

/// A wish that no mutator can fulfil.
#[derive(Debug, thiserror::Error)]
pub enum WishError {
    /// There is no such mutator.
    #[error("there is no mutator '{name}'; there are: {known}")]
    NoMutator {
        /// What was asked for.
        name: String,
        /// What there is.
        known: String,
    },
    /// No chosen mutator has such a parameter.
    #[error("no chosen mutator has a parameter '{0}'")]
    NoParameter(String),
    /// A value does not fit.
    #[error(transparent)]
    Value(#[from] ParameterError),
}

/// The two ways to stop the runs of a target.
#[derive(Clone, Debug, Default)]
pub struct Stops {
    /// The campaign's time is up: mutants still running are dropped.
    pub time: CancelToken,
    /// The user wants out: everything is dropped.
    pub user: CancelToken,
}

impl Target {
    /// A target from a solver at hand.
    ///
    /// # Errors
    /// [`WishError`] when the wishes name what is not there.
    pub fn new(solver: Solver, wishes: &Wishes, stops: &Stops) -> Result<Target, WishError> {
        let installed = solver.installed();
        let (profile, version) = (&installed.profile, installed.version.as_ref());
        let label = label(installed);
        let options = profile.script_options.iter().map(|key| key.as_str().into()).collect();
        let mutators = mutators(wishes, &settings(wishes, &solver))?;
        Ok(Target {
            label,
            spelling: mutate::Target { dialect: dialect(installed), options },
            misreads: profile.misreads(version).into_iter().map(str::to_string).collect(),
            mutators,
            logics: Mutex::default(),
            patient: solver.clone().with_cancel(stops.user.clone()),
            solver: solver.with_cancel(stops.time.clone()),
        })
    }

    /// Whether the solver knows a logic; it is asked once. What it does not know is left out of scripts: the name of a logic
    /// changes no formula's meaning, and the complaint would void every answer.
    pub fn knows_logic(&self, logic: &str) -> bool {
        // A thread that panicked here left the map whole: it only ever inserts.
        if let Some(known) = self.logics.lock().unwrap_or_else(PoisonError::into_inner).get(logic) {
            return *known;
        }
        let mut text = String::from("(set-logic ");
        smtlib::printer::quote_symbol(logic, &mut text);
        text.push_str(")\n(assert true)\n(check-sat)\n");
        let limits = Limits { wall: LOGIC_TIME, ..Limits::default() };
        let known = self
            .patient
            .check(&text, Purpose::SINGLE, &limits)
            .is_ok_and(|outcome| outcome.errors.is_empty() && outcome.last_answer() != Answer::Void);
        self.logics.lock().unwrap_or_else(PoisonError::into_inner).insert(logic.to_string(), known);
        known
    }

    /// Whether several scripts may share a process, with `(reset)` between them.
    pub fn shares_process(&self) -> bool {
        !self.solver.is_builtin() && self.solver.profile().reset_works
    }

    /// A spelling in `text` that this solver is known to understand wrongly.
    pub fn misread(&self, text: &str) -> Option<&str> {
        self.misreads.iter().map(String::as_str).find(|name| match *name {
            "string-escape-u" => text.contains("\\u"),
            "string-escape-c" => text.contains('\\'),
            // The bounds of a loop are numerals; which pairs are empty is not looked at.
            "re.loop-empty-range" => text.contains("re.loop"),
            // A spelling this program cannot recognise may be anywhere.
            _ => true,
        })
    }
}

/// The name of a solver in reports, with its version where that is known and not in the name.
pub fn label(installed: &InstalledSolver) -> String {
    let label = installed.spec.label();
    match &installed.version {
        Some(version) if !label.contains('@') || label.ends_with("@latest") => {
            format!("{}@{version}", label.trim_end_matches("@latest"))
        }
        _ => label,
    }
}

/// How a solver wants its input spelled.
pub fn dialect(installed: &InstalledSolver) -> Dialect {
    let mut dialect = Dialect::default();
    for (standard, name) in installed.profile.renames(installed.version.as_ref()) {
        // A name the printer does not know (a sort's, say) is the profile's own affair; `solver doctor` looks at those.
        let _ = dialect.rename(standard, name);
    }
    dialect
}

/// The parameters that follow from what the user wishes and the solver can.
fn settings(wishes: &Wishes, solver: &Solver) -> Vec<(String, String)> {
    let installed = solver.installed();
    let version = installed.version.as_ref();
    let mut settings = Vec::new();
    let incremental = match wishes.incremental {
        Incremental::On => Some("100"),
        Incremental::Off => Some("0"),
        Incremental::Auto if !installed.profile.incremental.contains(version) => Some("0"),
        Incremental::Auto => None,
    };
    settings.extend(incremental.map(|percent| ("incremental".to_string(), percent.to_string())));
    let tactics = match &wishes.tactics {
        Tactics::Profile => installed.profile.weighted_tactics(version).join(";"),
        Tactics::List(list) => list.join(";"),
    };
    if !tactics.is_empty() {
        settings.push(("tactical".to_string(), TACTICAL.to_string()));
    }
    settings.push(("tactics".to_string(), tactics));
    // The user's own come last and win.
    settings.extend(wishes.parameters.iter().cloned());
    settings
}

fn mutators(wishes: &Wishes, settings: &[(String, String)]) -> Result<Vec<Box<dyn Mutator>>, WishError> {
    let entries = entries(&wishes.mutators)?;
    let takes = |entry: &Entry, name: &str| entry.parameters.iter().any(|p| p.name == name);
    if let Some((name, _)) = wishes.parameters.iter().find(|(name, _)| !entries.iter().any(|e| takes(e, name))) {
        return Err(WishError::NoParameter(name.clone()));
    }
    let mut made = Vec::new();
    for entry in entries {
        let own: Vec<(&str, &str)> = settings
            .iter()
            .filter(|(name, _)| takes(entry, name))
            .map(|(name, value)| (name.as_str(), value.as_str()))
            .collect();
        made.push((entry.build)(&own)?);
    }
    Ok(made)
}

fn entries(names: &[String]) -> Result<Vec<&'static Entry>, WishError> {
    if names.is_empty() {
        return entries(&[DEFAULT_MUTATOR.to_string()]);
    }
    let known = || mutate::REGISTRY.iter().map(|e| e.name).collect::<Vec<_>>().join(", ");
    names
        .iter()
        .map(|name| {
            mutate::mutator::find(name).ok_or_else(|| WishError::NoMutator { name: name.clone(), known: known() })
        })
        .collect()
}
