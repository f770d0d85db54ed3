//! The passes on sums and products: their results on given terms, and that random terms keep their values.

use crate::support::grammar::Grammar;
use crate::support::{self, Random, decide, goal_of, read, texts};
use dashu_int::UBig;
use rewrite::commuting::{ArgumentGrouping, commuting, joined};
use rewrite::passes::pass;
use rewrite::passes::solve_eqs::odd_inverse;
use rewrite::{Params, PassSettings, RewritePass, TacticParameter};
use smtlib::{Kind, Op, TermId};

const DECLARED: &str =
    "(declare-const p Bool)(declare-const q Bool)(declare-const x Int)(declare-const y Int)(declare-const z Int)
    (declare-const r Real)(declare-const s Real)(declare-const a (_ BitVec 4))(declare-const b (_ BitVec 4))
    (declare-const c (_ BitVec 1))(declare-const f Float16)(declare-const g Float16)(declare-const h Float16)";

/// Sums and products over few leaves, so branches and factors are often equal.
const SUMS: &[Grammar] = &[
    Grammar {
        name: "vectors",
        declarations: "(declare-const p Bool)(declare-const a (_ BitVec 2))(declare-const b (_ BitVec 2))
            (declare-const c (_ BitVec 4))",
        operators: &[
            ("(= $ $)", "ww", 'B'),
            ("(bvslt $ $)", "ww", 'B'),
            ("(= $ $)", "vv", 'B'),
            ("(bvadd $ $)", "ww", 'w'),
            ("(bvmul $ $)", "ww", 'w'),
            ("(bvmul $ $ $)", "www", 'w'),
            ("(bvsub $ $)", "ww", 'w'),
            ("(bvneg $)", "w", 'w'),
            ("(bvand $ $)", "ww", 'w'),
            ("(bvxor $ $ $)", "www", 'w'),
            ("(bvor $ $)", "ww", 'w'),
            ("(concat $ $)", "vv", 'w'),
            ("(ite $ (bvadd $ c) (bvadd c $))", "Bww", 'w'),
            ("(ite $ $ $)", "Bww", 'w'),
            ("(ite $ $ $)", "Bww", 'w'),
            ("(bvmul $ $)", "vv", 'v'),
            ("(bvadd $ $)", "vv", 'v'),
            ("(ite $ $ $)", "Bvv", 'v'),
        ],
        leaves: &[('B', &["p"]), ('v', &["a", "b", "#b10"]), ('w', &["c", "c", "#x2", "#x4", "#x7", "#xf"])],
    },
    Grammar {
        name: "integers",
        declarations: "(declare-const p Bool)(declare-const x Int)(declare-const y Int)
            (assert (<= (- 4) x))(assert (<= x 4))(assert (<= (- 4) y))(assert (<= y 4))",
        operators: &[
            ("(= $ $)", "ii", 'B'),
            ("(< $ $)", "ii", 'B'),
            ("(+ $ $)", "ii", 'i'),
            ("(+ $ $ $)", "iii", 'i'),
            ("(- $ $ $)", "iii", 'i'),
            ("(- $)", "i", 'i'),
            ("(* $ $)", "ii", 'i'),
            ("(* $ $ $)", "iii", 'i'),
            ("(div $ 3)", "i", 'i'),
            ("(ite $ (* $ y) (* y $))", "Bii", 'i'),
            ("(ite $ $ $)", "Bii", 'i'),
            ("(ite $ $ $)", "Bii", 'i'),
        ],
        leaves: &[('B', &["p"]), ('i', &["x", "y", "x", "2", "(- 3)"])],
    },
];

fn found(name: &str) -> &'static RewritePass {
    pass(name).unwrap_or_else(|| panic!("{name} is in no registry"))
}

/// Returns the formulas that a pass makes of one.
fn after(name: &str, formula: &str, params: Params) -> String {
    let mut input = read(&format!("{DECLARED}(assert {formula})"));
    let goal = goal_of(&mut input);
    let settings = PassSettings { params, ..PassSettings::default() };
    match found(name).apply(&mut input.store, goal, &settings) {
        Ok(step) => texts(&input.store, &step.goal).join(" "),
        Err(error) => panic!("{name} on {formula}: {error}"),
    }
}

/// Prints a formula, with names for shared parts.
fn printed(formula: &str) -> String {
    let mut input = read(&format!("{DECLARED}(assert {formula})"));
    let goal = goal_of(&mut input);
    texts(&input.store, &goal).join(" ")
}

/// Formulas before and after a pass.
fn check(name: &str, rows: &[(&str, &str)]) {
    for (before, expect) in rows {
        assert_eq!(after(name, before, Params::default()), printed(expect), "{name} on {before}");
    }
}

/// Formulas that a pass leaves unchanged.
fn check_unchanged(name: &str, rows: &[&str]) {
    for formula in rows {
        assert_eq!(after(name, formula, Params::default()), printed(formula), "{name}");
    }
}

#[test]
fn products_of_sums_are_sums_of_monomials() {
    check(
        "som",
        &[
            ("(= (* (+ x 1) (+ x 1)) z)", "(= (+ (* 2 x) (* x x) 1) z)"),
            ("(= (* (- x y) (+ (* x x) (* x y) (* y y))) 0)", "(= (+ (* x x x) (* (- 1) y y y)) 0)"),
            ("(> (* 3 (+ x (* 2 (- y 1)))) 0)", "(> (+ (* 3 x) (* 6 y) (- 6)) 0)"),
            ("(> (- (* y x) (* x y)) (- 3))", "(> 0 (- 3))"),
            ("(> (* (- x) (- y)) 0)", "(> (* x y) 0)"),
            // Below other operators and within them.
            ("(= (abs (* x (+ x (abs (* 2 (+ y 1)))))) 5)", "(= (abs (+ (* x x) (* x (abs (+ (* 2 y) 2))))) 5)"),
            ("(= (/ (* r (+ s 1.0)) 2.0) r)", "(= (+ (* 0.5 r) (* 0.5 r s)) r)"),
            ("(= (* (+ r 0.5) (- r 0.5)) (- 0.25))", "(= (+ (* r r) (- 0.25)) (- 0.25))"),
            // Modulo 16: 4 * 4 is nothing, 15 is -1.
            (
                "(= (bvmul (bvadd a #x4) (bvadd b #x4)) #x0)",
                "(= (bvadd (bvadd (bvmul a #x4) (bvmul a b)) (bvmul b #x4)) #x0)",
            ),
            ("(= (bvmul (bvadd a #x4) (bvadd a #xc)) b)", "(= (bvmul a a) b)"),
            ("(= (bvmul (bvsub a b) #xf) b)", "(= (bvadd (bvneg a) b) b)"),
            ("(= (bvmul #x8 (bvadd a a)) b)", "(= #x0 b)"),
            ("(= (bvmul (bvadd c #b1) (bvadd c #b1)) c)", "(= (bvadd (bvmul c c) #b1) c)"),
        ],
    );
    // Division by zero is open, and floats have no ring laws.
    check_unchanged(
        "som",
        &[
            "(= (/ (/ r 0.0) 0.0) (/ r s))",
            "(= (div x 2) (mod x y))",
            "(= (fp.mul RNE f (fp.add RNE g h)) f)",
            "(= (bvand a (bvor a b)) (bvnot b))",
        ],
    );
}

#[test]
fn products_that_grow_too_large_stay() {
    let blowup = |most: u64| {
        let mut params = Params::default();
        let parameter: TacticParameter = found("som").params[0];
        assert_eq!(parameter.name, "som-blowup");
        params.set(&parameter, most);
        params
    };
    let product = "(> (* (+ x y z) (+ x y z)) 0)";
    assert_eq!(after("som", product, blowup(1)), printed(product));
    assert_ne!(after("som", product, blowup(2)), printed(product));
    // Like monomials joined: a power has few.
    let power = |n: usize| format!("(> (* {}) 0)", "(+ x 1) ".repeat(n));
    assert!(after("som", &power(10), Params::default()).starts_with("(> (+ (* 10 x) (* 45 x x)"));
    // At most 32 factors.
    assert_eq!(after("som", &power(40), blowup(1_000_000)), printed(&power(40)));
    // The number of monomials is bounded whatever the parameter says, and so are repeated squares.
    let variables: String = (0..20).map(|n| format!("(+ x z (* {} (div y {n}))) ", n + 2)).collect();
    let product = format!("(> (* {variables}) 0)");
    assert_eq!(after("som", &product, blowup(1_000_000)), printed(&product));
    let mut squares = "(+ x y)".to_string();
    for _ in 0..12 {
        squares = format!("(let ((v {squares})) (* v v))");
    }
    assert!(after("som", &format!("(> {squares} 0)"), Params::default()).len() < 10_000);
}

#[test]
fn what_branches_share_is_hoisted() {
    check(
        "hoist-ite",
        &[
            ("(= (ite p (+ x y) (+ z x)) 0)", "(= (+ x (ite p y z)) 0)"),
            ("(= (ite p (+ x (+ y 1)) (+ 1 z y)) 0)", "(= (+ y 1 (ite p x z)) 0)"),
            // One branch is all that is shared, or both are.
            ("(= (ite p x (+ x y)) 0)", "(= (+ x (ite p 0 y)) 0)"),
            ("(= (ite p (* r r s) (* s r s)) 0.0)", "(= (* r s (ite p r s)) 0.0)"),
            ("(= (ite p (+ x y) (+ y x)) 0)", "(= (+ x y) 0)"),
            // As often as both have it.
            ("(= (ite p (+ x x y) (+ x x x)) 0)", "(= (+ x x (ite p y x)) 0)"),
            // One operator below the other, one choice below the other.
            ("(= (ite p (+ x (* y z)) (+ x (* z z))) 0)", "(= (+ x (* z (ite p y z))) 0)"),
            ("(= (ite p (+ x y) (ite q (+ x z) (+ x 1))) 0)", "(= (+ x (ite p y (ite q z 1))) 0)"),
            ("(= (ite p (bvand a #x3) (bvand b #x3)) #x0)", "(= (bvand #x3 (ite p a b)) #x0)"),
            ("(= (ite p (bvxor a b) b) #x0)", "(= (bvxor b (ite p a #x0)) #x0)"),
            ("(= (ite p (bvand a b) b) #x0)", "(= (bvand b (ite p a #xf)) #x0)"),
            ("(ite p (and q (> x 0)) (and q (> y 0)))", "(and q (ite p (> x 0) (> y 0)))"),
            ("(ite p q (or (> x 0) q))", "(or q (ite p false (> x 0)))"),
            // A number times either is linear, and so is the product with the choice.
            ("(= (ite p (* 3 x) (* 3 y)) 0)", "(= (* 3 (ite p x y)) 0)"),
        ],
    );
    check_unchanged(
        "hoist-ite",
        &[
            "(= (ite p (* 2 x) (* 3 x)) 0)",
            "(= (ite p x (* 3 x)) 0)",
            "(= (ite p (bvmul a #x3) a) b)",
            "(= (ite p (- x y) (- x z)) 0)",
            "(= (ite p (+ x y) (* x y)) 0)",
            "(= (ite p x y) 0)",
            "(= (ite p (fp.add RNE f g) (fp.add RNE f h)) f)",
            "(= (ite p (concat c #b000) (concat c #b001)) a)",
        ],
    );
}

#[test]
fn powers_of_two_are_zeros_at_the_end() {
    check(
        "mul2concat",
        &[
            ("(= (bvmul a #x2) b)", "(= (concat ((_ extract 2 0) a) #b0) b)"),
            ("(= (bvmul #x8 a) b)", "(= (concat ((_ extract 0 0) a) #b000) b)"),
            ("(= (bvmul a #x1) b)", "(= a b)"),
            ("(= (bvmul c #b1) c)", "(= c c)"),
            ("(= (bvmul a #x4 #x4) b)", "(= #x0 b)"),
            ("(= (bvmul a #x2 b #x2) b)", "(= (concat ((_ extract 1 0) (bvmul a b)) #b00) b)"),
            ("(= (bvmul #x2 #x2) b)", "(= #x4 b)"),
            (
                "(= (bvmul (bvmul a #x2) #x2) b)",
                "(= (concat ((_ extract 2 0) (concat ((_ extract 2 0) a) #b0)) #b0) b)",
            ),
        ],
    );
    check_unchanged(
        "mul2concat",
        &["(= (bvmul a #x6) b)", "(= (bvmul a #x0) b)", "(= (bvmul a b) #x4)", "(> (* x 4) y)"],
    );
}

/// All operators that commute, and whose applications nested in each other are one, on all values of small sorts.
#[test]
fn operators_that_commute_do() {
    let sorts = [("Bool", ""), ("(_ BitVec 2)", ""), ("(_ FloatingPoint 2 3)", ""), ("(_ FloatingPoint 2 3)", "m ")];
    let integers = ("Int", "");
    let rows: &[(&[&str], (&str, &str))] = &[
        (&["and", "or", "xor", "=", "distinct"], sorts[0]),
        (
            &["=", "distinct", "bvand", "bvor", "bvxor", "bvadd", "bvmul", "bvxnor", "bvnand", "bvnor", "bvcomp"],
            sorts[1],
        ),
        (&["=", "distinct", "fp.eq"], sorts[2]),
        (&["fp.add", "fp.mul"], sorts[3]),
        (&["+", "*", "=", "distinct"], integers),
    ];
    let mut seen = Vec::new();
    for (operators, (sort, mode)) in rows {
        for operator in *operators {
            let bounds = if *sort == "Int" { "(assert (and (< (- 3) x 3) (< (- 3) y 3) (< (- 3) z 3)))" } else { "" };
            let declared = format!(
                "(declare-const m RoundingMode)(declare-const x {sort})(declare-const y {sort})(declare-const z {sort}){bounds}"
            );
            let holds = |equation: &str| {
                let mut input = read(&format!("{declared}(assert (not {equation}))"));
                let formulas = input.instance.assertions.clone();
                assert!(matches!(decide(&mut input.store, &formulas, &mut None), Some(None)), "{equation}");
            };
            let all = |args: &str| format!("({operator} {mode}{args})");
            holds(&format!("(= {} {})", all("x y"), all("y x")));
            let mut input = read(&format!("{declared}(assert (= {0} {0}))", all("x y")));
            let kind =
                input.store.kind(input.store.args(input.instance.assertions[input.instance.assertions.len() - 1])[0]);
            let how = commuting(kind).unwrap_or_else(|| panic!("{operator} is not in the table"));
            assert_eq!(how.from, usize::from(!mode.is_empty()), "{operator}");
            seen.push(kind);
            // Of three arguments, where it takes them.
            let takes_three =
                ["and", "or", "xor", "=", "distinct", "bvand", "bvor", "bvxor", "bvadd", "bvmul", "fp.eq", "+", "*"];
            if takes_three.contains(operator) {
                for order in ["y x z", "z y x", "x z y"] {
                    holds(&format!("(= {} {})", all("x y z"), all(order)));
                }
            }
            if how.grouping == ArgumentGrouping::Free {
                holds(&format!("(= {} {})", all("x y z"), all(&format!("x {}", all("y z")))));
                let sort = input
                    .store
                    .sort(input.store.args(input.instance.assertions[input.instance.assertions.len() - 1])[0]);
                let neutral =
                    joined(&mut input.store, kind, sort, &[]).unwrap_or_else(|error| panic!("{operator}: {error}"));
                holds(&format!("(= x {})", all(&format!("x {}", input.store.term_text(neutral)))));
            }
        }
    }
    // Reals are as integers here.
    seen.extend([Kind::RealAdd, Kind::RealMul]);
    for &kind in Kind::ALL {
        assert!(commuting(kind).is_none() || seen.contains(&kind), "{kind:?} is not tested");
    }
}

#[test]
fn random_sums_and_products_keep_their_values() {
    let goals: u64 = testing::amount("SQUALL_REWRITE_GOALS", 60);
    let mut z3 = support::z3::Z3::start();
    for name in ["som", "hoist-ite", "mul2concat"] {
        let (mut changed, mut decided) = (0, 0);
        for (g, grammar) in SUMS.iter().enumerate() {
            for seed in 0..goals {
                let text = grammar.script(&mut Random(seed * 10 + g as u64));
                let mut input = read(&text);
                let goal = goal_of(&mut input);
                let before: Vec<TermId> = goal.terms().collect();
                let step = match found(name).apply(&mut input.store, goal, &PassSettings::default()) {
                    Ok(step) => step,
                    Err(error) => panic!("{name} on {text}: {error}"),
                };
                let after: Vec<TermId> = step.goal.terms().collect();
                if before == after {
                    continue;
                }
                changed += 1;
                let store = &mut input.store;
                let sides = [store.and(&before), store.and(&after)];
                let differ = store.app(Op::new(Kind::Distinct), &sides).expect("both are formulas");
                // Between the bounds of the grammar, which are the first assertions.
                let bounds = text.lines().nth(1).is_some_and(|line| line.contains("(assert (<= (- 4)"));
                let mut formulas = input.instance.assertions[..if bounds { 4 } else { 0 }].to_vec();
                formulas.push(differ);
                match decide(store, &formulas, &mut z3) {
                    Some(None) => decided += 1,
                    None => {}
                    Some(Some(model)) => panic!("{name} on {text}\n=> {:?}\n{model:?}", texts(store, &step.goal)),
                }
            }
        }
        println!("{name}: {changed} changed, {decided} decided");
        assert!(changed > 0 && decided * 10 >= changed * 9, "{name}: {decided} of {changed}");
    }
}

#[test]
fn odd_numbers_have_inverses() {
    for width in [1u32, 2, 7, 8, 64, 65, 200] {
        for c in [1u32, 3, 5, 127, 255, 99_999_999] {
            let modulus = UBig::ONE << width as usize;
            let c = UBig::from(c) % &modulus;
            match odd_inverse(width, &c) {
                Some(inverse) => assert_eq!((c * inverse) % &modulus, UBig::ONE % &modulus),
                None => assert_ne!(c.trailing_zeros(), Some(0)),
            }
        }
        assert_eq!(odd_inverse(width, &UBig::from(6u8)), None);
    }
}
