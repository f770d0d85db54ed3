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
