//! Splits what a solver prints into responses: answers, errors, s-expressions and stray text.

use memchr::memmem;

/// One response, or one line that is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Response<'a> {
    /// `sat`, `unsat` or `unknown` alone on a line.
    Said(Said),
    /// `success`.
    Success,
    /// `unsupported`.
    Unsupported,
    /// `timeout` or `interrupted by timeout`: the solver's own limit.
    Timeout,
    /// `(error "...")`, the message without its quotes.
    Error(&'a str),
    /// Any other s-expression or string, such as a model.
    Expression(&'a str),
    /// A line that is no response.
    Text(&'a str),
    /// An s-expression that never ends: the output was cut.
    Truncated(&'a str),
}

/// An answer to `check-sat` (SMT-LIB 2.7, section 4.2.5).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Said {
    /// `sat`
    Sat,
    /// `unsat`
    Unsat,
    /// `unknown`
    Unknown,
}

/// Iterates over the responses in `text`, which may be anything at all.
pub fn responses(text: &str) -> Responses<'_> {
    Responses { rest: text }
}

/// The iterator of [`responses`].
#[derive(Clone, Debug)]
pub struct Responses<'a> {
    rest: &'a str,
}

impl<'a> Iterator for Responses<'a> {
    type Item = Response<'a>;

    fn next(&mut self) -> Option<Response<'a>> {
        self.rest = self.rest.trim_start();
        let first = *self.rest.as_bytes().first()?;
        match first {
            b'(' if is_error(self.rest) => {
                let (message, length) = error_message(self.rest);
                self.rest = &self.rest[length..];
                Some(Response::Error(message))
            }
            b'(' => match balanced_length(self.rest.as_bytes()) {
                Some(length) => Some(Response::Expression(self.take(length))),
                None => Some(Response::Truncated(self.take(self.rest.len()))),
            },
            b'"' => match string_length(self.rest.as_bytes()) {
                Some(length) => Some(Response::Expression(self.take(length))),
                None => Some(Response::Truncated(self.take(self.rest.len()))),
            },
            _ => {
                let end = memchr::memchr(b'\n', self.rest.as_bytes()).unwrap_or(self.rest.len());
                Some(line_response(self.take(end).trim_end()))
            }
        }
    }
}

impl<'a> Responses<'a> {
    fn take(&mut self, length: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at(length);
        self.rest = rest;
        taken
    }
}

fn line_response(line: &str) -> Response<'_> {
    match line {
        "sat" => Response::Said(Said::Sat),
        "unsat" => Response::Said(Said::Unsat),
        "unknown" => Response::Said(Said::Unknown),
        "success" => Response::Success,
        "unsupported" => Response::Unsupported,
        "timeout" => Response::Timeout,
        line if line.ends_with("interrupted by timeout.") => Response::Timeout,
        line => Response::Text(line),
    }
}

fn is_error(text: &str) -> bool {
    text[1..].trim_start().strip_prefix("error").is_some_and(|rest| rest.starts_with([' ', '\t', '\n', '\r', '"']))
}

/// The message of an error response and the response's length. Some solvers put bare quotes into messages, so the
/// response ends at the first `")` that ends a line, and only in its absence where the standard says. A message without quotes
/// ends with its parentheses, or with its line where they do not.
fn error_message(text: &str) -> (&str, usize) {
    let bytes = text.as_bytes();
    let rest = text[1..].trim_start().strip_prefix("error").unwrap_or_default().trim_start();
    let start = text.len() - rest.len();
    if !rest.starts_with('"') {
        let line = || memchr::memchr(b'\n', &bytes[start..]).map_or(bytes.len(), |at| start + at);
        let end = balanced_length(bytes).unwrap_or_else(line);
        return (text[start..end].trim_end().trim_end_matches(')').trim_end(), end);
    }
    let open = start + 1;
    for at in memmem::find_iter(&bytes[open..], b"\")") {
        let end = open + at + 2;
        if text[end..].trim_start_matches([' ', '\t', '\r']).is_empty()
            || text[end..].trim_start_matches([' ', '\t', '\r']).starts_with('\n')
        {
            return (&text[open..end - 2], end);
        }
    }
    match balanced_length(bytes) {
        Some(end) => (text[open..end - 1].trim_end_matches('"'), end),
        None => (&text[open..], bytes.len()),
    }
}

/// The length of the s-expression that `bytes` begins with; strings (with `""` for a quote), quoted symbols and
/// comments hide parentheses (SMT-LIB 2.7, section 3.1).
pub(crate) fn balanced_length(bytes: &[u8]) -> Option<usize> {
    let mut depth = 0usize;
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            b'(' => depth += 1,
            b')' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return Some(at + 1);
                }
            }
            b'"' => at += string_length(&bytes[at..])? - 1,
            b'|' => at += 1 + memchr::memchr(b'|', &bytes[at + 1..])?,
            b';' => at += memchr::memchr(b'\n', &bytes[at..])?,
            _ => {}
        }
        at += 1;
    }
    None
}

/// The length of the string literal that `bytes` begins with.
pub(crate) fn string_length(bytes: &[u8]) -> Option<usize> {
    let mut at = 1;
    loop {
        at += memchr::memchr(b'"', bytes.get(at..)?)? + 1;
        if bytes.get(at) != Some(&b'"') {
            return Some(at);
        }
        at += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_end_where_they_end() {
        let check = |text: &str, expect: &[Response]| assert_eq!(responses(text).collect::<Vec<_>>(), expect, "{text}");
        check("(error \"a \"b\" c\")\nsat", &[Response::Error("a \"b\" c"), Response::Said(Said::Sat)]);
        check("(error \"a\") (x)", &[Response::Error("a"), Response::Expression("(x)")]);
        // The first quote of the output once was taken for that of the message, wherever it stood.
        check("(error 'no model')\n(\"x\")", &[Response::Error("'no model'"), Response::Expression("(\"x\")")]);
        check("(error no (a) model)\nsat \"", &[Response::Error("no (a) model"), Response::Text("sat \"")]);
        check("(error stray \" in it)\nsat", &[Response::Error("stray \" in it"), Response::Said(Said::Sat)]);
        check("(error \"cut", &[Response::Error("cut")]);
        check("(error )", &[Response::Error("")]);
    }
}
