//! Bit-vector arithmetic as circuits: words are bits, the least significant first.
//!
//! Each function is the circuit of one operator of the theory FixedSizeBitVectors (SMT-LIB 2.7); operands of binary functions have the
//! same width.

use super::gates::{Bit, Gates};

/// A bit-vector: its bits, the least significant first.
pub type BitWord = Vec<Bit>;

impl Gates {
    /// Returns the sum with a carry in, and the carry out.
    pub fn add(&mut self, a: &[Bit], b: &[Bit], mut carry: Bit) -> (BitWord, Bit) {
        let mut sum = BitWord::with_capacity(a.len());
        for (&x, &y) in a.iter().zip(b) {
            let half = self.xor(x, y);
            sum.push(self.xor(half, carry));
            carry = self.majority(x, y, carry);
        }
        (sum, carry)
    }

    /// Returns the difference, and whether it did not borrow: `a >= b` unsigned.
    pub fn subtract(&mut self, a: &[Bit], b: &[Bit]) -> (BitWord, Bit) {
        let negated = complement(b);
        self.add(a, &negated, Bit::TRUE)
    }

    /// Returns the two's complement negation.
    pub fn negate(&mut self, a: &[Bit]) -> BitWord {
        self.subtract(&vec![Bit::FALSE; a.len()], a).0
    }

    /// Returns the negation of `a` where `condition` holds, else `a`.
    pub fn negate_if(&mut self, condition: Bit, a: &[Bit]) -> BitWord {
        let flipped: BitWord = a.iter().map(|&bit| self.xor(bit, condition)).collect();
        self.add(&flipped, &vec![Bit::FALSE; a.len()], condition).0
    }

    /// `yes` where `condition` holds, else `no`.
    pub fn choose(&mut self, condition: Bit, yes: &[Bit], no: &[Bit]) -> BitWord {
        yes.iter().zip(no).map(|(&y, &n)| self.ite(condition, y, n)).collect()
    }

    /// Whether two words are equal.
    pub fn equal(&mut self, a: &[Bit], b: &[Bit]) -> Bit {
        let bits: Vec<Bit> = a.iter().zip(b).map(|(&x, &y)| self.same(x, y)).collect();
        self.all(&bits)
    }

    /// Whether `a < b`, unsigned.
    pub fn less(&mut self, a: &[Bit], b: &[Bit]) -> Bit {
        // Only the borrow is needed, not the difference.
        let mut at_least = Bit::TRUE;
        for (&x, &y) in a.iter().zip(b) {
            at_least = self.majority(x, !y, at_least);
        }
        !at_least
    }

    /// Whether `a < b`, in two's complement.
    pub fn less_signed(&mut self, a: &[Bit], b: &[Bit]) -> Bit {
        let (x, y) = (flip_sign(a), flip_sign(b));
        self.less(&x, &y)
    }

    /// Returns the product modulo two to the width.
    pub fn multiply(&mut self, a: &[Bit], b: &[Bit]) -> BitWord {
        let width = a.len();
        let constants = |w: &[Bit]| w.iter().filter(|b| **b == Bit::FALSE).count();
        // Rows of the factor whose bits are known to be zero cost nothing.
        let (a, b) = if constants(a) > constants(b) { (b, a) } else { (a, b) };
        let mut product = vec![Bit::FALSE; width];
        for (shift, &row) in b.iter().enumerate() {
            if row == Bit::FALSE {
                continue;
            }
            let addend: BitWord = a[..width - shift].iter().map(|&bit| self.and(bit, row)).collect();
            let (sum, _) = self.add(&product[shift..], &addend, Bit::FALSE);
            product.splice(shift.., sum);
        }
        product
    }

    /// Quotient and remainder, unsigned; by zero all ones and the dividend.
    pub fn divide(&mut self, a: &[Bit], b: &[Bit]) -> (BitWord, BitWord) {
        let width = a.len();
        let mut quotient = vec![Bit::FALSE; width];
        let mut remainder = vec![Bit::FALSE; width];
        for position in (0..width).rev() {
            // The partial remainder is below the divisor, so doubled it needs one bit more than the width.
            let top = remainder[width - 1];
            remainder.rotate_right(1);
            remainder[0] = a[position];
            let (difference, no_borrow) = self.subtract(&remainder, b);
            let fits = self.or(top, no_borrow);
            remainder = self.choose(fits, &difference, &remainder);
            quotient[position] = fits;
        }
        // With divisor zero every step fits and subtracts nothing, as the standard requires.
        (quotient, remainder)
    }

    /// Truncating signed division, by the standard's definition through [`Gates::divide`].
    pub fn divide_signed(&mut self, a: &[Bit], b: &[Bit]) -> BitWord {
        let (s, t) = (sign(a), sign(b));
        let (x, y) = (self.negate_if(s, a), self.negate_if(t, b));
        let (quotient, _) = self.divide(&x, &y);
        let negative = self.xor(s, t);
        self.negate_if(negative, &quotient)
    }

    /// Signed remainder with the sign of the dividend.
    pub fn remainder_signed(&mut self, a: &[Bit], b: &[Bit]) -> BitWord {
        let (s, t) = (sign(a), sign(b));
        let (x, y) = (self.negate_if(s, a), self.negate_if(t, b));
        let (_, remainder) = self.divide(&x, &y);
        self.negate_if(s, &remainder)
    }

    /// Signed remainder with the sign of the divisor.
    pub fn modulo_signed(&mut self, a: &[Bit], b: &[Bit]) -> BitWord {
        let (s, t) = (sign(a), sign(b));
        let (x, y) = (self.negate_if(s, a), self.negate_if(t, b));
        let (_, u) = self.divide(&x, &y);
        let signed = self.negate_if(s, &u);
        let (shifted, _) = self.add(&signed, b, Bit::FALSE);
        // Where the signs differ and the remainder is not zero, the divisor is added once.
        let differ = self.xor(s, t);
        let nonzero = self.any(&u);
        let add = self.and(differ, nonzero);
        self.choose(add, &shifted, &signed)
    }

    /// `a` shifted towards the most significant bit.
    pub fn shift_left(&mut self, a: &[Bit], amount: &[Bit]) -> BitWord {
        let mut reversed: BitWord = a.iter().rev().copied().collect();
        reversed = self.shift_right(&reversed, amount, Bit::FALSE);
        reversed.reverse();
        reversed
    }

    /// `a` shifted towards the least significant bit, `fill` shifted in: a barrel shifter of one stage per amount bit.
    pub fn shift_right(&mut self, a: &[Bit], amount: &[Bit], fill: Bit) -> BitWord {
        let width = a.len();
        let mut word = a.to_vec();
        let mut stages = 0;
        while stages < amount.len() && (1usize << stages) < width {
            let distance = 1usize << stages;
            let shifted: BitWord = (0..width).map(|n| word.get(n + distance).copied().unwrap_or(fill)).collect();
            word = self.choose(amount[stages], &shifted, &word);
            stages += 1;
        }
        // Every later bit of the amount alone shifts everything out.
        let out = self.any(&amount[stages..]);
        self.choose(out, &vec![fill; width], &word)
    }

    /// `a` rotated towards the most significant bit by a vector of its width.
    pub fn rotate_left_by(&mut self, a: &[Bit], amount: &[Bit]) -> BitWord {
        let width = a.len();
        if width == 1 {
            return a.to_vec();
        }
        let modulus = constant_word(width, |n| n < usize::BITS as usize && width >> n & 1 == 1);
        let (_, rest) = if width.is_power_of_two() {
            (BitWord::new(), amount[..width.trailing_zeros() as usize].to_vec())
        } else {
            self.divide(amount, &modulus)
        };
        let mut word = a.to_vec();
        for (stage, &bit) in rest.iter().enumerate().take_while(|(stage, _)| 1usize << stage < width) {
            let mut rotated = word.clone();
            rotated.rotate_right(1 << stage);
            word = self.choose(bit, &rotated, &word);
        }
        word
    }

    /// Returns the product of the words extended by `extend` of each to twice the width.
    fn wide_product(&mut self, a: &[Bit], b: &[Bit], extend: impl Fn(&[Bit]) -> Bit) -> BitWord {
        let widen = |w: &[Bit]| {
            let mut word = w.to_vec();
            word.resize(2 * w.len(), extend(w));
            word
        };
        self.multiply(&widen(a), &widen(b))
    }

    /// Whether the unsigned product does not fit the width.
    pub fn product_overflows(&mut self, a: &[Bit], b: &[Bit]) -> Bit {
        let product = self.wide_product(a, b, |_| Bit::FALSE);
        self.any(&product[a.len()..])
    }

    /// Whether the signed product is above the largest number of the width, and whether it is below the least.
    pub fn signed_product_overflows(&mut self, a: &[Bit], b: &[Bit]) -> (Bit, Bit) {
        let product = self.wide_product(a, b, sign);
        let (high, negative) = (&product[a.len() - 1..], sign(&product));
        let any_one = self.any(high);
        let all_ones = self.all(high);
        (self.and(!negative, any_one), self.and(negative, !all_ones))
    }

    /// Whether the signed sum of `a`, `b` and `carry` does not fit.
    pub fn signed_sum_overflows(&mut self, a: &[Bit], b: &[Bit], carry: Bit) -> Bit {
        let (sum, _) = self.add(a, b, carry);
        let alike = self.same(sign(a), sign(b));
        let turned = self.xor(sign(a), sign(&sum));
        self.and(alike, turned)
    }
}

/// Returns the most significant bit.
pub fn sign(a: &[Bit]) -> Bit {
    a.last().copied().unwrap_or(Bit::FALSE)
}

/// Returns the bitwise complement.
pub fn complement(a: &[Bit]) -> BitWord {
    a.iter().map(|&b| !b).collect()
}

/// Returns the word with its most significant bit flipped, which orders signed words like unsigned ones.
fn flip_sign(a: &[Bit]) -> BitWord {
    let mut word = a.to_vec();
    if let Some(last) = word.last_mut() {
        *last = !*last;
    }
    word
}

/// Returns the constant word whose bit `n` is `bit(n)`.
pub fn constant_word(width: usize, bit: impl Fn(usize) -> bool) -> BitWord {
    (0..width).map(|n| Bit::constant(bit(n))).collect()
}
