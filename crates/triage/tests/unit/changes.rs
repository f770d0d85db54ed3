//! Unit tests of `src/explain/changes.rs`.

use super::*;

const PROFILE: &str = "name = 'toy'\nswitches = ['a=1', '--b', 'c=2 d=3', '--r 0', '--r 1']\n\
        choice = [{ option = 'a={}', values = ['1', '2'] }, { option = '(set-simplifier {})', values = ['x', '(then x y)'] },\n\
        { option = '{}', values = ['--old'], versions = '<2' }, { option = '--r={}', values = ['1'] }]\n[[tactic]]\ntext = 'smt'\n[[tactic]]\ntext = 'new'\nversions = '>=3'\n";

#[test]
fn each_switch_value_and_tactic_is_tried_once() {
    let profile: Profile = toml::from_str(PROFILE).expect("a profile");
    let check = |version: &str, needs: &[(PartKind, &str)], tactics: bool, expect: &str| {
        let needs: Vec<AskingPart> =
            needs.iter().map(|(kind, text)| AskingPart { kind: *kind, text: (*text).to_string() }).collect();
        let version: Version = version.parse().expect("a version");
        let all = changes(&profile, Some(&version), &needs, tactics);
        let texts: Vec<&str> = all.iter().map(|change| change.text.as_str()).collect();
        assert_eq!(texts.join("; "), expect);
    };
    let simplifiers = "(set-simplifier x); (set-simplifier (then x y))";
    check("1.0", &[], true, &format!("a=1; --b; c=2 d=3; --r 0; --r 1; a=2; {simplifiers}; --old; smt"));
    check("3.0", &[], true, &format!("a=1; --b; c=2 d=3; --r 0; --r 1; a=2; {simplifiers}; smt; new"));
    check("3.0", &[], false, &format!("a=1; --b; c=2 d=3; --r 0; --r 1; a=2; {simplifiers}"));
    // A needed option is not set to another value.
    check("3.0", &[(PartKind::Option, "a=2")], false, &format!("--b; c=2 d=3; --r 0; --r 1; {simplifiers}"));
    check(
        "3.0",
        &[(PartKind::Option, "--b"), (PartKind::Option, "--r 0")],
        false,
        &format!("a=1; c=2 d=3; a=2; {simplifiers}"),
    );
    check("3.0", &[(PartKind::Command, "(set-simplifier z)")], false, "a=1; --b; c=2 d=3; --r 0; --r 1; a=2");
}
