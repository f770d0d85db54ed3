//! The GitHub Action: its script against stand-ins that err, and the inputs of its description and its script, which must agree.

use crate::support::{ALWAYS, SEED, squall};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

const SCRIPT: &str = include_str!("../../../../action/run.sh");
const DESCRIPTION: &str = include_str!("../../../../action/action.yml");

/// The workspace of a job: a seed, two stand-ins, and the files for the outcome of a step.
struct Job {
    root: tempfile::TempDir,
}

/// The outputs of a step.
struct Step {
    code: Option<i32>,
    log: String,
    summary: String,
    outputs: String,
}

impl Job {
    fn new() -> Job {
        let root = tempfile::tempdir().expect("a folder");
        fs::write(root.path().join("seed 1.smt2"), SEED).expect("a file");
        for name in ["solver.sh", "base.sh"] {
            fs::write(root.path().join(name), ALWAYS).expect("a file");
        }
        Job { root }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.root.path().join(name)
    }

    /// Runs the script with these inputs and those of all runs. The baseline always answers `sat`.
    fn step(&self, inputs: &[(&str, &str)]) -> Step {
        let (summary, outputs) = (self.path("step-summary"), self.path("step-outputs"));
        for file in [&summary, &outputs] {
            fs::write(file, "before\n").expect("a file");
        }
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../action/run.sh");
        let mut command = Command::new("bash");
        command.arg(script).current_dir(self.root.path()).stdin(Stdio::null());
        let of_program = squall();
        command.envs(of_program.get_envs().filter_map(|(name, value)| Some((name, value?))));
        command.env("GITHUB_STEP_SUMMARY", &summary).env("GITHUB_OUTPUT", &outputs).env("GITHUB_ACTIONS", "true");
        command.env("INPUT_PROGRAM", of_program.get_program()).env("INPUT_SEEDS", "\nseed 1.smt2\n");
        command.env("INPUT_SOLVER", "/bin/sh ./solver.sh sat").env("INPUT_BASELINE", "/bin/sh ./base.sh sat");
        command.env("INPUT_MINUTES", "1").env("INPUT_CAMPAIGN_SEED", "7");
        command.env("INPUT_OPTIONS", "--mutants 30  --jobs 2\n --mutator storm");
        command.envs(inputs.iter().map(|(name, value)| (format!("INPUT_{name}"), value)));
        let Output { status, stdout, stderr } = command.output().expect("bash runs");
        let read = |file| fs::read_to_string(file).expect("a file");
        Step {
            code: status.code(),
            log: format!("{}{}", String::from_utf8_lossy(&stdout), String::from_utf8_lossy(&stderr)),
            summary: read(&summary),
            outputs: read(&outputs),
        }
    }

    /// The files that a run leaves in addition to its campaign.
    fn reports(&self, out: &str) -> Vec<String> {
        let entries = fs::read_dir(self.path(out)).into_iter().flatten().flatten();
        let mut names: Vec<String> = entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
        names.retain(|name| name.starts_with("squall.") || name.ends_with(".md") || name.ends_with(".json"));
        names.sort();
        names
    }
}

#[test]
fn a_run_reports_its_outcome_in_every_form() {
    let check = |inputs: &[(&str, &str)], code: i32, headline: &str, log: &str| {
        let job = Job::new();
        let step = job.step(inputs);
        assert_eq!(step.code, Some(code), "{inputs:?}: {}", step.log);
        assert!(step.log.contains(log), "{inputs:?}: {}", step.log);
        assert!(step.summary.starts_with(&format!("before\n## Squall: {headline}")), "{inputs:?}: {}", step.summary);
        assert!(!step.log.contains("::error"), "{inputs:?}: {}", step.log);
        let out = inputs.iter().find(|(name, _)| *name == "OUT").map_or("squall-ci", |(_, out)| out);
        let expect = format!(
            "before\nexit-code={code}\nsarif={out}/squall.sarif\njunit={out}/squall.xml\nsummary={out}/summary.md\n\
             known={out}/known.json\n"
        );
        assert_eq!(step.outputs, expect, "{inputs:?}");
        assert_eq!(job.reports(out), ["known.json", "squall.sarif", "squall.xml", "summary.md"], "{inputs:?}");
        assert!(job.path(out).join("campaign/findings").is_dir() || code != 10, "{inputs:?}");
    };
    check(&[], 0, "no new findings\n", "seed 7: ");
    check(&[("SOLVER", "/bin/sh ./solver.sh unsat")], 10, "", "NEW   class A");
    let alone = [("SOLVER", "/bin/sh ./solver.sh unsat"), ("BASELINE", ""), ("OUT", "a b")];
    check(&alone, 10, "", "WRONG class A");
    check(
        &[("SOLVER", "/bin/sh ./solver.sh unsat"), ("FAIL_ON", "D")],
        0,
        "no new findings\n",
        "of classes not in --fail-on D",
    );
    check(&[("SOLVER", "/bin/sh ./solver.sh unknown")], 11, "undecided\n", "No check was answered");
}

#[test]
fn a_known_finding_does_not_fail() {
    let job = Job::new();
    let wrong = ("SOLVER", "/bin/sh ./solver.sh unsat");
    // One worker, so that an unreduced finding has the same script in both runs.
    let alone = ("OPTIONS", "--mutants 30 --jobs 1 --mutator storm");
    assert_eq!(job.step(&[wrong, alone]).code, Some(10));
    fs::rename(job.path("squall-ci/known.json"), job.path("known.json")).expect("a file of known findings");
    let step = job.step(&[wrong, alone, ("OUT", "second"), ("KNOWN", "known.json")]);
    assert_eq!(step.code, Some(0), "{}", step.log);
    assert!(step.log.contains(" listed by --known"), "{}", step.log);
    assert!(step.summary.contains("## Squall: no new findings\n"), "{}", step.summary);
    // The folder of an earlier campaign is rejected, and its reports do not count as those of this run.
    let step = job.step(&[wrong, ("KNOWN", "none/known.json")]);
    assert_eq!(step.code, Some(2), "a file that is not there: {}", step.log);
    assert_eq!(job.reports("squall-ci"), Vec::<String>::new());
}

#[test]
fn a_run_that_cannot_start_says_why() {
    let check = |inputs: &[(&str, &str)], code: i32, expect: &str| {
        let job = Job::new();
        let step = job.step(inputs);
        assert_eq!(step.code, Some(code), "{inputs:?}: {}", step.log);
        let errors: Vec<&str> = step.log.lines().filter(|line| line.starts_with("::error title=squall::")).collect();
        assert_eq!(errors.len(), 1, "{inputs:?}: {}", step.log);
        assert!(errors[0].contains(expect), "{inputs:?}: {}", step.log);
        let said = step.log.lines().filter(|line| !line.starts_with("::error") && line.contains(expect)).count();
        assert_eq!(said, 1, "{inputs:?}: {}", step.log);
        assert!(step.summary.starts_with("before\n## Squall: failed\n\n    "), "{inputs:?}: {}", step.summary);
        assert!(step.summary.contains(expect), "{inputs:?}: {}", step.summary);
        assert_eq!(step.outputs, format!("before\nexit-code={code}\n"), "{inputs:?}");
        assert!(!job.path("run").exists(), "{inputs:?}: nothing in an input is executed");
    };
    check(&[("SOLVER", "")], 2, "the input 'solver' is missing");
    check(&[("MINUTES", "soon")], 2, "the input 'minutes' is 'soon'");
    check(&[("MINUTES", "0")], 2, "the input 'minutes' is '0'");
    check(&[("PROGRAM", "./no-such-program")], 2, "no program './no-such-program'");
    check(&[("SOLVER", "./build/nothing")], 2, "./build/nothing");
    check(&[("OPTIONS", "--no-such")], 2, "unexpected argument '--no-such'");
    check(&[("OPTIONS", "$(touch run) `touch run` ; touch run")], 2, "cannot read seeds from '$(touch'");
    check(&[("FAIL_ON", "A,Y")], 2, "unknown class 'Y'");
    check(&[("CAMPAIGN_SEED", "1; touch run")], 2, "1; touch run");
    check(&[("OUT", "seed 1.smt2")], 2, "cannot make the folder 'seed 1.smt2'");
    check(&[("KNOWN", "nowhere.json")], 2, "nowhere.json");
}

/// Returns the words in a text that follow a mark and have only such characters.
fn words<'a>(text: &'a str, mark: &str, is_part: impl Fn(char) -> bool) -> BTreeSet<&'a str> {
    text.match_indices(mark)
        .map(|(at, _)| &text[at + mark.len()..])
        .map(|rest| &rest[..rest.find(|c| !is_part(c)).unwrap_or(rest.len())])
        .collect()
}

#[test]
fn the_description_and_the_script_have_the_same_inputs() {
    let is_constant = |c: char| c.is_ascii_uppercase() || c == '_';
    let code: String = SCRIPT.lines().filter(|line| !line.starts_with('#')).collect::<Vec<_>>().join("\n");
    let read = words(&code, "${INPUT_", is_constant);
    let given = words(DESCRIPTION, "        INPUT_", is_constant);
    assert_eq!(read, given, "the inputs that the script reads, and those that it is given");
    // Inputs that only the steps around the script read.
    let of_steps = ["ARTIFACT", "UPLOAD_SARIF"];
    let inputs = DESCRIPTION.split("\noutputs:\n").next().unwrap_or_default();
    let declared: BTreeSet<String> = inputs
        .lines()
        .filter(|line| line.starts_with("  ") && !line.starts_with("   "))
        .map(|line| line.trim().trim_end_matches(':').to_uppercase().replace('-', "_"))
        .collect();
    let expect: BTreeSet<String> = read.iter().chain(&of_steps).map(|name| name.to_string()).collect();
    assert_eq!(declared, expect);
    // The outputs of the script are those that the description passes on.
    let is_name = |c: char| c.is_ascii_lowercase() || c == '-';
    let told = words(&code, "\noutput ", is_name);
    assert_eq!(words(DESCRIPTION, "value: ${{ steps.fuzz.outputs.", is_name), told);
}

/// An attacker with access to an action's repository can move a tag, but not a commit.
#[test]
fn foreign_actions_are_named_by_their_commit() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let workflows =
        fs::read_dir(root.join(".github/workflows")).expect("workflows").flatten().map(|entry| entry.path());
    let mut used = 0;
    for file in workflows.chain([root.join("action/action.yml"), root.join("docs/ci.md")]) {
        let text = fs::read_to_string(&file).expect("a text");
        let names = text.lines().filter_map(|line| line.trim().trim_start_matches("- ").strip_prefix("uses: "));
        for name in names.filter(|name| !name.starts_with("./") && !name.starts_with("OWNER/squall/")) {
            let (commit, version) =
                name.split_once('@').and_then(|(_, rest)| rest.split_once(" # v")).unwrap_or_default();
            let is_commit = commit.len() == 40 && commit.bytes().all(|byte| byte.is_ascii_hexdigit());
            assert!(is_commit && version.starts_with(|c: char| c.is_ascii_digit()), "{}: {name}", file.display());
            used += 1;
        }
    }
    assert!(used > 10, "{used}");
}
