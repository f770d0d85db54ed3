//! Polynomials against FLINT, where `SQUALL_FLINT` names a folder with its Python package (`pip install --target FOLDER python-flint`).

use dashu_int::IBig;
use dashu_ratio::RBig;
use semantics::algebraic::{AlgebraicLimits, AlgebraicNumber, IntPolynomial};
use std::io::Write;
use std::process::{Command, Stdio};
use strategy::budget::Budget;
use strategy::engines::nonlinear::limits::PolynomialWork;
use strategy::engines::nonlinear::polynomial::{MultiPolynomial, basis};

const NAMES: [&str; 3] = ["x", "y", "z"];

/// Random polynomials in three variables.
struct Polynomials(u64);

impl Polynomials {
    fn below(&mut self, n: u64) -> u64 {
        // Steele, Lea and Flood, "Fast splittable pseudorandom number generators" (2014).
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % n
    }

    fn coefficient(&mut self) -> IBig {
        IBig::from(self.below(19) as i64 - 9)
    }

    fn polynomial(&mut self, degree: u64) -> MultiPolynomial {
        let mut sum = MultiPolynomial::constant(3, IBig::ZERO);
        for _ in 0..1 + self.below(4) {
            let exponents = [0; 3].map(|_| self.below(degree + 1) as u32);
            sum.add_term(exponents.into(), self.coefficient());
        }
        sum
    }
}

fn shown(polynomial: &MultiPolynomial) -> String {
    let terms: Vec<String> = polynomial.terms().map(|(e, c)| format!("({},{},{}):{c}", e[0], e[1], e[2])).collect();
    format!("{{{}}}", terms.join(","))
}

#[test]
fn polynomials_are_those_of_flint() {
    let folder = std::env::var_os("SQUALL_FLINT");
    let Some(folder) = testing::require("python-flint", folder) else { return };
    let (mut random, mut work) =
        (Polynomials(testing::amount("SQUALL_SEED", 5)), PolynomialWork::new(&Budget::default()));
    let (mut lines, mut zero) = (Vec::new(), 0);
    for _ in 0..testing::amount("SQUALL_POLYNOMIALS", 60) {
        let common = random.polynomial(1);
        let [mut a, mut b] = [random.polynomial(2), random.polynomial(2)];
        if random.below(2) == 0 {
            [a, b] = [&a, &b].map(|p| p.times(&common, &mut work).expect("small"));
        }
        let gcd = a.greatest_common_divisor(&b, &mut work).expect("small");
        lines.push(format!("('gcd',[{},{}],{})", shown(&a), shown(&b), shown(&gcd)));
        for (variable, name) in NAMES.iter().enumerate() {
            if a.degree(variable) > 0 && b.degree(variable) > 0 {
                let resultant = a.resultant(&b, variable, &mut work).expect("small");
                zero += usize::from(resultant.is_zero());
                lines.push(format!("('resultant',[{},{},'{name}'],{})", shown(&a), shown(&b), shown(&resultant)));
            }
            if a.degree(variable) > 1 {
                let discriminant = a.discriminant(variable, &mut work).expect("small");
                lines.push(format!("('discriminant',[{},'{name}'],{})", shown(&a), shown(&discriminant)));
            }
        }
        if !a.is_zero() && !b.is_zero() {
            let square = a.times(&a, &mut work).expect("small");
            let parts = basis(vec![square.clone(), b.clone()], &mut work).expect("small");
            let parts: Vec<String> = parts.iter().map(shown).collect();
            lines.push(format!("('basis',[{},{}],[{}])", shown(&square), shown(&b), parts.join(",")));
        }
        let coefficients: Vec<IBig> =
            (0..2 + random.below(6)).map(|_| random.coefficient()).chain([IBig::ONE]).collect();
        let limits = AlgebraicLimits::default();
        let polynomial = IntPolynomial::new(coefficients.clone());
        let roots = AlgebraicNumber::roots(&polynomial, &limits).expect("small");
        let near = |root: &AlgebraicNumber| -> f64 {
            let (low, high) = root.enclosure(40, &limits).expect("narrow");
            ((low + high) / RBig::from(2)).to_f64().value()
        };
        let roots: Vec<f64> = roots.iter().map(near).collect();
        let coefficients: Vec<String> = coefficients.iter().map(IBig::to_string).collect();
        lines.push(format!("('roots',[{}],{roots:?})", coefficients.join(",")));
    }
    assert!(zero > 3, "{zero} resultants are zero");
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/recompute.py");
    let mut python = Command::new("python3")
        .arg(script)
        .env("PYTHONPATH", folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("python3");
    python.stdin.take().expect("piped").write_all(lines.join("\n").as_bytes()).expect("it reads");
    let output = python.wait_with_output().expect("it ends");
    assert_eq!(String::from_utf8_lossy(&output.stdout).trim(), format!("{} done", lines.len()));
}
