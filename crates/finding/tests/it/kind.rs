//! Kinds of findings.

use finding::FindingOrigin;

#[test]
fn an_origin_is_as_fine_as_what_it_tells() {
    let check = |mode: &str, theory: Option<&str>, logic: Option<&str>, made_by: &str, has_seed: bool| {
        let origin = FindingOrigin::new("m", mode, theory, Some(("a.smt2", logic)));
        assert_eq!(
            (origin.made_by.as_str(), origin.seed.is_some()),
            (made_by, has_seed),
            "{mode} {theory:?} {logic:?}"
        );
    };
    check("plain", Some("fp"), Some("QF_LIA"), "m fp", false);
    check("plain", None, Some("QF_LIA"), "m QF_LIA", true);
    check("incremental", None, None, "m", true);
    check("plain", None, Some(""), "m", true);
    check("tactic horn", None, Some("QF_LIA"), "m", true);
    check("tactic horn", Some("fp"), None, "m", false);
}
