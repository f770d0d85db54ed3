//! `squall stability` end to end, with two releases of a stand-in: the old one is stable, the new one is not.

use crate::support::printed;
use serde_json::Value;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Notes its options and whether the name `plain` is in the script. The answer depends on numbers in the script and on how often it ran.
const NEW: &str = r#"t=$(cat); log="$(dirname "$0")/asked"
case "$t" in *plain*) echo "$* plain" ;; *) echo "$* renamed" ;; esac >> "$log"
n=$(grep -c . "$log"); a=sat
case "$t" in
*7001*) [ $((n % 2)) = 0 ] && a=unknown ;;
*7002*) a=unknown ;;
*7003*) [ $((n % 12)) = 0 ] && a=unknown ;;
*7004*) [ $((n % 25)) = 0 ] && a=unsat ;;
*7005*) kill -SEGV $$ ;;
*7006*) sleep 0.2 ;;
*7007*) echo '(error "no such symbol")'; exit 1 ;;
esac
echo $a
"#;

struct Stage {
    root: tempfile::TempDir,
}

impl Stage {
    fn new() -> Stage {
        let stage = Stage { root: tempfile::tempdir().expect("a folder") };
        let profile =
            "[[solver]]\nname = 'picky'\nexecutables = ['picky']\n[solver.options]\nrandom-seed = ['--seed={seed}']\n";
        stage.write("config/squall/squall.toml", profile);
        for (version, body) in [("1.0.0", "cat > /dev/null; echo sat\n"), ("2.0.0", NEW)] {
            let program = stage.write(&format!("{version}/picky.sh"), body);
            let command = format!("command = ['/bin/sh', '{}']", program.display());
            let install = format!("name = 'picky'\nversion = '{version}'\norigin = 'a test'\n{command}\nsha256 = ''\n");
            stage.write(&format!("cache/solvers/picky@{version}/install.toml"), &install);
        }
        stage
    }

    fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.root.path().join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(&path, text).expect("a file");
        path
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.root.path().join(name)).unwrap_or_default()
    }

    /// A script with the number, whose answer exhaustion does not find.
    fn script(&self, name: &str, number: u32) {
        let text = format!(
            "(declare-fun plain (Int) Int)\n(assert (> (plain 0) {number}))\n(assert (< (plain 1) 9))\n(check-sat)\n"
        );
        self.write(name, &text);
    }

    fn command(&self, words: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_squall"));
        for (name, folder) in [("SQUALL_CACHE", "cache"), ("XDG_CONFIG_HOME", "config")] {
            command.env(name, self.root.path().join(folder));
        }
        command.arg("stability").args(words.split(' ')).args(["--jobs", "1", "--timeout", "2s", "--out", "out"]);
        command.current_dir(self.root.path()).stdin(Stdio::null());
        command
    }

    fn run(&self, words: &str) -> (Option<i32>, String, String) {
        printed(&mut self.command(words))
    }

    fn results(&self) -> Value {
        serde_json::from_str(&self.read("out/results.json")).expect("JSON")
    }

    /// The runs of trials so far: each has a random seed.
    fn asked(&self) -> Vec<String> {
        self.read("2.0.0/asked").lines().filter(|line| line.contains("--seed=")).map(str::to_string).collect()
    }
}

#[test]
fn every_check_gets_its_verdict() {
    let stage = Stage::new();
    for (name, number) in [("a", 1), ("b", 7001), ("c", 7002), ("d", 7003), ("e", 7005), ("f", 7007)] {
        stage.script(&format!("d/{name}.smt2"), number);
    }
    let two = "(declare-fun plain (Int) Int)\n(push 1)\n(assert (> (plain 0) 7002))\n(check-sat)\n(pop 1)\n(push 1)\n\
               (assert (> (plain 0) 7001))\n(check-sat)\n(get-info :reason-unknown)\n(pop 1)\n(assert (> (plain 0) 1))\n(check-sat)\n";
    stage.write("d/two.smt2", two);
    stage.write("d/wrong.smt2", "(assert (foo))\n(check-sat)\n");
    stage.write("d/reset.smt2", "(check-sat)\n(reset)\n(check-sat)\n");
    stage.write("d/none.smt2", "(declare-const p Bool)\n");
    fs::write(stage.root.path().join("d/latin.smt2"), b"; \xe9\n(check-sat)\n").expect("a file");
    let (code, stdout, stderr) = stage.run("d --solver picky@2.0.0");
    assert_eq!(code, Some(1), "files are left out: {stdout}{stderr}");
    let results = stage.results();
    let verdicts: Vec<String> = results["rows"]
        .as_array()
        .expect("rows")
        .iter()
        .map(|row| format!("{} {}", row["name"].as_str().expect("a name"), row["verdict"].as_str().expect("a verdict")))
        .collect();
    let expect = [
        "d/a.smt2:4 stable",
        "d/b.smt2:4 unstable",
        "d/c.smt2:4 unsolvable",
        "d/d.smt2:4 undetermined",
        "d/e.smt2:4 refused",
        "d/f.smt2:4 refused",
        "d/two.smt2:4 unsolvable",
        "d/two.smt2:8 unstable",
        "d/two.smt2:12 stable",
    ];
    assert_eq!(verdicts, expect);
    assert_eq!((results["without_check"].as_u64(), results["left_out"].as_u64()), (Some(4), Some(3)), "{stderr}");
    for said in ["d/wrong.smt2:1:10: error", "d/reset.smt2:2: checks after '(reset)'", "d/latin.smt2 is not UTF-8"] {
        assert!(stderr.contains(said), "{said}: {stderr}");
    }
    assert!(stdout.contains("no such symbol") && stdout.contains("4 files, of which 3 left out"), "{stdout}");
    let unsolvable = stage.read("out/stability.csv").lines().filter(|row| row.contains(",unsolvable,0,")).count();
    assert_eq!(unsolvable, 2, "{}", stage.read("out/stability.csv"));
    assert!(stage.read("out/index.html").contains("two.smt2:8") && stage.read("out/figures.md").contains("unstable"));
}

#[test]
fn half_of_the_trials_have_only_another_seed_and_none_runs_twice() {
    let stage = Stage::new();
    stage.script("a.smt2", 1);
    let (code, stdout, _) = stage.run("a.smt2 --solver picky@2.0.0 --format json");
    assert_eq!(code, Some(0), "{stdout}");
    let asked = stage.asked();
    let plain = asked.iter().filter(|line| line.ends_with("plain")).count();
    assert_eq!(asked.len(), 24);
    assert!((12..20).contains(&plain), "{asked:?}");
    let row: Value = serde_json::from_str(&stdout).expect("one object");
    assert_eq!(row["rows"][0]["answered"].as_u64(), Some(24), "{row}");
    // The same command runs nothing; more trials run only the new ones; another seed runs all.
    for (words, expect) in [("", 24), (" -n 30", 30), (" --seed 7", 54)] {
        let (code, _, stderr) = stage.run(&format!("a.smt2 --solver picky@2.0.0{words}"));
        assert_eq!((code, stage.asked().len()), (Some(0), expect), "{words}: {stderr}");
    }
}

#[test]
fn an_interruption_loses_nothing() {
    let stage = Stage::new();
    stage.script("a.smt2", 7006);
    let mut child = stage.command("a.smt2 --solver picky@2.0.0 -n 12").stderr(Stdio::piped()).spawn().expect("it runs");
    let start = Instant::now();
    while stage.asked().len() < 4 && start.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(20));
    }
    let stopped = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(stopped.is_ok_and(|status| status.success()));
    assert_eq!(child.wait().expect("it ends").code(), Some(3));
    let before = stage.asked().len();
    assert!((4..12).contains(&before), "{before}");
    assert_eq!(stage.run("a.smt2 --solver picky@2.0.0 -n 12").0, Some(0));
    // Only the run that was cut short runs again.
    assert!((12..=13).contains(&stage.asked().len()), "{before} {:?}", stage.asked());
}

#[test]
fn a_wrong_answer_is_found_and_its_scripts_are_kept() {
    let stage = Stage::new();
    stage.script("lie.smt2", 7004);
    stage.write("stated.smt2", "(set-info :status unsat)\n(declare-fun f (Int) Int)\n(assert (forall ((x Int)) (> (f x) (f (+ x 1)))))\n(check-sat)\n");
    let (code, stdout, stderr) = stage.run("lie.smt2 stated.smt2 --solver picky@2.0.0");
    assert_eq!(code, Some(10), "{stdout}{stderr}");
    assert!(
        stdout.starts_with("WRONG ANSWER: lie.smt2:4: picky@2.0.0 answers sat 24 times and unsat 1 times"),
        "{stdout}"
    );
    assert!(
        stdout.contains("stated.smt2:4: picky@2.0.0 answers sat 25 times and unsat 0 times; the right answer is unsat")
    );
    let mut scripts: Vec<String> = fs::read_dir(stage.root.path().join("out/scripts"))
        .expect("a folder")
        .map(|entry| entry.expect("a script").file_name().to_string_lossy().into_owned())
        .collect();
    scripts.sort_by_key(|name| name.rsplit('-').next().map(str::to_string));
    let kinds: Vec<_> = scripts.iter().filter_map(|name| name.rsplit('-').next()).collect();
    assert_eq!(kinds, ["sat.smt2", "sat.smt2", "unsat.smt2"]);
    let unsat = stage.read(&format!("out/scripts/{}", scripts[2]));
    assert!(unsat.starts_with("; picky@2.0.0, ") && unsat.contains("7004") && unsat.contains("(check-sat)"), "{unsat}");
    assert!(scripts.iter().all(|name| stdout.contains(name.as_str())), "{stdout}");
}

#[test]
fn the_guilty_assertion_or_option_is_named() {
    let stage = Stage::new();
    let check = |name: &str, text: &str, expect: &str| {
        stage.write(name, text);
        let (code, stdout, stderr) = stage.run(&format!("{name} --solver picky@2.0.0 --explain"));
        assert_eq!(code, Some(0), "{stdout}{stderr}");
        assert!(stdout.contains(expect), "{expect}: {stdout}");
        let script = stage.results()["rows"][0]["cause"]["script"].as_str().expect("a script").to_string();
        let script = stage.read(&format!("out/{script}"));
        assert!(script.contains("7001") && script.len() < text.len(), "{script}");
    };
    check(
        "named.smt2",
        "(declare-fun plain (Int) Int)\n(assert (> (plain 0) 1))\n(assert (! (> (plain 0) 5) :named first))\n\
         (push 1)\n(assert (! (> (plain 0) 7001) :named culprit))\n(assert (! (> (plain 0) 4) :named last))\n(check-sat)\n",
        "picky@2.0.0 is stable without assertion 3 (line 5, named culprit); unstable with only assertion 3 (line 5",
    );
    check(
        "option.smt2",
        "(set-option :verbosity 7001)\n(declare-fun plain (Int) Int)\n(assert (> (plain 0) 1))\n(assert (> (plain 0) 2))\n(check-sat)\n",
        "is stable without (set-option :verbosity 7001) (line 1); unstable with only (set-option",
    );
    check(
        "both.smt2",
        "(declare-fun plain (Int) Int)\n(assert (> (plain 0) 7001))\n(assert (> (plain 0) 2))\n(assert (> (plain 0) 7001))\n(check-sat)\n",
        "is stable without no single command; unstable with only assertion 3 (line 4)",
    );
}

#[test]
fn releases_say_since_when_a_check_is_unstable() {
    let stage = Stage::new();
    stage.script("a.smt2", 7001);
    let (code, stdout, _) = stage.run("a.smt2 --solver picky@1.0.0 --solver picky@2.0.0");
    assert_eq!(code, Some(0), "{stdout}");
    assert!(stdout.contains("a.smt2:4: stable until picky@1.0.0, unstable from picky@2.0.0"), "{stdout}");
    let (_, stdout, _) = stage.run("a.smt2 --solver picky@2.0.0 --solver picky@1.0.0");
    assert!(!stdout.contains(" until "), "not from the oldest to the newest: {stdout}");
}

#[test]
fn bad_input_gets_a_message() {
    let stage = Stage::new();
    stage.write("none.smt2", "(declare-const p Bool)\n");
    let check = |words: &str, code: i32, expect: &str| {
        let (got, _, stderr) = stage.run(words);
        assert!(got == Some(code) && stderr.contains(expect), "{words}: {got:?} {stderr}");
    };
    check("none.smt2 --solver picky@2.0.0", 2, "no file has a check that can be measured");
    check("gone.smt2 --solver picky@2.0.0", 2, "gone.smt2");
    check("none.smt2 --solver /bin/true", 2, "does not answer a problem of Booleans");
    check("none.smt2 --solver picky@2.0.0 -n 0", 2, "0 is not in 1..=10000");
    check("none.smt2", 2, "--solver");
}
