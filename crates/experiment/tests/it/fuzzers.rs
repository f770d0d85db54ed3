//! Tests of `fuzzers`.

use experiment::fuzzers::peer::PeerSeeds;
use experiment::fuzzers::run::MutantCount;
use experiment::fuzzers::seeds::*;

#[test]
fn mutants_are_counted_and_read() {
    let root = tempfile::tempdir().expect("a folder");
    let file = |name: &str, text: &str| std::fs::write(root.path().join(name), text).expect("a file");
    assert_eq!(MutantCount::of(root.path(), true).expect("a count"), MutantCount::default());
    file("a.smt2", "(declare-const p Bool)(assert p)(check-sat)");
    file("b.smt2", "(assert (= 1 true))(check-sat)");
    let count = MutantCount::of(root.path(), false).expect("a count");
    assert_eq!((count.mutants, count.ill_formed), (2, 1));
    let (path, mistake) = count.sample.expect("one");
    assert!(path.ends_with("b.smt2") && !mistake.is_empty(), "{mistake}");
    std::thread::sleep(std::time::Duration::from_millis(20));
    file("half.smt2", "(declare-const p Bo");
    let count = MutantCount::of(root.path(), true).expect("a count");
    assert_eq!((count.mutants, count.ill_formed), (2, 1));
}

#[test]
fn seeds_are_grouped_by_known_answer() {
    let root = tempfile::tempdir().expect("a folder");
    let from = root.path().join("from here");
    std::fs::create_dir_all(from.join("unsat")).expect("a folder");
    let file = |name: &str, text: &str| std::fs::write(from.join(name), text).expect("a file");
    file("a b.smt2", "(set-info :status sat)(declare-const p Bool)(assert p)(check-sat)");
    file("unsat/c.smt2", "(declare-const p Bool)(assert (and p (not p)))(check-sat)");
    file("d.smt2", "(declare-const p Bool)(assert p)(check-sat)(set-info :status sat)(check-sat)");
    file("wrong.smt2", "(assert q)(check-sat)");
    let to = root.path().join("to");
    let seeds = SharedSeeds::copy(std::slice::from_ref(&from), &to).expect("seeds");
    let listed = |kind: PeerSeeds| files::scripts_below(&seeds.of(kind)).scripts.len();
    assert_eq!((seeds.count, listed(PeerSeeds::All)), (3, 3));
    assert_eq!((listed(PeerSeeds::Sat), listed(PeerSeeds::Unsat)), (1, 1));
    std::fs::remove_file(from.join("d.smt2")).expect("a file");
    let fewer = SharedSeeds::copy(std::slice::from_ref(&from), &to).expect("seeds");
    assert!(fewer.count == 2 && fewer.folder != seeds.folder, "{fewer:?}");
    let only_wrong = SharedSeeds::copy(&[from.join("wrong.smt2")], &to).expect_err("it is rejected").to_string();
    assert!(only_wrong.contains("none of the seeds can be read"), "{only_wrong}");
}
