//! From findings to reports: `squall reduce`, `bisect`, `report --list` and `report`, against stand-in solvers.

mod commits;
mod explain;
mod slow;
mod stage;
mod texts;

use serde_json::Value;
use stage::{BUG, RIGHT, Ran, Stage, WRONG_ON_MOD};
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// The smallest script on which a solver errs that is wrong wherever `mod` occurs.
const SMALLEST: &str = "(assert (= (mod 0 1) 0))\n(check-sat)";

#[test]
fn a_finding_is_reduced_in_its_folder_and_not_twice() {
    let stage = Stage::new();
    let solver = stage.solver("solver.sh", WRONG_ON_MOD);
    stage.finding("f", "A", BUG, &solver);
    let run = || stage.run(&["reduce", "f", "--trust", "none", "--jobs", "2"]);
    run().check(0, &["certified", "bytes", "assertions"]);
    assert_eq!(stage.read("f/reduced.smt2").trim(), SMALLEST);
    assert!(stage.read("f/reduced.witness.smt2").contains("(check-sat)"));
    let account: Value = serde_json::from_str(&stage.read("f/reduced.json")).expect("JSON");
    assert_eq!(account["report"]["finished"], true);
    assert_eq!(account["report"]["truth"]["kind"], "certified");
    assert_eq!(account["report"]["before"]["assertions"], 3);
    run().check(0, &["already reduced"]);
    assert_eq!(stage.read("f/mutant.smt2"), BUG, "what was sent stays as it was");
}

#[test]
fn a_command_decides() {
    let stage = Stage::new();
    let run = stage.run(&["reduce", "bug.smt2", "--check", "grep -q distinct", "-o", "small.smt2", "--jobs", "2"]);
    run.check(0, &["as the command decides"]);
    let text = stage.read("small.smt2");
    assert!(text.contains("distinct") && text.len() < 60, "{text}");
    // Our spelling does not enlarge a file that is already minimal.
    stage.write("tiny.smt2", "(check-sat)(get-model)");
    let same = "sh -c 'tr -d \"\\n\" < \"$1\" | grep -qx \"(check-sat)(get-model)\"' sh";
    stage.run(&["reduce", "tiny.smt2", "--check", same]).check(0, &["-0.0 %"]);
    assert_eq!(stage.read("tiny.reduced.smt2"), "(check-sat)(get-model)");
    // Any test works, also for an unreadable script: here an unknown sort.
    stage.write(
        "odd.smt2",
        "(declare-fun h (Foo) Int)\n(declare-fun g (Int) Int)\n(assert (= (+ 1 (h z)) (g 2)))\n(check-sat)\n",
    );
    stage.run(&["reduce", "odd.smt2", "--check", "grep -q 'h z'"]).check(0, &["as the command decides"]);
    assert_eq!(stage.read("odd.reduced.smt2"), "(h z)");
    // What a compiler is given keeps its extension, and so does the result.
    stage.write("odd.c", "int f;\nint main;\n");
    let compiles = "sh -c 'case $1 in *.c) grep -q main \"$1\";; *) exit 1;; esac' sh";
    stage.run(&["reduce", "odd.c", "--check", compiles]).check(0, &["odd.reduced.c"]);
    assert_eq!(stage.read("odd.reduced.c").trim(), "main");
    // It need not even be text, or have matching parentheses.
    std::fs::write(stage.path("odd.bin"), b"((\xff\nneedle\xfe \xff\n)))").expect("written");
    stage.run(&["reduce", "odd.bin", "--check", "LC_ALL=C grep -aqP 'needle\\xfe'", "-o", "odd.out"]).check(0, &[]);
    assert_eq!(std::fs::read(stage.path("odd.out")).expect("read"), b"needle\xfe");
    stage
        .run(&["reduce", "odd.smt2", "--solver", &stage.solver("right.sh", RIGHT), "--wrong", "sat"])
        .check(1, &["line 1, column 17: unknown sort `Foo`", "--check COMMAND"]);
    stage.run(&["reduce", "bug.smt2", "--check", "false"]).check(1, &["not interesting", "exit code 0"]);
    for absent in ["./absent.sh", "squall-absent --flag"] {
        let run = stage.run(&["reduce", "bug.smt2", "--check", absent]);
        run.check(1, &[&format!("the command '{absent}' does not exist or cannot be started"), "exit code 127"]);
        assert!(!run.err.contains("interesting"), "{}", run.err);
    }
    stage.run(&["reduce", "bug.smt2", "--check", "true", "--solver", "z3"]).check(2, &["cannot be used with"]);
}

#[test]
fn a_script_stays_slow() {
    let stage = Stage::new();
    // It never answers scripts with `mod`, and answers others at once.
    let solver = stage.solver("spins.sh", "if grep -q '(mod'; then while :; do :; done; fi\necho sat\n");
    let slow = |file: &str, more: &[&str]| {
        stage.run(&[&["reduce", file, "--solver", &solver, "--slower-than", "200ms", "--jobs", "1"], more].concat())
    };
    slow("bug.smt2", &[]).check(0, &["measured"]);
    let text = stage.read("bug.reduced.smt2");
    assert!(text.contains("(mod") && text.len() < 120, "{text}");
    stage.write("fast.smt2", "(assert true)(check-sat)");
    slow("fast.smt2", &[]).check(1, &["not interesting", "s of CPU time"]);
    // An unreadable script is cut as text if it may be sent to solvers: `(mod)` is not a command. Others are rejected.
    stage.write("odd.smt2", "(assert (odd x (mod y)))\n(check-sat");
    slow("odd.smt2", &[]).check(0, &[]);
    assert_eq!(stage.read("odd.reduced.smt2"), "(assert (mod))");
    std::fs::write(stage.path("odd.bin"), b"(mod \xff)").expect("written");
    slow("odd.bin", &[]).check(1, &["not UTF-8 at byte 5"]);
    slow("bug.smt2", &["--wrong", "sat"]).check(2, &["cannot be used with"]);
}

#[test]
fn a_script_that_does_not_show_the_error_is_reported_at_once() {
    let stage = Stage::new();
    let right = stage.solver("right.sh", RIGHT);
    let run = stage.run(&["reduce", "bug.smt2", "--solver", &right, "--wrong", "unsat", "--trust", "none"]);
    run.check(1, &["does not show", "it answers: sat", "--trust"]);
    assert!(!stage.path("bug.reduced.smt2").exists());
    stage.run(&["reduce", "bug.smt2"]).check(2, &["--solver"]);
    stage.run(&["reduce", "nothing.smt2", "--solver", &right]).check(2, &["nothing.smt2"]);
    stage.write("bad.smt2", "(assert (= x 1))\n(check-sat)\n");
    stage.run(&["reduce", "bad.smt2", "--solver", &right]).check(1, &["line 1", "x"]);
}

#[test]
fn a_flaky_file_is_measured() {
    let stage = Stage::new();
    let counted = |name: &str, of: u32| {
        let n = stage.path(&format!("{name}.count"));
        let body = format!(
            "n=$(cat {0} 2>/dev/null || echo 0); echo $((n+1)) > {0}; t=$(cat); a=sat\n\
             case \"$t\" in *'(mod '*) [ $((n % {of})) = 0 ] && a=unsat;; esac\n\
             echo \"$t\" | while IFS= read -r l; do case $l in '(check-sat'*) echo $a;; esac; done\n",
            n.display()
        );
        let solver = stage.solver(&format!("{name}.sh"), &body);
        stage.finding(name, "A", BUG, &solver);
        // Independent of earlier runs.
        let _ = fs::remove_file(n);
        stage.run(&["reduce", name, "--trust", "none", "--jobs", "1"])
    };
    counted("half", 2).check(0, &["flaky: shown in", "tried"]);
    let left = stage.read("half/reduced.smt2");
    assert!(left.contains("mod") && left.len() < BUG.len() / 2, "{left}");
    counted("seldom", 9).check(1, &["flaky", "runs, too seldom"]);
}

/// Waits until a condition holds. The time limit only matters for failures.
fn wait_for(what: &str, child: &mut Child, holds: impl Fn() -> bool) {
    let start = Instant::now();
    while !holds() {
        assert!(start.elapsed() < Duration::from_secs(600), "{what}");
        assert!(child.try_wait().expect("a child").is_none(), "it ended before {what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn an_interrupt_keeps_the_best_result_and_the_reduction_resumes() {
    let stage = Stage::new();
    let solver = stage.solver("solver.sh", &format!("sleep 0.1\n{WRONG_ON_MOD}"));
    let long: String = (0..60).map(|n| format!("(assert (distinct first_one {}))\n", n + 100)).collect();
    let text = BUG.replace("(check-sat)", &format!("{long}(check-sat)"));
    stage.finding("f", "A", &text, &solver);
    let args = ["reduce", "f", "--trust", "none", "--jobs", "1"];
    let mut child = stage.squall(&args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("squall runs");
    let reduced = stage.path("f/reduced.smt2");
    let size = || fs::metadata(&reduced).map_or(usize::MAX, |data| data.len() as usize);
    wait_for("a first improvement", &mut child, || size() < text.len() - 200);
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill runs");
    Ran::of(child.wait_with_output().expect("it ends")).check(3, &["run it again"]);
    let best = size();
    assert!(stage.read("f/reduced.smt2").contains("(mod "), "the best so far shows it");
    stage.run(&args).check(0, &[&format!("continuing from {best} bytes")]);
    assert_eq!(stage.read("f/reduced.smt2").trim(), SMALLEST);
}

/// A limit of two seconds for a script of 2,000 nested quantifiers took 21 seconds: a current run was not stopped.
#[test]
fn the_current_run_ends_with_the_time_of_its_reduction() {
    let stage = Stage::new();
    let solver = stage.solver("solver.sh", "exec sleep 300");
    stage.finding("f", "A", BUG, &solver);
    let args = ["reduce", "f", "--trust", "none", "--jobs", "1", "--timeout", "300s", "--for", "300ms"];
    stage.run(&args).check(3, &["out of time"]);
}

#[test]
fn a_folder_of_findings_is_reduced_grouped_and_reported() {
    let stage = Stage::new();
    let solver = stage.solver("solver.sh", WRONG_ON_MOD);
    let out = stage.campaign(&solver);
    let out = out.to_str().expect("UTF-8");
    // A class D finding whose solver does not crash, and one with a damaged record: both are reported, and the others continue.
    stage.write("out/findings/A-9/finding.json", "{\"format\": 1, ");
    stage
        .run(&["reduce", out, "--trust", "none"])
        .check(1, &["A-0:", "A-1:", "D-2: ", "does not show", "A-9", "damaged"]);
    stage
        .run(&["report", "--list", out])
        .check(1, &["3 findings: 1 cause + 1 not reduced", "script with mod", "proven by an exact", "A-9"]);
    fs::remove_dir_all(stage.path("out/findings/A-9")).expect("it goes");
    let json = stage.run(&["report", "--list", out, "--format", "json"]);
    json.check(10, &[]);
    let groups: Vec<Value> = json.out.lines().map(|l| serde_json::from_str(l).expect("an object a line")).collect();
    let classes: Vec<&str> = groups.iter().filter_map(|g| g["class"].as_str()).collect();
    assert_eq!(classes, ["A", "D"], "soundness first");
    assert_eq!(groups[0]["count"], 2);
    assert_eq!(groups[0]["bytes"].as_u64(), Some(SMALLEST.len() as u64 + 1));
    assert_eq!(groups[0]["default"], true);

    stage.run(&["report", out]).check(0, &["report.html", "3 findings: 1 cause + 1 not reduced", "1 issue in"]);
    let page = stage.read("out/report.html");
    for word in ["<svg", "<script", "http://", "https://", "<link", "@import"] {
        assert!(!page.contains(word), "without statistics there is no plot, and nothing is fetched: {word}");
    }
    assert!(!page.contains("<b>&</b>") && !page.contains("a<b>.smt2"), "all text is escaped");
    let issues: Vec<String> = fs::read_dir(stage.path("out/issues"))
        .expect("a folder")
        .flatten()
        .map(|e| e.file_name().to_string_lossy().into_owned())
        .collect();
    assert_eq!(issues.len(), 1, "what is not reduced has none: {issues:?}");
    let issue = stage.read("out/issues/001-A-0.md");
    for word in [SMALLEST, "| right answer | sat |", "| sh | unsat |", "sh 'a folder/solver.sh' < bug.smt2", "storm"] {
        assert!(issue.contains(word), "'{word}' in\n{issue}");
    }
}

#[test]
fn a_campaign_reduces_what_it_finds() {
    let stage = Stage::new();
    let solver =
        stage.solver("solver.sh", "while IFS= read -r l; do case $l in '(check-sat'*) echo unsat;; esac; done\n");
    let fuzz = |out: &str, share: &str| {
        stage.run(&[
            "fuzz",
            "bug.smt2",
            "--solver",
            &solver,
            "--mutator",
            "storm",
            "--mutants",
            "40",
            "--jobs",
            "1",
            "--out",
            out,
            "--format",
            "json",
            "--reduce-share",
            share,
        ])
    };
    let run = fuzz("with", "1");
    run.check(10, &["\"event\":\"reduced\""]);
    let last: Value = serde_json::from_str(run.out.lines().last().expect("a line")).expect("JSON");
    assert_eq!(last["event"], "summary", "the summary comes last");
    let reduced = |out: &str| {
        let entries = fs::read_dir(stage.path(&format!("{out}/findings"))).expect("findings").flatten();
        entries.filter(|e| e.path().join("reduced.smt2").exists()).count()
    };
    assert!(reduced("with") > 0);
    fuzz("without", "0").check(10, &[]);
    assert_eq!(reduced("without"), 0);
    stage.run(&["report", "with"]).check(0, &["report.html"]);
    let page = stage.read("with/report.html");
    for word in ["<svg", "Answers by solver", "storm", "QF_NIA", "mutants sent"] {
        assert!(page.contains(word), "{word}");
    }
    // The best finding of each cause is kept once, small and without the machine's paths.
    stage.run(&["report", "--harvest", "found", "with"]).check(0, &["kept found/", "found/README.md"]);
    stage.run(&["report", "--harvest", "found", "with", "without"]).check(0, &[" 0 of them new"]);
    let kept = stage.read("found/found.json");
    let kept: Value = serde_json::from_str(&kept).expect("JSON");
    let id = kept[0]["id"].as_str().expect("a name");
    assert_eq!(stage.read(&format!("found/{id}/mutant.smt2")), stage.read(&format!("found/{id}/reduced.smt2")));
    stage.run(&["replay", &format!("found/{id}")]).check(10, &["=> reproduces"]);
    fs::write(stage.path("found/notes.toml"), "[nobody]\ntext = \"lost\"\n").expect("written");
    stage.run(&["report", "--harvest", "found", "with"]).check(0, &["there is no finding 'nobody'"]);
    stage.run(&["report", "with", "without"]).check(2, &["--harvest takes several"]);
    fuzz("bad", "2").check(2, &["share from 0 to 1"]);
}

#[test]
fn a_reduced_wrong_answer_is_shown_in_full() {
    let stage = Stage::new();
    let check = |script: &str, command: &str, expect: &[&str]| {
        fs::write(stage.path("bug.smt2"), script).expect("written");
        let solver = stage.solver("solver.sh", command);
        let words = ["fuzz", "bug.smt2", "--mutator", "storm", "--mutants", "40", "--jobs", "1", "--reduce-share", "1"];
        let run = stage.run(&[&words[..], &["--solver", &solver, "--out", "shown"]].concat());
        run.check(10, &["Next:", "squall report --list shown", "squall report shown"]);
        for part in expect {
            assert!(run.err.contains(part), "{part}: {}", run.err);
        }
        fs::remove_dir_all(stage.path("shown")).expect("removed");
    };
    let always_unsat = "while IFS= read -r l; do case $l in '(check-sat'*) echo unsat;; esac; done\n";
    let again = "\n  Reproduce: squall replay shown/findings/A-";
    check("(declare-const x Int)(assert (> x 1))(check-sat)", always_unsat, &["\n    (check-sat)\n\n  ", again]);
    // Wrong only with the symbol: its value is the proof.
    let on_symbols = "text=$(cat); case $text in *'(declare-fun x'*|*'(declare-const x'*) a=unsat;; *) a=sat;; esac
echo \"$text\" | while IFS= read -r l; do case $l in '(check-sat'*) echo $a;; esac; done\n";
    check(
        "(declare-const x Int)(assert (> x 1))(check-sat)",
        on_symbols,
        &["There is an assignment", "The assignment: x = ", again],
    );
}

#[test]
fn a_bisection_finds_the_versions_that_err() {
    let stage = Stage::new();
    let solver = stage.solver("solver.sh", WRONG_ON_MOD);
    stage.finding("f", "A", BUG, &solver);
    stage.run(&["bisect", "f"]).check(10, &["WRONG", "certified", "first bad"]);
    let kept: Value = serde_json::from_str(&stage.read("f/bisection.json")).expect("JSON");
    assert_eq!(kept["found"][0]["did"], "wrong");
    // Without a finding, the user names the wrong answer, and another solver must be right.
    let right = stage.solver("right.sh", RIGHT);
    let run = stage.run(&["bisect", "bug.smt2", "--solver", &right, "--wrong", "unsat"]);
    run.check(0, &["as given", "no version answers wrongly"]);
    assert!(run.out.starts_with("right: no version that was run shows the failure 'unsat'; "), "{}", run.out);
    let run = stage.run(&["bisect", "bug.smt2", "--solver", &solver, "--wrong", "unsat"]);
    run.check(10, &["WRONG"]);
    assert!(run.out.starts_with("wrong: unsat; "), "{}", run.out);
    stage.run(&["bisect", "bug.smt2"]).check(2, &["--solver"]);
    // Exhaustion says who is right where no version is wrong; it was an error.
    stage.write("few.smt2", "(declare-const a (_ BitVec 2))(assert (= (bvadd a #b01) #b11))(check-sat)\n");
    stage.run(&["bisect", "few.smt2", "--solver", &right]).check(0, &["right: ", "certified: sat is right"]);
    // It believed any --wrong.
    stage
        .run(&["bisect", "few.smt2", "--solver", &right, "--wrong", "sat"])
        .check(1, &["'sat' is not wrong; certified: sat is right"]);
    // The only model is irrational; no term of the witness is a literal, and the models of the version itself did not count.
    stage.write(
        "root.smt2",
        "(declare-const x Real)(declare-const y Real)(assert (= (* x x x) 2.0))(assert (< y x))(check-sat)\n",
    );
    let root = "t=$(cat); echo sat; case \"$t\" in *get-model*) \
        echo '((define-fun x () Real (root-obj (+ (^ x 3) (- 2)) 1)) (define-fun y () Real 0.0))';; esac\n";
    let root = stage.solver("root.sh", root);
    stage
        .run(&["bisect", "root.smt2", "--solver", &root, "--timeout", "500ms"])
        .check(0, &["right: ", "has a model that makes every assertion true"]);
    // An unreadable text is sent unchanged, and no solver is proven wrong.
    stage.write("odd.smt2", "(declare-fun h (Foo) Int)\n(assert (= (mod (h z) 2) 1)) ; as it stands\n(check-sat)\n");
    let reads =
        stage.solver("reads.sh", "t=$(cat); case \"$t\" in *'; as it stands'*) echo unsat;; *) echo sat;; esac\n");
    stage
        .run(&["bisect", "odd.smt2", "--solver", &reads, "--wrong", "unsat"])
        .check(10, &["as given: 'unsat' is wrong", "WRONG"]);
    stage.run(&["bisect", "odd.smt2", "--solver", &reads]).check(1, &["unknown sort `Foo`", "with --wrong"]);
    // `(_ h 1)` has another meaning for z3, whose answer to that once counted as wrong.
    stage.write("map.smt2", "(declare-const h (-> Int Int))\n(assert (distinct (_ h 1) (_ h 2)))\n(check-sat)\n");
    stage.version("5.4.1", "t=$(cat); case \"$t\" in *'(select h 1)'*) echo sat;; *) echo unsat;; esac\n");
    stage
        .run(&["bisect", "map.smt2", "--solver", "z3@5.4.1", "--wrong", "unsat"])
        .check(0, &["no version answers wrongly"]);
    // Answers are kept until `--fresh`, or until the program changes.
    let count = stage.path("runs");
    let body = format!("echo x >> {}\n{WRONG_ON_MOD}", count.display());
    let counting = stage.solver("counting.sh", &body);
    stage.finding("g", "A", BUG, &counting);
    let runs = || fs::read_to_string(&count).map_or(0, |text| text.lines().count());
    let mut asked = Vec::new();
    for args in [&["bisect", "g"][..], &["bisect", "g"], &["bisect", "g", "--fresh"]] {
        let before = runs();
        stage.run(args).check(10, &[]);
        asked.push(runs() - before);
    }
    assert!(asked[1] < asked[0] && asked[2] > asked[1], "{asked:?}");
}

/// The row for default options runs without the options that the finding needs. It once had them, and every bug counted as showing by
/// default.
#[test]
fn a_vector_has_a_row_without_the_options_of_the_finding() {
    let stage = Stage::new();
    let wrong_with_option =
        format!("case \"$*\" in *smt.own=1*) ;; *) exec sed -n 's/^(check-sat.*/sat/p';; esac\n{WRONG_ON_MOD}");
    stage.version("4.8.7", &wrong_with_option);
    stage.finding("f", "A", BUG, "z3@4.8.7 smt.own=1");
    stage.run(&["reduce", "f", "--trust", "none"]).check(0, &["certified"]);
    let vector: Value = serde_json::from_str(&stage.read("f/vector.json")).expect("JSON");
    let rows = ["z3@4.8.7", "z3@4.8.7 plain", "z3@4.8.7 smt.mbqi=false"];
    assert_eq!(rows.map(|row| vector["vector"][row].as_bool()), [Some(true), Some(false), Some(true)], "{vector:#}");
}

/// A script that checks by a tactic runs with the other tactics, too. Without that, mistakes in two tactics were one cause, since no
/// release and no option distinguishes them.
#[test]
fn a_vector_has_rows_of_other_tactics() {
    let stage = Stage::new();
    let wrong_by =
        |tactic: &str| format!("sed -n -e 's/^(check-sat-using {tactic})/unsat/p' -e 's/^(check-sat.*/sat/p'");
    let by_tactic = |tactic: &str| BUG.replace("(check-sat)", &format!("(check-sat-using {tactic})"));
    stage.version("4.8.7", &wrong_by("horn"));
    stage.finding("f", "A", &by_tactic("horn"), "z3@4.8.7");
    stage.finding("g", "A", BUG, "z3@4.8.7");
    stage.run(&["reduce", "f", "--trust", "none"]).check(0, &["certified"]);
    let vector: Value = serde_json::from_str(&stage.read("f/vector.json")).expect("JSON");
    let rows = ["z3@4.8.7", "z3@4.8.7 plain", "z3@4.8.7 tactic horn", "z3@4.8.7 tactic dom-simplify"];
    let expect = [Some(true), Some(false), Some(true), Some(false)];
    assert_eq!(rows.map(|row| vector["vector"][row].as_bool()), expect, "{vector:#}");
    stage.version("4.8.7", WRONG_ON_MOD);
    stage.run(&["reduce", "g", "--trust", "none"]).check(0, &["certified"]);
    assert!(!stage.read("g/vector.json").contains("tactic horn"), "it uses none");
}

#[test]
fn each_finding_of_a_folder_has_its_time() {
    let stage = Stage::new();
    let solver = stage.solver("solver.sh", WRONG_ON_MOD);
    stage.finding("out/findings/f", "A", BUG, &solver);
    stage.run(&["reduce", "out/findings/f", "--for-each", "1s"]).check(2, &["--for-each is for a campaign's folder"]);
    stage.run(&["reduce", "out", "--for-each", "30s", "--trust", "none"]).check(0, &["bytes"]);
    // Reduced findings are not reduced again.
    stage.run(&["reduce", "out", "--for-each", "30s", "--trust", "none"]).check(0, &["(earlier)"]);
}

#[test]
fn folders_that_are_not_campaigns_are_rejected() {
    let stage = Stage::new();
    for words in [&["report", "--list", "nowhere"][..], &["report", "nowhere"]] {
        stage.run(words).check(2, &["nowhere"]);
    }
    stage.write("empty/campaign.json", "{}");
    stage.run(&["report", "--list", "empty"]).check(0, &["no findings"]);
    stage.run(&["report", "empty"]).check(0, &["0 issues"]);
    assert!(Path::new(&stage.path("empty/report.html")).exists());
    assert!(stage.read("empty/report.html").contains("There are no findings"));
}

/// A finding that replays can be reduced and bisected, because all three repeat the finding's query.
#[test]
fn findings_that_replay_are_reduced_and_bisected() {
    // The solver's model is wrong only under the options of the finding. Reductions once also made the solver check its models, saw the
    // right one and rejected the finding.
    let stage = Stage::new();
    let body = "case \"$*\" in *'--inc --models') v=0;; *) v=5;; esac\n\
                t=$(cat); a=unsat; case \"$t\" in *'(> x '*) a=sat;; esac\n\
                echo \"$t\" | while read -r l; do case \"$l\" in '(check-sat'*) echo $a;; \
                '(get-model)'*) echo \"((define-fun x () Int $v))\";; esac; done\n";
    let program = stage.write("picky.sh", body);
    stage.write(
        "config/squall/squall.toml",
        "[[solver]]\nname = 'picky'\nexecutables = ['picky']\n[solver.options]\nincremental = ['--inc']\n\
             models = ['--models']\nvalidate = ['--validate']\n",
    );
    stage.write(
        "cache/solvers/picky@1.0.0/install.toml",
        &format!(
            "name = 'picky'\nversion = '1.0.0'\norigin = 'a test'\ncommand = ['/bin/sh', '{}']\nsha256 = ''\n",
            program.display()
        ),
    );
    let script =
        "(declare-fun x () Int)\n(push 1)\n(assert (or (> x 3) (> x 30)))\n(check-sat)\n(get-model)\n(pop 1)\n";
    stage.finding("f", "B", script, "picky@1.0.0");
    fs::remove_file(stage.path("f/witness.smt2")).expect("it goes");
    stage.amend(
        "f",
        serde_json::json!({
            "trust": {"kind": "observed"}, "symptom": "its model makes an assertion false", "mode": "incremental",
            "answers": ["sat"], "solver": {"purposes": ["incremental", "models"]},
        }),
    );
    let run = |args: &[&str]| {
        let mut command = stage.squall(args);
        Ran::of(command.env("XDG_CONFIG_HOME", stage.path("config")).output().expect("squall runs"))
    };
    run(&["replay", "f"]).check(10, &["=> reproduces"]);
    run(&["reduce", "f", "--trust", "none"]).check(0, &["certified: the solver's model makes an assertion false"]);
    assert_eq!(stage.read("f/reduced.smt2"), "(declare-fun x () Int)\n(assert (> x 0))\n(check-sat)\n(get-model)\n");
    run(&["bisect", "f"]).check(10, &["wrong: invalid-model; certified", "picky@1.0.0", "WRONG"]);
}

/// Versions that show a crash are part of its cause, and a reduced crash is compared with the original one.
#[test]
fn a_reduced_crash_is_still_the_original_one() {
    let dies = |of: &str| format!("t=$(cat); case \"$t\" in {of}) kill -SEGV $$;; esac\necho sat\n");
    let text =
        "(declare-fun p () Bool)\n(declare-fun q () Bool)\n(assert (or p (distinct (xor p q) q)))\n(check-sat)\n";
    let stage = Stage::new();
    stage.version("4.8.7", &dies("*distinct*|*xor*"));
    stage.version("4.8.5", &dies("*distinct*"));
    stage.finding("f", "D", text, "z3@4.8.7");
    stage.run(&["reduce", "f", "--trust", "none"]).check(0, &["shown by z3@4.8.5 too, and kept so"]);
    let reduced = stage.read("f/reduced.smt2");
    assert!(reduced.contains("distinct") && !reduced.contains("xor"), "{reduced}");
    let bisected = stage.run(&["bisect", "f"]);
    bisected.check(10, &["before it was reduced: first bad: at the oldest asked or before"]);
    assert!(!bisected.out.contains("another bug"), "{}", bisected.out);
    // A script that was reduced to another crash while the older version was not installed.
    stage.write("f/reduced.smt2", "(declare-fun p () Bool)\n(assert (xor p p))\n(check-sat)\n");
    stage
        .run(&["bisect", "f"])
        .check(10, &["the reduced script may show another bug: z3@4.8.5 answered differently before"]);
}

#[test]
fn a_solver_by_a_relative_path_is_found_from_everywhere() {
    let stage = Stage::new();
    let program = stage.path("build/solver");
    fs::create_dir_all(stage.path("build")).expect("a folder");
    fs::create_dir_all(stage.path("elsewhere")).expect("a folder");
    testing::executable(&program, &format!("#!/bin/sh\n{WRONG_ON_MOD}"));
    stage.finding("f", "A", BUG, "./build/solver");
    let command = serde_json::json!([program.display().to_string()]);
    stage.amend("f", serde_json::json!({"solver": {"command": command}, "mutant_sha256": ""}));
    let run = |from: &str, args: &[&str]| {
        Ran::of(stage.squall(args).current_dir(stage.path(from)).output().expect("squall runs"))
    };
    run("", &["replay", "f"]).check(10, &["./build/solver answers: unsat"]);
    run("elsewhere", &["replay", "../f"]).check(10, &["answers: unsat", "=> reproduces"]);
    run("elsewhere", &["reduce", "../f", "--trust", "none", "--jobs", "1"]).check(0, &["certified"]);
    run("elsewhere", &["bisect", "../f"]).check(10, &["build/solver"]);
    fs::remove_file(&program).expect("it goes");
    run("elsewhere", &["replay", "../f"])
        .check(1, &["the finding's solver, which was /", "name another with --solver"]);
}
