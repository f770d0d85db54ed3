//! A text with the right answer, `(set-info :status …)`, before each of its checks.

use crate::sexpr::{head, items};

/// Puts `:status` before each check, in their order; none leaves a check as it is.
///
/// ```
/// let text = "(assert true)\n(check-sat)\n(check-sat-assuming ((not true)))\n";
/// let stated = smtlib::stated::with_status(text, ["sat", "unsat"].map(Some));
/// assert_eq!(
///     stated,
///     "(assert true)\n(set-info :status sat)\n(check-sat)\n(set-info :status unsat)\n(check-sat-assuming ((not true)))\n"
/// );
/// ```
pub fn with_status<'a>(text: &str, answers: impl IntoIterator<Item = Option<&'a str>>) -> String {
    let mut answers = answers.into_iter();
    let mut out = String::with_capacity(text.len() + 64);
    let mut copied = 0;
    for item in items(text) {
        if head(&text[item.span.clone()]).starts_with("check-sat")
            && let Some(Some(answer)) = answers.next()
        {
            out.push_str(&text[copied..item.span.start]);
            out.push_str(&format!("(set-info :status {answer})\n"));
            copied = item.span.start;
        }
    }
    out + &text[copied..]
}

/// Takes out every `(set-info :status …)`, each with the line that it has for itself.
///
/// ```
/// let text = "; a\n(set-info :status sat)\n(check-sat)\n";
/// assert_eq!(smtlib::stated::without_status(text), "; a\n(check-sat)\n");
/// ```
pub fn without_status(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut copied = 0;
    for item in items(text) {
        let mut words = text[item.span.clone()].trim_start_matches('(').split_ascii_whitespace();
        if (words.next(), words.next()) == (Some("set-info"), Some(":status")) {
            out.push_str(&text[copied..item.span.start]);
            copied = item.span.end + usize::from(text[item.span.end..].starts_with('\n'));
        }
    }
    out + &text[copied..]
}
