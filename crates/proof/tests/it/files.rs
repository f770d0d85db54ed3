//! Proofs with the verdicts that are argued for: `tests/judge/NAME.proof` of `NAME.smt2`.
//!
//! A line `; expect: STEP WORD` gives the verdict on a step, `; expect: fault KIND` a fault, and `; expect: none`
//! states that there is neither a fault nor a refuted step. There may be no others.

use proof::{JudgeLimits, judge_text};
use std::path::Path;

#[test]
fn proofs_come_out_as_expected() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/judge");
    let mut wrong = Vec::new();
    let mut count = 0;
    for entry in std::fs::read_dir(folder).expect("the folder of proofs") {
        let path = entry.expect("an entry").path();
        if path.extension().is_none_or(|extension| extension != "proof") {
            continue;
        }
        count += 1;
        let proof = std::fs::read_to_string(&path).expect("a proof");
        let problem = std::fs::read_to_string(path.with_extension("smt2")).expect("its problem");
        wrong.extend(mistakes(&problem, &proof).into_iter().map(|what| format!("{}: {what}", path.display())));
    }
    assert!(count >= 12 && wrong.is_empty(), "{count} proofs\n{}", wrong.join("\n"));
}

fn mistakes(problem: &str, proof: &str) -> Vec<String> {
    let expected: Vec<&str> = proof.lines().filter_map(|line| line.strip_prefix("; expect: ")).collect();
    let judged = match judge_text(problem, proof, &JudgeLimits::default(), None) {
        Ok(judged) => judged,
        Err(error) => return vec![error.to_string()],
    };
    let mut said: Vec<String> = judged.faults.iter().map(|fault| format!("fault {}", fault.kind.word())).collect();
    for step in &judged.steps {
        let word = format!("{} {}", step.name, step.verdict.word());
        if step.verdict.word() == "refuted" || expected.contains(&&*word) {
            said.push(word);
        }
    }
    for (step, refutation) in judged.refuted() {
        // The script lets anyone check it.
        let mut store = smtlib::Store::new();
        let parsed = smtlib::parse(&mut store, &refutation.script);
        assert!(parsed.errors.is_empty() && parsed.script.check_count() == 1, "{}: {}", step.name, refutation.script);
    }
    let mut wrong: Vec<String> = expected
        .iter()
        .filter(|&&e| e != "none" && !said.iter().any(|s| s == e))
        .map(|e| {
            format!("{e} expected: {:?}", judged.steps.iter().find(|s| e.starts_with(&*s.name)).map(|s| &s.verdict))
        })
        .collect();
    wrong.extend(said.iter().filter(|s| !expected.contains(&s.as_str())).map(|s| format!("{s} not expected")));
    if expected.is_empty() {
        wrong.push("nothing is expected".to_string());
    }
    wrong
}
