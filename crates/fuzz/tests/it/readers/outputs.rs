//! The output of solvers, split into consecutive responses.

use solver::response::{Response, responses};

/// Outputs, complete and truncated.
pub const EXAMPLES: &[&str] = &[
    "sat\n((x 1) (y \"a \"\" b\"))\nunsat\n\"squall 1\"\n",
    "unsupported\n; ignored\n(error \"line 1 column 2: unknown \"\"x\"\"\")\nunknown\n(:reason-unknown timeout)\n",
    "(error 'Parse error')\n(objectives\n (x |a)b|)\n)\nsuccess\nsat (",
    "z3: ../src/ast/ast.cpp:431: void f(): Assertion `x' failed.\n(fatal) \u{e9}\n",
];

/// Splits bytes into responses.
///
/// # Panics
/// When responses overlap, or there are more of them than bytes.
pub fn check(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let mut left = text.len() + 1;
    for response in responses(&text) {
        let length = match response {
            Response::Expression(part) | Response::Text(part) | Response::Truncated(part) => part.len(),
            _ => 1,
        };
        assert!(length > 0 && length < left, "{response:?}");
        left -= length;
    }
}
