//! Relations hold: a correct solver never contradicts itself, and one that lies about one of the two scripts always
//! does.

use mutate::rng::RandomStream;
use oracle::exhaustion;
use oracle::relation::{AskedPair, RELATIONS, RelatedScript, Relation, ScriptsRelate};
use smtlib::Status;
use solver::install::Fleet;
use solver::outcome::{Answer, CheckAnswer, SolverOutcome};
use solver::session::Solver;
use std::collections::BTreeMap;

/// The answer of a solver that tries every assignment. Its core lists everything that it was asked about.
fn truth(script: &RelatedScript) -> SolverOutcome {
    let mut answers = Vec::new();
    for check in 0..=script.check {
        let known = exhaustion::decide_text(&script.text, check).unwrap_or_else(|e| panic!("{e}: {}", script.text));
        let answer = if known.word() == "sat" { Answer::Sat } else { Answer::Unsat };
        answers.push(CheckAnswer { answer, said: None, responses: vec![names(&script.text)] });
    }
    SolverOutcome { answers, ..SolverOutcome::nothing() }
}

/// A list of all names that a script gives its assertions or assumptions.
fn names(text: &str) -> String {
    let of = |after: &str| -> Vec<String> {
        text.split(after).skip(1).filter_map(|rest| Some(rest.split([' ', ')']).next()?.to_string())).collect()
    };
    let named = of(":named ");
    let defined: Vec<String> = of("(define-fun ").into_iter().filter(|name| name.starts_with("assumed")).collect();
    format!("({})", if named.is_empty() { defined.join(" ") } else { named.join(" ") })
}

fn flipped(mut outcome: SolverOutcome) -> SolverOutcome {
    if let Some(last) = outcome.answers.last_mut() {
        last.answer = if last.answer == Answer::Sat { Answer::Unsat } else { Answer::Sat };
        // A lying solver names only a part.
        last.responses = vec!["()".to_string()];
    }
    outcome
}

/// A small script with a check, some of it in levels and under assumptions.
fn script(rng: &mut RandomStream) -> String {
    let mut text = String::from("(set-logic QF_BV)\n(declare-const p Bool)\n(declare-fun q () Bool)\n");
    text.push_str("(declare-const v (_ BitVec 2))\n(declare-const w (_ BitVec 2))\n");
    let levels = rng.coin();
    for n in 0..rng.between(2, 6) {
        let terms = ["p", "(not p)", "(or q (= v w))", "(bvult v w)", "(bvult w v)", "(=> p (= v #b10))", "(= w #b00)"];
        let term = terms[rng.index(terms.len())];
        if levels && rng.percent(30) {
            text.push_str("(push 1)\n");
        }
        match rng.below(5) {
            0 => text.push_str(&format!("(assert (! {term} :named own{n}))\n")),
            _ => text.push_str(&format!("(assert {term})\n")),
        }
    }
    text.push_str(if levels && rng.coin() { "(check-sat-assuming (q))\n" } else { "(check-sat)\n" });
    text
}

fn solver() -> Solver {
    let fleet = Fleet::of_user().expect("a fleet");
    fleet.solver(fleet.resolve(&"builtin:sat".parse().expect("a specification")).expect("it is built in"))
}

/// The results of `asked` for random scripts and drawn relations, counted by relation.
fn pairs(lies: bool, expect: impl Fn(&AskedPair, &str)) -> BTreeMap<&'static str, u64> {
    let (mut rng, solver) = (RandomStream::from_seed(7), solver());
    let mut asked = BTreeMap::new();
    let wanted = testing::amount("SQUALL_RELATIONS", 2000);
    while asked.values().sum::<u64>() < wanted {
        let text = script(&mut rng);
        let own = exhaustion::decide_text(&text, 0).expect("it is decided").word();
        let known = if own == Status::Sat.word() { Answer::Sat } else { Answer::Unsat };
        let Some((relation, base)) = Relation::draw(&text, 0, known, &mut rng) else { continue };
        // The first script asked is the new one; for cores it is the second.
        let lie = usize::from(relation.row().relates.takes_words());
        let mut calls = 0;
        let mut run = |script: &RelatedScript| {
            let said = if lies && calls == lie { flipped(truth(script)) } else { truth(script) };
            calls += 1;
            Ok(said)
        };
        let pair = relation.ask(&solver, &base, Some(known), &mut run).expect("it runs");
        if calls > lie {
            expect(&pair, &format!("{}: {text}\n{base}", relation.row().name));
            *asked.entry(relation.row().name).or_insert(0) += 1;
        }
    }
    asked
}

#[test]
fn a_solver_that_is_right_never_contradicts_itself() {
    let asked = pairs(false, |pair, told| assert!(pair.hit().is_none(), "{told}\n{pair:?}"));
    println!("{asked:?}");
}

#[test]
fn a_solver_that_lies_about_one_script_contradicts_itself() {
    // `unsat` for a stronger script and `sat` for a weaker one are lies that cannot be detected.
    let shows = |pair: &AskedPair, told: &str| assert!(pair.hit().is_some(), "{told}\n{pair:?}");
    let asked = pairs(true, shows);
    println!("{asked:?}");
    for row in RELATIONS.iter().filter(|row| !row.relates.takes_words()) {
        // Relations that need commands unknown to a stand-in are drawn, and ask nothing.
        let needs_commands = matches!(row.name, "assumed" | "again");
        assert_eq!(asked.contains_key(row.name), !needs_commands, "{}: {asked:?}", row.name);
    }
}

/// Which answers to the first and second script contradict each other, and that no others do.
#[test]
fn only_definite_answers_contradict() {
    let all = [Answer::Sat, Answer::Unsat, Answer::Unknown, Answer::Timeout, Answer::Void, Answer::Missing];
    let check = |relates: ScriptsRelate, expect: &[(Answer, Answer)]| {
        for (first, second) in all.into_iter().flat_map(|first| all.map(|second| (first, second))) {
            let found = relates.contradicts(first, second);
            assert_eq!(found, expect.contains(&(first, second)), "{relates:?} {first:?} {second:?}");
        }
    };
    let falls = (Answer::Unsat, Answer::Sat);
    check(ScriptsRelate::Stronger, &[falls]);
    check(ScriptsRelate::Needed, &[falls]);
    check(ScriptsRelate::Same, &[falls, (Answer::Sat, Answer::Unsat)]);
    check(ScriptsRelate::Told, &[falls, (Answer::Sat, Answer::Unsat)]);
}

/// A script with a command of unknown effect on checks has no relations.
#[test]
fn what_is_not_known_has_no_relations() {
    let check = |commands: &str, expect: bool| {
        let text = format!("{commands}(assert p)(assert q)(check-sat)");
        let mut rng = RandomStream::from_seed(1);
        assert_eq!(Relation::draw(&text, 0, Answer::Sat, &mut rng).is_some(), expect, "{text}");
    };
    let declared = "(declare-const p Bool)(declare-const q Bool)";
    let with = |more: &str, expect: bool| check(&format!("{more}{declared}"), expect);
    with("", true);
    with("(set-logic QF_ALL)(declare-heap (Int Int))", true);
    with("(set-info :status sat)(set-option :produce-models true)", true);
    with("(set-logic HORN)", false);
    with("(set-option :global-declarations true)", false);
    with("(declare-rel r (Int))", false);
    with("(define-fun-rec f ((x Int)) Int (f x))", false);
    with("(define-fun-rec f ((x Int)) Int (ite (<= x 0) 0 (f (- x 1))))", true);
    check(&format!("{declared}(minimize 1)"), false);
    check(&format!("{declared}(assert-soft p)"), false);
    check(&format!("{declared}(reset-assertions)"), false);
    check(&format!("{declared}(set-option :produce-models true)"), false);
    check(&format!("{declared}(push 1)(check-sat-using smt)(pop 1)"), false);
    check(&format!("{declared}(query p)"), false);
    check(&format!("{declared}(pop 1)"), false);
    check(&format!("{declared} p "), false);
    let deep = format!("{declared}(assert {}p{})", "(not ".repeat(100_000), ")".repeat(100_000));
    check(&deep, true);
}

/// cvc5 1.4.2 refutes the script, and with `(= (as sep.nil Int) 3)` added it does not: what occurs in no term has to be
/// added, too.
#[test]
fn numerals_and_the_location_of_no_heap_are_added() {
    let text = "(set-logic ALL)(declare-heap (Int Int))(declare-const y Int)(assert (pto y y))(assert (pto 0 y))\
                (assert (wand (pto 3 y) (pto 1 y)))(check-sat)";
    let added = |text: &str| -> String {
        let draw = |seed| Relation::begin("added", text, 0, &mut RandomStream::from_seed(seed));
        (0..400).filter_map(draw).map(|(_, text)| text).collect()
    };
    let all = added(text);
    for part in ["(= (as sep.nil Int) 3)", "(= y 3)", "(= y (as sep.nil Int))"] {
        assert!(all.contains(part), "{part}");
    }
    // It is unknown whether a numeral is an integer there.
    let reals = "(set-logic ALL)(declare-const x Real)(declare-const y Int)(assert (< x 7))(check-sat)";
    assert!(!added(reals).contains("y 7)"));
}

/// The second script of a relation, by a solver's output for the first.
fn second_script(name: &str, text: &str, said: impl Fn(&str) -> String) -> Option<String> {
    let (relation, base) = Relation::begin(name, text, 0, &mut RandomStream::from_seed(3))?;
    let mut run = |script: &RelatedScript| {
        let told = said(&script.text);
        let answer = CheckAnswer { answer: Answer::Sat, said: None, responses: vec![told.clone()] };
        let stdout = format!("sat\n{told}\n").into_bytes();
        Ok(SolverOutcome { answers: vec![answer], stdout, ..SolverOutcome::nothing() })
    };
    let pair = relation.ask(&solver(), &base, None, &mut run).expect("it runs");
    assert!(pair.hit().is_none(), "two of `sat`");
    pair.second.map(|(script, _)| script.text)
}

/// A solver's statements about its answer are asserted verbatim; missing or rephrased ones are not.
#[test]
fn a_solver_is_taken_at_its_word() {
    let check = |name: &str, said: &str, expect: Option<&str>| {
        let text = "(set-logic ALL)(declare-const p Bool)(declare-const x Int)(assert (or p (> x 1)))(check-sat)";
        // The name of the part that is asked about first.
        let told = |first: &str| {
            let name = |part: &str| first.split(&format!("(! {part} :named ")).nth(1)?.split(')').next();
            let asked =
                first.split("(get-value (").nth(1).and_then(|rest| rest.split("))\n").next()).unwrap_or_default();
            let value = |term: &str| format!("({term} {})", if term == "x" { "2" } else { "true" });
            let terms = smtlib::sexpr::Sexprs::read(asked);
            let values: String = terms.top().map(|node| value(terms.text(node))).collect();
            said.replace("PART", name("p").unwrap_or("none")).replace("VALUES", &values)
        };
        let second = second_script(name, text, told);
        assert_eq!(expect.is_some(), second.is_some(), "{name} {said}: {second:?}");
        let second = second.unwrap_or_default();
        assert!(expect.is_none_or(|part| second.contains(part)), "{name} {said}: {second}");
    };
    check("assigned", "((PART true))", Some("(assert p)"));
    check("assigned", "((other true) (PART false))", Some("(assert (not p))"));
    check("assigned", "((PART maybe))", None);
    check("assigned", "((other true))", None);
    check("assigned", "no", None);
    check("valued", "(VALUES)", Some("(assert (= x 2))"));
    check("valued", "(VALUES)", Some("(assert (or p (> x 1)))"));
    check("valued", "((x @Int_1))", None);
    check("simplified", "(or p (not (<= x 1)))", Some("(assert (or p (not (<= x 1))))\n(check-sat)"));
    check("simplified", "true", Some("(assert true)\n(check-sat)"));
    check("simplified", "(error \"no\")", None);
    check("simplified", "", None);
    check("simplified", "true true", None);
    // For an open value the simplifier may choose another one.
    let divides = "(set-logic ALL)(declare-const x Int)(assert (= (div x 0) 1))(check-sat)";
    assert_eq!(second_script("simplified", divides, |_| "true".to_string()), None);
}
