//! What is known of a check: side conditions, and recursive definitions that perhaps no function satisfies.

use semantics::Stop;
use semantics::truth::{ExhaustLimits, Search, TruthQuery, of_check};

/// What the door says of each check, in words.
fn known(text: &str) -> Vec<String> {
    let checks = text.matches("(check-sat").count() + text.matches("(query").count();
    let say = |check| {
        let of = |search| {
            let query = TruthQuery { limits: &ExhaustLimits::default(), stop: &Stop::default(), search };
            match of_check(text, check, query) {
                Ok(truth) => match (truth.word(), truth.definition(), truth.is_by_choice()) {
                    (word, Some(f), _) => format!("{word} by {f}"),
                    (word, None, true) => format!("{word} by choice"),
                    (word, None, false) => word.to_string(),
                },
                Err(why) => format!("open: {why}"),
            }
        };
        let said = of(Search::Recorded);
        assert_eq!(of(Search::Quick), said, "{text}");
        said
    };
    (0..checks).map(say).collect()
}

#[track_caller]
fn check(text: &str, expect: &str) {
    assert_eq!(known(&format!("(declare-const p Bool){text}(check-sat)")), [expect], "{text}");
}

fn open(f: &str) -> String {
    format!("open: the recursive function `{f}` is not proven total, so there may be no interpretation")
}

#[test]
fn instances_refute_a_definition() {
    // Over infinite sorts, by linear equations and by terms that are parts of themselves.
    check("(define-fun-rec f ((x Int)) Int (+ (f x) 1))(assert p)", "unsat by f");
    check("(define-fun-rec c () Int (+ c 1))", "unsat by c");
    check("(define-fun-rec c () Real (/ (+ c c 1.0) 2.0))(assert p)", "unsat by c");
    check("(define-fun-rec f ((x Int)) Int (ite (= x 0) 0 (+ 1 (f x))))", "unsat by f");
    check("(define-fun-rec f ((x Int) (y Real)) Int (- (* 2 (f x y)) (- 1) (f x y)))", "unsat by f");
    check("(define-funs-rec ((f ((x Int)) Int) (g ((x Int)) Int)) ((+ 1 (g x)) (f x)))(assert p)", "unsat by f");
    check("(define-funs-rec ((f ((x Int)) Int) (g ((x Int)) Int)) ((+ 1 (g (- x))) (f (- x))))", "unsat by f");
    let list = "(declare-datatype L ((nil) (cons (head Int) (tail L))))";
    check(&format!("{list}(define-fun-rec len ((l L)) Int (+ 1 (len l)))"), "unsat by len");
    check(&format!("{list}(define-fun-rec l () L (cons 1 l))(assert p)"), "unsat by l");
    check(&format!("{list}(define-fun-rec l ((n Int)) L (ite (= n 5) nil (cons n (l n))))"), "unsat by l");
    // Over finite sorts, by exhaustion.
    check("(define-funs-rec ((f ((x Bool)) Bool)) ((not (f x))))", "unsat by f");
    check("(define-fun-rec f ((x Int)) Bool (not (f x)))(assert p)", "unsat by f");
    check("(define-fun-rec f ((x (_ BitVec 2))) (_ BitVec 2) (bvadd (f (bvnot x)) #b01))", "unsat by f");
    check("(define-funs-rec ((f ((x Bool)) Bool) (g ((x Bool)) Bool)) ((not (g x)) (f x)))(assert p)", "unsat by f");
    // Another definition is refuted than the first.
    check("(define-fun-rec h ((x Int)) Int (h x))(define-fun-rec f ((x Int)) Int (+ (f x) 1))", "unsat by f");
}

#[test]
fn instances_and_assertions_refute_each_other() {
    let loose = "(define-fun-rec f ((x Bool)) Bool (not (f (not x))))";
    check(loose, &open("f"));
    check(&format!("{loose}(assert (f p))"), &open("f"));
    check(&format!("{loose}(assert (= (f true) (f false)))"), "unsat by f");
    // A value that is reached by unfolding is the value in every interpretation.
    let collatz =
        "(define-fun-rec s ((n Int)) Int (ite (<= n 1) 0 (+ 1 (s (ite (= (mod n 2) 0) (div n 2) (+ (* 3 n) 1))))))";
    check(&format!("{collatz}(assert (= (s 6) 8))"), &open("s"));
    check(&format!("{collatz}(assert (= (s 6) 7))"), "unsat by s");
    // Assertions that are refuted without the definition need none.
    check(&format!("{collatz}(assert p)(assert (not p))"), "unsat");
}

#[test]
fn what_is_not_refuted_is_open() {
    for body in ["(f x)", "(f (- x))", "(+ (f (- x 1)) 1)", "(- (f x))", "(* 2 (f x))", "(ite (= x 7) (+ 1 (f x)) 0)"] {
        check(&format!("(define-fun-rec f ((x Int)) Int {body})(assert p)"), &open("f"));
    }
    // A parameter hidden by a binder is not instantiated: the inner `x` is another one.
    let hidden = "(+ (f x) (ite (exists ((x Int)) (= x 0)) 0 1))";
    check(&format!("(define-fun-rec f ((x Int)) Int {hidden})"), &open("f"));
    check("(define-fun-rec f ((s String)) String (str.++ (f s) \"\"))", &open("f"));
}

#[test]
fn what_is_total_needs_no_proof_of_its_own() {
    check("(define-fun-rec f ((x Int)) Int (+ x 1))(assert (= (f 1) 2))(assert p)", "sat");
    check("(define-fun-rec f ((n Int)) Int (ite (<= n 0) 0 (+ 2 (f (- n 1)))))(assert (= (f 4) 8))", "sat");
    check("(define-fun-rec f ((n Int)) Int (ite (<= n 0) 0 (+ 2 (f (- n 1)))))(assert (= (f 4) 9))", "unsat");
    check("(assert (= (fp.max (_ +zero 8 24) (_ -zero 8 24)) (_ +zero 8 24)))", "sat by choice");
    check("(assert (distinct (div 1 0) (div 2 0)))", "sat by choice");
}

/// For each kind of termination, a function that terminates and one that does not, or not by this proof.
#[test]
fn recursion_on_vectors_and_sequences_ends_where_its_guards_say_so() {
    let proven = |sort: &str, body: &str, expected: bool| {
        let text = format!("(define-fun-rec f ((x {sort})) Int {body})(assert p)");
        check(&text, if expected { "sat" } else { "OPEN" }.replace("OPEN", &open("f")).as_str());
    };
    for (body, expected) in [
        ("(ite (= x #x0) 0 (f (bvsub x #x1)))", true),
        ("(ite (= x #x0) 0 (f (bvadd #xf x)))", true),
        ("(ite (= #x0 x) 0 (f (bvlshr x #x3)))", true),
        ("(ite (bvugt x #x0) (f (bvudiv x #x2)) 0)", true),
        ("(ite (and (bvule #x3 x) p) (f (bvsub x #x3)) 0)", true),
        ("(ite (or p (bvult x #x2)) 1 (f (bvadd x #xe)))", true),
        ("(ite (= x #x7) (f (bvsub x #x7)) 0)", true),
        ("(f (bvsub x #x1))", false),
        ("(ite (= x #x0) (f (bvsub x #x1)) 0)", false),
        ("(ite (= x #x1) 0 (f (bvsub x #x1)))", false),
        ("(ite (= x #x0) 0 (f (bvsub x #x2)))", false),
        ("(ite (= x #x0) 0 (f (bvsub #x1 x)))", false),
        ("(ite (= x #x0) 0 (f (bvsub x #x0)))", false),
        ("(ite (= x #x0) 0 (f (bvadd x #x1)))", false),
        ("(ite (= x #x0) 0 (f (bvlshr x #x0)))", false),
        ("(ite (= x #x0) 0 (f (bvlshr #x8 x)))", false),
        ("(ite (= x #x0) 0 (f (bvudiv x #x1)))", false),
        ("(ite (= x #x0) 0 (f (bvudiv x #x0)))", false),
        // Signed order says nothing.
        ("(ite (bvsgt x #x0) (f (bvsub x #x1)) 0)", false),
        ("(ite (or p (bvuge x #x1)) (f (bvsub x #x1)) 0)", false),
        ("(ite (not (bvuge x #x1)) (f (bvsub x #x1)) 0)", false),
    ] {
        proven("(_ BitVec 4)", body, expected);
    }
    for (body, expected) in [
        ("(ite (> (seq.len x) 0) (f (seq.extract x 1 (- (seq.len x) 1))) 0)", true),
        ("(ite (= x (as seq.empty (Seq Int))) 0 (f (seq.extract x 0 (- (seq.len x) 1))))", true),
        ("(ite (= (seq.len x) 0) 0 (f (seq.extract x 2 7)))", true),
        ("(f (seq.extract x 1 (- (seq.len x) 1)))", false),
        ("(ite (>= (seq.len x) 0) (f (seq.extract x 1 (- (seq.len x) 1))) 0)", false),
        ("(ite (> (seq.len x) 0) (f (seq.extract x 0 (seq.len x))) 0)", false),
        ("(ite (> (seq.len x) 0) (f (seq.extract x 0 (- (seq.len x) 0))) 0)", false),
        ("(ite (> (seq.len x) 0) (f (seq.++ x x)) 0)", false),
    ] {
        proven("(Seq Int)", body, expected);
    }
    for (body, expected) in [
        ("(ite (= x \"\") 0 (+ 1 (f (str.substr x 1 (- (str.len x) 1)))))", true),
        ("(ite (< (str.len x) 1) 0 (f (str.substr x 0 (- (str.len x) 1))))", true),
        ("(ite (= x \"a\") 0 (f (str.substr x 1 (- (str.len x) 1))))", false),
        ("(ite (= x \"\") 0 (f (str.substr x (- 1) (str.len x))))", false),
    ] {
        proven("String", body, expected);
    }
    // Mutual ones, where each call of one passes what is smaller for the other.
    let mutual = |smaller: &str| {
        format!(
            "(define-funs-rec ((f ((x (_ BitVec 4))) Bool) (g ((y (_ BitVec 4))) Bool))
                ((ite (= x #x0) p (g (bvsub x #x1))) (ite (= y #x0) p (f {smaller}))))(assert p)"
        )
    };
    check(&mutual("(bvsub y #x1)"), "sat");
    check(&mutual("y"), &open("f"));
}

#[test]
fn a_definition_counts_while_it_is_live() {
    let text = "(declare-const p Bool)(assert p)(check-sat)(push 1)(define-fun-rec c () Int (+ c 1))(check-sat)(pop 1)
        (check-sat)(push 1)(define-fun-rec d () Int d)(check-sat-assuming (p))(check-sat-assuming ((not p)))(pop 1)";
    assert_eq!(known(text), ["sat", "unsat by c", "sat", &open("d"), "unsat"]);
    let global = format!("(set-option :global-declarations true){text}(check-sat)");
    let always = ["sat", "unsat by c", "unsat by c", "unsat by c", "unsat", "unsat by c"];
    assert_eq!(known(&global), always);
}

/// What is too large, or has no documented meaning, is refused in words; the other assertions may be refuted alone.
#[test]
fn heaps_that_are_not_decided_are_open() {
    let of = |sorts: &str, text: &str, expect: &str| check(&format!("(declare-heap ({sorts})){text}"), expect);
    of("Int Int", "(assert p)", "sat");
    let infinite = "open: the locations of the heap are of sort Int, which has infinitely many values";
    of("Int Bool", "(assert (wand sep.emp sep.emp))", infinite);
    of("Int Bool", "(assert (exists ((x Int)) (pto x p)))", infinite);
    of("Int Bool", "(assert (wand (pto 0 p) sep.emp))(assert p)(assert (not p))", "unsat");
    let large =
        "open: the data of the heap are of sort (_ BitVec 32), which has 4294967296 values, more than the bound of 64";
    of("Bool (_ BitVec 32)", "(assert sep.emp)", large);
    let unknown = "open: the locations of the heap are of sort U, which has an unknown number of values";
    check("(declare-sort U 0)(declare-heap (U Bool))(assert sep.emp)", unknown);
    let parts =
        "open: with 16 locations and 16 data, its formulas need more than 65536 parts and extensions of the heap";
    of("(_ BitVec 4) (_ BitVec 4)", "(assert (wand (pto #x1 #x1) sep.emp))", parts);
    let heaps = "open: the constants have 2^64 or more assignments, more than the bound of 1048576";
    of("(_ BitVec 4) (_ BitVec 4)", "(assert (pto #x1 #x1))(assert (pto #x2 #x1))", heaps);
    let place =
        "open: a formula about the heap is under an operator that is no connective, or in a definition with binders";
    of("Bool Bool", "(declare-fun f (Bool) Bool)(assert (f sep.emp))", place);
    of("Bool Bool", "(assert (pto (ite sep.emp p false) p))", place);
    let binds = "(define-fun f ((x Bool)) Bool (exists ((y Bool)) (pto x y)))";
    of("Bool Bool", &format!("{binds}(assert (f p))"), place);
    of("Bool Bool", "(define-fun f ((x Bool)) Bool (pto x x))(assert (forall ((x Bool)) (not (f x))))", "sat");
    let deep = format!("(assert {}sep.emp{})", "(not (or p ".repeat(150), "))".repeat(150));
    of("Bool Bool", &deep, "open: operators around formulas about the heap are nested more than 200 levels deep");
    // How a recursive predicate is to be read is open, and a second heap is an error to cvc5.
    let carried = "open: a command is not understood";
    of("Bool Bool", "(define-fun-rec f ((x Bool)) Bool (or sep.emp (f x)))(assert (f p))", carried);
    of("Bool Bool", "(declare-heap (Int Int))(assert sep.emp)", carried);
    check("(push 1)(declare-heap (Bool Bool))(assert sep.emp)", carried);
    check("(declare-heap (Bool Bool) (Int Int))(assert p)", carried);
}

/// Over infinitely many locations, cells that no `pto` describes are counted as far as formulas distinguish them.
#[test]
fn heaps_with_infinitely_many_locations_are_decided_without_wands() {
    let of = |text: &str, expect: &str| {
        check(&format!("(declare-heap (Int Int))(assert (<= 0 (as sep.nil Int) 1)){text}"), expect);
    };
    of("(assert (not sep.emp))", "sat");
    of(
        "(assert (sep (not sep.emp) (not sep.emp)))(assert (not (sep (not sep.emp) (not sep.emp) (not sep.emp))))",
        "sat",
    );
    of("(assert (sep (not sep.emp) (not sep.emp)))(assert (or sep.emp (pto 5 6)))", "unsat");
    of("(assert (sep (pto 5 6) (pto 5 6)))", "unsat");
    of("(assert (sep (pto 5 6) (pto 7 6)))(assert (not (sep (pto 5 6) (not sep.emp))))", "unsat");
    of("(assert (pto 5 6))(assert (pto 5 7))", "unsat");
    of("(assert (sep (pto 5 6) true))(assert (sep (pto 5 7) true))", "unsat");
    of("(assert (sep (pto 5 6) true))(assert (sep (pto 4 7) true))(assert (not (sep (pto 5 6) (pto 4 7))))", "sat");
    of("(assert (pto 0 6))(assert (sep (pto 0 6) true))", "sat");
    of("(assert (sep (pto 0 6) true))(assert (sep (pto 1 6) true))", "unsat");
    of("(define-fun f ((x Int)) Bool (pto x x))(assert (sep (f 5) (f 6) (f 7)))(assert (sep (f 6) true))", "sat");
    of("(define-fun f ((x Int)) Bool (pto x x))(assert (sep (f 5) (f 6)))(assert (or (f 5) (f 6)))", "unsat");
}

#[test]
fn a_query_asks_what_rules_derive() {
    let relations = "(declare-rel p ((_ BitVec 2)))(declare-rel q ())(declare-var x (_ BitVec 2))";
    #[track_caller]
    fn of(text: &str, expect: &[&str]) {
        assert_eq!(known(text), expect, "{text}");
    }
    let steps = format!("{relations}(rule (p #b00))(rule (=> (and (p x) (bvult x #b10)) (p (bvadd x #b01))))");
    let open = "open: the rules are no clauses over few values, each with a relation as its head";
    let unclear = "open: a command is not understood";
    of(&format!("{steps}(rule (=> (p #b10) q))(query q)"), &["sat"]);
    of(&format!("{steps}(rule (=> (p #b11) q))(query q)(query p)"), &["unsat", "sat"]);
    // Rules come one after the other, and no rule is about a relation.
    of(&format!("{relations}(query p)(rule (p #b01))(query p)(query q)"), &["unsat", "sat", "unsat"]);
    of(&format!("{steps}(rule (forall ((x (_ BitVec 2))) (=> (not (p x)) q)))(query q)"), &[open]);
    of(&format!("{relations}(rule (=> (p #b00) false))(rule (p #b00))(query p)"), &[open]);
    of("(declare-rel p (Int))(declare-var n Int)(rule (=> (< n 3) (p n)))(query p)", &[open]);
    of(&format!("{relations}(declare-const b Bool)(rule (=> b q))(query q)"), &[open]);
    of(
        &format!("{relations}(declare-fun f (Bool) Bool)(rule (=> (f true) (p #b00)))(rule (f true))(query p)"),
        &[open],
    );
    // z3 takes assertions as axioms, and may keep rules beyond their level.
    of(&format!("{relations}(assert (not q))(rule q)(query q)"), &[unclear]);
    of(&format!("{relations}(push 1)(rule q)(pop 1)(query q)"), &[unclear]);
    of(&format!("{relations}(rule q)(push 1)(query q)"), &[unclear]);
    of(&format!("{relations}(rule q)(reset-assertions)(query q)"), &[unclear]);
    // A check is none of the rules.
    of(&format!("{relations}(rule q)(assert (not q))(check-sat)"), &[unclear]);
    of(&format!("{relations}(assert (not q))(check-sat)"), &["sat"]);
}

#[test]
fn what_is_not_understood_is_open() {
    check("(assert (strange p))", "open: the text does not parse: unknown symbol `strange`");
    // What is only carried may be false. It takes nothing from a contradiction.
    check("(declare-rel r (Int))(rule (r 1))(assert p)", "open: a command is not understood");
    check("(assert-not p)(assert p)(assert false)", "unsat");
    // What may have taken assertions back leaves nothing.
    check("(include \"more.smt2\")(assert false)", "open: a command is not understood");
}

/// A reader's scripts took for ever: as trees these terms are large.
#[test]
fn an_identity_is_searched_for_in_shared_terms() {
    let shared = |op: &str, least: &str, levels: u32| {
        let name = |level: u32| if level == 0 { least.to_string() } else { format!("s{level}") };
        let lets = (1..=levels).map(|n| format!("(let ((s{n} ({op} {0} {0}))) ", name(n - 1)));
        format!("{}{}{}", lets.collect::<String>(), name(levels), ")".repeat(levels as usize))
    };
    let (conjunction, power) = (shared("and", "p", 60), shared("*", "x", 60));
    let start = "(declare-const x Int)(define-fun one () Int (+ x 1))";
    check(&format!("{start}(assert (and {conjunction} (= x 2)))"), "sat");
    let high = format!("(define-fun high () Int (+ {power} 1 (- 0 (+ {power} 1))))");
    check(&format!("{start}{high}(assert (and (= x 2) (>= 0 x)))"), "unsat");
    let squares = shared("*", "x", 2);
    check(
        &format!("{start}(define-fun low () Int (+ {squares} 1 (- 0 (+ {squares} 1))))(assert (>= 0 (+ {squares} 1)))"),
        "unsat",
    );
}
