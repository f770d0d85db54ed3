//! Models: assignment, choices, witnesses, reading and validation.

use crate::support::{read, verdict};
use semantics::{EvalLimits, Evaluator, FunctionTable, Model, Value, Verdict, read_model, validate};
use smtlib::{Command, FuncId, Store};

fn func(store: &Store, script: &smtlib::Script, name: &str) -> FuncId {
    let found = script.commands.iter().find_map(|c| match c {
        Command::DeclareFun(f) if store.name(store.func(*f).name) == name => Some(*f),
        _ => None,
    });
    match found {
        Some(f) => f,
        None => panic!("no {name}"),
    }
}

#[test]
fn tables_choices_and_their_witness() {
    let mut r = read(
        "(declare-sort U 0)(declare-fun a () U)(declare-fun b () U)(declare-fun f (U Int) Int)
         (declare-fun x () Real)(declare-fun m () (Array Int Bool))
         (define-fun g ((y Int)) Int (f a y))
         (assert (distinct a b))(assert (= (f a 1) 7))(assert (= (g 2) 8))(assert (= (/ x 0.0) 5.0))
         (assert (select m 3))(assert (not (select m 4)))(check-sat)",
    );
    let [a, b, f, x, m] = ["a", "b", "f", "x", "m"].map(|n| func(&r.store, &r.script, n));
    let sort = r.store.func(a).result;
    let mut model = Model::new();
    model.set_universe(sort, 2);
    let element = |index| Value::Element { sort, index };
    assert!(model.assign(&r.store, a, element(0)).is_ok());
    assert!(model.assign(&r.store, b, element(1)).is_ok());
    assert!(model.assign(&r.store, x, Value::Int(3.into())).is_err(), "an integer is no real");
    assert!(model.assign(&r.store, x, Value::real(2.into())).is_ok());
    let mut table = FunctionTable::new(Some(Value::Int(8.into())));
    assert!(table.insert([element(0), Value::Int(1.into())].into(), Value::Int(7.into())));
    assert!(model.assign_table(&r.store, f, table).is_ok());

    let read_back = read_model(
        &mut r.store,
        &r.script.instances()[0],
        "((define-fun m () (Array Int Bool) (store ((as const (Array Int Bool)) false) 3 true)))",
    );
    let Ok(read_back) = read_back else { panic!("{read_back:?}") };
    let mut evaluator = Evaluator::new(read_back, EvalLimits::default());
    let Ok(m_term) = r.store.constant_of(m) else { panic!() };
    let Ok(m_value) = evaluator.eval(&r.store, m_term) else { panic!() };
    assert!(model.assign(&r.store, m, m_value).is_ok());

    assert!(matches!(validate(&r.store, &r.assertions, model.clone()), Verdict::Unknown { .. }));
    let op = r.store.op(r.store.args(r.assertions[3])[0]);
    assert!(model.choose(op, [Value::real(2.into()), Value::real(0.into())].into(), Value::real(5.into())));
    assert_eq!(validate(&r.store, &r.assertions, model.clone()), Verdict::Valid);

    let instance = r.script.instances()[0].clone();
    let Ok(witness) = model.witness(&mut r.store, &instance) else { panic!() };
    let text = r.store.script_text(&witness);
    // The witness is a script of its own, true under the distinct elements it declares and the choice it asserts.
    let again = read(&text);
    let mut own = Model::new();
    let mut index = 0;
    for c in &again.script.commands {
        if let Command::DeclareFun(f) = c {
            let sort = again.store.func(*f).result;
            assert!(own.assign(&again.store, *f, Value::Element { sort, index }).is_ok());
            index += 1;
        }
    }
    assert_eq!(index, 2);
    assert!(own.choose(op, [Value::real(2.into()), Value::real(0.into())].into(), Value::real(5.into())));
    assert_eq!(validate(&again.store, &again.assertions, own), Verdict::Valid, "{text}");
}

/// The witness once declared elements of every universe of the model, also of a sort that the instance had lost.
#[test]
fn a_witness_has_elements_of_declared_sorts_only() {
    let mut r = read(
        "(declare-sort U 0)(declare-sort V 0)(declare-fun a () U)(declare-fun b () U)(declare-fun v () V)
         (assert (distinct a b))(check-sat)",
    );
    let [a, b, v] = ["a", "b", "v"].map(|n| func(&r.store, &r.script, n));
    let [left, right] = [r.store.func(a).result, r.store.func(v).result];
    let mut model = Model::new();
    model.set_universe(left, 3);
    model.set_universe(right, 2);
    for (f, index) in [(a, 0), (b, 1)] {
        assert!(model.assign(&r.store, f, Value::Element { sort: left, index }).is_ok());
    }
    let mut instance = r.script.instances()[0].clone();
    for (lost, elements) in [(false, 5), (true, 3)] {
        if lost {
            let speaks_of_v = |c: &Command| match c {
                Command::DeclareFun(f) => *f == v,
                Command::DeclareSort(name, _) => r.store.name(*name) == "V",
                _ => false,
            };
            instance.declarations.retain(|c| !speaks_of_v(c));
        }
        let Ok(witness) = model.witness(&mut r.store, &instance) else { panic!() };
        let text = r.store.script_text(&witness);
        assert_eq!(
            text.matches("(declare-fun elem!").count() + text.matches("(declare-const elem!").count(),
            elements,
            "{text}"
        );
        read(&text);
        let universes = semantics::model_definitions::universes(&r.store, &model, &instance.declarations);
        assert_eq!(universes.len(), if lost { 1 } else { 2 });
    }
}

#[test]
fn invalid_names_the_first_false_assertion() {
    let r = read("(declare-fun x () Int)(assert (> x 0))(assert (< x 5))(assert (= x 9))");
    let x = func(&r.store, &r.script, "x");
    let mut model = Model::new();
    assert!(model.assign(&r.store, x, Value::Int(7.into())).is_ok());
    let Verdict::Invalid { assertion, term, subterms } = validate(&r.store, &r.assertions, model) else { panic!() };
    assert_eq!((assertion, term), (1, r.assertions[1]));
    assert!(subterms.iter().any(|s| s.1 == Value::Int(7.into())));
}

const UF: &str = "
(declare-sort U 0)
(declare-fun a () U)(declare-fun b () U)(declare-fun f (U Int) Int)
(declare-fun m () (Array Int Int))
(declare-fun m2 () (Array U Int))
(declare-fun x () Real)
(declare-fun z () Real)
(declare-fun p (Int) Bool)
(assert (distinct a b))
(assert (= (f a 1) 3))(assert (= (f b 2) 4))
(assert (= (select m 3) 7))
(assert (not (= (select m2 a) (select m2 b))))
(assert (= x (/ 1.0 3.0)))
(assert (> (/ z 0.0) 3.0))
(assert (p 3))(assert (not (p 4)))";

#[test]
fn models_of_z3() {
    let model = "(
  ;; universe for U:
  ;;   U!val!1 U!val!0 
  ;; -----------
  ;; definitions for universe elements:
  (declare-fun U!val!1 () U)
  (declare-fun U!val!0 () U)
  ;; cardinality constraint:
  (forall ((x U)) (or (= x U!val!1) (= x U!val!0)))
  ;; -----------
  (define-fun m () (Array Int Int)
    ((as const (Array Int Int)) 7))
  (define-fun b () U
    U!val!1)
  (define-fun a () U
    U!val!0)
  (define-fun m2 () (Array U Int)
    (store ((as const (Array U Int)) 5) U!val!1 6))
  (define-fun z () Real
    7719.0)
  (define-fun x () Real
    (/ 1.0 3.0))
  (define-fun /0 ((x!0 Real) (x!1 Real)) Real
    (/ 7.0 2.0))
  (define-fun p ((x!0 Int)) Bool
    (ite (= x!0 4) false
      true))
  (define-fun f ((x!0 U) (x!1 Int)) Int
    (ite (and (= x!0 U!val!1) (= x!1 2)) 4
      3))
)";
    assert_eq!(verdict(UF, model), "valid");
    assert_eq!(verdict(UF, &model.replace("(/ 1.0 3.0)", "(/ 1.0 4.0)")), "invalid 5");
    assert_eq!(
        verdict(UF, &model.replace("    U!val!1)\n  (define-fun a", "    U!val!0)\n  (define-fun a")),
        "invalid 0"
    );
    assert_eq!(verdict(UF, &model.replace("(/ 7.0 2.0)", "(/ 5.0 2.0)")), "invalid 6");
}

#[test]
fn models_of_cvc5_and_cvc4() {
    let cvc5 = "(
; cardinality of U is 2
; rep: (as @U_0 U)
; rep: (as @U_1 U)
(define-fun a () U (as @U_0 U))
(define-fun b () U (as @U_1 U))
(define-fun f ((_arg_1 U) (_arg_2 Int)) Int (ite (= (as @U_0 U) _arg_1) (ite (= _arg_2 1) 3 4) 4))
(define-fun m () (Array Int Int) (store ((as const (Array Int Int)) 1) 3 7))
(define-fun m2 () (Array U Int) (store ((as const (Array U Int)) 0) (as @U_0 U) (- 1)))
(define-fun x () Real (/ 1 3))
(define-fun z () Real 0.0)
(define-fun p ((_arg_1 Int)) Bool (= _arg_1 3))
)";
    assert_eq!(verdict(UF, cvc5), "unknown: division by zero may have any value");
    let script = UF.replace("(assert (> (/ z 0.0) 3.0))", "");
    assert_eq!(verdict(&script, cvc5), "valid");
    let cvc4 = cvc5.replace("(as @U_0 U)", "@uc_U_0").replace("(as @U_1 U)", "@uc_U_1");
    let cvc4 = cvc4.replacen('(', "(model\n(declare-sort U 0)\n", 1);
    assert_eq!(verdict(&script, &cvc4), "valid");
    assert_eq!(verdict(&script, &cvc4.replace("b () U @uc_U_1", "b () U @uc_U_0")), "invalid 0");
}

/// cvc5 1.4.2 names an element in a comment only; two arrays that differ there were called equal, and its right model a wrong one.
#[test]
fn elements_in_comments_are_of_the_universe() {
    let script = "(declare-sort I 0)(declare-sort E 0)(declare-fun b () (Array I E))(declare-fun c () (Array I E))
        (assert (distinct b c))";
    let arrays = "(define-fun b () (Array I E) (store ((as const (Array I E)) (as @E_0 E)) (as @I_1 I) (as @E_2 E)))
        (define-fun c () (Array I E) (store ((as const (Array I E)) (as @E_1 E)) (as @I_1 I) (as @E_2 E)))";
    let both = "; cardinality of I is 2\n; rep: (as @I_0 I)\n; rep: (as @I_1 I)\n";
    for (comments, expect) in [(both, "valid"), (&*both.replace("; rep: (as @I_0 I)\n", ""), "invalid 0")] {
        assert_eq!(verdict(script, &format!("(\n{comments}{arrays})")), expect, "{comments}");
        let older =
            format!("(model\n{comments}{arrays})").replace("(as @I_0 I)", "@uc_I_0").replace("(as @I_1 I)", "@uc_I_1");
        assert_eq!(verdict(script, &older), expect, "{older}");
    }
}

/// Of a sort that a reply does not mention there may be several elements: bitwuzla prints no skolem constants.
#[test]
fn a_sort_that_a_reply_leaves_out_stays_open() {
    let script = "(declare-sort U 0)(declare-fun x () Int)(declare-fun u () U)(assert (= x 0))";
    let model = "((define-fun x () Int 0))";
    let open = "unknown: the quantifier's domain is infinite, not fixed by the model, or above the bound";
    for (assertion, expect) in [
        ("", "valid"),
        ("(= u u)", "valid"),
        ("(exists ((a U) (b U)) (distinct a b))", open),
        ("(forall ((a U)) (= a u))", open),
    ] {
        let script = if assertion.is_empty() { script.to_string() } else { format!("{script}(assert {assertion})") };
        assert_eq!(verdict(&script, model), expect, "{assertion}");
    }
    assert_eq!(verdict(&script.replace("(= x 0)", "(= x 1)"), model), "invalid 0");
}

#[test]
fn other_shapes_of_models() {
    let script = "(declare-fun a () (Array (_ BitVec 2) (_ BitVec 8)))(declare-fun b () (Array Int Int))
        (assert (= (select a #b01) #x05))(assert (= (select a #b10) #x00))";
    for (model, expect) in [
        // Boolector prints an array as a function.
        ("(model (define-fun a ((a_x0 (_ BitVec 2))) (_ BitVec 8) (ite (= a_x0 #b01) #x05 #x00)))", "valid"),
        (
            "((define-fun a () (Array (_ BitVec 2) (_ BitVec 8)) (_ as-array k!0)) (define-fun k!0 ((x!0 (_ BitVec 2))) (_ BitVec 8) (ite (= x!0 #b01) #x05 #x00)))",
            "valid",
        ),
        (
            "((define-fun a () (Array (_ BitVec 2) (_ BitVec 8)) (lambda ((x!1 (_ BitVec 2))) (ite (= x!1 #b01) #x05 #x01))))",
            "invalid 1",
        ),
        ("((a (store ((as const (Array (_ BitVec 2) (_ BitVec 8))) #x00) #b01 #x05)))", "valid"),
        ("(= a (store ((as const (Array (_ BitVec 2) (_ BitVec 8))) #x00) #b01 #x06))", "invalid 0"),
        // Answers of several commands in a row.
        (
            "((b ((as const (Array Int Int)) 1)))\n(\n(define-fun a () (Array (_ BitVec 2) (_ BitVec 8)) (store ((as const (Array (_ BitVec 2) (_ BitVec 8))) #x00) #b01 #x05)))",
            "valid",
        ),
        ("(error \"line 3: no model\")", "error: the reply is not a model: (error \"line 3: no model\")"),
        ("unsupported", "error: the reply is not a model: unsupported"),
        ("((define-fun a () Int 5))", "error: the model defines `a` with rank () Int, unlike the script"),
        ("((define-fun b () (Array Int Int) b))", "error: the definition of `b` is cyclic"),
        (
            "((define-fun a () (Array (_ BitVec 2) (_ BitVec 8)) (weird 5)))",
            "unknown: the model has no interpretation for the symbol",
        ),
        (
            "((define-fun a () (Array (_ BitVec 2) (_ BitVec 8)) ((as const (Array (_ BitVec 2) (_ BitVec 8)))",
            "unknown: the model has no interpretation for the symbol",
        ),
        // Left out: completed by a default, under which the first assertion is false.
        ("()", "invalid 0"),
        ("(model)", "invalid 0"),
    ] {
        assert_eq!(verdict(script, model), expect, "{model}");
    }
}

#[test]
fn infinite_lambdas_of_models_become_tables() {
    let script = "(declare-fun a () (Array Int Int))(declare-fun b () (Array Int Int))(assert (= a (store b 3 4)))";
    let model = "((define-fun a () (Array Int Int) (lambda ((x!1 Int)) (ite (= x!1 3) 4 (ite (= x!1 (- 2)) 5 6))))
        (define-fun b () (Array Int Int) (_ as-array k!0))
        (define-fun k!0 ((x!0 Int)) Int (ite (= x!0 (- 2)) 5 6)))";
    assert_eq!(verdict(script, model), "valid");
    assert_eq!(verdict(script, &model.replacen("4 (ite", "9 (ite", 1)), "invalid 0");
    let opaque = "((define-fun a () (Array Int Int) (lambda ((x Int)) (+ x 1))) (define-fun b () (Array Int Int) (lambda ((y Int)) (+ 1 y))))";
    assert!(verdict(script, opaque).starts_with("unknown: "));
}

#[test]
fn a_model_gives_operators_no_other_meaning() {
    // Such a definition once stood before the operator in all that followed, so that a good model was judged invalid; later it
    // was left out silently. Its meaning in the other definitions is unknown.
    let script = "(declare-fun x () Int)(assert (= x 3))";
    let model = "((define-fun x () Int (ite (< 1 2) 3 9)))";
    assert_eq!(verdict(script, model), "valid");
    let operator = "(define-fun < ((a Int) (b Int)) Bool false)";
    assert!(verdict(script, &model.replacen('(', &format!("({operator}"), 1)).starts_with("unknown: "));
}
