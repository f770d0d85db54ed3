//! Foreign findings and campaigns: programs that they name run only if the user has named them.

use super::{Place, Trap, pipe};
use crate::support::printed;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

/// A finding that this project keeps, in the hostile folder under `out/findings`.
pub const KEPT: &str = "cvc5@1.4.2-D-1f90493a";
pub const FINDING: &str = "{here}/out/findings/cvc5@1.4.2-D-1f90493a";

pub fn with_finding(change: impl Fn(&mut Value)) -> Trap {
    let trap = Trap::with(&[("out/campaign.json", "{}")]);
    let (from, to) = (
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../found").join(KEPT),
        trap.hostile().join("out/findings").join(KEPT),
    );
    fs::create_dir_all(&to).expect("a folder");
    for entry in fs::read_dir(from).expect("a folder").flatten() {
        fs::copy(entry.path(), to.join(entry.file_name())).expect("copied");
    }
    testing::executable(&trap.hostile().join("prog"), &format!("#!/bin/sh\n: > '{}'\n", trap.mark().display()));
    edit(&to.join("finding.json"), &change);
    trap
}

/// Changes the record of [`with_finding`].
pub fn change(trap: &Trap, change: &dyn Fn(&mut Value)) {
    edit(&trap.hostile().join("out/findings").join(KEPT).join("finding.json"), change);
}

fn edit(path: &Path, change: &dyn Fn(&mut Value)) {
    let mut record = serde_json::from_slice(&fs::read(path).expect("a record")).expect("JSON");
    change(&mut record);
    fs::write(path, record.to_string()).expect("a file");
}

/// The label names a release, the specification another program, which the user never named.
#[test]
fn a_record_runs_no_program_that_the_user_never_named() {
    for spec in [
        "{canary}",
        "z3:{canary}",
        "./prog",
        "hostile/prog",
        "/bin/sh -c ': > {mark}'",
        "z3@4.8.7 -o:{victim}",
        "sh -c",
    ] {
        let trap = with_finding(|_| ());
        let spec = trap.filled(spec, ".");
        change(&trap, &|record: &mut Value| {
            record["solver"]["spec"] = json!(spec);
            record["solver"]["command"] = json!([trap.path("canary")]);
        });
        for args in [&["replay", FINDING][..], &["reduce", FINDING], &["bisect", FINDING], &["explain", FINDING]] {
            for place in [Place::Inside, Place::Above] {
                let said = trap.run(args, place, &[]);
                assert!(!matches!(said.code, Some(0 | 10)), "{spec} {args:?}: {}{}", said.stdout, said.stderr);
            }
        }
        for args in
            [&["replay", "{here}/out"][..], &["reduce", "{here}/out", "--for", "5s"], &["explain", "{here}/out"]]
        {
            trap.run(args, Place::Inside, &[]);
        }
        trap.check(&["replay", FINDING], &[], "which you have not named");
    }
}

/// A program that the user names runs, and later records may name it, too.
#[test]
fn allowed_programs_run() {
    let trap = with_finding(|record| record["solver"]["spec"] = json!("./prog"));
    let replay = |more: &[&str]| {
        let _ = fs::remove_file(trap.mark());
        let args = [&["replay", FINDING][..], more].concat();
        printed(&mut trap.command(&args, Place::Inside));
        trap.mark().exists()
    };
    assert!(!replay(&[]), "nobody named it");
    assert!(replay(&["--solver", "./prog"]), "it is named");
    assert!(!replay(&[]), "it was named for one run");
    printed(&mut trap.command(&["setup", "config", "allow", "--solver", "./prog"], Place::Inside));
    assert!(replay(&[]), "it is allowed");
}

/// The command line of a campaign runs again only in the folder where it was started.
#[test]
fn a_foreign_campaign_does_not_resume() {
    let begin =
        ["fuzz", "--solver", "builtin:sat", "--units", "1", "--reduce-share", "0", "--out", "{hostile}/out", "--plain"];
    let trap = Trap::new();
    let (code, _, stderr) = printed(&mut trap.command(&begin, Place::Inside));
    assert!(matches!(code, Some(0 | 11)), "{stderr}");
    let whole = fs::read_to_string(trap.hostile().join("out/campaign.json")).expect("a manifest");
    for more in [
        &["--solver", "{canary}"][..],
        &["--reference", "{canary}"],
        &["--solver", "z3@4.8.7 -o:{victim}"],
        &["--mutator", "exec:{canary}"],
        &["--mutator", "storm,pipe:{canary}"],
        &["--mutator", "exec", "--set", "command={canary}"],
        &["--keep-mutants", "{hostile}/kept"],
    ] {
        let mut manifest: Value = serde_json::from_str(&whole).expect("JSON");
        let words = manifest["note"]["arguments"].as_array_mut().expect("a command line");
        words.extend(more.iter().map(|word| json!(trap.filled(word, "."))));
        fs::write(trap.hostile().join("out/campaign.json"), manifest.to_string()).expect("a file");
        for place in [Place::Inside, Place::Above] {
            let said = trap.run(&["fuzz", "--resume", "{here}/out", "--units", "2"], place, &["hostile/out"]);
            assert_eq!(said.code, Some(1), "{more:?}: {}", said.stderr);
            assert!(said.stderr.contains("resumes squall fuzz"), "{more:?}: {}", said.stderr);
        }
    }
    fs::write(trap.hostile().join("out/campaign.json"), whole).expect("a file");
    let said = trap.run(&["fuzz", "--resume", "{here}/out", "--units", "2"], Place::Above, &["hostile/out"]);
    assert!(matches!(said.code, Some(0 | 11)), "the harmless one goes on: {}", said.stderr);
}

/// No command waits for a pipe instead of an expected file.
#[test]
fn pipes_in_folders_are_not_waited_for() {
    let trap = with_finding(|_| ());
    let finding = format!("out/findings/{KEPT}");
    for file in
        ["out/campaign.json", "out/stats.json", &format!("{finding}/reduced.json"), &format!("{finding}/explain.json")]
    {
        let path = trap.hostile().join(file);
        let _ = fs::remove_file(&path);
        pipe(&path);
        for args in [
            &["status", "{here}/out"][..],
            &["report", "--list", "{here}/out"],
            &["report", "{here}/out", "--out", "{root}/page"],
        ] {
            trap.run(args, Place::Above, &["page", "hostile/out"]);
        }
        fs::remove_file(&path).expect("removed");
    }
}
