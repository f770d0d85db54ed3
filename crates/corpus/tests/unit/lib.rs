//! Unit tests of `src/lib.rs`.

use super::*;

#[test]
fn folders_tell_the_status() {
    let check = |name: &str, expect: Option<Status>| assert_eq!(of_folder(name), expect, "{name}");
    check("seeds/sat/a.smt2", Some(Status::Sat));
    check("seeds/unsat/deeper/a.smt2", Some(Status::Unsat));
    check("unsat/sat/a.smt2", Some(Status::Sat));
    check("seeds/unsatisfiable/sat.smt2", None);
    check("sat.smt2", None);
}
