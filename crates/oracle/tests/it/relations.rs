//! Relations hold: a solver that is always right never contradicts itself, and one that lies about one of the two scripts always does.

use mutate::rng::RandomStream;
use oracle::exhaustion;
use oracle::relation::{AskedPair, RELATIONS, RelatedScript, Relation, ScriptsRelate};
use smtlib::Status;
use solver::install::Fleet;
use solver::outcome::{Answer, CheckAnswer, SolverOutcome};
use solver::process::RunStatus;
use solver::session::Solver;
use std::collections::BTreeMap;
use std::time::Duration;

fn outcome(answers: Vec<CheckAnswer>) -> SolverOutcome {
    SolverOutcome {
        answers,
        errors: Vec::new(),
        self_checks: Vec::new(),
        unsupported: None,
        crash: None,
        status: RunStatus::Exited(0),
        wall: Duration::ZERO,
        cpu: Duration::ZERO,
        peak_rss_bytes: 0,
        stdout: Vec::new(),
        stderr: Vec::new(),
    }
}

/// What a solver that tries every assignment says to the check of a script. It says that it needs all that it was asked about.
fn truth(script: &RelatedScript) -> SolverOutcome {
    let mut answers = Vec::new();
    for check in 0..=script.check {
        let known = exhaustion::decide_text(&script.text, check).unwrap_or_else(|e| panic!("{e}: {}", script.text));
        let answer = if known.word() == "sat" { Answer::Sat } else { Answer::Unsat };
        answers.push(CheckAnswer { answer, said: None, responses: vec![names(&script.text)] });
    }
    outcome(answers)
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
        // Whoever lies names but a part.
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

/// What `asked` says of pairs of random scripts and drawn relations, counted by relation.
fn pairs(lies: bool, expect: impl Fn(&AskedPair, &str)) -> BTreeMap<&'static str, u64> {
    let (mut rng, solver) = (RandomStream::from_seed(7), solver());
    let mut asked = BTreeMap::new();
    let wanted = testing::amount("SQUALL_RELATIONS", 2000);
    while asked.values().sum::<u64>() < wanted {
        let text = script(&mut rng);
        let own = exhaustion::decide_text(&text, 0).expect("it is decided").word();
        let known = if own == Status::Sat.word() { Answer::Sat } else { Answer::Unsat };
        let Some((relation, base)) = Relation::draw(&text, 0, known, &mut rng) else { continue };
        // The first script asked is the one that is new; of what the solver needs it is the second.
        let lie = if relation.row().relates == ScriptsRelate::Needed { 1 } else { 0 };
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
    // `unsat` of a stronger script and `sat` of a weaker one are lies that nobody can tell.
    let shows = |pair: &AskedPair, told: &str| assert!(pair.hit().is_some(), "{told}\n{pair:?}");
    let asked = pairs(true, shows);
    println!("{asked:?}");
    for row in RELATIONS.iter().filter(|row| row.relates != ScriptsRelate::Needed) {
        // What needs commands that are not known of a stand-in is drawn, and asks nothing.
        let needs_commands = matches!(row.name, "assumed" | "again");
        assert_eq!(asked.contains_key(row.name), !needs_commands, "{}: {asked:?}", row.name);
    }
}

/// Which answers to the first and the second script contradict each other, and that nothing else does.
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
}

/// A script with a command of which it is not known what it does to a check has no relations.
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
