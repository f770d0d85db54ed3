//! Single and Double against the processor, which rounds to nearest even.

use dashu_int::UBig;
use semantics::float::{Float, FloatFormat, RoundingMode};

use crate::float_operands::{Operands, cases};

fn ours(format: FloatFormat, bits: u128) -> Float {
    Float::from_bits(format, &UBig::from(bits))
}

macro_rules! check_against_processor {
    ($test:ident, $format:ident, $native:ty, $bits:ty, $other_format:ident, $other:ty) => {
        #[test]
        fn $test() {
            let format = FloatFormat::$format;
            let mut operands = Operands::new(format);
            for _ in 0..cases() {
                let a = operands.operand();
                let b = operands.partner(a);
                let c = operands.partner(b);
                let (x, y, z) = (ours(format, a), ours(format, b), ours(format, c));
                let native = |bits: u128| <$native>::from_bits(bits as $bits);
                let (nx, ny, nz) = (native(a), native(b), native(c));
                let check = |what: &str, result: Float, native: $native| {
                    let native = ours(format, u128::from(native.to_bits()));
                    assert_eq!(result, native, "{what} of {x}, {y}, {z}");
                };
                let mode = RoundingMode::Rne;
                check("add", x.add(mode, &y), nx + ny);
                check("sub", x.sub(mode, &y), nx - ny);
                check("mul", x.mul(mode, &y), nx * ny);
                check("div", x.div(mode, &y), nx / ny);
                check("fma", x.fma(mode, &y, &z), nx.mul_add(ny, nz));
                check("sqrt", x.sqrt(mode), nx.sqrt());
                check("round half even", x.round_to_integral(mode), nx.round_ties_even());
                check("round half away", x.round_to_integral(RoundingMode::Rna), nx.round());
                check("ceil", x.round_to_integral(RoundingMode::Rtp), nx.ceil());
                check("floor", x.round_to_integral(RoundingMode::Rtn), nx.floor());
                check("trunc", x.round_to_integral(RoundingMode::Rtz), nx.trunc());
                assert_eq!(x.compare(&y), nx.partial_cmp(&ny), "compare {x} {y}");
                let other = ours(FloatFormat::$other_format, u128::from((nx as $other).to_bits()));
                assert_eq!(x.to_format(FloatFormat::$other_format, mode), other, "convert {x}");
            }
        }
    };
}

check_against_processor!(single, FLOAT32, f32, u32, FLOAT64, f64);
check_against_processor!(double, FLOAT64, f64, u64, FLOAT32, f32);
