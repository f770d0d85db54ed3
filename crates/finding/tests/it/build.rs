//! Builds as they are named and stored.

use finding::Build;

#[test]
fn builds_are_named_and_read_back() {
    let check = |commit: Option<&str>, dirty: bool, words: &str, text: &str| {
        let build = Build { squall: "1.2.3".to_string(), commit: commit.map(str::to_string), dirty };
        assert_eq!(build.to_string(), words);
        assert_eq!(serde_json::to_string(&build).expect("a text"), text);
        assert_eq!(serde_json::from_str::<Build>(text).expect("a build"), build);
    };
    check(None, false, "1.2.3 (built without git)", r#"{"squall":"1.2.3"}"#);
    check(Some("1a2b3c4d"), false, "1.2.3 (1a2b3c4d)", r#"{"squall":"1.2.3","commit":"1a2b3c4d"}"#);
    check(Some("1a2b3c4d"), true, "1.2.3 (1a2b3c4d, dirty)", r#"{"squall":"1.2.3","commit":"1a2b3c4d","dirty":true}"#);
}
