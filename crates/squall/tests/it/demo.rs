//! `squall demo` against stand-in solvers: what is shown, and how it ends.

use crate::support::{ALWAYS, Stage, squall};

#[test]
fn the_demo_goes_from_a_problem_to_a_checked_finding() {
    let check = |answer: &str, code: i32, expect: &[&str]| {
        let stage = Stage::new(ALWAYS);
        let out = stage.path("demo").display().to_string();
        let run = squall()
            .args(["demo", "--solver", &stage.solver(answer), "--mutants", "60", "--out", &out])
            .output()
            .expect("it runs");
        let shown = String::from_utf8_lossy(&run.stdout);
        let said = String::from_utf8_lossy(&run.stderr);
        assert_eq!(run.status.code(), Some(code), "{shown}{said}");
        for part in expect {
            assert!(shown.contains(part) || said.contains(part), "{part} is not in {shown}{said}");
        }
        // What it would overwrite it does not touch.
        let again = squall().args(["demo", "--out", &out]).output().expect("it runs");
        assert_eq!(again.status.code(), Some(1));
        assert!(String::from_utf8_lossy(&again.stderr).contains("exists already"));
    };
    let begin = ["$ squall mutate --worlds ", "assignments", "$ squall fuzz "];
    check("sat", 0, &[&begin[..], &["$ squall report --list ", "$ squall replay ", "reproduces", "Next:"]].concat());
    check("unknown", 0, &[&begin[..], &["Nothing wrong was found"]].concat());
    // A solver that cannot be started: the campaign's own words, and which command failed.
    let stage = Stage::new(ALWAYS);
    let out = stage.path("demo").display().to_string();
    let run = squall().args(["demo", "--solver", "./no-such-solver", "--out", &out]).output().expect("it runs");
    assert_eq!(run.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&run.stderr).contains("no-such-solver"), "{run:?}");
}
