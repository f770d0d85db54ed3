//! Decides the checks of a session.

use super::core_terms;
use super::named::{NamedStrategyError, with_named};
use super::programs::{foreign_requests, programs};
use crate::budget::Budget;
use crate::defaults::{add_named_defaults, default_name, default_strategy};
use crate::outcome::TacticFailure;
use crate::plan::StrategyPlan;
use crate::probes::logic_of;
use crate::reason::with_asked;
use crate::registry::{self, vocabulary};
use crate::run::Shared;
use crate::solve::{SolveAnswer, SolveReport, SolveRequest, derived, solve};
use crate::solvers::Solvers;
use crate::z3;
use rewrite::{Goal, PassError, Wants};
use smtlib::strategy::{Strategy, StrategyVocabulary, parse_strategy};
use smtlib::{Instance, Store};
use solver::process::CancelToken;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

/// The time for our own engines alone before solvers are asked in parallel.
const OWN_TIME: Duration = Duration::from_secs(1);

/// The content of a check.
#[derive(Clone, Copy, Debug)]
pub struct CheckQuestion<'a> {
    /// The assertions, assumptions included.
    pub instance: &'a Instance,
    /// The strategy that the script names for this check: `(check-sat-using S)`.
    pub using: Option<&'a str>,
    /// Whether a core is wanted.
    pub cores: bool,
    /// The time limit of this check, if the script sets one.
    pub time: Option<Duration>,
}

/// The origin of a check's strategy.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ChosenBy {
    /// The script, the command line or squall.toml, which decide who answers.
    User,
    /// The default of the logic, with our own engines.
    Default,
}

/// Answers checks.
pub trait Decide {
    /// Answers a check.
    /// Errors: the question is invalid: its strategy is wrong, or a solver is missing. The text becomes an error response.
    fn decide(&mut self, store: &mut Store, question: &CheckQuestion<'_>) -> Result<SolveReport, String>;
}

/// Answers by a strategy: the script's own, else the given one, else the default of the logic.
pub struct ByStrategy {
    solvers: Arc<Solvers>,
    /// Our own names and those of named strategies, and Z3's once needed: most checks use a default strategy, and reading Z3's tables
    /// takes longer than such a check.
    vocabulary: StrategyVocabulary,
    has_names_of_z3: bool,
    /// The names of the user's own strategies.
    named: BTreeSet<String>,
    /// The solvers that run in parallel with the default strategies.
    beside: Vec<Strategy>,
    /// The solvers that are asked if a default strategy has no answer.
    after: Vec<Strategy>,
    given: Option<Arc<StrategyPlan>>,
    /// Prepared plans, by text.
    plans: BTreeMap<String, Arc<StrategyPlan>>,
    /// The time limit of each check.
    pub time: Option<Duration>,
    /// Whether no other program may answer, whatever a strategy says.
    pub own_engines: bool,
    /// Whether cores are always wanted.
    pub cores: bool,
    /// Whether the steps are recorded in a trace.
    pub explain: bool,
    /// Whether each conclusion is recorded with its premises.
    pub claims: bool,
    /// Stops the work.
    pub cancel: CancelToken,
    /// The second strategy that checks cores of refutations, and its name.
    second: Option<(String, Arc<StrategyPlan>)>,
}

impl ByStrategy {
    /// Makes a decider with solver programs and named strategies.
    /// Errors: a named strategy is wrong, or has a name that is not free.
    pub fn new(solvers: Solvers, named: &BTreeMap<String, String>) -> Result<ByStrategy, NamedStrategyError> {
        let mut vocabulary = vocabulary();
        add_named_defaults(&mut vocabulary);
        // A named strategy may use any of them.
        let has_names_of_z3 = !named.is_empty();
        if has_names_of_z3 {
            z3::add_names(&mut vocabulary);
        }
        let vocabulary = with_named(vocabulary, named)?;
        Ok(ByStrategy {
            solvers: Arc::new(solvers),
            vocabulary,
            has_names_of_z3,
            named: named.keys().cloned().collect(),
            beside: Vec::new(),
            after: Vec::new(),
            given: None,
            plans: BTreeMap::new(),
            time: None,
            own_engines: false,
            cores: false,
            explain: false,
            claims: false,
            cancel: CancelToken::new(),
            second: None,
        })
    }

    /// Returns the names for strategies, including Z3's.
    pub fn vocabulary(&mut self) -> &StrategyVocabulary {
        if !self.has_names_of_z3 {
            z3::add_names(&mut self.vocabulary);
            self.has_names_of_z3 = true;
        }
        &self.vocabulary
    }

    /// Sets the strategy of all checks that name none.
    /// Errors: a solver is not available, or may not be asked, or a parameter's value has the wrong type.
    pub fn give(&mut self, strategy: &Strategy) -> Result<(), String> {
        self.refuse_others(strategy)?;
        self.given = Some(registry::plan(strategy, &self.solvers).map_err(|e| e.to_string())?);
        Ok(())
    }

    /// Adds a solver that runs in parallel with the default strategies; the first to answer wins.
    /// Errors: the solver is not available.
    pub fn beside(&mut self, spec: &str) -> Result<(), String> {
        self.solvers.get(spec)?;
        self.beside.push(Strategy::Solver(spec.into(), [].into()));
        Ok(())
    }

    /// Sets the solvers that are asked if a default strategy of our own engines has no answer; unavailable ones are skipped. They are
    /// searched when first needed.
    pub fn ask_after(&mut self, specs: &[&str]) {
        self.after = specs.iter().map(|&spec| Strategy::Solver(spec.into(), [].into())).collect();
    }

    /// Sets a second strategy that checks the core of every refutation.
    /// Errors: as [`ByStrategy::give`].
    pub fn check_by(&mut self, label: &str, strategy: &Strategy) -> Result<(), String> {
        let plan = registry::plan(strategy, &self.solvers).map_err(|e| e.to_string())?;
        self.second = Some((label.to_string(), plan));
        self.cores = true;
        Ok(())
    }

    fn plan_of(&mut self, text: &str) -> Result<Arc<StrategyPlan>, String> {
        let strategy = self.parse(text)?;
        self.refuse_foreign_requests(&strategy)?;
        self.refuse_others(&strategy)?;
        self.plan_once(&strategy)
    }

    /// Rejects requests to other programs that a script may not make, unless the user's settings make them.
    fn refuse_foreign_requests(&self, strategy: &Strategy) -> Result<(), String> {
        let own = self.named.iter().filter_map(|name| self.vocabulary.strategies.get(name));
        let own: BTreeSet<_> = own.flat_map(foreign_requests).collect();
        match foreign_requests(strategy).difference(&own).next() {
            None => Ok(()),
            Some(request) => Err(format!("{request}; give the strategy by --strategy, or name it in squall.toml")),
        }
    }

    /// Rejects a strategy that asks other programs, if only our own engines may answer.
    fn refuse_others(&self, strategy: &Strategy) -> Result<(), String> {
        match programs(strategy).first() {
            Some(program) if self.own_engines => Err(format!(
                "the strategy asks `{program}`, and with --own-engines only the engines of this program answer"
            )),
            _ => Ok(()),
        }
    }

    fn plan_once(&mut self, strategy: &Strategy) -> Result<Arc<StrategyPlan>, String> {
        let text = strategy.to_string();
        if let Some(plan) = self.plans.get(&text) {
            return Ok(Arc::clone(plan));
        }
        let plan = registry::plan(strategy, &self.solvers).map_err(|e| e.to_string())?;
        self.plans.insert(text, Arc::clone(&plan));
        Ok(plan)
    }

    fn parse(&mut self, text: &str) -> Result<Strategy, String> {
        let ours = parse_strategy(text, &self.vocabulary);
        ours.or_else(|_| parse_strategy(text, self.vocabulary())).map_err(|error| {
            let help = error.help.as_deref().map_or(String::new(), |help| format!("; {help}"));
            let (line, column) = error.position(text);
            format!("in the strategy, line {line} column {column}: {error}{help}")
        })
    }

    /// Returns the default strategy of a logic: the user's own of that name, the user's own `default`, or ours.
    fn default_of(&mut self, logic: &str) -> Result<(Strategy, ChosenBy), String> {
        let names = [default_name(logic), default_name("ALL")];
        // The user's default was not chosen for this check: if it asks others and none may be asked, it is skipped.
        let may_answer = |name: &str| {
            !self.own_engines || self.vocabulary.strategies.get(name).is_none_or(|own| programs(own).is_empty())
        };
        let own = names.iter().find(|name| self.named.contains(*name) && may_answer(name));
        let strategy = self.parse(own.map_or(default_strategy(logic), String::as_str))?;
        if self.beside.is_empty() {
            return Ok((strategy, if own.is_some() { ChosenBy::User } else { ChosenBy::Default }));
        }
        let all = std::iter::once(strategy).chain(self.beside.iter().cloned()).collect();
        Ok((Strategy::ParOr(all), ChosenBy::User))
    }

    /// Asks the solvers about a problem on which our own engines gave up after a short time; the engines continue in parallel. Returns
    /// the report, or `None` without solvers.
    fn ask_solvers(
        &mut self,
        store: &mut Store,
        question: &CheckQuestion<'_>,
        own: (&Arc<StrategyPlan>, &SolveReport),
        request: &SolveRequest,
        shared: &Arc<Shared>,
    ) -> Option<SolveReport> {
        let (plan, report) = own;
        let SolveAnswer::Unknown(why) = &report.answer else { return None };
        let solvers = &self.solvers;
        self.after.retain(|solver| registry::plan(solver, solvers).is_ok());
        let had_all_time = request.budget.check().is_err() || report.time < OWN_TIME;
        if report.internal_error || (self.after.is_empty() && had_all_time) {
            return None;
        }
        let mut plans: Vec<Arc<StrategyPlan>> =
            self.after.iter().filter_map(|solver| registry::plan(solver, solvers).ok()).collect();
        plans.push(Arc::clone(plan));
        let mut answered = solve(store, &question.instance.assertions, &StrategyPlan::ParOr(plans), request, shared);
        answered.time += report.time;
        if self.explain && !self.after.is_empty() {
            let asked: Vec<String> = self.after.iter().map(ToString::to_string).collect();
            let asked = asked.join(", ");
            answered.notes.push(format!("our own engines give no answer ({why}); then ran: {asked}"));
        }
        if let SolveAnswer::Unknown(last) = &mut answered.answer
            && !answered.internal_error
        {
            // For a problem without an answer, the engines' message is more informative than that of the last solver.
            last.clone_from(why);
        }
        Some(answered)
    }

    fn plan_for(
        &mut self,
        store: &mut Store,
        question: &CheckQuestion<'_>,
        budget: &Budget,
    ) -> Result<Result<(Arc<StrategyPlan>, ChosenBy), PassError>, String> {
        match question.using {
            // The default without a named strategy, ending with installed solvers.
            Some(text) if text.trim() == default_name("ALL") => {}
            Some(text) => return self.plan_of(text).map(|plan| Ok((plan, ChosenBy::User))),
            None => {
                if let Some(plan) = &self.given {
                    return Ok(Ok((Arc::clone(plan), ChosenBy::User)));
                }
            }
        }
        // A script's logic may promise too much or too little: the actual features decide.
        let goal = match Goal::of(store, &question.instance.assertions, Wants::MODELS, &budget.settings()) {
            Ok(goal) => goal,
            // No strategy would succeed: each begins with this goal.
            Err(error) => return Ok(Err(error)),
        };
        let (strategy, by) = self.default_of(&logic_of(store, &goal))?;
        self.plan_once(&strategy).map(|plan| Ok((plan, by)))
    }
}

impl Decide for ByStrategy {
    fn decide(&mut self, store: &mut Store, question: &CheckQuestion<'_>) -> Result<SolveReport, String> {
        let mut budget = Budget { cancel: self.cancel.clone(), ..Budget::default() };
        if let Some(time) = self.time.into_iter().chain(question.time).min() {
            budget = budget.within(time);
        }
        let plan = self.plan_for(store, question, &budget)?;
        let instance = question.instance;
        if instance.rules.is_some() {
            return Ok(derived(store, instance, &budget));
        }
        if instance.incomplete {
            return Ok(SolveReport::unknown(crate::reason::of_incomplete(store, instance)));
        }
        let (plan, by) = match plan {
            Ok(planned) => planned,
            Err(error) => return Ok(SolveReport::unknown(TacticFailure::of(error, &budget).to_string())),
        };
        let wants = Wants { models: true, cores: question.cores || self.cores };
        let request = SolveRequest { wants, budget, explain: self.explain, claims: self.claims };
        let shared = Arc::new(Shared::new(Arc::clone(&self.solvers), instance.declarations.clone(), instance.logic));
        let asks_after = !self.after.is_empty() && by == ChosenBy::Default;
        let mut first = request.clone();
        if asks_after {
            first.budget = first.budget.within(OWN_TIME);
        }
        let mut report = solve(store, &instance.assertions, &plan, &first, &shared);
        if asks_after && let Some(answered) = self.ask_solvers(store, question, (&plan, &report), &request, &shared) {
            let before = std::mem::replace(&mut report, answered);
            let later = std::mem::replace(&mut report.trace, before.trace);
            report.trace.adopt(later);
        }
        if let Some(second) = self.second.clone() {
            check_again(store, instance, &second, &mut report, &request, &shared)?;
        }
        shared.wait_for_cancelled();
        let asked = shared.asked();
        if let SolveAnswer::Unknown(why) = &mut report.answer
            && !report.internal_error
        {
            *why = with_asked(why, asks_after.then_some(report.time), &asked);
        }
        if self.explain {
            report.notes.extend(asked.iter().map(|program| format!("asked: {program}")));
        }
        Ok(report)
    }
}

/// Asks another strategy about the core of a refutation. If it finds a model, neither is believed.
fn check_again(
    store: &mut Store,
    instance: &Instance,
    second: &(String, Arc<StrategyPlan>),
    report: &mut SolveReport,
    request: &SolveRequest,
    shared: &Arc<Shared>,
) -> Result<(), String> {
    let SolveAnswer::Unsat { core, .. } = &report.answer else { return Ok(()) };
    let terms = core_terms(instance, core);
    let request = SolveRequest { wants: Wants::MODELS, claims: false, ..request.clone() };
    let again = solve(store, &terms, &second.1, &request, shared);
    let label = &second.0;
    match again.answer {
        SolveAnswer::Unsat { .. } => {
            report.notes.push(format!(
                "{label} confirms that {} of {} assertions are unsat",
                core.len(),
                instance.assertions.len()
            ));
        }
        SolveAnswer::Unknown(why) => report.notes.push(format!("{label} does not confirm it: {why}")),
        SolveAnswer::Sat { .. } => {
            let why = format!("internal error: refuted here, and {label} has a model of the core; please report it");
            report.answer = SolveAnswer::Unknown(why);
            report.internal_error = true;
        }
    }
    Ok(())
}
