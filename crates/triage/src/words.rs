//! Errors with their causes as one line.

/// An error with its causes, the outermost first. A cause whose words its effect already holds is not said again.
pub fn error_text(error: &anyhow::Error) -> String {
    let mut text = error.to_string();
    for cause in error.chain().skip(1).map(ToString::to_string) {
        if !text.contains(&cause) {
            text.push_str(": ");
            text.push_str(&cause);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::error_text;
    use anyhow::anyhow;

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
}
