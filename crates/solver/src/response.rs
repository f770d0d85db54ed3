//! Splits a solver's output into responses: answers, errors, s-expressions and stray text.

use memchr::memmem;
use smtlib::sexpr::{ItemKind, items};

/// One response, or one stray line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Response<'a> {
    /// `sat`, `unsat` or `unknown` alone on a line.
    Answer(SatResponse),
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
    /// A line that is not a response.
    Text(&'a str),
    /// An s-expression that never ends: the output is incomplete.
    Truncated(&'a str),
}

/// An answer to `check-sat` (SMT-LIB 2.7, section 4.2.5).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SatResponse {
    /// `sat`
    Sat,
    /// `unsat`
    Unsat,
    /// `unknown`
    Unknown,
}

/// Formats an error response.
pub(crate) fn error(message: &dyn std::fmt::Display) -> String {
    format!("(error \"{}\")\n", message.to_string().replace('"', "\"\""))
}

/// Iterates over the responses in `text`, which may be arbitrary.
pub fn responses(text: &str) -> Responses<'_> {
    Responses { rest: text, closing: Closing::NotSought, cut: false }
}

/// The iterator of [`responses`].
#[derive(Clone, Debug)]
pub struct Responses<'a> {
    rest: &'a str,
    closing: Closing,
    /// A message without quotes had an unclosed parenthesis.
    cut: bool,
}

/// The first `")` that ends a line.
#[derive(Clone, Copy, Debug)]
enum Closing {
    NotSought,
    /// The number of bytes after it.
    Before(usize),
    Nowhere,
}

impl<'a> Iterator for Responses<'a> {
    type Item = Response<'a>;

    fn next(&mut self) -> Option<Response<'a>> {
        let blanks = self.rest.bytes().take_while(|byte| matches!(byte, b' ' | b'\t'..=b'\r')).count();
        self.rest = &self.rest[blanks..];
        let first = *self.rest.as_bytes().first()?;
        match first {
            b'(' if is_error(self.rest) => Some(Response::Error(self.error_message())),
            b'(' | b'"' => match length(self.rest) {
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

    /// Parses an error response; returns its message. Some solvers put bare quotes into messages, so the response ends at the first `")`
    /// at a line end, and only without one at the place defined by the standard. A message without quotes ends with its parentheses, or
    /// else with its line.
    fn error_message(&mut self) -> &'a str {
        let text = self.rest;
        let inside = text[1..].trim_start().strip_prefix("error").unwrap_or_default().trim_start();
        let start = text.len() - inside.len();
        if !inside.starts_with('"') {
            let line = || memchr::memchr(b'\n', inside.as_bytes()).map_or(text.len(), |at| start + at);
            // An unclosed one may have thousands of lines: the text is not searched a second time.
            let whole = if self.cut { None } else { length(text) };
            self.cut |= whole.is_none();
            let end = whole.unwrap_or_else(line);
            self.rest = &text[end..];
            return text[start..end].trim_end().trim_end_matches(')').trim_end();
        }
        let open = start + 1;
        let (message, end) = match self.closing(open) {
            Some(end) => (&text[open..end - 2], end),
            None => match length(text) {
                Some(end) => (text[open..end - 1].trim_end_matches('"'), end),
                None => (&text[open..], text.len()),
            },
        };
        self.rest = &text[end..];
        message
    }

    /// Returns the offset after the first `")` from `open` on that ends a line. It is searched only once for any number of messages
    /// before it.
    fn closing(&mut self, open: usize) -> Option<usize> {
        let text = self.rest;
        match self.closing {
            Closing::Nowhere => return None,
            Closing::Before(left) => {
                let end = text.len().checked_sub(left).filter(|&end| end >= open + 2);
                if end.is_some() {
                    return end;
                }
            }
            Closing::NotSought => {}
        }
        let ends_line = |end: &usize| {
            let behind = text[*end..].trim_start_matches([' ', '\t', '\r']);
            behind.is_empty() || behind.starts_with('\n')
        };
        let end = memmem::find_iter(&text.as_bytes()[open..], b"\")").map(|at| open + at + 2).find(ends_line);
        self.closing = end.map_or(Closing::Nowhere, |end| Closing::Before(text.len() - end));
        end
    }
}

fn line_response(line: &str) -> Response<'_> {
    match line {
        "sat" => Response::Answer(SatResponse::Sat),
        "unsat" => Response::Answer(SatResponse::Unsat),
        "unknown" => Response::Answer(SatResponse::Unknown),
        "success" => Response::Success,
        "unsupported" => Response::Unsupported,
        "timeout" => Response::Timeout,
        line if line.ends_with("interrupted by timeout.") => Response::Timeout,
        line if is_unknown_with_reason(line) => Response::Answer(SatResponse::Unknown),
        line => Response::Text(line),
    }
}

/// cvc5 1.4 prints `unknown (INCOMPLETE)`. When this was taken for a stray line, it shifted the later answers by one check.
fn is_unknown_with_reason(line: &str) -> bool {
    line.strip_prefix("unknown ").is_some_and(|reason| reason.starts_with('(') && reason.ends_with(')'))
}

fn is_error(text: &str) -> bool {
    text[1..].trim_start().strip_prefix("error").is_some_and(|rest| rest.starts_with([' ', '\t', '\n', '\r', '"']))
}

/// Returns the length of the s-expression at the beginning of a text; `None` if it is incomplete.
fn length(text: &str) -> Option<usize> {
    items(text).next().filter(|item| item.kind != ItemKind::Cut).map(|item| item.span.end)
}
