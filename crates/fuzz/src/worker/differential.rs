//! The differential oracle: if solvers contradict each other, at least one is wrong; this file determines which.
//!
//! A `sat` whose model makes every assertion true is right, whatever other solvers answer: those that answer `unsat` are wrong, and the
//! model is the witness. Only where no model decides does a reference or a majority, and the finding records that.
//!
//! Invariant: answers that are voided by an error or a limit never vote; neither do solvers whose version misreads the text.

use crate::counts::stats::add;
use crate::findings::disagreements::SolverDisagreement;
use crate::under_test::Target;
use crate::worker::context::UnitContext;
use crate::worker::job::JobContext;
use finding::{BugClass, Trust};
use mutate::Mutant;
use mutate::reworded::{self, RenamedSymbols, RewordingRules};
use mutate::rng::RandomStream;
use oracle::model_oracle::{self, FalseAssertion};
use oracle::{Hit, translate};
use semantics::truth::unproven;
use semantics::{Model, Verdict, read_model, validate};
use smtlib::{Status, Store};
use solver::install::ProgramId;
use solver::outcome::{Answer, CheckAnswer, SolverOutcome};
use solver::session::SessionNeeds;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The minimum number of solver families that form a majority.
const MAJORITY: usize = 2;

/// One solver's answer to a mutant.
struct Voice<'a> {
    target: &'a Target,
    /// Its position among the solvers under test; `None` for the reference.
    position: Option<usize>,
    /// The mutant in the solver's spelling.
    text: String,
    answers: Vec<Answer>,
}

impl Voice<'_> {
    fn program(&self) -> ProgramId {
        self.target.tested.solver.installed().program()
    }
}

/// Why a solver is wrong.
pub(crate) enum DifferentialProof {
    /// A model makes every assertion true, so `unsat` is wrong; the terms are of this store.
    Witness(Arc<Model>, Box<Store>),
    /// The solver's own model makes an assertion false.
    OwnModel(FalseAssertion),
    /// Other solvers answer differently, as the text describes.
    Vote(Arc<str>),
}

/// A solver that is probably wrong.
pub(crate) struct Accusation {
    /// Its position among the solvers under test.
    pub(crate) position: usize,
    /// The text that it received: the mutant in its spelling, with `(get-model)` for [`DifferentialProof::OwnModel`].
    pub(crate) text: String,
    /// The answers that count as right.
    pub(crate) expected: Vec<Status>,
    /// Its answer.
    pub(crate) hit: Hit,
    /// The run with this answer.
    pub(crate) outcome: SolverOutcome,
    /// The features requested from it.
    pub(crate) purpose: SessionNeeds,
    /// The proof.
    pub(crate) proof: DifferentialProof,
}

impl Accusation {
    /// Returns the source of the right answer.
    pub(crate) fn truth(&self) -> Option<Trust> {
        match &self.proof {
            DifferentialProof::Witness(..) => Some(Trust::Certified),
            DifferentialProof::OwnModel(_) => None,
            DifferentialProof::Vote(words) => Some(Trust::in_words(&**words)),
        }
    }
}

/// Asks all other solvers about a mutant of unknown truth, and the job's own solver again with a rephrased text; returns who is wrong if
/// they contradict `answers`, those of the job's solver.
pub(crate) fn compare(
    unit: &UnitContext<'_>,
    job: &JobContext<'_>,
    mutant: &Mutant,
    answers: &[CheckAnswer],
    mut rewording: RandomStream,
) -> Vec<Accusation> {
    let own = job.slot.target;
    let target = job.target;
    // Under drawn options only certified truths count.
    let committed = target.tested.drawn.is_default() && answers.iter().any(|check| check.answer.is_definite());
    let percent = unit.campaign.config.mutants.reworded;
    let is_reworded = rewording.percent(percent);
    if !committed || !(unit.campaign.has_others() || is_reworded) || target.tested.misread(&mutant.text).is_some() {
        return Vec::new();
    }
    let purpose = job.purpose(answers.len(), &mutant.text);
    let answers = answers.iter().map(|check| check.answer).collect();
    let mut voices = vec![Voice { target, position: Some(own), text: mutant.text.clone(), answers }];
    let rules = RewordingRules {
        dialect: &target.tested.spelling.dialect,
        takes_commands: target.tested.takes_sessions(),
        takes_errors: false,
        // A model of one text is tried on the other.
        renamed: RenamedSymbols::Variables,
    };
    if is_reworded
        && let Some((text, _)) = reworded::reword(&mutant.text, rules, &mut rewording)
        && let Some(outcome) =
            unit.ask(target, &text, purpose | SessionNeeds::of_script(mutant.expected.len(), &text), &job.limits)
    {
        let answers = outcome.answers.iter().map(|check| check.answer).collect();
        voices.push(Voice { target, position: Some(own), text, answers });
    }
    let others = unit.campaign.targets.iter().enumerate().filter(|(n, _)| *n != own).map(|(n, other)| (other, Some(n)));
    for (other, position) in others.chain(unit.campaign.reference.map(|reference| (reference, None))) {
        let Some(text) = translate::again(&mutant.text, &other.tested) else { continue };
        let text = text.into_owned();
        let Some(outcome) = unit.ask(other, &text, purpose, &job.limits) else { continue };
        let answers = outcome.answers.iter().map(|check| check.answer).collect();
        voices.push(Voice { target: other, position, text, answers });
    }
    let decides = |voice: &Voice<'_>, n: usize| voice.answers.get(n).is_some_and(|answer| answer.is_definite());
    // A solver's own answer to a rephrased text, or under another name, is weaker evidence than another solver's, and is not counted as a
    // comparison.
    let deciders = |n: usize| voices.iter().filter(move |voice| decides(voice, n)).map(Voice::program);
    let is_compared = |&n: &usize| deciders(n).collect::<BTreeSet<_>>().len() > 1;
    let compared = (0..mutant.expected.len()).filter(is_compared).count();
    add(&unit.counters.compared, compared as u64);
    let says = |check: usize, answer: Answer| voices.iter().any(|voice| voice.answers.get(check) == Some(&answer));
    let contradiction = |&check: &usize| says(check, Answer::Sat) && says(check, Answer::Unsat);
    let Some(check) = (0..mutant.expected.len()).find(contradiction) else { return Vec::new() };
    add(&unit.counters.disagreements, 1);
    let panel = Panel { unit, job, voices: &voices, check, checks: mutant.expected.len(), purpose };
    let accusations = panel.by_models().unwrap_or_else(|| panel.by_vote());
    if accusations.is_empty() {
        unit.unresolved(panel.disagreement());
    }
    accusations
}

/// Solvers that contradict each other at a check.
struct Panel<'p> {
    unit: &'p UnitContext<'p>,
    job: &'p JobContext<'p>,
    voices: &'p [Voice<'p>],
    check: usize,
    checks: usize,
    purpose: SessionNeeds,
}

impl<'p> Panel<'p> {
    fn sayers(&self, answer: Answer) -> impl Iterator<Item = &'p Voice<'p>> {
        let check = self.check;
        self.voices.iter().filter(move |voice| voice.answers.get(check) == Some(&answer))
    }

    /// Returns the contradiction for storage where the wrong solver is unknown.
    fn disagreement(&self) -> SolverDisagreement {
        let said = |voice: &Voice<'_>| {
            let answer = voice.answers.get(self.check).map_or("missing", |answer| answer.word());
            (voice.target.tested.label.clone(), answer.to_string())
        };
        let script = |answer| self.sayers(answer).next().map(|voice| voice.text.clone()).unwrap_or_default();
        SolverDisagreement {
            check: self.check,
            answers: self.voices.iter().map(said).collect(),
            scripts: [Answer::Sat, Answer::Unsat].map(script),
        }
    }

    /// Judges the models of those that answer `sat`. `None` if that is inconclusive.
    fn by_models(&self) -> Option<Vec<Accusation>> {
        let mut convicted = Vec::new();
        for voice in self.sayers(Answer::Sat) {
            let Some(asked) = voice.target.tested.models() else { continue };
            let mut expected = vec![Status::Unsat; self.checks];
            expected[self.check] = Status::Unknown;
            let Some(text) = model_oracle::with_models(&voice.text, &expected) else { continue };
            let Ok(examined) = model_oracle::examine(asked, &text, self.purpose, &self.job.limits) else { continue };
            self.unit.ran(voice.target, &examined.outcome);
            match &examined.verdict {
                model_oracle::ScriptVerdict::Valid => {
                    if let Some((model, store)) = self.witness(voice, &examined.outcome) {
                        let sayers = self.sayers(Answer::Unsat);
                        let proof =
                            |store: &Store| DifferentialProof::Witness(Arc::clone(&model), Box::new(store.clone()));
                        return Some(sayers.filter_map(|v| self.accuse(v, Answer::Sat, proof(&store))).collect());
                    }
                }
                model_oracle::ScriptVerdict::Invalid(found) => {
                    if let (Some(position), Some(hit)) = (voice.position, model_oracle::hit(&examined.verdict)) {
                        convicted.push(Accusation {
                            position,
                            text,
                            expected: vec![Status::Unknown; self.checks],
                            hit,
                            purpose: self.purpose | SessionNeeds::MODELS,
                            proof: DifferentialProof::OwnModel(found.clone()),
                            outcome: examined.outcome,
                        });
                    }
                }
                _ => {}
            }
        }
        (!convicted.is_empty()).then_some(convicted)
    }

    /// Returns the completed model of an outcome if it makes every assertion of the check true.
    fn witness(&self, voice: &Voice<'_>, outcome: &SolverOutcome) -> Option<(Arc<Model>, Store)> {
        let response = outcome.answers.get(self.check)?.responses.first()?;
        let mut store = Store::new();
        let instances = smtlib::parse(&mut store, &voice.text).script.instances();
        let instance = instances.get(self.check).filter(|instance| !instance.incomplete)?;
        let model = Arc::new(read_model(&mut store, instance, response).ok()?);
        let holds = unproven(&store, &instance.declarations).is_none()
            && validate(&store, &instance.assertions, Arc::clone(&model)) == Verdict::Valid;
        holds.then_some((model, store))
    }

    /// Decides by the reference's answer, or by several kinds of solvers against one, as a last resort.
    fn by_vote(&self) -> Vec<Accusation> {
        let reference = self.voices.iter().find(|voice| voice.position.is_none());
        let said = reference.and_then(|voice| voice.answers.get(self.check).copied()).filter(|a| a.is_definite());
        let (right, words) = match (said, self.majority()) {
            (Some(answer), _) => {
                let label = reference.map_or("", |voice| &voice.target.tested.label);
                (answer, format!("the answer of the reference, {label}"))
            }
            (None, Some(answer)) => {
                let programs: BTreeMap<ProgramId, &str> =
                    self.sayers(answer).map(|voice| (voice.program(), voice.target.tested.label.as_str())).collect();
                let labels: Vec<&str> = programs.into_values().collect();
                (answer, format!("the answer of the majority: {}", labels.join(", ")))
            }
            (None, None) => return Vec::new(),
        };
        let words: Arc<str> = words.into();
        let wrong = if right == Answer::Sat { Answer::Unsat } else { Answer::Sat };
        // Contradictory answers of one program under two names do not show who is right.
        let judge = reference.filter(|_| said.is_some()).map(|voice| voice.target.tested.solver.installed());
        self.sayers(wrong)
            .filter(|voice| judge.is_none_or(|judge| !voice.target.tested.solver.installed().is_itself(judge)))
            .filter_map(|voice| self.accuse(voice, right, DifferentialProof::Vote(words.clone())))
            .collect()
    }

    /// Returns the answer of several kinds of solvers, if only one solver contradicts it.
    fn majority(&self) -> Option<Answer> {
        let kinds = |answer| -> usize {
            let names: BTreeSet<&str> =
                self.sayers(answer).map(|voice| voice.target.tested.solver.profile().family()).collect();
            names.len()
        };
        // The same solver with a rephrased text or under another name still counts once.
        let lonely = |answer| self.sayers(answer).map(Voice::program).collect::<BTreeSet<_>>().len() == 1;
        [(Answer::Sat, Answer::Unsat), (Answer::Unsat, Answer::Sat)]
            .into_iter()
            .find(|(right, wrong)| kinds(*right) >= MAJORITY && lonely(*wrong))
            .map(|(right, _)| right)
    }

    /// Asks a solver under test again, alone: only this answer counts.
    fn accuse(&self, voice: &Voice<'_>, right: Answer, proof: DifferentialProof) -> Option<Accusation> {
        let position = voice.position?;
        let mut expected = vec![Status::Unknown; self.checks];
        let (expect, wrong, class, symptom) = match right {
            Answer::Sat => (Status::Sat, Answer::Unsat, BugClass::A, "unsat"),
            _ => (Status::Unsat, Answer::Sat, BugClass::B, "sat"),
        };
        expected[self.check] = expect;
        let outcome = self.unit.ask(voice.target, &voice.text, self.purpose, &self.job.limits)?;
        if outcome.answers.get(self.check)?.answer != wrong {
            return None;
        }
        let hit = Hit { class, check: self.check, symptom: symptom.to_string() };
        let (text, purpose) = (voice.text.clone(), self.purpose);
        Some(Accusation { position, text, expected, hit, outcome, purpose, proof })
    }
}
