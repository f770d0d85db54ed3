//! The findings of a campaign's folder in groups: one for each cause, as far as answers and symptoms distinguish them.

use crate::support::campaign;
use finding::folder::{FINDINGS, FindingFile, FindingFolder};
use triage::folder::{CampaignFindings, CauseGroup};

/// Names, the members of a group together and groups apart by ` | `.
fn names(groups: &[CauseGroup<'_>]) -> String {
    let group = |group: &CauseGroup<'_>| group.members.iter().map(|member| member.name()).collect::<Vec<_>>().join(" ");
    groups.iter().map(group).collect::<Vec<_>>().join(" | ")
}

/// The groups of findings, the rows that are shown of them, and how many causes that are.
fn check(lines: &[&str], groups: &str, rows: &str, count: &str) {
    let root = tempfile::tempdir().expect("a folder");
    campaign(root.path(), lines);
    let all = CampaignFindings::load(root.path()).expect("a campaign");
    assert!(all.damaged.is_empty(), "{:?}", all.damaged);
    assert_eq!(names(&all.groups()), groups, "groups of {lines:#?}");
    assert_eq!(names(&all.rows()), rows, "rows of {lines:#?}");
    assert_eq!(all.count().to_string(), count, "{lines:#?}");
}

#[test]
fn wrong_answers_are_grouped_by_what_is_known_of_them() {
    check(&[], "", "", "0 causes");
    // One answer decides nothing: then the signature of the reduced script does.
    check(
        &["A-1 z3 unsat a reduced=mod", "A-2 z3 unsat b reduced=mod", "A-3 z3 unsat c reduced=div"],
        "A-1 A-2 | A-3",
        "A-1 A-2 | A-3",
        "2 causes",
    );
    // Answers of releases join what has another signature, and separate what has the same one. What is wrong in the newest
    // release comes first.
    check(
        &["A-1 z3 unsat a reduced=mod vector=x.", "A-2 z3 unsat b reduced=div vector=x."],
        "A-1 A-2",
        "A-1 A-2",
        "1 cause",
    );
    check(
        &["A-1 z3 unsat a reduced=mod vector=x.", "A-2 z3 unsat b reduced=mod vector=xx"],
        "A-2 | A-1",
        "A-2 | A-1",
        "2 causes",
    );
    // After a reset an empty script may be wrong: all such findings once had one signature.
    check(
        &["A-1 z3 unsat a after=mod", "A-2 z3 unsat b after=div", "A-3 z3 unsat c after=mod"],
        "A-1 A-3 | A-2",
        "A-1 A-3 | A-2",
        "2 causes",
    );
    // Other solvers and other classes have other causes.
    check(
        &["A-1 z3 unsat a reduced=mod", "A-2 cvc5 unsat a reduced=mod", "B-1 z3 sat a reduced=mod"],
        "A-1 | A-2 | B-1",
        "A-1 | A-2 | B-1",
        "3 causes",
    );
}

#[test]
fn what_is_not_reduced_is_no_cause() {
    // Hits of one seed belong together. Where one of them is reduced, the others are of its cause.
    check(
        &["A-1 z3 unsat a", "A-2 z3 unsat a reduced=mod", "A-3 z3 unsat b", "A-4 z3 unsat c"],
        "A-2 A-1 | A-3 | A-4",
        "A-2 A-1 | A-3 A-4",
        "1 cause + 2 not reduced",
    );
    // An interrupted reduction has a result, which counts; the finished one represents the cause.
    check(&["A-1 z3 unsat a cut=mod", "A-2 z3 unsat b reduced=mod"], "A-2 A-1", "A-2 A-1", "1 cause");
    // A match with a known cause joins it, whatever the operators, and so does an unreduced hit.
    check(
        &["A-1 z3 unsat a reduced=mod", "A-2 z3 unsat b reduced=div of=A-1", "A-3 z3 unsat c of=A-1"],
        "A-1 A-2 A-3",
        "A-1 A-2 A-3",
        "1 cause",
    );
}

#[test]
fn crashes_are_grouped_by_their_symptom() {
    check(
        &["D-1 z3 assertion:_a.cpp a", "D-2 z3 assertion:_a.cpp b", "D-3 z3 assertion:_b.cpp a", "A-1 z3 unsat a"],
        "A-1 | D-1 D-2 | D-3",
        "A-1 | D-1 D-2 | D-3",
        "0 causes + 4 not reduced",
    );
    check(
        &["D-1 z3 assertion:_a.cpp a reduced=mod", "D-2 z3 assertion:_a.cpp b reduced=div"],
        "D-1 D-2",
        "D-1 D-2",
        "1 cause",
    );
    // What errs in a newer release represents the others, though it is larger.
    check(
        &["D-1 z3 assertion:_a.cpp a reduced=+ vector=x", "D-2 z3 assertion:_a.cpp b reduced=mod vector=xx"],
        "D-2 D-1",
        "D-2 D-1",
        "1 cause",
    );
    // What must precede a script counts: `(check-sat)` after long scripts once was the smallest.
    check(
        &["D-1 z3 assertion:_a.cpp a after=mod", "D-2 z3 assertion:_a.cpp b reduced=mod"],
        "D-2 D-1",
        "D-2 D-1",
        "1 cause",
    );
    // Most crashes show the same bare signal: then answers distinguish them.
    check(
        &["D-1 z3 signal:_SIGSEGV a reduced=mod vector=x.", "D-2 z3 signal:_SIGSEGV b reduced=mod vector=xx"],
        "D-2 | D-1",
        "D-2 | D-1",
        "2 causes",
    );
}

#[test]
fn files_that_do_not_belong_together_are_not_believed() {
    let root = tempfile::tempdir().expect("a folder");
    campaign(root.path(), &["A-1 z3 unsat a reduced=mod vector=x.", "A-2 z3 unsat b", "A-3 z3 unsat c"]);
    let folder = |name: &str| FindingFolder::at(root.path().join(FINDINGS).join(name));
    folder("A-1").put(FindingFile::Reduced, "(check-sat)").expect("written");
    folder("A-2").put(FindingFile::Record, "{").expect("written");
    let all = CampaignFindings::load(root.path()).expect("a campaign");
    // The reduced script was changed since, and the record of another finding is damaged.
    assert_eq!(names(&all.groups()), "A-1 | A-3");
    assert!(all.findings.iter().all(|finding| finding.reduced.is_none() && finding.vector.is_none()));
    assert!(matches!(&all.damaged[..], [one] if one.contains("A-2") && one.contains("damaged")), "{:?}", all.damaged);
    assert!(CampaignFindings::load(&root.path().join("nowhere")).is_err());
}
