//! Formats errors with their causes on one line.

/// Formats an error with its causes, the outermost first. A cause whose text is already part of its effect is not repeated.
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
