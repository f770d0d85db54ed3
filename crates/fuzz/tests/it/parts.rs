//! The parts of a campaign one by one: plan, folder, seeds.

use corpus::seed::{self, SeedSource};
use fuzz::findings::{OutDir, OutError};
use fuzz::schedule::plan::UniformPlan;
use std::collections::HashSet;
use std::fs;

#[test]
fn every_pass_visits_every_pair_once() {
    let check = |campaign, seeds: usize, targets: usize| {
        let mut plan = UniformPlan::new(campaign, seeds, targets);
        let slots = (seeds * targets) as u64;
        for pass in 0..3 {
            let visited: Vec<_> = (pass * slots..(pass + 1) * slots).map(|n| plan.slot(n)).collect();
            let pairs: HashSet<_> = visited.iter().map(|s| (s.seed, s.target)).collect();
            assert_eq!(pairs.len() as u64, slots);
            assert!(visited.iter().all(|s| s.visit == pass && s.seed < seeds && s.target < targets));
        }
    };
    check(0, 1, 1);
    check(7, 5, 3);
    check(u64::MAX, 64, 2);
}

#[test]
fn a_unit_does_not_depend_on_who_asks_or_when() {
    let mut in_order = UniformPlan::new(9, 20, 2);
    let all: Vec<_> = (0..200).map(|n| in_order.slot(n)).collect();
    let mut backwards = UniformPlan::new(9, 20, 2);
    for n in (0..200).rev() {
        assert_eq!(backwards.slot(n), all[n as usize]);
    }
    let mut other = UniformPlan::new(10, 20, 2);
    let orders_differ =
        (0..200).any(|n| (other.slot(n).seed, other.slot(n).target) != (all[n as usize].seed, all[n as usize].target));
    assert!(orders_differ);
}

#[test]
fn only_an_empty_or_own_folder_is_claimed() {
    let root = tempfile::tempdir().expect("a folder");
    let out = root.path().join("a/b");
    let claimed = OutDir::claim(&out).expect("a new folder");
    assert!(matches!(OutDir::claim(&out), Err(OutError::InUse(_))));
    claimed.write_manifest(&serde_json::json!({})).expect("it can be written");
    drop(claimed);
    let partial = out.join("findings/.partial-A-x");
    fs::create_dir(&partial).expect("a folder");
    drop(OutDir::claim(&out).expect("its own folder again"));
    assert!(!partial.exists(), "what a killed process left is removed");

    let foreign = root.path().join("foreign");
    fs::create_dir(&foreign).expect("a folder");
    fs::write(foreign.join("thesis.tex"), "precious").expect("a file");
    let refused = OutDir::claim(&foreign).map(drop).expect_err("not ours");
    assert!(refused.to_string().contains("thesis.tex"), "{refused}");
    assert_eq!(fs::read_dir(&foreign).expect("it").count(), 1, "nothing is left in a foreign folder");

    let file = root.path().join("file");
    fs::write(&file, "").expect("a file");
    assert!(matches!(OutDir::claim(&file.join("x")), Err(OutError::System { .. })));
}

#[test]
fn bad_seeds_say_why() {
    let root = tempfile::tempdir().expect("a folder");
    let check = |name: &str, content: &[u8], expect: Option<&str>| {
        let path = root.path().join(name);
        fs::write(&path, content).expect("a file");
        match (SeedSource::File(path).load(), expect) {
            (Ok(_), None) => {}
            (Ok(_), Some(reason)) => panic!("{name} was read, expected: {reason}"),
            (Err(error), Some(reason)) => assert!(error.to_string().contains(reason), "{name}: {error}"),
            (Err(error), None) => panic!("{name}: {error}"),
        }
    };
    check("good.smt2", b"(declare-const x Int)(assert (> x 0))(check-sat)", None);
    check("no-check.smt2", b"(declare-const x Int)(assert (> x 0))", None);
    check("latin1.smt2", b"(assert true) ; \xe9t\xe9", Some("UTF-8"));
    check("truncated.smt2", b"(declare-const x Int)\n(assert (> x", Some("line 2"));
    check("unknown.smt2", b"(assert (> x 0))(check-sat)", Some("line 1"));
    check("ill-sorted.smt2", b"(declare-const b Bool)(assert (> b 0))", Some("line 1"));
    check("empty.smt2", b"", Some("no assertion"));
    let huge = root.path().join("huge.smt2");
    fs::File::create(&huge).and_then(|f| f.set_len(seed::MAX_SEED_BYTES + 1)).expect("a sparse file");
    let error = SeedSource::File(huge).load().err().expect("too large");
    assert!(error.to_string().contains("MiB"), "{error}");
    assert!(SeedSource::File(root.path().join("gone.smt2")).load().is_err());
}

#[test]
fn folders_are_searched_and_files_listed_once() {
    let root = tempfile::tempdir().expect("a folder");
    fs::create_dir(root.path().join("deep")).expect("a folder");
    for name in ["b.smt2", "a.smt2", "deep/c.smt2", "notes.txt"] {
        fs::write(root.path().join(name), "(assert true)").expect("a file");
    }
    std::os::unix::fs::symlink(root.path(), root.path().join("deep/loop")).expect("a link");
    let listed = seed::collect(&[root.path().join("a.smt2"), root.path().to_path_buf()]).expect("seeds");
    let names: Vec<String> = listed.iter().map(SeedSource::name).collect();
    assert!(names[0].ends_with("/a.smt2"));
    let ends: HashSet<&str> = names.iter().filter_map(|n| n.rsplit('/').next()).collect();
    assert_eq!(ends, HashSet::from(["a.smt2", "b.smt2", "c.smt2"]));
    assert!(seed::collect(&[root.path().join("none")]).is_err());
    let empty = tempfile::tempdir().expect("a folder");
    assert!(seed::collect(&[empty.path().to_path_buf()]).is_err());
}

/// A link to its own folder once turned one file into forty seeds, and a pipe named like a seed once blocked a campaign forever.
#[cfg(unix)]
#[test]
fn links_in_circles_and_pipes_are_no_seeds() {
    let root = tempfile::tempdir().expect("a folder");
    std::fs::write(root.path().join("a.smt2"), "(assert true)(check-sat)").expect("a file");
    std::os::unix::fs::symlink(root.path(), root.path().join("again")).expect("a link");
    let made = std::process::Command::new("mkfifo").arg(root.path().join("pipe.smt2")).status();
    assert!(made.is_ok_and(|status| status.success()), "mkfifo is part of POSIX");
    let listed = seed::collect(&[root.path().to_path_buf()]).expect("seeds");
    let names: Vec<String> = listed.iter().map(SeedSource::name).collect();
    assert_eq!(names.len(), 1, "{names:?}");
    assert!(names[0].ends_with("/a.smt2"));
}
