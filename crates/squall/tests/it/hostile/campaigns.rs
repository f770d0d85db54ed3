//! Foreign campaigns: links, names and damage in their folders do no harm.

use super::{Place, Trap};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

/// A small campaign of one finding in `out`.
pub fn campaign() -> Trap {
    let trap = Trap::with(&[("seed.smt2", crate::support::SEED)]);
    trap.program("z3", "#!/bin/sh\ncase \"$*\" in *version*) echo 'Z3 version 4.15.4'; exit;; esac\nwhile read -r l; do case \"$l\" in '(check-sat'*) echo unsat;; esac; done\n");
    let args = [
        "fuzz",
        "{here}/seed.smt2",
        "--solver",
        "z3",
        "--units",
        "2",
        "--jobs",
        "1",
        "--reduce-share",
        "0",
        "--models",
        "0",
    ];
    let said = trap.run(&[&args[..], &["--no-batch", "--out", "{hostile}/out"]].concat(), Place::Above, &["hostile"]);
    assert_eq!(said.code, Some(10), "{}", said.stderr);
    trap
}

fn finding(trap: &Trap) -> PathBuf {
    let mut found: Vec<PathBuf> =
        fs::read_dir(trap.path("hostile/out/findings")).expect("findings").flatten().map(|e| e.path()).collect();
    found.sort();
    found.remove(0)
}

/// The commands that write into the folder of a campaign.
fn handle(trap: &Trap) {
    for args in [
        &["report", "{here}/out", "--next", "1"][..],
        &["reduce", "{here}/out", "--for", "1s", "--trust", "none"],
        &["fuzz", "--resume", "{here}/out", "--units", "3", "--plain"],
        &["cluster", "merge", "{here}/out", "--out", "{root}/merged"],
    ] {
        trap.run(args, Place::Above, &["hostile", "merged"]);
    }
}

#[test]
fn links_in_a_campaign_are_not_followed() {
    let trap = campaign();
    let (out, victim, canaries) = (trap.path("hostile/out"), trap.path("canaries/0"), trap.path("canaries"));
    fs::write(canaries.join("001-old.md"), "an issue of another user\n").expect("a file");
    fs::create_dir(canaries.join(".partial-x")).expect("a folder");
    let one = finding(&trap);
    // Each by itself: a rejected one would hide the others.
    let links: [(PathBuf, &Path); 13] = [
        (out.join(".lock"), &victim),
        (out.join("report.html"), &victim),
        (out.join("reported.toml"), &victim),
        (out.join("stats.json"), &victim),
        (out.join("campaign.json"), &victim),
        (out.join("campaign.db"), &victim),
        (out.join("campaign.db-wal"), &victim),
        (out.join("issues"), &canaries),
        (out.join("findings"), &canaries),
        (out.join("disagreements"), &canaries),
        (one.join("reduced.smt2"), &victim),
        (one.join("reduced.json"), &victim),
        (one.join("explain.json"), &victim),
    ];
    for (place, target) in links {
        let aside = trap.path("hostile/aside");
        let is_there = fs::rename(&place, &aside).is_ok();
        symlink(target, &place).expect("a link");
        handle(&trap);
        let removed =
            if place.is_dir() && !place.is_symlink() { fs::remove_dir_all(&place) } else { fs::remove_file(&place) };
        removed.expect("it goes");
        if is_there {
            fs::rename(&aside, &place).expect("it comes back");
        }
        let _ = fs::remove_dir_all(trap.path("merged"));
    }
}

/// `report` once wrote `issues/001-x/../../../canaries/0.md` for a finding of that name, and a name with a slash ended the whole report.
#[test]
fn the_name_of_a_finding_is_not_a_path() {
    let trap = campaign();
    let one = finding(&trap);
    let text = fs::read_to_string(one.join("finding.json")).expect("a record");
    let id = one.file_name().expect("a name").to_string_lossy().into_owned();
    let second = one.with_file_name("second");
    fs::create_dir(&second).expect("a folder");
    for entry in fs::read_dir(&one).expect("a finding").flatten() {
        fs::copy(entry.path(), second.join(entry.file_name())).expect("copied");
    }
    for bad in ["x/../../../../canaries/0", "/tmp/x", "..", "", ".x", "a\\u001b[31m", "a b"] {
        fs::write(second.join("finding.json"), text.replacen(&id, bad, 1)).expect("a file");
        let said = trap.run(&["report", "{here}/out"], Place::Above, &["hostile"]);
        assert_eq!(said.code, Some(0), "{bad}: {}", said.stderr);
        assert!(
            said.stderr.contains("skipped: ") && said.stdout.contains(" issue"),
            "{bad}: {}{}",
            said.stdout,
            said.stderr
        );
    }
    handle(&trap);
}

/// A killed merge once left a folder that looked complete and could not be made again.
#[test]
fn a_merge_that_was_killed_is_made_again() {
    let trap = campaign();
    let merge = || {
        trap.run(&["cluster", "merge", "{here}/out", "--out", "{root}/merged"], Place::Above, &["hostile", "merged"])
    };
    let merged = trap.path("merged");
    assert_eq!(merge().code, Some(10));
    let whole = fs::read_dir(merged.join("findings")).expect("findings").count();
    assert_eq!(merge().code, Some(1), "one that is whole is not made again");
    // The state after a kill during copying, and during moving the parts to their places.
    for left in [&["campaign.json", "campaign.db", "findings"][..], &["campaign.json"], &[]] {
        fs::create_dir(merged.join(".joining")).expect("a folder");
        for name in left {
            fs::rename(merged.join(name), merged.join(".joining").join(name)).expect("it moves");
        }
        let _ = fs::remove_dir_all(merged.join(".joining/findings"));
        let said = merge();
        assert_eq!(said.code, Some(10), "{left:?}: {}", said.stderr);
        assert_eq!(fs::read_dir(merged.join("findings")).expect("findings").count(), whole);
        assert!(!merged.join(".joining").exists() && merged.join("campaign.json").exists());
    }
}

/// A limit on file sizes simulates a full disk from the start.
#[test]
fn a_disk_that_is_full_at_the_start_costs_nothing() {
    let trap = campaign();
    let out = trap.path("hostile/out");
    let files = || {
        let mut all = Vec::new();
        list(&out, &mut all);
        all.retain(|path| !path.ends_with(".lock"));
        all.into_iter().map(|path| (fs::read(&path).expect("a file"), path)).collect::<Vec<_>>()
    };
    let before = files();
    for args in [
        &["fuzz", "{here}/seed.smt2", "--solver", "builtin:sat", "--units", "1", "--out", "{root}/new"][..],
        &["fuzz", "--resume", "{here}/out", "--units", "9"],
        &["cluster", "merge", "{here}/out", "--out", "{root}/merged"],
        &["report", "{here}/out"],
    ] {
        let squall = trap.command(args, Place::Above);
        let mut full = std::process::Command::new("/bin/sh");
        full.args(["-c", "trap '' XFSZ; ulimit -f 0; exec \"$@\"", "sh"])
            .arg(squall.get_program())
            .args(squall.get_args());
        full.current_dir(squall.get_current_dir().expect("a folder")).env_clear();
        full.envs(squall.get_envs().filter_map(|(name, value)| Some((name, value?))));
        let (code, stdout, stderr) = crate::support::printed(&mut full);
        assert!(code == Some(1) && stderr.contains("squall: error: "), "{args:?}: {code:?} {stdout}{stderr}");
        let left: Vec<PathBuf> =
            files().into_iter().map(|(_, path)| path).filter(|path| !before.iter().any(|b| b.1 == *path)).collect();
        assert!(left.is_empty(), "{left:?} is left by {args:?}");
    }
    assert!(files() == before, "something was lost or changed");
    let said = trap.run(&["fuzz", "--resume", "{here}/out", "--units", "3", "--plain"], Place::Above, &["hostile"]);
    assert_eq!(said.code, Some(10), "{}", said.stderr);
}

/// Campaign folders whose files are cut, changed at random, or replaced by folders, links and pipes: nothing is started, written elsewhere or
/// lost, and nothing panics. `SQUALL_DAMAGED_CAMPAIGNS` sets their number.
#[test]
fn damaged_campaigns_do_no_harm() {
    let trap = campaign();
    let out = trap.path("hostile/out");
    restore(&trap);
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    let mut below = move |most: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % most.max(1)
    };
    // Commands that write run last.
    let commands: [&[&str]; 6] = [
        &["status", "{here}/out"],
        &["report", "--list", "{here}/out"],
        &["replay", "{here}/out"],
        &["cluster", "merge", "{here}/out", "--out", "{root}/merged"],
        &["report", "{here}/out"],
        &["fuzz", "--resume", "{here}/out", "--units", "3", "--plain", "--reduce-share", "0"],
    ];
    for round in 0..testing::amount("SQUALL_DAMAGED_CAMPAIGNS", 3usize) {
        let mut files = Vec::new();
        list(&out, &mut files);
        for _ in 0..1 + below(3) {
            let path = &files[below(files.len())];
            // It may be a pipe by now.
            if !path.symlink_metadata().is_ok_and(|data| data.is_file()) {
                continue;
            }
            let mut bytes = fs::read(path).unwrap_or_default();
            let at = below(bytes.len());
            match below(8) {
                0 => bytes.truncate(at),
                1..=3 if !bytes.is_empty() => bytes[at] = below(256) as u8,
                4 => bytes.extend_from_within(at..),
                kind => {
                    let _ = fs::remove_file(path);
                    match kind {
                        5 => drop(symlink(trap.path("canaries/0"), path)),
                        6 => drop(fs::create_dir(path)),
                        _ => super::pipe(path),
                    }
                    continue;
                }
            }
            fs::write(path, bytes).expect("a file");
        }
        for command in commands {
            let said = trap.run(command, Place::Above, &["hostile", "merged"]);
            assert!(said.code.is_some(), "round {round}: {command:?} died: {}", said.stderr);
        }
        restore(&trap);
    }
}

/// Restores the campaign to its state at the first call, and removes all other output.
pub fn restore(trap: &Trap) {
    let (out, whole) = (trap.path("hostile/out"), trap.path("hostile/whole"));
    match whole.exists() {
        false => copy(&out, &whole),
        true => {
            fs::remove_dir_all(&out).expect("it goes");
            copy(&whole, &out);
        }
    }
    for made in ["merged", "made"] {
        let _ = fs::remove_dir_all(trap.path(made));
    }
}

fn list(folder: &Path, into: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> = fs::read_dir(folder).expect("a folder").flatten().map(|e| e.path()).collect();
    entries.sort();
    for path in entries {
        match path.is_dir() {
            true => list(&path, into),
            false => into.push(path),
        }
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    let mut files = Vec::new();
    list(from, &mut files);
    for file in files {
        let place = to.join(file.strip_prefix(from).expect("below"));
        fs::create_dir_all(place.parent().expect("a folder")).expect("a folder");
        fs::copy(file, place).expect("copied");
    }
}
