//! Plans of strategies: every tactic with its parameters, programs and rules.

use super::{PlanBuilder, PlanError, passes, plan, vocabulary};
use crate::delegated::{Delegated, ExecTactic};
use crate::engine::{EngineEntry, MakeEngine};
use crate::engines::ENGINES;
use crate::external::External;
use crate::plan::StrategyPlan;
use crate::rules::{self, MAX_STEPS, RuleSet, RulesTactic};
use crate::solvers::SolverProgram;
use crate::strategy_engine::StrategyEngine;
use crate::tactic::{Fail, OfEngine, OfPass, OfSplit, Skip, Tactic};
use crate::z3;
use rewrite::{Params, TacticParameter};
use smtlib::strategy::{Param, ParamValue as Written, Strategy, parse_strategy};
use std::sync::Arc;
use std::time::Duration;

impl PlanBuilder<'_> {
    pub(super) fn plan(&mut self, strategy: &Strategy) -> Result<Arc<StrategyPlan>, PlanError> {
        let plan = match strategy {
            Strategy::Tactic(name) => self.followed(name)?,
            Strategy::Over(name, inner) => {
                let trusted = self.trusted(inner)?;
                let inner = self.plan(inner)?;
                self.leaf(name, Some((inner, trusted)))?
            }
            Strategy::Solver(spec, params) => self.solver(spec, params)?,
            Strategy::SolverTactic(spec, tactic) => self.solver_tactic(spec, tactic)?,
            Strategy::Exec(command) => {
                let tactic = ExecTactic::new(command);
                StrategyPlan::Leaf { name: tactic.name(), tactic: Box::new(tactic) }
            }
            Strategy::Rules(file) => {
                let rules = self.rules(file)?;
                let max_steps = self.params("rules", &[MAX_STEPS])?.number(&MAX_STEPS);
                let name: Arc<str> = format!("(rules \"{file}\")").into();
                let prover = self.prover()?;
                let tactic = Box::new(RulesTactic { rules, prover, max_steps, name: Arc::clone(&name) });
                StrategyPlan::Leaf { name, tactic }
            }
            Strategy::Then(parts) => StrategyPlan::Then(self.plans(parts)?),
            Strategy::Thens(parts) => StrategyPlan::Thens(self.plans(parts)?),
            Strategy::OrElse(parts) => StrategyPlan::OrElse(self.plans(parts)?),
            Strategy::ParOr(parts) => StrategyPlan::ParOr(self.plans(parts)?),
            Strategy::ParThen(parts) => StrategyPlan::ParThen(self.plans(parts)?),
            Strategy::Repeat(inner, bound) => StrategyPlan::Repeat(self.plan(inner)?, *bound),
            Strategy::TryFor(inner, ms) => {
                StrategyPlan::TryFor(self.plan(inner)?, Duration::from_millis(u64::from(*ms)))
            }
            Strategy::Nice(inner, by) => StrategyPlan::Nice(self.plan(inner)?, *by),
            Strategy::If(probe, yes, no) => StrategyPlan::If(probe.clone(), self.plan(yes)?, self.plan(no)?),
            Strategy::When(probe, inner) => {
                let skip = Arc::new(leaf("skip", Box::new(Skip)));
                StrategyPlan::If(probe.clone(), self.plan(inner)?, skip)
            }
            Strategy::Refine(under, over, rounds) => StrategyPlan::Refine(self.plan(under)?, self.plan(over)?, *rounds),
            Strategy::FailIf(probe) => StrategyPlan::FailIf(probe.clone()),
            Strategy::UsingParams(inner, params) => {
                params.iter().try_for_each(refuse)?;
                let outer = self.params.len();
                self.params.extend(params.iter().cloned());
                let plan = self.plan(inner);
                self.params.truncate(outer);
                return plan;
            }
        };
        Ok(Arc::new(plan))
    }

    fn plans(&mut self, parts: &[Strategy]) -> Result<Vec<Arc<StrategyPlan>>, PlanError> {
        parts.iter().map(|part| self.plan(part)).collect()
    }

    /// Returns the labels of the solver programs in a strategy.
    fn trusted(&self, strategy: &Strategy) -> Result<Vec<Arc<str>>, PlanError> {
        let mut found = Vec::new();
        let mut stack = vec![strategy];
        while let Some(s) = stack.pop() {
            if let Strategy::Solver(spec, _) | Strategy::SolverTactic(spec, _) = s {
                found.push(Arc::clone(&self.program(spec)?.label));
            }
            if let Strategy::Exec(command) = s {
                found.push(ExecTactic::new(command).name());
            }
            if let Strategy::Rules(file) = s {
                found.extend(self.rules(file)?.trusted().map(|rule| format!("rule {rule} of {file}").into()));
            }
            stack.extend(s.parts());
        }
        Ok(found)
    }

    /// Returns the rules of a file, parsed and checked once.
    pub(super) fn rules(&self, file: &str) -> Result<Arc<RuleSet>, PlanError> {
        let mut files = self.files.borrow_mut();
        if let Some(rules) = files.get(file) {
            return Ok(Arc::clone(rules));
        }
        let prover = self.prover()?;
        let rules = Arc::new(RuleSet::load(file, &prover).map_err(PlanError::Rules)?);
        files.insert(file.to_string(), Arc::clone(&rules));
        Ok(rules)
    }

    /// Returns the prover of rules, which uses our own engines only.
    fn prover(&self) -> Result<Arc<StrategyPlan>, PlanError> {
        let strategy = parse_strategy(rules::PROVER, &vocabulary())
            .map_err(|error| PlanError::Rules(format!("rules cannot be proven by this program: {error}")))?;
        plan(&strategy, self.solvers)
    }

    fn program(&self, spec: &str) -> Result<Arc<SolverProgram>, PlanError> {
        self.solvers.get(spec).map_err(|reason| PlanError::Solver { spec: spec.to_string(), reason })
    }

    fn leaf(&self, name: &str, inner: Option<(Arc<StrategyPlan>, Vec<Arc<str>>)>) -> Result<StrategyPlan, PlanError> {
        if let Some(pass) = passes().find(|p| p.name == name) {
            let params = self.params(name, pass.params)?;
            return Ok(leaf(name, Box::new(OfPass { pass, params, name: name.into() })));
        }
        if let Some(split) = rewrite::passes::split(name) {
            let params = self.params(name, &[])?;
            return Ok(leaf(name, Box::new(OfSplit { split, params, name: name.into() })));
        }
        match name {
            "skip" => return Ok(leaf(name, Box::new(Skip))),
            "fail" => return Ok(leaf(name, Box::new(Fail))),
            _ => {}
        }
        let wanted = |e: &&EngineEntry| e.name == name && matches!(e.make, MakeEngine::Over(_)) == inner.is_some();
        let Some(entry) = ENGINES.iter().find(wanted) else { return Err(PlanError::Unknown(name.to_string())) };
        let params = self.params(entry.name, entry.parameters)?;
        let takes = entry.takes | inner.as_ref().map_or(0, |(plan, _)| plan.takes());
        let (engine, trusted) = match (entry.make, inner) {
            (MakeEngine::Alone(make), _) => (make(&params), Vec::new()),
            (MakeEngine::Over(make), Some((inner, trusted))) => {
                (make(Box::new(StrategyEngine::new(inner)), &params), trusted)
            }
            (MakeEngine::Over(_), None) => return Err(PlanError::Unknown(name.to_string())),
        };
        let external = !trusted.is_empty();
        let name: Arc<str> = if external { format!("{name} over {}", trusted.join(", ")).into() } else { name.into() };
        Ok(StrategyPlan::Leaf { name: Arc::clone(&name), tactic: Box::new(OfEngine { engine, name, external, takes }) })
    }

    /// Returns a tactic, followed by those that Z3's switches add.
    fn followed(&self, name: &str) -> Result<StrategyPlan, PlanError> {
        let first = self.leaf(name, None)?;
        if name != "simplify" || self.params.is_empty() {
            return Ok(first);
        }
        let switches = z3::SWITCHES.switches.iter();
        let on = switches.filter(|(switch, _)| self.written(switch) == Some("true"));
        let mut following =
            on.map(|(_, tactic)| self.leaf(tactic, None).map(Arc::new)).collect::<Result<Vec<_>, _>>()?;
        if following.is_empty() {
            return Ok(first);
        }
        following.insert(0, Arc::new(first));
        Ok(StrategyPlan::Then(following))
    }

    /// Returns a tactic of a solver program, with the current parameters that are Z3's.
    fn solver_tactic(&self, spec: &str, tactic: &str) -> Result<StrategyPlan, PlanError> {
        let program = self.solvers.get(spec).map_err(|reason| PlanError::SolverTactic {
            tactic: tactic.to_string(),
            spec: spec.to_string(),
            reason,
        })?;
        let of_z3: Vec<&Param> = self.params.iter().filter(|param| z3::PARAMETERS.has(&param.key)).collect();
        let tactic = match of_z3.is_empty() {
            true => tactic.to_string(),
            false => {
                of_z3.iter().fold(format!("(using-params {tactic}"), |text, param| format!("{text} {param}")) + ")"
            }
        };
        admitted_tactic(&program, &tactic)?;
        let name: Arc<str> = format!("(solver-tactic {} {tactic})", program.label).into();
        let delegated = Delegated { program, tactic, name: Arc::clone(&name) };
        Ok(StrategyPlan::Leaf { name, tactic: Box::new(delegated) })
    }

    fn solver(&self, spec: &str, params: &[Param]) -> Result<StrategyPlan, PlanError> {
        let program = self.program(spec)?;
        let mut external = External { program, options: Vec::new(), tactic: None };
        for param in params {
            let (Written::Word(value) | Written::Text(value)) = &param.value;
            match &*param.key {
                "tactic" => {
                    admitted_tactic(&external.program, value)?;
                    external.tactic = Some(value.to_string());
                }
                key if external.program.solver.profile().admits_option(&format!(":{key}"), value) => {
                    external.options.push((key.to_string(), value.to_string()));
                }
                _ => return Err(withheld(&external.program, &param.to_string())),
            }
        }
        Ok(leaf(&format!("(solver {})", external.program.label), Box::new(external)))
    }

    /// Returns the current value of a parameter; the innermost takes precedence.
    fn written(&self, name: &str) -> Option<&str> {
        let wanted = name.replace('_', "-");
        let param = self.params.iter().rev().find(|p| p.key.replace('_', "-") == wanted)?;
        let (Written::Word(value) | Written::Text(value)) = &param.value;
        Some(value)
    }

    pub(super) fn params(&self, tactic: &str, parameters: &[TacticParameter]) -> Result<Params, PlanError> {
        let mut params = Params::default();
        for parameter in parameters {
            let Some(value) = self.written(parameter.name) else { continue };
            let is_number = !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit());
            let wrong = || {
                let (key, tactic, value) = (parameter.name.to_string(), tactic.to_string(), value.to_string());
                match parameter.words.is_empty() && is_number {
                    true => PlanError::TooLarge { key, tactic, value },
                    false => PlanError::Value { kind: parameter.kind_text(), key, tactic, value },
                }
            };
            params.set(parameter, parameter.read(value).ok_or_else(wrong)?);
        }
        Ok(params)
    }
}

fn admitted_tactic(program: &SolverProgram, tactic: &str) -> Result<(), PlanError> {
    if program.solver.profile().admits_tactic(tactic) { Ok(()) } else { Err(withheld(program, tactic)) }
}

fn withheld(program: &SolverProgram, what: &str) -> PlanError {
    PlanError::Withheld { what: what.to_string(), solver: program.label.to_string() }
}

/// Rejects values of Z3's parameters that would change the meaning of an operator.
fn refuse(param: &Param) -> Result<(), PlanError> {
    let (Written::Word(value) | Written::Text(value)) = &param.value;
    match z3::SWITCHES.refused.get(&param.key.replace('-', "_")) {
        Some(refused) if refused.value == **value => {
            Err(PlanError::Refused { key: param.key.to_string(), value: value.to_string(), why: refused.why.clone() })
        }
        _ => Ok(()),
    }
}

fn leaf(name: &str, tactic: Box<dyn Tactic>) -> StrategyPlan {
    StrategyPlan::Leaf { name: name.into(), tactic }
}
