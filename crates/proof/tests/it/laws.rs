//! The judge agrees with exhaustion of small worlds, and finds conclusions that replaced right ones.

use proof::{JudgeLimits, StepVerdict, judge_text};

type TruthOfBits = Box<dyn Fn(u8, u8, bool) -> bool>;
type WordOfBits = Box<dyn Fn(u8, u8) -> u8>;

/// A formula over `x` and `y` of two bits and `b`, and its value by plain arithmetic.
fn formula(bits: &mut impl FnMut(usize) -> usize, depth: usize) -> (String, TruthOfBits) {
    match bits(if depth == 0 { 3 } else { 6 }) {
        0 => ("b".to_string(), Box::new(|_, _, b| b)),
        1 => {
            let (s, s_value) = word(bits, 2);
            let (t, t_value) = word(bits, 2);
            (format!("(bvult {s} {t})"), Box::new(move |x, y, _| s_value(x, y) < t_value(x, y)))
        }
        2 => {
            let (s, s_value) = word(bits, 2);
            let (t, t_value) = word(bits, 2);
            (format!("(= {s} {t})"), Box::new(move |x, y, _| s_value(x, y) == t_value(x, y)))
        }
        3 => {
            let (s, s_value) = formula(bits, depth - 1);
            (format!("(not {s})"), Box::new(move |x, y, b| !s_value(x, y, b)))
        }
        4 => {
            let (s, s_value) = formula(bits, depth - 1);
            let (t, t_value) = formula(bits, depth - 1);
            (format!("(and {s} {t})"), Box::new(move |x, y, b| s_value(x, y, b) && t_value(x, y, b)))
        }
        _ => {
            let (s, s_value) = formula(bits, depth - 1);
            let (t, t_value) = formula(bits, depth - 1);
            (format!("(=> {s} {t})"), Box::new(move |x, y, b| !s_value(x, y, b) || t_value(x, y, b)))
        }
    }
}

fn word(bits: &mut impl FnMut(usize) -> usize, depth: usize) -> (String, WordOfBits) {
    match bits(if depth == 0 { 3 } else { 5 }) {
        0 => ("x".to_string(), Box::new(|x, _| x)),
        1 => ("y".to_string(), Box::new(|_, y| y)),
        2 => {
            let n = bits(4) as u8;
            (format!("#b{n:02b}"), Box::new(move |_, _| n))
        }
        n => {
            let (s, s_value) = word(bits, depth - 1);
            let (t, t_value) = word(bits, depth - 1);
            match n {
                3 => (format!("(bvadd {s} {t})"), Box::new(move |x, y| (s_value(x, y) + t_value(x, y)) % 4)),
                _ => (format!("(bvmul {s} {t})"), Box::new(move |x, y| s_value(x, y) * t_value(x, y) % 4)),
            }
        }
    }
}

#[test]
fn a_claim_is_refuted_exactly_where_an_assignment_falsifies_it() {
    let mut state = 7u64;
    let mut bits = |bound: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % bound
    };
    let (mut holding, mut refuted) = (0, 0);
    for _ in 0..testing::amount("SQUALL_PROOF_CLAIMS", 400) {
        let (premise, premise_value) = formula(&mut bits, 3);
        let (conclusion, conclusion_value) = formula(&mut bits, 3);
        let problem = format!(
            "(declare-const x (_ BitVec 2))(declare-const y (_ BitVec 2))(declare-const b Bool)(assert {premise})(check-sat)"
        );
        let proof = format!("(assume @p1 {premise})\n(step @p2 {conclusion} :rule r :premises (@p1))");
        let judged = judge_text(&problem, &proof, &JudgeLimits::default(), None).expect("a proof");
        let is_wrong = (0..32u8).any(|n| {
            let (x, y, b) = (n % 4, n / 4 % 4, n / 16 == 1);
            premise_value(x, y, b) && !conclusion_value(x, y, b)
        });
        match (&judged.steps[1].verdict, is_wrong) {
            (StepVerdict::Refuted(_), true) => refuted += 1,
            (StepVerdict::Holds(_), false) => holding += 1,
            (verdict, _) => panic!("{verdict:?}: {proof}"),
        }
    }
    assert!(holding >= 20 && refuted >= 20, "{holding} hold, {refuted} are refuted");
}
