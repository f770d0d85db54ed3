//! The proof that a solver is wrong on a finding's script, which its developers can check without Squall.

use crate::render::finding::why;
use ::finding::trust::TrustedWord;
use ::finding::{BugClass, Trust, failure};
use oracle::model_oracle::describe;
use semantics::truth::{self, CheckTruth, ExhaustLimits, Search, TruthQuery};
use semantics::{Model, Stop, Value, Verdict, validate};
use smtlib::{Command, Instance, Store};
use triage::folder::Triaged;

/// The maximum number of shown values.
const MAX_VALUES: usize = 16;
/// Terms of more characters do not widen the column of values.
const MAX_COLUMN: usize = 60;
/// The maximum number of assignments and evaluations that a report spends on an exhaustion.
const MAX_ASSIGNMENTS: u64 = 1 << 16;

/// The proof of the right answer.
#[derive(Clone, Debug, Default)]
pub struct IssueProof {
    /// The right answer, if the proof gives one: `sat` or `unsat`.
    pub right: Option<&'static str>,
    /// The wrong check, from 1, and the number of checks; `None` for a single or unknown one.
    pub check: Option<(usize, usize)>,
    /// The argument as text.
    pub why: String,
    /// Subterms with their values, one per line, the whole assertion last; or the broken step of a proof.
    pub values: Option<String>,
    /// A script that defines every symbol, in which `sat` is the only right answer.
    pub witness: Option<String>,
    /// A command on `bug.smt2` that repeats the argument.
    pub again: Option<&'static str>,
    /// Whether the witness is missing or wrong.
    pub is_missing: bool,
}

/// The evidence for one check of the script.
enum ComputedTruth {
    /// Without free symbols: an assertion with the values of its subterms.
    Computed { right: &'static str, told: String },
    /// Every assignment was tried.
    Tried { right: &'static str, assignments: u64 },
    /// The witness makes its assertions true.
    Witnessed,
    /// The truth is not proven.
    Open,
}

impl ComputedTruth {
    fn right(&self) -> Option<&'static str> {
        match self {
            ComputedTruth::Computed { right, .. } | ComputedTruth::Tried { right, .. } => Some(right),
            ComputedTruth::Witnessed => Some("sat"),
            ComputedTruth::Open => None,
        }
    }
}

impl IssueProof {
    /// Returns the proof for a finding's script, if there is one. A crash needs none.
    pub fn of(best: &Triaged) -> IssueProof {
        let class = best.finding.class;
        let witness = best.shown_witness().filter(|text| is_not_refuted(text)).map(|text| text.trim_end().to_string());
        if class == BugClass::D {
            return IssueProof { right: witness.is_some().then_some("sat"), ..IssueProof::default() };
        }
        let is_own = best.trust().is_certified();
        let is_on_witness = class == BugClass::A && best.trust() == Trust::Certified;
        let is_model = class == BugClass::E || (class == BugClass::B && best.finding.symptom != "sat");
        let mut proof = IssueProof {
            right: trusted_answer(best).or_else(|| witness.is_some().then_some("sat")),
            why: why(best),
            values: match best.broken_step() {
                Some(step) => Some(step.to_string()),
                None => best.false_assertion().filter(|_| is_model).map(values),
            },
            witness,
            ..IssueProof::default()
        };
        proof.is_missing = is_on_witness && proof.witness.is_none();
        if is_own {
            proof.add_checks(best);
        }
        if proof.is_missing {
            proof.why = "The script was made satisfiable, but the assignment that shows it is missing.".to_string();
        }
        proof
    }

    /// Adds the evaluator's result for the script.
    fn add_checks(&mut self, best: &Triaged) {
        let class = best.finding.class;
        let mut store = Store::new();
        let instances: Vec<Instance> = smtlib::parse(&mut store, best.script()).script.instances();
        let checks = instances.len();
        let by_trying = best.trust() == Trust::Exhausted;
        let mut truths: Vec<ComputedTruth> =
            instances.iter().map(|i| computed_truth(&mut store, i, by_trying)).collect();
        if let Some(witness) = self.witness.as_deref().filter(|_| class == BugClass::A) {
            let proven = assertions(witness);
            for (truth, instance) in truths.iter_mut().zip(&instances) {
                let texts: Vec<String> = instance.assertions.iter().map(|&term| store.term_text(term)).collect();
                if matches!(truth, ComputedTruth::Open) && texts == proven {
                    *truth = ComputedTruth::Witnessed;
                }
            }
        }
        let wanted = failure::row(class, &best.finding.symptom).right;
        let fits =
            |truth: &ComputedTruth| truth.right().is_some_and(|right| wanted.is_none_or(|wanted| wanted == right));
        let fitting: Vec<usize> = (0..checks).filter(|&n| truths.get(n).is_some_and(fits)).collect();
        let &[only] = fitting.as_slice() else { return };
        let is_model = class == BugClass::B && wanted.is_none();
        if checks > 1 && !is_model {
            self.check = Some((only + 1, checks));
        }
        let Some(found) = truths.get(only) else { return };
        match found {
            ComputedTruth::Computed { right, told } => {
                self.right = Some(right);
                self.is_missing = false;
                // It would only repeat the script, as would the value of a single assertion.
                self.witness = None;
                if self.values.is_none() {
                    self.values = Some(values(told)).filter(|text| text.lines().count() > 1);
                }
            }
            ComputedTruth::Tried { right, assignments } => {
                self.right = Some(right);
                self.again = Some("squall solve --exhaust bug.smt2");
                if *right == "unsat" && !is_model {
                    self.why = all_tried(*assignments);
                }
            }
            ComputedTruth::Witnessed | ComputedTruth::Open => {}
        }
    }
}

/// Returns the argument by exhaustion.
fn all_tried(assignments: u64) -> String {
    match assignments {
        0 => "Its assertions leave a symbol no value.".to_string(),
        1 => "Its symbols have one assignment, and that makes an assertion false.".to_string(),
        n => format!(
            "Its symbols range over few values: there are {n} assignments, and each makes an assertion false. An exact \
             evaluator tried them all, without any solver."
        ),
    }
}

/// Returns the answers of other solvers, if the right answer is based on them.
fn trusted_answer(best: &Triaged) -> Option<&'static str> {
    let report = best.reduced.as_ref()?.report.as_ref()?;
    let Trust::Trusted(TrustedWord::Solvers { answer, .. }) = &report.truth else { return None };
    ["sat", "unsat"].into_iter().find(|word| word == answer)
}

fn computed_truth(store: &mut Store, instance: &Instance, by_trying: bool) -> ComputedTruth {
    if instance.incomplete || truth::unproven(store, &instance.declarations).is_some() {
        return ComputedTruth::Open;
    }
    let is_free = |command: &Command| matches!(command, Command::DeclareFun(_));
    if !instance.declarations.iter().any(is_free) {
        return computed(store, instance);
    }
    let limits =
        ExhaustLimits { assignments: MAX_ASSIGNMENTS, evaluations: MAX_ASSIGNMENTS, ..ExhaustLimits::default() };
    if !by_trying {
        return ComputedTruth::Open;
    }
    let query = TruthQuery { limits: &limits, stop: &Stop::default(), search: Search::Recorded };
    match truth::of_instance(store, instance, query) {
        Ok(CheckTruth::Unsat(refutation)) => ComputedTruth::Tried {
            right: "unsat",
            assignments: refutation.record.map_or(0, |record| record.assignments),
        },
        Ok(known) => ComputedTruth::Tried { right: known.word(), assignments: 0 },
        Err(_) => ComputedTruth::Open,
    }
}

/// Returns a check without free symbols: its false assertion, or its last one.
fn computed(store: &mut Store, instance: &Instance) -> ComputedTruth {
    match validate(store, &instance.assertions, Model::new()) {
        Verdict::Invalid { term, subterms, .. } => {
            ComputedTruth::Computed { right: "unsat", told: describe(store, term, &subterms) }
        }
        Verdict::Valid => {
            let Some(&last) = instance.assertions.last() else {
                return ComputedTruth::Computed { right: "sat", told: String::new() };
            };
            // Its negation is false, so its values are listed.
            let negation = store.not(last);
            let Verdict::Invalid { mut subterms, .. } = validate(store, &[negation], Model::new()) else {
                return ComputedTruth::Open;
            };
            let is_part = store.args(last).contains(&negation);
            subterms.retain(|(term, _)| *term != last && (is_part || *term != negation));
            subterms.insert(0, (last, Value::Bool(true)));
            ComputedTruth::Computed { right: "sat", told: describe(store, last, &subterms) }
        }
        Verdict::Unknown { .. } => ComputedTruth::Open,
    }
}

/// Returns the assertions of a script's first check.
fn assertions(script: &str) -> Vec<String> {
    let mut store = Store::new();
    let instances = smtlib::parse(&mut store, script).script.instances();
    let first = instances.first().map(|instance| instance.assertions.clone()).unwrap_or_default();
    first.into_iter().map(|term| store.term_text(term)).collect()
}

/// Whether no assertion of a witness is false. An assertion with symbols may be neither true nor false.
fn is_not_refuted(witness: &str) -> bool {
    let mut store = Store::new();
    let instances: Vec<Instance> = smtlib::parse(&mut store, witness).script.instances();
    instances.iter().all(|i| !matches!(validate(&store, &i.assertions, Model::new()), Verdict::Invalid { .. }))
}

/// Returns the values of an assertion's subterms, smaller ones first: `(* a a)  is  1.0`.
fn values(told: &str) -> String {
    let pair = |line: &str| line.trim().split_once("  is  ").map(|(value, term)| (term.to_string(), value.to_string()));
    let mut pairs: Vec<(String, String)> = told.lines().skip(1).filter_map(pair).collect();
    // A literal is its own value.
    pairs.retain(|(term, value)| term != value);
    pairs.truncate(MAX_VALUES);
    pairs.reverse();
    if pairs.is_empty() {
        return told.lines().next().unwrap_or_default().to_string();
    }
    let width = |text: &str| text.chars().count();
    let column = pairs.iter().map(|(term, _)| width(term)).filter(|&w| w <= MAX_COLUMN).max().unwrap_or(0);
    let lines: Vec<String> = pairs.iter().map(|(term, value)| format!("{term:<column$}  is  {value}")).collect();
    lines.join("\n")
}

#[cfg(test)]
#[path = "../../../tests/unit/proof.rs"]
mod tests;
