//! Who vouches for a truth.

use finding::Trust;

#[test]
fn trust_is_stored_and_said_as_records_and_accounts_do() {
    let check = |trust: Trust, text: &str, short: &str, recorded: &str, rank: u8| {
        assert_eq!(serde_json::to_string(&trust).expect("a text"), text);
        assert_eq!(serde_json::from_str::<Trust>(text).expect("a trust"), trust);
        assert_eq!((trust.to_string().as_str(), trust.rank()), (short, rank), "{text}");
        assert_eq!(serde_json::to_string(&trust.recorded()).expect("a text"), recorded);
        assert_eq!(trust.is_certified(), rank == 0, "{text}");
    };
    let [certified, exhausted, observed] =
        ["certified", "exhausted", "observed"].map(|kind| format!(r#"{{"kind":"{kind}"}}"#));
    check(Trust::Certified, &certified, "certified", &certified, 0);
    check(Trust::CertifiedByChoice, r#"{"kind":"certified-by-choice"}"#, "certified", &certified, 0);
    check(Trust::ModelRefuted, r#"{"kind":"model-refuted"}"#, "certified", &certified, 0);
    check(Trust::ModelProven, r#"{"kind":"model-proven"}"#, "certified", &certified, 0);
    check(Trust::Exhausted, &exhausted, "exhausted", &exhausted, 0);
    check(Trust::Observed, &observed, "observed", &observed, 1);
    check(Trust::Measured, r#"{"kind":"measured"}"#, "observed", &observed, 1);
    check(Trust::Command, r#"{"kind":"command"}"#, "command", r#"{"kind":"command"}"#, 2);
    let label = r#"{"kind":"trusted","by":"its :status"}"#;
    check(Trust::in_words("its :status"), label, "trusted: its :status", label, 2);
    check(
        Trust::by_solvers("sat", vec!["cvc5".to_string(), "z3".to_string()]),
        r#"{"kind":"trusted","answer":"sat","by":["cvc5","z3"]}"#,
        "trusted: cvc5, z3",
        r#"{"kind":"trusted","by":"cvc5, z3"}"#,
        2,
    );
}
