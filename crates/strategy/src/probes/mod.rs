//! Probes: numeric and Boolean properties of a goal.
//!
//! Defined as in the slides of de Moura and Passmore, "Orchestrating decision engines": `bw`, `diff`, `linear`, `dim`, `atoms`,
//! `degree`, `size`; the others are those of Z3.

mod difference;
mod features;
mod logic;

pub use features::Features;
pub use logic::{logic_of, logic_to_print};

use rewrite::interval::bounded;
use rewrite::substitute::variable;
use rewrite::walk::visit;
use rewrite::{Goal, PassSettings, Wants};
use smtlib::strategy::{Arithmetic, GoalProbe, Measure, MeasureComparison, ProbeKind};
use smtlib::{SortId, Store, TermId};

/// The result of a probe.
#[derive(Clone, PartialEq, Debug)]
pub enum ProbeValue {
    /// Yes or no.
    Known(bool),
    /// Unknown, for this reason.
    Unknown(String),
}

/// How a probe is computed.
#[derive(Clone, Copy)]
pub enum Read {
    /// Yes or no.
    Truth(fn(&ProbedGoal<'_>) -> bool),
    /// A number.
    Number(fn(&ProbedGoal<'_>) -> f64),
}

/// The input of a probe.
pub struct ProbedGoal<'a> {
    /// The terms' store.
    pub store: &'a Store,
    /// The goal.
    pub goal: &'a Goal,
    /// The goal's features.
    pub features: Features,
}

/// One row of the registry of probes.
pub struct ProbeEntry {
    /// Its name.
    pub name: &'static str,
    /// Its description, in one line.
    pub about: &'static str,
    /// How the probe is computed.
    pub read: Read,
}

impl ProbeEntry {
    /// Whether its result is a number.
    pub fn kind(&self) -> ProbeKind {
        match self.read {
            Read::Truth(_) => ProbeKind::Truth,
            Read::Number(_) => ProbeKind::Number,
        }
    }
}

macro_rules! truth {
    ($name:literal, $about:literal, $read:expr) => {
        ProbeEntry { name: $name, about: $about, read: Read::Truth($read) }
    };
}

macro_rules! number {
    ($name:literal, $about:literal, $read:expr) => {
        ProbeEntry { name: $name, about: $about, read: Read::Number($read) }
    };
}

/// All probes, one per line.
pub static PROBES: &[ProbeEntry] = &[
    number!("bw", "summed bit-width of all rational coefficients", |s| s.features.coefficient_bits as f64),
    truth!("diff", "in the difference-logic fragment: all arithmetic atoms are x - y ~ c or x ~ c", |s| {
        difference::is_difference(s)
    }),
    truth!("linear", "no product of two terms with constants, no division by one", |s| s.features.is_linear()),
    number!("dim", "arithmetic constants", |s| s.features.arithmetic_constants() as f64),
    number!("atoms", "distinct atoms: Boolean subterms that are no connectives", |s| s.features.atoms as f64),
    number!("degree", "the largest total degree of a polynomial", |s| s.features.degree as f64),
    number!("size", "total size: nodes of all formulas written as trees", |s| s.features.tree_size),
    number!("depth", "steps that lead from the input to the goal", |s| f64::from(s.goal.depth)),
    number!("num-formulas", "formulas (Z3 calls this size)", |s| s.goal.len() as f64),
    number!("num-exprs", "distinct subterms", |s| s.features.terms as f64),
    number!("num-consts", "declared constants, Boolean ones left out", |s| s.features.other_constants() as f64),
    number!("num-bool-consts", "declared Boolean constants", |s| s.features.bool_constants as f64),
    number!("num-arith-consts", "declared constants of sort Int or Real", |s| s.features.arithmetic_constants() as f64),
    number!("num-bv-consts", "declared bit-vector constants", |s| s.features.bv_constants as f64),
    number!("num-fp-consts", "declared floating-point constants", |s| s.features.fp_constants as f64),
    number!("arith-max-deg", "the same as degree", |s| s.features.degree as f64),
    number!("arith-max-bw", "the largest bit-width of a rational coefficient", |s| s.features.largest_coefficient
        as f64),
    truth!("is-under", "an under-approximation: unsat says nothing of the input", |s| !s.goal.precision.keeps_unsat()),
    truth!("is-over", "an over-approximation: sat says nothing of the input", |s| !s.goal.precision.keeps_sat()),
    truth!("has-quantifiers", "a quantifier or lambda occurs", |s| s.features.binders),
    truth!("has-arith", "arithmetic occurs", |s| s.features.ints || s.features.reals),
    truth!("has-uf", "an uninterpreted function or sort occurs", |s| s.features.functions || s.features.free_sorts),
    truth!("is-conjunction", "every formula is a literal", |s| s.features.conjunction),
    truth!("is-propositional", "nothing but Booleans", |s| s.features.within(&[])),
    truth!("is-pb", "linear sums over 0-1 integers", |s| s.features.is_pseudo_boolean(s.store, s.goal)),
    truth!("is-qfbv", "quantifier-free bit-vectors", |s| s.features.within(&["BV"])),
    truth!("is-qffp", "quantifier-free floating point, bit-vectors allowed", |s| s.features.within(&["BV", "FP"])),
    truth!("is-qffpbv", "the same as is-qffp", |s| s.features.within(&["BV", "FP"])),
    truth!("is-qfuf", "quantifier-free uninterpreted functions and sorts", |s| s.features.within(&["UF"])),
    truth!("is-qfufbv", "quantifier-free bit-vectors and uninterpreted functions", |s| s
        .features
        .within(&["UF", "BV"])),
    truth!("is-qfabv", "quantifier-free bit-vectors and arrays", |s| s.features.within(&["A", "BV"])),
    truth!("is-qfaufbv", "quantifier-free bit-vectors, arrays and uninterpreted functions", |s| {
        s.features.within(&["A", "UF", "BV"])
    }),
    truth!("is-qflia", "quantifier-free linear integers", |s| s.features.within(&["I"]) && s.features.is_linear()),
    truth!("is-qflra", "quantifier-free linear reals", |s| s.features.within(&["R"]) && s.features.is_linear()),
    truth!("is-qflira", "quantifier-free linear integers and reals", |s| {
        s.features.within(&["I", "R"]) && s.features.is_linear()
    }),
    truth!("is-qfidl", "quantifier-free integer differences", |s| {
        s.features.within(&["I"]) && difference::is_difference(s)
    }),
    truth!("is-qfrdl", "quantifier-free real differences", |s| {
        s.features.within(&["R"]) && difference::is_difference(s)
    }),
    truth!("is-qfuflia", "quantifier-free linear integers and uninterpreted functions", |s| {
        s.features.within(&["I", "UF"]) && s.features.is_linear()
    }),
    truth!("is-qfuflra", "quantifier-free linear reals and uninterpreted functions", |s| {
        s.features.within(&["R", "UF"]) && s.features.is_linear()
    }),
    truth!("is-qfnia", "quantifier-free integers with a product of constants", |s| {
        s.features.within(&["I"]) && !s.features.is_linear()
    }),
    truth!("is-qfnra", "quantifier-free reals with a product of constants", |s| {
        s.features.within(&["R"]) && !s.features.is_linear()
    }),
    truth!("is-qfs", "quantifier-free strings, integers allowed", |s| s.features.within(&["S", "I"])),
    truth!("is-qfauflia", "quantifier-free arrays, uninterpreted functions and linear integers", |s| {
        s.features.within(&["A", "UF", "I"]) && s.features.is_linear()
    }),
    truth!("is-qfufnra", "quantifier-free reals with a product of constants, and uninterpreted functions", |s| {
        s.features.within(&["R", "UF"]) && !s.features.is_linear()
    }),
    truth!("is-qffplra", "quantifier-free floating point with bit-vectors and linear reals", |s| {
        s.features.within(&["BV", "FP", "R"]) && s.features.is_linear()
    }),
    truth!("is-qfbv-eq", "quantifier-free bit-vectors with =, distinct, ite, extract and concat only", |s| {
        s.features.within(&["BV"]) && !s.features.bit_operators
    }),
    truth!("is-ilp", "every formula is a linear literal over integers", |s| {
        s.features.within(&["I"]) && s.features.is_linear() && s.features.conjunction && s.features.bool_constants == 0
    }),
    truth!("is-lia", "linear integers, quantifiers allowed", |s| s.features.within_binders(&["I"])
        && s.features.is_linear()),
    truth!("is-lra", "linear reals, quantifiers allowed", |s| s.features.within_binders(&["R"])
        && s.features.is_linear()),
    truth!("is-lira", "linear integers and reals, quantifiers allowed", |s| {
        s.features.within_binders(&["I", "R"]) && s.features.is_linear()
    }),
    truth!("is-nia", "integers with a product of constants, quantifiers allowed", |s| {
        s.features.within_binders(&["I"]) && !s.features.is_linear()
    }),
    truth!("is-nra", "reals with a product of constants, quantifiers allowed", |s| {
        s.features.within_binders(&["R"]) && !s.features.is_linear()
    }),
    truth!("is-nira", "integers and reals with a product of constants, quantifiers allowed", |s| {
        s.features.within_binders(&["I", "R"]) && !s.features.is_linear()
    }),
    truth!("is-unbounded", "some number has no constant bound on one side", is_unbounded),
    truth!("has-patterns", "a quantifier has patterns", |s| s.features.patterns),
    number!("arith-avg-deg", "the mean degree of the atoms over numbers", |s| {
        let (count, sum) = s.features.arithmetic_atoms;
        mean(sum as f64, count)
    }),
    number!("arith-avg-bw", "the mean bit-width of the rational coefficients", |s| {
        mean(s.features.coefficient_bits as f64, s.features.coefficients)
    }),
    number!("ackr-bound-probe", "pairs of different applications of one function: Ackermann's lemmas at most", |s| {
        s.features.application_pairs as f64
    }),
    truth!("produce-models", "a model is wanted", |s| s.goal.wants.models),
    truth!("produce-model", "the same as produce-models", |s| s.goal.wants.models),
    truth!("produce-proofs", "never: goals are asked for models and cores, and every refutation has its steps", |_| {
        false
    }),
    truth!("produce-unsat-cores", "a core is wanted", |s| s.goal.wants.cores),
    truth!("is-exact", "nothing was approximated on the way to the goal", |s| {
        s.goal.precision == rewrite::Precision::Exact
    }),
];

/// Whether a number lacks a constant bound on one side.
fn is_unbounded(probed: &ProbedGoal<'_>) -> bool {
    let (below, above) = bounded(probed.store, probed.goal);
    let mut found = false;
    visit(probed.store, probed.goal.terms(), |t| {
        let store = probed.store;
        let is_number = matches!(store.sort(t), SortId::INT | SortId::REAL);
        found |= is_number && variable(store, t).is_some() && !(below.contains(&t) && above.contains(&t));
    });
    found
}

/// Returns the mean of `count` numbers with this sum; 0 for none.
fn mean(sum: f64, count: usize) -> f64 {
    if count == 0 { 0.0 } else { sum / count as f64 }
}

/// Returns the probe with a name.
pub fn probe(name: &str) -> Option<&'static ProbeEntry> {
    PROBES.iter().find(|p| p.name == name)
}

/// Returns the values of all [`PROBES`] on the assertions of a problem; no is 0 and yes is 1. `None` if the assertions are too large.
pub fn values(store: &mut Store, assertions: &[TermId]) -> Option<Vec<f64>> {
    let goal = Goal::of(store, assertions, Wants::MODELS, &PassSettings::default()).ok()?;
    let seen = ProbedGoal { features: Features::of(store, &goal), store, goal: &goal };
    let value = |probe: &ProbeEntry| match probe.read {
        Read::Truth(read) => f64::from(read(&seen)),
        Read::Number(read) => read(&seen),
    };
    Some(PROBES.iter().map(value).collect())
}

/// Evaluates a probe on a goal.
///
/// Numbers are IEEE 754 doubles, as in Z3: `(/ atoms dim)` is infinite if there is an atom and `dim` is 0, and every comparison with 0/0
/// is false.
pub fn truth(probe: &GoalProbe, store: &Store, goal: &Goal) -> ProbeValue {
    let seen = ProbedGoal { store, goal, features: Features::of(store, goal) };
    match holds(probe, &seen) {
        Ok(value) => ProbeValue::Known(value),
        Err(name) => ProbeValue::Unknown(format!("there is no probe `{name}` of this kind")),
    }
}

fn holds(probe: &GoalProbe, seen: &ProbedGoal<'_>) -> Result<bool, String> {
    Ok(match probe {
        GoalProbe::Named(name) => match self::probe(name).map(|p| p.read) {
            Some(Read::Truth(read)) => read(seen),
            _ => return Err(name.to_string()),
        },
        GoalProbe::Not(inner) => !holds(inner, seen)?,
        GoalProbe::And(parts) => {
            for part in parts {
                if !holds(part, seen)? {
                    return Ok(false);
                }
            }
            true
        }
        GoalProbe::Or(parts) => {
            for part in parts {
                if holds(part, seen)? {
                    return Ok(true);
                }
            }
            false
        }
        GoalProbe::Implies(a, b) => !holds(a, seen)? || holds(b, seen)?,
        GoalProbe::Compare(how, a, b) => {
            let (a, b) = (measured(a, seen)?, measured(b, seen)?);
            match how {
                MeasureComparison::Less => a < b,
                MeasureComparison::LessEqual => a <= b,
                MeasureComparison::Greater => a > b,
                MeasureComparison::GreaterEqual => a >= b,
                MeasureComparison::Equal => a == b,
            }
        }
    })
}

fn measured(measure: &Measure, seen: &ProbedGoal<'_>) -> Result<f64, String> {
    match measure {
        Measure::Literal(text) => text.parse().map_err(|_| text.to_string()),
        Measure::Named(name) => match probe(name).map(|p| p.read) {
            Some(Read::Number(read)) => Ok(read(seen)),
            _ => Err(name.to_string()),
        },
        Measure::Arithmetic(op, parts) => {
            let values = parts.iter().map(|p| measured(p, seen)).collect::<Result<Vec<f64>, _>>()?;
            let step = |a: f64, b: f64| match op {
                Arithmetic::Add => a + b,
                Arithmetic::Sub => a - b,
                Arithmetic::Mul => a * b,
                Arithmetic::Div => a / b,
            };
            Ok(match (&values[..], op) {
                ([one], Arithmetic::Sub) => -one,
                _ => values.iter().copied().reduce(step).unwrap_or(0.0),
            })
        }
    }
}
