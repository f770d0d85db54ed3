//! Tests of `fuzzers::mutants`.

use experiment::fuzzers::mutants::*;

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
