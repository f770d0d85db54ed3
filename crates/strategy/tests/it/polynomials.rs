//! Polynomials in several variables.

use dashu_int::IBig;
use strategy::budget::Budget;
use strategy::engines::nonlinear::limits::PolynomialWork;
use strategy::engines::nonlinear::polynomial::{MultiPolynomial, basis};

/// The polynomial with these terms in x and y: exponents and coefficients.
fn poly(terms: &[(u32, u32, i64)]) -> MultiPolynomial {
    let mut sum = MultiPolynomial::constant(2, IBig::ZERO);
    for (x, y, c) in terms {
        sum.add_term([*x, *y].into(), IBig::from(*c));
    }
    sum
}

#[test]
fn resultants_and_discriminants() {
    let mut work = PolynomialWork::new(&Budget::default());
    // The discriminant of x² + y² - 1 by y is that of the circle.
    let circle = poly(&[(2, 0, 1), (0, 2, 1), (0, 0, -1)]);
    assert_eq!(circle.discriminant(1, &mut work).expect("small").primitive(), poly(&[(2, 0, 1), (0, 0, -1)]));
    let line = poly(&[(1, 0, 1), (0, 1, -1)]);
    assert_eq!(circle.resultant(&line, 1, &mut work).expect("small"), poly(&[(2, 0, 2), (0, 0, -1)]));
    let twice = circle.times(&line, &mut work).expect("small").times(&line, &mut work).expect("small");
    assert_eq!(basis(vec![twice, circle.clone()], &mut work).expect("small").len(), 2);
}
