//! The display of errors.

use anyhow::anyhow;
use triage::error_text;

#[test]
fn causes_are_said_once() {
    let check = |causes: &[&str], expect: &str| {
        let mut error = anyhow!("{}", causes[0]);
        for cause in &causes[1..] {
            error = error.context(cause.to_string());
        }
        assert_eq!(error_text(&error), expect);
    };
    check(&["no space"], "no space");
    check(&["no space", "cannot write 'a'"], "cannot write 'a': no space");
    check(&["no space", "cannot write 'a': no space"], "cannot write 'a': no space");
    check(&["no space", "cannot write 'a': no space", "cannot start"], "cannot start: cannot write 'a': no space");
}
