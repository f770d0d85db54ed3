//! The widths, formats, sorts and indices of one application of an operator.

use dashu_int::UBig;
use rand::{Rng, RngExt};
use rand_xoshiro::Xoshiro256PlusPlus;
use smtlib::signature::{Pattern, SignatureRow};
use smtlib::{Kind, Op, Sort, SortId, Store};

/// Bit-vector widths: around the word sizes of machines and of solvers' number types.
const WIDTHS: &[u32] =
    &[1, 1, 2, 2, 3, 3, 4, 4, 5, 7, 8, 8, 9, 15, 16, 17, 31, 32, 32, 33, 63, 64, 64, 65, 127, 128, 129, 200];

/// Float formats: small ones, those of IEEE 754, bfloat16 and x87. cvc5 rejects two significand bits, so none has two; the definitional
/// tests of the evaluator have them.
const FORMATS: &[(u32, u32)] = &[
    (2, 3),
    (3, 3),
    (3, 4),
    (3, 5),
    (4, 4),
    (3, 7),
    (5, 3),
    (5, 11),
    (5, 11),
    (8, 8),
    (8, 24),
    (8, 24),
    (11, 53),
    (11, 53),
    (15, 64),
    (15, 113),
];

/// Orders of finite fields: small ones, primes near machine words, and those of Curve25519 and of the scalars and the field of BLS12-381.
const ORDERS: &[&str] = &[
    "2",
    "2",
    "3",
    "3",
    "5",
    "7",
    "11",
    "13",
    "17",
    "101",
    "65537",
    "2147483647",
    "4294967291",
    "18446744073709551557",
    "18446744073709551629",
    "2305843009213693951",
    "170141183460469231731687303715884105727",
    "57896044618658097711785492504343953926634992332820282019728792003956564819949",
    "52435875175126190479447740508185965837690552500527637822603658699938581184513",
    "4002409555221667393417789825735904156556882819939007885332058136124031650490837864442687629129015664037894272559787",
];

/// The values of a row's variables in one application.
#[derive(Clone, Copy, Debug)]
pub struct Setting {
    /// The operator with its indices.
    pub op: Op,
    widths: [u32; 2],
    formats: [(u32, u32); 2],
    sorts: [SortId; 2],
}

/// Returns a random element of a list.
pub fn pick<T: Copy>(rng: &mut Xoshiro256PlusPlus, list: &[T]) -> T {
    list[rng.random_range(0..list.len())]
}

impl Setting {
    /// Returns a random setting for a row.
    pub fn random(rng: &mut Xoshiro256PlusPlus, store: &mut Store, row: &SignatureRow) -> Setting {
        let mut widths = [pick(rng, WIDTHS), pick(rng, WIDTHS)];
        let formats = [pick(rng, FORMATS), pick(rng, FORMATS)];
        if row.kind == Kind::Fp {
            widths = [formats[0].0, formats[0].1 - 1];
        }
        let sorts = match row.args.contains(&Pattern::Array) {
            true => array_sorts(rng, store),
            false if row.args.contains(&Pattern::FiniteField) => [random_field(rng, store); 2],
            // Arrays are compared under their own theory, which lists the known facts about solvers' equality of arrays.
            false if [Pattern::Seq, Pattern::Bag].iter().any(|p| row.args.contains(p) || row.result == *p) => {
                [random_sort(rng, store, false), random_sort(rng, store, false)]
            }
            false => [random_sort(rng, store, true), random_sort(rng, store, true)],
        };
        let (i, j) = indices(rng, row, widths[0], formats[1]);
        Setting { op: Op::indexed(row.kind, i, j), widths, formats, sorts }
    }

    /// Returns the sort of an argument pattern. The recursion depth is that of the pattern.
    pub fn sort(&self, store: &mut Store, pattern: Pattern) -> SortId {
        let float = |store: &mut Store, (eb, sb)| store.sorts.float(eb, sb);
        match pattern {
            Pattern::Int => SortId::INT,
            Pattern::Real => SortId::REAL,
            Pattern::String => SortId::STRING,
            Pattern::RegLan => SortId::REGLAN,
            Pattern::RoundingMode => SortId::ROUNDING_MODE,
            Pattern::Any(n) => self.sorts[n as usize],
            Pattern::FiniteField => self.sorts[0],
            Pattern::Array => store.sorts.array(self.sorts[0], self.sorts[1]),
            Pattern::Seq => store.sorts.seq(self.sorts[0]),
            Pattern::Set => store.sorts.set(self.sorts[0]),
            Pattern::Relation(_) => {
                let fields = if self.op.kind == Kind::RelIden { 1 } else { 2 };
                let tuple = store.sorts.tuple(&vec![self.sorts[0]; fields]).unwrap_or(SortId::BOOL);
                store.sorts.set(tuple)
            }
            Pattern::Bag => store.sorts.bag(self.sorts[0]),
            Pattern::Bv(n) => store.sorts.bitvec(self.widths[n as usize]),
            Pattern::BvExact(width) => store.sorts.bitvec(width),
            Pattern::BvIndexSum => store.sorts.bitvec(self.op.i + self.op.j),
            Pattern::Float(n) => float(store, self.formats[n as usize]),
            Pattern::Function(params, result) => {
                let result = self.sort(store, *result);
                params.iter().rev().fold(result, |to, &from| {
                    let from = self.sort(store, from);
                    store.sorts.intern(Sort::Map(from, to))
                })
            }
            // All other patterns occur only in results, except Bool.
            _ => SortId::BOOL,
        }
    }
}

/// Returns the index sort and the element sort of an array.
///
/// The default of an array over a small index sort may become any stored element, and some solvers accept only single tokens as the
/// element of a constant array: such arrays have elements whose values are all single tokens.
fn array_sorts(rng: &mut Xoshiro256PlusPlus, store: &mut Store) -> [SortId; 2] {
    let index = random_sort(rng, store, false);
    let element = match store.sorts.get(index) {
        Sort::Bool | Sort::RoundingMode | Sort::BitVec(1..=3) => match rng.random_range(0..4u32) {
            0 => SortId::BOOL,
            1 => SortId::STRING,
            2 => SortId::ROUNDING_MODE,
            _ => store.sorts.bitvec(pick(rng, WIDTHS)),
        },
        _ => random_sort(rng, store, false),
    };
    [index, element]
}

/// Returns a sort whose constants solvers fold. Arrays are not nested: their equality is undecided in some solvers.
fn random_sort(rng: &mut Xoshiro256PlusPlus, store: &mut Store, or_array: bool) -> SortId {
    match rng.random_range(0..if or_array { 11u32 } else { 10 }) {
        0 => SortId::BOOL,
        1 | 2 => SortId::INT,
        3 => SortId::REAL,
        4 => SortId::STRING,
        5 => SortId::ROUNDING_MODE,
        6 | 7 => store.sorts.bitvec(pick(rng, WIDTHS)),
        8 => store.sorts.bitvec(2),
        9 => {
            let (eb, sb) = pick(rng, FORMATS);
            store.sorts.float(eb, sb)
        }
        _ => {
            let [index, element] = array_sorts(rng, store);
            store.sorts.array(index, element)
        }
    }
}

fn random_field(rng: &mut Xoshiro256PlusPlus, store: &mut Store) -> SortId {
    let order = UBig::from_str_radix(pick(rng, ORDERS), 10).ok();
    order.and_then(|order| store.sorts.finite_field(order).ok()).unwrap_or(SortId::BOOL)
}

/// Returns indices that fit the first argument's width, and the format of the result.
fn indices(rng: &mut Xoshiro256PlusPlus, row: &SignatureRow, width: u32, format: (u32, u32)) -> (u32, u32) {
    let small = |rng: &mut Xoshiro256PlusPlus, to: u32| rng.random_range(0..=to);
    match row.kind {
        Kind::BvExtract => {
            let low = small(rng, width - 1);
            (rng.random_range(low..width), low)
        }
        Kind::BvRepeat => (rng.random_range(1..=5), 0),
        Kind::BvZeroExtend | Kind::BvSignExtend => (small(rng, 70), 0),
        Kind::BvRotateLeft | Kind::BvRotateRight => (small(rng, 2 * width + 1), 0),
        Kind::RePower => (small(rng, 4), 0),
        Kind::ReLoop => (small(rng, 4), small(rng, 4)),
        Kind::IntDivisible => (if rng.random() { rng.random_range(1..=12) } else { rng.next_u32().max(1) }, 0),
        _ if matches!(row.result, Pattern::FloatIndex) => format,
        _ if row.indices > 0 => (pick(rng, WIDTHS), 0),
        _ => (0, 0),
    }
}
