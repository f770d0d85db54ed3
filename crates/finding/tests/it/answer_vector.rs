//! Vectors of answers.

use finding::AnswerVector;

#[test]
fn releases_and_remedies_are_told_apart() {
    let rows = [
        ("z3@4.8.7", true),
        ("z3@4.8.7 smt.mbqi=false", true),
        ("z3@4.8.7 sat.euf=true a=b", false),
        ("z3@4.8.7 plain", false),
        ("z3@4.8.7 tactic (then simplify smt)", false),
        ("z3@5", false),
        ("z3@4.15.4", true),
    ];
    let vector: AnswerVector = rows.into_iter().map(|(who, errs)| (who.to_string(), errs)).collect();
    assert_eq!(vector.releases().collect::<Vec<_>>(), [("z3@4.8.7", true), ("z3@4.15.4", true), ("z3@5", false)]);
    assert_eq!(vector.remedies().collect::<Vec<_>>(), ["sat.euf=true a=b"]);
}
