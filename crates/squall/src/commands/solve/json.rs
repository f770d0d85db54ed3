//! The JSON object of one check: the answer, what certifies it, the reason for `unknown`, the model, times and steps.

use super::Args;
use serde_json::{Value, json};
use strategy::SolveAnswer;
use strategy::session::Session;
use strategy::trace::TraceStep;

/// Returns the object of the last check, which has a report.
pub fn of_check(session: &mut Session<'_>, file: &str, args: &Args) -> Value {
    let is_sat = matches!(session.report().map(|report| &report.answer), Some(SolveAnswer::Sat { .. }));
    let (model, error) = match (args.model && is_sat).then(|| session.model_text()) {
        Some(Ok(model)) => (Some(model), None),
        Some(Err(error)) => (None, Some(error)),
        None => (None, None),
    };
    let Some((store, instance, report)) = session.last_check() else { return Value::Null };
    let (answer, by, cause, core) = match &report.answer {
        SolveAnswer::Sat { by, unchecked, .. } => {
            let by: Vec<String> = unchecked.is_some().then(|| by.to_string()).into_iter().collect();
            ("sat", by, unchecked.clone(), None)
        }
        SolveAnswer::Unsat { core, proof } => {
            let core: Vec<String> = core.iter().map(|&n| store.term_text(instance.assertions[n])).collect();
            ("unsat", proof.trusted().into_iter().map(|by| by.to_string()).collect(), None, args.core.then_some(core))
        }
        SolveAnswer::Unknown(why) => ("unknown", Vec::new(), Some(why.to_string()), None),
    };
    let cause = cause.or(error.filter(|why| !why.is_empty()));
    let trust = match (answer, by.is_empty()) {
        ("unknown", _) => None,
        (_, false) => Some("trusted"),
        ("sat", true) => Some("checked"),
        _ => Some("own"),
    };
    let mut steps = Vec::new();
    report.trace.steps().iter().for_each(|step| leaves(step, &mut steps));
    json!({
        "file": file,
        "check": instance.check + 1,
        "answer": answer,
        "trust": trust,
        "by": by,
        "cause": cause,
        "model": model,
        "core": core,
        "time_s": report.time.as_secs_f64(),
        "steps": steps,
        "notes": report.notes,
    })
}

/// Appends the innermost steps, in their order.
fn leaves(step: &TraceStep, steps: &mut Vec<Value>) {
    match &step.parts[..] {
        [] => steps.push(json!({ "step": step.tactic, "time_s": step.time.as_secs_f64(), "result": step.result })),
        parts => parts.iter().for_each(|part| leaves(part, steps)),
    }
}
