//! Unit tests of `src/commands/ci/sarif.rs`.

use super::*;

#[test]
fn paths_are_references() {
    let check = |path: &str, expect: &str| assert_eq!(uri(Path::new(path)), expect);
    check("out/findings/A-z3@4.8.7-a b/reduced.smt2", "out/findings/A-z3%404.8.7-a%20b/reduced.smt2");
    check("./out/x.smt2", "out/x.smt2");
    check("/elsewhere/ä.smt2", "file:///elsewhere/%C3%A4.smt2");
    let here = std::env::current_dir().expect("a folder").join("x.smt2");
    check(&here.display().to_string(), "x.smt2");
}
