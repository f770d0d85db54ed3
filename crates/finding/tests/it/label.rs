//! Names of solvers in reports.

use finding::SolverLabel;

#[test]
fn labels_are_taken_apart() {
    let check = |label: &str, name: &str, version: Option<&str>, variant: Option<&str>, file: &str| {
        let parts = SolverLabel::of(label);
        assert_eq!(parts, SolverLabel { name, version, variant, instruments: None }, "{label}");
        assert_eq!(parts.file_name(), file, "{label}");
        assert_eq!(parts.is_own_build(), name != file, "{label}");
        assert_eq!(parts.is_path(), name != file, "{label}");
    };
    check("z3", "z3", None, None, "z3");
    check("z3@4.8.7", "z3", Some("4.8.7"), None, "z3");
    check("z3+z3str3@4.8.7", "z3", Some("4.8.7"), Some("z3str3"), "z3");
    check("z3@4.8.7+z3str3", "z3", Some("4.8.7"), Some("z3str3"), "z3");
    check("./build/z3", "./build/z3", None, None, "z3");
    check("./build/z3@4.8.7", "./build/z3", Some("4.8.7"), None, "z3");
    check("/a/z3@4.15.4/c++/z3@4.15.4", "/a/z3@4.15.4/c++/z3", Some("4.15.4"), None, "z3");
    check("/a/z3@4.15.4/z3", "/a/z3@4.15.4/z3", None, None, "z3");
    check("", "", None, None, "");
}

#[test]
fn labels_are_listed_from_the_oldest_version_on() {
    let expect = ["cvc5", "cvc5@1.4.2", "z3@4.8.5", "z3@4.8.7", "z3@4.8.7 a=1", "z3@4.15.4", "z3@5.4.1+asan"];
    let mut labels = expect;
    labels.sort();
    assert_ne!(labels, expect);
    labels.sort_by(|a, b| SolverLabel::order(a, b));
    assert_eq!(labels, expect);
}

#[test]
fn what_a_solver_was_compiled_with_makes_it_a_build_of_its_own() {
    let check = |label: &str, version: &str, variant: Option<&str>, instruments: Option<&str>| {
        let parts = SolverLabel::of(label);
        assert_eq!(parts, SolverLabel { name: "z3", version: Some(version), variant, instruments }, "{label}");
        assert_eq!(parts.is_own_build(), instruments.is_some(), "{label}");
        assert!(!parts.is_path(), "{label}");
    };
    check("z3@5.3.3+assertions", "5.3.3", None, Some("assertions"));
    check("z3@5.3.3+assertions+asan", "5.3.3", None, Some("assertions+asan"));
    check("z3+seq@5.3.3+coverage", "5.3.3", Some("seq"), Some("coverage"));
    check("z3@5.3.3+seq", "5.3.3", Some("seq"), None);
    check("z3@5.3.3+asan+seq", "5.3.3", Some("asan"), None);
}
