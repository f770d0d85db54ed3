//! The fields of problems, as data: theories with the sorts and functions of small problems.

use smtlib::Kind;

/// A theory, or several together.
#[derive(Clone, Copy, Debug)]
pub struct TheoryField {
    /// Its name.
    pub name: &'static str,
    /// The theories whose operators occur, by catalogue name, besides Core.
    pub theories: &'static [&'static str],
    /// Operators whose arguments except the first are values: the products of linear arithmetic.
    pub linear: &'static [Kind],
    /// The variants of problems; each problem uses one.
    pub variants: &'static [FieldSorts],
}

/// Sorts and functions.
#[derive(Clone, Copy, Debug)]
pub struct FieldSorts {
    /// Commands that declare sorts, datatypes and functions.
    pub declarations: &'static str,
    /// The sorts that terms have; constants of each are declared.
    pub sorts: &'static [&'static str],
}

/// Returns the field of a name.
pub fn field(name: &str) -> Option<&'static TheoryField> {
    FIELDS.iter().find(|f| f.name == name)
}

const fn sorts(declarations: &'static str, sorts: &'static [&'static str]) -> FieldSorts {
    FieldSorts { declarations, sorts }
}

const PRODUCTS: &[Kind] = &[Kind::IntMul, Kind::IntDiv, Kind::IntMod, Kind::RealMul, Kind::RealDiv];

const LISTS: &str = "(declare-datatypes ((L 0)) (((nil) (cons (hd Int) (tl L)))))";
const COLOURS: &str = "(declare-datatypes ((C 0)) (((red) (green) (blue))))";
const TREES: &str =
    "(declare-datatypes ((T 0) (F 0)) (((leaf) (node (label Bool) (sons F))) ((none) (some (first T) (rest F)))))";
const PAIRS: &str = "(declare-datatypes ((P 0)) (((pair (left Real) (right (_ BitVec 3))) (single (only Bool)))))";

/// All fields. To add one, add a line here.
pub const FIELDS: &[TheoryField] = &[
    TheoryField {
        name: "Core",
        theories: &[],
        linear: &[],
        variants: &[
            sorts("", &["Bool"]),
            sorts("(declare-fun f (Bool Bool) Bool)", &["Bool"]),
            sorts(
                "(declare-sort U 0)(declare-fun f (U) U)(declare-fun g (U U) U)(declare-fun p (U) Bool)(declare-fun h (Bool U) U)",
                &["Bool", "U"],
            ),
            sorts(
                "(declare-sort U 0)(declare-sort V 0)(declare-fun f (U) V)(declare-fun g (V U) U)",
                &["Bool", "U", "V"],
            ),
        ],
    },
    TheoryField {
        name: "FixedSizeBitVectors",
        theories: &["FixedSizeBitVectors"],
        linear: &[],
        variants: &[
            sorts("", &["Bool", "(_ BitVec 1)", "(_ BitVec 2)", "(_ BitVec 3)"]),
            sorts("", &["Bool", "(_ BitVec 3)", "(_ BitVec 4)", "(_ BitVec 7)"]),
            sorts("", &["Bool", "(_ BitVec 1)", "(_ BitVec 4)", "(_ BitVec 8)"]),
            sorts("", &["Bool", "(_ BitVec 5)"]),
            sorts("", &["Bool", "(_ BitVec 32)", "(_ BitVec 64)"]),
            sorts("(declare-fun f ((_ BitVec 4)) (_ BitVec 4))", &["Bool", "(_ BitVec 4)", "(_ BitVec 2)"]),
        ],
    },
    TheoryField {
        name: "Ints linear",
        theories: &["Ints"],
        linear: PRODUCTS,
        variants: &[
            sorts("", &["Bool", "Int"]),
            sorts("(declare-fun f (Int) Int)(declare-fun p (Int Int) Bool)", &["Bool", "Int"]),
        ],
    },
    TheoryField { name: "Ints", theories: &["Ints"], linear: &[], variants: &[sorts("", &["Bool", "Int"])] },
    TheoryField {
        name: "Reals linear",
        theories: &["Reals"],
        linear: PRODUCTS,
        variants: &[sorts("", &["Bool", "Real"]), sorts("(declare-fun f (Real) Real)", &["Bool", "Real"])],
    },
    TheoryField { name: "Reals", theories: &["Reals"], linear: &[], variants: &[sorts("", &["Bool", "Real"])] },
    TheoryField {
        name: "Reals_Ints",
        theories: &["Ints", "Reals", "Reals_Ints"],
        linear: PRODUCTS,
        variants: &[sorts("", &["Bool", "Int", "Real"])],
    },
    TheoryField {
        name: "ArraysEx",
        theories: &["ArraysEx"],
        linear: &[],
        variants: &[
            sorts("", &["Bool", "Int", "(Array Int Int)"]),
            sorts("", &["Bool", "(_ BitVec 2)", "(_ BitVec 3)", "(Array (_ BitVec 2) (_ BitVec 3))"]),
            sorts("(declare-sort U 0)(declare-sort V 0)", &["Bool", "U", "V", "(Array U V)"]),
            sorts("", &["Bool", "(Array Bool Bool)"]),
            sorts("", &["Bool", "Int", "(Array Int Bool)", "(Array Int (Array Int Bool))"]),
            sorts("(declare-fun f ((Array Int Int)) Int)", &["Bool", "Int", "(Array Int Int)"]),
        ],
    },
    TheoryField {
        name: "Datatypes",
        theories: &[],
        linear: &[],
        variants: &[
            sorts(LISTS, &["Bool", "Int", "L"]),
            sorts(COLOURS, &["Bool", "C"]),
            sorts(TREES, &["Bool", "T", "F"]),
            sorts(PAIRS, &["Bool", "Real", "(_ BitVec 3)", "P"]),
            sorts(
                "(declare-sort U 0)(declare-datatypes ((O 0)) (((no) (yes (it U)))))(declare-fun f (O) U)",
                &["Bool", "U", "O"],
            ),
        ],
    },
    TheoryField {
        name: "FloatingPoint small",
        theories: &["FloatingPoint"],
        linear: &[],
        variants: &[
            sorts("", &["Bool", "RoundingMode", "(_ FloatingPoint 3 3)"]),
            sorts("", &["Bool", "RoundingMode", "(_ FloatingPoint 3 5)"]),
            sorts("", &["Bool", "RoundingMode", "(_ FloatingPoint 4 4)"]),
            sorts("", &["Bool", "RoundingMode", "(_ FloatingPoint 3 5)", "(_ FloatingPoint 4 4)"]),
        ],
    },
    TheoryField {
        name: "FloatingPoint",
        theories: &["FloatingPoint"],
        linear: &[],
        variants: &[
            sorts("", &["Bool", "RoundingMode", "(_ FloatingPoint 5 11)"]),
            sorts("", &["Bool", "RoundingMode", "(_ FloatingPoint 8 24)"]),
            sorts("", &["Bool", "RoundingMode", "(_ FloatingPoint 5 11)", "(_ FloatingPoint 8 24)"]),
            sorts("", &["Bool", "RoundingMode", "(_ FloatingPoint 11 53)"]),
        ],
    },
    TheoryField {
        name: "FloatingPoint and vectors",
        theories: &["FloatingPoint"],
        linear: &[],
        variants: &[
            sorts(
                "",
                &[
                    "Bool",
                    "RoundingMode",
                    "(_ FloatingPoint 3 5)",
                    "(_ BitVec 1)",
                    "(_ BitVec 3)",
                    "(_ BitVec 4)",
                    "(_ BitVec 8)",
                ],
            ),
            sorts("", &["Bool", "RoundingMode", "(_ FloatingPoint 4 4)", "(_ BitVec 2)", "(_ BitVec 8)"]),
            sorts("", &["Bool", "RoundingMode", "(_ FloatingPoint 5 11)", "(_ BitVec 8)", "(_ BitVec 16)"]),
            sorts("", &["Bool", "RoundingMode", "(_ FloatingPoint 8 24)", "(_ BitVec 8)", "(_ BitVec 32)"]),
        ],
    },
    TheoryField {
        name: "FloatingPoint and reals",
        theories: &["FloatingPoint", "Reals"],
        linear: PRODUCTS,
        variants: &[
            sorts("", &["Bool", "RoundingMode", "(_ FloatingPoint 3 5)", "Real"]),
            sorts("", &["Bool", "RoundingMode", "(_ FloatingPoint 5 11)", "Real"]),
            sorts("", &["Bool", "RoundingMode", "(_ FloatingPoint 8 24)", "Real"]),
        ],
    },
    TheoryField {
        name: "Strings",
        theories: &["Strings"],
        linear: &[],
        variants: &[sorts("", &["Bool", "Int", "String"]), sorts("", &["Bool", "Int", "String", "RegLan"])],
    },
    TheoryField {
        name: "Mixed",
        theories: &["FixedSizeBitVectors", "FloatingPoint", "Ints", "Reals", "Reals_Ints", "ArraysEx", "Strings"],
        linear: PRODUCTS,
        variants: &[
            sorts("", &["Bool", "Int", "(_ BitVec 3)"]),
            sorts("", &["Bool", "Int", "(_ BitVec 4)", "(Array Int (_ BitVec 4))"]),
            sorts(
                "",
                &[
                    "Bool",
                    "(_ BitVec 2)",
                    "(_ FloatingPoint 3 5)",
                    "RoundingMode",
                    "(Array (_ BitVec 2) (_ FloatingPoint 3 5))",
                ],
            ),
            sorts("", &["Bool", "Int", "(_ FloatingPoint 5 11)", "(Array (_ FloatingPoint 5 11) Int)"]),
            sorts(
                "(declare-datatypes ((D 0)) (((box (content (Array Int Bool))) (empty))))",
                &["Bool", "Int", "(Array Int Bool)", "D"],
            ),
            sorts(
                "(declare-datatypes ((D 0)) (((num (value Real)) (text (word String)))))",
                &["Bool", "Real", "String", "D"],
            ),
            sorts("(declare-fun f ((_ FloatingPoint 3 5)) Int)", &["Bool", "Int", "(_ FloatingPoint 3 5)"]),
            sorts("", &["Bool", "String", "Int", "(Array String Int)"]),
        ],
    },
];
