//! All tactics by name, and strategies made ready: names resolved, parameters set, solvers found.

use crate::engine::{EngineEntry, Make};
use crate::engines::ENGINES;
use crate::external::External;
use crate::plan::Plan;
use crate::probes::PROBES;
use crate::solvers::{SolverProgram, Solvers};
use crate::strategy_engine::StrategyEngine;
use crate::tactic::{Fail, OfEngine, OfPass, OfSplit, Skip, Tactic};
use rewrite::pass::Split;
use rewrite::passes::{PASSES, SPLITS};
use rewrite::{Parameter, Params, Pass};
use smtlib::strategy::{Arguments, Param, ParamValue as Written, ProbeName, Strategy, TacticName, Vocabulary};
use std::sync::Arc;
use std::time::Duration;

/// Where a tactic comes from.
#[derive(Clone, Copy)]
enum Source {
    Skip,
    Fail,
    Pass(&'static dyn Pass),
    Split(&'static dyn Split),
    Engine(&'static EngineEntry),
    /// `(solver SPEC)`, which has a syntax of its own.
    Solver,
}

/// A tactic of the registry.
#[derive(Clone, Copy)]
pub struct TacticEntry {
    /// Its name.
    pub name: &'static str,
    /// What it does, in one line.
    pub about: &'static str,
    /// What it takes besides parameters.
    pub arguments: Arguments,
    source: Source,
}

impl TacticEntry {
    /// What kind of tactic it is, in one word.
    pub fn kind(&self) -> &'static str {
        match self.source {
            Source::Skip | Source::Fail => "basic",
            Source::Pass(_) => "pass",
            Source::Split(_) => "split",
            Source::Engine(_) | Source::Solver => "engine",
        }
    }

    /// Its parameters.
    pub fn params(&self) -> &'static [Parameter] {
        match self.source {
            Source::Skip | Source::Fail | Source::Solver => &[],
            Source::Pass(pass) => pass.params(),
            Source::Split(split) => split.params(),
            Source::Engine(engine) => engine.parameters,
        }
    }

    /// A goal before and after it, as SMT-LIB, where it has an example.
    pub fn example(&self) -> Option<rewrite::Example> {
        match self.source {
            Source::Pass(pass) => Some(pass.example()),
            Source::Split(split) => Some(split.example()),
            _ => None,
        }
    }
}

/// All passes: those that simplify, and those that end in the language of an engine.
fn passes() -> impl Iterator<Item = &'static dyn Pass> {
    PASSES.iter().chain(crate::passes::PASSES).copied()
}

/// All tactics, sorted by kind and name.
pub fn tactics() -> Vec<TacticEntry> {
    let plain = |name, about, source| TacticEntry { name, about, arguments: Arguments::None, source };
    let mut all = vec![
        plain("skip", "leaves the goal as it is", Source::Skip),
        plain("fail", "fails", Source::Fail),
        plain("solver", "a solver program decides; its models are checked, its unsat is trusted", Source::Solver),
    ];
    all.extend(passes().map(|p| plain(p.name(), p.describe(), Source::Pass(p))));
    all.extend(SPLITS.iter().map(|&s| plain(s.name(), s.describe(), Source::Split(s))));
    all.extend(ENGINES.iter().map(|e| {
        let arguments = match e.make {
            Make::Alone(_) if ENGINES.iter().any(|o| o.name == e.name && matches!(o.make, Make::Over(_))) => {
                Arguments::Optional
            }
            Make::Alone(_) => Arguments::None,
            Make::Over(_) if ENGINES.iter().any(|o| o.name == e.name && matches!(o.make, Make::Alone(_))) => {
                Arguments::Optional
            }
            Make::Over(_) => Arguments::Strategy,
        };
        TacticEntry { name: e.name, about: e.about, arguments, source: Source::Engine(e) }
    }));
    all.sort_by_key(|e| (e.kind(), e.name));
    // An engine that can be used with and without a strategy has two rows.
    all.dedup_by(|later, first| later.name == first.name);
    all
}

/// The names that strategies over our own tactics may use.
pub fn vocabulary() -> Vocabulary {
    let mut vocabulary = Vocabulary::default();
    for entry in tactics() {
        // `(solver …)` is syntax.
        if matches!(entry.source, Source::Solver) {
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
    /// A name is not ours; the reader of strategies reports those with their place.
    #[error("there is no tactic `{0}`")]
    Unknown(String),
    /// A solver cannot be had.
    #[error("cannot use the solver `{spec}`: {reason}")]
    Solver {
        /// What was written.
        spec: String,
        /// Why, and what to do.
        reason: String,
    },
    /// A parameter's value is of another kind.
    #[error("the parameter `{key}` of `{tactic}` is a number, not `{value}`")]
    Value {
        /// The parameter.
        key: String,
        /// The tactic.
        tactic: String,
        /// What was written.
        value: String,
    },
}

/// A strategy made ready.
///
/// # Errors
/// [`PlanError`].
pub fn plan(strategy: &Strategy, solvers: &Solvers) -> Result<Arc<Plan>, PlanError> {
    Builder { solvers, params: Vec::new() }.plan(strategy)
}

struct Builder<'a> {
    solvers: &'a Solvers,
    /// The parameters in force, outer ones first.
    params: Vec<Param>,
}

impl Builder<'_> {
    fn plan(&mut self, strategy: &Strategy) -> Result<Arc<Plan>, PlanError> {
        let plan = match strategy {
            Strategy::Tactic(name) => self.leaf(name, None)?,
            Strategy::Over(name, inner) => {
                let trusted = self.trusted(inner)?;
                let inner = self.plan(inner)?;
                self.leaf(name, Some((inner, trusted)))?
            }
            Strategy::Solver(spec, params) => self.solver(spec, params)?,
            Strategy::Then(parts) => Plan::Then(self.plans(parts)?),
            Strategy::Thens(parts) => Plan::Thens(self.plans(parts)?),
            Strategy::OrElse(parts) => Plan::OrElse(self.plans(parts)?),
            Strategy::ParOr(parts) => Plan::ParOr(self.plans(parts)?),
            Strategy::ParThen(parts) => Plan::ParThen(self.plans(parts)?),
            Strategy::Repeat(inner, bound) => Plan::Repeat(self.plan(inner)?, *bound),
            Strategy::TryFor(inner, ms) => Plan::TryFor(self.plan(inner)?, Duration::from_millis(u64::from(*ms))),
            Strategy::Nice(inner, by) => Plan::Nice(self.plan(inner)?, *by),
            Strategy::If(probe, yes, no) => Plan::If(probe.clone(), self.plan(yes)?, self.plan(no)?),
            Strategy::When(probe, inner) => {
                let skip = Arc::new(leaf("skip", Box::new(Skip)));
                Plan::If(probe.clone(), self.plan(inner)?, skip)
            }
            Strategy::FailIf(probe) => Plan::FailIf(probe.clone()),
            Strategy::UsingParams(inner, params) => {
                let outer = self.params.len();
                self.params.extend(params.iter().cloned());
                let plan = self.plan(inner);
                self.params.truncate(outer);
                return plan;
            }
        };
        Ok(Arc::new(plan))
    }

    fn plans(&mut self, parts: &[Strategy]) -> Result<Vec<Arc<Plan>>, PlanError> {
        parts.iter().map(|part| self.plan(part)).collect()
    }

    /// The solver programs in a strategy, by their labels.
    fn trusted(&self, strategy: &Strategy) -> Result<Vec<Arc<str>>, PlanError> {
        let mut found = Vec::new();
        let mut stack = vec![strategy];
        while let Some(s) = stack.pop() {
            if let Strategy::Solver(spec, _) = s {
                found.push(Arc::clone(&self.program(spec)?.label));
            }
            stack.extend(s.parts());
        }
        Ok(found)
    }

    fn program(&self, spec: &str) -> Result<Arc<SolverProgram>, PlanError> {
        self.solvers.get(spec).map_err(|reason| PlanError::Solver { spec: spec.to_string(), reason })
    }

    fn leaf(&self, name: &str, inner: Option<(Arc<Plan>, Vec<Arc<str>>)>) -> Result<Plan, PlanError> {
        if let Some(pass) = passes().find(|p| p.name() == name) {
            let params = self.params(name, pass.params())?;
            return Ok(leaf(name, Box::new(OfPass { pass, params, name: name.into() })));
        }
        if let Some(split) = rewrite::passes::split(name) {
            let params = self.params(name, split.params())?;
            return Ok(leaf(name, Box::new(OfSplit { split, params, name: name.into() })));
        }
        match name {
            "skip" => return Ok(leaf(name, Box::new(Skip))),
            "fail" => return Ok(leaf(name, Box::new(Fail))),
            _ => {}
        }
        let wanted = |e: &&EngineEntry| e.name == name && matches!(e.make, Make::Over(_)) == inner.is_some();
        let Some(entry) = ENGINES.iter().find(wanted) else { return Err(PlanError::Unknown(name.to_string())) };
        let params = self.params(entry.name, entry.parameters)?;
        let takes = entry.takes | inner.as_ref().map_or(0, |(plan, _)| plan.takes());
        let (engine, trusted) = match (entry.make, inner) {
            (Make::Alone(make), _) => (make(&params), Vec::new()),
            (Make::Over(make), Some((inner, trusted))) => {
                (make(Box::new(StrategyEngine::new(inner)), &params), trusted)
            }
            (Make::Over(_), None) => return Err(PlanError::Unknown(name.to_string())),
        };
        let external = !trusted.is_empty();
        let name: Arc<str> = if external { format!("{name} over {}", trusted.join(", ")).into() } else { name.into() };
        Ok(Plan::Leaf { name: Arc::clone(&name), tactic: Box::new(OfEngine { engine, name, external, takes }) })
    }

    fn solver(&self, spec: &str, params: &[Param]) -> Result<Plan, PlanError> {
        let program = self.program(spec)?;
        let mut external = External { program, options: Vec::new(), tactic: None };
        for param in params {
            let (Written::Word(value) | Written::Text(value)) = &param.value;
            match &*param.key {
                "tactic" => external.tactic = Some(value.to_string()),
                key => external.options.push((key.to_string(), value.to_string())),
            }
        }
        Ok(leaf(&format!("(solver {})", external.program.label), Box::new(external)))
    }

    /// The value in force of a parameter; the innermost wins.
    fn written(&self, name: &str) -> Option<&str> {
        let wanted = name.replace('_', "-");
        let param = self.params.iter().rev().find(|p| p.key.replace('_', "-") == wanted)?;
        let (Written::Word(value) | Written::Text(value)) = &param.value;
        Some(value)
    }

    fn params(&self, tactic: &str, parameters: &[Parameter]) -> Result<Params, PlanError> {
        let mut params = Params::default();
        for parameter in parameters {
            let Some(value) = self.written(parameter.name) else { continue };
            let wrong = || PlanError::Value {
                key: parameter.name.to_string(),
                tactic: tactic.to_string(),
                value: value.to_string(),
            };
            params.set(parameter, value.parse().map_err(|_| wrong())?);
        }
        Ok(params)
    }
}

fn leaf(name: &str, tactic: Box<dyn Tactic>) -> Plan {
    Plan::Leaf { name: name.into(), tactic }
}
