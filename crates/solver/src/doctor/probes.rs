//! One question for each symbol of the SMT-LIB standard, and of sequences, that is known to differ between solvers.

/// A question that only a solver that knows `symbol` can answer. All are satisfiable in the standard.
pub(super) struct DoctorProbe {
    /// The symbol in the standard's spelling.
    pub(super) symbol: &'static str,
    /// Further requirements of the question.
    pub(super) theory: ProbeTheory,
    /// Declarations and assertions in the standard's spelling.
    pub(super) commands: &'static str,
    /// An unsatisfiable question, for symbols that a solver is known to accept with an arbitrary meaning.
    pub(super) refuted: Option<&'static str>,
}

impl DoctorProbe {
    /// Adds an unsatisfiable question.
    const fn refuted(mut self, commands: &'static str) -> DoctorProbe {
        self.refuted = Some(commands);
        self
    }
}

/// The theories that a question needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ProbeTheory {
    Ints,
    Arrays,
    BitVectors,
    BitVectorsAndInts,
    Strings,
    /// Not a theory of the standard.
    Sequences,
    /// Not a theory of the standard.
    Sets,
    /// Not a theory of the standard.
    Bags,
    FiniteFields,
}

impl ProbeTheory {
    /// Returns logics that cover the theory, the smallest first.
    pub(super) fn logics(self) -> &'static [&'static str] {
        match self {
            ProbeTheory::Ints => &["QF_LIA", "LIA"],
            ProbeTheory::Arrays => &["ALL", "QF_ALIA"],
            ProbeTheory::BitVectors => &["QF_BV", "BV"],
            ProbeTheory::BitVectorsAndInts => &["ALL"],
            // Older solvers do not know QF_SLIA.
            ProbeTheory::Strings
            | ProbeTheory::Sequences
            | ProbeTheory::Sets
            | ProbeTheory::Bags
            | ProbeTheory::FiniteFields => &["ALL"],
        }
    }
}

/// The sort constructor of finite sets: a solver without it has none of their operators.
pub(super) const SETS: &str = "Set";
/// The sort constructor of bags, likewise.
pub(super) const BAGS: &str = "Bag";
/// The name in `lacks` for all of sequences: that of their sort.
pub(super) const SEQUENCES: &str = "Seq";

/// The name in `lacks` for all of finite fields: that of their sort.
pub(super) const FINITE_FIELDS: &str = "FiniteField";

const fn probe(symbol: &'static str, theory: ProbeTheory, commands: &'static str) -> DoctorProbe {
    DoctorProbe { symbol, theory, commands, refuted: None }
}

/// The questions. Theories: Ints, FixedSizeBitVectors and UnicodeStrings of SMT-LIB 2.7, and finite sets and bags as cvc5 spells them.
pub(super) const PROBES: &[DoctorProbe] = &[
    probe("divisible", ProbeTheory::Ints, "(assert ((_ divisible 3) 9))"),
    probe("abs", ProbeTheory::Ints, "(assert (= (abs (- 3)) 3))"),
    // Constant arrays; the name follows `as`.
    probe(
        "const",
        ProbeTheory::Arrays,
        "(declare-fun a () (Array Int Int))\n(assert (= a ((as const (Array Int Int)) 1)))",
    ),
    probe("bvcomp", ProbeTheory::BitVectors, "(assert (= (bvcomp #x3 #x3) #b1))"),
    probe("bvnand", ProbeTheory::BitVectors, "(assert (= (bvnand #xc #xa) #x7))"),
    probe("bvnor", ProbeTheory::BitVectors, "(assert (= (bvnor #xc #xa) #x1))"),
    probe("bvxnor", ProbeTheory::BitVectors, "(assert (= (bvxnor #xc #xa) #x9))"),
    probe("bvsmod", ProbeTheory::BitVectors, "(assert (= (bvsmod #xd #x2) #x1))"),
    probe("repeat", ProbeTheory::BitVectors, "(assert (= ((_ repeat 2) #xa) #xaa))"),
    probe("rotate_left", ProbeTheory::BitVectors, "(assert (= ((_ rotate_left 1) #x9) #x3))"),
    probe("bvnego", ProbeTheory::BitVectors, "(assert (bvnego #x8))"),
    probe("bvuaddo", ProbeTheory::BitVectors, "(assert (bvuaddo #xf #x1))"),
    probe("bvsaddo", ProbeTheory::BitVectors, "(assert (bvsaddo #x7 #x1))"),
    probe("bvumulo", ProbeTheory::BitVectors, "(assert (bvumulo #xf #x2))"),
    probe("bvsmulo", ProbeTheory::BitVectors, "(assert (bvsmulo #x7 #x2))"),
    probe("bvusubo", ProbeTheory::BitVectors, "(assert (bvusubo #x1 #x2))"),
    probe("bvssubo", ProbeTheory::BitVectors, "(assert (bvssubo #x8 #x1))"),
    probe("bvsdivo", ProbeTheory::BitVectors, "(assert (bvsdivo #x8 #xf))"),
    probe("ubv_to_int", ProbeTheory::BitVectorsAndInts, "(assert (= (ubv_to_int #xf) 15))"),
    probe("sbv_to_int", ProbeTheory::BitVectorsAndInts, "(assert (= (sbv_to_int #xf) (- 1)))"),
    probe("int_to_bv", ProbeTheory::BitVectorsAndInts, "(assert (= ((_ int_to_bv 4) 31) #xf))"),
    probe("str.<", ProbeTheory::Strings, "(assert (str.< \"a\" \"b\"))"),
    probe("str.<=", ProbeTheory::Strings, "(assert (str.<= \"a\" \"b\"))"),
    probe("str.indexof", ProbeTheory::Strings, "(assert (= (str.indexof \"abc\" \"c\" 0) 2))"),
    probe("str.replace_all", ProbeTheory::Strings, "(assert (= (str.replace_all \"aa\" \"a\" \"b\") \"bb\"))"),
    probe(
        "str.replace_re",
        ProbeTheory::Strings,
        "(assert (= (str.replace_re \"aa\" (str.to_re \"a\") \"b\") \"ba\"))",
    ),
    probe(
        "str.replace_re_all",
        ProbeTheory::Strings,
        "(assert (= (str.replace_re_all \"aa\" (str.to_re \"a\") \"b\") \"bb\"))",
    ),
    probe("str.is_digit", ProbeTheory::Strings, "(assert (str.is_digit \"7\"))"),
    probe("str.to_code", ProbeTheory::Strings, "(assert (= (str.to_code \"A\") 65))"),
    probe("str.from_code", ProbeTheory::Strings, "(assert (= (str.from_code 65) \"A\"))"),
    probe("str.to_int", ProbeTheory::Strings, "(assert (= (str.to_int \"12\") 12))"),
    probe("str.from_int", ProbeTheory::Strings, "(assert (= (str.from_int 12) \"12\"))"),
    probe("RegLan", ProbeTheory::Strings, "(define-fun r () RegLan (str.to_re \"a\"))\n(assert (str.in_re \"a\" r))"),
    probe("str.in_re", ProbeTheory::Strings, "(assert (str.in_re \"a\" (str.to_re \"a\")))"),
    probe("str.to_re", ProbeTheory::Strings, "(assert (str.in_re \"b\" (str.to_re \"b\")))"),
    probe("re.none", ProbeTheory::Strings, "(assert (not (str.in_re \"a\" re.none)))"),
    probe("re.all", ProbeTheory::Strings, "(assert (str.in_re \"a\" re.all))"),
    probe("re.allchar", ProbeTheory::Strings, "(assert (str.in_re \"a\" re.allchar))"),
    probe("re.comp", ProbeTheory::Strings, "(assert (str.in_re \"b\" (re.comp (str.to_re \"a\"))))"),
    probe("re.diff", ProbeTheory::Strings, "(assert (str.in_re \"a\" (re.diff (str.to_re \"a\") (str.to_re \"b\"))))"),
    probe("re.opt", ProbeTheory::Strings, "(assert (str.in_re \"\" (re.opt (str.to_re \"a\"))))"),
    probe("re.range", ProbeTheory::Strings, "(assert (str.in_re \"b\" (re.range \"a\" \"c\")))"),
    probe("re.^", ProbeTheory::Strings, "(assert (str.in_re \"aa\" ((_ re.^ 2) (str.to_re \"a\"))))"),
    probe(SETS, ProbeTheory::Sets, "(declare-fun s () (Set Int))\n(assert (= s (as set.empty (Set Int))))"),
    probe(
        "set.union",
        ProbeTheory::Sets,
        "(assert (= (set.union (set.singleton 1) (set.singleton 1)) (set.singleton 1)))",
    ),
    probe(
        "set.inter",
        ProbeTheory::Sets,
        "(assert (= (set.inter (set.singleton 1) (set.singleton 1)) (set.singleton 1)))",
    ),
    probe(
        "set.minus",
        ProbeTheory::Sets,
        "(assert (= (set.minus (set.singleton 1) (set.singleton 2)) (set.singleton 1)))",
    ),
    probe("set.member", ProbeTheory::Sets, "(assert (set.member 1 (set.singleton 1)))"),
    probe("set.subset", ProbeTheory::Sets, "(assert (set.subset (set.singleton 1) (set.singleton 1)))"),
    probe("set.insert", ProbeTheory::Sets, "(assert (= (set.insert 1 (set.singleton 1)) (set.singleton 1)))"),
    probe("set.card", ProbeTheory::Sets, "(assert (= (set.card (set.singleton 1)) 1))"),
    probe("set.is_empty", ProbeTheory::Sets, "(assert (not (set.is_empty (set.singleton 1))))"),
    probe("set.is_singleton", ProbeTheory::Sets, "(assert (set.is_singleton (set.singleton 1)))"),
    probe(
        "set.complement",
        ProbeTheory::Sets,
        "(assert (= (set.complement (set.singleton true)) (set.singleton false)))",
    ),
    probe("set.universe", ProbeTheory::Sets, "(assert (set.member true (as set.universe (Set Bool))))"),
    probe("set.range", ProbeTheory::Sets, "(assert (set.member 2 (set.range 1 3)))"),
    probe(BAGS, ProbeTheory::Bags, "(declare-fun b () (Bag Int))\n(assert (= b (bag 1 2)))"),
    probe("bag.union_disjoint", ProbeTheory::Bags, "(assert (= (bag.union_disjoint (bag 1 1) (bag 1 2)) (bag 1 3)))"),
    probe("bag.union_max", ProbeTheory::Bags, "(assert (= (bag.union_max (bag 1 1) (bag 1 2)) (bag 1 2)))"),
    probe("bag.inter_min", ProbeTheory::Bags, "(assert (= (bag.inter_min (bag 1 1) (bag 1 2)) (bag 1 1)))"),
    probe(
        "bag.difference_subtract",
        ProbeTheory::Bags,
        "(assert (= (bag.difference_subtract (bag 1 3) (bag 1 2)) (bag 1 1)))",
    ),
    probe(
        "bag.difference_remove",
        ProbeTheory::Bags,
        "(assert (= (bag.difference_remove (bag 1 3) (bag 2 2)) (bag 1 3)))",
    ),
    probe("bag.subbag", ProbeTheory::Bags, "(assert (bag.subbag (bag 1 1) (bag 1 2)))"),
    probe("bag.count", ProbeTheory::Bags, "(assert (= (bag.count 1 (bag 1 2)) 2))"),
    probe("bag.member", ProbeTheory::Bags, "(assert (bag.member 1 (bag 1 2)))"),
    probe("bag.setof", ProbeTheory::Bags, "(assert (= (bag.setof (bag 1 2)) (bag 1 1)))"),
    probe("bag.card", ProbeTheory::Bags, "(assert (= (bag.card (bag 1 2)) 2))"),
    probe("bag.choose", ProbeTheory::Bags, "(assert (= (bag.choose (bag 1 2)) 1))"),
    probe("re.loop", ProbeTheory::Strings, "(assert (str.in_re \"aa\" ((_ re.loop 1 3) (str.to_re \"a\"))))"),
    probe(
        FINITE_FIELDS,
        ProbeTheory::FiniteFields,
        "(declare-fun x () (_ FiniteField 5))\n(assert (= (ff.mul x x) #f4m5))",
    ),
    probe("ff.add", ProbeTheory::FiniteFields, "(assert (= (ff.add #f3m5 #f4m5) #f2m5))"),
    probe("ff.mul", ProbeTheory::FiniteFields, "(assert (= (ff.mul #f3m5 #f4m5) #f2m5))"),
    probe("ff.neg", ProbeTheory::FiniteFields, "(assert (= (ff.neg #f3m5) (as ff2 (_ FiniteField 5))))"),
    probe("ff.bitsum", ProbeTheory::FiniteFields, "(assert (= (ff.bitsum #f1m5 #f0m5 #f1m5) #f0m5))"),
    // All of sequences, by the name of their sort; then operators that not all solvers with sequences have.
    probe(SEQUENCES, ProbeTheory::Sequences, "(declare-fun s () (Seq Int))\n(assert (= (seq.len s) 1))"),
    probe(
        "seq.replace_all",
        ProbeTheory::Sequences,
        "(declare-fun s () (Seq Int))\n(assert (= (seq.replace_all s s s) s))",
    ),
    probe("seq.last_indexof", ProbeTheory::Sequences, "(assert (= (seq.last_indexof (seq.unit 1) (seq.unit 1)) 0))")
        .refuted("(assert (= (seq.last_indexof (seq.unit 1) (seq.unit 1)) 1))"),
    probe("seq.update", ProbeTheory::Sequences, "(assert (= (seq.update (seq.unit 1) 0 (seq.unit 2)) (seq.unit 2)))"),
    probe("seq.rev", ProbeTheory::Sequences, "(assert (= (seq.rev (seq.unit 1)) (seq.unit 1)))"),
];
