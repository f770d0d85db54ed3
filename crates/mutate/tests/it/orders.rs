//! Orders and cardinalities of z3 against a brute force of another hand, which lists all orders of a few values.

use mutate::rng::RandomStream;
use mutate::{Unit, small_world};
use semantics::Stop;
use semantics::truth::{ExhaustLimits, Search, TruthQuery, of_check};
use smtlib::Status;

const NAMES: [&str; 4] = ["partial-order", "linear-order", "tree-order", "piecewise-linear-order"];

/// A relation of at most four values: whether x is below y, at 4x + y.
type Relation = [bool; 16];

fn is_order(kind: usize, size: usize, r: &Relation) -> bool {
    let below = |x: usize, y: usize| r[4 * x + y];
    let comparable = |x, y| below(x, y) || below(y, x);
    let all = || (0..size).flat_map(|x| (0..size).flat_map(move |y| (0..size).map(move |z| (x, y, z))));
    (0..size).all(|x| below(x, x))
        && all().all(|(x, y, z)| {
            let is_partial = (x == y || !(below(x, y) && below(y, x))) && (!below(x, y) || !below(y, z) || below(x, z));
            let is_above = !(below(x, y) && below(x, z)) || comparable(y, z);
            let is_below = !(below(y, x) && below(z, x)) || comparable(y, z);
            is_partial
                && match kind {
                    0 => true,
                    1 => comparable(x, y),
                    2 => is_below,
                    _ => is_above && is_below,
                }
        })
}

fn orders(kind: usize, size: usize) -> Vec<Relation> {
    let relation = |bits: u32| -> Relation { std::array::from_fn(|at| bits >> at & 1 == 1) };
    let is_small = |r: &Relation| (0..16).all(|at| !r[at] || at / 4 < size && at % 4 < size);
    (0..1u32 << 16).map(relation).filter(|r| is_small(r) && is_order(kind, size, r)).collect()
}

/// What a term stands for: a constant, the bound variable or a value.
#[derive(Clone, Copy)]
enum Operand {
    Constant(usize),
    Bound,
    Value(usize),
}

enum Formula {
    Below(Operand, Operand),
    Equal(Operand, Operand),
    Not(Box<Formula>),
    /// At least or at most N of these.
    Count(bool, usize, Vec<Formula>),
    /// For all values of the bound variable.
    Each(Box<Formula>),
}

struct Case<'o> {
    size: usize,
    order: &'o str,
    constants: usize,
}

impl Case<'_> {
    fn operand(&self, is_bound: bool, rng: &mut RandomStream) -> Operand {
        match rng.below(4) {
            0 => Operand::Value(rng.index(self.size)),
            1 | 2 if is_bound => Operand::Bound,
            _ => Operand::Constant(rng.index(self.constants)),
        }
    }

    fn formula(&self, fuel: u64, is_bound: bool, rng: &mut RandomStream) -> Formula {
        let inner = |rng: &mut RandomStream| self.formula(fuel - 1, is_bound, rng);
        match if fuel == 0 { 0 } else { rng.below(6) } {
            0 if rng.percent(80) => Formula::Below(self.operand(is_bound, rng), self.operand(is_bound, rng)),
            0 => Formula::Equal(self.operand(is_bound, rng), self.operand(is_bound, rng)),
            1 | 2 => Formula::Not(Box::new(inner(rng))),
            3 if !is_bound => Formula::Each(Box::new(self.formula(fuel - 1, true, rng))),
            _ => {
                let parts: Vec<Formula> = (0..rng.between(1, 3)).map(|_| inner(rng)).collect();
                Formula::Count(rng.coin(), rng.index(parts.len() + 1), parts)
            }
        }
    }

    fn value(&self, value: usize) -> String {
        if self.size == 3 { format!("v{value}") } else { format!("#b{value:02b}") }
    }

    fn operand_text(&self, operand: Operand) -> String {
        match operand {
            Operand::Constant(n) => format!("c{n}"),
            Operand::Bound => "b".to_string(),
            Operand::Value(value) => self.value(value),
        }
    }

    fn text(&self, formula: &Formula) -> String {
        match formula {
            Formula::Below(a, b) => format!("({} {} {})", self.order, self.operand_text(*a), self.operand_text(*b)),
            Formula::Equal(a, b) => format!("(= {} {})", self.operand_text(*a), self.operand_text(*b)),
            Formula::Not(inner) => format!("(not {})", self.text(inner)),
            Formula::Each(inner) => format!("(forall ((b S)) {})", self.text(inner)),
            Formula::Count(is_least, bound, parts) => {
                let parts: String = parts.iter().map(|part| format!(" {}", self.text(part))).collect();
                format!("((_ at-{} {bound}){parts})", if *is_least { "least" } else { "most" })
            }
        }
    }

    fn holds(&self, formula: &Formula, r: &Relation, constants: &[usize], bound: usize) -> bool {
        let value = |operand: &Operand| match *operand {
            Operand::Constant(n) => constants[n],
            Operand::Bound => bound,
            Operand::Value(value) => value,
        };
        let inner = |f: &Formula, bound| self.holds(f, r, constants, bound);
        match formula {
            Formula::Below(a, b) => r[4 * value(a) + value(b)],
            Formula::Equal(a, b) => value(a) == value(b),
            Formula::Not(f) => !inner(f, bound),
            Formula::Each(f) => (0..self.size).all(|value| inner(f, value)),
            Formula::Count(is_least, n, parts) => {
                let count = parts.iter().filter(|f| inner(f, bound)).count();
                if *is_least { count >= *n } else { count <= *n }
            }
        }
    }
}

#[test]
fn orders_are_those_of_a_brute_force() {
    let count: u64 = testing::amount("SQUALL_PROBLEMS", 200);
    let lists: Vec<[Vec<Relation>; 2]> = (0..4).map(|kind| [3, 4].map(|size| orders(kind, size))).collect();
    let counts: Vec<usize> = lists.iter().map(|list| list[1].len()).collect();
    // Labelled partial orders of four values (OEIS A001035), linear ones (4!), and rooted forests (5^3).
    assert_eq!(counts[..3], [219, 24, 125]);
    let (mut seen, mut open) = ([0u64; 2], 0u64);
    for number in 0..count {
        let rng = &mut Unit { campaign: 5, number }.stream();
        let (kind, size) = (rng.index(4), 3 + rng.index(2));
        let order = format!("(_ {} {})", NAMES[kind], rng.below(2));
        let case = Case { size, order: &order, constants: 1 + rng.index(2) };
        let formulas: Vec<Formula> = (0..rng.between(1, 3)).map(|_| case.formula(3, false, rng)).collect();
        let values: String = (0..3).map(|n| format!(" (v{n})")).collect();
        let mut text = match size {
            3 => format!("(declare-datatype S ({values}))\n"),
            _ => "(define-sort S () (_ BitVec 2))\n".to_string(),
        };
        (0..case.constants).for_each(|n| text += &format!("(declare-const c{n} S)\n"));
        formulas.iter().for_each(|f| text += &format!("(assert {})\n", case.text(f)));
        text += "(check-sat)\n";
        let points: Vec<Vec<usize>> = (0..size.pow(case.constants as u32)).map(|n| vec![n % size, n / size]).collect();
        let holds = |r: &Relation| points.iter().any(|at| formulas.iter().all(|f| case.holds(f, r, at, 0)));
        let expected = if lists[kind][size - 3].iter().any(holds) { Status::Sat } else { Status::Unsat };
        let (limits, stop) = (ExhaustLimits::default(), Stop::default());
        let query = TruthQuery { limits: &limits, stop: &stop, search: Search::Quick };
        match of_check(&text, 0, query) {
            Ok(truth) => assert_eq!(small_world::expected(&truth), expected, "{text}"),
            Err(why) => {
                open += 1;
                println!("{why}: {text}");
            }
        }
        seen[usize::from(expected == Status::Sat)] += 1;
    }
    println!("{seen:?}, {open} open");
    assert!(seen.iter().all(|&n| n * 8 > count) && open * 20 < count, "{seen:?}, {open} open");
}
