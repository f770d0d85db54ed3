//! Operands for the tests of floats: random encodings with a bias to where mistakes live.

use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use semantics::float::FloatFormat;

/// Operand triples to try a format: `SQUALL_FLOAT_CASES`, or 30,000. The full run is 10,000,000 in a release build.
pub fn cases() -> u64 {
    testing::amount("SQUALL_FLOAT_CASES", 30_000)
}

/// Encodings where mistakes live: specials, ends of the binades, few bits set, neighbours of another operand.
pub struct Operands {
    random: Xoshiro256PlusPlus,
    format: FloatFormat,
}

impl Operands {
    /// The same operands every time for one format.
    pub fn new(format: FloatFormat) -> Operands {
        Operands { random: Xoshiro256PlusPlus::seed_from_u64(u64::from(format.width())), format }
    }

    /// Uniform bits.
    pub fn bits(&mut self) -> u128 {
        u128::from(self.random.next_u64()) << 64 | u128::from(self.random.next_u64())
    }

    /// A number below `bound`, near enough to uniform.
    pub fn below(&mut self, bound: u64) -> u64 {
        self.random.next_u64() % bound
    }

    fn significand(&mut self) -> u128 {
        let trailing = self.format.sb() - 1;
        let all = (1u128 << trailing) - 1;
        let position = self.below(u64::from(trailing) + 1) as u32;
        match self.below(6) {
            0 => 0,
            1 => all,
            2 => (1 << position) & all,
            3 => ((1 << position) - 1) & all,
            4 => all ^ ((1 << position) - 1) & all,
            _ => self.bits() & all,
        }
    }

    /// An encoding of the format.
    pub fn operand(&mut self) -> u128 {
        let (eb, trailing) = (self.format.eb(), self.format.sb() - 1);
        let top = (1u64 << eb) - 1;
        let bias = top >> 1;
        let near = 2 * u64::from(trailing) + 8;
        let field = match self.below(8) {
            0 => 0,
            1 => top,
            2 => top - 1 - self.below(3).min(top - 1),
            3 => 1 + self.below(3),
            4 | 5 => (bias + self.below(near)).saturating_sub(near / 2).min(top),
            _ => self.random.next_u64() & top,
        };
        let sign = u128::from(self.below(2)) << (eb + trailing);
        sign | u128::from(field) << trailing | self.significand()
    }

    /// Exponents near each other make cancellation and alignment interesting, so half of the partners are neighbours.
    pub fn partner(&mut self, of: u128) -> u128 {
        let trailing = self.format.sb() - 1;
        match self.below(8) {
            0 => of,
            1 => of ^ 1 << (self.format.width() - 1),
            2 => of ^ 1,
            3 => {
                let span = u64::from(self.format.sb()) + 3;
                let shift = u128::from(self.below(span)) << trailing;
                let width_mask = u128::MAX >> (128 - self.format.width());
                (of & (width_mask ^ ((1 << trailing) - 1))).wrapping_sub(shift) & width_mask | self.significand()
            }
            _ => self.operand(),
        }
    }
}
