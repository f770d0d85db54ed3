//! A stage for campaigns: a seed, a script that plays a solver, and the output of the run.

#![allow(dead_code, reason = "each test file uses a part")]

#[path = "../../../../fuzz/tests/it/support/server.rs"]
pub mod nats;
pub mod schema;

use schema::Schema;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;

/// Answers every check of its input with its first argument. Starts no other program: the PATH may be empty, and campaigns run it thousands
/// of times.
pub const ALWAYS: &str =
    r#"while IFS= read -r line; do case $line in "(check-sat"*|"(query "*) echo "$1";; esac; done"#;

/// Reads all input into `t`, and counts its checks in `n`, without another program.
pub const READ: &str = r#"t=; n=0
while IFS= read -r line; do
t="$t$line
"
case $line in "(check-sat"*|"(query "*) n=$((n+1));; esac
done
"#;

/// Prints the answer `a` for each of the checks that [`READ`] counted.
pub const ANSWER: &str = r#"while [ "$n" -gt 0 ]; do echo "$a"; n=$((n-1)); done"#;

/// A script that answers the preflight of a campaign, the only problems about `q`, and leaves all others to another script.
pub fn after_preflight(script: &str) -> String {
    let ready = r#"case "$t" in *'(declare-fun q () Bool)'*) echo sat; exit;; esac"#;
    format!("{READ}{ready}\nprintf '%s' \"$t\" | {{ {script}\n}}")
}

pub const SEED: &str = "(set-logic QF_LIA)\n(set-info :status sat)\n(declare-const x Int)\n(declare-const y Int)\n\
    (assert (or (> x (+ y 3)) (=> (< y 0) (= x 7))))\n(assert (xor (> y 10) (distinct x y 4)))\n(check-sat)\n";

/// A folder with a seed and a script that plays a solver.
pub struct Stage {
    pub root: tempfile::TempDir,
}

impl Stage {
    pub fn new(script: &str) -> Stage {
        let root = tempfile::tempdir().expect("a folder");
        fs::write(root.path().join("seed.smt2"), SEED).expect("a file");
        fs::write(root.path().join("solver.sh"), script).expect("a file");
        Stage { root }
    }

    /// A stage with several small seeds in `seeds/`, too.
    pub fn with_seeds(script: &str) -> Stage {
        let stage = Stage::new(script);
        stage.add_seeds(6);
        stage
    }

    /// Writes the given number of seeds.
    pub fn add_seeds(&self, count: u64) {
        fs::create_dir_all(self.path("seeds")).expect("a folder");
        for n in 0..count {
            let text = format!(
                "(set-logic QF_LIA)(declare-const x Int)(declare-const y Int)\
                 (assert (or (> x {n}) (< y (+ x {n}))))(assert (distinct x y {n}))(check-sat)"
            );
            fs::write(self.path(&format!("seeds/s{n}.smt2")), text).expect("a file");
        }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.root.path().join(name)
    }

    pub fn out(&self) -> PathBuf {
        self.path("out")
    }

    /// The specification of the stand-in, with arguments for it. The shell runs the script, because a freshly written file cannot be
    /// executed while another test forks.
    pub fn solver(&self, arguments: &str) -> String {
        format!("/bin/sh \"{}\" {arguments}", self.path("solver.sh").display())
    }

    /// A campaign, without relations unless requested: stand-ins that are wrong by design contradict themselves.
    pub fn command(&self, solver: &str, more: &[&str]) -> Command {
        let mut command = squall();
        command.env("PATH", path_without_solvers());
        command.arg("fuzz").arg(self.path("seed.smt2")).args(["--solver", solver, "--format", "json"]);
        command.arg("--out").arg(self.out()).args(more).stdin(Stdio::null());
        if !more.contains(&"--relations") && !more.contains(&"--resume") {
            command.args(["--relations", "off"]);
        }
        command
    }

    pub fn fuzz(&self, arguments: &str, more: &[&str]) -> Run {
        Run::of(&mut self.command(&self.solver(arguments), more))
    }

    /// The folders of recorded findings.
    pub fn findings(&self) -> Vec<PathBuf> {
        let entries = fs::read_dir(self.out().join("findings")).into_iter().flatten().flatten();
        entries.map(|e| e.path()).filter(|p| !name(p).starts_with('.')).collect()
    }
}

pub fn name(path: &Path) -> String {
    path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default()
}

/// Returns a PATH with the programs of this machine except solvers. Stand-ins err, and every installed solver would be asked about each of
/// their findings.
pub fn path_without_solvers() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        // Links of another PATH may lead nowhere now.
        let path = std::env::var_os("PATH").unwrap_or_default();
        let name = files::digest::sha256(path.as_encoded_bytes());
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("programs").join(&name[..16]);
        fs::create_dir_all(&folder).expect("a folder");
        let programs = std::env::split_paths(&path).filter_map(|folder| fs::read_dir(folder).ok()).flatten().flatten();
        let profiles = solver::profiles::Profiles::embedded();
        let is_solver = |name: &str| name == "yices-smt2" || profiles.get(name).is_ok();
        for program in programs.filter(|program| !program.file_name().to_str().is_none_or(is_solver)) {
            // The first of two programs with one name counts, as on a PATH, and another process may be making the same links.
            let _ = std::os::unix::fs::symlink(program.path(), folder.join(program.file_name()));
        }
        folder
    })
}

/// The folder of the tests' consents: the user's own stays as it is.
pub fn configuration() -> PathBuf {
    std::env::temp_dir().join("squall-test-config")
}

/// Gives the consent of the user of [`program`] to a solver in a record, as if a campaign in this folder had named it.
pub fn allow(solver: &str, folder: &Path) {
    use solver::{
        cache::SolverCache, consent::Consents, install::Fleet, profiles::Profiles, sources::path::SearchPath,
        spec::SolverSpec,
    };
    let Ok(mut spec) = solver.parse() else { return };
    if let SolverSpec::Path(path) = &mut spec {
        path.path = folder.join(&path.path).display().to_string();
    }
    let fleet = Fleet::new(Profiles::embedded(), SolverCache::at(folder), SearchPath::new(Vec::new()));
    if let Some(consent) = fleet.consent(&spec) {
        Consents::at(&configuration().join("squall")).give(consent).expect("it is kept");
    }
}

/// The program with the installed solvers of the user who runs the tests, but with separate consents.
pub fn program() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_squall"));
    command.env("XDG_CONFIG_HOME", configuration());
    command
}

pub fn squall() -> Command {
    let mut command = program();
    command.env("XDG_CACHE_HOME", std::env::temp_dir().join("squall-test-cache"));
    command
}

/// Returns the code of a run, its standard output and standard error.
pub fn printed(command: &mut Command) -> (Option<i32>, String, String) {
    let output = command.stdin(Stdio::null()).output().expect("it runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

/// The output of a run.
pub struct Run {
    pub code: Option<i32>,
    pub events: Vec<Value>,
    pub stderr: String,
}

impl Run {
    pub fn of(command: &mut Command) -> Run {
        Run::from(command.output().expect("squall runs"))
    }

    pub fn from(output: Output) -> Run {
        let stdout = String::from_utf8_lossy(&output.stdout);
        let events: Vec<Value> =
            stdout.lines().map(|l| serde_json::from_str(l).expect("every line is an object")).collect();
        events.iter().for_each(|event| Schema::Event.check(event));
        Run { code: output.status.code(), events, stderr: String::from_utf8_lossy(&output.stderr).into_owned() }
    }

    pub fn summary(&self) -> &Value {
        let last = self.events.last().unwrap_or_else(|| panic!("no events: {}", self.stderr));
        assert_eq!(last["event"], "summary");
        last
    }

    pub fn number(&self, key: &str) -> u64 {
        self.summary()[key].as_u64().unwrap_or_else(|| panic!("{key} in {}", self.summary()))
    }

    pub fn events(&self, kind: &str) -> Vec<&Value> {
        self.events.iter().filter(|e| e["event"] == kind).collect()
    }
}

pub fn record(folder: &Path) -> Value {
    let text = fs::read_to_string(folder.join("finding.json")).expect("a record");
    let record = serde_json::from_str(&text).expect("JSON");
    Schema::Finding.check(&record);
    record
}

/// The findings in a folder by group and size, which do not depend on the order of finding, as names do for equal sizes. Checks that each
/// is complete.
pub fn findings(out: &Path) -> Vec<String> {
    let entries = fs::read_dir(out.join("findings")).into_iter().flatten().flatten();
    let folders = entries.map(|e| e.path()).filter(|p| !name(p).starts_with('.'));
    let mut found: Vec<String> = folders
        .map(|folder| {
            let finding = record(&folder);
            let bytes = fs::read(folder.join("mutant.smt2")).expect("a mutant").len();
            assert_eq!(finding["mutant_bytes"].as_u64(), Some(bytes as u64), "{}", folder.display());
            format!("{} {} {} {bytes}", finding["class"], finding["seed"]["name"], finding["mode"])
        })
        .collect();
    found.sort();
    found
}

/// Checks that two campaigns of the same units found the same.
pub fn check_same_findings(out: &Path, whole: &Path) {
    assert_eq!(findings(out), findings(whole), "nothing is lost, and nothing is there twice");
}
