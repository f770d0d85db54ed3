//! What is wrong with the answers to a script: by the truth of the finding, or by other solvers.

use super::{BisectionOrder, MAX_CHECKS, WrongAnswer, spec_name};
use crate::reduction;
use anyhow::{Result, bail};
use finding::{FailureKind, Trust};
use oracle::exhaustion;
use oracle::question::SolverQuestion;
use oracle::replay::SavedFinding;
use reduce::ShownFailure;
use reduce::bisect::KnownWrong;
use reduce::query::{CheckQuery, TrustedSolver, dialect};
use reduce::start::{ReductionTask, TRUST, question_of, start};
use reduce::subject::{Spelling, Subject};
use semantics::truth::{OpenTruth, unproven};
use solver::outcome::Answer;
use solver::process::ProcessLimits;
use solver::session::Solver;

/// Determines the failure: what the first failing version among `tried` shows, else what the user says, else what other solvers answer.
pub(super) fn known(
    order: &BisectionOrder<'_>,
    saved: Option<&SavedFinding>,
    subject: &mut Subject,
    tried: &[Solver],
    others: &[Solver],
) -> Result<WrongAnswer> {
    // Reduction may change the number of the check, and the commands before it.
    let is_reduced = order.paths.is_reduced();
    let shown = reduction::shown(order.wrong, saved, order.solver.as_ref());
    let shown = shown.map(|shown| if is_reduced { ShownFailure { check: None, ..shown } } else { shown });
    let wrong = shown.as_ref().map(|shown| shown.wrong);
    let earlier = reduction::earlier(order.paths.earlier.as_deref())?;
    let question = saved.map(|saved| SolverQuestion { earlier, ..reduction::question(saved, order.timeout) });
    let limits = reduction::limits(order.timeout);
    let mut not_shown = None;
    for target in if subject.spelling == Spelling::Unread { &[][..] } else { tried } {
        let task = ReductionTask {
            target: target.clone(),
            question: question.clone(),
            shown: shown.clone(),
            versions: Vec::new(),
            trusted: others.iter().cloned().map(TrustedSolver::new).collect(),
            limits: limits.clone(),
            witness: order.paths.witness.as_ref().and_then(|p| files::found_text(p).ok()),
            trials: order.trials,
        };
        subject.dialect = dialect(target.installed());
        let begun = match start(subject, &task) {
            Ok(begun) => begun,
            Err(error) => {
                not_shown.get_or_insert(error);
                continue;
            }
        };
        // An older version may do worse than answer `unknown`.
        if begun.judge.shown.wrong == FailureKind::Unknown && wrong.is_none() {
            continue;
        }
        if let Some(text) = &begun.spelled {
            *subject = Subject { spelling: Spelling::Own, ..Subject::read_loosely(text, subject.dialect.clone()) };
        }
        // Other versions may be slower than this one.
        let question = question_as(question.as_ref(), begun.judge.shown.wrong, subject, &limits);
        let fact = KnownWrong { wrong: begun.judge.shown.wrong, check: begun.evidence.check, question };
        let is_bare = tried.first().is_some_and(|first| first.added_options() != target.added_options());
        let truth = begun.evidence.truth.reason();
        return Ok(WrongAnswer { fact, truth, is_bare });
    }
    // What the user or other solvers say counts only for a script with one meaning.
    let of_answers = [FailureKind::Sat, FailureKind::Unsat, FailureKind::Unknown];
    let last = subject.script.each_instance().last();
    if wrong.is_none_or(|wrong| of_answers.contains(&wrong))
        && let Some(name) = last.as_ref().and_then(|instance| unproven(&subject.store, &instance.declarations))
    {
        bail!("nobody's answer is known to be wrong: {}", OpenTruth::NotTotal(name.to_string()));
    }
    match wrong {
        Some(wrong) => {
            let is_answer = matches!(wrong, FailureKind::Sat | FailureKind::Unsat);
            if let Some(known) = by_exhaustion(&limits, subject).filter(|known| is_answer && known.fact.wrong != wrong)
            {
                bail!("'{wrong}' is not wrong; {}", known.truth);
            }
            let check = checks_of(subject).saturating_sub(1);
            let question = question_as(question.as_ref(), wrong, subject, &limits);
            Ok(WrongAnswer {
                fact: KnownWrong { wrong, check, question },
                truth: format!("as given: '{wrong}' is wrong"),
                is_bare: false,
            })
        }
        None => match by_exhaustion(&limits, subject).or_else(|| by_others(&limits, subject, tried, others)) {
            Some(known) => Ok(known),
            None => bail!(
                "{}; what is right is not known by exhaustion, by a model that our evaluator accepts or by two other solvers: \
                 name what is wrong with --wrong sat or --wrong unsat, or a version that answers wrongly with --solver {}@VERSION",
                not_shown
                    .map_or_else(|| "no version is here".to_string(), |error| error.to_string().replace(TRUST, "")),
                spec_name(tried)
            ),
        },
    }
}

fn checks_of(subject: &Subject) -> usize {
    subject.script.commands.iter().filter(|c| c.is_check()).count()
}

/// Returns how solvers are asked about a failure: as for the finding, else as the script needs it.
fn question_as(
    found: Option<&SolverQuestion>,
    wrong: FailureKind,
    subject: &Subject,
    limits: &ProcessLimits,
) -> SolverQuestion {
    let shown = ShownFailure::any(wrong);
    match found {
        Some(question) => SolverQuestion { observation: shown.observation(), ..question.clone() },
        None => question_of(&shown, &subject.script.commands, limits),
    }
}

/// Returns the wrong answer to the last check that exhaustion decides.
fn by_exhaustion(limits: &ProcessLimits, subject: &mut Subject) -> Option<WrongAnswer> {
    let instances = subject.script.instances();
    instances.iter().enumerate().rev().take(MAX_CHECKS).find_map(|(check, instance)| {
        let known =
            exhaustion::decide(&mut subject.store, instance).ok().filter(|known| known.definition().is_none())?;
        let wrong = if known.model().is_some() { FailureKind::Unsat } else { FailureKind::Sat };
        let question = question_as(None, wrong, subject, limits);
        let truth = format!("certified: {} is right: {known}", known.word());
        Some(WrongAnswer { fact: KnownWrong { wrong, check, question }, truth, is_bare: false })
    })
}

/// Returns the right answer to the last check that has a known one: by a model of any solver that our evaluator accepts, or by two
/// programs other than the one in question.
fn by_others(
    limits: &ProcessLimits,
    subject: &mut Subject,
    tried: &[Solver],
    others: &[Solver],
) -> Option<WrongAnswer> {
    let all: Vec<TrustedSolver> = others.iter().chain(tried).cloned().map(TrustedSolver::new).collect();
    let instances = subject.script.instances();
    for (check, instance) in instances.iter().enumerate().rev().take(MAX_CHECKS) {
        if unproven(&subject.store, &instance.declarations).is_some() {
            continue;
        }
        let mut said: Vec<(Answer, String)> = Vec::new();
        for (n, solver) in all.iter().enumerate() {
            let asked = CheckQuery { script: &subject.script, instance };
            match solver.judged_answer(&subject.store, asked, limits) {
                (_, true) => {
                    let question = question_as(None, FailureKind::Unsat, subject, limits);
                    let fact = KnownWrong { wrong: FailureKind::Unsat, check, question };
                    let truth = format!("certified: {} has a model that makes every assertion true", solver.label);
                    return Some(WrongAnswer { fact, truth, is_bare: false });
                }
                (answer, false) if n < others.len() && answer.is_definite() => {
                    said.push((answer, solver.label.clone()))
                }
                _ => {}
            }
        }
        let Some((answer, _)) = said.first() else { continue };
        if said.len() >= 2 && said.iter().all(|(other, _)| other == answer) {
            let wrong = if *answer == Answer::Sat { FailureKind::Unsat } else { FailureKind::Sat };
            let by = said.iter().map(|(_, who)| who.clone()).collect();
            let truth = Trust::by_solvers(answer.word(), by).reason();
            let question = question_as(None, wrong, subject, limits);
            return Some(WrongAnswer { fact: KnownWrong { wrong, check, question }, truth, is_bare: false });
        }
    }
    None
}
