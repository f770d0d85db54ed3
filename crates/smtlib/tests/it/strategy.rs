//! The strategy language: what is read, how it prints, what is said of mistakes, and what is shorter.

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

#[test]
fn strategies_are_read_and_printed() {
    let v = vocabulary();
    let check = |text: &str, expect: &str| {
        let read = parse_strategy(text, &v).unwrap_or_else(|e| panic!("{}", e.render("strategy", text)));
        assert_eq!(read.to_string(), expect);
        assert_eq!(parse_strategy(expect, &v).as_ref(), Ok(&read), "printed and read back");
    };
    check("simplify", "simplify");
    check("(simplify)", "simplify");
    check(" ; a comment\n skip ; and another", "skip");
    check(
        "(then simplify solve-eqs (or-else (try-for smt 5000) simplex))",
        "(then simplify solve-eqs (or-else (try-for smt 5000) simplex))",
    );
    check("(and-then simplify smt)", "(then simplify smt)");
    check(
        "(or-else (then (fail-if (and diff (> (/ atoms dim) 10))) simplex) floyd-warshall)",
        "(or-else (then (fail-if (and diff (> (/ atoms dim) 10))) simplex) floyd-warshall)",
    );
    check("(cond diff floyd-warshall simplex)", "(if diff floyd-warshall simplex)");
    check(
        "(when (not (=> is-qfbv diff)) (repeat (then split-or simplify) 3))",
        "(when (not (=> is-qfbv diff)) (repeat (then split-or simplify) 3))",
    );
    check("(repeat-up-to simplify 7)", "(repeat simplify 7)");
    check("(! simplify :max-steps 10)", "(using-params simplify :max-steps 10)");
    check(
        "(with (then simplify smt) :max_steps 10 :random_seed 3)",
        "(using-params (then simplify smt) :max_steps 10 :random_seed 3)",
    );
    check(
        "(par-or (solver z3@4.15.4) (solver \"./a b\" :tactic (then simplify smt) :smt.random_seed 3))",
        "(par-or (solver z3@4.15.4) (solver \"./a b\" :tactic (then simplify smt) :smt.random_seed 3))",
    );
    check("(smt (then simplify simplex))", "(smt (then simplify simplex))");
    check("(smt)", "smt");
    check("(thens split-or simplex floyd-warshall)", "(thens split-or simplex floyd-warshall)");
    check("(par-then split-or smt)", "(par-then split-or smt)");
    check(
        "(if (<= (+ atoms 2.5 (* dim dim)) (- 100 dim)) skip fail)",
        "(if (<= (+ atoms 2.5 (* dim dim)) (- 100 dim)) skip fail)",
    );
    check("(then mine simplify)", "(then (then skip fail) simplify)");
    // The spellings of the paper and of the slides.
    check("(orelse (tryfor smt 5) (failif diff) simplify)", "(or-else (try-for smt 5) (fail-if diff) simplify)");
    check("(par smt simplex)", "(par-or smt simplex)");
    check("(then* split-or smt skip)", "(thens split-or smt skip)");
    check("(repeatupto simplify 3)", "(repeat simplify 3)");
    // A tactic of a solver's own is not looked into.
    check("(then (solver-tactic z3 (then a (b :c 1))) smt)", "(then (solver-tactic z3 (then a (b :c 1))) smt)");
    check("(then (exec \"./mine --x \"\"a b\"\"\") smt)", "(then (exec \"./mine --x \"\"a b\"\"\") smt)");
    check("(! (rules \"F\") :max_steps 3)", "(using-params (rules \"F\") :max_steps 3)");
    check("(or-else (rules \"my rules.txt\") skip)", "(or-else (rules \"my rules.txt\") skip)");
    check("(solver-tactic \"./a b\" qe2)", "(solver-tactic \"./a b\" qe2)");
    check("(! (solver-tactic z3 qe2) :anything 3)", "(using-params (solver-tactic z3 qe2) :anything 3)");
    check(
        "(! simplify :some_switch true :some-size 3 :some_factor -0.5 :some_way a-b)",
        "(using-params simplify :some_switch true :some-size 3 :some_factor -0.5 :some_way a-b)",
    );
}

#[test]
fn mistakes_are_told_with_place_and_advice() {
    let v = vocabulary();
    let check = |text: &str, at: &str, words: &[&str]| {
        let error = parse_strategy(text, &v).expect_err(text);
        let shown = error.render("s", text);
        assert_eq!(&text[error.span.clone()], at, "the place in {text}\n{shown}");
        for word in words {
            assert!(shown.contains(word), "`{word}` is missing in\n{shown}");
        }
    };
    check("(then simplfy smt)", "simplfy", &["there is no tactic `simplfy`", "did you mean `simplify` or `simplex`?"]);
    check("(then simplify smtt)", "smtt", &["`smt`"]);
    check("(thn simplify smt)", "thn", &["`then`"]);
    check("zzzzzzzzzzzz", "zzzzzzzzzzzz", &["squall tactics"]);
    check("(when is-qfb smt)", "is-qfb", &["there is no probe", "`is-qfbv`"]);
    check("(when simplify smt)", "simplify", &["is a tactic, but a probe was expected here"]);
    check("(then diff smt)", "diff", &["is a probe, but a strategy was expected here"]);
    check("(then (> atoms 3) smt)", ">", &["a probe is not a strategy"]);
    check("(when atoms smt)", "atoms", &["is a number", "(> atoms 0)"]);
    check("(when (+ atoms 1) smt)", "+", &["a number instead of a truth value"]);
    check("(when (> diff 3) smt)", "diff", &["is a truth value, but a number was expected"]);
    check("(when (> (and diff) 3) smt)", "and", &["makes no number"]);
    check("(if diff simplify)", "if", &["too few", "(if PROBE S S)"]);
    check("(if diff simplify smt fail)", "fail", &["no more arguments"]);
    check("(try-for smt)", "try-for", &["too few", "milliseconds"]);
    check("(try-for smt soon)", "soon", &["the time in milliseconds"]);
    check("(try-for smt 5000000000)", "5000000000", &["too large"]);
    check("(try-for 5000 smt)", "5000", &["the number 5000 is not a strategy"]);
    check("try-for", "try-for", &["needs arguments"]);
    check("(simplify smt)", "smt", &["no more arguments"]);
    check("over", "over", &["needs a strategy"]);
    check("(over)", "over", &["too few"]);
    check("(then)", "then", &["too few"]);
    check("(then simplify", "then", &["never closed"]);
    check("()", ")", &["a strategy's name was expected"]);
    check("simplify smt", "smt", &["text after the strategy"]);
    check("", "", &["the text ends"]);
    check("(using-params simplify :max-step 3)", ":max-step", &["no tactic here has a parameter", "`max-steps`"]);
    check("(using-params skip :x 3)", ":x", &["no tactic here has parameters"]);
    check("(using-params simplify :max-steps)", ")", &["has no value"]);
    check("(using-params simplify 3)", "3", &["`3` is not a parameter"]);
    check("(! simplify :some_switch 3)", "3", &["`some_switch` is not `3`", "true or false"]);
    check("(! simplify :some_size -3)", "-3", &["is not `-3`", "a numeral"]);
    check("(! simplify :some_size 4294967296)", "4294967296", &["below 2^32"]);
    check("(! simplify :some_factor fast)", "fast", &["takes a number"]);
    check("(then sine-filter smt)", "sine-filter", &["`sine-filter` is not available here", "its sat is no answer"]);
    check("(when sine-filter smt)", "sine-filter", &["the probe `sine-filter`", "its sat is no answer"]);
    check("(orelse)", "orelse", &["too few", "(or-else S S …)"]);
    check("(solver-tactic z3)", "solver-tactic", &["too few", "(solver-tactic SPEC T)"]);
    check("(solver-tactic z3 (then a)", "solver-tactic", &["never closed"]);
    check("(solver-tactic z3 (then a", "(", &["never closed"]);
    check("(solver-tactic z3 3)", "3", &["is no tactic"]);
    check("(solver-tactic z3 a b)", "b", &["no more arguments"]);
    check("(exec)", "exec", &["too few", "(exec \"COMMAND\")"]);
    check("exec", "exec", &["needs arguments", "(exec \"COMMAND\")"]);
    check("(exec mine)", "mine", &["expected a command as a string, found `mine`"]);
    check("(exec \" \")", "\" \"", &["expected a command, found an empty string"]);
    check("(exec \"a\" \"b\")", "\"b\"", &["no more arguments"]);
    check("(rules 3)", "3", &["expected the name of a file as a string, found `3`", "(rules \"FILE\")"]);
    check("(rules)", "rules", &["too few"]);
    check("(! (rules \"F\") :max-step 3)", ":max-step", &["`max-steps`"]);
    check("(! (exec \"F\") :x 3)", ":x", &["no tactic here has parameters"]);
    check("(solver)", "solver", &["too few"]);
    check("(solver \"\")", "\"\"", &["no solver is named"]);
    check("(solver 3)", "3", &["names no solver"]);
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

#[test]
fn shorter_strategies_are_well_formed_and_shorter() {
    let v = vocabulary();
    let check = |text: &str, among: &[&str]| {
        let whole = parse_strategy(text, &v).unwrap();
        let found = shorter(&whole);
        for s in &found {
            assert_ne!(*s, whole);
            assert_eq!(parse_strategy(&s.to_string(), &v).as_ref(), Ok(s), "{s}");
            assert!(s.size() <= whole.size());
        }
        let found: Vec<String> = found.iter().map(Strategy::to_string).collect();
        for wanted in among {
            assert!(found.iter().any(|f| f == wanted), "{wanted} is not among {found:#?}");
        }
    };
    check("(then simplify solve-eqs smt)", &["simplify", "(then simplify smt)", "(then solve-eqs smt)"]);
    check(
        "(using-params (then simplify smt) :max-steps 3 :random-seed 1)",
        &["(then simplify smt)", "(using-params (then simplify smt) :random-seed 1)"],
    );
    check(
        "(if (and diff is-qfbv) (then skip smt) fail)",
        &["(then skip smt)", "fail", "(if diff (then skip smt) fail)", "(if (and diff is-qfbv) smt fail)"],
    );
    check("(fail-if (not diff))", &["skip", "(fail-if diff)"]);
    check("(repeat simplify 100)", &["simplify", "(repeat simplify 50)"]);
    check("(smt simplex)", &["smt", "simplex"]);
    check("skip", &[]);
    check("(then (solver-tactic z3 (then a b)) smt)", &["(solver-tactic z3 (then a b))", "smt"]);
}
