//! The judge: does the solver still err on a text, and does the truth it errs about still stand?
//!
//! Invariant: it judges the very text that is sent, read afresh into terms; nothing of how the text was made counts.

use crate::check_command::CheckCommand;
use crate::model_text;
use crate::query::{Trusted, validated};
use crate::subject::{Values, Witness, is_evaluable};
use crate::truth::Truth;
use crate::wrong::Wrong;
use semantics::Verdict as Validity;
use smtlib::{Instance, Store};
use solver::outcome::{Answer, Outcome};
use solver::process::Limits;
use solver::session::{Purpose, Solver};
use std::sync::Arc;

/// How many checks of one text are looked at, at most: those from the first wrong answer on.
const MAX_SUSPECTS: usize = 4;

/// What decides whether a text is interesting.
pub enum Judge {
    /// A solver that errs about a truth.
    Solver(Box<SolverJudge>),
    /// A command of the user's.
    Command(CheckCommand),
}

/// A solver, the way in which it is wrong, and who says so.
pub struct SolverJudge {
    /// The solver.
    pub target: Solver,
    /// What the script needs of it.
    pub purpose: Purpose,
    /// What one run may use.
    pub limits: Limits,
    /// How it is wrong.
    pub wrong: Wrong,
    /// The crash's signature, or the message by which the solver convicts itself, without digits.
    pub symptom: Option<String>,
    /// Whose word is taken where our evaluator does not know.
    pub trusted: Vec<Trusted>,
    /// What one run of a trusted solver may use.
    pub trusted_limits: Limits,
    /// Whether a truth that is only trusted is good enough; not so once it was certified.
    pub accepts_trust: bool,
    /// How often the solver is asked until it errs: 1 unless it is flaky.
    pub tries: u32,
    /// The scripts that go before in the same process, each ended by `(reset)`; mostly none.
    pub earlier: Arc<str>,
}

/// The judgement on a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// The solver errs, and the truth stands.
    Interesting(Evidence),
    /// The solver does not do what it did; what it did instead, in words.
    NotShown(String),
    /// The solver answers as before, but nobody knows that it is wrong.
    TruthLost(String),
}

/// Why a text is interesting.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Evidence {
    /// How the truth stands.
    pub truth: Truth,
    /// The check that is answered wrongly, from 0.
    pub check: usize,
    /// The model that certifies it, as the solver that found it prints it, where the witness given did not do.
    pub model: Option<String>,
}

impl Evidence {
    /// The verdict on this evidence, with no model besides.
    fn verdict(truth: Truth, check: usize) -> Verdict {
        Verdict::Interesting(Evidence { truth, check, model: None })
    }
}

impl Judge {
    /// Judges a text. `asks` says whether trusted solvers may be asked for the truth when `witness` does not show it.
    pub fn judge(&self, text: &str, witness: Option<&Witness>, asks: bool) -> Verdict {
        match self {
            Judge::Solver(judge) => judge.judge(text, witness, asks),
            Judge::Command(command) => command.judge(text),
        }
    }

    /// The way in which the solver is wrong; none for a command of the user's.
    pub fn wrong(&self) -> Option<Wrong> {
        match self {
            Judge::Solver(judge) => Some(judge.wrong),
            Judge::Command(_) => None,
        }
    }
}

impl SolverJudge {
    pub(crate) fn judge(&self, text: &str, witness: Option<&Witness>, asks: bool) -> Verdict {
        let mut last = Verdict::NotShown("not asked".to_string());
        for _ in 0..self.tries.max(1) {
            last = match self.run(text) {
                Ok(outcome) => self.of_outcome(text, &outcome, witness, asks),
                Err(error) => Verdict::NotShown(error.to_string()),
            };
            if !matches!(last, Verdict::NotShown(_)) {
                break;
            }
        }
        last
    }

    /// Asks the solver.
    ///
    /// # Errors
    /// It could not be run at all.
    pub fn run(&self, text: &str) -> Result<Outcome, solver::process::RunError> {
        match self.wrong {
            Wrong::InvalidModel => {
                self.target.check_after(&self.earlier, &with_get_model(text), self.purpose, &self.limits)
            }
            _ => self.target.check_after(&self.earlier, text, self.purpose, &self.limits),
        }
    }

    /// The answer that is wrong.
    fn answer(&self) -> Answer {
        match self.wrong {
            Wrong::Unsat => Answer::Unsat,
            Wrong::Unknown => Answer::Unknown,
            _ => Answer::Sat,
        }
    }

    /// Whether the solver did what may be wrong, whatever the truth.
    pub(crate) fn is_suspicious(&self, outcome: &Outcome) -> bool {
        match self.wrong {
            Wrong::Crash => outcome.crash.is_some(),
            _ => outcome.answers.iter().any(|check| check.answer == self.answer()),
        }
    }

    /// Judges what the solver did.
    pub fn of_outcome(&self, text: &str, outcome: &Outcome, witness: Option<&Witness>, asks: bool) -> Verdict {
        let seen = || Verdict::NotShown(words(outcome));
        if self.wrong == Wrong::Crash {
            let signature = outcome.crash.as_ref().map(|c| &c.signature.0);
            return match signature.is_some() && signature == self.symptom.as_ref() {
                true => Evidence::verdict(Truth::Observed, 0),
                false => seen(),
            };
        }
        let wanted = self.answer();
        let suspects: Vec<usize> =
            (0..outcome.answers.len()).filter(|&n| outcome.answers[n].answer == wanted).take(MAX_SUSPECTS).collect();
        if suspects.is_empty() {
            return seen();
        }
        let installed = self.target.installed();
        if let Some(spelling) = installed.profile.misread(installed.version.as_ref(), text) {
            return Verdict::TruthLost(format!("this version misreads the text ({spelling})"));
        }
        let (mut store, model) = match witness {
            Some(w) => (Store::clone(&w.store), Some(&w.model)),
            None => (Store::new(), None),
        };
        let parsed = smtlib::parse(&mut store, text);
        if let Some(error) = parsed.errors.first() {
            return Verdict::TruthLost(format!("the text does not read back: {error}"));
        }
        let instances = parsed.script.instances();
        let mut why = "there is no check".to_string();
        for check in suspects {
            let Some(instance) = instances.get(check) else { continue };
            if let Some(model) = model
                && self.wrong == Wrong::Unsat
                && Values::new(model.clone()).satisfy(&store, instance)
            {
                return Evidence::verdict(Truth::Certified, check);
            }
            match self.without_witness(&mut store, instance, check, outcome, asks) {
                Verdict::TruthLost(reason) => why = reason,
                verdict => return verdict,
            }
        }
        Verdict::TruthLost(why)
    }

    fn without_witness(
        &self,
        store: &mut Store,
        instance: &Instance,
        check: usize,
        outcome: &Outcome,
        asks: bool,
    ) -> Verdict {
        match self.wrong {
            Wrong::InvalidModel => return self.model(store, instance, check, outcome),
            _ if !asks => return Verdict::TruthLost("the witness does not make every assertion true".to_string()),
            _ if instance.incomplete => return Verdict::TruthLost("a command is not understood".to_string()),
            _ => {}
        }
        let lost = |answers: &[String]| match answers {
            [] => Verdict::TruthLost("nobody is trusted".to_string()),
            _ => Verdict::TruthLost(format!("others say {}", answers.join(", "))),
        };
        if self.wrong == Wrong::Unsat {
            return self.satisfiable(store, instance, check);
        }
        let mut answers = Vec::new();
        let mut common = None;
        for trusted in &self.trusted {
            let answer = trusted.answer(store, instance, &self.trusted_limits);
            answers.push(format!("{} ({})", answer.word(), trusted.label));
            let fits = match self.wrong {
                Wrong::Sat => answer == Answer::Unsat,
                _ => answer.is_definite(),
            };
            if !fits || common.is_some_and(|c| c != answer) {
                return lost(&answers);
            }
            common = Some(answer);
        }
        let by = self.trusted.iter().map(|t| t.label.clone()).collect();
        match common {
            Some(answer) => Evidence::verdict(Truth::Trusted { answer: answer.word().to_string(), by }, check),
            None => lost(&answers),
        }
    }

    /// Somebody's model that our evaluator agrees with; where nobody has one, and that is good enough, everybody's word.
    fn satisfiable(&self, store: &mut Store, instance: &Instance, check: usize) -> Verdict {
        let mut answers = Vec::new();
        for trusted in &self.trusted {
            let answer = match trusted.model(store, instance, &self.trusted_limits) {
                Ok(found) => {
                    let evidence = Evidence { truth: Truth::Certified, check, model: Some(found.text) };
                    return Verdict::Interesting(evidence);
                }
                Err(answer) => answer,
            };
            answers.push(format!("{} ({})", answer.word(), trusted.label));
            if answer == Answer::Unsat {
                break;
            }
        }
        let all = !answers.is_empty() && answers.iter().all(|a| a.starts_with("sat "));
        if !all || !self.accepts_trust {
            return Verdict::TruthLost(format!("no model is certified; others say {}", answers.join(", ")));
        }
        let by = self.trusted.iter().map(|t| t.label.clone()).collect();
        Evidence::verdict(Truth::Trusted { answer: "sat".to_string(), by }, check)
    }

    /// Whether the model the solver gives is none.
    fn model(&self, store: &mut Store, instance: &Instance, check: usize, outcome: &Outcome) -> Verdict {
        let own = outcome.self_checks.iter().find(|own| !own.ignored && own.check.is_none_or(|n| n == check));
        let response = outcome.answers.get(check).and_then(|c| c.responses.iter().find(|r| r.contains("define-fun")));
        let validity = response.and_then(|response| {
            let model = model_text::read(store, &instance.declarations, response)?;
            let usable = is_evaluable(store, instance);
            usable.then(|| semantics::validate(store, &instance.assertions, model))
        });
        match (validity, own) {
            (Some(Validity::Invalid { .. }), _) => Evidence::verdict(Truth::ModelRefuted, check),
            (Some(Validity::Valid), _) => Verdict::TruthLost("the model is right".to_string()),
            (_, Some(_)) if self.accepts_trust => Evidence::verdict(Truth::Observed, check),
            // Without any model, something false when nothing is known is false under all models.
            _ => match response.is_some_and(|r| validated(store, instance, r).is_some()) {
                true => Verdict::TruthLost("the model is right".to_string()),
                false => Verdict::TruthLost("the model is not refuted".to_string()),
            },
        }
    }
}

/// The text with a `(get-model)` after each check; commands are one a line, as printed.
fn with_get_model(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 64);
    for line in text.lines() {
        out.push_str(line);
        out.push('\n');
        if line.starts_with("(check-sat") {
            out.push_str("(get-model)\n");
        }
    }
    out
}

/// What a solver did, in words.
pub fn words(outcome: &Outcome) -> String {
    let mut words: Vec<String> = outcome.answers.iter().map(|c| c.answer.word().to_string()).collect();
    words.dedup();
    if let Some(crash) = &outcome.crash {
        words.push(format!("crash ({})", crash.signature));
    }
    words.extend(outcome.self_checks.first().map(|own| format!("its own word: {}", own.message)));
    words.extend(outcome.errors.first().map(|e| format!("error: {}", e.message)));
    words.join(", ")
}
