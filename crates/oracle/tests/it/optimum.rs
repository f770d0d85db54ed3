//! The optimum oracle: replies to `(get-objectives)` and models, right, wrong and unfinished.

use oracle::model_oracle::{RefutedPart, ScriptVerdict, glance};
use solver::outcome::{Answer, CheckAnswer};
use solver::response::SatResponse;

const DECLARED: &str = "(declare-const x Int)(declare-const b (_ BitVec 3))(declare-const p Bool)\
    (assert (<= 0 x 5))(assert (or (< x 4) p))(assert (bvult b #b110))";

fn sat(responses: &[&str]) -> CheckAnswer {
    let responses = responses.iter().map(|text| text.to_string()).collect();
    CheckAnswer { answer: Answer::Sat, said: Some(SatResponse::Sat), responses }
}

fn model(x: &str, b: &str, p: &str) -> String {
    format!("((define-fun x () Int {x}) (define-fun b () (_ BitVec 3) {b}) (define-fun p () Bool {p}))")
}

/// The verdict in words on one check with this model and reply.
fn judged(text: &str, model: &str, reply: &str) -> String {
    let text = format!("{DECLARED}{text}(check-sat)(get-objectives)");
    match glance(&text, &[sat(&[model, reply])], &[]) {
        ScriptVerdict::Valid => "valid".to_string(),
        ScriptVerdict::None => "none".to_string(),
        ScriptVerdict::Open(why) => format!("open: {why}"),
        ScriptVerdict::Invalid(found) if found.part == RefutedPart::Optimum => {
            format!("{}: {}", found.number, found.description.replace('\n', ";"))
        }
        ScriptVerdict::Invalid(found) => found.description,
    }
}

#[test]
fn values_and_models_that_miss_an_optimum_are_refuted() {
    let check = |text: &str, (x, b, p): (&str, &str, &str), reply: &str, expect: &str| {
        let told = judged(text, &model(x, b, p), &format!("(objectives\n {reply}\n)"));
        assert!(told.starts_with(expect), "{text} {reply}: {told}");
    };
    let two = "(maximize x)(minimize b)";
    check(two, ("5", "#b000", "true"), "(x 5) (b 0)", "valid");
    check(two, ("3", "#b000", "false"), "(x 3) (b 0)", "0: maximize x;  5  is  x;");
    check(two, ("5", "#b000", "true"), "(x 6) (b 0)", "0: maximize x;  5  is  x;");
    check(two, ("5", "#b001", "true"), "(x 5) (b 1)", "1: minimize b;  #b000  is  b;");
    // A right reply, and a model that is another one.
    check(two, ("5", "#b001", "true"), "(x 5) (b 0)", "1: minimize b;  #b000  is  b;");
    check("(set-option :opt.priority box)(maximize x)(minimize x)", ("5", "#b001", "true"), "(x 5) (x 0)", "valid");
    check("(maximize x)(minimize x)", ("5", "#b001", "true"), "(x 5) (x 5)", "valid");
    check("(maximize x)(minimize x)", ("5", "#b001", "true"), "(x 5) (x 0)", "1: minimize x;  5  is  x;");
    // Groups of soft assertions, whose names are printed without bars.
    let soft =
        "(assert-soft (not p) :id |a b| :weight 0.5)(assert-soft (= x 5) :weight 2)(assert-soft (= b #b111) :id |a b|)";
    check(soft, ("3", "#b000", "false"), "(a b 1) ( 2)", "valid");
    check(soft, ("3", "#b000", "false"), "(a b 1.0) ( (/ 4 2))", "valid");
    check(
        soft,
        ("5", "#b000", "true"),
        "(a b (/ 3 2)) ( 0)",
        "0: minimize (+ (ite (not p) 0.0 0.5) (ite (= b #b111) 0.0 1.0));  1.0  is  (+ ",
    );
    // A false assertion counts first.
    check(two, ("5", "#b000", "false"), "(x 4) (b 0)", "(or (< x 4) p)");
}

#[test]
fn what_is_unfinished_or_not_known_is_open() {
    let check = |text: &str, reply: &str, expect: &str| {
        let told = judged(text, &model("5", "#b000", "true"), reply);
        assert!(told.starts_with(expect), "{text} {reply}: {told}");
    };
    check("(maximize x)", "(objectives (x (interval 3 5)))", "open: its objective is (interval 3 5)");
    check("(maximize x)", "(objectives (x oo))", "open");
    check("(minimize b)(maximize x)", "(objectives (b (+ 0 epsilon)) (x 3))", "open");
    // The rest of a lexicographic list is open, but not that of a box.
    check("(set-option :opt.priority box)(minimize b)(maximize x)", "(objectives (b oo) (x 3))", "1: ");
    check("(set-option :opt.priority box)(minimize b)(maximize x)", "(objectives (b oo) (x 5))", "open");
    check("(set-option :opt.priority pareto)(maximize x)", "(objectives (x 3))", "open");
    check("(maximize (* x x))", "(objectives ((* x x) 3))", "open");
    check("(maximize x)", "(objectives (x 3) (b 1))", "open: its objectives are not those of the script");
    check("(maximize x)(maximize p)", "(objectives (x 3))", "open");
    check("(maximize x)", "(objectives", "open: its objectives are not");
    check("(maximize x)", "(objectives x)", "open: its objectives are not");
    // Not asked, no objective, or no plain check.
    check("(maximize x)", "(other)", "valid");
    check("", "(objectives)", "valid");
    check("(maximize x)(check-sat-using smt)", "(objectives (x 3))", "valid");
}
