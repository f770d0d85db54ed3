//! Tests of `symbol`.

use rustc_hash::FxHashMap;
use smtlib::symbol::Interner;

#[test]
fn renamed_symbols_stay_the_same() {
    let mut names = Interner::default();
    let [a, b] = ["a", "b"].map(|name| names.intern(name));
    let spelled = |name: &str| FxHashMap::from_iter([(a, name.to_string())]);
    let renamed = names.renamed(&spelled("c")).expect("three names");
    assert_eq!((renamed.name(a), renamed.name(b), renamed.get("c"), renamed.get("a")), ("c", "b", Some(a), None));
    assert!(names.renamed(&spelled("b")).is_none());
    assert_eq!(names.renamed(&spelled("a")).expect("the same").name(a), "a");
}
