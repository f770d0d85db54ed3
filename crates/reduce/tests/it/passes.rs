//! Each pass by itself: its proposals for a script, and that accepted proposals keep the witness.

use reduce::passes::{self, ReductionPass, View};
use reduce::plan::EditPlan;
use reduce::subject::WitnessValues;
use semantics::Model;
use smtlib::{Script, Store};
use std::sync::Arc;

struct Set {
    store: Store,
    script: Script,
    model: Option<Model>,
}

fn read(input: &str, witness: &str) -> Set {
    let mut store = Store::new();
    let parsed = smtlib::parse(&mut store, input);
    assert!(parsed.errors.is_empty(), "{:?}", parsed.errors);
    let declarations: Vec<_> = parsed.script.commands.iter().filter(|c| c.is_declaration()).cloned().collect();
    let model = (!witness.is_empty())
        .then(|| reduce::model_text::read(&mut store, &declarations, witness).expect("the witness reads"));
    Set { store, script: parsed.script, model }
}

fn find(name: &str) -> &'static ReductionPass {
    passes::REGISTRY.iter().copied().find(|p| p.name == name).expect("the pass is registered")
}

/// Returns the scripts that single edits of a pass produce, with the model as extended by the pass.
fn candidates(set: &mut Set, name: &str) -> Vec<String> {
    let mut values = set.model.clone().map(|m| WitnessValues::new(Arc::new(m)));
    let mut view = View {
        store: &mut set.store,
        script: &set.script,
        check: 0,
        values: values.as_mut(),
        model: set.model.as_mut(),
        extended: false,
    };
    let edits: Vec<_> = (find(name).propose)(&mut view).into_iter().flatten().collect();
    edits
        .iter()
        .map(|edit| {
            let script = EditPlan::new([edit]).apply(&mut set.store, &set.script);
            set.store.script_text(&script).trim().replace('\n', "")
        })
        .collect()
}

/// Checks that the pass proposes `expect`.
fn check(name: &str, input: &str, witness: &str, expect: &str) {
    let mut set = read(input, witness);
    let all = candidates(&mut set, name);
    assert!(all.iter().any(|c| c == expect), "{name} on {input}\nproposes\n{}\nnot {expect}", all.join("\n"));
}

/// Checks that the pass proposes nothing that differs from the input.
fn check_nothing(name: &str, input: &str, witness: &str) {
    let mut set = read(input, witness);
    let same = set.store.script_text(&set.script).trim().replace('\n', "");
    let all = candidates(&mut set, name);
    assert!(all.iter().all(|c| *c == same), "{name} on {input} proposes {all:?}");
}

#[test]
fn structure() {
    check("checks", "(check-sat)(assert true)(check-sat)", "", "(check-sat)");
    check("checks", "(check-sat-using smt)", "", "(check-sat)");
    check_nothing("checks", "(assert true)(check-sat)", "");
    check("levels", "(push 2)(assert true)(check-sat)", "", "(assert true)(check-sat)");
    check("levels", "(check-sat)(push 1)(assert true)(pop 1)", "", "(check-sat)(assert true)");
    check("levels", "(push 1)(push 1)(check-sat)(pop 2)(check-sat)", "", "(push 1)(check-sat)(pop 1)(check-sat)");
    check_nothing("levels", "(assert true)(check-sat)", "");
    check("assertions", "(assert true)(assert false)(check-sat)", "", "(assert true)(check-sat)");
    check("assertions", "(assert (! true :named n))(check-sat)", "", "(assert true)(check-sat)");
    check("queries", "(check-sat)(get-model)(exit)", "", "(check-sat)(exit)");
    check("options", "(set-option :print-success false)(check-sat)", "", "(check-sat)");
    check("logic", "(set-logic QF_AUFLIA)(check-sat)", "", "(check-sat)");
    check("logic", "(set-logic QF_AUFLIA)(check-sat)", "", "(set-logic QF_LIA)(check-sat)");
    let function = "(declare-fun a (Int) Int)(assert (= (a 1) 2))(check-sat)";
    check("logic", &format!("(set-logic QF_UFNIA){function}"), "", &format!("(set-logic QF_UFLIA){function}"));
    check("logic", &format!("(set-logic ALL){function}"), "", &format!("(set-logic QF_UFLIA){function}"));
    // It was once narrowed to any shorter name, QF_NIA among them.
    let mut set = read(&format!("(set-logic QF_UFNIA){function}"), "");
    let all = candidates(&mut set, "logic");
    let wrong = |c: &String| c.contains("(set-logic ") && !c.contains("(set-logic QF_UF");
    assert!(!all.iter().any(wrong), "{all:?}");
    check("declarations", "(declare-sort S 0)(declare-fun x () S)(check-sat)", "", "(declare-sort S 0)(check-sat)");
    check_nothing("declarations", "(declare-fun x () Bool)(assert x)(check-sat)", "");
    check("tactics", "(check-sat-using (then simplify smt))", "", "(check-sat-using smt)");
    check(
        "tactics",
        "(check-sat-using (then (using-params a :k 1) b c))",
        "",
        "(check-sat-using (then (using-params a :k 1) c))",
    );
    check_nothing("tactics", "(check-sat-using smt)", "");
}

const XY: &str = "(declare-fun x () Int)(declare-fun y () Int)";
const XY_IS: &str = "((define-fun x () Int 5)(define-fun y () Int 5))";

fn xy(assertion: &str) -> String {
    format!("{XY}(assert {assertion})(check-sat)")
}

#[test]
fn terms() {
    // A truth value is the term's own under the witness.
    check("truth_values", &xy("(or (< x 3) (= x y))"), XY_IS, &xy("(or false (= x y))"));
    check("truth_values", &xy("(or (< x 3) (= x y))"), "", &xy("(or true (= x y))"));
    check_nothing("truth_values", "(assert true)(check-sat)", "");
    check("children", &xy("(not (not (< x y)))"), "", &xy("(< x y)"));
    check_nothing("children", &xy("(< x y)"), "");
    check("arguments", &xy("(< 0 x y)"), "", &xy("(< 0 y)").replace("(declare-fun x () Int)", ""));
    check_nothing("arguments", &xy("(< x y)"), "");
    check("defaults", &xy("(< x (+ y 1))"), "", "(declare-fun x () Int)(assert (< x 0))(check-sat)");
    check("witness_values", &xy("(< x (+ y 1))"), XY_IS, "(declare-fun x () Int)(assert (< x 6))(check-sat)");
    check_nothing("witness_values", &xy("(< x y)"), "");
    check("merge_variables", &xy("(<= x y)"), XY_IS, "(declare-fun x () Int)(assert (<= x x))(check-sat)");
    check_nothing("merge_variables", &xy("(< x y)"), "((define-fun x () Int 1)(define-fun y () Int 2))");
    check(
        "fresh_variables",
        &xy("(< x (* y y))"),
        XY_IS,
        "(declare-fun b () Int)(declare-fun x () Int)(assert (< x b))(check-sat)",
    );
    check(
        "occurrences",
        "(declare-fun p () Bool)(assert (and p (or p false)))(check-sat)",
        "((define-fun p () Bool true))",
        "(declare-fun p () Bool)(assert (and p (or true false)))(check-sat)",
    );
    check(
        "simplify",
        "(declare-fun p () Bool)(assert (and true (not (not p))))(check-sat)",
        "",
        "(declare-fun p () Bool)(assert (not (not p)))(check-sat)",
    );
    check_nothing("simplify", &xy("(< x y)"), "");
    check("constants", &xy("(< x 99)"), "", &xy("(< x 1)"));
    check("constants", "(assert (= \"abcd\" \"\"))(check-sat)", "", "(assert (= \"cd\" \"\"))(check-sat)");
    check_nothing("constants", &xy("(< x 0)"), "");
}

#[test]
fn definitions_binders_and_sorts() {
    check(
        "definitions",
        "(define-fun f ((a Int)) Int (+ a 1))(assert (= (f 2) 3))(check-sat)",
        "",
        "(assert (= (+ 2 1) 3))(check-sat)",
    );
    check(
        "quantifiers",
        "(assert (forall ((x Int) (y Int)) (< x 3)))(check-sat)",
        "",
        "(assert (forall ((x Int)) (< x 3)))(check-sat)",
    );
    check("quantifiers", "(assert (forall ((x Int)) (< x 3)))(check-sat)", "", "(assert (< 0 3))(check-sat)");
    check(
        "regexes",
        "(assert (str.in_re \"a\" (re.+ (str.to_re \"a\"))))(check-sat)",
        "",
        "(assert (str.in_re \"a\" re.all))(check-sat)",
    );
    check(
        "widths",
        "(declare-fun v () (_ BitVec 8))(assert (bvult v #x07))(check-sat)",
        "((define-fun v () (_ BitVec 8) #x03))",
        "(declare-fun v () (_ BitVec 4))(assert (bvult v #x7))(check-sat)",
    );
    check(
        "datatypes",
        "(declare-datatypes ((T 0)) (((a) (b))))(declare-fun t () T)(assert (= t a))(check-sat)",
        "((define-fun t () T a))",
        "(declare-datatypes ((T 0)) (((a))))(declare-fun t () T)(assert (= t a))(check-sat)",
    );
    check(
        "datatypes",
        "(declare-datatypes ((T 0) (U 0)) (((a) (b (f U))) ((c (g T)))))(declare-fun t () T)(assert (= t a))(check-sat)",
        "((define-fun t () T a))",
        "(declare-datatypes ((T 0) (U 0)) (((a)) ((c (g T)))))(declare-fun t () T)(assert (= t a))(check-sat)",
    );
    check(
        "datatypes",
        "(declare-datatypes ((T 0) (U 0)) (((a)) ((c (g T)))))(declare-fun t () T)(assert (= t a))(check-sat)",
        "((define-fun t () T a))",
        "(declare-datatypes ((T 0)) (((a))))(declare-fun t () T)(assert (= t a))(check-sat)",
    );
    // Of a datatype used only as a sort, the constructor with the fewest fields stays.
    check(
        "datatypes",
        "(declare-datatypes ((T 0)) (((b (f Int)) (a) (c))))(declare-fun t () T)(assert (= t t))(check-sat)",
        "",
        "(declare-datatypes ((T 0)) (((a))))(declare-fun t () T)(assert (= t t))(check-sat)",
    );
    // Later datatypes follow, and so do parameters.
    check(
        "datatypes",
        "(declare-datatypes ((L 1)) ((par (X) ((nil) (cons (hd X) (tl (L X))) (odd)))))\
         (declare-datatypes ((B 0)) (((box (open (L Int))))))\
         (declare-fun l () B)(assert (= (hd (open l)) 3))(check-sat)",
        "((define-fun l () B (box (cons 3 (as nil (L Int))))))",
        "(declare-datatypes ((L 1)) ((par (X) ((nil) (cons (hd X) (tl (L X)))))))\
         (declare-datatypes ((B 0)) (((box (open (L Int))))))\
         (declare-fun l () B)(assert (= (hd (open l)) 3))(check-sat)",
    );
    // Without `nil` no list is finite.
    let lists = "(declare-datatypes ((L 0)) (((nil) (cons (hd Int) (tl L)))))(declare-fun l () L)(assert (= (hd l) 3))(check-sat)";
    check_nothing("datatypes", lists, "");
    check(
        "names",
        "(declare-fun long () Bool)(assert long)(check-sat)",
        "((define-fun long () Bool true))",
        "(declare-fun a () Bool)(assert a)(check-sat)",
    );
    check(
        "names",
        "(declare-sort Node 0)(declare-fun n () Node)(assert (= n n))(check-sat)",
        "",
        "(declare-sort A 0)(declare-fun n () A)(assert (= n n))(check-sat)",
    );
    check_nothing("names", "(declare-fun a () Bool)(assert a)(check-sat)", "");
}

#[test]
fn recursive_definitions() {
    let even = "(define-funs-rec ((ev ((x Int)) Bool) (od ((x Int)) Bool) (one ((x Int)) Int)) \
                ((ite (= x 0) true (od (- x 1))) (ite (= x 0) false (ev (- x 1))) 1))";
    let two = "(define-funs-rec ((ev ((x Int)) Bool)(od ((x Int)) Bool)) \
               ((ite (= x 0) true (od (- x 1))) (ite (= x 0) false (ev (- x 1)))))";
    let asks = "(assert (ev 4))(check-sat)";
    check("recursive_functions", &format!("{even}{asks}"), "", &format!("{two}{asks}"));
    check("recursive_functions", &format!("{even}{asks}"), "", &format!("(define-fun one ((x Int)) Int 1){two}{asks}"));
    check_nothing("recursive_functions", &format!("{two}{asks}"), "");
    check("declarations", &format!("{two}(assert true)(check-sat)"), "", "(assert true)(check-sat)");
    check_nothing("declarations", &format!("{two}{asks}"), "");
    // Bodies are ordinary terms, and uses of the functions follow.
    let fact = "(define-fun-rec f ((n Int)) Int (ite (= n 0) 1 (f (- n 1))))(assert (= (f 3) 1))(check-sat)";
    check("defaults", fact, "", &fact.replace("(ite (= n 0) 1 (f (- n 1)))", "0"));
    check("children", fact, "", &fact.replace("(ite (= n 0) 1 (f (- n 1)))", "(f (- n 1))"));
    check("truth_values", fact, "", &fact.replace("(= n 0)", "false"));
    let plain = "(define-fun f ((n Int)) Int 0)(assert (= (f 3) 1))(check-sat)";
    check("recursive_functions", &plain.replace("define-fun", "define-fun-rec"), "", plain);
    // Sorts in them change with the others.
    let vector = |width: u32, three: &str| {
        let sort = format!("(_ BitVec {width})");
        format!("(define-fun-rec f ((n {sort})) {sort} (f n))(assert (= (f {three}) {three}))(check-sat)")
    };
    check("widths", &vector(8, "#x03"), "", &vector(4, "#x3"));
}

#[test]
fn the_witness_goes_along() {
    // Proposals of passes that make new symbols are satisfied by the witness they extend.
    let cases = [
        (
            "widths",
            "(declare-fun v () (_ BitVec 8))(assert (bvult v #x07))(check-sat)",
            "((define-fun v () (_ BitVec 8) #x03))",
        ),
        ("names", "(declare-fun long () Int)(assert (= long 7))(check-sat)", "((define-fun long () Int 7))"),
        ("fresh_variables", "(declare-fun x () Int)(assert (= 49 (* x x)))(check-sat)", "((define-fun x () Int 7))"),
        (
            "datatypes",
            "(declare-datatypes ((T 0)) (((a) (b))))(declare-fun t () T)(assert (= t b))(check-sat)",
            "((define-fun t () T b))",
        ),
    ];
    for (name, input, witness) in cases {
        let mut set = read(input, witness);
        let before = set.store.script_text(&set.script);
        let all = candidates(&mut set, name);
        let model = set.model.clone().unwrap();
        let holds = |text: &String| {
            let mut store = set.store.clone();
            let parsed = smtlib::parse(&mut store, text);
            let instance = &parsed.script.instances()[0];
            *text != before && WitnessValues::new(Arc::new(model.clone())).satisfy(&store, instance)
        };
        assert!(all.iter().any(holds), "{name} on {input}: {all:?}");
    }
}

#[test]
fn every_pass_says_what_it_does() {
    for pass in passes::REGISTRY {
        assert!(!pass.about.is_empty() && !pass.about.ends_with('.'), "{}", pass.name);
        assert_eq!(passes::REGISTRY.iter().filter(|p| p.name == pass.name).count(), 1);
    }
}
