//! Unit tests of `src/coverage/items.rs`.

use super::*;

#[test]
fn names_of_cpp_are_readable() {
    let check = |name: &str, expect: &str| {
        assert_eq!(readable_name(name), expect);
    };
    check("main", "main");
    check("_ZN3sat6solver9propagateEb", "sat::solver::propagate(bool)");
    check("_ZN6vectorIjLb0EjE9push_backEOj", "vector<unsigned int, false, unsigned int>::push_back(unsigned int&&)");
    check("_ZN", "_ZN");
}

#[test]
fn what_is_compiled_twice_is_one_item() {
    let mut items = CoverageItems::default();
    let line = items.add(CoverageUnit::Line, ("a.h", 3), "", 0);
    assert_eq!(items.add(CoverageUnit::Line, ("a.h", 3), "", 0), line);
    assert_ne!(items.add(CoverageUnit::Line, ("b.h", 3), "", 0), line);
    assert_ne!(items.add(CoverageUnit::Function, ("a.h", 3), "f<int>", 0), line);
    assert_eq!((items.len(), items.count(CoverageUnit::Line)), (3, 2));
    assert_eq!(items.units(), [CoverageUnit::Line, CoverageUnit::Function]);
    let before = items.digest();
    items.add(CoverageUnit::Branch, ("a.h", 3), "f<int>", 1);
    assert_ne!(items.digest(), before);
    assert_eq!(CoverageItems::edges(5).count(CoverageUnit::Edge), 5);
}
