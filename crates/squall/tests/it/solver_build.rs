//! `squall solver build` for users: sources from a crate by a stand-in for cargo, and a killed build.

use crate::support::squall;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const TOY: &str = r#"#include <iostream>
#include <string>
int main(int argc, char **argv) {
    if (argc > 1) { std::cout << "toy version 5.3.3" << std::endl; return 0; }
    std::string word, script;
    while (std::cin >> word) script += word + ' ';
    std::cout << (script.find("(not q)") != std::string::npos ? "unsat" : "sat") << std::endl;
}
"#;

const PROFILE: &str = r#"
name = "toy"
gives-models = "<0"
incremental = "<0"
[version]
prefix = "toy version"
[build]
crate = "toy-src"
version = "{1/100}.{1%100}.{2}"
source = "toy"
compile = ["/bin/sh", "-c", "echo $$ > \"$(dirname \"$0\")/pid\"; while [ -e \"$0\" ]; do sleep 0.05; done; echo '[1/2] x'; exec \"$@\"", "{build}/../../../../wait", "{cxx}", "{flags}", "{source}/main.cpp", "-o", "{build}/toy"]
program = "toy"
[build.assertions]
flags = ["-O1"]
"#;

/// Lists two versions of a crate and the path of one of them.
const CARGO: &str = r#"#!/bin/sh
index="$CARGO_HOME/registry/index/some/.cache/to/y-"
case "$1" in
info) mkdir -p "$index" && printf '\003\0{"vers":"503.3.0"}\0{"vers":"416.0.0"}\0' > "$index/toy-src" ;;
metadata)
    grep -q 'toy-src = "=503.3.0"' "$6" || { echo "error: no such version" >&2; exit 1; }
    printf '{"packages":[{"name":"sources","manifest_path":"/x/Cargo.toml"},{"name":"toy-src","manifest_path":"%s/Cargo.toml"}]}' "$TOY_CRATE" ;;
*) exit 9 ;;
esac
"#;

struct Home {
    folder: tempfile::TempDir,
}

impl Home {
    /// A user with a profile, a cargo and a crate. `None` without a compiler.
    fn new() -> Option<Home> {
        let found = Command::new("c++").arg("--version").stdout(Stdio::null()).status().ok();
        testing::require("c++", found.filter(|status| status.success()))?;
        let home = Home { folder: tempfile::tempdir().expect("a folder") };
        for folder in ["crate/toy", "config/squall/solvers", "bin", "cargo"] {
            fs::create_dir_all(home.path(folder)).expect("a folder");
        }
        fs::write(home.path("crate/toy/main.cpp"), TOY).expect("a file");
        fs::write(home.path("config/squall/solvers/toy.toml"), PROFILE).expect("a file");
        testing::executable(&home.path("bin/cargo"), CARGO);
        Some(home)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn squall(&self, words: &[&str]) -> Command {
        let mut command = squall();
        let path = std::env::var_os("PATH").unwrap_or_default();
        let all = std::iter::once(self.path("bin")).chain(std::env::split_paths(&path));
        command.args(words).current_dir(self.folder.path());
        command.env("PATH", std::env::join_paths(all).expect("folders")).env("CARGO_HOME", self.path("cargo"));
        command.env("XDG_CONFIG_HOME", self.path("config")).env("SQUALL_CACHE", self.path("cache"));
        command.env("TOY_CRATE", self.path("crate"));
        command
    }

    fn check(&self, words: &[&str], code: i32, expect: &[&str]) {
        let output = self.squall(words).output().expect("it runs");
        let text = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert_eq!(output.status.code(), Some(code), "{words:?}: {text}");
        assert!(expect.iter().all(|part| text.contains(part)), "{words:?}: {text}");
    }
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
}

#[test]
fn a_solver_is_compiled_from_the_sources_of_its_crate() {
    let Some(home) = Home::new() else { return };
    let told = [
        "asking cargo for the sources toy-src@503.3.0",
        "compiling toy@5.3.3+assertions with c++; the log is",
        "compiled in",
        "solvers/toy@5.3.3+assertions/bin/toy",
    ];
    home.check(&["solver", "build", "toy@latest", "--assertions", "--jobs", "1"], 0, &told);
    home.check(&["solver", "which", "toy@5.3.3+assertions"], 0, &["solvers/toy@5.3.3+assertions/bin/toy"]);
    home.check(&["solver", "list"], 0, &["toy@5.3.3+assertions", "compiled: toy-src@503.3.0, c++"]);
    home.check(&["solver", "build", "toy@5.3.3", "--assertions"], 0, &["already installed"]);
    let of_crate = "there are no sources of toy 5.4.1; the crate toy-src has those of 5.3.3, 4.16.0";
    home.check(&["solver", "build", "toy@5.4.1"], 2, &[of_crate]);
    home.check(&["solver", "build", "toy@5.3.3", "--sanitize", "address"], 2, &["how it is compiled with asan"]);
    home.check(&["solver", "build", "yices2@2.6.5"], 2, &["yices2 has no sources to compile"]);
    home.check(&["solver", "build", "./toy"], 2, &["name it as in"]);
    home.check(&["solver", "build", "toy@5.3.3", "--sanitize", "thread"], 2, &["address, undefined"]);
    home.check(&["solver", "build", "toy@5.3.3", "--jobs", "0"], 2, &["--jobs"]);
    home.check(&["solver", "which", "toy@5.3.3+asan"], 1, &["squall solver build toy@5.3.3 --sanitize address"]);
    home.check(&["solver", "remove", "toy@5.3.3+assertions"], 0, &["removed"]);
    assert_eq!((names(&home.path("cache/solvers")), names(&home.path("cache/builds"))), (Vec::new(), Vec::new()));
}

#[test]
fn a_killed_build_leaves_nothing_installed_and_the_next_one_finishes() {
    let Some(home) = Home::new() else { return };
    fs::write(home.path("wait"), "").expect("a file");
    let build = ["solver", "build", "toy@5.3.3", "--assertions"];
    let mut first = home.squall(&build).stderr(Stdio::null()).spawn().expect("it runs");
    let deadline = Instant::now() + Duration::from_secs(120);
    while !home.path("pid").exists() && Instant::now() < deadline {
        std::thread::sleep(Duration::from_millis(20));
    }
    home.check(&build, 1, &["toy@5.3.3+assertions is being compiled by another process"]);
    first.kill().expect("it is killed");
    first.wait().expect("it ends");
    assert_eq!(names(&home.path("cache/solvers")), Vec::<String>::new());
    fs::remove_file(home.path("wait")).expect("it is there");
    home.check(&build, 0, &["solvers/toy@5.3.3+assertions/bin/toy"]);
    assert_eq!(names(&home.path("cache/solvers")), ["toy@5.3.3+assertions"]);
}
