//! Findings as a SARIF 2.1.0 log (OASIS standard), for code scanning.

use super::outcome::{CiOutcome, JudgedGroup};
use ::finding::BugClass;
use serde_json::{Value, json};
use std::path::Path;
use triage::baseline::BaselineVerdict;

/// What is said of a class of bugs: its name, what it means, the level of its results, and help for who reads one.
struct ClassRule {
    class: BugClass,
    name: &'static str,
    short: &'static str,
    level: &'static str,
    tag: &'static str,
    why: &'static str,
}

/// Wrong answers are errors, crashes are seen by users themselves, and giving up is no fault.
const RULES: [ClassRule; BugClass::ALL.len()] = [
    ClassRule {
        class: BugClass::A,
        name: "RefutationSoundness",
        short: "The solver says unsat for a satisfiable instance.",
        level: "error",
        tag: "soundness",
        why: "An assignment that makes every assertion true is in the finding's folder as witness.smt2, where there is one; any solver \
              can check it. Where there is none, the property trust of the result says what the right answer rests on.",
    },
    ClassRule {
        class: BugClass::B,
        name: "SolutionSoundness",
        short: "The solver says sat for an unsatisfiable instance, or gives a wrong model.",
        level: "error",
        tag: "soundness",
        why: "No assignment makes every assertion true, or the solver's own model makes one of them false. The property trust of the \
              result says what that rests on.",
    },
    ClassRule {
        class: BugClass::C,
        name: "Incompleteness",
        short: "The solver gives up where another one answers.",
        level: "note",
        tag: "completeness",
        why: "Another release answers the instance under the same limits, or the solver claims to decide its logic. Every change \
              of a heuristic changes where a solver gives up.",
    },
    ClassRule {
        class: BugClass::D,
        name: "Crash",
        short: "The solver crashes.",
        level: "warning",
        tag: "reliability",
        why: "A signal, a failed assertion of the solver, or a sanitizer's report. What the solver printed is in the finding's folder as \
              output.txt.",
    },
    ClassRule {
        class: BugClass::E,
        name: "FalseSelfCheck",
        short: "The solver's own check rejects a model that is right.",
        level: "note",
        tag: "reliability",
        why: "An exact evaluator finds every assertion true under the model. The defect is in the check, not in the answer.",
    },
    ClassRule {
        class: BugClass::S,
        name: "Slowness",
        short: "The solver takes 100 times the CPU time of another release, or of another of its modes.",
        level: "note",
        tag: "performance",
        why: "CPU times of three runs each, start included. The record has them, and by whom they were measured, as slowness.",
    },
];

/// What to do with a result of any rule, whose folder is DIR.
const NEXT: [(&str, &str); 3] = [
    ("squall replay DIR", "runs the solver on the finding again"),
    ("squall reduce DIR", "makes its script smaller"),
    ("squall bisect DIR", "asks other versions of the solver"),
];

impl ClassRule {
    fn json(&self) -> Value {
        let next = |quote: &str| {
            let parts = NEXT.map(|(command, does)| format!("{quote}{command}{quote} {does}"));
            format!("In the folder DIR of the finding: {}.", parts.join("; "))
        };
        json!({
            "id": self.class,
            "name": self.name,
            "shortDescription": { "text": self.short },
            "fullDescription": { "text": format!("{} {}", self.short, self.why) },
            "help": {
                "text": format!("{}\n\n{}", self.why, next("")),
                "markdown": format!("{}\n\n{}", self.why, next("`")),
            },
            "defaultConfiguration": { "level": self.level },
            "properties": { "tags": ["smt", self.tag] },
        })
    }
}

/// The log of a run.
pub fn log(outcome: &CiOutcome) -> Value {
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "squall",
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "rules": RULES.iter().map(ClassRule::json).collect::<Vec<_>>(),
            } },
            // What stands before the last slash names the analysis: code scanning replaces the results of an earlier build by it.
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
    let rule = RULES.iter().position(|rule| rule.class == one.class);
    let severity = rule.map_or("error", |index| RULES[index].level);
    let level = if one.fails() { severity } else { "note" };
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
        // The script itself: the same one in another build is the same result.
        "partialFingerprints": { "squallScript/v1": files::sha256(&one.text) },
        "properties": {
            "verdict": one.word(),
            "trust": one.trust.to_string(),
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
