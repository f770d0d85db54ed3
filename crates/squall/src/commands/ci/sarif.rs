//! Findings as a SARIF 2.1.0 log (OASIS standard), for code scanning.

use super::outcome::{CiOutcome, JudgedGroup};
use ::finding::BugClass;
use serde_json::{Value, json};
use std::path::Path;
use triage::baseline::BaselineVerdict;

/// Classes with a name, what they mean, and the level of their results: wrong answers are errors, crashes are seen by users
/// themselves, and giving up is no fault.
const RULES: [(BugClass, &str, &str, &str); BugClass::ALL.len()] = [
    (BugClass::A, "RefutationSoundness", "The solver says unsat for a satisfiable instance.", "error"),
    (
        BugClass::B,
        "SolutionSoundness",
        "The solver says sat for an unsatisfiable instance, or gives a wrong model.",
        "error",
    ),
    (BugClass::C, "Incompleteness", "The solver gives up where another one answers.", "note"),
    (BugClass::D, "Crash", "The solver crashes.", "warning"),
    (BugClass::E, "FalseSelfCheck", "The solver's own check rejects a model that is right.", "note"),
];

/// The log of a run.
pub fn log(outcome: &CiOutcome) -> Value {
    let rules: Vec<Value> = RULES
        .iter()
        .map(|(id, name, text, level)| {
            json!({
                "id": id,
                "name": name,
                "shortDescription": { "text": text },
                "defaultConfiguration": { "level": level },
            })
        })
        .collect();
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "squall",
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "rules": rules,
            } },
            "invocations": [invocation(outcome)],
            "columnKind": "unicodeCodePoints",
            "results": outcome.judged.iter().map(|one| result(outcome, one)).collect::<Vec<_>>(),
            "properties": {
                "solver": outcome.solver,
                "baseline": outcome.baseline,
                "seed": outcome.seed,
                "mutants": outcome.standing.counts.mutants,
            },
        }],
    })
}

/// How the run went: successful if it tested and compared all that it was to.
fn invocation(outcome: &CiOutcome) -> Value {
    let trouble = outcome.trouble();
    let mut invocation = json!({ "executionSuccessful": trouble.is_none(), "exitCode": outcome.exit_code() });
    if let Some(trouble) = trouble {
        invocation["toolExecutionNotifications"] = json!([{ "level": "error", "message": { "text": trouble } }]);
    }
    invocation
}

fn result(outcome: &CiOutcome, one: &JudgedGroup) -> Value {
    let rule = RULES.iter().position(|(id, ..)| *id == one.class);
    let severity = rule.map_or("error", |index| RULES[index].3);
    let (level, state) = match one.verdict {
        BaselineVerdict::New(_) => (severity, "new"),
        _ => ("note", "unchanged"),
    };
    let mut result = json!({
        "ruleId": one.class,
        "level": level,
        "baselineState": state,
        "message": { "text": format!("{}. {}. Seed {}.", one.summary, outcome.contrast(one), one.seed) },
        "locations": [{ "physicalLocation": {
            "artifactLocation": { "uri": uri(&one.script) },
            "region": { "startLine": 1, "endLine": one.text.lines().count().max(1) },
        } }],
        // The script itself: the same one in another build is the same result.
        "partialFingerprints": { "squallScript/v1": reduce::finding::sha256(one.text.as_bytes()) },
        "properties": {
            "verdict": one.verdict.word(),
            "trust": one.trust,
            "mode": one.mode,
            "findings": one.members,
            "bytes": one.text.len(),
        },
    });
    if let Some(index) = rule {
        result["ruleIndex"] = json!(index);
    }
    result
}

/// A path as a reference relative to the current folder where it lies below it, else as a file URI.
fn uri(path: &Path) -> String {
    let here = std::env::current_dir().unwrap_or_default();
    let path = path.strip_prefix(&here).unwrap_or(path);
    let path = path.strip_prefix(".").unwrap_or(path);
    let text: String = path
        .to_string_lossy()
        .bytes()
        .map(|byte| match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => char::from(byte).to_string(),
            _ => format!("%{byte:02X}"),
        })
        .collect();
    if path.is_absolute() { format!("file://{text}") } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_references() {
        let check = |path: &str, expect: &str| assert_eq!(uri(Path::new(path)), expect);
        check("out/findings/A-z3@4.8.7-a b/reduced.smt2", "out/findings/A-z3%404.8.7-a%20b/reduced.smt2");
        check("./out/x.smt2", "out/x.smt2");
        check("/elsewhere/ä.smt2", "file:///elsewhere/%C3%A4.smt2");
        let here = std::env::current_dir().expect("a folder").join("x.smt2");
        check(&here.display().to_string(), "x.smt2");
    }
}
