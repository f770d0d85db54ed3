//! Whole reductions against stand-in solvers, whose results are known exactly.

use crate::support::{self, asked, begin, question, reduced, run, stand_in, wrong_on, z3_stand_in};
use finding::{FailureKind, Observation, Trust};
use oracle::model_oracle::SYMPTOM;
use reduce::ShownFailure;
use reduce::start::StartError;
use solver::session::Solver;
use std::path::Path;

#[test]
fn the_result_does_not_depend_on_the_number_of_threads() {
    let input = "(declare-fun a () Int)(declare-fun b () Int)(declare-fun c () Bool)\
                 (assert (or c (> (* a b) (div a 2))))(assert (=> c (< a (+ b a 3))))(assert (distinct a b))(check-sat)";
    let witness = "((define-fun a () Int 4)(define-fun b () Int 5)(define-fun c () Bool true))";
    let one = reduced(input, witness, "(+ ", 1).0;
    let four = reduced(input, witness, "(+ ", 4).0;
    assert_eq!(one, four);
}

#[test]
fn without_a_witness_and_trust_nothing_is_believed() {
    let folder = tempfile::tempdir().unwrap();
    let question = question(wrong_on(folder.path(), "assert"), None, "");
    let error = begin(&question, "(declare-fun p () Int)(assert (< p 7))(check-sat)").err().unwrap();
    assert!(matches!(error, StartError::NotShown { .. }), "{error}");
    assert!(error.to_string().contains("unsat"), "says what was seen: {error}");
    assert!(error.to_string().contains("--trust"), "says what to do: {error}");
}

/// Where the symbols range over few values, our evaluator decides alone.
#[test]
fn small_finite_problems_need_neither() {
    let folder = tempfile::tempdir().unwrap();
    let question = question(wrong_on(folder.path(), "assert"), None, "");
    for text in [
        "(declare-fun p () Bool)(assert p)(check-sat)",
        "(declare-sort S 0)(declare-fun a () S)(declare-fun b () S)(assert (forall ((x S)) (or (= x a) (= x b))))(check-sat)",
        "(declare-datatype E ((red) (blue)))(declare-fun e () E)(assert (= e blue))(check-sat)",
    ] {
        let (subject, start) = begin(&question, text).unwrap();
        // A satisfying assignment is kept as the witness.
        assert_eq!(start.evidence.truth, Trust::Certified, "{text}");
        assert!(subject.witness.is_some(), "{text}");
    }
    // Only a choice of a value that the standard leaves open satisfies this, which the witness records.
    let (subject, start) = begin(&question, "(assert (= (mod 0 0) 0))(check-sat)").unwrap();
    assert_eq!(start.evidence.truth, Trust::CertifiedByChoice);
    assert!(subject.witness.is_some_and(|model| !model.choices().is_empty()));
}

#[test]
fn a_crash_of_a_finding_is_the_finding_s() {
    // The file crashes in two ways, in turn: the reduction waits for the recorded one.
    let folder = tempfile::tempdir().unwrap();
    let counter = folder.path().join("n");
    let body = format!(
        "n=$(cat {0} 2>/dev/null || echo 0); echo $((n+1)) > {0}; \
         if [ $((n % 2)) = 0 ]; then kill -SEGV $$; else echo 'ASSERTION VIOLATION at a.cpp' >&2; kill -ABRT $$; fi",
        counter.display()
    );
    for symptom in ["signal: SIGSEGV", "assertion: ASSERTION VIOLATION at a.cpp"] {
        let mut task = question(stand_in(folder.path(), &body), None, "");
        task.shown =
            Some(ShownFailure { wrong: FailureKind::Crash, symptom: Some(symptom.to_string()), check: Some(0) });
        task.trials = 4;
        let (_, begun) = begin(&task, "(declare-fun p () Bool)(assert p)(check-sat)").unwrap();
        assert_eq!(begun.judge.shown.symptom.as_deref(), Some(symptom));
    }
    let mut task = question(stand_in(folder.path(), &body), None, "");
    task.shown =
        Some(ShownFailure { wrong: FailureKind::Crash, symptom: Some("signal: SIGFPE".to_string()), check: Some(0) });
    let error = begin(&task, "(check-sat)").err().unwrap();
    assert!(error.to_string().contains("does not show the crash 'signal: SIGFPE'"), "{error}");
}

#[test]
fn a_crash_stays_one_that_the_same_versions_show() {
    // Three versions die of the same signal where `distinct` occurs; the newest also does for `xor`. A reduction on the newest drifted
    // from one to the other, which no signature distinguishes.
    let old = "case \"$t\" in *distinct*) kill -SEGV $$;; esac\necho sat";
    let middle = "case \"$t\" in *distinct*) echo 'Fatal failure at b.cpp' >&2; kill -ABRT $$;; esac\necho sat";
    let new = "case \"$t\" in *distinct*|*xor*) kill -SEGV $$;; esac\necho sat";
    let right = "echo sat";
    let folders: Vec<_> = (0..4).map(|_| tempfile::tempdir().unwrap()).collect();
    let solvers: Vec<_> =
        [new, old, middle, right].iter().zip(&folders).map(|(body, f)| stand_in(f.path(), body)).collect();
    let input = "(declare-fun p () Bool)(declare-fun q () Bool)\
                 (assert (or p (distinct (xor p q) (and p (or q p)))))(assert (and p (xor q p)))(check-sat)";
    let reduced = |versions: &[solver::session::Solver]| {
        let mut task = question(solvers[0].clone(), Some(FailureKind::Crash), "");
        task.versions = versions.to_vec();
        let (subject, begun) = begin(&task, input).unwrap();
        (begun.judge.other_wrong_versions.len(), run(subject, begun.evidence, begun.judge, 2).0)
    };
    let (other_wrong_versions, text) = reduced(&[]);
    assert_eq!(
        (other_wrong_versions, text.contains("xor"), text.contains("distinct")),
        (0, true, false),
        "it slips: {text}"
    );
    let (other_wrong_versions, text) = reduced(&solvers[1..]);
    assert_eq!(other_wrong_versions, 2, "the one that is right is none");
    assert!(text.contains("distinct") && !text.contains("xor"), "{text}");
}

#[test]
fn a_wrong_model_is_judged_as_the_finding_was() {
    // The model after the fifth check is wrong, and only those of the first four were examined: replay confirmed the finding, but it was
    // not reduced.
    let folder = tempfile::tempdir().unwrap();
    let body = "n=0; a=unsat; case \"$t\" in *'(> x 3)'*) a=sat;; esac; \
                echo \"$t\" | while read -r l; do case \"$l\" in '(check-sat'*) n=$((n+1)); echo $a;; \
                '(get-model)'*) v=5; [ \"$n\" = 5 ] && v=0; echo \"((define-fun x () Int $v))\";; esac; done";
    let checks = "(check-sat)(get-model)".repeat(5);
    let input = format!("(declare-fun x () Int)(assert (> x 3))(assert (or (= x 5) (< x 1))){checks}(check-sat)");
    let mut task = question(stand_in(folder.path(), body), None, "");
    task.question = Some(asked(&["models", "incremental"], "", Observation::Models));
    task.shown =
        Some(ShownFailure { wrong: FailureKind::InvalidModel, symptom: Some(SYMPTOM.to_string()), check: Some(4) });
    let (subject, begun) = begin(&task, &input).unwrap();
    assert_eq!((begun.evidence.check, &begun.evidence.truth), (4, &Trust::ModelRefuted));
    let (text, _) = run(subject, begun.evidence, begun.judge, 2);
    assert!(text.starts_with("(declare-fun x () Int)\n(assert (> x 3))\n(check-sat)\n"), "{text}");
    assert_eq!(text.matches("(check-sat)").count(), 5, "{text}");
    assert_eq!(text.matches("(get-model)").count(), 1, "what is left asks for the wrong model itself: {text}");
}

#[test]
fn a_model_is_asked_for_what_it_leaves_out() {
    // The model alone is right whatever it leaves out; the value that the solver gives for it makes the assertion false.
    let folder = tempfile::tempdir().unwrap();
    let body = "echo \"$t\" | while read -r l; do case \"$l\" in '(check-sat'*) echo sat;; '(get-model)'*) echo '()';; \
                y*) echo '((y 4))';; x*) echo '((x 4))';; esac; done";
    let input = "(declare-fun x () Int)(declare-fun y () Int)(assert (> (+ x 2) 9))(check-sat)(get-model)";
    let task = question(stand_in(folder.path(), body), Some(FailureKind::InvalidModel), "");
    let (subject, begun) = begin(&task, input).unwrap();
    assert_eq!(begun.evidence.truth, Trust::ModelRefuted);
    let (text, _) = run(subject, begun.evidence, begun.judge, 2);
    assert!(!text.contains("(declare-fun y"), "{text}");
}

/// A solver that reports its model of every script with `mod` as wrong.
fn self_accusing(folder: &Path, model: &str) -> Solver {
    let body = format!(
        "case \"$t\" in *'(mod '*) echo '(error \"line 4 column 10: an invalid model was generated\")';; esac\n\
         echo sat; echo '{model}'"
    );
    z3_stand_in(folder, &body)
}

#[test]
fn the_solver_s_own_word_is_kept_word_for_word() {
    let input = "(declare-fun x () Int)(assert (and (> x 3) (= (mod x 7) 2)))(check-sat)(get-model)";
    let check = |model: &str, wrong: FailureKind, expect: Option<Trust>| {
        let folder = tempfile::tempdir().unwrap();
        let mut task = question(self_accusing(folder.path(), model), None, "");
        let mut shown = ShownFailure::any(wrong);
        task.question = Some(asked(&["models", "validate"], "", shown.observation()));
        shown.symptom = Some("an invalid model was generated".to_string());
        task.shown = Some(ShownFailure { check: Some(0), ..shown });
        let begun = begin(&task, input);
        assert_eq!(begun.as_ref().ok().map(|(_, begun)| begun.evidence.truth.clone()), expect, "{wrong} {model}");
        if let Ok((subject, begun)) = begun {
            let (text, _) = run(subject, begun.evidence, begun.judge, 2);
            assert!(text.contains("(mod ") && text.len() < 70, "{wrong} {model}: {text}");
        }
        task.shown.as_mut().unwrap().symptom = Some("another word".to_string());
        assert!(begin(&task, input).is_err());
    };
    // z3 4.8.7's message about correct models was reduced as if they were wrong.
    let right = "((define-fun x () Int 9))";
    check(right, FailureKind::FalseSelfCheck, Some(Trust::ModelProven));
    check(right, FailureKind::SelfCheck, None);
    // A model that omits x, and about which no solver can be asked.
    let unreadable = "((define-fun x () Int (nonsense 9)))";
    check(unreadable, FailureKind::SelfCheck, Some(Trust::Observed));
    check(unreadable, FailureKind::FalseSelfCheck, None);
}

#[test]
fn a_flaky_file_is_measured() {
    let folder = tempfile::tempdir().unwrap();
    let counter = folder.path().join("n");
    // The failure in every second run.
    let body = format!(
        "n=$(cat {0} 2>/dev/null || echo 0); echo $((n+1)) > {0}; if [ $((n % 2)) = 0 ]; then echo unsat; else echo sat; fi",
        counter.display()
    );
    let flaky = question(stand_in(folder.path(), &body), Some(FailureKind::Unsat), "((define-fun p () Bool true))");
    // Determining the stand-in's version may have run it.
    let _ = std::fs::remove_file(&counter);
    let (_, begun) = begin(&flaky, "(declare-fun p () Bool)(assert p)(check-sat)").unwrap();
    assert!(begun.judge.tries > 1);
    assert!(begun.notes.iter().any(|n| n.contains("flaky: shown in 6 of 12 runs")), "{:?}", begun.notes);
    // The failure in the first run only.
    let body = format!("if [ -e {0} ]; then echo sat; else touch {0}; echo unsat; fi", counter.display());
    let once = question(stand_in(folder.path(), &body), Some(FailureKind::Unsat), "((define-fun p () Bool true))");
    let _ = std::fs::remove_file(&counter);
    let error = begin(&once, "(declare-fun p () Bool)(assert p)(check-sat)").err().unwrap();
    assert!(matches!(error, StartError::Flaky { shown: 1, runs: 12, .. }), "{error}");
}

#[test]
fn what_was_reduced_before_is_taken_up_again() {
    use finding::folder::FindingPaths;
    use reduce::finding::{ReductionWriter, key, resumable};
    let folder = tempfile::tempdir().unwrap();
    let files = FindingPaths::of(&folder.path().join("bug.smt2"), None);
    let question = question(wrong_on(folder.path(), "xor"), Some(FailureKind::Unsat), "((define-fun p () Bool true))");
    let (subject, begun) = begin(&question, "(declare-fun p () Bool)(assert (xor p false))(check-sat)").unwrap();
    let first = key(b"input", "question");
    let writer = ReductionWriter::new(files.clone(), first.clone());
    writer.write(&subject.text(), &subject, &begun.evidence, None).unwrap();
    let (text, witness, account) = resumable(&files, &first).expect("it resumes");
    assert_eq!(String::from_utf8(text).unwrap(), subject.text());
    assert!(account.report.is_none());
    // The stored witness satisfies it again.
    let again = support::question(question.target.clone(), Some(FailureKind::Unsat), &witness.unwrap());
    assert!(begin(&again, &subject.text()).is_ok());
    assert!(resumable(&files, &key(b"other input", "question")).is_none());
    assert!(resumable(&files, &key(b"input", "other question")).is_none());
    std::fs::write(&files.output, "(check-sat)").unwrap();
    assert!(resumable(&files, &first).is_none(), "a result that was changed since is not believed");
}

#[test]
fn the_witness_of_what_is_left_mentions_nothing_that_is_gone() {
    use reduce::finding::witness_text;
    let input = "(declare-sort S 0)(declare-sort T 0)(declare-fun s () S)(declare-fun t () T)(declare-fun f (T) Int)\
                 (declare-fun n () Int)(assert (= s s))(assert (and (= t t) (> (mod (f t) 3) n)))(check-sat)";
    let witness = "(declare-sort S 0)(declare-sort T 0)(set-info :universe |2 S|)(set-info :universe |1 T|)\
                   (declare-fun e1 () S)(declare-fun e2 () S)(declare-fun e3 () T)(define-fun s () S e2)\
                   (define-fun t () T e3)(define-fun f ((x T)) Int (ite (= x e3) 2 0))(define-fun n () Int 1)";
    for (word, needs_sort) in [("mod", false), ("(f ", true)] {
        let folder = tempfile::tempdir().unwrap();
        let question = question(wrong_on(folder.path(), word), Some(FailureKind::Unsat), witness);
        let (subject, begun) = begin(&question, input).unwrap();
        let judge = std::sync::Arc::new(reduce::TextJudge::Solver(Box::new(begun.judge)));
        let config = reduce::reducer::ReducerConfig {
            jobs: 2,
            time: None,
            cancel: solver::process::CancelToken::new(),
            before: reduce::Size::default(),
            cpu_budget: None,
        };
        let mut nothing = support::Nothing;
        let (subject, evidence, _) = reduce::Reducer::new(subject, begun.evidence, judge, config, &mut nothing).run();
        assert!(!subject.text().contains("declare-sort S"), "{}", subject.text());
        let text = witness_text(&subject, &evidence).expect("a witness");
        assert_eq!(text.contains("declare-sort T"), needs_sort, "{text}");
        let mut store = smtlib::Store::new();
        let parsed = smtlib::parse(&mut store, &text);
        assert!(parsed.errors.is_empty(), "{text}: {:?}", parsed.errors);
    }
}

/// A script that only needs a wrong model loses the truth of its witness on the way; the resulting file claimed that `sat` is the only
/// right answer although it was not.
#[test]
fn no_witness_is_left_that_is_none() {
    let folder = tempfile::tempdir().unwrap();
    let crashes = stand_in(folder.path(), "kill -SEGV $$");
    let check = |input: &str, witness: &str, expect: bool| {
        let (subject, begun) = begin(&question(crashes.clone(), Some(FailureKind::Crash), ""), input).unwrap();
        let mut subject = subject;
        subject.witness = Some(std::sync::Arc::new(oracle::witness_file::read(&mut subject.store, witness).unwrap()));
        assert_eq!(reduce::finding::witness_text(&subject, &begun.evidence).is_some(), expect, "{input} {witness}");
    };
    let input = "(declare-fun p () Int)(assert (< p 7))(check-sat)";
    check(input, "(define-fun p () Int 3)", true);
    check(input, "(define-fun p () Int 9)", false);
    // A value chosen for an application that is gone: the witness showed another script's choice.
    let foreign = "(define-fun p () Int 3)(assert (= (mod (- 1) 0) 0))";
    let (mut subject, begun) = begin(&question(crashes, Some(FailureKind::Crash), ""), input).unwrap();
    subject.witness = Some(std::sync::Arc::new(oracle::witness_file::read(&mut subject.store, foreign).unwrap()));
    let text = reduce::finding::witness_text(&subject, &begun.evidence).expect("a witness");
    assert!(!text.contains("mod"), "{text}");
}

#[test]
fn scripts_before_a_finding_go_unless_it_needs_them() {
    // The solver is wrong once it has been reset after a script with `xor`, and then another.
    let body = "echo \"$t\" | awk '/xor/ { x = 1 } /^.reset/ && x { n++ } /^.echo/ { gsub(/^.echo \"|\".$/, \"\"); print } \
                /^.check-sat/ { print (n >= LIMIT ? \"unsat\" : \"sat\") }'";
    let check = |limit: &str, earlier: &[&str], expect: &[&str]| {
        let folder = tempfile::tempdir().unwrap();
        let joined = |scripts: &[&str]| {
            scripts.iter().map(|s| format!("(assert {s})\n(check-sat)\n(reset)\n")).collect::<String>()
        };
        let solver = stand_in(folder.path(), &body.replace("LIMIT", limit));
        let mut question = question(solver, Some(FailureKind::Unsat), "((define-fun p () Bool true))");
        question.question = Some(asked(&[], &joined(earlier), Observation::Answers));
        let (subject, mut begun) = begin(&question, "(declare-fun p () Bool)(assert p)(check-sat)").unwrap();
        let witness = reduce::start::witness_of(&subject);
        let fewer = reduce::predecessors::reduce(&mut begun.judge, &subject.text(), witness.as_ref(), || false);
        assert_eq!((fewer.before, fewer.after), (earlier.len(), expect.len()));
        assert_eq!(*begun.judge.question.earlier, *joined(expect));
        // The rest precedes every candidate.
        let (text, _) = run(subject, begun.evidence, begun.judge, 2);
        assert_eq!(text, "(check-sat)\n");
    };
    check("1", &["true", "false", "(xor true false)", "(= 1 1)"], &["(xor true false)"]);
    check("2", &["(= 2 2)", "(xor true false)", "true", "(= 1 1)"], &["(xor true false)", "(= 1 1)"]);
    check("0", &["true", "(xor true false)"], &[]);
}
