//! A stage for findings: a bug, scripts that play solvers, a separate cache, and the program's output.

use serde_json::Value;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

/// A solver that answers unsat to every check if `mod` occurs, and sat otherwise.
pub const WRONG_ON_MOD: &str = "t=$(cat); a=sat; case \"$t\" in *'(mod '*) a=unsat;; esac\n\
    echo \"$t\" | while IFS= read -r l; do case $l in '(check-sat'*) echo $a;; esac; done\n";

/// A solver that is right about satisfiable scripts.
pub const RIGHT: &str = "while IFS= read -r l; do case $l in '(check-sat'*) echo sat;; esac; done\n";

pub const BUG: &str = "(set-logic QF_NIA)\n(declare-fun first_one () Int)\n(declare-fun other () Int)\n\
    (assert (or (> first_one 3) (< other (* 2 first_one))))\n\
    (assert (and (distinct first_one other) (= (mod other 7) 2)))\n(assert (=> (< other 0) (= first_one 12)))\n(check-sat)\n(exit)\n";

const WITNESS: &str = "(define-fun first_one () Int 5)\n(define-fun other () Int 9)\n";

/// A folder with scripts that play solvers, files, and a separate cache.
pub struct Stage {
    pub root: tempfile::TempDir,
}

impl Stage {
    pub fn new() -> Stage {
        let stage = Stage { root: tempfile::tempdir().expect("a folder") };
        stage.write("bug.smt2", BUG);
        stage
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.root.path().join(name)
    }

    pub fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(&path, text).expect("a file");
        path
    }

    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
    }

    /// The specification of a stand-in with this body.
    pub fn solver(&self, name: &str, body: &str) -> String {
        format!("/bin/sh \"{}\"", self.write(name, body).display())
    }

    pub fn squall(&self, args: &[&str]) -> Command {
        let mut command = crate::support::program();
        command.env("PATH", crate::support::path_without_solvers());
        command.args(args).env("SQUALL_CACHE", self.path("cache")).env("XDG_CACHE_HOME", self.path("cache"));
        command.current_dir(self.root.path()).stdin(Stdio::null());
        command
    }

    /// Runs to the end. Returns exit code, standard output, standard error.
    pub fn run(&self, args: &[&str]) -> Ran {
        Ran::of(self.squall(args).output().expect("squall runs"))
    }

    /// Makes a campaign's folder with findings of the bug.
    pub fn campaign(&self, solver: &str) -> PathBuf {
        self.write("out/campaign.json", "{\"format\": 1}\n");
        for (n, class) in ["A", "A", "D"].iter().enumerate() {
            let text = BUG.replace("first_one", &format!("name_{n}"));
            self.finding(&format!("out/findings/{class}-{n}"), class, &text, solver);
        }
        self.path("out")
    }

    pub fn finding(&self, folder: &str, class: &str, text: &str, solver: &str) {
        crate::support::allow(solver, self.root.path());
        let id = folder.rsplit('/').next().unwrap_or(folder);
        let crash = class == "D";
        let record = serde_json::json!({
            "format": 1, "id": id, "class": class, "summary": format!("stand-in errs ({id}) <b>&</b>"), "origin": "mutant",
            "trust": if crash { serde_json::json!({"kind": "observed"}) } else { serde_json::json!({"kind": "certified"}) },
            "solver": {"spec": solver, "label": "sh", "version": null, "origin": "path", "purposes": [],
                "command": ["/bin/sh", "a folder/solver.sh"], "timeout_s": 10.0, "memory_bytes": null},
            "check": 0, "mode": "plain", "expected": ["sat"], "answers": ["unsat"],
            "symptom": if crash { "signal: SIGSEGV" } else { "unsat" },
            "repeats": {"shown": 2, "runs": 2}, "others": [],
            "seed": {"name": "seeds/a<b>.smt2", "sha256": "", "check": 0, "status": null},
            "mutator": {"name": "storm", "parameters": {}}, "campaign": {"seed": 0, "unit": 1, "index": 2},
            "mutant_sha256": "", "mutant_bytes": text.len(), "found_at": 1_700_000_100,
            "run": {"wall_s": 0.1, "cpu_s": 0.1}, "environment": {"squall": "0.1.0", "os": "linux", "arch": "x86_64"}
        });
        self.write(&format!("{folder}/mutant.smt2"), text);
        self.write(&format!("{folder}/finding.json"), &format!("{record:#}"));
        if !crash {
            let name = text.split("(declare-fun ").nth(1).and_then(|t| t.split(' ').next()).expect("a name");
            self.write(&format!("{folder}/witness.smt2"), &WITNESS.replace("first_one", name));
        }
    }
}

impl Stage {
    /// Changes members of a finding's record.
    pub fn amend(&self, folder: &str, members: Value) {
        let path = format!("{folder}/finding.json");
        let mut record: Value = serde_json::from_str(&self.read(&path)).expect("JSON");
        merge(&mut record, members);
        crate::support::allow(record["solver"]["spec"].as_str().unwrap_or_default(), self.root.path());
        self.write(&path, &record.to_string());
    }

    /// Adds a version of z3 to the cache, played by a script.
    pub fn version(&self, version: &str, body: &str) {
        let folder = format!("cache/solvers/z3@{version}");
        self.write(&format!("{folder}/z3.sh"), body);
        let manifest = format!(
            "name = 'z3'\nversion = '{version}'\norigin = 'a test'\ncommand = ['/bin/sh', 'z3.sh']\nsha256 = '{}'\n",
            files::digest::sha256(body)
        );
        self.write(&format!("{folder}/install.toml"), &manifest);
    }
}

pub fn merge(into: &mut Value, from: Value) {
    match (into, from) {
        (Value::Object(into), Value::Object(from)) => {
            from.into_iter().for_each(|(key, value)| merge(into.entry(key).or_insert(Value::Null), value));
        }
        (into, from) => *into = from,
    }
}

pub struct Ran {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

impl Ran {
    pub fn of(output: Output) -> Ran {
        Ran {
            code: output.status.code(),
            out: String::from_utf8_lossy(&output.stdout).into_owned(),
            err: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }

    /// Checks the exit code, and that these words occur on either stream.
    pub fn check(&self, code: i32, words: &[&str]) {
        assert_eq!(self.code, Some(code), "{}\n{}", self.out, self.err);
        for word in words {
            assert!(self.out.contains(word) || self.err.contains(word), "'{word}' in\n{}\n{}", self.out, self.err);
        }
    }
}
