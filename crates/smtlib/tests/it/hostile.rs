//! Input made to hurt: deep, long, repetitive, cut short or no text at all. It is read or refused, never more than linear.
//!
//! Timing never decides a test here, but a quadratic step on these sizes would take many minutes.

use smtlib::{Dialect, Kind, Op, Printer, Store, TermId, parse, parse_bytes};
use std::fmt::Write;

/// How deep the deep terms are, and how long the long ones. The nightly run has a million.
fn deep() -> usize {
    testing::amount("SQUALL_DEEP", 250_000)
}

/// Runs on a stack of 2 MB, a quarter of what the main thread has and the least a thread is given by default.
fn on_small_stack(job: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(2 << 20).spawn(job).expect("a thread starts");
    if let Err(panic) = thread.join() {
        std::panic::resume_unwind(panic);
    }
}

/// Prints the cost of a job; nothing is asserted.
fn report(what: &str, job: impl FnOnce()) {
    let start = std::time::Instant::now();
    job();
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or("unknown").trim();
    println!("{what}: {:.2} s, peak of the process {peak}", start.elapsed().as_secs_f64());
}

/// Reads a script without mistakes, prints it, reads that, and compares.
fn check_round_trip(what: &str, text: String) {
    let what = what.to_string();
    on_small_stack(move || {
        report(&what, || {
            let mut store = Store::new();
            let parsed = parse(&mut store, &text);
            assert!(parsed.errors.is_empty(), "{:?}", parsed.errors.first());
            let printed = store.script_text(&parsed.script);
            let again = parse(&mut store, &printed);
            assert!(again.errors.is_empty(), "{:?}", again.errors.first());
            assert!(again.script == parsed.script);
            assert!(printed.len() <= 12 * text.len() + 1000, "{} bytes became {}", text.len(), printed.len());
        });
    });
}

/// Reads a text with mistakes: the first is at a line and column, and says this.
fn check_refused(what: &str, text: &str, position: (usize, usize), message: &str) {
    report(what, || {
        let mut store = Store::new();
        let parsed = parse(&mut store, text);
        let error = parsed.errors.first().unwrap_or_else(|| panic!("{what}: no mistake found"));
        assert_eq!((error.position(text), error.message.as_str()), (position, message), "{what}");
        let rendered = error.render("hostile.smt2", text);
        assert!(rendered.len() < 2000, "{what}: {rendered}");
    });
}

fn nested(open: &str, core: &str, close: &str, times: usize) -> String {
    let mut text = String::with_capacity(times * (open.len() + close.len()) + core.len());
    text.extend(std::iter::repeat_n(open, times));
    text.push_str(core);
    text.extend(std::iter::repeat_n(close, times));
    text
}

fn asserted(term: &str) -> String {
    format!("(declare-const p Bool)(declare-const q Bool)(declare-const a Int)(assert {term})")
}

#[test]
fn many_nested_connectives() {
    check_round_trip("not", asserted(&nested("(not ", "p", ")", deep())));
    check_round_trip("and", asserted(&nested("(and q ", "p", ")", deep())));
}

#[test]
fn many_nested_connectives_on_the_left() {
    check_round_trip("and on the left", asserted(&nested("(and ", "p", " q)", deep())));
    check_round_trip("+", asserted(&format!("(= a {})", nested("(+ a ", "a", ")", deep()))));
}

/// Each once looked for its quantifier through all those around it.
#[test]
fn many_nested_annotations() {
    check_round_trip("annotations", asserted(&nested("(! ", "p", " :weight 1)", deep())));
}

#[test]
fn many_nested_lets() {
    check_round_trip("let", asserted(&nested("(let ((x (not p))) ", "x", ")", deep())));
    // Each binding holds the next let.
    check_round_trip("let in a binding", asserted(&nested("(let ((x ", "p", ")) (or x q))", deep())));
    // Each let doubles the term: a DAG of depth 2000 whose tree no memory could hold.
    let mut text = String::from("(declare-const p Bool)(assert (let ((x0 p)) ");
    for n in 1..=2000 {
        let _ = write!(text, "(let ((x{n} (and x{} x{}))) ", n - 1, n - 1);
    }
    text.push_str("x2000");
    text.push_str(&")".repeat(2002));
    check_round_trip("doubling let", text);
}

#[test]
fn many_parallel_bindings_and_operands() {
    let mut text = String::from("(declare-const p Bool)(assert (let (");
    for n in 0..deep() {
        let _ = write!(text, "(x{n} p)");
    }
    text.push_str(") (and");
    for n in 0..deep() {
        let _ = write!(text, " x{n}");
    }
    text.push_str(")))");
    check_round_trip("parallel let", text);
}

#[test]
fn a_hundred_thousand_nested_quantifiers() {
    let quantifiers = |body: &str, vars: &dyn Fn(usize) -> String| {
        let mut text = String::from("(declare-fun f (Int Int) Bool)(assert ");
        for n in 0..100_000 {
            let _ = write!(text, "({} (({} Int)) ", if n % 2 == 0 { "forall" } else { "exists" }, vars(n));
        }
        text + body + &")".repeat(100_001)
    };
    check_round_trip("distinct variables", quantifiers("(f x0 x99999)", &|n| format!("x{n}")));
    check_round_trip("one variable, shadowed", quantifiers("(f x x)", &|_| "x".to_string()));
    let all: String = (0..100_000).map(|n| format!(" (f x0 x{n})")).collect();
    check_round_trip("all variables in the body", quantifiers(&format!("(and{all})"), &|n| format!("x{n}")));
    // Each level uses the outermost variable: its home is as far away as can be.
    let mut text = String::from("(declare-fun f (Int Int) Bool)(assert (forall ((y Int)) ");
    for n in 0..100_000 {
        let _ = write!(text, "(forall ((x{n} Int)) (and (f y {n}) (f y {n}) ");
    }
    text.push_str("(f y y)");
    text.push_str(&"))".repeat(100_000));
    text.push_str("))");
    check_round_trip("the outermost variable at every level", text);
}

#[test]
fn one_quantifier_of_a_hundred_thousand_variables() {
    let mut text = String::from("(declare-fun f (Int Int) Bool)(assert (forall (");
    for n in 0..100_000 {
        let _ = write!(text, "(x{n} Int)");
    }
    text.push_str(") (and");
    for n in 0..100_000 {
        let _ = write!(text, " (f x{n} x{}) (f x{n} x{})", n / 2, n / 2);
    }
    text.push_str(")))");
    check_round_trip("wide quantifier", text);
}

#[test]
fn free_variables_under_alternating_binders_print_linearly() {
    // A hundred free names in every subterm, and sixty levels each used under two binders: bound where they are met instead of
    // where they belong, they would be printed 2^60 times.
    let mut text = String::from("(declare-fun f (Int Int) Bool)(assert (forall (");
    (0..100).for_each(|n| write!(text, "(v{n} Int)").expect("a String takes all"));
    text.push_str(") (let ((t0 (and");
    (0..100).for_each(|n| write!(text, " (f v{n} v{n})").expect("a String takes all"));
    text.push_str("))) ");
    for n in 1..=60 {
        let _ = write!(
            text,
            "(let ((t{n} (and (forall ((x{n} Int)) (or t{0} (f x{n} {n}))) (forall ((y{n} Int)) (or t{0} (f y{n} {n})))))) ",
            n - 1
        );
    }
    text.push_str("t60");
    text.push_str(&")".repeat(63));
    check_round_trip("alternating binders", text);
}

#[test]
fn deep_text_that_is_no_term() {
    check_round_trip("opaque", format!("(minimize {})", nested("(f ", "x", ")", deep())));
    check_round_trip("option", format!("(set-option :x {})", nested("(", "x", ")", deep())));
    check_round_trip("attribute", asserted(&format!("(! p :weird {})", nested("(", "x", ")", deep()))));
    let deep = format!("(declare-const a {})", nested("(Array Int ", "Int", ")", deep()));
    check_refused("deep sort", &deep, (1, 5518), "sorts nested deeper than 500");
}

#[test]
fn sorts_that_grow_by_definition() {
    let mut text = String::from("(define-sort S0 () Int)\n");
    for n in 1..=100 {
        let _ = writeln!(text, "(define-sort S{n} () (Array S{0} S{0}))", n - 1);
    }
    check_refused("doubling sort", &text, (15, 22), "this sort is too large");
    let mut text = String::from("(define-sort S0 () Int)\n");
    for n in 1..=1000 {
        let _ = writeln!(text, "(define-sort S{n} () (Array Int S{}))", n - 1);
    }
    check_refused("deepening sort", &text, (501, 23), "this sort is too large");
    let many = " Int".repeat(deep());
    check_refused("long map", &format!("(declare-const f (->{many}))"), (1, 19), "this sort is too large");
    let text = format!("(declare-fun f ({many}) Int)(assert (= f f))");
    let column = text.find("f f))").expect("it is there") + 1;
    let message = "the term's sort is nested deeper than 500 or longer than 20000";
    check_refused("function of many arguments as a value", &text, (1, column), message);
    // A datatype whose field is of a larger instance of itself.
    let nest = "(declare-datatypes ((T 1)) ((par (A) ((c (s (T (T A)))) (d)))))(declare-const t (T Int))(assert (= ";
    let text = format!("{nest}{} {}))", nested("(s ", "t", ")", 2000), nested("(s ", "t", ")", 2000));
    let mut store = Store::new();
    let parsed = parse(&mut store, &text);
    assert_eq!(parsed.errors.first().map(|e| e.message.as_str()), Some(message));
}

#[test]
fn assertion_levels_cost_nothing() {
    let mut text =
        String::from("(push 1000000000)(push 4294967295)(assert true)(pop 4294967295)(check-sat)(pop 1000000000)");
    for n in 0..200_000 {
        let _ = write!(text, "(push 1)(declare-const c{n} Int)(assert (= c{n} {n}))");
    }
    text.push_str("(check-sat)");
    text.push_str(&"(pop 1)".repeat(100_000));
    text.push_str("(pop 100000)(check-sat)");
    report("levels", || {
        let mut store = Store::new();
        let parsed = parse(&mut store, &text);
        assert!(parsed.errors.is_empty(), "{:?}", parsed.errors.first());
        let live: Vec<usize> = parsed.script.each_instance().map(|i| i.assertions.len()).collect();
        assert_eq!(live, [0, 200_000, 0]);
    });
    check_refused("too many pops", "(push 3)\n(pop 4)", (2, 6), "pop of 4 levels, but fewer are open");
    check_refused("a huge push", "(push 4294967296)", (1, 7), "this number is too large");
}

#[test]
fn many_declarations() {
    let mut text = String::new();
    for n in 0..deep() {
        let _ = writeln!(text, "(declare-fun a_function_{n} (Int) Bool)");
    }
    check_round_trip("declarations", text);
}

#[test]
fn a_hundred_megabytes_in_one_token() {
    let digits = "7".repeat(100_000_000);
    let too_long = "a literal of 100000000 characters";
    check_refused("numeral", &format!("(assert (= 1 {digits}))"), (1, 14), too_long);
    check_refused("decimal", &format!("(assert (= 1 {}.5))", &digits[2..]), (1, 14), too_long);
    check_refused("hexadecimal", &format!("(assert (= #x1 #x{}))", &digits[2..]), (1, 16), too_long);
    check_refused(
        "index",
        &format!("(assert (= (_ bv{digits} 8) #x00))"),
        (1, 15),
        "a bit-vector literal out of range",
    );
    let unknown = format!("unknown symbol `{}…`", "7".repeat(40));
    check_refused("quoted symbol", &format!("(assert |{digits}|)"), (1, 9), &unknown);
    report("string", || {
        let text = format!("(assert (= \"\" \"{digits}\"))");
        let mut store = Store::new();
        assert!(parse(&mut store, &text).errors.is_empty());
    });
}

/// Twenty numerals of 500,000 digits took seconds to read, and to print as often as they occurred.
#[test]
fn long_literals_have_few_digits_together_and_are_written_once() {
    let each = smtlib::literal::MAX_LONG_DIGITS / 4;
    let long = |count: usize| (1..=count).map(|n| format!(" {n}{}", "7".repeat(each - 1))).collect::<String>();
    check_round_trip("four quarters", format!("(assert (<{}))", long(4)));
    let fifth = "(assert (<".len() + 4 * (each + 1) + 2;
    check_refused("a fifth quarter", &format!("(assert (<{}))", long(5)), (1, fifth), "a literal of 500000 characters");
    let short = "7".repeat(smtlib::literal::LONG_DIGITS - 1);
    check_round_trip("short ones", format!("(assert (<{}))", format!(" {short}").repeat(1500)));
    let mut store = Store::new();
    let twice = format!("(assert (let ((a{})) (= (+ a 1) (* a 2) a)))", long(1));
    let parsed = parse(&mut store, &twice);
    assert!(parsed.errors.is_empty(), "{:?}", parsed.errors);
    let text = store.script_text(&parsed.script);
    assert!(text.len() < each + 200, "{} characters", text.len());
    check_round_trip("twice the same", twice);
}

#[test]
fn literals_as_long_as_allowed_round_trip() {
    let digits = "7".repeat(smtlib::literal::MAX_DIGITS);
    check_round_trip("numeral", format!("(assert (= 1 {digits}))"));
    let decimal = "7".repeat(smtlib::literal::MAX_DECIMAL_DIGITS - 1);
    check_round_trip("decimal", format!("(assert (= 1.0 7.{decimal}))"));
    let wide = "a".repeat(smtlib::signature::MAX_WIDTH as usize / 4);
    check_round_trip("hexadecimal", format!("(assert (= #x{wide} #x{wide}))"));
}

#[test]
fn garbage_of_ten_megabytes() {
    let size = 10_000_000;
    let one_too_many = "unexpected `)`";
    check_refused("closing", &")".repeat(size), (1, 1), one_too_many);
    check_refused("opening", &"(".repeat(size), (1, 2), "unexpected `(`");
    check_refused("quotes", &"\"".repeat(size + 1), (1, 1), "a string that never ends");
    check_refused("bars", &"|".repeat(size), (1, 1), "unexpected `||`");
    check_refused("colons", &":".repeat(size), (1, 1), "a `:` without a keyword");
    check_refused("nul", &"\0".repeat(size), (1, 1), "unexpected character '\\0'");
    check_refused("pairs", &"()".repeat(size / 2), (1, 2), one_too_many);
    check_refused("words", &"word ".repeat(size / 5), (1, 1), "unexpected `word`");
    check_refused("unclosed", &"(assert ".repeat(size / 8), (1, 10), "unknown symbol `assert`");
    let unknown: String = (0..size / 30).map(|n| format!("(assert (unknown_name_{n} 1))\n")).collect();
    check_refused("unknown names", &unknown, (1, 10), "unknown symbol `unknown_name_0`");
    let mut noise = Vec::with_capacity(size);
    let mut state = 1u64;
    while noise.len() < size {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        noise.push(b"()|\"; :#x1a_!\n"[(state >> 33) as usize % 14]);
    }
    report("noise", || {
        let mut store = Store::new();
        let parsed = parse_bytes(&mut store, &noise).expect("it is ASCII");
        assert!(!parsed.errors.is_empty() && parsed.errors.len() <= smtlib::parser::MAX_ERRORS + 1);
    });
}

#[test]
fn mistakes_are_counted_up_to_a_bound() {
    let mut store = Store::new();
    let parsed = parse(&mut store, &"(foo)".repeat(1000));
    assert_eq!(parsed.errors.len(), smtlib::parser::MAX_ERRORS + 1);
    assert_eq!(parsed.errors.last().map(|e| e.message.as_str()), Some("100 errors; the rest is not read"));
    let parsed = parse(&mut store, &("(foo)".repeat(99) + "(check-sat)"));
    assert_eq!((parsed.errors.len(), parsed.script.commands.len()), (99, 1));
}

#[test]
fn bytes_that_are_no_text() {
    for (bytes, at) in [(&b"(check-sat)\xff"[..], 11), (b"\xc3", 0), (b"(echo \"\xed\xa0\x80\")", 7)] {
        let error = parse_bytes(&mut Store::new(), bytes).expect_err("it is no UTF-8");
        assert_eq!((error.message.as_str(), error.span.start), ("the text is not UTF-8", at));
    }
    assert!(parse_bytes(&mut Store::new(), b"\xef\xbb\xbf(check-sat)").is_ok_and(|p| p.errors.is_empty()));
}

#[test]
fn a_file_cut_short_at_any_byte() {
    let text = include_str!("data/sample.smt2");
    let whole = parse(&mut Store::new(), text);
    assert!(whole.errors.is_empty(), "{}", whole.errors[0].render("sample.smt2", text));
    for end in 0..text.len() {
        let mut store = Store::new();
        let Ok(parsed) = parse_bytes(&mut store, &text.as_bytes()[..end]) else { continue };
        // What is read before the cut is what the whole begins with.
        assert!(parsed.errors.len() <= 1, "at {end}: {:?}", parsed.errors);
        let read = parsed.script.commands.len();
        assert!(read <= whole.script.commands.len());
        if let Some(error) = parsed.errors.first() {
            assert!(error.render("cut", &text[..end]).starts_with("cut:"));
        }
    }
}

#[test]
fn printing_reuses_one_printer_without_slowing_down() {
    // A printer's tables are as large as the store; a small term must not pay for that.
    let mut store = Store::new();
    let p = store.bool(true);
    let mut t: TermId = p;
    let mut small = Vec::new();
    for n in 0..deep() {
        t = store.not(t);
        if n % 10 == 0 {
            small.push(store.app(Op::new(Kind::And), &[p, p]).expect("two Booleans"));
        }
    }
    report("a hundred thousand small terms of a large store", || {
        let dialect = Dialect::default();
        let mut printer = Printer::new(&store, &dialect);
        let mut out = String::new();
        for &t in &small {
            printer.term(t, &mut out);
        }
        assert_eq!(out.len(), small.len() * "(and true true)".len());
    });
}
