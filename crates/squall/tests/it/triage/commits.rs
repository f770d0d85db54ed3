//! Bisection over the commits of a toy solver, a shell script in a repository that the test makes.

use super::stage::{BUG, RIGHT, Ran, Stage, WRONG_ON_MOD};
use serde_json::Value;
use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

/// The behaviour of a commit of the toy.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Toy {
    Right,
    Wrong,
    Broken,
}
use Toy::{Broken, Right, Wrong};

/// Runs git in a folder without the user's settings.
fn git(folder: &Path, words: &[&str], input: &str) -> String {
    let mut command = Command::new("git");
    command.args(words).current_dir(folder).env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1");
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("git runs");
    child.stdin.take().expect("piped").write_all(input.as_bytes()).expect("git reads");
    let output = child.wait_with_output().expect("git ends");
    assert!(output.status.success(), "{words:?}");
    String::from_utf8_lossy(&output.stdout).trim().to_string()
}

/// One commit as `git fast-import` reads it. `parents` holds its lines `from` and `merge`.
fn imported(mark: usize, toy: Toy, parents: &str) -> String {
    let body = format!("#!/bin/sh\n{}", if toy == Wrong { WRONG_ON_MOD } else { RIGHT });
    let (subject, broken) = (format!("Change {mark}"), if toy == Broken { "no\n" } else { "yes\n" });
    let who = format!("Toy <toy@example.org> {} +0000", 1_600_000_000 + 86_400 * mark);
    format!(
        "commit refs/heads/main\nmark :{mark}\ncommitter {who}\ndata {}\n{subject}\n{parents}M 100644 inline toy.sh\ndata {}\n{body}\n\
         M 100644 inline builds\ndata {}\n{broken}\n",
        subject.len(),
        body.len(),
        broken.len()
    )
}

/// A repository `toy` with these commits, the oldest first, and a finding `f` that the wrong ones show. `None` without git.
fn toy(commits: &[Toy]) -> Option<Stage> {
    testing::require("git", Command::new("git").arg("--version").output().ok())?;
    let stage = Stage::new();
    let solver = stage.solver("solver.sh", WRONG_ON_MOD);
    stage.finding("f", "A", BUG, &solver);
    stage.run(&["reduce", "f", "--trust", "none"]).check(0, &["certified"]);
    stage.write("toy/.keep", "");
    git(&stage.path("toy"), &["init", "-q", "-b", "main"], "");
    let stream: String = commits.iter().enumerate().map(|(n, toy)| imported(n + 1, *toy, "")).collect();
    if !commits.is_empty() {
        git(&stage.path("toy"), &["fast-import", "--quiet"], &stream);
        git(&stage.path("toy"), &["reset", "-q", "--hard"], "");
    }
    Some(stage)
}

/// A build that counts its runs, and fails if the commit is broken.
fn counted(stage: &Stage) -> String {
    let count = stage.path("count");
    format!("echo x >> {}; grep -q yes builds && mkdir out && cp toy.sh out/toy && chmod +x out/toy", count.display())
}

fn builds(stage: &Stage) -> usize {
    fs::read_to_string(stage.path("count")).map_or(0, |text| text.lines().count())
}

/// `squall bisect f --git toy`, with more arguments.
fn bisect(stage: &Stage, more: &[&str]) -> Ran {
    let build = counted(stage);
    let words = ["bisect", "f", "--git", "toy", "--build", &build, "--program", "out/toy"];
    stage.run(&[&words[..], more].concat())
}

/// The text for the solver's tracker.
fn issue(stage: &Stage) -> String {
    stage.run(&["report", "f"]).check(0, &["1 issue"]);
    let mut files = fs::read_dir(stage.path("f/issues")).expect("issues").flatten().map(|entry| entry.path());
    let file = files.find(|path| path.extension().is_some_and(|kind| kind == "md")).expect("an issue");
    fs::read_to_string(file).expect("a text")
}

/// The results about commits in the finding's folder.
fn kept(stage: &Stage) -> Value {
    serde_json::from_str::<Value>(&stage.read("f/bisection.json")).expect("JSON")["commits"].take()
}

#[test]
fn the_first_bad_commit_of_five_hundred_is_found_past_thirty_that_do_not_build() {
    // One in sixteen does not build, or thirty consecutive ones in the middle.
    let spread: Vec<Toy> = (0..500).map(|n| if n < 311 { Right } else { Wrong }).collect();
    let mut spread_out = spread.clone();
    (0..30).for_each(|n| spread_out[16 * n + 3] = Broken);
    let mut together = spread.clone();
    together[235..265].fill(Broken);
    for (commits, meets_some) in [(spread_out, false), (together, true)] {
        let Some(stage) = toy(&commits) else { return };
        let json = bisect(&stage, &["--format", "json"]);
        json.check(10, &["\"first_bad\"", "\"Change 312\""]);
        let found = kept(&stage);
        assert_eq!(found["first_bad"]["commit"]["subject"], "Change 312");
        assert_eq!(found["first_bad"]["commit"]["date"], "2021-07-22");
        assert_eq!(found["first_bad"]["candidates"], 1);
        assert_eq!(found["first_bad"]["before"]["did"], "right");
        assert_eq!(found["first_good"], Value::Null);
        let asked = found["asked"].as_array().expect("rows");
        let failed = asked.iter().filter(|row| row["did"].is_null()).count();
        assert!(failed > 0 || !meets_some);
        // The newest, and the binary search; each commit that does not build costs one.
        assert!(asked.len() - failed <= 1 + 9 && builds(&stage) == asked.len(), "{failed} of {}", asked.len());
        let before = builds(&stage);
        bisect(&stage, &[]).check(10, &["First bad commit:", "Change 312", "The newest commit asked still errs."]);
        assert_eq!(builds(&stage), before, "a second run builds nothing");
        // Maintainers of the solver read it, and a bisection over versions keeps it.
        let hash = git(&stage.path("toy"), &["rev-parse", "main~188"], "");
        stage.run(&["bisect", "f"]).check(10, &["first bad"]);
        assert_eq!(kept(&stage)["first_bad"]["commit"]["hash"], hash.as_str());
        let issue = issue(&stage);
        let sentence = format!("First bad commit: {hash} (2021-07-22, Change 312)");
        assert!(issue.contains(&sentence), "{issue}");
    }
}

#[test]
fn commits_that_do_not_build_around_the_change_leave_a_range() {
    let Some(stage) = toy(&[Right, Right, Broken, Broken, Wrong, Wrong, Broken, Right, Right]) else { return };
    bisect(&stage, &[]).check(0, &["First bad commit: one of 3 from", "First good commit after it: one of 2 from"]);
    let found = kept(&stage);
    let change = |part: &str| [&found[part]["since"]["subject"], &found[part]["commit"]["subject"]];
    assert_eq!(change("first_bad"), ["Change 3", "Change 5"]);
    assert_eq!(change("first_good"), ["Change 7", "Change 8"]);
    // Between two given commits.
    bisect(&stage, &["--newest", "main~4"]).check(10, &["still errs", "of 5 commits"]);
    bisect(&stage, &["--newest", "main~3", "--oldest", "main~4"]).check(10, &["The first commit of the history errs"]);
    bisect(&stage, &["--oldest", "main", "--newest", "main~2"])
        .check(2, &["not among the first parents", "leave --oldest out"]);
    bisect(&stage, &["--newest", "nowhere"]).check(2, &["'nowhere' names no commit"]);
    bisect(&stage, &["--newest", "--all"]).check(2, &[]);
    stage
        .run(&["bisect", "f", "--git", "toy", "--build", "true", "--program", "../toy"])
        .check(2, &["inside the checkout"]);
    stage.run(&["bisect", "f", "--git", "toy", "--build", "true"]).check(2, &["--program"]);
    stage.run(&["bisect", "f", "--build", "true"]).check(2, &["--git"]);
}

#[test]
fn histories_without_a_change_are_reported() {
    let Some(stage) = toy(&[Wrong; 9]) else { return };
    bisect(&stage, &[]).check(10, &["The first commit of the history errs", "still errs"]);
    let Some(stage) = toy(&[Right; 40]) else { return };
    bisect(&stage, &[]).check(0, &["as given: 'unsat' is wrong", "No commit asked errs (33 of 40)."]);
    assert_eq!(builds(&stage), 33);
    // A script without a known wrong answer, and an unreadable one, for which one build is enough.
    stage.write("odd.smt2", "(define-fun-rec f ((x Int)) Int (+ 1 (f x)))\n(assert (= (f 0) 1))\n(check-sat)\n");
    let build = counted(&stage);
    let words = ["bisect", "odd.smt2", "--git", "toy", "--build", &build, "--program", "out/toy"];
    stage.run(&words).check(1, &["no commit asked shows what is wrong", "nobody's answer is known to be wrong"]);
    stage.write("odd.smt2", "(declare-fun h (Foo) Int)\n(assert (= (h z) 1))\n(check-sat)\n");
    let before = builds(&stage);
    stage.run(&[&words[..], &["--fresh"]].concat()).check(1, &["unknown sort `Foo`", "with --wrong"]);
    assert_eq!(builds(&stage), before + 1);
    stage.run(&[&words[..], &["--wrong", "unsat"]].concat()).check(0, &["No commit asked errs"]);
    let Some(stage) = toy(&[Broken; 40]) else { return };
    let failed = bisect(&stage, &[]);
    failed.check(
        1,
        &[
            "none of the 6 newest commits asked builds and decides; the newest: the build ended with exit code 1",
            "does not build: the build ended with exit code 1",
            "(log: ",
        ],
    );
    // The named log exists, with the output of the command.
    let all = stage.run(&["bisect", "f", "--git", "toy", "--build", "echo loud; exit 3", "--program", "x"]);
    all.check(1, &["exit code 3: loud"]);
    let log = all.err.split("(log: ").nth(1).and_then(|rest| rest.split(')').next()).expect("a log");
    assert_eq!(fs::read_to_string(log).expect("a log"), "loud\n");
    let slow = [
        "bisect",
        "f",
        "--git",
        "toy",
        "--newest",
        "main~39",
        "--build",
        "sleep 60",
        "--program",
        "x",
        "--build-timeout",
    ];
    stage.run(&[&slow[..], &["200ms"]].concat()).check(1, &["it took longer than 0.2 s"]);
    stage
        .run(&["bisect", "f", "--git", "toy", "--newest", "main~39", "--build", "true", "--program", "x"])
        .check(1, &["no program was left at x"]);
    // No history, and no repository.
    let Some(stage) = toy(&[]) else { return };
    bisect(&stage, &[]).check(2, &["'HEAD' names no commit", "nothing was committed there yet"]);
    fs::remove_dir_all(stage.path("toy/.git")).expect("removed");
    bisect(&stage, &[]).check(2, &["'toy' is not a readable git repository: fatal:"]);
    fs::remove_dir_all(stage.path("toy")).expect("removed");
    bisect(&stage, &[]).check(2, &["there is no such folder"]);
}

#[test]
fn shallow_clones_and_merges_are_supported() {
    let Some(stage) = toy(&[Right, Right, Wrong, Wrong, Wrong]) else { return };
    let toy = stage.path("toy");
    fs::rename(&toy, stage.path("whole")).expect("moved");
    let from = format!("file://{}", stage.path("whole").display());
    git(stage.root.path(), &["clone", "-q", "--depth", "2", &from, "toy"], "");
    bisect(&stage, &[]).check(10, &["the clone is shallow", "the clone has no older ones"]);
    // Merged commits count as the merge: 1 - 2 - 5, and 1 - 3 - 4 merged there.
    let Some(stage) = self::toy(&[]) else { return };
    let mut stream = String::new();
    for (mark, does, parents) in [
        (1, Right, ""),
        (2, Right, "from :1\n"),
        (3, Wrong, "from :1\n"),
        (4, Wrong, "from :3\n"),
        (5, Wrong, "from :2\nmerge :4\n"),
    ] {
        let _ = write!(stream, "{}", imported(mark, does, parents));
    }
    git(&stage.path("toy"), &["fast-import", "--quiet", "--force"], &stream);
    bisect(&stage, &[]).check(10, &["Change 5", "of 3 commits"]);
    assert_eq!(kept(&stage)["first_bad"]["commit"]["subject"], "Change 5");
}

/// The user's checkout with its uncommitted changes stays, and no program runs that the repository names.
#[test]
fn a_repository_starts_nothing_and_is_left_as_it_was() {
    let Some(stage) = toy(&[Right, Right, Wrong, Wrong]) else { return };
    let (toy, trap) = (stage.path("toy"), stage.path("trap"));
    let body = format!("#!/bin/sh\necho \"$0\" >> {}\ncat\n", trap.display());
    let set = |name: &str, value: &str| git(&toy, &["config", name, value], "");
    for hook in ["post-checkout", "reference-transaction", "post-index-change", "fsmonitor"] {
        stage.write(&format!("toy/.git/hooks/{hook}"), &body);
        assert!(
            Command::new("chmod").arg("+x").arg(toy.join(".git/hooks").join(hook)).status().expect("run").success()
        );
    }
    let program = toy.join(".git/hooks/fsmonitor").display().to_string();
    stage.write("toy/.git/info/attributes", "* filter=odd=name\ntoy.sh filter=other diff=odd\n");
    let process = format!("[filter \"odd=name\"]\n\tsmudge = {program} smudge\n");
    // Settings may apply to some checkouts only.
    stage.write("toy/.git/more", &format!("[filter \"other\"]\n\tsmudge = {program} other\n"));
    let config = stage.read("toy/.git/config");
    stage.write(
        "toy/.git/config",
        &format!(
            "{config}{process}[includeIf \"gitdir:**/worktrees/**\"]\n\tpath = {}\n",
            toy.join(".git/more").display()
        ),
    );
    set("core.pager", &program);
    set("log.showSignature", "true");
    set("gpg.program", &program);
    set("diff.odd.textconv", &program);
    set("diff.external", &program);
    stage.write("toy/toy.sh", "changed by hand");
    stage.write("toy/new", "not committed");
    let _ = fs::remove_file(&trap);
    // The settings of a repository are traps: git itself springs them here.
    git(&toy, &["worktree", "add", "-q", "../other", "HEAD"], "");
    assert!(stage.read("trap").contains("post-checkout") && stage.read("trap").contains("fsmonitor"));
    git(&toy, &["worktree", "remove", "--force", "../other"], "");
    fs::remove_file(&trap).expect("removed");
    set("core.fsmonitor", &program);
    set("filter.odd=name.process", &format!("{program} process"));
    set("filter.odd=name.required", "true");
    let index = fs::read(toy.join(".git/index")).expect("an index");
    bisect(&stage, &[]).check(10, &["Change 3"]);
    assert!(!trap.exists(), "{}", fs::read_to_string(&trap).unwrap_or_default());
    assert_eq!([stage.read("toy/toy.sh"), stage.read("toy/new")], ["changed by hand", "not committed"]);
    assert_eq!(fs::read(toy.join(".git/index")).expect("an index"), index);
    assert_eq!(stage.read("toy/.git/HEAD"), "ref: refs/heads/main\n");
    assert!(!toy.join(".git/worktrees").exists(), "the checkout is gone");
}

/// Records of commits and builds in a finding's folder start nothing.
#[test]
fn a_record_builds_nothing() {
    let Some(stage) = toy(&[Right, Wrong]) else { return };
    bisect(&stage, &[]).check(10, &["Change 2"]);
    let before = builds(&stage);
    let mut kept: Value = serde_json::from_str(&stage.read("f/bisection.json")).expect("JSON");
    kept["commits"]["git"] = "toy".into();
    kept["commits"]["build"] = counted(&stage).into();
    kept["commits"]["first_bad"]["commit"]["subject"] = "<b>\u{1b}[31m](https://example.org)".into();
    stage.write("f/bisection.json", &kept.to_string());
    stage.run(&["bisect", "f", "--fresh"]).check(10, &[]);
    let issue = issue(&stage);
    assert!(issue.contains("First bad commit") && !issue.contains(['\u{1b}']) && !issue.contains("<b>"), "{issue}");
    assert_eq!(builds(&stage), before);
    // A recorded program that the user never named does not count as the solver whose options are used.
    for file in ["f/finding.json", "f/reduced.json"] {
        stage.write(file, &stage.read(file).replace("solver.sh", "stranger.sh"));
    }
    bisect(&stage, &[]).check(1, &["which you have not named"]);
    assert_eq!(builds(&stage), before);
}

#[test]
fn an_interrupted_search_leaves_no_checkout() {
    let Some(stage) = toy(&[Right, Wrong]) else { return };
    let begun = stage.path("begun");
    let build = format!("touch {}; sleep 600", begun.display());
    let mut command = stage.squall(&["bisect", "f", "--git", "toy", "--build", &build, "--program", "x"]);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("squall runs");
    while !begun.exists() {
        std::thread::sleep(Duration::from_millis(20));
    }
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill runs");
    assert!(killed.success());
    Ran::of(child.wait_with_output().expect("it ends")).check(3, &["interrupted"]);
    assert!(!stage.path("toy/.git/worktrees").exists() && !stage.path("f/bisection.json").exists());
    // An interrupted build is not recorded as failed.
    bisect(&stage, &[]).check(10, &["Change 2"]);
}
