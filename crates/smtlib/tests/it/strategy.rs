//! The strategy language: what is read, how it prints, what is said of errors, and what is shorter.
//!
//! The cases are in `tests/strategies`, in the form that `support/cases.rs` describes. Lines above a strategy state what is expected:
//! - `; expect: same`: the text is printed unchanged; `; expect: prints TEXT`: it is printed as TEXT.
//! - `; expect: at LINE:COLUMN TEXT`: there is an error, which marks this text; `; expect: error PART`: its message, or after ` | ` its
//!   advice, contains PART.
//! - `; expect: shorter STRATEGY`: this is one of the shorter strategies.
//!
//! Whatever is expected, what is read is printed and read again as the same strategy, and so is each shorter one.

use crate::support::cases::{Case, cases_in, read_cases};
use smtlib::strategy::{
    Arguments, MAX_DEPTH, MAX_EXPANDED, ParamKind, ProbeKind, ProbeName, Strategy, StrategyVocabulary, TacticName,
    parse_strategy, shorter,
};

fn vocabulary() -> StrategyVocabulary {
    let mut v = StrategyVocabulary::default();
    let mut tactic = |name: &str, arguments, params: Option<&[&str]>| {
        let params = params.map(|p| p.iter().map(ToString::to_string).collect());
        v.tactics.insert(name.to_string(), TacticName { arguments, params });
    };
    for name in ["simplify", "solve-eqs", "simplex", "floyd-warshall", "split-or"] {
        tactic(name, Arguments::None, Some(&["max-steps", "random-seed"]));
    }
    tactic("smt", Arguments::Optional, Some(&["max-steps", "random-seed"]));
    tactic("over", Arguments::Strategy, Some(&[]));
    for (name, kind) in [("diff", ProbeKind::Truth), ("is-qfbv", ProbeKind::Truth), ("atoms", ProbeKind::Number)] {
        v.probes.insert(name.to_string(), ProbeName { kind });
    }
    v.probes.insert("dim".to_string(), ProbeName { kind: ProbeKind::Number });
    v.parameters.extend([
        ("some_switch".to_string(), ParamKind::Truth),
        ("some_size".to_string(), ParamKind::Natural),
        ("some_factor".to_string(), ParamKind::Decimal),
        ("some_way".to_string(), ParamKind::Word),
    ]);
    v.refused.insert("sine-filter".to_string(), "its sat is no answer".to_string());
    v.strategies
        .insert("mine".to_string(), parse_strategy("(then skip fail)", &StrategyVocabulary::default()).unwrap());
    v
}

/// What is wrong with a case: expectations that do not hold, with what was found in their place.
fn failures(case: &Case, v: &StrategyVocabulary) -> Vec<String> {
    if !case.given.is_empty() {
        return vec![format!("{}: nothing precedes a strategy: leave `; given:` out", case.place)];
    }
    let text = &case.text;
    let read = parse_strategy(text, v);
    let less = read.as_ref().map(shorter).unwrap_or_default();
    let found = match &read {
        Ok(read) => vec![format!("prints {read}")],
        Err(error) => {
            let ((line, column), marked) = (error.position(text), &text[error.span.clone()]);
            let help = error.help.as_ref().map_or(String::new(), |help| format!(" | {help}"));
            vec![format!("at {line}:{column} {marked}"), format!("error {error}{help}")]
        }
    };
    let shorter: Vec<String> = less.iter().map(|strategy| format!("shorter {strategy}")).collect();
    let holds = |expected: &str| match expected.split_once(' ').unwrap_or((expected, "")) {
        ("same", _) => found == [format!("prints {text}")],
        ("prints", _) => found[0] == expected,
        ("at", _) => found[0].trim_end() == expected,
        ("error", part) => found.last().is_some_and(|found| found.starts_with("error ") && found.contains(part)),
        ("shorter", _) => shorter.iter().any(|found| found == expected),
        _ => false,
    };
    let failing = case.headers.iter().filter(|(_, expected)| !holds(expected));
    let found = [&found[..], &shorter].concat().join("\n    ");
    let fail = |expected: &str| format!("{}: {}\n  expected: {expected}\n  found:\n    {found}", case.place, case.name);
    let mut wrong: Vec<String> = failing.map(|(_, expected)| fail(expected)).collect();
    if let Ok(read) = &read {
        let again = |strategy: &Strategy| parse_strategy(&strategy.to_string(), v).as_ref() == Ok(strategy);
        wrong.extend((!again(read)).then(|| fail("printed and read again, the same strategy")));
        let is_shorter = |s: &Strategy| s != read && s.size() <= read.size() && again(s);
        wrong.extend(less.iter().find(|s| !is_shorter(s)).map(|s| fail(&format!("{s} is well-formed and not larger"))));
    } else if !case.headers.iter().any(|(_, expected)| expected.starts_with("at ")) {
        wrong.push(fail("no error"));
    }
    wrong
}

#[test]
fn every_case_is_read_as_expected() {
    let (v, cases) = (vocabulary(), cases_in("strategies", &["expect"]));
    assert!(cases.len() >= 85, "{} cases", cases.len());
    let wrong: Vec<String> = cases.iter().flat_map(|case| failures(case, &v)).collect();
    assert!(wrong.is_empty(), "{} of {} cases fail:\n{}", wrong.len(), cases.len(), wrong.join("\n"));
}

#[test]
fn a_wrong_expectation_fails_with_its_place_and_both_texts() {
    let v = vocabulary();
    let check = |text: &str, expect: &[&str]| {
        let said = match read_cases("file.txt", &format!("; case: a case\n{text}\n"), &["expect"]) {
            Ok(cases) => cases.iter().flat_map(|case| failures(case, &v)).collect::<Vec<_>>().join("\n"),
            Err(error) => error,
        };
        assert_eq!(said.is_empty(), expect.is_empty(), "{text}\n{said}");
        expect.iter().for_each(|part| assert!(said.contains(part), "`{part}` is missing in\n{said}"));
    };
    let place = "file.txt:1: a case";
    check("; expect: prints smt\n(smt)", &[]);
    check("; expect: same\n(smt)", &[place, "expected: same", "prints smt"]);
    check("; expect: prints skip\nsmt", &[place, "prints skip", "prints smt"]);
    check("; expect: at 1:2 smt\nsmtt", &[place, "at 1:2 smt", "at 1:1 smtt"]);
    check(
        "; expect: at 1:1 smtt\n; expect: error no probe\nsmtt",
        &[place, "error no probe", "error there is no tactic"],
    );
    check("; expect: error there is\nsmtt", &[place, "no error", "error there is no tactic"]);
    check("; expect: shorter simplify\n(then skip smt)", &[place, "shorter simplify", "shorter smt"]);
    check("; expect: fine\nsmt", &[place, "expected: fine", "prints smt"]);
    check("; expct: same\nsmt", &["file.txt:2: unknown word `expct`"]);
}

#[test]
fn depth_is_bounded() {
    let v = vocabulary();
    let check = |text: &str, at: &str, words: &[&str]| {
        let error = parse_strategy(text, &v).expect_err(text);
        assert_eq!(&text[error.span.clone()], at);
        words.iter().for_each(|word| assert!(error.render("s", text).contains(word), "{word}"));
    };
    let deep = "(then ".repeat(MAX_DEPTH + 1);
    check(&deep, "(", &["nest deeper"]);
    let deep = format!("(when {} smt)", "(not ".repeat(1_000_000));
    check(&deep, "(", &["nest deeper"]);
}

#[test]
fn names_stand_for_bounded_strategies() {
    let mut v = vocabulary();
    let check = |v: &StrategyVocabulary, text: &str, words: &[&str]| match parse_strategy(text, v) {
        Ok(read) => {
            assert!(words.is_empty(), "{text} is read");
            assert!(read.size() <= MAX_EXPANDED && read.depth() <= MAX_DEPTH, "{text}");
        }
        Err(error) => {
            assert!(!words.is_empty(), "{error}");
            assert_eq!(&text[error.span.clone()], "big", "{error}");
            words.iter().for_each(|word| assert!(error.to_string().contains(word), "{word} is missing in {error}"));
        }
    };
    let mut name = |text: &str| v.strategies.insert("big".to_string(), parse_strategy(text, &vocabulary()).unwrap());
    let nested = |n: usize| format!("{}skip{}", "(then ".repeat(n), ")".repeat(n));
    let named = name(&nested(MAX_DEPTH));
    assert_eq!(named, None);
    check(&v, "big", &[]);
    check(&v, "(big)", &["nests deeper than 200"]);
    check(&v, "(then big)", &["`big`", "nests deeper than 200"]);
    v.strategies.insert("big".to_string(), parse_strategy(&nested(MAX_DEPTH - 1), &vocabulary()).unwrap());
    check(&v, "(then big skip)", &[]);
    let wide = format!("(then {})", "skip ".repeat(MAX_EXPANDED / 2));
    v.strategies.insert("big".to_string(), parse_strategy(&wide, &vocabulary()).unwrap());
    check(&v, "(then big big)", &["more than 10000 parts"]);
    let wide = format!("(then {})", "skip ".repeat(MAX_EXPANDED / 2 - 2));
    v.strategies.insert("big".to_string(), parse_strategy(&wide, &vocabulary()).unwrap());
    check(&v, "(then big big)", &[]);
    check(&v, "(then big big big)", &["more than 10000 parts"]);
}

#[test]
fn names_of_another_solver_are_taken_as_they_are() {
    let v = StrategyVocabulary::of_names(["qfnra", "simplify"], ["num-consts"]);
    let text = "(if (> num-consts 3) (using-params qfnra :any 3) (when num-consts simplify))";
    assert_eq!(parse_strategy(text, &v).unwrap().to_string(), text);
    assert!(parse_strategy("smt", &v).is_err());
}
