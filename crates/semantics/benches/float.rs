//! Time of single floating-point operations: Float64 on the fast and the exact path, Float128 on big integers.

use divan::{Bencher, black_box};
use semantics::float::{Float, FloatFormat, RoundingMode};

fn main() {
    divan::main();
}

fn double(value: f64) -> Float {
    Float::from_u64_bits(FloatFormat::FLOAT64, value.to_bits())
}

/// Numbers with full significands, so that nothing is exact and every bit takes part.
fn doubles() -> (Float, Float, Float) {
    (double(std::f64::consts::PI), double(-std::f64::consts::E * 1024.0), double(1.0 / 3.0))
}

/// RNE has the processor's help; RTP computes in software.
const MODES: [RoundingMode; 2] = [RoundingMode::Rne, RoundingMode::Rtp];

#[divan::bench(args = MODES)]
fn float64_add(bencher: Bencher, mode: RoundingMode) {
    let (x, y, _) = doubles();
    bencher.bench_local(|| black_box(&x).add(black_box(mode), black_box(&y)));
}

#[divan::bench(args = MODES)]
fn float64_mul(bencher: Bencher, mode: RoundingMode) {
    let (x, y, _) = doubles();
    bencher.bench_local(|| black_box(&x).mul(black_box(mode), black_box(&y)));
}

#[divan::bench(args = MODES)]
fn float64_div(bencher: Bencher, mode: RoundingMode) {
    let (x, y, _) = doubles();
    bencher.bench_local(|| black_box(&x).div(black_box(mode), black_box(&y)));
}

#[divan::bench(args = MODES)]
fn float64_sqrt(bencher: Bencher, mode: RoundingMode) {
    let (x, _, _) = doubles();
    bencher.bench_local(|| black_box(&x).sqrt(black_box(mode)));
}

#[divan::bench(args = MODES)]
fn float64_fma(bencher: Bencher, mode: RoundingMode) {
    let (x, y, z) = doubles();
    bencher.bench_local(|| black_box(&x).fma(black_box(mode), black_box(&y), black_box(&z)));
}

/// The farthest exponents there are: the quotient has more than two thousand bits.
#[divan::bench]
fn float64_rem_far(bencher: Bencher) {
    let (x, y) = (double(f64::MAX), double(5e-324 * 12345.0));
    bencher.bench_local(|| black_box(&x).rem(black_box(&y)));
}

#[divan::bench]
fn float64_lt(bencher: Bencher) {
    let (x, y, _) = doubles();
    bencher.bench_local(|| black_box(&x).lt(black_box(&y)));
}

fn quads() -> (Float, Float) {
    let (x, y, z) = doubles();
    let quad = |x: &Float| x.to_format(FloatFormat::FLOAT128, RoundingMode::Rne);
    let third = quad(&double(1.0)).div(RoundingMode::Rne, &quad(&double(3.0)));
    (quad(&x).mul(RoundingMode::Rne, &third), quad(&y).mul(RoundingMode::Rne, &quad(&z)))
}

#[divan::bench(args = MODES)]
fn float128_add(bencher: Bencher, mode: RoundingMode) {
    let (x, y) = quads();
    bencher.bench_local(|| black_box(&x).add(black_box(mode), black_box(&y)));
}

#[divan::bench(args = MODES)]
fn float128_mul(bencher: Bencher, mode: RoundingMode) {
    let (x, y) = quads();
    bencher.bench_local(|| black_box(&x).mul(black_box(mode), black_box(&y)));
}
