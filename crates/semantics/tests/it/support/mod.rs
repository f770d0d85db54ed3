//! Reading terms and printing values, shared by the tests.

use semantics::truth::{CheckTruth, ExhaustLimits, OpenTruth, Search, TruthQuery, of_formulas};
use semantics::{EvalLimits, Evaluator, Model, Stop, Verdict, read_model, validate};
use smtlib::{Script, Store, TermId};
use std::io::Write;
use std::process::{Command, Stdio};

/// A script read, with all its assertions.
pub struct Read {
    pub store: Store,
    pub script: Script,
    pub assertions: Vec<TermId>,
}

/// Reads a script that must be well-formed.
pub fn read(text: &str) -> Read {
    let mut store = Store::new();
    let parsed = smtlib::parse(&mut store, text);
    assert!(parsed.errors.is_empty(), "{text}: {:?}", parsed.errors);
    let assertions = parsed
        .script
        .commands
        .iter()
        .filter_map(|c| match c {
            smtlib::Command::Assert(t, _) => Some(*t),
            _ => None,
        })
        .collect();
    Read { store, script: parsed.script, assertions }
}

/// The value of a closed term as text, or `unknown: …` with the reason.
pub fn value_of(declarations: &str, term: &str) -> String {
    let mut store = Store::new();
    let mut scope = smtlib::Scope::new(&store);
    let parsed = smtlib::parse_commands(&mut store, &mut scope, declarations);
    assert!(parsed.errors.is_empty(), "{declarations}: {:?}", parsed.errors);
    let t = match smtlib::parse_term(&mut store, &mut scope, term) {
        Ok(t) => t,
        Err(error) => panic!("{term}: {error:?}"),
    };
    let mut evaluator = Evaluator::new(Model::new(), EvalLimits::default());
    match evaluator.eval(&store, t) {
        Err(unknown) => format!("unknown: {}", unknown.reason),
        Ok(value) => {
            let sort = store.sort(t);
            match value.to_term(&mut store, sort) {
                Some(t) => store.term_text(t),
                None => format!("{value:?}"),
            }
        }
    }
}

/// Checks that a closed term has a value, given as text; `unknown` demands that it has none.
pub fn check(declarations: &str, term: &str, expect: &str) {
    let found = value_of(declarations, term);
    if expect == "unknown" {
        assert!(found.starts_with("unknown: "), "{term} must be unknown, is {found}");
    } else {
        assert_eq!(found, value_of(declarations, expect), "{term}");
    }
}

/// Reads a model and gives the verdict on all assertions.
pub fn verdict(script: &str, model: &str) -> String {
    let mut r = read(&format!("{script}\n(check-sat)"));
    let instance = r.script.instances()[0].clone();
    match read_model(&mut r.store, &instance, model) {
        Err(error) => format!("error: {error}"),
        Ok(model) => match validate(&r.store, &r.assertions, model) {
            Verdict::Valid => "valid".to_string(),
            Verdict::Invalid { assertion, .. } => format!("invalid {assertion}"),
            Verdict::Unknown { reason, .. } => format!("unknown: {reason}"),
        },
    }
}

/// What one way of exhaustion says of formulas, with the default bounds.
pub fn exhausted(store: &mut Store, formulas: &[TermId], search: Search) -> Result<CheckTruth, OpenTruth> {
    of_formulas(store, formulas, TruthQuery { limits: &ExhaustLimits::default(), stop: &Stop::default(), search })
}

/// The answers of both ways of exhaustion.
#[track_caller]
pub fn decided(text: &str, expect: &str) {
    let Read { mut store, assertions, .. } = read(text);
    let word = |truth: Result<CheckTruth, OpenTruth>| match truth {
        Ok(truth) => truth.word().to_string(),
        Err(OpenTruth::NotFinite(refusal)) => format!("refused: {refusal}"),
        Err(_) => "unknown".to_string(),
    };
    for search in [Search::Recorded, Search::Quick] {
        assert_eq!(word(exhausted(&mut store, &assertions, search)), expect, "{text}");
    }
}

/// The lines that the cvc5 on `PATH` prints for a script.
pub fn cvc5_answers(script: &str) -> Vec<String> {
    let mut child = Command::new("cvc5")
        .args(["--lang=smt2", "--incremental"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("cvc5 starts");
    // Dropped after writing, so that it ends.
    child.stdin.take().expect("a pipe").write_all(script.as_bytes()).expect("cvc5 reads");
    let output = child.wait_with_output().expect("cvc5 ends");
    String::from_utf8_lossy(&output.stdout).lines().map(str::to_string).collect()
}
