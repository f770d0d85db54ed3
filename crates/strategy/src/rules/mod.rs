//! `(rules "FILE")`: rewrites a goal by the rules of a file, each of which is proved before it is used.
//!
//! Rules may leave widths of bit-vectors and floats open. When the file is read each is checked at small widths by exhaustion; at the
//! widths of a goal our own engines must refute its negation before it is applied there. A rule with `:trusted` is applied even if
//! neither succeeds, which every refutation through such a step records; a model is then judged before it is converted back.

mod check;
mod instance;
mod search;
mod set;
mod shape;
mod text;

pub use set::RuleSet;

use crate::budget::Budget;
use crate::delegated::WayBack;
use crate::outcome::{Subgoals, TacticFailure, TacticOutcome};
use crate::plan::StrategyPlan;
use crate::run::TacticRun;
use crate::tactic::Tactic;
use check::RuleStanding;
use instance::SizedRule;
use rewrite::pass::PassMeter;
use rewrite::walk::Rebuild;
use rewrite::{Conversion, Goal, GoalFormula, ModelConverter, PassError, PassResult, TacticParameter};
use rustc_hash::FxHashMap;
use search::FoundMatch;
use shape::next_widths;
use smtlib::{Store, TermId};
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

/// The limit of rewriting.
pub const MAX_STEPS: TacticParameter = TacticParameter {
    name: "max-steps",
    about: "the maximum number of applications of rules to a goal; endless rewriting fails here",
    default: 100_000,
    words: &[],
};

/// The maximum nesting of rule applications to new terms before the whole goal is examined again.
const MAX_NESTING: u32 = 100;

/// The strategy of our own engines that proves rules: exhaustion first, for integers over small ones, where `unsat` is not an answer;
/// then sums of monomials, which are equal on both sides if a rule holds in every ring; then refutation.
pub const PROVER: &str = "(or-else exhaust (then (using-params add-bounds :bound 4) exhaust) (then simplify som simplify fail) \
    (then simplify propagate-values smt) smt (then simplify propagate-values nla2bv smt))";

/// The rules of a file as a tactic.
pub struct RulesTactic {
    /// The rules.
    pub rules: Arc<RuleSet>,
    /// The prover of rules at the widths of a goal: [`PROVER`].
    pub prover: Arc<StrategyPlan>,
    /// The maximum number of applications of rules to a goal.
    pub max_steps: u64,
    /// Its name in traces and proofs.
    pub name: Arc<str>,
}

impl Tactic for RulesTactic {
    fn apply(&self, store: &mut Store, goal: Goal, run: &mut TacticRun) -> TacticOutcome {
        match self.rewrite(store, goal, &run.budget) {
            Ok(outcome) => outcome,
            Err(failure) => TacticOutcome::Fail(failure),
        }
    }
}

impl RulesTactic {
    fn rewrite(&self, store: &mut Store, mut goal: Goal, budget: &Budget) -> Result<TacticOutcome, TacticFailure> {
        let count = goal.len();
        let before: Vec<TermId> = goal.terms().collect();
        let settings = budget.settings();
        let mut rewriter = RuleRewriter {
            tactic: self,
            budget,
            watch: settings.watch(store),
            instances: FxHashMap::default(),
            steps: 0,
            nesting: 0,
            trusted: BTreeSet::new(),
            failure: None,
        };
        let mut watch = settings.watch(store);
        let mut formulas = goal.take();
        let mut rounds = 0;
        loop {
            if rounds == settings.limits.rounds {
                let error = PassError::TooLarge { what: "rounds of rules", limit: rounds };
                return Err(TacticFailure::of(error, budget));
            }
            rounds += 1;
            let mut rebuild = Rebuild::default();
            let mut has_changed = false;
            for formula in &mut formulas {
                let made = rebuild.run(store, formula.term, &mut watch, |store, t| rewriter.node(store, t));
                let term =
                    made.map_err(|error| rewriter.failure.take().unwrap_or_else(|| TacticFailure::of(error, budget)))?;
                has_changed |= term != formula.term;
                formula.term = term;
            }
            if !has_changed {
                break;
            }
        }
        for GoalFormula { term, origins } in formulas {
            goal.push(store, GoalFormula { term, origins });
        }
        if rewriter.trusted.is_empty() {
            return Ok(TacticOutcome::Open(Subgoals::step(&self.name, count, vec![PassResult::new(goal)])));
        }
        let rules: Vec<&str> = rewriter.trusted.iter().map(String::as_str).collect();
        let by: Arc<str> = format!("rule {} of {}", rules.join(", "), self.rules.file).into();
        let way_back = WayBack { by: Arc::clone(&by), converter: Some(ModelConverter::identity()), goal: before };
        let converter = ModelConverter::new(vec![Conversion::Custom(Arc::new(way_back))]);
        let step = PassResult::with(goal, converter);
        Ok(TacticOutcome::Open(Subgoals::trusted_step(&self.name, &by, count, vec![step])))
    }
}

/// A rule in a goal's store.
struct UsableRule {
    instance: SizedRule,
    is_proven: bool,
}

/// The rewriting of one goal.
struct RuleRewriter<'a> {
    tactic: &'a RulesTactic,
    budget: &'a Budget,
    watch: PassMeter<'a>,
    /// The rules in the goal's store by position and widths; `None` for a rule that must not be applied.
    instances: FxHashMap<(usize, Vec<u32>), Option<Rc<UsableRule>>>,
    steps: u64,
    /// The current nesting of rule applications.
    nesting: u32,
    /// The rules that were applied without a proof.
    trusted: BTreeSet<String>,
    /// Why the rewriting ended, if that is no error of a pass.
    failure: Option<TacticFailure>,
}

impl RuleRewriter<'_> {
    /// Rewrites a term with rewritten arguments as long as a rule matches it.
    fn node(&mut self, store: &mut Store, mut t: TermId) -> Result<TermId, PassError> {
        while let Some(next) = self.step(store, t)? {
            self.steps += 1;
            if self.steps > self.tactic.max_steps {
                let limit = usize::try_from(self.tactic.max_steps).unwrap_or(usize::MAX);
                return Err(PassError::TooLarge { what: "applications of rules", limit });
            }
            self.watch.tick(store)?;
            t = next;
        }
        Ok(t)
    }

    /// Immediately rewrites a term made by a rule: the matched parts are rewritten already, so another pass over the whole goal would
    /// find little. Too deep nesting waits for that pass.
    fn within(&mut self, store: &mut Store, t: TermId) -> Result<TermId, PassError> {
        if self.nesting == MAX_NESTING {
            return Ok(t);
        }
        self.nesting += 1;
        let made = self.node(store, t);
        self.nesting -= 1;
        made
    }

    /// Returns the result of the first rule that matches a term.
    fn step(&mut self, store: &mut Store, t: TermId) -> Result<Option<TermId>, PassError> {
        let tactic = self.tactic;
        for (n, rule) in tactic.rules.rules.iter().enumerate() {
            if !rule.shape.begins(store, t) {
                continue;
            }
            let mut search = rule.shape.search(&rule.text, t, rule.order);
            let mut tried: Vec<Vec<u32>> = Vec::new();
            while let Some(widths) = next_widths(store, &rule.text, &mut search) {
                if tried.contains(&widths) {
                    continue;
                }
                let next = self.step_by(store, n, &widths, t)?;
                if next.is_some() {
                    return Ok(next);
                }
                if widths.is_empty() {
                    break;
                }
                tried.push(widths);
            }
        }
        Ok(None)
    }

    /// Returns the result of a rule at these widths on a term, by the first match whose condition holds and that changes it.
    fn step_by(&mut self, store: &mut Store, n: usize, widths: &[u32], t: TermId) -> Result<Option<TermId>, PassError> {
        let rule = &self.tactic.rules.rules[n];
        let key = (n, widths.to_vec());
        if !self.instances.contains_key(&key) {
            let made = self.instance(store, n, widths)?;
            self.instances.insert(key.clone(), made.map(Rc::new));
        }
        let Some(Some(usable)) = self.instances.get(&key).cloned() else { return Ok(None) };
        let UsableRule { instance, is_proven } = &*usable;
        let mut search = instance.search(t, rule.order);
        while let Some(FoundMatch { found, rest }) = instance.next_match(store, &mut search) {
            let mut watch = self.watch.clone();
            let next = instance.replaced(store, &found, &mut watch, |store, t| self.within(store, t))?;
            let Some(mut next) = next else { continue };
            if !rest.is_empty() {
                next = store.app(store.op(t), &[&[next], &rest[..]].concat())?;
            }
            if next == t {
                continue;
            }
            if !is_proven {
                self.trusted.insert(rule.text.name.clone());
            }
            return Ok(Some(next));
        }
        Ok(None)
    }

    /// Returns a rule at these widths; `None` if it must not be applied.
    fn instance(&mut self, store: &mut Store, n: usize, widths: &[u32]) -> Result<Option<UsableRule>, PassError> {
        let rule = &self.tactic.rules.rules[n];
        let is_proven = match rule.standing(widths, &self.tactic.prover, self.budget) {
            RuleStanding::Proven => true,
            RuleStanding::Open(_) if rule.text.is_trusted => false,
            RuleStanding::Open(_) | RuleStanding::Meaningless(_) => {
                self.watch.tick(store)?;
                return Ok(None);
            }
            RuleStanding::Wrong(why) => {
                let (rule, file) = (rule.named_at(widths), &self.tactic.rules.file);
                let why = format!("the rule {rule} of {file} is wrong: {why}");
                self.failure = Some(TacticFailure::Trouble(why.clone()));
                return Err(PassError::NotApplicable(why));
            }
        };
        Ok(SizedRule::of(store, &rule.text, widths).ok().map(|instance| UsableRule { instance, is_proven }))
    }
}
