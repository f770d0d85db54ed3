//! Unit tests of `src/under_test/tactic_names.rs`.

use super::read;

#[test]
fn a_list_of_tactics_is_read() {
    let text = "\"combinators:\n- (try-for <tactic> <num>) executes\nbuiltin tactics:\n- simplify apply rules.\n    \
                    som (bool) put polynomials in sum-of-monomials form (default: false)\n    max_steps (unsigned int) steps\n\
                    - skip do nothing tactic.\n- qfbv builtin strategy for solving QF_BV problems.\nbuiltin probes:\n\
                    - num-consts number of constants.\n\"\n";
    let names = read(text);
    assert_eq!(names.tactics, ["simplify", "qfbv"]);
    assert_eq!(names.engines, ["qfbv"]);
    assert_eq!(names.probes, ["num-consts"]);
    assert_eq!(names.switches, ["simplify:som"]);
    assert_eq!(read("unsupported\n"), super::TacticNames::default());
}
