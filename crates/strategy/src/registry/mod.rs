//! All tactics by name; makes strategies ready to run: resolves names, sets parameters, finds solvers.

mod plan;

use crate::engine::{EngineEntry, MakeEngine};
use crate::engines::ENGINES;
use crate::plan::StrategyPlan;
use crate::probes::PROBES;
use crate::rules::{MAX_STEPS, RuleSet};
use crate::solvers::Solvers;
use rewrite::passes::{PASSES, SPLITS};
use rewrite::{RewritePass, Split, TacticParameter};
use smtlib::strategy::{Arguments, Param, ProbeName, Strategy, StrategyVocabulary, TacticName};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The origin of a tactic.
#[derive(Clone, Copy)]
enum TacticSource {
    Skip,
    Fail,
    Pass(&'static RewritePass),
    Split(&'static Split),
    Engine(&'static EngineEntry),
    /// `(solver SPEC)`, which has its own syntax.
    Solver,
    /// `(exec "COMMAND")`, likewise.
    Exec,
    /// `(rules "FILE")`, likewise.
    Rules,
}

/// A tactic of the registry.
#[derive(Clone, Copy)]
pub struct TacticEntry {
    /// Its name.
    pub name: &'static str,
    /// Its description, in one line.
    pub about: &'static str,
    /// Its arguments besides parameters.
    pub arguments: Arguments,
    source: TacticSource,
}

struct PlanBuilder<'a> {
    solvers: &'a Solvers,
    /// The files of rules read so far.
    files: RefCell<BTreeMap<String, Arc<RuleSet>>>,
    /// The current parameters, outer ones first.
    params: Vec<Param>,
}

impl TacticEntry {
    /// Returns the kind of tactic, as one word.
    pub fn kind(&self) -> &'static str {
        match self.source {
            TacticSource::Skip | TacticSource::Fail => "basic",
            TacticSource::Pass(_) | TacticSource::Rules => "pass",
            TacticSource::Split(_) | TacticSource::Exec => "split",
            TacticSource::Engine(_) | TacticSource::Solver => "engine",
        }
    }

    /// Returns its parameters.
    pub fn params(&self) -> &'static [TacticParameter] {
        match self.source {
            TacticSource::Skip
            | TacticSource::Fail
            | TacticSource::Solver
            | TacticSource::Exec
            | TacticSource::Split(_) => &[],
            TacticSource::Rules => &[MAX_STEPS],
            TacticSource::Pass(pass) => pass.params,
            TacticSource::Engine(engine) => engine.parameters,
        }
    }

    /// Returns a goal before and after it, as SMT-LIB, if it has an example.
    pub fn example(&self) -> Option<rewrite::Example> {
        match self.source {
            TacticSource::Pass(pass) => Some(pass.example),
            TacticSource::Split(split) => Some(split.example),
            _ => None,
        }
    }
}

/// Returns all passes: those that simplify, and those for engines.
fn passes() -> impl Iterator<Item = &'static RewritePass> {
    PASSES.iter().chain(crate::passes::PASSES).copied()
}

/// Returns all tactics, sorted by kind and name.
pub fn tactics() -> Vec<TacticEntry> {
    let plain = |name, about, source| TacticEntry { name, about, arguments: Arguments::None, source };
    let mut all = vec![
        plain("skip", "leaves the goal unchanged", TacticSource::Skip),
        plain("fail", "fails", TacticSource::Fail),
        plain("solver", "a solver program decides; its models are checked, its unsat is trusted", TacticSource::Solver),
        plain(
            "rules",
            "rewrites by the rules of a file, each of which is proved before it is used",
            TacticSource::Rules,
        ),
        plain(
            "exec",
            "your own program reads the goal and writes goals; their models are checked, the step is trusted",
            TacticSource::Exec,
        ),
    ];
    all.extend(passes().map(|p| plain(p.name, p.about, TacticSource::Pass(p))));
    all.extend(SPLITS.iter().map(|&s| plain(s.name, s.about, TacticSource::Split(s))));
    all.extend(ENGINES.iter().map(|e| {
        let arguments = match e.make {
            MakeEngine::Alone(_)
                if ENGINES.iter().any(|o| o.name == e.name && matches!(o.make, MakeEngine::Over(_))) =>
            {
                Arguments::Optional
            }
            MakeEngine::Alone(_) => Arguments::None,
            MakeEngine::Over(_)
                if ENGINES.iter().any(|o| o.name == e.name && matches!(o.make, MakeEngine::Alone(_))) =>
            {
                Arguments::Optional
            }
            MakeEngine::Over(_) => Arguments::Strategy,
        };
        TacticEntry { name: e.name, about: e.about, arguments, source: TacticSource::Engine(e) }
    }));
    all.sort_by_key(|e| (e.kind(), e.name));
    // An engine that can be used with and without a strategy has two rows.
    all.dedup_by(|later, first| later.name == first.name);
    all
}

/// Returns the names for strategies over our own tactics.
pub fn vocabulary() -> StrategyVocabulary {
    let mut vocabulary = StrategyVocabulary::default();
    for entry in tactics() {
        // `(solver …)` and the like are syntax.
        if matches!(entry.source, TacticSource::Solver | TacticSource::Exec | TacticSource::Rules) {
            continue;
        }
        let params = entry.params().iter().map(|p| p.name.replace('_', "-")).collect();
        vocabulary
            .tactics
            .insert(entry.name.to_string(), TacticName { arguments: entry.arguments, params: Some(params) });
    }
    for probe in PROBES {
        vocabulary.probes.insert(probe.name.to_string(), ProbeName { kind: probe.kind() });
    }
    vocabulary
}

/// Why a strategy cannot be made ready.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PlanError {
    /// An unknown name; the parser of strategies reports these with their position.
    #[error("there is no tactic `{0}`")]
    Unknown(String),
    /// A solver is not available.
    #[error("cannot use the solver `{spec}`: {reason}")]
    Solver {
        /// The specification.
        spec: String,
        /// The reason, and the remedy.
        reason: String,
    },
    /// Something that no solver receives: a tactic that is not an expression, or an option that its profile does not list for scripts.
    #[error("`{what}` is not sent to {solver}: its profile lists it nowhere ([gate]), or it writes a file")]
    Withheld {
        /// The tactic or option.
        what: String,
        /// The solver.
        solver: String,
    },
    /// A file of rules cannot be used; gives the reason and the position.
    #[error("{0}")]
    Rules(String),
    /// A tactic of a solver's own, and the solver is not available.
    #[error("`{tactic}` is a tactic of {spec}'s own, which cannot be used: {reason}")]
    SolverTactic {
        /// The tactic.
        tactic: String,
        /// The solver.
        spec: String,
        /// The reason, and the remedy.
        reason: String,
    },
    /// A parameter of Z3 has a value that would change a meaning.
    #[error("`:{key} {value}` is refused: {why}")]
    Refused {
        /// The parameter.
        key: String,
        /// The value.
        value: String,
        /// The reason.
        why: String,
    },
    /// A parameter's value exceeds the bound of all.
    #[error("the parameter `{key}` of `{tactic}` is at most {}, and `{value}` is more", u64::MAX)]
    TooLarge {
        /// The parameter.
        key: String,
        /// The tactic.
        tactic: String,
        /// The given value.
        value: String,
    },
    /// A parameter's value has the wrong type.
    #[error("the parameter `{key}` of `{tactic}` is {kind}, not `{value}`")]
    Value {
        /// The type of its values.
        kind: String,
        /// The parameter.
        key: String,
        /// The tactic.
        tactic: String,
        /// The given value.
        value: String,
    },
}

/// Makes a strategy ready to run.
/// Errors: [`PlanError`].
pub fn plan(strategy: &Strategy, solvers: &Solvers) -> Result<Arc<StrategyPlan>, PlanError> {
    PlanBuilder { solvers, files: RefCell::default(), params: Vec::new() }.plan(strategy)
}
