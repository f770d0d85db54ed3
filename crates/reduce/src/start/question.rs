//! The query that a reduction sends to its solver.

use super::ReductionTask;
use crate::judge::SolverJudge;
use crate::shown::ShownFailure;
use crate::subject::Subject;
use finding::FailureKind;
use oracle::model_oracle;
use oracle::proof_oracle;
use oracle::question::SolverQuestion;
use smtlib::{Command, Script, Status};
use solver::process::ProcessLimits;
use solver::session::SessionNeeds;
use std::sync::Arc;

/// Adds the commands that reveal a wrong model: a request for models after each check.
pub(super) fn asking(script: &Script, wrong: FailureKind) -> Script {
    if wrong != FailureKind::InvalidModel {
        return script.clone();
    }
    let mut commands = Vec::with_capacity(script.commands.len());
    for (n, command) in script.commands.iter().enumerate() {
        commands.push(command.clone());
        if command.is_check() && !matches!(script.commands.get(n + 1), Some(Command::GetModel)) {
            commands.push(Command::GetModel);
        }
    }
    Script { commands }
}

/// Returns the original file, with requests for models where such an error needs them. `None` if it does not parse.
pub(super) fn source(subject: &Subject, wrong: FailureKind) -> Option<Arc<str>> {
    if wrong != FailureKind::InvalidModel || subject.source.contains("(get-model)") {
        return Some(Arc::clone(&subject.source));
    }
    let checks = subject.script.commands.iter().filter(|command| command.is_check()).count();
    model_oracle::with_models(&subject.source, &vec![Status::Unknown; checks]).map(Arc::from)
}

pub(super) fn judge(task: &ReductionTask, shown: &ShownFailure, commands: &[Command]) -> SolverJudge {
    let question = match &task.question {
        Some(question) => SolverQuestion { observation: shown.observation(), ..question.clone() },
        None => question_of(shown, commands, &task.limits),
    };
    SolverJudge {
        target: task.target.clone(),
        question,
        shown: shown.clone(),
        other_wrong_versions: Vec::new(),
        trusted: task.trusted.clone(),
        trusted_limits: task.limits.clone(),
        basis: None,
        tries: 1,
    }
}

/// Returns the question for a script without a record, with the features that the script needs.
pub fn question_of(shown: &ShownFailure, commands: &[Command], limits: &ProcessLimits) -> SolverQuestion {
    let checks = commands.iter().filter(|c| c.is_check()).count();
    let mut purpose = SessionNeeds::SINGLE;
    if checks > 1 || commands.iter().any(|c| matches!(c, Command::Push(_))) {
        purpose = purpose | SessionNeeds::INCREMENTAL;
    }
    match shown.wrong {
        FailureKind::InvalidModel => purpose = purpose | SessionNeeds::MODELS,
        FailureKind::SelfCheck | FailureKind::FalseSelfCheck => {
            purpose = purpose | SessionNeeds::MODELS | SessionNeeds::VALIDATE
        }
        FailureKind::BrokenProof if commands.iter().any(asks_for_proof) => purpose = purpose | SessionNeeds::PROOFS,
        FailureKind::BrokenProof => purpose = purpose | SessionNeeds::CHECKED_PROOFS,
        _ => {}
    }
    SolverQuestion {
        purpose,
        limits: limits.clone(),
        earlier: "".into(),
        observation: shown.observation(),
        reference_solver: None,
        relation: None,
    }
}

fn asks_for_proof(command: &Command) -> bool {
    matches!(command, Command::Query(text) if &**text == proof_oracle::GET_PROOF)
}
