//! Tests of `coverage::map` and `coverage::focus`.

use experiment::coverage::focus::*;
use experiment::coverage::map::*;

#[test]
fn names_are_those_of_the_source() {
    let check = |linker: &str, expect: &str| assert_eq!(source_name(linker), expect, "{linker}");
    check("main", "main");
    check("_ZN3sat6solver9propagateEb", "sat::solver::propagate");
    check("_ZN6vectorIjLb0EjE9push_backEOj", "vector::push_back");
    check("_ZN12_GLOBAL__N_13addEi", "add");
    check("_ZNK4less4nodeclEii", "less::node::operator");
    check("_ZN4core3ast4make17h0123456789abcdefE", "core::ast::make");
    check("_ZN4core3ast4make28_$u7b$$u7b$closure$u7d$$u7d$17h0123456789abcdefE", "core::ast::make");
}

#[test]
fn places_are_functions_or_lines() {
    let check = |text: &str, expect: Option<&str>| {
        let read = text.parse::<SourcePlace>().map(|place| format!("{place:?}"));
        assert_eq!(read.ok().as_deref(), expect, "{text}");
    };
    check("sat::solver::propagate", Some("Function(\"sat::solver::propagate\")"));
    check("src/a.cpp:7", Some("Lines { path: \"src/a.cpp\", first: 7, last: 7 }"));
    check("a.cpp:7-9", Some("Lines { path: \"a.cpp\", first: 7, last: 9 }"));
    check("a::b", Some("Function(\"a::b\")"));
    ["", "a.cpp:0", "a.cpp:9-7", ":7", "a.cpp:7-", "a.cpp:-"].iter().for_each(|text| check(text, None));
}
