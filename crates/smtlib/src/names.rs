//! Names in SMT-LIB: the reserved words, and when a symbol needs bars.

/// Words that are symbols only in bars (SMT-LIB 2.7, section 3.1).
pub const RESERVED: &[&str] = &[
    "!",
    "_",
    "as",
    "BINARY",
    "DECIMAL",
    "exists",
    "forall",
    "HEXADECIMAL",
    "lambda",
    "let",
    "match",
    "NUMERAL",
    "par",
    "STRING",
];

/// Returns the symbol in the name of a function: of an indexed identifier, what stands before its indices.
pub fn plain_name(function: &str) -> &str {
    let name = function.strip_prefix("(_ ").unwrap_or(function);
    if name.len() == function.len() { function } else { name.split(' ').next().unwrap_or(name) }
}

/// The key of `set-info` before a command that is an error by the standard; its line ends before that command.
pub const ERROR_NEXT: &str = ":squall-error";

/// The options of the standard that are true or false.
pub const BOOLEAN_OPTIONS: &[&str] = &[
    ":global-declarations",
    ":interactive-mode",
    ":print-success",
    ":produce-assertions",
    ":produce-assignments",
    ":produce-models",
    ":produce-proofs",
    ":produce-unsat-assumptions",
    ":produce-unsat-cores",
];

/// The options of the standard that are numerals.
pub const NUMERAL_OPTIONS: &[&str] = &[":random-seed", ":reproducible-resource-limit", ":verbosity"];

/// Names of commands in byte order, which the same section reserves, too. We read them without bars, as Z3 does, and print them
/// in bars, as CVC4 and cvc5 require.
pub const COMMANDS: &[&str] = &[
    "assert",
    "check-sat",
    "check-sat-assuming",
    "check-sat-using",
    "declare-const",
    "declare-datatype",
    "declare-datatypes",
    "declare-fun",
    "declare-sort",
    "declare-sort-parameter",
    "define-const",
    "define-fun",
    "define-fun-rec",
    "define-funs-rec",
    "define-sort",
    "echo",
    "exit",
    "get-assertions",
    "get-assignment",
    "get-info",
    "get-model",
    "get-option",
    "get-proof",
    "get-unsat-assumptions",
    "get-unsat-core",
    "get-value",
    "pop",
    "push",
    "reset",
    "reset-assertions",
    "set-info",
    "set-logic",
    "set-option",
];

/// The `set-info` keyword of a theory as data.
pub const THEORY: &str = ":squall-theory";

/// The name of the application of a map in the theory HO-Core (of July 2025; in SMT-LIB 2.7 as first published it is `_`).
pub(crate) const MAP_APPLICATION: &str = "@";

/// Whether a name can be written without bars.
fn is_simple(name: &str) -> bool {
    let Some(first) = name.bytes().next() else { return false };
    !first.is_ascii_digit()
        && name.bytes().all(is_symbol_byte)
        && !RESERVED.contains(&name)
        && COMMANDS.binary_search(&name).is_err()
}

/// Whether a byte may occur in a simple symbol.
pub(crate) const fn is_symbol_byte(b: u8) -> bool {
    b.is_ascii_alphanumeric()
        || matches!(
            b,
            b'~' | b'!'
                | b'@'
                | b'$'
                | b'%'
                | b'^'
                | b'&'
                | b'*'
                | b'_'
                | b'-'
                | b'+'
                | b'='
                | b'<'
                | b'>'
                | b'.'
                | b'?'
                | b'/'
        )
}

/// Appends a name, in bars if it needs them.
pub fn quote_symbol(name: &str, out: &mut String) {
    if is_simple(name) {
        out.push_str(name);
    } else {
        out.push('|');
        out.push_str(name);
        out.push('|');
    }
}
