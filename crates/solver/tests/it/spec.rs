//! Solver specifications: what parses, what it means, what is refused and how.

use proptest::prelude::*;
use solver::spec::{NamedSpec, PathSpec, SolverSpec, nearest};

fn named(name: &str, variant: Option<&str>, version: Option<&str>, options: &[&str]) -> SolverSpec {
    SolverSpec::Named(NamedSpec {
        name: name.to_string(),
        variant: variant.map(str::to_string),
        version: version.map(str::to_string),
        options: options.iter().map(|o| o.to_string()).collect(),
    })
}

fn path(path: &str, options: &[&str]) -> SolverSpec {
    let options = options.iter().map(|o| o.to_string()).collect();
    SolverSpec::Path(PathSpec { profile: None, path: path.to_string(), options })
}

#[test]
fn specifications_parse_and_print_back() {
    let check = |text: &str, expect: SolverSpec, label: &str| {
        let spec: SolverSpec = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(spec, expect, "{text}");
        assert_eq!(spec.to_string().parse::<SolverSpec>(), Ok(expect), "{text} printed and read again");
        assert_eq!(spec.label(), label);
    };
    check("z3", named("z3", None, None, &[]), "z3");
    check("Z3@4.8.7", named("z3", None, Some("4.8.7"), &[]), "z3@4.8.7");
    check("z3@latest", named("z3", None, Some("latest"), &[]), "z3@latest");
    check("z3+z3str3@4.8.7", named("z3", Some("z3str3"), Some("4.8.7"), &[]), "z3+z3str3@4.8.7");
    let built = |version| named("z3", None, Some(version), &[]);
    check("z3@5.3.3+assertions", built("5.3.3+assertions"), "z3@5.3.3+assertions");
    check("z3@5.3.3+ubsan+asan+asan", built("5.3.3+asan+ubsan"), "z3@5.3.3+asan+ubsan");
    check("z3+seq@5.3.3+asan a=b", named("z3", Some("seq"), Some("5.3.3+asan"), &["a=b"]), "z3+seq@5.3.3+asan");
    check("z3@4.8.7 smt.arith.solver=2", named("z3", None, Some("4.8.7"), &["smt.arith.solver=2"]), "z3@4.8.7");
    check("  ./my-solver --flag ", path("./my-solver", &["--flag"]), "./my-solver");
    check("'/opt/my solvers/a' \"x y\" b\\ c", path("/opt/my solvers/a", &["x y", "b c"]), "/opt/my_solvers/a");
    check("./a ''", path("./a", &[""]), "./a");
    check("cvc5@1.3.4 --bare", named("cvc5", None, Some("1.3.4"), &["--bare"]), "cvc5@1.3.4");
    assert_eq!(path("./a", &["-x"]).bare().bare(), path("./a", &["--bare", "-x"]));
    let described =
        |path: &str| SolverSpec::Path(PathSpec { profile: Some("z3".into()), path: path.into(), options: Vec::new() });
    check("z3:./build/my-z3", described("./build/my-z3"), "z3:./build/my-z3");
    check("Z3:/a/b", described("/a/b"), "z3:/a/b");
    check("z3:~/b", described("~/b"), "z3:~/b");
    check("a:b/c", path("a:b/c", &[]), "a:b/c");
    check("./a:/b", path("./a:/b", &[]), "./a:/b");
    check("builtin:sat", SolverSpec::Builtin(solver::spec::Builtin::Sat), "builtin:sat");
    check("builtin:unknown", SolverSpec::Builtin(solver::spec::Builtin::Unknown), "builtin:unknown");
}

#[test]
fn bad_specifications_are_refused_with_a_reason() {
    let check = |text: &str, expect: &str| {
        let error = text.parse::<SolverSpec>().expect_err(text).to_string();
        assert!(error.contains(expect), "{text}: {error}");
    };
    check("", "no solver is named");
    check("  ", "no solver is named");
    check("builtin:sta", "did you mean 'builtin:sat'?");
    check("builtin:sat -x", "takes no options");
    check("z3@", "after '@' comes a version");
    check("z3@4;rm", "names no solver");
    check("z3@new", "after '@' comes a version");
    check("z3@4+z3str3", "a variant comes before the '@'");
    check("z3@4+", "followed by its instruments");
    check("z3@latest+asan", "after '@' comes a version");
    check("z3@+asan", "after '@' comes a version");
    check("z3+@4", "after '+' comes the name of a variant");
    check("@4.8.7", "a name holds");
    check("-x", "a name holds");
    check("./a 'b", "never closed");
}

#[test]
fn the_nearest_name_is_suggested_only_if_near() {
    let names = ["z3", "cvc5", "cvc4", "yices2", "bitwuzla"];
    assert_eq!(nearest("z4", names), Some("z3"));
    assert_eq!(nearest("bitwulza", names), Some("bitwuzla"));
    assert_eq!(nearest("yices", names), Some("yices2"));
    assert_eq!(nearest("vampire", names), None);
}

proptest! {
    #[test]
    fn any_path_and_options_survive_printing(options in proptest::collection::vec(any::<String>(), 0..4)) {
        let spec = SolverSpec::Path(PathSpec { profile: Some("z3".to_string()), path: "./p q".to_string(), options });
        prop_assert_eq!(spec.to_string().parse::<SolverSpec>(), Ok(spec));
    }

    #[test]
    fn no_text_makes_the_parser_panic(text in any::<String>()) {
        let _ = text.parse::<SolverSpec>();
    }
}
