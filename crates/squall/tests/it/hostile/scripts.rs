//! Foreign scripts: their options, names and output reach no solver that would write a file, and no terminal.

use super::{Place, Trap};

/// Plays z3, which ends a comment at a carriage return: it answers `sat` and `echo`, and writes each file that a line names outside of an echo, as solvers do by their options.
const SOLVER: &str = r#"#!/bin/sh
case "$*" in *version*) echo "Z3 version 4.15.4 - 64 bit"; exit;; esac
while IFS= read -r line; do
  case "$line" in
    *{return}*{victim}*) : > "{victim}";;
    ';'*) ;;
    '(echo "'*) line=${line#*\"}; echo "${line%%\"*}";;
    *{victim}*) : > "{victim}";;
    '(check-sat'*) echo sat;;
    '(get-model'*) echo "((define-fun x () Int 5))";;
    '(reset'*) ;;
    '(exit'*) exit;;
  esac
done
"#;

/// Commands that make solvers write or read files, one per line.
const HOSTILE: &str = "(set-option :regular-output-channel \"{victim}\")
(set-option :diagnostic-output-channel \"{victim}\")
(set-option :sat.drat.file \"{victim}\")
(set-option :smt.random_seed \"{victim}\")
(set-option :trace_file_name |{victim}|)
(include \"{victim}\")
(set-logic QF_LIA)
(declare-const x Int)
(assert (> x 4))
(check-sat-using (then simplify (using-params sat :drat.file |{victim}|)))
(check-sat-using smt) (set-option :regular-output-channel \"{victim}\") (echo \"smt\")
(check-sat)
";

/// A comment that solvers end elsewhere than we do hides a command.
const MISLEADING: &str =
    "(declare-const |a\\| |) (set-option :regular-output-channel \"{victim}\")(declare-const |b| Int)\n(check-sat)\n";

pub fn trap(script: &str) -> Trap {
    let trap = Trap::with(&[("s.smt2", script)]);
    trap.program("z3", &SOLVER.replace("{return}", "\r"));
    trap
}

#[test]
fn no_option_of_a_script_reaches_a_solver_that_writes_files_by_it() {
    for script in [HOSTILE, MISLEADING] {
        let trap = trap(script);
        for args in [
            &["validate", "{here}/s.smt2", "--solver", "z3"][..],
            &["reduce", "{here}/s.smt2", "--solver", "z3", "--wrong", "sat", "--trust", "none", "--out", "{root}/made"],
            &["bisect", "{here}/s.smt2", "--solver", "z3", "--wrong", "sat"],
            &["explain", "{here}/s.smt2", "--solver", "z3", "--wrong", "sat"],
            &[
                "fuzz",
                "{here}/s.smt2",
                "--solver",
                "z3",
                "--units",
                "1",
                "--jobs",
                "1",
                "--reduce-share",
                "0",
                "--out",
                "{root}/made",
            ],
            &["mutate", "{here}/s.smt2", "--solver", "z3", "-n", "2"],
            &["corpus", "add", "{here}/s.smt2", "--name", "mine", "--solver", "z3"],
            &["solve", "{here}/s.smt2", "--strategy", "(solver z3)"],
            &["solve", "{here}/s.smt2", "--strategy", "(solver z3 :sat.drat.file \"{victim}\")"],
        ] {
            trap.run(args, Place::Inside, &["made"]);
        }
    }
    let trap = trap(HOSTILE);
    let add = ["corpus", "add", "{here}/s.smt2", "--name", "mine", "--solver", "z3"];
    let said = trap.run(&add, Place::Inside, &[]);
    assert!(
        said.stdout.contains("sent to the solver without") && said.stdout.contains("not sent to z3"),
        "{}",
        said.stdout
    );
    let said = trap.run(&["validate", "{here}/s.smt2", "--solver", "z3"], Place::Inside, &[]);
    assert!(said.stderr.contains("not sent to z3"), "{}", said.stderr);
}

/// A rule file of any name once was read, and its lines were quoted in the message.
#[test]
fn a_script_names_no_file_of_rules() {
    let script = "(declare-const p Bool)(assert p)(check-sat-using (then (rules \"{victim}\") smt))";
    let trap = trap(script);
    trap.check(&["solve", "{here}/s.smt2"], &[], "a script may not read the file");
}

/// Escape sequences and commands for GitHub logs, in names, scripts, models and the output of solvers.
#[test]
fn foreign_texts_control_no_terminal_and_no_log() {
    const ESCAPE: &str = "\u{1b}]0;title\u{7}\u{1b}[2J\u{9b}31m\u{202e}";
    let trap = Trap::with(&[
        ("\u{1b}[31mred.smt2", "(check-sat"),
        ("::error file=x::name.smt2", "(assert"),
        (
            "s.smt2",
            &format!(
                "(set-logic ALL)(declare-const |{ESCAPE}| Bool)(assert |{ESCAPE}|)(check-sat)(get-model)(echo \"\n::error::x\n{ESCAPE}\")"
            ),
        ),
        ("squall.toml", &format!("[fuzz]\n\"{}\" = 1\n", "\\u001b[31m")),
    ]);
    let says = format!(
        "#!/bin/sh\ncase \"$*\" in *version*) printf 'Z3 version 4.15.4 {ESCAPE}\\n'; exit;; esac\ncat > /dev/null\nprintf '::error::x\\n(error \"{ESCAPE}\\n::error::y\")\\n'; printf '::error::z {ESCAPE}\\n' >&2; kill -SEGV $$\n"
    );
    trap.program("z3", &says);
    for args in [
        &["check", "{here}"][..],
        &["check", "{here}/s.smt2", "--print"],
        &["solve", "{here}/s.smt2"],
        &["validate", "{here}/s.smt2", "{here}/s.smt2", "--eval", "x"],
        &["validate", "{here}/s.smt2", "--solver", "z3"],
        &["validate", "{here}", "{here}/none\u{1b}[31m"],
        &["check", "{here}/\n::error::x.smt2"],
        &["solver", "which", "z3\u{1b}[31m"],
        &["solver", "list"],
        &["solver", "doctor", "z3"],
        &["mutate", "{here}/s.smt2"],
        &["strategy", "apply", "simplify", "{here}/s.smt2"],
        &[
            "fuzz",
            "{here}",
            "--solver",
            "z3",
            "--units",
            "4",
            "--jobs",
            "1",
            "--out",
            "{root}/made",
            "--config",
            "/dev/null",
        ],
        &["report", "{root}/made"],
        &["report", "--list", "{root}/made"],
        &["status", "{root}/made"],
        &["replay", "{root}/made"],
        &["reduce", "{here}/s.smt2", "--solver", "z3"],
    ] {
        trap.run(args, Place::Above, &["made", "hostile"]);
    }
}

/// With colours, clap once wrote the unescaped name of a file into its message.
#[test]
fn arguments_control_no_terminal() {
    let trap = Trap::new();
    for place in ["--\u{1b}]0;x\u{7}\n::error::x", "{here}/\u{1b}[2J\n::error::x.smt2"] {
        let mut command = trap.command(&["check", "--color", "always", place], Place::Above);
        let (code, stdout, stderr) = crate::support::printed(&mut command);
        assert_eq!((code, stdout.as_str()), (Some(2), ""), "{stderr}");
        let is_color =
            |part: &&str| part.split_once('m').is_some_and(|(n, _)| n.bytes().all(|b| b";0123456789".contains(&b)));
        assert!(
            stderr.split("\u{1b}[").skip(1).all(|part| is_color(&part)) && !stderr.contains("\u{1b}]"),
            "{stderr:?}"
        );
        assert!(!stderr.contains('\u{7}') && !stderr.lines().any(|line| line.starts_with("::")), "{stderr:?}");
    }
}
