//! What the report of a machine and its solvers says.

use super::machine::TriedSolver;
use super::*;
use std::path::PathBuf;

fn solver(label: &str, verdict: Result<&str, &str>) -> TriedSolver {
    let verdict = verdict.map(str::to_string).map_err(str::to_string);
    TriedSolver { label: label.to_string(), verdict, is_installed: true }
}

fn folder(path: &str, free: u64) -> UsableFolder {
    UsableFolder { path: PathBuf::from(path), free, refused: None }
}

/// Returns a machine without problems.
fn healthy() -> MachineFacts {
    MachineFacts {
        solvers: Ok(vec![solver("z3@4.8.7", Ok("pip: z3-solver==4.8.7.0"))]),
        pip: Ok("python3 with pip 25.1".to_string()),
        cache: Ok(folder("/cache/solvers", 4 << 30)),
        work: Ok(folder("/work", 4 << 30)),
        limits: MachineLimits { cores: 2, open_files: Some(1024), processes: None, memory: Some(8 << 30) },
        terminal: TerminalFacts::default(),
    }
}

/// Checks the lines that are not ok, for a machine that differs from a healthy one.
fn check(change: impl Fn(&mut MachineFacts), can: bool, expect: &[&str]) {
    let mut facts = healthy();
    change(&mut facts);
    let lines = lines(&facts);
    assert_eq!(can_start(&lines), can, "{}", text(&lines));
    let bad: Vec<&DoctorLine> = lines.iter().filter(|line| line.severity != Severity::Ok).collect();
    assert_eq!(bad.len(), expect.len(), "{}", text(&lines));
    for (line, expect) in bad.iter().zip(expect) {
        let said = format!("{}: {} -> {}", line.topic, line.found, line.remedy.as_deref().unwrap_or("nothing"));
        assert!(said.contains(expect), "{said}\ndoes not contain {expect}");
    }
}

#[test]
fn what_is_missing_is_said_with_what_gets_it() {
    check(|_| (), true, &[]);
    check(|facts| facts.solvers = Ok(Vec::new()), true, &["-> squall solver install z3@latest"]);
    check(
        |facts| facts.pip = Err("Python is missing".to_string()),
        true,
        &["pip: Python is missing -> install Python"],
    );
    let neither = |facts: &mut MachineFacts| {
        facts.solvers = Ok(Vec::new());
        facts.pip = Err("Python is missing".to_string());
    };
    check(neither, false, &["none can be installed -> install Python with pip", "pip: Python is missing"]);
    let broken = |facts: &mut MachineFacts| {
        let works = solver("z3@4.8.7", Ok("PATH"));
        facts.solvers = Ok(vec![solver("cvc5@1.2.0", Err("answers sat: no: it crashed")), works]);
    };
    check(
        broken,
        true,
        &["answers sat: no: it crashed -> squall solver remove cvc5@1.2.0 && squall solver install cvc5@1.2.0"],
    );
    check(|facts| facts.solvers = Err("a.toml: unknown key".to_string()), false, &["profiles: a.toml: unknown key"]);
}

#[test]
fn folders_without_room_are_said() {
    check(|facts| facts.work = Ok(folder("/work", 9 << 20)), true, &["this folder: /work: only 9MiB free"]);
    let refused = || Ok(UsableFolder { refused: Some("Read-only file system".to_string()), ..folder("/ro", 1 << 40) });
    check(|facts| facts.work = refused(), false, &["/ro: not writable: Read-only"]);
    check(|facts| facts.cache = refused(), true, &["solvers' folder: /ro: not writable"]);
    let neither = |facts: &mut MachineFacts| {
        facts.cache = refused();
        facts.solvers = Ok(Vec::new());
    };
    check(neither, false, &["none is available; --solver z3@4.8.7 installs it", "-> set SQUALL_CACHE"]);
}

#[test]
fn limits_that_are_too_low_are_said() {
    check(|facts| facts.limits.open_files = Some(100), true, &["100 allowed; 2 workers may need 128 -> ulimit -n 128"]);
    check(|facts| facts.limits.processes = Some(10), true, &["2 workers may need 64 -> ulimit -u 64"]);
    check(
        |facts| facts.limits.memory = Some(3 << 30),
        true,
        &["3GiB available; 2 workers with solvers of 2GiB each may need more -> --jobs 1,"],
    );
    check(|facts| facts.limits = MachineLimits { cores: 64, ..MachineLimits::default() }, true, &[]);
}
