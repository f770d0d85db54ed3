//! Descriptions of release histories.

use finding::AnswerVector;
use triage::releases::ReleaseAnswers;

fn answers(rows: &[(&str, bool)]) -> ReleaseAnswers {
    let vector: AnswerVector = rows.iter().map(|(who, errs)| (who.to_string(), *errs)).collect();
    ReleaseAnswers::of(None, Some(&vector))
}

#[test]
fn a_history_is_told_from_the_oldest_release_to_the_newest() {
    let check = |rows: &[(&str, bool)], newest: Option<bool>, brief: Option<&str>, history: Option<&str>| {
        let answers = answers(rows);
        assert_eq!(answers.newest_errs(), newest, "{rows:?}");
        assert_eq!(answers.brief().as_deref(), brief, "{rows:?}");
        assert_eq!(answers.history(str::to_string).as_deref(), history, "{rows:?}");
    };
    check(&[], None, None, None);
    check(&[("z3@4.8.7", true)], Some(true), Some("4.8.7"), None);
    check(&[("z3@4.15.4", true), ("z3@4.8.7", true)], Some(true), Some("4.8.7 to 4.15.4"), None);
    check(
        &[("z3@4.15.4", true), ("z3@4.8.7", false), ("z3", true)],
        Some(true),
        Some("4.15.4 to z3; good: 4.8.7"),
        Some("First bad release asked: z3@4.15.4 (good: z3@4.8.7)."),
    );
    check(
        &[("z3@4.15.4", false), ("z3@4.8.7", true), ("z3@4.8.7 smt.mbqi=false", false)],
        Some(false),
        Some("4.8.7; good: 4.15.4"),
        Some("Last bad release asked: z3@4.8.7 (good: z3@4.15.4)."),
    );
    check(
        &[("z3@1", false), ("z3@2", true), ("z3@3", true), ("z3@4", false)],
        Some(false),
        Some("2 to 3; good: 1, 4"),
        Some("First bad release asked: z3@2 (good: z3@1); last bad one: z3@3 (good: z3@4)."),
    );
    check(
        &[("z3@1", false), ("z3@2", true), ("z3@4", false)],
        Some(false),
        Some("2; good: 1, 4"),
        Some("The only bad release asked: z3@2 (good: z3@1 before it, z3@4 after it)."),
    );
    check(&[("z3@1", true), ("z3@2", false), ("z3@3", true)], Some(true), Some("1, 3; good: 2"), None);
    check(&[("z3@1", false)], Some(false), Some("none; good: 1"), None);
    // A user's own build is a row of its own.
    check(
        &[("z3@1", false), ("z3@2", false), ("./z3@2", true)],
        Some(true),
        Some("only this build; good: 1 to 2"),
        Some("Only this build errs: no release asked does."),
    );
    check(
        &[("z3@1", true), ("z3@2", false), ("./z3@2", true)],
        Some(true),
        Some("this build, 1; good: 2"),
        Some("Last bad release asked: z3@1 (good: z3@2)."),
    );
    check(
        &[("z3@1", true), ("z3@2", false), ("./z3@1", true)],
        Some(false),
        Some("this build, 1; good: 2"),
        Some("Last bad release asked: z3@1 (good: z3@2)."),
    );
    check(&[("./z3@1", true)], Some(true), Some("this build"), None);
    check(&[("z3@1", true), ("./z3@1", false)], Some(false), Some("1; good: this build"), None);
}

#[test]
fn a_bug_ends_where_its_stretch_of_releases_does() {
    let check = |rows: &[(&str, bool)], expect: Option<(&str, &str)>| {
        assert_eq!(answers(rows).end_of("z3@2"), expect, "{rows:?}");
    };
    check(&[("z3@1", true), ("z3@2", true), ("z3@3", true), ("z3@4", false)], Some(("z3@3", "z3@4")));
    check(&[("z3@1", false), ("z3@2", true), ("z3@3", false), ("z3@4", true)], Some(("z3@2", "z3@3")));
    check(&[("z3@2", true), ("z3@3", true)], None);
    check(&[("z3@2", false), ("z3@3", true), ("z3@4", false)], None);
    check(&[("z3@1", true), ("z3@3", false)], None);
    check(&[], None);
}

#[test]
fn the_newest_that_errs_is_known_by_its_version() {
    let check = |rows: &[(&str, bool)], expect: Option<&str>| {
        assert_eq!(answers(rows).newest_erring(), expect, "{rows:?}");
    };
    check(&[("z3@4.15.4", true), ("z3@4.8.7", true)], Some("z3@4.15.4"));
    check(&[("z3@4.15.4", false), ("z3@4.8.7", true)], Some("z3@4.8.7"));
    check(&[("z3@4.15.4", false)], None);
    check(&[("z3@4.15.4", true), ("./z3@4.15.4", true)], Some("z3@4.15.4"));
    check(&[("z3@4.8.7", true), ("z3@4.15.4", false), ("./z3@4.15.4", true)], Some("./z3@4.15.4"));
}
