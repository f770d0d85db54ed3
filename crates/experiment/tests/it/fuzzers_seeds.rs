//! Tests of `fuzzers::seeds`.

use experiment::fuzzers::peer::PeerSeeds;
use experiment::fuzzers::seeds::*;

#[test]
fn seeds_lie_by_what_is_known_of_them() {
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
    let only_wrong = SharedSeeds::copy(&[from.join("wrong.smt2")], &to).expect_err("it is refused").to_string();
    assert!(only_wrong.contains("none of the seeds can be read"), "{only_wrong}");
}
