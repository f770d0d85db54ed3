//! Problems with known models: symbols with odd names, each fixed to a literal with odd spellings.

use crate::mutated_examples::mutation::Random;
use std::fmt::Write;

/// The theories of a solver.
#[derive(Clone, Copy)]
pub enum Theories {
    /// Strings, numbers, bit-vectors, floats, arrays and functions.
    All,
    /// Bit-vectors, floats, arrays and functions.
    BitVectorsAndFloats,
    /// Bit-vectors, arrays and functions, or numbers, arrays and functions.
    BitVectorsOrNumbers,
    /// Bit-vectors and arrays.
    BitVectors,
}

/// A satisfiable problem.
pub struct Problem {
    /// The logic.
    pub logic: &'static str,
    /// Declarations, one per line.
    pub declarations: String,
    /// Terms and their values; the problem asserts that they are equal.
    pub facts: Vec<(String, String)>,
}

impl Problem {
    /// The declarations and assertions.
    pub fn text(&self) -> String {
        let mut text = self.declarations.clone();
        for (term, value) in &self.facts {
            let _ = writeln!(text, "(assert (= {term} {value}))");
        }
        text
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Sort {
    Bool,
    Int,
    Real,
    String,
    Float,
    Bits(usize),
}

impl Sort {
    fn text(self) -> String {
        match self {
            Sort::Bool => "Bool".to_string(),
            Sort::Int => "Int".to_string(),
            Sort::Real => "Real".to_string(),
            Sort::String => "String".to_string(),
            Sort::Float => "(_ FloatingPoint 5 11)".to_string(),
            Sort::Bits(width) => format!("(_ BitVec {width})"),
        }
    }
}

/// Returns the n-th problem for a solver.
pub fn problem(theories: Theories, random: &mut Random) -> Problem {
    let numbers = random.below(2) == 0;
    let logic = match theories {
        Theories::All => "ALL",
        Theories::BitVectorsAndFloats => "QF_ABVFP",
        Theories::BitVectorsOrNumbers if numbers => "QF_AUFLIRA",
        Theories::BitVectorsOrNumbers => "QF_AUFBV",
        Theories::BitVectors => "QF_ABV",
    };
    let mut problem = Problem { logic, declarations: String::new(), facts: Vec::new() };
    let mut names: Vec<String> = Vec::new();
    for _ in 0..1 + random.below(5) {
        let name = loop {
            let name = name(random);
            let bare = |name: &str| name.trim_matches('|').to_string();
            if !names.iter().any(|other| bare(other) == bare(&name)) {
                break name;
            }
        };
        names.push(name.clone());
        let bits = Sort::Bits(1 + random.below(20));
        let sort = match (theories, random.below(8)) {
            (Theories::All, 0..5) => Sort::String,
            (Theories::All, 5) => Sort::Int,
            (Theories::All, 6) => Sort::Real,
            (Theories::BitVectorsAndFloats, 0..2) | (Theories::All, 7) => Sort::Float,
            (Theories::BitVectorsOrNumbers, 0..3) if numbers => Sort::Int,
            (Theories::BitVectorsOrNumbers, 3..6) if numbers => Sort::Real,
            (_, 6) if !matches!(theories, Theories::BitVectors) => Sort::Bool,
            (Theories::BitVectorsOrNumbers, _) if numbers => Sort::Bool,
            _ => bits,
        };
        declare(&mut problem, theories, numbers, &name, sort, random);
    }
    problem
}

/// Declares a constant, an array or a function with values of a sort.
fn declare(problem: &mut Problem, theories: Theories, numbers: bool, name: &str, sort: Sort, random: &mut Random) {
    let index = match theories {
        Theories::All if random.below(2) == 0 => Sort::String,
        Theories::All => Sort::Int,
        Theories::BitVectorsOrNumbers if numbers => Sort::Int,
        _ => Sort::Bits(4),
    };
    let (kind, result) = (random.below(6), sort.text());
    // Few solvers have arrays of all sorts in all these logics.
    let plain = matches!(sort, Sort::Bits(_) | Sort::Int) || matches!(theories, Theories::All);
    let declaration = match kind {
        0 if plain => format!("(declare-fun {name} () (Array {} {result}))", index.text()),
        1 if matches!(theories, Theories::All | Theories::BitVectorsOrNumbers) => {
            format!("(declare-fun {name} ({}) {result})", index.text())
        }
        _ => {
            problem.facts.push((name.to_string(), literal(sort, random)));
            let _ = writeln!(problem.declarations, "(declare-fun {name} () {result})");
            return;
        }
    };
    let _ = writeln!(problem.declarations, "{declaration}");
    for n in 0..1 + random.below(3) {
        let at = match index {
            Sort::String => format!("\"{n}{}\"", string(random)),
            Sort::Int => n.to_string(),
            _ => format!("#b{n:04b}"),
        };
        let term = if kind == 0 { format!("(select {name} {at})") } else { format!("({name} {at})") };
        problem.facts.push((term, literal(sort, random)));
    }
}

/// Returns a symbol: a simple one, or one in bars with any characters except bars and backslashes.
fn name(random: &mut Random) -> String {
    const PIECES: &[&str] = &[
        "a",
        "B",
        "0",
        " ",
        "  ",
        "\n",
        "\r\n",
        "\t",
        "(",
        ")",
        "()",
        "\"",
        "\"\"",
        ";",
        "; (",
        ",",
        ".",
        ":",
        "#b0",
        "[1]",
        "'",
        "{",
        "}",
        "`",
        "define-fun",
        "x!0",
        "U!val!0",
        "@U_0",
        "as ",
        "-1",
        "1/2",
        "<1*x^2",
        "! ",
        "= ",
        "model",
    ];
    const SIMPLE: &[&str] =
        &["a", "b", "x!0", "k!1", "<-", "~x", "a.b", "?v", "$", "%x", "^", "&&", "_x", "a/b", "x'y", "plain-name"];
    // Not `as`, `_`, `!`, `let` and `forall`: z3 5.4.1 takes them for reserved words even in bars, and cvc5 1.4.2 prints them bare.
    const WORDS: &[&str] = &["assert", "plain", "x", "Int", "par", "define-fun", "BINARY"];
    match random.below(4) {
        0 => {
            let simple = format!("{}{}", SIMPLE[random.below(SIMPLE.len())], random.below(9));
            if simple.contains('\'') { format!("|{simple}|") } else { simple }
        }
        1 => format!("|{}|", WORDS[random.below(WORDS.len())]),
        _ => {
            let inside: String = (0..1 + random.below(5)).map(|_| PIECES[random.below(PIECES.len())]).collect();
            format!("|{inside}|")
        }
    }
}

fn literal(sort: Sort, random: &mut Random) -> String {
    let bits = |width: usize, random: &mut Random| -> String {
        (0..width).map(|_| if random.below(2) == 0 { '0' } else { '1' }).collect()
    };
    match sort {
        Sort::Bool => ["true", "false"][random.below(2)].to_string(),
        Sort::Int => {
            let number = (random.next() >> random.below(64)).to_string() + ["", "000000000000"][random.below(2)];
            let number = if number.starts_with('0') { "0".to_string() } else { number };
            if random.below(2) == 0 { number } else { format!("(- {number})") }
        }
        Sort::Real => {
            let (above, below) = (random.below(1000), 1 + random.below(99));
            match random.below(3) {
                0 => format!("{above}.{below}"),
                1 => format!("(/ {above}.0 {below}.0)"),
                _ => format!("(- (/ {above}.0 {below}.0))"),
            }
        }
        Sort::Float => match random.below(6) {
            0 => ["(_ NaN 5 11)", "(_ +oo 5 11)", "(_ -oo 5 11)", "(_ -zero 5 11)"][random.below(4)].to_string(),
            // An exponent that is not all ones is not a NaN.
            _ => format!("(fp #b{} #b0{} #b{})", bits(1, random), bits(4, random), bits(10, random)),
        },
        Sort::Bits(width) => format!("#b{}", bits(width, random)),
        Sort::String => format!("\"{}\"", string(random)),
    }
}

/// Returns the contents of a string: plain characters, quotes, escapes of every form, and similar text.
fn string(random: &mut Random) -> String {
    const PIECES: &[&str] = &[
        "",
        "a",
        "word",
        " ",
        "\"\"",
        "\"\"\"\"",
        "\"\" (",
        ") \"\"",
        "(",
        ")",
        "|",
        "|)|",
        ";",
        "; \"\"",
        "\\",
        "\\\\",
        "\\\"\"",
        "\\n",
        "\\x41",
        "\\101",
        "\\u",
        "\\u{",
        "\\u{}",
        "\\u{110000}",
        "\\u{123456}",
        "\\u{g}",
        "\\u12",
        "\\u{41",
        "\\u0041",
        "\\u005c",
        "\\u00e9",
        "\\uD800",
        "\\u{22}",
        "\\u{5c}",
        "\\u{5C}u{41}",
        "\\u{0}",
        "\\u{a}",
        "\\u{d}",
        "\\u{9}",
        "\\u{7f}",
        "\\u{80}",
        "\\u{ff}",
        "\\u{100}",
        "\\u{FFFF}",
        "\\u{1F600}",
        "\\u{2ffff}",
        "{}",
        "'",
        "define-fun",
        "U!val!0",
        "(as @x U)",
        "#b",
        "<1*x^2, (1,2)>",
        "0b1",
        "=",
    ];
    (0..random.below(6)).map(|_| PIECES[random.below(PIECES.len())]).collect()
}
