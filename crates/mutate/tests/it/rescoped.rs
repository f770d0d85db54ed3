//! Scripts with names bound again: they are read back and ask the same, by our reader and evaluator and by one of another make, which
//! walks the text with an environment and tries every assignment.

use mutate::RandomStream;
use mutate::rescoped::{AddedBinder, ScopeRules, rescope};
use smtlib::sexpr::{SexprNode, Sexprs, bare};
use smtlib::{Status, Store};
use std::collections::{BTreeMap, BTreeSet};

/// All that may be added, and names of all kinds.
fn all(most: u64) -> ScopeRules {
    use AddedBinder::{Definition, Label, Match, Names, Quantifier, Subterm, Unused};
    let binders = vec![Unused, Unused, Names, Names, Names, Subterm, Subterm, Quantifier, Label, Definition, Match];
    ScopeRules { binders, most, takes_any_name: true }
}

/// A value: its width, 0 for `Bool`, and its bits.
type Bits = (u32, u64);

/// What the names of a script stand for; of those of one name the last is meant.
#[derive(Clone, Default)]
struct Environment {
    values: Vec<(String, Bits)>,
    functions: BTreeMap<String, (SexprNode, SexprNode)>,
    widths: Vec<(String, u32)>,
    asserted: Vec<SexprNode>,
}

fn width(text: &str) -> u32 {
    text.trim_start_matches("(_ BitVec ").trim_end_matches(')').parse().unwrap_or(0)
}

fn all_values(width: u32) -> std::ops::Range<u64> {
    0..1 << width.max(1)
}

/// The value of a term, by the text alone.
fn value(text: &Sexprs<'_>, t: SexprNode, around: &Environment) -> Bits {
    let (parts, name) = (text.children(t).collect::<Vec<_>>(), text.text(t));
    if !text.is_list(t) {
        if let Some(digits) = name.strip_prefix("#b") {
            return (digits.len() as u32, u64::from_str_radix(digits, 2).expect("bits"));
        }
        let bound = around.values.iter().rev().find(|(bound, _)| bound == bare(name));
        return bound.map_or_else(|| (0, u64::from(name.parse::<bool>().expect("true or false"))), |(_, value)| *value);
    }
    let is_bound = |head: &str| around.values.iter().any(|(bound, _)| bound == bare(head));
    let head = text.text(parts[0]);
    assert!(!is_bound(head) || matches!(head, "let" | "forall" | "exists" | "!"), "{head} is bound: {name}");
    let mut inner = around.clone();
    match head {
        "!" => value(text, parts[1], around),
        "let" => {
            for binding in text.children(parts[1]) {
                let pair: Vec<SexprNode> = text.children(binding).collect();
                inner.values.push((bare(text.text(pair[0])).into(), value(text, pair[1], around)));
            }
            value(text, parts[2], &inner)
        }
        "forall" | "exists" => {
            let mut cases = vec![inner];
            for var in text.children(parts[1]) {
                let pair = text.words(var);
                let mut more = Vec::new();
                for case in cases {
                    for bits in all_values(width(pair[1])) {
                        let mut case = case.clone();
                        case.values.push((bare(pair[0]).into(), (width(pair[1]), bits)));
                        more.push(case);
                    }
                }
                cases = more;
            }
            let mut truths = cases.iter().map(|case| value(text, parts[2], case).1 == 1);
            (0, u64::from(if head == "forall" { truths.all(|t| t) } else { truths.any(|t| t) }))
        }
        _ => {
            let args: Vec<Bits> = parts[1..].iter().map(|&arg| value(text, arg, around)).collect();
            let (w, a) = args[0];
            let b = args.get(1).map_or(0, |b| b.1);
            let cut = |bits: u64| (w, bits & ((1 << w.max(1)) - 1));
            let truth = |holds: bool| (0, u64::from(holds));
            match bare(head) {
                "not" => truth(a == 0),
                "and" => truth(args.iter().all(|a| a.1 == 1)),
                "or" => truth(args.iter().any(|a| a.1 == 1)),
                "=>" => truth(a == 0 || b == 1),
                "=" => truth(args[0] == args[1]),
                "ite" => {
                    if a == 1 {
                        args[1]
                    } else {
                        args[2]
                    }
                }
                "bvadd" => cut(a + b),
                "bvand" => cut(a & b),
                "bvnot" => cut(!a),
                "bvult" => truth(a < b),
                function => {
                    let (params, body) = around.functions[function];
                    let mut inner = Environment { values: globals(around), ..around.clone() };
                    for (param, arg) in text.children(params).zip(args) {
                        inner.values.push((bare(text.words(param)[0]).into(), arg));
                    }
                    value(text, body, &inner)
                }
            }
        }
    }
}

/// The constants alone: as many as there are widths.
fn globals(around: &Environment) -> Vec<(String, Bits)> {
    around.values.iter().take(around.widths.len()).cloned().collect()
}

/// The answers of a script, by trying every assignment.
fn answers(script: &str) -> Vec<Status> {
    let text = Sexprs::read_whole(script).expect("a script");
    let (mut levels, mut answers) = (vec![Environment::default()], Vec::new());
    for command in text.top() {
        let parts: Vec<SexprNode> = text.children(command).collect();
        let now = levels.last_mut().expect("a level");
        let name = |n: usize| bare(text.text(parts[n])).to_string();
        match text.text(parts[0]) {
            "declare-const" => now.widths.push((name(1), width(text.text(parts[2])))),
            "define-fun" => drop(now.functions.insert(name(1), (parts[2], parts[4]))),
            "assert" => now.asserted.push(parts[1]),
            "push" => levels.push(levels[levels.len() - 1].clone()),
            "pop" => drop(levels.pop()),
            "reset-assertions" => levels = vec![Environment::default()],
            _ => {
                let mut found = false;
                let total: u32 = now.widths.iter().map(|(_, w)| (*w).max(1)).sum();
                for bits in 0..1u64 << total {
                    let (mut at, mut case) = (0, now.clone());
                    // Functions see constants, which keep their places.
                    for (name, w) in &now.widths {
                        case.values.push((name.clone(), (*w, (bits >> at) & ((1 << (*w).max(1)) - 1))));
                        at += (*w).max(1);
                    }
                    found |= now.asserted.iter().all(|&t| value(&text, t, &case).1 == 1);
                }
                answers.push(if found { Status::Sat } else { Status::Unsat });
            }
        }
    }
    answers
}

/// What our reader and evaluator say of each check.
fn read_back(script: &str) -> Vec<Option<Status>> {
    let mut store = Store::new();
    let parsed = smtlib::parse(&mut store, script);
    assert!(parsed.errors.is_empty(), "{:?}\n{script}", parsed.errors);
    let instances = parsed.script.instances();
    instances.iter().map(|instance| crate::support::exhaustion::decided(&mut store, instance)).collect()
}

/// A term of a sort over constants and what is bound, of sorts that are small.
fn term(sort: u32, depth: u32, scope: &mut Vec<(String, u32)>, rng: &mut RandomStream) -> String {
    let names: Vec<String> = scope.iter().filter(|(_, w)| *w == sort).map(|(name, _)| name.clone()).collect();
    if depth == 0 {
        return match rng.pick(&names) {
            Some(name) => name.clone(),
            None if sort == 0 => "true".into(),
            None => format!("#b{:0w$b}", 1, w = sort as usize),
        };
    }
    let sub = |sort: u32, scope: &mut Vec<(String, u32)>, rng: &mut RandomStream| term(sort, depth - 1, scope, rng);
    let other = [0, 1, 2][rng.index(3)];
    match (rng.below(7), sort) {
        (0, _) => {
            let (name, bound) = (format!("l{}", scope.len()), sub(other, scope, rng));
            scope.push((name.clone(), other));
            let body = sub(sort, scope, rng);
            scope.pop();
            format!("(let (({name} {bound})) {body})")
        }
        (1, _) => format!("(ite {} {} {})", sub(0, scope, rng), sub(sort, scope, rng), sub(sort, scope, rng)),
        (2, 0) => {
            let (name, word) = (format!("q{}", scope.len()), if rng.coin() { "forall" } else { "exists" });
            scope.push((name.clone(), other));
            let body = sub(0, scope, rng);
            scope.pop();
            let sort = if other == 0 { "Bool".to_string() } else { format!("(_ BitVec {other})") };
            format!("({word} (({name} {sort})) {body})")
        }
        (3, 0) => format!("(= {} {})", sub(other, scope, rng), sub(other, scope, rng)),
        (4, 0) => format!("(bvult {} {})", sub(2, scope, rng), sub(2, scope, rng)),
        (5, 0) => format!("(not {})", sub(0, scope, rng)),
        (_, 0) => format!("({} {} {})", ["and", "or", "=>"][rng.index(3)], sub(0, scope, rng), sub(0, scope, rng)),
        (2, _) => format!("(bvnot {})", sub(sort, scope, rng)),
        (_, _) => format!("({} {} {})", ["bvadd", "bvand"][rng.index(2)], sub(sort, scope, rng), sub(sort, scope, rng)),
    }
}

/// A script of one problem, or of two that share names of different sorts.
fn script(rng: &mut RandomStream) -> String {
    let problem = |rng: &mut RandomStream| {
        let (mut text, mut scope) = (String::new(), Vec::new());
        for n in 0..rng.between(2, 3) {
            let w = [0, 1, 2][rng.index(3)];
            let sort = if w == 0 { "Bool".to_string() } else { format!("(_ BitVec {w})") };
            text += &format!("(declare-const x{n} {sort})");
            scope.push((format!("x{n}"), w));
        }
        for _ in 0..rng.between(1, 3) {
            text += &format!("(assert {})", term(0, 3, &mut scope, rng));
        }
        text + "(check-sat)"
    };
    let (first, next) = (problem(rng), problem(rng));
    match rng.below(4) {
        0 => format!("(push 1){first}(pop 1){next}"),
        1 => format!("{first}(reset-assertions){next}"),
        _ => first,
    }
}

/// 2,000 take the time of `SQUALL_PROBLEMS=2000`.
#[test]
fn a_reader_of_another_make_finds_the_same_answers() {
    let (mut made, mut seen, mut refused) = (0, BTreeMap::<String, u32>::new(), 0);
    let count = testing::amount("SQUALL_PROBLEMS", 300);
    for seed in 0..count {
        let mut rng = RandomStream::from_seed(seed);
        let plain = script(&mut rng);
        let expected = answers(&plain);
        let Some(rescoped) = rescope(&plain, &all(6), &mut rng) else { continue };
        assert_eq!(answers(&rescoped), expected, "{seed}:\n{plain}\n{rescoped}");
        let ours = read_back(&rescoped);
        assert_eq!(ours.len(), expected.len(), "{rescoped}");
        refused += ours.iter().filter(|answer| answer.is_none()).count();
        assert!(
            ours.iter().zip(&expected).all(|(ours, expected)| ours.is_none_or(|ours| ours == *expected)),
            "{rescoped}"
        );
        made += 1;
        for answer in expected {
            *seen.entry(format!("{answer:?}")).or_default() += 1;
        }
    }
    println!("{made} of {count} rescoped, {seen:?}, {refused} not decided");
    assert!(
        made * 10 > count * 8 && refused == 0 && seen.values().all(|&n| n * 10 > made as u32),
        "{made}, {refused}, {seen:?}"
    );
}

/// Each kind of binder comes up, and its name is one that something else has.
#[test]
fn binders_of_all_kinds_bind_names_again() {
    let text = "(declare-datatypes ((D 0)) (((c (s Int)) (e))))(declare-const x Int)(declare-const d D)(declare-fun f (Int) Bool)\
                (assert (forall ((y Int)) (=> (> y x) (f (+ y 1)))))(assert (or (= d e) (let ((z (s d))) (< z x))))(check-sat)";
    let found = |rules: &ScopeRules| {
        let mut found = BTreeSet::new();
        for seed in 0..400 {
            let made = rescope(text, rules, &mut RandomStream::from_seed(seed)).unwrap_or_default();
            assert!(smtlib::parse(&mut Store::new(), &made).errors.is_empty(), "{made}");
            let all = [
                "(exists ((",
                "(match d (",
                ":named",
                "(define-fun n0 ((",
                "((x d)",
                "((x Int))",
                "((c Int))",
                "((s Int))",
                "((f Int)",
                "((and ",
                "(|let| ",
                "|x|",
                "((d x) (x d))",
            ];
            found.extend(all.into_iter().filter(|part| made.contains(part)));
        }
        found
    };
    let seen = found(&all(6));
    assert!(seen.len() >= 12, "{seen:?}");
    let few = found(&ScopeRules::of("", 6));
    let kept: BTreeSet<&str> = ["((x d)", "((x Int))", "((c Int))", "((s Int))", "((f Int)", "((d x) (x d))"].into();
    assert!(few.is_subset(&kept) && few.len() > 3, "{few:?}");
}

/// What captures changes the meaning, and what does not read stays as it is.
#[test]
fn a_name_that_would_capture_is_not_taken() {
    let text = "(declare-const a Bool)(declare-const b Bool)(assert (exists ((c Bool)) (and (= a c) (not (= a b)) (let ((e b)) (= e c)))))(check-sat)";
    for seed in 0..300 {
        let made = rescope(text, &all(1), &mut RandomStream::from_seed(seed)).unwrap_or(text.into());
        assert_eq!(answers(&made), [Status::Unsat], "{made}");
        assert_eq!(read_back(&made), [Some(Status::Unsat)], "{made}");
    }
    for text in ["(assert (and a)", "", "(check-sat)", "(declare-const a Bool)(check-sat)"] {
        assert_eq!(rescope(text, &all(6), &mut RandomStream::from_seed(1)), None, "{text}");
    }
}
