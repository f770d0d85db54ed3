//! Fusion functions generated from invertible steps: z = a(u(x) ∘ v(y)), where u, v and a are chains of bijections of one sort and ∘
//! can be solved for either side.
//!
//! `(bvxor (bvnot x) (bvadd y c1))` has the inversions `(bvnot (bvxor z (bvadd y c1)))` and `(bvsub (bvxor z (bvnot x)) c1)`. The idea of
//! generating fusion functions is yinyang's (option `-g`); here inversions come with the steps. That each step undoes the other, and each
//! operation is solved by its solutions, is proven by a test for all values of small sorts; compositions of these follow.

use crate::mutators::fusion::function::FusionFunction;
use crate::rng::RandomStream;

/// The maximum length of a chain of steps.
const MAX_STEPS: u64 = 2;

/// A bijection of a sort: its term over `@`, and its inverse. `C` is a random constant, `K` a numeral below the width.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct InvertibleStep {
    /// The step.
    pub does: &'static str,
    /// Its inverse.
    pub undoes: &'static str,
}

/// An operation z = l ∘ r that can be solved for l and for r.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SolvableOperation {
    /// z by `L` and `R`.
    pub joins: &'static str,
    /// l by `Z` and `R`.
    pub left: &'static str,
    /// r by `Z` and `L`.
    pub right: &'static str,
}

/// The building blocks of a sort's functions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SortSteps {
    /// The head of the sort: `Int`, or `BitVec` for all widths.
    pub sort: &'static str,
    /// The bijections.
    pub steps: &'static [InvertibleStep],
    /// The operations.
    pub operations: &'static [SolvableOperation],
}

const fn step(does: &'static str, undoes: &'static str) -> InvertibleStep {
    InvertibleStep { does, undoes }
}

const fn operation(joins: &'static str, left: &'static str, right: &'static str) -> SolvableOperation {
    SolvableOperation { joins, left, right }
}

/// All sorts with generated functions.
pub const SORTS: [SortSteps; 5] = [
    SortSteps {
        sort: "Bool",
        steps: &[step("(not @)", "(not @)"), step("(xor @ C)", "(xor C @)"), step("(= C @)", "(= @ C)")],
        operations: &[
            operation("(xor L R)", "(xor Z R)", "(xor L Z)"),
            operation("(= L R)", "(= Z R)", "(= L Z)"),
            operation("(distinct L R)", "(distinct R Z)", "(xor Z L)"),
            operation("(ite L (not R) R)", "(distinct Z R)", "(ite L (not Z) Z)"),
        ],
    },
    SortSteps {
        sort: "Int",
        steps: &[step("(+ @ C)", "(- @ C)"), step("(- C @)", "(- C @)"), step("(- @)", "(- @)")],
        operations: &[operation("(+ L R)", "(- Z R)", "(- Z L)"), operation("(- L R)", "(+ Z R)", "(- L Z)")],
    },
    SortSteps {
        sort: "Real",
        steps: &[
            step("(+ @ C)", "(- @ C)"),
            step("(- C @)", "(- C @)"),
            step("(* 3.0 @)", "(/ @ 3.0)"),
            step("(/ @ (- 7.0))", "(* @ (- 7.0))"),
        ],
        operations: &[operation("(+ L R)", "(- Z R)", "(- Z L)"), operation("(- L R)", "(+ Z R)", "(- L Z)")],
    },
    SortSteps {
        sort: "BitVec",
        steps: &[
            step("(bvadd @ C)", "(bvsub @ C)"),
            step("(bvsub C @)", "(bvsub C @)"),
            step("(bvxor @ C)", "(bvxor C @)"),
            step("(bvxnor @ C)", "(bvxnor C @)"),
            step("(bvnot @)", "(bvnot @)"),
            step("(bvneg @)", "(bvneg @)"),
            step("((_ rotate_left K) @)", "((_ rotate_right K) @)"),
        ],
        operations: &[
            operation("(bvadd L R)", "(bvsub Z R)", "(bvsub Z L)"),
            operation("(bvsub L R)", "(bvadd Z R)", "(bvsub L Z)"),
            operation("(bvxor L R)", "(bvxor Z R)", "(bvxor L Z)"),
            operation("(bvxnor L R)", "(bvxnor R Z)", "(bvxnor Z L)"),
            operation(
                "(bvor (bvand L (bvnot R)) (bvand (bvnot L) R))",
                "(bvxor Z R)",
                "(bvor (bvand Z (bvnot L)) (bvand L (bvnot Z)))",
            ),
        ],
    },
    SortSteps {
        sort: "String",
        steps: &[
            step("(str.++ C @)", "(str.substr @ (str.len C) (- (str.len @) (str.len C)))"),
            step("(str.++ @ C)", "(str.substr @ 0 (- (str.len @) (str.len C)))"),
        ],
        operations: &[operation(
            "(str.++ L R)",
            "(str.substr Z 0 (- (str.len Z) (str.len R)))",
            "(str.substr Z (str.len L) (- (str.len Z) (str.len L)))",
        )],
    },
];

/// A chain of steps, each with its inverse, with constants named.
type StepChain = Vec<InvertibleTexts>;

/// A step with its constants named.
struct InvertibleTexts {
    does: String,
    undoes: String,
}

/// Generates a function of two variables of one sort, given as text; `None` if the sort has no steps.
pub fn draw(sort: &str, rng: &mut RandomStream) -> Option<FusionFunction> {
    let (steps, width) = steps_of(sort)?;
    let operation = rng.pick(steps.operations)?;
    let mut constants = Vec::new();
    let [u, v, a] = [(); 3].map(|()| chain(steps, width, &mut constants, rng));
    let (left, right, z) = (along(&u, "x"), along(&v, "y"), back(&a, "z"));
    let fill = |text: &str| text.replace('L', &left).replace('R', &right).replace('Z', &z);
    Some(FusionFunction {
        line: 0,
        sorts: [(); 3].map(|()| sort.to_string()),
        parameters: Vec::new(),
        constants: constants.into_iter().map(|name| (name, sort.to_string())).collect(),
        indices: Vec::new(),
        declarations: Vec::new(),
        fresh: Vec::new(),
        terms: [along(&a, &fill(operation.joins)), back(&u, &fill(operation.left)), back(&v, &fill(operation.right))],
        conditions: Vec::new(),
    })
}

/// Returns the steps of a sort, and its width in bits; 1 if it has none.
fn steps_of(sort: &str) -> Option<(&'static SortSteps, u64)> {
    let (head, width) = match sort.strip_prefix("(_ BitVec ").and_then(|rest| rest.strip_suffix(')')) {
        Some(width) => ("BitVec", width.parse().ok()?),
        None => (sort, 1),
    };
    Some((SORTS.iter().find(|steps| steps.sort == head)?, width))
}

fn chain(steps: &SortSteps, width: u64, constants: &mut Vec<String>, rng: &mut RandomStream) -> StepChain {
    let count = rng.between(0, MAX_STEPS);
    let mut chain = StepChain::new();
    for _ in 0..count {
        let Some(step) = rng.pick(steps.steps) else { break };
        let mut name = String::new();
        if step.does.contains('C') {
            name = format!("c{}", constants.len() + 1);
            constants.push(name.clone());
        }
        let turn = rng.below(width.max(1)).to_string();
        let fill = |text: &str| text.replace('C', &name).replace('K', &turn);
        chain.push(InvertibleTexts { does: fill(step.does), undoes: fill(step.undoes) });
    }
    chain
}

/// Applies a chain to a term.
fn along(chain: &StepChain, term: &str) -> String {
    chain.iter().fold(term.to_string(), |term, step| step.does.replace('@', &term))
}

/// Applies the inverse of a chain to a term.
fn back(chain: &StepChain, term: &str) -> String {
    chain.iter().rev().fold(term.to_string(), |term, step| step.undoes.replace('@', &term))
}
