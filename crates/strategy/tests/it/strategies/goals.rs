//! Small random goals in the theories that tactics are about.

use crate::strategies::support::Numbers;

/// A theory in which goals are generated: declarations, leaves, operators on them, and predicates; `N` stands for a numeral.
struct Theory {
    declarations: &'static str,
    leaves: &'static [&'static str],
    operators: &'static [(&'static str, usize)],
    predicates: &'static [(&'static str, usize)],
}

const THEORIES: &[Theory] = &[
    Theory {
        declarations: "(declare-const a (_ BitVec 6))(declare-const b (_ BitVec 6))(declare-const c (_ BitVec 6))",
        leaves: &["a", "b", "c", "#b000001", "#b111111", "#b010010"],
        operators: &[
            ("bvadd", 2),
            ("bvmul", 2),
            ("bvand", 2),
            ("bvor", 2),
            ("bvxor", 2),
            ("bvnot", 1),
            ("bvneg", 1),
            ("bvshl", 2),
            ("bvlshr", 2),
            ("bvashr", 2),
            ("bvudiv", 2),
            ("bvurem", 2),
            ("bvsdiv", 2),
            ("bvsrem", 2),
            ("bvsub", 2),
        ],
        predicates: &[("=", 2), ("bvult", 2), ("bvule", 2), ("bvslt", 2), ("bvsge", 2), ("distinct", 3)],
    },
    Theory {
        declarations: "(declare-const a Int)(declare-const b Int)(declare-const c Int)",
        leaves: &["a", "b", "c", "0", "1", "7", "(- 3)"],
        operators: &[("+", 2), ("-", 2), ("-", 1), ("* 3", 1), ("* (- 2)", 1)],
        predicates: &[("=", 2), ("<", 2), ("<=", 2), (">", 2), (">=", 2), ("distinct", 3)],
    },
    Theory {
        declarations: "(declare-const a Real)(declare-const b Real)(declare-const c Real)",
        leaves: &["a", "b", "c", "0.0", "1.5", "(- 3.0)"],
        operators: &[("+", 2), ("-", 2), ("-", 1), ("* 3.0", 1), ("* 0.5", 1)],
        predicates: &[("=", 2), ("<", 2), ("<=", 2), (">", 2), (">=", 2), ("distinct", 3)],
    },
    Theory {
        declarations: "(declare-sort U 0)(declare-const a U)(declare-const b U)(declare-const c U)(declare-fun f (U) U)(declare-fun g (U U) U)",
        leaves: &["a", "b", "c"],
        operators: &[("f", 1), ("g", 2)],
        predicates: &[("=", 2), ("distinct", 2), ("=", 3)],
    },
    Theory {
        declarations: "(declare-const a (_ FloatingPoint 3 4))(declare-const b (_ FloatingPoint 3 4))(declare-const c (_ FloatingPoint 3 4))",
        leaves: &["a", "b", "c", "(_ -zero 3 4)", "(_ +oo 3 4)", "((_ to_fp 3 4) RNE 1.25)"],
        operators: &[
            ("fp.add RNE", 2),
            ("fp.mul RTZ", 2),
            ("fp.neg", 1),
            ("fp.abs", 1),
            ("fp.sub RTP", 2),
            ("fp.div RNA", 2),
        ],
        predicates: &[("=", 2), ("fp.lt", 2), ("fp.leq", 2), ("fp.eq", 2), ("fp.isNaN", 1)],
    },
];

fn applied(name: &str, count: usize, numbers: &mut Numbers, part: &mut dyn FnMut(&mut Numbers) -> String) -> String {
    let parts: Vec<String> = (0..count).map(|_| part(numbers)).collect();
    format!("({name} {})", parts.join(" "))
}

fn term(theory: &Theory, depth: usize, numbers: &mut Numbers) -> String {
    match numbers.below(4) {
        _ if depth == 0 => theory.leaves[numbers.below(theory.leaves.len())].to_string(),
        0 => theory.leaves[numbers.below(theory.leaves.len())].to_string(),
        1 if numbers.below(3) == 0 => {
            let condition = formula(theory, depth - 1, numbers);
            format!("(ite {condition} {} {})", term(theory, depth - 1, numbers), term(theory, depth - 1, numbers))
        }
        _ => {
            let (name, count) = theory.operators[numbers.below(theory.operators.len())];
            applied(name, count, numbers, &mut |numbers| term(theory, depth - 1, numbers))
        }
    }
}

fn formula(theory: &Theory, depth: usize, numbers: &mut Numbers) -> String {
    let inner = &mut |numbers: &mut Numbers| formula(theory, depth.saturating_sub(1), numbers);
    match numbers.below(9) {
        0 if depth > 0 => applied("not", 1, numbers, inner),
        1 | 2 if depth > 0 => applied("and", 2, numbers, inner),
        3 | 4 if depth > 0 => applied("or", 2, numbers, inner),
        5 if depth > 0 => applied("ite", 3, numbers, inner),
        6 if depth > 0 => applied(["xor", "=", "=>"][numbers.below(3)], 2, numbers, inner),
        7 => ["p", "q"][numbers.below(2)].to_string(),
        _ => {
            let (name, count) = theory.predicates[numbers.below(theory.predicates.len())];
            applied(name, count, numbers, &mut |numbers| term(theory, depth.min(2), numbers))
        }
    }
}

/// A script with one check, in one of the theories.
pub fn goal(numbers: &mut Numbers) -> String {
    let theory = &THEORIES[numbers.below(THEORIES.len())];
    let mut text = format!("{}(declare-const p Bool)(declare-const q Bool)\n", theory.declarations);
    for _ in 0..1 + numbers.below(4) {
        let depth = 1 + numbers.below(3);
        text.push_str(&format!("(assert {})\n", formula(theory, depth, numbers)));
    }
    text + "(check-sat)"
}
