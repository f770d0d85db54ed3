//! `squall explain`: what a finding depends on, against stand-in solvers whose bugs depend on options.

use super::stage::{Ran, Stage};
use insta::assert_snapshot;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::fs;

/// A small script on which the stand-ins err, and a witness that it is satisfiable.
const SMALL: &str = "(declare-fun x () Int)\n(assert (= (mod x 7) 2))\n(check-sat)\n";
const VALUES: &str = "(define-fun x () Int 9)\n";

/// The stand-in's profile.
const PROFILE: &str = "[[solver]]\nname = 'picky'\ntitle = 'Picky'\nexecutables = ['picky']\nscript-options = [':own.*']\n\
    switches = ['--fix', '--other', '--refused']\n\
    choice = [{ option = '--level={}', values = ['1', '2'] }, { option = '(set-simplifier {})', values = ['fold'], versions = '>=3' }]\n\
    [[solver.tactic]]\ntext = 'plod'\n[solver.options]\nvalidate = ['--check']\n";

/// A stand-in that errs if the shell's condition holds; `$*` are its options, `$t` is its input.
fn errs_if(condition: &str) -> String {
    format!(
        "t=$(cat); case \"$*\" in *--refused*) echo '(error \"no such option\")'; exit 1;; esac\n\
         a=sat; if {condition}; then a=unsat; fi\n\
         echo \"$t\" | while IFS= read -r l; do case $l in '(check-sat'*) echo $a;; esac; done\n"
    )
}

/// A shell condition: whether the options or the text contain a word.
fn holds(variable: &str, word: &str) -> String {
    format!("case \"${variable}\" in *'{word}'*) true;; *) false;; esac")
}

/// A stage with the profile.
struct Picky(Stage);

impl Picky {
    fn new() -> Picky {
        let stage = Stage::new();
        stage.write("config/squall/squall.toml", PROFILE);
        Picky(stage)
    }

    /// Adds a release that errs if a condition holds.
    fn release(&self, version: &str, condition: &str) {
        self.body(version, &errs_if(condition));
    }

    fn body(&self, version: &str, body: &str) {
        let folder = format!("cache/solvers/picky@{version}");
        self.0.write(&format!("{folder}/picky.sh"), body);
        let manifest = format!(
            "name = 'picky'\nversion = '{version}'\norigin = 'a test'\ncommand = ['/bin/sh', 'picky.sh']\nsha256 = '{}'\n",
            files::digest::sha256(body)
        );
        self.0.write(&format!("{folder}/install.toml"), &manifest);
    }

    /// A finding of a wrong `unsat`.
    fn finding(&self, folder: &str, script: &str, solver: &str) {
        self.0.finding(folder, "A", script, solver);
        // Its options are not in the profile: the campaign was this user's.
        self.run(&["setup", "config", "allow", "--solver", solver]);
        self.0.write(&format!("{folder}/witness.smt2"), VALUES);
    }

    fn run(&self, args: &[&str]) -> Ran {
        let mut command = self.0.squall(args);
        Ran::of(command.env("XDG_CONFIG_HOME", self.0.path("config")).output().expect("squall runs"))
    }

    /// Returns the explanation in a finding's folder.
    fn kept(&self, folder: &str) -> Value {
        serde_json::from_str(&self.0.read(&format!("{folder}/explain.json"))).expect("JSON")
    }
}

/// The texts of a list of parts or changes.
fn texts(list: &Value) -> Vec<&str> {
    list.as_array().expect("a list").iter().map(|part| part["text"].as_str().expect("a text")).collect()
}

#[test]
fn an_option_makes_the_wrong_answer_vanish() {
    let picky = Picky::new();
    picky.release("1.0.0", "false");
    picky.release("2.0.0", "true");
    picky.release("3.0.0", &format!("! {{ {}; }}", holds("*", "--fix")));
    picky.finding("f", SMALL, "picky@3.0.0");
    let run = picky.run(&["explain", "f"]);
    run.check(10, &[]);
    insta::with_settings!({ snapshot_path => "../snapshots" }, { assert_snapshot!("explain-text", run.out) });
    let kept = picky.kept("f");
    assert_eq!(run.out, format!("f\n  {}\n", kept["text"].as_str().expect("a text")));
    assert_eq!(kept["assertions"], json!(["(= (mod x 7) 2)"]));
    assert_eq!(kept["shown"], json!({"shown": 3, "runs": 3}));
    let refused = json!({"kind": "option", "text": "--refused", "did": "refused"});
    assert!(kept["changes"].as_array().expect("a list").contains(&refused), "{kept:#}");
    // The same as JSON, and independent of the number of parallel runs.
    let run = picky.run(&["explain", "f", "--format", "json", "-j", "1"]);
    run.check(10, &[]);
    let mut event: Value = serde_json::from_str(&run.out).expect("one object");
    let members = event.as_object_mut().expect("an object");
    assert_eq!((members.remove("event"), members.remove("folder")), (Some(json!("explain")), Some(json!("f"))));
    assert_eq!(event, kept);
}

/// The release errs where a `let` has two blanks, which our print does not have. Bisections asked our print, and called the release right.
#[test]
fn what_shows_only_as_it_is_spelled_is_asked_as_it_is_spelled() {
    let picky = Picky::new();
    picky.release("1.0.0", "false");
    picky.release("2.0.0", &holds("t", "((  "));
    let script =
        "(set-option :own.depth 3)\n(declare-fun x () Int)\n(assert (let ((  y (mod x 7))) (= y 2)))\n(check-sat)\n";
    picky.finding("f", script, "picky@2.0.0");
    picky.run(&["reduce", "f", "--trust", "none", "--jobs", "2"]).check(0, &[]);
    let reduced: Value = serde_json::from_str(&picky.0.read("f/reduced.json")).expect("JSON");
    assert_eq!(reduced["report"]["only_as_spelled"], true, "{reduced:#}");
    assert!(picky.0.read("f/reduced.smt2").contains("((  y"));
    let bisected = picky.run(&["bisect", "f", "--format", "json"]);
    bisected.check(10, &[]);
    let kept: Value = serde_json::from_str(&picky.0.read("f/bisection.json")).expect("JSON");
    let did = |of: &str| {
        let rows = kept["found"].as_array().expect("a list");
        rows.iter()
            .find(|row| row["solver"].as_str().is_some_and(|label| label.contains(of)))
            .map(|row| row["did"].clone())
    };
    assert_eq!((did("1.0.0"), did("2.0.0")), (Some(json!("right")), Some(json!("wrong"))), "{kept:#}");
    picky.run(&["explain", "f"]).check(0, &["right about the same script in our print"]);
}

/// The stand-in says `unsat` to everything, which is right for an exclusive or of equal bits alone.
#[test]
fn siblings_of_an_operator_are_tried_where_the_right_answer_is_known() {
    let picky = Picky::new();
    picky.release("3.0.0", "true");
    let script = "(declare-fun a () (_ BitVec 2))\n(assert (= (bvnor a a) #b01))\n(check-sat)\n";
    picky.finding("f", script, "picky@3.0.0");
    picky.0.write("f/witness.smt2", "(define-fun a () (_ BitVec 2) #b10)\n");
    picky.run(&["explain", "f"]).check(10, &[]);
    let kept = picky.kept("f");
    let siblings = kept["siblings"].as_array().expect("a list");
    for (instead, did) in [("bvand", "wrong"), ("bvor", "wrong"), ("bvxor", "right")] {
        assert!(siblings.contains(&json!({"of": "bvnor", "instead": instead, "did": did})), "{instead}: {kept:#}");
    }
    let text = kept["text"].as_str().expect("a text");
    assert!(text.contains("The answer is wrong, too, with `bvand`"), "{text}");
    // Rounding modes are operators without arguments.
    let script =
        "(declare-fun a () (_ FloatingPoint 2 3))\n(assert (= (fp.sqrt RTP a) (fp #b0 #b01 #b10)))\n(check-sat)\n";
    picky.finding("h", script, "picky@3.0.0");
    picky.0.write("h/witness.smt2", "(define-fun a () (_ FloatingPoint 2 3) (fp #b0 #b10 #b00))\n");
    picky.run(&["explain", "h"]).check(10, &["`RNE`", "or `RTZ` instead of `RTP`"]);
    // Integers have no last one, so that no right answer is known.
    picky.finding("g", SMALL, "picky@3.0.0");
    picky.run(&["explain", "g"]).check(10, &[]);
    assert!(picky.kept("g").get("siblings").is_none());
}

#[test]
fn needed_parts_are_found_by_leaving_them_out() {
    let check = |condition: &str, script: &str, spec: &str, drawn: &[&str], needs: &[&str], needless: &[&str]| {
        let picky = Picky::new();
        picky.release("3.0.0", condition);
        picky.finding("f", script, spec);
        picky.0.amend("f", json!({"solver": {"drawn_options": drawn}}));
        picky.run(&["explain", "f"]).check(10, &[]);
        let kept = picky.kept("f");
        assert_eq!((texts(&kept["needs"]), texts(&kept["needless"])), (needs.to_vec(), needless.to_vec()), "{kept:#}");
        kept
    };
    // Two of three options, and one that a reduction left out.
    let both = format!("{} && {}", holds("*", "--a=1"), holds("*", "--b"));
    let drawn = ["--a=1", "--b", "--c", "--gone"];
    let kept = check(&both, SMALL, "picky@3.0.0 --a=1 --b --c", &drawn, &["--a=1", "--b"], &["--c", "--gone"]);
    let text = kept["text"].as_str().expect("a text");
    assert!(text.contains(". It needs `--a=1` and `--b`, and not `--c` or `--gone`; the answer stays wrong"), "{text}");
    // One step of a tactic and a command of the script, among others that are not needed.
    let script = "(set-option :own.a true)\n(set-option :own.b 3)\n(set-simplifier (then x y))\n(declare-fun x () Int)\n(push 1)\n\
        (assert (= (mod x 7) 2))\n(check-sat-using (then slow fast smt))\n";
    let step = format!("{} && {}", holds("t", "fast"), holds("t", ":own.b 3"));
    let needless = ["(set-option :own.a true)", "(set-simplifier (then x y))", "(push 1)", "slow", "smt"];
    check(&step, script, "picky@3.0.0", &[], &["(set-option :own.b 3)", "fast"], &needless);
    let pushed = format!("{} && {}", holds("t", "(push 1)"), holds("t", "(set-simplifier"));
    let needless = ["(set-option :own.a true)", "(set-option :own.b 3)", "slow", "fast", "smt"];
    check(&pushed, script, "picky@3.0.0", &[], &["(set-simplifier (then x y))", "(push 1)"], &needless);
    // Without any of it.
    check("true", SMALL, "picky@3.0.0 --a=1", &["--a=1"], &[], &["--a=1"]);
    // The value of a needed option is not changed.
    let kept = check(&holds("*", "--level=7"), SMALL, "picky@3.0.0 --level=7", &[], &["--level=7"], &[]);
    assert_eq!(texts(&kept["changes"]), ["--fix", "--other", "--refused", "(set-simplifier fold)", "plod"]);
}

/// Arguments after a program's path belong to it, except drawn options, and the program is not a release.
#[test]
fn a_build_of_the_users_own_is_explained_too() {
    let stage = Stage::new();
    let solver =
        stage.solver("solver.sh", &errs_if(&format!("{} && {}", holds("*", "--given"), holds("*", "--drawn"))));
    stage.finding("f", "A", SMALL, &format!("{solver} --given --drawn --more"));
    stage.write("f/witness.smt2", VALUES);
    stage.amend("f", json!({"solver": {"drawn_options": ["--drawn", "--more"]}}));
    let expect = "sh (own build) answers unsat on a satisfiable script about mod. It needs `--drawn`, and not `--more`; the solver's \
                  profile names no option to try.";
    stage.run(&["explain", "f"]).check(10, &[expect]);
}

/// The limit is CPU time, and partial results are kept.
#[test]
fn partial_results_are_kept() {
    let picky = Picky::new();
    let burns = format!("if {}; then while :; do :; done; fi; true", holds("*", "--other"));
    picky.release("3.0.0", &burns);
    picky.finding("f", SMALL, "picky@3.0.0");
    // On a busy machine the CPU time lasts much longer.
    picky.0.amend("f", json!({"solver": {"timeout_s": 100.0}}));
    let run = picky.run(&["explain", "f", "-j", "1", "--within", "1s"]);
    run.check(
        3,
        &["with the one of its options that was tried; 6 more questions were not asked because the time was up."],
    );
    let kept = picky.kept("f");
    assert_eq!((texts(&kept["changes"]), &kept["untried"]), (vec!["--fix"], &json!(6)));
    // A more complete result replaces it, a less complete one does not.
    picky.release("3.0.0", "true");
    picky.run(&["explain", "f"]).check(10, &[]);
    let whole = picky.kept("f");
    assert_eq!(whole["untried"], 0);
    picky.release("3.0.0", &burns);
    picky.run(&["explain", "f", "-j", "1", "--within", "1s"]).check(3, &["6 more questions were not asked"]);
    assert_eq!(picky.kept("f"), whole);
}

#[test]
fn findings_that_do_not_hold_are_not_explained() {
    let picky = Picky::new();
    picky.release("3.0.0", "true");
    let check = |spoil: &dyn Fn(&Stage), code: i32, words: &[&str]| {
        picky.finding("f", SMALL, "picky@3.0.0");
        spoil(&picky.0);
        picky.run(&["explain", "f"]).check(code, words);
        assert!(!picky.0.path("f/explain.json").exists());
        // The same exit code as a replay.
        picky.run(&["replay", "f"]).check(code, &[]);
    };
    let edited = |stage: &Stage| drop(stage.write("f/witness.smt2", "(define-fun x () Int 8)\n"));
    check(&edited, 0, &["squall: f: it does not hold: "]);
    check(
        &|stage| fs::remove_file(stage.path("f/witness.smt2")).expect("it goes"),
        1,
        &["squall: f: its witness is missing"],
    );
    check(&|stage| drop(stage.write("f/finding.json", "{\"format\": 1, ")), 1, &["finding.json' is damaged"]);
    picky.release("3.0.0", "false");
    check(&|_| (), 0, &["squall: f: it does not reproduce: picky@3.0.0 answers sat"]);
    picky.run(&["explain", "nowhere"]).check(2, &["there is no 'nowhere'"]);
    picky.run(&["explain"]).check(2, &["FINDING"]);
}

#[test]
fn a_folder_is_explained_and_unavailable_solvers_are_named() {
    let picky = Picky::new();
    picky.release("3.0.0", "true");
    picky.0.write("out/campaign.json", "{\"format\": 1}\n");
    picky.finding("out/findings/A-1", SMALL, "picky@3.0.0");
    picky.finding("out/findings/A-2", SMALL, "picky@9.9.9");
    let run = picky.run(&["explain", "out"]);
    run.check(1, &["out/findings/A-2: cannot get the finding's solver, picky@9.9.9", "1 of 2 explained; 1 failed"]);
    assert!(picky.kept("out/findings/A-1")["text"].is_string());
    let run = picky.run(&["explain", "out/findings/A-1", "out/findings/A-2", "--format", "json"]);
    run.check(1, &[]);
    let events: Vec<Value> =
        run.out.lines().map(|line| serde_json::from_str(line).expect("an object a line")).collect();
    assert_eq!([&events[0]["event"], &events[1]["event"]], ["explain", "failed"]);
    // Without any CPU time, nothing is kept.
    let before = picky.0.read("out/findings/A-1/explain.json");
    picky.run(&["explain", "out/findings/A-1", "--within", "1ms"]).check(3, &["time was up"]);
    assert_eq!(picky.0.read("out/findings/A-1/explain.json"), before);
}

#[test]
fn a_flaky_answer_is_reported_as_flaky() {
    let picky = Picky::new();
    // Right in every third run.
    let counter = picky.0.path("count");
    let counted = |of: u32| {
        format!("n=$(cat {0} 2>/dev/null || echo 0); echo $((n+1)) > {0}; [ $((n % 3)) -lt {of} ]", counter.display())
    };
    picky.release("3.0.0", &counted(2));
    picky.finding("f", SMALL, "picky@3.0.0");
    picky
        .run(&["explain", "f", "-j", "1"])
        .check(10, &["Picky 3.0.0 answers unsat on a satisfiable script about mod in 2 of 3 runs."]);
    assert_eq!(picky.kept("f")["shown"], json!({"shown": 2, "runs": 3}));
    // Always wrong, except under one option, which makes it flaky.
    let _ = fs::remove_file(&counter);
    picky.release(
        "3.0.0",
        &format!("! {{ {}; }} || {{ {}; }}", holds("*", "--fix"), counted(1).replace("n % 3", "(n + 2) % 3")),
    );
    let run = picky.run(&["explain", "f", "-j", "1"]);
    run.check(10, &["; it is wrong only sometimes with `--fix` (in 1 of 3 runs)."]);
    assert!(!run.out.contains("right with"), "{}", run.out);
}

#[test]
fn reports_include_explanations_and_name_broken_files() {
    let picky = Picky::new();
    picky.release("3.0.0", &format!("! {{ {}; }}", holds("*", "--fix")));
    picky.0.write("out/campaign.json", "{\"format\": 1}\n");
    picky.finding("out/findings/A-1", SMALL, "picky@3.0.0");
    // A reduction that changed nothing, so that it can be reduced again.
    let size = json!({"bytes": SMALL.len(), "assertions": 1, "depth": 3});
    let report = json!({"before": size, "after": size, "judged": 1, "seconds": 0.1, "truth": {"kind": "certified"},
        "finished": true, "passes": []});
    let result: String = Sha256::digest(SMALL).iter().map(|byte| format!("{byte:02x}")).collect();
    let account = json!({"key": "", "result": result, "report": report, "solver": "picky@3.0.0"});
    picky.0.write("out/findings/A-1/reduced.smt2", SMALL);
    picky.0.write("out/findings/A-1/reduced.json", &account.to_string());
    let issue = || picky.0.read("out/issues/001-A-1.md");
    picky.run(&["report", "out"]).check(0, &[]);
    assert!(!issue().contains("depends on"), "{}", issue());
    picky.run(&["explain", "out"]).check(10, &[]);
    picky.run(&["report", "out"]).check(0, &[]);
    let text = picky.kept("out/findings/A-1")["text"].as_str().expect("a text").to_string();
    assert!(issue().contains(&format!("\n## What it depends on\n\n{text}\n")), "{}", issue());
    assert!(picky.0.read("out/report.html").contains("<dt>depends on</dt>"));
    // A changed file is left out, with its place and the cause.
    let path = "out/findings/A-1/explain.json";
    let whole = picky.0.read(path);
    let check = |content: &str, cause: &str| {
        picky.0.write(path, content);
        let run = picky.run(&["report", "out"]);
        run.check(0, &["squall: skipped: ", path, cause]);
        assert!(!issue().contains("depends on"), "{}", issue());
        picky.run(&["report", "--list", "out"]).check(1, &[path, cause, "1 cause"]);
    };
    check("{\"format\": 1,\n ", "line 2 column");
    check(&whole.replace("\"needs\"", "\"wants\""), "unknown field `wants`");
    check(&whole.replace("\"format\":1", "\"format\":2"), "has format 2, this program knows 1");
    // The text is that of this version, even if the file has another one.
    picky.0.write(path, &whole.replace("answers unsat", "answered UNSAT"));
    picky.run(&["report", "out"]).check(0, &[]);
    assert!(issue().contains(&format!("\n## What it depends on\n\n{text}\n")), "{}", issue());
    // An explanation of another script does not count: the finding was reduced since.
    picky.0.write(path, &whole);
    picky.run(&["reduce", "out/findings/A-1", "--trust", "none"]).check(0, &[]);
    picky.run(&["report", "out"]).check(0, &[]);
    assert!(!issue().contains("depends on"), "{}", issue());
    // The harvest copies it.
    picky.run(&["explain", "out"]).check(10, &[]);
    picky.run(&["report", "--harvest", "found", "out"]).check(0, &["kept found/"]);
    let text = picky.kept("out/findings/A-1")["text"].as_str().expect("a text").to_string();
    assert!(picky.0.read("found/README.md").contains(&format!("\n- {text}\n")), "{}", picky.0.read("found/README.md"));
    picky.run(&["explain", "found"]).check(10, &[&text]);
}
