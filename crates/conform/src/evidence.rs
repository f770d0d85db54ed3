//! A script that shows a disagreement by itself, with the solver's answer.

use solver::outcome::Answer;
use solver::process::{ProcessLimits, RunError};
use solver::session::{SessionNeeds, Solver};

/// The evidence of a disagreement.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum DisagreementScript {
    /// The script has one check, and the solver answers it wrongly.
    WrongCheck {
        /// The script.
        script: String,
        /// The answer: `sat` or `unsat`.
        said: &'static str,
    },
    /// No such script gets a wrong answer. The wrong value is only printed, or depends on preceding queries.
    ValueOnly,
    /// No script was sought, because the operator already has evidence.
    NotSought,
}

/// Asks whether a term can differ from its value, and whether it can equal it, each in its own process: directly, and after
/// `push`, where solvers may behave differently. `preface` contains the declarations.
/// Errors: the solver cannot be run.
pub fn seek(
    solver: &Solver,
    limits: &ProcessLimits,
    preface: &str,
    equation: &str,
) -> Result<DisagreementScript, RunError> {
    let fails = format!("{preface}(assert (not {equation}))");
    let holds = format!("{preface}(assert {equation})");
    let plain = SessionNeeds::SINGLE;
    let pushed = SessionNeeds::INCREMENTAL;
    let questions = [
        (format!("{fails} (check-sat)"), Answer::Sat, plain),
        (format!("{holds} (check-sat)"), Answer::Unsat, plain),
        (format!("(push 1) {fails} (check-sat)"), Answer::Sat, pushed),
        (format!("(push 1) {holds} (check-sat)"), Answer::Unsat, pushed),
    ];
    for (commands, wrong, purpose) in questions {
        let script = format!("(set-logic ALL) {commands}");
        if solver.check(&script, purpose, limits)?.last_answer() == wrong {
            return Ok(DisagreementScript::WrongCheck { script, said: wrong.word() });
        }
    }
    Ok(DisagreementScript::ValueOnly)
}
