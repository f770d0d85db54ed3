//! Closed intervals of floats that contain the exact results: every end is rounded outward.

use dashu_int::IBig;
use dashu_ratio::RBig;
use semantics::algebraic::simplest_between;

/// The numbers from `low` to `high`; none if `low` is above `high`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct FloatInterval {
    /// The lower end, maybe minus infinity.
    pub low: f64,
    /// The upper end, maybe infinity.
    pub high: f64,
}

/// Returns the bounds of an exact result from its rounded value and the sign of what rounding lost.
fn bounds(rounded: f64, lost: f64) -> FloatInterval {
    FloatInterval {
        low: if lost < 0.0 { rounded.next_down() } else { rounded },
        high: if lost > 0.0 { rounded.next_up() } else { rounded },
    }
}

/// Returns the bounds of a result that may be too large for a float, or too small for its error to be one.
fn loose_bounds(rounded: f64) -> FloatInterval {
    FloatInterval { low: rounded.next_down(), high: rounded.next_up() }
}

/// The magnitude below which the error of a product or quotient may be lost, too.
const TINY: f64 = 1e-250;

fn sum(a: f64, b: f64) -> FloatInterval {
    let sum = a + b;
    if !(a.is_finite() && b.is_finite()) {
        return FloatInterval { low: sum, high: sum };
    }
    if !sum.is_finite() {
        return loose_bounds(sum);
    }
    // Knuth's exact error of a sum.
    let second = sum - a;
    bounds(sum, (a - (sum - second)) + (b - second))
}

fn product(a: f64, b: f64) -> FloatInterval {
    if a == 0.0 || b == 0.0 {
        return FloatInterval::ZERO;
    }
    let product = a * b;
    if !(a.is_finite() && b.is_finite()) {
        return FloatInterval { low: product, high: product };
    }
    if !product.is_finite() || product.abs() < TINY {
        return loose_bounds(product);
    }
    bounds(product, a.mul_add(b, -product))
}

/// Returns the quotient of two ends, the divisor not zero; nothing for infinity over infinity.
fn quotient(a: f64, b: f64) -> Option<FloatInterval> {
    let quotient = a / b;
    if quotient.is_nan() {
        return None;
    }
    if a == 0.0 || !(a.is_finite() && b.is_finite()) {
        return Some(FloatInterval { low: quotient, high: quotient });
    }
    if !quotient.is_finite() || quotient.abs() < TINY || a.abs() < TINY {
        return Some(loose_bounds(quotient));
    }
    Some(bounds(quotient, (-quotient).mul_add(b, a) * b.signum()))
}

impl FloatInterval {
    /// All numbers.
    pub const WHOLE: FloatInterval = FloatInterval { low: f64::NEG_INFINITY, high: f64::INFINITY };

    /// Zero alone.
    pub const ZERO: FloatInterval = FloatInterval { low: 0.0, high: 0.0 };

    /// Returns the smallest interval that contains all of these.
    fn hull(parts: impl Iterator<Item = FloatInterval>) -> FloatInterval {
        let none = FloatInterval { low: f64::INFINITY, high: f64::NEG_INFINITY };
        parts.fold(none, |all, one| FloatInterval { low: all.low.min(one.low), high: all.high.max(one.high) })
    }

    /// Returns an interval around a number.
    pub fn around(number: &IBig) -> FloatInterval {
        match i32::try_from(number) {
            Ok(small) => FloatInterval { low: f64::from(small), high: f64::from(small) },
            Err(_) => loose_bounds(number.to_f64().value()),
        }
    }

    /// Whether it contains no number.
    pub fn is_empty(&self) -> bool {
        self.low > self.high
    }

    /// Whether it contains zero.
    pub fn has_zero(&self) -> bool {
        self.low <= 0.0 && 0.0 <= self.high
    }

    /// Returns the distance of the ends.
    pub fn width(&self) -> f64 {
        self.high - self.low
    }

    /// Returns what both contain.
    pub fn meet(self, other: FloatInterval) -> FloatInterval {
        FloatInterval { low: self.low.max(other.low), high: self.high.min(other.high) }
    }

    /// Returns the sums.
    pub fn plus(self, other: FloatInterval) -> FloatInterval {
        FloatInterval { low: sum(self.low, other.low).low, high: sum(self.high, other.high).high }
    }

    /// Returns the negated numbers.
    pub fn negated(self) -> FloatInterval {
        FloatInterval { low: -self.high, high: -self.low }
    }

    /// Returns the products.
    pub fn times(self, other: FloatInterval) -> FloatInterval {
        let ends = [(self.low, other.low), (self.low, other.high), (self.high, other.low), (self.high, other.high)];
        FloatInterval::hull(ends.into_iter().map(|(a, b)| product(a, b)))
    }

    /// Returns the quotients by numbers other than zero, in one interval.
    pub fn over(self, divisor: FloatInterval) -> FloatInterval {
        if divisor.high <= 0.0 {
            return self.negated().over_positive(divisor.negated());
        }
        if divisor.low >= 0.0 { self.over_positive(divisor) } else { FloatInterval::WHOLE }
    }

    /// Returns the quotients by the positive numbers of an interval without negative ones.
    fn over_positive(self, divisor: FloatInterval) -> FloatInterval {
        if divisor.low > 0.0 {
            let ends = [
                (self.low, divisor.low),
                (self.low, divisor.high),
                (self.high, divisor.low),
                (self.high, divisor.high),
            ];
            return FloatInterval::hull(ends.into_iter().filter_map(|(a, b)| quotient(a, b)));
        }
        // Small divisors make large quotients.
        let least = |end: f64| if divisor.high > 0.0 { quotient(end, divisor.high) } else { None };
        FloatInterval {
            low: if self.low >= 0.0 { least(self.low).map_or(0.0, |q| q.low) } else { f64::NEG_INFINITY },
            high: if self.high <= 0.0 { least(self.high).map_or(0.0, |q| q.high) } else { f64::INFINITY },
        }
    }

    /// Returns the powers.
    pub fn power(self, exponent: u32) -> FloatInterval {
        let magnitude = if exponent % 2 == 1 {
            self
        } else {
            let least = if self.has_zero() { 0.0 } else { self.low.abs().min(self.high.abs()) };
            FloatInterval { low: least, high: self.low.abs().max(self.high.abs()) }
        };
        // The ends separately: a power grows with its base, or with its magnitude.
        let end = |end: f64| {
            let (mut base, mut left) = (FloatInterval { low: end, high: end }, exponent);
            let mut power = FloatInterval { low: 1.0, high: 1.0 };
            while left > 0 {
                if left % 2 == 1 {
                    power = power.times(base);
                }
                (base, left) = (base.times(base), left / 2);
            }
            power
        };
        FloatInterval { low: end(magnitude.low).low, high: end(magnitude.high).high }
    }

    /// Returns those numbers of an interval whose powers lie in this one, and perhaps more.
    pub fn root(self, exponent: u32, base: FloatInterval) -> FloatInterval {
        if exponent % 2 == 1 {
            let low = if self.low < 0.0 {
                -magnitude_above(-self.low, exponent)
            } else {
                magnitude_below(self.low, exponent)
            };
            let high = if self.high < 0.0 {
                -magnitude_below(-self.high, exponent)
            } else {
                magnitude_above(self.high, exponent)
            };
            return base.meet(FloatInterval { low, high });
        }
        if self.high < 0.0 {
            return FloatInterval { low: 1.0, high: -1.0 };
        }
        let (inner, outer) = (magnitude_below(self.low.max(0.0), exponent), magnitude_above(self.high, exponent));
        let positive = base.meet(FloatInterval { low: inner, high: outer });
        let negative = base.meet(FloatInterval { low: -outer, high: -inner });
        match (negative.is_empty(), positive.is_empty()) {
            (true, _) => positive,
            (_, true) => negative,
            _ => FloatInterval { low: negative.low, high: positive.high },
        }
    }

    /// Returns the simplest number strictly inside, else an end.
    pub fn sample(&self) -> RBig {
        let exact =
            |end: f64, infinite: f64| RBig::try_from(if end.is_finite() { end } else { infinite }).unwrap_or_default();
        if self.has_zero() {
            return RBig::ZERO;
        }
        let low = exact(self.low, self.high - 2.0 - self.high.abs());
        let high = exact(self.high, self.low + 2.0 + self.low.abs());
        if low < high { simplest_between(&low, &high) } else { low }
    }

    /// Returns a number that cuts it in two: the middle, or further out for a half line.
    pub fn middle(&self) -> f64 {
        match (self.low.is_finite(), self.high.is_finite()) {
            (true, true) => self.low.midpoint(self.high),
            (true, false) => (self.low.max(0.0) + 1.0) * 4.0,
            (false, true) => (self.high.min(0.0) - 1.0) * 4.0,
            (false, false) => 0.0,
        }
    }
}

/// Returns a number of which the power is at least this.
fn magnitude_above(power: f64, exponent: u32) -> f64 {
    let mut root = power.powf(f64::from(exponent).recip());
    let reaches = |root: f64| FloatInterval { low: root, high: root }.power(exponent).low >= power;
    for _ in 0..4 {
        if reaches(root) {
            return root;
        }
        root = (root * (1.0 + 4.0 * f64::EPSILON)).next_up();
    }
    f64::INFINITY
}

/// Returns a number of which the power is at most this.
fn magnitude_below(power: f64, exponent: u32) -> f64 {
    let mut root = power.powf(f64::from(exponent).recip()).min(f64::MAX);
    let stays = |root: f64| FloatInterval { low: root, high: root }.power(exponent).high <= power;
    for _ in 0..4 {
        if stays(root) {
            return root;
        }
        root = (root * (1.0 - 4.0 * f64::EPSILON)).next_down();
    }
    0.0
}
