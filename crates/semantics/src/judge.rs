//! Judging a solver's model: as given, with defaults, and with values that the solver must be asked for.

use crate::eval::Evaluator;
use crate::limits::EvalLimits;
use crate::meter::Stop;
use crate::model::{FunctionTable, Interpretation, Model};
use crate::model_reader::{ModelReadError, read_model};
use crate::unknown::{Unknown, UnknownReason};
use crate::validate::{Verdict, validate_with};
use crate::value::Value;
use rustc_hash::FxHashSet;
use smtlib::sexpr::Sexprs;
use smtlib::{FuncBody, FuncId, Instance, Kind, Op, Store, TermId};

/// The maximum number of terms whose values are asked for at once.
pub const MAX_OPEN: usize = 500;

/// How often a solver is asked for values that a verdict still needs.
const ROUNDS: usize = 4;

/// The verdict on a model.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Judgement {
    /// All assertions are true under the model, whatever values complete it.
    Valid,
    /// The assertions are true once the missing symbols have defaults.
    ValidCompleted,
    /// One is false, whatever values complete the model.
    Invalid {
        /// The number of the first false assertion.
        assertion: usize,
        /// That assertion.
        term: TermId,
        /// Its subterms with their values, larger ones first.
        subterms: Vec<(TermId, Value)>,
    },
    /// One is false once the missing symbols have defaults. With other values it may be true, so this is not a verdict
    /// before the solver has given them.
    InvalidCompleted {
        /// The number of the first false assertion.
        assertion: usize,
        /// That assertion.
        term: TermId,
    },
    /// The truth of one is unknown.
    Unknown {
        /// The innermost term to blame.
        term: TermId,
        /// Why its value is unknown.
        reason: UnknownReason,
        /// What was wrong with the model's text for the symbol, if it was not understood.
        unreadable: Option<String>,
    },
}

/// The limits of judging a model.
#[derive(Clone, Debug)]
pub struct JudgeBounds {
    /// The bounds of each evaluator.
    pub limits: EvalLimits,
    /// When to stop: undecided assertions are unknown then.
    pub stop: Stop,
}

impl From<EvalLimits> for JudgeBounds {
    fn from(limits: EvalLimits) -> JudgeBounds {
        JudgeBounds { limits, stop: Stop::default() }
    }
}

impl JudgeBounds {
    fn evaluator(&self, model: Model) -> Evaluator {
        Evaluator::new(model, self.limits).heeding(&self.stop)
    }
}

/// A model under judgement.
pub struct ModelJudge {
    /// The model as given, without completion.
    bare: Model,
    completed: Vec<FuncId>,
    full: Option<Model>,
}

impl ModelJudge {
    /// Reads a model, with the solver's answer to `(get-value …)` on `asked` if there is one.
    /// Errors: [`ModelReadError`] if the text cannot be a model of this instance.
    pub fn new(
        store: &mut Store,
        instance: &Instance,
        model: &str,
        asked: &[TermId],
        values: &str,
    ) -> Result<ModelJudge, ModelReadError> {
        let pairs = pairs(values, asked);
        // Values may name elements of uninterpreted sorts: they are read with the model, as helper definitions.
        let with_values = if pairs.is_empty() { None } else { with_definitions(store, model, asked, &pairs) };
        let full = read_model(store, instance, with_values.as_deref().unwrap_or(model))?;
        let completed = full.completed().to_vec();
        let mut judge = ModelJudge { bare: full.clone(), completed, full: None };
        for &f in &judge.completed {
            judge.bare.remove(f);
        }
        if with_values.is_some() {
            judge.learn(store, asked, pairs.len());
        }
        if !judge.completed.is_empty() {
            judge.full = Some(judge.complete(full));
        }
        Ok(judge)
    }

    /// Returns the completed model, with learned values: rows of functions and choices win over defaults.
    fn complete(&self, mut full: Model) -> Model {
        for f in self.bare.symbols() {
            let (Some(known), Some(default)) = (self.bare.interpretation(f), full.interpretation(f)) else { continue };
            let improved = match (known, default) {
                (Interpretation::Table(rows), Interpretation::Table(complete)) if rows.default_value().is_none() => {
                    let mut table = FunctionTable::new(complete.default_value().cloned());
                    for (args, value) in rows.rows() {
                        table.insert(args.into(), value.clone());
                    }
                    Interpretation::Table(table)
                }
                _ => known.clone(),
            };
            full.improve(f, improved);
        }
        for (op, table) in self.bare.choices() {
            full.choose_table(op, table.clone());
        }
        full
    }

    /// Adds the solver's values: of symbols, of functions at these arguments, of choices the standard leaves open.
    fn learn(&mut self, store: &Store, asked: &[TermId], count: usize) {
        let names: Vec<Option<FuncId>> = (0..count).map(|n| helper(store, &self.bare, n)).collect();
        // Learned values of inner terms decide the arguments of outer ones: children come before parents.
        let mut order: Vec<usize> = (0..count.min(asked.len())).collect();
        order.sort_by_key(|&n| asked[n]);
        for n in order {
            let Some(Interpretation::Value(value)) = names[n].and_then(|f| self.bare.interpretation(f)) else {
                continue;
            };
            let value = value.clone();
            let mut evaluator = Evaluator::new(self.bare.clone(), EvalLimits::default());
            let args: Option<Box<[Value]>> =
                store.args(asked[n]).iter().map(|&a| evaluator.eval(store, a).ok()).collect();
            let Some(args) = args else { continue };
            let op = store.op(asked[n]);
            match op.func() {
                Some(f) => self.learn_function(store, f, args, value),
                None if !args.is_empty() && args.len() <= 2 => {
                    self.bare.choose(op, args, value);
                }
                None => {}
            }
        }
    }

    fn learn_function(&mut self, store: &Store, f: FuncId, args: Box<[Value]>, value: Value) {
        if args.is_empty() {
            // A value of another sort is ignored; the symbol stays open.
            let _ = self.bare.assign(store, f, value);
            return;
        }
        let mut table = match self.bare.interpretation(f) {
            Some(Interpretation::Table(table)) => table.clone(),
            None => FunctionTable::new(None),
            Some(_) => return,
        };
        table.insert(args, value);
        let _ = self.bare.assign_table(store, f, table);
    }

    /// Returns the symbols the model leaves out.
    pub fn completed(&self) -> &[FuncId] {
        &self.completed
    }

    /// Returns the model, with defaults for missing symbols and with learned values.
    pub fn into_model(self) -> Model {
        self.full.unwrap_or(self.bare)
    }

    /// Judges the assertions, within bounds.
    pub fn judgement(&self, store: &Store, assertions: &[TermId], bounds: impl Into<JudgeBounds>) -> Judgement {
        let bounds = bounds.into();
        let verdict = validate_with(store, assertions, &mut bounds.evaluator(self.bare.clone()));
        let (term, reason) = match verdict {
            Verdict::Valid => return Judgement::Valid,
            Verdict::Invalid { assertion, term, subterms } => {
                return Judgement::Invalid { assertion, term, subterms };
            }
            Verdict::Unknown { term, reason } => (term, reason),
        };
        if let Some(full) = &self.full {
            match validate_with(store, assertions, &mut bounds.evaluator(full.clone())) {
                Verdict::Valid => return Judgement::ValidCompleted,
                Verdict::Invalid { assertion, term, .. } => return Judgement::InvalidCompleted { assertion, term },
                Verdict::Unknown { term, reason } => return self.unknown(store, term, reason),
            }
        }
        self.unknown(store, term, reason)
    }

    fn unknown(&self, store: &Store, term: TermId, reason: UnknownReason) -> Judgement {
        let f = store.op(term).func();
        let unreadable = self.bare.unreadable().iter().find(|(g, _)| Some(*g) == f).map(|(_, why)| why.clone());
        Judgement::Unknown { term, reason, unreadable }
    }

    /// Returns the closed terms whose values are missing and that a solver can be asked about: missing symbols, functions at
    /// arguments without a row, choices the standard leaves open. At most [`MAX_OPEN`].
    pub fn open_terms(&self, store: &mut Store, assertions: &[TermId], bounds: impl Into<JudgeBounds>) -> Vec<TermId> {
        // An open term of a definition has a meaning outside only at the definition's arguments.
        let assertions: Vec<TermId> = assertions.iter().map(|&assertion| unfolded(store, assertion)).collect();
        let store = &*store;
        let mut evaluator = bounds.into().evaluator(self.bare.clone());
        for &assertion in &assertions {
            // Evaluated for its side effect: the memo.
            let _ = evaluator.eval(store, assertion);
        }
        let mut seen = FxHashSet::default();
        let mut stack: Vec<TermId> = assertions.iter().rev().copied().collect();
        let mut open = Vec::new();
        while let Some(t) = stack.pop() {
            if open.len() >= MAX_OPEN {
                break;
            }
            if !seen.insert(t) {
                continue;
            }
            match evaluator.remembered(t) {
                Some(Ok(_)) => continue,
                Some(Err(Unknown { term, reason })) if term == t && can_be_asked(store.op(t), reason) => open.push(t),
                _ => stack.extend_from_slice(store.args(t)),
            }
        }
        open
    }
}

/// The maximum number of terms made by unfolding the definitions of one assertion, and the maximum nesting of definitions.
const MAX_UNFOLDED: usize = 1 << 14;
const MAX_NESTING: usize = 32;

/// Replaces applications of non-recursive functions in a term by their bodies, within the bounds.
fn unfolded(store: &mut Store, t: TermId) -> TermId {
    let most = store.len() + MAX_UNFOLDED;
    let mut t = t;
    for _ in 0..MAX_NESTING {
        let next = store.rebuild(t, |store, u| {
            let func = store.func(store.applied(u)?);
            let FuncBody::Defined { vars, body } = &func.body else { return None };
            let (args, body) = (store.args(u), *body);
            let fits = func.result == store.sort(u) && args.iter().zip(&func.params).all(|(&a, &p)| store.sort(a) == p);
            if !fits || args.len() != vars.len() || store.len() > most {
                return None;
            }
            let pairs: Vec<_> = vars.iter().copied().zip(func.params.iter().copied()).zip(args.to_vec()).collect();
            let map = pairs.into_iter().map(|((name, sort), arg)| (store.bound_variable(name, sort), arg)).collect();
            Some(store.replace(body, &map))
        });
        if next == t {
            break;
        }
        t = next;
    }
    t
}

/// A term whose reported value is not its value under the solver's model.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ContradictedValue {
    /// The number of the term among those asked for.
    pub number: usize,
    /// Its value under the model.
    pub own: Value,
    /// The reported value.
    pub reported: Value,
}

/// Returns the first of the terms `asked` whose value in the solver's reply to `(get-value …)` differs from its value under the
/// model, whatever values complete it. Values that the standard leaves open contradict nothing.
/// Errors: [`ModelReadError`] if the text cannot be a model of this instance.
pub fn contradicted_value(
    store: &mut Store,
    instance: &Instance,
    model: &str,
    asked: &[TermId],
    values: &str,
    limits: EvalLimits,
) -> Result<Option<ContradictedValue>, ModelReadError> {
    let pairs = pairs(values, asked);
    let Some(text) = with_definitions(store, model, asked, &pairs) else { return Ok(None) };
    let mut bare = read_model(store, instance, &text)?;
    for f in bare.completed().to_vec() {
        bare.remove(f);
    }
    let helpers: Vec<Option<FuncId>> = (0..pairs.len()).map(|n| helper(store, &bare, n)).collect();
    let mut evaluator = Evaluator::new(bare, limits);
    for (number, (&term, helper)) in asked.iter().zip(helpers).enumerate() {
        let Some(reported) = helper.and_then(|f| store.constant_of(f).ok()) else { continue };
        let Ok(equal) = store.eq(term, reported) else { continue };
        if evaluator.truth(store, equal) != Some(false) {
            continue;
        }
        if let (Ok(own), Ok(reported)) = (evaluator.eval(store, term), evaluator.eval(store, reported)) {
            return Ok(Some(ContradictedValue { number, own, reported }));
        }
    }
    Ok(None)
}

/// Gives a model again, with the values of some terms in it, both as a solver prints them; `None` if there is no solver
/// to ask.
pub type AskValues<'a> = dyn FnMut(&mut Store, &[TermId]) -> Option<(String, String)> + 'a;

/// Judges a model, and asks for the values of terms while the verdict needs some; the model may be given again with
/// them.
/// Errors: [`ModelReadError`] if a text cannot be a model of this instance.
pub fn settle(
    store: &mut Store,
    instance: &Instance,
    model: &str,
    bounds: impl Into<JudgeBounds>,
    ask: &mut AskValues<'_>,
) -> Result<(ModelJudge, Judgement), ModelReadError> {
    let bounds = bounds.into();
    let (mut text, mut values) = (model.to_string(), String::new());
    let mut asked = Vec::new();
    let mut round = 0;
    loop {
        let judge = ModelJudge::new(store, instance, &text, &asked, &values)?;
        let judgement = judge.judgement(store, &instance.assertions, bounds.clone());
        let open = match &judgement {
            Judgement::InvalidCompleted { .. } | Judgement::Unknown { .. } if round < ROUNDS => {
                judge.open_terms(store, &instance.assertions, bounds.clone())
            }
            _ => return Ok((judge, judgement)),
        };
        round += 1;
        let before = asked.len();
        for term in open.into_iter().flat_map(|term| binary_steps(store, term)).collect::<Vec<_>>() {
            if !asked.contains(&term) {
                asked.push(term);
            }
        }
        // A term that was asked for and is still open stays open.
        if asked.len() == before {
            return Ok((judge, judgement));
        }
        match ask(store, &asked) {
            Some(said) => (text, values) = said,
            None => return Ok((judge, judgement)),
        }
    }
}

/// Returns the binary steps of an n-ary division; any other term itself.
///
/// Choices for division by zero belong to its binary steps, so a solver is asked about these.
pub fn binary_steps(store: &mut Store, t: TermId) -> Vec<TermId> {
    let op = store.op(t);
    let args = store.args(t).to_vec();
    if args.len() <= 2 || !matches!(op.kind, Kind::RealDiv | Kind::IntDiv) {
        return vec![t];
    }
    let mut left = args[0];
    let mut steps = Vec::new();
    for &right in &args[1..] {
        let Ok(step) = store.app(op, &[left, right]) else { break };
        steps.push(step);
        left = step;
    }
    steps
}

/// Whether a solver has its own value for such a term.
fn can_be_asked(op: Op, reason: UnknownReason) -> bool {
    match reason {
        UnknownReason::Unassigned | UnknownReason::OutsideTable => op.kind == Kind::Apply,
        UnknownReason::DivisionByZero
        | UnknownReason::WrongConstructor
        | UnknownReason::OutsideSequence
        | UnknownReason::Float(_)
        | UnknownReason::Extension => true,
        _ => false,
    }
}

/// Returns the values of the requested terms in a reply to `(get-value …)`, in order; `None` unless it has one value for each.
fn pairs<'v>(values: &'v str, asked: &[TermId]) -> Vec<&'v str> {
    let Some(all) = Sexprs::read_whole(values) else { return Vec::new() };
    let Some(list) = all.top().find(|&node| all.is_list(node)) else { return Vec::new() };
    let pair = |node| match all.words(node)[..] {
        [_, value] => Some(value),
        _ => None,
    };
    let pairs: Option<Vec<&str>> = all.children(list).map(pair).collect();
    pairs.filter(|pairs| pairs.len() == asked.len()).unwrap_or_default()
}

/// Returns the name of the helper that holds the value of term number `n`.
fn helper_name(n: usize) -> String {
    format!("squall!value!{n}")
}

fn helper(store: &Store, model: &Model, n: usize) -> Option<FuncId> {
    let name = helper_name(n);
    model.symbols().into_iter().find(|&f| store.name(store.func(f).name) == name)
}

/// Returns the model with the values as further definitions: the replies to several commands count as one. `None` if it is not
/// a list.
fn with_definitions(store: &Store, model: &str, asked: &[TermId], values: &[&str]) -> Option<String> {
    let all = Sexprs::read_whole(model)?;
    all.top().find(|&node| all.is_list(node))?;
    let mut text = format!("{model}\n(\n");
    for (n, (&term, value)) in asked.iter().zip(values).enumerate() {
        let sort = store.sort_text(store.sort(term));
        text.push_str(&format!("(define-fun {} () {sort} {value})\n", helper_name(n)));
    }
    text.push(')');
    Some(text)
}
