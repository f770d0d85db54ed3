//! The tutorial as a reader follows it: its commands run in order, and print what the page shows.

use crate::support::squall;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A command of the page and the lines shown below it. `...` matches anything within a line, or any lines.
#[derive(Debug, PartialEq, Eq)]
struct Step<'p> {
    command: &'p str,
    shown: Vec<&'p str>,
}

fn docs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs")
}

/// Returns the code blocks of a page in a language.
fn blocks<'p>(page: &'p str, language: &str) -> Vec<&'p str> {
    let fence = format!("```{language}\n");
    page.split(&fence).skip(1).filter_map(|rest| rest.split_once("\n```")).map(|(block, _)| block).collect()
}

fn steps(page: &str) -> Vec<Step<'_>> {
    let mut steps: Vec<Step<'_>> = Vec::new();
    for line in blocks(page, "console").into_iter().flat_map(str::lines) {
        if let Some(command) = line.strip_prefix("$ ") {
            steps.push(Step { command, shown: Vec::new() });
        } else {
            steps.last_mut().unwrap_or_else(|| panic!("{line} is the output of no command")).shown.push(line);
        }
    }
    steps
}

/// Whether a line matches.
fn is_like(line: &str, shown: &str) -> bool {
    let Some((start, rest)) = shown.split_once("...") else { return line == shown };
    let Some(line) = line.strip_prefix(start) else { return false };
    (0..=line.len()).filter(|at| line.is_char_boundary(*at)).any(|at| is_like(&line[at..], rest))
}

/// Whether lines match.
fn are_like(lines: &[&str], shown: &[&str]) -> bool {
    match shown {
        [] => lines.is_empty(),
        ["...", rest @ ..] => (0..=lines.len()).any(|at| are_like(&lines[at..], rest)),
        [first, rest @ ..] => lines.first().is_some_and(|line| is_like(line, first)) && are_like(&lines[1..], rest),
    }
}

/// The folder of the interpreter itself, because `python3` in PATH may be a slow wrapper script, and solvers are started often.
fn python() -> Option<PathBuf> {
    let output = Command::new("python3").args(["-c", "import sys; print(sys.executable)"]).output().ok()?;
    let path = PathBuf::from(String::from_utf8(output.stdout).ok()?.trim());
    path.parent().filter(|_| output.status.success()).map(Path::to_path_buf)
}

#[test]
fn the_commands_of_the_tutorial_print_what_it_shows() {
    let Some(python) = testing::require("python3", python()) else { return };
    let page = fs::read_to_string(docs().join("tutorial.md")).expect("the page");
    let steps = steps(&page);
    assert!(steps.len() > 12, "{steps:?}");
    let root = tempfile::tempdir().expect("a folder");
    std::os::unix::fs::symlink(docs(), root.path().join("docs")).expect("a link");
    // One shell for all, as for a reader. The text after a mark is the output of the command with that number.
    let mark = |n: usize| format!("---- step {n} of the tutorial");
    let mut script = String::new();
    for (n, step) in steps.iter().enumerate() {
        script.push_str(&format!("echo '{}'\n{}\n", mark(n), step.command));
    }
    let program = Path::new(env!("CARGO_BIN_EXE_squall")).parent().expect("a folder");
    let path = std::env::join_paths([program, &python, Path::new("/usr/bin"), Path::new("/bin")]).expect("a path");
    let mut shell = Command::new("sh");
    shell.args(["-c", &format!("exec 2>&1\n{script}")]).current_dir(root.path()).stdin(Stdio::null());
    let template = squall();
    let cache = template.get_envs().find_map(|(name, value)| (name == "XDG_CACHE_HOME").then_some(value)).flatten();
    shell.env("PATH", path).env("XDG_CONFIG_HOME", root.path().join("config")).env("HOME", root.path());
    shell.env("XDG_CACHE_HOME", cache.expect("a folder"));
    let output = shell.output().expect("a shell");
    let said = String::from_utf8_lossy(&output.stdout);
    for (n, step) in steps.iter().enumerate() {
        let after = said.split_once(&format!("{}\n", mark(n))).map_or("", |(_, after)| after);
        let (own, _) = after.split_once(&format!("{}\n", mark(n + 1))).unwrap_or((after, ""));
        let lines: Vec<&str> = own.lines().collect();
        assert!(
            are_like(&lines, &step.shown),
            "$ {}\nshows\n{}\nand prints\n{own}",
            step.command,
            step.shown.join("\n")
        );
    }
}

#[test]
fn the_tutorial_shows_its_files_as_they_are() {
    let page = fs::read_to_string(docs().join("tutorial.md")).expect("the page");
    let check = |file: &str, language: &str| {
        let text = fs::read_to_string(docs().join("tutorial").join(file)).expect("a file");
        let shown = blocks(&page, language);
        assert!(shown.contains(&text.trim_end()), "{file} is not in the page as it is");
    };
    check("toy.py", "python");
    check("squall.toml", "toml");
}

#[test]
fn output_is_compared_with_gaps() {
    let check = |output: &str, shown: &str, expect: bool| {
        let (lines, shown_lines): (Vec<&str>, Vec<&str>) = (output.lines().collect(), shown.lines().collect());
        assert_eq!(are_like(&lines, &shown_lines), expect, "{output:?} by {shown:?}");
    };
    check("sat", "sat", true);
    check("unsat", "sat", false);
    check("sat\nsat", "sat", false);
    check("", "sat", false);
    check("", "...", true);
    check("a\nb\nc", "...\nc", true);
    check("a\nb\nc", "a\n...", true);
    check("a\nb\nc", "a\n...\nb\nc", true);
    check("a\nb\nc", "a\n...\nd", false);
    check("a\nb\nc", "...\nb", false);
    check("60 mutants in 3s (0 skipped)", "60 mutants in ... (0 skipped)", true);
    check("60 mutants in 3s (1 skipped)", "60 mutants in ... (0 skipped)", false);
    check("61 mutants in 3s (0 skipped)", "60 mutants in ...", false);
    check("a b a c", "a...a c", true);
    let page = "```console\n$ a\nb\n$ c\n```\ntext\n```sh\nd\n```\n";
    let step = |command, shown: &[&'static str]| Step { command, shown: shown.to_vec() };
    assert_eq!(steps(page), [step("a", &["b"]), step("c", &[])]);
}
