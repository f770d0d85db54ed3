//! Tests of `change`.
#![cfg(feature = "change")]

use experiment::change::source::*;
use std::collections::BTreeSet;

fn names(items: Vec<SourceItem>) -> String {
    items.iter().map(|item| format!("{}:{}-{}", item.name, item.first, item.last)).collect::<Vec<_>>().join(" ")
}

#[test]
fn functions_are_found() {
    let check = |path: &str, text: &str, expect: &str| {
        let parsed = ParsedSource::of(path, text).expect("a language");
        assert_eq!(names(parsed.items()), expect, "{text}");
    };
    check("a.c", "int f(int x) {\n  return x;\n}\nstatic char *g(void) { return 0; }\n", "f:1-3 g:4-4");
    let cpp = "namespace n {\ntemplate <class T> T &a::b<T>::f(int) const {\n auto l = [](int x) { return x; };\n}\n\
               struct s {\n s() : x(0) {}\n ~s() {}\n bool operator<(s o) { return 1; }\n int x;\n};\n}\n";
    check("x/a.cpp", cpp, "f:2-4 s:6-6 ~s:7-7 operator:8-8");
    check("a.rs", "impl A {\n    pub fn f<T>(x: T) -> T {\n        x\n    }\n}\nfn g() {}\n", "f:2-4 g:6-6");
    check("a.h", "#define TWICE(x) ((x) + \\\n  (x))\nint f() { return TWICE(1); }\n", "TWICE:1-2 f:3-3");
    // Damaged text has functions, too.
    check("a.cpp", "int f( { \nint g() { return 1; }\n", "g:2-2");
    assert!(ParsedSource::of("a.py", "def f(): pass").is_none());
}

#[test]
fn users_contain_a_name() {
    let check = |path: &str, text: &str, name: &str, expect: &str| {
        let parsed = ParsedSource::of(path, text).expect("a language");
        assert_eq!(names(parsed.users(&BTreeSet::from([name.to_string()]))), expect, "{text}");
    };
    let text = "int f() { return 1; }\nint g() { return f(); }\nint h() { return ff(); }\n#define K (f() + 1)\n";
    check("a.c", text, "f", "g:2-2 K:4-4");
    check("a.rs", "fn f() {}\nfn g() { self::f(); }\nfn h() {}\n", "f", "g:2-2");
    check("a.cpp", "int A::g() { return b->f(1); }\n", "f", "g:1-1");
}
