//! Every operation on small formats, exhaustively, against a definitional oracle.
//!
//! The oracle knows nothing of the implementation: it lists all numbers of the format as fractions, computes exactly in
//! fractions of `i128`, and rounds by searching the list for the number the definition names. What concerns infinities,
//! NaN and signs of zeros it takes from `f64`, which contains every small format.

use std::cmp::Ordering;

use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;
use semantics::float::{Float, FloatFormat, RoundingMode, UnknownFloat, Unspecified};

/// A fraction with positive denominator, not reduced.
#[derive(Clone, Copy, Debug)]
struct Fraction {
    num: i128,
    den: i128,
}

impl Fraction {
    fn new(num: i128, den: i128) -> Fraction {
        if den < 0 { Fraction { num: -num, den: -den } } else { Fraction { num, den } }
    }

    fn compare(self, other: Fraction) -> Ordering {
        (self.num * other.den).cmp(&(other.num * self.den))
    }

    fn plus(self, other: Fraction) -> Fraction {
        Fraction::new(self.num * other.den + other.num * self.den, self.den * other.den)
    }

    fn times(self, other: Fraction) -> Fraction {
        Fraction::new(self.num * other.num, self.den * other.den)
    }

    fn over(self, other: Fraction) -> Fraction {
        Fraction::new(self.num * other.den, self.den * other.num)
    }

    fn negated(self) -> Fraction {
        Fraction::new(-self.num, self.den)
    }

    fn to_rbig(self) -> RBig {
        RBig::from_parts(IBig::from(self.num), UBig::try_from(self.den).unwrap())
    }
}

/// A small format with its non-negative finite numbers in ascending order; index is encoding.
struct Table {
    format: FloatFormat,
    magnitudes: Vec<Fraction>,
    /// Two to the exponent after the largest: the number whose place infinity takes when rounding.
    infinity: Fraction,
}

impl Table {
    fn new(eb: u32, sb: u32) -> Table {
        let format = FloatFormat::new(eb, sb).unwrap();
        let bias = (1i32 << (eb - 1)) - 1;
        let scale = |exponent: i32| {
            if exponent >= 0 { Fraction::new(1 << exponent, 1) } else { Fraction::new(1, 1 << -exponent) }
        };
        let mut magnitudes = Vec::new();
        for field in 0..(1i32 << eb) - 1 {
            for trailing in 0..1i128 << (sb - 1) {
                // IEEE 754-2008, 3.4: the hidden bit is one unless the exponent field is zero.
                let one = 1i128 << (sb - 1);
                let significand = Fraction::new(if field == 0 { trailing } else { one + trailing }, one);
                magnitudes.push(significand.times(scale(field.max(1) - bias)));
            }
        }
        Table { format, magnitudes, infinity: scale(bias + 1) }
    }

    fn patterns(&self) -> impl Iterator<Item = u64> + use<> {
        0..1u64 << self.format.width()
    }

    fn sign_bit(&self) -> u64 {
        1 << (self.format.width() - 1)
    }

    fn infinity_code(&self) -> u64 {
        self.magnitudes.len() as u64
    }

    fn float(&self, code: u64) -> Float {
        Float::from_u64_bits(self.format, code)
    }

    /// The exact value of a finite encoding.
    fn value(&self, code: u64) -> Option<Fraction> {
        let magnitude = *self.magnitudes.get((code & !self.sign_bit()) as usize)?;
        Some(if code & self.sign_bit() != 0 { magnitude.negated() } else { magnitude })
    }

    /// The same number, infinity or NaN as an `f64`.
    fn double(&self, code: u64) -> f64 {
        let negative = code & self.sign_bit() != 0;
        let magnitude = code & !self.sign_bit();
        let double = match self.magnitudes.get(magnitude as usize) {
            Some(fraction) => fraction.num as f64 / fraction.den as f64,
            None if magnitude == self.infinity_code() => f64::INFINITY,
            None => f64::NAN,
        };
        if negative { -double } else { double }
    }

    fn of_class(&self, double: f64) -> Float {
        let code = if double.is_nan() {
            self.infinity_code() + 1
        } else if double.is_infinite() {
            self.infinity_code()
        } else {
            assert_eq!(double, 0.0);
            0
        };
        self.float(code | if double.is_sign_negative() { self.sign_bit() } else { 0 })
    }

    /// Rounds a magnitude given by how it compares with any fraction, so that square roots can be rounded as well.
    fn round_by(&self, negative: bool, mode: RoundingMode, compare: impl Fn(Fraction) -> Ordering) -> Float {
        let below = self.magnitudes.partition_point(|m| compare(*m) != Ordering::Less) - 1;
        let above = if compare(self.magnitudes[below]) == Ordering::Equal { below } else { below + 1 };
        let above_value = self.magnitudes.get(above).copied().unwrap_or(self.infinity);
        let middle = self.magnitudes[below].plus(above_value).times(Fraction::new(1, 2));
        let nearest = |tie: usize| match compare(middle) {
            Ordering::Less => below,
            Ordering::Greater => above,
            Ordering::Equal => tie,
        };
        let code = match mode {
            RoundingMode::Rne => nearest(if below % 2 == 0 { below } else { above }),
            RoundingMode::Rna => nearest(above),
            RoundingMode::Rtp => {
                if negative {
                    below
                } else {
                    above
                }
            }
            RoundingMode::Rtn => {
                if negative {
                    above
                } else {
                    below
                }
            }
            RoundingMode::Rtz => below,
        };
        self.float(code as u64 | if negative { self.sign_bit() } else { 0 })
    }

    /// Rounds an exact result; `zero` is the result when that is zero.
    fn round(&self, exact: Fraction, mode: RoundingMode, zero: f64) -> Float {
        if exact.num == 0 {
            return self.of_class(zero);
        }
        let magnitude = Fraction::new(exact.num.abs(), exact.den);
        self.round_by(exact.num < 0, mode, |m| magnitude.compare(m))
    }
}

/// The sign of a zero sum: that of `f64` (nearest even), but minus when different signs meet toward negative.
fn zero_sum(mode: RoundingMode, x: f64, y: f64) -> f64 {
    let both_negative = x.is_sign_negative() && y.is_sign_negative();
    let both_positive = x.is_sign_positive() && y.is_sign_positive();
    match (both_negative, both_positive, mode) {
        (true, _, _) => -0.0,
        (_, true, _) => 0.0,
        (_, _, RoundingMode::Rtn) => -0.0,
        _ => 0.0,
    }
}

fn round_to_integer(x: Fraction, mode: RoundingMode) -> i128 {
    let floor = x.num.div_euclid(x.den);
    let twice_rest = 2 * x.num.rem_euclid(x.den);
    if twice_rest == 0 {
        return floor;
    }
    let nearest = |tie: i128| match twice_rest.cmp(&x.den) {
        Ordering::Less => floor,
        Ordering::Greater => floor + 1,
        Ordering::Equal => tie,
    };
    match mode {
        RoundingMode::Rne => nearest(if floor % 2 == 0 { floor } else { floor + 1 }),
        RoundingMode::Rna => nearest(if x.num < 0 { floor } else { floor + 1 }),
        RoundingMode::Rtp => floor + 1,
        RoundingMode::Rtn => floor,
        RoundingMode::Rtz => {
            if x.num < 0 {
                floor + 1
            } else {
                floor
            }
        }
    }
}

const FORMATS: [(u32, u32); 7] = [(2, 2), (2, 3), (2, 5), (3, 2), (3, 3), (3, 4), (4, 3)];

fn for_each_table(check: impl Fn(&Table)) {
    for (eb, sb) in FORMATS {
        check(&Table::new(eb, sb));
    }
}

#[test]
fn binary_operations() {
    for_each_table(|table| {
        for mode in RoundingMode::ALL {
            for a in table.patterns() {
                for b in table.patterns() {
                    check_binary(table, mode, a, b);
                }
            }
        }
    });
}

fn check_binary(table: &Table, mode: RoundingMode, a: u64, b: u64) {
    let (x, y) = (table.float(a), table.float(b));
    let (dx, dy) = (table.double(a), table.double(b));
    let expect = |special: f64, exact: Option<Fraction>, zero: f64| match exact {
        Some(exact) => table.round(exact, mode, zero),
        None => table.of_class(special),
    };
    let (vx, vy) = (table.value(a), table.value(b));
    let both = vx.zip(vy);
    // With an infinite operand the f64 result has the class; a finite one never reaches `of_class`.
    assert_eq!(
        x.add(mode, &y),
        expect(dx + dy, both.map(|(x, y)| x.plus(y)), zero_sum(mode, dx, dy)),
        "{x} + {y} {mode}"
    );
    assert_eq!(
        x.sub(mode, &y),
        expect(dx - dy, both.map(|(x, y)| x.plus(y.negated())), zero_sum(mode, dx, -dy)),
        "{x} - {y} {mode}"
    );
    assert_eq!(x.mul(mode, &y), expect(dx * dy, both.map(|(x, y)| x.times(y)), dx * dy), "{x} * {y} {mode}");
    let ratio = both.filter(|(_, y)| y.num != 0).map(|(x, y)| x.over(y));
    assert_eq!(x.div(mode, &y), expect(dx / dy, ratio, dx / dy), "{x} / {y} {mode}");
}

#[test]
fn fused_multiply_add() {
    for (eb, sb) in [(2, 2), (2, 3), (3, 3)] {
        let table = Table::new(eb, sb);
        let (values, doubles): (Vec<_>, Vec<_>) =
            table.patterns().map(|code| (table.value(code), table.double(code))).unzip();
        let floats: Vec<Float> = table.patterns().map(|code| table.float(code)).collect();
        for mode in RoundingMode::ALL {
            for a in 0..floats.len() {
                for b in 0..floats.len() {
                    for c in 0..floats.len() {
                        let exact = match (values[a], values[b], values[c]) {
                            (Some(x), Some(y), Some(z)) => Some(x.times(y).plus(z)),
                            _ => None,
                        };
                        let expect = match exact {
                            Some(exact) => {
                                table.round(exact, mode, zero_sum(mode, doubles[a] * doubles[b], doubles[c]))
                            }
                            None => table.of_class(match doubles[a].mul_add(doubles[b], doubles[c]) {
                                special if special.is_finite() => {
                                    unreachable!("an operand is not finite")
                                }
                                special => special,
                            }),
                        };
                        let result = floats[a].fma(mode, &floats[b], &floats[c]);
                        assert_eq!(result, expect, "{mode} {} * {} + {}", floats[a], floats[b], floats[c]);
                    }
                }
            }
        }
    }
}

#[test]
fn remainder() {
    for_each_table(|table| {
        for a in table.patterns() {
            for b in table.patterns() {
                let (x, y) = (table.float(a), table.float(b));
                let (dx, dy) = (table.double(a), table.double(b));
                let expect = if dx.is_nan() || dy.is_nan() || dx.is_infinite() || dy == 0.0 {
                    Float::nan(table.format)
                } else if dy.is_infinite() {
                    x.clone()
                } else {
                    let (vx, vy) = (table.value(a).unwrap(), table.value(b).unwrap());
                    let n = round_to_integer(vx.over(vy), RoundingMode::Rne);
                    let exact = vx.plus(vy.times(Fraction::new(-n, 1)));
                    let results = RoundingMode::ALL.map(|mode| table.round(exact, mode, 0f64.copysign(dx)));
                    assert!(results.iter().all(|r| *r == results[0]), "the remainder is exact");
                    results[0].clone()
                };
                assert_eq!(x.rem(&y), expect, "{x} rem {y}");
            }
        }
    });
}

#[test]
fn square_root_and_integral() {
    for_each_table(|table| {
        for mode in RoundingMode::ALL {
            for a in table.patterns() {
                let (x, dx) = (table.float(a), table.double(a));
                let (root, integral) = match table.value(a) {
                    None => (table.of_class(dx.sqrt()), table.of_class(dx)),
                    Some(value) => {
                        let root = if value.num <= 0 {
                            table.of_class(dx.sqrt())
                        } else {
                            table.round_by(false, mode, |m| value.compare(m.times(m)))
                        };
                        let integer = round_to_integer(value, mode);
                        (root, table.round(Fraction::new(integer, 1), mode, 0f64.copysign(dx)))
                    }
                };
                assert_eq!(x.sqrt(mode), root, "sqrt {x} {mode}");
                assert_eq!(x.round_to_integral(mode), integral, "roundToIntegral {x} {mode}");
            }
        }
    });
}

#[test]
fn order_and_classes() {
    for_each_table(|table| {
        for a in table.patterns() {
            let (x, dx) = (table.float(a), table.double(a));
            let magnitude = a & !table.sign_bit();
            let least_normal = 1 << (table.format.sb() - 1);
            assert_eq!(x.is_nan(), dx.is_nan());
            assert_eq!(x.is_infinite(), dx.is_infinite());
            assert_eq!(x.is_zero(), dx == 0.0);
            assert_eq!(x.is_subnormal(), (1..least_normal).contains(&magnitude));
            assert_eq!(x.is_normal(), (least_normal..table.infinity_code()).contains(&magnitude));
            assert_eq!(x.is_negative(), !dx.is_nan() && dx.is_sign_negative());
            assert_eq!(x.is_positive(), !dx.is_nan() && dx.is_sign_positive());
            if !dx.is_nan() {
                assert_eq!(x.neg(), table.float(a ^ table.sign_bit()));
                assert_eq!(x.abs(), table.float(magnitude));
                assert_eq!(x.to_ieee_bits(), Ok(UBig::from(a)));
            } else {
                assert_eq!((x.neg(), x.abs()), (x.clone(), x.clone()));
                assert_eq!(x.to_ieee_bits(), Err(Unspecified::EncodingOfNan.into()));
            }
            for b in table.patterns() {
                let (y, dy) = (table.float(b), table.double(b));
                assert_eq!(
                    (x.leq(&y), x.lt(&y), x.geq(&y), x.gt(&y), x.ieee_eq(&y)),
                    (dx <= dy, dx < dy, dx >= dy, dx > dy, dx == dy),
                    "{x} against {y}"
                );
                assert_eq!(x == y, a == b || (dx.is_nan() && dy.is_nan()));
                let (least, greatest) = if dx.is_nan() {
                    (Ok(y.clone()), Ok(y.clone()))
                } else if dy.is_nan() {
                    (Ok(x.clone()), Ok(x.clone()))
                } else if dx == 0.0 && dy == 0.0 && a != b {
                    let either: Result<Float, UnknownFloat> = Err(Unspecified::ExtremumOfZeros.into());
                    (either.clone(), either)
                } else if dx < dy {
                    (Ok(x.clone()), Ok(y.clone()))
                } else {
                    (Ok(y.clone()), Ok(x.clone()))
                };
                assert_eq!((x.min(&y), x.max(&y)), (least, greatest), "extrema of {x} and {y}");
            }
        }
    });
}

#[test]
fn conversions_to_other_sorts() {
    for_each_table(|table| {
        for a in table.patterns() {
            let x = table.float(a);
            let Some(value) = table.value(a) else {
                assert_eq!(x.to_real(), Err(Unspecified::NotFinite.into()));
                assert_eq!(x.to_signed(RoundingMode::Rne, 8), Err(Unspecified::NotFinite.into()));
                assert_eq!(x.to_unsigned(RoundingMode::Rne, 8), Err(Unspecified::NotFinite.into()));
                continue;
            };
            assert_eq!(x.to_real(), Ok(value.to_rbig()));
            for mode in RoundingMode::ALL {
                let n = round_to_integer(value, mode);
                for width in 1..12 {
                    let signed = if (-(1 << (width - 1))..1 << (width - 1)).contains(&n) {
                        Ok(IBig::from(n))
                    } else {
                        Err(Unspecified::OutOfRange.into())
                    };
                    assert_eq!(x.to_signed(mode, width), signed, "to_sbv {width} {mode} {x}");
                    // What counts is the rounded integer: a negative number that rounds to zero is zero.
                    let unsigned = if (0..1 << width).contains(&n) {
                        Ok(UBig::try_from(n).unwrap())
                    } else {
                        Err(Unspecified::OutOfRange.into())
                    };
                    assert_eq!(x.to_unsigned(mode, width), unsigned, "to_ubv {width} {mode} {x}");
                }
            }
        }
    });
}

#[test]
fn conversions_from_other_sorts() {
    for_each_table(|table| {
        for mode in RoundingMode::ALL {
            for n in -300i128..=300 {
                let expect = table.round(Fraction::new(n, 1), mode, 0.0);
                assert_eq!(Float::from_signed(table.format, mode, &IBig::from(n)), expect, "{mode} {n}");
                if let Ok(n) = UBig::try_from(n) {
                    assert_eq!(Float::from_unsigned(table.format, mode, &n), expect, "{mode} {n}");
                }
                // Denominators that are no powers of two, and ones around the quanta of these formats.
                for den in [3, 7, 16, 64, 96, 1000, 4096, 1 << 14] {
                    let fraction = Fraction::new(n, den);
                    let expect = table.round(fraction, mode, 0.0);
                    assert_eq!(Float::from_real(table.format, mode, &fraction.to_rbig()), expect, "{mode} {n}/{den}");
                }
            }
        }
    });
}

#[test]
fn conversions_between_formats() {
    for (from_eb, from_sb) in FORMATS.into_iter().chain([(5, 8), (4, 6)]) {
        let from = Table::new(from_eb, from_sb);
        for_each_table(|to| {
            for mode in RoundingMode::ALL {
                for code in from.patterns() {
                    let expect = match from.value(code) {
                        Some(value) => to.round(value, mode, from.double(code)),
                        None => to.of_class(from.double(code)),
                    };
                    assert_eq!(from.float(code).to_format(to.format, mode), expect, "{mode} {}", from.float(code));
                }
            }
        });
    }
}
