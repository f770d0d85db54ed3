//! Intervals of floats.

use dashu_ratio::RBig;
use rand::{RngExt as _, SeedableRng as _};
use rand_xoshiro::Xoshiro256PlusPlus as Rng;
use strategy::engines::nonlinear::interval::FloatInterval;

fn contains(interval: FloatInterval, number: &RBig) -> bool {
    let above = |end: f64| RBig::try_from(end).map_or(end > 0.0, |end| *number <= end);
    let below = |end: f64| RBig::try_from(end).map_or(end < 0.0, |end| end <= *number);
    below(interval.low) && above(interval.high)
}

/// Exact results of numbers lie in the results of their intervals, near zero, near the largest float and between.
#[test]
fn exact_results_lie_inside() {
    let mut rng = Rng::seed_from_u64(52);
    let mut end = || {
        let number = f64::from(rng.random_range(-9..=9i32)) / f64::from(rng.random_range(1..=3u32));
        number * [1.0, 1.0, 1e-160, 5e-324, 1e160, 1e307][rng.random_range(0..6usize)]
    };
    let mut checked = 0;
    for _ in 0..3_000 {
        let mut interval = || {
            let (a, b) = (end(), end());
            FloatInterval { low: a.min(b), high: a.max(b) }
        };
        let (x, y) = (interval(), interval());
        for a in [x.low, x.high, x.middle()] {
            for b in [y.low, y.high, y.middle()] {
                let (Ok(p), Ok(q)) = (RBig::try_from(a), RBig::try_from(b)) else { continue };
                assert!(contains(x.plus(y), &(&p + &q)), "{x:?} + {y:?}");
                assert!(contains(x.times(y), &(&p * &q)), "{x:?} * {y:?}");
                if q != RBig::ZERO {
                    assert!(contains(x.over(y), &(&p / &q)), "{x:?} / {y:?}");
                }
                for exponent in 1..=4 {
                    let power = p.pow(exponent as isize);
                    assert!(contains(x.power(exponent), &power), "{x:?} to the {exponent}");
                    assert!(contains(x.power(exponent).root(exponent, x), &p), "root {exponent} of {x:?}");
                }
                checked += 1;
            }
        }
    }
    assert!(checked > 10_000, "{checked}");
}
