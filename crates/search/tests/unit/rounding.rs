//! Unit tests of `src/rounding.rs`.

use super::*;
use crate::rng::Random;

#[test]
fn the_processor_agrees_with_the_exact_operations() {
    let mut random = Random::from_seed(1);
    let operations = [Operation::Add, Operation::Sub, Operation::Mul, Operation::Div, Operation::Sqrt];
    for format in [FloatFormat::FLOAT32, FloatFormat::FLOAT64] {
        for case in 0..20_000u64 {
            let x = random.bits();
            let y = if case % 2 == 0 { random.bits() } else { x ^ (random.bits() >> (11 + case % 53)) };
            let (x, y) = (Float::from_u64_bits(format, x), Float::from_u64_bits(format, y));
            let (a, b) = (x.narrow_bits().unwrap(), y.narrow_bits().unwrap());
            for (position, mode) in RoundingMode::ALL.into_iter().enumerate() {
                for operation in operations {
                    let expect = match operation {
                        Operation::Add => x.add(mode, &y),
                        Operation::Sub => x.sub(mode, &y),
                        Operation::Mul => x.mul(mode, &y),
                        Operation::Div => x.div(mode, &y),
                        Operation::Sqrt => x.sqrt(mode),
                    };
                    let got = apply(operation, Ty::Float(format), position as u64, a, b);
                    assert_eq!(Some(got), expect.narrow_bits(), "{operation:?} {mode:?} {x} {y}");
                }
            }
        }
    }
}
