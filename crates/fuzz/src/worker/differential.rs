//! The differential oracle: solvers contradict each other, so at least one is wrong, and this file finds out which.
//!
//! A `sat` whose model makes every assertion true is right, whatever other solvers say: those that say `unsat` are wrong, and the
//! model is the witness. Only where no model tells does a reference decide, or a majority, and the finding says so.
//!
//! Invariant: answers that are voided by an error, or that stand for a limit, never vote; neither do solvers whose version
//! misreads the text.

use crate::counts::stats::add;
use crate::findings::disagreements::SolverDisagreement;
use crate::target::Target;
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

/// How many families of solvers make a majority, at least.
const MAJORITY: usize = 2;

/// One solver's word on a mutant.
struct Voice<'a> {
    target: &'a Target,
    /// Its position among the solvers under test; none for the reference.
    position: Option<usize>,
    /// The mutant in its spelling.
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
    /// A model makes every assertion true, so that `unsat` is wrong; the terms are of this store.
    Witness(Arc<Model>, Box<Store>),
    /// The solver's own model makes an assertion false.
    OwnModel(FalseAssertion),
    /// Others say otherwise, as the words tell.
    Vote(Arc<str>),
}

/// A solver that seems to be wrong.
pub(crate) struct Accusation {
    /// Its position among the solvers under test.
    pub(crate) position: usize,
    /// What it was sent: the mutant in its spelling, with `(get-model)` for [`DifferentialProof::OwnModel`].
    pub(crate) text: String,
    /// What it must answer.
    pub(crate) expected: Vec<Status>,
    /// What it did.
    pub(crate) hit: Hit,
    /// The run in which it did.
    pub(crate) outcome: SolverOutcome,
    /// What it was asked to be ready for.
    pub(crate) purpose: SessionNeeds,
    /// Why.
    pub(crate) proof: DifferentialProof,
}

impl Accusation {
    /// On whose word the right answer stands.
    pub(crate) fn truth(&self) -> Option<Trust> {
        match &self.proof {
            DifferentialProof::Witness(..) => Some(Trust::Certified),
            DifferentialProof::OwnModel(_) => None,
            DifferentialProof::Vote(words) => Some(Trust::in_words(&**words)),
        }
    }
}

/// Asks all other solvers about a mutant of which nothing is known, and the job's own once more in other words, and says who is wrong
/// if they contradict `answers`, which are those of the job's solver.
pub(crate) fn compare(
    unit: &UnitContext<'_>,
    job: &JobContext<'_>,
    mutant: &Mutant,
    answers: &[CheckAnswer],
    mut rewording: RandomStream,
) -> Vec<Accusation> {
    let own = job.slot.target;
    let target = job.target;
    // Under drawn options only what is certified counts.
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
    // A solver's own word in other words, or by another name, tells less than another solver's, and counts as no comparison.
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

    /// The contradiction as it is kept where nothing tells who is wrong.
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

    /// Judges the models of those that say `sat`. None if that tells nothing.
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

    /// The model in an outcome, complete, if it makes every assertion of the check true.
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

    /// The last resort: the reference's word, or that of several kinds of solvers against one.
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
        // What a program says otherwise by another name says nothing of who is right.
        let judge = reference.filter(|_| said.is_some()).map(|voice| voice.target.tested.solver.installed());
        self.sayers(wrong)
            .filter(|voice| judge.is_none_or(|judge| !voice.target.tested.solver.installed().is_itself(judge)))
            .filter_map(|voice| self.accuse(voice, right, DifferentialProof::Vote(words.clone())))
            .collect()
    }

    /// The answer of several kinds of solvers, if only one solver says otherwise.
    fn majority(&self) -> Option<Answer> {
        let kinds = |answer| -> usize {
            let names: BTreeSet<&str> =
                self.sayers(answer).map(|voice| voice.target.tested.solver.profile().family()).collect();
            names.len()
        };
        // One that says so in other words, or by another name, too, is still one.
        let lonely = |answer| self.sayers(answer).map(Voice::program).collect::<BTreeSet<_>>().len() == 1;
        [(Answer::Sat, Answer::Unsat), (Answer::Unsat, Answer::Sat)]
            .into_iter()
            .find(|(right, wrong)| kinds(*right) >= MAJORITY && lonely(*wrong))
            .map(|(right, _)| right)
    }

    /// Asks a solver under test again, alone: what counts is only what it answers then.
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
