//! Random terms over all searched operators.

use dashu_int::UBig;
use search::ir::Program;
use search::rng::Random;
use search::types::{Ty, mask};
use semantics::Value;
use semantics::float::Float;
use smtlib::{Func, FuncBody, FuncId, Kind, Op, Sort, SortId, Store, TermId};

/// The widths of vectors: around words, odd ones, and wide ones.
const WIDTHS: [u32; 9] = [1, 5, 8, 16, 32, 63, 64, 65, 128];

/// The formats of floats: the native ones more often.
const FORMATS: [(u32, u32); 8] = [(8, 24), (11, 53), (8, 24), (11, 53), (5, 11), (15, 113), (3, 5), (2, 2)];

/// The maximum nesting.
const DEPTH: u32 = 3;

/// Symbols for terms.
pub struct Terms {
    next: u32,
    known: Vec<(SortId, TermId)>,
}

/// The available kinds, by their arguments.
const BIT_BINARY: [Kind; 17] = [
    Kind::BvAnd,
    Kind::BvOr,
    Kind::BvXor,
    Kind::BvNand,
    Kind::BvNor,
    Kind::BvXnor,
    Kind::BvAdd,
    Kind::BvSub,
    Kind::BvMul,
    Kind::BvUdiv,
    Kind::BvUrem,
    Kind::BvSdiv,
    Kind::BvSrem,
    Kind::BvSmod,
    Kind::BvShl,
    Kind::BvLshr,
    Kind::BvAshr,
];
const BIT_COMPARE: [Kind; 19] = [
    Kind::BvUlt,
    Kind::BvUle,
    Kind::BvUgt,
    Kind::BvUge,
    Kind::BvSlt,
    Kind::BvSle,
    Kind::BvSgt,
    Kind::BvSge,
    Kind::BvUaddo,
    Kind::BvSaddo,
    Kind::BvUmulo,
    Kind::BvSmulo,
    Kind::BvUsubo,
    Kind::BvSsubo,
    Kind::BvSdivo,
    Kind::BvUmulNoOverflow,
    Kind::BvSmulNoOverflow,
    Kind::BvSmulNoUnderflow,
    Kind::Eq,
];
const FLOAT_COMPARE: [Kind; 6] = [Kind::FpLeq, Kind::FpLt, Kind::FpGeq, Kind::FpGt, Kind::FpEq, Kind::Eq];
const FLOAT_TEST: [Kind; 7] = [
    Kind::FpIsNormal,
    Kind::FpIsSubnormal,
    Kind::FpIsZero,
    Kind::FpIsInfinite,
    Kind::FpIsNan,
    Kind::FpIsNegative,
    Kind::FpIsPositive,
];
const FLOAT_ARITHMETIC: [Kind; 7] =
    [Kind::FpAdd, Kind::FpSub, Kind::FpMul, Kind::FpDiv, Kind::FpFma, Kind::FpSqrt, Kind::FpRoundToIntegral];
const FLOAT_PLAIN: [Kind; 5] = [Kind::FpAbs, Kind::FpNeg, Kind::FpRem, Kind::FpMin, Kind::FpMax];
const MODES: [Kind; 5] = [Kind::Rne, Kind::Rna, Kind::Rtp, Kind::Rtn, Kind::Rtz];

fn pick<T: Copy>(random: &mut Random, list: &[T]) -> T {
    list[random.index(list.len())]
}

impl Terms {
    /// No symbols yet.
    pub fn new(_store: &mut Store) -> Terms {
        Terms { next: 0, known: Vec::new() }
    }

    /// `(= e y)` and the symbol `y`.
    pub fn equation(&mut self, store: &mut Store, random: &mut Random) -> (TermId, FuncId) {
        let sort = self.any_sort(store, random);
        let term = self.term(store, random, sort, DEPTH);
        let name = store.symbols.intern("result");
        let y = store.declare(Func { name, params: [].into(), result: sort, body: FuncBody::Declared });
        let right = store.constant_of(y).expect("a symbol without arguments");
        (store.eq(term, right).expect("one sort"), y)
    }

    fn any_sort(&mut self, store: &mut Store, random: &mut Random) -> SortId {
        match random.below(8) {
            0..2 => SortId::BOOL,
            2..4 => {
                let width = pick(random, &WIDTHS);
                store.sorts.bitvec(width)
            }
            _ => {
                let (eb, sb) = pick(random, &FORMATS);
                store.sorts.float(eb, sb)
            }
        }
    }

    fn float_sort(&mut self, store: &mut Store, random: &mut Random) -> SortId {
        let (eb, sb) = pick(random, &FORMATS);
        store.sorts.float(eb, sb)
    }

    fn bits_sort(&mut self, store: &mut Store, random: &mut Random) -> SortId {
        let width = pick(random, &WIDTHS);
        store.sorts.bitvec(width)
    }

    fn symbol(&mut self, store: &mut Store, random: &mut Random, sort: SortId) -> TermId {
        let mut same = self.known.iter().filter(|k| k.0 == sort).map(|k| k.1);
        if let Some(known) = same.next()
            && random.one_in(2)
        {
            return known;
        }
        let name = store.symbols.intern(&format!("x{}", self.next));
        self.next += 1;
        let f = store.declare(Func { name, params: [].into(), result: sort, body: FuncBody::Declared });
        let term = store.constant_of(f).expect("a symbol without arguments");
        self.known.push((sort, term));
        term
    }

    fn term(&mut self, store: &mut Store, random: &mut Random, sort: SortId, depth: u32) -> TermId {
        if depth == 0 || random.one_in(12) {
            return self.leaf(store, random, sort);
        }
        if random.one_in(14) {
            let condition = self.term(store, random, SortId::BOOL, depth - 1);
            let (a, b) = (self.term(store, random, sort, depth - 1), self.term(store, random, sort, depth - 1));
            return store.app(Op::new(Kind::Ite), &[condition, a, b]).expect("an ite");
        }
        match store.sorts.get(sort).clone() {
            Sort::Bool => self.truth(store, random, depth - 1),
            Sort::BitVec(width) => self.bits(store, random, sort, width, depth - 1),
            Sort::Float { eb, sb } => self.float(store, random, sort, (eb, sb), depth - 1),
            _ => self.leaf(store, random, sort),
        }
    }

    fn leaf(&mut self, store: &mut Store, random: &mut Random, sort: SortId) -> TermId {
        let is_constant = random.one_in(4);
        match store.sorts.get(sort).clone() {
            Sort::RoundingMode if !random.one_in(4) => {
                let kind = pick(random, &MODES);
                store.app(Op::new(kind), &[]).expect("a mode")
            }
            Sort::BitVec(width) if is_constant => {
                let value = UBig::from(random.bits()) & UBig::ones(width as usize);
                store.bitvec(width, &value)
            }
            Sort::Float { eb, sb } if is_constant => {
                let kinds =
                    [Kind::FpPlusInfinity, Kind::FpMinusInfinity, Kind::FpPlusZero, Kind::FpMinusZero, Kind::FpNan];
                let kind = pick(random, &kinds);
                store.app(Op::indexed(kind, eb, sb), &[]).expect("a special value")
            }
            _ => self.symbol(store, random, sort),
        }
    }

    fn app(&mut self, store: &mut Store, random: &mut Random, op: Op, sorts: &[SortId], depth: u32) -> TermId {
        let args: Vec<TermId> = sorts.iter().map(|&s| self.term(store, random, s, depth)).collect();
        match store.app(op, &args) {
            Ok(term) => term,
            Err(error) => panic!("{op:?}: {error}"),
        }
    }

    fn truth(&mut self, store: &mut Store, random: &mut Random, depth: u32) -> TermId {
        let (op, sorts) = match random.below(8) {
            0..3 => {
                let sort = self.bits_sort(store, random);
                let kind = pick(random, &BIT_COMPARE);
                (Op::new(kind), vec![sort; 2])
            }
            3 => {
                let sort = self.float_sort(store, random);
                (Op::new(pick(random, &FLOAT_TEST)), vec![sort])
            }
            4..7 => {
                let sort = self.float_sort(store, random);
                (Op::new(pick(random, &FLOAT_COMPARE)), vec![sort; 2])
            }
            _ => match random.below(7) {
                0 => (Op::new(Kind::Not), vec![SortId::BOOL]),
                1 => (Op::new(Kind::BvNego), vec![self.bits_sort(store, random)]),
                2 => (Op::new(Kind::Distinct), vec![self.bits_sort(store, random); 3]),
                n => {
                    let kinds = [Kind::And, Kind::Or, Kind::Xor, Kind::Implies];
                    (Op::new(kinds[n as usize - 3]), vec![SortId::BOOL; 2])
                }
            },
        };
        self.app(store, random, op, &sorts, depth)
    }

    fn bits(&mut self, store: &mut Store, random: &mut Random, sort: SortId, width: u32, depth: u32) -> TermId {
        let (op, sorts) = match random.below(12) {
            0..4 => (Op::new(pick(random, &BIT_BINARY)), vec![sort; 2]),
            4 => (Op::new(pick(random, &[Kind::BvNot, Kind::BvNeg])), vec![sort]),
            5 => {
                let kind = pick(random, &[Kind::BvRotateLeft, Kind::BvRotateRight]);
                (Op::indexed(kind, random.below(200) as u32, 0), vec![sort])
            }
            6 if width > 1 => {
                let low = 1 + random.below(u64::from(width - 1)) as u32;
                let (high, low) = (store.sorts.bitvec(width - low), store.sorts.bitvec(low));
                (Op::new(Kind::BvConcat), vec![high, low])
            }
            7 => {
                let (above, below) = (random.below(70) as u32, random.below(70) as u32);
                let from = store.sorts.bitvec(width + above + below);
                (Op::indexed(Kind::BvExtract, width + below - 1, below), vec![from])
            }
            8 if width > 1 => {
                let by = 1 + random.below(u64::from(width - 1)) as u32;
                let from = store.sorts.bitvec(width - by);
                (Op::indexed(pick(random, &[Kind::BvZeroExtend, Kind::BvSignExtend]), by, 0), vec![from])
            }
            9 => {
                let float = self.float_sort(store, random);
                let kind = pick(random, &[Kind::FpToUbv, Kind::FpToSbv]);
                (Op::indexed(kind, width, 0), vec![SortId::ROUNDING_MODE, float])
            }
            10 if width == 1 => {
                let from = self.bits_sort(store, random);
                let kinds = [Kind::BvComp, Kind::BvUltbv, Kind::BvSltbv, Kind::BvRedor, Kind::BvRedand];
                let kind = pick(random, &kinds);
                (Op::new(kind), vec![from; if matches!(kind, Kind::BvRedor | Kind::BvRedand) { 1 } else { 2 }])
            }
            10 if FORMATS.iter().any(|(eb, sb)| eb + sb == width) => {
                let &(eb, sb) = FORMATS.iter().find(|(eb, sb)| eb + sb == width).unwrap_or(&FORMATS[0]);
                (Op::new(Kind::FpToIeeeBv), vec![store.sorts.float(eb, sb)])
            }
            10 => {
                let times = [5, 4, 3, 2, 1].into_iter().find(|n| width.is_multiple_of(*n)).unwrap_or(1);
                let part = store.sorts.bitvec(width / times);
                (Op::indexed(Kind::BvRepeat, times, 0), vec![part])
            }
            11 => {
                let kind = pick(random, &[Kind::BvExtRotateLeft, Kind::BvExtRotateRight]);
                (Op::new(kind), vec![sort; 2])
            }
            _ => (Op::new(pick(random, &BIT_BINARY)), vec![sort; 2]),
        };
        self.app(store, random, op, &sorts, depth)
    }

    fn float(
        &mut self,
        store: &mut Store,
        random: &mut Random,
        sort: SortId,
        format: (u32, u32),
        depth: u32,
    ) -> TermId {
        let mode = SortId::ROUNDING_MODE;
        let (eb, sb) = format;
        let (op, sorts) = match random.below(12) {
            0..6 => {
                let kind = pick(random, &FLOAT_ARITHMETIC);
                let floats = match kind {
                    Kind::FpFma => 3,
                    Kind::FpSqrt | Kind::FpRoundToIntegral => 1,
                    _ => 2,
                };
                let mut sorts = vec![sort; floats + 1];
                sorts[0] = mode;
                (Op::new(kind), sorts)
            }
            6..8 => {
                let kind = pick(random, &FLOAT_PLAIN);
                (Op::new(kind), vec![sort; if matches!(kind, Kind::FpAbs | Kind::FpNeg) { 1 } else { 2 }])
            }
            8 => {
                let bits = store.sorts.bitvec(eb + sb);
                (Op::indexed(Kind::FpFromBits, eb, sb), vec![bits])
            }
            9 => {
                let from = self.float_sort(store, random);
                (Op::indexed(Kind::FpFromFp, eb, sb), vec![mode, from])
            }
            10 => {
                let from = self.bits_sort(store, random);
                (Op::indexed(pick(random, &[Kind::FpFromSbv, Kind::FpFromUbv]), eb, sb), vec![mode, from])
            }
            _ => {
                let fields = [1, eb, sb - 1].map(|width| store.sorts.bitvec(width));
                (Op::new(Kind::Fp), fields.to_vec())
            }
        };
        self.app(store, random, op, &sorts, depth)
    }
}

/// Fills every slot randomly; for floats, special patterns and nearby values are as frequent as any.
pub fn fill(program: &Program, input: &mut [u8], random: &mut Random) {
    let common = random.bits();
    for (number, slot) in program.layout.slots().iter().enumerate() {
        for word in 0..slot.ty.words() {
            let width = (slot.ty.width() - 64 * word as u32).min(64);
            let specials = [0, 1, mask(width), mask(width) >> 1, 1 << (width - 1), mask(width) - (mask(width) >> 9)];
            let value = match random.below(6) {
                0 => pick(random, &specials),
                1 => random.bits() >> random.below(64),
                2 => common ^ random.bits() >> (64 - 3),
                // Small integers and simple fractions as floats.
                3 => match slot.ty.native() {
                    Some(search::types::NativeFormat::Single) => {
                        u64::from(((random.below(200) as f32 - 100.0) / 8.0).to_bits())
                    }
                    _ => ((random.below(200) as f64 - 100.0) / 8.0).to_bits(),
                },
                _ => random.bits(),
            };
            let value = if slot.ty == Ty::Mode { random.below(5) } else { value };
            program.layout.set(input, number, word, value);
        }
    }
}

/// Another value of the same sort, if there is one.
pub fn other(value: &Value) -> Option<Value> {
    match value {
        Value::Bool(b) => Some(Value::Bool(!b)),
        Value::BitVec { width, value } => Some(Value::bitvec(*width, value + UBig::ONE)),
        Value::Float(f) if f.is_nan() => Some(Value::Float(Float::zero(f.format(), true))),
        Value::Float(f) => Some(Value::Float(f.neg())),
        _ => None,
    }
}
