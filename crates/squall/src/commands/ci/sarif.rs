//! Findings as a SARIF 2.1.0 log (OASIS standard), for code scanning.

use super::outcome::{CiOutcome, JudgedGroup};
use ::finding::BugClass;
use ::finding::class::SarifRule;
use serde_json::{Value, json};
use std::path::Path;
use triage::baseline::BaselineVerdict;

/// The next steps for a result whose folder is DIR.
const NEXT: [(&str, &str); 3] = [
    ("squall replay DIR", "reproduces it"),
    ("squall reduce DIR", "shrinks its script"),
    ("squall bisect DIR", "runs other versions of the solver"),
];

/// Returns the rule of a class of bugs.
fn rule(class: BugClass) -> Value {
    let SarifRule { name, short, level, tag, why } = class.row().sarif;
    let next = |quote: &str| {
        let parts = NEXT.map(|(command, does)| format!("{quote}{command}{quote} {does}"));
        format!("In the folder DIR of the finding: {}.", parts.join("; "))
    };
    json!({
        "id": class,
        "name": name,
        "shortDescription": { "text": short },
        "fullDescription": { "text": format!("{} {}", short, why) },
        "help": {
            "text": format!("{}\n\n{}", why, next("")),
            "markdown": format!("{}\n\n{}", why, next("`")),
        },
        "defaultConfiguration": { "level": level },
        "properties": { "tags": ["smt", tag] },
    })
}

/// Returns the log of a run.
pub fn log(outcome: &CiOutcome) -> Value {
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "squall",
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "rules": BugClass::all().map(rule).collect::<Vec<_>>(),
            } },
            // The part before the last slash names the analysis, whose earlier results code scanning replaces.
            "automationDetails": {
                "id": format!("squall/{}/{}", outcome.specification, outcome.seed),
                "description": { "text": outcome.pair() },
            },
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

/// Returns the invocation: successful if everything was tested and compared.
fn invocation(outcome: &CiOutcome) -> Value {
    let trouble = outcome.trouble();
    let mut invocation = json!({ "executionSuccessful": trouble.is_none(), "exitCode": outcome.exit().code() });
    if let Some(trouble) = trouble {
        invocation["toolExecutionNotifications"] = json!([{ "level": "error", "message": { "text": trouble } }]);
    }
    invocation
}

fn result(outcome: &CiOutcome, one: &JudgedGroup) -> Value {
    let level = if one.fails() { one.class.row().sarif.level } else { "note" };
    let state = match one.verdict {
        BaselineVerdict::Known(_) => "unchanged",
        _ if one.fails() => "new",
        _ => "unchanged",
    };
    let origin = match &one.seed {
        Some(seed) => format!("Seed {seed}"),
        None => "A generated problem".to_string(),
    };
    let mut result = json!({
        "ruleId": one.class,
        "level": level,
        "baselineState": state,
        "message": { "text": format!("{}. {}. {origin}.", one.summary, outcome.contrast(one)) },
        "locations": [{ "physicalLocation": {
            "artifactLocation": { "uri": uri(&one.script) },
            "region": { "startLine": 1, "endLine": one.text.lines().count().max(1) },
        } }],
        // By the script: the same one in another build is the same result.
        "partialFingerprints": { "squallScript/v1": files::sha256(&one.text) },
        "properties": {
            "verdict": one.word(),
            "trust": one.trust.to_string(),
            "mode": one.mode,
            "findings": one.members,
            "bytes": one.text.len(),
        },
    });
    result["ruleIndex"] = json!(one.class as usize);
    result
}

/// Returns a path as a relative reference if it is below the current folder, otherwise as a file URI.
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
#[path = "../../../tests/unit/sarif.rs"]
mod tests;
