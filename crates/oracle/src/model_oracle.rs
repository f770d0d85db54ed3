//! The model oracle: is the solver's reply to `(get-model)` after `sat` a model of the script?

use crate::judge::Hit;
use crate::tested::ModelQuery;
use crate::{exhaustion, optimum_oracle, value_oracle};
use finding::BugClass;
use mutate::small_world;
use semantics::truth::{ExhaustLimits, OpenTruth, Search, TruthQuery};
use semantics::{EvalLimits, Judgement, ModelJudge, Stop, Value};
use smtlib::{Command, Dialect, Instance, Kind, Parsed, Printer, Status, Store, TermId};
use solver::misread::{misread, with_standard_escapes};
use solver::outcome::{Answer, CheckAnswer, SolverOutcome};
use solver::process::{ProcessLimits, RunError};
use solver::session::SessionNeeds;
use std::borrow::Cow;

/// The symptom of a finding of this oracle.
pub use finding::symptom::WRONG_MODEL as SYMPTOM;
/// The symptom of a wrong value.
pub use finding::symptom::WRONG_VALUE as VALUE_SYMPTOM;

/// How often a solver is asked for values that a verdict still needs.
const ROUNDS: usize = 3;

/// The maximum size of a judged model, in bytes.
pub(super) const MAX_MODEL_BYTES: usize = 1 << 20;

/// How many characters of an assertion or value are printed.
const EXCERPT: usize = 400;

/// How many subterms of a false assertion are printed with their values.
const SUBTERMS: usize = 12;

/// An assertion that is false under the solver's own model, or a reported value that contradicts the model.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FalseAssertion {
    /// The check the model is of, from 0.
    pub check: usize,
    /// What contradicts the model.
    pub part: RefutedPart,
    /// The number of the assertion among those live at the check, of the value among those asked for, or of the objective, from 0.
    pub number: usize,
    /// The assertion (or the term and its reported value), and values, shortened, one per line.
    pub description: String,
}

/// The part that a model contradicts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RefutedPart {
    /// An assertion.
    Assertion,
    /// A reported value.
    Value,
    /// The best value of an objective.
    Optimum,
}

/// The verdict on the models of one script.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ScriptVerdict {
    /// Every model given satisfies its check; there was at least one.
    Valid,
    /// One does not, whatever values complete it.
    Invalid(FalseAssertion),
    /// Unknown, with the reason.
    Open(String),
    /// No model was given.
    None,
}

/// The result of asking the solver alone.
#[derive(Clone, Debug)]
pub struct Examined {
    /// The verdict.
    pub verdict: ScriptVerdict,
    /// The run with the judged model.
    pub outcome: SolverOutcome,
}

/// Returns the script with `(get-model)` after every check that may be `sat`; `None` if it does not parse or has no
/// such check.
pub fn with_models(text: &str, expected: &[Status]) -> Option<String> {
    let has_model = |check: usize| expected.get(check).is_some_and(|expected| *expected != Status::Unsat);
    asking_after(text, has_model, "(get-model)")
}

/// Inserts a command after each check whose number `is_asked` accepts; `None` if `text` has errors or no such check.
pub fn asking_after(text: &str, is_asked: impl Fn(usize) -> bool, command: &str) -> Option<String> {
    let mut store = Store::new();
    let parsed = smtlib::parse(&mut store, text);
    let ends: Vec<usize> =
        check_ends(&parsed).enumerate().filter(|(check, _)| is_asked(*check)).map(|(_, end)| end).collect();
    if !parsed.errors.is_empty() || ends.is_empty() {
        return None;
    }
    let mut asking = String::with_capacity(text.len() + (command.len() + 1) * ends.len());
    let mut from = 0;
    for end in ends {
        asking.push_str(&text[from..end]);
        asking.push('\n');
        asking.push_str(command);
        from = end;
    }
    asking.push_str(&text[from..]);
    Some(asking)
}

fn check_ends(parsed: &Parsed) -> impl Iterator<Item = usize> {
    parsed.script.commands.iter().zip(&parsed.spans).filter(|(c, _)| c.is_check()).map(|(_, span)| span.end)
}

/// Judges the models in the answers without asking the solver again: a model that leaves out relevant symbols is open.
/// `text` was sent.
pub fn glance(text: &str, answers: &[CheckAnswer], misreads: &[String]) -> ScriptVerdict {
    let mut script = SentScript::read(text);
    let mut all = ScriptVerdict::None;
    let query = TruthQuery { limits: &small_world::LIMITS, stop: &Stop::default(), search: Search::Quick };
    for model in models(answers) {
        let verdict = match script.judge(model, &[], "", misreads) {
            ModelJudgement::Known(verdict) => verdict,
            ModelJudgement::Wanting { why, .. } => ScriptVerdict::Open(why),
        };
        all = all.and(verdict).and(script.judge_objectives(model, misreads, query));
    }
    all
}

/// Asks a solver, alone in a fresh process, and judges its models. `text` asks for them after its checks.
///
/// If a verdict depends on symbols that a model leaves out, the solver is asked for their values with `(get-value …)`.
/// Errors: the solver cannot be run.
pub fn examine(
    asked: ModelQuery<'_>,
    text: &str,
    purpose: SessionNeeds,
    limits: &ProcessLimits,
) -> Result<Examined, RunError> {
    examine_some(asked, text, purpose, limits, |_| true)
}

/// Asks a solver as [`examine`] does, and judges only its model of one check.
/// Errors: the solver cannot be run.
pub fn examine_check(
    asked: ModelQuery<'_>,
    text: &str,
    check: usize,
    purpose: SessionNeeds,
    limits: &ProcessLimits,
) -> Result<Examined, RunError> {
    examine_some(asked, text, purpose, limits, |of| of == check)
}

fn examine_some(
    asked: ModelQuery<'_>,
    text: &str,
    purpose: SessionNeeds,
    limits: &ProcessLimits,
    counts: impl Fn(usize) -> bool,
) -> Result<Examined, RunError> {
    let outcome = asked.solver.check(text, purpose | SessionNeeds::MODELS, limits)?;
    let mut script = SentScript::read(text);
    let mut all = ScriptVerdict::None;
    for model in models(&outcome.answers).filter(|model| counts(model.check)) {
        if let Some(spelling) = asked.solver.installed().miswritten(model.model) {
            all = all.and(ScriptVerdict::Open(spelling));
            continue;
        }
        let (verdict, last) = script.settle(asked, model, purpose | SessionNeeds::MODELS, limits)?;
        if let (ScriptVerdict::Invalid(_), Some(outcome)) = (&verdict, last) {
            return Ok(Examined { verdict, outcome });
        }
        all = all.and(verdict).and(script.judge_values(asked, model));
        let (limits, stop) = (ExhaustLimits::default(), exhaustion::within_time());
        let query = TruthQuery { limits: &limits, stop: &stop, search: Search::Recorded };
        all = all.and(script.judge_objectives(model, asked.misreads, query));
    }
    Ok(Examined { verdict: all, outcome })
}

/// Returns the hit for a verdict.
pub fn hit(verdict: &ScriptVerdict) -> Option<Hit> {
    match verdict {
        ScriptVerdict::Invalid(found) => {
            Some(Hit { class: BugClass::B, check: found.check, symptom: found.part.symptom().to_string() })
        }
        _ => None,
    }
}

impl RefutedPart {
    /// Returns the symptom of a finding.
    pub fn symptom(self) -> &'static str {
        match self {
            RefutedPart::Assertion => SYMPTOM,
            RefutedPart::Value => VALUE_SYMPTOM,
            RefutedPart::Optimum => finding::symptom::WRONG_OPTIMUM,
        }
    }
}

impl ScriptVerdict {
    /// Combines two verdicts: a false assertion comes first, then unknown ones.
    fn and(self, other: ScriptVerdict) -> ScriptVerdict {
        let rank = |verdict: &ScriptVerdict| match verdict {
            ScriptVerdict::None => 0,
            ScriptVerdict::Valid => 1,
            ScriptVerdict::Open(_) => 2,
            ScriptVerdict::Invalid(_) => 3,
        };
        if rank(&other) > rank(&self) { other } else { self }
    }
}

/// A solver's output for one check.
#[derive(Clone, Copy)]
pub(super) struct CheckModel<'a> {
    pub(super) check: usize,
    pub(super) model: &'a str,
    /// The reply to the next `(get-value …)`, if the script has one.
    pub(super) values: Option<&'a str>,
    /// The reply to `(get-objectives)`, if the script asks for it.
    pub(super) objectives: Option<&'a str>,
}

fn models(answers: &[CheckAnswer]) -> impl Iterator<Item = CheckModel<'_>> {
    let given = |(check, answer): (usize, &'_ CheckAnswer)| -> Option<usize> {
        (answer.answer == Answer::Sat && !answer.responses.is_empty()).then_some(check)
    };
    answers.iter().enumerate().filter_map(move |pair| {
        let check = given(pair)?;
        let (model, values) = (&pair.1.responses[0], pair.1.responses.get(1).map(String::as_str));
        let objectives = pair.1.responses.iter().find(|response| response.starts_with(optimum_oracle::REPLY));
        Some(CheckModel { check, model, values, objectives: objectives.map(String::as_str) })
    })
}

/// The judgement of one model.
enum ModelJudgement {
    /// The judgement is final.
    Known(ScriptVerdict),
    /// The judgement depends on values that the solver can be asked for.
    Wanting { open: Vec<TermId>, why: String },
}

/// A sent script, parsed again.
pub(super) struct SentScript<'t> {
    pub(super) text: &'t str,
    pub(super) store: Store,
    pub(super) instances: Vec<Instance>,
    /// The terms whose values are asked for right after the model of each check.
    pub(super) asked: Vec<Vec<TermId>>,
    /// The end of each check, in bytes.
    ends: Vec<usize>,
}

impl<'t> SentScript<'t> {
    /// A text with errors has no instances, so nothing in it is judged.
    pub(super) fn read(text: &'t str) -> SentScript<'t> {
        let mut store = Store::new();
        let parsed = smtlib::parse(&mut store, text);
        let ends = check_ends(&parsed).collect();
        let instances = if parsed.errors.is_empty() { parsed.script.instances() } else { Vec::new() };
        let asked = value_oracle::asked(&parsed.script.commands);
        SentScript { text, store, instances, asked, ends }
    }

    fn judge(&mut self, given: CheckModel<'_>, asked: &[TermId], values: &str, misreads: &[String]) -> ModelJudgement {
        let open = |why: &str| ModelJudgement::Known(ScriptVerdict::Open(why.to_string()));
        let Some(instance) = self.instances.get(given.check) else { return open("the script does not parse") };
        const CARRIED: &str = "the script has commands that are only carried as text";
        if instance.may_be_weaker {
            return open(CARRIED);
        }
        if given.model.len() > MAX_MODEL_BYTES {
            return open("the model is too large");
        }
        let Some([_, model, values]) = as_standard([self.text, given.model, values], misreads) else {
            return open("this version prints or reads something differently from the standard");
        };
        let (model, values) = (&*model, &*values);
        if quantifies_elements(instance, self.text) {
            return open("a quantifier may range over elements that the model does not list");
        }
        let assertions = &instance.assertions;
        let limits = EvalLimits::ONE_OF_MANY;
        let judge = match ModelJudge::new(&mut self.store, instance, model, asked, values) {
            Ok(judge) => judge,
            Err(error) => return ModelJudgement::Known(ScriptVerdict::Open(error.to_string())),
        };
        match judge.judgement(&self.store, assertions, limits) {
            // A false assertion is false, whatever the rest of the script.
            Judgement::Valid | Judgement::ValidCompleted if instance.incomplete => open(CARRIED),
            Judgement::Valid | Judgement::ValidCompleted => {
                match semantics::truth::unproven(&self.store, &instance.declarations) {
                    Some(name) => open(&OpenTruth::NotTotal(name.to_string()).to_string()),
                    None => ModelJudgement::Known(ScriptVerdict::Valid),
                }
            }
            Judgement::Invalid { assertion, term, subterms } => {
                let description = describe(&mut self.store, term, &subterms);
                ModelJudgement::Known(ScriptVerdict::Invalid(FalseAssertion {
                    check: given.check,
                    part: RefutedPart::Assertion,
                    number: assertion,
                    description,
                }))
            }
            Judgement::InvalidCompleted { .. } => {
                // Only symbols are asked for: no value is wrong where the standard leaves it open.
                let mut open = judge.open_terms(&mut self.store, assertions, limits);
                open.retain(|&term| self.store.op(term).func().is_some());
                ModelJudgement::Wanting { open, why: "it depends on symbols that the model leaves out".to_string() }
            }
            Judgement::Unknown { reason, unreadable, .. } => {
                ModelJudgement::Known(ScriptVerdict::Open(unreadable.unwrap_or_else(|| reason.to_string())))
            }
        }
    }

    /// Judges a model, and asks the solver for what it leaves out. Returns the last further run, if any.
    fn settle(
        &mut self,
        asked: ModelQuery<'_>,
        given: CheckModel<'_>,
        purpose: SessionNeeds,
        limits: &ProcessLimits,
    ) -> Result<(ScriptVerdict, Option<SolverOutcome>), RunError> {
        let mut judged = self.judge(given, &[], "", asked.misreads);
        let mut terms: Vec<TermId> = Vec::new();
        let mut last = None;
        for _ in 0..ROUNDS {
            let ModelJudgement::Wanting { open, .. } = &judged else { break };
            // A term that was asked for and is still open stays open.
            let new: Vec<TermId> = open.iter().copied().filter(|term| !terms.contains(term)).collect();
            if new.is_empty() {
                break;
            }
            terms.extend(new);
            let outcome = asked.solver.check(&self.question(given.check, &terms, asked.dialect), purpose, limits)?;
            let answered = outcome.answers.get(given.check).filter(|check| check.answer == Answer::Sat);
            let Some([model, values, ..]) = answered.map(|check| &check.responses[..]) else { break };
            let installed = asked.solver.installed();
            if let Some(spelling) = installed.miswritten(model).or_else(|| installed.miswritten(values)) {
                return Ok((ScriptVerdict::Open(spelling), Some(outcome)));
            }
            judged = self.judge(CheckModel { model, ..given }, &terms, values, asked.misreads);
            last = Some(outcome);
        }
        Ok(match judged {
            ModelJudgement::Known(verdict) => (verdict, last),
            ModelJudgement::Wanting { why, .. } => (ScriptVerdict::Open(why), last),
        })
    }

    /// Returns the script up to a check, followed by questions for its model and the values of terms.
    pub(super) fn question(&self, check: usize, terms: &[TermId], dialect: &Dialect) -> String {
        let mut text = self.text[..self.ends[check]].to_string();
        text.push_str("\n(get-model)\n(get-value (");
        let mut printer = Printer::new(&self.store, dialect);
        for &term in terms {
            text.push('\n');
            printer.term(term, &mut text);
        }
        text.push_str("))\n");
        text
    }
}

/// Converts a script and its solver's output to the standard's spelling. `None` if the solver's version reads or prints something
/// differently (what it misreads it also misprints), or for bytes that are not UTF-8.
pub(super) fn as_standard<'t>(texts: [&'t str; 3], misreads: &[String]) -> Option<[Cow<'t, str>; 3]> {
    let names = || misreads.iter().map(String::as_str);
    let unclear = |text: &str| misread(names(), text).is_some() || text.contains('\u{fffd}');
    let [script, model, values] = texts;
    let standard = |text: &'t str| match with_standard_escapes(names(), text) {
        Some(standard) => Some(Cow::Owned(standard)),
        None => (!unclear(text)).then_some(Cow::Borrowed(text)),
    };
    let script = (!unclear(script)).then_some(Cow::Borrowed(script))?;
    Some([script, standard(model)?, standard(values)?])
}

/// Prints an assertion and the values of its subterms, one per line, without literals.
pub fn describe(store: &mut Store, term: TermId, subterms: &[(TermId, Value)]) -> String {
    let mut text = shortened(&store.term_text(term));
    let shown = subterms.iter().filter(|(t, _)| !matches!(store.kind(*t), Kind::Constant | Kind::True | Kind::False));
    let shown: Vec<_> = shown.take(SUBTERMS).collect();
    for (subterm, value) in shown {
        let sort = store.sort(*subterm);
        let Some(literal) = value.to_term(store, sort) else { continue };
        let (value, subterm) = (shortened(&store.term_text(literal)), shortened(&store.term_text(*subterm)));
        text.push_str(&format!("\n  {value}  is  {subterm}"));
    }
    text
}

pub(super) fn shortened(text: &str) -> String {
    match text.char_indices().nth(EXCERPT) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_string(),
    }
}

/// Whether a quantifier may range over an uninterpreted sort, whose elements some solvers' models do not list.
fn quantifies_elements(instance: &Instance, text: &str) -> bool {
    let declares = instance.declarations.iter().any(|command| matches!(command, Command::DeclareSort(..)));
    declares && (text.contains("forall") || text.contains("exists"))
}
