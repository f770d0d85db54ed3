//! Choices where the standard leaves a value open: written as definitions, read back, and what may be chosen at all.

use crate::support::{self, read, verdict};
use semantics::float::{Float, FloatFormat};
use semantics::{EvalLimits, Evaluator, Model, UnknownReason, Value, Verdict, read_model, validate};
use smtlib::{Command, Script, TermId};

#[track_caller]
fn check(script: &str, model: &str, expect: &str) {
    assert!(verdict(script, model).starts_with(expect), "{}: {script} under {model}", verdict(script, model));
}

/// Accepted by SMT-COMP's model validation: the theory's function under its own name. It was dropped silently.
#[test]
fn definitions_of_theory_functions_are_choices() {
    let div = "(assert (= (div 3 0) 4))(assert (= (div 1 0) 5))(assert (= (div 7 2) 3))";
    check(div, "()", "unknown: division by zero");
    check(div, "((define-fun div ((a Int) (b Int)) Int (ite (= b 0) (ite (= a 1) 5 4) (div a b))))", "valid");
    check(div, "((define-fun div ((a Int) (b Int)) Int (ite (= b 0) 5 (div a b))))", "invalid 0");
    check(div, "((define-fun div ((a Int) (b Int)) Int (ite (and (= a 1) (= b 0)) 5 (div a b))))", "unknown: division");
    // No chain of cases: nothing is chosen, and nothing is said.
    check(div, "((define-fun div ((a Int) (b Int)) Int (ite (< b 1) (+ a 4) (div a b))))", "unknown: division");
    // What the theory defines stays as it is.
    check(
        "(assert (= (div 7 2) 4))",
        "((define-fun div ((a Int) (b Int)) Int (ite (= b 2) 4 (div a b))))",
        "invalid 0",
    );

    let real = "(declare-const x Real)(assert (= (/ x 0.0) 7.0))(assert (= (/ 2.0 0.0 0.0) 7.0))";
    let slash = "(define-fun / ((a Real) (b Real)) Real (ite (= b 0) 7.0 (/ a b)))";
    check(real, &format!("((define-fun x () Real 1.5) {slash})"), "valid");

    let list =
        "(declare-datatypes ((L 0)) (((nil) (cons (hd Int) (tl L)))))(assert (= (hd nil) 3))(assert (= (tl nil) nil))";
    let (hd, tl) = ("(ite (= a nil) 3 (hd a))", "(ite (= a nil) nil (tl a))");
    check(list, &format!("((define-fun hd ((a L)) Int {hd}) (define-fun tl ((a L)) L {tl}))"), "valid");
    check(list, &format!("((define-fun hd ((a L)) Int {hd}))"), "unknown: a selector");

    let float = "(declare-const m RoundingMode)(declare-const f Float16)
         (assert (= ((_ fp.to_ubv 8) m f) #x0a))(assert (= ((_ fp.to_ubv 4) m f) #xb))(assert (= ((_ fp.to_sbv 8) m f) #x0c))";
    let rank = "((m RoundingMode) (f Float16))";
    let given = "(define-fun m () RoundingMode RTZ)(define-fun f () Float16 (_ NaN 5 11))";
    let body = |value: &str, call: &str| format!("(ite (and (= m RTZ) (= f (_ NaN 5 11))) {value} (({call}) m f))");
    let ubv8 = format!("(define-fun fp.to_ubv {rank} (_ BitVec 8) {})", body("#x0a", "_ fp.to_ubv 8"));
    let ubv4 = format!("(define-fun fp.to_ubv {rank} (_ BitVec 4) {})", body("#xb", "_ fp.to_ubv 4"));
    let sbv8 = format!("(define-fun fp.to_sbv {rank} (_ BitVec 8) {})", body("#x0c", "_ fp.to_sbv 8"));
    check(float, &format!("({given}{ubv8}{ubv4}{sbv8})"), "valid");
    check(float, &format!("({given}{ubv8}{sbv8})"), "unknown: conversions");
}

/// A function that the script declares under such a name is the script's own.
#[test]
fn a_name_that_the_script_declares_is_no_choice() {
    check("(declare-fun rem0 (Int) Int)(assert (= (rem0 1) 4))", "((define-fun rem0 ((a Int)) Int 4))", "valid");
    check("(declare-fun mod (Int) Int)(assert (= (mod 1) 4))", "((define-fun mod ((a Int)) Int 4))", "valid");
}

/// `fp.min` of two zeros is a zero, the encoding of NaN is NaN's, and a value is of the operator's sort: a solver's value that
/// is none of these was believed.
#[test]
fn only_some_values_may_be_chosen() {
    let half = FloatFormat::FLOAT16;
    let (plus, minus) = (Float::zero(half, false), Float::zero(half, true));
    let zeros = [plus, minus.clone()].map(Value::Float);
    let nan = [Value::Float(Float::nan(half))];
    let number = [Value::Int(1.into()), Value::Int(0.into())];
    let min = "(fp.min (_ +zero 5 11) (_ -zero 5 11))";
    let cases: [(&str, &[Value], Value, bool); 7] = [
        (min, &zeros, Value::Float(minus), true),
        (min, &zeros, Value::Float(Float::nan(half)), false),
        (min, &zeros, Value::Float(Float::zero(FloatFormat::FLOAT32, false)), false),
        ("(fp.to_ieee_bv (_ NaN 5 11))", &nan, Value::bitvec(16, 0x7fffu32.into()), true),
        ("(fp.to_ieee_bv (_ NaN 5 11))", &nan, Value::bitvec(16, 0x7c00u32.into()), false),
        ("(div 1 0)", &number, Value::Int((-4).into()), true),
        ("(div 1 0)", &number, Value::real(4.into()), false),
    ];
    for (text, args, value, may) in cases {
        let r = read(&format!("(assert (= {text} {text}))(assert (distinct {text} {text}))(check-sat)"));
        let term = r.store.args(r.assertions[0])[0];
        let mut model = Model::new();
        assert!(model.choose(r.store.op(term), args.into(), value.clone()));
        let found = Evaluator::new(model, EvalLimits::default()).eval(&r.store, term);
        assert_eq!(found.clone().ok(), may.then_some(value), "{text}: {found:?}");
        assert!(
            may || found.is_err_and(|u| matches!(u.reason, UnknownReason::Float(_) | UnknownReason::DivisionByZero)),
            "{text}"
        );
    }
}

/// Choices for every operator with an open value are written, read back unchanged, and make the same terms true.
#[test]
fn choices_are_read_back_as_they_were_written() {
    let mut r = read(
        "(declare-datatypes ((L 0)) (((nil) (cons (hd Int) (tl L)))))
         (declare-datatypes ((P 1)) ((par (X) ((none) (some (the X))))))
         (declare-sort U 0)(declare-const x!0 Int)
         (assert (= (/ 1.0 0.0) 2.5))(assert (= (/ (- 1.0) 0.0) (- 3.0)))(assert (= (div x!0 0) 9))(assert (= (mod 5 0) 5))
         (assert (= (hd nil) 5))(assert (= (tl nil) (cons 1 nil)))
         (assert (= (the (as none (P Int))) 4))(assert (the (as none (P Bool))))
         (assert (= (fp.min (_ -zero 5 11) (_ +zero 5 11)) (_ -zero 5 11)))
         (assert (= (fp.max (_ -zero 5 11) (_ +zero 5 11)) (_ +zero 5 11)))
         (assert (= (fp.max (_ -zero 3 4) (_ +zero 3 4)) (_ -zero 3 4)))
         (assert (= ((_ fp.to_ubv 8) RNE (_ -oo 5 11)) #x07))(assert (= ((_ fp.to_ubv 8) RNE (_ NaN 3 4)) #x08))
         (assert (= ((_ fp.to_ubv 9) RTP (_ -oo 5 11)) #b100000001))
         (assert (= ((_ fp.to_sbv 8) RTP ((_ to_fp 5 11) RNE 128.0)) #x09))
         (assert (= (fp.to_real (_ -oo 5 11)) 0.1))(assert (= (fp.to_ieee_bv (_ NaN 5 11)) #xfc01))(check-sat)",
    );
    let mut model = Model::new();
    let x = r.script.commands.iter().find_map(|c| if let Command::DeclareFun(f) = c { Some(*f) } else { None });
    let f = x.expect("x!0 is declared");
    assert!(model.assign(&r.store, f, Value::Int(3.into())).is_ok());
    for &t in &r.assertions {
        choose(&r, &mut model, t);
    }
    assert_eq!(validate(&r.store, &r.assertions, model.clone()), Verdict::Valid);
    let choices = model.choice_definitions(&mut r.store).expect("all choices have a text");
    let text = r.store.script_text(&Script { commands: choices });
    let instance = r.script.instances()[0].clone();
    let again = read_model(&mut r.store, &instance, &format!("((define-fun x!0 () Int 3)\n{text})")).expect("a model");
    assert_eq!(validate(&r.store, &r.assertions, again.clone()), Verdict::Valid, "{text}");
    let rows = |m: &Model| m.choices().into_iter().map(|(op, t)| (op, format!("{:?}", t.rows()))).collect::<Vec<_>>();
    assert_eq!(rows(&again), rows(&model), "{text}");
}

/// Chooses the value on the right of an equation, or true, for the term on the left.
fn choose(r: &support::Read, model: &mut Model, t: TermId) {
    let (left, right) = match r.store.args(t) {
        &[left, right] => (left, Some(right)),
        _ => (t, None),
    };
    let mut evaluator = Evaluator::new(model.clone(), EvalLimits::default());
    let mut eval = |t: TermId| evaluator.eval(&r.store, t).expect("a value");
    let args = r.store.args(left).iter().map(|&a| eval(a)).collect();
    let value = right.map_or(Value::Bool(true), &mut eval);
    assert!(model.choose(r.store.op(left), args, value));
}

/// Z3 gives `seq.nth` outside of sequences a table of its own, and cvc5 says nothing.
#[test]
fn positions_outside_of_sequences() {
    let script = "(declare-const x (Seq Int))(declare-const y (Seq Bool))(assert (= (seq.nth x 1) 9))(assert (= (seq.nth x (- 4)) 7))
        (assert (= (seq.nth x 0) 6))";
    let values = "(define-fun x () (Seq Int) (seq.unit 6)) (define-fun y () (Seq Bool) (as seq.empty (Seq Bool)))";
    let table = "(define-fun seq.nth_u ((x!0 (Seq Int)) (x!1 Int)) Int (ite (and (= x!0 (seq.unit 6)) (= x!1 1)) 9 7))";
    check(script, &format!("({values})"), "unknown: seq.nth out of range");
    check(script, &format!("({values}{table})"), "valid");
    check(script, &format!("({values}{})", table.replace("9 7", "8 7")), "invalid 0");
    check(script, &format!("({values}{})", table.replace("9 7", "9 6")), "invalid 1");
    // A table of another sort's elements says nothing here.
    let other = "(define-fun seq.nth_u ((x!0 (Seq Bool)) (x!1 Int)) Bool true)";
    check(script, &format!("({values}{other})"), "unknown: seq.nth out of range");
    let own = "(define-fun seq.nth ((s (Seq Int)) (i Int)) Int (ite (and (= s (seq.unit 6)) (= i 1)) 9 (ite (and (= s (seq.unit 6)) (= i (- 4))) 7 (seq.nth s i))))";
    check(script, &format!("({values}{own})"), "valid");
}

/// The choices of a model, and a default for all of one sort's sequences, as text.
#[test]
fn choices_of_sequences_are_written() {
    let mut r = read("(declare-const x (Seq Int))(assert (= (seq.nth x 1) 9))(check-sat)");
    let nth = r.store.args(r.assertions[0])[0];
    let (op, sort) = (r.store.op(nth), r.store.sort(r.store.args(nth)[0]));
    let unit = Value::sequence(sort, [Value::Int(6.into())].into()).expect("a small value");
    let text = |model: &Model, r: &mut crate::support::Read| {
        let commands = model.choice_definitions(&mut r.store).expect("a text");
        r.store.script_text(&Script { commands })
    };
    let mut model = Model::new();
    model.choose(op, [unit, Value::Int(1.into())].into(), Value::Int(9.into()));
    let head = "(define-fun seq.nth ((x!0 (Seq Int)) (x!1 Int)) Int";
    assert_eq!(
        text(&model, &mut r),
        format!("{head} (ite (and (= x!0 (seq.unit 6)) (= x!1 1)) 9 (seq.nth x!0 x!1)))\n")
    );
    let mut model = Model::new();
    model.choose_default(op, Value::Int(7.into()));
    assert_eq!(
        text(&model, &mut r),
        format!("{head} (ite (not (and (<= 0 x!1) (< x!1 (seq.len x!0)))) 7 (seq.nth x!0 x!1)))\n")
    );
}
