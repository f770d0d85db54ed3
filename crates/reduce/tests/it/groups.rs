//! Signatures and grouping: mutants of one bug form one group, two bugs never do.

use crate::support::reduced;
use finding::AnswerVector;
use reduce::bisect::{VersionAnswer, VersionVerdict};
use reduce::groups::{self, GroupMember, group};
use reduce::signature::{Circumstances, ScriptSignature, operators};

/// The signature of a text.
fn signature(text: &str, class: &str, symptom: &str, options: &[&str]) -> ScriptSignature {
    let mut store = smtlib::Store::new();
    let parsed = smtlib::parse(&mut store, text);
    assert!(parsed.errors.is_empty(), "{text}: {:?}", parsed.errors);
    let options: Vec<String> = options.iter().map(ToString::to_string).collect();
    ScriptSignature::of(
        &store,
        &parsed.script,
        Circumstances { class: class.parse().expect("a class"), symptom, options: &options },
    )
}

fn vector(errs: &str) -> AnswerVector {
    let rows: Vec<VersionAnswer> = errs
        .bytes()
        .enumerate()
        .map(|(n, byte)| {
            let did = match byte {
                b'x' => VersionVerdict::Wrong,
                b'.' => VersionVerdict::Right,
                b'?' => VersionVerdict::Undecided,
                _ => VersionVerdict::Refused,
            };
            VersionAnswer { solver: format!("z3@4.{n}"), did, said: String::new(), cached: false }
        })
        .collect();
    groups::vector(&rows)
}

/// A mutant of the bug that `core` shows: other names, other neighbours, other depth, other commands for each number.
fn mutant(core: &str, number: u32) -> (String, String) {
    let name = |word: &str| format!("{word}{}", number * 7919 % 101);
    let (x, y, p) = (name("x"), name("y"), name("p"));
    let core = core.replace("$x", &x).replace("$y", &y);
    let company = [
        format!("(or {p} (> {y} {number}))"),
        format!("(=> (< {x} 0) (= {y} {number}))"),
        format!("(distinct {x} {y} {number}00)"),
        format!("(ite {p} (>= (+ {x} {y}) 9) (< {y} (* 2 {x})))"),
        format!("(not (and (not {p}) (= {x} (- {y}))))"),
    ];
    let mut text = String::new();
    if number.is_multiple_of(3) {
        text.push_str("(set-logic QF_NIA)(set-info :status sat)");
    }
    text.push_str(&format!("(declare-fun {x} () Int)(declare-const {y} Int)(declare-fun {p} () Bool)"));
    for n in 0..number % 5 {
        text.push_str(&format!("(assert {})", company[((number + n) % 5) as usize]));
    }
    let wrapped = match number % 4 {
        0 => format!("(and {p} {core})"),
        1 => format!("(let ((b {core})) (or (and b {p}) (and b (not {p}))))"),
        2 => format!("(not (=> {p} (not {core})))"),
        _ => format!("(=> (xor {p} (= {x} {number}000)) {core})"),
    };
    let levels = number.is_multiple_of(2);
    text.push_str(&if levels {
        format!("(push 1)(assert {wrapped})(check-sat)(pop 1)")
    } else {
        format!("(assert {wrapped})")
    });
    text.push_str("(check-sat)(exit)");
    let witness = format!("((define-fun {x} () Int 7)(define-fun {y} () Int 50)(define-fun {p} () Bool true))");
    (text, witness)
}

fn member(signature: ScriptSignature, errs: &str, bytes: usize) -> GroupMember {
    GroupMember { solver: "z3".to_string(), signature, vector: vector(errs), bytes }
}

fn reduced_member(core: &str, word: &str, number: u32) -> GroupMember {
    let (text, witness) = mutant(core, number);
    let (text, _) = reduced(&text, &witness, word, 2);
    member(signature(&text, "A", "unsat", &[]), "", text.len())
}

#[test]
fn twenty_mutants_of_one_bug_are_one_group_and_two_bugs_are_two() {
    let mut members: Vec<GroupMember> = (0..20).map(|n| reduced_member("(= (mod $y $x) 1)", "mod", n)).collect();
    let one = group(&members);
    let signatures: Vec<String> = one.iter().map(|g| members[g[0]].signature.to_string()).collect();
    assert_eq!(one.len(), 1, "{signatures:?}");
    assert_eq!(one[0].len(), 20);
    members.extend((0..6).map(|n| reduced_member("(= (div $y $x) 7)", "div", n)));
    let two = group(&members);
    assert_eq!(two.len(), 2);
    assert!(two.iter().all(|g| g.iter().all(|&m| m < 20) || g.iter().all(|&m| m >= 20)));
}

/// Whether two scripts have the same signature.
fn check(a: &str, b: &str, same: bool) {
    let (one, other) = (signature(a, "A", "unsat", &[]), signature(b, "A", "unsat", &[]));
    assert_eq!(one == other, same, "{a}\n{one}\n{b}\n{other}");
}

#[test]
fn what_a_signature_keeps_and_what_it_does_not() {
    let ints = "(declare-fun x () Int)(declare-fun y () Int)";
    // Names, constants, widths, connectives and the kind of comparison are arbitrary.
    check(
        &format!("{ints}(assert (or (< x 3) false))(check-sat)"),
        &format!("{ints}(assert (not (>= 77 y)))(check-sat)"),
        true,
    );
    let bv =
        |width: u32, op: &str| format!("(declare-fun v () (_ BitVec {width}))(assert (= v ({op} v v)))(check-sat)");
    check(&bv(8, "bvmul"), &bv(32, "bvmul"), true);
    check(&bv(8, "bvmul"), &bv(8, "bvudiv"), false);
    check("(assert (not (and true false)))(check-sat)", "(declare-fun p () Bool)(assert (or p p))(check-sat)", true);
    // Sorts, theory operators, quantifiers, the mode and the logic are significant.
    check("(assert (< 0 1))(check-sat)", "(assert (< 0.0 1.0))(check-sat)", false);
    check("(assert (= 0 1))(check-sat)", "(assert (= 0.0 1.0))(check-sat)", false);
    check("(assert (< 0 1))(check-sat)", "(assert (exists ((x Int)) (< 0 x)))(check-sat)", false);
    check("(assert true)(check-sat)", "(assert true)(check-sat-using smt)", false);
    check("(assert true)(check-sat-using nlsat)", "(assert true)(check-sat-using smt)", false);
    check("(assert true)(check-sat)", "(push 1)(assert true)(check-sat)", false);
    check("(assert true)(check-sat)", "(set-logic QF_BV)(assert true)(check-sat)", false);
    check("(assert true)(check-sat)", "(set-option :smt.arith.solver 2)(assert true)(check-sat)", false);
    check("(assert true)(check-sat)", "(set-option :produce-models true)(assert true)(check-sat)", true);
    // So are the class, the solver's own message, and its options.
    let text = "(assert true)(check-sat)";
    let all = [
        signature(text, "A", "unsat", &[]),
        signature(text, "B", "sat", &[]),
        signature(text, "B", "an invalid model was generated", &[]),
        signature(text, "D", "signal: SIGSEGV", &[]),
        signature(text, "D", "assertion: a.cpp Line: 1", &[]),
        signature(text, "D", "assertion: a.cpp Line: 2", &[]),
        signature(text, "A", "unsat", &["rewriter.flat=false"]),
    ];
    for (n, one) in all.iter().enumerate() {
        assert!(all[..n].iter().all(|other| one != other), "{one}");
    }
    // The location of a crash identifies it; a bare signal does not.
    let other = "(assert (= (str.len \"a\") 1))(check-sat)";
    assert_eq!(signature(other, "D", "assertion: a.cpp Line: 1", &[]), all[4]);
    assert_ne!(signature(other, "D", "signal: SIGSEGV", &[]), all[3]);
}

/// Returns the sizes of the groups of these histories (`x` fails, `.` is right, `?` and `!` have no verdict).
fn check_histories(histories: &[&str], expect: &[usize]) {
    let signature = signature("(assert true)(check-sat)", "A", "unsat", &[]);
    let members: Vec<GroupMember> =
        histories.iter().enumerate().map(|(n, errs)| member(signature.clone(), errs, 100 + n)).collect();
    let mut sizes: Vec<usize> = group(&members).iter().map(|g| g.len()).collect();
    sizes.sort_unstable();
    assert_eq!(sizes, expect, "{histories:?}");
    // In any order.
    let mut turned: Vec<GroupMember> = members.clone();
    turned.reverse();
    let mut again: Vec<usize> = group(&turned).iter().map(|g| g.len()).collect();
    again.sort_unstable();
    assert_eq!(again, expect, "{histories:?} reversed");
}

#[test]
fn answers_tell_bugs_apart() {
    check_histories(&["xxx.", "xxx.", "xxx."], &[3]);
    check_histories(&["xxx.", "xx..", "xxx."], &[1, 2]);
    // Releases that were not run, returned `unknown` or rejected the script contradict none.
    check_histories(&["xxx.", "", "?xx!"], &[3]);
    check_histories(&["xx..", "x?..", "xx?.", ".x.."], &[1, 3]);
    check_histories(&[], &[]);
}

/// Returns the members of each group.
fn check_causes(members: &[GroupMember], expect: &[&[usize]]) {
    let mut found: Vec<Vec<usize>> = group(members);
    found.sort();
    assert_eq!(found, expect);
}

#[test]
fn wrong_answers_are_told_apart_by_their_vector_and_crashes_by_their_symptom() {
    let (ints, strings) = ("(assert (< 0 1))(check-sat)", "(assert (= (str.len \"a\") 1))(check-sat)");
    let of =
        |text: &str, class: &str, symptom: &str, errs: &str| member(signature(text, class, symptom, &[]), errs, 100);
    // Operators count only if no solver was asked.
    check_causes(&[of(ints, "A", "unsat", "xx."), of(strings, "A", "unsat", "xx.")], &[&[0, 1]]);
    check_causes(&[of(ints, "A", "unsat", "xx."), of(ints, "A", "unsat", "x..")], &[&[0], &[1]]);
    check_causes(&[of(ints, "A", "unsat", ""), of(strings, "A", "unsat", "")], &[&[0], &[1]]);
    check_causes(&[of(ints, "A", "unsat", "x"), of(strings, "A", "unsat", "x")], &[&[0], &[1]]);
    check_causes(&[of(ints, "A", "unsat", "xx"), of(ints, "B", "sat", "xx")], &[&[0], &[1]]);
    // Crashes and failed self-checks are identified by the symptom, whatever the script and the versions.
    let (a, b) = ("assertion: a.cpp Line: 1", "assertion: a.cpp Line: 2");
    check_causes(&[of(ints, "D", a, "xx."), of(strings, "D", a, "x.."), of(ints, "D", b, "xx.")], &[&[0, 1], &[2]]);
    check_causes(&[of(ints, "D", "signal: SIGSEGV", ""), of(strings, "D", "signal: SIGSEGV", "")], &[&[0, 1]]);
    // A bare signal says little: a release that crashes on only one of two scripts distinguishes them.
    let segv = |text: &str, errs: &str| of(text, "D", "signal: SIGSEGV", errs);
    check_causes(&[segv(ints, "xx."), segv(strings, ".xx"), segv(ints, "?xx")], &[&[0], &[1, 2]]);
    check_causes(&[segv(ints, "xx."), segv(strings, "xx."), segv(strings, "")], &[&[0, 1, 2]]);
    let word = "an invalid model was generated";
    check_causes(&[of(ints, "E", word, ""), of(strings, "E", word, ""), of(ints, "B", word, "")], &[&[0, 1], &[2]]);
    // A failure of another solver is another bug.
    let other = GroupMember { solver: "cvc5".to_string(), ..of(ints, "D", a, "") };
    check_causes(&[of(ints, "D", a, ""), other], &[&[0], &[1]]);
}

#[test]
fn the_smallest_finding_stands_for_its_group() {
    let signature = signature("(assert true)(check-sat)", "A", "unsat", &[]);
    let members: Vec<GroupMember> = [300, 100, 200].map(|bytes| member(signature.clone(), "", bytes)).to_vec();
    assert_eq!(group(&members)[0], [1, 2, 0]);
}

#[test]
fn a_title_names_the_operators_in_their_order() {
    let check = |script: &str, expect: &str| assert_eq!(operators(script).join(", "), expect, "{script}");
    check("(assert (str.<= \"9\" \"93\"))", "str.<=");
    check("(declare-const a Int)(assert (and (> (+ a 1) 2) (= (* a a) (mod a 3))))", ">, +, *, mod");
    check("(declare-const a Int)(assert (> (- (+ a 1) (* a 2)) (div a 3)))(assert (= (mod a 2) 1))", ">, -, +, *, …");
    check("(declare-const p Bool)(assert (not p))", "");
    check("(assert (= (fp.neg (_ +oo 3 2)) (_ -oo 3 2)))", "fp.neg");
    check("(declare-fun f (Int) Int)(assert (forall ((x Int)) (= (f x) 1)))", "quantifiers, functions");
    check(
        "(assert (= ((as const (Array Bool Bool)) true) (store ((as const (Array Bool Bool)) false) false true)))",
        "constant arrays, store",
    );
    // What a solver has is named, though it is read as a function, and definitions are looked into.
    check("(declare-const p Bool)(assert ((_ at-most 1) p p))", "at-most");
    let order = "(define-fun le ((x Int) (y Int)) Bool ((_ tree-order 0) x y))";
    check(&format!("{order}(assert (le 1 2))"), "tree-order, functions");
    check("(assert", "");
}
