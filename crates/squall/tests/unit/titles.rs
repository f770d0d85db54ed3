//! Names of solvers for people.

use super::SolverTitles;
use ::solver::profiles::Profiles;

#[test]
fn solvers_are_named_as_their_projects_do() {
    let titles = SolverTitles { profiles: Profiles::embedded() };
    let check = |label: &str, title: &str, has_tracker: bool| {
        assert_eq!(titles.of(label), title);
        assert_eq!(titles.tracker(label).is_some(), has_tracker, "{label}");
    };
    check("z3@4.8.7", "Z3 4.8.7", true);
    check("z3", "Z3", true);
    check("z3-4.12@4.12.1", "Z3 4.12.1", true);
    check("z3+z3str3@4.8.7", "Z3 4.8.7 (z3str3)", true);
    check("z3@4.8.7+z3str3", "Z3 4.8.7 (z3str3)", true);
    check("z3@5.3.3+assertions+asan", "Z3 5.3.3 (compiled with assertions, asan)", true);
    check("yices2@2.6.5", "Yices 2 2.6.5", true);
    check("yices-smt2@2.6.5", "Yices 2 2.6.5", true);
    check("cvc5@1.4.2", "cvc5 1.4.2", true);
    check("bitwuzla@0.9.1", "Bitwuzla 0.9.1", true);
    check("my-solver@3", "my-solver 3", false);
    check("sh", "sh", false);
    check("./build/z3@5.4.1", "./build/z3 (Z3 5.4.1)", true);
    check("/a/z3@4.15.4/z3", "/a/z3@4.15.4/z3 (Z3)", true);
    check("z3:./build/dev@5.4.1", "z3:./build/dev (Z3 5.4.1)", true);
    check("./my-solver@3", "./my-solver (3)", false);
    check("/bin/sh", "/bin/sh", false);
    check("", "", false);
}

#[test]
fn an_own_build_is_named_by_its_digest_and_not_by_its_path() {
    let titles = SolverTitles { profiles: Profiles::embedded() };
    let check = |label: &str, digest: Option<&str>, title: &str| assert_eq!(titles.for_others(label, digest), title);
    check("z3@4.8.7", Some("0123456789"), "Z3 4.8.7");
    check("./build/z3@5.4.1", Some("0123456789"), "Z3 5.4.1 (own build, SHA-256 01234567…)");
    check("./build/z3@5.4.1", None, "Z3 5.4.1 (own build)");
    check("/home/me/my-solver", None, "my-solver (own build)");
}

#[test]
fn every_profile_of_a_solver_has_a_title() {
    for profile in Profiles::embedded().iter().filter(|profile| profile.name != "generic") {
        assert!(profile.title.is_some(), "{}", profile.name);
        assert!(profile.tracker.as_ref().is_none_or(|url| url.starts_with("https://")), "{}", profile.name);
    }
}
