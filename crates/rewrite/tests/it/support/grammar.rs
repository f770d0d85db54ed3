//! Grammars of random formulas: declarations and operators as data, one line each.

use super::Random;

/// A language of formulas. A sort is a letter: B Bool, v and w bit-vectors of width 2 and 4, f floats, m rounding modes, i Int, q Real, a
/// arrays, u an uninterpreted sort. A capital letter other than B is a sort below a quantifier, where its leaves are bound.
pub struct Grammar {
    pub name: &'static str,
    pub declarations: &'static str,
    /// Text with `$` for each argument, the arguments' sorts, the result's.
    pub operators: &'static [(&'static str, &'static str, char)],
    /// Leaves by sort, those of sorts below a quantifier last.
    pub leaves: &'static [(char, &'static [&'static str])],
}

pub const GRAMMARS: &[Grammar] = &[BOOLEANS, VECTORS, FLOATS, INTEGERS, BOUNDED, REALS, FUNCTIONS, ARRAYS, QUANTIFIED];

const CONNECTIVES: &[(&str, &str, char)] = &[
    ("(not $)", "B", 'B'),
    ("(and $ $)", "BB", 'B'),
    ("(or $ $ $)", "BBB", 'B'),
    ("(=> $ $)", "BB", 'B'),
    ("(xor $ $)", "BB", 'B'),
    ("(= $ $)", "BB", 'B'),
    ("(ite $ $ $)", "BBB", 'B'),
];

const BOOLEANS: Grammar = Grammar {
    name: "booleans",
    declarations: "(declare-const p Bool)(declare-const q Bool)(declare-const r Bool)(declare-const s Bool)",
    operators: &[("(distinct $ $)", "BB", 'B'), ("(= $ $ $)", "BBB", 'B')],
    leaves: &[('B', &["p", "q", "r", "s", "true", "false"])],
};

const VECTORS: Grammar = Grammar {
    name: "bit-vectors",
    declarations: "(declare-const p Bool)(declare-const a (_ BitVec 2))(declare-const b (_ BitVec 2))
        (declare-const c (_ BitVec 4))",
    operators: &[
        ("(= $ $)", "vv", 'B'),
        ("(= $ $)", "ww", 'B'),
        ("(distinct $ $ $)", "vvv", 'B'),
        ("(bvult $ $)", "vv", 'B'),
        ("(bvsle $ $)", "ww", 'B'),
        ("(bvuge $ $)", "ww", 'B'),
        ("(bvsgt $ $)", "vv", 'B'),
        ("(bvadd $ $)", "vv", 'v'),
        ("(bvadd $ $)", "ww", 'w'),
        ("(bvsub $ $)", "ww", 'w'),
        ("(bvmul $ $)", "ww", 'w'),
        ("(bvmul $ $)", "vv", 'v'),
        ("(bvneg $)", "w", 'w'),
        ("(bvnot $)", "v", 'v'),
        ("(bvand $ $)", "ww", 'w'),
        ("(bvor $ $)", "vv", 'v'),
        ("(bvxor $ $)", "ww", 'w'),
        ("(bvxnor $ $)", "vv", 'v'),
        ("(bvudiv $ $)", "ww", 'w'),
        ("(bvurem $ $)", "ww", 'w'),
        ("(bvsdiv $ $)", "vv", 'v'),
        ("(bvsmod $ $)", "ww", 'w'),
        ("(bvshl $ $)", "ww", 'w'),
        ("(bvlshr $ $)", "vv", 'v'),
        ("(bvashr $ $)", "ww", 'w'),
        ("(concat $ $)", "vv", 'w'),
        ("((_ extract 2 1) $)", "w", 'v'),
        ("((_ extract 1 0) $)", "w", 'v'),
        ("((_ zero_extend 2) $)", "v", 'w'),
        ("((_ sign_extend 2) $)", "v", 'w'),
        ("((_ rotate_left 1) $)", "w", 'w'),
        ("((_ repeat 2) $)", "v", 'w'),
        ("(ite $ $ $)", "Bvv", 'v'),
        ("(ite $ $ $)", "Bww", 'w'),
    ],
    leaves: &[
        ('B', &["p", "true"]),
        ('v', &["a", "b", "a", "b", "#b00", "#b01", "#b10", "#b11"]),
        ('w', &["c", "c", "c", "#x0", "#x1", "#xf", "#x8", "#x5", "#x4"]),
    ],
};

const FLOATS: Grammar = Grammar {
    name: "floats",
    declarations: "(declare-const p Bool)(declare-const x (_ FloatingPoint 2 3))(declare-const y (_ FloatingPoint 2 3))
        (declare-const m RoundingMode)",
    operators: &[
        ("(= $ $)", "ff", 'B'),
        ("(fp.eq $ $)", "ff", 'B'),
        ("(fp.lt $ $)", "ff", 'B'),
        ("(fp.leq $ $)", "ff", 'B'),
        ("(fp.gt $ $)", "ff", 'B'),
        ("(fp.geq $ $)", "ff", 'B'),
        ("(fp.isNaN $)", "f", 'B'),
        ("(fp.isInfinite $)", "f", 'B'),
        ("(fp.isZero $)", "f", 'B'),
        ("(fp.isNegative $)", "f", 'B'),
        ("(fp.isSubnormal $)", "f", 'B'),
        ("(fp.neg $)", "f", 'f'),
        ("(fp.abs $)", "f", 'f'),
        ("(fp.add $ $ $)", "mff", 'f'),
        ("(fp.sub $ $ $)", "mff", 'f'),
        ("(fp.mul $ $ $)", "mff", 'f'),
        ("(fp.div $ $ $)", "mff", 'f'),
        ("(fp.rem $ $)", "ff", 'f'),
        ("(fp.sqrt $ $)", "mf", 'f'),
        ("(fp.fma $ $ $ $)", "mfff", 'f'),
        ("(fp.roundToIntegral $ $)", "mf", 'f'),
        ("((_ to_fp 2 3) $ $)", "mf", 'f'),
        ("(ite $ $ $)", "Bff", 'f'),
        ("(ite $ $ $)", "Bmm", 'm'),
        ("(= $ $)", "mm", 'B'),
    ],
    leaves: &[
        ('B', &["p", "true"]),
        ('m', &["RNE", "RNA", "RTP", "RTN", "RTZ", "m", "m"]),
        (
            'f',
            &[
                "x",
                "y",
                "x",
                "y",
                "(_ NaN 2 3)",
                "(_ +oo 2 3)",
                "(_ -oo 2 3)",
                "(_ +zero 2 3)",
                "(_ -zero 2 3)",
                "(fp #b0 #b01 #b00)",
                "(fp #b1 #b00 #b01)",
            ],
        ),
    ],
};

const BOUNDED: Grammar = Grammar {
    name: "integers between bounds",
    declarations: "(declare-const p Bool)(declare-const x Int)(declare-const y Int)(declare-const w (_ BitVec 2))
        (assert (<= (- 3) x))(assert (< x 4))(assert (<= 0 y))(assert (not (<= 6 y)))",
    operators: &[
        ("(= $ $)", "ii", 'B'),
        ("(distinct $ $ $)", "iii", 'B'),
        ("(<= $ $)", "ii", 'B'),
        ("(> $ $ $)", "iii", 'B'),
        ("((_ divisible 3) $)", "i", 'B'),
        ("(+ $ $)", "ii", 'i'),
        ("(- $ $ $)", "iii", 'i'),
        ("(- $)", "i", 'i'),
        ("(* $ $)", "ii", 'i'),
        ("(div $ $)", "ii", 'i'),
        ("(mod $ $)", "ii", 'i'),
        ("(div $ (- 2))", "i", 'i'),
        ("(mod $ 3)", "i", 'i'),
        ("(abs $)", "i", 'i'),
        ("(ite $ $ $)", "Bii", 'i'),
        ("(bv2nat $)", "v", 'i'),
        ("((_ int2bv 2) $)", "i", 'v'),
        ("(bvult $ $)", "vv", 'B'),
    ],
    leaves: &[
        ('B', &["p", "true"]),
        ('v', &["w", "#b01", "#b10"]),
        ('i', &["x", "y", "x", "y", "0", "1", "(- 1)", "5", "(- 4)"]),
    ],
};

const INTEGERS: Grammar = Grammar {
    name: "integers",
    declarations: "(declare-const p Bool)(declare-const x Int)(declare-const y Int)(declare-const z Int)",
    operators: &[
        ("(= $ $)", "ii", 'B'),
        ("(distinct $ $ $)", "iii", 'B'),
        ("(< $ $)", "ii", 'B'),
        ("(<= $ $ $)", "iii", 'B'),
        ("(> $ $)", "ii", 'B'),
        ("(>= $ $)", "ii", 'B'),
        ("(+ $ $)", "ii", 'i'),
        ("(- $ $)", "ii", 'i'),
        ("(- $)", "i", 'i'),
        ("(* 3 $)", "i", 'i'),
        ("(* $ (- 2))", "i", 'i'),
        ("(div $ 2)", "i", 'i'),
        ("(mod $ 3)", "i", 'i'),
        ("(abs $)", "i", 'i'),
        ("(ite $ $ $)", "Bii", 'i'),
    ],
    leaves: &[('B', &["p"]), ('i', &["x", "y", "z", "x", "y", "0", "1", "5", "(- 7)"])],
};

const REALS: Grammar = Grammar {
    name: "reals",
    declarations: "(declare-const p Bool)(declare-const x Real)(declare-const y Real)(declare-const z Real)
        (declare-const n Int)",
    operators: &[
        ("(= $ $)", "qq", 'B'),
        ("(< $ $)", "qq", 'B'),
        ("(<= $ $)", "qq", 'B'),
        ("(>= $ $ $)", "qqq", 'B'),
        ("(+ $ $ $)", "qqq", 'q'),
        ("(- $ $)", "qq", 'q'),
        ("(* 1.5 $)", "q", 'q'),
        ("(/ $ (- 3.0))", "q", 'q'),
        ("(to_real (to_int $))", "q", 'q'),
        ("(ite $ $ $)", "Bqq", 'q'),
        ("(is_int $)", "q", 'B'),
    ],
    leaves: &[('B', &["p"]), ('q', &["x", "y", "z", "(to_real n)", "0.0", "1.0", "2.5", "(/ 1.0 3.0)"])],
};

const FUNCTIONS: Grammar = Grammar {
    name: "functions",
    declarations: "(declare-sort U 0)(declare-const a U)(declare-const b U)(declare-const c U)(declare-const p Bool)
        (declare-fun f (U) U)(declare-fun g (U U) U)(declare-fun r (U) Bool)(declare-fun h (Bool U) U)",
    operators: &[
        ("(= $ $)", "uu", 'B'),
        ("(distinct $ $ $)", "uuu", 'B'),
        ("(f $)", "u", 'u'),
        ("(g $ $)", "uu", 'u'),
        ("(h $ $)", "Bu", 'u'),
        ("(r $)", "u", 'B'),
        ("(ite $ $ $)", "Buu", 'u'),
    ],
    leaves: &[('B', &["p"]), ('u', &["a", "b", "c"])],
};

const ARRAYS: Grammar = Grammar {
    name: "arrays",
    declarations:
        "(declare-const s (Array (_ BitVec 2) (_ BitVec 2)))(declare-const t (Array (_ BitVec 2) (_ BitVec 2)))
        (declare-const a (_ BitVec 2))(declare-const b (_ BitVec 2))(declare-const p Bool)",
    operators: &[
        ("(= $ $)", "vv", 'B'),
        ("(= $ $)", "aa", 'B'),
        ("(bvult $ $)", "vv", 'B'),
        ("(select $ $)", "av", 'v'),
        ("(store $ $ $)", "avv", 'a'),
        ("(ite $ $ $)", "Baa", 'a'),
        ("(ite $ $ $)", "Bvv", 'v'),
        ("(bvadd $ $)", "vv", 'v'),
    ],
    leaves: &[
        ('B', &["p"]),
        ('v', &["a", "b", "a", "b", "#b01", "#b10"]),
        ('a', &["s", "t", "s", "t", "((as const (Array (_ BitVec 2) (_ BitVec 2))) #b00)"]),
    ],
};

/// P and X are formulas and vectors over the variables x, y and u, N and M over x alone.
const QUANTIFIED: Grammar = Grammar {
    name: "quantifiers",
    declarations: "(declare-const p Bool)(declare-const a (_ BitVec 2))(declare-fun f ((_ BitVec 2)) (_ BitVec 2))
        (declare-fun r ((_ BitVec 2) Bool) Bool)(declare-fun s ((_ BitVec 2)) Bool)",
    operators: &[
        ("(forall ((x (_ BitVec 2)) (y (_ BitVec 2)) (u Bool)) $)", "P", 'B'),
        ("(exists ((x (_ BitVec 2)) (y (_ BitVec 2)) (u Bool)) $)", "P", 'B'),
        ("(forall ((x (_ BitVec 2))) (= (f x) $))", "M", 'B'),
        ("(forall ((x (_ BitVec 2))) (= (s x) $))", "N", 'B'),
        ("(s $)", "v", 'B'),
        ("(r $ $)", "vB", 'B'),
        ("(f $)", "v", 'v'),
        ("(exists ((x (_ BitVec 2))) $)", "P", 'P'),
        ("(forall ((y (_ BitVec 2)) (x (_ BitVec 2))) $)", "P", 'P'),
        ("(forall ((u Bool)) $)", "P", 'P'),
        ("(or $ $)", "PP", 'P'),
        ("(and $ $)", "PP", 'P'),
        ("(=> $ $)", "PP", 'P'),
        ("(not $)", "P", 'P'),
        ("(= $ $)", "PP", 'P'),
        ("(= $ $)", "XX", 'P'),
        ("(distinct $ $)", "XX", 'P'),
        ("(bvult $ $)", "XX", 'P'),
        ("(r $ $)", "XP", 'P'),
        ("(s $)", "X", 'P'),
        ("(f $)", "X", 'X'),
        ("(bvadd $ $)", "XX", 'X'),
        ("(ite $ $ $)", "PXX", 'X'),
        ("(bvmul $ $)", "MM", 'M'),
        ("(ite $ $ $)", "NMM", 'M'),
        ("(bvult $ $)", "MM", 'N'),
        ("(r $ $)", "MN", 'N'),
    ],
    leaves: &[
        ('B', &["p"]),
        ('v', &["a", "#b01", "#b10"]),
        ('P', &["u", "u", "p"]),
        ('X', &["x", "y", "x", "y", "a", "#b01"]),
        ('N', &["p", "(s #b01)"]),
        ('M', &["x", "x", "a", "#b10"]),
    ],
};

impl Grammar {
    /// A random script of one to four assertions.
    pub fn script(&self, random: &mut Random) -> String {
        let mut text = self.declarations.to_string();
        for _ in 0..1 + random.below(4) {
            let depth = 1 + random.below(4);
            text.push_str("\n(assert ");
            // Every third assertion is an equation of a variable or value, for the passes that look for such.
            let free = self.leaves.iter().filter(|l| l.0 == 'B' || l.0.is_lowercase()).count();
            let (sort, leaves) = self.leaves[random.below(free)];
            if random.below(3) == 0 {
                text.push_str(&format!("(= {} ", leaves[random.below(leaves.len())]));
                self.term(sort, depth, random, &mut text);
                text.push(')');
            } else {
                self.term('B', depth, random, &mut text);
            }
            text.push(')');
        }
        text
    }

    fn term(&self, sort: char, depth: usize, random: &mut Random, out: &mut String) {
        let own = self.operators.iter().filter(|o| o.2 == sort);
        let all: Vec<_> = if sort == 'B' {
            // The theory's own predicates are three times as frequent as connectives.
            let own: Vec<_> = own.collect();
            own.iter().chain(&own).chain(&own).copied().chain(CONNECTIVES).collect()
        } else {
            own.collect()
        };
        let leaves = self.leaves.iter().find(|l| l.0 == sort).map_or(&[][..], |l| l.1);
        if depth == 0 || all.is_empty() || (random.below(6) == 0 && !leaves.is_empty()) {
            out.push_str(leaves[random.below(leaves.len())]);
            return;
        }
        let (text, args, _) = all[random.below(all.len())];
        let mut sorts = args.chars();
        for c in text.chars() {
            match c {
                '$' => {
                    if let Some(sort) = sorts.next() {
                        self.term(sort, depth - 1, random, out);
                    }
                }
                _ => out.push(c),
            }
        }
    }
}
