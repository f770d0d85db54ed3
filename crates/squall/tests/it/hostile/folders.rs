//! Foreign folders, in which or above which squall runs.

use super::{Place, Trap};

/// Files that helper programs would read in their current folder.
pub const MODULES: [(&str, &str); 8] = [
    ("pip.py", "open('{mark}', 'w')\n"),
    ("pip/__main__.py", "open('{mark}', 'w')\n"),
    ("hashlib.py", "open('{mark}', 'w')\n"),
    ("zipfile.py", "open('{mark}', 'w')\n"),
    ("sitecustomize.py", "open('{mark}', 'w')\n"),
    (".cargo/config.toml", "[build]\nrustc-wrapper = \"{canary}\"\n"),
    ("rust-toolchain.toml", "[toolchain]\npath = \"{hostile}\"\n"),
    ("python3", "#!/bin/sh\n: > '{mark}'\n"),
];

/// A stand-in for cargo: it runs files of its current folder.
pub fn stand_in_for_cargo(trap: &Trap) {
    let reads = "if [ -e .cargo/config.toml ] || [ -e rust-toolchain.toml ]; then : > '{mark}'; fi";
    trap.program("cargo", &format!("#!/bin/sh\n{reads}\nexit 1\n"));
}

/// Python reads modules, and cargo and rustup read their configuration, from the current folder.
#[test]
fn helpers_read_nothing_of_the_current_folder() {
    let trap = Trap::with(&MODULES);
    trap.link("python3");
    stand_in_for_cargo(&trap);
    for args in [
        &["doctor"][..],
        &["solver", "install", "z3@4.8.7"],
        &["solver", "install", "oxiz"],
        &["fuzz", "--solver", "z3@latest", "--units", "1", "--out", "{root}/out"],
    ] {
        let said = trap.run(args, Place::Inside, &["out"]);
        assert!(said.code.is_some(), "{args:?}: {}", said.stderr);
    }
}

/// All that a settings file can do: programs as solvers, strategies and mutators, files as outputs, ignored crashes.
pub const SETTINGS: &str = r#"
[[solver]]
name = "evil"
executables = ["sh"]
[solver.version]
args = ["-c", ": > '{mark}'"]
[solver.options]
base = ["-c", ": > '{mark}'"]

[[extend]]
name = "generic"
ignore = ["a"]
error-texts = ["e"]

[strategy]
quick = '(exec "{canary}")'

[fuzz]
mutants = 2
solver = "{canary}"
reference = "{canary}"
mutator = "exec:{canary}"
out = "{hostile}/stolen"
keep-mutants = "{hostile}/kept"
metrics = "{victim}"
"#;

pub const SEED: &str = "(set-logic QF_LIA)\n(declare-const x Int)\n(assert (> x 0))\n(check-sat)\n";

/// Entering a folder, or a folder below it, is no consent to the settings in it.
#[test]
fn a_found_settings_file_starts_and_writes_nothing() {
    let trap =
        Trap::with(&[("squall.toml", SETTINGS), ("seed.smt2", SEED), ("deep/seed.smt2", SEED), ("deep/out/x", "")]);
    for args in [
        &["doctor"][..],
        &["solver", "list"],
        &["solver", "doctor"],
        &["solve", "seed.smt2", "--strategy", "quick"],
        &["strategy", "apply", "quick", "seed.smt2"],
        &["strategy", "tactics"],
        &["fuzz", "seed.smt2", "--solver", "builtin:sat", "--reduce-share", "0", "--out", "{root}/out"],
        &[
            "ci",
            "seed.smt2",
            "--solver",
            "builtin:sat",
            "--baseline",
            "builtin:sat",
            "--for",
            "1s",
            "--out",
            "{root}/ci",
        ],
        &["validate", "seed.smt2", "--solver", "evil"],
    ] {
        let said = trap.run(args, Place::Inside, &["out", "ci"]);
        assert!(said.stderr.contains("squall setup config allow"), "{args:?}: {}", said.stderr);
        for part in ["solver evil", "extend generic", "strategy quick", "fuzz keep-mutants"] {
            assert!(said.stderr.contains(part), "{args:?} does not say {part}: {}", said.stderr);
        }
    }
    // From below, too; and a harmless default counts.
    let mut below = trap
        .command(&["fuzz", "--solver", "builtin:sat", "--reduce-share", "0", "--out", "{root}/out2"], Place::Inside);
    let (code, _, stderr) = crate::support::printed(below.current_dir(trap.path("hostile/deep")));
    assert!(
        stderr.contains("squall setup config allow") && stderr.contains("--mutants=2") && !trap.mark().exists(),
        "{code:?} {stderr}"
    );
    assert!(!trap.path("hostile/stolen").exists() && !trap.path("hostile/kept").exists(), "{stderr}");
}

/// The same file does all that once it is allowed or named, but not after it is changed.
#[test]
fn consent_is_for_the_file_as_it_was_read() {
    let trap = Trap::with(&[("squall.toml", SETTINGS)]);
    let started = |args: &[&str]| {
        let _ = std::fs::remove_file(trap.mark());
        let (_, stdout, stderr) = crate::support::printed(&mut trap.command(args, Place::Inside));
        (trap.mark().exists(), format!("{stdout}{stderr}"))
    };
    let doctor = ["solver", "list"];
    assert!(!started(&doctor).0, "it is not allowed");
    assert!(started(&["solver", "list", "--config", "{hostile}/squall.toml"]).0, "it is named");
    let told = started(&["setup", "config", "allow"]).1;
    assert!(told.contains("allowed with its current content: squall.toml"), "{told}");
    assert!(started(&doctor).0, "it is allowed");
    assert!(started(&["setup", "config", "show"]).1.contains("squall.toml: counts\n"));
    trap.put("squall.toml", &format!("{SETTINGS}# more\n"));
    assert!(!started(&doctor).0, "it is another one");
    trap.put("squall.toml", SETTINGS);
    assert!(started(&doctor).0, "it is the first one again");
    assert!(started(&["setup", "config", "deny"]).1.contains("no longer allowed"));
    assert!(!started(&doctor).0, "it is denied");
}

/// Infinite files, and pipes that wait for a writer.
#[test]
fn found_files_are_read_within_bounds() {
    let trap = Trap::new();
    let huge = std::fs::File::create(trap.hostile().join("squall.toml")).expect("a file");
    huge.set_len(3 << 30).expect("a sparse file");
    let said = trap.run(&["solver", "list"], Place::Inside, &[]);
    assert!(said.stderr.contains("larger than 1 MiB"), "{}", said.stderr);
    std::fs::remove_file(trap.hostile().join("squall.toml")).expect("removed");
    super::pipe(&trap.hostile().join("squall.toml"));
    trap.run(&["solver", "list"], Place::Inside, &[]);
}
