//! Random ground applications of every operator, checked by other solvers.
//!
//! Each application is asserted to differ from our value, so that `unsat` agrees and `sat` disagrees. Solvers are looked
//! for on PATH, or where SQUALL_Z3 and SQUALL_CVC5 say; without one the test says that it is skipped. The number of
//! applications is SQUALL_STRINGS_COUNT, a small number by default. What a solver is known to get wrong is a row of
//! [`KNOWN`], explained in docs/measurements/conformance-strings.md.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write as _;
use std::process::{Command, Stdio};

use crate::strings_support::{Re, expressions, literal, words};
use dashu_int::IBig;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use semantics::strings::{
    EscapeDialect, RegexStore, SmtString, WorkBudget, at, concat, contains, from_code, from_int, index_of, is_digit,
    is_less, is_less_or_equal, is_prefix, is_suffix, length, replace, replace_all, replace_all_regex, replace_regex,
    substring, to_code, to_int, unescape,
};

/// Letters, digits, and what printers and alphabets get wrong: quotes, escapes, surrogates, the last characters.
const EDGES: &[u32] =
    &[97, 98, 97, 98, 48, 57, 48, 49, 34, 92, 117, 123, 125, 0, 10, 127, 0xFF, 0x100, 0xD800, 0xFFFF, 0x10000, 0x2FFFF];
const AB: &[u32] = &[97, 98];

/// A ground application and our value of it, both in SMT-LIB.
#[derive(Debug, Clone)]
struct Application {
    term: String,
    value: String,
}

/// A disagreement that is the solver's, by the text of the standard: the program, and which terms it is seen in.
struct Known {
    solver: &'static str,
    concerns: fn(&str) -> bool,
    why: &'static str,
}

const KNOWN: &[Known] = &[
    Known {
        solver: "cvc5",
        concerns: |term| term.contains("(_ re.^ 0) ") || term.contains("(_ re.loop 0 0) "),
        why: "the zeroth power of a closure is taken for the closure",
    },
    Known {
        solver: "cvc5",
        concerns: has_range_outside_range,
        why: "a range is taken for a part of another that it is disjoint from",
    },
    Known {
        solver: "cvc5",
        concerns: has_escape_beyond_the_alphabet,
        why: "five digits in braces are read as an escape sequence although the first is above 2",
    },
];

/// A complement or difference with two ranges in play.
fn has_range_outside_range(term: &str) -> bool {
    let negates = term.contains("(re.comp ") || term.contains("(re.diff ");
    negates && term.matches("(re.range ").count() > 1
}

fn has_escape_beyond_the_alphabet(term: &str) -> bool {
    term.split("\\u{").skip(1).any(|rest| {
        let digits = rest.bytes().take_while(u8::is_ascii_hexdigit).count();
        digits == 5 && rest.as_bytes()[5..].starts_with(b"}") && !rest.starts_with(['0', '1', '2'])
    })
}

fn word(points: &[u32]) -> SmtString {
    SmtString::new(points).unwrap()
}

fn integer(number: &IBig) -> String {
    if *number < IBig::ZERO { format!("(- {})", -number) } else { number.to_string() }
}

fn text(value: &SmtString) -> String {
    literal(value.code_points())
}

fn application(term: String, value: impl ToString) -> Application {
    Application { term, value: value.to_string() }
}

/// Integers near the ends of short words, and far away.
fn integers() -> impl Strategy<Value = IBig> + Clone {
    prop_oneof![
        8 => (-2i64..9).prop_map(IBig::from),
        1 => proptest::sample::select(vec!["4294967295", "4294967296", "-2147483649", "9223372036854775808", "196607", "196608", "55296", "100000000000000000000000"])
            .prop_map(|n| n.parse().unwrap()),
        1 => (0i64..300_000).prop_map(IBig::from),
    ]
}

fn on_words() -> impl Strategy<Value = Application> {
    let w = || prop_oneof![words(AB, 6), words(EDGES, 6), words(&[48, 49, 50, 57], 12)];
    (0..17usize, w(), w(), w(), (integers(), integers())).prop_map(|(operator, a, b, c, (i, j))| {
        let (sa, sb, sc) = (word(&a), word(&b), word(&c));
        let (ta, tb, tc, ti, tj) = (text(&sa), text(&sb), text(&sc), integer(&i), integer(&j));
        match operator {
            0 => application(format!("(str.++ {ta} {tb} {tc})"), text(&concat(&[sa, sb, sc]).unwrap())),
            1 => application(format!("(str.len {ta})"), integer(&length(&sa))),
            2 => application(format!("(str.< {ta} {tb})"), is_less(&sa, &sb)),
            3 => application(format!("(str.<= {ta} {tb})"), is_less_or_equal(&sa, &sb)),
            4 => application(format!("(str.at {ta} {ti})"), text(&at(&sa, &i))),
            5 => application(format!("(str.substr {ta} {ti} {tj})"), text(&substring(&sa, &i, &j))),
            6 => application(format!("(str.prefixof {ta} {tb})"), is_prefix(&sa, &sb)),
            7 => application(format!("(str.suffixof {ta} {tb})"), is_suffix(&sa, &sb)),
            8 => application(format!("(str.contains {ta} {tb})"), contains(&sa, &sb)),
            9 => application(format!("(str.indexof {ta} {tb} {ti})"), integer(&index_of(&sa, &sb, &i))),
            10 => application(format!("(str.replace {ta} {tb} {tc})"), text(&replace(&sa, &sb, &sc).unwrap())),
            11 => application(format!("(str.replace_all {ta} {tb} {tc})"), text(&replace_all(&sa, &sb, &sc).unwrap())),
            12 => application(format!("(str.is_digit {ta})"), is_digit(&sa)),
            13 => application(format!("(str.to_code {ta})"), integer(&to_code(&sa))),
            14 => application(format!("(str.from_code {ti})"), text(&from_code(&i))),
            15 => application(format!("(str.to_int {ta})"), integer(&to_int(&sa).unwrap())),
            _ => application(format!("(str.from_int {ti})"), text(&from_int(&i).unwrap())),
        }
    })
}

fn on_expressions() -> impl Strategy<Value = Application> {
    let re = || prop_oneof![expressions(AB, 3), expressions(EDGES, 2)];
    let w = || prop_oneof![3 => words(AB, 6), 1 => words(EDGES, 4)];
    (0..4usize, re(), w(), w()).prop_map(|(operator, re, a, b): (usize, Re, Vec<u32>, Vec<u32>)| {
        let mut store = RegexStore::new();
        let regex = re.build(&mut store);
        let work = &mut WorkBudget::default();
        let (sa, sb) = (word(&a), word(&b));
        let (ta, tb, tr) = (text(&sa), text(&sb), re.text());
        match operator {
            0 | 1 => application(format!("(str.in_re {ta} {tr})"), store.matches(&sa, regex, work).unwrap()),
            2 => {
                let value = replace_regex(&mut store, &sa, regex, &sb, work).unwrap();
                application(format!("(str.replace_re {ta} {tr} {tb})"), text(&value))
            }
            _ => {
                let value = replace_all_regex(&mut store, &sa, regex, &sb, work).unwrap();
                application(format!("(str.replace_re_all {ta} {tr} {tb})"), text(&value))
            }
        }
    })
}

struct Solver {
    name: &'static str,
    program: String,
    arguments: &'static [&'static str],
}

fn solvers() -> Vec<Solver> {
    let z3 = ("z3", "SQUALL_Z3", &["-in", "-t:2000"] as &[_]);
    let cvc5 = ("cvc5", "SQUALL_CVC5", &["--lang=smt2", "--incremental", "--strings-exp", "--tlimit-per=2000"] as &[_]);
    let mut found = Vec::new();
    for (name, variable, arguments) in [z3, cvc5] {
        let program = std::env::var(variable).unwrap_or_else(|_| name.to_owned());
        let answers = Command::new(&program).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
        let solver = answers.is_ok_and(|status| status.success()).then_some(Solver { name, program, arguments });
        found.extend(testing::require(name, solver));
    }
    found
}

/// The answers of one process, in order, one line each, or its other output. A process that stops leaves some out.
fn ask(solver: &Solver, applications: &[Application]) -> Vec<String> {
    let mut script = String::from("(set-logic QF_SLIA)\n");
    for Application { term, value } in applications {
        // After an error the same check is answered without its assertion, so what belongs together is marked.
        writeln!(script, "(echo \"@\")(push 1)(assert (not (= {term} {value})))(check-sat)(pop 1)").unwrap();
    }
    let mut child = Command::new(&solver.program)
        .args(solver.arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the solver has just been started for its version");
    let mut input = child.stdin.take().expect("standard input is piped");
    let writer = std::thread::spawn(move || {
        // A solver that stops at an error closes the pipe; the answers show where.
        let _ = input.write_all(script.as_bytes());
    });
    let output = child.wait_with_output().expect("the solver has a piped output");
    writer.join().expect("the writer does not panic");
    let text = String::from_utf8_lossy(&output.stdout).replace('"', "");
    text.split("@\n").skip(1).map(|answer| answer.trim().to_owned()).collect()
}

fn check_against_solvers(strategy: impl Strategy<Value = Application>, default_count: usize) {
    let count = testing::amount("SQUALL_STRINGS_COUNT", default_count);
    let mut runner = TestRunner::deterministic();
    let applications: Vec<Application> =
        (0..count).map(|_| strategy.new_tree(&mut runner).expect("no filters").current()).collect();
    let mut disagreements = String::new();
    for solver in solvers() {
        let (mut agreed, mut unknown) = (0, 0);
        let mut explained = BTreeMap::new();
        let mut unanswered = BTreeMap::new();
        for batch in applications.chunks(500) {
            let mut rest = batch;
            while !rest.is_empty() {
                let answers = ask(&solver, rest);
                for (application, answer) in rest.iter().zip(&answers) {
                    let known = KNOWN.iter().find(|k| k.solver == solver.name && (k.concerns)(&application.term));
                    match (answer.as_str(), known) {
                        ("unsat", _) => agreed += 1,
                        ("sat", Some(known)) => *explained.entry(known.why).or_insert(0usize) += 1,
                        ("sat", None) => {
                            writeln!(
                                disagreements,
                                "{}: {} is not {}",
                                solver.name, application.term, application.value
                            )
                            .unwrap();
                        }
                        _ => {
                            unknown += 1;
                            if answer.is_empty() {
                                println!("{} stops at {}", solver.name, application.term);
                            }
                            let shown = answer.lines().next().unwrap_or("nothing");
                            let operator = application.term.split(' ').next().unwrap_or_default();
                            let shape = format!("{operator} {}", &shown[..shown.len().min(70)]);
                            *unanswered.entry(shape).or_insert(0usize) += 1;
                        }
                    }
                }
                // One that made the process stop is skipped, and a new process takes the rest.
                let done = answers.len().min(rest.len());
                if done == 0 {
                    unknown += 1;
                    println!("{} stops at {}", solver.name, rest[0].term);
                }
                rest = &rest[done.max(1)..];
            }
        }
        println!("{}: {agreed} agreed, {unknown} without an answer", solver.name);
        for (why, count) in explained {
            println!("  {count} × explained: {why}");
        }
        for (shape, count) in unanswered {
            println!("  {count} × {shape}");
        }
        assert!(agreed * 3 > count, "{} answers too little for the comparison to mean anything", solver.name);
    }
    assert!(disagreements.is_empty(), "disagreements:\n{disagreements}");
}

/// Literals with what is, or is nearly, an escape sequence, against the same value written in full.
fn literals() -> impl Strategy<Value = Application> {
    proptest::collection::vec(
        proptest::sample::select(vec![
            "\\", "\\u", "\\u{", "{", "}", "u", "0", "2", "3", "a", "F", "g", "x", "n", "41", "2FFF", "30000}",
            "1a0F0}",
        ]),
        0..10,
    )
    .prop_map(|pieces| {
        let body = pieces.concat();
        let value = unescape(body.as_bytes(), EscapeDialect::Standard).unwrap();
        application(format!("\"{body}\""), text(&value))
    })
}

#[test]
fn literals_agree() {
    check_against_solvers(literals(), 400);
}

#[test]
fn operations_on_words_agree() {
    check_against_solvers(on_words(), 400);
}

#[test]
fn operations_on_expressions_agree() {
    check_against_solvers(on_expressions(), 300);
}
