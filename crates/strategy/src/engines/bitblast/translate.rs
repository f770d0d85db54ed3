//! Terms to circuits: every operator of Core on Booleans and of FixedSizeBitVectors, iteratively and each subterm once.

use super::gates::{Bit, GateLimit, Gates};
use super::words::{BitWord, complement, constant_word, sign};
use dashu_base::BitTest;
use rewrite::Stop;
use rustc_hash::FxHashMap;
use smtlib::{Constant, FuncId, Kind, Sort, SortId, Store, TermId};

/// Why a term has no circuit.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TranslateError {
    /// An operator or sort outside Booleans and bit-vectors.
    #[error("{0} is outside propositional logic and bit-vectors; eliminate it first")]
    Unsupported(String),
    /// The circuit would be larger than the bound.
    #[error("the circuit would have more than {0} gates; raise `max-gates` or simplify first")]
    TooLarge(usize),
    /// The time is up or the run is cancelled.
    #[error("interrupted")]
    Interrupted,
}

/// The treatment of a Boolean term that is neither a propositional connective nor a predicate on bit-vectors.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Atoms {
    /// The term is rejected.
    Refused,
    /// The term becomes a free bit: a Boolean abstraction, whose atoms another theory decides.
    Abstracted,
}

/// A circuit under construction, with the bits of the terms translated so far.
pub struct Translator {
    /// The circuit.
    pub gates: Gates,
    /// The offset of a term's bits in `pool`; their number follows from its sort.
    starts: FxHashMap<TermId, u32>,
    pool: Vec<Bit>,
    quotients: FxHashMap<(TermId, TermId), (BitWord, BitWord)>,
    symbols: Vec<(FuncId, TermId)>,
    abstracted: Vec<(TermId, Bit)>,
    atoms: Atoms,
    max_gates: usize,
}

impl Translator {
    /// Makes a translator without terms, with a gate limit.
    pub fn new(atoms: Atoms, max_gates: usize, stop: Stop) -> Translator {
        Translator {
            gates: Gates::new(max_gates, stop),
            starts: FxHashMap::default(),
            pool: Vec::new(),
            quotients: FxHashMap::default(),
            symbols: Vec::new(),
            abstracted: Vec::new(),
            atoms,
            max_gates,
        }
    }

    /// Returns the declared Boolean and bit-vector symbols met, each with its term, in order.
    pub fn symbols(&self) -> &[(FuncId, TermId)] {
        &self.symbols
    }

    /// Returns the abstracted atoms met, each with its bit, in order.
    pub fn abstracted(&self) -> &[(TermId, Bit)] {
        &self.abstracted
    }

    /// Returns the bit of a translated Boolean term; false for any other.
    pub fn known_bit(&self, t: TermId) -> Bit {
        self.starts.get(&t).and_then(|&start| self.pool.get(start as usize)).copied().unwrap_or(Bit::FALSE)
    }

    /// Assigns bits of this circuit, as many as its sort has, to a term; returns whether it had none before.
    pub fn preset(&mut self, t: TermId, bits: &[Bit]) -> bool {
        if self.starts.contains_key(&t) {
            return false;
        }
        self.starts.insert(t, self.pool.len() as u32);
        self.pool.extend_from_slice(bits);
        true
    }

    /// Returns the bits of a translated term, the least significant first; a Boolean has one.
    pub fn bits(&self, store: &Store, t: TermId) -> Option<&[Bit]> {
        let start = *self.starts.get(&t)? as usize;
        let width = width_of(store, store.sort(t))? as usize;
        self.pool.get(start..start + width)
    }

    /// Returns the bit of a Boolean term.
    /// Errors: [`TranslateError`]: a part of the term has no circuit, the circuit has too many gates, or the time is up.
    pub fn boolean(&mut self, store: &Store, t: TermId) -> Result<Bit, TranslateError> {
        match self.word(store, t)?.as_slice() {
            &[bit] if store.is_bool(t) => Ok(bit),
            _ => Err(unsupported(store, t)),
        }
    }

    /// Returns the bits of a Boolean or bit-vector term, the least significant first.
    /// Errors: as [`Translator::boolean`].
    pub fn word(&mut self, store: &Store, root: TermId) -> Result<BitWord, TranslateError> {
        let mut stack = vec![(root, false)];
        let mut steps = 0u32;
        while let Some((t, ready)) = stack.pop() {
            if self.starts.contains_key(&t) {
                continue;
            }
            steps += 1;
            if steps.is_multiple_of(256) {
                self.gates.check();
            }
            if !ready && self.descends(store, t)? {
                stack.push((t, true));
                stack.extend(store.args(t).iter().map(|&a| (a, false)));
                continue;
            }
            let bits = if ready { self.operate(store, t)? } else { self.leaf(store, t)? };
            match self.gates.spent() {
                Some(GateLimit::Time) => return Err(TranslateError::Interrupted),
                Some(GateLimit::Gates) => return Err(TranslateError::TooLarge(self.max_gates)),
                None => {}
            }
            if self.pool.len() + bits.len() > self.max_gates.saturating_mul(4) {
                return Err(TranslateError::TooLarge(self.max_gates));
            }
            self.starts.insert(t, self.pool.len() as u32);
            self.pool.extend_from_slice(&bits);
        }
        Ok(self.known(store, root).to_vec())
    }

    /// Returns the bits of a term translated before, such as a child.
    fn known(&self, store: &Store, t: TermId) -> &[Bit] {
        self.bits(store, t).unwrap_or(&[])
    }

    /// Whether a term is built from its children's bits; otherwise it is a leaf.
    fn descends(&self, store: &Store, t: TermId) -> Result<bool, TranslateError> {
        use Kind::*;
        let Some(width) = width_of(store, store.sort(t)) else { return Err(unsupported(store, t)) };
        let args = store.args(t);
        let understood = match store.kind(t) {
            Constant | True | False | Variable => return Ok(false),
            Not | Implies | And | Or | Xor => true,
            Eq | Distinct | Ite => args.iter().all(|&a| width_of(store, store.sort(a)).is_some()),
            UbvToInt | SbvToInt | IntToBv => false,
            kind => (BvConcat..=BvSmulNoUnderflow).contains(&kind),
        };
        if understood {
            self.afford(store, t, width as usize)?;
        }
        Ok(understood)
    }

    /// Rejects an operator whose circuit alone would exceed the limit, before building any of it.
    fn afford(&self, store: &Store, t: TermId, width: usize) -> Result<(), TranslateError> {
        use Kind::*;
        let args = store.args(t);
        let operand = args.last().and_then(|&a| width_of(store, store.sort(a))).unwrap_or(1) as usize;
        // A constant operand folds most of a product, and some of a division.
        let constant = args.iter().any(|&a| store.kind(a) == Constant);
        let quadratic = operand.saturating_mul(operand) / if constant { 4 } else { 1 };
        let gates = match store.kind(t) {
            BvMul => quadratic.saturating_mul(2 * (args.len() - 1)),
            BvUmulo | BvSmulo | BvUmulNoOverflow | BvSmulNoOverflow | BvSmulNoUnderflow => quadratic.saturating_mul(8),
            BvUdiv | BvUrem | BvSdiv | BvSrem | BvSmod => quadratic.saturating_mul(4),
            BvExtRotateLeft | BvExtRotateRight if !operand.is_power_of_two() => quadratic.saturating_mul(3),
            Distinct => args.len().saturating_mul(args.len()).saturating_mul(operand),
            _ => width.saturating_mul(args.len().max(1)),
        };
        if gates.saturating_add(self.gates.len()) > self.max_gates {
            return Err(TranslateError::TooLarge(self.max_gates));
        }
        Ok(())
    }

    fn leaf(&mut self, store: &Store, t: TermId) -> Result<BitWord, TranslateError> {
        let width = width_of(store, store.sort(t)).ok_or_else(|| unsupported(store, t))? as usize;
        match store.kind(t) {
            Kind::True => return Ok(vec![Bit::TRUE]),
            Kind::False => return Ok(vec![Bit::FALSE]),
            Kind::Constant => {
                let Some(Constant::BitVec { value, .. }) = store.constant(t) else { return Err(unsupported(store, t)) };
                return Ok(constant_word(width, |n| value.bit(n)));
            }
            Kind::Apply if store.args(t).is_empty() => {
                if let Some(f) = store.applied(t).filter(|&f| store.func(f).is_declared()) {
                    self.symbols.push((f, t));
                    return Ok((0..width).map(|_| self.gates.input()).collect());
                }
            }
            _ => {}
        }
        if self.atoms == Atoms::Abstracted && store.is_bool(t) {
            let bit = self.gates.input();
            self.abstracted.push((t, bit));
            return Ok(vec![bit]);
        }
        Err(unsupported(store, t))
    }

    fn operate(&mut self, store: &Store, t: TermId) -> Result<BitWord, TranslateError> {
        let args: Vec<BitWord> = store.args(t).iter().map(|&a| self.known(store, a).to_vec()).collect();
        let kind = store.kind(t);
        match args.as_slice() {
            [a] => self.unary(store, t, a),
            [c, yes, no] if kind == Kind::Ite => Ok(self.gates.choose(c[0], yes, no)),
            _ if store.is_bool(t) => self.predicate(store, t, &args).map(|bit| vec![bit]),
            [first, rest @ ..] => {
                let mut word = first.clone();
                for (n, b) in rest.iter().enumerate() {
                    word = self.binary(store, t, n, &word, b)?;
                }
                Ok(word)
            }
            [] => Err(unsupported(store, t)),
        }
    }

    fn unary(&mut self, store: &Store, t: TermId, a: &[Bit]) -> Result<BitWord, TranslateError> {
        use Kind::*;
        let op = store.op(t);
        let (i, j) = (op.i as usize, op.j as usize);
        let width = a.len();
        Ok(match op.kind {
            Not => vec![!a[0]],
            BvNot => complement(a),
            BvNeg => self.gates.negate(a),
            BvExtract => a[j..=i].to_vec(),
            BvRepeat => a.repeat(i),
            BvZeroExtend => a.iter().copied().chain(std::iter::repeat_n(Bit::FALSE, i)).collect(),
            BvSignExtend => a.iter().copied().chain(std::iter::repeat_n(sign(a), i)).collect(),
            BvRotateLeft | BvRotateRight => {
                let mut word = a.to_vec();
                let left = if op.kind == BvRotateLeft { i % width } else { width - i % width };
                word.rotate_right(left % width);
                word
            }
            BvRedor => vec![self.gates.any(a)],
            BvRedand => vec![self.gates.all(a)],
            BvNego => {
                // Only the least number has no negation.
                let rest = self.gates.any(&a[..width - 1]);
                vec![self.gates.and(sign(a), !rest)]
            }
            _ => return Err(unsupported(store, t)),
        })
    }

    /// Applies one binary step of a left-associative operator; `n` is the number of the step.
    fn binary(&mut self, store: &Store, t: TermId, n: usize, a: &[Bit], b: &[Bit]) -> Result<BitWord, TranslateError> {
        use Kind::*;
        let g = &mut self.gates;
        let zip = |g: &mut Gates, f: fn(&mut Gates, Bit, Bit) -> Bit| -> BitWord {
            a.iter().zip(b).map(|(&x, &y)| f(g, x, y)).collect()
        };
        Ok(match store.kind(t) {
            BvConcat => b.iter().chain(a).copied().collect(),
            BvAnd => zip(g, Gates::and),
            BvOr => zip(g, Gates::or),
            BvXor => zip(g, Gates::xor),
            BvNand => complement(&zip(g, Gates::and)),
            BvNor => complement(&zip(g, Gates::or)),
            BvXnor => zip(g, Gates::same),
            BvAdd => g.add(a, b, Bit::FALSE).0,
            BvSub => g.subtract(a, b).0,
            BvMul => g.multiply(a, b),
            BvUdiv | BvUrem => {
                let (quotient, remainder) = self.quotient(store, t, n, a, b);
                if store.kind(t) == BvUdiv { quotient } else { remainder }
            }
            BvSdiv => g.divide_signed(a, b),
            BvSrem => g.remainder_signed(a, b),
            BvSmod => g.modulo_signed(a, b),
            BvShl => g.shift_left(a, b),
            BvLshr => g.shift_right(a, b, Bit::FALSE),
            BvAshr => g.shift_right(a, b, sign(a)),
            BvComp => vec![g.equal(a, b)],
            BvUltbv => vec![g.less(a, b)],
            BvSltbv => vec![g.less_signed(a, b)],
            BvExtRotateLeft => g.rotate_left_by(a, b),
            BvExtRotateRight => {
                let reversed: BitWord = a.iter().rev().copied().collect();
                let mut word = g.rotate_left_by(&reversed, b);
                word.reverse();
                word
            }
            _ => return Err(unsupported(store, t)),
        })
    }

    /// Returns quotient and remainder of a division, cached since the other one is often needed next.
    fn quotient(&mut self, store: &Store, t: TermId, n: usize, a: &[Bit], b: &[Bit]) -> (BitWord, BitWord) {
        // Only the first step divides the children themselves.
        let key = match store.args(t) {
            &[x, y, ..] if n == 0 => Some((x, y)),
            _ => None,
        };
        if let Some(known) = key.and_then(|k| self.quotients.get(&k)) {
            return known.clone();
        }
        let pair = self.gates.divide(a, b);
        if let Some(key) = key {
            self.quotients.insert(key, pair.clone());
        }
        pair
    }

    /// Boolean operators of two or more arguments.
    fn predicate(&mut self, store: &Store, t: TermId, args: &[BitWord]) -> Result<Bit, TranslateError> {
        use Kind::*;
        let kind = store.kind(t);
        let g = &mut self.gates;
        let firsts = || args.iter().map(|a| a[0]);
        let [a, b, ..] = args else { return Err(unsupported(store, t)) };
        Ok(match kind {
            And => g.all(&firsts().collect::<Vec<_>>()),
            Or => g.any(&firsts().collect::<Vec<_>>()),
            Xor => firsts().reduce(|x, y| g.xor(x, y)).unwrap_or(Bit::FALSE),
            Implies => {
                // All but the last imply the last, so a single false premise suffices.
                let last = args.len() - 1;
                let bits: Vec<Bit> = firsts().enumerate().map(|(n, x)| if n < last { !x } else { x }).collect();
                g.any(&bits)
            }
            Eq => {
                let bits: Vec<Bit> = args.windows(2).map(|pair| g.equal(&pair[0], &pair[1])).collect();
                g.all(&bits)
            }
            Distinct => {
                let mut bits = Vec::new();
                for (n, x) in args.iter().enumerate() {
                    bits.extend(args[..n].iter().map(|y| !g.equal(x, y)));
                }
                g.all(&bits)
            }
            BvUlt => g.less(a, b),
            BvUgt => g.less(b, a),
            BvUle => !g.less(b, a),
            BvUge => !g.less(a, b),
            BvSlt => g.less_signed(a, b),
            BvSgt => g.less_signed(b, a),
            BvSle => !g.less_signed(b, a),
            BvSge => !g.less_signed(a, b),
            BvUaddo => g.add(a, b, Bit::FALSE).1,
            BvUsubo => g.less(a, b),
            BvSaddo => g.signed_sum_overflows(a, b, Bit::FALSE),
            BvSsubo => g.signed_sum_overflows(a, &complement(b), Bit::TRUE),
            BvUmulo => g.product_overflows(a, b),
            BvUmulNoOverflow => !g.product_overflows(a, b),
            BvSmulo => {
                let (above, below) = g.signed_product_overflows(a, b);
                g.or(above, below)
            }
            BvSmulNoOverflow => !g.signed_product_overflows(a, b).0,
            BvSmulNoUnderflow => !g.signed_product_overflows(a, b).1,
            BvSdivo => {
                // Only the least number divided by minus one overflows.
                let rest = g.any(&a[..a.len() - 1]);
                let least = g.and(sign(a), !rest);
                let minus_one = g.all(b);
                g.and(least, minus_one)
            }
            _ => return Err(unsupported(store, t)),
        })
    }
}

/// Returns the number of bits of a Boolean or bit-vector sort.
pub fn width_of(store: &Store, sort: SortId) -> Option<u32> {
    match store.sorts.get(sort) {
        Sort::Bool => Some(1),
        Sort::BitVec(width) => Some(*width),
        _ => None,
    }
}

fn unsupported(store: &Store, t: TermId) -> TranslateError {
    let what = match store.kind(t) {
        Kind::Apply => match store.applied(t).map(|f| store.func(f)) {
            Some(f) if store.args(t).is_empty() => format!("the symbol `{}`", store.name(f.name)),
            Some(f) => format!("an application of `{}`", store.name(f.name)),
            None => "an application".to_string(),
        },
        kind => match smtlib::theories::row(kind) {
            Some(row) => format!("`{}` on these sorts", row.name),
            None => format!("{kind:?}").to_lowercase(),
        },
    };
    TranslateError::Unsupported(what)
}
