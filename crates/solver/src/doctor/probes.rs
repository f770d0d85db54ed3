//! A question for each symbol of the SMT-LIB standard that solvers are known to differ about.

/// A question that only a solver which knows `symbol` can answer. All are satisfiable in the standard.
pub(super) struct Probe {
    /// The symbol, as the standard spells it.
    pub(super) symbol: &'static str,
    /// What the question needs beside the symbol.
    pub(super) theory: Theory,
    /// Declarations and assertions in the standard's spelling.
    pub(super) commands: &'static str,
}

/// The theories a question needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Theory {
    Ints,
    BitVectors,
    BitVectorsAndInts,
    Strings,
}

impl Theory {
    /// Logics that hold the theory, the smallest first.
    pub(super) fn logics(self) -> &'static [&'static str] {
        match self {
            Theory::Ints => &["QF_LIA", "LIA"],
            Theory::BitVectors => &["QF_BV", "BV"],
            Theory::BitVectorsAndInts => &["ALL"],
            // Older solvers do not know QF_SLIA.
            Theory::Strings => &["ALL"],
        }
    }
}

const fn probe(symbol: &'static str, theory: Theory, commands: &'static str) -> Probe {
    Probe { symbol, theory, commands }
}

/// The questions. Theories: Ints, FixedSizeBitVectors and UnicodeStrings of SMT-LIB 2.7.
pub(super) const PROBES: &[Probe] = &[
    probe("divisible", Theory::Ints, "(assert ((_ divisible 3) 9))"),
    probe("abs", Theory::Ints, "(assert (= (abs (- 3)) 3))"),
    probe("bvcomp", Theory::BitVectors, "(assert (= (bvcomp #x3 #x3) #b1))"),
    probe("bvnand", Theory::BitVectors, "(assert (= (bvnand #xc #xa) #x7))"),
    probe("bvnor", Theory::BitVectors, "(assert (= (bvnor #xc #xa) #x1))"),
    probe("bvxnor", Theory::BitVectors, "(assert (= (bvxnor #xc #xa) #x9))"),
    probe("bvsmod", Theory::BitVectors, "(assert (= (bvsmod #xd #x2) #x1))"),
    probe("repeat", Theory::BitVectors, "(assert (= ((_ repeat 2) #xa) #xaa))"),
    probe("rotate_left", Theory::BitVectors, "(assert (= ((_ rotate_left 1) #x9) #x3))"),
    probe("bvnego", Theory::BitVectors, "(assert (bvnego #x8))"),
    probe("bvuaddo", Theory::BitVectors, "(assert (bvuaddo #xf #x1))"),
    probe("bvsaddo", Theory::BitVectors, "(assert (bvsaddo #x7 #x1))"),
    probe("bvumulo", Theory::BitVectors, "(assert (bvumulo #xf #x2))"),
    probe("bvsmulo", Theory::BitVectors, "(assert (bvsmulo #x7 #x2))"),
    probe("bvusubo", Theory::BitVectors, "(assert (bvusubo #x1 #x2))"),
    probe("bvssubo", Theory::BitVectors, "(assert (bvssubo #x8 #x1))"),
    probe("bvsdivo", Theory::BitVectors, "(assert (bvsdivo #x8 #xf))"),
    probe("ubv_to_int", Theory::BitVectorsAndInts, "(assert (= (ubv_to_int #xf) 15))"),
    probe("sbv_to_int", Theory::BitVectorsAndInts, "(assert (= (sbv_to_int #xf) (- 1)))"),
    probe("int_to_bv", Theory::BitVectorsAndInts, "(assert (= ((_ int_to_bv 4) 31) #xf))"),
    probe("str.<", Theory::Strings, "(assert (str.< \"a\" \"b\"))"),
    probe("str.<=", Theory::Strings, "(assert (str.<= \"a\" \"b\"))"),
    probe("str.indexof", Theory::Strings, "(assert (= (str.indexof \"abc\" \"c\" 0) 2))"),
    probe("str.replace_all", Theory::Strings, "(assert (= (str.replace_all \"aa\" \"a\" \"b\") \"bb\"))"),
    probe("str.replace_re", Theory::Strings, "(assert (= (str.replace_re \"aa\" (str.to_re \"a\") \"b\") \"ba\"))"),
    probe(
        "str.replace_re_all",
        Theory::Strings,
        "(assert (= (str.replace_re_all \"aa\" (str.to_re \"a\") \"b\") \"bb\"))",
    ),
    probe("str.is_digit", Theory::Strings, "(assert (str.is_digit \"7\"))"),
    probe("str.to_code", Theory::Strings, "(assert (= (str.to_code \"A\") 65))"),
    probe("str.from_code", Theory::Strings, "(assert (= (str.from_code 65) \"A\"))"),
    probe("str.to_int", Theory::Strings, "(assert (= (str.to_int \"12\") 12))"),
    probe("str.from_int", Theory::Strings, "(assert (= (str.from_int 12) \"12\"))"),
    probe("RegLan", Theory::Strings, "(define-fun r () RegLan (str.to_re \"a\"))\n(assert (str.in_re \"a\" r))"),
    probe("str.in_re", Theory::Strings, "(assert (str.in_re \"a\" (str.to_re \"a\")))"),
    probe("str.to_re", Theory::Strings, "(assert (str.in_re \"b\" (str.to_re \"b\")))"),
    probe("re.none", Theory::Strings, "(assert (not (str.in_re \"a\" re.none)))"),
    probe("re.all", Theory::Strings, "(assert (str.in_re \"a\" re.all))"),
    probe("re.allchar", Theory::Strings, "(assert (str.in_re \"a\" re.allchar))"),
    probe("re.comp", Theory::Strings, "(assert (str.in_re \"b\" (re.comp (str.to_re \"a\"))))"),
    probe("re.diff", Theory::Strings, "(assert (str.in_re \"a\" (re.diff (str.to_re \"a\") (str.to_re \"b\"))))"),
    probe("re.opt", Theory::Strings, "(assert (str.in_re \"\" (re.opt (str.to_re \"a\"))))"),
    probe("re.range", Theory::Strings, "(assert (str.in_re \"b\" (re.range \"a\" \"c\")))"),
    probe("re.^", Theory::Strings, "(assert (str.in_re \"aa\" ((_ re.^ 2) (str.to_re \"a\"))))"),
    probe("re.loop", Theory::Strings, "(assert (str.in_re \"aa\" ((_ re.loop 1 3) (str.to_re \"a\"))))"),
];
