//! The rules: one a line, each an equation that holds for all values of its variables. A test tries each on all values of
//! small sorts, in every rounding mode.

/// One line of a rule table: what is matched, and what takes its place.
///
/// Lower-case letters are variables and the same letter is the same term. `0`, `1`, `ones` and `least` are the bit-vector
/// values of these names, `+zero`, `-zero`, `+oo`, `-oo`, `NaN` and `one` the float values, at whatever width the place has.
/// Operators are the theory's or Core's, without indices. A binary commutative operator matches in both orders.
pub struct RewriteRule {
    /// The pattern.
    pub from: &'static str,
    /// The template.
    pub to: &'static str,
}

/// The rules of one theory.
pub struct RuleTable {
    /// The theory's name, whose operators are meant.
    pub theory: &'static str,
    /// The rules; the first that matches wins.
    pub rules: &'static [RewriteRule],
}

/// All tables.
pub static TABLES: &[RuleTable] = &[
    RuleTable { theory: "FixedSizeBitVectors", rules: BIT_VECTORS },
    RuleTable { theory: "FloatingPoint", rules: FLOATS },
];

const fn rule(from: &'static str, to: &'static str) -> RewriteRule {
    RewriteRule { from, to }
}

const BIT_VECTORS: &[RewriteRule] = &[
    // Fewer operators: what the others are short for.
    rule("(bvsub a b)", "(bvadd a (bvneg b))"),
    rule("(bvnand a b)", "(bvnot (bvand a b))"),
    rule("(bvnor a b)", "(bvnot (bvor a b))"),
    rule("(bvxnor a b)", "(bvnot (bvxor a b))"),
    rule("(bvugt a b)", "(bvult b a)"),
    rule("(bvuge a b)", "(bvule b a)"),
    rule("(bvsgt a b)", "(bvslt b a)"),
    rule("(bvsge a b)", "(bvsle b a)"),
    // Involutions.
    rule("(bvnot (bvnot a))", "a"),
    rule("(bvneg (bvneg a))", "a"),
    rule("(bvneg (bvnot a))", "(bvadd a 1)"),
    rule("(bvnot (bvneg a))", "(bvadd a ones)"),
    // Arithmetic.
    rule("(bvadd a (bvneg a))", "0"),
    rule("(bvadd a (bvnot a))", "ones"),
    rule("(bvmul a ones)", "(bvneg a)"),
    rule("(bvmul (bvneg a) b)", "(bvneg (bvmul a b))"),
    rule("(bvudiv a 1)", "a"),
    rule("(bvudiv a 0)", "ones"),
    rule("(bvurem a 1)", "0"),
    rule("(bvurem a 0)", "a"),
    rule("(bvurem a a)", "0"),
    rule("(bvurem 0 a)", "0"),
    rule("(bvsdiv a 1)", "a"),
    rule("(bvsdiv a ones)", "(bvneg a)"),
    rule("(bvsrem a 1)", "0"),
    rule("(bvsrem a ones)", "0"),
    rule("(bvsrem a 0)", "a"),
    rule("(bvsrem a a)", "0"),
    rule("(bvsmod a 1)", "0"),
    rule("(bvsmod a ones)", "0"),
    rule("(bvsmod a 0)", "a"),
    rule("(bvsmod a a)", "0"),
    // Shifts.
    rule("(bvshl a 0)", "a"),
    rule("(bvlshr a 0)", "a"),
    rule("(bvashr a 0)", "a"),
    rule("(bvshl 0 a)", "0"),
    rule("(bvlshr 0 a)", "0"),
    rule("(bvashr 0 a)", "0"),
    rule("(bvashr ones a)", "ones"),
    // Orders, unsigned.
    rule("(bvult a a)", "false"),
    rule("(bvule a a)", "true"),
    rule("(bvult a 0)", "false"),
    rule("(bvult ones a)", "false"),
    rule("(bvule 0 a)", "true"),
    rule("(bvule a ones)", "true"),
    rule("(bvule a 0)", "(= a 0)"),
    rule("(bvule ones a)", "(= a ones)"),
    rule("(bvult 0 a)", "(not (= a 0))"),
    rule("(bvult a ones)", "(not (= a ones))"),
    rule("(bvult a 1)", "(= a 0)"),
    rule("(bvule 1 a)", "(not (= a 0))"),
    // Orders, signed.
    rule("(bvslt a a)", "false"),
    rule("(bvsle a a)", "true"),
    rule("(bvslt a least)", "false"),
    rule("(bvsle least a)", "true"),
    rule("(bvsle a least)", "(= a least)"),
    rule("(bvslt least a)", "(not (= a least))"),
    // What is left of `<=` is a negation, so that an order and its contrary share a term.
    rule("(bvule a b)", "(not (bvult b a))"),
    rule("(bvsle a b)", "(not (bvslt b a))"),
    // Equality.
    rule("(= (bvnot a) (bvnot b))", "(= a b)"),
    rule("(= (bvneg a) (bvneg b))", "(= a b)"),
    rule("(= (bvadd a b) (bvadd a c))", "(= b c)"),
    rule("(= (bvadd a b) a)", "(= b 0)"),
    rule("(= (bvxor a b) (bvxor a c))", "(= b c)"),
    rule("(= (bvxor a b) a)", "(= b 0)"),
    rule("(= (bvxor a b) 0)", "(= a b)"),
    rule("(= a (bvnot a))", "false"),
    // Comparison as a bit.
    rule("(bvcomp a a)", "1"),
    rule("(= (bvcomp a b) 1)", "(= a b)"),
    rule("(= (bvcomp a b) 0)", "(not (= a b))"),
    rule("(= (ite c 1 0) 1)", "c"),
    // Two-valued choices.
    rule("(bvand a (bvnot a))", "0"),
    rule("(bvor a (bvnot a))", "ones"),
    rule("(bvxor a (bvnot a))", "ones"),
    rule("(bvand a (bvor a b))", "a"),
    rule("(bvor a (bvand a b))", "a"),
];

const FLOATS: &[RewriteRule] = &[
    // One direction of the orders.
    rule("(fp.gt a b)", "(fp.lt b a)"),
    rule("(fp.geq a b)", "(fp.leq b a)"),
    // Signs: `fp.neg` and `fp.abs` change nothing but the sign, and keep the one NaN.
    rule("(fp.neg (fp.neg a))", "a"),
    rule("(fp.abs (fp.neg a))", "(fp.abs a)"),
    rule("(fp.abs (fp.abs a))", "(fp.abs a)"),
    rule("(fp.isNaN (fp.neg a))", "(fp.isNaN a)"),
    rule("(fp.isNaN (fp.abs a))", "(fp.isNaN a)"),
    rule("(fp.isInfinite (fp.neg a))", "(fp.isInfinite a)"),
    rule("(fp.isInfinite (fp.abs a))", "(fp.isInfinite a)"),
    rule("(fp.isZero (fp.neg a))", "(fp.isZero a)"),
    rule("(fp.isZero (fp.abs a))", "(fp.isZero a)"),
    rule("(fp.isNormal (fp.neg a))", "(fp.isNormal a)"),
    rule("(fp.isNormal (fp.abs a))", "(fp.isNormal a)"),
    rule("(fp.isSubnormal (fp.neg a))", "(fp.isSubnormal a)"),
    rule("(fp.isSubnormal (fp.abs a))", "(fp.isSubnormal a)"),
    rule("(fp.isNegative (fp.neg a))", "(fp.isPositive a)"),
    rule("(fp.isPositive (fp.neg a))", "(fp.isNegative a)"),
    rule("(fp.isNegative (fp.abs a))", "false"),
    rule("(fp.isPositive (fp.abs a))", "(not (fp.isNaN a))"),
    // A NaN compares to nothing, itself neither.
    rule("(fp.lt a a)", "false"),
    rule("(fp.leq a a)", "(not (fp.isNaN a))"),
    rule("(fp.eq a a)", "(not (fp.isNaN a))"),
    rule("(fp.lt a NaN)", "false"),
    rule("(fp.lt NaN a)", "false"),
    rule("(fp.leq a NaN)", "false"),
    rule("(fp.leq NaN a)", "false"),
    rule("(fp.eq a NaN)", "false"),
    // Infinities are the ends of the order; the zeros are one value to it.
    rule("(fp.lt +oo a)", "false"),
    rule("(fp.lt a -oo)", "false"),
    rule("(fp.leq -oo a)", "(not (fp.isNaN a))"),
    rule("(fp.leq a +oo)", "(not (fp.isNaN a))"),
    rule("(fp.leq +oo a)", "(= a +oo)"),
    rule("(fp.leq a -oo)", "(= a -oo)"),
    rule("(fp.eq a +oo)", "(= a +oo)"),
    rule("(fp.eq a -oo)", "(= a -oo)"),
    rule("(fp.eq a +zero)", "(fp.isZero a)"),
    rule("(fp.eq a -zero)", "(fp.isZero a)"),
    rule("(fp.eq (fp.neg a) (fp.neg b))", "(fp.eq a b)"),
    rule("(fp.lt (fp.neg a) (fp.neg b))", "(fp.lt b a)"),
    rule("(fp.leq (fp.neg a) (fp.neg b))", "(fp.leq b a)"),
    // SMT-LIB's equality is that of values.
    rule("(= (fp.neg a) (fp.neg b))", "(= a b)"),
    // A NaN operand makes the result NaN.
    rule("(fp.add r a NaN)", "NaN"),
    rule("(fp.sub r a NaN)", "NaN"),
    rule("(fp.sub r NaN a)", "NaN"),
    rule("(fp.mul r a NaN)", "NaN"),
    rule("(fp.div r a NaN)", "NaN"),
    rule("(fp.div r NaN a)", "NaN"),
    rule("(fp.rem a NaN)", "NaN"),
    rule("(fp.rem NaN a)", "NaN"),
    rule("(fp.rem +oo a)", "NaN"),
    rule("(fp.rem -oo a)", "NaN"),
    rule("(fp.rem a +zero)", "NaN"),
    rule("(fp.rem a -zero)", "NaN"),
    // Neutral elements. `x + -0` is x but for +0 rounded down, and `x + +0` is x but for -0 rounded otherwise.
    rule("(fp.mul r a one)", "a"),
    rule("(fp.div r a one)", "a"),
    rule("(fp.add RNE a -zero)", "a"),
    rule("(fp.add RNA a -zero)", "a"),
    rule("(fp.add RTP a -zero)", "a"),
    rule("(fp.add RTZ a -zero)", "a"),
    rule("(fp.add RTN a +zero)", "a"),
    rule("(fp.sub RNE a +zero)", "a"),
    rule("(fp.sub RNA a +zero)", "a"),
    rule("(fp.sub RTP a +zero)", "a"),
    rule("(fp.sub RTZ a +zero)", "a"),
    rule("(fp.sub RTN a -zero)", "a"),
    // Two signs cancel before the rounding.
    rule("(fp.mul r (fp.neg a) (fp.neg b))", "(fp.mul r a b)"),
    rule("(fp.div r (fp.neg a) (fp.neg b))", "(fp.div r a b)"),
    rule("(fp.sub r a (fp.neg b))", "(fp.add r a b)"),
    // Idempotent.
    rule("(fp.roundToIntegral r (fp.roundToIntegral s a))", "(fp.roundToIntegral s a)"),
    rule("(fp.min a a)", "a"),
    rule("(fp.max a a)", "a"),
];
