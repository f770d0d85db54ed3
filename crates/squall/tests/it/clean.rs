//! `squall setup clean`: what it lists, what it removes, and what it keeps.

use serde_json::Value;
use std::fs;
use std::io::Read;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, SystemTime};

/// A cache with one entry of each kind, a campaign, and foreign files next to them.
fn home() -> tempfile::TempDir {
    let home = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| {
        let path = home.path().join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, text).expect("a file");
    };
    for version in ["1.0", "2.0"] {
        let text =
            format!("name = \"toy\"\nversion = \"{version}\"\norigin = \"\"\ncommand = [\"toy\"]\nsha256 = \"\"\n");
        write(&format!("cache/solvers/toy@{version}/install.toml"), &text);
        write(&format!("cache/solvers/toy@{version}/toy"), "program");
    }
    write("cache/solvers/mine/notes.txt", "of the user");
    write("cache/builds/toy@3.0/source/a.c", "int x;");
    write("cache/builds/toy@3.0.lock", "");
    write("cache/builds/mine/a.c", "of the user");
    write("cache/commits/0123456789abcdef/0123456789abcdef/bin/toy", "program");
    write("cache/commits/checkout-0123.lock", "");
    write("cache/commits/mine/a.c", "of the user");
    let hash = "0123456789abcdef".repeat(4);
    write(&format!("cache/answers/{hash}.json"), "{}");
    write("cache/answers/notes.json", "of the user");
    write(&format!("cache/seeds/{hash}"), "(check-sat)");
    write("cache/corpora/default/corpus.json", "{}");
    write("cache/mine.txt", "of the user");
    write("outside/kept.txt", "elsewhere");
    write("out/campaign.json", "{\"seed\": 1}");
    write("out/.lock", "");
    write("out/findings/A-1/finding.json", "{}");
    write("out/findings/.partial-A-2/finding.json", "{}");
    write("out/.stats.json.1-2-0.part", "{");
    write("out/.new.json.1-2-0.part", "{");
    write("out/mine.txt", "of the user");
    let old = SystemTime::now() - Duration::from_secs(7200);
    let part = fs::File::options().write(true).open(home.path().join("out/.stats.json.1-2-0.part")).expect("a file");
    part.set_modified(old).expect("a time");
    let to = home.path().join("outside");
    symlink(&to, home.path().join("cache/solvers/toy@9.0")).expect("a link");
    symlink(&to, home.path().join("cache/builds/toy@3.0/source/link")).expect("a link");
    symlink(&to, home.path().join("out/findings/.partial-A-2/link")).expect("a link");
    home
}

fn clean(home: &Path, args: &[&str]) -> (i32, Vec<Value>, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_squall"));
    command.env("SQUALL_CACHE", home.join("cache")).env("TMPDIR", home.join("outside")).current_dir(home);
    let output = command.args(["setup", "clean"]).args(args).args(["--format", "json"]).output().expect("squall runs");
    let lines = String::from_utf8_lossy(&output.stdout).into_owned();
    let rows = lines.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    (output.status.code().unwrap_or(-1), rows, String::from_utf8_lossy(&output.stderr).into_owned())
}

/// Every path below, sorted.
fn tree(root: &Path) -> Vec<String> {
    let mut left = vec![root.to_path_buf()];
    let mut all = Vec::new();
    while let Some(path) = left.pop() {
        left.extend(files::disk_use::entries(&path));
        all.push(path.strip_prefix(root).expect("below").display().to_string());
    }
    all.sort();
    all
}

#[test]
fn nothing_is_removed_without_the_option() {
    let home = home();
    let before = tree(home.path());
    let (code, rows, _) = clean(home.path(), &["out"]);
    assert_eq!((code, tree(home.path())), (0, before));
    let names: Vec<(&str, &str)> =
        rows.iter().filter_map(|row| Some((row["what"].as_str()?, row["name"].as_str()?))).collect();
    for item in [("solvers", "toy@1.0"), ("builds", "toy@3.0"), ("answers", ""), ("corpora", "default")] {
        assert!(names.contains(&item), "{item:?} not in {names:?}");
    }
    assert!(!names.contains(&("solvers", "toy@9.0")), "a link is no solver: {names:?}");
    let sums = rows.last().expect("sums");
    let bytes: u64 = rows.iter().filter(|row| row["what"].is_string()).filter_map(|row| row["bytes"].as_u64()).sum();
    assert_eq!((sums["bytes"].as_u64(), sums["freed"].as_u64()), (Some(bytes), Some(0)));
}

#[test]
fn only_our_own_files_are_removed() {
    let check = |args: &[&str], gone: &[&str]| {
        let home = home();
        let before = tree(home.path());
        let (code, rows, said) = clean(home.path(), args);
        assert_eq!(code, 0, "{args:?}: {rows:?}: {said}");
        let is_gone = |path: &&String| gone.iter().any(|gone| *path == gone || path.starts_with(&format!("{gone}/")));
        let left: Vec<String> = before.iter().filter(|path| !is_gone(path)).cloned().collect();
        assert_eq!(tree(home.path()), left, "{args:?}");
        assert_eq!(rows.last().expect("sums")["freed"].as_u64() > Some(0), !gone.is_empty(), "{args:?}");
    };
    let hash = "0123456789abcdef".repeat(4);
    let (answer, seed) = (format!("cache/answers/{hash}.json"), format!("cache/seeds/{hash}"));
    let build = ["cache/builds/toy@3.0", "cache/builds/toy@3.0.lock"];
    check(&["--remove", "solvers=toy@1.0"], &["cache/solvers/toy@1.0"]);
    check(&["--remove", "solvers"], &["cache/solvers/toy@1.0", "cache/solvers/toy@2.0"]);
    check(&["--remove", "caches"], &["cache/commits/0123456789abcdef", build[0], build[1], &answer, &seed]);
    check(&["--remove", "answers"], &[&answer]);
    check(&["out", "--remove", "leftovers"], &["out/.stats.json.1-2-0.part", "out/findings/.partial-A-2"]);
    check(&["--remove", "leftovers"], &[]);
}

#[test]
fn entries_in_use_stay() {
    let home = home();
    let before = tree(home.path());
    for (lock, what) in [
        ("out/.lock", "leftovers"),
        ("cache/builds/toy@3.0.lock", "builds"),
        ("cache/commits/checkout-0123.lock", "commits"),
    ] {
        let held = fs::File::open(home.path().join(lock)).expect("a lock");
        held.lock().expect("it is free");
        let (code, rows, _) = clean(home.path(), &["out", "--remove", what]);
        assert_eq!((code, rows.last().expect("sums")["failed"].as_u64()), (1, Some(1)), "{lock}");
        assert!(rows.iter().any(|row| row["cause"].as_str().is_some_and(|cause| cause.contains("another squall"))));
    }
    // Its command line names the solver's program, like that of a solver started by a campaign.
    let program = home.path().join("cache/solvers/toy@1.0/toy");
    let mut runs = Command::new("/bin/sh");
    let runs = runs.args(["-c", "echo; read x"]).arg(&program).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut runs = runs.spawn().expect("a shell");
    // A process that was just started may not have its command line yet.
    runs.stdout.take().expect("a pipe").read_exact(&mut [0]).expect("the shell runs");
    let (code, _, _) = clean(home.path(), &["--remove", "solvers=toy@1.0"]);
    drop(runs.stdin.take());
    runs.wait().expect("it ends");
    assert_eq!((code, tree(home.path())), (1, before));
}

#[test]
fn a_link_instead_of_a_folder_is_not_followed() {
    let home = home();
    for name in ["solvers", "builds", "answers"] {
        let place = home.path().join("cache").join(name);
        fs::rename(&place, home.path().join("outside").join(name)).expect("it moves");
        symlink(home.path().join("outside").join(name), place).expect("a link");
    }
    let before = tree(home.path());
    let (code, _, said) = clean(home.path(), &["--remove", "solvers,builds,answers,leftovers"]);
    assert_eq!((code, tree(home.path())), (0, before), "{said}");
}

#[test]
fn impossible_requests_are_reported() {
    let home = home();
    let check = |args: &[&str], code: i32, says: &str| {
        let (exit, _, said) = clean(home.path(), args);
        assert!(exit == code && said.contains(says), "{args:?}: {exit}: {said}");
    };
    check(&["--remove", "solvers=toy@7.0"], 2, "there is no 'toy@7.0' among the solvers; there are: toy@1.0, toy@2.0");
    check(&["--remove", "findings"], 2, "write solvers");
    check(&["--remove", "answers=x"], 2, "solvers=NAME@VERSION");
    check(&["absent"], 2, "absent");
    check(&["outside"], 1, "has no campaign");
}
