//! The JSON object of one check: the answer, who vouches for it, the reason of `unknown`, the model, times and steps.

use super::Args;
use serde_json::{Value, json};
use smtlib::Command;
use strategy::SolveAnswer;
use strategy::session::{CommandSource, Session};
use strategy::trace::TraceStep;

/// Returns the object of the last check, which has a report.
pub fn of_check(session: &mut Session<'_>, file: &str, args: &Args) -> Value {
    let mut model = String::new();
    if args.model && matches!(session.report().map(|report| &report.answer), Some(SolveAnswer::Sat { .. })) {
        session.execute(&Command::GetModel, CommandSource::default(), &mut model);
    }
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
    // A model without a text is an error line of the session.
    let error =
        model.strip_prefix("(error \"").and_then(|text| text.trim_end().strip_suffix("\")")).map(str::to_string);
    let text = (error.is_none() && !model.is_empty()).then_some(&model);
    let cause = cause.or(error);
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
        "model": text,
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
